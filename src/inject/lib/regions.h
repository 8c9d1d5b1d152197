/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * regions - numbers the regions of this process, and makes the table in which their calls are
 * counted (table.h).
 *
 * The table is a file, so that tiptop can read it while the process runs (table_file). If no file
 * can be made, the table is anonymous memory. The file is removed at exit(3), unless a keeper
 * reports it. It grows with threads and their regions; parts for which the file has no room
 * are in private memory (memory). The process's own report includes them.
 *
 * Threads change shared state one at a time (tt_guard), with all signals blocked: otherwise a
 * handler that begins a region would wait for its own thread. Under the guard, memory comes from
 * mmap(2) only, since a handler may have interrupted malloc(3).
 *
 * Environment variables select whether regions are measured, see tiptop.h. In a program with other
 * rights than its user's (set-user-ID), these variables are ignored. They are evaluated before
 * main(), since a program may overwrite its environment (setproctitle(3)) and change its root
 * later.
 */
#ifndef INJECT_LIB_REGIONS_H
#define INJECT_LIB_REGIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "inject/lib/table.h"

/* ---- memory ----
 *
 * The memory of a table: pieces of a file, so that other processes can read it, or private
 * memory if the file has no room.
 *
 * A process that writes to a mapped page for which the tmpfs has no room is killed by SIGBUS, and
 * one that extends a file beyond RLIMIT_FSIZE by SIGXFSZ. So the file grows with its mappings and
 * within the limit, and each page is populated before it is written.
 *
 * The file has one descriptor, with a high number (descriptor.h). If the program closes the
 * descriptor, mappings and the lock on the file stay, and later pieces are private memory.
 */

struct memory_file {
	int fd; /* -1: no file */
	dev_t device;
	ino_t inode;
	size_t size;
};

/* Takes over the descriptor of an empty file and moves it to a high number. -EMFILE: no number is
 * free. */
int tt_memory_open(struct memory_file *f, int fd);
/* Closes the descriptor if it still refers to the file. */
void tt_memory_close(struct memory_file *f);

/* Maps a piece of the file or, if the file has no room, zeroed private memory. Sets *in_file to
 * whether the piece is in the file. NULL: no memory. The piece must not be written before
 * tt_memory_make_real(). */
void *tt_memory_map(struct memory_file *f, size_t offset, size_t size, bool *in_file);
/* Populates the pages of [from, from + size), so that they can be written. A page for which the
 * file has no room becomes private memory, and *in_file is set to false. Returns false if there is
 * no memory. */
bool tt_memory_make_real(void *from, size_t size, bool *in_file);
/* Frees the pages of a piece, which reads as 0 in the file afterwards, and unmaps it. */
void tt_memory_unmap(void *piece, size_t size);

/* ---- table_file ----
 *
 * The file that holds the table of a process (table.h), and the keeper that reports it.
 *
 * The process makes the file in the folder of the keeper, else in $XDG_RUNTIME_DIR, else in
 * /dev/shm, else without a name (memfd). Only its user can read it, and it is on a tmpfs. The
 * process holds a lock on it, which is released when the last descriptor and mapping of the file
 * are closed: the lock shows that the process lives.
 *
 * A keeper is a tiptop that started the command to which this process belongs ("tiptop regions --
 * command"). It has made a folder, keeps it locked (flock(2)) as long as it runs, and names it in
 * TIPTOP_KEEPER. The process then makes its file there, as soon as it starts: later it may have
 * given up the permission to do so. At its end, the process leaves the file and the report to the
 * keeper. If the keeper has ended by then, the process writes the report itself, as without a
 * keeper.
 *
 * The keeper may lock and remove an empty file that is not locked yet. So a file that vanished
 * before it was locked is made again, with another name. Any tiptop removes files that no process
 * has open or mapped for writing (collect/table/table_folder.h).
 */

struct tt_regions;

/* Returns whether the file is in the keeper's folder, and the keeper runs. */
bool tt_table_file_is_kept(const struct tt_regions *r);

/* ---- regions ---- */

struct tt;
struct tt_thread;

/* The number of a region for which the table has no room: it is not measured. */
#define REGIONS_NO_ROOM (TABLE_REGIONS + 1)

