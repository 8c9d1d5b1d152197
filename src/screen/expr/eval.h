/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of expr: a compiled expression as postfix code, which parse.c writes and eval.c runs on a
 * stack.
 *
 * Invariants, guaranteed by parse.c: the code leaves exactly one value on the stack, never pops
 * from an empty stack, and never holds more than EXPR_DEPTH_MAX values. The ref of an OP_LOAD is
 * less than n_refs; refs are distinct, in the order of their first use. Texts are never on the
 * stack: OP_ORDER, which compares two texts, has their indices.
 */
#ifndef SCREEN_EXPR_EVAL_H
#define SCREEN_EXPR_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/expr/expr.h"

/* The maximal number of open parentheses in the text, and of values on the stack. */
#define EXPR_DEPTH_MAX 64
/* The maximal number of operations of an expression, with those copied from other expressions. It
 * prevents exponential growth if each column uses the next one twice. */
#define EXPR_EXPANDED_MAX 10000

enum op_code {
	OP_NUMBER,
	OP_LOAD,
	OP_ORDER, /* pushes the order of two texts: -1, 0 or 1 */
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
	/* The index of the OP_AND or OP_OR whose left operand this operation computes; 0: none. */
	uint32_t decides;
	union {
		double number; /* OP_NUMBER */
		size_t ref;    /* OP_LOAD */
		struct {
			uint32_t left, right; /* OP_ORDER: indices of the texts */
		};
	};
};

/* A text operand of OP_ORDER: a literal, or the text of a reference. */
struct expr_text {
	char *literal; /* NULL: the text is that of `ref` */
	size_t ref;    /* index of a reference */
};

struct expr {
	struct op *op;
	size_t n_ops, cap_ops;
	struct expr_ref *ref;
	size_t n_refs, cap_refs;
	struct expr_text *text;
	size_t n_texts, cap_texts;
	bool is_text; /* a single reference to a text */
	bool asks;    /* it has a comparison, a logical operator, or a CALL */
};

/* An operation: pops n_args values and pushes one. */
struct op_row {
	size_t n_args;
	/* Computes the value to push. NULL: OP_NUMBER, OP_LOAD and OP_ORDER, which pop nothing. */
	struct value (*apply)(const struct value *arg);
};

extern const struct op_row op_table[N_OPS];

#endif
