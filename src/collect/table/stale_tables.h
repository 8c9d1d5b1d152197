/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stale_tables - removes tables that no process uses any more: those of processes that were killed,
 * or have executed another program.
 *
 * Only tables of this user are removed, where libtiptop puts them, and in the folders of commands
 * (run/table_folder.h), which are unlocked once their tiptop has ended. A living process has its
 * table mapped for writing, and the kernel knows this for processes in containers, too, whose pids
 * are others here, and after a pid was reused. So 'tiptop locks --live' still shows such a table.
 * The contents of the file do not matter: it may be empty or damaged.
 */
#ifndef COLLECT_TABLE_STALE_TABLES_H
#define COLLECT_TABLE_STALE_TABLES_H

/* Removes those in $XDG_RUNTIME_DIR and /dev/shm. Nothing is said of what cannot be removed. */
void regions_remove_stale(void);

/* The same in one folder. Returns how many were removed. */
int regions_remove_stale_in(const char *folder);

#endif
