/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy - what the table of a process (inject/preload/table.h) says at one moment.
 *
 * It is read by inject/table_reader.h, so what a copy holds is in its bounds, whatever stands in
 * the file.
 */
#ifndef PROFILE_LOCKS_COPY_H
#define PROFILE_LOCKS_COPY_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/preload/table.h"

struct locks_copy {
	struct locks_header header;
	struct locks_module *module;     /* [header.n_modules]; its path is ended and harmless */
	struct locks_instance *instance; /* [header.n_instances] */
	/* [n_threads]: the first one is the sum of those that have ended. wait_since is 0 where it
	 * is not known in which row a thread waits. */
	struct locks_thread *thread;
	size_t n_threads;
	/* [n_rows]: those that somebody has. Their instance is 1 .. header.n_instances; sequence
	 * is their number in the table, and next says which counts are theirs. */
	struct locks_row *row;
	size_t n_rows;
	/* What rows and threads (in their row `other`) have counted; asked for below. */
	struct locks_quantity *row_counts, *thread_counts;
	struct locks_wait *wait; /* [header.n_waits]: instances and frames are in their bounds */
	struct locks_past *past; /* [header.n_pasts] */
	size_t cap_threads, cap_rows, cap_row_counts, cap_thread_counts;
	void *scratch;
};

void locks_copy_init(struct locks_copy *c);
void locks_copy_done(struct locks_copy *c);

/* Replaces what is in the copy. ended: the process has gone; so what it was writing then is taken
 * as it stands, at most one call of each thread. Else, that of a thread which writes more often
 * than can be read is some calls apart in its numbers. -errno with a sentence, which goes on from
 * "the table of locks of the process 4711"; nothing of the copy may be used then. -EAGAIN: threads
 * came and went all the time. */
int locks_copy_read(struct locks_copy *c, int fd, bool ended, struct err *err);

/* The counts of a row of the copy, wherever it has been moved, and of the row `other` of a thread;
 * NULL: there are no events. */
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

#endif
