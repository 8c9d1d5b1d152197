/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - the times and counts of the locks of a process: the layout in memory, and in the file
 * that tiptop reads.
 *
 *   struct locks_head                        the header, the directory, and arrays:
 *     module                                 files that the process has mapped
 *     instance                               the locks of the process
 *     slot[0]                                the sums of exited threads
 *     slot[1] .. [LOCKS_SLOTS - 1]           one for each living thread
 *     wait                                   which caller waited for which caller
 *     past                                   the first exited threads
 *     chain                                  chains of these waits
 *   row 0 .. header.max_rows - 1
 *   counts of these rows, and of the rows `other` of all slots
 *
 * A slot is a struct locks_thread, with a row `other` for all locks that had no room in the table.
 * A row is for one thread, one lock and one caller that acquired it: a struct locks_row with a
 * struct locks_quantity for the time of each phase, in ticks of header.ns_per_tick / 2^32 ns.
 * References to modules, instances, slots and rows are numbers from 1 on; 0 is none.
 *
 * A row has counts of header.n_events events: for each event, a struct locks_quantity for each
 * phase. Its n is the number of the row's calls in which the event could be read.
 *
 * Sampling. If header.sample is N > 1, each thread times one in N attempts to acquire a lock, at a
 * random place in each block of N (measure.h), with the hold and the release that follow. Other
 * acquisitions are counted in `untimed`. Attempts that find the lock taken are always timed, so
 * `contended`, `waited` and the records of waits are complete. With sampling it is not known when a
 * thread holds a lock. So LOCKS_WAITING has the waits for taken locks, and for objects that are not
 * held afterwards; LOCKS_FREE has all time that is neither LOCKS_WAITING nor LOCKS_OWN; `lost` has
 * the timed attempts only.
 *
 * Most of the file is a hole: unused records take no memory.
 *
 * Writing: a row or a slot is written by its thread only, but a thread that unloads a library sets
 * `ended` of rows, and the totals of all living threads are written at the end of the process
 * (thread.h). container.sequence is odd while the rows of an
 * exiting thread are added to those of slot 0, and the thread's struct locks_past is written.
 * Modules and instances are valid once they are counted in the header.
 *
 * A change of the layout needs another LOCKS_LAYOUT.
 */
#ifndef INJECT_PRELOAD_TABLE_H
#define INJECT_PRELOAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/container.h"
#include "inject/preload/process.h"
#include "inject/preload/table_note.h"

/* ---- build_id ----
 *
 * Reads the build id of a program or library, which the linker wrote into a note, from
 * its file or from memory.
 *
 * Two files with the same build id have the same code at the same addresses, whatever their names
 * and paths. The contents of the file are not trusted.
 */

#define BUILD_ID_MAX 28

struct build_id {
	uint32_t size;              /* 0: none, or it could not be read */
	uint8_t byte[BUILD_ID_MAX]; /* truncated if longer */
};

/* Read the build id from a file; or from the file's mapping, which starts at `begin`, by fd of
 * /proc/self/mem. */
void build_id_read_file(struct build_id *id, int fd);
void build_id_read_memory(struct build_id *id, int fd, uint64_t begin);
bool build_id_is_same(const struct build_id *a, const struct build_id *b);

/* ---- table ---- */

#define LOCKS_KIND      "locks"
#define LOCKS_LAYOUT    16
#define LOCKS_MODULES   256
#define LOCKS_INSTANCES 32768
/* The most records for one lock each. Later locks share records. */
#define LOCKS_SINGLE (LOCKS_INSTANCES / 4 * 3)
#define LOCKS_SLOTS  1025
#define LOCKS_WAITS  8192
#define LOCKS_CHAINS 8192
/* Records of chains whose memory is populated together. */
#define LOCKS_CHAIN_PIECE 128
/* The most waits in one chain. */
#define LOCKS_CHAIN_DEPTH 8
#define LOCKS_EXITED_MAX  4096
#define LOCKS_NAME_MAX    16 /* a thread's name in the kernel, with '\0' */
#define LOCKS_FRAMES      16
#define LOCKS_PATH_MAX    232
/* The most files that can be distinguished if they are mapped at one address, one after the other.
 */
