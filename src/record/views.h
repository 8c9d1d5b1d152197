/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views - a recording as people ask it: views that turn readings into what happened in an interval,
 * with rates and ratios, for whoever does not know how readings are stored. tiptop never reads
 * them.
 *
 *   interval_N   of layout N: a row for each reading
 *   interval     all of them, with what stands in sample and task
 *   process      the same of processes: sums over their threads
 *
 * What is not known is NULL, also in sums. Increments are those of model/delta.h; but where that
 * gives a part of a number, or the one of the interval before, there is none here.
 *
 * The reading before one may be of another layout, such as that of a task that has ended: it is
 * looked for in the layouts of the same set of events, of which some near ones are asked.
 *
 * A file has the statements word for word, and one with others is refused (schema_check.h): a
 * change of these texts has to leave those of older versions known. There are two forms: in the
 * first one, a reading was compared with those of its own layout only, and what had begun in an
 * interval, or counted to its end, was not known.
 */
#ifndef RECORD_VIEWS_H
#define RECORD_VIEWS_H

#include "record/db.h"
#include "record/schema.h"

enum record_view_form { RECORD_VIEW_FIRST, RECORD_VIEW_NOW, N_RECORD_VIEW_FORMS };

/* Appends the statement that makes the view of a layout; nothing where there is no such layout. */
int record_view_layout(struct record_db *db, int64_t layout, enum record_view_form form,
		       struct strbuf *out, struct err *err);
/* Appends the statement that makes the view of all layouts together that have one; nothing where
 * none has. Their numbers come from the database as integers: no text of it becomes SQL. */
int record_view_all(struct record_db *db, enum record_view_form form, struct strbuf *out,
		    struct err *err);
/* Make the view of processes. */
extern const char *const record_view_processes[N_RECORD_VIEW_FORMS];

#endif
