/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * origin_fill - from the events of a set to their origins, as view/origin.h shows them: names,
 * numbers and sentences.
 */
#ifndef SCREEN_BIND_ORIGIN_FILL_H
#define SCREEN_BIND_ORIGIN_FILL_H

#include "pmu/event/machine.h"
#include "view/origin.h"

/* Fills in all events of the set, in place of what was there. */
void origins_fill(struct origins *out, const struct event_set *set, const struct machine *m);

#endif
