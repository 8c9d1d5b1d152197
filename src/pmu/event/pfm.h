/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm - resolves the event names of CPU vendors through libpfm4: "FP_ASSIST:ANY", "INST_RETIRED",
 * "skl::UOPS_ISSUED:ANY:k". All other modules use libpfm4 through this one.
 *
 * Modifiers: :u counts in user mode only, :k in the kernel only.
 *
 * libpfm4 is loaded on first use: its tables take 1 MiB of memory and 1 ms of each start, and most
 * screens need no vendor's name. Programs that use libtiptop must not depend on it at all. If it
 * cannot be loaded, no name is known, and errors have a sentence about it.
 *
 * Some of libpfm4's codes are wrong: pfm_correction_table has the right ones.
 */
#ifndef PMU_EVENT_PFM_H
#define PMU_EVENT_PFM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* ---- corrections ----
 *
 * The table of events for which libpfm4 has a wrong code, with the right code from the CPU vendor's
 * documents.
 *
 * A row also has the wrong code and replaces only this code, so that it has no effect once libpfm4
 * is corrected. The version of libpfm4 cannot be tested instead, as pfm_get_version() returns 4.0
 * in all releases. The rows are for release 4.13, and for earlier releases with the same tables.
 */

struct pfm_correction {
	const char *pmus;          /* libpfm4's names, separated by blanks */
	const char *event, *umask; /* in libpfm4's spelling */
	uint16_t wrong, right;     /* umask << 8 | event */
	uint32_t config1;          /* config1 that the event needs; 0: none */
	const char *source;        /* the vendor's document */
};

extern const struct pfm_correction pfm_correction_table[];
extern const size_t pfm_correction_n;

/* Returns whether the config is the wrong code of any row, regardless of the event: a quick test
 * before pfm_correction_find(). */
bool pfm_correction_concerns(uint64_t config);

/* Returns the row for an event that libpfm4 encodes with this config; NULL: there is no such row.
 * full: the name as libpfm4 expanded it ("skl::UOPS_RETIRED:ALL:e=0:..."); name: as the user wrote
 * it. */
const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config);

/* ---- names ---- */

/* Sets type, config* and the modes of the event. core: on a hybrid machine, the kind of cores on
 * which it is to count; else NULL. -ENOENT: this CPU has no such event; -EOPNOTSUPP, with the
 * reason: this CPU has the event, but not in this form, or libpfm4 cannot be used. */
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
