/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lex - cuts a text into tokens; shared by both grammars of expr.h.
 *
 * A lexer always holds one token: the next to look at. Any byte that starts none of the others is a
 * symbol of its own, so nothing is refused here; the grammar says what it expected instead.
 *
 * Columns count bytes from 1. The column of TOKEN_END is the one behind the text.
 *
 * Ownership: tokens point into the text, which must outlive them.
 */
#ifndef EXPR_LEX_H
#define EXPR_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,  /* begins like a number; lex_double() and lex_u64() tell whether it is one */
	TOKEN_NAME,    /* a letter or '_', then letters, digits and '_' */
	TOKEN_BRACKET, /* from '[' to ']', with both, and no control character between */
	TOKEN_SYMBOL   /* one byte, or one of <= >= == != */
};

struct token {
	enum token_kind kind;
	const char *text;
	size_t len, column;
};

struct lexer {
	const char *text;
	struct token token;
};

void lex_start(struct lexer *l, const char *text);
void lex_next(struct lexer *l);

/* Whether the token is exactly this text. */
bool lex_is(const struct lexer *l, const char *text);
/* The same; steps over it if so. */
bool lex_take(struct lexer *l, const char *text);

/* The value of a TOKEN_NUMBER. Errors: -EINVAL, and -ERANGE where it does not fit. */
int lex_double(const struct token *t, double *out, struct err *err);
int lex_u64(const struct token *t, uint64_t *out, struct err *err);

/* Steps over the ')' that belongs to the '(' in column `open`. operators: what may follow
 * instead, as in "+ - *". */
int lex_close(struct lexer *l, size_t open, const char *operators, struct err *err);
/* Checks that the text ends here. */
int lex_finish(const struct lexer *l, const char *operators, struct err *err);

/* The fault "column 3: <what> is expected, not 'x'"; returns -EINVAL. */
int lex_expected(const struct lexer *l, const char *what, struct err *err);

/* What a sentence quotes of a token, as "%.*s": its first 40 bytes, without a
 * part of a character. */
int lex_quote_len(const struct token *t);
#define LEX_QUOTE(t) lex_quote_len(&(t)), (t).text

#endif
