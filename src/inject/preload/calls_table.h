/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * calls_table - what the library calls of a process have cost, as it stands in memory and in the
 * file that tiptop reads.
 *
 *   struct calls_header, struct container_directory (inject/lib/container.h)
 *   struct calls_function [n_functions]  which ones there are
 *   slot 0                               what threads that have ended have left
 *   slot 1 .. n_slots - 1                one for each thread that lives
 *   counts of these slots
 *
 * A slot is a struct calls_thread and a struct calls_row for each function. Functions have numbers
 * from 1 on where they are named, and 0 is the program itself.
 *
 * At any time, a thread is in one function of the list, or in none of them, as in the program: the
 * innermost one that was called and has not returned. `self` of its row has that time, so that all
 * of them and that of the program are the time of the thread. Times are in ticks:
 * header.ns_per_tick / 2^32 ns each.
 *
 * Counts are those of header.n_events events, as numbers of the program and of each function, for a
 * slot: [n_events] of the program, [n_events] of function 1, and so on. They are as `self` is.
 *
 * Most of the file is a hole: what nobody has used takes no memory.
 *
 * Writing: only its thread writes a slot, but for `amid`. container.sequence is odd while a thread
 * that ends is added to slot 0.
 *
 * A change of the layout is another CALLS_LAYOUT.
 */
#ifndef INJECT_PRELOAD_CALLS_TABLE_H
#define INJECT_PRELOAD_CALLS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"
#include "inject/preload/event_note.h"

#define CALLS_KIND          "calls"
#define CALLS_LAYOUT        6
#define CALLS_FUNCTIONS_MAX 2048
#define CALLS_SLOTS_MAX     1025
#define CALLS_NAME_MAX      40
#define CALLS_GROUP_MAX     8
#define CALLS_SIZE_MAX      ((size_t)64 << 20)
#define CALLS_OVERHEAD_UNIT 256

struct calls_header {
	struct container container;
	uint32_t n_functions, n_slots;
	uint64_t ns_per_tick; /* of 2^32 */
	/* What a call takes that is measured and does nothing, and how much of that is within its
	 * own time: ticks of CALLS_OVERHEAD_UNIT calls; overhead 0: not known. */
	uint64_t overhead, inside;
	uint64_t begin, end; /* the clock; end is 0 while it is measured, or if it was killed */
	uint32_t n_threads;  /* that have ever been */
	uint32_t n_ended;    /* of them */
	uint32_t n_homeless; /* threads that had no slot: nothing of them is known */
	uint32_t padding;
	uint64_t n_late; /* calls of threads that have ended, by what comes at their very end */
	uint32_t n_events;
	/* Measuring has stopped at `end`, for want of this system call (seccomp_calls.h); 0: not.
	 */
	uint32_t lacking_call;
	uint32_t padding2[4];
	/* Their overhead is that of CALLS_OVERHEAD_UNIT calls. */
	struct event_note event[EVENT_NOTES_MAX];
};

struct calls_function {
	char name[CALLS_NAME_MAX];
	char group[CALLS_GROUP_MAX];
};

struct calls_row {
	uint64_t calls;
	uint64_t amid;   /* more of them: in handlers that came amid the writing, without a time */
	uint64_t nested; /* of both: while another call of the list was under way */
	uint64_t self;   /* the time in it, but in what it called of the list */
	uint64_t total;  /* from call to return, of those that were not called out of each other */
	uint64_t max;    /* of these */
	uint64_t depth;  /* how many calls of it have not returned */
	/* The sum of the squares of the times in it, of calls that have returned; NaN: not known,
	 * as some had no room on the stack. */
	double squares;
};

/* A slot; its rows follow. */
struct calls_thread {
	uint32_t sequence;
	uint32_t tid;          /* 0: free */
	uint32_t number;       /* from 1 on; no other thread of the process has had it */
	uint32_t function;     /* where it is; 0: in the program */
	uint64_t begin, since; /* the clock: at its begin, and when it came to `function` */
	uint64_t program;      /* the time in the program, up to `since` */
	uint64_t n_too_deep; /* calls that had no room on the stack: their time is their caller's */
	uint64_t padding[2];
	/* Of each event: threads of which it is not known. Their counts mean nothing. */
	uint32_t lacking[EVENT_NOTES_MAX];
	uint32_t padding2[8];
};

enum calls_section {
	CALLS_HEADER,
	CALLS_EVENT,
	CALLS_FUNCTIONS,
	CALLS_SLOT,
	CALLS_ROW,
	CALLS_COUNTS,
	CALLS_SECTIONS
};

extern const struct container_plan calls_plan;
/* Where all sections are but the header, in a file whose header has its numbers. */
void calls_places(struct container_place place[CALLS_SECTIONS - 1], const struct calls_header *h);

static inline struct calls_row *calls_rows(const struct calls_thread *slot)
{
	return (struct calls_row *)(uintptr_t)(slot + 1);
}

static inline size_t calls_slot_size(uint32_t n_functions)
{
	return sizeof(struct calls_thread) + n_functions * sizeof(struct calls_row);
}

static inline size_t calls_functions_offset(void)
{
	return container_end(sizeof(struct calls_header));
}

static inline size_t calls_slot_offset(uint32_t n_functions, uint32_t slot)
{
	return calls_functions_offset() + n_functions * sizeof(struct calls_function) +
	       slot * calls_slot_size(n_functions);
}

static inline size_t calls_counts_size(uint32_t n_functions, uint32_t n_events)
{
	return (n_functions + 1) * n_events * sizeof(uint64_t);
}

/* Where the counts of a slot are. */
static inline size_t calls_counts_offset(const struct calls_header *h, uint32_t slot)
{
	return calls_slot_offset(h->n_functions, h->n_slots) +
	       slot * calls_counts_size(h->n_functions, h->n_events);
}

/* How many slots a file has that is as large as it may be. */
static inline uint32_t calls_max_slots(uint32_t n_functions, uint32_t n_events)
{
	const size_t n = (CALLS_SIZE_MAX - calls_slot_offset(n_functions, 0)) /
			 (calls_slot_size(n_functions) + calls_counts_size(n_functions, n_events));

	return n < CALLS_SLOTS_MAX ? (uint32_t)n : CALLS_SLOTS_MAX;
}

/* The variance of the time in it of a call; NaN: there are not two, not all have returned, or it is
 * not known. */
double calls_row_variance(const struct calls_row *row);
/* Adds what one row has counted to what another one has. */
void calls_row_add(struct calls_row *to, const struct calls_row *from);
/* Adds what one slot has counted to what another one has: times, numbers and rows. */
void calls_thread_add(struct calls_thread *to, const struct calls_thread *from,
		      uint32_t n_functions);
/* The same of the counts of n functions, the program being one of them. */
void calls_counts_add(uint64_t to[], const uint64_t from[], uint32_t n, uint32_t n_events,
		      const uint32_t lacking[]);

#endif
