/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mode - what a set of events is in one mode of a CPU, and back.
 *
 * A screen wants its events in some modes. A row that is one mode counts those that happen in it;
 * what it tells of them is what was wanted, since the row itself says which part of that it is. So
 * the same screen is bound to the rows of all modes.
 */
#ifndef COLLECT_CPU_MODE_H
#define COLLECT_CPU_MODE_H

#include "model/kinds.h"
#include "model/sample_event.h"
#include "pmu/perf/event.h"

/* Leaves of each event what happens in this mode. One that never happens in it, or of which nobody
 * can tell in which mode it did, is not counted. */
void mode_narrow(struct event_set *set, enum cpu_mode mode);
/* The members of the plan of such a set, told as events of the set that it was before. Returns a
 * new reference. */
struct sample_events *mode_tell(const struct sample_events *counted, const struct event_plan *plan,
				const struct event_set *wanted);

#endif
