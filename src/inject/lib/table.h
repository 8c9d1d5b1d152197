/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - what the regions of a process have counted, as it stands in memory and in the file that
 * tiptop reads while the process runs.
 *
 *   struct table_header, struct container_directory (container.h)
 *   struct table_region [TABLE_REGIONS]      region i has the label of entry i
 *   slot 0                                   what threads that have ended have left
 *   slot 1 .. TABLE_SLOTS - 1                one for each thread that lives
 *
 * A slot is a struct table_slot and TABLE_BLOCK rows of header.row_size bytes, at
 * table_slot_offset(): those of the regions of one block. A thread takes further slots for further
 * blocks, when it begins a region of them; so do those that have ended. A row is a struct table_row
 * and header.n_events + 1 struct table_quantity, the first of which is the time, in ticks:
 * header.ns_per_tick / 2^32 ns each.
 *
 * Most of the file is a hole: pages that no thread has used take no memory.
 *
 * Writing: only its thread writes a row; slot 0 has no sequences. container.sequence is odd while
 * the rows of a thread that ends go to slot 0. A label is there once its `epoch` is not 0. A region
 * that is reset gets another epoch: rows of earlier ones are not counted.
 *
 * A change of the layout is another TABLE_LAYOUT.
 */
#ifndef INJECT_LIB_TABLE_H
#define INJECT_LIB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"

#define TABLE_KIND      "regions"
#define TABLE_LAYOUT    8
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
/* In the place of a thread: what those that have ended have left. Slot 0 does without. */
#define TABLE_ENDED UINT32_MAX
/* Longer than the sentences why an event is not counted. */
#define TABLE_REASON_MAX 240
#define TABLE_UNITS      4 /* of work */
#define TABLE_UNIT_MAX   32
/* How its name begins, in the folder of the user's files; behind it stand pid and a number. */
#define TABLE_FILE_PREFIX "tiptop-regions."
/* What it is called where no file can be made. */
#define TABLE_MEMORY_NAME "tiptop-regions"

struct table_event {
	char name[TABLE_NAME_MAX];
	uint32_t state; /* enum tt_state: how the first thread could read it */
	/* Threads whose descriptor of it the program has closed: it is not counted from then on. */
	uint32_t n_closed;
	/* What an empty region counts, which is in each call; and what one in another region adds
	 * to that, its begin and its end included. */
	uint64_t overhead, inner_overhead;
	/* Why it is not counted, by the counters of the first thread; "": it is. */
	char reason[TABLE_REASON_MAX];
};

