/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "compare/columns.h"

void comparison_init(struct comparison *c, struct comparison_side *a, struct comparison_side *b)
{
	*c = (struct comparison){.side = {a, b}};
}

void comparison_done(struct comparison *c)
{
	for (size_t i = 0; i < c->n_pairs; i++)
		free(c->pair[i].cell);
	for (size_t i = 0; i < c->n_unlike; i++) {
		free(c->unlike[i].id);
		free(c->unlike[i].why);
	}
	free(c->pair);
	free(c->unlike);
	free(c->column);
	free(c->alone[0]);
	free(c->alone[1]);
	*c = (struct comparison){.n_pairs = 0};
}

static void add_unlike(struct comparison *c, const struct column *column, const struct err *why)
{
	c->unlike = xgrow(c->unlike, &c->cap_unlike, c->n_unlike + 1, sizeof *c->unlike);
	c->unlike[c->n_unlike++] =
		(struct comparison_unlike){xstrdup(column->id), xstrdup(why->text)};
}

/* What only the second side has. */
static void add_further(struct comparison *c)
{
	const struct alike_side *a = &c->side[0]->screen, *b = &c->side[1]->screen;
	struct columns all;
	size_t column;

	if (columns_find(&all, NULL, b->screen, NULL))
		return;
	for (size_t i = 0; i < all.n; i++) {
		struct err why = ERR_INIT;

		if (alike_find(b, all.v[i], a, &column, &why) == -ENOENT)
			add_unlike(c, &b->screen->column[all.v[i]], &why);
	}
	columns_done(&all);
}

int comparison_choose(struct comparison *c, const char *columns, struct err *err)
{
	const struct alike_side *a = &c->side[0]->screen, *b = &c->side[1]->screen;
	struct columns wanted;
	size_t *other;
	int ret = columns_find(&wanted, columns, a->screen, err);

	if (ret)
		return ret;
	other = xcalloc(wanted.n, sizeof *other);
	c->column = xcalloc(wanted.n, sizeof *c->column);
	for (size_t i = 0; i < wanted.n; i++) {
		const struct column *column = &a->screen->column[wanted.v[i]];
		struct err why = ERR_INIT;

		if (alike_find(a, wanted.v[i], b, &other[c->n_columns], &why)) {
			add_unlike(c, column, &why);
			continue;
		}
		wanted.v[c->n_columns] = wanted.v[i];
		c->column[c->n_columns++] = column;
	}
	if (!columns)
		add_further(c);
	if (!c->n_columns)
		ret = err_set(err, EINVAL, "no column can be compared: of '%s', %s",
			      c->unlike[0].id, c->unlike[0].why);
	series_list_init(&c->side[0]->list, wanted.v, c->n_columns);
	series_list_init(&c->side[1]->list, other, c->n_columns);
	columns_done(&wanted);
	free(other);
	return ret;
}

static void compare_column(const struct comparison *c, const struct comparison_pair *pair, size_t i,
			   double *number)
{
	struct comparison_cell *cell = &pair->cell[i];
	const struct means_difference *d = &cell->difference;

	for (int k = 0; k < 2; k++) {
		const struct series *s = pair->of[k];
		const size_t n = series_known(&c->side[k]->list, s, i, number);

		means_summarize(&cell->of[k], number, n);
		cell->why[k] = s->why[i];
	}
	means_compare(&cell->difference, &cell->of[0], &cell->of[1]);
	cell->change_pct = difference_pct(cell->of[0].mean, d->difference);
	cell->margin_pct = difference_pct(cell->of[0].mean, d->margin);
	cell->result = difference_judge(d->difference, d->tested, d->differ);
}

static void compare_pair(struct comparison *c, struct comparison_pair *pair)
{
	const size_t n = pair->of[0]->n > pair->of[1]->n ? pair->of[0]->n : pair->of[1]->n;
	double *number = xcalloc(n, sizeof *number);

	pair->cell = xcalloc(c->n_columns, sizeof *pair->cell);
	for (size_t i = 0; i < c->n_columns; i++)
		compare_column(c, pair, i, number);
	free(number);
}

static void summarize_units(struct means_summary *out, const struct series *s)
{
	double *number = xcalloc(s->n, sizeof *number);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->unit_ns[i]))
			number[n++] = s->unit_ns[i];
	means_summarize(out, number, n);
	free(number);
}

