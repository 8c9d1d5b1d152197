/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * student - Student's t distribution with an integer number of degrees of freedom.
 *
 * Computed by the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
 * and 26.7.4.
 */
#ifndef BASE_STUDENT_H
#define BASE_STUDENT_H

/* Returns the probability of a value between -t and t; freedom: at least 1. */
double student_within(double t, int freedom);
/* Returns the t for which student_within() is `within`, which must be below 1. */
double student_quantile(double within, int freedom);

#endif
