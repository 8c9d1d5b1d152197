/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#include "source/live.h"

/* Facts that exist for threads only. */
static fact_mask per_thread_facts(fact_mask facts)
{
	fact_mask mask = 0;

	for (int f = 0; f < N_FACTS; f++)
		if (fact_table[f].per_thread)
			mask |= FACT_BIT(f);
	return facts & mask;
}

/* Whether the threads of a process must be known one by one at every refresh. */
static bool threads_matter(const struct live *l)
{
	return l->want.threads || per_thread_facts(l->want.facts) || (l->attach.n_usable && !l->attach.set.inherit);
}

static void open_thread(struct live *l, struct thread *t)
{
	bool on_exec = t->tid == l->want.command;
	struct err err = ERR_INIT;

	if (!attach_has_room(&l->attach) && l->want.collect)
		live_make_room(l);
	/* Where it was counted before, readings of two openings would be compared. */
	t->gap = true;
	t->counting = (uint8_t)attach_open(&l->attach, t->tid, on_exec, &t->group, &err);
	if (l->want.log && (t->counting == COUNT_DENIED || t->counting == COUNT_UNSUPPORTED))
		log_add(l->want.log, err.text);
	thread_read(t, &l->attach);
}

/* By the refresh in which they last ran, the longest idle first. */
static int compare_idle(const void *a, const void *b)
{
	const struct process *x = *(struct process *const *)a, *y = *(struct process *const *)b;

	return x->last_ran < y->last_ran ? -1 : x->last_ran > y->last_ran;
}

/* Part of the budget that is freed at a time, so that it need not be done for each newcomer. */
#define ROOM_PART 8

bool live_make_room(struct live *l)
{
	struct process **idle, *p;
	size_t n = 0, pos = 0;
	long part, enough;

	/* Looking for them once a refresh is enough. */
	if (l->made_room == l->refresh)
		return attach_has_room(&l->attach);
	l->made_room = l->refresh;
	idle = xcalloc(l->table.by_pid.n, sizeof(struct process *));
	part = l->attach.max_fds / ROOM_PART;
	enough = l->attach.max_fds - (part > l->attach.set.plan.n_fds ? part : l->attach.set.plan.n_fds);
	/* Processes of several groups are left alone: threads that one of them counts would be lost. */
	while ((p = hash_next(&l->table.by_pid, &pos)))
		if (p->n == 1 && p->thread[0].group && p->last_ran < l->refresh)
			idle[n++] = p;
	if (n)
		qsort(idle, n, sizeof *idle, compare_idle);
	for (size_t i = 0; i < n && l->attach.n_fds > enough; i++) {
		thread_park(&idle[i]->thread[0], &l->attach);
		idle[i]->parked = true;
	}
	free(idle);
	return attach_has_room(&l->attach);
}

static void open_listed(struct live *l, struct process *p)
{
	bool counted = false;

	for (size_t i = 0; i < l->tids.n; i++) {
		int tid = l->tids.v[i];
		struct thread *t = tid == p->pid ? &p->thread[0] : process_add_thread(p, tid);

		open_thread(l, t);
		counted |= t->counting == COUNT_OK;
	}
	/* A thread that has ended adds nothing to those that go on. Where none goes on, nothing is known. */
	for (size_t i = 0; counted && i < p->n; i++)
		if (p->thread[i].counting == COUNT_GONE)
			p->thread[i].counting = COUNT_INHERITED;
}

/* Threads in the kernel's list that have no entry here; the leader has one in any case. */
static size_t count_unknown(const struct live *l, const struct process *p)
{
	size_t n = 0;

	for (size_t i = 0; i < l->tids.n; i++)
		n += !process_find_thread(p, l->tids.v[i]);
	return n;
}

#define ATTACH_TRIES 5

/*
 * Opens inheriting groups on all threads of a process. A thread that starts during this is counted by the group of the
 * thread that started it, if that one was open already, and by none if not; which of both cannot be seen. So if the
 * list of threads has grown meanwhile, all is closed and done again. A process that never stands still keeps the new
 * threads as not counted, which makes its row partial rather than wrong.
 */
