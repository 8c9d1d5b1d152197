/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Means and their differences: small cases computed by hand.
 */
#include "base/significance.h"

#include "tap.h"

static void test_summary(void)
{
	const double ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	double power = 0;
	struct means_summary s;

	means_summarize(&s, ten, 10);
	tap_num(s.mean, 5.5, "a mean");
	tap_num(s.sd, sqrt(82.5 / 9), "a standard deviation");
	tap_num(s.squares, 82.5, "by these squares");
	tap_num(s.products, 57.75, "and products of neighbours");
	tap_int(s.freedom, 3, "ten numbers have three cosines");
	for (int j = 1; j <= 3; j++) {
		double sum = 0;

		for (int i = 0; i < 10; i++)
			sum += ten[i] * cos(M_PI * j * (i + 0.5) / 10);
		power += 0.2 * sum * sum;
	}
	tap_num(s.variance, power / 3 / 10, "the variance of the mean is theirs");
	means_summarize(&s, ten, 9);
	tap_num(s.mean, 5, "nine have a mean");
	tap_int(s.freedom, 0, "and too few for more");
	means_summarize(&s, ten, 1);
	tap_ok(s.mean == 1 && isnan(s.sd), "one number has no spread");
	means_summarize(&s, ten, 0);
	tap_ok(isnan(s.mean) && isnan(s.sd), "of none, nothing is known");
}

static void test_difference(void)
{
	struct means_summary a = {.n = 12, .mean = 10, .sd = 1, .variance = 0.09, .freedom = 2},
			     b = a, few = {.n = 9, .mean = 20, .sd = 1}, none = {.mean = NAN};
	struct means_difference d;

	b.mean = 11.2;
	means_compare(&d, &a, &b);
	tap_num(d.difference, b.mean - a.mean, "a difference is b less a");
	tap_ok(fabs(d.margin - 3.1355 * sqrt(0.18)) < 1e-4,
	       "two equal variances have both degrees of freedom");
	tap_ok(!d.differ, "a difference within the margin");
	b.mean = 8;
	means_compare(&d, &a, &b);
	tap_ok(d.differ && d.difference == -2, "one beyond it, downwards");
	b.variance = 0;
	means_compare(&d, &a, &b);
	tap_ok(fabs(d.margin - 5.2039 * 0.3) < 1e-4, "one without noise adds no freedom");
	means_compare(&d, &a, &few);
	tap_ok(!d.tested && !d.differ && d.difference == 10 && isnan(d.margin),
	       "too few: a difference, and nothing about noise");
	means_compare(&d, &none, &a);
	tap_ok(!d.tested && isnan(d.difference), "of nothing, nothing");
}

/* The margin is the larger of two: by the variances from the cosines, and by the correlation of
 * successive numbers. */
static void test_likeness(void)
{
	struct means_summary a = {.n = 20, .sd = 1, .squares = 19, .variance = 0.1, .freedom = 3},
			     b = a;
	struct means_difference d;

	means_compare(&d, &a, &b);
	tap_ok(fabs(d.margin - student_quantile(0.965, 6) * sqrt(0.2)) < 1e-9,
	       "none: the variances of the cosines");
	a.variance = b.variance = 0.01;
	means_compare(&d, &a, &b);
	/* A measured correlation of 0 is corrected for its bias to (20 * 0 + 1) / 16. */
	tap_ok(d.margin > student_quantile(0.965, 6) * sqrt(0.1) &&
		       d.margin < student_quantile(0.965, 6) * sqrt(0.12),
	       "at least that of numbers by themselves: a 20th of their own");
	a.products = b.products = 19 * 0.8;
	means_compare(&d, &a, &b);
	tap_ok(d.margin > 3 * student_quantile(0.965, 6) * sqrt(0.1),
	       "much more where they are alike");
	a.products = b.products = -19;
	means_compare(&d, &a, &b);
	tap_ok(fabs(d.margin - student_quantile(0.965, 6) * sqrt(0.1)) < 1e-9,
	       "but never less than that of numbers by themselves");
}

/* Numbers without variance: any difference counts. */
static void test_constants(void)
{
	double tenth[37];
	struct means_summary a, b;
	struct means_difference d;

	for (size_t i = 0; i < 37; i++)
		tenth[i] = 0.1;
	means_summarize(&a, tenth, 10);
	means_summarize(&b, tenth, 37);
	means_compare(&d, &a, &b);
	tap_ok(d.tested && !d.differ && d.difference == 0, "the same constant");
	for (size_t i = 0; i < 37; i++)
		tenth[i] = 0.2;
	means_summarize(&b, tenth, 37);
	means_compare(&d, &a, &b);
	tap_ok(d.differ, "another one");
}

int main(void)
{
	test_summary();
	test_difference();
	test_likeness();
	test_constants();
	return tap_done();
}
