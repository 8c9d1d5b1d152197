/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice - makes a record type of the columns that --fields selects.
 *
 * A field is a column of CSV, named by its heading. All formats show the fields of the list in its
 * order, with the numbers and names of CSV; JSON also has the member "type". Headings may contain
 * commas: the longest heading that matches is taken.
 *
 * In text, a column is as wide as its title and its declared width, plus the additional digits of
 * CSV.
 */
#ifndef REPORT_CHOICE_H
#define REPORT_CHOICE_H

#include "base/err.h"
#include "report/record.h"

#define REPORT_NO_COLUMN SIZE_MAX

struct report_choice {
	const struct report_type *from; /* borrowed */
	struct report_own_type *to;     /* owned; NULL once given away */
	size_t *column;                 /* [to->type.n], indexes of columns of `from` */
	struct report_cell *cell;       /* [cap], buffer exchanged with the record converted last */
	size_t cap;
};

/* Returns the index of the CSV column with this heading of n characters; REPORT_NO_COLUMN: none. */
size_t report_choice_find(const struct report_type *type, const char *heading, size_t n);
/* Returns the index of the column with this id; REPORT_NO_COLUMN: none. */
size_t report_choice_find_id(const struct report_type *type, const char *id);

/* Checks a list. -EINVAL with a sentence: the type lacks a field, or the list repeats one. of: the
 * owner of the fields in the sentence: "tiptop locks". */
int report_choice_check(const char *list, const struct report_type *type, const char *of,
			struct err *err);
/* Adds to the type an empty CSV column for each field of the list that it lacks. Returns their
 * number. */
size_t report_choice_complete(struct report_own_type *type, const char *list);
/* Adds the CSV columns that the other type has and this one lacks. */
void report_choice_merge(struct report_own_type *type, const struct report_type *other);
/* Returns -EINVAL with a sentence: the type has no field of this name of n characters, given by
 * this option. */
int report_choice_refuse(const struct report_type *type, const char *of, const char *name, size_t n,
			 const char *option, struct err *err);

/* Selects the fields of a list; ignores unknown ones. with_type: JSON has "type". mark: prefix of
 * the first title in text; "": none. */
void report_choice_init(struct report_choice *c, const struct report_type *from, const char *list,
			bool with_type, const char *mark);
void report_choice_done(struct report_choice *c);
/* Converts a filled record from type `from` to type `to`; allocates only if the record has more
 * columns than any before. */
void report_choice_apply(struct report_choice *c, struct report_record *r);

#endif
