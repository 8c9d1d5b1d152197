/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - the regions that a thread is in, and what it has counted of each.
 *
 * A stack of frames has the readings at the begin of each region that goes on. Its top is raised
 * before a frame is filled, and lowered behind all else, so that a signal handler that measures
 * regions in between finds a stack that it can use, and leaves it as it was. Below the first frame,
 * and above the last one, stands a frame of no region, so that one look at the top tells all that
 * is not usual. A handler that comes
 * while a row is written must not write it, too: what it has counted waits until that is done.
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
 * It happens at the end of each call, so a call that is like most others writes little: what can be
 * computed from other sums when somebody reads the row is not kept.
 */

/* One call, where it is not like most others. What stands in [0] is the time, in ticks. */
struct tt_call {
	struct table_row *row;
	bool outermost; /* else the region is in itself, and this call is no part of the sum */
	bool has_inner; /* there were regions in it */
	bool waited;    /* what was counted meanwhile is not its own */
	uint64_t n_inner, n_within; /* how many, directly and in all */
	uint32_t known;             /* bit i: quantity i has a number */
	uint32_t scaled;            /* bit i: that is an estimate */
	uint32_t off;               /* bit i: it has none, as the counter was not on the PMU */
	uint64_t total[1 + TABLE_EVENTS], inner[1 + TABLE_EVENTS];
	/* Of estimates: the part that was not counted, and for how many ticks. */
	uint64_t estimated[1 + TABLE_EVENTS], missed[1 + TABLE_EVENTS];
};

/* Which bucket a number is in. No count has 2^63 and more: one that had would be in a wrong one. */
static inline unsigned row_bucket(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x << 1 | 1);
}

/* A number of a call that has begun to be written. */
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

/* Sets a number by the readings at the begin and at the end; the time is set before. */
void tt_call_set_number(struct tt_call *call, uint32_t i, const struct tt_value *from,
			const struct tt_value *to);
/* Adds any call. */
void tt_row_add(const struct tt_call *call, uint32_t n_events);

/* ---- thread ---- */

#define THREAD_DEPTH 512 /* memory that is only touched where it is used */
/* Calls that end in signal handlers amid the writing of a row: more are counted as too deep. */
#define THREAD_WAITING 8

/* A call that goes on. What it reads at its end stands here, too: a handler has frames of its own.
 */
struct tt_frame {
	uint32_t id;
	bool plain;     /* all that was read at its begin is exact, and read in user space */
	bool has_inner; /* there were regions in it */
	struct table_row *row;
	uintptr_t stack, code; /* where it has begun: see abandoned.h */
	uint64_t ticks;
	struct tt_value from[TT_MAX_EVENTS], to[TT_MAX_EVENTS];
	uint64_t inner[1 + TABLE_EVENTS];
	uint64_t n_inner, n_within; /* calls in it that have ended: directly, and in all */
};

struct tt_thread {
	volatile uint32_t *fork_page; /* see counters.h */
	uint32_t fork_mark;
	bool quick;  /* steady, and there is nothing to catch up with: thread_is_quick() */
	bool steady; /* the time stamp counter is a clock */
	bool behind; /* regions were reset, which the rows are not yet */
	volatile bool writing;         /* a row is being written */
	struct tt_frame *volatile top; /* the next one that is free */
	struct tt_frame *limit;        /* the one above the last one */
	struct tt *counters;           /* NULL: only the time is measured */
	reader_t read;                 /* that of the counters */
	uint32_t n_events;
	unsigned n_waiting, n_frameless; /* calls above the last frame */
	struct table_slot *slot;         /* its first one */
	struct tt_slots slots;
	uintptr_t stack_low, stack_high; /* the bounds of its stack */
	bool report_waits; /* a handler wants the report, but a row is being written */
	struct tt_call waiting[THREAD_WAITING]; /* row NULL: it stands for the report */
	struct tt own_counters;
	struct tt_frame frame[1 + THREAD_DEPTH + 1];
	/* By the numbers of regions; NULL: this thread has not begun it. It lies behind the last
	 * frame, which is written, too, so that the few first ones take no memory of their own. */
	struct table_row *row[1 + REGIONS_NO_ROOM];
};

/* What the frames around the stack have: no region has this number. */
#define THREAD_NO_REGION UINT32_MAX
/* What a frame has whose call was left without its end, or has ended below others. */
#define THREAD_ABANDONED (UINT32_MAX - 1)
/* What a frame has whose call may wait while its thread does something else: it stays on the stack
 * where others end around it, and has no place there. */
#define THREAD_ASYNC (UINT32_MAX - 2)

static inline uint64_t thread_read_ticks(bool steady)
{
	return __builtin_expect(steady, 1) ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

/* Other threads say that there is something to catch up with, at any time. */
static inline bool thread_is_quick(const struct tt_thread *t)
{
	return ARCH_LOAD_FLAG(t->quick);
}

/* What a reader has left out, where it said that all is exact. */
static inline void thread_complete(const struct tt_thread *t, bool plain, struct tt_value value[])
{
	if (plain && t->counters)
		page_complete((int)t->n_events, t->counters->mark, value);
}

/* The number of a region; 0: none has begun it. The first threads that do so may be several. */
static inline uint32_t thread_region_id(const struct tt_region *region)
{
	return __atomic_load_n(&region->id, __ATOMIC_RELAXED);
}

/* Before any region. */
void tt_thread_prepare(void);
/* Makes what the calling thread needs, at its first region, or that of a child that was not made by
 * fork(). Its slot is NULL where there is no room for it. */
__attribute__((cold)) struct tt_thread *tt_thread_enter(void);
/* Returns the row of a region; NULL: there is no room for it. What was reset is 0 then. */
struct table_row *tt_thread_find_row(struct tt_thread *t, struct tt_region *region);
/* Where the calling thread is writing a row, in a handler that has interrupted it: the report is
 * written behind that. False: it is not. */
bool tt_thread_defer_report(void);
/* Whether the calling thread is writing a row, in a handler that has interrupted it. */
bool tt_thread_is_writing(void);
/* A child of fork(): the calling thread begins anew, the others are not there. */
void tt_thread_forget(void);

/* ---- overhead ----
 *
 * What an empty region costs, which is in each call.
 */

/* Notes it in the table, by this thread; and what one adds to the region around it. */
void tt_overhead_measure(struct tt_thread *t);

#endif
