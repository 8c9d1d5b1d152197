/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * axis - where an axis of a graph has its ticks, and what is written at them. Pure.
 *
 * Ticks of numbers are at 1, 2 or 5 times a power of ten (of two for memory), those of times at
 * whole seconds, minutes, hours or days of the local time. A number has no more digits than it
 * takes to tell it from the next tick, and its unit behind it: 1.5, 20M, 40%.
 */
#ifndef TUI_AXIS_H
#define TUI_AXIS_H

#include "base/strbuf.h"
#include "base/unit.h"

struct axis {
	double low, high; /* what it shows */
	double step;      /* between two ticks */
	enum unit unit;   /* of numbers */
	double shift_s;   /* of times: what makes them local times since 1970 */
};

/* From a tick at low or below to one at high or above, with so many steps at most. */
void axis_fit(struct axis *a, enum unit unit, double low, double high, int most);
/* The ticks of numbers, but it shows exactly what is between low and high. */
void axis_fit_exactly(struct axis *a, enum unit unit, double low, double high, int most);
/* The same of times in seconds. */
void axis_fit_time(struct axis *a, double low, double high, double shift_s, int most);
/* The first tick at low or behind it; each step further is another one. */
double axis_first_tick(const struct axis *a);
/* Appends what is written at a tick. */
void axis_write(const struct axis *a, double tick, struct strbuf *out);
void axis_write_time(const struct axis *a, double tick, struct strbuf *out);

#endif
