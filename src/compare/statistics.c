/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"

/* ---- tests ---- */

/* Returns the known numbers, which the caller frees; *n: how many. */
static double *copy_known(const struct statistics_numbers *of, size_t *n)
{
	double *number = xcalloc(of->n + 1, sizeof *number);

	*n = 0;
	for (size_t i = 0; i < of->n; i++)
		if (isfinite(of->number[i * of->step]))
			number[(*n)++] = of->number[i * of->step];
	return number;
}

/* Sets the results of a difference. `tested`: there are enough numbers for a test. */
static void conclude(struct statistics *s, double difference, double margin, bool tested,
		     bool differs)
{
	s->difference = difference;
	s->margin = margin;
	s->change_pct = difference_pct(s->of[0].mean, difference);
	s->margin_pct = difference_pct(s->of[0].mean, margin);
	s->result = difference_classify(difference, tested, differs);
}

void statistics_of_series(struct statistics *s, const struct statistics_numbers of[2])
{
	struct means_summary side[2];
	struct means_difference d;

	*s = (struct statistics){.pairs = NAN, .confidence = MEANS_CONFIDENCE, .chance = NAN};
	for (int i = 0; i < 2; i++) {
		size_t n;
		double *number = copy_known(&of[i], &n);

		means_summarize(&side[i], number, n);
		s->of[i] = (struct statistics_side){(double)n, side[i].mean, side[i].sd};
		free(number);
	}
	means_compare(&d, &side[0], &side[1]);
	s->error = d.error;
	conclude(s, d.difference, d.margin, d.tested, d.differ);
}

static void measure(const struct statistics_numbers *of, struct variation *v,
		    struct statistics_side *side)
{
	size_t n;
	double *number = copy_known(of, &n);

	variation_measure(v, number, n);
	*side = (struct statistics_side){(double)n, v->mean, v->sd};
	free(number);
}

/* Sets the results of a difference that s->error tests. */
static void conclude_by_error(struct statistics *s, double difference, double margin)
{
	s->confidence = VARIATION_CONFIDENCE;
	conclude(s, difference, margin, false, false);
	statistics_set_chance(s, mean_error_chance(&s->error, difference));
}

void statistics_of_runs(struct statistics *s, const struct statistics_numbers of[2])
{
	struct variation v[2];

	*s = (struct statistics){.pairs = NAN};
	for (int i = 0; i < 2; i++)
		measure(&of[i], &v[i], &s->of[i]);
	s->error = variation_error_between(&v[0], &v[1]);
	conclude_by_error(s, v[1].mean - v[0].mean,
			  mean_error_margin(&s->error, VARIATION_CONFIDENCE));
}

void statistics_of_pairs(struct statistics *s, const struct statistics_numbers of[2])
{
	const size_t n = of[0].n < of[1].n ? of[0].n : of[1].n;
	double *number = xcalloc(n + 1, sizeof *number);
	struct statistics_side pairs;
	struct variation v;

	*s = (struct statistics){.pairs = NAN};
	for (int i = 0; i < 2; i++)
		measure(&of[i], &v, &s->of[i]);
	for (size_t i = 0; i < n; i++)
		number[i] = of[1].number[i * of[1].step] - of[0].number[i * of[0].step];
	measure(&(struct statistics_numbers){number, n, 1}, &v, &pairs);
	free(number);
	s->pairs = pairs.n;
	s->error = variation_error(&v);
	conclude_by_error(s, pairs.mean, v.margin);
}

void statistics_set_chance(struct statistics *s, double chance)
{
	const bool known = s->of[0].n > 0 && s->of[1].n > 0, tested = !isnan(chance);

	s->chance = chance;
	s->result = difference_classify(known && !tested ? 0 : s->difference, tested,
					chance < 1 - VARIATION_CONFIDENCE);
}

void statistics_of_moments(struct statistics *s, const struct moments *const of[2])
{
	double margin;

	*s = (struct statistics){.pairs = NAN, .confidence = VARIATION_CONFIDENCE, .chance = NAN};
	for (int i = 0; i < 2; i++) {
		const struct moments *m = of[i];

		s->of[i] = m && m->n > 0
				   ? (struct statistics_side){m->measured > 0 ? m->measured : m->n,
							      m->mean, moments_sd(m)}
				   : (struct statistics_side){0, NAN, NAN};
	}
	s->error = moments_error(s->of[0].n, s->of[0].sd, s->of[1].n, s->of[1].sd);
	margin = moments_margin(s->of[0].n, s->of[0].sd, s->of[1].n, s->of[1].sd);
	conclude(s, s->of[1].mean - s->of[0].mean, margin, !isnan(margin),
		 fabs(s->of[1].mean - s->of[0].mean) > margin);
}

/* --- of several sides --- */

/* Returns the p-value of a comparison alone; above 1: it was not tested. */
static double chance_alone(const struct statistics *s)
{
	const double chance = mean_error_chance(&s->error, s->difference);

	return isnan(chance) ? 2 : chance;
}

static int compare_chances(const void *x, const void *y)
{
	const double a = chance_alone(*(struct statistics *const *)x);
	const double b = chance_alone(*(struct statistics *const *)y);

	return a < b ? -1 : a > b;
}

void statistics_correct(struct statistics *of[], size_t n)
{
	size_t tested = 0, left;

	array_sort(of, n, sizeof *of, compare_chances);
	while (tested < n && chance_alone(of[tested]) <= 1)
		tested++;
	left = tested;
	/* The last one has the level of a single comparison, and keeps its margin. */
	for (size_t i = 0; i < tested && left > 1; i++) {
		struct statistics *s = of[i];
		const double margin =
			mean_error_margin(&s->error, 1 - (1 - s->confidence) / (double)left);

		conclude(s, s->difference, margin, true, fabs(s->difference) > margin);
		left -= difference_is_found(s->result);
	}
}

/* ---- columns ---- */

/* Returns the number for the column with this name; NULL: there is none. side: the group of which
 * the column is a member: 0: a, 1: b. */
static const double *find_number(const struct statistics *s, const char *name, int side)
{
	const struct {
		const char *name;
		const double *number;
	} numbers[] = {
		{"n", &s->of[side].n},          {"mean", &s->of[side].mean},
		{"stddev", &s->of[side].sd},    {"n_a", &s->of[0].n},
		{"mean_a", &s->of[0].mean},     {"sd_a", &s->of[0].sd},
		{"stddev_a", &s->of[0].sd},     {"n_b", &s->of[1].n},
		{"mean_b", &s->of[1].mean},     {"sd_b", &s->of[1].sd},
		{"stddev_b", &s->of[1].sd},     {"rounds", &s->pairs},
		{"difference", &s->difference}, {"margin", &s->margin},
		{"change_pct", &s->change_pct}, {"margin_pct", &s->margin_pct},
		{"chance", &s->chance},
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (name && !strcmp(name, numbers[i].name))
			return numbers[i].number;
	return NULL;
}

void statistics_put(struct report_record *r, const struct statistics *s)
{
	int side = 0;

	while (r->next < r->type->n) {
		const struct report_column *c = &r->type->column[r->next];
		const double *number = find_number(s, c->id ? c->id : c->csv, side);

		if (c->members && (!strcmp(c->id, "a") || !strcmp(c->id, "b"))) {
			side = *c->id - 'a';
			record_group(r, c->id);
		} else if (number) {
			record_number(r, c->id ? c->id : "", *number);
		} else {
			break;
		}
	}
}
