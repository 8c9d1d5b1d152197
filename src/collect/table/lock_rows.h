/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_rows - tables of locks (inject/preload/table.h) as rows: one for each lock and caller that
 * acquires it, over all threads of the process. All locks that had no room in the table share one
 * row.
 *
 * Times use the speed of the time stamp counter that was known at the first reading. The table has
 * a better value when the process has ended, but this is ignored, so that shown numbers do not
 * change.
 */
#ifndef COLLECT_TABLE_LOCK_ROWS_H
#define COLLECT_TABLE_LOCK_ROWS_H

#include "collect/table/tables.h"

extern const struct tables_use lock_tables;

#endif
