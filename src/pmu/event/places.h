/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places - what each CPU of the machine shares with others, as sysfs tells: core, caches, memory.
 */
#ifndef PMU_EVENT_PLACES_H
#define PMU_EVENT_PLACES_H

#include "model/sample_machine.h"
#include "pmu/event/sysfs.h"

/* Returns how many CPUs there are, by the highest number of one that is online, and *out, which the
 * caller frees: of each, what it shares. 0, and NULL: nothing is known. Of CPUs that share a core
 * or a cache, the files of one are read. */
int places_read(const struct event_host *host, struct sample_place **out);

#endif
