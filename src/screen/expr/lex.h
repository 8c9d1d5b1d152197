/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lex - cuts a text into tokens; both grammars of expr.h use it.
 *
 * A lexer always holds one token: the next to look at. A byte that begins no other token is a
 * symbol of its own: the lexer refuses nothing, and the grammar says what it expected instead.
 *
 * Columns count bytes from 1. The column of TOKEN_END is the one behind the text.
 *
 * Ownership: tokens point into the text, which must outlive them.
 */
#ifndef SCREEN_EXPR_LEX_H
#define SCREEN_EXPR_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum token_kind {
	TOKEN_END,
	/* It begins like a number; lex_double() and lex_u64() tell whether it is one. */
	TOKEN_NUMBER,
	TOKEN_NAME,    /* a letter or '_', perhaps behind a '%', then letters, digits and '_' */
	TOKEN_BRACKET, /* from '[' to ']', with both, and no control character between */
	TOKEN_TEXT,    /* between two of '"', or two of "'", with both, and no control character */
	TOKEN_SYMBOL   /* one byte, or one of <= >= == != && || */
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

/* Whether the token that the lexer holds is exactly this text. */
bool lex_is(const struct lexer *l, const char *text);
/* Like lex_is(), but steps over the token if it is this text. */
bool lex_take(struct lexer *l, const char *text);

/* The value of a TOKEN_NUMBER. Errors: -EINVAL, and -ERANGE where it does not fit. */
int lex_double(const struct token *t, double *out, struct err *err);
int lex_u64(const struct token *t, uint64_t *out, struct err *err);

/* Steps over the ')' that closes the '(' in column `open`. operators: what else may follow, for the
 * sentence, as in "+ - *". */
int lex_close(struct lexer *l, size_t open, const char *operators, struct err *err);
/* Checks that the text ends here. */
int lex_finish(const struct lexer *l, const char *operators, struct err *err);

/* Sets the fault "column 3: <what> is expected, not 'x'". Returns -EINVAL. */
int lex_expected(const struct lexer *l, const char *what, struct err *err);

/* How many bytes of a token a sentence quotes, as "%.*s": at most 40, and no part of a
 * character. */
int lex_quote_len(const struct token *t);
#define LEX_QUOTE(t) lex_quote_len(&(t)), (t).text

#endif
