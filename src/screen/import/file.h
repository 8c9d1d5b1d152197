/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file - what a file of another tool has, as texts: nothing in it has been understood yet.
 *
 * Ownership: all texts are the file's; foreign_file_done() frees them.
 */
#ifndef SCREEN_IMPORT_FILE_H
#define SCREEN_IMPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* likwid's: what a counter of the CPU is set to. */
struct foreign_counter {
	char *alias; /* "PMC0", as formulas have it */
	char *event; /* "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE" */
	char *terms; /* "edge=1,cmask=0x2"; NULL: none */
	char *lack;  /* why it has no counterpart; NULL: nothing is known against it */
};

struct foreign_metric {
	char *name, *formula;
	char *desc;      /* NULL: none */
	char *unit;      /* NULL: none */
	char *threshold; /* as the maker wrote it; NULL: none */
	char *pmu;       /* perf's Unit: the cores that have its events; NULL: any */
	double factor;   /* of the numbers that are shown */
	int line;        /* 0: not known */
};

struct foreign_file {
	char *desc; /* NULL: none */
	bool likwid;
	struct foreign_counter *counter;
	size_t n_counters, cap_counters;
	struct foreign_metric *metric;
	size_t n_metrics, cap_metrics;
};

void foreign_file_done(struct foreign_file *f);
/* The new element is cleared; valid until the next add. */
struct foreign_counter *foreign_file_add_counter(struct foreign_file *f);
struct foreign_metric *foreign_file_add_metric(struct foreign_file *f);

/* Read a text into a file that is cleared. -EINVAL with the place, "PATH:LINE: ...", where it is
 * not of the format. */
int foreign_read_likwid(struct foreign_file *f, const char *path, const char *text,
			struct err *err);
int foreign_read_perf(struct foreign_file *f, const char *path, const char *text, struct err *err);

#endif
