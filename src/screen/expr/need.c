/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of expr: without which references an expression cannot be true. */
#include "screen/expr/eval.h"

/* References are bits: those without which a value is not known, and without which it is not a
 * true one. */
struct need {
	uint64_t known, truth;
};

static uint64_t bit_of(size_t ref)
{
	return ref < 64 ? UINT64_C(1) << ref : 0;
}

static uint64_t bit_of_text(const struct expr_text *t)
{
	return t->literal ? 0 : bit_of(t->ref);
}

/* Without any operand that it takes, there is no result. */
static struct need need_all(const struct need *arg, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= arg[i].known;
	return (struct need){all, all};
}

/* One side of "and", "or" may decide alone, and only one branch of if() counts. */
static struct need need_of(const struct expr *e, const struct op *op, const struct need *arg)
{
	uint64_t bits;

	switch (op->code) {
	case OP_LOAD:
		bits = bit_of(op->ref);
		return (struct need){bits, bits};
	case OP_ORDER:
		bits = bit_of_text(&e->text[op->left]) | bit_of_text(&e->text[op->right]);
		return (struct need){bits, bits};
	case OP_AND:
		return (struct need){arg[0].known & arg[1].known, arg[0].truth | arg[1].truth};
	case OP_OR:
		return (struct need){arg[0].known & arg[1].known, arg[0].truth & arg[1].truth};
	case OP_IF:
		return (struct need){arg[0].known | (arg[1].known & arg[2].known),
				     arg[0].known | (arg[1].truth & arg[2].truth)};
	default:
		return need_all(arg, op_table[op->code].n_args);
	}
}

bool expr_needs(const struct expr *e, size_t ref)
{
	struct need stack[EXPR_DEPTH_MAX];
	struct need *top = stack;

	for (const struct op *op = e->op; op < e->op + e->n_ops; op++) {
		top -= op_table[op->code].n_args;
		*top = need_of(e, op, top);
		top++;
	}
	return stack[0].truth & bit_of(ref);
}
