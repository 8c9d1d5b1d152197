/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stale_tables - tables of regions that dead processes have left (by SIGKILL, by exec): they are
 * removed.
 *
 * Only those of this user, in the folders where libtiptop puts them. A file is left over where its
 * process (pid, start, boot) is no more, and nobody holds the lock that its process had: pids of
 * containers are others, and locks are not. So is one without a header (empty, damaged, of another
 * version), by the number in its name, that nobody has written for some seconds.
 */
#ifndef COLLECT_TABLE_STALE_TABLES_H
#define COLLECT_TABLE_STALE_TABLES_H

/* Removes those in $XDG_RUNTIME_DIR and /dev/shm. Nothing is said of what cannot be removed. */
void regions_remove_stale(void);

/* The same in one folder. Returns how many were removed. */
int regions_remove_stale_in(const char *folder);

#endif
