/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means and standard deviations of numbers and of merged lists, and of differences of means. */
#include <math.h>

#include "base/significance.h"
#include "tap.h"

static void check_measure(void)
{
	const double all[] = {3, 1, 2, 6};
	struct moments whole, a, b;

	moments_measure(&whole, all, 4);
	tap_num(whole.mean, 3, "a mean");
	tap_num(moments_sd(&whole), sqrt(14.0 / 3), "a standard deviation");
	moments_measure(&a, all, 1);
	tap_ok(isnan(moments_sd(&a)), "of one there is none");
	moments_measure(&b, all + 1, 3);
	moments_add(&a, &b);
	tap_num(a.mean, 3, "the mean of two lists");
	tap_num(a.squares, whole.squares, "and their squares are those of all");
	moments_measure(&b, all, 0);
	tap_ok(isnan(b.mean) && isnan(moments_sd(&b)), "of none, nothing is known");
}

/* Of ten numbers, two were measured: 2 and 4. */
static void check_sampled(void)
{
	struct moments a = {.n = 10, .measured = 2, .mean = 3, .squares = 2};
	const struct moments b = {.n = 10, .measured = 2, .mean = 5, .squares = 2}, none = {.n = 0};

	moments_add(&a, &none);
	tap_ok(a.n == 10 && a.mean == 3 && a.squares == 2, "none change nothing");
	moments_add(&a, &b);
	tap_num(a.mean, 4, "the mean is that of all");
	tap_num(moments_sd(&a), sqrt(8.0 / 3), "the spread is that of the four that were measured");
	tap_num(moments_margin(4, 2, 4, 2), 1.96 * sqrt(2),
		"of many numbers, by how much means differ");
	tap_ok(isnan(moments_margin(4, NAN, 4, 2)), "or nothing is known");
}

static void check_differences(void)
{
	tap_num(difference_pct(4, 1), 25, "in percent");
	tap_num(difference_pct(-4, -1), -25, "of what is below 0");
	tap_ok(isnan(difference_pct(0, 1)) && isnan(difference_pct(NAN, 1)),
	       "not of 0, nor of what is unknown");
	tap_int(difference_classify(NAN, true, true), DIFFERENCE_UNKNOWN, "no difference is known");
	tap_int(difference_classify(1, false, true), DIFFERENCE_FEW, "it was not tested");
	tap_int(difference_classify(1, true, false), DIFFERENCE_NOISE, "it is noise");
	tap_int(difference_classify(1, true, true), DIFFERENCE_MORE, "it is more");
	tap_int(difference_classify(-1, true, true), DIFFERENCE_LESS, "it is less");
}

int main(void)
{
	check_measure();
	check_sampled();
	check_differences();
	return tap_done();
}
