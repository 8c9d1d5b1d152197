/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * calls_table - the times and counts of the library calls of a process: the layout in memory, and
 * in the file that tiptop reads.
 *
 *   struct calls_header, struct container_directory (inject/lib/container.h)
 *   struct calls_function [n_functions]  the names of the functions
 *   slot 0                               the sums of exited threads
 *   slot 1 .. n_slots - 1                one for each living thread
 *   counts of these slots
 *
 * A slot is a struct calls_thread and a struct calls_row for each function. Functions are numbered
 * from 1 on; 0 is the program itself.
 *
 * At any time, a thread is in one function of the list, the innermost one that has not returned, or
 * in none of them: in the program. Its time goes to `self` of that function's row, or to `program`,
 * so that these add up to the time of the thread. Times are in ticks of header.ns_per_tick / 2^32
 * ns.
 *
 * A slot has counts of header.n_events events: n_events counts of the program, n_events of function
 * 1, and so on. The counts are attributed like `self`.
 *
 * Most of the file is a hole: unused slots take no memory.
 *
 * Writing: a slot is written by its thread only, while the slot's sequence is odd; `amid` is
 * written at any time, by signal handlers. container.sequence is odd while an exiting thread is
 * added to slot 0.
 *
 * A change of the layout needs another CALLS_LAYOUT.
 */
#ifndef INJECT_PRELOAD_CALLS_TABLE_H
#define INJECT_PRELOAD_CALLS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"
#include "inject/preload/process.h"
#include "inject/preload/table_note.h"

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
	uint64_t ns_per_tick; /* in units of 2^-32 ns */
	/* In ticks: the cost of CALLS_OVERHEAD_UNIT measured calls of an empty function, and the
	 * part of this cost that lies within the calls' own time. overhead 0: unknown. */
	uint64_t overhead, inside;
	uint64_t begin, end; /* in ticks: when measuring began and ended; end is 0 while the process
				runs, and if it was killed */
	uint32_t n_threads;  /* ever measured */
	uint32_t n_ended;    /* of these, exited */
	uint32_t n_homeless; /* threads without a slot: not measured */
	uint32_t padding;
	uint64_t n_late; /* calls after the exit of their thread was recorded, in its last
			    destructors */
	uint32_t n_events;
	/* The number of the forbidden system call because of which measuring stopped at `end`
	 * (seccomp_filter.h); 0: measuring did not stop. */
	uint32_t lacking_call;
	/* Forked processes that are not measured; no column, as the directory is full. */
	uint32_t n_left_out[LEFT_OUT_N];
	/* The member overhead is the cost of CALLS_OVERHEAD_UNIT calls. */
	struct event_note event[EVENT_NOTES_MAX];
};

struct calls_function {
	char name[CALLS_NAME_MAX];
	char group[CALLS_GROUP_MAX];
};

struct calls_row {
	uint64_t calls;
	uint64_t amid;   /* calls not in `calls`, in signal handlers that interrupted the writing of
			    the slot: without a time */
	uint64_t nested; /* those among `calls` that were made inside another call of the list */
	uint64_t self;   /* the time in the function, without the time in functions of the list that
			    it called */
	uint64_t total;  /* the time from call to return, of calls that are not inside a call of the
			    same function */
	uint64_t max;    /* the longest of these times */
	uint64_t depth;  /* calls in progress */
	/* Σ of the squares of the self times of returned calls; NaN: unknown, as some calls had no
	 * frame. */
	double squares;
};

/* A slot; its rows follow. */
struct calls_thread {
	uint32_t sequence;
	uint32_t tid;      /* 0: free */
	uint32_t number;   /* from 1 on; unique in the process */
	uint32_t function; /* the function that the thread is in; 0: in the program */
	uint64_t begin,
		since;       /* in ticks: when the thread started, and when it entered `function` */
	uint64_t program;    /* the time in the program, up to `since` */
	uint64_t n_too_deep; /* calls without a frame: their time is in the calling function */
	uint64_t padding[2];
	/* For each event: how many threads, of those in this slot, have unknown counts. Their
	 * counts of the event are to be ignored. */
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
/* Sets the places of all sections but the header. n_functions, n_slots and n_events must be set. */
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

/* Returns the offset of the counts of a slot. */
static inline size_t calls_counts_offset(const struct calls_header *h, uint32_t slot)
{
	return calls_slot_offset(h->n_functions, h->n_slots) +
	       slot * calls_counts_size(h->n_functions, h->n_events);
}

/* Returns how many slots fit in a file of the greatest size. */
static inline uint32_t calls_max_slots(uint32_t n_functions, uint32_t n_events)
{
	const size_t n = (CALLS_SIZE_MAX - calls_slot_offset(n_functions, 0)) /
			 (calls_slot_size(n_functions) + calls_counts_size(n_functions, n_events));

	return n < CALLS_SLOTS_MAX ? (uint32_t)n : CALLS_SLOTS_MAX;
}

/* Returns the variance of the self time of a call; NaN: fewer than two calls, calls in progress, or
 * unknown. */
double calls_row_variance(const struct calls_row *row);
/* Adds one row to another. */
void calls_row_add(struct calls_row *to, const struct calls_row *from);
/* Adds one slot to another: times, numbers and rows. */
void calls_thread_add(struct calls_thread *to, const struct calls_thread *from,
		      uint32_t n_functions);
/* Adds the counts of n functions, including the program; leaves out events that are lacking. */
void calls_counts_add(uint64_t to[], const uint64_t from[], uint32_t n, uint32_t n_events,
		      const uint32_t lacking[]);

#endif
