/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of formula: from a text to a tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "screen/import/formula_part.h"

#define BLANKS  " \t\n\r"
#define DIGITS  "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/* More parentheses than anybody opens. */
#define DEPTH_MAX 200
/* As much of a wrong text as a sentence quotes. */
#define QUOTE_MAX 40

struct parser {
	const char *text, *at; /* at: the next token */
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

/* The length of the name at a text, in the bytes that it takes there. */
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

const struct node *node_number(struct arena *arena, double number)
{
	struct node *n = arena_calloc(arena, 1, sizeof *n);

	n->kind = NODE_NUMBER;
	n->number = number;
	return n;
}

const struct node *node_operator(struct arena *arena, char op, const struct node *x,
				 const struct node *y)
{
	struct node *n = arena_calloc(arena, 1, sizeof *n);

	*n = (struct node){.kind = NODE_OPERATOR, .op = op, .column = x->column, .arg = {x, y}};
	return n;
}

struct node *node_copy(struct arena *arena, const struct node *n)
{
	return arena_copy(arena, n, sizeof *n);
}

bool node_is_number(const struct node *n)
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

/* A name without its backslashes, and with '/' for '@'. */
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
		if (p->depth == DEPTH_MAX)
			return fail(p, "an end of so many parentheses");
		p->depth++;
		n = parse_choice(p);
		p->depth--;
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

/* Operators of each level, those that bind least first. */
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

static const struct node *parse_choice(struct parser *p)
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

int formula_parse(const struct node **out, const char *text, struct arena *arena, struct err *err)
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
