/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen - a named list of columns, with their counters; the formats of columns, the built-in
 * screens, and the named filters, which files declare beside screens.
 *
 * Life of a screen:
 *   1. declared: screen.c or conf/xml.c set texts (screen_add_counter, screen_add_column);
 *   2. compiled: screen_compile() (compile.h) checks formats, compiles expressions, resolves names;
 *   3. shown: read only.
 * Compiling also finds the counters that are used and the facts that have to be read.
 *
 * Counters. A counter is declared by an alias and an event; several declarations may share one
 * alias (each for another CPU model): they are alternatives, and screen/bind/counters selects the
 * first that fits this machine. So a name in an expression resolves to an alias, not to a
 * declaration: symbol i < screen.n_aliases is alias i. The binding (binding.h) maps it to an event
 * of a reading. Symbols from SYMBOL_VARIABLE on are variables, see variable_at().
 *
 * A name in an expression is looked up among the counters of the screen, then the variables, then
 * the column headers (without surrounding blanks); "[header]" is always a column. If a column uses
 * another column, that column's expression is copied into its own. So a compiled column is
 * self-contained, and any other column may be dropped.
 *
 * Ownership: the screen owns all strings and expressions; screen_free() frees them.
 */
#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "base/value.h"
#include "model/fact.h"
#include "screen/expr/expr.h"

/* ---- formats of columns ----
 *
 * The format of the values of a column: text with exactly one conversion.
 *
 *   %[-+ 0#][width][.precision](f|F|e|E|g|G)   a number, as printf(3) does
 *   %[width]h     a number shortened by the unit of the column (base/unit.h)
 *   %[-][width]s  a text, left-aligned
 *
 * Width and precision are at most 99; %% writes a '%'. So a format for numbers, other than %h, is
 * safe for printf(3) with one double.
 *
 * tiptop 2.3.1 passed formats to printf(3) unchecked, so its configuration files may have the
 * length modifiers l and L (%4.1lf). These have no meaning here and are removed before parsing.
 */

struct column_format {
	int width;       /* the minimal number of characters written, with the text around it */
	char conversion; /* the letter of the conversion */
	int field;       /* the width given in the conversion; 0: none */
	bool fixed;      /* num_add_fixed() can write it: f without flags, few decimals */
	int decimals;    /* of a fixed one */
	/* A number has a character for each byte: the text around the conversion is ASCII, and the
	 * conversion writes no unit. */
	bool ascii;
	size_t from, to; /* the position of the conversion in the format */
};

/* Removes the length modifiers from a format, in place. */
void column_format_strip(char *format);
/* Parses a format. Returns -EINVAL with the reason. */
int column_format_read(const char *format, struct column_format *out, struct err *err);
/* Returns the number 0, formatted; the caller frees it. NULL: the conversion is h or s. */
char *column_format_zero(const char *format, const struct column_format *shape);
/* Appends the characters [from, to) of a format, with %% as one '%'. */
void column_format_add_text(struct strbuf *out, const char *format, size_t from, size_t to);

/* ---- threshold ----
 *
 * A condition that marks a number of a column: "< 0.5", ">= 20". Pure.
 *
 * The words lt, le, gt, ge, eq and ne may replace the signs, as in expressions. An unknown number
 * is never beyond a threshold.
 *
 * Ownership: the threshold owns its text; threshold_done() frees it.
 */

struct threshold {
	char *text;                            /* as declared; NULL: none */
	bool (*is_beyond)(double a, double b); /* NULL until parsed */
	double number;
};

enum level { LEVEL_NONE, LEVEL_WARN, LEVEL_CRIT };

/* Parses the text, if there is one. Returns -EINVAL or -ERANGE with a sentence. */
int threshold_read(struct threshold *t, struct err *err);
void threshold_done(struct threshold *t);
/* Returns the level of a value. If it is beyond both thresholds, the result is LEVEL_CRIT. */
enum level threshold_level(const struct threshold *warn, const struct threshold *crit,
			   struct value v);

