/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/command_source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "collect/task/attach.h"
#include "model/fact_list.h"
#include "model/kinds.h"

struct command_source {
	struct source source;
	struct proc *proc;
	struct sample_machine *description;
	struct attach attach;
	struct group *group; /* NULL: not opened */
	uint8_t counting;    /* enum count_state */
	int pid;
	char *name;
	int clock; /* index of the member that is the task clock; -1: none */
	uint64_t generation;
	uint32_t number;
	struct task *last; /* its last reading; NULL: none yet */
	struct err refused;
	struct source_cost cost;
};

static struct command_source *self_of(const struct source *source)
{
	return (struct command_source *)source;
}

/* Adds the task clock, since its inherited sum is the only way to know the CPU time while the tasks
 * run. It takes no counter of the PMU. */
static void add_clock(struct event_set *set)
{
	struct event *e = event_set_add(set, "task-clock");

	if (!e)
		return;
	e->what = xstrdup("task-clock");
	e->pmu = xstrdup("software");
	e->type = PERF_TYPE_SOFTWARE;
	e->config = PERF_COUNT_SW_TASK_CLOCK;
	e->core = EVENT_NO_CORE;
}

static int find_clock(const struct event_set *set)
{
	for (int i = set->plan.n; i-- > 0;) {
		const struct event_member *m = &set->plan.member[i];
		const struct event *e = &set->event[m->event];

		if (m->group != EVENT_NO_GROUP && e->type == PERF_TYPE_SOFTWARE &&
		    e->config == PERF_COUNT_SW_TASK_CLOCK && !e->own_modes)
			return i;
	}
	return -1;
}

static int command_configure(struct source *source, struct want *want, struct err *note)
{
	struct command_source *a = self_of(source);

	attach_close(&a->attach, a->group);
	a->group = NULL;
	a->generation++;
	a->pid = want->command;
	add_clock(&want->events);
	a->attach.no_hardware = want->no_hardware;
	attach_configure(&a->attach, &want->events, true, note);
	a->attach.set.children = true;
	a->counting = (uint8_t)attach_open(&a->attach, a->pid, true, &a->group, &a->refused);
	a->clock = find_clock(&a->attach.set);
	return 0;
}

static const struct sample_events *command_events(const struct source *source)
{
	return self_of(source)->attach.counted;
}

static bool command_go_on(struct source *source, struct want *want)
{
	attach_go_on(&self_of(source)->attach, &want->events);
	return true;
}

/* Reads the counts. While tasks of the command exit, the group may be unreadable: the next reading
 * then includes these counts. */
static void read_counts(struct command_source *a, struct task *t)
{
	const struct task *last = a->last && a->last->n_counts ? a->last : NULL;
	int error;

	t->counting = a->counting;
	if (!a->group)
		return;
	a->cost.reads++;
	t->unread = group_read(a->group, a->attach.sys, t->count, &error);
	if (error) {
		t->unread = ~0ull;
		if (last)
			memcpy(t->count, last->count, t->n_counts * sizeof *t->count);
	} else if (a->clock >= 0) {
		task_set_fact(t, FACT_CPU_NS, t->count[a->clock].value);
	}
}

static int command_next(struct source *source, struct sample *out, struct err *err)
{
	struct command_source *a = self_of(source);
	const struct task_texts texts = {.name = a->name};
	const int n_counts = a->group ? a->attach.set.plan.n : 0;
	struct proc_clocks clocks;
	struct task *t;
	int last_pid;

	(void)err;
	sample_reset(out);
	a->cost = (struct source_cost){.tasks = 1, .ran = 1, .groups = a->group != NULL};
	a->cost.descriptors = a->attach.n_fds;
	a->proc->host(a->proc, &out->host, &last_pid);
	a->proc->clocks(a->proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->generation = a->generation;
	out->number = ++a->number;
	out->threads = out->one_set = true;
	out->kind = &kind_command;
	sample_set_machine(out, a->description);
	t = task_new(&kind_command, *kind_command.facts, n_counts, &texts);
	t->id = t->owner = (uint64_t)a->pid;
	t->state = '?';
	t->facts_read = out->number;
	task_set_events(t, a->attach.counted);
	read_counts(a, t);
	sample_add(out, t);
	task_unref(a->last);
	a->last = task_ref(t);
	return 0;
}

static bool command_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *command_note(const struct source *source)
{
	const struct command_source *a = self_of(source);

	return a->refused.code ? a->refused.text : NULL;
}

static void command_cost(const struct source *source, struct source_cost *out)
{
	*out = self_of(source)->cost;
}

static void command_free(struct source *source)
{
	struct command_source *a = self_of(source);

	attach_close(&a->attach, a->group);
	attach_done(&a->attach);
	sample_machine_unref(a->description);
	task_unref(a->last);
	free(a->name);
	free(a);
}

struct source *source_command_new(struct perf_sys *sys, struct proc *proc,
				  const struct sample_machine *description, const char *name)
{
	static const struct source_ops ops = {
		.configure = command_configure,
		.events = command_events,
		.go_on = command_go_on,
		.next = command_next,
		.filter = command_filter,
		.note = command_note,
		.cost = command_cost,
		.free = command_free,
	};
	struct command_source *a = xcalloc(1, sizeof *a);

	a->source.ops = &ops;
	a->proc = proc;
	a->description = sample_machine_ref(description);
	a->name = xstrdup(name);
	attach_init(&a->attach, sys);
	return &a->source;
}
