/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - finds, opens and removes the tables that measured processes share with tiptop, and
 * reads the process of a table.
 *
 * Tables of preloaded objects are FOLDER/table.PID.NUMBER, with a number for each program that the
 * process has executed; those of regions are FOLDER/tiptop-regions.PID.NUMBER
 * (inject/lib/regions.h). Folders are named tiptop-WHAT.XXXXXX, in $XDG_RUNTIME_DIR or /dev/shm;
 * the tiptop that starts the command creates them. Only files of this user are opened.
 */
#ifndef COLLECT_TABLE_TABLE_FOLDER_H
#define COLLECT_TABLE_TABLE_FOLDER_H

#include <stdbool.h>

#include "base/err.h"
#include "collect/source.h"
#include "collect/task/proc.h"

/* ---- processes ----
 *
 * Functions for all sources of tables: the process of a table, whether it is alive, and the
 * beginning of samples.
 */

struct table_process {
	int pid;
	uint32_t uid;
	uint64_t start_ns;
	char *user, *name, *cmdline; /* cmdline NULL: none */
};

/* Reads the process with this pid. Returns false if this fails; only the pid is set then. */
bool table_process_read(struct table_process *p, struct proc *proc, int pid);
void table_process_done(struct table_process *p);

/* Returns the start of the process with this pid (field 22 of /proc/PID/stat); 0: it cannot be
 * read. */
uint64_t table_process_start(int pid);
/* Return whether the process with this start (field 22 of /proc/PID/stat) exists; and whether it is
 * alive, which a zombie without living threads is not. */
bool table_process_exists(int pid, uint64_t start_ticks);
bool table_process_lives(int pid, uint64_t start_ticks);
/* Returns whether a process with this pid is alive, whatever its start. */
bool table_process_runs(int pid);
/* Returns whether the filter accepts this pid and its user. The name is not checked here, but by
 * the frame. */
bool table_process_is_wanted(int pid, const struct filter *f);

/* Empties the sample, and sets its times and its host. */
void tables_begin_sample(struct sample *out, struct proc *proc);
/* Returns a reading for a row that cannot be read now: its facts and counts are unknown. */
struct task *tables_unknown_reading(const struct task *last);

/* ---- folders ---- */

struct table_file {
	const char *path; /* valid during the visit only */
	int pid;
	unsigned number;
};

typedef void (*table_visit)(void *context, const struct table_file *file);

/* Calls visit for each table in one folder, ordered by name. */
void tables_visit_folder(const char *folder, table_visit visit, void *context);
/* Calls visit for each table in all folders for tables of `what`, in $XDG_RUNTIME_DIR and
 * /dev/shm. */
void tables_visit_all(const char *what, table_visit visit, void *context);

/* Opens a table for reading. Returns the descriptor; or -errno with a sentence, also if the file is
 * not a regular file or belongs to another user. name: what the sentence calls the table. */
int tables_open_file(const char *path, const char *name, struct err *err);
/* Returns whether a process has an open table open or mapped for writing; on file systems without
 * leases, whether the process with this pid runs. */
bool table_is_written(int fd, int pid);
/* Returns whether an open table has a header; sets *start to the start of its process (field 22 of
 * /proc/PID/stat), 0: no header, or unknown. */
bool table_has_begun(int fd, uint64_t *start);

/* ---- stale tables ----
 *
 * Removes tables that no process uses any more: those of processes that were killed, or have
 * executed another program.
 *
 * Only tables of this user are removed: those at the places where libtiptop puts them, and those in
 * folders of commands (run/table_folder.h), which the tiptop that started the command keeps locked
 * until it ends. A living process has its table mapped for writing. The kernel reports this even
 * for processes in containers, whose pids differ from the pids here, and after a pid was reused. So
 * a table in use is kept. The contents of the file do not matter: it may be empty or damaged.
 */

/* Removes the stale tables in $XDG_RUNTIME_DIR and /dev/shm. Those that cannot be removed stay. */
void stale_tables_remove(void);
/* Removes the stale tables in one folder such as /dev/shm, and in the folders of commands in it. */
void stale_tables_remove_in(const char *folder);

/* Removes one file, if no process uses it. A file that tables_open_file() refuses is removed
 * without this check, unless descriptors or memory are short. Returns whether it was removed. */
bool stale_tables_remove_file(const struct table_file *file);

/* Locks a folder of this user. how: LOCK_NB, or 0. Returns a descriptor, whose closing releases the
 * lock; -1: the folder is locked (LOCK_NB), belongs to another user, cannot be opened, or was
 * removed meanwhile. */
int stale_tables_lock_folder(const char *path, int how);
/* Removes the tables in a folder that no process uses, and the marks (inject/preload/process.h) by
 * which a program shows that it is not measured. */
void stale_tables_clear_folder(const char *path);
/* Removes a folder, with the other files that tiptop puts there; of a folder with tables, only the
 * marks. */
void stale_tables_remove_folder(const char *path);

#endif
