/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - the output of a command: records of declared types with notes between them, in order.
 * format.h declares the formats.
 *
 * An inner record is a line in text and CSV, but in JSON an item in a list of its outer record. The
 * outer record is added after all its inner records.
 *
 *	const size_t rows = report->n;
 *
 *	...report_add_inner(report, &row_type)...
 *	head = report_add(report, &head_type);
 *	record_records(head, "rows", rows, report->n - 1);
 *
 * Records are held until the report is emptied, so that the columns of text can be as wide as their
 * cells. A command that writes while it runs makes the report a stream (is_stream) and empties it
 * after each record. Columns of a stream have their declared widths, and a heading is written only
 * if the command adds it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/value.h"

/* ---- record ----
 *
 * One record of a type: a cell for each column, filled in column order. The columns of a type are
 * declared once, for all formats (column); scalars are numbers and texts in each format.
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
 * A cell is a number (struct value, with a reason if it is unknown), a text, a list of these or of
 * inner records, absent, or the beginning of a group. In JSON, unknown is null and absent is left
 *out. CSV leaves both empty. Text shows both as '-', or as column.unknown if it is set; but nothing
 *for absent cells of `blank` columns.
 */

/* ---- scalar ----
 *
 * A number or a text, and functions that write it in each format. Used by reports, and by
 * outputs that write each row at once (output/output.h).
 */

enum report_kind {
	REPORT_ABSENT,
	REPORT_VALUE,
	REPORT_TEXT,
	REPORT_LIST,
	REPORT_GROUP,
	REPORT_RECORDS, /* a list of inner records */
};

struct report_scalar {
	enum report_kind kind; /* absent, value or text */
	union {
		struct value value;
		const char *text;
	};
};

static inline struct report_scalar scalar_value(struct value v)
{
	return (struct report_scalar){.kind = REPORT_VALUE, .value = v};
}

/* Returns a scalar that borrows the text; NULL: an unknown scalar. */
static inline struct report_scalar scalar_text(const char *text)
{
	return text ? (struct report_scalar){.kind = REPORT_TEXT, .text = text}
		    : scalar_value(value_none(QUALITY_NOT_READ));
}

/* Appends the scalar to CSV; control characters in texts are replaced. digits: after the point; 0:
 * all digits; < 0: that many significant digits. An unknown or absent scalar appends nothing. */
void scalar_add_csv(struct strbuf *out, const struct report_scalar *s, int digits);
/* Appends the scalar to JSON; an unknown or absent one becomes null. */
void scalar_add_json(struct strbuf *out, const struct report_scalar *s);
/* Appends the scalar to text for people; an unknown or absent one becomes '-'. digits: after the
 * point; 0: a count is written with all its digits, any other number is rounded to an integer. */
void scalar_add_people(struct strbuf *out, const struct report_scalar *s, int digits);

/* ---- column ----
 *
 * Declares the columns of a record type, once for all formats.
 *
 * static const struct report_column columns[] = {
 * 	{.id = "name", .title = "# lock", .width = -24},
 * 	{.id = "wait", .csv = "wait_ns", .title = "wait ms", .width = 10, .digits = 3,
 * 	 .per = 1e6},
 * 	{.id = "hold", .members = 2},
 * 	{.id = "mean", .csv = "hold_mean_ns", .csv_digits = 3},
 * 	{.id = "histogram"},
 * };
 *
 * JSON has the columns in declared order, and a record is filled in the same order. CSV
 * and text sort the columns by csv_place and place: columns with a negative place come first, then
 * those with place 0 in declared order, then those with a positive place.
 *
 * Text may show a type as several tables, each with a part of the columns.
 */

/* For report_column.table: text shows the column in each table of the type. */
#define REPORT_EACH_TABLE (-1)

