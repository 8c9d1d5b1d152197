/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import - makes a screen from a file of another tool: a performance group of likwid, or metrics of
 * perf.
 *
 * Each metric becomes a column, and each event in its formula a counter. A metric that has no
 * counterpart in tiptop is left out: the reason is reported and added to the notes. If the
 * threshold of a metric only compares the metric with a number, it becomes the threshold of the
 * column; otherwise it is only added to the notes.
 */
#ifndef SCREEN_IMPORT_IMPORT_H
#define SCREEN_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

struct import_request {
	const char *path; /* the path of the file, for sentences and the name of the screen */
	const char *text; /* the contents of the file */
	/* The metrics to import, separated by ','; NULL: all. */
	const char *metrics;
	const struct machine *machine;
	struct progress *progress; /* counts the metrics done; NULL: none */
};

struct import {
	struct screen *screen; /* declared, not compiled, but checked to compile without faults */
	struct strbuf notes;   /* sentences about the metrics, one per line */
};

/* Translates the file. Calls report for each metric that is left out, with its line in the file (0:
 * unknown). Returns -EINVAL if the file is invalid or lacks a metric of the request; -ENOENT if no
 * metric has a counterpart. The caller calls import_done() also after an error. */
int import_read(struct import *out, const struct import_request *request, screen_report report,
		void *context, struct err *err);
void import_done(struct import *i);

/* ---- parts of a file ----
 *
 * parse.c parses the files of likwid and perf into their parts (counters, metrics, formulas), which
 * stay texts; import.c interprets them.
 *
 * Ownership: struct foreign_file owns all texts; foreign_file_done() frees them.
 */

/* A counter of likwid and its event. */
struct foreign_counter {
	char *alias; /* "PMC0", as in formulas */
	char *event; /* "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE" */
	char *terms; /* "edge=1,cmask=0x2"; NULL: none */
	char *lack;  /* why tiptop cannot count it; NULL: parsing has found no reason */
};

struct foreign_metric {
	char *name, *formula;
	char *desc;      /* NULL: none */
	char *unit;      /* NULL: none */
	char *threshold; /* as in the file; NULL: none */
	char *pmu;       /* "Unit" of perf: the core PMU that has its events; NULL: any */
	double factor;   /* the number to show is the formula times this factor */
	int line;        /* line in the file; 0: unknown */
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
/* Add a counter or metric, which is valid until the next add. Its fields are 0, but the factor of a
 * metric is 1. */
struct foreign_counter *foreign_file_add_counter(struct foreign_file *f);
struct foreign_metric *foreign_file_add_metric(struct foreign_file *f);

/* Parse the text of a file into an empty struct. Return -EINVAL if it does not have the format; the
 * sentence begins with the place, "PATH:LINE: ...". path: for sentences only. */
int foreign_read_likwid(struct foreign_file *f, const char *path, const char *text,
			struct err *err);
int foreign_read_perf(struct foreign_file *f, const char *path, const char *text, struct err *err);

#endif
