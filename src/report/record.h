/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record - one record of a type: a cell for each column, filled in the order of the columns.
 *
 *	struct report_record *r = report_add(report, &type);
 *
 *	record_text(r, "name", name);
 *	record_value(r, "wait", value_count(ns));
 *	record_group(r, "hold");
 *	record_number(r, "mean", mean);
 *	record_list(r, "histogram", 2);
 *	record_item(r, value_exact(limit));
 *	record_item(r, value_count(n));
 *
 * The id of each call is that of the column whose turn it is: anything else is a fault of the
 * caller, and ends the program. So does a record that is not filled when the next one is added.
 * Columns without an id are filled as "".
 *
 * Each cell is a number (struct value: an unknown one has its reason), a text, a list, or absent:
 * unknown is null in JSON, and absent is not there. CSV has nothing for both, and text '-', but for
 * columns that are blank where they are absent.
 */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include <math.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/value.h"
#include "report/column.h"
#include "report/scalar.h"

/* The items of a list: `n` from `first` on, in tuples of `tuple`; 1: they stand alone. Inner
 * records are those among `n` entries of the report. */
struct report_list {
	size_t first, n;
	int tuple;
};

struct report_cell {
	enum report_kind kind;
	union {
		struct value value;
		size_t text; /* where it begins in the texts of the record */
		struct report_list list;
	};
};

struct report_record {
	const struct report_type *type;
	struct report_cell *cell; /* [type->n] */
	size_t cap;
	size_t next;              /* the column whose turn it is */
	struct report_cell *item; /* of all lists: numbers and texts */
	size_t n_items, cap_items;
	struct strbuf texts; /* each with its end */
};

void record_init(struct report_record *r, const struct report_type *type);
void record_done(struct report_record *r);
/* Begins another record in the memory of one, which may be all 0. */
void record_restart(struct report_record *r, const struct report_type *type);

void record_value(struct report_record *r, const char *id, struct value v);
void record_count(struct report_record *r, const char *id, uint64_t count);
/* NaN: it is not known. */
void record_number(struct report_record *r, const char *id, double number);
/* NULL: it is not known. The text is copied. */
void record_text(struct report_record *r, const char *id, const char *text);
__attribute__((format(printf, 3, 4))) void record_textf(struct report_record *r, const char *id,
							const char *format, ...);
/* 0: it is absent. */
void record_optional_count(struct report_record *r, const char *id, uint64_t count);
/* NULL: it is absent. The text is copied. */
void record_optional_text(struct report_record *r, const char *id, const char *text);
/* A moment, in ns since 1970, as a text (base/clock.h). */
void record_time(struct report_record *r, const char *id, uint64_t wall_ns);
/* What comes next are the members of this group. */
void record_group(struct report_record *r, const char *id);
void record_list(struct report_record *r, const char *id, int tuple);
/* Adds to the list that was begun last. */
void record_item(struct report_record *r, struct value v);
void record_item_text(struct report_record *r, const char *text);
/* A list of the inner records among the entries of the report from `first` on, before `end`. */
void record_records(struct report_record *r, const char *id, size_t first, size_t end);
/* Of a group: all of its members are absent, too. */
void record_absent(struct report_record *r, const char *id);
/* The same, where the group itself is null in JSON. */
void record_unknown(struct report_record *r, const char *id);

/* The text of a cell that has one. */
static inline const char *record_text_of(const struct report_record *r,
					 const struct report_cell *cell)
{
	return r->texts.text + cell->text;
}

/* A cell that is a number, a text or absent. */
static inline struct report_scalar record_scalar(const struct report_record *r,
						 const struct report_cell *cell)
{
	return cell->kind == REPORT_TEXT    ? scalar_text(record_text_of(r, cell))
	       : cell->kind == REPORT_VALUE ? scalar_value(cell->value)
					    : (struct report_scalar){.kind = REPORT_ABSENT};
}

#endif
