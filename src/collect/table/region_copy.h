/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_copy - a copy of the table of a process (inject/lib/table.h) at one moment, summed over
 * its threads.
 *
 * inject/table_reader.h reads the table, so all indices and sizes in a copy are within their
 * bounds, whatever the file contains.
 */
#ifndef COLLECT_TABLE_REGION_COPY_H
#define COLLECT_TABLE_REGION_COPY_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/lib/lines.h"
#include "inject/lib/table.h"

struct table_copy {
	struct table_header header;  /* its texts are terminated and have no control characters */
	struct table_region *region; /* [header.n_regions] */
	struct table_slot slots;     /* sums over all threads; tid is unused */
	/* Unfinished calls; and rows that the process was writing when it ended. */
	uint64_t n_going_on, n_torn;
	/* [header.n_regions] of header.row_size bytes; sequence and depth are unused. epoch 0: no
	 * thread of the process has begun the region, whose label comes from the parent process. */
	void *rows;
	void *scratch; /* the rows of one slot */
	size_t cap;    /* size of rows, in bytes */
};

void table_copy_init(struct table_copy *c);
void table_copy_done(struct table_copy *c);

/* Replaces the contents of the copy. ended: the process has ended, so a write in progress stays
 * unfinished: the table is read as it is. Returns 0; or -errno with a sentence that continues "the
 * table of regions of the process 4711", and then the copy is empty. -EAGAIN: the table changed
 * during each attempt to read it. */
int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err);

/* Returns what is missing in the numbers. The caller sets the field `of`. */
struct tt_lacks table_copy_lacks(const struct table_copy *c);

/* Returns the row of region i. */
struct table_row *table_copy_row(const struct table_copy *c, uint32_t i);

#endif
