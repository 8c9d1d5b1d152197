/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/trace_list.h"

#include <stdlib.h>

#include "base/mem.h"

struct trace_task *trace_list_find(const struct trace_list *l, pid_t task)
{
	for (size_t i = l->n; i-- > 0;)
		if (l->task[i].task == task)
			return &l->task[i];
	return NULL;
}

struct trace_task *trace_list_add(struct trace_list *l, pid_t task)
{
	l->task = xgrow(l->task, &l->cap, l->n + 1, sizeof *l->task);
	l->task[l->n] = (struct trace_task){.task = task, .process = task};
	return &l->task[l->n++];
}

void trace_list_drop(struct trace_list *l, const struct trace_task *task)
{
	l->task[task - l->task] = l->task[--l->n];
}

bool trace_list_drop_others(struct trace_list *l, pid_t process)
{
	bool born = false;

	for (size_t i = l->n; i-- > 0;)
		if (l->task[i].process == process && l->task[i].task != process) {
			born |= l->task[i].born;
			trace_list_drop(l, &l->task[i]);
		}
	return born;
}

bool trace_list_has(const struct trace_list *l, pid_t process)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->task[i].process == process)
			return true;
	return false;
}

void trace_list_done(struct trace_list *l)
{
	free(l->task);
}
