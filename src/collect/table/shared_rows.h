/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_rows - sums the readings of one lock in shared memory over the processes that use it, so
 * that a sample has one row for each caller.
 *
 * A lock is found by its kind and place in memory, and a caller by its file and the offset in it,
 * as in the report (profile/locks/copy.h). What a process has done stays in the sums after its end,
 * so they never fall; the row ends with the last process. Owner changes are unknown in a sum.
 *
 * A row of a single process keeps its texts. As soon as another process uses the lock, by any
 * caller, the name has inode and offset; if it is by the same caller, the number of processes
 * stands in place of the program. The PID is always that of the first process of the row.
 *
 *   for each sample:  shared_rows_add() for each reading; shared_rows_take()
 */
#ifndef COLLECT_TABLE_SHARED_ROWS_H
#define COLLECT_TABLE_SHARED_ROWS_H

#include "inject/preload/table.h"
#include "model/sample.h"

/* A lock in shared memory, and a caller. */
struct shared_place {
	uint64_t kind;
	struct locks_memory memory;
	uint64_t file, offset; /* file: a hash of its inode and path; 0: offset is an address */
};

struct shared_rows;

struct shared_rows *shared_rows_new(void);
void shared_rows_free(struct shared_rows *s);
/* Adds a reading of this process to the next sample, with its own reference. */
void shared_rows_add(struct shared_rows *s, const struct shared_place *place, int pid,
		     const struct task *reading);
/* Adds the rows to the sample, and forgets those that were not added again. */
void shared_rows_take(struct shared_rows *s, struct sample *out);
/* Forgets all rows: the next ones are other rows. */
void shared_rows_reset(struct shared_rows *s);

#endif
