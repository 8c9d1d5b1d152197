/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views - SQL views for users, which turn readings into intervals with rates and ratios. tiptop
 * itself never reads them.
 *
 *   interval_N   of layout N: a row for each reading
 *   interval     all layouts, joined with the tables sample and task
 *   process      processes: sums over their threads
 *
 * Unknown numbers are NULL, also in sums. Increments are those of model/delta.h; but numbers that
 * delta.h shows as partial or stale are NULL here.
 *
 * The reading before may belong to another layout, like the last reading of an exited task: it is
 * looked up in up to 12 layouts of the same set of events with the nearest ids.
 *
 * Files store the statements word for word, and a file with other statements is refused
 * (schema_check.h): after a change of these texts, the texts of older versions must still be
 * accepted. There are two forms. The first one compared a reading with those of its own layout
 * only; increments of tasks that started or exited in an interval were unknown.
 */
#ifndef RECORD_VIEWS_H
#define RECORD_VIEWS_H

#include "record/db.h"
#include "record/schema.h"

enum record_view_form { RECORD_VIEW_FIRST, RECORD_VIEW_NOW, N_RECORD_VIEW_FORMS };

/* Appends the CREATE VIEW statement for a layout; nothing if the layout does not exist. */
int record_view_layout(struct record_db *db, int64_t layout, enum record_view_form form,
		       struct strbuf *out, struct err *err);
/* Appends the CREATE VIEW statement over all layouts that have a view; nothing if none has. Layout
 * ids are read as integers: no text of the file becomes SQL. */
int record_view_all(struct record_db *db, enum record_view_form form, struct strbuf *out,
		    struct err *err);
/* The CREATE VIEW statements for processes. */
extern const char *const record_view_processes[N_RECORD_VIEW_FORMS];

#endif