/* ---- screen ---- */

struct counter_decl {
	char *alias;
	char *event;  /* the vendor's name of the event; NULL: config and type define the event */
	char *config; /* a number, or names and numbers joined by shl | & ( ) */
	char *type;   /* HARDWARE (default if NULL), SOFTWARE, HW_CACHE, RAW */
	char *arch;   /* only on this architecture ("x86", "arm64"); NULL: on all */
	char *model;  /* only on these models, separated by ';' ("06_1A;06_1E"); NULL: on all */
	int line;     /* in its file; 0: built in */
	int element;  /* number of its element in the file (conf/xml.h); 0: none */
	/* Counters with the same join number, from 1 on, are counted at the same time, as the user
	 * requested; 0: no such request. */
	int join;
	bool used; /* set by screen_compile(): an expression uses its alias */
};

/* The kind of the numbers of a column. */
enum column_kind {
	COLUMN_STATE, /* no input is an increment, a rate or a share of the interval */
	COLUMN_COUNT, /* grows with the length of the interval: delta(cycle) / 1e6 */
	COLUMN_RATE,  /* per unit of time: rate(x), or %CPU */
	COLUMN_RATIO, /* of counts, or of rates: delta(instr) / delta(cycle) */
	COLUMN_OTHER  /* none of these */
};

struct column {
	/* The name for programs and settings, see column.h; not NULL after screen_compile(). */
	char *id;
	/* As printed; its width, blanks included, is the minimal width of the column. */
	char *header;
	char *format;      /* the format of the values, see "formats of columns" above */
	char *desc;        /* a sentence for the help; not NULL after screen_compile() */
	char *text;        /* the expression as written */
	char *unit_name;   /* as declared; NULL: the unit of the expression, or none */
	int line, element; /* as in struct counter_decl */
	/* The name of the column whose last values this column draws as bars; `text` is then
	 * "[name]". NULL: this column draws no bars. */
	char *spark;
	bool same_scale; /* the bars of all rows have one scale; else each row has its own */
	bool id_given;   /* given in the screen, not made from the header */
	bool optional;   /* drop the column if the machine cannot show it (bind/counters.h) */
	/* If the terminal is too narrow, columns with 9 are hidden first, columns with 1 last.
	 * 0: not given, see screen_column_priority(). */
	int priority;
	struct threshold warn, crit; /* levels at which a number is marked */
	struct expr *expr;           /* NULL until compiled */
	enum column_kind kind;       /* see column.h */
	bool has_total;              /* it can show totals */
	struct column_format shape;  /* the parsed format */
	char *zero;                  /* the number 0 as formatted; NULL: the conversion is h or s */
	enum unit unit;
	enum topic topic; /* the heading under which lists of columns show it */
	int width;        /* characters: the longer of the header and the format's minimum width */
};

struct screen {
	char *name, *desc;
	/* The reason shown if the screen is hidden: a sentence about the CPUs that have its events,
	 * or about its kind of rows. NULL: none declared. */
	char *needs;
	/* The names of the kinds of its rows, separated by blanks: "region", "process CPU"; NULL:
	 * tasks. */
	char *rows;
	char *file;        /* the path of its file; NULL: built in */
	int line, element; /* as in struct counter_decl */
	bool other_rows;   /* hidden because it is for other kinds of rows; `needs` says which */
	bool replace;      /* it replaces another screen with its name */
	bool lacking;      /* this machine lacks its events */
	bool left_out;     /* hidden because the user wants no tab for it */
	/* Users select the screen by this number; it is also the default order of screens.
	 * -1: none yet. */
	int number;
	bool idle;        /* it shows idle tasks unless the user hides them */
	bool from_folder; /* its file may only add screens */
	/* A copy as declared; NULL: all declared columns are certain to be shown. */
	struct screen *declared;
	struct counter_decl *counter;
	size_t n_counters, cap_counters;
	struct column *column;
	size_t n_columns, cap_columns;
	bool lost;   /* the file had faulty counters or columns, which were reported and dropped */
	bool fitted; /* fit_screen() has dropped the columns that this machine lacks */
	/* After screen_compile(): */
	char **alias; /* the used aliases */
	size_t n_aliases;
	struct fact_set facts; /* the facts that the columns use */
};

