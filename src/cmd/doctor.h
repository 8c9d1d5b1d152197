/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor - the text of --check: what this machine, kernel and user allow, and what to do about
 * what they do not.
 *
 * Sections of lines "MARK LABEL TEXT", the text over as many lines as it needs, a remedy below
 * it. Marks are "ok", "warn" (a part does not work) and "no"; facts have none. The last line
 * says how many things limit tiptop here, each counted once: what follows from it has a mark,
 * too, but does not count.
 *
 * The configuration has been read when it is called; its faults have been printed as
 * they were found.
 */
#ifndef CMD_DOCTOR_H
#define CMD_DOCTOR_H

#include "base/log.h"
#include "pmu/check/finding.h"
#include "pmu/check/rights.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* What it looks at. */
struct doctor_input {
	const struct machine *machine;
	struct perf_sys *sys;
	const struct screen_list *screens;
	const struct screen_list *hidden; /* built-in ones that are not for this machine */
	bool kernel;                      /* screens count in the kernel, too */
	const char *conf_file;            /* that was found; NULL: none */
	const struct log *log;            /* the faults of the configuration */
	int n_mistakes;                   /* of them, those that end the start */
};

/* Appends the report to `out`, as whole lines. */
void doctor_report(struct strbuf *out, const struct doctor_input *patient);

/* ---- sections ----
 *
 * A function for each section that can be tested alone, and what they share.
 */

struct doctor {
	struct strbuf *out;
	const struct doctor_input *patient;
	struct rights rights;
	bool all_modes;         /* the PMU can leave no mode out */
	struct err hardware;    /* why there are no hardware counters; code 0: there are */
	bool virtual_cpu;       /* as CPUID says */
	int n_limits;           /* how many things limit tiptop here */
	size_t n_whole_screens; /* how many screens have all of their counters */
};

void doctor_check_pmus(struct doctor *d); /* sets virtual_cpu */
void doctor_check_hardware(struct doctor *d);
void doctor_check_screens(struct doctor *d); /* sets n_whole_screens */

#endif
