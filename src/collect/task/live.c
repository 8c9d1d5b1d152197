/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "collect/task/live_detail.h"
#include "collect/task/live_process.h"
#include "model/fact_list.h"

/* ---- process ----
 *
 * Reads one process in one refresh: its facts here, and its counters and threads (live_process.h),
 * in the necessary order.
 */

static void set_cpu_time(struct live *l, struct process *p)
{
	if (l->want.threads)
		return;
	if (p->clock_known)
		task_set_fact(thread_edit(&p->thread[0]), FACT_CPU_NS, p->clock_ns);
	else
		fact_remove(&thread_edit(&p->thread[0])->known, FACT_CPU_NS);
}

/* Returns whether the process has come since the last sample. */
static bool is_newcomer(const struct live *l, const struct process *p)
{
	return l->before_ns && p->first_seen == l->refresh;
}

/* Returns whether the walk of this refresh has read all facts that the process may have. Facts of a
 * newcomer are read again, as it may have ended since the walk; and so are those of a leader if
 * rows are threads, as a walk reports facts of whole processes. */
static bool walk_read_all(const struct live *l, const struct process *p)
{
	return p->life == LIFE_NEW && p->thread[0].task->facts_read == l->refresh &&
	       !l->want.threads && !is_newcomer(l, p);
}

/* Reads a process that ran or is new: opens its counters if that was not tried yet, updates its
 * threads if they matter, reads counters and facts. Applies LIFE_END if the process has left /proc
 * or is a zombie. clock_before: its CPU clock at the previous reading. */
static void live_update_process(struct live *l, struct process *p, uint64_t clock_before, bool ran)
{
	const bool read = !ran && walk_read_all(l, p), again = p->again;

	live_change(l, p, LIFE_LOOK);
	p->again = false;
	p->changed |= ran;
	live_update_counters(l, p, clock_before, ran || again);
	if (!read)
		live_read_facts(l, p, &p->thread[0]);
	if (p->thread[0].life == THREAD_ENDED)
		live_change(l, p, LIFE_END);
	if (p->life == LIFE_ENDED)
		return;
	set_cpu_time(l, p);
	live_update_threads(l, p);
	live_read_threads(l, p);
	if (live_is_zombie(p))
		live_change(l, p, LIFE_END);
}

/* Reads facts that may change while the process does not run. */
static void live_update_facts(struct live *l, struct process *p)
{
	for (size_t i = 0; i < p->n && p->life == LIFE_WATCHED; i++) {
		struct thread *t = &p->thread[i];

		if (t->life == THREAD_LIVES && (i == 0 || l->want.threads))
			live_read_facts(l, p, t);
	}
	set_cpu_time(l, p);
	if (p->life == LIFE_WATCHED && (p->thread[0].life == THREAD_ENDED || live_is_zombie(p)))
		live_change(l, p, LIFE_END);
}

/* ---- walk ----
 *
 * Finds the processes.
 *
 * The first walk visits all of them. From then on, each pid that was assigned since the last
 * refresh is tested: if it has a CPU clock, it is a new process, since the clock of a thread cannot
 * be read by other processes. The names in /proc are listed only if many pids were assigned or one
 * was reused, and as a check: every LIST_EVERY refreshes, or LIST_QUIET if no pid was assigned
 * since the last list. Only a walk reports owner and command line, which change only while a
 * process runs: processes that ran are walked again in their slice (live_in_slice()).
 */

#define LIST_EVERY 10
#define LIST_QUIET 60

/* Facts that all threads of a process have in common, and that are kept from the walk. */
#define OF_PROCESS FACT_SET(FACT_NUM_THREADS, FACT_PPID)

/* Returns whether rows are threads, the process passes the filter apart from its text, and the name
 * of one of its threads contains this text. */
static bool has_wanted_thread(struct live *l, const struct process *p)
{
	const struct task *leader = p->thread[0].task;
	struct filter others = l->want.filter;
	struct proc_facts facts;

	others.text = NULL;
	if (!l->want.threads || !l->want.filter.text || !filter_match(&others, leader, false))
		return false;
	if (fact_in(leader->known, FACT_NUM_THREADS) && task_fact(leader, FACT_NUM_THREADS) <= 1)
		return false;
	l->cost.reads++;
	if (l->proc->tids(l->proc, p->pid, &l->tids))
		return false;
	for (size_t i = 0; i < l->tids.n; i++) {
		l->cost.reads++;
		if (!l->proc->facts(l->proc, p->pid, l->tids.v[i], FACT_NONE, NULL, &facts) &&
		    strstr(facts.name, l->want.filter.text))
			return true;
	}
	return false;
}

