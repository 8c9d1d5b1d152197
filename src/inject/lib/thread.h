/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - the calls of regions in progress in a thread, and the thread's numbers of each region.
 *
 * A stack of frames holds the readings at the begin of each call in progress. The top is raised
 * before a frame is filled, and lowered after all else is done, so that a signal handler that
 * measures regions in between finds a valid stack and leaves it as it was. Below the first frame
 * and above the last one there is a frame of no region, so that one check of the top detects all
 * unusual cases. A handler that interrupts the writing of a row must not write to it, too: its
 * calls wait until that is done.
 */
#ifndef INJECT_LIB_THREAD_H
#define INJECT_LIB_THREAD_H

#include <stdbool.h>
#include <tiptop.h>

#include "base/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "inject/lib/table.h"

/* ---- row ----
 *
 * Adds calls of a region to its row in the table (table.h).
 *
 * This happens at the end of each call, so an ordinary call writes little: sums that readers can
 * compute from other sums are not kept.
 */

/* A call that is not ordinary. Index 0 of the arrays is the time, in ticks. */
struct tt_call {
	struct table_row *row;
	bool outermost; /* false: inside another call of its region, so it is not part of the sum */
	bool has_inner; /* there were regions inside */
	bool waited;    /* the thread did something else in between, so the counts are unknown */
	uint64_t n_inner, n_within; /* regions inside, directly and at any depth */
	uint32_t known;             /* bit i: quantity i has a number */
	uint32_t scaled;            /* bit i: the number is scaled */
	uint32_t off;               /* bit i: no number, as the counter was not on the PMU */
	uint64_t total[1 + TABLE_EVENTS], inner[1 + TABLE_EVENTS];
	/* Of scaled numbers: the part that scaling added, and the ticks without a counter. */
	uint64_t estimated[1 + TABLE_EVENTS], missed[1 + TABLE_EVENTS];
};

/* Returns the bucket of a number. Numbers from 2^63 on, which no count has, would get a wrong one.
 */
static inline unsigned row_bucket(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x << 1 | 1);
}

/* Adds a number of a call to a row that is being written. */
static inline void row_add_number(struct table_quantity *q, uint64_t x)
{
	const uint64_t off = x - q->base;
	const double distance = (double)(int64_t)off;

	q->shifted += off;
	q->squares += distance * distance;
	if (__builtin_expect(x < q->min || x > q->max, 0)) {
		q->min = x < q->min ? x : q->min;
		q->max = x > q->max ? x : q->max;
	}
	q->bucket[row_bucket(x)]++;
}

/* Sets number i of a call from the readings at its begin and end. total[0], the time, must be set.
 */
void tt_call_set_number(struct tt_call *call, uint32_t i, const struct tt_value *from,
			const struct tt_value *to);
/* Adds a call of any kind to its row. */
void tt_row_add(const struct tt_call *call, uint32_t n_events);

/* ---- thread ---- */

#define THREAD_DEPTH 512 /* the most frames; memory is used only as far as they are */
/* The most calls that may end in signal handlers during the writing of a row; more are counted in
 * n_too_deep. */
#define THREAD_WAITING 8

/* A call in progress. It also holds the readings at the end, so that a handler, which has frames of
 * its own, does not overwrite them.
 */
struct tt_frame {
	uint32_t id;
	bool plain;     /* all numbers at the begin are exact and were read in user space */
	bool has_inner; /* there were regions inside */
	struct table_row *row;
	uintptr_t stack, code; /* where the call began: see abandoned.h */
	uint64_t ticks;
	struct tt_value from[TT_MAX_EVENTS], to[TT_MAX_EVENTS];
	uint64_t inner[1 + TABLE_EVENTS];
	uint64_t n_inner, n_within; /* finished calls inside, directly and at any depth */
};

struct tt_thread {
	volatile uint32_t *fork_page; /* see counters.h */
	uint32_t fork_mark;
	bool quick;            /* the fast path may be used: steady, and nothing to catch up with */
	bool steady;           /* the time stamp counter is the clock */
	bool behind;           /* regions were reset, but their rows in this thread are not yet */
	volatile bool writing; /* a row is being written */
	struct tt_frame *volatile top; /* the next free frame */
	struct tt_frame *limit;        /* the frame above the last one */
	struct tt *counters;           /* NULL: only the time is measured */
	reader_t read;                 /* the reader of the counters */
	uint32_t n_events;
	unsigned n_waiting, n_frameless; /* n_frameless: calls without a frame */
	struct table_slot *slot;         /* the first one */
	struct tt_slots slots;
	uintptr_t stack_low, stack_high; /* the bounds of its stack */
	bool report_waits; /* a handler requested the report while a row was being written */
	struct tt_call waiting[THREAD_WAITING]; /* row NULL: only the report waits */
	struct tt own_counters;
	struct tt_frame frame[1 + THREAD_DEPTH + 1];
	/* The rows, by the numbers of regions; NULL: not begun in this thread. The array follows
	 * the last frame, which is written anyway, so its first elements take no extra memory. */
	struct table_row *row[1 + REGIONS_NO_ROOM];
};

/* The id of the frames below and above the stack; no region has this number. */
#define THREAD_NO_REGION UINT32_MAX
/* The id of a frame whose call was left without its end, or has ended below other frames. */
#define THREAD_ABANDONED (UINT32_MAX - 1)
/* The id of a frame of an asynchronous call, which may wait while its thread does something else:
 * the frame stays on the stack while others around it end, and has no height there. */
#define THREAD_ASYNC (UINT32_MAX - 2)

static inline uint64_t thread_read_ticks(bool steady)
{
	return __builtin_expect(steady, 1) ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

/* Another thread may clear the flag at any time. */
static inline bool thread_is_quick(const struct tt_thread *t)
{
	return ARCH_LOAD_FLAG(t->quick);
}

/* Sets the members of values that a reader leaves out if all numbers are exact. */
static inline void thread_complete(const struct tt_thread *t, bool plain, struct tt_value value[])
{
	if (plain && t->counters)
		page_complete((int)t->n_events, t->counters->mark, value);
}

/* Returns the number of a region; 0: not begun yet. Several threads may find 0 at the same time. */
static inline uint32_t thread_region_id(const struct tt_region *region)
{
	return __atomic_load_n(&region->id, __ATOMIC_RELAXED);
}

/* Initializes the module; called before any region. */
void tt_thread_prepare(void);
/* Makes the state of the calling thread at its first region, or at the first one in a child that
 * was not created by fork(). Never NULL; without room for the thread, its slot is NULL. */
__attribute__((cold)) struct tt_thread *tt_thread_enter(void);
/* Returns the row of a region, already reset if the region was; NULL: no room for it. */
struct table_row *tt_thread_find_row(struct tt_thread *t, struct tt_region *region);
/* Defers the report until the row is written, in a signal handler that interrupted the writing of a
 * row. Returns false if no row is being written. */
bool tt_thread_defer_report(void);
/* Returns whether this is a signal handler that interrupted the writing of a row. */
bool tt_thread_is_writing(void);
/* In a child of fork(): resets the state of the calling thread, the only one there. */
void tt_thread_forget(void);

/* ---- overhead ----
 *
 * Measures the cost of an empty region, which is part of each call.
 */

/* Measures the cost of an empty region, and what it adds to the region around it, on this thread;
 * writes both into the table. */
void tt_overhead_measure(struct tt_thread *t);

#endif