static void attach_inheriting(struct live *l, struct process *p)
{
	int ret;

	l->tids.n = 0;
	if (p->thread[0].fact[FACT_NUM_THREADS] > 1)
		l->proc->tids(l->proc, p->pid, &l->tids);
	if (!l->tids.n)
		pid_list_add(&l->tids, p->pid);
	for (int i = 0; i < ATTACH_TRIES; i++) {
		open_listed(l, p);
		if (p->thread[0].counting != COUNT_OK && p->n == 1)
			return;
		ret = l->proc->tids(l->proc, p->pid, &l->tids);
		if (ret == -ESRCH || (!ret && !count_unknown(l, p)))
			return;
		if (ret) {
			/* Whether this was all of them is not known: the next look tries again. */
			process_detach(p, &l->attach);
			return;
		}
		if (i + 1 == ATTACH_TRIES)
			break;
		for (size_t k = 0; k < p->n; k++)
			thread_close(&p->thread[k], &l->attach);
		while (p->n > 1)
			process_remove_thread(p, p->n - 1, &l->attach);
	}
	for (size_t i = 0; i < l->tids.n; i++)
		if (!process_find_thread(p, l->tids.v[i]))
			process_add_thread(p, l->tids.v[i]);
}

/* The counters of a process that was idle when they were closed. It has run meanwhile: this interval has a gap. */
static void unpark(struct live *l, struct process *p)
{
	struct thread *leader = &p->thread[0];

	leader->gap = true;
	if (l->attach.set.inherit)
		attach_inheriting(l, p);
	else
		open_thread(l, leader);
	p->parked = leader->counting == COUNT_NOFILE;
	/* What runs uncounted now would be missing in a total that goes on from the base. */
	if (p->parked) {
		free(leader->base);
		leader->base = NULL;
	}
}

static void attach_process(struct live *l, struct process *p)
{
	process_detach(p, &l->attach);
	p->attached = true;
	if (l->attach.set.inherit)
		attach_inheriting(l, p);
	else
		open_thread(l, &p->thread[0]);
}

/* Reads the facts of one thread, or of the process as a whole for a leader that stands for it. */
static void read_facts(struct live *l, struct process *p, struct thread *t)
{
	bool whole = t == &p->thread[0] && !l->want.threads;
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, p->pid, whole ? 0 : t->tid, l->want.facts, &facts);

	if (ret == -ESRCH)
		t->ended = true;
	/* What was read before is no reading of now. In a process row, what an ended thread did stays in the sum. */
	if (ret && (ret != -ESRCH || t == &p->thread[0] || l->want.threads))
		thread_forget_increments(t);
	if (ret)
		return;
	if (t == &p->thread[0] && facts.start_ns != p->start_ns) {
		/* The pid belongs to another process already. */
		p->ended = true;
		l->list_again = true;
		return;
	}
	t->facts_read = l->refresh;
	if (process_take_facts(p, t, &facts)) {
		/* execve(2): the command line is another, and a program that was protected may be open now. */
		pid_list_add(&l->walk, p->pid);
		if (t->counting == COUNT_DENIED)
			p->attached = false;
	}
}

/* A thread that came since the last look. Where groups inherit, that of its creator counts it. */
static void begin_thread(struct live *l, struct process *p, int tid)
{
	const uint8_t leader = p->thread[0].counting;
	struct thread *t = process_add_thread(p, tid);

	t->seen = true;
	if (l->attach.set.inherit)
		t->counting = leader == COUNT_OK ? COUNT_INHERITED : leader;
	else
		open_thread(l, t);
}

/* One that had ended and is listed again: its tid has another thread now. */
static void see_thread(struct live *l, struct thread *t)
{
	t->seen = true;
	if (t->ended && !t->group && !l->attach.set.inherit)
		open_thread(l, t);
	t->ended = false;
}

static void end_thread(struct live *l, struct thread *t)
{
	t->ended = true;
	/* In a process row, what it did before the last look stays in the sum. */
	if (l->want.threads)
		thread_forget_increments(t);
	thread_read(t, &l->attach);
	/* Closing a group that inherits would end the counting of the threads that this one started. */
	if (!l->attach.set.inherit)
		thread_close(t, &l->attach);
}

