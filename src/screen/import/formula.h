/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula - an expression of perf's metrics, or of likwid's, and what it is in the grammar of
 * screens (screen/expr/expr.h).
 *
 *   choice := or ["if" or "else" choice]
 *   or     := and ("|" and)*               and     := compare ("&" compare)*
 *   compare := sum [("<" | ">") sum]       sum     := product (("+" | "-") product)*
 *   product := unary (("*" | "/") unary)*  unary   := "-" unary | primary
 *   primary := NUMBER | NAME | CONSTANT | FUNCTION "(" choice ("," choice)* ")" | "(" choice ")"
 *
 * That is perf's grammar (tools/perf/util/expr.y) without what no metric for a task needs; likwid's
 * is a part of it. A NAME may have dots, colons, and '-', ',', '=' and '/' behind a backslash; '@'
 * stands for '/'. A CONSTANT begins with '#'. FUNCTIONs are min, max, d_ratio, has_event.
 *
 * What is constant is computed: of a choice by a constant only the chosen side has to have a
 * counterpart. has_event() is constant; where it is not known, neither is what depends on it.
 * What is divided by the time of the interval becomes rates of its counters.
 *
 * Errors: -EINVAL for what cannot be read, -ENOENT for what has no counterpart; the sentence has
 * the column, counted from 1.
 */
#ifndef SCREEN_IMPORT_FORMULA_H
#define SCREEN_IMPORT_FORMULA_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

enum formula_kind { FORMULA_NUMBER, FORMULA_COUNTER, FORMULA_TIME, FORMULA_TEXT };

/* What a name stands for. */
struct formula_meaning {
	enum formula_kind kind;
	double number; /* FORMULA_NUMBER */
	const char
		*alias; /* FORMULA_COUNTER: of the screen; lent until the end of the translation */
	const char *text; /* FORMULA_TEXT: another formula, lent as well */
};

struct formula_names {
	/* Sets what a name stands for; -ENOENT with a sentence where it has no counterpart. */
	int (*find)(void *context, const char *name, struct formula_meaning *out, struct err *err);
	/* Whether there is an event of this name: 1, or 0; -ENOENT with a sentence where that is
	 * not known. */
	int (*has)(void *context, const char *name, struct err *err);
	void *context;
};

/* What compares with a number: "> 0.7". */
struct formula_limit {
	char sign; /* '<' or '>' */
	double number;
};

/* Reads a formula that compares this one name with a number, and does nothing else: "NAME > 0.7".
 * False where it is another one. */
bool formula_read_limit(struct formula_limit *out, const char *text, const char *name);

/* Appends the formula, as the expression of a column; nothing where it fails. */
int formula_translate(struct strbuf *out, const char *text, const struct formula_names *names,
		      struct err *err);

#endif