#define LOCKS_LAYERS  255
#define LOCKS_BUCKETS 40
#define LOCKS_EVENTS  EVENT_NOTES_MAX
/* The most locks held by a thread at the same time for which the hold is measured. */
#define LOCKS_HELD 64
/* The environment variable that requests stacks. */
#define LOCKS_STACKS_VARIABLE "TIPTOP_LOCKS_STACKS"
/* The environment variable that requests chains. */
#define LOCKS_CHAINS_VARIABLE "TIPTOP_LOCKS_CHAINS"
/* The environment variable with N: one in N attempts to acquire a lock is timed. */
#define LOCKS_SAMPLE_VARIABLE "TIPTOP_LOCKS_SAMPLE"
#define LOCKS_SAMPLE_MAX      1000000
#define LOCKS_SIZE_MAX        ((size_t)64 << 20)

/* Locks before LOCKS_COND are held after an acquisition. For condition variables, semaphores,
 * barriers and futexes, an acquisition is a successful wait; they are not held. The mutex of a
 * condition variable is not held during the wait, so such a mutex has more holds than acquisitions.
 * A futex is a word that the program passes to futex(2) through syscall(2). The releases of a
 * futex, a condition variable or a semaphore are the calls that wake threads; only those of a futex
 * have a time. */
enum locks_kind {
	LOCKS_MUTEX,
	LOCKS_RWLOCK,
	LOCKS_SPIN,
	LOCKS_COND,
	LOCKS_SEMAPHORE,
	LOCKS_BARRIER,
	LOCKS_FUTEX,
	LOCKS_N_KINDS
};

/* Returns whether a thread holds locks of this kind after it has acquired them. */
static inline bool locks_is_held(enum locks_kind kind)
{
	return kind < LOCKS_COND;
}

/* The phases of a lock's use. */
enum locks_phase { LOCKS_ACQUIRE, LOCKS_HOLD, LOCKS_RELEASE, LOCKS_PHASES };

/* The state of a thread. Waiting: the thread is acquiring a lock. Holding: it holds at least one
 * lock. Free: neither. Own: it runs code of this object, to make records of a lock and a caller. */
enum locks_state { LOCKS_WAITING, LOCKS_HOLDING, LOCKS_FREE, LOCKS_OWN, LOCKS_STATES };

struct locks_header {
	struct container container;
	uint64_t ns_per_tick; /* in units of 2^-32 ns */
	/* The cost of measuring an acquisition and its release, which is part of the times of all
	 * states; 0: unknown. */
	uint64_t overhead_ticks;
	uint64_t counted_ticks; /* the same for an untimed acquisition and release; 0: all are timed
				 */
	uint64_t begin, end; /* in ticks: when measuring began and ended; end is 0 while the process
				runs, and if it was killed */
	uint64_t futex_caller; /* the first caller of futex(2) by syscall(2); 0: none */
	uint32_t max_rows;
	uint32_t n_modules, n_instances, n_rows;
	uint32_t n_threads;  /* ever measured */
	uint32_t n_ended;    /* of these, exited */
	uint32_t n_homeless; /* threads without a slot: not measured */
	uint32_t n_nameless; /* modules without a record */
	uint32_t full;       /* 1: an unknown number of locks had no room: they are in `other` */
	uint32_t n_waits;
	uint32_t n_events;
	uint32_t n_pasts;
	uint32_t sample; /* N: one in N attempts is timed; 1: all are */
	/* The number of the forbidden system call because of which measuring stopped at `end`
	 * (seccomp_filter.h); 0: measuring did not stop. */
	uint32_t lacking_call;
	uint32_t n_chains; /* with record 0, which is not used; 0: no chains */
	/* Forked processes that are not measured; no column, as the directory is full. */
	uint32_t n_left_out[LEFT_OUT_N];
	uint32_t padding[9];
	struct event_note event[LOCKS_EVENTS]; /* overhead: of an acquisition and its release */
};

/* A mapped file: addresses from begin to end; begin is the address of its first byte. */
struct locks_module {
	uint64_t begin, end;
	uint64_t inode;
	struct build_id id;
	uint32_t layer; /* above those of files noted before at overlapping addresses; 0: none */
	uint32_t gone;  /* 1: not mapped any more */
	char path[LOCKS_PATH_MAX];
};

/* Returns whether there is no room for further chains. n_chains: of the header. */
static inline bool locks_chains_are_full(uint32_t n_chains)
{
	return n_chains + LOCKS_CHAIN_PIECE > LOCKS_CHAINS;
}

/* Returns a place: an address with the layer of the file that was mapped there. Callers and frames
 * are places. */
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