static void update_threads(struct live *l, struct process *p)
{
	int ret;

	if (p->n == 1 && p->thread[0].known & FACT_BIT(FACT_NUM_THREADS) && p->thread[0].fact[FACT_NUM_THREADS] <= 1)
		return;
	ret = l->proc->tids(l->proc, p->pid, &l->tids);
	/* There may be threads that nobody counts: the sum over the others would claim too much. */
	if (ret && ret != -ESRCH && !l->attach.set.inherit && !l->want.threads)
		p->thread[0].unread = ~0ull;
	if (ret)
		return;
	for (size_t i = 0; i < p->n; i++)
		p->thread[i].seen = false;
	for (size_t i = 0; i < l->tids.n; i++) {
		struct thread *t = process_find_thread(p, l->tids.v[i]);

		if (t)
			see_thread(l, t);
		else
			begin_thread(l, p, l->tids.v[i]);
	}
	for (size_t i = 1; i < p->n; i++)
		if (!p->thread[i].seen && !p->thread[i].ended)
			end_thread(l, &p->thread[i]);
}

/* A thread for which there was no descriptor may find one now. */
static void read_or_open(struct live *l, struct thread *t)
{
	if (t->counting == COUNT_NOFILE && !t->ended && !l->attach.set.inherit &&
	    (attach_has_room(&l->attach) || l->want.collect))
		open_thread(l, t);
	else
		thread_read(t, &l->attach);
}

/* Reads the counters of a thread; returns whether it may have run since the last reading. */
static bool read_counters(struct live *l, struct thread *t)
{
	uint64_t before = t->count ? t->count[0].enabled_ns : 0;

	bool had = t->group;

	read_or_open(l, t);
	if (!had || !t->group)
		return true;
	return t->unread & 1 || t->count[0].enabled_ns != before;
}

static void read_threads(struct live *l, struct process *p)
{
	bool facts = l->want.threads || per_thread_facts(l->want.facts);

	for (size_t i = 1; i < p->n; i++) {
		struct thread *t = &p->thread[i];

		/* The group of a thread that has ended still counts the threads that it started. */
		bool ran = read_counters(l, t);

		if (!t->ended && (ran || !t->known) && facts)
			read_facts(l, p, t);
	}
}

/* CPU time without any enabled time that shows that the kernel has closed the counters. */
#define LOST_NS 2000000

/* execve(2) of a program with other rights (setuid) ends the counting without a word: the descriptors stay and the
 * counts stand still. clock_ns: the CPU clock at the last look. */
static bool counters_lost(const struct process *p, uint64_t enabled_before, uint64_t clock_before)
{
	const struct thread *leader = &p->thread[0];

	return p->n == 1 && leader->group && leader->count && !(leader->unread & 1) && enabled_before &&
	       leader->count[0].enabled_ns == enabled_before && p->clock_known && p->clock_ns - clock_before > LOST_NS;
}

void live_update_process(struct live *l, struct process *p, uint64_t clock_before)
{
	struct thread *leader = &p->thread[0];
	uint64_t enabled_before = leader->count ? leader->count[0].enabled_ns : 0;

	if (leader->counting == COUNT_NOFILE && l->attach.set.inherit && !p->parked &&
	    (attach_has_room(&l->attach) || l->want.collect))
		p->attached = false;
	if (!p->attached)
		attach_process(l, p);
	else if (p->parked)
		unpark(l, p);
	else
		read_or_open(l, leader);
	if (counters_lost(p, enabled_before, clock_before)) {
		p->thread[0].unread = ~0ull;
		p->attached = false;
	}
	leader = &p->thread[0];
	read_facts(l, p, leader);
	if (leader->ended || p->ended) {
		p->ended = true;
		return;
	}
	if (!l->want.threads && !p->clock_known) {
		leader->known &= ~FACT_BIT(FACT_CPU_NS);
	} else if (!l->want.threads) {
		leader->fact[FACT_CPU_NS] = p->clock_ns;
		leader->known |= FACT_BIT(FACT_CPU_NS);
	}
	if (threads_matter(l))
		update_threads(l, p);
	read_threads(l, p);
	leader = &p->thread[0];
	/* A leader may have ended before its threads: the process lives on. */
	if (leader->state == 'Z' && leader->fact[FACT_NUM_THREADS] <= 1)
		p->ended = true;
}

void live_drop_ended_threads(struct live *l, struct process *p)
{
	for (size_t i = p->n; i-- > 1;) {
		struct thread *t = &p->thread[i];

		/* In a process row, an ended thread keeps its share of the totals. */
		if (t->ended && (l->want.threads || !t->count))
			process_remove_thread(p, i, &l->attach);
	}
}
