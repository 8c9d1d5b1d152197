/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell - the event of a set as a sample tells it (model/sample_event.h): without the numbers that
 * this boot of the kernel gave. Pure.
 */
#ifndef PMU_EVENT_TELL_H
#define PMU_EVENT_TELL_H

#include "model/sample_event.h"
#include "pmu/perf/event.h"

enum event_kind event_kind_of(const struct event *e);

/* Event i of the set. Texts are lent; what the plan says of it is not told. */
struct sample_event event_to_sample(const struct event_set *set, int i);

#endif
