/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen - a named set of columns, and what they need.
 *
 * Life of a screen:
 *   1. declared: built_in.c or conf/xml.c fill in texts (screen_add_counter, screen_add_column);
 *   2. compiled: screen_compile() checks formats, compiles expressions and resolves their names; by
 *      that it learns which counters are used and which facts have to be read;
 *   3. shown: read only.
 *
 * Counters. A counter is declared by an alias and what to open; several declarations may share one
 * alias (each for another CPU model): they are alternatives, and the first that fits this machine
 * is taken (by screen/bind/counters, which asks the machine). So a name in an expression resolves
 * to an alias, not to a declaration: symbol i < screen.n_aliases is the alias i. Which event of a
 * reading that is, the binding finds out (binding.h). Symbols from SYMBOL_VARIABLE on are
 * variables, see variable_at().
 *
 * Names in expressions are looked up among the counters of the screen, then the variables, then the
 * headers of its columns, without the blanks around them; "[header]" is always a column. What a
 * column uses of another is put into its expression, so a compiled column stands alone: it has all
 * references that it needs, and others may be dropped.
 *
 * Ownership: the screen owns all strings and expressions; screen_free() frees them.
 */
#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/unit.h"
#include "base/value.h"
#include "model/fact.h"
#include "screen/column_format.h"
#include "screen/expr/expr.h"

/* ---- threshold ----
 *
 * From where on a number of a column is worth a look: "< 0.5", ">= 20". Pure.
 *
 * The words lt, le, gt, ge, eq and ne stand for the signs, as in expressions. A number that is not
 * known is beyond no threshold.
 *
 * Ownership: the threshold owns its text; threshold_done() frees it.
 */

struct threshold {
	char *text;                            /* as declared; NULL: there is none */
	bool (*is_beyond)(double a, double b); /* NULL until it is read */
	double number;
};

enum level { LEVEL_NONE, LEVEL_WARN, LEVEL_CRIT };

/* Reads the text, if there is one. -EINVAL, -ERANGE with a sentence. */
int threshold_read(struct threshold *t, struct err *err);
void threshold_done(struct threshold *t);
/* How far beyond the two the value is; crit is asked first. */
enum level threshold_level(const struct threshold *warn, const struct threshold *crit,
			   struct value v);

/* ---- screen ---- */

struct counter_decl {
	char *alias;
	char *event;  /* a vendor's name for it; NULL: config and type say what to count */
	char *config; /* a number, or names and numbers joined by shl | & ( ) */
	char *type;   /* HARDWARE (also where NULL), SOFTWARE, HW_CACHE, RAW */
	char *arch;   /* only on this architecture ("x86", "arm64"); NULL: on all */
	char *model;  /* only on these models, separated by ';' ("06_1A;06_1E"); NULL: on all */
	int line;     /* in the file it comes from; 0: built in */
	int element;  /* and the number of its element there (conf/xml.h); 0: of none */
	/* To be counted at the same time as the others of this number, from 1 on; 0: as
	 * columns need it. */
	int join;
	bool used; /* set by screen_compile(): some expression names its alias */
};

/* What the numbers of a column are. */
enum column_kind {
	COLUMN_STATE, /* nothing of it is of an interval */
	COLUMN_COUNT, /* grows with the time: delta(cycle) / 1e6 */
	COLUMN_RATE,  /* per time: rate(x), or %CPU */
	COLUMN_RATIO, /* of counts, or of rates: delta(instr) / delta(cycle) */
	COLUMN_OTHER  /* none of these */
};

