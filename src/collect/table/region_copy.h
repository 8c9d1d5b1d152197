/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_copy - what the table of a process (inject/lib/table.h) says at one moment: the sum over
 * its threads.
 *
 * It is read by inject/table_reader.h, so what a copy holds is in its bounds, whatever stands in
 * the file.
 */
#ifndef COLLECT_TABLE_REGION_COPY_H
#define COLLECT_TABLE_REGION_COPY_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/lib/lacks.h"
#include "inject/lib/table.h"

struct table_copy {
	struct table_header header;  /* its texts are ended and harmless */
	struct table_region *region; /* [header.n_regions] */
	struct table_slot slots;     /* the sums of all threads; tid means nothing */
	/* Calls that go on; and, of a process that has ended, rows that it was writing then. */
	uint64_t n_going_on, n_torn;
	/* [header.n_regions] of header.row_size bytes; sequence and depth mean nothing. epoch 0: no
	 * thread has begun the region, whose label is that of the parent. */
	void *rows;
	void *scratch; /* the rows of a slot */
	size_t cap;    /* bytes that rows has room for */
};

void table_copy_init(struct table_copy *c);
void table_copy_done(struct table_copy *c);

/* Replaces what is in the copy. ended: the process has gone; so what it was writing then is taken
 * as it stands. -errno with a sentence, which goes on from "the table of regions of the process
 * 4711"; the copy is then empty. -EAGAIN: it changed all the time. */
int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err);

/* Returns what its numbers lack; `of` is for the caller to say. */
struct tt_lacks table_copy_lacks(const struct table_copy *c);

/* The row of region i. */
struct table_row *table_copy_row(const struct table_copy *c, uint32_t i);

#endif
