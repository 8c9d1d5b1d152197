/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part - the parts of the report, for the files of this folder only: what they share, and a
 * function for each section.
 */
#ifndef APP_REPORT_PART_H
#define APP_REPORT_PART_H

#include "app/report/report.h"
#include "check/finding.h"
#include "check/rights.h"

struct report {
	struct strbuf *out;
	const struct report_subject *subject;
	struct rights rights;
	struct err hardware;    /* why there are no hardware counters; code 0: there are */
	bool virtual_cpu;       /* as CPUID says */
	int n_limits;           /* how many things limit tiptop here */
	size_t n_whole_screens; /* how many screens have all of their counters */
};

/* print.c */
void report_section(struct report *r, const char *title);
void report_put(struct report *r, const char *label, const struct finding *f);
/* Like report_put(), for a consequence: what it warns of has been counted already. */
void report_put_consequence(struct report *r, const char *label, const struct finding *f);
void report_put_fact(struct report *r, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Sections. */
void report_check_cpu(struct report *r);         /* cpu.c */
void report_check_pmus(struct report *r);        /* cpu.c; sets virtual_cpu */
void report_check_rights(struct report *r);      /* report.c */
void report_check_hardware(struct report *r);    /* counters.c */
void report_check_descriptors(struct report *r); /* counters.c */
void report_check_screens(struct report *r);     /* screens.c; sets n_whole_screens */

#endif
