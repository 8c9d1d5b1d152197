/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/means.h"

#include <math.h>

#include "base/moments.h"
#include "base/student.h"

/* With fewer than COSINES_MIN, Student's t is so large that no difference is found in ten numbers.
 * More than COSINES_MAX would hardly make t smaller, and are no longer slow waves. */
#define COSINES_MIN 3
#define COSINES_MAX 64
/* The largest autocorrelation that is assumed: in one series, a larger one cannot be distinguished
 * from a drift. */
#define PHI_MAX 0.97

/* Adds up the products of neighbouring deviations from the mean. */
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

/* Returns the weight of the j-th cosine in the series. Each value of the cosine is computed from
 * the two values before it: cos((k + 1) x) = 2 cos(x) cos(k x) - cos((k - 1) x). */
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

/* Returns the correlation of a number with the one before it (AR(1) phi), estimated from both
 * series together, since one series alone gives a poor estimate. The estimate is corrected for its
 * bias: from short series, it is too small (Marriott and Pope, Biometrika 41, 1954). */
static double estimate_phi(const struct means_summary *a, const struct means_summary *b)
{
	const double n = (double)(a->n + b->n) / 2, squares = a->squares + b->squares;
	const double seen = squares > 0 ? (a->products + b->products) / squares : 0;

	return fmin(fmax((n * seen + 1) / (n - 4), 0), PHI_MAX);
}

/* Returns the variance of the mean of an AR(1) series with this phi. Corrects the sum of squares,
 * too, which is too small because it is taken around the mean of the sample. */
static double variance_by_phi(const struct means_summary *s, double phi)
{
	const double n = (double)s->n, odd = 1 - phi;
	const double share = ((1 + phi) / odd - 2 * phi * (1 - pow(phi, n)) / (n * odd * odd)) / n;

	return s->squares / n * share / (1 - share);
}

/* Returns the degrees of freedom of the sum of two variances (Welch), rounded down, so that the
 * margin is rather too wide. */
static int joint_freedom(const struct means_summary *a, double variance_a,
			 const struct means_summary *b, double variance_b)
{
	const double sum = variance_a + variance_b;
	const double parts =
		variance_a * variance_a / a->freedom + variance_b * variance_b / b->freedom;
	const int least = a->freedom < b->freedom ? a->freedom : b->freedom;

	/* 1e-9: rounding may leave a whole number slightly too small. */
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
