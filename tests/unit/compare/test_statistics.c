/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics of two sides: each test, unknown numbers, and the columns of a record. */
#include "compare/statistics.h"

#include <math.h>

#include "base/significance.h"
#include "tap.h"

static const double a[] = {10, 11, NAN, 12, 9, 10}, b[] = {20, 22, 21, 20, NAN, 21};
static const struct statistics_numbers sides[] = {{a, 6, 1}, {b, 6, 1}};

static void test_runs(void)
{
	struct statistics s;

	statistics_of_runs(&s, sides);
	tap_num(s.of[0].n, 5, "unknown numbers are left out");
	tap_num(s.of[0].mean, 10.4, "of the mean, too");
	tap_num(s.difference, 10.4, "B less A");
	tap_num(s.change_pct, 100, "in percent of A");
	tap_ok(s.margin > 0 && s.margin < 5, "Welch's margin: %g", s.margin);
	tap_int(s.result, DIFFERENCE_MORE, "more than noise");
	tap_ok(s.chance > 0 && s.chance < 0.001, "its p-value: %g", s.chance);
	tap_ok(isnan(s.pairs), "these are no pairs");
	statistics_of_runs(&s, (struct statistics_numbers[]){{a, 2, 1}, {b, 6, 1}});
	tap_int(s.result, DIFFERENCE_FEW, "two runs are too few");
	statistics_of_runs(&s, (struct statistics_numbers[]){{a, 0, 1}, {b, 6, 1}});
	tap_int(s.result, DIFFERENCE_UNKNOWN, "without a run, the difference is unknown");
}

static void test_pairs(void)
{
	struct statistics s;

	statistics_of_pairs(&s, sides);
	tap_num(s.pairs, 4, "the pairs of which both numbers are known");
	tap_num(s.difference, (10 + 11 + 8 + 11) / 4.0, "their mean difference");
	tap_num(s.of[1].mean, 20.8, "the mean of all numbers of a side");
	tap_ok(s.chance > 0 && s.chance < 0.05, "the p-value: %g", s.chance);
	tap_int(s.result, DIFFERENCE_MORE, "below 5 %%");
	statistics_set_chance(&s, 0.2);
	tap_int(s.result, DIFFERENCE_NOISE, "corrected, it is noise");
	statistics_of_pairs(&s, (struct statistics_numbers[]){{a, 1, 1}, {b, 1, 1}});
	tap_int(s.result, DIFFERENCE_FEW, "a pair is too few");
}

/* The numbers of a side are every second number of the array (step 2). */
static void test_series(void)
{
	double number[2 * 40];
	struct statistics s;

	for (int i = 0; i < 40; i++) {
		number[2 * i] = 10 + i % 2;
		number[2 * i + 1] = 20 + i % 2;
	}
	statistics_of_series(&s,
			     (struct statistics_numbers[]){{number, 40, 2}, {number + 1, 40, 2}});
	tap_num(s.of[0].mean, 10.5, "the mean of a column");
	tap_num(s.difference, 10, "their difference");
	tap_int(s.result, DIFFERENCE_MORE, "more than noise");
}

static void test_moments(void)
{
	const struct moments x = {100, 50, 10, 49 * 4}, y = {100, 0, 12, 0};
	struct statistics s;

	statistics_of_moments(&s, (const struct moments *const[]){&x, NULL});
	tap_num(s.of[0].n, 50, "the measured ones");
	tap_num(s.of[0].sd, 2, "their deviation");
	tap_num(s.of[1].n, 0, "no moments: no numbers");
	tap_int(s.result, DIFFERENCE_UNKNOWN, "and no result");
	statistics_of_moments(&s, (const struct moments *const[]){&x, &y});
	tap_num(s.of[1].n, 100, "none measured: all of them");
	tap_num(s.change_pct, 20, "the change");
	tap_int(s.result, DIFFERENCE_FEW, "without a deviation it is not tested");
}

