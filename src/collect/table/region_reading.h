/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_reading - a region of a table as a reading (model/sample.h): its calls, its time and what
 * they counted.
 */
#ifndef COLLECT_TABLE_REGION_READING_H
#define COLLECT_TABLE_REGION_READING_H

#include "base/strbuf.h"
#include "collect/table/region_copy.h"
#include "collect/table/table_process.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

/* Units of work, in the order in which they were met: the same one has the same fact (WORK1 ...) in
 * the readings of all processes, so that sums over processes are of one unit. */
struct reading_units {
	char name[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n;
};

/* What readings are made of. */
struct reading_table {
	const struct table_copy *copy;
	const struct table_process *process;
	unsigned number; /* which table of the process it is */
	/* [copy->header.n_regions] When each began to count, in ns since the start of the machine,
	 * which tells it from itself before it was reset. */
	const uint64_t *start_ns;
	const struct sample_events *events;
	struct reading_units *units;
};

/* Finds a unit, and adds it where it is new: the number of its fact, from 0 on; -1: there is no
 * room. */
int reading_find_unit(struct reading_units *units, const char *name);

/* What the events of the table are on this machine. The one reference belongs to the caller. */
struct sample_events *reading_events(const struct table_header *h, const struct machine *m);

/* A new reading of region i, with one reference. */
struct task *reading_new(const struct reading_table *of, uint32_t i);
/* Whether region i has been called, or has done work, since this reading. */
bool reading_has_changed(const struct task *t, const struct reading_table *of, uint32_t i);

/* Appends how long calls took, a character for each power of two, between the least and the most:
 * "128ns .17+ 2us". A digit is so many tenths of the calls, '#' all of them, '+' fewer than a
 * twentieth, '.' none. Nothing where there was no call. */
void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick);

#endif
