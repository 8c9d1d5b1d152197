/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter - which tasks the user wants to see. Used by the source (whom to count) and by the
 * frame (whom to show).
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include "base/tri.h"
#include "model/sample.h"

struct filter {
	/* Only the process with this pid and all its threads, or only the thread with this number;
	 * 0: all. */
	int pid;
	/* Only tasks with this text in their name, in the name of their process, or in the command
	 * line where that is shown; NULL: all. */
	const char *text;
	long uid; /* only this user's tasks; -1: all */
	/* Beside the process with the pid, these; NULL: none. Borrowed. */
	const struct filter_family *family;
};

/* The processes that another one has made, known to whoever follows it. */
struct filter_family {
	bool (*has)(const struct filter_family *self, const struct task *t);
};

#define FILTER_ALL                                                                                 \
	{                                                                                          \
		0, NULL, -1, NULL                                                                  \
	}

struct delta_row;

/* A question that is asked of rows, by whoever knows more of them than their tasks. */
struct row_test {
	enum tri (*ask)(void *context, const struct task *task, const struct delta_row *row);
	void *context;
	bool of_task;     /* the task alone has the answer: row may be NULL */
	const char *text; /* another question has another text */
};

/* Conditions that cannot be asked of things of this kind let them pass. use_cmdline: match text
 * against the command line; kernel threads, which have none, match by name. */
bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline);

#define FILTER_NAMES_MAX 2

/* The names that a text is looked for in: sets them and returns how many there are. */
int filter_names(const struct task *t, bool use_cmdline, const char *name[FILTER_NAMES_MAX]);

/* Whether the filter has a condition that can be asked of such things. */
bool filter_applies(const struct filter *f, const struct kind *kind);

#endif
