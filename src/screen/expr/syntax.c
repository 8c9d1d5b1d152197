/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/expr/syntax.h"

#include <string.h>

const struct expr_function expr_function_table[N_EXPR_MODES] = {
	[EXPR_TOTAL] = {NULL, "the total since counting began, or the present state"},
	[EXPR_DELTA] = {"delta", "the increment since the last refresh"},
	[EXPR_RATE] = {"rate", "the increment per second"},
};

static const struct syntax_operator operator_table[] = {
	{"or", SYNTAX_LOOSEST, OP_OR, "1 where one side is not 0, or both, else 0"},
	{"||", SYNTAX_LOOSEST, OP_OR, "the same as or"},
	{"and", 2, OP_AND, "1 where both sides are not 0, else 0"},
	{"&&", 2, OP_AND, "the same as and"},
	{"<", SYNTAX_COMPARISON, OP_LESS, "1 where the left side is less, else 0"},
	{"lt", SYNTAX_COMPARISON, OP_LESS, "the same as <"},
	{"<=", SYNTAX_COMPARISON, OP_LESS_EQUAL, "1 where the left side is less or equal, else 0"},
	{"le", SYNTAX_COMPARISON, OP_LESS_EQUAL, "the same as <="},
	{">", SYNTAX_COMPARISON, OP_GREATER, "1 where the left side is greater, else 0"},
	{"gt", SYNTAX_COMPARISON, OP_GREATER, "the same as >"},
	{">=", SYNTAX_COMPARISON, OP_GREATER_EQUAL,
	 "1 where the left side is greater or equal, else 0"},
	{"ge", SYNTAX_COMPARISON, OP_GREATER_EQUAL, "the same as >="},
	{"==", SYNTAX_COMPARISON, OP_EQUAL, "1 where both sides are equal, else 0"},
	{"eq", SYNTAX_COMPARISON, OP_EQUAL, "the same as =="},
	{"!=", SYNTAX_COMPARISON, OP_NOT_EQUAL, "1 where both sides are not equal, else 0"},
	{"ne", SYNTAX_COMPARISON, OP_NOT_EQUAL, "the same as !="},
	{"+", 5, OP_ADD, "the sum"},
	{"-", 5, OP_SUBTRACT, "the difference; before a value, its sign"},
	{"*", 6, OP_MULTIPLY, "the product"},
	{"/", 6, OP_DIVIDE, "the quotient; unknown where the right side is 0"},
};

static const struct expr_syntax prefix_table[] = {
	{"operator", SYNTAX_NOT, "1 for 0, and 0 for all else"},
	{"operator", SYNTAX_NOT_SIGN, "the same as not"},
};

#define N_PREFIXES  (sizeof prefix_table / sizeof *prefix_table)
#define N_OPERATORS (sizeof operator_table / sizeof *operator_table)

/* The functions that take expressions. op_table knows how many arguments each has. */
static const struct syntax_function function_table[] = {
	{"per", "per(a, b)", OP_DIVIDE, "a divided by b"},
	{"min", "min(a, b)", OP_MIN, "the smaller one"},
	{"max", "max(a, b)", OP_MAX, "the larger one"},
	{"abs", "abs(a)", OP_ABS, "a without its sign"},
	{"if", "if(c, a, b)", OP_IF, "a where c is not 0, else b"},
};

#define N_FUNCTIONS (sizeof function_table / sizeof *function_table)

struct expr_syntax expr_syntax_at(size_t i)
{
	if (i < N_FUNCTIONS)
		return (struct expr_syntax){"function", function_table[i].usage,
					    function_table[i].help};
	i -= N_FUNCTIONS;
	if (i < N_OPERATORS)
		return (struct expr_syntax){"operator", operator_table[i].symbol,
					    operator_table[i].help};
	i -= N_OPERATORS;
	return i < N_PREFIXES ? prefix_table[i] : (struct expr_syntax){.text = NULL};
}

bool syntax_is(const struct token *t, const char *name)
{
	return strlen(name) == t->len && !memcmp(name, t->text, t->len);
}

enum expr_mode syntax_find_mode(const struct token *t)
{
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name && syntax_is(t, expr_function_table[i].name))
			return (enum expr_mode)i;
	return EXPR_TOTAL;
}

const struct syntax_function *syntax_find_function(const struct token *t)
{
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		if (syntax_is(t, function_table[i].name))
			return &function_table[i];
	return NULL;
}

const struct syntax_operator *syntax_find_operator(const struct token *t)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (syntax_is(t, operator_table[i].symbol))
			return &operator_table[i];
	return NULL;
}

bool syntax_is_operator(const struct token *t)
{
	return syntax_find_operator(t) || syntax_is(t, SYNTAX_NOT) || syntax_is(t, SYNTAX_NOT_SIGN);
}

void syntax_add_functions(struct strbuf *out)
{
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name)
			strbuf_addf(out, "%s(), ", expr_function_table[i].name);
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		strbuf_addf(out, "%s%s()", i ? ", " : "", function_table[i].name);
}
