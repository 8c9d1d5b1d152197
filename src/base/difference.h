/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * difference - the difference of two means: in percent of the first one, and whether it is more
 * than noise.
 */
#ifndef BASE_DIFFERENCE_H
#define BASE_DIFFERENCE_H

#include <stdbool.h>

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

#endif
