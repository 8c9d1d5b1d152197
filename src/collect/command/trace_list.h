/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_list - the tasks of a tracer (trace.h), and what is known of each.
 *
 * A pointer to a task is valid until one is added or dropped.
 */
#ifndef COLLECT_COMMAND_TRACE_LIST_H
#define COLLECT_COMMAND_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct trace_task {
	pid_t task, process, creator;
	bool announced; /* its creator has told of it */
	bool waits;     /* it is at its first stop */
	bool born;      /* TRACE_BORN was given */
	bool stopped;   /* its process is stopped, and so it goes on with that */
};

/* Zeroed at the beginning. */
struct trace_list {
	struct trace_task *task; /* [n] */
	size_t n, cap;
};

/* NULL: there is none. */
struct trace_task *trace_list_find(const struct trace_list *l, pid_t task);
/* Adds a task that is a process by itself, until more is known. */
struct trace_task *trace_list_add(struct trace_list *l, pid_t task);
/* The last task takes its place. */
void trace_list_drop(struct trace_list *l, const struct trace_task *task);
/* Drops the tasks of a process but its first one. Returns whether one of them was born. */
bool trace_list_drop_others(struct trace_list *l, pid_t process);
/* Whether a task of the process is in the list. */
bool trace_list_has(const struct trace_list *l, pid_t process);
void trace_list_done(struct trace_list *l);

#endif
