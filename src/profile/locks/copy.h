/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy - copies the table of locks of a process (inject/preload/table.h) as of one moment
 * (locks_copy_...), and sums the locks in shared memory over copies of several processes
 * (locks_shared_...).
 *
 * The table is read by inject/table_reader.h, which checks it: all numbers in a copy are within
 * their bounds, whatever the file contains.
 */
#ifndef PROFILE_LOCKS_COPY_H
#define PROFILE_LOCKS_COPY_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/preload/table.h"

/* The part that the records of the kernel have in a copy (futex_table.h). */
struct locks_kernel {
	bool used;
	bool alone;             /* no object has measured the process */
	bool is_one_of_several; /* its process has executed other programs, too */
	uint64_t end; /* when the process executed the next program, by the clock of the object; 0:
			 it did not, or that is unknown */
	const char *ignored; /* an option that has no effect if alone; NULL: none */
	uint64_t n_lost;     /* records that were lost */
	uint64_t
		n_unpaired; /* calls of which a part was, or may have been, lost, of all programs */
};

struct locks_copy {
	struct locks_header header;
	struct locks_module
		*module; /* [header.n_modules]; paths are terminated, without control characters */
	struct locks_instance *instance; /* [header.n_instances] */
	/* [n_threads]: [0] is the sum of the exited threads. wait_since is valid in the state
	 * LOCKS_WAITING only; it is 0 if the wait may have ended during the reading. */
	struct locks_thread *thread;
	size_t n_threads;
	/* [n_rows]: the rows in use. Of each, instance is 1 .. header.n_instances, sequence is its
	 * number in the table (from 1 on), and next is the index of its counts. */
	struct locks_row *row;
	size_t n_rows;
	/* Counts of rows, and of the row `other` of threads; see locks_copy_counts(). */
	struct locks_quantity *row_counts, *thread_counts;
	struct locks_wait *wait; /* [header.n_waits]: instances and numbers of frames are within
				    their bounds */
	struct locks_past *past; /* [header.n_pasts] */
	/* [header.n_chains]: `wait` is within its bounds, 0: unknown; `next` is an earlier record,
	 * 0: none. */
	struct locks_chain *chain;
	struct locks_kernel kernel; /* unused after locks_copy_read() */
	size_t cap_threads, cap_rows, cap_row_counts, cap_thread_counts;
	void *scratch;
};

void locks_copy_init(struct locks_copy *c);
void locks_copy_done(struct locks_copy *c);

/* Reads the table into the copy, replacing its contents. ended: the process has exited, so data
 * that it was just writing (at most one call per thread) is used as it is. In a living process, a
 * thread may write more often than its data can be read: its numbers are then some calls apart.
 * Returns -errno with a sentence that continues "the table of locks of the process 4711"; the copy
 * must not be used then. -EAGAIN: threads kept starting and exiting. */
int locks_copy_read(struct locks_copy *c, int fd, bool ended, struct err *err);
/* Like locks_copy_read(), but reads only the header and the locks. */
int locks_copy_read_locks(struct locks_copy *c, int fd, bool ended, struct err *err);

/* Returns the module of a caller of the copy, in the copy; NULL: unknown. A caller is a return
 * address: the call is before it. */
const struct locks_module *locks_copy_module(const struct locks_copy *c, uint64_t place);
/* Return the counts of a row of the copy, even after sorting, and of the row `other` of a thread;
 * NULL: no events. */
static inline struct locks_quantity *locks_copy_counts(const struct locks_copy *c,
						       const struct locks_row *row)
{
	const uint32_t n = c->header.n_events;

	return n ? &c->row_counts[(size_t)row->next * n * LOCKS_PHASES] : NULL;
}

static inline struct locks_quantity *locks_copy_other(const struct locks_copy *c, size_t thread)
{
	const uint32_t n = c->header.n_events;

	return n ? &c->thread_counts[thread * n * LOCKS_PHASES] : NULL;
}

/* ---- shared ----
 *
 * Sums the rows of locks in shared memory over the processes that use them.
 *
 * A lock is found by its kind and its place in memory that is mapped with MAP_SHARED: the device
 * and inode of the file, and the offset in it (struct locks_memory). A caller is found by its file
 * and the offset in it, so it is the same in programs that have loaded the file elsewhere. Locks
 * that are at one place one after the other count as one lock, as the other processes cannot tell
 * them apart.
 *
 *   for each table:  locks_shared_note()
 *   for each table:  locks_shared_mark(), locks_report_make(), locks_shared_add()
 *   at the end:      a report of locks_shared_copy()
 *
 * The sums are a copy without threads. Its modules are mapped at addresses of its own, to which
 * callers refer. Its process is 0.
 */

struct locks_shared;

struct locks_shared *locks_shared_new(void);
void locks_shared_free(struct locks_shared *s);
/* Notes the locks in shared memory that a process has used. All tables of one process must be
 * noted, and later added, one directly after the other. */
void locks_shared_note(struct locks_shared *s, const struct locks_copy *c);
/* Sets n_processes of the locks that several processes have used. */
void locks_shared_mark(const struct locks_shared *s, struct locks_copy *c);
/* Adds the rows of these locks, after the report of the copy was made. */
void locks_shared_add(struct locks_shared *s, const struct locks_copy *c);
/* Returns the sums, owned by `s`; NULL: no lock was added. */
struct locks_copy *locks_shared_copy(struct locks_shared *s);
/* Returns how many processes have used a lock of the sums. */
uint32_t locks_shared_n_processes(const struct locks_shared *s);

#endif