/* A place in shared memory: the same for all processes that have mapped it, with MAP_SHARED. Memory
 * without a file has an inode of its own. */
struct locks_memory {
	uint64_t device; /* major << 20 | minor */
	uint64_t inode;  /* 0: the memory is private, or that is unknown */
	uint64_t offset; /* in the file */
};

/* A lock, from its first use to its destruction; or, if there are too many, all further locks that
 * one caller acquired first. */
struct locks_instance {
	uint64_t address;
	uint64_t first_caller;
	union {
		uint64_t owner_changes;
		uint64_t waker; /* of a futex: the place of the caller that woke threads last */
	};
	uint32_t owner;      /* the number of the thread that was the last one to acquire the lock
				exclusively; 0: none. Objects that are not held: see wakes.c */
	uint32_t generation; /* 1: the first lock at its address */
	uint32_t kind;       /* enum locks_kind */
	uint32_t ended;
	uint32_t given; /* 1: a thread other than the owner has released the lock */
	/* 1: several locks that first_caller was the first to acquire, at `generation` addresses.
	 * The number of locks and their owners are unknown. */
	uint32_t several;
	uint32_t owner_slot;  /* the slot of the owner */
	uint32_t layer;       /* the layer of `address` */
	uint32_t met_by;      /* the number of the last exited thread that had acquired the lock, or
				 waited for the object */
	uint32_t n_processes; /* in tiptop's copy only: of a lock of several processes, how many
				 have used it; 0: one */
	struct locks_memory memory;
	uint64_t padding[5]; /* no two locks are in one cache line */
};

/* The sums of a number x that each call has. */
struct locks_quantity {
	uint64_t n;
	uint64_t base, shifted; /* x of the first call; Σ(x − base), as an int64_t */
	double squares;         /* Σ(x − base)² */
	uint64_t max;
	/* [b]: calls with 2^(b−1) <= x < 2^b; [0]: x = 0; the last element: all larger x. */
	uint64_t bucket[LOCKS_BUCKETS];
};

/* How an object that is not held is used. LOCKS_BROADCASTS: calls that wake all threads that wait;
 * for a futex, calls that have woken more than one. LOCKS_BALANCED: the smaller one of the numbers
 * of waits and of wakes of a thread, summed over threads. */
enum locks_use { LOCKS_BROADCASTS, LOCKS_BALANCED, LOCKS_USES };

/* Further numbers of a row for a futex, a condition variable or a semaphore. Failed waits for a
 * futex for other reasons than the first three are in `failed` only. */
struct locks_futex {
	uint64_t timeouts;
	uint64_t changed;     /* waits that the kernel refused, as the word had another value */
	uint64_t interrupted; /* waits ended by a signal */
	/* Threads that the calls have woken, or moved to another futex; FUTEX_UNLOCK_PI does not
	 * say whether it has woken one. For a condition variable or a semaphore: the calls. */
	uint64_t woken;
	/* handed: those of `woken` by a thread that has also waited for the object, as threads do
	 * that use a lock. It is set when the thread exits; for living threads, only in tiptop's
	 * copy. inheriting: waits for locks with priority inheritance. */
	uint64_t handed, inheriting;
	uint64_t use[LOCKS_USES]; /* LOCKS_BALANCED is set when `handed` is */
};

struct locks_row {
	uint32_t sequence;
	uint32_t instance; /* 0: several locks */
	uint32_t slot;     /* the slot of the thread; LOCKS_NO_SLOT: free */
	uint32_t next;     /* the next row of the slot, or the next free one; 0: none */
	uint64_t caller;
	uint64_t contended, waited;     /* acquisitions that had to wait; their times */
	uint64_t nested;                /* recursive acquisitions */
	uint64_t failed, lost;          /* failed attempts; their times */
	uint32_t shared;                /* 1: shared acquisitions, by readers */
	uint32_t ended;                 /* 1: the file with the caller is not mapped any more */
	uint64_t untimed[LOCKS_PHASES]; /* further calls, without a time; calls with a time are in
					   `phase` */
	/* Set in tiptop's copy only: waits in progress, and their times so far. */
	uint64_t n_under_way, under_way;
	struct locks_futex futex;
	uint64_t padding2[3];
	struct locks_quantity phase[LOCKS_PHASES];
};
#define LOCKS_NO_SLOT UINT32_MAX

