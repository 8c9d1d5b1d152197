/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column - what the records of a type are made of: each column is declared once, and all formats
 * follow from that.
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
 * The order of the columns is that of JSON, and that in which a record is filled (record.h). CSV
 * and text have the same order, but for columns with a place: those of place -1 come before all
 * others, those of place 1 behind them, and so on.
 *
 * Text may show a type as several tables, each with a part of the columns.
 */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

/* In each table of the text. */
#define REPORT_EACH_TABLE (-1)

/* What a column is for those who read records again and compare them (compare/saved_report.h). */
enum report_role {
	REPORT_NO_ROLE,
	/* Records of the same name, kind and caller are the same; a place is that in a function. */
	REPORT_IS_NAME,
	REPORT_IS_PLACE_NAME,
	REPORT_IS_KIND,
	REPORT_IS_CALLER,
	REPORT_IS_PROCESS, /* of several columns: a later record replaces an earlier one */
	REPORT_IS_TIMES,   /* how often it happened */
	REPORT_IS_CONTENDED,
	/* Of an amount: of how many, how many of these were measured, what one of them took, and
	 * the standard deviation: of a sample, or of all of them. */
	REPORT_IS_N,
	REPORT_IS_TIMED,
	REPORT_IS_MEAN,
	REPORT_IS_SD,
	REPORT_IS_SD_OF_ALL,
};

struct report_column {
	const char *id;    /* the key in JSON; NULL: JSON does not have it */
	const char *csv;   /* the heading in CSV; NULL: CSV does not have it */
	const char *title; /* the heading in text; NULL: text does not have it */
	enum report_role role;
	const char *amount; /* of the roles from REPORT_IS_N on: its name, "hold" */
	const char *event;  /* the same: what counted it; NULL: it is time */
	/* So many of the next columns are members of this one, which is a group: an object in JSON,
	 * and nothing of its own in CSV and text. Members of members are among them. */
	int members;
	/* Behind the point; 0: all that the number has; < 0: so many in all. */
	int csv_digits;
	int csv_place;
	/* Text: characters, at least; < 0: left-aligned. */
	int width;
	int digits; /* behind the point */
	double per; /* text shows the number divided by this; 0: 1 */
	int table;  /* of the text, or REPORT_EACH_TABLE */
	int place;
	/* A cell that is wider moves what is behind it; 0: the column is as wide as all of its
	 * cells; < 0: a wider cell does not widen the column at all. */
	int max_width;
	const char *unit; /* behind a number; NULL: none */
	bool no_zero;     /* text has '-' in place of 0 */
	bool blank;       /* text has nothing in place of what is absent: '-' is what is unknown */
	bool sign;        /* text has '+' before a number that is not negative */
	const char *unknown; /* text has this in place of what is not known; NULL: '-' */
	int indent;          /* blanks before each cell in text, which the title has itself */
	/* Other than with `digits` in text: in four digits or so (base/unit.h), or with
	 * them only where a number below 100 is not whole. */
	enum report_style { REPORT_DIGITS, REPORT_SHORT, REPORT_ROUND } style;
	/* Where text has the mark of the quality of a number that is not exact; or '~' behind it,
	 * whatever the quality is. */
	enum report_mark {
		REPORT_NO_MARK,
		REPORT_MARK_BEFORE,
		REPORT_MARK_BEHIND,
		REPORT_TILDE_BEHIND,
	} mark;
};

/* Columns in the order of CSV, or of a table of the text. */
struct report_order {
	size_t *column; /* [n] of the type */
	size_t n;
};

/* A type of records. The columns and texts are borrowed. */
struct report_type {
	const struct report_column *column;
	size_t n;
	/* The line above each table of the text; NULL: none. */
	const char *const *table_note;
	int n_tables; /* of the text; 0: text does not have this type */
	/* That of CSV, then those of all tables; NULL: it is found each time. */
	const struct report_order *order;
};

/* Declares a type that text does not have: REPORT_TYPE(end, {.id = "pid"}, {.id = "status"}); */
#define REPORT_TYPE(name, ...)                                                                     \
	static const struct report_column name##_columns[] = {__VA_ARGS__};                        \
	static const struct report_type name = {                                                   \
		name##_columns, sizeof name##_columns / sizeof *name##_columns, NULL, 0, NULL}

/* A type that is put together at run time, as its columns depend on events. It has copies of all
 * texts. */
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

/* Begins with n columns, in one table of the text if it has any. */
void report_own_type_init(struct report_own_type *t, const struct report_column *column, size_t n);
void report_own_type_done(struct report_own_type *t);
/* Adds a column at the end; returns its number. */
size_t report_own_type_add(struct report_own_type *t, struct report_column column);
/* Makes a group of the column of this number and all that were added behind it. */
void report_own_type_group(struct report_own_type *t, size_t column);
/* Begins another table of the text, with a line above it; returns its number. */
int report_own_type_table(struct report_own_type *t, const char *note);

/* Finds all orders, for types of many reports: no column is added behind it. */
void report_own_type_settle(struct report_own_type *t);

/* The columns that CSV has, in its order; and the same of a table of the text. */
struct report_order report_order_csv(const struct report_type *type);
struct report_order report_order_text(const struct report_type *type, int table);
/* Frees an order that was found for the caller. */
void report_order_done(const struct report_type *type, struct report_order *order);

#endif
