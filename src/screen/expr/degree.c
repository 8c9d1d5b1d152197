/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/expr/degree.h"

#include "screen/expr/eval.h"

/* What lies on the stack. any: a 0, which is of any degree. */
struct item {
	struct degree degree;
	bool any;
};

static const struct item plain = {{0, 0, false}, false};

static bool is_same(const struct item *a, const struct item *b)
{
	return a->degree.increments == b->degree.increments && a->degree.rates == b->degree.rates;
}

/* Of a sum, or of one of two. */
static struct item either(const struct item *a, const struct item *b)
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

/* What asks something grows with nothing, but has to compare what is alike. */
static struct item answer(const struct item *arg, size_t n)
{
	struct item result = plain;

	for (size_t i = 0; i < n; i++)
		result.degree.none |= arg[i].degree.none;
	if (n == 2)
		result.degree.none |= either(&arg[0], &arg[1]).degree.none;
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
		return either(&arg[0], &arg[1]);
	case OP_MULTIPLY:
		return product(&arg[0], &arg[1], 1);
	case OP_DIVIDE:
		return product(&arg[0], &arg[1], -1);
	case OP_IF:
		result = either(&arg[1], &arg[2]);
		result.degree.none |= arg[0].degree.none;
		return result;
	default:
		return answer(arg, op_table[code].n_args);
	}
}

struct degree expr_degree(const struct expr *e, struct degree (*of)(struct expr_ref ref))
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
