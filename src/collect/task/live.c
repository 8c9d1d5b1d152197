/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/task/live_part.h"

static struct live *self_of(struct source *source)
{
	return (struct live *)source;
}

int64_t live_now_us(struct live *l)
{
	l->last_us = (int64_t)(l->proc->now(l->proc) / 1000);
	return l->last_us;
}

/* A clock takes about 1 µs to be read. Where this much passed, tiptop was kept from its CPU. */
#define KEPT_US   2000
#define MAX_TRIES 3

int live_read_clock(struct live *l, const struct process *p, uint64_t *ns, int64_t *us)
{
	int tries = 0, ret;
	int64_t before;

	do {
		before = l->last_us;
		l->cost.reads++;
		ret = l->proc->cpu_clock(l->proc, p->pid, ns);
		*us = live_now_us(l);
	} while (!ret && *us - before > KEPT_US && ++tries < MAX_TRIES);
	return ret;
}

/* Looks at the clock of a process. If it ran, it is remembered, to be read. */
static void look_at_clock(struct live *l, struct process *p)
{
	uint64_t ns = 0, before = p->clock_ns;
	int64_t us;
	bool ran;
	int ret;

	if (p->life == LIFE_UNWANTED || p->life == LIFE_REPORTED)
		return;
	l->cost.tasks++;
	/* The walk has met another one under its pid. */
	if (p->life == LIFE_ENDED)
		return;
	ret = live_read_clock(l, p, &ns, &us);
	if (ret == -ESRCH) {
		live_change(l, p, LIFE_END);
		return;
	}
	/* A process whose clock cannot be read may have run. */
	ran = ret || !p->clock_known || ns != p->clock_ns;
	p->clock_known = !ret;
	p->clock_ns = ns;
	process_set_time(p, us, ran);
	if (ran)
		p->last_ran = l->refresh;
	if (ran || p->life == LIFE_NEW || p->again) {
		l->ran = xgrow(l->ran, &l->cap_ran, l->n_ran + 1, sizeof *l->ran);
		l->ran[l->n_ran++] = (struct ran){p, before};
	} else if (l->more_facts || (l->drifting && live_has_turn(l, p))) {
		live_update_facts(l, p);
	}
}

/* Puts the busiest process first, for qsort(). */
static int compare_growth(const void *a, const void *b)
{
	const struct ran *x = a, *y = b;
	uint64_t x_ns = x->process->clock_ns - x->clock_before,
		 y_ns = y->process->clock_ns - y->clock_before;

	return x_ns > y_ns ? -1 : x_ns < y_ns;
}

#define CACHE_LINE 64
#define AHEAD      2 /* a system call each: longer than memory takes */

/* Has the processor fetch a process that comes soon: the system calls in between push what was read
 * at the last refresh out of its caches, and go on while it waits for memory. */
static void fetch_ahead(const struct table *t, size_t i)
{
	const char *p = i < t->n ? (const char *)t->v[i] : NULL;

	for (size_t line = 0; p && line < sizeof(struct process); line += CACHE_LINE)
		__builtin_prefetch(p + line, 1);
}

static void look_at_all(struct live *l)
{
	l->n_ran = 0;
	l->drifting = l->want.facts & fact_drifting;
	live_now_us(l);
	for (size_t i = 0; i < l->table.n; i++) {
		fetch_ahead(&l->table, i + AHEAD);
		look_at_clock(l, l->table.v[i]);
	}
	l->cost.ran = l->n_ran;
	/* The order decides who gets the last descriptors. */
	if (!l->plenty && l->n_ran)
		qsort(l->ran, l->n_ran, sizeof *l->ran, compare_growth);
	for (size_t i = 0; i < l->n_ran; i++) {
		struct process *p = l->ran[i].process;

		live_update_process(l, p, l->ran[i].clock_before, p->last_ran == l->refresh);
	}
	live_serve_waiting(l);
	l->more_facts = false;
	/* At the first sample the list holds all processes; that much memory is not kept. */
	if (l->cap_ran / 8 > l->n_ran) {
		free(l->ran);
		l->ran = NULL;
		l->cap_ran = 0;
	}
}

/* Whether a task stands behind the one that was added before it. Most do by their numbers. */
static bool in_order(const struct task *before, const struct task *t)
{
	return before->owner < t->owner || (before->owner == t->owner && before->id < t->id) ||
	       task_compare(before, t) <= 0;
}

static void add_task(struct live *l, struct sample *out, const struct process *p, struct thread *t)
{
	bool dead = p->life == LIFE_ENDED || (l->want.threads && t->life == THREAD_ENDED);

	if (dead && !t->task->dead)
		thread_edit(t)->dead = true;
	if (t->task->events != l->attach.counted)
		task_set_events(thread_edit(t), l->attach.counted);
	sample_add(out, task_ref(t->task));
	l->unsorted |= out->n > 1 && !in_order(out->task[out->n - 2], t->task);
	out->time[out->n - 1] = (struct task_time){
		.counts_us = (float)(t->counts_us - (int64_t)(out->mono_ns / 1000)),
		.facts_us = (float)(t->facts_us - (int64_t)(out->mono_ns / 1000)),
	};
	t->sampled = true;
	l->cost.groups += t->group != NULL;
}

