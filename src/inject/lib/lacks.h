/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lacks - the lines of a report that say what its numbers leave out, one for each reason.
 */
#ifndef INJECT_LIB_LACKS_H
#define INJECT_LIB_LACKS_H

#include "inject/lib/lines.h"

/* The process that the report describes. */
enum tt_reported {
	TT_REPORTED_SELF,  /* the process that writes the report */
	TT_REPORTED_RUNS,  /* another process, which runs */
	TT_REPORTED_ENDED, /* another process, which has ended by exit(3) */
	TT_REPORTED_CUT,   /* another process, which has ended otherwise: by a signal, _exit(2) or
			      execve(2) */
};

/* The numbers of calls and other things that the report leaves out (table.h), over all threads. */
struct tt_lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_rowless, n_going_on, n_waited;
	uint64_t threads_joined; /* threads that have no rows in the report, although TIPTOP_THREADS
				    requests rows of threads; the sums include them */
	/* For another process: rows that it was writing when it ended, and pieces of its table that
	 * are missing in the file. */
	uint64_t n_torn, n_unseen;
	enum tt_reported of;
};

/* Writes a line about the process (sum->of), one for each event that is not counted as requested,
 * and one for each number in *sum and in the header of the table that is not 0. */
void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum);

#endif
