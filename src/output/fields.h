/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields - what a line for programs says of a row, by ids: the columns of the screen, and what
 * stands beside them.
 *
 * The ids beside the columns are kept free by screen/column_id.h. Only "user" may be a column, too:
 * then it is that one.
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
	FIELD_EXIT,    /* of one that has ended: how, see FACT_EXIT */
	FIELD_LIVED,   /* and how long it lived, in seconds */
	FIELD_QUALITY, /* of all columns that are not exact */
	N_FIELDS
};

/* The id of each; NULL: the columns have their own. */
extern const char *const field_ids[N_FIELDS];

struct field_ref {
	enum field field;
	size_t column; /* of FIELD_COLUMN: which */
};

struct fields {
	struct field_ref *v;
	size_t n, cap;
};

/* Finds the fields of a list "pid,cpu,ipc", in its order; NULL: all that say something, but those
 * that are the same in each row of a file. -EINVAL with a sentence: one of them is named twice, or
 * the screen does not have it; partly: those that it does not have are left out. */
int fields_find(struct fields *out, const char *list, bool partly, const struct screen *screen,
		const struct view *view, struct err *err);
/* Whether a sink that lacks some (output.h) could write such a list from this screen. -EINVAL: no.
 */
int fields_check(const char *list, unsigned lacks, const struct screen *screen,
		 const struct view *view, struct err *err);
void fields_done(struct fields *f);
bool fields_have(const struct fields *f, enum field field);

#define FIELD_TEXT_MAX 24

/* What stands in a field of a row; absent: it has none. But the time as text, and the quality of
 * all columns. buf: room for a number that stands in place of a text. */
struct report_scalar field_scalar(struct field_ref ref, const struct frame *frame,
				  const struct frame_row *row, char buf[FIELD_TEXT_MAX]);

#endif
