/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula - translates expressions of perf's and likwid's metrics to the grammar of screens
 * (screen/expr/expr.h).
 *
 *   choice := or ["if" or "else" choice]
 *   or     := and ("|" and)*               and     := compare ("&" compare)*
 *   compare := sum [("<" | ">") sum]       sum     := product (("+" | "-") product)*
 *   product := unary (("*" | "/") unary)*  unary   := "-" unary | primary
 *   primary := NUMBER | NAME | CONSTANT | FUNCTION "(" choice ("," choice)* ")" | "(" choice ")"
 *
 * This is perf's grammar (tools/perf/util/expr.y) without parts that no metric of a task needs;
 * likwid's is a subset of it. A NAME may have dots, colons, and '-', ',', '=' and '/' after a
 * backslash; '@' means '/'. A CONSTANT begins with '#'. FUNCTIONs are min, max, d_ratio, has_event.
 *
 * Constants are computed: if the condition of a choice is constant, only the chosen side needs a
 * counterpart. has_event() is constant; if it is unknown, so is everything that depends on it. A
 * division by the time of the interval becomes rates of the counters.
 *
 * Errors: -EINVAL for an invalid text, -ENOENT if a part has no counterpart; the sentence has the
 * column, counted from 1.
 */
#ifndef SCREEN_IMPORT_FORMULA_H
#define SCREEN_IMPORT_FORMULA_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

enum formula_kind { FORMULA_NUMBER, FORMULA_COUNTER, FORMULA_TIME, FORMULA_TEXT };

/* The meaning of a name. */
struct formula_meaning {
	enum formula_kind kind;
	double number;     /* FORMULA_NUMBER */
	const char *alias; /* FORMULA_COUNTER: in the screen; borrowed */
	const char *text;  /* FORMULA_TEXT: another formula; borrowed */
};

struct formula_names {
	/* Sets the meaning of a name; returns -ENOENT with a sentence if it has no counterpart. */
	int (*find)(void *context, const char *name, struct formula_meaning *out, struct err *err);
	/* Returns whether an event with this name exists, 1 or 0; -ENOENT with a sentence if that
	 * is unknown. */
	int (*has)(void *context, const char *name, struct err *err);
	void *context;
};

/* A limit: "> 0.7". */
struct formula_limit {
	char sign; /* '<' or '>' */
	double number;
};

/* Parses a formula that only compares this name with a number: "NAME > 0.7". Returns false for
 * other formulas. */
bool formula_read_limit(struct formula_limit *out, const char *text, const char *name);

/* Appends the formula as the expression of a column; nothing if it fails. */
int formula_translate(struct strbuf *out, const char *text, const struct formula_names *names,
		      struct err *err);

#endif
