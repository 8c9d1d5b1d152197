/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments - the mean and the spread of numbers, as all comparisons have them: of numbers at hand,
 * or of what a report tells of them. Those of two lists make those of both.
 *
 * Of some numbers only a part may have been measured: the mean is taken to be that of all, and the
 * squares are those of the measured ones.
 */
#ifndef BASE_MOMENTS_H
#define BASE_MOMENTS_H

#include <stddef.h>

struct moments {
	double n, measured;
	double mean;    /* NaN where n is 0, or it is not known */
	double squares; /* the sum of the squares of what differs from the mean */
};

/* Measures n finite numbers. */
void moments_measure(struct moments *out, const double *number, size_t n);
/* Adds other numbers; where `to` has none, its mean is 0. */
void moments_add(struct moments *to, const struct moments *from);
/* Returns the standard deviation; NaN: there are not two measured ones, or it is not known. */
double moments_sd(const struct moments *m);

/* Returns how much the means of so many independent numbers with these standard deviations differ
 * at most, in 95 of 100 cases, by the normal distribution: of many numbers. */
double moments_margin(double n_a, double sd_a, double n_b, double sd_b);

#endif
