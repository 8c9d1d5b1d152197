/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column - the columns of a record type: each is declared once, for all formats.
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
 * JSON has the columns in declared order, in which a record is also filled (record.h). CSV and text
 * have the same order, except for columns with a place: they are sorted by place, negative places
 * before the others (place 0), positive ones after them.
 *
 * Text may show a type as several tables, each with some of the columns.
 */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

/* The column is in each table of the text. */
#define REPORT_EACH_TABLE (-1)

/* The meaning of a column for programs that read records again and compare them
 * (compare/saved_report.h). */
enum report_role {
	REPORT_NO_ROLE,
	/* Records with equal name, kind and caller are matched; a place name is a place in a
	 * function. */
	REPORT_IS_NAME,
	REPORT_IS_PLACE_NAME,
	REPORT_IS_KIND,
	REPORT_IS_CALLER,
	REPORT_IS_PROCESS, /* maybe several columns; a later record replaces an earlier one */
	REPORT_IS_TIMES,   /* number of occurrences */
	REPORT_IS_CONTENDED,
	/* Of an amount: the number of items, the number of measured ones, their mean, and their
	 * standard deviation: of a sample, or of all items. */
	REPORT_IS_N,
	REPORT_IS_TIMED,
	REPORT_IS_MEAN,
	REPORT_IS_SD,
	REPORT_IS_SD_OF_ALL,
};

struct report_column {
	const char *id;    /* the key in JSON; NULL: not in JSON */
	const char *csv;   /* the heading in CSV; NULL: not in CSV */
	const char *title; /* the heading in text; NULL: not in text */
	enum report_role role;
	const char *amount; /* for the roles from REPORT_IS_N on: the amount's name, "hold" */
	const char *event;  /* for these roles: the event that was counted; NULL: time */
	/* The number of following columns, including nested ones, that are members of this group:
	 * an object in JSON, without a column of its own in CSV and text. */
	int members;
	/* Digits after the point; 0: all digits; < 0: that many significant digits. */
	int csv_digits;
	int csv_place;
	/* Quoted in CSV even if not necessary: the heading, texts. */
	enum report_quotes {
		REPORT_QUOTE_HEADING = 1,
		REPORT_QUOTE_TEXTS = 2,
	} csv_quotes;
	int json_digits; /* after the point; 0: all digits */
	/* Text: minimum number of characters; < 0: left-aligned. */
	int width;
	int digits; /* after the point */
	double per; /* text shows the number divided by this; 0 means 1 */
	int table;  /* index of the table in text, or REPORT_EACH_TABLE */
	int place;
	/* A wider cell shifts the cells after it; 0: the column is as wide as its widest cell; < 0:
	 * cells wider than -max_width do not widen the column. */
	int max_width;
	const char *unit;    /* text after a number; NULL: none */
	bool no_zero;        /* text shows '-' instead of 0 */
	bool blank;          /* text shows nothing for absent cells, '-' for unknown ones */
	bool sign;           /* text shows '+' before a number that is not negative */
	const char *unknown; /* text shows this for an unknown cell; NULL: '-' */
	int indent; /* number of blanks before each cell in text; the title contains its own */
	/* Format in text other than `digits`: about four digits (base/unit.h), or `digits` only for
	 * a number below 100 that is not an integer. */
	enum report_style { REPORT_DIGITS, REPORT_SHORT, REPORT_ROUND } style;
	/* Position in text of the quality mark of a number that is not exact; TILDE: '~' for any
	 * quality but exact. */
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
	/* The lines above each table of the text; NULL: none. */
	const char *const *table_note;
	int n_tables; /* in text; 0: the type is not shown in text */
	/* [1 + n_tables]: of CSV, then of each table; NULL: computed at each use. */
	const struct report_order *order;
};

/* Declares a type that is not shown in text: REPORT_TYPE(end, {.id = "pid"}, {.id = "status"}); */
#define REPORT_TYPE(name, ...)                                                                     \
	static const struct report_column name##_columns[] = {__VA_ARGS__};                        \
	static const struct report_type name = {                                                   \
		name##_columns, sizeof name##_columns / sizeof *name##_columns, NULL, 0, NULL}

/* A type built at run time, as its columns depend on events. It owns copies of all texts. */
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
/* Begins another table of the text, with lines above it; returns its index. */
int report_own_type_table(struct report_own_type *t, const char *note);

/* Computes all orders once, for types of many records; no column may be added later. */
void report_own_type_settle(struct report_own_type *t);

/* Return the order of CSV; of a table of the text. */
struct report_order report_order_csv(const struct report_type *type);
struct report_order report_order_text(const struct report_type *type, int table);
/* Frees an order unless the type owns it. */
void report_order_done(const struct report_type *type, struct report_order *order);

#endif
