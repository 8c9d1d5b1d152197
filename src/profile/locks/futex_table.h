/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_table - the calls of futex(2) that the kernel has recorded, as rows of the kind futex: for
 * each program that a process has executed, its futexes, their callers, its threads and files. A
 * program without calls is left out, unless it is the last one of the command. Pure.
 *
 *   futex_table_new()
 *   futex_table_add()    for each record, in the order of time
 *   futex_table_end()    when the command has ended
 *   futex_table_find()   the program of a table of the preloaded object
 *   futex_copy_...()     its rows in a copy of a table, from which reports are made
 *
 * The rows are those that the preloaded object makes of calls through syscall(2)
 * (inject/preload/futex.c), with these differences. The caller is the place of the system call
 * itself, and the callers above it are those that frame pointers name. Memory cannot be read, so
 * waits for several futexes (futex_waitv) are rows of several locks. A wait that a signal handler
 * interrupts, after which the kernel begins it again, counts as two waits. It is unknown when a
 * thread holds a lock.
 *
 * The rows are bounded: as in the table of the object, futexes beyond LOCKS_SINGLE share a row for
 * each caller, and waits beyond LOCKS_WAITS share a record; threads that have exited share their
 * rows. Each exited thread keeps its times (struct locks_past, struct futex_share).
 */
#ifndef PROFILE_LOCKS_FUTEX_TABLE_H
#define PROFILE_LOCKS_FUTEX_TABLE_H

#include "pmu/perf/syscalls.h"
#include "profile/locks/copy.h"
#include "profile/locks/futex_program.h"

struct futex_table;

struct futex_table_options {
	pid_t command;
	bool all;             /* with the processes that the command creates */
	bool stacks;          /* records of waits have their callers */
	bool live;            /* copies are made while programs run, see below */
	uint64_t ns_per_tick; /* of the rows, in units of 2^-32 ns */
};

struct futex_table *futex_table_new(const struct futex_table_options *o);
void futex_table_add(struct futex_table *t, const struct syscall_record *record);
/* Ends all programs: calls that have not ended are under way. now_ns: CLOCK_MONOTONIC. */
void futex_table_end(struct futex_table *t, uint64_t now_ns);
/* Return the number of programs that are not left out, and the i-th of them, in the order of their
 * ends. */
size_t futex_table_n(const struct futex_table *t);
struct futex_program *futex_table_program(const struct futex_table *t, size_t i);
/* Returns the program that this process had executed last at this time of CLOCK_MONOTONIC; NULL: it
 * is not among these. */
struct futex_program *futex_table_find(const struct futex_table *t, pid_t pid, uint64_t time_ns);
/* Returns when this process, which ran a program at time_ns, executed the next one, whether or not
 * it has calls; 0: it did not. Both on CLOCK_MONOTONIC. */
uint64_t futex_table_execution(const struct futex_table *t, pid_t pid, uint64_t time_ns);
/* Returns the number of calls that are known. */
uint64_t futex_table_n_calls(const struct futex_table *t);
/* Returns the number of calls of which a part may be lost. */
uint64_t futex_table_unpaired(const struct futex_table *t);
void futex_table_free(struct futex_table *t);

/* ---- running programs ----
 *
 * With the option `live`, all programs that have ended are kept until they are forgotten, and only
 * the rows are kept of programs, so that their size does not grow with time.
 */

/* Returns the next running program, in no order; NULL: there is none. *pos: 0 at first. */
struct futex_program *futex_table_next_running(const struct futex_table *t, size_t *pos);
/* Frees the programs that have ended. */
void futex_table_forget_ended(struct futex_table *t);

/* ---- copies ----
 *
 * Writes the rows that were made from records of the kernel (futex_program.h) into a
 * copy of a table of locks, from which reports are made.
 *
 * If no object has measured the program, it is not known when threads hold locks: their time is
 * either LOCKS_WAITING or LOCKS_FREE, and copy->kernel.alone is set.
 */

/* Makes a copy of a program that no object has measured. c: initialized; the caller frees it by
 * locks_copy_done(). */
void futex_copy_make(struct locks_copy *c, const struct futex_program *p);
/* Makes a copy of the rows of a program as of now_ns, which may run; with `live`. */
void futex_copy_make_live(struct locks_copy *c, const struct futex_table *t,
			  struct futex_program *p, uint64_t now_ns);
/* Adds the rows of futexes to a copy of the table that the preloaded object has made in this
 * program. Leaves out a futex that has a row in that table already, and one that is a part of a
 * lock that has a row there. Moves the times of waits from LOCKS_FREE to LOCKS_WAITING. end: when
 * the program ended, by the clock of the preloaded object; used if that has not noted its end. */
void futex_copy_merge(struct locks_copy *c, const struct futex_program *p, uint64_t end);

#endif
