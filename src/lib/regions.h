/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * regions - the regions of this process: the table that they are counted in (table.h), and their
 * numbers.
 *
 * The table is a file of the process, so that tiptop can read it while the process runs: in
 * $XDG_RUNTIME_DIR, else in /dev/shm, made by this process and readable by its user only, and in
 * memory (tmpfs). The process holds a lock on it, which says that it lives. Where none can be made,
 * it is memory that has no name. The file goes when the process ends.
 *
 * The environment says whether regions are measured, see tiptop.h. A program that runs with other
 * rights than its user's ignores it.
 */
#ifndef LIB_REGIONS_H
#define LIB_REGIONS_H

#include <stdbool.h>

#include "lib/table.h"

struct tt_regions {
	struct table_header *header; /* NULL: there is no table */
	struct table_region *region; /* [TABLE_REGIONS] */
	struct table_slot *ended;    /* slot 0 */
	int fd;
	size_t page;
	char path[160]; /* of the file; "": it has no name */
	const char *events, *report, *format;
	bool subtract;
	bool in_order; /* see tt_in_order() */
};

/* That of this process. A child of fork() has a new one. */
extern struct tt_regions tt_regions;

/* Makes the table where there is none yet; by the first thread that begins a region. False: there
 * is no memory. */
bool tt_regions_begin(void);
/* The number of a region, from 1 on; a label has one number, wherever it is declared. 0: no room.
 */
uint32_t tt_regions_find(const char *label);
/* Maps a free slot for this thread; NULL: there is none. */
struct table_slot *tt_regions_take_slot(unsigned *slot);
/* Adds its rows to those of the threads that have ended, and frees it. */
void tt_regions_give_slot(struct table_slot *s, unsigned slot);
/* In a child: nothing is measured yet, and the parent's table is left alone. */
void tt_regions_forget(void);

#endif
