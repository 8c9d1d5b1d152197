/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * origin_fill - describes the events of a set as texts for users: fills a struct origins
 * (screen/binding.h) with names, codes, modes and meanings.
 */
#ifndef SCREEN_BIND_ORIGIN_FILL_H
#define SCREEN_BIND_ORIGIN_FILL_H

#include "pmu/event/machine.h"
#include "screen/binding.h"

/* Replaces the contents of the list with descriptions of all events of the set. */
void origins_fill(struct origins *out, const struct event_set *set, const struct machine *m);

#endif