/* A lock that a thread holds. */
struct locks_held {
	uint64_t lock, caller; /* the lock's address, and the caller that acquired the lock */
	uint64_t since;        /* the time of the acquisition, in ticks; 0: not timed */
	uint64_t row;          /* the address of the row for this lock, valid in the process only */
	uint32_t depth;        /* recursive acquisitions, beside the first one */
	uint32_t padding;
};

/* Totals of a thread from its start to its end. LOCKS_TIMED: 1 if the next three are known; in
 * sums, the number of threads for which they are. LOCKS_RUN, LOCKS_DELAY: how long it was on a CPU,
 * and ready to run without one, in ns. LOCKS_TURNS: how often it got a CPU. LOCKS_BLOCKS: its waits
 * in `waited`, except those for spin locks, and those calls in `blocked` that took it off the CPU,
 * estimated from a sample. */
enum locks_total { LOCKS_TIMED, LOCKS_RUN, LOCKS_DELAY, LOCKS_TURNS, LOCKS_BLOCKS, LOCKS_TOTALS };

/* Why a thread is blocked in calls of the C library that acquire no lock (config/blocking.list). */
enum locks_blocking { LOCKS_INPUT, LOCKS_TIME, LOCKS_TASK, LOCKS_DEVICE, LOCKS_BLOCKINGS };

/* How long a thread ran and was blocked (thread.h). waited: by kind, in ticks, the waits, also
 * failed ones, for locks that were taken, for semaphores with the value 0, and all for other
 * objects. waited_run: the time on a CPU within these waits, in ns, estimated from a sample; not
 * for spin locks. blocked: in ticks, the calls in which the thread may have been blocked; a sample
 * of them took `sampled` ticks, of which it was on a CPU for sampled_run ns, where each call counts
 * as often as it stands for others. since: the begin of the call in progress, in ticks, 0: none;
 * written without the sequence. before: the totals at the start, used by the process only. */
struct locks_sched {
	uint64_t total[LOCKS_TOTALS];
	uint64_t waited[LOCKS_N_KINDS], waited_run[LOCKS_N_KINDS];
	uint64_t blocked[LOCKS_BLOCKINGS], sampled[LOCKS_BLOCKINGS], sampled_run[LOCKS_BLOCKINGS];
	uint64_t since[LOCKS_BLOCKINGS];
	uint64_t before[LOCKS_TOTALS];
};

/* A slot. Some members are written without a change of `sequence`: `name`, wait_for, `held`,
 * n_unmeasured, n_unmatched, n_futex and n_futex_left_out. Threads of the process that wait for a
 * lock read `held`. */
struct locks_thread {
	uint32_t sequence;
	uint32_t tid;          /* 0: free */
	uint32_t number;       /* from 1 on; unique in the process */
	uint32_t state;        /* enum locks_state */
	uint64_t begin, since; /* in ticks: when the thread started, and when the state began */
	uint64_t ticks[LOCKS_STATES]; /* in each state, up to `since` */
	uint64_t n_pairs;             /* measured pairs of acquisition and release */
	uint64_t n_untimed;           /* those of n_pairs without a time */
	uint64_t n_unmeasured; /* calls that were not measured, in signal handlers that interrupted
				  the measuring */
	uint64_t n_too_deep;   /* acquisitions for which `held` had no room */
	uint64_t n_unmatched;  /* releases of locks that this thread did not acquire */
	uint64_t n_futex;      /* calls of futex(2) by syscall(2) */
	/* For each event: how many threads, of those in this slot, have unknown counts. `count`:
	 * the counts of the other threads in each state, up to `since`. */
	uint32_t lacking[LOCKS_EVENTS];
	uint32_t n_held;
	uint32_t slot; /* the slot's number, set in tiptop's copy only */
	/* During a wait: the time of its begin, in ticks; the number of the waiting row, 0:
	 * `other`; and the number of the struct locks_wait to which the wait will be added, 0: not
	 * known yet. Waits of signal handlers during this wait are not shown. */
	uint64_t wait_since;
	uint32_t wait_row;
	uint32_t wait_for;
	/* Those of n_futex that no row has: operations that neither wait nor wake, waits during
	 * another wait of the thread, calls for memory of locks that have other rows, and wakes
	 * without room in the table. */
	uint64_t n_futex_left_out;
	struct locks_sched sched;
	char name[LOCKS_NAME_MAX]; /* as read when the thread last used a new lock */
	uint64_t count[LOCKS_EVENTS][LOCKS_STATES];
	struct locks_row other;
	struct locks_held held[LOCKS_HELD];
};

