/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments - the mean and the spread of a list of numbers, as all comparisons use them. They are
 * computed from the numbers, or read from a report. The moments of two lists can be added.
 *
 * If only some of the n things were measured, the mean of these is taken as the mean of all n; the
 * squares are the sum over the measured ones only.
 */
#ifndef BASE_MOMENTS_H
#define BASE_MOMENTS_H

#include <stddef.h>

struct moments {
	/* n: how many numbers; measured: how many of them were measured. */
	double n, measured;
	double mean;    /* NaN if n is 0 or the mean is unknown */
	double squares; /* the sum of the squared deviations from the mean */
};

/* Measures n finite numbers. */
void moments_measure(struct moments *out, const double *number, size_t n);
/* Adds the moments of other numbers; `to` must have the mean 0 while its n is 0. */
void moments_add(struct moments *to, const struct moments *from);
/* Returns the standard deviation; NaN: fewer than two numbers were measured, or it is unknown. */
double moments_sd(const struct moments *m);

/* Returns the difference that the means of n_a and n_b independent numbers with equal true means
 * and these standard deviations exceed in only 5 of 100 cases. Assumes the normal distribution:
 * valid for large n only. */
double moments_margin(double n_a, double sd_a, double n_b, double sd_b);

#endif
