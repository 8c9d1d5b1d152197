/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * maker - events by the names that the makers of CPUs give them, without libpfm4: those that the
 * kernel's generic events are, and those that the event table has a choice for.
 *
 * Names are compared without regard to case, and to what stands between their words: makers write
 * EVENT.UMASK, ocperf and perf on AMD and Arm event.umask and event_umask, likwid EVENT_UMASK,
 * libpfm4 EVENT:UMASK.
 */
#ifndef PMU_EVENT_MAKER_H
#define PMU_EVENT_MAKER_H

#include "pmu/event/machine.h"

bool event_vendor_names_same(const char *x, const char *y);
/* Returns the generic event that the maker of this CPU calls so; NULL: there is none. */
const char *event_vendor_generic(const struct machine *m, const char *name);
/* Finds the event of the table whose choice for this CPU the maker calls so. pmu: of one kind of
 * cores; NULL: any. *outside: it is one of a PMU outside of the cores, and none of a task. */
const struct event_def *event_vendor_find(const struct machine *m, const char *pmu,
					  const char *name, bool *outside);
/* Whether the PMU with this name, `len` characters, is one of the cores. */
bool machine_is_core_pmu(const struct machine *m, const char *name, size_t len);

#endif
