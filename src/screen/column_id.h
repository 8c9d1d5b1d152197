/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_id - the names of columns for programs and settings: --sort, the key W, outputs.
 *
 * An id consists of lower-case letters, digits and '_'. The screen gives it, or it is made from the
 * header: letters become lower case, digits stay, each run of other characters between them becomes
 * one '_', and other characters at both ends are dropped. "%CPU" becomes "cpu", "VCSW/s" becomes
 * "vcsw_s"; a header without letters and digits becomes "column".
 *
 * An id is unique within a screen, with one exception: columns for different CPUs may share an id
 * if at least one of them is optional; fit_screen() (bind/fit.h) keeps one of them. Otherwise
 * the second column with the same header gets "_2" appended to its id, the third "_3".
 *
 * The fields that outputs write besides the columns have ids, too (pid, user, command, and those of
 * output/output.h), which no column may have. Exception: a column that shows the user has the id
 * "user", and outputs do not write the user a second time.
 */
#ifndef SCREEN_COLUMN_ID_H
#define SCREEN_COLUMN_ID_H

#include "screen/screen.h"

/* Sets the id of each column. A given id that is invalid, or belongs to another column, is reported
 * with both places (EINVAL) and replaced by one made from the header. */
void column_ids_set(struct screen *s, screen_report report, void *context);

#endif
