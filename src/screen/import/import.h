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

#endif
