/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct run_measure *find_measure(const struct runs *r, const char *name)
{
	for (size_t i = 0; i < r->n_measures; i++)
		if (!strcmp(r->measure[i].name, name))
			return &r->measure[i];
	return NULL;
}

/* What the second run of each round has more than the first. */
static void compare_rounds(struct contest_row *row, const struct contest *c,
			   const struct run_measure *other)
{
	const size_t n_a = c->side[0]->runs->n, n_b = c->side[1]->runs->n;
	const size_t rounds = n_a < n_b ? n_a : n_b;
	double *number = xcalloc(rounds + 1, sizeof *number);
	size_t n = 0;

	for (size_t i = 0; i < rounds; i++)
		if (value_known(row->measure->value[i]) && value_known(other->value[i]))
			number[n++] = other->value[i].number - row->measure->value[i].number;
	variation_measure(&row->difference, number, n);
	free(number);
}

static void compare_measure(struct contest_row *row, const struct contest *c, size_t i,
			    const struct run_measure *other)
{
	const struct runs *a = c->side[0]->runs, *b = c->side[1]->runs;
	const size_t k = (size_t)(other - b->measure);

	*row = (struct contest_row){.measure = &a->measure[i],
				    .why = {runs_worst(a, i).quality, runs_worst(b, k).quality}};
	runs_variation(a, i, &row->of[0]);
	runs_variation(b, k, &row->of[1]);
	compare_rounds(row, c, other);
	row->chance = variation_chance(&row->difference);
	row->change_pct = difference_pct(row->of[0].mean, row->difference.mean);
	row->margin_pct = difference_pct(row->of[0].mean, row->difference.margin);
}

static enum difference_result result_of(const struct contest_row *row)
{
	const bool known = row->of[0].n && row->of[1].n, tested = !isnan(row->chance);

	return difference_judge(known && !tested ? 0 : row->difference.mean, tested,
				row->chance < 1 - VARIATION_CONFIDENCE);
}

/* All but the first row, which is the one that is asked about. */
static void correct_chances(struct contest *c)
{
	double *chance = xcalloc(c->n + 1, sizeof *chance);

	for (size_t i = 1; i < c->n; i++)
		chance[i - 1] = c->row[i].chance;
	if (c->n)
		variation_correct(chance, c->n - 1);
	for (size_t i = 1; i < c->n; i++)
		c->row[i].chance = chance[i - 1];
	free(chance);
}

void contest_make(struct contest *c, const struct contest_side *a, const struct contest_side *b)
{
	*c = (struct contest){.side = {a, b}};
	c->row = xcalloc(a->runs->n_measures + 1, sizeof *c->row);
	for (size_t i = 0; i < a->runs->n_measures; i++) {
		const struct run_measure *other = find_measure(b->runs, a->runs->measure[i].name);

		if (other)
			compare_measure(&c->row[c->n++], c, i, other);
	}
	correct_chances(c);
	for (size_t i = 0; i < c->n; i++)
		c->row[i].result = result_of(&c->row[i]);
}

void contest_done(struct contest *c)
{
	free(c->row);
	*c = (struct contest){.n = 0};
}

/* One that was 0 before has grown without bounds. */
static double size_of(const struct contest_row *row)
{
	return isnan(row->change_pct) ? INFINITY : fabs(row->change_pct);
}

static int compare_sizes(const void *x, const void *y)
{
	const struct contest_row *const *a = x, *const *b = y;
	const double first = size_of(*a), second = size_of(*b);

	if (first != second)
		return first > second ? -1 : 1;
	return strcmp((*a)->measure->name, (*b)->measure->name);
}

size_t contest_reasons(const struct contest *c, const struct contest_row **row)
{
	size_t n = 0;

	for (size_t i = 1; i < c->n; i++) {
		const enum difference_result result = c->row[i].result;

		if (result == DIFFERENCE_MORE || result == DIFFERENCE_LESS)
			row[n++] = &c->row[i];
	}
	if (n)
		qsort(row, n, sizeof *row, compare_sizes);
	return n;
}

bool contest_is_tested(const struct contest *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!isnan(c->row[i].chance))
			return true;
	return false;
}

int contest_winner(const struct contest *c)
{
	if (c->n && c->row[0].result == DIFFERENCE_MORE)
		return 0;
	return c->n && c->row[0].result == DIFFERENCE_LESS ? 1 : -1;
}