struct column {
	/* For programs and settings, see column_id.h; never NULL after screen_compile() */
	char *id;
	/* As printed: its width, blanks included, is the width of the column at least. */
	char *header;
	char *format;      /* how a value is written, see column_format.h */
	char *desc;        /* one sentence for the help; never NULL after screen_compile() */
	char *text;        /* the expression as written */
	char *unit_name;   /* as declared; NULL: that of the variable that it is, or none */
	int line, element; /* as of a counter */
	/* Of which other column the last values are drawn, as declared: `text` is this one in [ ];
	 * NULL: none are. */
	char *spark;
	bool same_scale; /* of them, the bars of all rows; else each row has a scale of its own */
	bool id_given;   /* by the screen, not made from the header */
	bool optional;   /* leave the column out where the machine lacks one of its counters */
	/* Where not all columns have room, those of 1 stay longest, and those of 9 go first; 0:
	 * not given, see screen_column_priority(). */
	int priority;
	struct threshold warn, crit; /* from where on a number is worth a look, and worth more */
	struct expr *expr;           /* NULL until compiled */
	enum column_kind kind;       /* see column_kind.h */
	bool has_total;              /* it can show what came together so far */
	struct column_format shape;  /* of format */
	char *zero;                  /* what format makes of 0; NULL: it is for people, or a text */
	enum unit unit;
	enum topic topic; /* where it is offered to other screens */
	int width;        /* characters: the longer of the header and the format's minimum width */
};

struct screen {
	char *name, *desc;
	/* What a CPU must have for it, as a sentence, else it is hidden; NULL: nothing special. */
	char *needs;
	/* What its rows are of, as the kinds are called: "region", "process CPU"; NULL: tasks. */
	char *rows;
	char *file;        /* the file it comes from; NULL: built in */
	int line, element; /* as of a counter */
	bool other_rows;   /* hidden since its rows are of another kind; needs says so */
	bool replace;      /* it is to take the place of another one of its name */
	bool lacking;      /* this machine cannot fill it */
	bool left_out;     /* hidden since the user wants no tab of it */
	/* By which it is called, and in whose order screens usually stand; -1: it has none yet. */
	int number;
	bool idle;               /* it shows idle tasks, too, unless the user takes them away */
	bool from_folder;        /* of files, it is from one of those that only add */
	struct screen *declared; /* as it was read, where columns may have been left out; or NULL */
	struct counter_decl *counter;
	size_t n_counters, cap_counters;
	struct column *column;
	size_t n_columns, cap_columns;
	bool lost; /* the file has counters or columns more, which were left out with a sentence */
	bool fitted; /* columns that are not for this machine have been left out (screen/bind/fit.h)
		      */
	/* After screen_compile(): */
	char **alias; /* the used aliases */
	size_t n_aliases;
	fact_mask facts; /* what the columns read */
};

/* Names that every expression may use beside the counters of its screen. */
enum variable {
	VARIABLE_CPU_TOT,
	VARIABLE_CPU_SYS,
	VARIABLE_CPU_USER,
	VARIABLE_FAST_CORES,
	VARIABLE_MEM_TOTAL_KB,
	VARIABLE_VERDICT,   /* a text */
	VARIABLE_FIRST_FACT /* from here on: VARIABLE_FIRST_FACT + fact */
};

#define SYMBOL_VARIABLE 1000
#define N_VARIABLES     (VARIABLE_FIRST_FACT + N_FACTS)

#define SCREEN_PRIORITY_MAX 9

/* Operations that columns may take over from others, in all: a column costs what it uses. */
#define SCREEN_TAKEN_MAX 100000

struct variable_row {
	const char *name;
	enum unit unit;
	fact_mask facts; /* what has to be read for it */
	const char *help;
};

/* Row v of the variables, derived ones first, then one a fact. */
struct variable_row variable_at(int v);
bool variable_is_text(int v);
/* -EINVAL with a sentence where it is used in a way that has no meaning. */
int variable_check_mode(int v, enum expr_mode mode, struct err *err);

struct screen *screen_new(const char *name, const char *desc);
void screen_free(struct screen *s);
/* Why it has no tab, in words; NULL: it has one. */
const char *screen_why_hidden(const struct screen *s);
/* Whether it has a tab: one that this machine cannot fill has one though it is hidden. */
bool screen_has_tab(const struct screen *s);
/* A copy of a screen that is declared, but not compiled. */
struct screen *screen_copy(const struct screen *s);
/* Whether its rows may be of this kind. */
bool screen_has_rows(const struct screen *s, const char *kind);
/* The new element is cleared and belongs to the screen; valid until the next add.
 * Texts are copied. */
