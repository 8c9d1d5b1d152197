/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_rows - tables of library calls (inject/preload/calls_table.h) as rows: one for each called
 * function, over all threads of the process, from its first call on. The first row is the program
 * itself: the time that its threads spend in no function of the list; it has no number of calls.
 *
 * A thread that is in a function adds to its time up to the moment before the table is read; in a
 * process that was killed, up to the last reading while it lived, since no end of the call was
 * recorded. So times never fall, and are never too long.
 *
 * The numbers of a thread that only calls are written more often than they can be read: they may
 * then be some calls apart. Shown numbers never fall.
 *
 * The speed of the time stamp counter is that of the first reading, as for locks.
 */
#ifndef COLLECT_TABLE_CALL_ROWS_H
#define COLLECT_TABLE_CALL_ROWS_H

#include "collect/table/tables.h"

extern const struct tables_use call_tables;

#endif
