/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields - the fields of a row in formats for programs: columns of the screen, and further ones
 * such as the time.
 *
 * screen/column_id.h reserves the ids of the further fields, so that no column has them. Only
 * "user" may be the id of a column: then that column is meant.
 */
#ifndef OUTPUT_FIELDS_H
#define OUTPUT_FIELDS_H

#include "base/err.h"
#include "report/scalar.h"
#include "view/frame.h"

enum field {
	FIELD_TIMESTAMP,
	FIELD_MONO,
	FIELD_INTERVAL,
	FIELD_HOST,
	FIELD_SCREEN,
	FIELD_KIND,
	FIELD_PID,
	FIELD_TID,
	FIELD_NAME,
	FIELD_USER,
	FIELD_MEMBERS,
	FIELD_COMMAND,
	FIELD_COLUMN,
	FIELD_EXIT,    /* exit status of a task that exited, see FACT_EXIT */
	FIELD_LIVED,   /* its lifetime in seconds */
	FIELD_QUALITY, /* of all columns that are not exact */
	N_FIELDS
};

/* The id of each field; NULL: FIELD_COLUMN, as columns have their own. */
extern const char *const field_ids[N_FIELDS];

struct field_ref {
	enum field field;
	size_t column; /* index of the column, if field is FIELD_COLUMN */
};

struct fields {
	struct field_ref *v;
	size_t n, cap;
};

/* Finds the fields of a list "pid,cpu,ipc", in its order; NULL: the default fields, without those
 * that are equal in all rows of a file. -EINVAL with a sentence: a field is named twice, or the
 * screen lacks it; partly: missing ones are ignored. The caller frees *out with fields_done(). */
int fields_find(struct fields *out, const char *list, bool partly, const struct screen *screen,
		const struct view *view, struct err *err);
/* Checks a list for a format that lacks some fields (output.h). -EINVAL with a sentence: a field is
 * missing. */
int fields_check(const char *list, unsigned lacks, const struct screen *screen,
		 const struct view *view, struct err *err);
void fields_done(struct fields *f);
bool fields_have(const struct fields *f, enum field field);

#define FIELD_TEXT_MAX 24

/* Returns the content of a field; absent: none. FIELD_TIMESTAMP and FIELD_QUALITY are left to the
 * caller. buf: memory for a number that is returned as a text. */
struct report_scalar field_scalar(struct field_ref ref, const struct frame *frame,
				  const struct frame_row *row, char buf[FIELD_TEXT_MAX]);

#endif
