/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * weight - parses the weight of an event, the factor from its raw count, from a choice of the table
 * (table.h).
 *
 * A weight is a decimal number ("5"; "0": these CPUs never do what the event counts); or "slots":
 * the number of slots for operations per cycle, which the kernel provides (sysfs.h).
 */
#ifndef PMU_EVENT_WEIGHT_H
#define PMU_EVENT_WEIGHT_H

#include <stdbool.h>

#include "base/err.h"

/* Checks the form of a weight. Returns 0, or -EINVAL or -ERANGE with a sentence. */
int event_weight_check(const char *weight, struct err *err);

bool event_weight_is_slots(const char *weight);
/* Returns the scale of an event (event.scale) for a weight that is a number; 0 if the weight is
 * NULL. */
double event_weight_scale(const char *weight);

/* Returns whether an event that was recorded with this scale has this weight. */
bool event_weight_fits(const char *weight, double scale);

#endif
