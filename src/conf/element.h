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
 * child of an element that may have children. Both may be NULL.
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

/* Reports a sentence; control characters in it become blanks. */
__attribute__((format(printf, 4, 5))) void conf_complain(struct reader *r, int line, int code,
							 const char *fmt, ...);

#endif
