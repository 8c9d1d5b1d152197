/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lex - cuts a text into tokens; both grammars of expr.h use it.
 *
 * A lexer always holds one token, the next one to parse. A byte that cannot begin any other token
 * becomes a TOKEN_SYMBOL. So the lexer never fails: the parser reports which token it expected.
 *
 * Columns count bytes from 1. The column of TOKEN_END is the one after the text.
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
	/* Begins like a number; lex_double() and lex_u64() check that it is one. */
	TOKEN_NUMBER,
	TOKEN_NAME,    /* a letter or '_', perhaps after a '%', then letters, digits and '_' */
	TOKEN_BRACKET, /* from '[' to ']', both included, without control characters */
	TOKEN_TEXT,    /* between two '"' or two "'", both included, without control characters */
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

/* Returns whether the current token is exactly this text. */
bool lex_is(const struct lexer *l, const char *text);
/* Returns lex_is(); if true, moves to the next token. */
bool lex_take(struct lexer *l, const char *text);

/* Set *out to the value of a TOKEN_NUMBER. Return -EINVAL if it is not such a number, is too long,
 * or is too large for a double; lex_u64() returns -ERANGE if it has more than 64 bits. */
int lex_double(const struct token *t, double *out, struct err *err);
int lex_u64(const struct token *t, uint64_t *out, struct err *err);

/* Moves past the ')' that closes the '(' in column `open`. Returns -EINVAL if the current token is
 * another one. operators: the operators that are also allowed here, for the sentence: "+ - *". */
int lex_close(struct lexer *l, size_t open, const char *operators, struct err *err);
/* Returns 0 if the text ends here, else -EINVAL. operators: as for lex_close(). */
int lex_finish(const struct lexer *l, const char *operators, struct err *err);

/* Sets the error "column 3: <what> is expected, not 'x'". Returns -EINVAL. */
int lex_expected(const struct lexer *l, const char *what, struct err *err);

/* Returns how many bytes of a token are quoted in a sentence, for "%.*s": at most 40, and only
 * whole characters. */
int lex_quote_len(const struct token *t);
#define LEX_QUOTE(t) lex_quote_len(&(t)), (t).text

#endif
