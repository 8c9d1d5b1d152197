/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lacks - what the numbers of a report lack: a line for each of it.
 */
#ifndef LIB_LACKS_H
#define LIB_LACKS_H

#include "lib/lines.h"

/* Of all threads. */
struct tt_lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_going_on;
	uint64_t n_unkept; /* threads without rows of their own, where these are wanted */
};

/* Writes a line for each that there is, those of the header of the table, too. */
void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum);

#endif
