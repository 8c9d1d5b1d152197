/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - what the locks of a process have cost, as it stands in memory and in the file that tiptop
 * reads.
 *
 *   struct locks_header, struct container_directory (inject/lib/container.h)
 *   struct locks_module [LOCKS_MODULES]      files that the process has mapped
 *   struct locks_instance [LOCKS_INSTANCES]  its locks
 *   slot 0                                   what threads that have ended have left
 *   slot 1 .. LOCKS_SLOTS - 1                one for each thread that lives
 *   struct locks_wait [LOCKS_WAITS]          who waited for whom
 *   struct locks_past [LOCKS_EXITED_MAX]          threads that have ended, the first ones
 *   row 0 .. header.max_rows - 1
 *   counts of these rows, and of the rows `other` of all slots
 *
 * A slot is a struct locks_thread and a row for all that had no room, `other`. A row is of one
 * thread, of one lock and of one caller that acquired it: a struct locks_row and a struct
 * locks_quantity for the time of each phase, in ticks: header.ns_per_tick / 2^32 ns each. Modules,
 * instances, slots and rows have numbers from 1 on where they are named; 0 is none.
 *
 * Counts are those of header.n_events events, of a row: for each event, a struct locks_quantity for
 * each phase. Its n says in how many of the row's calls the event could be read.
 *
 * Sampling. Where header.sample is not 1, each thread times one attempt to acquire a lock in so
 * many, drawn at a random place of each block of them (measure.h), with the hold and the release
 * that follow. The others are counted in `untimed`. Whoever finds a lock taken is timed in any
 * case, so `contended`, `waited`, and who waited for whom are of all. Then nobody knows when a
 * thread holds a lock: LOCKS_WAITING has the waits for what was taken, and for what is not held
 * then, and LOCKS_FREE all that is neither that nor LOCKS_OWN; `lost` has only what was timed.
 *
 * Most of the file is a hole: what nobody has used takes no memory.
 *
 * Writing: only its thread writes a row or a slot. container.sequence is odd while the rows of a
 * thread that ends are added to those of slot 0, and what it leaves of its own to the pasts.
 * Modules and instances are there once they are counted.
 *
 * A change of the layout is another LOCKS_LAYOUT.
 */
#ifndef INJECT_PRELOAD_TABLE_H
#define INJECT_PRELOAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"
#include "inject/preload/build_id.h"
#include "inject/preload/event_note.h"

#define LOCKS_KIND      "locks"
#define LOCKS_LAYOUT    11
#define LOCKS_MODULES   256
#define LOCKS_INSTANCES 32768
/* So many locks have a record of their own. */
#define LOCKS_SINGLE     (LOCKS_INSTANCES / 4 * 3)
#define LOCKS_SLOTS      1025
#define LOCKS_WAITS      8192
#define LOCKS_EXITED_MAX 4096
#define LOCKS_NAME_MAX   16 /* of a thread, as the kernel has it: with its end */
#define LOCKS_FRAMES     16
#define LOCKS_PATH_MAX   232
/* So many files, one after the other, can have names at one address. */
#define LOCKS_LAYERS  255
#define LOCKS_BUCKETS 40
#define LOCKS_EVENTS  EVENT_NOTES_MAX
/* Locks that a thread can hold; of those above, it is not known how long. */
#define LOCKS_HELD 64
/* In the environment: that stacks are wanted. */
#define LOCKS_STACKS_VARIABLE "TIPTOP_LOCKS_STACKS"
/* In the environment: one in so many attempts to acquire a lock is timed. */
#define LOCKS_SAMPLE_VARIABLE "TIPTOP_LOCKS_SAMPLE"
#define LOCKS_SAMPLE_MAX      1000000
#define LOCKS_SIZE_MAX        ((size_t)64 << 20)

/* What is acquired is held then, but of a condition variable, a semaphore and a barrier: these are
 * acquired by whoever waits for them, until the wait is over. The mutex of a condition variable is
 * not held meanwhile, so it is held more often than acquired. */
