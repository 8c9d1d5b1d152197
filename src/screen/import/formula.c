/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/formula.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "screen/import/formula_part.h"

/* Formulas in formulas: more than any maker has, and an end where they stand for each other. */
#define DEPTH_MAX 40

struct translator {
	struct arena arena;
	const struct formula_names *names;
	struct err *err;
	int depth;
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
		return lack(t, n, "the formula stands for itself");
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
	/* perf joins the bits of any numbers; of what is true or false that is the same. */
	if ((n->op == '&' || n->op == '|') && !(is_truth(made->arg[0]) && is_truth(made->arg[1])))
		return lack(t, n,
			    "bits of numbers have no counterpart, only what is true or false");
	if (node_is_number(made->arg[0]) && node_is_number(made->arg[1])) {
		double number = compute(n->op, made->arg[0]->number, made->arg[1]->number);

		return isfinite(number) ? node_number(&t->arena, number)
					: lack(t, n, "the divisor is 0");
	}
	return made;
}

/* What it is on this machine decides, so that the other side need not be known here. */
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
	/* perf gives 0 where there is nothing to divide by, which is no number. */
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

static const struct node *resolve(struct translator *t, const struct node *n)
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

static bool has_time(const struct node *n)
{
	if (n->kind == NODE_TIME)
		return true;
	for (int i = 0; i < 3; i++)
		if (n->arg[i] && has_time(n->arg[i]))
			return true;
	return false;
}

/* What is left of a product when the time is taken out of it; NULL: it is none of it. */
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

/* The number divided by the time of the interval; NULL where that is no formula of rates, as of a
 * constant. */
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

/* Takes the time out of all divisors. */
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
	return lack(t, n,
		    "the time of the interval has no counterpart but as the divisor of counts");
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
