/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of independent numbers: small cases by hand, and many generated ones. */
#include "base/significance.h"

#include <stdint.h>

#include "tap.h"

static double chance_of(const struct variation *s)
{
	const struct mean_error e = variation_error(s);

	return mean_error_chance(&e, s->mean);
}

static double chance_between(const struct variation *a, const struct variation *b)
{
	const struct mean_error e = variation_error_between(a, b);

	return mean_error_chance(&e, b->mean - a->mean);
}

static double margin_between(const struct variation *a, const struct variation *b)
{
	const struct mean_error e = variation_error_between(a, b);

	return mean_error_margin(&e, VARIATION_CONFIDENCE);
}

static void test_measure(void)
{
	const double four[] = {3, 1, 2, 6};
	struct variation s;

	variation_measure(&s, four, 4);
	tap_num(s.mean, 3, "a mean");
	tap_num(s.sd, sqrt(14.0 / 3), "a standard deviation");
	tap_num(s.least, 1, "the least");
	tap_num(s.most, 6, "the most");
	tap_ok(fabs(s.margin - 3.18245 * sqrt(14.0 / 12)) < 1e-4, "t of three degrees of freedom");
	variation_measure(&s, four, 2);
	tap_ok(s.sd > 0 && isnan(s.margin), "two have a spread, and too few for a margin");
	tap_ok(isnan(chance_of(&s)), "nor for a chance");
	variation_measure(&s, four, 0);
	tap_ok(isnan(s.mean) && isnan(s.sd) && isnan(s.least), "of none, nothing is known");
}

/* The variances of the two means, 1 / 3 and 14 / 12, add up to 1.5, with 2.25 / (1 / 9 / 2 + 1.3611
 * / 3) = 4.4 degrees of freedom (Welch). */
static void test_margin(void)
{
	const double three[] = {2, 3, 4}, four[] = {3, 1, 2, 6}, same[] = {5, 5, 5};
	struct variation a, b;

	variation_measure(&a, three, 3);
	variation_measure(&b, four, 4);
	tap_ok(fabs(margin_between(&a, &b) - 2.77645 * sqrt(1.5)) < 1e-4,
	       "t of four degrees of freedom, as there are not five");
	tap_num(margin_between(&b, &a), margin_between(&a, &b), "either way");
	b.mean = a.mean + margin_between(&a, &b);
	tap_ok(fabs(chance_between(&a, &b) - 0.05) < 1e-4, "the margin is that of 5 %%");
	tap_num(chance_between(&b, &a), chance_between(&a, &b), "either way");
	b.mean = a.mean;
	tap_num(chance_between(&a, &b), 1, "equal means differ by chance");
	variation_measure(&b, same, 3);
	tap_num(chance_between(&b, &b), 1, "equal numbers, too");
	tap_ok(fabs(margin_between(&a, &b) - 4.30265 / sqrt(3)) < 1e-4,
	       "what does not vary adds nothing");
	tap_num(margin_between(&b, &b), 0, "and has no margin itself");
	variation_measure(&b, same, 2);
	tap_ok(isnan(margin_between(&a, &b)) && isnan(chance_between(&a, &b)), "two are too few");
}

/* Squares of large variances are not finite, and those of small ones are 0. */
static void test_extremes(void)
{
	const double three[] = {2, 3, 4}, four[] = {3, 1, 2, 6}, huge[] = {-1e300, 0, 1e300};
	const double factor[] = {1e100, 1e-100};
	struct variation a, b;

	for (int i = 0; i < 2; i++) {
		double x[3], y[4];

		for (int k = 0; k < 4; k++) {
			x[k < 3 ? k : 0] = three[k < 3 ? k : 0] * factor[i];
			y[k] = four[k] * factor[i];
		}
		variation_measure(&a, x, 3);
		variation_measure(&b, y, 4);
		tap_ok(fabs(margin_between(&a, &b) / factor[i] - 2.77645 * sqrt(1.5)) < 1e-4,
		       "numbers of %g have the margin of their size", factor[i]);
	}
	variation_measure(&a, huge, 3);
	tap_ok(isnan(margin_between(&a, &b)) && isnan(chance_between(&a, &b)),
	       "with an infinite variance, nothing is known");
}

