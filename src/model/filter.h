/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter - the tasks that the user wants to see. The source counts only these, and the frame shows
 * only these.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include "base/value.h"
#include "model/sample.h"

struct filter {
	/* Only the process with this pid and all its threads, or only the thread with this number;
	 * 0: all. */
	int pid;
	/* Only tasks with this text in their name, in the name of their process, or in the command
	 * line if that is shown; NULL: all. */
	const char *text;
	long uid; /* only tasks of this user; -1: all */
	/* Also processes of this family, if pid is set; NULL: none. Borrowed. */
	const struct filter_family *family;
};

/* The descendants of a process; implemented by the source that follows it. */
struct filter_family {
	bool (*has)(const struct filter_family *self, const struct task *t);
};

#define FILTER_ALL                                                                                 \
	{                                                                                          \
		0, NULL, -1, NULL                                                                  \
	}

struct delta_row;

/* A condition on rows that needs more than the task, such as columns (view/row_filter.h). */
struct row_test {
	enum tri (*ask)(void *context, const struct task *task, const struct delta_row *row);
	void *context;
	bool of_task;     /* the task alone decides: row may be NULL */
	const char *text; /* identifies the condition */
};

/* Returns whether a task passes. Conditions that do not apply to its kind are ignored. use_cmdline:
 * match text against the command line; kernel threads, which have none, match by name. */
bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline);

#define FILTER_NAMES_MAX 2

/* Sets the names that are searched for a text and returns their number. */
int filter_names(const struct task *t, bool use_cmdline, const char *name[FILTER_NAMES_MAX]);

/* Returns whether the filter has a condition that applies to this kind of rows. */
bool filter_applies(const struct filter *f, const struct kind *kind);

#endif