/* Acquisitions that had to wait, for one combination of lock, holder and stack. All threads add to
 * n and ticks atomically, without a sequence; their sums over all records equal `contended` and
 * `waited` of all rows. Record 0 is for waits that had no room in the table. */
struct locks_wait {
	uint32_t instance; /* 0: several locks */
	uint32_t n_frames;
	uint64_t holder; /* the caller that had acquired the lock when the wait began; 0: unknown */
	uint64_t frame[LOCKS_FRAMES]; /* the waiting caller, and the callers above it */
	uint64_t n, ticks;
};

/* The time for which threads waited as in the record `wait` of struct locks_wait, while the holder
 * of the lock was in the chain `next`, which is an earlier record; next 0: while the holder was not
 * known to wait. The ticks of all chains of a wait for a lock that is held add up to those of the
 * wait, unless chains had no room. All threads add to n and ticks atomically. Record 0 is not used.
 */
struct locks_chain {
	uint32_t wait;
	uint32_t next;
	uint32_t depth; /* the number of waits in the chain, this one included */
	uint32_t padding;
	uint64_t n, ticks; /* waits that had such a time, and the sum of the times */
};

/* An exited thread. */
struct locks_past {
	uint32_t tid;
	uint32_t number;
	uint64_t begin, end; /* in ticks: when the thread started and exited */
	uint64_t ticks[LOCKS_STATES];
	uint64_t acquisitions; /* of locks that are held afterwards (locks_is_held()) */
	uint32_t instances;    /* the number of these locks */
	uint32_t at_least; /* 1: `instances` is a lower bound, as several locks share a record, or
			      had no room */
	struct locks_sched sched;
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
	LOCKS_CHAIN,
	LOCKS_ROW,
	LOCKS_QUANTITY,
	LOCKS_COUNTS,
	LOCKS_SECTIONS
};

extern const struct container_plan locks_plan;
/* Sets the places of all sections but the header. n_events and max_rows must be set. */
void locks_places(struct container_place place[LOCKS_SECTIONS - 1], const struct locks_header *h);

/* The file up to the rows. */
struct locks_head {
	struct locks_header header;
	struct container_directory directory;
	struct locks_module module[LOCKS_MODULES];
	struct locks_instance instance[LOCKS_INSTANCES];
	struct locks_thread slot[LOCKS_SLOTS];
	struct locks_wait wait[LOCKS_WAITS];
	struct locks_past past[LOCKS_EXITED_MAX];
	struct locks_chain chain[LOCKS_CHAINS];
};
_Static_assert(offsetof(struct locks_head, directory) == sizeof(struct locks_header),
	       "the directory follows the header");

/* row: from 0 on. */
static inline size_t locks_row_offset(uint32_t row)
{
	return sizeof(struct locks_head) + row * sizeof(struct locks_row);
}

static inline size_t locks_counts_size(uint32_t n_events)
{
	return n_events * LOCKS_PHASES * sizeof(struct locks_quantity);
}

/* Returns the offset of the counts of row `number`, from 0 on; number max_rows + s is the row
 * `other` of slot s. */
static inline size_t locks_counts_offset(uint32_t n_events, uint32_t max_rows, uint32_t number)
{
	return locks_row_offset(max_rows) + number * locks_counts_size(n_events);
}

/* Returns how many rows fit in a file of this size. */
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

/* Adds the number of one call. */
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

/* Returns the sum over all calls. */
static inline uint64_t locks_sum(const struct locks_quantity *q)
{
	return q->base * q->n + q->shifted;
}

/* Returns the number of calls of a phase, timed or not. */
static inline uint64_t locks_n(const struct locks_row *row, enum locks_phase phase)
{
	return row->phase[phase].n + row->untimed[phase];
}

/* Returns the variance of the values that were added; 0: there was at most one. */
double locks_variance(const struct locks_quantity *q);
/* Adds the numbers of one row to another; slot, lock and caller stay unchanged. */
void locks_row_add(struct locks_row *to, const struct locks_row *from);
/* Adds the totals and the waits of one thread to those of others. */
void locks_sched_add(struct locks_sched *to, const struct locks_sched *from);
/* Adds the counts of one row to the counts of another row. */
void locks_counts_add(struct locks_quantity *to, const struct locks_quantity *from,
		      uint32_t n_events);
/* Adds one slot to another: times, numbers, and the row `other`. */
void locks_thread_add(struct locks_thread *to, const struct locks_thread *from);

#endif
