/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - where processes make their tables: a folder in memory of the user's own.
 *
 * The tiptop that made it has it locked (flock(2)) until it ends; then it removes the tables of
 * processes that have ended. A process that goes on keeps its table, so that --live shows it: each
 * later start of locks or calls removes what no process has mapped any more, of all folders of this
 * user that are not locked, also those of a tiptop that was killed.
 *
 * A program that is not measured as it was executed under a filter of system calls opens a file of
 * the folder (inject/preload/process.h), and does no more.
 *
 * The folder has an entry for each program that a process has executed, and they come in that
 * order.
 */
#ifndef RUN_TABLE_FOLDER_H
#define RUN_TABLE_FOLDER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/file.h"

#define TABLE_FOLDER_MAX 160

struct table_folder {
	char path[TABLE_FOLDER_MAX]; /* "": there is none */
	int lock_fd;
	int mark_fd; /* inotify(7), of the file that such programs open; -1: it is not seen */
};

/* Makes it, in $XDG_RUNTIME_DIR or in /dev/shm, and removes what was left in both, of locks and of
 * calls. what: "locks", as its name and messages say. */
int table_folder_make(struct table_folder *f, const char *what, struct err *err);
/* Reads a table into `to`, as a reader of a layer does. ended: the process has gone; what it was
 * writing then is taken as it stands. -EAGAIN: it changed all the time. */
typedef int (*table_reader)(void *to, int fd, bool ended, struct err *err);
/* Opens the table with this name, which is the file of nobody else, and reads it. What is always
 * being written was left so by a process that was killed. what: as that of table_folder_make().
 * TABLE_FOLDER_NOT_BEGUN: a process that runs is about to make it. */
#define TABLE_FOLDER_NOT_BEGUN 1
int table_folder_read(const struct table_folder *f, const char *what, const char *name,
		      table_reader read, void *to, struct err *err);
/* Returns how many programs were not measured for their filters since the last call. */
unsigned table_folder_count_filtered(struct table_folder *f);
/* Removes the tables of processes that have ended, and the folder where nothing is left in it. */
void table_folder_remove(struct table_folder *f);
/* The same where processes go on that may make a table later: the folder stays in any case, and so
 * do tables that a child has still mapped. */
void table_folder_leave(struct table_folder *f);

#endif
