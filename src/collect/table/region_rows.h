/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rows - a source for the regions of code that programs measure by libtiptop: a row for each
 * region of each process.
 *
 * Nothing is counted here: the processes count, and write their tables (region_table.h). So any
 * screen can be shown; events that were not counted are shown with the reason. The rows of an ended
 * process are sampled once more with their final numbers: its table is read through a descriptor
 * that outlives it.
 *
 * A process without a table is checked again after it has run: in each of its first refreshes,
 * later in every eighth, since searching the mappings of a process takes 50 µs or more in the
 * kernel.
 */
#ifndef COLLECT_TABLE_REGION_ROWS_H
#define COLLECT_TABLE_REGION_ROWS_H

#include "base/strbuf.h"
#include "collect/source.h"
#include "collect/table/region_table.h"
#include "collect/table/table_folder.h"
#include "collect/task/proc.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

/* ---- readings ----
 *
 * Makes readings (model/sample.h) of the regions of a table: calls, times and counts.
 */

/* Units of work, in order of appearance: a unit has the same fact (WORK1 ...) in the readings of
 * all processes, so that sums over processes are of one unit. */
struct reading_units {
	char name[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n;
};

/* The data from which readings of a table are made. */
struct reading_table {
	const struct table_copy *copy;
	const struct table_process *process;
	unsigned number; /* number of the table of its process */
	/* [copy->header.n_regions] When the counting of each region started, in ns since boot.
	 * After a reset, a region has another start, and so becomes another row. */
	const uint64_t *start_ns;
	const struct sample_events *events;
	struct reading_units *units;
};

/* Returns the events of the table, resolved for this machine. The caller owns the reference. */
struct sample_events *reading_events(const struct table_header *h, const struct machine *m);

/* Returns a new reading of region i. The caller owns the reference. */
struct task *reading_new(const struct reading_table *of, uint32_t i);
/* Returns whether region i was called, did work or was reset since its reading t. */
bool reading_has_changed(const struct task *t, const struct reading_table *of, uint32_t i);

/* Appends the distribution of the times of calls, with a character for each power of two, between
 * the shortest and the longest time: "128ns 1.8+ 2us". A digit is a share of the calls in tenths,
 * '#' all calls or nearly all (95 %), '+' less than a twentieth of them, '.' none. Appends nothing
 * if there was no call. */
void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick);

/* ---- source ---- */

/* Creates the source. proc and machine must outlive it. folder: where the processes of a command
 * leave their tables (inject/lib/regions.h). Only these tables are shown, even those of short-lived
 * processes, and each is removed after its process has ended. NULL: search all processes. First
 * removes the stale tables of this user (stale_tables_remove()). */
struct source *source_regions_new(struct proc *proc, const struct machine *machine,
				  const struct sample_machine *description, const char *folder);

#endif
