/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_rows - tables of library calls (inject/preload/calls_table.h) as rows: a function that was
 * called, in all threads of the process, from its first call on. The first row is the program
 * itself: the time that its threads are in no function of the list, of which no calls are known.
 *
 * A thread that is in a function adds to its time up to the moment before the table is read; of a
 * process that was killed, up to the last reading while it lived, as nobody noted its end. So times
 * never fall, and are never too long.
 *
 * A thread that does nothing but call is written more often than it can be read: its numbers are
 * then some calls apart, and what was shown does not fall.
 *
 * The speed of the time stamp counter is that of the first reading, as for locks.
 */
#ifndef COLLECT_TABLE_CALL_ROWS_H
#define COLLECT_TABLE_CALL_ROWS_H

#include "collect/table/tables.h"

extern const struct tables_use call_tables;

#endif
