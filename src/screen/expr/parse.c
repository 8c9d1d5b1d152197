/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of expr: parses text to postfix code, by precedence climbing. */
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/expr/expr.h"
#include "screen/expr/lex.h"

/* ---- build ----
 *
 * Builds a compiled expression by appending operations, references and texts. The caller keeps
 * track of the depth of the stack.
 */

static void build_op(struct expr *e, struct op op)
{
	e->op = xgrow(e->op, &e->cap_ops, e->n_ops + 1, sizeof *e->op);
	e->op[e->n_ops++] = op;
	e->asks |= op.code >= OP_LESS && op.code <= OP_NOT;
}

/* Returns the index of the reference, which is added if it is new. */
static size_t build_ref(struct expr *e, struct expr_ref ref)
{
	for (size_t i = 0; i < e->n_refs; i++)
		if (e->ref[i].symbol == ref.symbol && e->ref[i].mode == ref.mode &&
		    e->ref[i].number == ref.number)
			return i;
	e->ref = xgrow(e->ref, &e->cap_refs, e->n_refs + 1, sizeof *e->ref);
	e->ref[e->n_refs] = ref;
	return e->n_refs++;
}

/* Adds a text and returns its index. Takes over `literal`; NULL: the text of reference `ref`. */
static uint32_t build_text(struct expr *e, char *literal, size_t ref)
{
	e->text = xgrow(e->text, &e->cap_texts, e->n_texts + 1, sizeof *e->text);
	e->text[e->n_texts] = (struct expr_text){literal, ref};
	return (uint32_t)e->n_texts++;
}

/* Copies the texts of another expression. If a text is that of a reference, the reference is added,
 * too. */
static void build_texts_of(struct expr *e, const struct expr *other)
{
	for (size_t i = 0; i < other->n_texts; i++) {
		const struct expr_text *t = &other->text[i];

		build_text(e, xstrdup_or_null(t->literal),
			   t->literal ? 0 : build_ref(e, other->ref[t->ref]));
	}
}

/* Returns operation i of another expression, with the indices of references and texts in `e`.
 * texts: the index in `e` of the first text that was copied from `other`. */
static struct op build_op_of(struct expr *e, const struct expr *other, size_t i, size_t texts)
{
	struct op op = other->op[i];

	if (op.code == OP_LOAD)
		op.ref = build_ref(e, other->ref[op.ref]);
	if (op.code == OP_ORDER) {
		op.left += (uint32_t)texts;
		op.right += (uint32_t)texts;
	}
	return op;
}

/* Sets `decides` of all operations. producer: for each value on the stack, the operation that
 * pushed it. */
static void build_decisions(struct expr *e)
{
	size_t producer[EXPR_DEPTH_MAX], *top = producer;

	for (size_t i = 0; i < e->n_ops; i++) {
		const enum op_code code = e->op[i].code;

		e->op[i].decides = 0;
		top -= op_table[code].n_args;
		if (code == OP_AND || code == OP_OR)
			e->op[*top].decides = (uint32_t)i;
		*top++ = i;
	}
}

/* Frees unused capacity, because the expressions of all screens stay in memory. */
static void build_fit(struct expr *e)
{
	e->cap_ops = e->n_ops;
	e->op = xreallocarray(e->op, e->n_ops, sizeof *e->op);
	if (e->n_refs) {
		e->cap_refs = e->n_refs;
		e->ref = xreallocarray(e->ref, e->n_refs, sizeof *e->ref);
	}
	if (e->n_texts) {
		e->cap_texts = e->n_texts;
		e->text = xreallocarray(e->text, e->n_texts, sizeof *e->text);
	}
}

/* ---- syntax ----
 *
 * The tables of operators and functions, for parsing and for lists.
 */

/* Named precedences; the first is the lowest. */
#define SYNTAX_LOOSEST    1
#define SYNTAX_COMPARISON 4

/* The prefix operator, which has no row in operator_table (binary operators). Its precedence would
 * be 3. */
#define SYNTAX_NOT       "not"
#define SYNTAX_NOT_SIGN  "!"
#define SYNTAX_OPERATORS "+ - * / < <= > >= == != and or"

