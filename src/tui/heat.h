/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heat - how much of the way from the least to the most of its column a number has gone, as one of
 * five looks. Pure.
 *
 * The rows that are shown are compared with each other, those out of sight too, so that scrolling
 * changes no colour. A number that is not known has no heat, nor has one of a column that has no
 * two numbers; nor what is no amount: a CPU, a nice value, a text.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include "conf/theme.h"
#include "tui/layout.h"

struct heat {
	/* Of each column; where least < most does not hold, it has no heat. */
	double least[LAYOUT_COLUMNS_MAX], most[LAYOUT_COLUMNS_MAX];
};

/* Looks for the least and the most of each column. */
void heat_fit(struct heat *h, const struct frame *frame);
/* The look of a number of column i; LOOK_NORMAL where it has no heat. h: NULL where heat is not
 * wanted. */
enum look heat_look(const struct heat *h, size_t i, struct value v);

#endif
