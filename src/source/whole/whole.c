/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/whole/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "check/probe.h"
#include "perf/finals.h"
#include "source/live/attach.h"

/* While tasks of the command exit, a group that they inherit may be unreadable (group.h). */
#define READ_TRIES 50

#define FACTS                                                                                      \
	(FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_UTIME_NS) | FACT_BIT(FACT_STIME_NS) |               \
	 FACT_BIT(FACT_MINFLT) | FACT_BIT(FACT_MAJFLT) | FACT_BIT(FACT_VCSW) |                     \
	 FACT_BIT(FACT_NVCSW))

struct whole {
	struct proc *proc;
	struct sample_machine *machine;
	struct attach attach;
	struct group *group;       /* NULL: it could not be opened */
	struct finals *finals;     /* NULL: the kernel does not tell of ends */
	struct programs *programs; /* NULL: not known */
	struct ended {
		pid_t process, task;
		uint64_t cpu_ns;
	} * last; /* the ends that were taken last */
	size_t cap_last;
	uint64_t n_ended;
	struct count ended[EVENT_SET_MAX]; /* of each member, the sum over those that have ended */
	uint8_t counting;                  /* enum count_state */
	int clock;                         /* the member that is the task clock; -1: none */
	pid_t pid;
	char *name;
	uint32_t samples;
};

static const struct kind kind_whole = {
	.name = "command",
	.many = "commands",
	.part = "command",
	.id_name = "PID",
	.id_help = "the number of the process that the command began as",
	.label_name = "COMMAND",
	.label_help = "the name of the program",
	.enabled_on_cpu = true,
	.facts = FACTS,
};

/* What the kernel itself counts is to be had on each machine, and takes no counter. */
static const struct own_event {
	const char *name;
	uint64_t config;
} own_events[] = {
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
};

static bool is_software(const struct event *e, uint64_t config)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config == config && !e->own_modes &&
	       e->quality == QUALITY_EXACT;
}

static void need_event(struct event_set *set, const struct own_event *own)
{
	struct event *e;

	for (int i = 0; i < set->n; i++)
		if (is_software(&set->event[i], own->config))
			return;
	e = event_set_add(set, own->name);
	if (!e)
		return;
	e->what = xstrdup(own->name);
	e->pmu = xstrdup("software");
	e->type = PERF_TYPE_SOFTWARE;
	e->config = own->config;
	e->core = EVENT_NO_CORE;
}

static int find_task_clock(const struct event_set *set)
{
	for (int i = 0; i < set->plan.n; i++)
		if (set->plan.member[i].group != EVENT_NO_GROUP &&
		    is_software(&set->event[set->plan.member[i].event], PERF_COUNT_SW_TASK_CLOCK))
			return i;
	return -1;
}

/* Whether an event is there that takes counters of this kind of cores. */
static bool takes_counter(const struct event_set *set, int i, int core)
{
	const struct event *e = &set->event[i];

	return e->quality == QUALITY_EXACT && event_is_hardware(e) && e->core == core;
}

/* The events of one kind of cores: those of the rows are on the PMU, and one after the other of the
 * whole gets on it, too, or is left out. Returns how many were. */
static int fit_core(struct event_set *set, struct trial *trial, int core)
{
	struct trial_answer answer = {.again = 0};
	int event[EVENT_SET_MAX], n = 0, left_out = 0, last;

	for (int i = 0; i < set->n; i++)
		if (takes_counter(set, i, core))
			event[n++] = i;
	last = n;
	for (int k = 0; k < last; k++) {
		event[n] = event[k];
		if (n < EVENT_SET_MAX - 1 && trial_fits(trial, set, event, n + 1, &answer)) {
			n++;
			continue;
		}
		set->event[event[k]].quality = QUALITY_NOT_COUNTED;
		left_out++;
	}
	return left_out;
}

