/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind - what the rows of one kind of things have in common: how they are called, and what can be
 * asked of them.
 *
 * A reading points to its kind. Nothing but the row of a kind knows what its ids mean: two kinds
 * may have the same ids, and only some of them have pids, users or command lines. Kinds are told
 * apart by their names. model/kinds.h declares the kinds of tiptop itself; a source may bring its
 * own.
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
	const char *name; /* of one of them, in sentences: "process" */
	/* Screens and keys of groups for these are for it, too; NULL: it has its own. */
	const struct kind *like;
	const char *many; /* of several of them: "tasks" */
	/* The command of tiptop whose rows are of this kind, for sentences; NULL: none, or the
	 * monitor itself. */
	const char *command;
	/* Of one of its parts, where these are the rows: "thread"; of what has none, its own name;
	 * of groups NULL. */
	const char *part;
	const char *id_name;    /* what the header calls the id: "PID" */
	const char *id_help;    /* what the id is: a sentence without a full stop */
	const char *label_name; /* what the header calls the last field: "COMMAND" */
	const char *label_help; /* what it is: a sentence without a full stop */
	bool id_is_text;        /* the name stands in place of the id */
	bool id_is_pid;         /* pid() stands in place of the id */
	bool counts_members;    /* the last field is the number of members */
	/* Counters of it are enabled while it is on a CPU, and only then: the time for which they
	 * were is its CPU time. */
	bool enabled_on_cpu;
	/* Counters of it are enabled all the time that it is there. */
	bool enabled_always;
	enum fact busy;         /* where this one did not grow, it is idle; 0: its CPU time */
	enum fact own_time;     /* the time that it was busy for (ns); 0: its CPU time */
	bool in_program;        /* its name is one of its program: another one may have it, too */
	const fact_mask *facts; /* those that such things may have: of fact_of_table[] */
	unsigned conditions;    /* of a filter that can be asked of them: the others let all pass */
	/* The last field of a row; NULL: the name. */
	const char *(*label)(const struct task *t, bool cmdline);
	/* The process that gets a signal which is meant for this one; NULL: nobody does. */
	int32_t (*pid)(const struct task *t);
};

#endif
