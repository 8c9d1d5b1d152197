/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live - samples of the running machine, in three steps that cost as little as they can:
 *
 *   1. who is there: the names in /proc, only when the newest pid of the machine has moved; a full walk, which also
 *      brings what changes without running (renice, new owner), every FULL_WALK_EVERY refreshes (walk.c);
 *   2. who ran: the CPU clock of each process, one system call without any file;
 *   3. only for those: their facts and counters (threads.c).
 *
 * A process that has ended, or is a zombie, is sampled once more with its final counts, as dead.
 */
#include "source/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FULL_WALK_EVERY 10

static struct live *self_of(struct source *source)
{
	return (struct live *)source;
}

/* By name or by command line: which of both the user sees may change without a new sample. */
static bool process_wanted(const struct live *l, const struct process *p)
{
	const struct task t = {
		.id = p->pid,
		.pid = p->pid,
		.uid = p->uid,
		.name = p->name,
		.cmdline = p->cmdline,
	};

	return filter_match(&l->want.filter, &t, false) || filter_match(&l->want.filter, &t, true);
}

/* A walk describes processes as wholes; a leader that is a row of its own has facts of its own. */
static fact_mask walk_facts(const struct live *l)
{
	return l->want.threads ? FACT_BIT(FACT_NUM_THREADS) : ~(fact_mask)0;
}

static struct process *new_process(struct live *l, const struct proc_process *from)
{
	struct process *p = table_add(&l->table, from, walk_facts(l));

	p->first_seen = l->refresh;
	p->thread[0].facts_read = l->refresh;
	return p;
}

static void visit(void *context, const struct proc_process *from)
{
	struct live *l = context;
	struct process *p = table_get(&l->table, from->pid);

	/* Another process under an old pid: the old one gets its last sample first. */
	if (p && p->start_ns != from->facts.start_ns && !p->wanted) {
		table_remove(&l->table, p, &l->attach);
		p = NULL;
	}
	if (p && p->start_ns != from->facts.start_ns) {
		p->ended = true;
		p->seen = true;
		p->thread[0].state = 'X';
		l->list_again = true;
		return;
	}
	if (p) {
		process_describe(p, from, walk_facts(l));
		p->thread[0].facts_read = l->refresh;
	} else {
		p = new_process(l, from);
	}
	p->wanted = process_wanted(l, p);
	if (!p->wanted)
		process_detach(p, &l->attach);
	p->seen = true;
}

/* Unwanted processes are not looked at, so that only a full walk tells that they have gone. */
static void drop_unseen(struct live *l)
{
	struct process *p;
	size_t pos = 0;

	l->pids.n = 0;
	while ((p = hash_next(&l->table.by_pid, &pos)))
		if (!p->seen && !p->wanted)
			pid_list_add(&l->pids, p->pid);
	for (size_t i = 0; i < l->pids.n; i++)
		table_remove(&l->table, table_get(&l->table, l->pids.v[i]), &l->attach);
}

static int walk_all(struct live *l)
{
	struct process *p;
	size_t pos = 0;
	int ret;

	while ((p = hash_next(&l->table.by_pid, &pos)))
		p->seen = false;
	ret = l->proc->walk(l->proc, NULL, 0, l->want.cmdline, visit, l);
	drop_unseen(l);
	return ret;
}

/* Finds newcomers by name only; those, and the processes that have a new name, are walked. */
static int walk_newcomers(struct live *l)
{
	int ret = l->proc->pids(l->proc, &l->pids);

	if (ret)
		return ret;
	for (size_t i = 0; i < l->pids.n; i++)
		if (!table_get(&l->table, l->pids.v[i]))
			pid_list_add(&l->walk, l->pids.v[i]);
	return 0;
}

/* A newcomer may become another program, and only then be what the user asked for by name. */
#define YOUNG_REFRESHES 5

static void walk_young(struct live *l)
{
	struct process *p;
	size_t pos = 0;

	while ((p = hash_next(&l->table.by_pid, &pos)))
		if (!p->wanted && l->refresh - p->first_seen < YOUNG_REFRESHES)
			pid_list_add(&l->walk, p->pid);
}