enum locks_kind {
	LOCKS_MUTEX,
	LOCKS_RWLOCK,
	LOCKS_SPIN,
	LOCKS_COND,
	LOCKS_SEMAPHORE,
	LOCKS_BARRIER,
	LOCKS_N_KINDS
};

static inline bool locks_is_held(enum locks_kind kind)
{
	return kind < LOCKS_COND;
}

/* What a thread does with a lock. */
enum locks_phase { LOCKS_ACQUIRE, LOCKS_HOLD, LOCKS_RELEASE, LOCKS_PHASES };

/* What a thread is doing: acquiring a lock; else holding one or more; else neither; or it is in
 * this object, where that takes long, as it meets a lock for the first time. */
enum locks_state { LOCKS_WAITING, LOCKS_HOLDING, LOCKS_FREE, LOCKS_OWN, LOCKS_STATES };

struct locks_header {
	struct container container;
	uint64_t ns_per_tick; /* of 2^32 */
	/* What an acquisition and its release take where they are measured and do nothing: a part
	 * of the times of all states; 0: not known. */
	uint64_t overhead_ticks;
	uint64_t counted_ticks; /* the same where they are not timed; 0 where all are */
	uint64_t begin, end;    /* the clock; end is 0 while it is measured, or if it was killed */
	uint64_t futex_caller;  /* who called futex(2) by syscall(2) first; 0: nobody */
	uint32_t max_rows;
	uint32_t n_modules, n_instances, n_rows;
	uint32_t n_threads;  /* that have ever been */
	uint32_t n_ended;    /* of them */
	uint32_t n_homeless; /* threads that had no slot: nothing of them is known */
	uint32_t n_nameless; /* modules that had no room */
	uint32_t full;       /* 1: locks had no room, nobody knows how many: they are in `other` */
	uint32_t n_waits;
	uint32_t n_events;
	uint32_t n_pasts;
	uint32_t sample; /* one in so many attempts is timed; 1: all are */
	/* Measuring has stopped at `end`, for want of this system call (seccomp_calls.h); 0: not.
	 */
	uint32_t lacking_call;
	uint32_t padding[14];
	struct event_note event[LOCKS_EVENTS]; /* overhead: as overhead_ticks */
};

/* A file that is mapped in one piece: addresses from begin to end, of which the first one is that
 * of its first byte. */
struct locks_module {
	uint64_t begin, end;
	uint64_t inode;
	struct build_id id;
	uint32_t layer; /* how many others have been at some of its addresses before */
	uint32_t gone;  /* 1: it is mapped no more */
	char path[LOCKS_PATH_MAX];
};

/* An address with the layer of the file that had it: callers are that, and frames. */
static inline uint64_t locks_place(uint64_t address, uint32_t layer)
{
	return address | (uint64_t)layer << 56;
}

static inline uint64_t locks_place_address(uint64_t place)
{
	return place & (UINT64_MAX >> 8);
}

static inline uint32_t locks_place_layer(uint64_t place)
{
	return (uint32_t)(place >> 56);
}

/* A lock, from its first use to its destruction; where there are many, one for all of a caller. */
struct locks_instance {
	uint64_t address;
	uint64_t first_caller;
	uint64_t owner_changes;
	uint32_t owner;      /* the number of the thread that had it last */
	uint32_t generation; /* 1: the first lock at its address */
	uint32_t kind;       /* enum locks_kind */
	uint32_t ended;
	uint32_t given; /* 1: another thread than its owner has released it */
	/* 1: this is several locks that were acquired first by this caller, at as many addresses as
	 * `generation` says; it is not known how many have lived there, and who has them. */
	uint32_t several;
	uint32_t owner_slot; /* where that thread is, or was */
	uint32_t layer;      /* of its address */
	uint32_t met_by;     /* the number of the thread that has ended last of those that had it */
	uint32_t padding;
};

/* A number that each call has, x. */
struct locks_quantity {
	uint64_t n;
	uint64_t base, shifted; /* x of the first call; Σ(x − base), as an int64_t */
	double squares;         /* Σ(x − base)² */
	uint64_t max;
	/* [b]: calls with 2^(b−1) <= x < 2^b; [0]: x = 0; the last one: all that are larger. */
	uint64_t bucket[LOCKS_BUCKETS];
};

