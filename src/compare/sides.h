/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sides - the names of sides, and the columns that the rows of all comparisons share.
 *
 * A comparison has two or more sides: A, the base, is compared with each further side. With more
 * than two, each row has the column `side`, which names the side that stands for B in the row.
 */
#ifndef COMPARE_SIDES_H
#define COMPARE_SIDES_H

#include <stddef.h>

#include "base/err.h"
#include "base/significance.h"
#include "base/value.h"
#include "report/report.h"

#define SIDES_MAX 8

/* For people, "A", and for programs, "a". */
extern const char *const side_label[SIDES_MAX];
extern const char *const side_id[SIDES_MAX];

/* Sets the sentence for more than SIDES_MAX sides. of: what is compared: "commands". Returns
 * -EINVAL. */
int sides_refuse(const char *of, struct err *err);

/* Adds a group of these columns for each side to a type. */
void sides_declare_groups(struct report_own_type *t, size_t n_sides,
			  const struct report_column *member, size_t n);

/* A column of rows. With more than two sides, titles in text differ: the column `side` names the
 * side that is B, and takes room from the other columns. */
struct sides_column {
	struct report_column column;
	const char *many; /* the title with more than two sides; NULL: the same as with two */
};

/* The column is not in text. */
#define SIDES_NO_TITLE ""

/* Adds the columns of rows to a type, and `side` if there are more than two sides, for
 * sides_put_side() to fill. */
void sides_declare_rows(struct report_own_type *t, size_t n_sides,
			const struct sides_column *column, size_t n);
void sides_put_side(struct report_record *r, size_t n_sides, size_t side);

/* The last columns of a row, shared by comparisons. */
#define SIDES_RESULT_COLUMNS                                                                       \
	{{.id = "result", .csv = "result"}, NULL},                                                 \
	{                                                                                          \
		{.title = " RESULT", .width = -1, .indent = 1}, NULL                               \
	}

/* Sets the columns of SIDES_RESULT_COLUMNS. */
void sides_put_result(struct report_record *r, enum difference_result result);

/* The reason why rows have no result, for a line of text below these rows. Adjacent rows with the
 * same reason share one line. */
struct side_reason {
	const char *label; /* of the side; borrowed; NULL: no line is pending */
	enum quality why;
};

/* Adds the pending line, unless the next row has the same reason. To be called before each row is
 * added. */
void side_reason_add(struct report *report, struct side_reason *reason,
		     enum difference_result result, const char *label, enum quality why);
/* Adds the pending line; to be called after the last row. */
void side_reason_flush(struct report *report, struct side_reason *reason);

#endif