/* The meaning of a column, by which saved reports are compared (compare/saved_report.h). */
enum report_role {
	REPORT_NO_ROLE,
	/* The keys: records with equal name, kind and caller are compared with each other. If
	 * several columns have the role of the same key, the last one with a text in the record is
	 * the key. */
	REPORT_IS_NAME,
	REPORT_IS_KIND,
	REPORT_IS_CALLER,
	/* A part of the identity of the process: several columns may have this role. A later record
	 * with the same name and process replaces an earlier one. */
	REPORT_IS_PROCESS,
	REPORT_IS_TIMES, /* number of occurrences */
	REPORT_IS_CONTENDED,
	/* The statistics of an amount: number of items, number of measured items, mean, standard
	 * deviation of a sample, standard deviation of the population. */
	REPORT_IS_N,
	REPORT_IS_TIMED,
	REPORT_IS_MEAN,
	REPORT_IS_SD,
	REPORT_IS_SD_OF_ALL,
	REPORT_IS_NUMBER, /* the number itself, if the record is a single measurement */
	/* A change in % from the amount "a" to the amount "b", and half of its confidence
	 * interval. */
	REPORT_IS_CHANGE,
	REPORT_IS_MARGIN,
};
/* The number of keys: name, kind and caller. */
#define REPORT_KEYS 3

struct report_column {
	const char *id;    /* the key in JSON; NULL: not in JSON */
	const char *csv;   /* the heading in CSV; NULL: not in CSV */
	const char *title; /* the heading in text; NULL: not in text */
	enum report_role role;
	/* For keys: the text may end with an offset in a function, such as "f+0x1f"; the offset is
	 * not a part of the key. */
	bool has_offset;
	/* In JSON, the number of records behind this one stands in place of its cell, which is
	 * absent: by it, a reader notices that the file was cut off at the end of a line. */
	bool counts_rest;
	const char *amount; /* for the roles from REPORT_IS_N on: the name of the amount: "hold" */
	/* For the roles from REPORT_IS_N on: the event that the amount counts; NULL: a time. */
	const char *event;
	/* If not 0, the column is a group with this number of members: the columns after it, those
	 * of nested groups included. A group is an object in JSON, and no column in CSV and
	 * text. */
	int members;
	/* Digits after the point; 0: all digits; < 0: that many significant digits. */
	int csv_digits;
	int csv_place;
	/* The parts that are quoted in CSV even if that is not necessary. */
	enum report_quotes {
		REPORT_QUOTE_HEADING = 1,
		REPORT_QUOTE_TEXTS = 2,
	} csv_quotes;
	int json_digits; /* in JSON, digits after the point; 0: all digits */
	/* Text: minimum width in characters; < 0: left-aligned, with -width as the minimum. */
	int width;
	int digits; /* in text, digits after the point */
	double per; /* text shows the number divided by this; 0 means 1 */
	int table;  /* index of the table in text, or REPORT_EACH_TABLE */
	int place;
	/* Text: > 0: maximum width of the column; a wider cell shifts the cells after it. 0: no
	 * maximum. < 0: cells wider than -max_width do not widen the column. */
	int max_width;
	/* A terminal that is too narrow for all columns shows those with the lowest ranks
	 * (select.h); 0: after all others. */
	int rank;
	/* For a column without `csv`: the field of --fields with its information; NULL: none. */
	const char *field;
	const char *unit;    /* text shows this after a number; NULL: nothing */
	bool no_zero;        /* text shows '-' instead of 0 */
	bool blank;          /* text shows nothing for absent cells */
	bool sign;           /* text shows '+' before a positive number or 0 */
	const char *unknown; /* text shows this for unknown and absent cells; NULL: '-' */
	int indent; /* number of blanks before each cell in text; a title includes its blanks */
	/* Format of numbers in text: with `digits`; with about four digits in all (base/unit.h); or
	 * with `digits`, but whole numbers without, and numbers from 100 on rounded to an integer.
	 */
	enum report_style { REPORT_DIGITS, REPORT_SHORT, REPORT_ROUND } style;
	/* Position in text of the quality mark of a number that is not exact. REPORT_TILDE_BEHIND:
	 * the mark is '~' for all these qualities. */
	enum report_mark {
		REPORT_NO_MARK,
		REPORT_MARK_BEFORE,
		REPORT_MARK_BEHIND,
		REPORT_TILDE_BEHIND,
	} mark;
};

/* The columns shown in CSV or in a table of the text, in order. */
struct report_order {
	size_t *column; /* [n], indexes of columns of the type */
	size_t n;
};

/* A type of records. Columns and texts are borrowed. */
struct report_type {
	const struct report_column *column;
	size_t n;
	/* [n_tables]: the lines above each table of the text; NULL: no lines. */
	const char *const *table_note;
	int n_tables; /* number of tables in text; 0: the type is not shown in text */
	/* [1 + n_tables]: the order of CSV, then of each table; NULL: orders are computed at each
	 * use. */
	const struct report_order *order;
};

