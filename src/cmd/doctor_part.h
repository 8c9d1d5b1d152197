/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor_part - the parts of the doctor, for the files of this folder only: what they share, and a
 * function for each section.
 */
#ifndef CMD_DOCTOR_PART_H
#define CMD_DOCTOR_PART_H

#include "cmd/doctor.h"
#include "pmu/check/finding.h"
#include "pmu/check/rights.h"

struct doctor {
	struct strbuf *out;
	const struct doctor_patient *patient;
	struct rights rights;
	bool all_modes;         /* the PMU can leave no mode out */
	struct err hardware;    /* why there are no hardware counters; code 0: there are */
	bool virtual_cpu;       /* as CPUID says */
	int n_limits;           /* how many things limit tiptop here */
	size_t n_whole_screens; /* how many screens have all of their counters */
};

/* doctor_print.c */
void doctor_section(struct doctor *d, const char *title);
void doctor_put(struct doctor *d, const char *label, const struct finding *f);
/* Like doctor_put(), for a consequence: what it warns of has been counted already. */
void doctor_put_consequence(struct doctor *d, const char *label, const struct finding *f);
void doctor_put_fact(struct doctor *d, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Sections. */
void doctor_check_cpu(struct doctor *d);         /* doctor_cpu.c */
void doctor_check_pmus(struct doctor *d);        /* doctor_cpu.c; sets virtual_cpu */
void doctor_check_rights(struct doctor *d);      /* report.c */
void doctor_check_hardware(struct doctor *d);    /* doctor_counters.c */
void doctor_check_descriptors(struct doctor *d); /* doctor_counters.c */
void doctor_check_screens(struct doctor *d);     /* doctor_screens.c; sets n_whole_screens */

#endif
