/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/change.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Within so many standard deviations are 95 % of what is normally distributed. */
#define DEVIATIONS 1.96

static struct saved_figure figure_of(const struct saved_entry *e, int amount)
{
	const struct saved_amount *a = e ? &e->amount[amount] : NULL;

	if (!a || !(a->n > 0))
		return (struct saved_figure){0, NAN, NAN};
	return (struct saved_figure){a->n, a->mean, saved_stddev(a)};
}

static struct saved_figure count_of(const struct saved_entry *e)
{
	return (struct saved_figure){1, e ? e->count : 0, NAN};
}

static struct saved_difference difference_of(struct saved_figure a, struct saved_figure b)
{
	const double variance = a.sd * a.sd / a.n + b.sd * b.sd / b.n;
	const double pct = a.mean > 0 ? 100 / a.mean : (double)NAN;

	return (struct saved_difference){
		.of = {a, b},
		.change_pct = pct * (b.mean - a.mean),
		.margin_pct = pct * DEVIATIONS * sqrt(variance),
	};
}

/* All that is in the unit of the first amount that both have. */
static double sum_of(const struct saved_change *c, const struct saved_entry *e)
{
	double sum = 0;

	for (int i = 0; e && i < SAVED_AMOUNTS; i++)
		if (c->unit[i] && !strcmp(c->unit[i], c->unit_of_all) && e->amount[i].n > 0)
			sum += e->amount[i].n * e->amount[i].mean;
	return sum;
}

static void make_row(const struct saved_change *c, struct saved_change_row *row)
{
	const struct saved_entry *a = row->entry[0], *b = row->entry[1];

	row->count = difference_of(count_of(a), count_of(b));
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		row->amount[i] = difference_of(figure_of(a, i), figure_of(b, i));
	row->change = sum_of(c, b) - sum_of(c, a);
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

static void make_rows(struct saved_change *c, const struct saved *a, const struct saved *b)
{
	size_t i = 0, k = 0;

	c->row = xcalloc(a->n + b->n + 1, sizeof *c->row);
	while (i < a->n || k < b->n) {
		const int order = i == a->n   ? 1
				  : k == b->n ? -1
					      : saved_compare(&a->entry[i], &b->entry[k]);
		struct saved_change_row *row = &c->row[c->n++];

		row->entry[0] = order <= 0 ? &a->entry[i++] : NULL;
		row->entry[1] = order >= 0 ? &b->entry[k++] : NULL;
		make_row(c, row);
	}
	qsort(c->row, c->n, sizeof *c->row, compare_rows);
}

int saved_change_make(struct saved_change *c, const struct saved *a, const struct saved *b,
		      struct err *err)
{
	*c = (struct saved_change){.what = {c->what[0], c->what[1]}, .type = a->type};
	if (a->type != b->type)
		return err_set(err, EINVAL,
			       "'%s' is a report of tiptop %s, and '%s' of tiptop %s: they cannot "
			       "be compared",
			       c->what[0], a->type->report, c->what[1], b->type->report);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (a->unit[i] && b->unit[i] && !strcmp(a->unit[i], b->unit[i]))
			c->unit[i] = a->unit[i];
	for (int i = SAVED_AMOUNTS; i--;)
		c->unit_of_all = c->unit[i] ? c->unit[i] : c->unit_of_all;
	make_rows(c, a, b);
	return 0;
}

void saved_change_done(struct saved_change *c)
{
	free(c->row);
	*c = (struct saved_change){.n = 0};
}
