/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell - converts an event of a set to the form of a sample (model/sample_event.h), without the
 * numbers that this boot of the kernel assigned. Pure.
 */
#ifndef PMU_EVENT_TELL_H
#define PMU_EVENT_TELL_H

#include "model/sample_event.h"
#include "pmu/perf/event.h"

enum event_kind event_kind_of(const struct event *e);

/* Returns event i of the set; texts are borrowed from it. Fields that depend on the plan are not
 * set. */
struct sample_event event_to_sample(const struct event_set *set, int i);

#endif
