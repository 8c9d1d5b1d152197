/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - the folder in which measured processes make their tables: in memory, and private
 * to the user.
 *
 * tiptop locks its folder (flock(2)) until it ends; then it removes the tables of processes that
 * have ended. A process that continues to run keeps its table, so that --live shows the process.
 * Each later start of tiptop locks, calls or regions removes the tables that no process has mapped
 * any more (collect/table/stale_tables.h), also if the tiptop that made the folder was killed.
 *
 * A program that is not measured because it was executed under a filter of system calls only opens
 * the file PROCESS_MARK in the folder (inject/preload/process.h), so that tiptop can count such
 * programs.
 *
 * If a process executes several programs, the folder has a table for each, numbered in the order of
 * execution.
 */
#ifndef RUN_TABLE_FOLDER_H
#define RUN_TABLE_FOLDER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/file.h"

#define TABLE_FOLDER_MAX 160

struct table_folder {
	char path[TABLE_FOLDER_MAX]; /* "": none */
	int lock_fd;
	int mark_fd; /* inotify(7) on the file that unmeasured programs open; -1: not watched */
};

/* Creates the folder, in $XDG_RUNTIME_DIR or /dev/shm, after removing stale tables from both. what:
 * the command, such as "locks", for the name of the folder and messages. Returns 0, or -errno with
 * a sentence. */
int table_folder_make(struct table_folder *f, const char *what, struct err *err);
/* Reads a table into `to`. ended: the process has ended, so a write in progress stays unfinished:
 * the table is read as it is. Returns 0, or -errno with a sentence; -EAGAIN: the table changed
 * during each try. */
typedef int (*table_reader)(void *to, int fd, bool ended, struct err *err);
/* Opens the table with this name, which must belong to this user, and reads it. If the table is
 * still in the middle of a write after several tries, its process was killed during the write: the
 * table is read as it is. what: as for table_folder_make(). Returns 0, or -errno with a sentence;
 * TABLE_FOLDER_NOT_BEGUN: a running process is about to make the table. */
#define TABLE_FOLDER_NOT_BEGUN 1
int table_folder_read(const struct table_folder *f, const char *what, const char *name,
		      table_reader read, void *to, struct err *err);
/* Returns the number of programs since the last call that were not measured because of their
 * filters. */
unsigned table_folder_count_filtered(struct table_folder *f);
/* Removes the tables of processes that have ended, and the folder if it is empty. */
void table_folder_remove(struct table_folder *f);
/* Like table_folder_remove(), for a command whose processes continue to run and may make tables
 * later: keeps the folder in any case, and each table that a process has still mapped. */
void table_folder_leave(struct table_folder *f);

#endif
