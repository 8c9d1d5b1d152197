/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * means - tests whether the means of two series differ by more than their noise.
 *
 * The numbers of a series belong to successive intervals, so each resembles the one before it:
 * treated as independent, they would make the mean look far more certain than it is. The variance
 * of a mean is therefore estimated from the slow waves in the series: its first 0.4 n^(2/3)
 * cosines, three at least, equally weighted; their number is also the degrees of freedom of
 * Student's t (the EWC test: Lazarus, Lewis, Stock and Watson, HAR Inference: Recommendations for
 * Practice, Journal of Business & Economic Statistics 36(4), 2018). The slowest waves of a short
 * series are too quick to show the whole autocorrelation: so the variance is at least that of an
 * AR(1) series with the autocorrelation that was observed. The two series are independent of each
 * other; their degrees of freedom are combined as in Welch's test.
 *
 * A drift of a series, and a change of its level, appear as slow waves and so count as noise.
 */
#ifndef BASE_MEANS_H
#define BASE_MEANS_H

#include <stdbool.h>
#include <stddef.h>

/* The fewest numbers in a series for which noise is estimated. */
#define MEANS_LEAST 10
/* The share of pairs of series with equal means for which no difference is reported. */
#define MEANS_CONFIDENCE 0.965

struct means_summary {
	size_t n;
	double mean; /* NaN if n is 0 */
	double sd;   /* standard deviation of the numbers; NaN if there are fewer than two */
	/* Sums of the squared deviations from the mean, and of the products of neighbouring
	 * deviations. */
	double squares, products;
	/* The variance of the mean, and its degrees of freedom; 0 with fewer than MEANS_LEAST
	 * numbers. */
	double variance;
	int freedom;
};

/* The difference of two means: b less a. */
struct means_difference {
	double difference; /* NaN if one mean is unknown */
	bool tested;       /* both series have enough numbers */
	double margin;     /* the largest difference that noise explains; NaN: not tested */
	bool differ;       /* the difference is larger than its margin */
};

/* Summarizes n finite numbers, in the order of time. */
void means_summarize(struct means_summary *out, const double *number, size_t n);
void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b);

#endif
