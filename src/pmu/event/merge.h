/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - one set of events for several screens: what several of them need is counted once.
 *
 * Counters are the same where they are the same number (model/sample_event.h), whatever the screens
 * call them. One without any event is the same as none.
 */
#ifndef PMU_EVENT_MERGE_H
#define PMU_EVENT_MERGE_H

#include "pmu/perf/event.h"

/* The counter of the set that is the same as this one of the other set; -1: none. */
int event_set_find(const struct event_set *set, const struct event_set *other, int counter);

/* Replaces what is wanted together by what the other set wants together, of the counters that the
 * set has. */
void event_set_rejoin(struct event_set *set, const struct event_set *other);

/* Adds the counters that the set lacks, and what the other set wants together. Takes the other one
 * over. Returns how many counters found no room. */
int event_set_merge(struct event_set *set, struct event_set *other);

/* Of counters of the set that are the same, leaves the first one: what several aliases of a screen
 * stand for is opened once. */
void event_set_dedupe(struct event_set *set);

#endif
