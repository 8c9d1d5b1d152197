/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/expr/lex.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"

/* The maximal length of a number. */
#define NUMBER_MAX 64

#define QUOTE_MAX 40

/* <ctype.h> is not used for letters and digits, which must not depend on the locale. strspn(3) is
 * not used either, as it makes a table of that many characters at each call. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns the number of letters and digits, and of points if they are allowed. */
static size_t word_len(const char *s, bool points)
{
	size_t n = 0;

	while (is_letter(s[n]) || is_digit(s[n]) || (points && s[n] == '.'))
		n++;
	return n;
}

/* Returns the length of everything that could be meant as one number, so that "12abc" and "1.2.3"
 * are one wrong number and not two tokens. */
static size_t number_len(const char *s)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	size_t n = word_len(s, true);

	while (!hex && (s[n - 1] == 'e' || s[n - 1] == 'E') && (s[n] == '+' || s[n] == '-')) {
		n++;
		n += word_len(s + n, true);
	}
	return n;
}

static bool starts_number(const char *s)
{
	return is_digit(s[0]) || (s[0] == '.' && is_digit(s[1]));
}

/* Returns the length of a text enclosed by its first byte and `end`, both included; 0: `end` is
 * missing, or a control character precedes it. */
static size_t enclosed_len(const char *s, char end)
{
	size_t n = 1;

	while ((unsigned char)s[n] >= ' ' && s[n] != '\x7f' && s[n] != end)
		n++;
	return s[n] == end ? n + 1 : 0;
}

/* Headers such as %CPU are names, too; no other token begins with '%'. */
static bool starts_name(const char *s)
{
	s += *s == '%';
	return is_letter(*s);
}

static bool is_pair(const char *s)
{
	return (strchr("<>=!", s[0]) && s[1] == '=') || (strchr("&|", s[0]) && s[1] == s[0]);
}

static void scan(struct lexer *l, const char *at)
{
	struct token *t = &l->token;

	at += strspn(at, " \t\n\v\f\r");
	t->text = at;
	t->column = (size_t)(at - l->text) + 1;
	if (!*at) {
		t->kind = TOKEN_END;
		t->len = 0;
	} else if (starts_number(at)) {
		t->kind = TOKEN_NUMBER;
		t->len = number_len(at);
	} else if (starts_name(at)) {
		t->kind = TOKEN_NAME;
		t->len = 1 + word_len(at + 1, false);
	} else if (*at == '[' && enclosed_len(at, ']')) {
		t->kind = TOKEN_BRACKET;
		t->len = enclosed_len(at, ']');
	} else if (strchr("\"'", *at) && enclosed_len(at, *at)) {
		t->kind = TOKEN_TEXT;
		t->len = enclosed_len(at, *at);
	} else {
		t->kind = TOKEN_SYMBOL;
		t->len = is_pair(at) ? 2 : 1;
	}
}

void lex_start(struct lexer *l, const char *text)
{
	l->text = text;
	scan(l, text);
}

void lex_next(struct lexer *l)
{
	scan(l, l->token.text + l->token.len);
}

bool lex_is(const struct lexer *l, const char *text)
{
	return l->token.len == strlen(text) && !memcmp(l->token.text, text, l->token.len);
}

bool lex_take(struct lexer *l, const char *text)
{
	if (!lex_is(l, text))
		return false;
	lex_next(l);
	return true;
}

/* Copies the token. Returns false if it is too long for a number. */
static bool number_text(const struct token *t, char out[NUMBER_MAX])
{
	if (t->len >= NUMBER_MAX)
		return false;
	memcpy(out, t->text, t->len);
	out[t->len] = '\0';
	return true;
}

int lex_double(const struct token *t, double *out, struct err *err)
{
	char text[NUMBER_MAX];
	uint64_t whole;

	if (!number_text(t, text))
		return err_set(err, EINVAL, "column %zu: a number has at most %d characters",
			       t->column, NUMBER_MAX - 1);
	if (!num_parse_double(text, "", -DBL_MAX, DBL_MAX, out, NULL))
		return 0;
	if (num_parse_u64(text, "", &whole, NULL))
		return err_set(err, EINVAL, "column %zu: '%s' is not a number, or is too large",
			       t->column, text);
	*out = (double)whole;
	return 0;
}

int lex_u64(const struct token *t, uint64_t *out, struct err *err)
{
	char text[NUMBER_MAX];
	int rc;

	if (!number_text(t, text))
		return err_set(err, EINVAL, "column %zu: a number has at most %d characters",
			       t->column, NUMBER_MAX - 1);
	rc = num_parse_u64(text, "", out, NULL);
	if (rc == -ERANGE)
		return err_set(err, ERANGE, "column %zu: '%s' does not fit in 64 bits", t->column,
			       text);
	if (rc)
		return err_set(err, EINVAL, "column %zu: '%s' is not a whole number", t->column,
			       text);
	return 0;
}

int lex_close(struct lexer *l, size_t open, const char *operators, struct err *err)
{
	char what[96];

	if (lex_take(l, ")"))
		return 0;
	if (l->token.kind == TOKEN_END)
		return err_set(err, EINVAL, "column %zu: ')' is missing for the '(' in column %zu",
			       l->token.column, open);
	snprintf(what, sizeof what, "')' or one of %s", operators);
	return lex_expected(l, what, err);
}

int lex_finish(const struct lexer *l, const char *operators, struct err *err)
{
	char what[96];

	if (l->token.kind == TOKEN_END)
		return 0;
	if (lex_is(l, ")"))
		return err_set(err, EINVAL, "column %zu: there is no '(' for this ')'",
			       l->token.column);
	snprintf(what, sizeof what, "one of %s", operators);
	return lex_expected(l, what, err);
}

int lex_quote_len(const struct token *t)
{
	size_t len = t->len;

	if (len > QUOTE_MAX)
		for (len = QUOTE_MAX; len && text_continues(t->text[len]);)
			len--;
	return (int)len;
}

int lex_expected(const struct lexer *l, const char *what, struct err *err)
{
	const struct token *t = &l->token;

	if (t->kind == TOKEN_END)
		return err_set(err, EINVAL, "column %zu: %s is expected, not the end", t->column,
			       what);
	if (t->text[0] <= ' ' || t->text[0] > '~') /* not printable in a sentence */
		return err_set(err, EINVAL, "column %zu: %s is expected, not the byte 0x%02X",
			       t->column, what, (unsigned char)t->text[0]);
	return err_set(err, EINVAL, "column %zu: %s is expected, not '%.*s'", t->column, what,
		       LEX_QUOTE(*t));
}