/* Returns whether the process passes the filter, or, if rows are threads, one of its threads. The
 * text of the filter may be in the name or in the command line, since the user can switch between
 * the two without a new sample. */
static bool live_is_wanted(struct live *l, const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return filter_match(&l->want.filter, t, false) || filter_match(&l->want.filter, t, true) ||
	       has_wanted_thread(l, p);
}

static struct process *add_process(struct live *l, const struct proc_process *from)
{
	struct proc_process changed = *from;
	struct process *p;
	uint64_t ns;

	/* A walk reports facts of whole processes. If rows are threads, the row of a leader needs
	 * the facts of the leader alone. */
	if (l->want.threads)
		changed.facts.known = fact_and(changed.facts.known, OF_PROCESS);
	p = table_add(&l->table, &changed, live_room(l, NULL));
	p->first_seen = l->refresh;
	/* not 0: else it would seem to be idle for the longest time */
	p->last_ran = l->refresh - 1;
	p->thread[0].task->facts_read = l->refresh;
	/* The value to compare with at later refreshes, to see whether the process has run. */
	l->cost.reads++;
	p->clock_known = !l->proc->cpu_clock(l->proc, p->pid, &ns);
	p->clock_ns = p->clock_known ? ns : 0;
	return p;
}

/* Sets the facts of a known process again, which were forgotten when the generation began. */
static void restore_facts(struct live *l, struct process *p, const struct proc_process *from)
{
	struct proc_facts facts = from->facts;

	if (l->want.threads)
		facts.known = fact_and(facts.known, OF_PROCESS);
	process_set_facts(p, &p->thread[0], &facts, live_room(l, p));
	thread_edit(&p->thread[0])->facts_read = l->refresh;
}

/* Reads the wanted facts of a process that the walk has not read, so that this refresh need not
 * open all its files a second time. */
static void complete_facts(struct live *l, struct process *p, const struct proc_process *from)
{
	struct fact_set more = fact_less(l->want.facts, from->facts.known);
	struct proc_facts facts;

	fact_remove(&more, FACT_CPU_NS);
	if (!fact_any(more) || !walk_read_all(l, p))
		return;
	facts = from->facts;
	l->cost.reads++;
	l->proc->add_facts(l->proc, p->pid, 0, more, NULL, &facts);
	process_set_facts(p, &p->thread[0], &facts, live_room(l, p));
}

static void visit(void *context, const struct proc_process *from)
{
	struct live *l = context;
	struct process *p = table_get(&l->table, from->pid);

	l->cost.reads++;
	if (p && process_start_ns(p) != from->facts.start_ns) {
		live_change(l, p, LIFE_REPLACE);
		/* The old process is sampled once more before it is freed. */
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
			restore_facts(l, p, from);
	}
	p->changed = false;
	p->met = true;
	live_change(l, p, live_is_wanted(l, p) ? LIFE_WANT : LIFE_LEAVE);
	complete_facts(l, p, from);
}

/* Returns whether the counters of all wanted processes would take at most half of the
 * descriptors. */
static bool has_plenty_fds(const struct live *l)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < l->table.n; i++) {
		const struct task *t = l->table.v[i]->thread[0].task;

		if (l->table.v[i]->life != LIFE_UNWANTED)
			threads += fact_in(t->known, FACT_NUM_THREADS)
					   ? task_fact(t, FACT_NUM_THREADS)
					   : 1;
	}
	return (double)threads * l->attach.set.plan.n_fds <= (double)l->attach.max_fds / 2;
}

/* Frees the unwanted processes that a walk of all processes has not found: they have ended. Wanted
 * processes are sampled once more first. */
static void drop_vanished(struct live *l)
{
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		if (p->life == LIFE_UNWANTED && !p->met)
			live_change(l, p, LIFE_VANISH);
	}
	table_sweep(&l->table, &l->attach);
}

static int walk_all(struct live *l, int last_pid)
{
	int ret;

	for (size_t i = 0; i < l->table.n; i++)
		l->table.v[i]->met = false;
	ret = l->proc->walk(l->proc, NULL, 0, l->want.cmdline, visit, l);
	if (!ret)
		drop_vanished(l);
	l->walk_again = ret != 0;
	l->listed = l->refresh;
	l->listed_pid = last_pid;
	l->plenty = has_plenty_fds(l);
	return ret;
}

