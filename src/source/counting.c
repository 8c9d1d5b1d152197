/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of one process: when they are opened, and on which of its threads; when they are read, and whether they
 * still count; whose are closed where descriptors run out.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "source/live.h"

void live_read_counters(struct live *l, struct process *p, struct thread *t)
{
	struct err err = ERR_INIT;
	bool failed = t->failed;
	int error;

	l->cost.reads += t->group != NULL;
	error = thread_read(t, &l->attach);
	t->failed = error;
	if (!error)
		return;
	/* The next refresh tries again, whether it runs or not. */
	p->again = true;
	/* What passes by itself is not worth a sentence. */
	if (l->want.log && (error != -ECHILD || failed)) {
		group_explain_read(error, t->task->id, &err);
		log_add(l->want.log, err.text);
	}
}

/* By the refresh in which they last ran, the longest idle first. */
static int compare_idle(const void *a, const void *b)
{
	const struct process *x = *(struct process *const *)a, *y = *(struct process *const *)b;

	return x->last_ran < y->last_ran ? -1 : x->last_ran > y->last_ran;
}

/* Part of the budget that is freed at a time, so that it need not be done for each newcomer. */
#define ROOM_PART 8

static bool make_room(struct live *l)
{
	struct process **idle, *p;
	size_t n = 0;
	long part, enough;

	/* Looking for them once a refresh is enough. */
	if (l->made_room == l->refresh)
		return attach_has_room(&l->attach);
	l->made_room = l->refresh;
	idle = xcalloc(l->table.n, sizeof(struct process *));
	part = l->attach.max_fds / ROOM_PART;
	enough = l->attach.max_fds - (part > l->attach.set.plan.n_fds ? part : l->attach.set.plan.n_fds);
	/* Processes of several groups are left alone: threads that one of them counts would be lost. */
	for (size_t i = 0; i < l->table.n; i++) {
		p = l->table.v[i];
		if (p->n == 1 && p->thread[0].group && p->last_ran < l->refresh && p->pid != l->want.command)
			idle[n++] = p;
	}
	if (n)
		qsort(idle, n, sizeof *idle, compare_idle);
	for (size_t i = 0; i < n && l->attach.n_fds > enough; i++) {
		thread_park(&idle[i]->thread[0], &l->attach);
		idle[i]->parked = true;
	}
	free(idle);
	return attach_has_room(&l->attach);
}

void live_open_counters(struct live *l, struct process *p, struct thread *t)
{
	int tid = t->task->id;
	struct err err = ERR_INIT;
	enum count_state state;

	if (!attach_has_room(&l->attach) && l->want.collect)
		make_room(l);
	state = attach_open(&l->attach, tid, tid == l->want.command, &t->group, &err);
	thread_set_counting(t, state);
	thread_start_counts(t);
	if (l->want.log && (state == COUNT_DENIED || state == COUNT_UNSUPPORTED))
		log_add(l->want.log, err.text);
	live_read_counters(l, p, t);
}

static bool is_listed(const struct live *l, int tid)
{
	for (size_t i = 0; i < l->tids.n; i++)
		if (l->tids.v[i] == tid)
			return true;
	return false;
}

static void open_listed(struct live *l, struct process *p)
{
	bool counted = false;

	for (size_t i = p->n; i-- > 1;)
		if (!is_listed(l, p->thread[i].task->id))
			process_remove_thread(p, i, &l->attach);
	for (size_t i = 0; i < l->tids.n; i++) {
		int tid = l->tids.v[i];
		struct thread *t = process_find_thread(p, tid);

		t = t ? t : process_add_thread(p, tid, live_room(l, p));
		live_open_counters(l, p, t);
		counted |= t->task->counting == COUNT_OK;
	}
	/* A thread that has ended adds nothing to those that go on. Where none goes on, nothing is known. */
	for (size_t i = 0; counted && i < p->n; i++)
		if (p->thread[i].task->counting == COUNT_GONE)
			thread_set_counting(&p->thread[i], COUNT_INHERITED);
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
	if (live_may_have_threads(p))
		live_list_threads(l, p);
	if (!l->tids.n)
		pid_list_add(&l->tids, p->pid);
	for (int i = 0; i < ATTACH_TRIES; i++) {
		open_listed(l, p);
		if (p->thread[0].task->counting != COUNT_OK && p->n == 1)
			return;
		ret = live_list_threads(l, p);
		if (ret == -ESRCH || (!ret && !count_unknown(l, p)))
			return;
		if (ret) {
			/* Whether this was all of them is not known: the next look tries again. */
			process_close(p, &l->attach);
			p->again = true;
			return;
		}
		if (i + 1 == ATTACH_TRIES)
			break;
		for (size_t k = 0; k < p->n; k++)
			thread_close(&p->thread[k], &l->attach);
	}
	for (size_t i = 0; i < l->tids.n; i++)
		if (!process_find_thread(p, l->tids.v[i]))
			process_add_thread(p, l->tids.v[i], live_room(l, p));
}

