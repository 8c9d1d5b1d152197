/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema - the tables of a recording and the columns of readings. doc/recording.md explains them to
 * users.
 *
 * Layouts. Each reading is a row of a table reading_N, where N is the id of its layout. A layout is
 * a set of events, a set of facts, and time slots. A slot has the enabled and the running time of
 * its events, which were enabled and running at the same time, like the events of a group on one
 * kind of cores. If the events of a slot have different times in a reading, the reading gets a
 * layout with one slot for each event (single). Readings with moved counts (sample.h) have separate
 * layouts, with a moved count for each event.
 *
 * NULL. A fact that is NULL is unknown. A count, a moved count or an enabled time that is NULL is
 * 0; a running time that is NULL equals the enabled time.
 *
 * Endings. The table ending has two readings of the row of a command, from the start and the end of
 * its counting; they belong to no sample. All that the command did is their difference.
 */
#ifndef RECORD_SCHEMA_H
#define RECORD_SCHEMA_H

#include <stdint.h>

#include "base/strbuf.h"
#include "model/sample.h"

#define RECORD_APPLICATION 0x74707470
#define RECORD_VERSION     8

/* Step i upgrades version i to i + 1; step 0 creates version 1 in an empty file. A new file runs
 * all steps, an older one the missing ones. A table reading_N is created when its layout is first
 * needed. */
extern const char *const record_schema[RECORD_VERSION];

/* The columns that reader statements select from the table sample, in order. */
enum sample_column {
	SAMPLE_ID,
	SAMPLE_RUN,
	SAMPLE_WALL_NS,
	SAMPLE_MONO_NS,
	SAMPLE_BOOT_NS,
	SAMPLE_GENERATION,
	SAMPLE_NUMBER,
	SAMPLE_LAST,
	SAMPLE_THREADS,
	SAMPLE_UPTIME_S,
	SAMPLE_LOAD1,
	SAMPLE_LOAD5,
	SAMPLE_LOAD15,
	SAMPLE_N_CPUS,
	SAMPLE_MEM_TOTAL_KB,
	SAMPLE_N_LEFT_OUT,
	SAMPLE_FIRST_READING,
	/* Since version 2. */
	SAMPLE_FIRST_TASK,
	SAMPLE_N_RUNNING,
	SAMPLE_CPU_ERROR, /* NULL: CPUs and memory were not recorded */
	SAMPLE_MEMORY_ERROR,
	SAMPLE_MEMORY_KB,
	SAMPLE_MEMORY_FREE_KB,
	SAMPLE_MEMORY_AVAILABLE_KB,
	SAMPLE_SWAP_KB,
	SAMPLE_SWAP_FREE_KB,
	/* Since version 7. */
	SAMPLE_TICK_NS,
	N_SAMPLE_COLUMNS
};

/* The columns that all readings have. */
enum record_column {
	COLUMN_ID,
	COLUMN_SAMPLE,
	COLUMN_TASK,
	COLUMN_PREVIOUS,
	COLUMN_COUNTS_NS,
	COLUMN_FACTS_NS,
	COLUMN_COUNTS_US,
	COLUMN_FACTS_US,
	COLUMN_FACTS_READ,
	COLUMN_STATE,
	COLUMN_FLAGS,
	COLUMN_UNREAD,
	N_FIXED_COLUMNS
};

/* Bits of the column flags; the bits above them are enum count_state. */
#define RECORD_DEAD     1
#define RECORD_GAP      2
#define RECORD_LOST     4
#define RECORD_ENDED    8
#define RECORD_COUNTED  16 /* has counts */
#define RECORD_COUNTING 5  /* the shift of enum count_state */

struct record_layout {
	int64_t id;
	int64_t set;                  /* id of the set of events; 0: none */
	struct sample_events *events; /* a reference; NULL: none */
	struct fact_set facts;        /* numbers only */
	bool single;                  /* has one slot for each event */
	bool moved;                   /* has a moved count for each event */
	int n_slots;
	uint8_t slot[SAMPLE_MAX_EVENTS]; /* the slot of each event */
};

/* Parses names of facts, separated by blanks, into *out; false: one of them is unknown. */
bool record_facts_parse(const char *text, struct fact_set *out);
/* Takes a reference to the events. */
void record_layout_init(struct record_layout *l, const struct sample_events *events,
			struct fact_set facts, bool single);
void record_layout_done(struct record_layout *l);
/* Return the number of columns, and the index of the first column of facts, counts, slots and moved
 * counts. */
int record_layout_n(const struct record_layout *l);
int record_layout_facts(const struct record_layout *l);
int record_layout_counts(const struct record_layout *l);
int record_layout_slots(const struct record_layout *l);
int record_layout_moved(const struct record_layout *l);
/* Appends the names of all columns: "id, sample, ...". */
void record_layout_names(const struct record_layout *l, struct strbuf *out);
/* Appends the CREATE TABLE statement. */
void record_layout_declare(const struct record_layout *l, struct strbuf *out);

#endif
