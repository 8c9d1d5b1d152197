/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_copy - writes the rows that were made from records of the kernel (futex_program.h) into a
 * copy of a table of locks, from which reports are made.
 *
 * If no object has measured the program, it is not known when threads hold locks: their time is
 * either LOCKS_WAITING or LOCKS_FREE, and copy->kernel.alone is set.
 */
#ifndef PROFILE_LOCKS_FUTEX_COPY_H
#define PROFILE_LOCKS_FUTEX_COPY_H

#include "profile/locks/copy.h"
#include "profile/locks/futex_program.h"

/* Makes a copy of a program that no object has measured. The copy was initialized; the caller frees
 * it by locks_copy_done(). */
void futex_copy_make(struct locks_copy *c, const struct futex_program *p);
/* Adds the rows to a copy of the table that the object has made in this program, but those of
 * futexes that have a row there already, or are a part of an object that has. The times of waits
 * are moved from LOCKS_FREE to LOCKS_WAITING. end: the clock of the object when the command had
 * ended. */
void futex_copy_merge(struct locks_copy *c, const struct futex_program *p, uint64_t end);

#endif
