/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table_file - the file that holds the table of a process (table.h), and the keeper that reports
 * it.
 *
 * The file is made by the process, readable by its user only, and on a tmpfs. The process holds a
 * lock on it, which is released when the last descriptor and mapping of the file are closed: the
 * lock shows that the process lives.
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
 * has open or mapped for writing (collect/table/stale_tables.h).
 */
#ifndef INJECT_LIB_TABLE_FILE_H
#define INJECT_LIB_TABLE_FILE_H

#include <stdbool.h>

struct tt_regions;

/* Makes the file and sets r->path: in the folder of the keeper, if there is one; else in
 * $XDG_RUNTIME_DIR or in /dev/shm; else without a name (memfd). Returns the descriptor; -1: no file
 * can be made.
 */
int tt_table_file_make(struct tt_regions *r);
/* Returns whether the file is in the keeper's folder, and the keeper runs. */
bool tt_table_file_is_kept(const struct tt_regions *r);

#endif
