/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eval - a compiled expression: postfix code, which parse.c writes and eval.c runs on a stack.
 *
 * Invariants, which parse.c keeps: the code leaves exactly one value on the stack, never takes more
 * values than there are, and never holds more than EXPR_DEPTH_MAX values. The ref of an OP_LOAD is
 * less than n_refs; refs are distinct, in the order of their first use. Texts are no values: what
 * compares them has them as its own operands.
 */
#ifndef SCREEN_EXPR_EVAL_H
#define SCREEN_EXPR_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/expr/expr.h"

/* How many parentheses may be open, and how many values may wait for their operator. */
#define EXPR_DEPTH_MAX 64
/* How many operations an expression may have after others were put into it: columns that use each
 * other twice, and twice again, would grow without end. */
#define EXPR_EXPANDED_MAX 10000

enum op_code {
	OP_NUMBER,
	OP_LOAD,
	OP_ORDER, /* of two texts: -1, 0 or 1, as strcmp(3) has it */
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MIN,
	OP_MAX,
	OP_ABS,
	OP_IF,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_AND,
	OP_OR,
	OP_NOT,
	N_OPS
};

struct op {
	enum op_code code;
	union {
		double number; /* OP_NUMBER */
		size_t ref;    /* OP_LOAD */
		struct {
			uint32_t left, right; /* OP_ORDER: which texts */
		};
	};
};

/* A text that is compared: as it was written, or that of a name. */
struct expr_text {
	char *literal; /* NULL: that of the reference */
	size_t ref;
};

struct expr {
	struct op *op;
	size_t n_ops, cap_ops;
	struct expr_ref *ref;
	size_t n_refs, cap_refs;
	struct expr_text *text;
	size_t n_texts, cap_texts;
	bool is_text; /* it is one reference to a text, and nothing else */
	bool asks;    /* it has a comparison, an operator of logic, or a call */
};

/* How an operation works: it takes n_args values from the stack, and leaves one there. */
struct op_row {
	size_t n_args;
	/* NULL: the operation pushes its own operand. */
	struct value (*apply)(const struct value *arg);
};

extern const struct op_row op_table[N_OPS];

#endif
