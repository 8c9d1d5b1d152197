/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regions_keeper - the reports of all processes of a command that measure regions
 * (inject/lib/table.h), however they end.
 *
 * Processes make their tables in one folder (inject/lib/regions.h) and leave them there. Tables
 * of processes that have ended are read and removed while the command runs: they take memory, and
 * there may be thousands. If the lock of a table is free, its process has ended or has executed
 * another program.
 */
#ifndef RUN_REGIONS_KEEPER_H
#define RUN_REGIONS_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "collect/table/region_copy.h"
#include "collect/table/region_report.h"

struct regions_keeper {
	struct regions_form form;
	struct report_own_type known;  /* columns that the reports have named */
	struct regions_report *report; /* [n] */
	size_t n, cap;
	/* Processes without a report: they began no region, or have a private table. */
	size_t n_unused;
	size_t n_running; /* processes that still ran at the last collection */
	int running_pid;  /* the pid of one of these processes */
	struct table_copy copy;
};

void regions_keeper_init(struct regions_keeper *k);
void regions_keeper_done(struct regions_keeper *k);

/* Reads and removes the tables of processes that have ended. last: also reads the tables of running
 * processes. Prints an error for each table that cannot be read. */
void regions_keeper_collect(struct regions_keeper *k, const char *folder, bool last);
/* Checks that the file to which the reports will be appended has the CSV header of each: columns of
 * units of work are known only now. Returns 0, or -errno with a sentence. */
int regions_keeper_check(const struct regions_keeper *k, const struct dest *behind,
			 struct err *err);
/* Appends all reports to `out`. behind: the file to which `out` will be appended; NULL: none. */
void regions_keeper_add(struct regions_keeper *k, const struct dest *behind, struct strbuf *out);

#endif
