/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - keeps, for each thread, the calls of regions in progress, and the rows with the numbers
 * of its regions.
 *
 * A stack of frames holds the readings at the begin of each call in progress. The top is raised
 * before a frame is filled, and lowered after everything else is done. So a signal handler that
 * measures regions in between finds a valid stack, and leaves it as it was. Below the first frame
 * and above the last one there is a frame of no region, so that one check of the top detects all
 * unusual cases. A handler that interrupts the writing of a row must not write to a row: its calls
 * are queued until the writing is done.
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

/* A call that write_plain() (call.c) cannot write. Index 0 of the arrays is the time, in ticks. */
struct tt_call {
	struct table_row *row;
	bool outermost; /* false: inside another call of the same region, so it is not part of the
			   sum */
	bool has_inner; /* there were regions inside */
	bool waited;    /* the thread ran other tasks meanwhile, so the counts are unknown */
	uint64_t n_inner, n_within; /* calls of regions inside, directly and at any depth */
	uint32_t known;             /* bit i: quantity i has a number */
	uint32_t scaled;            /* bit i: the number is scaled */
	uint32_t off;               /* bit i: no number, as the counter was not on the PMU */
	uint64_t total[1 + TABLE_EVENTS], inner[1 + TABLE_EVENTS];
	/* Of scaled numbers: the part that scaling added, and the ticks in which the event was not
	 * counted. */
	uint64_t estimated[1 + TABLE_EVENTS], missed[1 + TABLE_EVENTS];
};

/* Returns the bucket of a number. Numbers from 2^63 on would get a wrong bucket, but no count is
 * that large. */
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
/* Sets total[i] of a call during which counter i was off to an estimate, by the mean rate of the
 * earlier calls of its region; 0: there are none. Only the enclosing call uses it. total[0], the
 * time, must be set. */
void tt_call_estimate(struct tt_call *call, uint32_t i);
/* Adds a call of any kind to its row. */
void tt_row_add(const struct tt_call *call, uint32_t n_events);

/* ---- thread ---- */

#define THREAD_DEPTH 512 /* the most frames; only frames that were used take memory */
/* The most calls that may end in signal handlers during the writing of a row; more are counted in
 * n_too_deep. */
#define THREAD_WAITING 8

/* A call in progress. The frame also holds the readings at the end of the call: a signal handler
 * uses other frames, so it does not overwrite them. */
struct tt_frame {
	uint32_t id;
	bool plain;     /* all numbers at the begin are exact and were read in user space */
	bool has_inner; /* there were regions inside */
	struct table_row *row;
	uintptr_t stack, code; /* where the call began: see abandoned */
	uint64_t ticks;        /* at the begin */
	struct tt_value from[TT_MAX_EVENTS], to[TT_MAX_EVENTS]; /* at begin and end */
	uint64_t inner[1 + TABLE_EVENTS];
	uint64_t n_inner, n_within; /* finished calls inside, directly and at any depth */
};

struct tt_thread {
	volatile uint32_t *fork_page; /* see counters.h */
	uint32_t fork_mark;
	bool quick;  /* the fast path may be used: the clock is steady, and no reset or restart is
			pending */
	bool steady; /* the time stamp counter is the clock */
	bool behind; /* regions were reset, but this thread's rows of them are not reset yet */
	volatile bool writing;         /* a row is being written */
	struct tt_frame *volatile top; /* the next free frame; limit + 1: calls have no frame */
	struct tt_frame *limit;        /* the frame above the last one */
	struct tt *counters;           /* NULL: only the time is measured */
	reader_t read;                 /* the reader of the counters */
	uint32_t n_events;
	unsigned n_waiting, n_frameless; /* elements of `waiting`; calls without a frame */
	struct table_slot *slot;         /* the slot of the first block */
	struct tt_slots slots;
	uintptr_t stack_low, stack_high; /* the bounds of the thread's stack */
	bool report_waits; /* a handler requested the report while a row was being written */
	struct tt_call waiting[THREAD_WAITING]; /* calls queued by signal handlers; row NULL: no
						   call, only a report is requested */
	struct tt own_counters;
	struct tt_frame frame[1 + THREAD_DEPTH + 1];
	/* The rows, by the numbers of regions; NULL: not begun in this thread. The array follows
	 * the last frame, which is always written, so its first elements take no extra memory. */
	struct table_row *row[1 + REGIONS_NO_ROOM];
};

/* The id of the frames below the first and above the last frame; no region has this number. */
#define THREAD_NO_REGION UINT32_MAX
/* The id of a frame whose call was left without its end, or has ended below other frames. */
#define THREAD_ABANDONED (UINT32_MAX - 1)
/* The id of a frame of an asynchronous call, during which its thread may run other tasks. The frame
 * stays on the stack of frames while other frames around it end. Its stack address is 0. */
#define THREAD_ASYNC (UINT32_MAX - 2)

