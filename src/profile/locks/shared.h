/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared - sums the rows of locks in shared memory over the processes that use them.
 *
 * A lock is found by its kind and its place in memory that is mapped with MAP_SHARED: the device
 * and inode of the file, and the offset in it (struct locks_memory). A caller is found by its file
 * and the offset in it, so it is the same in programs that have loaded the file elsewhere. Locks at
 * one place after each other are one lock, as the other processes cannot tell them apart.
 *
 *   for each table:  locks_shared_note()
 *   for each table:  locks_shared_mark(), locks_report_make(), locks_shared_add()
 *   at the end:      a report of locks_shared_copy()
 *
 * The sums are a copy without threads. Its modules are mapped at addresses of its own, to which
 * callers refer. Its process is 0.
 */
#ifndef PROFILE_LOCKS_SHARED_H
#define PROFILE_LOCKS_SHARED_H

#include "profile/locks/copy.h"

struct locks_shared;

struct locks_shared *locks_shared_new(void);
void locks_shared_free(struct locks_shared *s);
/* Notes the locks in shared memory that a process has used. Tables of one process follow each
 * other. */
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