/* Names that every expression may use besides the counters of its screen. */
enum variable {
	VARIABLE_CPU_TOT,
	VARIABLE_CPU_SYS,
	VARIABLE_CPU_USER,
	VARIABLE_FAST_CORES,
	VARIABLE_MEM_TOTAL_KB,
	VARIABLE_VERDICT,   /* a text */
	VARIABLE_FIRST_FACT /* fact f is VARIABLE_FIRST_FACT + f */
};

#define SYMBOL_VARIABLE 1000
extern const int n_variables;

#define SCREEN_PRIORITY_MAX 9

/* The maximal number of operations that all columns of a screen together copy from others. */
#define SCREEN_TAKEN_MAX 100000

struct variable_row {
	const char *name;
	enum unit unit;
	struct fact_set facts; /* the facts that have to be read to compute it */
	const char *help;
};

/* Returns the row of variable v (enum variable). */
struct variable_row variable_at(int v);
bool variable_is_text(int v);
/* Returns -EINVAL with a sentence if the mode has no meaning for the variable. */
int variable_check_mode(int v, enum expr_mode mode, struct err *err);

struct screen *screen_new(const char *name, const char *desc);
void screen_free(struct screen *s);
/* Returns the sentence that explains why a hidden screen is hidden; NULL: it declares none. */
const char *screen_why_hidden(const struct screen *s);
/* Returns whether a hidden screen has a tab: if it is hidden only because this machine lacks its
 * events. */
bool screen_has_tab(const struct screen *s);
/* Copies a screen as declared, without compiling it. */
struct screen *screen_copy(const struct screen *s);
/* Returns whether the screen is for rows of this kind. */
bool screen_has_rows(const struct screen *s, const char *kind);
/* Add a counter or a column. The result belongs to the screen and is valid until the next add.
 * Texts are copied; the other fields are 0. */
struct counter_decl *screen_add_counter(struct screen *s, const char *alias, const char *config,
					const char *type);
struct column *screen_add_column(struct screen *s, const char *header, const char *format,
				 const char *desc, const char *expression);
/* Add a copy of a counter or column as declared, without the results of compiling. */
struct counter_decl *screen_copy_counter(struct screen *s, const struct counter_decl *from);
struct column *screen_copy_column(struct screen *s, const struct column *from);
/* Sets the id as declared in the screen, see column.h; NULL: none is declared. */
void screen_give_id(struct column *c, const char *id);
/* Remove counter or column i. A counter may only be removed before screen_compile(). */
void screen_drop_counter(struct screen *s, size_t i);
void screen_drop_column(struct screen *s, size_t i);

/* Receives each fault that screen_compile() finds, with the line in the file (0: built in). The
 * sentence names the screen, and the column or the counter. */
typedef void (*screen_report)(void *context, int line, const struct err *err);

/* Returns whether the compiled column shows texts. */
bool screen_column_is_text(const struct column *c);
/* Returns whether the compiled column shows verdicts, which are texts. */
bool screen_column_is_verdict(const struct column *c);
/* Returns the fact that a column of texts shows; not for verdicts. */
int screen_column_fact(const struct column *c);
/* Returns whether the compiled column uses a counter. */
bool screen_column_counts(const struct column *c);
/* Returns whether a column that is not optional uses a counter. */
bool screen_needs_counters(const struct screen *screen);
/* Returns the priority, from 1 to SCREEN_PRIORITY_MAX. */
int screen_column_priority(const struct column *c);
/* Returns the header from its first character that is not blank: the name of the column for users.
 * *len: the length of the name, in bytes; trailing blanks may follow. */
const char *screen_column_name(const struct column *c, int *len);
/* Returns the index of the first column with this name, from `from` on; n_columns: none. */
size_t screen_find_column(const struct screen *s, size_t from, const char *name, size_t len);

