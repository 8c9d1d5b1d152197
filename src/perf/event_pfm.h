/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_pfm - events by the names that the CPU's vendor gives them, through libpfm4: "FP_ASSIST:ANY", "INST_RETIRED",
 * "skl::UOPS_ISSUED:ANY:k". The only file that uses libpfm4.
 *
 * Modifiers: :u counts in user mode only, :k in the kernel only.
 */
#ifndef PERF_EVENT_PFM_H
#define PERF_EVENT_PFM_H

#include "perf/machine.h"

/* Sets type, config* and the modes of the event. core: the kind of cores that it is to count on, of a hybrid machine;
 * else NULL. -ENOENT where this CPU has no such event, -EOPNOTSUPP with libpfm4's reason where it has the event, but
 * not so. */
int event_pfm_resolve(struct event *e, const struct core_pmu *core, const char *name, struct err *err);

#endif