static int discover(struct live *l, int last_pid)
{
	bool births = last_pid < 0 || last_pid != l->last_pid || l->list_again;
	int ret = 0;

	l->last_pid = last_pid;
	l->list_again = false;
	l->refresh++;
	if (l->until_walk-- == 0) {
		l->until_walk = FULL_WALK_EVERY - 1;
		l->walk.n = 0;
		return walk_all(l);
	}
	if (births)
		ret = walk_newcomers(l);
	if (l->want.filter.text)
		walk_young(l);
	if (!ret && l->walk.n)
		ret = l->proc->walk(l->proc, l->walk.v, l->walk.n, l->want.cmdline, visit, l);
	l->walk.n = 0;
	return ret;
}

/* Its end: final counts come from the descriptors, which outlive the task. Its facts went with it, but for a zombie's,
 * which have just been read. */
static void process_end(struct live *l, struct process *p)
{
	p->ended = true;
	for (size_t i = 0; i < p->n; i++) {
		struct thread *t = &p->thread[i];

		if (i > 0 || t->state != 'Z')
			thread_forget_increments(t);
		t->gap |= p->parked;
		thread_read(t, &l->attach);
		thread_close(t, &l->attach);
	}
}

static void look_at_process(struct live *l, struct process *p)
{
	uint64_t ns = 0, before = p->clock_ns;
	bool ran;
	int ret;

	if (!p->wanted || p->reported)
		return;
	ret = p->ended ? -ESRCH : l->proc->cpu_clock(l->proc, p->pid, &ns);
	if (ret == -ESRCH) {
		process_end(l, p);
		return;
	}
	/* Where the clock cannot be read, it may have run. */
	ran = !p->attached || ret || !p->clock_known || ns != p->clock_ns;
	p->clock_known = !ret;
	p->clock_ns = ns;
	if (!ran)
		return;
	p->last_ran = l->refresh;
	live_update_process(l, p, before);
	if (p->ended)
		process_end(l, p);
}

static void fill_task(const struct live *l, struct sample *out, const struct process *p, const struct thread *from)
{
	struct task *t = sample_add(out);
	size_t size = (size_t)l->attach.set.plan.n * sizeof *from->count;

	t->counting = from->counting;
	t->state = from->state;
	t->dead = p->ended || (l->want.threads && from->ended);
	t->id = from->tid;
	t->pid = p->pid;
	t->start_ns = from->start_ns;
	t->uid = p->uid;
	t->user = arena_strdup(&out->arena, p->user);
	t->name = arena_strdup(&out->arena, from->name ? from->name : p->name);
	t->cmdline = p->cmdline ? arena_strdup(&out->arena, p->cmdline) : NULL;
	t->known = from->known;
	t->stale = from->facts_read == l->refresh ? 0 : fact_drifting() & from->known;
	memcpy(t->fact, from->fact, sizeof t->fact);
	t->unread = from->unread;
	t->gap = from->gap;
	if (from->count && from->counting == COUNT_OK) {
		struct count *count = arena_alloc(&out->arena, size);

		memcpy(count, from->count, size);
		t->count = count;
	}
}

static void fill_events(const struct live *l, struct sample *out)
{
	const struct event_set *set = &l->attach.set;
	const struct event_plan *plan = &set->plan;

	out->generation = l->generation;
	out->threads = l->want.threads;
	out->n_events = plan->n;
	out->event = arena_calloc(&out->arena, (size_t)plan->n, sizeof *out->event);
	for (int i = 0; i < plan->n; i++) {
		const struct event *e = &set->event[plan->member[i].event];

		out->event[i].name = arena_strdup(&out->arena, e->name);
		out->event[i].quality = e->quality;
		out->event[i].part_of = plan->member[i].part_of;
		out->event[i].slow_core = e->core > 0;
	}
	out->n_columns = set->n_together;
	out->n_counters = set->n_counters;
	if (plan->pick)
		out->pick = arena_copy(&out->arena, plan->pick, (size_t)set->n_together * (size_t)set->n_counters);
}

/* Samples the process and forgets what has ended. Returns false where the process itself can be forgotten. */
static bool emit_process(struct live *l, struct process *p, struct sample *out)
{
	bool zombie = p->thread[0].state == 'Z';

	/* A zombie that was reported stays in the table until it is reaped, or it would be taken for a newcomer. */
	if (p->reported || (p->ended && !p->attached)) {
		uint64_t ns;

		p->reported = true;
		return zombie && l->proc->cpu_clock(l->proc, p->pid, &ns) != -ESRCH;
	}
	for (size_t i = 0; i < p->n; i++) {
		struct thread *t = &p->thread[i];

		fill_task(l, out, p, t);
		t->gap = false;
		if (t->group && t->count)
			schedule_note(&l->schedule, &l->attach.set, t->count, t->unread);
	}
	p->reported = p->ended;
	live_drop_ended_threads(l, p);
	return !p->ended || zombie;
}

