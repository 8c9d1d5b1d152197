/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind - the properties of all rows of one kind: their names in sentences and headers, and which
 * facts and filters they have.
 *
 * A reading points to its kind. Only the kind knows what ids mean: two kinds may have the same ids,
 * and only some have pids, users or command lines. Kinds are identified by their names.
 * model/kinds.h declares the kinds of tiptop itself; a source may define its own.
 */
#ifndef MODEL_KIND_H
#define MODEL_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"

struct task;

/* The conditions of a filter (model/filter.h). */
enum { CONDITION_PID = 1, CONDITION_USER = 2, CONDITION_TEXT = 4 };

struct kind {
	const char *name; /* singular, in sentences: "process" */
	/* Another kind, whose screens and group keys apply to this kind as well; NULL: none. */
	const struct kind *like;
	const char *many; /* plural, in sentences: "tasks" */
	/* The command of tiptop whose rows are of this kind, for sentences; NULL: none, or the
	 * monitor itself. */
	const char *command;
	/* The name of a part, if the rows are parts: "thread". For a kind without parts, its own
	 * name; for groups, NULL. */
	const char *part;
	const char *id_name;    /* header of the id: "PID" */
	const char *id_help;    /* description of the id, without a full stop */
	const char *label_name; /* header of the last field: "COMMAND" */
	const char *label_help; /* its description, without a full stop */
	bool id_is_text;        /* the name is shown in place of the id */
	bool id_is_comm;        /* that is the name of a task: rarely above 15 characters */
	bool id_is_pid;         /* pid() is shown in place of the id */
	bool counts_members;    /* the last field is the number of members */
	/* The counters of a row are enabled while it is on a CPU, and only then: the enabled time
	 * is its CPU time. */
	bool enabled_on_cpu;
	/* The counters of a row are enabled as long as it exists. */
	bool enabled_always;
	int busy;        /* a row is idle if this fact did not grow; 0: its CPU time */
	int own_time;    /* the time that a row was busy (ns); 0: its CPU time */
	bool in_program; /* its name is unique only within its program */
	/* The facts that its rows may have: an element of fact_of_table[]. */
	const struct fact_set *facts;
	/* The conditions of a filter that apply to its rows; all rows pass the others. */
	unsigned conditions;
	/* Returns the last field of a row; NULL: the name. */
	const char *(*label)(const struct task *t, bool cmdline);
	/* Returns the process to which a signal for this row is sent; NULL: none. */
	int32_t (*pid)(const struct task *t);
};

#endif