struct table_header {
	struct container container;
	uint32_t row_size;
	uint32_t n_events;
	uint64_t ns_per_tick; /* of 2^32 */
	uint64_t overhead_ticks, inner_overhead_ticks;
	uint32_t n_regions;   /* labels that are taken */
	uint32_t n_homeless;  /* threads that had no slot */
	uint32_t n_unseen;    /* pieces that the file had no room for: only the process has them */
	uint32_t n_unlabeled; /* regions that had no room: their labels were too many */
	uint32_t n_cut;       /* labels that were too long */
	uint32_t is_private;  /* the table is not in the file: only its process can read it */
	uint32_t subtract;    /* what measuring costs is left out of reports */
	uint32_t padding;
	/* When the process began, when it made the table, and when it ended by exit(3), where
	 * tiptop reports it (keeper.h); 0: it has not. In ns of CLOCK_REALTIME. */
	uint64_t wall_start, wall_begin, wall_end;
	char program[TABLE_NAME_MAX], host[TABLE_HOST_MAX];
	char rank[TABLE_RANK_MAX]; /* that MPI has given it, in digits; "": none is known */
	/* What the program calls its work; and how often a unit of it had no room. */
	char unit[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n_units, n_unitless;
	uint32_t padding2;
	struct table_event event[TABLE_EVENTS];
};

/* A label that is too long ends in '~' and the hash of all of it, so that it stays one of its own.
 */
struct table_region {
	char label[TABLE_LABEL_MAX];
	uint32_t epoch;
};

struct table_slot {
	uint32_t tid;         /* 0: free */
	uint32_t block;       /* its first row is that of region TABLE_BLOCK * block */
	uint64_t n_unmatched; /* ends of calls that did not go on */
	uint64_t n_abandoned; /* regions that were left without their end */
	uint64_t n_too_deep;  /* begins that had no room above the others */
	uint64_t n_rowless;   /* calls without a row: there was no label, slot or memory for it */
};

/* What one region counted of one event, x in each call, in one thread. Where a call has no number
 * it is in n_unknown alone. What else there is to say follows from it: see table_n() and so on. */
struct table_quantity {
	uint64_t n_unknown;
	/* Those of them in which the counter was not on the PMU, as the kernel had given it to
	 * others: what the other calls counted stands for them, too. */
	uint64_t n_off;
	uint64_t base, shifted; /* x of the first call; Σ(x − base), as an int64_t */
	double squares;         /* Σ(x − base)² */
	uint64_t min, max;      /* of a call; min > max: none has a number */
	uint64_t inner;         /* Σ of what the regions in it counted */
	uint64_t nested;        /* Σx of calls inside of another one of the same region */
	/* Calls whose x is an estimate, as the kernel gave the counter to others for a part of the
	 * time; what of Σx was not counted; and how many ticks there was no counter, those of n_off
	 * included: of all but nested calls. */
	uint64_t n_scaled, estimated, missed;
	uint32_t bucket[TABLE_BUCKETS]; /* [b]: calls with 2^(b−1) <= x < 2^b; [0]: x = 0 */
};

struct table_row {
	uint32_t sequence;
	uint32_t depth;   /* how many of its calls are going on in this thread */
	uint32_t epoch;   /* that of its region, when it began to count */
	uint32_t id;      /* of its region, from 1 on */
	uint32_t n_async; /* those of `depth` that may wait, and be in no order */
	uint32_t padding;
	uint64_t calls;
	uint64_t n_waited; /* of them, those in which the thread did something else, too */
	uint64_t n_nested; /* of them, those inside of another one of the same region */
	/* Calls of regions that were in these directly; and in all, those in nested calls left out.
	 */
	uint64_t n_inner, n_within;
	uint64_t work[TABLE_UNITS]; /* what the program says that it has done */
};

static inline size_t table_row_size(uint32_t n_events)
{
	return sizeof(struct table_row) + (n_events + 1) * sizeof(struct table_quantity);
}

static inline size_t table_region_offset(void)
{
	return container_end(sizeof(struct table_header));
}

/* A multiple of the size of a page, so that a thread can map its own. */
static inline size_t table_slot_size(uint32_t row_size, size_t page)
{
	size_t size = sizeof(struct table_slot) + (size_t)TABLE_BLOCK * row_size;

	return (size + page - 1) / page * page;
}

static inline size_t table_slot_offset(uint32_t row_size, size_t page, unsigned slot)
{
	size_t head = table_region_offset() + TABLE_REGIONS * sizeof(struct table_region);

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
/* Where all sections are but the header, in a file of these numbers. */
void tt_table_places(struct container_place place[TABLE_SECTIONS - 1], uint32_t n_events,
		     size_t page);

/* Adds what one thread counted to what others have: both are of the same events. */
void tt_table_add(struct table_row *to, const struct table_row *from, uint32_t n_events);

static inline struct table_quantity *table_quantity(struct table_row *row, uint32_t i)
{
	return (struct table_quantity *)(void *)(row + 1) + i;
}

/* How many calls have a number. */
static inline uint64_t table_n(const struct table_row *row, const struct table_quantity *q)
{
	return row->calls > q->n_unknown ? row->calls - q->n_unknown : 0;
}

/* What all calls counted, without those that are in another one of the same region. */
static inline uint64_t table_sum(const struct table_row *row, const struct table_quantity *q)
{
	return q->base * table_n(row, q) + q->shifted - q->nested;
}

/* By how much more all calls have counted, if it was as in the time that was counted; 0: none of it
 * was. time: what stands in [0]. */
static inline double table_scale(const struct table_row *row, const struct table_quantity *time,
				 const struct table_quantity *q)
{
	const uint64_t all = table_sum(row, time);

	if (!q->missed)
		return 1;
	return q->missed < all ? (double)all / (double)(all - q->missed) : 0;
}

/* What they counted outside of the regions in them. */
static inline uint64_t table_self(const struct table_row *row, const struct table_quantity *q)
{
	const uint64_t all = q->base * table_n(row, q) + q->shifted;

	/* Of estimates, the part may be more than all. */
	return all > q->inner ? all - q->inner : 0;
}

#endif
