/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/formula.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum node_kind {
	NODE_NUMBER,
	NODE_NAME,    /* not resolved yet */
	NODE_COUNTER, /* the increment of a counter */
	NODE_RATE,    /* the increment of a counter per second */
	NODE_TIME,    /* the time of the interval */
	NODE_NEGATE,
	NODE_OPERATOR, /* binary: + - * / < > & | */
	NODE_CALL,
	NODE_IF /* arg: condition, then, else */
};

struct node {
	enum node_kind kind;
	char op;
	double number;
	const char *name; /* the name, the alias of the counter, or the function */
	size_t column;
	const struct node *arg[3];
};

/* ---- parse ----
 *
 * Parses a text into a tree.
 */

#define BLANKS  " \t\n\r"
#define DIGITS  "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/* The maximal depth of choices in parentheses, in arguments, and after "else": more than any
 * formula needs. */
#define PARSE_DEPTH_MAX 200
/* The maximal number of bytes of the text that a sentence quotes. */
#define QUOTE_MAX 40

struct parser {
	const char *text, *at; /* at: next token */
	struct arena *arena;
	struct err *err;
	int depth;
	bool failed;
};

static size_t column_of(const struct parser *p)
{
	return (size_t)(p->at - p->text) + 1;
}

static const struct node *fail(struct parser *p, const char *expected)
{
	if (p->failed)
		return NULL;
	p->failed = true;
	if (*p->at)
		err_set(p->err, EINVAL, "column %zu: %s is expected, not '%.*s'", column_of(p),
			expected, QUOTE_MAX, p->at);
	else
		err_set(p->err, EINVAL, "column %zu: %s is expected, not the end", column_of(p),
			expected);
	return NULL;
}

static void skip(struct parser *p, size_t n)
{
	p->at += n;
	p->at += strspn(p->at, BLANKS);
}

static bool take(struct parser *p, char c)
{
	if (*p->at != c)
		return false;
	skip(p, 1);
	return true;
}

/* Returns the length in bytes of the name at the beginning of a text. */
static size_t name_length(const char *s)
{
	size_t n = *s == '#' ? 1 : 0;

	for (;;) {
		if (s[n] == '\\' && s[n + 1] && strchr("-,=/\\", s[n + 1]))
			n += 2;
		else if (s[n] && strchr(LETTERS DIGITS "_.:@?", s[n]))
			n++;
		else
			return n;
	}
}

static bool take_word(struct parser *p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(p->at, word, n) || name_length(p->at) != n)
		return false;
	skip(p, n);
	return true;
}

static struct node *node_new(struct parser *p, enum node_kind kind)
{
	struct node *n = arena_calloc(p->arena, 1, sizeof *n);

	n->kind = kind;
	n->column = column_of(p);
	return n;
}

static const struct node *node_number(struct arena *arena, double number)
{
	struct node *n = arena_calloc(arena, 1, sizeof *n);

	n->kind = NODE_NUMBER;
	n->number = number;
	return n;
}

static const struct node *node_operator(struct arena *arena, char op, const struct node *x,
					const struct node *y)
{
	struct node *n = arena_calloc(arena, 1, sizeof *n);

	*n = (struct node){.kind = NODE_OPERATOR, .op = op, .column = x->column, .arg = {x, y}};
	return n;
}

/* Returns a copy of the node, so that its arguments can be changed. */
static struct node *node_copy(struct arena *arena, const struct node *n)
{
	return arena_copy(arena, n, sizeof *n);
}

static bool node_is_number(const struct node *n)
{
	return n->kind == NODE_NUMBER;
}

static const struct node *parse_choice(struct parser *p);

static const struct node *parse_number(struct parser *p)
{
	struct node *n = node_new(p, NODE_NUMBER);
	char *end;

	n->number = strtod(p->at, &end);
	if (name_length(end))
		return fail(p, "a number");
	skip(p, (size_t)(end - p->at));
	return n;
}

/* Returns the name of `len` bytes at p->at, without backslashes and with '/' for '@'. */
static const char *plain_name(struct parser *p, size_t len)
{
	char *name = arena_alloc(p->arena, len + 1), *to = name;

	for (const char *from = p->at; from < p->at + len; from++) {
		if (*from == '\\')
			from++;
		*to++ = (char)(*from == '@' ? '/' : *from);
	}
	*to = '\0';
	return name;
}