/* A binary operator. */
struct syntax_operator {
	const char *symbol;
	int precedence; /* higher binds tighter */
	enum op_code code;
	const char *help;
};

/* A FUNCTION. op_table has its number of arguments. */
struct syntax_function {
	const char *name, *usage;
	enum op_code code;
	const char *help;
};

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

/* Returns whether the text of the token is this name. */
static bool syntax_is(const struct token *t, const char *name)
{
	return strlen(name) == t->len && !memcmp(name, t->text, t->len);
}

/* Returns the mode with the name of the token; EXPR_TOTAL, which has no name: no mode has it. */
static enum expr_mode syntax_find_mode(const struct token *t)
{
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name && syntax_is(t, expr_function_table[i].name))
			return (enum expr_mode)i;
	return EXPR_TOTAL;
}

static const struct syntax_function *syntax_find_function(const struct token *t)
{
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		if (syntax_is(t, function_table[i].name))
			return &function_table[i];
	return NULL;
}

/* Returns the binary operator that the token is; NULL: none. */
static const struct syntax_operator *syntax_find_operator(const struct token *t)
{
	for (size_t i = 0; i < N_OPERATORS; i++)
		if (syntax_is(t, operator_table[i].symbol))
			return &operator_table[i];
	return NULL;
}

/* Returns whether the token is a binary or prefix operator. */
static bool syntax_is_operator(const struct token *t)
{
	return syntax_find_operator(t) || syntax_is(t, SYNTAX_NOT) || syntax_is(t, SYNTAX_NOT_SIGN);
}

/* Appends the names of all functions, for a sentence. */
static void syntax_add_functions(struct strbuf *out)
{
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name)
			strbuf_addf(out, "%s(), ", expr_function_table[i].name);
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		strbuf_addf(out, "%s%s()", i ? ", " : "", function_table[i].name);
}

/* Offers the names of all functions as suggestions. */
static void syntax_suggest(struct suggestion *near)
{
	for (int i = 0; i < N_EXPR_MODES; i++)
		if (expr_function_table[i].name)
			suggestion_offer(near, expr_function_table[i].name);
	for (size_t i = 0; i < N_FUNCTIONS; i++)
		suggestion_offer(near, function_table[i].name);
}

/* ---- parse ---- */

/* The operand that was parsed last. A number is on the stack; a text is only here, and the
 * comparison that uses it reads its index here. */
struct operand {
	bool is_text;
	uint32_t text; /* index in expr.text */
	struct token token;
};

struct parser {
	struct lexer lex;
	struct operand last;
	const struct expr_symbols *symbols;
	struct expr *expr;
	size_t held; /* number of values on the stack after the code so far */
	int parens;  /* open parentheses */
	struct err *err;
};

static int too_deep(const struct parser *p, size_t column)
{
	return err_set(p->err, EINVAL,
		       "column %zu: too deeply nested: at most %d parentheses or unfinished "
		       "operations may be open",
		       column, EXPR_DEPTH_MAX);
}

/* Appends an operation. column: where its token begins, for errors. */
static int emit(struct parser *p, struct op op, size_t column)
{
	p->held = p->held - op_table[op.code].n_args + 1;
	if (p->held > EXPR_DEPTH_MAX)
		return too_deep(p, column);
	build_op(p->expr, op);
	p->last.is_text = false;
	return 0;
}

/* Makes a text the last operand. Takes over `literal`; NULL: the text of reference `ref`. */
static int take_text(struct parser *p, char *literal, size_t ref, struct token token)
{
	p->last = (struct operand){true, build_text(p->expr, literal, ref), token};
	return 0;
}

static int refuse_text(const struct parser *p, const struct operand *text)
{
	return err_set(p->err, EINVAL,
		       "column %zu: %.*s is a text: it can be compared with another text, and "
		       "nothing can be computed from it",
		       text->token.column, LEX_QUOTE(text->token));
}

/* Checks that the last operand is a number. */
static int want_number(const struct parser *p)
{
	return p->last.is_text ? refuse_text(p, &p->last) : 0;
}

