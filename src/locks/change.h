/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change - what locks have cost in two runs, side by side: by their names, kinds and callers, those
 * first whose time has changed most.
 *
 * The time of a lock is what all of its acquisitions, holds and releases took. The margin of a
 * change is that of the mean of so many independent calls (95 %); calls that follow each other
 * resemble each other, and runs differ, too, so what is within it says nothing, and what is not
 * may still be no more than another run would do.
 */
#ifndef LOCKS_CHANGE_H
#define LOCKS_CHANGE_H

#include "base/strbuf.h"
#include "locks/lines.h"
#include "locks/saved.h"

struct lock_change_row {
	const struct saved_lock *lock[2]; /* A and B; NULL: it is not in that one */
	double ns;                        /* the time in B less that in A */
};

struct lock_change {
	const char *what[2]; /* how the two are called */
	struct lock_change_row *row;
	size_t n;
};

/* The reports must outlive it. */
void lock_change_make(struct lock_change *c, const struct saved *a, const struct saved *b);
void lock_change_done(struct lock_change *c);
/* Appends the first n rows. */
void lock_change_add(const struct lock_change *c, enum locks_format format, size_t n,
		     struct strbuf *out);

#endif