struct locks_row {
	uint32_t sequence;
	uint32_t instance; /* 0: of several */
	uint32_t slot;     /* whose row it is; LOCKS_NO_SLOT: nobody's */
	uint32_t next;     /* of the same slot, or of those that are free; 0: it is the last one */
	uint64_t caller;
	uint64_t contended, waited;     /* acquisitions that found it taken; their times */
	uint64_t nested;                /* acquisitions by a thread that had it already */
	uint64_t failed, lost;          /* attempts that did not get it; their times */
	uint32_t shared;                /* 1: with others, as those who read */
	uint32_t ended;                 /* 1: the file that the caller was in is gone */
	uint64_t untimed[LOCKS_PHASES]; /* how often, beside those of which phase has the time */
	/* In a copy alone: waits that have not ended, and how long they have lasted. */
	uint64_t n_under_way, under_way;
	uint64_t padding2[3];
	struct locks_quantity phase[LOCKS_PHASES];
};
#define LOCKS_NO_SLOT UINT32_MAX

/* A lock that a thread holds. */
struct locks_held {
	uint64_t lock, caller; /* its address, and who acquired it */
	uint64_t since;        /* the clock */
	uint64_t row;          /* the address of its row, for the process alone */
	uint32_t depth;        /* how often the thread has it, beside the first time */
	uint32_t padding;
};

/* A slot. What stands in `held` is written without the sequence, and for who waits for a lock in
 * the process itself. */
struct locks_thread {
	uint32_t sequence;
	uint32_t tid;                 /* 0: free */
	uint32_t number;              /* from 1 on; no other thread of the process has had it */
	uint32_t state;               /* enum locks_state */
	uint64_t begin, since;        /* the clock: at its begin, and when the state began */
	uint64_t ticks[LOCKS_STATES]; /* in each state, up to `since` */
	uint64_t n_pairs;             /* acquisitions and releases that were measured */
	uint64_t n_untimed;           /* of them, those that were not timed */
	uint64_t n_unmeasured;        /* in signal handlers that came amid the measuring */
	uint64_t n_too_deep;          /* acquisitions above the room for held locks */
	uint64_t n_unmatched;         /* releases of what this thread did not acquire */
	uint64_t n_futex;             /* calls of futex(2) by syscall(2), written by no sequence */
	/* Of the events: threads of which it is not known, and in each state what the others have
	 * counted, up to `since`. */
	uint32_t lacking[LOCKS_EVENTS];
	uint32_t n_held;
	uint32_t slot; /* its number, in a copy */
	/* While it waits: the clock when that began, in which row, 0: `other`, and which of the
	 * struct locks_wait it will be added to, 0: none is known yet. Of waits in handlers that
	 * come amid it, nothing is said. */
	uint64_t wait_since;
	uint32_t wait_row;
	uint32_t wait_for;
	uint32_t padding[2];
	char name[LOCKS_NAME_MAX]; /* when it last met a new lock */
	uint64_t count[LOCKS_EVENTS][LOCKS_STATES];
	struct locks_row other;
	struct locks_held held[LOCKS_HELD];
};

/* Acquisitions that found their lock taken. Any thread adds to n and ticks, with no sequence: the
 * sums over all are those of the rows. The first one is for all that had no room. */
struct locks_wait {
	uint32_t instance; /* 0: of several */
	uint32_t n_frames;
	uint64_t holder;              /* who had acquired it, when the wait began; 0: not known */
	uint64_t frame[LOCKS_FRAMES]; /* who acquired it now, and the callers of that */
	uint64_t n, ticks;
};

/* A thread that has ended. */
struct locks_past {
	uint32_t tid;
	uint32_t number;
	uint64_t begin, end; /* the clock */
	uint64_t ticks[LOCKS_STATES];
	uint64_t acquisitions; /* of what is held then */
	uint32_t instances;    /* how many locks these were */
	uint32_t at_least;     /* 1: so many at least: several are one, or had no room */
	char name[LOCKS_NAME_MAX];
};

