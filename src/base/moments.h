/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments - the mean and the spread of numbers, the same for all comparisons: measured from the
 * numbers themselves, or taken from a report. The moments of two lists can be added.
 *
 * If only a part of the numbers was measured, their mean stands for all, and the squares are those
 * of the measured ones.
 */
#ifndef BASE_MOMENTS_H
#define BASE_MOMENTS_H

#include <stddef.h>

struct moments {
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

/* Returns the largest difference, in 95 of 100 cases, of the means of n_a and n_b independent
 * numbers with these standard deviations. By the normal distribution, so for large n only. */
double moments_margin(double n_a, double sd_a, double n_b, double sd_b);

#endif