/* The counters of a process that was idle when they were closed. It has run meanwhile: this interval has a gap. */
static void unpark(struct live *l, struct process *p)
{
	struct thread *leader = &p->thread[0];

	thread_edit(leader)->gap = true;
	if (l->attach.set.inherit)
		attach_inheriting(l, p);
	else
		live_open_counters(l, p, leader);
	leader = &p->thread[0];
	p->parked = leader->task->counting == COUNT_NOFILE;
}

static void attach_process(struct live *l, struct process *p)
{
	process_close(p, &l->attach);
	p->attached = true;
	if (l->attach.set.inherit)
		attach_inheriting(l, p);
	else
		live_open_counters(l, p, &p->thread[0]);
}

/* The start of a task is known to a tick only: 10 ms at most. */
#define START_TICK_NS 10000000u

/* Counters of a task that does nothing would count nothing: they are opened when it runs, unless there is plenty of
 * descriptors, so that not even its first interval is without a number. A newcomer has run, and a command is going to.
 */
static void attach_or_wait(struct live *l, struct process *p, bool ran)
{
	bool born = l->before_ns && process_start_ns(p) + START_TICK_NS > l->before_ns;

	if (ran || born || l->plenty || p->pid == l->want.command) {
		attach_process(l, p);
		return;
	}
	process_close(p, &l->attach);
	for (size_t i = 0; l->attach.n_usable && i < p->n; i++)
		thread_set_counting(&p->thread[i], COUNT_IDLE);
}

void live_read_last(struct live *l, struct process *p, struct thread *t)
{
	live_read_counters(l, p, t);
	/* It ran to its end, uncounted. */
	if (t->task->counting == COUNT_IDLE)
		thread_set_counting(t, COUNT_GONE);
}

/* A thread for which there was no descriptor may find one now; one of a process that has run gets its own. */
void live_read_or_open(struct live *l, struct process *p, struct thread *t)
{
	enum count_state state = t->task->counting;
	bool room = attach_has_room(&l->attach) || l->want.collect;

	if (!t->ended && !l->attach.set.inherit && p->attached &&
	    ((state == COUNT_NOFILE && room) || (state == COUNT_NONE && l->attach.n_usable)))
		live_open_counters(l, p, t);
	else
		live_read_counters(l, p, t);
}

uint64_t live_enabled_ns(const struct thread *t)
{
	return t->task->n_counts ? t->task->count[0].enabled_ns : 0;
}

/* CPU time without any enabled time that shows that the kernel has closed the counters. */
#define LOST_NS 2000000

/* Whether the leader's group is all that counts the process. */
static bool counts_alone(const struct process *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->thread[i].group || !p->thread[i].ended)
			return false;
	return true;
}

/* The clock of a task that is on a CPU lags by a tick: read before the counters only, it would grow later without
 * them. */
static void read_clock_again(struct live *l, struct process *p)
{
	uint64_t ns;

	if (p->n > 1 || !p->thread[0].group || !p->clock_known)
		return;
	l->cost.reads++;
	if (!l->proc->cpu_clock(l->proc, p->pid, &ns))
		p->clock_ns = ns;
}

/* execve(2) of a program with other rights (setuid) ends the counting without a word: the descriptors stay and the
 * counts stand still. clock_ns: the CPU clock at the last look. */
static bool counters_lost(const struct process *p, uint64_t enabled_before, uint64_t clock_before)
{
	const struct thread *leader = &p->thread[0];
	const struct task *t = leader->task;

	return counts_alone(p) && leader->group && t->n_counts && !(t->unread & 1) && enabled_before &&
	       t->count[0].enabled_ns == enabled_before && p->clock_known && p->clock_ns - clock_before > LOST_NS;
}

void live_update_counters(struct live *l, struct process *p, uint64_t clock_before, bool ran)
{
	struct thread *leader = &p->thread[0];
	uint64_t enabled_before = leader->group ? live_enabled_ns(leader) : 0;

	if (leader->task->counting == COUNT_NOFILE && l->attach.set.inherit && !p->parked &&
	    (attach_has_room(&l->attach) || l->want.collect))
		p->attached = false;
	if (!p->attached)
		attach_or_wait(l, p, ran);
	else if (p->parked)
		unpark(l, p);
	else
		live_read_or_open(l, p, leader);
	if (counters_lost(p, enabled_before, clock_before)) {
		thread_edit(&p->thread[0])->unread = ~0ull;
		p->attached = false;
		p->again = true;
	}
	read_clock_again(l, p);
}
