/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_rows - tables of locks (inject/preload/table.h) as rows: a lock and a caller that acquires
 * it, in all threads of the process. The last row is of all locks that had no room in the table,
 * where there are such.
 *
 * The speed of the time stamp counter is that of the first reading: a process knows it better at
 * its end, but what has been shown does not change.
 */
#ifndef COLLECT_TABLE_LOCK_ROWS_H
#define COLLECT_TABLE_LOCK_ROWS_H

#include "collect/table/tables.h"

extern const struct tables_use lock_tables;

#endif