enum locks_section {
	LOCKS_HEADER,
	LOCKS_EVENT,
	LOCKS_MODULE,
	LOCKS_INSTANCE,
	LOCKS_SLOT,
	LOCKS_OTHER,
	LOCKS_HOLDS,
	LOCKS_WAIT,
	LOCKS_PAST,
	LOCKS_ROW,
	LOCKS_QUANTITY,
	LOCKS_COUNTS,
	LOCKS_SECTIONS
};

extern const struct container_plan locks_plan;
/* Where all sections are but the header, in a file whose header has its numbers. */
void locks_places(struct container_place place[LOCKS_SECTIONS - 1], const struct locks_header *h);

static inline size_t locks_modules_offset(void)
{
	return container_end(sizeof(struct locks_header));
}

static inline size_t locks_instances_offset(void)
{
	return locks_modules_offset() + LOCKS_MODULES * sizeof(struct locks_module);
}

static inline size_t locks_slot_offset(uint32_t slot)
{
	return locks_instances_offset() + LOCKS_INSTANCES * sizeof(struct locks_instance) +
	       slot * sizeof(struct locks_thread);
}

static inline size_t locks_wait_offset(uint32_t wait)
{
	return locks_slot_offset(LOCKS_SLOTS) + wait * sizeof(struct locks_wait);
}

static inline size_t locks_past_offset(uint32_t past)
{
	return locks_wait_offset(LOCKS_WAITS) + past * sizeof(struct locks_past);
}

/* row: from 0 on. */
static inline size_t locks_row_offset(uint32_t row)
{
	return locks_past_offset(LOCKS_EXITED_MAX) + row * sizeof(struct locks_row);
}

static inline size_t locks_counts_size(uint32_t n_events)
{
	return n_events * LOCKS_PHASES * sizeof(struct locks_quantity);
}

/* Where the counts of a row are; those of the row `other` of slot s are of number max_rows + s. */
static inline size_t locks_counts_offset(uint32_t n_events, uint32_t max_rows, uint32_t number)
{
	return locks_row_offset(max_rows) + number * locks_counts_size(n_events);
}

/* How many rows a file of this size has. */
static inline uint32_t locks_max_rows(size_t size, uint32_t n_events)
{
	const size_t counts = locks_counts_size(n_events);

	return (uint32_t)((size - locks_row_offset(0) - LOCKS_SLOTS * counts) /
			  (sizeof(struct locks_row) + counts));
}

static inline unsigned locks_bucket(uint64_t x)
{
	const unsigned b = 63 - (unsigned)__builtin_clzll(x << 1 | 1);

	return b < LOCKS_BUCKETS ? b : LOCKS_BUCKETS - 1;
}

/* Adds what one call has counted. */
static inline void locks_quantity_add(struct locks_quantity *q, uint64_t x)
{
	uint64_t off;
	double distance;

	if (__builtin_expect(!q->n, 0))
		q->base = x;
	off = x - q->base;
	distance = (double)(int64_t)off;
	q->n++;
	q->shifted += off;
	q->squares += distance * distance;
	if (__builtin_expect(x > q->max, 0))
		q->max = x;
	q->bucket[locks_bucket(x)]++;
}

/* What all calls counted. */
static inline uint64_t locks_sum(const struct locks_quantity *q)
{
	return q->base * q->n + q->shifted;
}

/* How often a row has been in the phase. */
static inline uint64_t locks_n(const struct locks_row *row, enum locks_phase phase)
{
	return row->phase[phase].n + row->untimed[phase];
}

/* The variance of x; 0: there is at most one call. */
double locks_variance(const struct locks_quantity *q);
/* Adds what one row has counted to what another one has; whose they are stays as it is. */
void locks_row_add(struct locks_row *to, const struct locks_row *from);
/* Adds the counts of one row to those of another one. */
void locks_counts_add(struct locks_quantity *to, const struct locks_quantity *from,
		      uint32_t n_events);
/* Adds what one thread did to what another one did: times and numbers, and the row `other`. */
void locks_thread_add(struct locks_thread *to, const struct locks_thread *from);

#endif
