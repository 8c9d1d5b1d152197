/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters - from the counters that a screen declares, as texts, to the events that the kernel opens.
 */
#ifndef APP_COUNTERS_H
#define APP_COUNTERS_H

#include "perf/cpu.h"
#include "perf/event.h"
#include "screen/screen.h"

/* Reports each counter whose type or config cannot be read: -EINVAL or -ERANGE with screen and alias. */
void counters_check(const struct screen *screen, screen_report report, void *context);

/* One event for each alias of the compiled screen: the first declaration that fits this CPU. An alias without one gets
 * an event of QUALITY_UNSUPPORTED, which is never opened. */
void counters_make_set(struct event_set *set, const struct screen *screen, const struct cpu_id *cpu, bool kernel);

/* Whether this machine has all events that the column needs. Events that are refused for other reasons than their
 * absence count as had: a column does not come and go with permissions. */
bool counters_have(struct event_set *set, const struct column *column, struct perf_sys *sys);

/* Whether each counter of the columns has a declaration that fits the CPU of the set. */
bool counters_fit(const struct event_set *set, const struct screen *screen);

#endif
