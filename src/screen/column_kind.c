/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/column_kind.h"

#include <errno.h>
#include <string.h>

#include "base/suggestion.h"
#include "screen/expr/degree.h"

const char *const values_name[N_VALUES] = {"interval", "rate", "total", "since-mark"};

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

/* Of the interval by themselves: they have no total. */
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

/* What is of an interval in a column: of counters, of what /proc tells, of what has no total. */
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
