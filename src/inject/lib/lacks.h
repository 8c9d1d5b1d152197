/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lacks - the lines of a report that say what its numbers leave out, one for each reason.
 */
#ifndef INJECT_LIB_LACKS_H
#define INJECT_LIB_LACKS_H

#include "inject/lib/lines.h"

/* The process that the report describes. */
enum tt_reported {
	TT_REPORTED_SELF,  /* the one that writes it */
	TT_REPORTED_RUNS,  /* another one, which runs */
	TT_REPORTED_ENDED, /* another one, which has ended by exit(3) */
	TT_REPORTED_CUT,   /* another one, which has ended otherwise */
};

/* Sums over all threads. */
struct tt_lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_rowless, n_going_on, n_waited;
	uint64_t threads_joined; /* threads without rows of their own, though rows of threads are
			      requested */
	/* For another process: rows that it was writing when it ended, and pieces of its table that
	 * are missing in the file. */
	uint64_t n_torn, n_unseen;
	enum tt_reported of;
};

/* Writes a line for each reason whose number is not 0, and for those in the header of the table. */
void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum);

#endif
