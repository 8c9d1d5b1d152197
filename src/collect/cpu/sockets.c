/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/sockets.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/cpu/instance_counters.h"
#include "model/kinds.h"
#include "pmu/event/tell.h"

struct sockets {
	struct source source;
	struct proc *proc;
	struct sample_machine *told;
	struct event_set set;
	struct sample_events *counted;
	struct box_counters counters;
	struct task **last; /* [n_last] the readings of the last sample */
	size_t n_last, cap_last;
	uint64_t generation;
	uint32_t refresh;
	bool machine_watched;
	struct source_cost cost;
};

static struct sockets *self_of(const struct source *source)
{
	return (struct sockets *)source;
}

/* Events of the cores are those of CPUs. */
static void refuse_others(struct sockets *s, struct err *note)
{
	for (int i = 0; i < s->set.n; i++) {
		struct event *e = &s->set.event[i];

		if (e->quality != QUALITY_EXACT || e->shared)
			continue;
		e->quality = QUALITY_UNSUPPORTED;
		if (!note->code)
			err_set(note, EINVAL,
				"'%s' is counted on CPUs, and rows of sockets have only what CPUs "
				"share: 'tiptop system' shows it",
				e->what ? e->what : e->name);
	}
}

static void tell_events(struct sockets *s)
{
	struct sample_event event[EVENT_SET_MAX];

	for (int i = 0; i < s->set.n; i++) {
		event[i] = event_tell(&s->set, i);
		/* Each has a counter for itself. */
		event[i].group = event[i].quality == QUALITY_EXACT ? (uint16_t)i : SAMPLE_NO_GROUP;
	}
	sample_events_unref(s->counted);
	s->counted = sample_events_new(event, s->set.n);
}

static void forget_last(struct sockets *s)
{
	for (size_t i = 0; i < s->n_last; i++)
		task_unref(s->last[i]);
	s->n_last = 0;
}

static int sockets_configure(struct source *source, struct want *want, struct err *note)
{
	struct sockets *s = self_of(source);

	forget_last(s);
	s->generation++;
	event_set_done(&s->set);
	s->set = want->events;
	event_set_init(&want->events);
	refuse_others(s, note);
	box_counters_begin(&s->counters, &s->set, note);
	tell_events(s);
	return 0;
}

static const struct sample_events *sockets_events(const struct source *source)
{
	return self_of(source)->counted;
}

/* Another screen has other events; it begins anew. */
static bool sockets_go_on(struct source *source, struct want *want)
{
	(void)source, (void)want;
	return false;
}

/* The reading before, if its counters are the same. */
static const struct task *find_last(const struct sockets *s, const struct task *t)
{
	for (size_t i = 0; i < s->n_last; i++)
		if (s->last[i]->id == t->id && s->last[i]->start_ns == t->start_ns)
			return s->last[i];
	return NULL;
}

/* Of an event that could not be read, the count stays that of its last reading. */
static void take_counts(struct sockets *s, const struct box_socket *socket, struct task *t)
{
	const struct task *last = find_last(s, t);
	struct count count[EVENT_SET_MAX];
	uint64_t done;

	memset(count, 0, sizeof count);
	done = box_counters_read(&s->counters, socket, count);
	t->counting = COUNT_OK;
	for (int i = 0; i < s->set.n; i++) {
		t->unread |= done >> i & 1 ? 0 : 1ull << i;
		if (done >> i & 1)
			t->count[i] = count[i];
		else if (last)
			t->count[i] = last->count[i];
	}
}

/* "CPU 0,8": each once. */
static void add_cpus(struct strbuf *out, const struct box_socket *socket)
{
	int last = -1;

	for (size_t i = 0; i < socket->n; i++) {
		int next = -1;

		for (size_t k = 0; k < socket->n; k++)
			if (socket->box[k].cpu > last && (next < 0 || socket->box[k].cpu < next))
				next = socket->box[k].cpu;
		if (next < 0)
			break;
		strbuf_addf(out, "%s%d", out->len ? "," : "CPU ", next);
		last = next;
	}
}

static struct task *make_reading(const struct sockets *s, const struct box_socket *socket)
{
	char name[24];
	struct task_texts texts = {.name = name};
	struct strbuf cpus;
	struct task *t;