/* Appends the code of another expression in place of its name. */
static int emit_expanded(struct parser *p, const struct expr *other, struct token token)
{
	const size_t column = token.column, texts = p->expr->n_texts;

	if (other->is_text)
		return take_text(p, NULL, build_ref(p->expr, other->ref[0]), token);
	if (p->expr->n_ops + other->n_ops > EXPR_EXPANDED_MAX)
		return err_set(p->err, EINVAL,
			       "column %zu: too long: with the columns that it uses it has more "
			       "than %d operations",
			       column, EXPR_EXPANDED_MAX);
	p->expr->asks |= other->asks;
	build_texts_of(p->expr, other);
	for (size_t i = 0; i < other->n_ops; i++)
		if (emit(p, build_op_of(p->expr, other, i, texts), column))
			return -EINVAL;
	return 0;
}

static int find(const struct parser *p, const struct token *name)
{
	return p->symbols->find(p->symbols->context, name->text, name->len);
}

/* Sets *out to the caller's expression with this name; NULL: none. column: where the name begins,
 * for errors. */
static int expand(struct parser *p, const char *name, size_t len, size_t column,
		  const struct expr **out)
{
	*out = NULL;
	if (p->symbols->expand && p->symbols->expand(p->symbols->context, name, len, out, p->err))
		return err_prefix(p->err, "column %zu", column);
	return 0;
}

static const struct expr_call *find_call(const struct parser *p, const struct token *name)
{
	for (size_t i = 0; i < p->symbols->n_calls; i++)
		if (syntax_is(name, p->symbols->call[i].name))
			return &p->symbols->call[i];
	return NULL;
}

/* Returns the end of a sentence about an unknown name: a suggestion, or "". It points into *near.
 */
static const char *suggest(const struct parser *p, const char *name, size_t len,
			   struct suggestion *near)
{
	suggestion_begin_part(near, name, len);
	if (p->symbols->suggest)
		p->symbols->suggest(p->symbols->context, near);
	return suggestion_text(near);
}

/* Sets the error for a bare name that neither find() nor expand() found; or for the NAME in MODE
 * "(" NAME ")" if it is that of a MODE or FUNCTION. */
static int unknown_name(const struct parser *p, const struct token *t)
{
	const struct syntax_function *f = syntax_find_function(t);
	const struct expr_call *call = find_call(p, t);
	struct suggestion near;

	if (f)
		return err_set(p->err, EINVAL, "column %zu: '%s' is a function: write %s",
			       t->column, f->name, f->usage);
	if (call)
		return err_set(p->err, EINVAL, "column %zu: '%s' is a function: write %s",
			       t->column, call->name, call->usage);
	if (syntax_find_mode(t) != EXPR_TOTAL)
		return err_set(p->err, EINVAL, "column %zu: '%.*s' is a function: write %.*s(NAME)",
			       t->column, LEX_QUOTE(*t), LEX_QUOTE(*t));
	if (syntax_is_operator(t))
		return err_set(
			p->err, EINVAL,
			"column %zu: a number, a name or '(' is expected, not the operator '%.*s'",
			t->column, LEX_QUOTE(*t));
	return err_set(
		p->err, ENOENT,
		"column %zu: there is no counter, variable or column '%.*s' in this screen%s",
		t->column, LEX_QUOTE(*t), suggest(p, t->text, t->len, &near));
}

/* Appends a reference to a number. The bare name of a text adds no operation, but becomes the last
 * operand. */
static int emit_symbol(struct parser *p, struct expr_ref ref, const struct token *name)
{
	const struct expr_symbols *symbols = p->symbols;
	struct op op = {.code = OP_LOAD};

	if (symbols->check && symbols->check(symbols->context, ref, p->err))
		return err_prefix(p->err, "column %zu", name->column);
	op.ref = build_ref(p->expr, ref);
	if (ref.mode == EXPR_TOTAL && symbols->is_text &&
	    symbols->is_text(symbols->context, ref.symbol))
		return take_text(p, NULL, op.ref, *name);
	return emit(p, op, name->column);
}