struct counter_decl *screen_add_counter(struct screen *s, const char *alias, const char *config,
					const char *type);
struct column *screen_add_column(struct screen *s, const char *header, const char *format,
				 const char *desc, const char *expression);
/* The same as another one, as it is declared. */
struct counter_decl *screen_copy_counter(struct screen *s, const struct counter_decl *from);
struct column *screen_copy_column(struct screen *s, const struct column *from);
/* The screen says what the column is called, see column_id.h; NULL: it does not. */
void screen_give_id(struct column *c, const char *id);
/* Leave one out; of a counter, only while the screen is declared. */
void screen_drop_counter(struct screen *s, size_t i);
void screen_drop_column(struct screen *s, size_t i);

/* What screen_compile() found: one call a fault, with its line (0: built in). The sentence names
 * screen and column. */
typedef void (*screen_report)(void *context, int line, const struct err *err);

/*
 * Compiles all columns, each behind those that it uses. A column with a fault (unknown name, bad
 * expression, bad format, a circle of columns) is reported and dropped, and so are those that use
 * it; the rest is used. A counter that no column uses is reported (built-in screens have none)
 * and not opened. Codes of reports: ENOENT for what is unknown or unused, EINVAL for what cannot
 * be read. What only follows from a fault that was reported, or from what is lost, is not
 * reported. Once for each screen; report is not NULL. Returns 0; where no column is left,
 * -ENOENT, or -ECANCELED if the reason was reported; -EINVAL where it uses more than
 * SAMPLE_MAX_EVENTS counters.
 */
int screen_compile(struct screen *s, screen_report report, void *context, struct err *err);

/* A column of texts is the verdict, or one fact that is a text, and nothing else: this one. */
bool screen_column_is_text(const struct column *c);
bool screen_column_is_verdict(const struct column *c);
enum fact screen_column_fact(const struct column *c);
/* Whether the compiled column needs a counter. */
bool screen_column_counts(const struct column *c);
/* Whether the screen shows counts in columns that may not be left out. */
bool screen_needs_counters(const struct screen *screen);
/* From 1 to SCREEN_PRIORITY_MAX. */
int screen_column_priority(const struct column *c);
/* The header without the blanks around it: what people call the column. *len: where it ends;
 * behind may be blanks. */
const char *screen_column_name(const struct column *c, int *len);
/* The first column of this name, from the one with this index on; n_columns where there is none. */
size_t screen_find_column(const struct screen *s, size_t from, const char *name, size_t len);

/* An ordered list of screens, which it owns. */
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
/* Returns the index of the screen with this number; -1: there is none. */
int screen_list_find_number(const struct screen_list *l, int number);
/* Returns the lowest number that no screen of these lists has. */
int screen_list_free_number(const struct screen_list *const list[], size_t n);
/* Gives each screen without a number the next free one. */
void screen_list_number(struct screen_list *l);
/* The index of the screen with this number, or of the first whose name contains the text; -1 with a
 * sentence that lists the numbers or names. */
int screen_list_find(const struct screen_list *l, const char *what, struct err *err);

/* ---- topic ----
 *
 * What a column is about: the heading below which it stands where columns are chosen.
 *
 * Each variable has one topic (model/fact.h), declared in its row. A column has that of the first
 * variable in its expression; one that names a counter is about counters. What it takes over from
 * other columns of its screen counts as its own.
 */

struct screen;

/* The headings, in the order in which they stand. */
extern const char *const topic_title[N_TOPICS];

/* TOPIC_OTHER: the table lacks it, which is a mistake. */
enum topic topic_of_variable(int variable);
/* Sets the topic of each column of a declared screen. */
void topic_set(struct screen *s);

#endif