static bool has_clock(struct live *l, int pid)
{
	uint64_t ns;

	l->cost.reads++;
	return l->proc->cpu_clock(l->proc, pid, &ns) != -ESRCH;
}

static int list_newcomers(struct live *l, int last_pid)
{
	int ret = l->proc->pids(l->proc, &l->pids);

	l->cost.reads++;
	if (ret)
		return ret;
	l->listed = l->refresh;
	l->listed_pid = last_pid;
	for (size_t i = 0; i < l->pids.n; i++)
		if (!table_get(&l->table, l->pids.v[i]))
			pid_list_add(&l->walk, l->pids.v[i]);
	return 0;
}

/* Returns whether it is cheaper to read the CPU clock of each pid in this range than to list all
 * names in /proc. A clock and a name cost about the same. */
static bool is_short(const struct live *l, int from, int to)
{
	return from >= 0 && to >= from && (size_t)(to - from) < 16 + l->table.n / 2;
}

static bool is_list_due(const struct live *l, int last_pid)
{
	return l->refresh - l->listed >= (last_pid == l->listed_pid ? LIST_QUIET : LIST_EVERY);
}

static int find_newcomers(struct live *l, int last_pid)
{
	/* A pid is assigned some µs before its task can be found, so the pids of the previous
	 * refresh are tried again. */
	int from = l->previous_pid;

	if (l->list_again || is_list_due(l, last_pid) || !is_short(l, from, last_pid))
		return list_newcomers(l, last_pid);
	for (int pid = from + 1; pid <= last_pid; pid++)
		if (!table_get(&l->table, pid) && has_clock(l, pid))
			pid_list_add(&l->walk, pid);
	return 0;
}

/* With a filter by text, a new process that does not match is checked in each of its first
 * refreshes, this many, since it may soon execute a program that matches. */
#define YOUNG_REFRESHES 5

/* Checks whether an unwanted process has ended, or has run. If it has run, it is walked again, as
 * it may have executed a program that passes the filter. */
static void look_at_unwanted(struct live *l, struct process *p)
{
	bool young = l->want.filter.text && l->refresh - p->first_seen < YOUNG_REFRESHES;
	uint64_t ns;
	int ret;

	if (!young && !live_in_slice(l, p))
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
		} else if (p->changed && p->life <= LIFE_WATCHED && live_in_slice(l, p)) {
			pid_list_add(&l->walk, p->pid);
		}
	}
	if (gone)
		table_sweep(&l->table, &l->attach);
}

/* Finds new processes, and walks those again that may have changed. Returns 0, or -errno if the
 * tasks cannot be listed. */
static int live_discover(struct live *l, int last_pid)
{
	int ret = 0;

	if (!l->walk_again) {
		ret = find_newcomers(l, last_pid);
		find_changed(l);
	}
	l->previous_pid = l->walk_again ? last_pid : l->last_pid;
	l->last_pid = last_pid;
	l->list_again = false;
	if (l->walk_again) {
		l->walk.n = 0;
		return walk_all(l, last_pid);
	}
	if (!ret && l->walk.n)
		ret = l->proc->walk(l->proc, l->walk.v, l->walk.n, l->want.cmdline, visit, l);
	l->walk.n = 0;
	return ret;
}

/* ---- live ---- */

static struct live *self_of(struct source *source)
{
	return (struct live *)source;
}

/* Reading the time takes as long as asking this many sleeping processes. */
#define ASLEEP_MAX 16

/* Returns whether the process has certainly not run since the previous refresh: it sleeps. */
static bool has_slept(struct live *l, const struct process *p)
{
	if (!sleeping_trusts(p, l->refresh) || process_was_scheduled(p))
		return false;
	if (++l->n_asleep % ASLEEP_MAX == 0)
		live_now_us(l);
	return true;
}

/* Puts an idle process to sleep, with all of its threads. */
static void put_to_sleep(struct live *l, struct process *p)
{
	l->tids.n = 0;
	if (task_fact(p->thread[0].task, FACT_NUM_THREADS) == 1) {
		pid_list_add(&l->tids, p->pid);
	} else {
		l->cost.reads++;
		if (l->proc->tids(l->proc, p->pid, &l->tids))
			return;
	}
	sleeping_begin(&l->sleeping, &l->attach, p, &l->tids, l->refresh);
}

/* Wakes a process that may have run, and puts one to sleep that was idle for long enough. ran: its
 * clock, which has just been read, has grown. */
