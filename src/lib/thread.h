/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread - the regions that a thread is in, and what it has counted of each.
 *
 * A stack of frames has the readings at the begin of each region that goes on. Its depth is raised
 * before a frame is filled, and lowered behind all else, so that a signal handler that measures
 * regions in between finds a stack that it can use, and leaves it as it was. A handler that comes
 * while a row is written must not write it, too: what it has counted waits until that is done.
 */
#ifndef LIB_THREAD_H
#define LIB_THREAD_H

#include "lib/counters.h"
#include "lib/table.h"

#define THREAD_DEPTH   64
#define THREAD_WAITING 8

/* One call of a region, as it is added to its row. */
struct tt_call {
	uint32_t id;
	bool outermost; /* else the region is in itself, and this one is no part of the sum */
	uint32_t known; /* bit i: quantity i has a number */
	uint64_t total[1 + TABLE_EVENTS], self[1 + TABLE_EVENTS];
};

struct tt_frame {
	uint32_t id;
	uint64_t ticks;
	struct tt_value value[TT_MAX_EVENTS];
	uint64_t inner[1 + TABLE_EVENTS]; /* what the regions in it took */
};

struct tt_thread {
	struct tt *counters; /* NULL: only the time is measured */
	struct table_slot *slot;
	unsigned slot_number;
	uint32_t row_size, n_events, fork_mark;
	volatile unsigned depth;
	volatile bool writing; /* a row is being written */
	volatile unsigned n_waiting;
	struct tt_call waiting[THREAD_WAITING];
	struct tt_frame frame[THREAD_DEPTH];
};

/* A child of fork(): the calling thread begins anew, the others are not there. */
void tt_thread_forget(void);

#endif
