/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_rig.h"
#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/task/attach.h"
#include "model/fact_list.h"

void rig_init(struct rig *r)
{
	memset(r, 0, sizeof *r);
	pmu_init(&r->pmu);
	world_init(&r->world, &r->pmu);
	faulty_sys_init(&r->sys, &r->pmu.sys, &r->plan);
	faulty_proc_init(&r->proc, &r->world.proc, &r->plan);
	r->source = source_live_new(&r->sys.sys, &r->proc.proc, NULL);
	for (int i = 0; i < RIG_SAMPLES; i++) {
		sample_init(&r->sample[i]);
		delta_init(&r->delta[i]);
	}
	delta_init(&r->processes);
}

void rig_begin(struct rig *r)
{
	rig_init(r);
	world_start(&r->world, 10, "alpha");
	world_start(&r->world, 20, "beta");
	world_start_thread(&r->world, 20, 21, 20);
	world_start_thread(&r->world, 20, 22, 20);
	world_wait(&r->world, 10000000000);
}

void rig_begin_beta(struct rig *r)
{
	rig_init(r);
	world_start(&r->world, 20, "beta");
	world_start_thread(&r->world, 20, 21, 20);
	world_wait(&r->world, 10000000000);
}

void rig_begin_tasks(struct rig *r, int n)
{
	rig_init(r);
	for (int i = 1; i <= n; i++)
		world_start(&r->world, 10 * i, "task");
	world_wait(&r->world, 10000000000);
}

void rig_limit(struct rig *r, long n_fds)
{
	struct rlimit low;

	getrlimit(RLIMIT_NOFILE, &r->limit);
	low = (struct rlimit){(rlim_t)(attach_reserve() + n_fds), r->limit.rlim_max};
	setrlimit(RLIMIT_NOFILE, &low);
}

void rig_done(struct rig *r)
{
	if (r->limit.rlim_cur)
		setrlimit(RLIMIT_NOFILE, &r->limit);
	r->source->ops->free(r->source);
	for (int i = 0; i < RIG_SAMPLES; i++) {
		delta_done(&r->delta[i]);
		sample_done(&r->sample[i]);
	}
	delta_done(&r->processes);
	arena_done(&r->rows);
}

static void add_counter(struct event_set *set, const char *name, uint64_t config, bool hybrid)
{
	static const uint64_t type[2] = {RIG_CORE, RIG_ATOM};
	struct event *e = event_set_add(set, name);

	e->config = config;
	for (int core = 0; hybrid && core < 2; core++) {
		e = core ? event_set_add_part(set, name) : e;
		e->core = (int8_t)core;
		e->config = config | type[core] << 32;
	}
}

/* Makes the request of the events from `first` on, in one group. */
static struct want make_want(const struct rig_want *from, int first)
{
	struct want want = {
		.facts = from->facts,
		.threads = from->threads,
		.cmdline = from->cmdline,
		.collect = from->collect,
		.filter = from->filter,
		.command = from->command,
		.log = from->log,
	};

	event_set_init(&want.events);
	for (int i = first; i < first + from->n_events; i++) {
		char name[16];

		snprintf(name, sizeof name, "e%d", i);
		add_counter(&want.events, name, (uint64_t)i, from->hybrid);
	}
	return want;
}

void rig_configure(struct rig *r, const struct rig_want *from)
{
	struct want want = make_want(from, 0);

	memset(&r->note, 0, sizeof r->note);
	r->source->ops->configure(r->source, &want, &r->note);
}

bool rig_reconfigure(struct rig *r, const struct rig_want *from, int first)
{
	struct want want = make_want(from, first);
	bool goes_on = r->source->ops->go_on(r->source, &want);

	if (!goes_on)
		event_set_done(&want.events);
	return goes_on;
}

const struct sample *rig_sample(const struct rig *r)
{
	return &r->sample[r->current];
}

static const struct delta *shown(const struct rig *r)
{
	return rig_sample(r)->threads ? &r->delta[r->current] : &r->processes;
}