/* Declares a type that is not shown in text: REPORT_TYPE(end, {.id = "pid"}, {.id = "status"}); */
#define REPORT_TYPE(name, ...)                                                                     \
	static const struct report_column name##_columns[] = {__VA_ARGS__};                        \
	static const struct report_type name = {                                                   \
		name##_columns, sizeof name##_columns / sizeof *name##_columns, NULL, 0, NULL}

/* A type built at run time, as its columns depend on events. It owns copies of the ids, headings,
 * titles, fields, events and notes; other texts of a column are borrowed. */
struct report_own_type {
	struct report_type type;
	struct report_column *column;
	size_t cap;
	const char **note;
	size_t cap_notes;
	char **text;
	size_t n_texts, cap_texts;
	struct report_order *order;
};

/* Initializes a type with n columns, and one table of the text if a column has a title. */
void report_own_type_init(struct report_own_type *t, const struct report_column *column, size_t n);
void report_own_type_done(struct report_own_type *t);
/* Appends a column; returns its index. */
size_t report_own_type_add(struct report_own_type *t, struct report_column column);
/* Makes this column a group of all columns after it. */
void report_own_type_group(struct report_own_type *t, size_t column);
/* Adds a table to the text, with the note as the lines above it (NULL: none); returns its index. */
int report_own_type_table(struct report_own_type *t, const char *note);

/* Computes all orders once, for types of many records; no column may be added later. */
void report_own_type_settle(struct report_own_type *t);

/* Return the order of the columns in CSV, and in a table of the text. The caller frees it with
 * report_order_done(). */
struct report_order report_order_csv(const struct report_type *type);
struct report_order report_order_text(const struct report_type *type, int table);
/* Frees an order unless the type owns it. */
void report_order_done(const struct report_type *type, struct report_order *order);

/* ---- record ---- */

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

/* Replaces the text of a text cell. */
void record_replace_text(struct report_record *r, struct report_cell *cell, const char *text);

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

/* ---- report ---- */

enum report_entry_kind {
	REPORT_RECORD,
	REPORT_HEADING, /* the heading of a type, in CSV and text; records of the type may follow */
	REPORT_NOTE,    /* lines in text only */
	REPORT_SECTION, /* lines in text only, inside a table that continues after them */
};

struct report_entry {
	enum report_entry_kind kind;
	bool is_inner;
	bool is_remark; /* a record about other records: not sorted, never removed */
	struct report_record record;
	const struct report_type *type;
	char *note;
};

struct report_html_about;

struct report {
	/* [n_made]: the first n entries are in use; the others keep their memory for reuse. */
	struct report_entry *entry;
	size_t n, n_made, cap;
	bool is_stream;
	int width;    /* of the terminal that shows the text; 0: text has all columns */
	bool is_list; /* JSON: all records are one array, on one line */
	/* The head of a page (html.h), borrowed; NULL: none. */
	const struct report_html_about *about;
	struct report_own_type **own;
	size_t n_own, cap_own;
};

void report_init(struct report *r);
void report_done(struct report *r);
/* Removes all entries and keeps the memory. */
void report_empty(struct report *r);

/* Adds a record for the caller to fill. The result is valid until the next entry is added. The type
 * is borrowed. */
struct report_record *report_add(struct report *r, const struct report_type *type);
/* Adds an inner record, with the rules of report_add(). */
struct report_record *report_add_inner(struct report *r, const struct report_type *type);
/* Adds a record about other records (is_remark), with the rules of report_add(). */
struct report_record *report_add_remark(struct report *r, const struct report_type *type);
/* Adds the heading of a type, which is shown even if no record follows. */
void report_heading(struct report *r, const struct report_type *type);
/* Adds lines that only text shows; control characters in them become '?' (base/strbuf.h). */
void report_note(struct report *r, const char *lines);
/* Adds lines that only text shows, inside a table or between its heading and its records. */
void report_section(struct report *r, const char *lines);

/* Takes ownership of a type; report_empty() frees it. */
void report_own(struct report *r, struct report_own_type *type);

/* Returns the type of a record or a heading. */
static inline const struct report_type *report_entry_type(const struct report_entry *e)
{
	return e->kind == REPORT_HEADING ? e->type : e->record.type;
}

#endif
