/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * element - tables of the elements that a configuration file may have, with their attributes and
 * the functions that process them. xml.c reads files by these tables.
 */
#ifndef CONF_ELEMENT_H
#define CONF_ELEMENT_H

#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/own_table.h"
#include "screen/screen.h"
#include "screen/verdict_list.h"

#define ATTR_MAX 12

/* The state of reading a file, and the destinations of its elements and of reports. */
struct reader {
	struct options *options; /* NULL: this file may have no options and keys */
	struct screen_list *screens;
	struct own_table *own;        /* for CPUs and events */
	struct theme_list *themes;    /* NULL: themes are ignored */
	struct filter_list *filters;  /* NULL: filters are ignored */
	struct verdict_own *verdicts; /* for verdicts and metrics; NULL: both are ignored */
	struct screen *screen;        /* the screen begun last */
	struct theme *theme;          /* the theme begun last; NULL: it was rejected */
	const char *path;
	screen_report report;
	void *context;
	int element; /* the number of the current element, see xml.h */
	bool odd;    /* the current element has an unknown attribute */
	bool skip;   /* the event, metric or verdict begun last was rejected: ignore its children */
};

struct attribute {
	const char *name;
	bool required;
	/* Control and format characters in the value are kept, as names of tasks may have them;
	 * otherwise they become blanks. */
	bool verbatim;
};

/*
 * An element. take() receives the values of its attributes in the order of attr[]; NULL for an
 * optional attribute that is missing. Messages name the element by the value of attr[0]. lose() is
 * called instead of take() if a required attribute is missing, and after take() for each unknown
 * child element. Both may be NULL.
 */
struct element {
	const char *name; /* NULL ends a table */
	struct attribute attr[ATTR_MAX];
	void (*take)(struct reader *r, char *const value[ATTR_MAX], int line);
	void (*lose)(struct reader *r);
	const struct element *children; /* NULL: none allowed */
};

/* The root element. */
extern const struct element conf_root;

/* The children and take() of <theme>. */
void conf_take_theme(struct reader *r, char *const value[ATTR_MAX], int line);
extern const struct element conf_theme_children[];

/* The attributes of <filter>, in order, and its take(). */
enum { FILTER_NAME, FILTER_EXPR, FILTER_DESC };
void conf_take_filter(struct reader *r, char *const value[ATTR_MAX], int line);

/* The attributes of <metric> and <verdict>, in order, their take() and children. */
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
	VERDICT_COVERS,
	VERDICT_REPLACE
};
void conf_take_metric(struct reader *r, char *const value[ATTR_MAX], int line);
void conf_take_verdict(struct reader *r, char *const value[ATTR_MAX], int line);
extern const struct element conf_metric_children[], conf_verdict_children[];

/* The attributes of <column>, in order, and its take(). */
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

/* ---- shared by several elements ---- */

/* Notes that a counter or column of the current screen was rejected, so that a later fault, about a
 * name that is then unknown, may be a mere consequence. */
void conf_note_rejected(struct reader *r);

/* Returns whether the value of an attribute is "yes"; missing means "no". Reports other values.
 * label: the element, "<screen 'x'>". */
bool conf_take_flag(struct reader *r, int line, const char *label, const char *name,
		    const char *value);
/* Reports an error if the text is not a list of models; NULL is allowed. */
void conf_check_models(struct reader *r, int line, const char *label, const char *models);
/* Returns whether the name begins with a lower-case letter, has only lower-case letters, digits and
 * '-', and contains the text `with`; reports it otherwise. */
bool conf_is_name(struct reader *r, int line, const char *label, const char *name,
		  const char *with);
/* Returns whether an element may be added; reports it otherwise. taken: another element has its
 * name; place: where that one is defined, NULL: built in; replace: the new element may replace
 * it. */
bool conf_may_add(struct reader *r, int line, const char *label, bool taken, const char *place,
		  bool replace);
/* Returns "FILE:LINE"; the caller frees it. */
char *conf_place(const struct reader *r, int line);
/* Reports a sentence; control characters in it become blanks. */
__attribute__((format(printf, 4, 5))) void conf_complain(struct reader *r, int line, int code,
							 const char *fmt, ...);

#endif
