/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/change.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/difference.h"
#include "base/mem.h"
#include "base/variation.h"

/* An entry of a run, and those that are the same one. */
struct member {
	const struct saved_entry *entry;
	int side;
};

struct group {
	const struct saved_change *c;
	const struct member *member;
	size_t n;
	double *number; /* room for one of each run */
};

/* --- of several runs --- */

static struct saved_figure figure_of_runs(const double *number, size_t n)
{
	struct variation v;

	variation_measure(&v, number, n);
	return (struct saved_figure){(double)n, v.mean, v.sd};
}

/* Of the runs that know it. */
static struct saved_figure means_of_runs(const struct group *g, int side, int amount)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct moments *a = &g->member[i].entry->amount[amount];

		if (g->member[i].side == side && a->n > 0 && !isnan(a->mean))
			g->number[n++] = a->mean;
	}
	return figure_of_runs(g->number, n);
}

/* Of all runs, as what is not in one of them is 0 there. */
static struct saved_figure sums_of_runs(const struct group *g, int side,
					double (*sum)(const struct saved_change *c,
						      const struct saved_entry *e))
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side)
			g->number[n++] = sum(g->c, g->member[i].entry);
	while (n < g->c->side[side]->n)
		g->number[n++] = 0;
	for (size_t i = 0; i < n; i++)
		if (isnan(g->number[i]))
			return (struct saved_figure){0, NAN, NAN};
	return figure_of_runs(g->number, n);
}

static double margin_of_runs(const struct saved_figure *a, const struct saved_figure *b)
{
	const struct variation x = {.n = (size_t)a->n, .mean = a->mean, .sd = a->sd};
	const struct variation y = {.n = (size_t)b->n, .mean = b->mean, .sd = b->sd};

	return variation_margin(&x, &y);
}

/* --- of one --- */

static const struct saved_entry *find(const struct group *g, int side)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side)
			return g->member[i].entry;
	return NULL;
}

static struct saved_figure calls_of(const struct saved_entry *e, int amount)
{
	const struct moments *a = e ? &e->amount[amount] : NULL;

	if (!a || !(a->n > 0))
		return (struct saved_figure){0, NAN, NAN};
	return (struct saved_figure){a->measured > 0 ? a->measured : a->n, a->mean, moments_sd(a)};
}

static double margin_of_calls(const struct saved_figure *a, const struct saved_figure *b)
{
	return moments_margin(a->n, a->sd, b->n, b->sd);
}

/* --- of both --- */

static struct saved_difference difference_of(const struct saved_change *c, struct saved_figure a,
					     struct saved_figure b)
{
	const double margin = (c->several ? margin_of_runs : margin_of_calls)(&a, &b);

	return (struct saved_difference){
		.of = {a, b},
		.change_pct = difference_pct(a.mean, b.mean - a.mean),
		.margin_pct = difference_pct(a.mean, margin),
	};
}

static double count_of(const struct saved_change *c, const struct saved_entry *e)
{
	(void)c;
	return e->count;
}

/* All that is in the unit of the first amount that all have. */
static double sum_of(const struct saved_change *c, const struct saved_entry *e)
{
	double sum = 0;

	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i] && !strcmp(c->unit[i], c->unit_of_all) && e->amount[i].n > 0)
			sum += e->amount[i].n * e->amount[i].mean;
	return sum;
}

static double contended_pct(const struct group *g, int side)
{
	double count = 0, contended = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->member[i].side == side) {
			count += g->member[i].entry->count;
			contended += g->member[i].entry->contended;
		}
	return count > 0 ? 100 * contended / count : (double)NAN;
}

static struct saved_figure amount_of(const struct group *g, int side, int amount)
{
	return g->c->several ? means_of_runs(g, side, amount) : calls_of(find(g, side), amount);
}