static inline uint64_t thread_read_ticks(bool steady)
{
	return __builtin_expect(steady, 1) ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

/* Returns t->quick, which another thread may clear at any time. */
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

/* Returns the number of a region; 0: not begun yet. Several threads may get 0 at the same time. */
static inline uint32_t thread_region_id(const struct tt_region *region)
{
	return __atomic_load_n(&region->id, __ATOMIC_RELAXED);
}

/* Initializes the module; called before any region. */
void tt_thread_prepare(void);
/* Makes the state of the calling thread at its first region, or at the first region in a child that
 * was not created by fork(). Never returns NULL: if there is no room for the thread, the slot of
 * the returned state is NULL. */
__attribute__((cold)) struct tt_thread *tt_thread_enter(void);
/* Returns the row of a region; NULL: no room for the row. First resets rows whose regions were
 * reset and have no calls in progress. */
struct table_row *tt_thread_find_row(struct tt_thread *t, struct tt_region *region);
/* In a signal handler that interrupted the writing of a row: queues a call, or NULL for only a
 * report, until the row is written. Returns false if the queue is full. */
bool tt_thread_queue(struct tt_thread *t, const struct tt_call *call);
/* If this is a signal handler that interrupted the writing of a row, defers the report until the
 * row is written. Returns false if no row is being written. */
bool tt_thread_defer_report(void);
/* Returns whether this is a signal handler that interrupted the writing of a row. */
bool tt_thread_is_writing(void);
/* In a child process: forgets the threads and the table of the parent, so that measuring starts
 * from 0. Called without the guard. */
void tt_thread_forget(void);

/* ---- slots ----
 *
 * The slots of threads in the table, and the rows in them. The functions are called under the
 * guard.
 */

/* A thread's placeholder for a row that was reset while calls of its region were in progress. The
 * placeholder's numbers do not count. Its depth is not 0, so each begin takes the slow path, which
 * looks for the real row. */
extern struct table_row *const tt_regions_no_row;

/* Return the number of the next region, from id on, that has a row in this thread, or in the sums
 * of exited threads; 0: none. */
uint32_t tt_regions_next_row(const struct tt_thread *t, uint32_t id);
uint32_t tt_regions_next_ended(uint32_t id);
/* Returns how many calls of a region are in progress in a thread that has a row of it. */
uint32_t tt_regions_depth(const struct tt_thread *t, uint32_t id);
/* Resets a row to 0, for the present epoch of its region. */
void tt_regions_renew_row(struct table_row *row, uint32_t id);

/* ---- overhead ----
 *
 * Measures the cost of an empty region, which is part of each call.
 */

/* Measures, on this thread, the cost of an empty region, and the cost that an empty region adds to
 * the region around it. Writes both into the table. */
void tt_overhead_measure(struct tt_thread *t);

/* ---- abandoned ----
 *
 * Finds calls of regions that were left without their end, by longjmp(3) or an
 * exception.
 *
 * Such a call is noticed when its region begins again, when a region around it ends, or when the
 * thread exits. At a begin, a recursive call must be distinguished: it begins deeper on the stack,
 * or at another place of the same function. A call that begins at the same height from the same
 * place, or higher up, shows that the function of the earlier call has been left. Only heights in
 * the thread's own stack are compared: signal handlers and coroutines may run on other stacks.
 *
 * An abandoned frame is marked by the id THREAD_ABANDONED, and removed when no frame is above it: a
 * signal handler may search for such frames while the code that it interrupted uses the frames
 * above.
 */

/* The place where a region begins. */
struct tt_place {
	uintptr_t stack; /* its height on the stack: the canonical frame address (CFA) */
	uintptr_t code;  /* the return address of the call */
};

/* Marks a frame, unless it is marked already. */
void tt_abandon(struct tt_thread *t, struct tt_frame *f);
/* Marks the calls of a region that must have been left, as the region begins again at `place`.
 * Removes the marked frames that have no other frame above them. */
void tt_abandon_earlier(struct tt_thread *t, const struct tt_region *region,
			const struct tt_place *place);
/* Marks the calls of a region that begins again, if they began before measuring was last started:
 * their ends may have been skipped while it was stopped. Removes the marked frames that have no
 * other frame above them. */
void tt_abandon_stopped(struct tt_thread *t, const struct tt_region *region);
/* Makes room on a full stack of frames. Marks calls that began deeper than `place`, from the
 * uppermost one down to the first that did not. Removes the marked frames that have no other frame
 * above them. */
void tt_abandon_deeper(struct tt_thread *t, const struct tt_place *place);
/* Removes the marked frames right below `top`, and sets the top of the thread's frames accordingly.
 */
void tt_abandoned_pop(struct tt_thread *t, struct tt_frame *top);

/* Returns whether the innermost call in progress is of region `id` and began higher up the stack
 * than at `stack`. This is the usual kind of recursion. */
static inline bool tt_is_recursion(const struct tt_thread *t, uint32_t id, uintptr_t stack)
{
	const struct tt_frame *f = t->top - 1;

	return f->id == id && f->stack > stack;
}

#endif