static void fill_head(const struct live *l, struct sample *out)
{
	out->generation = l->generation;
	out->number = l->refresh;
	out->threads = l->want.threads;
	out->one_set = true; /* see add_task() */
	sample_set_machine(out, l->machine);
}

/* Whether the process is still that zombie: its pid may have another process by now. */
static bool is_unreaped(struct live *l, const struct process *p)
{
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, p->pid, 0, 0, &facts);
	bool same = ret || facts.start_ns == process_start_ns(p);

	l->cost.reads++;
	l->list_again |= !same;
	return ret != -ESRCH && same;
}

/* Puts the process into the sample, and forgets what has ended. Returns false where the process
 * itself can be forgotten. */
static void emit_process(struct live *l, struct process *p, struct sample *out)
{
	bool zombie = p->thread[0].task->state == 'Z';

	if (p->life == LIFE_REPORTED) {
		if (!zombie || !is_unreaped(l, p))
			live_change(l, p, LIFE_VANISH);
		return;
	}
	for (size_t i = 0; i < p->n; i++)
		add_task(l, out, p, &p->thread[i]);
	live_drop_ended_threads(l, p);
	if (p->life != LIFE_ENDED)
		return;
	live_change(l, p, LIFE_REPORT);
	if (!zombie)
		live_change(l, p, LIFE_VANISH);
}

/* Whose child the process is, as far as is known. */
static int parent_of(const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return t->known & FACT_BIT(FACT_PPID) ? (int)task_fact(t, FACT_PPID) : p->parent;
}

/* Puts the parent of the process into the sample, and the parent of that one, as far as the filter
 * leaves them out: they have no counters, and are asked for nothing. */
static void emit_ancestors(struct live *l, const struct process *child, struct sample *out)
{
	for (;;) {
		struct process *p = table_get(&l->table, parent_of(child));

		if (!p || p->life != LIFE_UNWANTED || p->followed == l->refresh)
			return;
		p->followed = l->refresh;
		process_tell_parent(p);
		add_task(l, out, p, &p->thread[0]);
		out->n_left_out--;
		child = p;
	}
}

/* Whoever wants to know parents wants to see them. */
static void emit_all_ancestors(struct live *l, struct sample *out)
{
	if (!(l->want.facts & FACT_BIT(FACT_PPID)))
		return;
	for (size_t i = 0; i < l->table.n && out->n_left_out; i++)
		if (l->table.v[i]->life != LIFE_UNWANTED)
			emit_ancestors(l, l->table.v[i], out);
}

static void emit_all(struct live *l, struct sample *out)
{
	bool gone = false;

	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		if (p->life == LIFE_UNWANTED)
			out->n_left_out++;
		else
			emit_process(l, p, out);
		gone |= p->life == LIFE_GONE;
	}
	emit_all_ancestors(l, out);
	if (gone)
		table_sweep(&l->table, &l->attach);
	l->cost.descriptors = l->attach.n_fds;
}

static void update_note(struct live *l, const struct sample *s)
{
	const struct attach *a = &l->attach;
	const char *what = s->threads ? "thread" : "process";
	uint64_t owner = 0;
	long n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->task[i]->counting != COUNT_NOFILE ||
		    (!s->threads && s->task[i]->owner == owner))
			continue;
		owner = s->task[i]->owner;
		n++;
	}
	snprintf(l->note, sizeof l->note, "%s", a->why.text);
	if (n)
		snprintf(
			l->note, sizeof l->note,
			"%ld %s%s no file descriptors for counters (%d needed for each thread, %ld "
			"of %ld are used): raise 'ulimit -n', or count fewer tasks with -p or -u",
			n, what,
			n == 1       ? " has"
			: s->threads ? "s have"
				     : "es have",
			a->set.plan.n_fds, a->n_fds, a->max_fds);
}

static void note_list(struct live *l, int ret)
{
	snprintf(l->note, sizeof l->note,
		 "the list of tasks in /proc could not be read to its end (%s): some may be "
		 "missing until the next refresh, which tries again",
		 strerror(-ret));
}

/* Closes all counters, so that the next sample opens them and is a new start. */
static void open_anew(struct live *l)
{
	for (size_t i = 0; i < l->table.n; i++)
		live_change(l, l->table.v[i], LIFE_RESTART);
	l->generation++;
	l->walk_again = true; /* which brings the facts that were forgotten */
}

/* What fits is tried for the first plan, and whenever a group waits in vain. The log has each
 * sentence once. */