static void test_columns(void)
{
	static const struct report_column columns[] = {
		{.id = "a", .members = 3}, {.id = "n"},      {.id = "mean"},  {.id = "stddev"},
		{.id = "b", .members = 1}, {.id = "mean"},   {.csv = "sd_a"}, {.csv = "mean_b"},
		{.id = "difference"},      {.id = "result"},
	};
	static const struct report_type type = {columns, 10, NULL, 0, NULL};
	struct report_record r;
	struct statistics s;

	record_init(&r, &type);
	statistics_of_runs(&s, sides);
	statistics_put(&r, &s);
	tap_int((long)r.next, 9, "a column of another name ends it");
	tap_num(r.cell[1].value.number, 5, "n of group a");
	tap_num(r.cell[2].value.number, 10.4, "the mean of group a");
	tap_num(r.cell[5].value.number, 20.8, "that of group b");
	tap_num(r.cell[6].value.number, s.of[0].sd, "a column of CSV");
	tap_num(r.cell[8].value.number, s.difference, "the difference");
	record_done(&r);
}

/* Corrects three comparisons with A; *s keeps their order. */
static void correct(struct statistics s[3], const double number[3][5])
{
	const double first[] = {10, 11, 12, 9, 10};
	struct statistics *of[] = {&s[0], &s[1], &s[2]};

	for (int i = 0; i < 3; i++)
		statistics_of_runs(&s[i],
				   (struct statistics_numbers[]){{first, 5, 1}, {number[i], 5, 1}});
	statistics_correct(of, 3);
}

/* The expected margins were computed by an integration of the density of Student's t. */
static void test_several(void)
{
	const double close[3][5] = {{12, 12.5, 13, 11, 12},
				    {10.5, 11.5, 12.5, 10.5, 11},
				    {11.6, 11.3, 12.9, 11.2, 12.2}},
		     one[3][5] = {{10.5, 11.5, 12.5, 10.5, 11},
				  {10.6, 11.6, 12.6, 9.6, 10.6},
				  {40, 41, 42, 39, 40}};
	struct statistics s[3], *none[] = {&s[0], &s[1]};

	correct(s, close);
	tap_int(s[0].result, DIFFERENCE_NOISE, "1 of 3 is noise with p = 0.031");
	tap_ok(fabs(s[0].margin - 1.9996809) < 1e-6, "tested at a third of 5 %%: %g", s[0].margin);
	tap_ok(fabs(s[1].margin - 1.9780377) < 1e-6, "as are those left: %g", s[1].margin);
	tap_ok(fabs(s[2].margin_pct - 18.9818857) < 1e-6, "in percent: %g", s[2].margin_pct);
	correct(s, one);
	tap_int(s[2].result, DIFFERENCE_MORE, "a large difference is found");
	tap_ok(fabs(s[2].margin - 2.1746968) < 1e-6, "at a third of 5 %%: %g", s[2].margin);
	tap_int(s[0].result, DIFFERENCE_NOISE, "beside it, the others are noise");
	tap_ok(fabs(s[0].margin - 1.7969606) < 1e-6, "at half of 5 %%: %g", s[0].margin);
	statistics_of_runs(&s[0], sides);
	statistics_of_runs(&s[1], (struct statistics_numbers[]){{a, 2, 1}, {b, 6, 1}});
	statistics_correct(none, 2);
	tap_int(s[1].result, DIFFERENCE_FEW, "too few stay too few");
	tap_int(s[0].result, DIFFERENCE_MORE, "and do not count");
	statistics_of_moments(&s[0],
			      (const struct moments *const[]){&(struct moments){100, 100, 5, 99},
							      &(struct moments){100, 100, 6, 99}});
	s[1] = s[0];
	s[1].difference = 0;
	none[0] = &s[0];
	none[1] = &s[1];
	statistics_correct(none, 2);
	tap_ok(fabs(s[0].margin / (2.2414027 * sqrt(0.02)) - 1) < 1e-7,
	       "of many calls, by the normal distribution: %g", s[0].margin);
}

int main(void)
{
	test_runs();
	test_pairs();
	test_series();
	test_moments();
	test_several();
	test_columns();
	return tap_done();
}
