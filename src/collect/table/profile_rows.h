/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_rows - tables of preloaded objects as rows, for a source of tables (tables.h): rows of
 * locks and rows of library calls.
 *
 * Times use the speed of the time stamp counter that was known at the first reading. The table has
 * a better value when the process has ended, but this is ignored, so that shown numbers do not
 * change.
 */
#ifndef COLLECT_TABLE_PROFILE_ROWS_H
#define COLLECT_TABLE_PROFILE_ROWS_H

#include "collect/table/tables.h"
#include "profile/locks/copy.h"

/* Tables of locks (inject/preload/table.h): a row for each lock and caller that acquires it, over
 * all threads of the process. All locks that had no room in the table share one row. */
extern const struct tables_use lock_tables;
/* The same rows, of copies that the caller makes: has no read(). */
extern const struct tables_use lock_copies;
/* Replaces the contents of a table of lock_copies by a copy, which is empty afterwards. */
void lock_copies_put(void *table, struct locks_copy *copy);

/* Tables of library calls (inject/preload/calls_table.h): a row for each called function, over all
 * threads of the process, from its first call on. The first row is the program itself: the time
 * that its threads spend in no function of the list; it has no number of calls.
 *
 * The time of a call that has not returned yet is counted up to the moment before the table is
 * read. If the process was killed, it is counted up to the last reading while the process lived,
 * since the end of the call was not recorded. So times never fall, and are never too long.
 *
 * A thread that calls functions all the time changes its numbers while they are read, so that they
 * may be some calls apart from each other. Shown numbers never fall. */
extern const struct tables_use call_tables;

#endif
