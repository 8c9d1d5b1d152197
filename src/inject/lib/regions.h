/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * regions - the regions of this process: the table that they are counted in (table.h), and their
 * numbers.
 *
 * The table is a file of the process, so that tiptop can read it while the process runs: in
 * $XDG_RUNTIME_DIR, else in /dev/shm, made by this process and readable by its user only, and in
 * memory (tmpfs). The process holds a lock on it, which says that it lives. Where none can be made,
 * it is memory that has no name. The file goes when the process ends. It grows with threads and
 * their regions; what it has no room for is private memory (memory.h), which the report of the
 * process has all the same.
 *
 * What all threads share is changed by one at a time (tt_guard), and no signal is taken meanwhile:
 * a handler that begins a region does not wait for its own thread. No memory is asked for then but
 * by mmap(2), since a handler may have interrupted malloc(3).
 *
 * The environment says whether regions are measured, see tiptop.h. A program that runs with other
 * rights than its user's ignores it. What it says is found out before main(): a program may write
 * over its environment (setproctitle(3)), and may see other folders later.
 */
#ifndef INJECT_LIB_REGIONS_H
#define INJECT_LIB_REGIONS_H

#include <signal.h>
#include <stdbool.h>

#include "inject/lib/memory.h"
#include "inject/lib/table.h"

struct tt;
struct tt_thread;

/* The number of a region that has no room in the table: it is not measured. */
#define REGIONS_NO_ROOM (TABLE_REGIONS + 1)

/* The slots of a thread, one for each block of regions that it has begun; NULL: none of that block.
 */
struct tt_slots {
	struct table_slot *block[TABLE_BLOCKS];
	unsigned number[TABLE_BLOCKS];
};

struct tt_regions {
	struct table_header *header; /* NULL: there is no table */
	struct table_region *region; /* [TABLE_REGIONS] */
	/* The numbers of regions by the hashes of their labels: so many places, at least half of
	 * which are free. A child has the same. */
	uint32_t *by_hash;
	uint32_t n_places;
	/* What threads that have ended have left: the rows that are there, by the numbers of their
	 * regions; NULL: it has no page. */
	struct tt_slots ended;
	struct table_row *ended_row[1 + TABLE_REGIONS];
	/* By the first slot of each; NULL: it is free, or that of another block. */
	struct tt_thread *thread[TABLE_SLOTS];
	bool taken[TABLE_SLOTS];
	unsigned n_slots; /* those from here on have never been taken */
	struct memory_file file;
	size_t page;
	char path[160];         /* of the file; "": it has no name */
	char keeper[160];       /* the folder of the tiptop that reports this process; "": none */
	const struct tt *found; /* the events; NULL: only the time is measured */
	char format[8];
	char program[TABLE_NAME_MAX], host[TABLE_HOST_MAX];
	char boot_id[sizeof(((struct container *)0)->boot_id)];
	char rank[TABLE_RANK_MAX];
	uint64_t start_ticks; /* when measuring began once more; 0: it has not ended yet */
	/* What the program calls its work, as in the table; a child goes on with the same. */
	char unit[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n_units;
	bool begun; /* the program was started with TIPTOP_REGIONS */
	bool subtract;
	bool in_order;               /* see tt_in_order() */
	bool by_thread;              /* reports have rows of threads, too */
	struct tt_exited_rows *kept; /* the rows of those that have ended, then */
	uint64_t threads_joined;     /* threads for whose rows there was no memory */
};

/* What a thread that has ended leaves, where that is wanted by threads: so many rows. Never given
 * back. */
struct tt_exited_rows {
	struct tt_exited_rows *next;
	uint32_t tid, n;
	uint64_t rows[];
};

/* That of this process. A child of fork() has a new one. */
extern struct tt_regions tt_regions;

/* What a thread has in place of a row that was reset while calls of it went on: none of its numbers
 * counts, and each begin has to look for the real one. */
extern struct table_row *const tt_regions_no_row;

struct tt_guard {
	sigset_t mask;
	int error, cancellation;
};

/* From here on the thread is alone with what all share, and takes no signal. errno is kept. */
void tt_guard_enter(struct tt_guard *g);
void tt_guard_leave(const struct tt_guard *g);

/* Makes the file of the table, before there is a table. */
void tt_regions_make_file(void);
/* Whether a file was made by this process. */
bool tt_regions_has_file(void);
/* Whether there is a table, and of this process. */
bool tt_regions_is_own(void);
/* -1, with a sentence for tt_strerror(): regions are not measured. */
int tt_regions_check(void);
/* How many regions the table has; others may be added meanwhile. */
static inline uint32_t tt_regions_n(void)
{
	return __atomic_load_n(&tt_regions.header->n_regions, __ATOMIC_ACQUIRE);
}

/* Returns the number of the region with this label; 0: none has been called. */
uint32_t tt_regions_look_up(const char *label);

/* All of the following is under the guard. */

/* Makes the table where there is none yet; by the first thread that begins a region, which has
 * opened these counters (NULL: none). False: there is no memory. */
bool tt_regions_begin(const struct tt *counters);
/* The number of a region, from 1 on; a label has one number, wherever it is declared.
 * REGIONS_NO_ROOM: there is no room for it. */
uint32_t tt_regions_find(const char *label);
/* Maps a free slot for this thread. False: there is none. */
bool tt_regions_take_slot(struct tt_thread *t);
/* The row of a region that this thread begins for the first time; NULL: there is no slot or memory.
 */
struct table_row *tt_regions_take_row(struct tt_thread *t, uint32_t id);
/* Returns the number of the next region from this one on of which the thread has a row, or those
 * that have ended; 0: there is none. */
uint32_t tt_regions_next_row(const struct tt_thread *t, uint32_t id);
uint32_t tt_regions_next_ended(uint32_t id);
/* Lets a row count from 0 on. */
void tt_regions_renew_row(struct table_row *row, uint32_t id);
/* Lets the rows of this thread count from 0 on whose regions were reset. */
void tt_regions_renew_rows(struct tt_thread *t);
/* Adds its rows to those of the threads that have ended, and frees its slots. */
void tt_regions_free_slot(struct tt_thread *t);
/* In a child: unmaps the slots of all threads, and those of the ended but slot 0. */
void tt_regions_forget_slots(void);

/* In a child: nothing is measured yet, and the parent's table is left alone. Without the guard. */
void tt_regions_forget(void);

#endif