static int emit_load(struct parser *p, enum expr_mode mode, const struct token *name)
{
	const struct expr_symbols *symbols = p->symbols;
	int symbol = mode != EXPR_TOTAL && symbols->find_grown
			     ? symbols->find_grown(symbols->context, name->text, name->len)
			     : find(p, name);
	struct suggestion near;

	if (symbol < 0 && (syntax_find_mode(name) != EXPR_TOTAL || syntax_find_function(name)))
		return unknown_name(p, name);
	if (symbol < 0)
		return err_set(
			p->err, ENOENT,
			"column %zu: there is no counter or variable '%.*s' in this screen%s",
			name->column, LEX_QUOTE(*name), suggest(p, name->text, name->len, &near));
	return emit_symbol(p, (struct expr_ref){symbol, mode, 0}, name);
}

static int parse_bare_name(struct parser *p, const struct token *name)
{
	const struct expr *other;

	if (find(p, name) >= 0)
		return emit_load(p, EXPR_TOTAL, name);
	if (expand(p, name->text, name->len, name->column, &other))
		return -EINVAL;
	return other ? emit_expanded(p, other, *name) : unknown_name(p, name);
}

/* Parses "[" HEADER "]"; blanks around the header are ignored. */
static int parse_bracket(struct parser *p)
{
	struct token t = p->lex.token;
	const char *name = t.text + 1, *end = t.text + t.len - 1;
	const struct expr *other;
	struct suggestion near;
	int symbol = -1;

	while (name < end && *name == ' ')
		name++;
	while (end > name && end[-1] == ' ')
		end--;
	lex_next(&p->lex);
	if (p->symbols->find_header)
		symbol = p->symbols->find_header(p->symbols->context, name, (size_t)(end - name));
	if (symbol >= 0)
		return emit_symbol(p, (struct expr_ref){symbol, EXPR_TOTAL, 0}, &t);
	if (expand(p, name, (size_t)(end - name), t.column, &other))
		return -EINVAL;
	if (!other)
		return err_set(p->err, ENOENT,
			       "column %zu: there is no column '%.*s' in this screen%s", t.column,
			       LEX_QUOTE(t), suggest(p, name, (size_t)(end - name), &near));
	return emit_expanded(p, other, t);
}

static int no_function(const struct parser *p, const struct token *name)
{
	struct suggestion near;
	struct strbuf list;
	int rc;

	strbuf_init(&list);
	syntax_add_functions(&list);
	suggestion_begin_part(&near, name->text, name->len);
	syntax_suggest(&near);
	for (size_t i = 0; i < p->symbols->n_calls; i++) {
		strbuf_addf(&list, ", %s()", p->symbols->call[i].name);
		suggestion_offer(&near, p->symbols->call[i].name);
	}
	rc = err_set(p->err, EINVAL, "column %zu: there is no function '%.*s'%s: there are %s",
		     name->column, LEX_QUOTE(*name), suggestion_text(&near), list.text);
	strbuf_done(&list);
	return rc;
}

/* Parses the NAME and the ")" after MODE "(". */
static int parse_mode(struct parser *p, enum expr_mode mode, size_t open)
{
	struct token argument = p->lex.token;

	if (argument.kind != TOKEN_NAME)
		return lex_expected(&p->lex, "the name of a counter or variable", p->err);
	lex_next(&p->lex);
	if (p->lex.token.kind != TOKEN_END && !lex_is(&p->lex, ")"))
		return lex_expected(&p->lex, "')' after the one name that a function takes",
				    p->err);
	if (lex_close(&p->lex, open, SYNTAX_OPERATORS, p->err))
		return -EINVAL;
	return emit_load(p, mode, &argument);
}

/* Parses the NUMBER and the ")" after CALL "(". */
static int parse_call(struct parser *p, const struct expr_call *call, size_t column, size_t open)
{
	struct token t = p->lex.token;
	struct expr_ref ref = {.symbol = call->symbol};

	if (t.kind != TOKEN_NUMBER)
		return lex_expected(&p->lex, "a whole number", p->err);
	if (lex_u64(&t, &ref.number, p->err))
		return -EINVAL;
	lex_next(&p->lex);
	if (p->lex.token.kind != TOKEN_END && !lex_is(&p->lex, ")"))
		return lex_expected(&p->lex, "')' after the number", p->err);
	if (lex_close(&p->lex, open, SYNTAX_OPERATORS, p->err))
		return -EINVAL;
	p->expr->asks = true;
	return emit(p, (struct op){.code = OP_LOAD, .ref = build_ref(p->expr, ref)}, column);
}