static const struct node *parse_call(struct parser *p, struct node *call)
{
	static const struct {
		const char *name;
		size_t n_args;
	} function[] = {{"min", 2}, {"max", 2}, {"d_ratio", 2}, {"has_event", 1}};
	size_t i = 0;

	while (i < sizeof function / sizeof *function && strcmp(function[i].name, call->name))
		i++;
	if (i == sizeof function / sizeof *function) {
		if (!p->failed)
			err_set(p->err, ENOENT, "column %zu: the function '%s' has no counterpart",
				call->column, call->name);
		p->failed = true;
		return NULL;
	}
	for (size_t k = 0; k < function[i].n_args; k++) {
		if (k && !take(p, ','))
			return fail(p, "','");
		call->arg[k] = parse_choice(p);
		if (!call->arg[k])
			return NULL;
	}
	return take(p, ')') ? call : fail(p, "')'");
}

static const struct node *parse_name(struct parser *p)
{
	struct node *n = node_new(p, NODE_NAME);
	size_t len = name_length(p->at);

	n->name = plain_name(p, len);
	skip(p, len);
	if (!take(p, '('))
		return n;
	n->kind = NODE_CALL;
	return parse_call(p, n);
}

static const struct node *parse_primary(struct parser *p)
{
	const struct node *n;

	if (take(p, '(')) {
		n = parse_choice(p);
		return !n || take(p, ')') ? n : fail(p, "')'");
	}
	if (*p->at && strchr(DIGITS ".", *p->at))
		return parse_number(p);
	return name_length(p->at) ? parse_name(p) : fail(p, "a number or a name");
}

static const struct node *parse_unary(struct parser *p)
{
	struct node *n = node_new(p, NODE_NEGATE);
	bool negative = false;

	for (;;) {
		if (take(p, '-'))
			negative = !negative;
		else if (!take(p, '+'))
			break;
	}
	n->arg[0] = parse_primary(p);
	return !n->arg[0] || negative ? (n->arg[0] ? n : NULL) : n->arg[0];
}

/* The binary operators by precedence, from the lowest. */
static const char *const levels[] = {"|", "&", "<>", "+-", "*/"};

static const struct node *parse_level(struct parser *p, size_t level)
{
	const struct node *x, *y;

	if (level == sizeof levels / sizeof *levels)
		return parse_unary(p);
	x = parse_level(p, level + 1);
	while (x && *p->at && strchr(levels[level], *p->at)) {
		struct node *n = node_new(p, NODE_OPERATOR);

		n->op = *p->at;
		skip(p, 1);
		y = parse_level(p, level + 1);
		if (!y)
			return NULL;
		n->arg[0] = x;
		n->arg[1] = y;
		x = n;
	}
	return x;
}

static const struct node *parse_if(struct parser *p)
{
	const struct node *x = parse_level(p, 0);
	struct node *n = node_new(p, NODE_IF);

	if (!x || !take_word(p, "if"))
		return x;
	n->arg[1] = x;
	n->arg[0] = parse_level(p, 0);
	if (n->arg[0] && !take_word(p, "else"))
		return fail(p, "'else'");
	n->arg[2] = n->arg[0] ? parse_choice(p) : NULL;
	return n->arg[2] ? n : NULL;
}

static const struct node *parse_choice(struct parser *p)
{
	const struct node *n;

	if (p->depth == PARSE_DEPTH_MAX)
		return fail(p, "less nesting");
	p->depth++;
	n = parse_if(p);
	p->depth--;
	return n;
}

/* Parses a text into a tree in the arena. */
static int formula_parse(const struct node **out, const char *text, struct arena *arena,
			 struct err *err)
{
	struct err own = ERR_INIT;
	struct parser p = {.text = text, .at = text, .arena = arena, .err = &own};

	skip(&p, 0);
	*out = parse_choice(&p);
	if (*out && *p.at)
		fail(&p, "an operator");
	if (p.failed)
		return err_set(err, own.code, "%s", own.text);
	return 0;
}

/* ---- write ----
 *
 * Writes a tree as the expression of a column.
 */

/* The precedence of a node, from the lowest. BINDS_ALL never needs parentheses. */
enum strength { BINDS_OR, BINDS_AND, BINDS_COMPARISON, BINDS_SUM, BINDS_PRODUCT, BINDS_ALL };

static enum strength strength_of(const struct node *n)
{
	if (n->kind == NODE_NEGATE || (node_is_number(n) && n->number < 0))
		return BINDS_PRODUCT;
	if (n->kind != NODE_OPERATOR)
		return BINDS_ALL;
	switch (n->op) {
	case '|':
		return BINDS_OR;
	case '&':
		return BINDS_AND;
	case '<':
	case '>':
		return BINDS_COMPARISON;
	case '+':
	case '-':
		return BINDS_SUM;
	default:
		return BINDS_PRODUCT;
	}
}

