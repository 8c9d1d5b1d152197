/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/expr.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "expr/eval.h"
#include "expr/lex.h"

const struct expr_function expr_function_table[N_EXPR_MODES] = {
	[EXPR_TOTAL] = {NULL, "the total since counting began, or the present state"},
	[EXPR_DELTA] = {"delta", "the increment since the last refresh"},
	[EXPR_RATE] = {"rate", "the increment per second"},
};

static const struct operator_row {
	const char *symbol;
	int precedence; /* a larger one binds tighter; 1 is the loosest */
	enum op_code code;
} operator_table[] = {
	{"+", 1, OP_ADD},
	{"-", 1, OP_SUBTRACT},
	{"*", 2, OP_MULTIPLY},
	{"/", 2, OP_DIVIDE},
};

#define OPERATORS   "+ - * /"
#define N_OPERATORS (sizeof operator_table / sizeof *operator_table)
#define LOOSEST     1

struct parser {
	struct lexer lex;
	const struct expr_symbols *symbols;
	struct expr *expr;
	size_t held; /* values that the code so far leaves on the stack */
	int parens;  /* open ones */
	struct err *err;
};

static int too_deep(const struct parser *p, size_t column)
{
	return err_set(p->err, EINVAL,
		       "column %zu: too deeply nested: at most %d parentheses or unfinished operations may be open",
		       column, EXPR_DEPTH_MAX);
}

/* column: of the token that the operation comes from. */
static int emit(struct parser *p, struct op op, size_t column)
{
	struct expr *e = p->expr;

	p->held = p->held - op_table[op.code].n_args + 1;
	if (p->held > EXPR_DEPTH_MAX)
		return too_deep(p, column);
	e->op = xgrow(e->op, &e->cap_ops, e->n_ops + 1, sizeof *e->op);
	e->op[e->n_ops++] = op;
	return 0;
}

static size_t ref_add(struct expr *e, struct expr_ref ref)
{
	for (size_t i = 0; i < e->n_refs; i++)
		if (e->ref[i].symbol == ref.symbol && e->ref[i].mode == ref.mode)
			return i;
	e->ref = xgrow(e->ref, &e->cap_refs, e->n_refs + 1, sizeof *e->ref);
	e->ref[e->n_refs] = ref;
	return e->n_refs++;
}

/* The function of this name, or EXPR_TOTAL, which has no name. */
static enum expr_mode function_find(const struct token *t)
{
	for (int i = 0; i < N_EXPR_MODES; i++) {
		const char *name = expr_function_table[i].name;

		if (name && strlen(name) == t->len && !memcmp(name, t->text, t->len))
			return (enum expr_mode)i;
	}
	return EXPR_TOTAL;
}

static int emit_load(struct parser *p, enum expr_mode mode, const struct token *name)
{
	int symbol = p->symbols->find(p->symbols->context, name->text, name->len);
	struct op op = {.code = OP_LOAD};

	if (symbol < 0 && function_find(name) != EXPR_TOTAL)
		return err_set(p->err, EINVAL, "column %zu: '%.*s' is a function: write %.*s(NAME)", name->column,
			       LEX_QUOTE(*name), LEX_QUOTE(*name));
	if (symbol < 0)
		return err_set(p->err, ENOENT, "column %zu: '%.*s' is no counter or variable of this screen",
			       name->column, LEX_QUOTE(*name));
	op.ref = ref_add(p->expr, (struct expr_ref){symbol, mode});
	return emit(p, op, name->column);
}

static int no_function(const struct parser *p, const struct token *name)
{
	struct strbuf list;
	int rc;

	strbuf_init(&list);
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name)
			strbuf_addf(&list, "%s%s()", list.len ? ", " : "", expr_function_table[i].name);
	rc = err_set(p->err, EINVAL, "column %zu: '%.*s' is no function: there are %s", name->column, LEX_QUOTE(*name),
		     list.text);
	strbuf_done(&list);
	return rc;
}

