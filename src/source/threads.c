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

fact_mask live_room(const struct live *l, const struct process *p)
{
	const fact_mask ticks = FACT_BIT(FACT_UTIME_NS) | FACT_BIT(FACT_STIME_NS);

	/* Ticks stand in for a clock. */
	return l->want.facts | FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_NUM_THREADS) |
	       (l->want.threads || (p && !p->clock_known) ? ticks : 0);
}

static int list_threads(struct live *l, const struct process *p)
{
	l->cost.reads++;
	return l->proc->tids(l->proc, p->pid, &l->tids);
}

/* Besides the leader. */
static bool may_have_threads(const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return !(t->known & FACT_BIT(FACT_NUM_THREADS)) || task_fact(t, FACT_NUM_THREADS) > 1;
}

static void read_group(struct live *l, struct thread *t)
{
	l->cost.reads += t->group != NULL;
	thread_read(t, &l->attach);
}

static void open_thread(struct live *l, struct thread *t)
{
	int tid = t->task->id;
	struct err err = ERR_INIT;
	enum count_state state;

	if (!attach_has_room(&l->attach) && l->want.collect)
		live_make_room(l);
	state = attach_open(&l->attach, tid, tid == l->want.command, &t->group, &err);
	thread_set_counting(t, state);
	/* Where it was counted before, this one starts from 0 again. */
	thread_edit(t)->gap = true;
	if (l->want.log && (state == COUNT_DENIED || state == COUNT_UNSUPPORTED))
		log_add(l->want.log, err.text);
	read_group(l, t);
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
		open_thread(l, t);
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
	if (may_have_threads(p))
		list_threads(l, p);
	if (!l->tids.n)
		pid_list_add(&l->tids, p->pid);
	for (int i = 0; i < ATTACH_TRIES; i++) {
		open_listed(l, p);
		if (p->thread[0].task->counting != COUNT_OK && p->n == 1)
			return;
		ret = list_threads(l, p);
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
		open_thread(l, leader);
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
		open_thread(l, &p->thread[0]);
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

/* Reads the facts of one thread, or of the process as a whole for a leader that stands for it. */
static void read_facts(struct live *l, struct process *p, struct thread *t)
{
	bool leader = t == &p->thread[0], whole = leader && !l->want.threads;
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, p->pid, whole ? 0 : t->task->id, l->want.facts, &facts);

	l->cost.reads++;
	if (ret == -ESRCH)
		t->ended = true;
	/* What was read before is no reading of now. In a process row, what an ended thread did stays in the sum. */
	if (ret && (ret != -ESRCH || leader || l->want.threads))
		thread_forget_increments(t);
	if (ret)
		return;
	if (leader && facts.start_ns != process_start_ns(p)) {
		/* The pid belongs to another process already. */
		p->ended = true;
		l->list_again = true;
		return;
	}
	if (process_take_facts(p, t, &facts, live_room(l, p))) {
		/* execve(2): the command line is another, and a program that was protected may be open now. */
		pid_list_add(&l->walk, p->pid);
		if (t->task->counting == COUNT_DENIED) {
			p->attached = false;
			p->again = true;
		}
	}
	thread_edit(t)->facts_read = l->refresh;
}

/* A thread that came since the last look. Where groups inherit, that of its creator counts it. */
static void begin_thread(struct live *l, struct process *p, int tid)
{
	enum count_state leader = p->thread[0].task->counting;
	struct thread *t = process_add_thread(p, tid, live_room(l, p));

	t->seen = true;
	if (l->attach.set.inherit)
		thread_set_counting(t, leader == COUNT_OK ? COUNT_INHERITED : leader);
	else if (p->attached)
		open_thread(l, t);
	else
		thread_set_counting(t, leader);
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
	live_read_last(l, t);
	/* Closing a group that inherits would end the counting of the threads that this one started. */
	if (!l->attach.set.inherit)
		thread_close(t, &l->attach);
}

void live_read_last(struct live *l, struct thread *t)
{
	read_group(l, t);
	/* It ran to its end, uncounted. */
	if (t->task->counting == COUNT_IDLE)
		thread_set_counting(t, COUNT_GONE);
}

static void update_threads(struct live *l, struct process *p)
{
	int ret;

	if (p->n == 1 && !may_have_threads(p))
		return;
	ret = list_threads(l, p);
	/* There may be threads that nobody counts: the sum over the others would claim too much. */
	if (ret && ret != -ESRCH && !l->attach.set.inherit && !l->want.threads)
		thread_edit(&p->thread[0])->unread = ~0ull;
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

/* A thread for which there was no descriptor may find one now; one of a process that has run gets its own. */
static void read_or_open(struct live *l, struct process *p, struct thread *t)
{
	enum count_state state = t->task->counting;
	bool room = attach_has_room(&l->attach) || l->want.collect;

	if (!t->ended && !l->attach.set.inherit && p->attached &&
	    ((state == COUNT_NOFILE && room) || (state == COUNT_NONE && l->attach.n_usable)))
		open_thread(l, t);
	else
		read_group(l, t);
}

static uint64_t enabled_ns(const struct thread *t)
{
	return t->task->n_counts ? t->task->count[0].enabled_ns : 0;
}

static void read_threads(struct live *l, struct process *p)
{
	bool facts = l->want.threads || per_thread_facts(l->want.facts);

	for (size_t i = 1; i < p->n; i++) {
		struct thread *t = &p->thread[i];
		uint64_t before = enabled_ns(t);
		bool had = t->group, ran;

		/* The group of a thread that has ended still counts the threads that it started. */
		read_or_open(l, p, t);
		/* One that has just been opened ran before. */
		ran = !had || !t->group || (t->task->gap && !t->sampled) || t->task->unread & 1 ||
		      enabled_ns(t) != before;
		if (!t->ended && facts && (ran || !t->task->known))
			read_facts(l, p, t);
	}
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

static void update_counters(struct live *l, struct process *p, uint64_t clock_before, bool ran)
{
	struct thread *leader = &p->thread[0];
	uint64_t enabled_before = leader->group ? enabled_ns(leader) : 0;

	if (leader->task->counting == COUNT_NOFILE && l->attach.set.inherit && !p->parked &&
	    (attach_has_room(&l->attach) || l->want.collect))
		p->attached = false;
	if (!p->attached)
		attach_or_wait(l, p, ran);
	else if (p->parked)
		unpark(l, p);
	else
		read_or_open(l, p, leader);
	if (counters_lost(p, enabled_before, clock_before)) {
		thread_edit(&p->thread[0])->unread = ~0ull;
		p->attached = false;
		p->again = true;
	}
	read_clock_again(l, p);
}

static void set_cpu_time(struct live *l, struct process *p)
{
	if (l->want.threads)
		return;
	if (p->clock_known)
		task_set_fact(thread_edit(&p->thread[0]), FACT_CPU_NS, p->clock_ns);
	else
		thread_edit(&p->thread[0])->known &= ~FACT_BIT(FACT_CPU_NS);
}

void live_update_process(struct live *l, struct process *p, uint64_t clock_before, bool ran)
{
	/* A newcomer may have ended since it was walked. */
	bool newcomer = l->before_ns && p->first_seen == l->refresh;
	bool told = !ran && !p->looked && !newcomer && live_walk_told_all(l, p), again = p->again;
	const struct thread *leader;

	p->looked = true;
	p->again = false;
	p->changed |= ran;
	update_counters(l, p, clock_before, ran || again);
	if (!told)
		read_facts(l, p, &p->thread[0]);
	if (p->thread[0].ended || p->ended) {
		p->ended = true;
		return;
	}
	set_cpu_time(l, p);
	if (threads_matter(l))
		update_threads(l, p);
	read_threads(l, p);
	leader = &p->thread[0];
	/* A leader may have ended before its threads: the process lives on. */
	if (leader->task->state == 'Z' && !may_have_threads(p))
		p->ended = true;
}

void live_update_facts(struct live *l, struct process *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (i == 0 || (l->want.threads && !p->thread[i].ended))
			read_facts(l, p, &p->thread[i]);
	p->ended |= p->thread[0].ended || (p->thread[0].task->state == 'Z' && !may_have_threads(p));
}

/* One that was not counted, and may have started threads that nobody counts: the sum stays a part. */
static bool is_hole(const struct live *l, const struct task *t)
{
	return l->attach.set.inherit && l->attach.n_usable &&
	       (t->counting == COUNT_NOFILE || t->counting == COUNT_NONE);
}

void live_drop_ended_threads(struct live *l, struct process *p)
{
	for (size_t i = p->n; i-- > 1;) {
		struct thread *t = &p->thread[i];

		/* In a process row, an ended thread keeps its share of the totals. */
		if (t->ended && (l->want.threads || (!t->task->n_counts && !is_hole(l, t->task))))
			process_remove_thread(p, i, &l->attach);
	}
}
