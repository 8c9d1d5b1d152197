/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/column_kind.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggestion.h"
#include "screen/expr/eval.h"
#include "screen/expr/expr.h"

/* ---- degree ----
 *
 * How the result of an expression grows with its inputs, as for a polynomial: increments grow with
 * the length of the interval, rates do not.
 *
 * Each reference has a degree in increments and a degree in rates. A product adds the degrees of
 * its factors, a division subtracts them, and the terms of a sum must have the same degrees. The
 * number 0, and a product with it, fits any degree.
 */

struct degree {
	int increments, rates;
	bool none; /* undefined: terms of different degrees were added or compared */
};

/* An item of the stack. any: it is 0, which fits any degree. */
struct item {
	struct degree degree;
	bool any;
};

static const struct item plain = {{0, 0, false}, false};

static bool is_same(const struct item *a, const struct item *b)
{
	return a->degree.increments == b->degree.increments && a->degree.rates == b->degree.rates;
}

/* Returns the degree of a + b, or of a choice between a and b. */
static struct item sum_item(const struct item *a, const struct item *b)
{
	struct item result = a->any ? *b : *a;

	result.degree.none =
		a->degree.none || b->degree.none || (!a->any && !b->any && !is_same(a, b));
	return result;
}

static struct item product(const struct item *a, const struct item *b, int sign)
{
	return (struct item){
		.degree = {.increments = a->degree.increments + sign * b->degree.increments,
			   .rates = a->degree.rates + sign * b->degree.rates,
			   .none = a->degree.none || b->degree.none},
		.any = a->any || (sign > 0 && b->any),
	};
}

/* Returns the degree of a comparison or logical operation, which is 0; undefined if it has two
 * operands of different degrees. */
static struct item answer(const struct item *arg, size_t n)
{
	struct item result = plain;

	for (size_t i = 0; i < n; i++)
		result.degree.none |= arg[i].degree.none;
	if (n == 2)
		result.degree.none |= sum_item(&arg[0], &arg[1]).degree.none;
	return result;
}

static struct item apply(enum op_code code, const struct item *arg)
{
	struct item result;

	switch (code) {
	case OP_NEGATE:
	case OP_ABS:
		return arg[0];
	case OP_ADD:
	case OP_SUBTRACT:
	case OP_MIN:
	case OP_MAX:
		return sum_item(&arg[0], &arg[1]);
	case OP_MULTIPLY:
		return product(&arg[0], &arg[1], 1);
	case OP_DIVIDE:
		return product(&arg[0], &arg[1], -1);
	case OP_IF:
		result = sum_item(&arg[1], &arg[2]);
		result.degree.none |= arg[0].degree.none;
		return result;
	default:
		return answer(arg, op_table[code].n_args);
	}
}

/* Returns the degree of an expression; of() returns the degree of a reference. */
static struct degree expr_degree(const struct expr *e, struct degree (*of)(struct expr_ref ref))
{
	struct item stack[EXPR_DEPTH_MAX], *top = stack;

	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		if (op->code == OP_NUMBER)
			*top = (struct item){.any = op->number == 0};
		else if (op->code == OP_LOAD)
			*top = (struct item){.degree = of(e->ref[op->ref])};
		else
			*top = apply(op->code, top);
		top++;
	}
	return stack[0].degree;
}

/* ---- column kind ---- */

const char *const values_name[N_VALUES] = {"interval", "rate", "total", "since-mark"};
const char *const column_kind_name[COLUMN_OTHER + 1] = {
	[COLUMN_STATE] = "state", [COLUMN_COUNT] = "count", [COLUMN_RATE] = "rate",
	[COLUMN_RATIO] = "ratio", [COLUMN_OTHER] = "other",
};

int values_find(const char *name, enum values *values, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (int i = 0; i < N_VALUES; i++)
		if (!strcmp(values_name[i], name)) {
			*values = (enum values)i;
			return 0;
		} else {
			suggestion_offer(&near, values_name[i]);
		}
	return err_set(err, EINVAL, "there are no values '%s'%s: name one of %s, %s, %s, %s", name,
		       suggestion_text(&near), values_name[VALUES_INTERVAL],
		       values_name[VALUES_RATE], values_name[VALUES_TOTAL],
		       values_name[VALUES_SINCE_MARK]);
}

/* Returns whether the variable is a share of the interval, such as CPU usage, and has no total. */
static bool is_of_interval(int variable)
{
	return variable == VARIABLE_CPU_TOT || variable == VARIABLE_CPU_SYS ||
	       variable == VARIABLE_CPU_USER || variable == VARIABLE_FAST_CORES;
}

static struct degree degree_of(struct expr_ref ref)
{
	if (ref.symbol >= SYMBOL_VARIABLE && is_of_interval(ref.symbol - SYMBOL_VARIABLE))
		return (struct degree){.rates = 1};
	return (struct degree){.increments = ref.mode == EXPR_DELTA,
			       .rates = ref.mode == EXPR_RATE};
}

/* The kinds of inputs of a column that belong to the interval: increments or rates of counters and
 * of facts, and shares (is_of_interval()). */
struct uses {
	bool counts, facts, shares;
};

static struct uses uses_of(const struct column *c)
{
	struct uses uses = {.counts = false};

	for (size_t i = 0; i < expr_n_refs(c->expr); i++) {
		struct expr_ref ref = expr_ref_at(c->expr, i);
		bool variable = ref.symbol >= SYMBOL_VARIABLE;
		bool share = variable && is_of_interval(ref.symbol - SYMBOL_VARIABLE);

		uses.shares |= share;
		uses.counts |= !variable && ref.mode != EXPR_TOTAL;
		uses.facts |= variable && !share && ref.mode != EXPR_TOTAL;
	}
	return uses;
}

static enum column_kind kind_of(const struct column *c, struct uses uses)
{
	struct degree d = expr_degree(c->expr, degree_of);

	if (!uses.counts && !uses.facts && !uses.shares)
		return COLUMN_STATE;
	if (d.none)
		return COLUMN_OTHER;
	if (d.increments == 1 && d.rates == 0)
		return COLUMN_COUNT;
	if (d.increments == 0 && d.rates == 1)
		return COLUMN_RATE;
	return d.increments == 0 && d.rates == 0 && !uses.shares ? COLUMN_RATIO : COLUMN_OTHER;
}

void column_kind_set(struct column *c)
{
	struct uses uses = uses_of(c);

	c->kind = kind_of(c, uses);
	c->has_total = (c->kind == COLUMN_COUNT || c->kind == COLUMN_RATIO) &&
		       !(uses.counts && uses.facts);
}

bool screen_has_values(const struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (s->column[i].has_total || s->column[i].kind == COLUMN_COUNT)
			return true;
	return false;
}

enum expr_mode column_mode(const struct column *c, enum values values, enum expr_mode mode)
{
	if (values == VALUES_RATE && c->kind == COLUMN_COUNT && mode == EXPR_DELTA)
		return EXPR_RATE;
	return values >= VALUES_TOTAL && c->has_total ? EXPR_TOTAL : mode;
}

bool column_shows_change(const struct column *c, enum values values)
{
	return values == VALUES_SINCE_MARK && c->has_total && c->kind == COLUMN_RATIO;
}