/* NAME or FUNCTION "(" NAME ")". */
static int parse_name(struct parser *p)
{
	struct token name = p->lex.token, argument;
	size_t open;
	enum expr_mode mode;

	lex_next(&p->lex);
	open = p->lex.token.column;
	if (!lex_take(&p->lex, "("))
		return emit_load(p, EXPR_TOTAL, &name);
	mode = function_find(&name);
	if (mode == EXPR_TOTAL)
		return no_function(p, &name);
	argument = p->lex.token;
	if (argument.kind != TOKEN_NAME)
		return lex_expected(&p->lex, "the name of a counter or variable", p->err);
	lex_next(&p->lex);
	if (p->lex.token.kind != TOKEN_END && !lex_is(&p->lex, ")"))
		return lex_expected(&p->lex, "')' behind the one name that a function takes", p->err);
	if (lex_close(&p->lex, open, OPERATORS, p->err))
		return -EINVAL;
	return emit_load(p, mode, &argument);
}

static int parse_number(struct parser *p)
{
	struct token t = p->lex.token;
	struct op op = {.code = OP_NUMBER};

	if (lex_double(&t, &op.number, p->err))
		return -EINVAL;
	lex_next(&p->lex);
	return emit(p, op, t.column);
}

static int parse_sum(struct parser *p, int precedence);

static int parse_primary(struct parser *p)
{
	size_t open = p->lex.token.column;

	if (p->lex.token.kind == TOKEN_NUMBER)
		return parse_number(p);
	if (p->lex.token.kind == TOKEN_NAME)
		return parse_name(p);
	if (!lex_take(&p->lex, "("))
		return lex_expected(&p->lex, "a number, a name or '('", p->err);
	if (++p->parens > EXPR_DEPTH_MAX)
		return too_deep(p, open);
	if (parse_sum(p, LOOSEST) || lex_close(&p->lex, open, OPERATORS, p->err))
		return -EINVAL;
	p->parens--;
	return 0;
}

/* Signs are counted instead of nested, so that a row of them needs no stack. */
static int parse_unary(struct parser *p)
{
	size_t column = p->lex.token.column;
	bool negative = false;

	for (;;) {
		if (lex_take(&p->lex, "-"))
			negative = !negative;
		else if (!lex_take(&p->lex, "+"))
			break;
	}
	if (parse_primary(p))
		return -EINVAL;
	return negative ? emit(p, (struct op){.code = OP_NEGATE}, column) : 0;
}

static const struct operator_row *operator_find(const struct lexer *l)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (lex_is(l, operator_table[i].symbol))
			return &operator_table[i];
	return NULL;
}

/* Precedence climbing: operators of at least this precedence, all of them from left to right. */
static int parse_sum(struct parser *p, int precedence)
{
	const struct operator_row *o;

	if (parse_unary(p))
		return -EINVAL;
	while ((o = operator_find(&p->lex)) && o->precedence >= precedence) {
		size_t column = p->lex.token.column;

		lex_next(&p->lex);
		if (parse_sum(p, o->precedence + 1) || emit(p, (struct op){.code = o->code}, column))
			return -EINVAL;
	}
	return 0;
}

int expr_compile(struct expr **out, const char *text, const struct expr_symbols *symbols, struct err *err)
{
	struct err unread;
	struct parser p = {.symbols = symbols, .err = err ? err : &unread};

	lex_start(&p.lex, text);
	if (p.lex.token.kind == TOKEN_END)
		return err_set(err, EINVAL, "column 1: the expression is empty");
	p.expr = xcalloc(1, sizeof *p.expr);
	if (parse_sum(&p, LOOSEST) || lex_finish(&p.lex, OPERATORS, p.err)) {
		expr_free(p.expr);
		return -p.err->code;
	}
	*out = p.expr;
	return 0;
}
