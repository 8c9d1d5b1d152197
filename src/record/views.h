/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views - SQL views for users, which turn readings into intervals with rates and ratios (tiptop
 * itself never reads them); and sets of events, read from their tables (record_events_load()).
 *
 *   interval_N   of layout N: a row for each reading
 *   interval     all layouts, joined with the tables sample and task
 *   process      processes: sums over their threads
 *
 * Unknown numbers are NULL, also in sums. Increments are those of model/delta.h; but numbers that
 * delta.h shows as partial or stale are NULL here.
 *
 * The previous reading of a task may belong to another layout, for instance if the task has exited.
 * So it is searched in up to 12 other layouts with the same set of events: those with the nearest
 * ids.
 *
 * Files store the statements word for word, and a file with other statements is refused
 * (file.h). So after a change of the statements, the former ones must still be accepted,
 * too. There are three forms. RECORD_VIEW_FIRST compares a reading only with readings of the same
 * layout; increments of tasks that started or exited in an interval are unknown. RECORD_VIEW_SECOND
 * reads all readings, whatever samples are wanted. RECORD_VIEW_NOW is written today: it finds the
 * readings of a sample by the range of their ids.
 */
#ifndef RECORD_VIEWS_H
#define RECORD_VIEWS_H

#include "model/sample_event.h"
#include "record/db.h"
#include "record/schema.h"

enum record_view_form {
	RECORD_VIEW_FIRST,
	RECORD_VIEW_SECOND,
	RECORD_VIEW_NOW,
	N_RECORD_VIEW_FORMS
};

/* Appends the CREATE VIEW statement for a layout; nothing if the layout does not exist. */
int record_view_layout(struct record_db *db, int64_t layout, enum record_view_form form,
		       struct strbuf *out, struct err *err);
/* Appends the CREATE VIEW statement over all layouts that have a view, but only the newest 400;
 * nothing if none has. Layout ids are read as integers: no text of the file becomes SQL. */
int record_view_all(struct record_db *db, enum record_view_form form, struct strbuf *out,
		    struct err *err);
/* The CREATE VIEW statements for processes. */
extern const char *const record_view_processes[N_RECORD_VIEW_FORMS];

/* ---- events ----
 *
 * Reads one list of events from the tables event_set and event of a recording; checks each
 * value.
 */

/* The maximal number of kinds of cores of a machine; a larger index in a file is invalid. */
#define RECORD_CORES 16

/* Reads the list with this id into *out, owned by the caller. Returns 0 with *out NULL if the list
 * is damaged. */
int record_events_load(struct record_db *db, int64_t id, struct sample_events **out,
		       struct err *err);

#endif
