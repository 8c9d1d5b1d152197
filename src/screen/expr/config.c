/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of expr: computes the integer of a counter's "config" attribute, in which names may stand.
 */
#include "screen/expr/expr.h"

#include <errno.h>

#include "screen/expr/lex.h"

/* The maximal depth of parentheses. */
#define CONFIG_DEPTH_MAX 64

enum config_op { CONFIG_OR, CONFIG_AND, CONFIG_SHL };

/* The words "and" and "or" may replace the signs, because '&' must be written "&amp;" in XML. */
static const struct operator_row {
	const char *symbol;
	int precedence; /* higher binds tighter; 1 is the lowest */
	enum config_op op;
} operator_table[] = {
	{"|", 1, CONFIG_OR},    {"or", 1, CONFIG_OR},   {"&", 2, CONFIG_AND},
	{"and", 2, CONFIG_AND}, {"shl", 3, CONFIG_SHL},
};

#define OPERATORS   "| & shl"
#define N_OPERATORS (sizeof operator_table / sizeof *operator_table)
#define LOOSEST     1

struct config_parser {
	struct lexer lex;
	int (*lookup)(const char *name, size_t len, uint64_t *value);
	int parens; /* open parentheses */
	struct err *err;
};

static const struct operator_row *operator_find(const struct lexer *l)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (lex_is(l, operator_table[i].symbol))
			return &operator_table[i];
	return NULL;
}

static int parse_or(struct config_parser *p, int precedence, uint64_t *out);

static int parse_atom(struct config_parser *p, uint64_t *out)
{
	struct token t = p->lex.token;
	int rc = 0;

	if (lex_take(&p->lex, "(")) {
		if (++p->parens > CONFIG_DEPTH_MAX)
			return err_set(p->err, EINVAL,
				       "column %zu: at most %d parentheses may be open", t.column,
				       CONFIG_DEPTH_MAX);
		rc = parse_or(p, LOOSEST, out);
		if (!rc)
			rc = lex_close(&p->lex, t.column, OPERATORS, p->err);
		p->parens--;
		return rc;
	}
	if (t.kind == TOKEN_NUMBER)
		rc = lex_u64(&t, out, p->err);
	else if (t.kind != TOKEN_NAME || operator_find(&p->lex))
		return lex_expected(&p->lex, "a number, a name or '('", p->err);
	else if (p->lookup(t.text, t.len, out))
		return err_set(p->err, ENOENT, "column %zu: '%.*s' is not a known name", t.column,
			       LEX_QUOTE(t));
	lex_next(&p->lex);
	return rc;
}

static int apply_config_op(struct config_parser *p, enum config_op op, uint64_t *left,
			   uint64_t right, size_t column)
{
	switch (op) {
	case CONFIG_OR:
		*left |= right;
		return 0;
	case CONFIG_AND:
		*left &= right;
		return 0;
	case CONFIG_SHL:
		break;
	}
	if (right >= 64)
		return err_set(p->err, ERANGE,
			       "column %zu: a shift by %llu is too far for a number of 64 bits",
			       column, (unsigned long long)right);
	*left <<= right;
	return 0;
}

/* Parses operators of at least this precedence by precedence climbing, as parse.c does, but
 * computes the value at once. */
static int parse_or(struct config_parser *p, int precedence, uint64_t *out)
{
	const struct operator_row *o;
	int rc = parse_atom(p, out);

	while (!rc && (o = operator_find(&p->lex)) && o->precedence >= precedence) {
		size_t column = p->lex.token.column;
		uint64_t right;

		lex_next(&p->lex);
		rc = parse_or(p, o->precedence + 1, &right);
		if (!rc)
			rc = apply_config_op(p, o->op, out, right, column);
	}
	return rc;
}

int expr_config_eval(const char *text, int (*lookup)(const char *name, size_t len, uint64_t *value),
		     uint64_t *out, struct err *err)
{
	struct config_parser p = {.lookup = lookup, .err = err};
	uint64_t result;
	int rc;

	lex_start(&p.lex, text);
	if (p.lex.token.kind == TOKEN_END)
		return err_set(err, EINVAL, "column 1: the config is empty");
	rc = parse_or(&p, LOOSEST, &result);
	if (!rc)
		rc = lex_finish(&p.lex, OPERATORS, err);
	if (!rc)
		*out = result;
	return rc;
}
