/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu_text - what counts on this machine, in a few words for the header: "skylake 4+3".
 */
#ifndef CMD_PMU_TEXT_H
#define CMD_PMU_TEXT_H

#include "base/strbuf.h"
#include "pmu/check/pmu_info.h"

/* Appends a core PMU: its name, and how many counters of any event and how many of one event only
 * it has; those are left out where they are not known. */
void pmu_text_add(struct strbuf *out, const struct pmu_info *pmu, const struct pmu_counters *c);
/* That of all core PMUs, which the caller frees; NULL: there is none. */
char *pmu_text_new(const struct machine *m);

#endif
