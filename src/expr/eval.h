/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eval - a compiled expression: postfix code, which parse.c writes and eval.c runs on a stack.
 *
 * Invariants (parse.c sees to them): the code leaves exactly one value, never takes more than there
 * are, and never holds more than EXPR_DEPTH_MAX of them at a time. OP_LOAD's ref is less than
 * n_refs; the refs are distinct and in order of first use.
 */
#ifndef EXPR_EVAL_H
#define EXPR_EVAL_H

#include <stddef.h>

#include "expr/expr.h"

/* How many parentheses may be open, and how many values may wait for their operator. */
#define EXPR_DEPTH_MAX 64
/* How many operations an expression may have that has others put into it: columns that use each
 * other twice and twice again would grow without end. */
#define EXPR_EXPANDED_MAX 10000

enum op_code {
	OP_NUMBER,
	OP_LOAD,
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
	};
};

struct expr {
	struct op *op;
	size_t n_ops, cap_ops;
	struct expr_ref *ref;
	size_t n_refs, cap_refs;
};

/* How an operation works: it takes n_args values from the stack and leaves one. */
struct op_row {
	size_t n_args;
	struct value (*apply)(const struct value *arg); /* NULL: it pushes its own operand */
};

extern const struct op_row op_table[N_OPS];

#endif