static void test_chance(void)
{
	const double apart[] = {2, 3, 4}, same[] = {5, 5, 5}, zero[] = {0, 0, 0};
	struct variation s;

	/* t = 3 / (1 / sqrt(3)) = 5.196 with two degrees of freedom. */
	variation_measure(&s, apart, 3);
	tap_ok(fabs(chance_of(&s) - 0.03509) < 1e-4, "of a mean away from 0");
	variation_measure(&s, same, 3);
	tap_num(chance_of(&s), 0, "without noise, what is not 0 is no chance");
	variation_measure(&s, zero, 3);
	tap_num(chance_of(&s), 1, "and 0 is 0");
}

/* The method of Holm: each p-value is multiplied by the number of p-values that are not smaller,
 * and is never below the corrected value of a smaller one. */
static void test_correction(void)
{
	double chance[] = {0.01, NAN, 0.04, 0.03, 0.005}, many[] = {0.5, 0.9};

	variation_correct_p(chance, 5);
	tap_num(chance[4], 0.02, "the smallest of four");
	tap_num(chance[0], 0.03, "the next of three");
	tap_num(chance[3], 0.06, "the next of two");
	tap_num(chance[2], 0.06, "the last is not below the one before");
	tap_ok(isnan(chance[1]), "what is unknown stays so");
	variation_correct_p(many, 2);
	tap_num(many[0], 1, "no chance is above 1");
}

static void test_outliers(void)
{
	const double one[] = {10, 11, 9, 10.5, 30, 9.5},
		     counts[] = {7, 7, 7, 8, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
		     faults[] = {148, 148, 151, 148, 90205, 145, 148, 148, 148},
		     moves[] = {0, 1, 0, 0, 0, 0, 0, 0, 0}, same[] = {0, 0, 0, 0, 60},
		     pair[] = {148, 148, 90205, 148, 148, 148, 90300, 148, 148};
	const double two_values[] = {7, 8, 7, 8, 7, 8}, few[] = {1, 1, 1, 100};
	bool marks[20];

	tap_int((long)variation_mark_outliers(one, 6, marks), 1, "one of six");
	tap_ok(marks[4] && !marks[0] && !marks[3], "which it is");
	tap_int((long)variation_mark_outliers(counts, 20, marks), 1, "one that differs from all");
	tap_ok(marks[3], "which it is");
	tap_int((long)variation_mark_outliers(faults, 9, marks), 1,
		"one of nine, of which six are the same");
	tap_ok(marks[4] && !marks[2], "which it is");
	tap_int((long)variation_mark_outliers(pair, 9, marks), 2, "one does not hide another one");
	tap_int((long)variation_mark_outliers(moves, 9, marks), 0, "one event by chance");
	tap_int((long)variation_mark_outliers(same, 5, marks), 1,
		"one of five, of which four are the same");
	tap_int((long)variation_mark_outliers(two_values, 6, marks), 0, "two kinds of numbers");
	tap_int((long)variation_mark_outliers(few, 4, marks), 0, "of four, it is unknown");
}

/* Its own generator, so that the numbers are the same on each machine. */
static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	const double radius = sqrt(-2 * log(uniform(state)));

	return radius * cos(2 * M_PI * uniform(state));
}

#define SAMPLES 4000
#define RUNS    10

/* For numbers of a known distribution, the confidence interval, the p-value and the outliers have
 * the rates that they claim. */
static void test_promises(void)
{
	uint64_t state = 1;
	int within = 0, below = 0, marked = 0;
	double number[RUNS];
	bool marks[RUNS];

	for (int k = 0; k < SAMPLES; k++) {
		struct variation s;

		for (int i = 0; i < RUNS; i++)
			number[i] = normal(&state);
		variation_measure(&s, number, RUNS);
		within += fabs(s.mean) <= s.margin;
		below += chance_of(&s) < 1 - VARIATION_CONFIDENCE;
		marked += variation_mark_outliers(number, RUNS, marks) > 0;
	}
	tap_ok(within > 0.94 * SAMPLES && within < 0.96 * SAMPLES,
	       "the true mean is within the margin in 95 of 100 cases (%d of %d)", within, SAMPLES);
	tap_int(below, SAMPLES - within, "chances say the same");
	tap_ok(marked < 0.02 * SAMPLES, "ten runs without any outlier seldom have one (%d of %d)",
	       marked, SAMPLES);
}

int main(void)
{
	test_measure();
	test_margin();
	test_extremes();
	test_chance();
	test_correction();
	test_outliers();
	test_promises();
	return tap_done();
}
