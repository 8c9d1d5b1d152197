/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_id - the names of columns for programs and settings: --sort, the key W, outputs.
 *
 * An id consists of small letters, digits and '_'. It is given in the screen, or made from the
 * header: its letters and digits in lower case; other characters between them become one '_',
 * others around them are dropped. "%CPU" becomes "cpu", "VCSW/s" becomes "vcsw_s"; a header without
 * letters and digits becomes "column".
 *
 * An id is unique within a screen. Columns with one id, of which at least one is optional, are
 * alternatives for different CPUs, of which one stays (screen/bind/fit.h). Else "_2" is appended to
 * the id of the next column with the same header, "_3" to the one after it. Fields of outputs
 * beside the columns have ids, too, which no column gets: pid, user, command, and those of
 * output/fields.h. The exception is a column that shows the user: it is "user", and the user is not
 * written twice.
 */
#ifndef SCREEN_COLUMN_ID_H
#define SCREEN_COLUMN_ID_H

#include "screen/screen.h"

/* Sets the id of each column. A given id that is invalid, or belongs to another column, is reported
 * with both places (EINVAL) and replaced by one made from the header. */
void column_ids_set(struct screen *s, screen_report report, void *context);

#endif
