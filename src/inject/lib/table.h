/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - the counts of the regions of a process: the layout in memory, and in the file that tiptop
 * reads while the process runs.
 *
 *   struct table_header, struct container_directory (container.h)
 *   struct table_region [TABLE_REGIONS]      entry i has the label of region i + 1
 *   slot 0                                   the sums of exited threads
 *   slot 1 .. TABLE_SLOTS - 1                one for each living thread
 *
 * A slot, at table_slot_offset(), is a struct table_slot and TABLE_BLOCK rows of header.row_size
 * bytes: those of the regions of one block. A thread takes a further slot when it begins a region
 * of a further block. The sums of exited threads take further slots, too. A row is a struct
 * table_row and header.n_events + 1 struct table_quantity. The first quantity is the time, in ticks
 * of header.ns_per_tick / 2^32 ns.
 *
 * Most of the file is a hole: pages that no thread has used take no memory.
 *
 * Writing: a row is written by its thread only, while the row's sequence is odd; `depth`, `n_async`
 * and `work` are written at any time. The rows of exited threads are changed while
 * container.sequence is odd: when the rows of an exiting thread are added to them, and at a reset.
 * A label is valid once its `epoch` is not 0. A region that is reset gets a new epoch: rows of
 * earlier epochs do not count.
 *
 * A change of the layout needs another TABLE_LAYOUT.
 */
#ifndef INJECT_LIB_TABLE_H
#define INJECT_LIB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"

#define TABLE_KIND      "regions"
#define TABLE_LAYOUT    9
#define TABLE_EVENTS    8
#define TABLE_BLOCK     1024
#define TABLE_BLOCKS    64
#define TABLE_REGIONS   65536
#define TABLE_SLOTS     65537
#define TABLE_BUCKETS   64
#define TABLE_LABEL_MAX 124
#define TABLE_NAME_MAX  64
#define TABLE_HOST_MAX  68
#define TABLE_RANK_MAX  16
/* The tid in the slots with the sums of exited threads, except slot 0. */
#define TABLE_ENDED UINT32_MAX
/* More than the longest sentence why an event is not counted. */
#define TABLE_REASON_MAX 240
#define TABLE_UNITS      4 /* of work */
#define TABLE_UNIT_MAX   32
/* The prefix of the file's name; pid and a number follow. */
#define TABLE_FILE_PREFIX "tiptop-regions."
/* The name of the memfd that is used if no file can be made in a folder. */
#define TABLE_MEMORY_NAME "tiptop-regions"

struct table_event {
	char name[TABLE_NAME_MAX];
	uint32_t state; /* enum tt_state: how the first thread could read the event */
	/* Threads in which the program has closed the event's descriptor: these threads do not
	 * count the event from then on. */
	uint32_t n_closed;
	/* Threads that could not open the event's counter, although the first thread could. */
	uint32_t n_refused;
	uint32_t padding;
	/* overhead: the count of an empty region, which is part of each call. inner_overhead: the
	 * count that an empty region, including its begin and end, adds to the region around it. */
	uint64_t overhead, inner_overhead;
	/* Why the event is not counted, or not in the requested modes, from the counters of the
	 * first thread; "": it is counted as requested. */
	char reason[TABLE_REASON_MAX];
	char refusal[TABLE_REASON_MAX]; /* why the first of the n_refused threads could not */
};

