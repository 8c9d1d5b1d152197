/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * weight - what one count of an event stands for, as a choice of the table (table.h) has it.
 *
 * A decimal number ("5"; "0": these CPUs never do that); or "slots", as many operations as a cycle
 * has slots for, which the kernel tells (sysfs.h).
 */
#ifndef PMU_EVENT_WEIGHT_H
#define PMU_EVENT_WEIGHT_H

#include <stdbool.h>

#include "base/err.h"

/* Whether it is a weight. -EINVAL with a sentence. */
int event_weight_check(const char *weight, struct err *err);

bool event_weight_is_slots(const char *weight);
/* The scale of an event (pmu/perf/event.h) with this weight, which is a number; NULL: none. */
double event_weight_scale(const char *weight);

/* Whether an event that was recorded with this scale has this weight. */
bool event_weight_fits(const char *weight, double scale);

#endif