static void emit_all(struct live *l, struct sample *out)
{
	struct process *p;
	size_t pos = 0;

	l->pids.n = 0;
	while ((p = hash_next(&l->table.by_pid, &pos)))
		if (p->wanted && !emit_process(l, p, out))
			pid_list_add(&l->pids, p->pid);
	for (size_t i = 0; i < l->pids.n; i++)
		table_remove(&l->table, table_get(&l->table, l->pids.v[i]), &l->attach);
}

static void update_note(struct live *l, const struct sample *s)
{
	long n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->task[i].counting == COUNT_NOFILE;
	l->note[0] = '\0';
	if (n)
		snprintf(l->note, sizeof l->note,
			 "%ld tasks have no counters, for which no file descriptor is left (%ld are used): raise "
			 "'ulimit "
			 "-n', or count fewer tasks with -p or -u",
			 n, l->attach.n_fds);
}

/* Closes all counters, so that the next sample opens them and is a new start. */
static void open_anew(struct live *l)
{
	struct process *p;
	size_t pos = 0;

	while ((p = hash_next(&l->table.by_pid, &pos)))
		process_detach(p, &l->attach);
	l->generation++;
	l->until_walk = 0; /* brings the facts that were forgotten */
}

static int live_next(struct source *source, struct sample *out, struct err *err)
{
	struct live *l = self_of(source);
	struct proc_clocks clocks;
	struct process *p;
	size_t pos = 0;
	int last_pid = -1, limit, ret;

	sample_reset(out);
	l->proc->host(l->proc, &out->host, &last_pid);
	ret = discover(l, last_pid);
	/* What is known already can still be read. */
	if (ret)
		l->list_again = true;
	if (ret && !l->table.by_pid.n)
		return err_set(err, -ret, "cannot list the tasks in /proc: %s", strerror(-ret));
	l->proc->clocks(l->proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	while ((p = hash_next(&l->table.by_pid, &pos)))
		look_at_process(l, p);
	fill_events(l, out);
	schedule_begin(&l->schedule);
	emit_all(l, out);
	sample_sort(out);
	limit = schedule_end(&l->schedule, &l->attach.set);
	if (limit) {
		open_anew(l);
		attach_limit_groups(&l->attach, limit);
	}
	/* It waits for its execve until this sample has been taken; a later opening would wait for another one. */
	l->want.command = 0;
	update_note(l, out);
	return 0;
}

static int live_configure(struct source *source, struct want *want, struct err *note)
{
	struct live *l = self_of(source);

	open_anew(l);
	attach_configure(&l->attach, &want->events, want->threads, note);
	l->want = *want;
	l->schedule = (struct schedule){0, 0, 0};
	return 0;
}

/* Those that are not wanted any more lose their counters; those that are new get them at the next sample. */
static void live_filter(struct source *source, const struct filter *filter)
{
	struct live *l = self_of(source);
	struct process *p;
	size_t pos = 0;

	l->want.filter = *filter;
	while ((p = hash_next(&l->table.by_pid, &pos))) {
		p->wanted = process_wanted(l, p);
		if (!p->wanted)
			process_detach(p, &l->attach);
	}
	l->until_walk = 0; /* unwanted ones were not kept up to date */
}

static const char *live_note(const struct source *source)
{
	const struct live *l = (const struct live *)source;

	return l->note[0] ? l->note : NULL;
}

static void live_free(struct source *source)
{
	struct live *l = self_of(source);

	table_done(&l->table, &l->attach);
	attach_done(&l->attach);
	free(l->pids.v);
	free(l->walk.v);
	free(l->tids.v);
	free(l);
}

struct source *source_live_new(struct perf_sys *sys, struct proc *proc)
{
	static const struct source_ops ops = {live_configure, live_next, live_filter, live_note, live_free};
	struct live *l = xcalloc(1, sizeof *l);

	l->source.ops = &ops;
	l->proc = proc;
	l->last_pid = -1;
	attach_init(&l->attach, sys);
	return &l->source;
}
