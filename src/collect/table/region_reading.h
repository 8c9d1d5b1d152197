/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_reading - makes readings (model/sample.h) of the regions of a table: calls, times and
 * counts.
 */
#ifndef COLLECT_TABLE_REGION_READING_H
#define COLLECT_TABLE_REGION_READING_H

#include "base/strbuf.h"
#include "collect/table/region_table.h"
#include "collect/table/table_folder.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

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

/* Returns the index of a unit, and adds it if it is new; -1: no room. */
int reading_find_unit(struct reading_units *units, const char *name);

/* Returns the events of the table, resolved for this machine. The caller owns the reference. */
struct sample_events *reading_events(const struct table_header *h, const struct machine *m);

/* Returns a new reading of region i. The caller owns the reference. */
struct task *reading_new(const struct reading_table *of, uint32_t i);
/* Returns whether region i was called, did work or was reset since its reading t. */
bool reading_has_changed(const struct task *t, const struct reading_table *of, uint32_t i);

/* Appends the distribution of the times of calls, with a character for each power of two, between
 * the shortest and the longest time: "128ns .17+ 2us". A digit is a share of the calls in tenths,
 * '#' all calls, '+' less than a twentieth of them, '.' none. Appends nothing if there was no
 * call. */
void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick);

#endif