static void make_row(const struct group *g, struct saved_change_row *row)
{
	const struct saved_change *c = g->c;
	struct saved_figure sum[2], count[2];

	for (int side = 0; side < 2; side++) {
		row->entry[side] = find(g, side);
		row->contended_pct[side] = contended_pct(g, side);
		count[side] = sums_of_runs(g, side, count_of);
		sum[side] = sums_of_runs(g, side, sum_of);
	}
	row->count = difference_of(c, count[0], count[1]);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		row->amount[i] = difference_of(c, amount_of(g, 0, i), amount_of(g, 1, i));
	row->change = sum[1].mean - sum[0].mean;
	row->margin = margin_of_runs(&sum[0], &sum[1]);
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	const int order = saved_compare(x->entry, y->entry);

	return order ? order : x->side - y->side;
}

/* What is not known comes last. */
static int compare_rows(const void *a, const void *b)
{
	const struct saved_change_row *x = a, *y = b;
	const double p = isnan(x->change) ? -1 : fabs(x->change);
	const double q = isnan(y->change) ? -1 : fabs(y->change);

	if (p != q)
		return p < q ? 1 : -1;
	return saved_compare(x->entry[x->entry[0] ? 0 : 1], y->entry[y->entry[0] ? 0 : 1]);
}

/* Returns how many there are. */
static size_t list_members(const struct saved_change *c, struct member **out)
{
	size_t n = 0, cap = 0;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < c->side[side]->n; i++) {
			const struct saved *run = &c->side[side]->run[i];

			*out = xgrow(*out, &cap, n + run->n + 1, sizeof **out);
			for (size_t k = 0; k < run->n; k++)
				(*out)[n++] = (struct member){&run->entry[k], side};
		}
	qsort(*out, n, sizeof **out, compare_members);
	return n;
}

static void make_rows(struct saved_change *c)
{
	struct member *member = NULL;
	const size_t n = list_members(c, &member);
	struct group g = {.c = c};

	g.number = xcalloc(c->side[0]->n + c->side[1]->n, sizeof *g.number);
	c->row = xcalloc(n + 1, sizeof *c->row);
	for (size_t i = 0; i < n; i += g.n) {
		g.member = &member[i];
		for (g.n = 1;
		     i + g.n < n && !saved_compare(g.member->entry, member[i + g.n].entry);)
			g.n++;
		make_row(&g, &c->row[c->n++]);
	}
	qsort(c->row, c->n, sizeof *c->row, compare_rows);
	free(g.number);
	free(member);
}

static int check_run(const struct saved_change *c, const struct saved *run, struct err *err)
{
	const struct saved *first = &c->side[0]->run[0];

	if (run->type == c->type)
		return 0;
	return err_set(err, EINVAL,
		       "'%s' is a report of %s, and '%s' of %s: they cannot be compared",
		       first->path, c->type->of, run->path, run->type->of);
}

/* What all have of the same unit. */
static void keep_units(struct saved_change *c, const struct saved *run)
{
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i] && (!run->unit[i] || strcmp(c->unit[i], run->unit[i]) != 0))
			c->unit[i] = NULL;
}

int saved_change_make(struct saved_change *c, const struct saved_runs *a,
		      const struct saved_runs *b, struct err *err)
{
	const struct saved *first = &a->run[0];
	int ret = 0;

	*c = (struct saved_change){
		.side = {a, b}, .several = a->n > 1 || b->n > 1, .type = first->type};
	memcpy(c->unit, first->unit, sizeof c->unit);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < c->side[side]->n && !ret; i++) {
			ret = check_run(c, &c->side[side]->run[i], err);
			keep_units(c, &c->side[side]->run[i]);
		}
	for (int i = SAVED_AMOUNTS; i--;)
		c->unit_of_all = c->unit[i] ? c->unit[i] : c->unit_of_all;
	if (!ret)
		make_rows(c);
	return ret;
}

void saved_change_done(struct saved_change *c)
{
	free(c->row);
	*c = (struct saved_change){.n = 0};
}
