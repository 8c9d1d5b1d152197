/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/moments.h"

#include <math.h>

/* 95 % of normally distributed numbers are within this many standard deviations. */
#define DEVIATIONS 1.96

/* Returns the mean. The second pass ensures that the mean of equal numbers is exactly that
 * number. */
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

void moments_measure(struct moments *out, const double *number, size_t n)
{
	*out = (struct moments){.n = (double)n, .measured = (double)n, .mean = NAN};
	if (n)
		out->mean = mean_of(number, n);
	for (size_t i = 0; i < n; i++)
		out->squares += (number[i] - out->mean) * (number[i] - out->mean);
}

void moments_add(struct moments *to, const struct moments *from)
{
	const double n = to->n + from->n, off = from->mean - to->mean;
	const double measured = to->measured + from->measured;

	if (!(n > 0))
		return;
	to->squares += from->squares;
	if (measured > 0)
		to->squares += off * off * to->measured * from->measured / measured;
	to->mean += off * from->n / n;
	to->n = n;
	to->measured = measured;
}

double moments_sd(const struct moments *m)
{
	return m->measured > 1 ? sqrt(m->squares / (m->measured - 1)) : (double)NAN;
}

double moments_margin(double n_a, double sd_a, double n_b, double sd_b)
{
	return DEVIATIONS * sqrt(sd_a * sd_a / n_a + sd_b * sd_b / n_b);
}
