/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula - translates formulas of perf's and likwid's metrics into expressions of columns
 * (screen/expr/expr.h). The grammar of formulas:
 *
 *   choice := or ["if" or "else" choice]
 *   or     := and ("|" and)*               and     := compare ("&" compare)*
 *   compare := sum [("<" | ">") sum]       sum     := product (("+" | "-") product)*
 *   product := unary (("*" | "/") unary)*  unary   := ("-" | "+")* primary
 *   primary := NUMBER | NAME | CONSTANT | FUNCTION "(" choice ("," choice)* ")" | "(" choice ")"
 *
 * This is perf's grammar (tools/perf/util/expr.y) without parts that no metric of a task needs;
 * likwid's is a subset of it. A NAME may have dots, colons, and '-', ',', '=' and '/' after a
 * backslash; '@' means '/'. A CONSTANT begins with '#'. FUNCTIONs are min, max, d_ratio, has_event.
 *
 * Parts of constant value are computed. If the condition of a choice is constant, only the chosen
 * side needs a counterpart in tiptop. has_event() is constant, 1 or 0; if it cannot be determined,
 * the formula has no counterpart. Counts divided by the time of the interval become rates:
 * "x / time" is rate(x).
 *
 * Errors: -EINVAL for an invalid text, -ENOENT if a part has no counterpart. The sentence has the
 * place in the text: "column N", in bytes from 1.
 */
#ifndef SCREEN_IMPORT_FORMULA_H
#define SCREEN_IMPORT_FORMULA_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

enum formula_kind { FORMULA_NUMBER, FORMULA_COUNTER, FORMULA_TIME, FORMULA_TEXT };

/* The meaning of a name in a formula. */
struct formula_meaning {
	enum formula_kind kind;
	double number;     /* FORMULA_NUMBER: its value */
	const char *alias; /* FORMULA_COUNTER: its alias in the screen; borrowed */
	const char *text;  /* FORMULA_TEXT: the formula that the name stands for; borrowed */
};

struct formula_names {
	/* Sets the meaning of a name; returns -ENOENT with a sentence if it has no counterpart. */
	int (*find)(void *context, const char *name, struct formula_meaning *out, struct err *err);
	/* Returns 1 if the CPU has an event with this name, 0 if not; -ENOENT with a sentence if
	 * that cannot be determined. */
	int (*has)(void *context, const char *name, struct err *err);
	void *context;
};

/* A limit: "> 0.7". */
struct formula_limit {
	char sign; /* '<' or '>' */
	double number;
};

/* Parses a formula that only compares the name with a number: "NAME > 0.7". Returns false for any
 * other formula. */
bool formula_read_limit(struct formula_limit *out, const char *text, const char *name);

/* Appends the expression for a formula; appends nothing if it returns an error. */
int formula_translate(struct strbuf *out, const char *text, const struct formula_names *names,
		      struct err *err);

#endif
