/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of live: one process in one refresh, its facts, and the order in which all is read.
 */
#include <errno.h>
#include <stdlib.h>

#include "collect/task/live_part.h"

fact_mask live_room(const struct live *l, const struct process *p)
{
	const fact_mask ticks = FACT_BIT(FACT_UTIME_NS) | FACT_BIT(FACT_STIME_NS);

	/* The ticks of user and system time stand in for a CPU clock. */
	return l->want.facts | FACT_BIT(FACT_CPU_NS) | FACT_BIT(FACT_NUM_THREADS) |
	       (l->want.threads || (p && !p->clock_known) ? ticks : 0);
}

int live_list_threads(struct live *l, const struct process *p)
{
	int ret = l->proc->tids(l->proc, p->pid, &l->tids);

	l->cost.reads++;
	/* The kernel lists threads in the order in which they started; mostly they are sorted. */
	for (size_t i = 1; i < l->tids.n; i++)
		if (l->tids.v[i - 1] > l->tids.v[i]) {
			qsort(l->tids.v, l->tids.n, sizeof *l->tids.v, pid_compare);
			break;
		}
	return ret;
}

/* Whether the process may have other threads than its leader. */
bool live_may_have_threads(const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return !(t->known & FACT_BIT(FACT_NUM_THREADS)) || task_fact(t, FACT_NUM_THREADS) > 1;
}

/* A leader may have ended before its threads: then the process lives on. */
static bool is_zombie(const struct process *p)
{
	return p->thread[0].task->state == 'Z' && !live_may_have_threads(p);
}

/* Its end: final counts come from the descriptors, which outlive the task. Its facts went with it,
 * but for a zombie's, which have just been read; the threads of a zombie have no entry any more. */
static void end_process(struct live *l, struct process *p, bool replaced)
{
	bool zombie;

	if (replaced) {
		l->list_again = true;
		thread_edit(&p->thread[0])->state = 'X';
	}
	zombie = p->thread[0].task->state == 'Z';
	for (size_t i = 0; i < p->n; i++) {
		struct thread *t = &p->thread[i];

		if (!zombie || (l->want.threads && i > 0))
			thread_edit(t)->lost = true;
		else if (i > 0)
			thread_edit(t)->ended = true;
		if (live_unit(l, p, t)->counters == COUNTERS_TAKEN)
			thread_edit(t)->gap = true;
		live_read_last(l, p, t);
		thread_close(t, &l->attach);
	}
	for (size_t i = 0; i < live_n_units(l, p); i++)
		if (p->thread[i].counters != COUNTERS_FINAL)
			live_change_counters(l, p, &p->thread[i], COUNTERS_END);
}

void live_change(struct live *l, struct process *p, enum life_event event)
{
	enum life before = (enum life)p->life, after = life_after(before, event);

	if (after == LIFE_REFUSED) {
		l->refused++;
		return;
	}
	p->life = (uint8_t)after;
	if ((event == LIFE_LEAVE || event == LIFE_RESTART) && after != LIFE_REPORTED)
		process_detach(p, &l->attach);
	if (before == LIFE_WATCHED && after == LIFE_ENDED)
		end_process(l, p, event == LIFE_REPLACE);
}

/* The command line belongs to the new name: it is read with it, not at the next refresh. */
static void describe(void *context, const struct proc_process *from)
{
	struct process *p = context;

	if (process_start_ns(p) == from->facts.start_ns)
		process_describe(p, from);
}

/* Reads the facts of one thread, or of the process as a whole for a leader that stands for it. */
void live_read_facts(struct live *l, struct process *p, struct thread *t)
{
	bool leader = t == &p->thread[0], whole = leader && !l->want.threads;
	/* Texts of a process are those of its leader. */
	fact_mask want =
		leader || l->want.threads ? l->want.facts : l->want.facts & ~fact_read_texts();
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, p->pid, whole ? 0 : thread_tid(t), want, &facts);

	l->cost.reads++;
	if (ret == -ESRCH) {
		live_change_thread(l, p, t, THREAD_END);
	} else if (ret) {
		/* What was read before must not pass for a reading of now. */
		thread_forget_increments(t);
	}
	if (ret)
		return;
	/* The facts of a process have the moment of its CPU clock, which has just been read. */
	if (!whole || !p->clock_known)
		t->facts_us = live_now_us(l);
	if (leader && facts.start_ns != process_start_ns(p)) {
		/* The pid belongs to another process by now. */
		live_change(l, p, LIFE_REPLACE);
		return;
	}
	if (process_take_facts(p, t, &facts, live_room(l, p))) {
		/* execve(2): the command line is another, and a program that was protected
		 * may be open now. */
		if (l->want.cmdline)
			l->proc->walk(l->proc, &p->pid, 1, true, describe, p);
		pid_list_add(&l->walk, p->pid);
		if (t->task->counting == COUNT_DENIED)
			live_count_anew(l, p);
	}
	thread_edit(t)->facts_read = l->refresh;
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
	bool told = !ran && p->life == LIFE_NEW && !newcomer && live_walk_told_all(l, p),
	     again = p->again;

	live_change(l, p, LIFE_LOOK);
	p->again = false;
	p->changed |= ran;
	live_update_counters(l, p, clock_before, ran || again);
	if (!told)
		live_read_facts(l, p, &p->thread[0]);
	if (p->thread[0].life == THREAD_ENDED)
		live_change(l, p, LIFE_END);
	if (p->life == LIFE_ENDED)
		return;
	set_cpu_time(l, p);
	live_update_threads(l, p);
	live_read_threads(l, p);
	if (is_zombie(p))
		live_change(l, p, LIFE_END);
}

void live_update_facts(struct live *l, struct process *p)
{
	for (size_t i = 0; i < p->n && p->life == LIFE_WATCHED; i++) {
		struct thread *t = &p->thread[i];

		if (t->life == THREAD_LIVES && (i == 0 || l->want.threads))
			live_read_facts(l, p, t);
	}
	set_cpu_time(l, p);
	if (p->life == LIFE_WATCHED && (p->thread[0].life == THREAD_ENDED || is_zombie(p)))
		live_change(l, p, LIFE_END);
}
