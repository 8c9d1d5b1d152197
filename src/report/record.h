/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record - one record of a type: a cell for each column, filled in column order.
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
 * The id passed to each call must be that of the next column ("" for a column without an id);
 * otherwise the program aborts, as this is a bug of the caller.
 *
 * A cell is a number (struct value, with a reason if it is unknown), a text, a list, absent, or the
 * beginning of a group. In JSON, unknown is null and absent is left out. CSV leaves both empty.
 * Text shows both as '-', or as column.unknown if it is set; but nothing for absent cells of
 * `blank` columns.
 */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include <math.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/value.h"
#include "report/column.h"
#include "report/scalar.h"

/* A list of items: record.item[first, first + n), grouped in tuples of `tuple` items (1: no
 * tuples). Or a list of inner records: those among report.entry[first, first + n) that are inner
 * ones. */
struct report_list {
	size_t first, n;
	int tuple;
};

struct report_cell {
	enum report_kind kind;
	union {
		struct value value;
		size_t text; /* offset in the texts of the record */
		struct report_list list;
	};
};

struct report_record {
	const struct report_type *type;
	struct report_cell *cell; /* [type->n] */
	size_t cap;
	size_t next;              /* index of the next column to fill */
	struct report_cell *item; /* items of all lists: numbers and texts */
	size_t n_items, cap_items;
	struct strbuf texts; /* each with its NUL byte */
};

void record_init(struct report_record *r, const struct report_type *type);
void record_done(struct report_record *r);
/* Empties the record, keeping its memory, and sets its type; *r may be all zeros. */
void record_restart(struct report_record *r, const struct report_type *type);

void record_value(struct report_record *r, const char *id, struct value v);
void record_count(struct report_record *r, const char *id, uint64_t count);
/* Fills a cell with a number; NaN and infinity make the cell unknown. */
void record_number(struct report_record *r, const char *id, double number);
/* Fills a cell with a copy of the text; NULL makes the cell unknown. */
void record_text(struct report_record *r, const char *id, const char *text);
__attribute__((format(printf, 3, 4))) void record_textf(struct report_record *r, const char *id,
							const char *format, ...);
/* Fills a cell with a count; 0 makes the cell absent. */
void record_optional_count(struct report_record *r, const char *id, uint64_t count);
/* Fills a cell with a copy of the text; NULL makes the cell absent. */
void record_optional_text(struct report_record *r, const char *id, const char *text);
/* Fills a cell with a time, as a text (base/clock.h). wall_ns: nanoseconds since 1970. */
void record_time(struct report_record *r, const char *id, uint64_t wall_ns);
/* Begins a group; the next calls fill its members. */
void record_group(struct report_record *r, const char *id);
void record_list(struct report_record *r, const char *id, int tuple);
/* Append an item to the list begun last. */
void record_item(struct report_record *r, struct value v);
void record_item_text(struct report_record *r, const char *text);
/* Fills a cell with a list of records: the inner ones among the entries [first, end) of the
 * report. */
void record_records(struct report_record *r, const char *id, size_t first, size_t end);
/* Fills a cell as absent; for a group, also all its members. */
void record_absent(struct report_record *r, const char *id);
/* Fills a cell as unknown. A group becomes null in JSON, and all its members become absent. */
void record_unknown(struct report_record *r, const char *id);

/* Returns the text of a text cell. */
static inline const char *record_text_of(const struct report_record *r,
					 const struct report_cell *cell)
{
	return r->texts.text + cell->text;
}

/* Returns the number or text of a cell; any other cell is returned as absent. */
static inline struct report_scalar record_scalar(const struct report_record *r,
						 const struct report_cell *cell)
{
	return cell->kind == REPORT_TEXT    ? scalar_text(record_text_of(r, cell))
	       : cell->kind == REPORT_VALUE ? scalar_value(cell->value)
					    : (struct report_scalar){.kind = REPORT_ABSENT};
}

#endif
