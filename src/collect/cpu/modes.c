/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/modes.h"

#include <stdlib.h>

#include "base/mem.h"

#define N_PARTS 2

struct modes {
	struct source source;
	struct source *part[N_PARTS]; /* [0] user mode, [1] kernel */
	struct sample second;         /* scratch: the sample of the kernel part */
};

static struct modes *modes_of(const struct source *source)
{
	return (struct modes *)source;
}

static const struct source_ops *ops_of(const struct modes *m, int i)
{
	return m->part[i]->ops;
}

/* Returns a copy, for a source that takes over the events. */
static struct want copy_want(const struct want *want)
{
	struct want copy = *want;

	event_set_copy(&copy.events, &want->events);
	return copy;
}

static int modes_configure(struct source *source, struct want *want, struct err *note)
{
	struct modes *m = modes_of(source);
	struct err other = ERR_INIT;
	struct want kernel = copy_want(want);

	ops_of(m, 0)->configure(m->part[0], want, note);
	ops_of(m, 1)->configure(m->part[1], &kernel, &other);
	if (!note->code)
		*note = other;
	return 0;
}

static const struct sample_events *modes_events(const struct source *source)
{
	const struct modes *m = modes_of(source);

	return ops_of(m, 0)->events(m->part[0]);
}

static bool modes_go_on(struct source *source, struct want *want)
{
	struct modes *m = modes_of(source);
	struct want kernel = copy_want(want);

	ops_of(m, 0)->go_on(m->part[0], want);
	return ops_of(m, 1)->go_on(m->part[1], &kernel);
}

/* Adds the rows of another sample; converts their times, which are relative to the start of that
 * sample. */
static void add_rows(struct sample *out, const struct sample *from)
{
	const float later_us = (float)((double)(from->mono_ns - out->mono_ns) / 1000);

	for (size_t i = 0; i < from->n; i++) {
		sample_add(out, task_ref(from->task[i]));
		out->time[out->n - 1] = (struct task_time){from->time[i].counts_us + later_us,
							   from->time[i].facts_us + later_us};
	}
	/* Generations only grow, so two samples have the same sum only if both generations are the
	 * same. */
	out->generation += from->generation;
	out->last |= from->last;
	sample_sort(out);
}

static int modes_next(struct source *source, struct sample *out, struct err *err)
{
	struct modes *m = modes_of(source);
	int ret = ops_of(m, 0)->next(m->part[0], out, err);

	if (!ret)
		ret = ops_of(m, 1)->next(m->part[1], &m->second, err);
	if (!ret)
		add_rows(out, &m->second);
	return ret;
}

static bool modes_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *modes_note(const struct source *source)
{
	const struct modes *m = modes_of(source);
	const char *note = ops_of(m, 0)->note(m->part[0]);

	return note ? note : ops_of(m, 1)->note(m->part[1]);
}

static void modes_cost(const struct source *source, struct source_cost *out)
{
	const struct modes *m = modes_of(source);
	struct source_cost other;

	ops_of(m, 0)->cost(m->part[0], out);
	ops_of(m, 1)->cost(m->part[1], &other);
	out->reads += other.reads;
	out->groups += other.groups;
	out->descriptors += other.descriptors;
	out->refused += other.refused;
}

static void modes_free(struct source *source)
{
	struct modes *m = modes_of(source);

	for (int i = 0; i < N_PARTS; i++)
		ops_of(m, i)->free(m->part[i]);
	sample_done(&m->second);
	free(m);
}

struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine,
				const struct sample_machine *description,
				const struct cpus_scope *scope)
{
	static const struct source_ops ops = {
		.configure = modes_configure,
		.events = modes_events,
		.go_on = modes_go_on,
		.next = modes_next,
		.filter = modes_filter,
		.note = modes_note,
		.cost = modes_cost,
		.free = modes_free,
	};
	struct modes *m = xcalloc(1, sizeof *m);
	struct cpus_scope part = *scope;

	m->source.ops = &ops;
	for (int i = 0; i < N_PARTS; i++) {
		part.mode = i ? CPU_MODE_KERNEL : CPU_MODE_USER;
		m->part[i] = source_cpus_new(sys, proc, machine, description, &part);
	}
	sample_init(&m->second);
	return &m->source;
}
