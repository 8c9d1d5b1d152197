/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spark - the last values of a number as a line of small bars, one a column of the screen. Pure.
 *
 * A bar is as high as its value between 0 and the top of the scale; a value below 0 has the lowest
 * one. Where there is no number a dot stands, where there was nothing to divide by a blank. Bars of
 * estimates have the look of such numbers.
 */
#ifndef TUI_SPARK_H
#define TUI_SPARK_H

#include "base/value.h"
#include "tui/canvas.h"

/* The largest of the numbers and of `top`. */
double spark_top(const struct value *v, size_t n, double top);
/* Puts n bars at column x. */
void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top);

#endif
