/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variation - numbers that were measured one by one under the same conditions, as the times of a
 * command that runs again and again: what they have in common, and which stand out.
 *
 * Unlike those of a series (means.h) they are taken as independent of each other: the mean of many
 * more of them lies within `margin` of this one in 95 of 100 cases, by Student's t. Of fewer than
 * VARIATION_LEAST numbers, nothing is said about that.
 *
 * Differences of pairs are such numbers, too. variation_p_value() tells how often so large a mean
 * would come of pairs that do not differ; where several are asked for, variation_correct_p() makes
 * them larger by Holm's method (Scandinavian Journal of Statistics 6, 1979): that one of them is
 * below 5 % by chance then happens in 5 of 100 cases, however many they are.
 */
#ifndef BASE_VARIATION_H
#define BASE_VARIATION_H

#include <stdbool.h>
#include <stddef.h>

#define VARIATION_LEAST      3
#define VARIATION_CONFIDENCE 0.95

struct variation {
	size_t n;
	double mean, least, most; /* NaN where n is 0 */
	double sd;                /* NaN where there are not two */
	double margin;            /* NaN where there are not VARIATION_LEAST */
};

/* Of n finite numbers. */
void variation_measure(struct variation *out, const double *number, size_t n);
/* The difference of the means of a and b, which are independent of each other, lies within this of
 * that of many more of both in 95 of 100 cases, by Welch's test; NaN: one has not VARIATION_LEAST.
 */
double variation_margin(const struct variation *a, const struct variation *b);
/* The chance of a mean at least as far from 0, where the true one is 0; NaN: nothing is known. */
double variation_p_value(const struct variation *s);
/* Corrects n chances, of which those that are NaN do not count. */
void variation_correct_p(double *chance, size_t n);

/* With fewer numbers, none stands out. */
#define VARIATION_OUTLIER_LEAST 5
/* So many standard deviations lie between the median and a number that stands out. */
#define VARIATION_OUTLIER_FROM 10

/* Marks numbers that stand out: their distance from the median is that of more than
 * VARIATION_OUTLIER_FROM standard deviations, as the median of all distances tells these (Iglewicz
 * and Hoaglin, How to Detect and Handle Outliers, 1993; the limit is that of hyperfine). Where half
 * of the numbers are the same, and that median is 0, the mean of the distances tells. Returns how
 * many. */
size_t variation_mark_outliers(const double *number, size_t n, bool *stands_out);

#endif
