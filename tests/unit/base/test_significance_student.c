/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Student's t against published tables.
 */
#include "base/significance.h"
#include "tap.h"

static void test_quantile(double within, int freedom, double want)
{
	tap_ok(fabs(student_quantile(within, freedom) - want) < 0.0006,
	       "%g within %g of %d degrees: %g", within, want, freedom,
	       student_quantile(within, freedom));
}

int main(void)
{
	test_quantile(0.95, 1, 12.706);
	test_quantile(0.95, 2, 4.303);
	test_quantile(0.95, 5, 2.571);
	test_quantile(0.99, 1, 63.657);
	test_quantile(0.99, 2, 9.925);
	test_quantile(0.99, 3, 5.841);
	test_quantile(0.99, 4, 4.604);
	test_quantile(0.99, 9, 3.250);
	test_quantile(0.99, 30, 2.750);
	test_quantile(0.999, 7, 5.408);
	test_quantile(0.99, 1000, 2.581);
	tap_num(student_within(0, 6), 0, "nothing is within 0");
	tap_num(student_within(1, 1), 0.5, "half of Cauchy's distribution is within 1");
	tap_num(student_within(sqrt(2), 2), sqrt(0.5), "of two degrees, t / sqrt(2 + t^2)");
	return tap_done();
}
