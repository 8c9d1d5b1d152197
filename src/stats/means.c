/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/means.h"

#include <math.h>

#include "stats/student.h"

/* With fewer, t is so large that nothing is found in ten numbers; more would neither make it
 * smaller nor tell more of slow waves. */
#define COSINES_MIN 3
#define COSINES_MAX 64

/* The second pass makes the mean of equal numbers that very number. */
static double mean_of(const double *number, size_t n)
{
	double sum = 0, rest = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += number[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		rest += number[i] - mean;
	return mean + rest / (double)n;
}

static double sd_of(const double *number, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (number[i] - mean) * (number[i] - mean);
	return sqrt(squares / (double)(n - 1));
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
	double power = 0;

	*out = (struct means_summary){.n = n, .mean = NAN, .sd = NAN};
	if (n)
		out->mean = mean_of(number, n);
	if (n > 1)
		out->sd = sd_of(number, n, out->mean);
	if (n < MEANS_LEAST)
		return;
	out->freedom = cosines_of(n);
	for (int j = 1; j <= out->freedom; j++) {
		const double weight = projection(out, number, j);

		power += weight * weight;
	}
	out->variance = power / out->freedom / (double)n;
}

/* Of the sum of two variances; rounded down, so that the margin is rather too wide. */
static int joint_freedom(const struct means_summary *a, const struct means_summary *b)
{
	const double sum = a->variance + b->variance;
	const double parts =
		a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom;
	const int least = a->freedom < b->freedom ? a->freedom : b->freedom;

	/* A whole number may come out a little too small. */
	return parts > 0 ? (int)fmax(least, sum * sum / parts + 1e-9) : least;
}

void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b)
{
	*out = (struct means_difference){.difference = b->mean - a->mean, .margin = NAN};
	out->tested = a->freedom && b->freedom;
	if (!out->tested)
		return;
	out->margin = student_quantile(MEANS_CONFIDENCE, joint_freedom(a, b)) *
		      sqrt(a->variance + b->variance);
	out->differ = fabs(out->difference) > out->margin;
}