/* Leaves out hardware events that do not fit beside those of the rows. */
static void fit_beside_rows(struct event_set *set, struct perf_sys *sys, struct err *note)
{
	int left_out = 0;
	struct trial trial;

	trial_init(&trial, sys);
	for (int i = 0; i < set->n; i++) {
		int fd = takes_counter(set, i, set->event[i].core) ? event_probe(sys, set, i) : -1;

		if (fd >= 0)
			sys->close(sys, fd);
	}
	for (int core = EVENT_NO_CORE; core < CORES_MAX; core++)
		left_out += fit_core(set, &trial, core);
	trial_end(&trial);
	trial_done(&trial);
	if (left_out)
		err_set(note, ENOSPC,
			"%d hardware event%s of the whole command %s not counted: the PMU has no "
			"counters left beside those of the rows; a screen with fewer events has",
			left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
}

/* With rings, or without: counts of ends that nobody takes would go to the wrong tasks, as the
 * kernel exchanges those of tasks that have the same events and no other. */
static void open_groups(struct whole *w, struct err *err)
{
	w->counting = (uint8_t)attach_open(&w->attach, w->pid, true, &w->group, err);
	if (!w->group || !w->attach.set.finals ||
	    !finals_open(&w->finals, w->attach.sys, w->group, w->pid))
		return;
	attach_close(&w->attach, w->group);
	w->attach.set.finals = false;
	w->counting = (uint8_t)attach_open(&w->attach, w->pid, true, &w->group, err);
}

struct whole *whole_open(struct perf_sys *sys, struct proc *proc,
			 const struct sample_machine *machine, struct event_set *set, pid_t pid,
			 const char *name, struct err *note)
{
	struct whole *w = xcalloc(1, sizeof *w);
	struct err why = ERR_INIT;

	w->proc = proc;
	w->machine = sample_machine_ref(machine);
	w->pid = pid;
	w->name = xstrdup(name);
	attach_init(&w->attach, sys);
	fit_beside_rows(set, sys, note);
	for (size_t i = 0; i < sizeof own_events / sizeof *own_events; i++)
		need_event(set, &own_events[i]);
	/* The events as for single threads; what else they count is said here. */
	attach_configure(&w->attach, set, true, &why);
	w->attach.set.children = true;
	w->attach.set.finals = probe_finals(sys);
	open_groups(w, &why);
	w->clock = find_task_clock(&w->attach.set);
	if (w->finals && w->clock >= 0)
		w->programs = programs_open(sys, pid);
	if (!note->code)
		*note = why;
	return w;
}

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static void read_counts(struct whole *w, struct task *t)
{
	int error = -ECHILD;

	t->counting = w->counting;
	if (!w->group)
		return;
	for (int i = 0; i < READ_TRIES && error == -ECHILD; i++)
		t->unread = group_read(w->group, w->attach.sys, t->count, &error);
	if (w->clock >= 0 && !(t->unread >> w->clock & 1))
		task_set_fact(t, FACT_CPU_NS, t->count[w->clock].value);
}

static void set_facts(struct task *t, const struct rusage *used)
{
	task_set_fact(t, FACT_UTIME_NS, ns_of(&used->ru_utime));
	task_set_fact(t, FACT_STIME_NS, ns_of(&used->ru_stime));
	task_set_fact(t, FACT_MINFLT, (uint64_t)used->ru_minflt);
	task_set_fact(t, FACT_MAJFLT, (uint64_t)used->ru_majflt);
	task_set_fact(t, FACT_VCSW, (uint64_t)used->ru_nvcsw);
	task_set_fact(t, FACT_NVCSW, (uint64_t)used->ru_nivcsw);
}

void whole_sample(struct whole *w, const struct rusage *used, struct sample *out)
{
	const struct task_texts texts = {.name = w->name};
	struct proc_clocks clocks;
	struct task *t;
	int last_pid;

	sample_reset(out);
	w->proc->host(w->proc, &out->host, &last_pid);
	w->proc->clocks(w->proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->number = ++w->samples;
	out->threads = out->one_set = true;
	out->kind = &kind_whole;
	sample_set_machine(out, w->machine);
	t = task_new(&kind_whole, FACTS, w->group ? w->attach.set.plan.n : 0, &texts);
	t->id = t->owner = (uint64_t)w->pid;
	t->state = '?';
	t->facts_read = out->number;
	task_set_events(t, w->attach.counted);
	read_counts(w, t);
	if (used)
		set_facts(t, used);
	sample_add(out, t);
}

static void add_counts(struct whole *w, const struct final *final)
{
	for (int i = 0; i < w->attach.set.plan.n; i++) {
		if (!(final->members >> i & 1))
			continue;
		w->ended[i].value += final->count[i].value;
		w->ended[i].enabled_ns += final->count[i].enabled_ns;
		w->ended[i].running_ns += final->count[i].running_ns;
	}
}

void whole_take_ends(struct whole *w)
{
	struct final final;
	size_t n = 0;

	while (w->finals && finals_next(w->finals, &final)) {
		w->n_ended += final.first;
		add_counts(w, &final);
		if (w->clock < 0 || !(final.members >> w->clock & 1))
			continue;
		w->last = xgrow(w->last, &w->cap_last, n + 1, sizeof *w->last);
		w->last[n++] =
			(struct ended){final.process, final.task, final.count[w->clock].value};
	}
	if (!w->programs)
		return;
	programs_take(w->programs);
	for (size_t i = 0; i < n; i++)
		programs_end(w->programs, w->last[i].process, w->last[i].task, w->last[i].cpu_ns);
}

const struct program *whole_programs(const struct whole *w, size_t *n)
{
	*n = 0;
	return w->programs ? programs_list(w->programs, n) : NULL;
}

int whole_fd(const struct whole *w, size_t i)
{
	return w->finals ? finals_fd(w->finals, i) : -1;
}

struct whole_ended whole_ended(const struct whole *w)
{
	struct ring_losses losses;

	if (!w->finals)
		return (struct whole_ended){.told = false};
	losses = finals_losses(w->finals);
	return (struct whole_ended){.told = true,
				    .tasks = w->n_ended,
				    .lost = losses.records,
				    .damaged = losses.damages > 0,
				    .names_lost = w->programs ? programs_lost(w->programs) : 0};
}

struct value whole_ended_count(const struct whole *w, int i)
{
	const struct event_member *m = &w->attach.set.plan.member[i];
	const struct count *c = &w->ended[i];

	if (!w->finals || m->group == EVENT_NO_GROUP)
		return value_none(QUALITY_NOT_COUNTED);
	if (c->enabled_ns && !c->running_ns)
		return value_none(QUALITY_NOT_SCHEDULED);
	if (c->running_ns >= c->enabled_ns)
		return value_count(c->value);
	return (struct value){
		.number = (double)c->value * (double)c->enabled_ns / (double)c->running_ns,
		.share = (float)((double)c->running_ns / (double)c->enabled_ns),
		.quality = QUALITY_SCALED,
	};
}

void whole_free(struct whole *w)
{
	if (!w)
		return;
	programs_free(w->programs);
	finals_close(w->finals);
	free(w->last);
	attach_close(&w->attach, w->group);
	attach_done(&w->attach);
	sample_machine_unref(w->machine);
	free(w->name);
	free(w);
}
