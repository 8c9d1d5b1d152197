/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * means - whether the means of two series differ by more than their noise.
 *
 * The numbers of a series are those of intervals that follow each other, so that each resembles the
 * one before it: taken as independent, their mean would look far surer than it is. The variance of
 * a mean is therefore that of the slow waves in the series: its first 0.4 n^(2/3) cosines, three at
 * least, equally weighted, which are also the degrees of freedom of Student's t (the EWC test:
 * Lazarus, Lewis, Stock and Watson, HAR Inference: Recommendations for Practice, Journal of
 * Business & Economic Statistics 36(4), 2018). The slowest waves of a short series are too quick to
 * show how much its numbers resemble each other: so the variance is at least that of a series of
 * which each number resembles the one before it as much as is seen (AR(1)). The two series are
 * independent of each other; their degrees of freedom are put together as Welch does it.
 *
 * A drift, or two phases, are slow waves: they count as noise.
 */
#ifndef BASE_MEANS_H
#define BASE_MEANS_H

#include <stdbool.h>
#include <stddef.h>

/* With fewer numbers, nothing is said about noise. */
#define MEANS_LEAST 10
/* The share of pairs of series of one mean that are found not to differ. */
#define MEANS_CONFIDENCE 0.965

struct means_summary {
	size_t n;
	double mean; /* NaN where n is 0 */
	double sd;   /* of the numbers; NaN where there are not two of them */
	/* Sums of the squares of what differs from the mean, and of the products of neighbours. */
	double squares, products;
	/* From MEANS_LEAST on: the variance of the mean, and its degrees of freedom; else 0. */
	double variance;
	int freedom;
};

/* b less a. */
struct means_difference {
	double difference; /* NaN where one mean is unknown */
	bool tested;       /* both have enough numbers */
	double margin;     /* of the difference; NaN where it is not tested */
	bool differ;       /* it is larger than that */
};

/* Of n finite numbers, in their order. */
void means_summarize(struct means_summary *out, const double *number, size_t n);
void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b);

#endif
