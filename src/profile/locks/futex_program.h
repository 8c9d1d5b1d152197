/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_program - the calls of futex(2) of one program that a process has executed: its futexes,
 * the rows of their callers, its threads, and the records of its waits. Pure; a part of
 * futex_table.
 *
 * A living thread has rows of its own. When it exits, they are added to those of all exited
 * threads, so that memory is not a matter of the number of threads.
 */
#ifndef PROFILE_LOCKS_FUTEX_PROGRAM_H
#define PROFILE_LOCKS_FUTEX_PROGRAM_H

#include "profile/locks/futex_pairs.h"
#include "profile/locks/futex_rows.h"
#include "profile/locks/map_records.h"

/* The waits of an exited thread for one futex. */
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
	bool is_merged; /* set by the user of the program: another report has its rows */
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
/* Returns a living thread; adds it if it is not known. */
struct futex_thread *futex_program_thread(struct futex_program *p, pid_t tid, uint64_t begin_ns);
/* Notes who wakes, at the beginning of a call that does. */
void futex_program_begin(struct futex_program *p, const struct syscall_record *enter);
void futex_program_add(struct futex_program *p, const struct futex_pair *pair);
/* Ends a thread; one that is not known was not seen. */
void futex_program_end_thread(struct futex_program *p, pid_t tid, uint64_t end_ns);
/* Ends the program with all its threads. */
void futex_program_end(struct futex_program *p, uint64_t end_ns);
/* Converts a time to ticks. */
uint64_t futex_program_ticks(const struct futex_program *p, uint64_t ns);

#endif
