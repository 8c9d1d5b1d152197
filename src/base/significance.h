/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * significance - what the numbers of repeated measurements say: their mean and spread, and whether
 * two means differ by more than noise.
 *
 *   mean_error   how far a mean, or a difference of means, may be from the true one
 *   moments      n, mean and squares of a list; those of two lists can be added
 *   variation    independent numbers, such as times of repeated runs: margins, p-values, outliers
 *   means        the numbers of a series, each of which resembles the one before it
 *   difference   the result of a comparison: more, less, noise, or too few numbers
 *   student      Student's t distribution
 *
 * Unknown is NaN. No function keeps a pointer to the numbers.
 */
#ifndef BASE_SIGNIFICANCE_H
#define BASE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* ---- mean error ----
 *
 * The standard error of a mean, or of a difference of two means, from which follow its margin and
 * its p-value, by Student's t.
 */

struct mean_error {
	double error; /* NaN: unknown */
	int freedom;  /* degrees of freedom; 0: the normal distribution */
};

/* Returns the margin: the true mean lies within it in this share of all cases. NaN: unknown. */
double mean_error_margin(const struct mean_error *e, double within);
/* Returns the p-value: the probability of a mean at least as far from 0 as `mean` if the true mean
 * is 0. NaN: unknown. */
double mean_error_chance(const struct mean_error *e, double mean);

/* ---- moments ----
 *
 * The mean and the spread of a list of numbers, computed from the numbers or read from a report.
 *
 * If only some of the n things were measured, the mean of these is taken as the mean of all n; the
 * squares are the sum over the measured ones only.
 */

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
/* Returns the error of this difference. */
struct mean_error moments_error(double n_a, double sd_a, double n_b, double sd_b);

/* ---- variation ----
 *
 * Numbers that were measured one by one under the same conditions, such as the times of repeated
 * runs of a command: their mean and spread, and outliers.
 *
 * Unlike the numbers of a series (below), they are treated as independent of each other.
 * The true mean lies within `margin` of the measured mean in 95 of 100 cases, by Student's t. With
 * fewer than VARIATION_LEAST numbers, the margin is unknown.
 *
 * The numbers may also be the differences of pairs. The p-value of their mean then says how often
 * pairs without a true difference would give so large a mean difference. If several p-values are
 * tested, variation_correct_p() raises them by Holm's method (Scandinavian Journal of
 * Statistics 6, 1979): however many they are, the probability that any of them is below 5 % by
 * chance is then at most 5 %.
 */

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
/* Returns the error of the mean; unknown: fewer than VARIATION_LEAST numbers. */
struct mean_error variation_error(const struct variation *s);
/* Returns the error of the difference of the means of a and b, which are independent of each other,
 * by Welch's test. Unknown: one has fewer than VARIATION_LEAST numbers, or an infinite variance. */
struct mean_error variation_error_between(const struct variation *a, const struct variation *b);
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

/* ---- means ----
 *
 * Tests whether the means of two series differ by more than their noise.
 *
 * The numbers of a series belong to successive intervals, so each resembles the one before it:
 * treated as independent, they would make the mean look far more certain than it is. The variance
 * of a mean is therefore estimated from the slow waves in the series: its first 0.4 n^(2/3)
 * cosines, from 3 to 64, equally weighted; their number is also the degrees of freedom of
 * Student's t (the EWC test: Lazarus, Lewis, Stock and Watson, HAR Inference: Recommendations for
 * Practice, Journal of Business & Economic Statistics 36(4), 2018). The slowest waves of a short
 * series are too quick to show the whole autocorrelation: so the variance is at least that of an
 * AR(1) series with the autocorrelation that was observed. The two series are independent of each
 * other; their degrees of freedom are combined as in Welch's test.
 *
 * A drift of a series, and a change of its level, appear as slow waves and so count as noise.
 */

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
	double difference;       /* NaN if one mean is unknown */
	bool tested;             /* both series have enough numbers */
	struct mean_error error; /* of the difference; unknown: not tested */
	double margin;           /* the largest difference that noise explains; NaN: not tested */
	bool differ;             /* the difference is larger than its margin */
};

/* Summarizes n finite numbers, in the order of time. */
void means_summarize(struct means_summary *out, const double *number, size_t n);
void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b);

/* ---- difference ----
 *
 * The difference of two means: in percent of the first one, and whether it is more than noise.
 */

enum difference_result {
	DIFFERENCE_NOISE,
	DIFFERENCE_MORE,
	DIFFERENCE_LESS,
	DIFFERENCE_FEW,
	DIFFERENCE_UNKNOWN,
	N_DIFFERENCE_RESULTS
};

/* The names of the results, for people and programs. */
extern const char *const difference_result_name[N_DIFFERENCE_RESULTS];

/* Returns an amount in percent of the first mean; NaN: the amount or the mean is unknown, or the
 * mean is 0. */
double difference_pct(double first, double amount);
/* Judges a difference (second less first; NaN: unknown). tested: there are enough numbers for a
 * test; differs: the difference is more than noise. */
enum difference_result difference_classify(double difference, bool tested, bool differs);

/* Returns whether the result is a difference: more or less. */
static inline bool difference_is_found(enum difference_result result)
{
	return result == DIFFERENCE_MORE || result == DIFFERENCE_LESS;
}

/* ---- student ----
 *
 * Student's t distribution with an integer number of degrees of freedom; with 0, the normal
 * distribution, which is that of endlessly many.
 *
 * Computed by the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
 * and 26.7.4.
 */

/* Returns the probability of a value between -t and t. */
double student_within(double t, int freedom);
/* Returns the t for which student_within() is `within`, which must be below 1. */
double student_quantile(double within, int freedom);

#endif
