/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * maker - resolves the event names of CPU vendors without libpfm4: names of the kernel's generic
 * events, and names that are in a choice of the event table.
 *
 * Names are compared regardless of case and of the separators between their words: vendors write
 * EVENT.UMASK, ocperf and perf on AMD and Arm event.umask and event_umask, likwid EVENT_UMASK,
 * libpfm4 EVENT:UMASK.
 */
#ifndef PMU_EVENT_MAKER_H
#define PMU_EVENT_MAKER_H

#include "pmu/event/machine.h"

bool event_vendor_names_same(const char *x, const char *y);
/* Returns the generic event that has this name at the vendor of this CPU; NULL: none. */
const char *event_vendor_generic(const struct machine *m, const char *name);
/* Finds the event of the table whose choice for this CPU has this vendor name. pmu: the PMU of one
 * kind of cores; NULL: of any kind. *outside: the event is of a PMU outside of the cores, and
 * cannot be counted for a task. */
const struct event_def *event_vendor_find(const struct machine *m, const char *pmu,
					  const char *name, bool *outside);
/* Returns whether the PMU with this name, `len` characters, is a core PMU. */
bool machine_is_core_pmu(const struct machine *m, const char *name, size_t len);

#endif
