/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * student - Student's t distribution of whole degrees of freedom.
 *
 * By the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and
 * 26.7.4.
 */
#ifndef BASE_STUDENT_H
#define BASE_STUDENT_H

/* The probability of a value between -t and t; freedom is 1 at least. */
double student_within(double t, int freedom);
/* The t for which that is this probability, which is below 1. */
double student_quantile(double within, int freedom);

#endif
