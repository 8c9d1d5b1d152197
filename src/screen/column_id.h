/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_id - what programs and settings call a column: --sort, the key W, outputs.
 *
 * An id consists of small letters, digits and '_'. It is the one that the screen gives, or is made
 * from the header: its letters and digits, small; what stands between them becomes one '_', what
 * stands around them is dropped. "cpu" is "%CPU", "vcsw_s" is "VCSW/s"; a header without any of
 * them is "column".
 *
 * Within a screen an id says which column it is. Columns of one id of which one is optional are
 * alternatives for different CPUs, of which one stays (screen/bind/fit.h). Else the next column
 * whose header makes the same id gets "_2" behind it, the one after it "_3". What stands beside the
 * columns has ids, too, which no column gets: pid, user, command, and those of output/fields.h. But
 * a column that shows the user is "user": he is not shown twice.
 */
#ifndef SCREEN_COLUMN_ID_H
#define SCREEN_COLUMN_ID_H

#include "screen/screen.h"

/* Gives each column its id. An id that is given but is none, or belongs to another column, is
 * reported with both places (EINVAL), and is made from the header instead. */
void column_ids_set(struct screen *s, screen_report report, void *context);

#endif
