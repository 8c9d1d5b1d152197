/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_program - the calls of futex(2) of one program that a process has executed: its futexes,
 * the rows of their callers, its threads, and the records of its waits. Pure; a part of
 * futex_table.
 *
 * A living thread has rows of its own. When it exits, they are added to those of all exited
 * threads, so that the number of rows does not grow with the number of threads.
 *
 * A call that had begun before the records is no acquisition, as its time is unknown. The time
 * since then is in `lost`, the time of attempts that were none.
 */
#ifndef PROFILE_LOCKS_FUTEX_PROGRAM_H
#define PROFILE_LOCKS_FUTEX_PROGRAM_H

#include "base/lookup.h"
#include "inject/preload/futex_operation.h"
#include "inject/preload/table.h"
#include "pmu/perf/syscalls.h"

/* ---- mapped files ----
 *
 * The files that a process has mapped, from the kernel's records of its mappings, so
 * that places in them get names after its end. Pure.
 *
 * A file is one module from its first byte on: its later parts, and the zero-initialized data
 * behind it, extend it. A part of shared memory does so only if all its bytes are where the first
 * byte says, so that a place in it is the same for all processes. The kernel does not report that a
 * file was unmapped; it is gone when another file is mapped at its addresses, which then has
 * another layer (inject/preload/table.h); shared memory also if private memory is.
 */

/* The most files of a process that are known at a time. */
#define MAP_RECORDS_MAX 4096

struct map_records {
	struct map_record {
		struct locks_module module;
		uint64_t device;
		uint64_t first;  /* the first mapped address; module.begin may be lower */
		uint64_t origin; /* the address of the first byte of the file, modulo 2^64 */
		bool is_shared;  /* mapped with MAP_SHARED */
		bool noted;      /* a place in it was requested */
	} * map;                 /* [n] */
	size_t n, cap;
	uint32_t n_left_out; /* files without room */
};

void map_records_init(struct map_records *m);
void map_records_done(struct map_records *m);
/* Copies the files of a process to a process that it creates. */
void map_records_copy(struct map_records *to, const struct map_records *from);
/* Adds a record of the kind SYSCALLS_MAP. */
void map_records_add(struct map_records *m, const struct syscall_record *record);
/* Returns the file that is mapped at an address; NULL: none. */
const struct locks_module *map_records_find(const struct map_records *m, uint64_t address);
/* Returns the place of the address in shared memory; inode 0: the memory is private or unknown. */
struct locks_memory map_records_memory(const struct map_records *m, uint64_t address);
/* Returns the address with its layer, and notes the file there. */
uint64_t map_records_place(struct map_records *m, uint64_t address);

/* ---- rows ----
 *
 * Rows of a table of locks, each for a futex and a caller, found by both.
 */

struct futex_rows {
	struct locks_row *row; /* [n]; next: 1 + the index of a row with the same key, 0: none */
	size_t n, cap;
	struct hash by_key;
};

/* Numbers as values of a hash, which stores pointers; 0 cannot be stored. */
static inline void *futex_number_to_value(size_t number)
{
	return (void *)(uintptr_t)number;
}

static inline size_t futex_value_to_number(const void *value)
{
	return (size_t)(uintptr_t)value;
}

/* Returns the row of a futex and a caller; adds an empty one if there is none. Valid until the next
 * call. */
struct locks_row *futex_rows_get(struct futex_rows *r, uint32_t instance, uint64_t caller);
void futex_rows_done(struct futex_rows *r);

/* ---- pairs of calls ----
 *
 * Pairs the beginnings and ends of calls of futex(2) and its newer forms by thread,
 * from the records of tracepoints (pmu/perf/syscalls.h). Pure.
 *
 * A call whose beginning or end is unknown belongs to no pair; it is counted. After a loss of
 * records, the end that comes next in a thread may be that of a later call: so a call that was
 * under way at a loss makes no pair.
 *
 * A wait that a signal interrupts ends with a number of the kernel's own (below -511), whatever
 * comes next. If the thread then exits, the signal has killed it, and the wait had not ended. Else
 * the program, or the kernel for it, may begin the call again: it has two pairs then.
 *
 * A call that had begun before the records is added as it was seen in the thread
 * (syscall_record.began_before). If an older record of the thread comes later, the thread was in
 * another call then, and the one that was seen is forgotten.
 */

struct futex_pairs;