/* Running time of a row's task: in this interval, in the previous one, from its start until now,
 * and from its start until the previous sample. */
struct truth {
	uint64_t interval_ns, last_ns, all_ns, before_ns;
};

static bool find_truth(const struct rig *r, const struct task *t, bool thread, struct truth *out)
{
	const struct world *w = &r->world;
	int first = 0;

	while (first < w->n &&
	       ((uint64_t)w->task[first].tid != t->id || w->task[first].start_ns != t->start_ns))
		first++;
	*out = (struct truth){0, 0, 0, 0};
	for (int i = first; i < w->n; i++) {
		const struct world_task *x = &w->task[i];

		/* an earlier or later process with the same pid */
		if (i > first && x->tid == w->task[first].tid)
			break;
		if (i != first && (thread || (uint64_t)x->pid != t->owner))
			continue;
		out->interval_ns += x->run_ns - r->run_before[i];
		out->last_ns += r->run_before[i] - r->run_older[i];
		out->all_ns += x->run_ns;
		out->before_ns += r->run_before[i];
	}
	return first < w->n;
}

static void judge(struct rig *r, const struct delta_row *row, struct value v, double truth,
		  bool bound, const char *what)
{
	bool upper = bound || v.quality == QUALITY_PARTIAL;
	bool good = upper ? v.number <= truth * (1 + 1e-6)
			  : fabs(v.number - truth) <= 1e-6 * fabs(truth);

	if (!value_known(v) || good || r->wrong[0])
		return;
	snprintf(r->wrong, sizeof r->wrong, "%s of %d%s is %s, the truth is %g", what,
		 (int)row->task->id, row->task->dead ? " (dead)" : "", rig_value(v), truth);
}

/* Returns whether the previous reading of the task, or of a thread of the process, failed: the
 * increment then is of a longer interval. */
static bool was_late(const struct rig *r, const struct task *t, bool thread)
{
	const struct sample *s = &r->sample[!r->current];

	for (size_t i = 0; i < s->n; i++)
		if ((thread ? s->task[i]->id == t->id : s->task[i]->owner == t->owner) &&
		    s->task[i]->unread)
			return true;
	return false;
}

/* Facts of a lost task are those of the previous interval. */
static void judge_facts(struct rig *r, const struct delta_row *row, bool thread,
			const struct truth *truth)
{
	/* if the task is new, a walk in this refresh has read its facts */
	bool lost = row->task->lost && !row->fresh;
	uint64_t all_ns = lost ? truth->before_ns : truth->all_ns;
	uint64_t interval_ns = lost ? truth->last_ns : truth->interval_ns;
	struct value cpu = row->cpu_ns;

	/* Everything that a new task did was in this interval. */
	if (row->fresh)
		interval_ns = all_ns;
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		/* Sums of per-thread facts lack the work of ended threads: they are lower
		 * bounds. */
		bool bound = fact_table[f].per_thread && !thread;

		if (fact_table[f].kind == FACT_GAUGE)
			continue;
		judge(r, row, delta_fact(row, f), (double)world_fact(f, interval_ns), bound,
		      fact_table[f].name);
		judge(r, row, delta_fact_now(row, f), (double)world_fact(f, all_ns), bound,
		      "the present value of a fact");
	}
	/* A CPU time from counters includes the time until the end. */
	if (cpu.quality != QUALITY_STALE)
		interval_ns = row->fresh ? truth->all_ns : truth->interval_ns;
	judge(r, row, cpu, (double)interval_ns, false, "the CPU time");
}

static void judge_row(struct rig *r, const struct delta_row *row, bool thread)
{
	const struct sample_events *set = row->events;
	struct truth truth;

	/* There is no truth for a thread whose facts, and so its start, could not be read. */
	if (!find_truth(r, row->task, thread, &truth))
		return;
	for (int i = 0; i < sample_events_n(set); i++) {
		double rate = (double)pmu_rate(PERF_TYPE_HARDWARE, set->event[i].config);

		if (set->event[i].part_of)
			continue;

		if (!was_late(r, row->task, thread))
			judge(r, row, row->increment[i], rate * (double)truth.interval_ns, false,
			      "the increment of a count");
		judge(r, row, row->total[i], rate * (double)truth.all_ns, true,
		      "the total of a count");
	}
	judge_facts(r, row, thread, &truth);
}

