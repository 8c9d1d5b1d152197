/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor - writes the report of --check: what can be counted on this machine, with this kernel and
 * as this user, why the rest cannot, and the remedies.
 *
 * Sections consist of lines "MARK LABEL TEXT". The text takes as many lines as it needs; a remedy
 * is below it. Marks are "ok", "warn" (it works in part) and "no"; a fact has no mark. The last
 * line has the number of causes that limit tiptop here. The consequences of a cause have marks, but
 * are not in this number.
 *
 * The configuration must have been read; its faults were printed when they were found.
 */
#ifndef CMD_DOCTOR_H
#define CMD_DOCTOR_H

#include "base/log.h"
#include "pmu/check/rights.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* The objects that the check examines. */
struct doctor_input {
	const struct machine *machine;
	struct perf_sys *sys;
	const struct screen_list *screens;
	const struct screen_list *hidden; /* screens that do not suit this machine */
	bool kernel;                      /* screens count in the kernel, too */
	const char *conf_file;            /* the configuration file; NULL: none */
	const struct log *log;            /* the faults of the configuration */
	int n_mistakes; /* how many of these faults prevent tiptop from starting */
};

/* Appends the report to `out`, as whole lines. */
void doctor_report(struct strbuf *out, const struct doctor_input *patient);

/* ---- sections ----
 *
 * Sections that can be tested alone, and their common state.
 */

struct doctor {
	struct strbuf *out;
	const struct doctor_input *patient;
	struct rights rights;
	bool all_modes;         /* the PMU cannot exclude any mode */
	struct err hardware;    /* why there are no hardware counters; code 0: there are some */
	bool virtual_cpu;       /* the CPU is a virtual one, according to CPUID */
	int n_limits;           /* number of causes that limit tiptop here */
	size_t n_whole_screens; /* number of screens that have all of their counters */
};

void doctor_check_pmus(struct doctor *d); /* sets virtual_cpu */
void doctor_check_hardware(struct doctor *d);
void doctor_check_screens(struct doctor *d); /* sets n_whole_screens */

#endif