/* An ordered list of screens; owns them. */
struct screen_list {
	struct screen **v;
	size_t n, cap;
};

#define SCREEN_LIST_INIT                                                                           \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

void screen_list_add(struct screen_list *l, struct screen *s);
void screen_list_done(struct screen_list *l);
/* Returns the index of the screen with this number; -1: none. */
int screen_list_find_number(const struct screen_list *l, int number);
/* Returns the lowest number that no screen of these lists has. */
int screen_list_free_number(const struct screen_list *const list[], size_t n);
/* Gives each screen without a number (below 0) the lowest that no screen of these lists has, in the
 * order of the lists. */
void screen_lists_number(struct screen_list *const list[], size_t n);
/* The same for one list. */
void screen_list_number(struct screen_list *l);
/* Returns the index of the screen with this number, or with this name, or of the first whose name
 * contains the text; -1 with a sentence that lists the numbers or names. */
int screen_list_find(const struct screen_list *l, const char *what, struct err *err);

/* ---- topic ----
 *
 * The subject of a column: its heading in lists of columns.
 *
 * Each variable has one topic (model/fact.h). A column that uses a counter has TOPIC_COUNTERS; any
 * other column has the topic of the first variable in its expression. Counters and variables also
 * count if they are used through other columns.
 */

/* The headings, in their order. */
extern const char *const topic_title[N_TOPICS];

/* Returns the topic of a variable. TOPIC_OTHER: its table declares no topic, which is a bug. */
enum topic topic_of_variable(int variable);
/* Sets the topic of each column of a declared screen. */
void topic_set(struct screen *s);

/* ---- built-in screens ----
 *
 * The built-in screens. They are in config/screens/, in the XML that users write; the build turns
 * them into tables.
 *
 * "default" and "branch" are the screens of tiptop 2.3.1, with its headers and formats, on which
 * scripts depend. Scripts also depend on the numbers of screens: a screen keeps its number in all
 * later versions, on any CPU and whatever screens the user adds.
 */

/* The attributes of a <counter>; NULL: the attribute is absent. */
struct counter_row {
	const char *alias, *event, *arch, *model;
};

/* The attributes of a <column>; NULL: the attribute is absent. */
struct column_row {
	const char *id, *header, *format, *unit, *expr, *desc;
	bool optional;
	int priority; /* 0: absent */
	const char *warn, *crit;
};

struct screen_row {
	int number;
	const char *name, *desc, *needs, *rows;
	bool idle;
	const struct counter_row *counter;
	size_t n_counters;
	const struct column_row *column;
	size_t n_columns;
};

/* All built-in screens, sorted by number. */
extern const struct screen_row *const screen_built_in;
extern const size_t screen_built_in_n;

/* Appends the built-in screens with indices in [from, to), declared but not compiled. */
void screen_list_add_built_in(struct screen_list *l, size_t from, size_t to);

/* ---- named filters ----
 *
 * The named filters of users, in the order of the files.
 *
 * A filter may name columns, so it is compiled only when it is used with a screen; here it is a
 * text.
 */

struct named_filter {
	char *name, *text;
	char *desc;       /* NULL: none */
	char *file;       /* where it is defined, owned */
	int line;         /* in its file */
	bool from_folder; /* its file may only add filters */
};

/* Owns its filters and their texts. */
struct filter_list {
	struct named_filter *v;
	size_t n, cap;
};

#define FILTER_LIST_INIT                                                                           \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* Returns whether the name is valid: letters, digits, '_' and '-'. */
bool filter_list_is_name(const char *name);
/* Returns the filter with this name; NULL: none. */
const struct named_filter *filter_list_find(const struct filter_list *l, const char *name);
/* Adds a filter. Copies the texts and sets the other fields to 0. The result is valid until the
 * next add. */
struct named_filter *filter_list_add(struct filter_list *l, const char *name, const char *text,
				     const char *desc);
void filter_list_done(struct filter_list *l);

#endif
