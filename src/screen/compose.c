/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/compose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "screen/expr/lex.h"

/* The default formats of a new column. */
#define NUMBER_FORMAT "%9.2f"
#define TEXT_FORMAT   "%-12s"

/* Returns whether the expression uses the name. */
static bool names(const char *text, const char *name)
{
	struct lexer l;

	for (lex_start(&l, text); l.token.kind != TOKEN_END; lex_next(&l))
		if (l.token.kind == TOKEN_NAME && lex_is(&l, name))
			return true;
	return false;
}

static bool has_counter(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_counters; i++)
		if (!strcmp(s->counter[i].alias, alias))
			return true;
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_counter(const struct counter_decl *a, const struct counter_decl *b)
{
	return same_text(a->event, b->event) && same_text(a->config, b->config) &&
	       same_text(a->type, b->type) && same_text(a->arch, b->arch) &&
	       same_text(a->model, b->model);
}

/* Returns the index of the next declaration of an alias, from i on; n_counters: none. */
static size_t next_of(const struct screen *s, size_t i, const char *alias)
{
	while (i < s->n_counters && strcmp(s->counter[i].alias, alias) != 0)
		i++;
	return i;
}

/* Returns whether the alias has the same declarations in both screens. */
static bool same_alias(const struct screen *a, const struct screen *b, const char *alias)
{
	size_t i = next_of(a, 0, alias), k = next_of(b, 0, alias);

	while (i < a->n_counters && k < b->n_counters) {
		if (!same_counter(&a->counter[i], &b->counter[k]))
			return false;
		i = next_of(a, i + 1, alias);
		k = next_of(b, k + 1, alias);
	}
	return i == a->n_counters && k == b->n_counters;
}

static void take_counters(struct screen *s, const struct screen *from, const char *alias)
{
	if (has_counter(s, alias))
		return;
	for (size_t i = next_of(from, 0, alias); i < from->n_counters;
	     i = next_of(from, i + 1, alias))
		screen_copy_counter(s, &from->counter[i])->element = 0;
}

void compose_move(struct screen *s, size_t from, size_t to)
{
	const struct column c = s->column[from];

	memmove(&s->column[from], &s->column[from + 1], (s->n_columns - 1 - from) * sizeof c);
	memmove(&s->column[to + 1], &s->column[to], (s->n_columns - 1 - to) * sizeof c);
	s->column[to] = c;
}

int compose_copy(struct screen *s, size_t at, const struct screen *from, size_t i, struct err *err)
{
	const char *text = from->column[i].text;

	for (size_t k = 0; k < from->n_counters; k++) {
		const char *alias = from->counter[k].alias;

		if (names(text, alias) && has_counter(s, alias) && !same_alias(s, from, alias))
			return err_set(err, EEXIST,
				       "the screen '%s' has another counter '%s' than '%s', of "
				       "which this column is",
				       s->name, alias, from->name);
	}
	for (size_t k = 0; k < from->n_counters; k++)
		if (names(text, from->counter[k].alias))
			take_counters(s, from, from->counter[k].alias);
	screen_copy_column(s, &from->column[i])->element = 0;
	compose_move(s, s->n_columns - 1, at);
	return 0;
}

/* Returns whether the expression is the name of a variable that is a text. */
static bool is_text(const char *text)
{
	for (int v = 0; v < n_variables; v++)
		if (variable_is_text(v) && !strcmp(variable_at(v).name, text))
			return true;
	return false;
}

static int check(const char *header, const char *text, struct err *err)
{
	if (*header && *text)
		return 0;
	return err_set(err, EINVAL,
		       "a column is NAME = EXPRESSION, as in CPI = delta(cycle) / delta(instr)");
}

/* Copies the counters that the expression uses and the screen lacks. */
static void copy_used_counters(struct screen *s, const char *text, const struct screen_list *others)
{
	for (size_t i = 0; others && i < others->n; i++)
		for (size_t k = 0; k < others->v[i]->n_counters; k++)
			if (names(text, others->v[i]->counter[k].alias))
				take_counters(s, others->v[i], others->v[i]->counter[k].alias);
}

int compose_add(struct screen *s, size_t at, const char *header, const char *text,
		const struct screen_list *others, struct err *err)
{
	if (check(header, text, err))
		return -EINVAL;
	copy_used_counters(s, text, others);
	screen_add_column(s, header, is_text(text) ? TEXT_FORMAT : NUMBER_FORMAT, NULL, text);
	compose_move(s, s->n_columns - 1, at);
	return 0;
}

static bool is_named(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (names(s->column[i].text, alias))
			return true;
	return false;
}

/* Drops the counters that this expression uses and no column of the screen uses any more. */
static void drop_unnamed(struct screen *s, const char *text)
{
	for (size_t k = s->n_counters; k-- > 0;)
		if (names(text, s->counter[k].alias) && !is_named(s, s->counter[k].alias))
			screen_drop_counter(s, k);
}

int compose_change(struct screen *s, size_t i, const char *header, const char *text,
		   const struct screen_list *others, struct err *err)
{
	struct column *c = &s->column[i];
	char *old = c->text;
	int len;
	const char *name = screen_column_name(c, &len);

	if (check(header, text, err))
		return -EINVAL;
	copy_used_counters(s, text, others);
	if (strlen(header) != (size_t)len || memcmp(name, header, (size_t)len) != 0) {
		free(c->header);
		c->header = xstrdup(header);
	}
	c->text = xstrdup(text);
	free(c->desc);
	c->desc = NULL;
	drop_unnamed(s, old);
	free(old);
	return 0;
}

void compose_drop(struct screen *s, size_t i)
{
	char *text = xstrdup(s->column[i].text);

	screen_drop_column(s, i);
	drop_unnamed(s, text);
	free(text);
}

bool compose_has(const struct screen *s, const struct column *c)
{
	int len;
	const char *name = screen_column_name(c, &len);

	for (size_t i = screen_find_column(s, 0, name, (size_t)len); i < s->n_columns;
	     i = screen_find_column(s, i + 1, name, (size_t)len))
		if (!strcmp(s->column[i].text, c->text))
			return true;
	return false;
}

bool compose_has_all(const struct screen *s, const struct screen *from, size_t i)
{
	const struct column *c = &from->column[i];
	bool same = compose_has(s, c);

	for (size_t k = 0; same && k < from->n_counters; k++)
		same = !names(c->text, from->counter[k].alias) ||
		       same_alias(s, from, from->counter[k].alias);
	return same;
}
