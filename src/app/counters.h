/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters - from the counters that a screen declares, as texts, to the events that the kernel opens.
 *
 * The declarations of an alias that are for this CPU, and in each of them the names of its event attribute
 * ("NAME; NAME"), are alternatives, in their order. The first one that this machine knows and can open is taken; of
 * those that it knows, the last one is taken unseen, so that opening it later tells why it cannot be counted.
 */
#ifndef APP_COUNTERS_H
#define APP_COUNTERS_H

#include "perf/cpu.h"
#include "perf/event.h"
#include "screen/screen.h"

/* Reports, with screen and alias: each counter whose type, config or event nobody could read, -EINVAL or -ERANGE; each
 * event that is not known here, if its alias has no other declaration that is, -ENOENT. */
void counters_check(const struct screen *screen, const struct cpu_id *cpu, screen_report report, void *context);

/* One event for each alias of the compiled screen. An alias without a declaration that fits gets an event of
 * QUALITY_UNSUPPORTED, which is never opened. */
void counters_make_set(struct event_set *set, const struct screen *screen, const struct cpu_id *cpu,
		       struct perf_sys *sys, bool kernel);

/* Whether this machine has all events that the column needs. Events that are refused for other reasons than their
 * absence count as had: a column does not come and go with permissions. */
bool counters_have(struct event_set *set, const struct column *column, struct perf_sys *sys);

/* Whether each counter of the columns has a declaration that fits the CPU of the set. */
bool counters_fit(const struct event_set *set, const struct screen *screen);

#endif