static void log_untried(struct live *l)
{
	if (l->want.log && l->attach.trial.untried.code)
		log_add(l->want.log, LOG_SCREEN, l->attach.trial.untried.text);
}

/* It is for people to report. */
static void log_refused(struct live *l)
{
	if (l->want.log && l->refused)
		log_add(l->want.log, LOG_SCREEN,
			"a task did what tiptop takes for impossible, so that its numbers may be "
			"wrong: this is a fault of tiptop, please report it");
}

static int live_next(struct source *source, struct sample *out, struct err *err)
{
	struct live *l = self_of(source);
	struct proc_clocks clocks;
	int last_pid = -1, ret;

	sample_reset(out);
	l->refresh++;
	l->cost = (struct source_cost){.reads = 1};
	l->proc->host(l->proc, &out->host, &last_pid);
	ret = live_discover(l, last_pid);
	/* If the walk failed, processes that are known already can still be read. */
	if (ret)
		l->list_again = true;
	if (ret && !l->table.n)
		return err_set(err, -ret, "cannot list the tasks in /proc: %s", strerror(-ret));
	l->proc->clocks(l->proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	if (l->machine_watched) {
		l->proc->use(l->proc, &out->use, &out->arena);
		l->cost.reads += 2;
	}
	look_at_all(l);
	l->before_ns = clocks.boot_ns;
	fill_head(l, out);
	l->unsorted = false;
	emit_all(l, out);
	if (l->unsorted)
		sample_sort(out);
	out->last = attach_reconsider(&l->attach);
	log_untried(l);
	log_refused(l);
	if (out->last)
		open_anew(l);
	/* The command waits for its execve until this sample has been taken; counters opened later
	 * would wait for another one. */
	l->want.command = 0;
	update_note(l, out);
	if (ret)
		note_list(l, ret);
	return 0;
}

static int live_configure(struct source *source, struct want *want, struct err *note)
{
	struct live *l = self_of(source);

	open_anew(l);
	l->broken = l->more_facts = false;
	attach_configure(&l->attach, &want->events, want->threads, note);
	l->want = *want;
	l->want.facts &= ~fact_given();
	log_untried(l);
	return 0;
}

static const struct sample_events *live_events(const struct source *source)
{
	return ((const struct live *)source)->attach.counted;
}

/* Takes another filter. Processes that are not wanted any more lose their counters; those that are
 * wanted now get some at the next sample. */
static bool live_filter(struct source *source, const struct filter *filter)
{
	struct live *l = self_of(source);
	bool others = false;

	l->want.filter = *filter;
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];
		bool before = p->life != LIFE_UNWANTED;

		live_change(l, p, live_is_wanted(l, p) ? LIFE_WANT : LIFE_LEAVE);
		others |= p->life != LIFE_UNWANTED && !before;
	}
	l->walk_again = true; /* those that were not wanted were not kept up to date */
	return others;
}

static bool live_go_on(struct source *source, struct want *want)
{
	struct live *l = self_of(source);
	const fact_mask facts = want->facts & ~fact_given(), more = facts & ~l->want.facts;

	/* Threads that are not known one by one have no facts of their own. */
	if (want->threads != l->want.threads || l->broken ||
	    (!want->threads && more & fact_per_thread))
		return false;
	attach_go_on(&l->attach, &want->events);
	l->want = *want;
	l->want.facts = facts;
	l->more_facts |= more != 0;
	live_filter(source, &want->filter);
	return true;
}

static void live_watch_machine(struct source *source, bool wanted)
{
	self_of(source)->machine_watched = wanted;
}

static const char *live_note(const struct source *source)
{
	const struct live *l = (const struct live *)source;

	return l->note[0] ? l->note : NULL;
}

static void live_cost(const struct source *source, struct source_cost *out)
{
	const struct live *l = (const struct live *)source;

	*out = l->cost;
	out->refused = l->refused;
}

static void live_free(struct source *source)
{
	struct live *l = self_of(source);

	table_done(&l->table, &l->attach);
	attach_done(&l->attach);
	sample_machine_unref(l->machine);
	free(l->pids.v);
	free(l->walk.v);
	free(l->tids.v);
	free(l->ran);
	room_done(&l->room);
	free(l);
}

struct source *source_live_new(struct perf_sys *sys, struct proc *proc,
			       const struct sample_machine *machine)
{
	static const struct source_ops ops = {
		.configure = live_configure,
		.events = live_events,
		.go_on = live_go_on,
		.next = live_next,
		.filter = live_filter,
		.watch_machine = live_watch_machine,
		.detail = live_detail,
		.note = live_note,
		.cost = live_cost,
		.free = live_free,
	};
	struct live *l = xcalloc(1, sizeof *l);

	l->source.ops = &ops;
	l->proc = proc;
	l->machine = sample_machine_ref(machine);
	l->last_pid = l->older_pid = -1;
	l->walk_again = true;
	attach_init(&l->attach, sys);
	return &l->source;
}
