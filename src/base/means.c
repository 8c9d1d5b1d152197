/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/means.h"

#include <math.h>

#include "base/moments.h"
#include "base/student.h"

/* With fewer, t is so large that nothing is found in ten numbers; more would neither make it
 * smaller nor tell more of slow waves. */
#define COSINES_MIN 3
#define COSINES_MAX 64
/* One series cannot tell a likeness that is larger from a drift. */
#define PHI_MAX 0.97

/* The products of what differs from the mean in neighbours. */
static void add_products(struct means_summary *s, const double *number)
{
	for (size_t i = 1; i < s->n; i++)
		s->products += (number[i] - s->mean) * (number[i - 1] - s->mean);
}

static int cosines_of(size_t n)
{
	const double cosines = round(0.4 * pow((double)n, 2.0 / 3));

	return (int)fmin(fmax(cosines, COSINES_MIN), COSINES_MAX);
}

/* The weight of the j-th cosine in the series. The cosines of equal steps come from the two before.
 */
static double projection(const struct means_summary *s, const double *number, int j)
{
	const double step = M_PI * j / (double)s->n, twice = 2 * cos(step);
	double c = cos(step / 2), before = c, sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double next = twice * c - before;

		sum += c * (number[i] - s->mean);
		before = c;
		c = next;
	}
	return sqrt(2 / (double)s->n) * sum;
}

void means_summarize(struct means_summary *out, const double *number, size_t n)
{
	struct moments all;
	double power = 0;

	moments_measure(&all, number, n);
	*out = (struct means_summary){
		.n = n, .mean = all.mean, .sd = moments_sd(&all), .squares = all.squares};
	add_products(out, number);
	if (n < MEANS_LEAST)
		return;
	out->freedom = cosines_of(n);
	for (int j = 1; j <= out->freedom; j++) {
		const double weight = projection(out, number, j);

		power += weight * weight;
	}
	out->variance = power / out->freedom / (double)n;
}

/* How much a number resembles the one before it: the correlation, of both series together, since
 * one tells little of it. Short series make it look too small, which is made up for (Marriott and
 * Pope, Biometrika 41, 1954). */
static double estimate_phi(const struct means_summary *a, const struct means_summary *b)
{
	const double n = (double)(a->n + b->n) / 2, squares = a->squares + b->squares;
	const double seen = squares > 0 ? (a->products + b->products) / squares : 0;

	return fmin(fmax((n * seen + 1) / (n - 4), 0), PHI_MAX);
}

/* The variance of the mean of numbers of which each resembles the one before it so much. The
 * squares are too small, too, as the mean follows the numbers. */
static double variance_by_phi(const struct means_summary *s, double phi)
{
	const double n = (double)s->n, odd = 1 - phi;
	const double share = ((1 + phi) / odd - 2 * phi * (1 - pow(phi, n)) / (n * odd * odd)) / n;

	return s->squares / n * share / (1 - share);
}

/* Of the sum of two variances; rounded down, so that the margin is rather too wide. */
static int joint_freedom(const struct means_summary *a, double variance_a,
			 const struct means_summary *b, double variance_b)
{
	const double sum = variance_a + variance_b;
	const double parts =
		variance_a * variance_a / a->freedom + variance_b * variance_b / b->freedom;
	const int least = a->freedom < b->freedom ? a->freedom : b->freedom;

	/* A whole number may come out a little too small. */
	return parts > 0 ? (int)fmax(least, sum * sum / parts + 1e-9) : least;
}

void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b)
{
	double phi, variance_a, variance_b;

	*out = (struct means_difference){.difference = b->mean - a->mean, .margin = NAN};
	out->tested = a->freedom && b->freedom;
	if (!out->tested)
		return;
	phi = estimate_phi(a, b);
	variance_a = fmax(a->variance, variance_by_phi(a, phi));
	variance_b = fmax(b->variance, variance_by_phi(b, phi));
	out->margin =
		student_quantile(MEANS_CONFIDENCE, joint_freedom(a, variance_a, b, variance_b)) *
		sqrt(variance_a + variance_b);
	out->differ = fabs(out->difference) > out->margin;
}