static double shift_of(const struct comparison_pair *pair)
{
	const double n_units = pair->of[0]->n_units + pair->of[1]->n_units;
	struct means_summary of[2];
	struct means_difference d;

	if (n_units <= 0)
		return 0;
	for (int k = 0; k < 2; k++)
		summarize_units(&of[k], pair->of[k]);
	means_compare(&d, &of[0], &of[1]);
	return d.differ ? fabs(d.difference) * n_units / 1e9 : 0;
}

/* An idle task is of no interest; an idle CPU is, as it is there all the time. */
static bool is_idle(const struct series *s)
{
	return s->busy_s <= 0 && !s->always_there;
}

static void add_pair(struct comparison *c, const struct series *a, const struct series *b)
{
	if (is_idle(a) && is_idle(b))
		return;
	c->pair = xgrow(c->pair, &c->cap_pairs, c->n_pairs + 1, sizeof *c->pair);
	c->pair[c->n_pairs] = (struct comparison_pair){.of = {a, b}};
	c->pair[c->n_pairs].shift_s = shift_of(&c->pair[c->n_pairs]);
	c->n_pairs++;
}

static void add_alone(struct comparison *c, int side, const struct series *s)
{
	if (is_idle(s))
		return;
	c->alone[side] = xgrow(c->alone[side], &c->cap_alone[side], c->n_alone[side] + 1,
			       sizeof *c->alone[side]);
	c->alone[side][c->n_alone[side]++] = s;
}

static bool is_of_same_program(const struct series *a, const struct series *b)
{
	return a->program && b->program ? !strcmp(a->program, b->program)
					: a->program == b->program;
}

static bool has_programs(const struct series_list *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (!is_of_same_program(l->v[0], l->v[i]))
			return true;
	return false;
}

static uint64_t key_of(const struct comparison *c, const struct series *s)
{
	const uint64_t name = hash_text(s->name, strlen(s->name));

	return c->by_program && s->program ? name ^ hash_text(s->program, strlen(s->program)) << 1
					   : name;
}

/* The series of this name, which is taken out. */
static struct series *take(const struct comparison *c, struct hash *names, const struct series *as)
{
	const uint64_t key = key_of(c, as);
	struct series *s = hash_get(names, key);

	if (!s || strcmp(s->name, as->name) || (c->by_program && !is_of_same_program(s, as)))
		return NULL;
	return hash_remove(names, key);
}

static void pair_by_name(struct comparison *c, const struct series_list *a,
			 const struct series_list *b)
{
	struct hash names = HASH_INIT;

	c->by_program = has_programs(a) || has_programs(b);
	for (size_t i = 0; i < b->n; i++)
		hash_put(&names, key_of(c, b->v[i]), b->v[i]);
	for (size_t i = 0; i < a->n; i++) {
		struct series *other = take(c, &names, a->v[i]);

		if (other)
			add_pair(c, a->v[i], other);
		else
			add_alone(c, 0, a->v[i]);
	}
	for (size_t i = 0; i < b->n; i++)
		if (take(c, &names, b->v[i]))
			add_alone(c, 1, b->v[i]);
	hash_done(&names);
}

static int compare_pairs(const void *x, const void *y)
{
	const struct comparison_pair *a = x, *b = y;
	const double busy_a = a->of[0]->busy_s + a->of[1]->busy_s;
	const double busy_b = b->of[0]->busy_s + b->of[1]->busy_s;

	if (a->shift_s != b->shift_s)
		return a->shift_s > b->shift_s ? -1 : 1;
	if (busy_a != busy_b)
		return busy_a > busy_b ? -1 : 1;
	return strcmp(a->of[0]->name, b->of[0]->name);
}

void comparison_make(struct comparison *c, size_t max)
{
	struct series_list *a = &c->side[0]->list, *b = &c->side[1]->list;

	series_list_rank(a);
	series_list_rank(b);
	if (a->n == 1 && b->n == 1)
		add_pair(c, a->v[0], b->v[0]);
	else
		pair_by_name(c, a, b);
	if (c->n_pairs)
		qsort(c->pair, c->n_pairs, sizeof *c->pair, compare_pairs);
	if (max && c->n_pairs > max) {
		c->n_more = c->n_pairs - max;
		c->n_pairs = max;
	}
	for (size_t i = 0; i < c->n_pairs; i++)
		compare_pair(c, &c->pair[i]);
}
