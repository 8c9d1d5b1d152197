/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syntax - the operators and functions of expressions, as tables: what parse.c finds, and what
 * lists of them show.
 */
#ifndef SCREEN_EXPR_SYNTAX_H
#define SCREEN_EXPR_SYNTAX_H

#include "base/strbuf.h"
#include "screen/expr/eval.h"
#include "screen/expr/lex.h"

/* Precedences with a meaning of their own; the loosest is the first. */
#define SYNTAX_LOOSEST    1
#define SYNTAX_COMPARISON 4

/* It stands before its operand, so it is no row of the table. Its precedence would be 3. */
#define SYNTAX_NOT       "not"
#define SYNTAX_NOT_SIGN  "!"
#define SYNTAX_OPERATORS "+ - * / < <= > >= == != and or"

/* An operator between two operands. */
struct syntax_operator {
	const char *symbol;
	int precedence; /* a larger one binds tighter */
	enum op_code code;
	const char *help;
};

/* A function that takes expressions. op_table knows how many arguments it has. */
struct syntax_function {
	const char *name, *usage;
	enum op_code code;
	const char *help;
};

/* Whether the token is this name. */
bool syntax_is(const struct token *t, const char *name);
/* What the token names; NULL: none. */
const struct syntax_operator *syntax_find_operator(const struct token *t);
const struct syntax_function *syntax_find_function(const struct token *t);
/* Whether it names an operator, between operands or before one. */
bool syntax_is_operator(const struct token *t);
/* The mode that the token names; else EXPR_TOTAL, which has no name. */
enum expr_mode syntax_find_mode(const struct token *t);

/* Appends the names of all functions, as a list for a sentence. */
void syntax_add_functions(struct strbuf *out);

#endif