struct table_header {
	struct container container;
	uint32_t row_size;
	uint32_t n_events;
	uint64_t ns_per_tick;                          /* in units of 2^-32 ns */
	uint64_t overhead_ticks, inner_overhead_ticks; /* of the time, like those of an event */
	uint32_t n_regions;                            /* labels in use */
	uint32_t n_homeless;                           /* threads that had no slot */
	uint32_t n_unseen;    /* parts of the table for which the file had no room: only the process
				 has them */
	uint32_t n_unlabeled; /* regions for whose labels there was no room */
	uint32_t n_cut;       /* labels that were too long */
	uint32_t is_private;  /* the table is not in the file: only its process can read it */
	uint32_t subtract;    /* reports subtract the cost of measuring */
	uint32_t padding;
	/* In ns of CLOCK_REALTIME: when the process began; when it made the table; and when it
	 * called exit(3), written only if a keeper reports the process (run/command_output.h), else
	 * 0.
	 */
	uint64_t wall_start, wall_begin, wall_end;
	char program[TABLE_NAME_MAX], host[TABLE_HOST_MAX];
	char rank[TABLE_RANK_MAX]; /* from MPI or another launcher, in digits; "": unknown */
	/* The units of work; and how often work was recorded in a unit that was refused: no room,
	 * or an empty or too long text. */
	char unit[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n_units, n_unitless;
	uint32_t padding2;
	struct table_event event[TABLE_EVENTS];
};

/* A region. A label that is too long ends in '~' and the hash of the whole label, so that it stays
 * unique.
 */
struct table_region {
	char label[TABLE_LABEL_MAX];
	uint32_t epoch;
};

struct table_slot {
	uint32_t tid;         /* 0: free */
	uint32_t block;       /* the first row is that of region TABLE_BLOCK * block + 1 */
	uint64_t n_unmatched; /* ends without a call in progress */
	uint64_t n_abandoned; /* calls that were left without their end */
	uint64_t n_too_deep;  /* calls without a frame or, in signal handlers, without room in the
				 queue (thread.h) */
	uint64_t n_rowless;   /* calls without a row, for lack of a label, slot or memory */
};

/* The sums of one event over the calls of one region in one thread; x is the count of a call. A
 * call without a number adds to n_unknown and, if its counter was off, to n_off and `missed`. Other
 * figures are derived: see table_n() and the functions below it. */
struct table_quantity {
	uint64_t n_unknown;
	/* Those of n_unknown in which the counter was not on the PMU because of multiplexing: these
	 * calls are extrapolated from the others. */
	uint64_t n_off;
	uint64_t base, shifted; /* x of the first call, 0 if unknown; Σ(x − base), as an int64_t */
	double squares;         /* Σ(x − base)² */
	uint64_t min, max;      /* of x; min > max: no call has a number */
	uint64_t inner;  /* Σ of the counts of regions inside the calls; of those during which
			    the counter was off, estimates */
	uint64_t nested; /* Σx of calls inside another call of the same region */
	/* n_scaled: calls whose x is scaled, as the counter was multiplexed. estimated: the part of
	 * Σx that scaling added. missed: the ticks in which the event was not counted, including
	 * n_off calls. Nested calls are left out of estimated and missed. */
	uint64_t n_scaled, estimated, missed;
	uint32_t bucket[TABLE_BUCKETS]; /* [b]: calls with 2^(b−1) <= x < 2^b; [0]: x = 0 */
};

struct table_row {
	uint32_t sequence;
	uint32_t depth;   /* calls in progress in this thread */
	uint32_t epoch;   /* the epoch of the region whose calls are counted */
	uint32_t id;      /* the number of the region, from 1 on */
	uint32_t n_async; /* the asynchronous calls among `depth`, which may wait and end in any
			     order */
	uint32_t padding;
	uint64_t calls;
	uint64_t n_waited; /* asynchronous calls during which the thread ran other tasks */
	uint64_t n_nested; /* calls inside another call of the same region */
	/* Calls of regions directly inside the calls of this row; and at any depth inside those
	 * that are not nested. */
	uint64_t n_inner, n_within;
	uint64_t work[TABLE_UNITS]; /* recorded by the program, for each unit */
};

static inline size_t table_row_size(uint32_t n_events)
{
	return sizeof(struct table_row) + (n_events + 1) * sizeof(struct table_quantity);
}

/* Words that have room for any row. */
#define TABLE_ROW_WORDS 512
_Static_assert(sizeof(struct table_row) + (1 + TABLE_EVENTS) * sizeof(struct table_quantity) <=
		       sizeof(uint64_t[TABLE_ROW_WORDS]),
	       "a row has room");

/* The file up to the slots. */
struct table_head {
	struct table_header header;
	struct container_directory directory;
	struct table_region region[TABLE_REGIONS];
};
_Static_assert(offsetof(struct table_head, directory) == sizeof(struct table_header),
	       "the directory follows the header");

static inline size_t table_region_offset(void)
{
	return offsetof(struct table_head, region);
}

/* Returns a multiple of the page size, so that a thread can map its own slot. */
static inline size_t table_slot_size(uint32_t row_size, size_t page)
{
	size_t size = sizeof(struct table_slot) + (size_t)TABLE_BLOCK * row_size;

	return (size + page - 1) / page * page;
}

static inline size_t table_slot_offset(uint32_t row_size, size_t page, unsigned slot)
{
	size_t head = sizeof(struct table_head);

	return (head + page - 1) / page * page + slot * table_slot_size(row_size, page);
}

_Static_assert(TABLE_REGIONS == TABLE_BLOCK * TABLE_BLOCKS, "blocks have all regions");

enum table_section {
	TABLE_HEADER,
	TABLE_EVENT,
	TABLE_REGION,
	TABLE_SLOT,
	TABLE_ROW,
	TABLE_QUANTITY,
	TABLE_SECTIONS
};

extern const struct container_plan tt_table_plan;
/* Sets the places of all sections but the header, for this number of events. */
void tt_table_places(struct container_place place[TABLE_SECTIONS - 1], uint32_t n_events,
		     size_t page);

/* Adds the row of one thread to a sum; both have the same events. */
void tt_table_add(struct table_row *to, const struct table_row *from, uint32_t n_events);

static inline struct table_quantity *table_quantity(struct table_row *row, uint32_t i)
{
	return (struct table_quantity *)(void *)(row + 1) + i;
}

/* Returns how many calls have a number. */
static inline uint64_t table_n(const struct table_row *row, const struct table_quantity *q)
{
	return row->calls > q->n_unknown ? row->calls - q->n_unknown : 0;
}

/* Returns the sum over all calls, without those inside another call of the same region. */
static inline uint64_t table_sum(const struct table_row *row, const struct table_quantity *q)
{
	return q->base * table_n(row, q) + q->shifted - q->nested;
}

/* Returns the factor that extrapolates the sum to the time in which the event was not counted; 0:
 * it was never counted. time: quantity 0 of the row. */
static inline double table_scale(const struct table_row *row, const struct table_quantity *time,
				 const struct table_quantity *q)
{
	const uint64_t all = table_sum(row, time);

	if (!q->missed)
		return 1;
	return q->missed < all ? (double)all / (double)(all - q->missed) : 0;
}

/* Returns the sum over all calls, without the counts of the regions inside these calls. */
static inline uint64_t table_self(const struct table_row *row, const struct table_quantity *q)
{
	const uint64_t all = q->base * table_n(row, q) + q->shifted;

	/* If counts are estimates, the regions inside may have more than the calls themselves. */
	return all > q->inner ? all - q->inner : 0;
}

#endif
