/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lacks - what the numbers of a report lack: a line for each of it.
 */
#ifndef INJECT_LIB_LACKS_H
#define INJECT_LIB_LACKS_H

#include "inject/lib/lines.h"

/* Of which process the report is. */
enum tt_reported {
	TT_REPORTED_SELF,  /* the one that writes it */
	TT_REPORTED_RUNS,  /* another one, which runs */
	TT_REPORTED_ENDED, /* another one, which has ended by exit(3) */
	TT_REPORTED_CUT,   /* another one, which has ended otherwise */
};

/* Of all threads. */
struct tt_lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_rowless, n_going_on, n_waited;
	uint64_t threads_joined; /* threads without rows of their own, where these are wanted */
	/* Of another process: rows that it was writing when it ended, and pieces of its table that
	 * are not in the file. */
	uint64_t n_torn, n_unseen;
	enum tt_reported of;
};

/* Writes a line for each that there is, those of the header of the table, too. */
void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum);

#endif
