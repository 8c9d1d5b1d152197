/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choice - the columns that --fields keeps of one type, as a type of its own.
 *
 * A field is a column of CSV, by its heading there. The fields of a list are the columns of all
 * formats, in the order of the list, with the numbers and the names of CSV; JSON has the member
 * "type" beside them. A heading may have commas: the longest one that the list has at a place is
 * meant.
 *
 * Text: a column is as wide as its title, and as declared, with room for the digits of CSV.
 */
#ifndef REPORT_CHOICE_H
#define REPORT_CHOICE_H

#include "base/err.h"
#include "report/record.h"

#define REPORT_NO_COLUMN SIZE_MAX

struct report_choice {
	const struct report_type *from; /* borrowed */
	struct report_own_type *to;     /* owned; NULL after it was handed over */
	size_t *column;                 /* [to->type.n] of `from` */
	struct report_cell *cell;       /* [cap], of the record that was converted last */
	size_t cap;
};

/* Finds the column of CSV whose heading is these n characters; REPORT_NO_COLUMN: there is none. */
size_t report_choice_find(const struct report_type *type, const char *heading, size_t n);
/* Finds the column of this id. */
size_t report_choice_find_id(const struct report_type *type, const char *id);

/* -EINVAL with a sentence: the type has no such field, or it is named twice. */
int report_choice_check(const char *list, const struct report_type *type, struct err *err);
/* -EINVAL: says that the type has no field of these n characters, for this option. */
int report_choice_refuse(const struct report_type *type, const char *name, size_t n,
			 const char *option, struct err *err);

/* Chooses the fields of a list; unknown ones are passed over. with_type: JSON has "type".
 * mark: stands before the first title of text; "": nothing does. */
void report_choice_init(struct report_choice *c, const struct report_type *from, const char *list,
			bool with_type, const char *mark);
void report_choice_done(struct report_choice *c);
/* Converts a filled record of the type `from` to the type `to`, without an allocation when the
 * record is as large as the last one. */
void report_choice_apply(struct report_choice *c, struct report_record *r);

#endif
