/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variation - numbers that were measured one by one under the same conditions, such as the times of
 * repeated runs of a command: their mean and spread, and outliers.
 *
 * Unlike the numbers of a series (means.h), they are treated as independent of each other. The true
 * mean lies within `margin` of the measured mean in 95 of 100 cases, by Student's t. With fewer
 * than VARIATION_LEAST numbers, the margin is unknown.
 *
 * The numbers may also be the differences of pairs. variation_p_value() then returns the p-value:
 * how often pairs without a true difference would give so large a mean difference. If several
 * p-values are tested, variation_correct_p() raises them by Holm's method (Scandinavian Journal of
 * Statistics 6, 1979): however many they are, the probability that any of them is below 5 % by
 * chance is then at most 5 %.
 */
#ifndef BASE_VARIATION_H
#define BASE_VARIATION_H

#include <stdbool.h>
#include <stddef.h>

#define VARIATION_LEAST      3
#define VARIATION_CONFIDENCE 0.95

struct variation {
	size_t n;
	double mean, least, most; /* NaN if n is 0 */
	double sd;                /* NaN with fewer than two numbers */
	double margin;            /* NaN with fewer than VARIATION_LEAST numbers */
};

/* Measures n finite numbers. */
void variation_measure(struct variation *out, const double *number, size_t n);
/* Returns the margin of the difference of the means of a and b, which are independent of each
 * other: the true difference lies within it in 95 of 100 cases, by Welch's test. NaN: one has fewer
 * than VARIATION_LEAST numbers, or an infinite variance. */
double variation_margin(const struct variation *a, const struct variation *b);
/* Returns the p-value: the probability of a mean at least as far from 0 if the true mean is 0; NaN:
 * fewer than VARIATION_LEAST numbers. */
double variation_p_value(const struct variation *s);
/* Returns the p-value of the difference of two means, by Welch's test: the probability of so large
 * a difference if the true means are equal; NaN: one has fewer than VARIATION_LEAST numbers, or an
 * infinite variance. */
double variation_p_between(const struct variation *a, const struct variation *b);
/* Corrects n p-values in place, by Holm's method. NaN is ignored. */
void variation_correct_p(double *chance, size_t n);

/* With fewer numbers, no number is marked as an outlier. */
#define VARIATION_OUTLIER_LEAST 5
/* An outlier is more than this many standard deviations away from the median. */
#define VARIATION_OUTLIER_FROM 10

/* Marks the outliers: numbers whose distance from the median is more than VARIATION_OUTLIER_FROM
 * standard deviations. The standard deviation is estimated from the median of all distances
 * (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993; the limit is that of hyperfine).
 * If at least half of the numbers are equal, as counts may be, the median of the distances is 0.
 * The standard deviation is then the larger of two estimates: from the mean of the smaller three
 * quarters of the distances; and from the mean of all distances, limited to the square root of the
 * median of the numbers, which is the standard deviation of random events (Poisson). Returns the
 * number of outliers. */
size_t variation_mark_outliers(const double *number, size_t n, bool *stands_out);

#endif
