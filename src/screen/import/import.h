/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import - makes a screen of another tool's file: a performance group of likwid, or metrics of
 * perf.
 *
 * Each metric becomes a column, and each of its events a counter, with its name in tiptop
 * (import.c). A metric without a counterpart is reported and left out, and its sentence is added to
 * notes. A threshold of a single metric becomes that of the column; thresholds over several metrics
 * are only noted.
 */
#ifndef SCREEN_IMPORT_IMPORT_H
#define SCREEN_IMPORT_IMPORT_H

#include "base/progress.h"
#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

struct import_request {
	const char *path; /* of the file, for sentences and the name of the screen */
	const char *text; /* its contents */
	/* The metrics to import, separated by ','; NULL: all. */
	const char *metrics;
	const struct machine *machine;
	struct progress *progress; /* over the metrics; NULL: none */
};

struct import {
	struct screen *screen; /* declared, without faults */
	struct strbuf notes;   /* lines */
};

/* Translates the file. Calls report for each metric that is left out, with its line (0: the
 * sentence has the place). Returns -EINVAL if the file is invalid or lacks a wanted metric; -ENOENT
 * if no column is left. */
int import_read(struct import *out, const struct import_request *request, screen_report report,
		void *context, struct err *err);
void import_done(struct import *i);

#endif