static void judge_states(struct rig *r)
{
	struct source_cost cost;

	r->source->ops->cost(r->source, &cost);
	if (cost.refused && !r->wrong[0])
		snprintf(r->wrong, sizeof r->wrong,
			 "%zu events came in states that do not have them", cost.refused);
}

static const struct delta_row *row_of(struct rig *r, const struct rows_item *item)
{
	return item->row ? item->row : rows_idle(shown(r), item, &r->rows);
}

static int free_slot(const struct rig *r)
{
	int i = 0;

	while (r->begun && (i == r->current || i == r->newest))
		i++;
	return i;
}

/* Takes the first sample of a generation, which is not shown. */
static void start_generation(struct rig *r)
{
	int next = free_slot(r);
	struct err err = ERR_INIT;

	if (r->source->ops->next(r->source, &r->sample[next], &err))
		return;
	delta_compute(&r->delta[next], NULL, NULL, &r->sample[next]);
	r->newest = next;
}

int rig_next(struct rig *r)
{
	int old = r->newest, new = free_slot(r);
	struct err err = ERR_INIT;
	int ret;

	world_wait(&r->world, 500000000);
	ret = r->source->ops->next(r->source, &r->sample[new], &err);
	world_wait(&r->world, 500000000);
	if (ret) {
		if (!err.text[0] || err.code != -ret)
			snprintf(r->wrong, sizeof r->wrong, "next() fails with %d and no sentence",
				 ret);
		return ret;
	}
	delta_compute(&r->delta[new], r->begun ? &r->delta[old] : NULL,
		      r->begun ? &r->sample[old] : NULL, &r->sample[new]);
	fold_processes(&r->processes, &r->delta[new]);
	r->current = r->newest = new;
	r->begun = true;
	if (r->sample[new].last)
		start_generation(r);
	judge_states(r);
	arena_reset(&r->rows);
	for (struct rows_item item = {.n = 0}; rows_next(shown(r), &item);)
		judge_row(r, row_of(r, &item), rig_sample(r)->threads);
	memcpy(r->run_older, r->run_before, sizeof r->run_older);
	for (int i = 0; i < r->world.n; i++)
		r->run_before[i] = r->world.task[i].run_ns;
	return 0;
}

const struct task *rig_task(const struct rig *r, int id)
{
	const struct sample *s = rig_sample(r);

	for (size_t i = 0; i < s->n; i++)
		if (s->task[i]->id == (uint64_t)id)
			return s->task[i];
	return NULL;
}

const struct delta_row *rig_row(struct rig *r, int id)
{
	for (struct rows_item item = {.n = 0}; rows_next(shown(r), &item);)
		if (item.task->id == (uint64_t)id)
			return row_of(r, &item);
	return NULL;
}

const char *rig_value(struct value v)
{
	static char text[64];

	if (value_known(v))
		snprintf(text, sizeof text, "%s %.15g", quality_table[v.quality].name, v.number);
	else
		snprintf(text, sizeof text, "%s", quality_table[v.quality].name);
	return text;
}

int rig_event(const struct rig *r, int counter)
{
	const struct sample_events *set = rig_events(r);
	int i = 0;

	while (i + 1 < set->n && (set->event[i].part_of || (int)set->event[i].config != counter))
		i++;
	return i;
}

const struct sample_events *rig_events(const struct rig *r)
{
	return rig_sample(r)->task[0]->events;
}

const char *rig_increment(struct rig *r, int id, int counter)
{
	const struct delta_row *row = rig_row(r, id);

	return row ? rig_value(row->increment[rig_event(r, counter)]) : "none";
}
