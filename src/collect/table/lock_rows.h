/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_rows - tables of locks (inject/preload/table.h) as rows: one for each lock and caller that
 * acquires it, over all threads of the process. If some locks had no room in the table, the last
 * row is for all of these.
 *
 * The speed of the time stamp counter is that of the first reading: the process knows a better
 * value at its end, but shown numbers do not change.
 */
#ifndef COLLECT_TABLE_LOCK_ROWS_H
#define COLLECT_TABLE_LOCK_ROWS_H

#include "collect/table/tables.h"

extern const struct tables_use lock_tables;

#endif
