/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_tables - the contents of the tables of processes that have ended, so that the files of these
 * tables can be removed while the command runs.
 *
 * The file of a table takes hundreds of KiB in memory, and a command may create thousands of
 * processes. Their tables are much alike: most of a table is 0, and forked processes have the same
 * modules and functions. So the first table is kept as a whole (if it is not large), and of each
 * other one the 64-bit words that differ from the words of the first one at the same place: some
 * KiB for most processes.
 *
 * A table is restored, byte for byte, to a file in memory (memfd_create(2)). So the functions that
 * read tables of files read kept tables, too.
 */
#ifndef RUN_KEPT_TABLES_H
#define RUN_KEPT_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct kept_tables;

/* Returns a list without tables. */
struct kept_tables *kept_tables_new(void);
/* NULL is allowed. */
void kept_tables_free(struct kept_tables *k);

/* Keeps the contents of an open file, to which no process may write meanwhile. name: of the file;
 * start: of its process (field 22 of /proc/PID/stat). Returns 0; or -errno, and the table is not
 * kept. */
int kept_tables_add(struct kept_tables *k, const char *name, uint64_t start, int fd);
/* Removes the table that was added last: its file cannot be removed. */
void kept_tables_drop_last(struct kept_tables *k);

/* Return the number of kept tables; the name and the start of table i, from 0 on; and how many
 * bytes of memory all contents take. */
size_t kept_tables_n(const struct kept_tables *k);
const char *kept_tables_name(const struct kept_tables *k, size_t i);
uint64_t kept_tables_start(const struct kept_tables *k, size_t i);
size_t kept_tables_size(const struct kept_tables *k);

/* Restores table i. Returns a descriptor of its contents, which is owned by k, and valid until the
 * next call; or -errno with a sentence. */
int kept_tables_restore(struct kept_tables *k, size_t i, struct err *err);

#endif
