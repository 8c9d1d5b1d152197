/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields - finds the fields of a row in formats for programs, and their contents: columns of the
 * screen, and further fields such as the time.
 *
 * screen/column_id.h reserves the ids of the further fields, so that no column has them. The only
 * exception is "user": if a column has this id, it names the column.
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
	FIELD_LIVED,   /* lifetime of a task that exited, in seconds */
	FIELD_QUALITY, /* the qualities of all columns that are not exact */
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

/* Finds the fields of a list "pid,cpu,ipc", in its order; NULL: the default fields, which do not
 * include mono_s, host and screen. -EINVAL with a sentence: a field is named twice, or the screen
 * lacks it; partly: fields that the screen lacks are ignored instead. The caller frees *out with
 * fields_done(). */
int fields_find(struct fields *out, const char *list, bool partly, const struct screen *screen,
		const struct view *view, struct err *err);
/* Checks a list for a format that cannot write some fields. lacks: their bits, see struct sink_ops.
 * -EINVAL with a sentence: the list has a field that the screen or the format lacks. */
int fields_check(const char *list, unsigned lacks, const struct screen *screen,
		 const struct view *view, struct err *err);
void fields_done(struct fields *f);
bool fields_have(const struct fields *f, enum field field);

#define FIELD_TEXT_MAX 24

/* Returns the content of a field; REPORT_ABSENT: the row does not have the field. FIELD_TIMESTAMP
 * and FIELD_QUALITY are written by the caller. buf: memory for a number that is returned as a
 * text. */
struct report_scalar field_scalar(struct field_ref ref, const struct frame *frame,
				  const struct frame_row *row, char buf[FIELD_TEXT_MAX]);

#endif