	snprintf(name, sizeof name, "%ld", socket->number);
	strbuf_init(&cpus);
	add_cpus(&cpus, socket);
	texts.cmdline = cpus.len ? cpus.text : "-";
	t = task_new(&kind_socket, *kind_socket.facts, s->set.n, &texts);
	strbuf_done(&cpus);
	t->id = t->owner = (uint64_t)socket->number;
	t->start_ns = socket->starts;
	t->state = '?';
	t->facts_read = s->refresh;
	task_set_fact(t, FACT_SOCKET, (uint64_t)socket->number);
	task_set_events(t, s->counted);
	return t;
}

static void sample_socket(struct sockets *s, const struct box_socket *socket, struct sample *out)
{
	struct task *t = make_reading(s, socket);
	float us;

	if (s->set.n)
		take_counts(s, socket, t);
	sample_add(out, t);
	us = (float)((double)(s->proc->now(s->proc) - out->mono_ns) / 1000);
	out->time[out->n - 1] = (struct task_time){us, us};
	s->cost.tasks++;
	s->cost.reads += socket->n;
	s->cost.groups += socket->n;
	s->cost.descriptors += (long)socket->n;
}

static void keep_last(struct sockets *s, const struct sample *out)
{
	forget_last(s);
	for (size_t i = 0; i < out->n; i++) {
		s->last = xgrow(s->last, &s->cap_last, i + 1, sizeof *s->last);
		s->last[s->n_last++] = task_ref(out->task[i]);
	}
}

static int sockets_next(struct source *source, struct sample *out, struct err *err)
{
	struct sockets *s = self_of(source);
	struct proc_clocks clocks;
	int last_pid;

	(void)err;
	sample_reset(out);
	s->cost = (struct source_cost){.reads = 1 + s->counters.boxes.n_pmus};
	box_counters_look(&s->counters);
	s->proc->host(s->proc, &out->host, &last_pid);
	s->proc->clocks(s->proc, &clocks);
	if (s->machine_watched)
		s->proc->use(s->proc, &out->use, &out->arena);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->generation = s->generation;
	out->number = ++s->refresh;
	out->threads = out->one_set = true;
	out->kind = &kind_socket;
	sample_set_machine(out, s->told);
	for (size_t i = 0; i < s->counters.n; i++)
		sample_socket(s, &s->counters.socket[i], out);
	sample_sort(out);
	keep_last(s, out);
	s->cost.ran = s->cost.tasks;
	return 0;
}

static void sockets_watch_machine(struct source *source, bool wanted)
{
	self_of(source)->machine_watched = wanted;
}

/* What is asked of tasks is not asked of sockets. */
static bool sockets_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *sockets_note(const struct source *source)
{
	const struct sockets *s = self_of(source);

	if (!s->counters.boxes.n_sockets)
		return "the kernel does not tell which sockets there are (physical_package_id)";
	return s->counters.refused.code ? s->counters.refused.text : NULL;
}

static void sockets_cost(const struct source *source, struct source_cost *out)
{
	*out = self_of(source)->cost;
}

static void sockets_free(struct source *source)
{
	struct sockets *s = self_of(source);

	box_counters_done(&s->counters);
	forget_last(s);
	free(s->last);
	event_set_done(&s->set);
	sample_events_unref(s->counted);
	sample_machine_unref(s->told);
	free(s);
}

struct source *source_sockets_new(struct perf_sys *sys, struct proc *proc,
				  const struct machine *machine, const struct sample_machine *told)
{
	static const struct source_ops ops = {
		.configure = sockets_configure,
		.events = sockets_events,
		.go_on = sockets_go_on,
		.next = sockets_next,
		.watch_machine = sockets_watch_machine,
		.filter = sockets_filter,
		.note = sockets_note,
		.cost = sockets_cost,
		.free = sockets_free,
	};
	struct sockets *s = xcalloc(1, sizeof *s);

	s->source.ops = &ops;
	s->proc = proc;
	s->told = sample_machine_ref(told);
	event_set_init(&s->set);
	box_counters_init(&s->counters, sys, machine);
	return &s->source;
}
