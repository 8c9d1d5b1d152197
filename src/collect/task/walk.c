/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of live: who is there.
 *
 * The first walk visits all processes. From then on, newcomers are the pids given since the last
 * look that have a CPU clock, as a thread has none that others may read. All names in /proc are
 * read only as a check, every LIST_EVERY refreshes. What else a walk tells, owner and command line,
 * changes only while a process runs: those that ran are walked again when it is their turn.
 */
#include <errno.h>
#include <string.h>

#include "collect/task/live_part.h"

#define LIST_EVERY 10

/* What all threads of a process have in common. */
#define OF_PROCESS (FACT_BIT(FACT_NUM_THREADS) | FACT_BIT(FACT_PPID))

/* Whether one of its threads has the text in its name, where threads are rows of their own. */
static bool has_wanted_thread(struct live *l, const struct process *p)
{
	const struct task *leader = p->thread[0].task;
	struct filter others = l->want.filter;
	struct proc_facts facts;

	others.text = NULL;
	if (!l->want.threads || !l->want.filter.text || !filter_match(&others, leader, false))
		return false;
	if (leader->known & FACT_BIT(FACT_NUM_THREADS) && task_fact(leader, FACT_NUM_THREADS) <= 1)
		return false;
	l->cost.reads++;
	if (l->proc->tids(l->proc, p->pid, &l->tids))
		return false;
	for (size_t i = 0; i < l->tids.n; i++) {
		l->cost.reads++;
		if (!l->proc->facts(l->proc, p->pid, l->tids.v[i], 0, &facts) &&
		    strstr(facts.name, l->want.filter.text))
			return true;
	}
	return false;
}

/* A text may be in the name or in the command line, since the user may switch between them without
 * a new sample. */
bool live_is_wanted(struct live *l, const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return filter_match(&l->want.filter, t, false) || filter_match(&l->want.filter, t, true) ||
	       has_wanted_thread(l, p);
}

bool live_has_turn(const struct live *l, const struct process *p)
{
	return (uint32_t)p->pid % LIVE_SLICES == l->refresh % LIVE_SLICES;
}

static struct process *add_process(struct live *l, const struct proc_process *from)
{
	struct proc_process told = *from;
	struct process *p;
	uint64_t ns;

	/* A walk describes processes as wholes; but a leader that is a row of its own has facts of
	 * its own. */
	if (l->want.threads)
		told.facts.known &= OF_PROCESS;
	p = table_add(&l->table, &told, live_room(l, NULL));
	p->first_seen = l->refresh;
	p->last_ran = l->refresh - 1; /* so that it is not taken for the longest idle one */
	p->thread[0].task->facts_read = l->refresh;
	/* A process that runs after this is seen to have run. */
	l->cost.reads++;
	p->clock_known = !l->proc->cpu_clock(l->proc, p->pid, &ns);
	p->clock_ns = p->clock_known ? ns : 0;
	return p;
}

/* Takes over the facts of a process that is known already, but lost them with the counters of
 * another screen. */
static void take_facts(struct live *l, struct process *p, const struct proc_process *from)
{
	struct proc_facts facts = from->facts;

	if (l->want.threads)
		facts.known &= OF_PROCESS;
	process_take_facts(p, &p->thread[0], &facts, live_room(l, p));
	thread_edit(&p->thread[0])->facts_read = l->refresh;
}

static void visit(void *context, const struct proc_process *from)
{
	struct live *l = context;
	struct process *p = table_get(&l->table, from->pid);

	l->cost.reads++;
	if (p && process_start_ns(p) != from->facts.start_ns) {
		live_change(l, p, LIFE_REPLACE);
		/* The old one gets its last sample first. */
		if (p->life == LIFE_ENDED)
			return;
		table_sweep(&l->table, &l->attach);
		p = NULL;
	}
	if (!p) {
		p = add_process(l, from);
	} else {
		process_describe(p, from);
		if (p->life < LIFE_WATCHED)
			take_facts(l, p, from);
	}
	p->changed = false;
	p->met = true;
	live_change(l, p, live_is_wanted(l, p) ? LIFE_WANT : LIFE_LEAVE);
}

/* Whether the counters of all wanted processes would take half of the descriptors at most. */
static bool has_plenty(const struct live *l)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < l->table.n; i++) {
		const struct task *t = l->table.v[i]->thread[0].task;

		if (l->table.v[i]->life != LIFE_UNWANTED)
			threads += t->known & FACT_BIT(FACT_NUM_THREADS)
					   ? task_fact(t, FACT_NUM_THREADS)
					   : 1;
	}
	return (double)threads * l->attach.set.plan.n_fds <= (double)l->attach.max_fds / 2;
}

