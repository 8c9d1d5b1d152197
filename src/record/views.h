/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views - a recording as people ask it: views that turn readings into what happened in an interval,
 * with rates and ratios, for whoever does not know how readings are stored. tiptop never reads
 * them.
 *
 *   interval_N   of layout N: a row for each reading that has one before it
 *   interval     all of them, with what stands in sample and task
 *   process      the same of processes: sums over their threads
 *
 * What is not known is NULL, also in sums. Increments are those of model/delta.h; but where that
 * gives a part of a number, there is none here.
 *
 * A file has the statements word for word, and one with others is refused (schema_check.h): a
 * change of these texts has to leave those of older versions known.
 */
#ifndef RECORD_VIEWS_H
#define RECORD_VIEWS_H

#include "record/db.h"
#include "record/schema.h"

/* Appends the statement that makes the view of a layout. */
void record_view_layout(const struct record_layout *l, struct strbuf *out);
/* Appends the statement that makes the view of all layouts together that have one; nothing where
 * none has. Their numbers come from the database as integers: no text of it becomes SQL. */
int record_view_all(struct record_db *db, struct strbuf *out, struct err *err);
/* Makes the view of processes. */
extern const char record_view_processes[];

#endif
