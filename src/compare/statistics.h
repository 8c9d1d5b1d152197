/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statistics - compares the numbers of two sides, A and B: means, deviations, and whether the means
 * differ by more than noise. All comparisons use it. The functions differ in how the numbers of a
 * side were taken:
 *
 *   statistics_of_series()   in successive intervals, so each resembles the one before it
 *                            (base/significance.h)
 *   statistics_of_pairs()    in pairs: number i of A belongs to number i of B (base/significance.h)
 *   statistics_of_runs()     independently of each other, a number for each run: Welch's test
 *   statistics_of_moments()  only their moments are known; they are many, and are treated as
 *                            independent (base/significance.h)
 *
 * Numbers that are not finite are unknown and left out. Unknown results are NaN.
 *
 * If several sides are compared with A, statistics_correct() keeps the error level of all these
 * comparisons together at that of one, by Holm's method (base/significance.h): the comparison with
 * the smallest p-value of k is tested at 1 / k of the level, and each further one at 1 / (k - 1),
 * and so on, until one is noise; those left have the level of that one.
 */
#ifndef COMPARE_STATISTICS_H
#define COMPARE_STATISTICS_H

#include "base/significance.h"
#include "report/report.h"

/* The numbers of a side: number[0], number[step], and so on. Borrowed. */
struct statistics_numbers {
	const double *number;
	size_t n, step;
};

struct statistics_side {
	double n; /* number of known numbers; with statistics_of_moments(), of measured calls */
	double mean, sd;
};

struct statistics {
	struct statistics_side of[2];
	double difference; /* the mean of B less that of A; of pairs, the mean of their differences
			    */
	double margin;     /* the largest difference that noise explains */
	double change_pct, margin_pct; /* both in % of the mean of A */
	double pairs; /* number of pairs with both numbers; NaN: the sides are not paired */
	struct mean_error error; /* of the difference */
	double confidence;       /* that of the margin */
	/* The p-value: the probability of such a difference by chance alone. Only of pairs and
	 * runs. */
	double chance;
	enum difference_result result;
};

void statistics_of_series(struct statistics *s, const struct statistics_numbers of[2]);
void statistics_of_pairs(struct statistics *s, const struct statistics_numbers of[2]);
void statistics_of_runs(struct statistics *s, const struct statistics_numbers of[2]);
void statistics_of_moments(struct statistics *s, const struct moments *const of[2]);

/* Corrects the margins and results of n comparisons for their number; those that were not tested do
 * not count. The p-values stay. Sorts the pointers. */
void statistics_correct(struct statistics *of[], size_t n);

/* Sets the p-value, and with it the result. */
void statistics_set_chance(struct statistics *s, double chance);

/* Fills the next columns of the record: those called n_a, mean_a, sd_a or stddev_a, n_b and so on,
 * members n, mean and stddev of groups a and b, difference, margin, change_pct, margin_pct, rounds
 * and chance, until a column has another name. */
void statistics_put(struct report_record *r, const struct statistics *s);

#endif
