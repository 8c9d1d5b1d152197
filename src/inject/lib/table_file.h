/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table_file - the file of a process that has its table (table.h), and who reports it.
 *
 * It is made by this process, readable by its user only, and in memory (tmpfs). The process holds a
 * lock on it, which goes with the last descriptor and mapping of it: so it says that the process
 * lives.
 *
 * A keeper is a tiptop that started the command of which this is a process ("tiptop regions --
 * command"). It has made a folder, which it has locked (flock(2)) as long as it runs, and names it
 * in TIPTOP_KEEPER. The file is made there then, at the start of the process already: later it may
 * have given up the rights that this takes. At its end the process leaves the file, and the report,
 * to the keeper. Where the keeper has ended before, it is as without one.
 *
 * The keeper may take the lock of an empty file that has none, and remove that: so a file is tried
 * again where it has gone before it was locked.
 */
#ifndef INJECT_LIB_TABLE_FILE_H
#define INJECT_LIB_TABLE_FILE_H

#include <stdbool.h>

struct tt_regions;

/* Makes the file, and sets r->path: in the folder of the keeper, where there is one; else in
 * $XDG_RUNTIME_DIR or in /dev/shm; else it has no name. Returns the descriptor; -1: there is none.
 */
int tt_table_file_make(struct tt_regions *r);
/* Whether the file is the keeper's, and the keeper runs. */
bool tt_table_file_is_kept(const struct tt_regions *r);

#endif
