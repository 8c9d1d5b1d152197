/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stale_tables - removes tables that no process uses any more: those of processes that were killed,
 * or have executed another program.
 *
 * Only tables of this user are removed: those at the places where libtiptop puts them, and those in
 * folders of commands (run/table_folder.h), which the tiptop that started the command keeps locked
 * until it ends. A living process has its table mapped for writing. The kernel reports this even
 * for processes in containers, whose pids differ from the pids here, and after a pid was reused. So
 * a table in use is kept. The contents of the file do not matter: it may be empty or damaged.
 */
#ifndef COLLECT_TABLE_STALE_TABLES_H
#define COLLECT_TABLE_STALE_TABLES_H

#include <stdbool.h>

#include "collect/table/table_folder.h"

/* Removes the stale tables in $XDG_RUNTIME_DIR and /dev/shm. Those that cannot be removed stay. */
void stale_tables_remove(void);
/* Removes the stale tables in one folder such as /dev/shm, and in the folders of commands in it. */
void stale_tables_remove_in(const char *folder);

/* Removes one file, if no process uses it. Returns whether it was removed. */
bool stale_tables_remove_file(const struct table_file *file);

/* Locks a folder of this user. Returns a descriptor, whose closing releases the lock; -1: the
 * folder belongs to another user, does not exist, or was removed meanwhile. how: LOCK_NB, or 0. */
int stale_tables_lock_folder(const char *path, int how);
/* Removes the tables in a folder that no process uses, and the file PROCESS_MARK, which programs
 * open that are not measured (inject/preload/process.h). */
void stale_tables_clear_folder(const char *path);
/* Removes a folder that has no table. */
void stale_tables_remove_folder(const char *path);

#endif