/* Writes a whole number below 1e6 with all digits; any other one with as few digits as identify
 * it. */
static void write_number(struct strbuf *out, double number)
{
	char text[32];

	if (fabs(number) < 1e6 && floor(number) == number) {
		strbuf_addf(out, "%.0f", number);
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}

static void formula_write(struct strbuf *out, const struct node *n);

/* Writes an operand of an operation with precedence `outer`, in parentheses if needed. equal: it
 * needs none if its precedence equals `outer`; true for left operands. Comparisons always need
 * them. */
static void write_operand(struct strbuf *out, const struct node *n, enum strength outer, bool equal)
{
	enum strength own = strength_of(n);
	bool bare = own > outer || (equal && own == outer && own != BINDS_COMPARISON);

	strbuf_addstr(out, bare ? "" : "(");
	formula_write(out, n);
	strbuf_addstr(out, bare ? "" : ")");
}

static void write_operator(struct strbuf *out, const struct node *n)
{
	enum strength own = strength_of(n);

	write_operand(out, n->arg[0], own, true);
	if (n->op == '&' || n->op == '|')
		strbuf_addstr(out, n->op == '&' ? " and " : " or ");
	else
		strbuf_addf(out, " %c ", n->op);
	write_operand(out, n->arg[1], own, false);
}

static void write_call(struct strbuf *out, const char *name, const struct node *n)
{
	strbuf_addf(out, "%s(", name);
	for (size_t i = 0; i < 3 && n->arg[i]; i++) {
		strbuf_addstr(out, i ? ", " : "");
		formula_write(out, n->arg[i]);
	}
	strbuf_addch(out, ')');
}

/* Appends a tree without NODE_NAME and NODE_TIME, which were replaced before. */
static void formula_write(struct strbuf *out, const struct node *n)
{
	switch (n->kind) {
	case NODE_NUMBER:
		write_number(out, n->number);
		break;
	case NODE_COUNTER:
		strbuf_addf(out, "delta(%s)", n->name);
		break;
	case NODE_RATE:
		strbuf_addf(out, "rate(%s)", n->name);
		break;
	case NODE_NEGATE:
		strbuf_addch(out, '-');
		write_operand(out, n->arg[0], BINDS_PRODUCT, false);
		break;
	case NODE_OPERATOR:
		write_operator(out, n);
		break;
	case NODE_IF:
		write_call(out, "if", n);
		break;
	default:
		write_call(out, n->name, n);
	}
}

/* ---- formula ---- */

/* The maximal depth of formulas that use other formulas: it ends the recursion of cycles. */
#define DEPTH_MAX 40
/* The maximal depth of a tree and the maximal number of its nodes, with the formulas that it uses.
 * The first bounds the stack of all functions below; the second the time, as formulas that use
 * others more than once grow exponentially. */
#define LEVEL_MAX 2000
#define NODES_MAX 100000

struct translator {
	struct arena arena;
	const struct formula_names *names;
	struct err *err;
	int depth;
	size_t level, n_nodes;
};

static const struct node *resolve(struct translator *t, const struct node *n);

static const struct node *lack(struct translator *t, const struct node *n, const char *what)
{
	err_set(t->err, ENOENT, "column %zu: %s", n->column, what);
	return NULL;
}

static const struct node *resolve_text(struct translator *t, const struct node *n, const char *text)
{
	const struct node *tree, *meaning;

	if (t->depth == DEPTH_MAX)
		return lack(t, n,
			    "the formula refers to itself, or to a chain of more than 40 formulas");
	t->depth++;
	meaning = formula_parse(&tree, text, &t->arena, t->err) ? NULL : resolve(t, tree);
	t->depth--;
	if (!meaning)
		err_prefix(t->err, "column %zu: '%s'", n->column, n->name);
	return meaning;
}

static const struct node *resolve_name(struct translator *t, const struct node *n)
{
	struct formula_meaning meaning = {.kind = FORMULA_NUMBER};
	struct node *found;

	if (t->names->find(t->names->context, n->name, &meaning, t->err)) {
		err_prefix(t->err, "column %zu", n->column);
		return NULL;
	}
	if (meaning.kind == FORMULA_TEXT)
		return resolve_text(t, n, meaning.text);
	found = node_copy(&t->arena, n);
	found->kind = meaning.kind == FORMULA_NUMBER    ? NODE_NUMBER
		      : meaning.kind == FORMULA_COUNTER ? NODE_COUNTER
							: NODE_TIME;
	found->number = meaning.number;
	found->name = meaning.alias ? arena_strdup(&t->arena, meaning.alias) : NULL;
	return found;
}

static bool is_truth(const struct node *n)
{
	return node_is_number(n) || (n->kind == NODE_OPERATOR && strchr("<>&|", n->op));
}

static double compute(char op, double x, double y)
{
	switch (op) {
	case '+':
		return x + y;
	case '-':
		return x - y;
	case '*':
		return x * y;
	case '/':
		return x / y;
	case '<':
		return x < y;
	case '>':
		return x > y;
	case '&':
		return x != 0 && y != 0;
	default:
		return x != 0 || y != 0;
	}
}

static const struct node *resolve_operator(struct translator *t, const struct node *n)
{
	struct node *made = node_copy(&t->arena, n);

	for (int i = 0; i < 2; i++) {
		made->arg[i] = resolve(t, n->arg[i]);
		if (!made->arg[i])
			return NULL;
	}
	/* perf's & and | combine the bits of numbers. Only for truth values, 0 and 1, are they the
	 * same as "and" and "or" in expressions. */
	if ((n->op == '&' || n->op == '|') && !(is_truth(made->arg[0]) && is_truth(made->arg[1])))
		return lack(t, n,
			    "operators on bits have no counterpart, only those on true and false");
	if (node_is_number(made->arg[0]) && node_is_number(made->arg[1])) {
		double number = compute(n->op, made->arg[0]->number, made->arg[1]->number);

		return isfinite(number) ? node_number(&t->arena, number)
					: lack(t, n, "the divisor is 0");
	}
	return made;
}

/* Resolves a choice. If its condition is constant on this machine, only the chosen side has to have
 * a counterpart. */
static const struct node *resolve_if(struct translator *t, const struct node *n)
{
	struct node *made = node_copy(&t->arena, n);

	made->arg[0] = resolve(t, n->arg[0]);
	if (!made->arg[0])
		return NULL;
	if (node_is_number(made->arg[0]))
		return resolve(t, made->arg[0]->number != 0 ? n->arg[1] : n->arg[2]);
	made->arg[1] = resolve(t, n->arg[1]);
	made->arg[2] = made->arg[1] ? resolve(t, n->arg[2]) : NULL;
	return made->arg[2] ? made : NULL;
}

static const struct node *has_event(struct translator *t, const struct node *n)
{
	int has = n->arg[0]->kind == NODE_NAME
			  ? t->names->has(t->names->context, n->arg[0]->name, t->err)
			  : 0;

	if (has >= 0)
		return node_number(&t->arena, has);
	err_prefix(t->err, "column %zu", n->column);
	return NULL;
}

static const struct node *resolve_call(struct translator *t, const struct node *n)
{
	struct node *made;
	double x, y;

	if (!strcmp(n->name, "has_event"))
		return has_event(t, n);
	/* perf's d_ratio(x, 0) is 0; in an expression, the result is unknown. */
	if (!strcmp(n->name, "d_ratio"))
		return resolve(t, node_operator(&t->arena, '/', n->arg[0], n->arg[1]));
	made = node_copy(&t->arena, n);
	made->arg[0] = resolve(t, n->arg[0]);
	made->arg[1] = made->arg[0] ? resolve(t, n->arg[1]) : NULL;
	if (!made->arg[1])
		return NULL;
	if (!node_is_number(made->arg[0]) || !node_is_number(made->arg[1]))
		return made;
	x = made->arg[0]->number;
	y = made->arg[1]->number;
	return node_number(&t->arena, !strcmp(n->name, "min") ? fmin(x, y) : fmax(x, y));
}

static const struct node *resolve_node(struct translator *t, const struct node *n)
{
	struct node *made;

	switch (n->kind) {
	case NODE_NAME:
		return resolve_name(t, n);
	case NODE_NEGATE:
		made = node_copy(&t->arena, n);
		made->arg[0] = resolve(t, n->arg[0]);
		if (made->arg[0] && node_is_number(made->arg[0]))
			return node_number(&t->arena, -made->arg[0]->number);
		return made->arg[0] ? made : NULL;
	case NODE_OPERATOR:
		return resolve_operator(t, n);
	case NODE_CALL:
		return resolve_call(t, n);
	case NODE_IF:
		return resolve_if(t, n);
	default:
		return n;
	}
}

static const struct node *resolve(struct translator *t, const struct node *n)
{
	const struct node *meaning;

	if (t->level == LEVEL_MAX || t->n_nodes == NODES_MAX)
		return lack(t, n, "the formula is too long, with the formulas that it uses");
	t->level++;
	t->n_nodes++;
	meaning = resolve_node(t, n);
	t->level--;
	return meaning;
}

static bool has_time(const struct node *n)
{
	if (n->kind == NODE_TIME)
		return true;
	for (int i = 0; i < 3; i++)
		if (n->arg[i] && has_time(n->arg[i]))
			return true;
	return false;
}

/* Returns the product n without its factor NODE_TIME; NULL: the time is not a factor of n. */
static const struct node *without_time(struct translator *t, const struct node *n)
{
	const struct node *rest;

	if (n->kind == NODE_TIME)
		return node_number(&t->arena, 1);
	if (n->kind != NODE_OPERATOR || !strchr("*/", n->op))
		return NULL;
	if (!has_time(n->arg[1])) {
		rest = without_time(t, n->arg[0]);
		if (rest && n->op == '*' && node_is_number(rest) && rest->number == 1)
			return n->arg[1];
		return rest ? node_operator(&t->arena, n->op, rest, n->arg[1]) : NULL;
	}
	rest = n->op == '*' && !has_time(n->arg[0]) ? without_time(t, n->arg[1]) : NULL;
	if (rest && node_is_number(rest) && rest->number == 1)
		return n->arg[0];
	return rest ? node_operator(&t->arena, '*', n->arg[0], rest) : NULL;
}

static const struct node *per_second(struct translator *t, const struct node *n);

static const struct node *per_second_of(struct translator *t, const struct node *n, int first,
					int last)
{
	struct node *made = node_copy(&t->arena, n);

	for (int i = first; i <= last; i++) {
		made->arg[i] = per_second(t, n->arg[i]);
		if (!made->arg[i])
			return NULL;
	}
	return made;
}

/* Returns the tree divided by the time of the interval, written with rates; NULL: that is not
 * possible, for instance for a constant. */
static const struct node *per_second(struct translator *t, const struct node *n)
{
	const struct node *made;
	struct node *rate;

	switch (n->kind) {
	case NODE_COUNTER:
		rate = node_copy(&t->arena, n);
		rate->kind = NODE_RATE;
		return rate;
	case NODE_NEGATE:
		return per_second_of(t, n, 0, 0);
	case NODE_IF:
		return per_second_of(t, n, 1, 2);
	case NODE_CALL:
		return per_second_of(t, n, 0, 1);
	case NODE_OPERATOR:
		if (strchr("+-", n->op))
			return per_second_of(t, n, 0, 1);
		made = n->op == '*' ? per_second_of(t, n, 1, 1) : NULL;
		return made || !strchr("*/", n->op) ? made : per_second_of(t, n, 0, 0);
	default:
		return NULL;
	}
}

/* Returns the tree with rates in place of divisions by the time; NULL, and an error: the time is
 * used in another way. */
static const struct node *make_rates(struct translator *t, const struct node *n)
{
	const struct node *rest, *rate;
	struct node *made;

	if (!has_time(n))
		return n;
	if (n->kind == NODE_OPERATOR && n->op == '/' && has_time(n->arg[1])) {
		rest = has_time(n->arg[0]) ? NULL : without_time(t, n->arg[1]);
		rate = rest ? per_second(t, n->arg[0]) : NULL;
		if (rate && node_is_number(rest) && rest->number == 1)
			return rate;
		if (rate)
			return node_operator(&t->arena, '/', rate, rest);
	} else if (n->kind != NODE_TIME) {
		made = node_copy(&t->arena, n);
		for (int i = 0; i < 3 && n->arg[i]; i++) {
			made->arg[i] = make_rates(t, n->arg[i]);
			if (!made->arg[i])
				return NULL;
		}
		return made;
	}
	return lack(t, n, "the time of the interval can only be used to divide counts");
}

int formula_translate(struct strbuf *out, const char *text, const struct formula_names *names,
		      struct err *err)
{
	struct err own = ERR_INIT;
	struct translator t = {.arena = ARENA_INIT, .names = names, .err = &own};
	const struct node *n;

	if (!formula_parse(&n, text, &t.arena, &own)) {
		n = resolve(&t, n);
		n = n ? make_rates(&t, n) : NULL;
		if (n)
			formula_write(out, n);
	}
	arena_done(&t.arena);
	return own.code ? err_set(err, own.code, "%s", own.text) : 0;
}

bool formula_read_limit(struct formula_limit *out, const char *text, const char *name)
{
	struct arena arena = ARENA_INIT;
	const struct node *n;
	bool found = !formula_parse(&n, text, &arena, NULL) && n->kind == NODE_OPERATOR &&
		     strchr("<>", n->op) && n->arg[0]->kind == NODE_NAME &&
		     !strcmp(n->arg[0]->name, name) && node_is_number(n->arg[1]);

	if (found)
		*out = (struct formula_limit){n->op, n->arg[1]->number};
	arena_done(&arena);
	return found;
}
