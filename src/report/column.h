/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column - declares the columns of a record type, once for all formats.
 *
 *	static const struct report_column columns[] = {
 *		{.id = "name", .title = "# lock", .width = -24},
 *		{.id = "wait", .csv = "wait_ns", .title = "wait ms", .width = 10, .digits = 3,
 *		 .per = 1e6},
 *		{.id = "hold", .members = 2},
 *		{.id = "mean", .csv = "hold_mean_ns", .csv_digits = 3},
 *		{.id = "histogram"},
 *	};
 *
 * JSON has the columns in declared order, and a record is filled in the same order (record.h). CSV
 * and text sort the columns by csv_place and place: columns with a negative place come first, then
 * those with place 0 in declared order, then those with a positive place.
 *
 * Text may show a type as several tables, each with a part of the columns.
 */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

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
	REPORT_IS_NUMBER, /* the value of the amount, if the record is one item of it */
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
	/* A terminal that is too narrow for all columns shows those with the lowest ranks (fit.h);
	 * 0: after all others. */
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
	 * with `digits`, but from 100 on rounded to an integer. */
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

#endif
