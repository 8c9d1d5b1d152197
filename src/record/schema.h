/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema - what a recording is: its tables, and the columns of readings. doc/recording.md explains
 * them to people.
 *
 * Layouts. Each reading is a row of the table reading_N of its layout: a set of events, the facts
 * that there is room for, and its time slots. All events of one slot were enabled and running at
 * the same time, as the events of a group on one kind of cores are; of readings where that is not
 * so, each event has a slot of its own (single).
 *
 * Readings of which counts were told of other rows before (sample.h) have layouts of their own.
 *
 * NULL. A fact that is NULL is unknown. A count that is NULL is 0, and so is one that moved, and
 * the enabled time of a slot; a running time that is NULL is that for which it was enabled.
 *
 * Endings. What a command has done is between two readings of its row, which are of no sample.
 */
#ifndef RECORD_SCHEMA_H
#define RECORD_SCHEMA_H

#include <stdint.h>

#include "base/strbuf.h"
#include "model/sample.h"

#define RECORD_APPLICATION 0x74707470
#define RECORD_VERSION     7

/* Step i makes version i + 1 of version i, and version 1 of an empty file. All of them make the
 * tables of a new file, but for those of layouts; the last ones bring an older file up to date. */
extern const char *const record_schema[RECORD_VERSION];

/* The columns of the table sample, in their order. */
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
	SAMPLE_CPU_ERROR, /* NULL: nobody wanted to know of CPUs and memory */
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

/* Bits of flags; above them, enum count_state. */
#define RECORD_DEAD     1
#define RECORD_GAP      2
#define RECORD_LOST     4
#define RECORD_ENDED    8
#define RECORD_COUNTED  16 /* it has counts */
#define RECORD_COUNTING 5  /* by how many bits the state is shifted */

struct record_layout {
	int64_t id;
	int64_t set;                  /* of the events; 0: there are none */
	struct sample_events *events; /* NULL: there are none */
	fact_mask facts;              /* numbers only */
	bool single;
	bool moved; /* of each event, what was told of other rows before */
	int n_slots;
	uint8_t slot[SAMPLE_MAX_EVENTS]; /* of each event */
};

/* Returns the facts whose names are in the text, with a blank between two, in *out; false where one
 * of them is not known. */
bool record_facts_parse(const char *text, fact_mask *out);
/* Takes a reference to the events. */
void record_layout_init(struct record_layout *l, const struct sample_events *events,
			fact_mask facts, bool single);
void record_layout_done(struct record_layout *l);
/* The number of columns, and where those of facts, counts, slots and moved counts begin. */
int record_layout_n(const struct record_layout *l);
int record_layout_facts(const struct record_layout *l);
int record_layout_counts(const struct record_layout *l);
int record_layout_slots(const struct record_layout *l);
int record_layout_moved(const struct record_layout *l);
/* Appends the name of a column. */
void record_layout_name(const struct record_layout *l, int column, struct strbuf *out);
/* Appends the names of all columns: "id, sample, ...". */
void record_layout_names(const struct record_layout *l, struct strbuf *out);
/* Appends the statement that makes the table. */
void record_layout_declare(const struct record_layout *l, struct strbuf *out);

#endif