static int parse_operators(struct parser *p, int precedence);

/* Parses the arguments and the ")" after FUNCTION "(". */
static int parse_arguments(struct parser *p, const struct syntax_function *f, size_t column,
			   size_t open)
{
	size_t want = op_table[f->code].n_args, n = 0;

	if (++p->parens > EXPR_DEPTH_MAX)
		return too_deep(p, open);
	do {
		if (n++ == want)
			break;
		if (parse_operators(p, SYNTAX_LOOSEST) || want_number(p))
			return -EINVAL;
	} while (lex_take(&p->lex, ","));
	if (n <= want && lex_close(&p->lex, open, ", " SYNTAX_OPERATORS, p->err))
		return -EINVAL;
	if (n != want)
		return err_set(p->err, EINVAL, "column %zu: %s() takes %zu argument%s: write %s",
			       column, f->name, want, want > 1 ? "s" : "", f->usage);
	p->parens--;
	return emit(p, (struct op){.code = f->code}, column);
}

/* Parses NAME, MODE "(" NAME ")", FUNCTION "(" ... ")" or CALL "(" NUMBER ")". */
static int parse_name(struct parser *p)
{
	struct token name = p->lex.token;
	const struct syntax_function *f = syntax_find_function(&name);
	const struct expr_call *call = find_call(p, &name);
	enum expr_mode mode = syntax_find_mode(&name);
	size_t open;

	lex_next(&p->lex);
	open = p->lex.token.column;
	if (!lex_take(&p->lex, "("))
		return parse_bare_name(p, &name);
	if (f)
		return parse_arguments(p, f, name.column, open);
	if (call)
		return parse_call(p, call, name.column, open);
	return mode == EXPR_TOTAL ? no_function(p, &name) : parse_mode(p, mode, open);
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

static int parse_text(struct parser *p)
{
	struct token t = p->lex.token;

	lex_next(&p->lex);
	return take_text(p, xstrndup(t.text + 1, t.len - 2), 0, t);
}

static int parse_primary(struct parser *p)
{
	size_t open = p->lex.token.column;

	if (p->lex.token.kind == TOKEN_NUMBER)
		return parse_number(p);
	if (p->lex.token.kind == TOKEN_NAME)
		return parse_name(p);
	if (p->lex.token.kind == TOKEN_BRACKET)
		return parse_bracket(p);
	if (p->lex.token.kind == TOKEN_TEXT)
		return parse_text(p);
	if (lex_is(&p->lex, "["))
		return err_set(p->err, EINVAL, "column %zu: ']' is missing for this '['", open);
	if (lex_is(&p->lex, "\"") || lex_is(&p->lex, "'"))
		return err_set(p->err, EINVAL,
			       "column %zu: the text that begins here has no quote at its end",
			       open);
	if (!lex_take(&p->lex, "("))
		return lex_expected(&p->lex, "a number, a name or '('", p->err);
	if (++p->parens > EXPR_DEPTH_MAX)
		return too_deep(p, open);
	if (parse_operators(p, SYNTAX_LOOSEST) ||
	    lex_close(&p->lex, open, SYNTAX_OPERATORS, p->err))
		return -EINVAL;
	p->parens--;
	return 0;
}

/* Parses signs in a loop, not by recursion, so that a long series of signs cannot exhaust the call
 * stack. */
static int parse_unary(struct parser *p)
{
	size_t column = p->lex.token.column;
	bool negative = false, sign = false;

	for (;; sign = true) {
		if (lex_take(&p->lex, "-"))
			negative = !negative;
		else if (!lex_take(&p->lex, "+"))
			break;
	}
	if (parse_primary(p) || (sign && want_number(p)))
		return -EINVAL;
	return negative ? emit(p, (struct op){.code = OP_NEGATE}, column) : 0;
}

/* Parses "not" and "!" in a loop, like signs. A counter with the name "not" hides the operator
 * "not", so that expressions that use this counter keep their meaning. */
static int parse_not(struct parser *p)
{
	size_t column = p->lex.token.column;
	int n = 0;

	while (lex_is(&p->lex, SYNTAX_NOT_SIGN) ||
	       (lex_is(&p->lex, SYNTAX_NOT) && find(p, &p->lex.token) < 0)) {
		lex_next(&p->lex);
		n++;
	}
	if (!n)
		return parse_unary(p);
	if (parse_operators(p, SYNTAX_COMPARISON) || want_number(p) ||
	    emit(p, (struct op){.code = OP_NOT}, column))
		return -EINVAL;
	return n % 2 ? 0 : emit(p, (struct op){.code = OP_NOT}, column);
}

static bool is_comparison(const struct syntax_operator *o)
{
	return o && o->precedence == SYNTAX_COMPARISON;
}

/* Appends an operator. To compare two texts, their order (OP_ORDER) is compared with 0. */
static int emit_operator(struct parser *p, const struct syntax_operator *o, size_t column,
			 const struct operand *left)
{
	const struct operand right = p->last;
	const struct op order = {.code = OP_ORDER, .left = left->text, .right = right.text};

	if (!left->is_text && !right.is_text)
		return emit(p, (struct op){.code = o->code}, column);
	if (!is_comparison(o))
		return refuse_text(p, left->is_text ? left : &right);
	if (left->is_text != right.is_text)
		return err_set(p->err, EINVAL,
			       "column %zu: a text can only be compared with another text, and one "
			       "side of '%s' is a number",
			       column, o->symbol);
	if (emit(p, order, column) || emit(p, (struct op){.code = OP_NUMBER}, column))
		return -EINVAL;
	return emit(p, (struct op){.code = o->code}, column);
}

/* Precedence climbing: parses operators of at least this precedence, from left to right. */
static int parse_operators(struct parser *p, int precedence)
{
	const struct syntax_operator *o;

	if (precedence < SYNTAX_COMPARISON ? parse_not(p) : parse_unary(p))
		return -EINVAL;
	while ((o = syntax_find_operator(&p->lex.token)) && o->precedence >= precedence) {
		const struct operand left = p->last;
		size_t column = p->lex.token.column;

		lex_next(&p->lex);
		if (parse_operators(p, o->precedence + 1) || emit_operator(p, o, column, &left))
			return -EINVAL;
		/* A chain is refused: 3 > 2 > 1 would be 0, which is never meant. */
		if (is_comparison(o) && is_comparison(syntax_find_operator(&p->lex.token)))
			return err_set(
				p->err, EINVAL,
				"column %zu: comparisons make no chain: join two of them by 'and'",
				p->lex.token.column);
	}
	return 0;
}

/* Completes an expression. A literal text is refused as its result; the text of a name is allowed,
 * because a column may show it. */
static int finish(struct parser *p)
{
	const struct expr_text *text;

	if (!p->last.is_text)
		return 0;
	text = &p->expr->text[p->last.text];
	if (text->literal)
		return refuse_text(p, &p->last);
	p->expr->is_text = true;
	return emit(p, (struct op){.code = OP_LOAD, .ref = text->ref}, p->last.token.column);
}

int expr_compile(struct expr **out, const char *text, const struct expr_symbols *symbols,
		 struct err *err)
{
	struct err unread;
	struct parser p = {.symbols = symbols, .err = err ? err : &unread};

	lex_start(&p.lex, text);
	if (p.lex.token.kind == TOKEN_END)
		return err_set(err, EINVAL, "column 1: the expression is empty");
	p.expr = xcalloc(1, sizeof *p.expr);
	if (parse_operators(&p, SYNTAX_LOOSEST) || lex_finish(&p.lex, SYNTAX_OPERATORS, p.err) ||
	    finish(&p)) {
		expr_free(p.expr);
		return -p.err->code;
	}
	build_decisions(p.expr);
	build_fit(p.expr);
	*out = p.expr;
	return 0;
}