static void change_sleep(struct live *l, struct process *p, bool ran)
{
	if (process_sleeps(p))
		sleeping_check(&l->attach, p, ran, l->refresh);
	else if (!ran && sleeping_may_begin(&l->sleeping, &l->attach, p, l->refresh))
		put_to_sleep(l, p);
}

/* Finds whether a process ran: by its clock, unless its page shows that it slept (sleeping.h). A
 * process without a clock ends. A process that ran, is new or is to be read again is added to
 * l->ran. */
static void look_at_clock(struct live *l, struct process *p)
{
	uint64_t ns = 0, before = p->clock_ns;
	int64_t us = 0;
	bool slept, ran;
	int ret;

	if (p->life == LIFE_UNWANTED || p->life == LIFE_REPORTED)
		return;
	l->cost.tasks++;
	/* The walk has found another process with its pid. */
	if (p->life == LIFE_ENDED)
		return;
	slept = has_slept(l, p);
	ret = slept ? 0 : live_read_clock(l, p, &ns, &us);
	if (ret == -ESRCH) {
		live_change(l, p, LIFE_END);
		return;
	}
	/* A process whose clock cannot be read may have run. */
	ran = !slept && (ret || !p->clock_known || ns != p->clock_ns);
	if (!slept) {
		p->clock_known = !ret;
		p->clock_ns = ns;
		change_sleep(l, p, ran);
	}
	process_set_time(p, slept ? l->last_us : us, ran);
	if (ran)
		p->last_ran = l->refresh;
	else if (l->refresh - p->last_ran == LIVE_IDLE_REFRESHES)
		live_drop_files(l, p);
	if (ran || p->life == LIFE_NEW || p->again) {
		l->ran = xgrow(l->ran, &l->cap_ran, l->n_ran + 1, sizeof *l->ran);
		l->ran[l->n_ran++] = (struct ran){p, before};
	} else if (l->more_facts || (l->drifting && live_in_slice(l, p))) {
		live_update_facts(l, p);
	}
}

/* Orders the busiest process first, for qsort(). */
static int compare_growth(const void *a, const void *b)
{
	const struct ran *x = a, *y = b;
	uint64_t x_ns = x->process->clock_ns - x->clock_before,
		 y_ns = y->process->clock_ns - y->clock_before;

	return x_ns > y_ns ? -1 : x_ns < y_ns;
}

#define CACHE_LINE 64
#define AHEAD      2 /* reading a process takes a system call, longer than a memory access */

/* Prefetches a process that will be read soon: since the last refresh, system calls have replaced
 * it in the CPU caches. */
static void fetch_ahead(const struct table *t, size_t i)
{
	const char *p = i < t->n ? (const char *)t->v[i] : NULL;

	for (size_t line = 0; p && line < sizeof(struct process); line += CACHE_LINE)
		__builtin_prefetch(p + line, 1);
}

static void look_at_all(struct live *l)
{
	l->n_ran = 0;
	l->drifting = fact_any(fact_and(l->want.facts, fact_drifting));
	live_now_us(l);
	sleeping_update(&l->sleeping, &l->attach, l->table.n, l->refresh);
	for (size_t i = 0; i < l->table.n; i++) {
		fetch_ahead(&l->table, i + AHEAD);
		look_at_clock(l, l->table.v[i]);
	}
	l->cost.ran = l->n_ran;
	/* The order decides which processes get the last descriptors. */
	if (!l->plenty)
		array_sort(l->ran, l->n_ran, sizeof *l->ran, compare_growth);
	for (size_t i = 0; i < l->n_ran; i++) {
		struct process *p = l->ran[i].process;

		live_update_process(l, p, l->ran[i].clock_before, p->last_ran == l->refresh);
	}
	live_serve_waiting(l);
	l->more_facts = false;
	/* The first sample lists all processes: frees the memory that later samples do not need. */
	if (l->cap_ran / 8 > l->n_ran) {
		free(l->ran);
		l->ran = NULL;
		l->cap_ran = 0;
	}
}

/* Returns whether t sorts after `before`, the task added just before it. Comparing the IDs decides
 * this for most tasks. */
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
	out->one_set = true; /* add_task() sets the same events in all rows */
	sample_set_machine(out, l->machine);
}

/* Returns whether the zombie still exists. Its pid may belong to another process now. */
static bool is_unreaped(struct live *l, const struct process *p)
{
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, p->pid, 0, FACT_NONE, NULL, &facts);
	bool same = ret || facts.start_ns == process_start_ns(p);

	l->cost.reads++;
	l->list_again |= !same;
	return ret != -ESRCH && same;
}

