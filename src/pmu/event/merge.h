/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - merges the event sets of several screens into one, so that a counter that several screens
 * need is opened once.
 *
 * Two counters are the same if their events are equal (model/sample_event.h), whatever the screens
 * call them. A counter without a known event equals no other.
 */
#ifndef PMU_EVENT_MERGE_H
#define PMU_EVENT_MERGE_H

#include "pmu/perf/event.h"

/* Returns the counter of the set that equals this one of the other set; -1: none. */
int event_set_find(const struct event_set *set, const struct event_set *other, int counter);

/* Replaces the masks of the set (event_set.together) by those of the other set, without the
 * counters that the set lacks. */
void event_set_rejoin(struct event_set *set, const struct event_set *other);

/* Adds the counters of the other set that the set lacks, and the other set's masks
 * (event_set.together). Takes ownership of the other set. Returns how many counters had no room. */
int event_set_merge(struct event_set *set, struct event_set *other);

/* Keeps only the first of equal counters, so that a counter for which a screen has several aliases
 * is opened once. */
void event_set_dedupe(struct event_set *set);

#endif
