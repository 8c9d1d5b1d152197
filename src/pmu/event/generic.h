/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * generic - finds the generic events of the kernel by their names in perf(1): "cycles",
 * "page-faults", "L1-dcache-load-misses".
 */
#ifndef PMU_EVENT_GENERIC_H
#define PMU_EVENT_GENERIC_H

#include <stdbool.h>
#include <stdint.h>

/* Sets type and config (perf_event_attr) of the generic event with this name. Returns false, with
 * nothing set, if there is none. */
bool generic_find(const char *name, uint32_t *type, uint64_t *config);

/* Calls visit for each generic event with its first name; `also`: its second name, or NULL. The
 * texts are valid during the call. */
void generic_each(void (*visit)(void *context, const char *name, const char *also), void *context);

#endif