struct futex_pair {
	pid_t process, task;
	uint64_t begin_ns, end_ns;
	/* The address of a vector is that of the vector: the futexes in it are unknown. */
	struct futex_operation operation;
	bool under_way;    /* the call had not ended at end_ns */
	bool began_before; /* it had begun before begin_ns, at an unknown time */
	int64_t result;    /* negative: -errno; -EINTR for all of the kernel's own */
	const struct syscall_record *enter; /* valid during the visit */
};

struct futex_pairs_numbers {
	uint64_t n_calls;    /* calls of which the beginning or the end is known */
	uint64_t n_unpaired; /* those of n_calls in no pair */
};

typedef void futex_pairs_visit(void *context, const struct futex_pair *pair);

/* visit: called for each pair, during the functions below. */
struct futex_pairs *futex_pairs_new(futex_pairs_visit *visit, void *context);
/* Adds a record; those of other calls and kinds change nothing. Records are in the order of
 * time. */
void futex_pairs_add(struct futex_pairs *p, const struct syscall_record *record);
/* Sets *out to the call that a thread is in, as a pair that is under way; valid until the next
 * record is added. Returns false if it is in none, or it may have ended during a loss. */
bool futex_pairs_find_open(const struct futex_pairs *p, pid_t task, uint64_t now_ns,
			   struct futex_pair *out);
/* Visits the calls that are under way. */
void futex_pairs_end(struct futex_pairs *p, uint64_t now_ns);
struct futex_pairs_numbers futex_pairs_numbers(const struct futex_pairs *p);
void futex_pairs_free(struct futex_pairs *p);

/* ---- the program ---- */

/* The waits of an exited thread for one futex, in one row. */
struct futex_share {
	uint32_t tid;
	uint32_t instance; /* the number of the futex, from 1 on */
	uint64_t n, ticks;
};

/* A living thread. */
struct futex_thread {
	struct locks_past past; /* end: 0 */
	struct futex_rows rows;
};

struct futex_program {
	pid_t pid;
	bool stacks;
	bool has_executed; /* it ended when the process executed another program */
	uint32_t n_before; /* the programs that the process had executed before this one */
	bool is_merged;    /* set by the caller: the report of a preloaded object has the rows */
	bool is_live;      /* only its rows are kept: no records of waits, no exited threads */
	uint64_t ns_per_tick;
	char name[LOCKS_NAME_MAX]; /* of the process: threads have it unless they change it */
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC; end_ns 0: it runs */
	struct map_records maps;
	struct locks_instance *instance; /* [n_instances] */
	size_t n_instances, cap_instances;
	struct hash by_address;  /* the numbers of instances, by address; of `several`, by caller */
	struct hash threads;     /* struct futex_thread, by tid */
	uint32_t n_threads;      /* that were ever seen */
	struct locks_past *past; /* [n_pasts] all exited threads */
	size_t n_pasts, cap_pasts;
	struct futex_share *share; /* [n_shares] */
	size_t n_shares, cap_shares;
	struct futex_rows ended;
	struct locks_wait *wait; /* [n_waits]; record 0: waits without room */
	uint32_t *next_wait;     /* [n_waits] a record with the same key; 0: none */
	size_t n_waits, cap_waits, cap_next;
	struct hash by_wait;
	uint64_t first_caller; /* 0: no call */
	uint64_t n_calls;      /* in pairs */
	uint64_t n_left_out;   /* those of n_calls in no row */
};

/* Makes a program. maps: copied; NULL: none. */
struct futex_program *futex_program_new(pid_t pid, uint64_t ns_per_tick, bool stacks,
					uint64_t begin_ns, const struct map_records *maps);
void futex_program_free(struct futex_program *p);
/* Adds the rows of all threads to `all`, with the calls that are under way at now_ns. */
void futex_program_sum_rows(struct futex_program *p, const struct futex_pairs *pairs,
			    uint64_t now_ns, struct futex_rows *all);
/* Returns a living thread; adds it if it is not known. */
struct futex_thread *futex_program_thread(struct futex_program *p, pid_t tid, uint64_t begin_ns);
/* Notes the thread of a call, and the caller of one that wakes threads, at its beginning. */
void futex_program_begin(struct futex_program *p, const struct syscall_record *enter);
void futex_program_add(struct futex_program *p, const struct futex_pair *pair);
/* Ends a thread; does nothing if it is not known. */
void futex_program_end_thread(struct futex_program *p, pid_t tid, uint64_t end_ns);
/* Ends the program with all its threads. */
void futex_program_end(struct futex_program *p, uint64_t end_ns);
/* Converts a time to ticks. */
uint64_t futex_program_ticks(const struct futex_program *p, uint64_t ns);

#endif
