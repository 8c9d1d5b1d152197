/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_pfm - resolves the event names of CPU vendors through libpfm4: "FP_ASSIST:ANY",
 * "INST_RETIRED", "skl::UOPS_ISSUED:ANY:k". All other modules use libpfm4 through this one.
 *
 * Modifiers: :u counts in user mode only, :k in the kernel only.
 *
 * Some of libpfm4's codes are wrong: see pfm_correction.h.
 */
#ifndef PMU_EVENT_PFM_H
#define PMU_EVENT_PFM_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* Sets type, config* and the modes of the event. core: on a hybrid machine, the kind of cores on
 * which it is to count; else NULL. -ENOENT: this CPU has no such event; -EOPNOTSUPP, with libpfm4's
 * reason: this CPU has the event, but not in this form. */
int event_pfm_resolve(struct event *e, const struct core_pmu *core, const char *name,
		      struct err *err);

/* Makes libpfm4 encode events of PMUs that this machine lacks, too. Must be called before the other
 * functions of this file, and only by a process that counts nothing: afterwards, libpfm4 no longer
 * distinguishes events of this machine from events of other machines. */
void event_pfm_encode_all(void);

/* Returns the vendor of the PMU in the name ("skl::INST_RETIRED"), from libpfm4's description of
 * the PMU; CPU_OTHER: the name has no PMU, or the vendor is unknown. */
enum cpu_vendor event_pfm_vendor(const char *name);

/* Loads libpfm4 if it is not loaded yet. -EOPNOTSUPP, with the reason: it cannot be used; the other
 * functions then know no event. */
int event_pfm_begin(struct err *err);

/* Calls visit for each event of the core PMUs of this CPU: "EVENT", or "EVENT:UMASK" for each umask
 * of an event that has some. Other PMUs are skipped, since they cannot be counted for a task. The
 * texts are valid during the call. */
void event_pfm_each(void (*visit)(void *context, const char *pmu, const char *name), void *context);

/* Appends libpfm4's description of the event and of its umasks, on one line, without a full stop.
 * Returns false, with nothing appended, if libpfm4 has no such event for this CPU. */
bool event_pfm_describe(struct strbuf *out, const char *name);

/* Appends "NAME (DESCRIPTION)" of each of libpfm4's tables for the cores of this CPU, separated by
 * ", ". Returns their number. Any Intel CPU has ix86arch, the table of the architectural events. */
int event_pfm_add_tables(struct strbuf *out);

#endif