/* Adds the process to the sample; a process whose end has been sampled becomes GONE once it has
 * left /proc. */
static void emit_process(struct live *l, struct process *p, struct sample *out)
{
	bool zombie = p->thread[0].task->state == 'Z';

	if (p->life == LIFE_REPORTED) {
		if (!zombie || !is_unreaped(l, p))
			live_change(l, p, LIFE_VANISH);
		return;
	}
	process_share_texts(p);
	for (size_t i = 0; i < p->n; i++)
		add_task(l, out, p, &p->thread[i]);
	live_drop_ended_threads(l, p);
	if (p->life != LIFE_ENDED)
		return;
	live_change(l, p, LIFE_REPORT);
	if (!zombie)
		live_change(l, p, LIFE_VANISH);
}

/* Returns the pid of the parent; 0: unknown. */
static int parent_of(const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return fact_in(t->known, FACT_PPID) ? (int)task_fact(t, FACT_PPID) : p->parent;
}

/* Adds the ancestors of the process that the filter leaves out to the sample, from its parent up to
 * the first ancestor that has a row already. Their rows have no counters, and only the fact
 * PPID. */
static void emit_ancestors(struct live *l, const struct process *child, struct sample *out)
{
	for (;;) {
		struct process *p = table_get(&l->table, parent_of(child));

		if (!p || p->life != LIFE_UNWANTED || p->followed == l->refresh)
			return;
		p->followed = l->refresh;
		process_set_parent(p);
		add_task(l, out, p, &p->thread[0]);
		out->n_left_out--;
		child = p;
	}
}

/* Adds ancestors if the screen needs parents. */
static void emit_all_ancestors(struct live *l, struct sample *out)
{
	if (!fact_in(l->want.facts, FACT_PPID))
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

/* Begins a new generation: closes all counters, so that the next sample opens them. */
static void restart_generation(struct live *l)
{
	for (size_t i = 0; i < l->table.n; i++)
		live_change(l, l->table.v[i], LIFE_RESTART);
	l->generation++;
	l->walk_again = true; /* the walk reads the forgotten facts again */
}

/* Logs why a trial could not be made. Trials are made for the first plan, and when a group waits in
 * vain; the log keeps each sentence once. */
static void log_untried(struct live *l)
{
	if (l->want.log && l->attach.trial.untried.code)
		log_add(l->want.log, LOG_SCREEN, l->attach.trial.untried.text);
}

/* Logs that an impossible event has happened, which users should report. */
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
	/* If the walk failed, known processes can still be read, and the next refresh lists all
	 * again. */
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
		restart_generation(l);
	/* The command executes its program after this sample. Counters that are opened later must
	 * not wait for another execve(2). */
	l->want.command = 0;
	update_note(l, out);
	if (ret)
		note_list(l, ret);
	return 0;
}

static int live_configure(struct source *source, struct want *want, struct err *note)
{
	struct live *l = self_of(source);

	restart_generation(l);
	l->broken = l->more_facts = false;
	l->attach.no_hardware = want->no_hardware;
	attach_configure(&l->attach, &want->events, want->threads, note);
	l->want = *want;
	l->want.facts = fact_less(l->want.facts, fact_always_read());
	log_untried(l);
	return 0;
}

static const struct sample_events *live_events(const struct source *source)
{
	return ((const struct live *)source)->attach.counted;
}

/* Sets another filter. Processes that are no longer wanted lose their counters; those that are
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
	l->walk_again = true; /* unwanted processes are not kept up to date */
	return others;
}

static bool live_go_on(struct source *source, struct want *want)
{
	struct live *l = self_of(source);
	const struct fact_set facts = fact_less(want->facts, fact_always_read()),
			      more = fact_less(facts, l->want.facts);

	/* Facts per thread cannot be added: the threads were not followed one by one so far. */
	if (want->threads != l->want.threads || l->broken ||
	    (!want->threads && fact_any(fact_and(more, fact_per_thread))))
		return false;
	attach_go_on(&l->attach, &want->events);
	l->want = *want;
	l->want.facts = facts;
	l->more_facts |= fact_any(more);
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
	sleeping_stop(&l->sleeping, &l->attach);
	attach_done(&l->attach);
	sample_machine_unref(l->machine);
	free(l->pids.v);
	free(l->walk.v);
	free(l->tids.v);
	free(l->ran);
	fd_budget_done(&l->room);
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
	l->last_pid = l->previous_pid = -1;
	l->walk_again = true;
	attach_init(&l->attach, sys);
	return &l->source;
}
