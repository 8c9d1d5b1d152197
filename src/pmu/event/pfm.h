/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_pfm - events by the names that the CPU's vendor gives them, through libpfm4:
 * "FP_ASSIST:ANY", "INST_RETIRED", "skl::UOPS_ISSUED:ANY:k". The only file that uses libpfm4.
 *
 * Modifiers: :u counts in user mode only, :k in the kernel only.
 *
 * Some of libpfm4's codes are wrong: see pfm_correction.h.
 */
#ifndef PMU_EVENT_PFM_H
#define PMU_EVENT_PFM_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* Sets type, config* and the modes of the event. core: the kind of cores that it is to count on, of
 * a hybrid machine; else NULL. -ENOENT where this CPU has no such event, -EOPNOTSUPP with libpfm4's
 * reason where it has the event, but not so. */
int event_pfm_resolve(struct event *e, const struct core_pmu *core, const char *name,
		      struct err *err);

/* Has libpfm4 encode the events of PMUs that are not here, too. Before all others, and only where
 * nothing is counted: what is here would not be told from what is not. */
void event_pfm_encode_all(void);

/* Returns the maker of the PMU that the name begins with ("skl::INST_RETIRED"), by libpfm4's
 * description of the PMU; CPU_OTHER: it has no PMU, or the maker is not known. */
enum cpu_vendor event_pfm_vendor(const char *name);

/* Loads libpfm4, if that is not done. -EOPNOTSUPP with the reason where it cannot be used. The
 * others then know no event. */
int event_pfm_begin(struct err *err);

/* Calls visit for each event of the PMUs of the cores of this CPU: "EVENT", or "EVENT:UMASK" for
 * each umask where the event has some. Those of PMUs outside of the cores are left out, since they
 * cannot be counted for a task. The texts are lent for the call. */
void event_pfm_each(void (*visit)(void *context, const char *pmu, const char *name), void *context);

/* Appends libpfm4's description of the event and of the umasks that it has, on one line, without a
 * full stop. False, and nothing appended, where it does not know the event for this CPU. */
bool event_pfm_describe(struct strbuf *out, const char *name);

/* Appends the tables that libpfm4 has for the cores of this CPU: "NAME (DESCRIPTION)" of each, with
 * ", " between them. Returns how many there are. Any Intel CPU has ix86arch, the table of the
 * architectural events. */
int event_pfm_add_tables(struct strbuf *out);

#endif
