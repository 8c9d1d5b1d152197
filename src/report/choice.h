/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice - builds a record type from the columns that the option --fields selects.
 *
 * --fields has a list of fields, separated by commas. A field is a CSV column, named by its
 * heading. All formats show these fields in the order of the list, with the headings of CSV and
 * with numbers in the units of CSV. As headings may contain commas, the longest heading that
 * matches is taken.
 *
 * In text, a column has its declared width, plus the digits that CSV shows beyond those of text; it
 * is at least as wide as its title.
 */
#ifndef REPORT_CHOICE_H
#define REPORT_CHOICE_H

#include "base/err.h"
#include "report/record.h"

#define REPORT_NO_COLUMN SIZE_MAX

struct report_choice {
	const struct report_type *from; /* borrowed */
	struct report_own_type *to;     /* owned; NULL after the caller has taken it */
	/* [to->type.n]: for each column of `to`, the index of its column in `from`. */
	size_t *column;
	/* [cap]: spare cells, which report_choice_apply() swaps with those of the record. */
	struct report_cell *cell;
	size_t cap;
};

/* Returns the index of the column whose CSV heading is these n characters; REPORT_NO_COLUMN:
 * none. */
size_t report_choice_find(const struct report_type *type, const char *heading, size_t n);
/* Returns the index of the column with this id; REPORT_NO_COLUMN: none. */
size_t report_choice_find_id(const struct report_type *type, const char *id);

/* Checks a list of fields. Returns -EINVAL with a sentence if the type lacks a field, or if a field
 * is in the list twice. of: the command to which the sentence refers: "tiptop locks". */
int report_choice_check(const char *list, const struct report_type *type, const char *of,
			struct err *err);
/* Adds an empty CSV column for each field of the list that the type lacks. Returns the number of
 * columns added. */
size_t report_choice_complete(struct report_own_type *type, const char *list);
/* Adds an empty CSV column for each CSV heading of `other` that `type` lacks. */
void report_choice_merge(struct report_own_type *type, const struct report_type *other);
/* Returns -EINVAL with the sentence that the type has no field with this name of n characters, and
 * which fields it has. option: the option that has the name: "--sort". of: the command to which the
 * sentence refers: "tiptop locks". */
int report_choice_refuse(const struct report_type *type, const char *of, const char *name, size_t n,
			 const char *option, struct err *err);

/* Builds the type `to` from the fields of a list; ignores fields that `from` lacks. with_type: JSON
 * also has the member "type". mark: a prefix of the first title in text, such as "#"; "": no
 * prefix. */
void report_choice_init(struct report_choice *c, const struct report_type *from, const char *list,
			bool with_type, const char *mark);
void report_choice_done(struct report_choice *c);
/* Converts a filled record from type `from` to type `to`. Allocates memory only if the spare cells
 * are too few. */
void report_choice_apply(struct report_choice *c, struct report_record *r);

#endif