/* Drops the processes that a walk of all has not met, as they have gone; wanted ones get a last
 * sample before. */
static void drop_unmet(struct live *l)
{
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		if (p->life == LIFE_UNWANTED && !p->met)
			live_change(l, p, LIFE_VANISH);
	}
	table_sweep(&l->table, &l->attach);
}

static int walk_all(struct live *l)
{
	int ret;

	for (size_t i = 0; i < l->table.n; i++)
		l->table.v[i]->met = false;
	ret = l->proc->walk(l->proc, NULL, 0, l->want.cmdline, visit, l);
	if (!ret)
		drop_unmet(l);
	l->walk_again = ret != 0;
	l->listed = l->refresh;
	l->plenty = has_plenty(l);
	return ret;
}

static bool has_clock(struct live *l, int pid)
{
	uint64_t ns;

	l->cost.reads++;
	return l->proc->cpu_clock(l->proc, pid, &ns) != -ESRCH;
}

static int list_newcomers(struct live *l)
{
	int ret = l->proc->pids(l->proc, &l->pids);

	l->cost.reads++;
	if (ret)
		return ret;
	l->listed = l->refresh;
	for (size_t i = 0; i < l->pids.n; i++)
		if (!table_get(&l->table, l->pids.v[i]))
			pid_list_add(&l->walk, l->pids.v[i]);
	return 0;
}

/* Whether it is cheaper to ask each pid of the range for its clock than to read all names: one
 * costs about as much as the other. */
static bool is_short(const struct live *l, int from, int to)
{
	return from >= 0 && to >= from && (size_t)(to - from) < 16 + l->table.n / 2;
}

static int find_newcomers(struct live *l, int last_pid)
{
	/* A pid is given some µs before its task can be found, so the pids of the look before are
	 * asked for once more. */
	int from = l->older_pid;

	if (l->list_again || l->refresh - l->listed >= LIST_EVERY || !is_short(l, from, last_pid))
		return list_newcomers(l);
	for (int pid = from + 1; pid <= last_pid; pid++)
		if (!table_get(&l->table, pid) && has_clock(l, pid))
			pid_list_add(&l->walk, pid);
	return 0;
}

/* For so many refreshes a newcomer may become another program, which is what the user asked for by
 * name. */
#define YOUNG_REFRESHES 5

/* Looks at a process that is not wanted: whether it has gone, and whether it has run, so that it
 * may be another program, or be wanted now. */
static void look_at_unwanted(struct live *l, struct process *p)
{
	bool young = l->want.filter.text && l->refresh - p->first_seen < YOUNG_REFRESHES;
	uint64_t ns;
	int ret;

	if (!young && !live_has_turn(l, p))
		return;
	l->cost.reads++;
	ret = l->proc->cpu_clock(l->proc, p->pid, &ns);
	if (ret == -ESRCH)
		live_change(l, p, LIFE_VANISH);
	if (ret || (p->clock_known && ns == p->clock_ns))
		return;
	p->clock_known = true;
	p->clock_ns = ns;
	pid_list_add(&l->walk, p->pid);
}

static void find_changed(struct live *l)
{
	bool gone = false;

	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		if (p->life == LIFE_UNWANTED) {
			look_at_unwanted(l, p);
			gone |= p->life == LIFE_GONE;
		} else if (p->changed && p->life <= LIFE_WATCHED && live_has_turn(l, p)) {
			pid_list_add(&l->walk, p->pid);
		}
	}
	if (gone)
		table_sweep(&l->table, &l->attach);
}

int live_discover(struct live *l, int last_pid)
{
	int ret = 0;

	if (!l->walk_again) {
		ret = find_newcomers(l, last_pid);
		find_changed(l);
	}
	l->older_pid = l->walk_again ? last_pid : l->last_pid;
	l->last_pid = last_pid;
	l->list_again = false;
	if (l->walk_again) {
		l->walk.n = 0;
		return walk_all(l);
	}
	if (!ret && l->walk.n)
		ret = l->proc->walk(l->proc, l->walk.v, l->walk.n, l->want.cmdline, visit, l);
	l->walk.n = 0;
	return ret;
}

bool live_walk_told_all(const struct live *l, const struct process *p)
{
	const struct task *t = p->thread[0].task;
	fact_mask missing = l->want.facts & ~t->known & ~FACT_BIT(FACT_CPU_NS);

	for (const char *c = t->name; *c; c++)
		if (*c == '?' || *c < ' ' || *c > '~')
			return false;
	return t->facts_read == l->refresh && !l->want.threads && !missing;
}
