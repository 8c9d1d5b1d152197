/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import - a file of another tool as a screen: a performance group of likwid, or metrics of perf.
 *
 * Each metric becomes a column, and each event that one needs a counter, by the name that it has
 * here (import.c). What has no counterpart is reported, and its column is left out. Its sentence
 * goes into notes. So does what screens have no place for: thresholds that ask for several
 * metrics. One that asks for its own becomes that of the column.
 */
#ifndef SCREEN_IMPORT_IMPORT_H
#define SCREEN_IMPORT_IMPORT_H

#include "base/progress.h"
#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

struct import_request {
	const char *path; /* of the file, for sentences and the name of the screen */
	const char *text; /* what is in it */
	/* The metrics that are wanted, with ',' between them; NULL: all. */
	const char *metrics;
	const struct machine *machine;
	struct progress *progress; /* of its metrics; NULL: nothing is shown */
};

struct import {
	struct screen *screen; /* declared, and free of faults */
	struct strbuf notes;   /* lines */
};

/* Translates the file; report is called for each metric that is left out, with its line (0: the
 * sentence has the place). -EINVAL where the file cannot be read, or does not have the metrics;
 * -ENOENT where no column is left. */
int import_read(struct import *out, const struct import_request *request, screen_report report,
		void *context, struct err *err);
void import_done(struct import *i);

#endif