/* The slots of a thread and the numbers of these slots. Regions are in blocks of TABLE_BLOCK
 * numbers; the thread has a slot for each block in which it has begun a region. NULL: no slot for
 * this block. */
struct tt_slots {
	struct table_slot *block[TABLE_BLOCKS];
	unsigned number[TABLE_BLOCKS];
};

struct tt_regions {
	struct table_header *header; /* NULL: no table yet */
	struct table_region *region; /* [TABLE_REGIONS] */
	/* Hash table of the numbers of regions, by label: n_places places, at least half of them
	 * free. A child inherits it. */
	uint32_t *by_hash;
	uint32_t n_places;
	/* The slots and rows with the sums of exited threads. ended_row is indexed by region
	 * numbers; NULL: no row yet. */
	struct tt_slots ended;
	struct table_row *ended_row[1 + TABLE_REGIONS];
	/* The living threads, by the numbers of their first slots; NULL for all other slots. */
	struct tt_thread *thread[TABLE_SLOTS];
	bool taken[TABLE_SLOTS];
	unsigned n_slots; /* slots from this one on were never in use */
	struct memory_file file;
	size_t page;      /* page size in bytes */
	char path[160];   /* of the file; "": none */
	char keeper[160]; /* the folder of the tiptop that reports this process; "": none */
	const struct tt
		*found; /* the events that were looked up; NULL: only the time is measured */
	char format[8]; /* of the report: "text", "csv" or "json" */
	char program[TABLE_NAME_MAX], host[TABLE_HOST_MAX];
	char boot_id[sizeof(((struct container *)0)->boot_id)];
	char rank[TABLE_RANK_MAX];
	uint64_t start_ticks; /* when measuring was last started again after a stop, in ticks; 0:
				 never */
	/* The units of work, as in the table; a child inherits them. */
	char unit[TABLE_UNITS][TABLE_UNIT_MAX];
	uint32_t n_units;
	bool begun;                  /* TIPTOP_REGIONS was set and accepted */
	const char *refusal;         /* why TIPTOP_REGIONS had no effect; NULL: it was accepted, or
					not set */
	bool subtract;               /* reports subtract the cost of measuring */
	bool in_order;               /* see tt_in_order() */
	bool by_thread;              /* reports have a row for each thread, too */
	struct tt_exited_rows *kept; /* with by_thread: the rows of exited threads */
	uint64_t threads_joined; /* exited threads whose rows could not be kept, for lack of memory
				  */
};

/* A copy of the n rows of an exited thread, made if by_thread is set. Never freed. */
struct tt_exited_rows {
	struct tt_exited_rows *next;
	uint32_t tid, n;
	uint64_t rows[];
};

/* The state of this process. A child resets what belongs to the threads and the table of its
 * parent. */
extern struct tt_regions tt_regions;

struct tt_guard {
	sigset_t mask;
	int error, cancellation;
};

/* Enter and leave the section in which a thread may change state that threads share. In the
 * section, the thread holds a lock, and all signals and cancellation are blocked. errno is
 * preserved. */
void tt_guard_enter(struct tt_guard *g);
void tt_guard_leave(const struct tt_guard *g);

/* Makes the file for the table, before there is a table. */
void tt_regions_make_file(void);
/* Returns whether this process, rather than its parent, has called tt_regions_make_file(). */
bool tt_regions_has_file(void);
/* Returns whether there is a table, and this process made it. */
bool tt_regions_is_own(void);
/* Returns how many regions the table has; threads may add others at any time. */
static inline uint32_t tt_regions_n(void)
{
	return __atomic_load_n(&tt_regions.header->n_regions, __ATOMIC_ACQUIRE);
}

/* Returns the number of the region with this label; 0: this process has not called the region, or
 * the table has no room for it. */
uint32_t tt_regions_look_up(const char *label);

/* The following functions are called under the guard. */

/* Makes the table if there is none yet; called by each thread that begins its first region, with
 * its counters (NULL: none). Returns false if there is no memory. */
bool tt_regions_begin(const struct tt *counters);
/* Returns the number of the region with this label, from 1 on; adds it if it is new.
 * REGIONS_NO_ROOM: the table has no room for the region. */
uint32_t tt_regions_find(const char *label);
/* In a child: forgets the parent's table, which is left unchanged. Called without the guard, after
 * the threads were forgotten. */
void tt_regions_forget(void);

#endif
