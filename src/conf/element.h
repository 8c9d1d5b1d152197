/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * element - the elements of a configuration file and their attributes, and what becomes of them:
 * tables that xml.c goes through.
 */
#ifndef CONF_ELEMENT_H
#define CONF_ELEMENT_H

#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/own_table.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "screen/verdict_own.h"

#define ATTR_MAX 12

/* The state of reading one file: where results and reports go. */
struct reader {
	struct options *options; /* NULL: this file may have no options */
	struct screen_list *screens;
	struct own_table *own;        /* the table for CPUs and events */
	struct theme_list *themes;    /* NULL: they are passed over */
	struct filter_list *filters;  /* NULL: they are passed over */
	struct verdict_own *verdicts; /* and metrics; NULL: they are passed over */
	struct screen *screen;        /* the screen that was begun last */
	struct theme *theme;          /* the theme that was begun last; NULL: it was left out */
	const char *path;
	screen_report report;
	void *context;
	int element; /* the number of the element that is read */
	bool odd;    /* the element that is read has an attribute of an unknown name */
	bool skip;   /* what was begun last has been left out, with what is in it */
};

struct attribute {
	const char *name;
	bool required;
	bool verbatim; /* control and format characters stay: a task's name may have them */
};

/*
 * An element. take() gets the values of its attributes in the order of attr[], NULL where optional
 * ones are missing. Sentences call the element by the value of attr[0]. lose() is told that the
 * element, or one inside of it, has been left out.
 */
struct element {
	const char *name; /* NULL ends a table */
	struct attribute attr[ATTR_MAX];
	void (*take)(struct reader *r, char *const value[ATTR_MAX], int line);
	void (*lose)(struct reader *r);
	const struct element *children; /* NULL: nothing may be inside */
};

/* The outermost element. */
extern const struct element conf_root;

/* Of <theme>, as the table has it. */
void conf_take_theme(struct reader *r, char *const value[ATTR_MAX], int line);
extern const struct element conf_theme_children[];

/* Of <filter>: its attributes, in their order. */
enum { FILTER_NAME, FILTER_EXPR, FILTER_DESC };
void conf_take_filter(struct reader *r, char *const value[ATTR_MAX], int line);

/* Of <metric> and <verdict>, as their files have them: their attributes, in their order. */
enum {
	METRIC_NAME,
	METRIC_UNIT,
	METRIC_FORMAT,
	METRIC_DESC,
	METRIC_EXPR,
	METRIC_LOOK,
	METRIC_SINGLE,
	METRIC_REPLACE
};
enum {
	VERDICT_NAME,
	VERDICT_WORD,
	VERDICT_WHEN,
	VERDICT_WITHOUT,
	VERDICT_RANK,
	VERDICT_SAYS,
	VERDICT_SURE,
	VERDICT_SURER,
	VERDICT_SOURCE,
	VERDICT_COUNTERS,
	VERDICT_REPLACE
};
void conf_take_metric(struct reader *r, char *const value[ATTR_MAX], int line);
void conf_take_verdict(struct reader *r, char *const value[ATTR_MAX], int line);
extern const struct element conf_metric_children[], conf_verdict_children[];

/* Of <column>: its attributes, in their order. */
enum {
	COLUMN_HEADER,
	COLUMN_FORMAT,
	COLUMN_EXPR,
	COLUMN_DESC,
	COLUMN_ID,
	COLUMN_UNIT,
	COLUMN_OPTIONAL,
	COLUMN_PRIORITY,
	COLUMN_WARN,
	COLUMN_CRIT,
	COLUMN_SPARK,
	COLUMN_SCALE,
};
void conf_take_column(struct reader *r, char *const value[ATTR_MAX], int line);

/* What several elements have in common: */

/* A counter or column was left out: what is said of the rest may only follow from that. */
void conf_note_rejected(struct reader *r);

/* The value of an attribute that is "yes", or "no" as where it is not there. label: the element,
 * "<screen 'x'>". */
bool conf_take_flag(struct reader *r, int line, const char *label, const char *name,
		    const char *value);
/* Says so where the text is no list of models. */
void conf_check_models(struct reader *r, int line, const char *label, const char *models);
/* Whether the name is one; says so where it is none. with: what it must have, or "". */
bool conf_is_name(struct reader *r, int line, const char *label, const char *name,
		  const char *with);
/* Whether it may be added beside what has its name, if anything has; says why not. place: of that;
 * NULL: built in. */
bool conf_may_add(struct reader *r, int line, const char *label, bool taken, const char *place,
		  bool replace);
/* "FILE:LINE", which the caller frees. */
char *conf_place(const struct reader *r, int line);
/* Reports a sentence, made harmless. */
__attribute__((format(printf, 4, 5))) void conf_complain(struct reader *r, int line, int code,
							 const char *fmt, ...);

#endif
