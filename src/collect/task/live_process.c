/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/live_process.h"

#include <errno.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"

/* ---- process ---- */

/* Reads the final counts of a thread that has ended. */
static void live_read_last(struct live *l, struct process *p, struct thread *t);
/* Marks the counters of a process as no longer valid: the next refresh opens them again, even if
 * the process has not run. */
static void live_reset_counters(struct live *l, struct process *p);

/* Returns the thread that stores the state of the counters of t: t itself if rows are threads, else
 * the leader. */
static struct thread *live_unit(const struct live *l, const struct process *p, struct thread *t)
{
	return l->want.threads ? t : &p->thread[0];
}

/* Returns how many threads of the process, from thread[0] on, store a state of counters: all if
 * rows are threads, else the leader alone. */
static size_t live_n_units(const struct live *l, const struct process *p)
{
	return l->want.threads ? p->n : 1;
}

int64_t live_now_us(struct live *l)
{
	l->last_us = (int64_t)(l->proc->now(l->proc) / 1000);
	return l->last_us;
}

/* Reading a clock takes about 1 µs. If this much time has passed, tiptop was not running. */
#define DELAY_US  2000
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
	} while (!ret && *us - before > DELAY_US && ++tries < MAX_TRIES);
	return ret;
}

void live_drop_files(struct live *l, struct process *p)
{
	for (size_t i = 0; i < p->n; i++)
		thread_drop_files(&p->thread[i], &l->attach);
}

static void live_drop_all_files(struct live *l)
{
	sleeping_stop(&l->sleeping, &l->attach);
	for (size_t i = 0; i < l->table.n && l->attach.n_files + l->attach.n_sleeping; i++) {
		live_drop_files(l, l->table.v[i]);
		process_wake(l->table.v[i], &l->attach);
	}
}

bool live_in_slice(const struct live *l, const struct process *p)
{
	return (uint32_t)p->pid % LIVE_SLICES == l->refresh % LIVE_SLICES;
}

struct fact_set live_room(const struct live *l, const struct process *p)
{
	const struct fact_set room =
		fact_or(l->want.facts, FACT_SET(FACT_CPU_NS, FACT_NUM_THREADS));

	/* User and system time, in ticks, are needed if the CPU clock cannot be read. */
	return l->want.threads || (p && !p->clock_known)
		       ? fact_or(room, FACT_SET(FACT_UTIME_NS, FACT_STIME_NS))
		       : room;
}

/* Lists the tids of the threads of a process in l->tids, sorted. Returns 0, or -errno. */
static int live_list_threads(struct live *l, const struct process *p)
{
	int ret = l->proc->tids(l->proc, p->pid, &l->tids);

	l->cost.reads++;
	/* The kernel lists threads in the order of their start; mostly the tids are sorted
	 * already. */
	for (size_t i = 1; i < l->tids.n; i++)
		if (l->tids.v[i - 1] > l->tids.v[i]) {
			array_sort(l->tids.v, l->tids.n, sizeof *l->tids.v, pid_compare);
			break;
		}
	return ret;
}

/* Returns whether the process may have threads beside its leader. */
static bool live_may_have_threads(const struct process *p)
{
	const struct task *t = p->thread[0].task;

	return !fact_in(t->known, FACT_NUM_THREADS) || task_fact(t, FACT_NUM_THREADS) > 1;
}

bool live_is_zombie(const struct process *p)
{
	return p->thread[0].task->state == 'Z' && !live_may_have_threads(p);
}

/* Ends a process. replaced: another process has its pid. The final counts come from the
 * descriptors, which outlive the task. The facts are lost, except those of a zombie, which have
 * just been read; the threads of a zombie have no entry in /proc. */
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
		if (live_unit(l, p, t)->counters == COUNTERS_REVOKED)
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

	if (after == LIFE_INVALID) {
		l->refused++;
		return;
	}
	p->life = (uint8_t)after;
	if ((event == LIFE_LEAVE || event == LIFE_RESTART) && after != LIFE_REPORTED)
		process_detach(p, &l->attach);
	if (after != LIFE_NEW && after != LIFE_WATCHED)
		process_wake(p, &l->attach);
	if (before == LIFE_WATCHED && after == LIFE_ENDED)
		end_process(l, p, event == LIFE_REPLACE);
}

/* Updates owner and command line of a process after an execve(2), so that the command line changes
 * together with the name. */
static void describe(void *context, const struct proc_process *from)
{
	struct process *p = context;

	if (process_start_ns(p) == from->facts.start_ns)
		process_describe(p, from);
}

void live_read_facts(struct live *l, struct process *p, struct thread *t)
{
	bool leader = t == &p->thread[0], whole = leader && !l->want.threads;
	/* In rows of processes, texts are read for the leader only. */
	struct fact_set want = leader || l->want.threads
				       ? l->want.facts
				       : fact_less(l->want.facts, fact_read_texts());
	struct proc_facts facts;
	int ret;

	if (t->task->facts_read + 1 == l->refresh)
		thread_keep_files(t, &l->attach);
	ret = l->proc->facts(l->proc, p->pid, whole ? 0 : thread_tid(t), want, t->files, &facts);
	l->cost.reads++;
	if (ret == -ESRCH) {
		/* Kept files are those of the task that has ended: another one may have its pid. */
		l->list_again |= t->files != NULL;
		live_change_thread(l, p, t, THREAD_END);
	} else if (ret) {
		/* Earlier values must not be used for the increments of this interval. */
		thread_forget_increments(t);
	}
	if (ret)
		return;
	/* The facts of a process belong to the moment of its CPU clock, which has just been
	 * read. */
	if (!whole || !p->clock_known)
		t->facts_us = live_now_us(l);
	if (leader && facts.start_ns != process_start_ns(p)) {
		/* The pid belongs to another process now. */
		live_change(l, p, LIFE_REPLACE);
		return;
	}
	if (process_set_facts(p, t, &facts, live_room(l, p))) {
		/* execve(2): the command line is new. If the kernel refused to count the old
		 * program, it may permit to count the new one. */
		if (l->want.cmdline)
			l->proc->walk(l->proc, &p->pid, 1, true, describe, p);
		pid_list_add(&l->walk, p->pid);
		if (t->task->counting == COUNT_DENIED)
			live_reset_counters(l, p);
	}
	thread_edit(t)->facts_read = l->refresh;
}

/* ---- threads ----
 *
 * Finds new threads of one process, and threads that have ended, if its threads must be known one
 * by one.
 */

/* Returns whether the threads of a process must be known one by one at every refresh. */
static bool threads_matter(const struct live *l)
{
	return l->want.threads || fact_any(fact_and(l->want.facts, fact_per_thread)) ||
	       (l->attach.n_usable && !l->attach.set.inherit);
}

static void live_open_counters(struct live *l, struct process *p, struct thread *t);

static void live_want_counters(struct live *l, struct process *p, struct thread *t);

/* Opens the counters of a thread that has none. In rows of processes, counters of other tasks are
 * closed for the thread only at the first attempt; after that, it waits until descriptors are
 * free. */
static void open_thread(struct live *l, struct process *p, struct thread *t)
{
	if (l->want.threads)
		live_want_counters(l, p, t);
	else if (t->task->counting != COUNT_NOFILE || attach_has_fds(&l->attach))
		live_open_counters(l, p, t);
}

/* Adds a thread that has started since the threads were last listed. If groups inherit, the group
 * of its creator counts it. */
static void begin_thread(struct live *l, struct process *p, int tid)
{
	enum count_state leader = p->thread[0].task->counting;
	struct thread *t = process_add_thread(p, tid, live_room(l, p));

	t->seen = true;
	if (l->attach.set.inherit)
		thread_set_counting(t, leader == COUNT_OK ? COUNT_INHERITED : leader);
	else if (process_is_attached(p))
		open_thread(l, p, t);
	else if (l->want.threads && p->thread[0].counters == COUNTERS_IDLE)
		live_change_counters(l, p, t, COUNTERS_SLEEP);
	else
		thread_set_counting(t, leader);
}

/* Marks a listed thread as seen. If it had ended, its tid belongs to another thread now. */
static void mark_thread(struct live *l, struct process *p, struct thread *t)
{
	t->seen = true;
	if (t->life != THREAD_ENDED)
		return;
	if (t->group && l->attach.set.inherit) {
		/* Its group counts other threads, but its reading is that of the thread that has
		 * ended: all counters of the process are opened again. */
		live_reset_counters(l, p);
		return;
	}
	live_change_thread(l, p, t, THREAD_RETURN);
}

static void end_thread(struct live *l, struct process *p, struct thread *t)
{
	/* In rows of processes, the last counts of the thread stay in the sum of its process. */
	if (l->want.threads)
		thread_edit(t)->lost = true;
	else
		thread_edit(t)->ended = true;
	/* The thread may have run without counters, while other tasks had its descriptors. */
	if (!t->group && live_unit(l, p, t)->counters == COUNTERS_REVOKED)
		thread_edit(t)->gap = true;
	live_read_last(l, p, t);
	/* If groups inherit, closing the group of this thread would end the counting of the threads
	 * that it started. */
	if (!l->attach.set.inherit)
		thread_close(t, &l->attach);
	if (l->want.threads)
		live_change_counters(l, p, t, COUNTERS_END);
}

void live_change_thread(struct live *l, struct process *p, struct thread *t,
			enum thread_event event)
{
	if (!thread_change(t, event)) {
		l->refused++;
	} else if (event == THREAD_END && t == &p->thread[0]) {
		thread_edit(t)->lost = true;
	} else if (event == THREAD_END) {
		end_thread(l, p, t);
	} else if (event == THREAD_RETURN) {
		thread_edit(t)->ended = false;
		if (!l->attach.set.inherit)
			open_thread(l, p, t);
	}
}

void live_update_threads(struct live *l, struct process *p)
{
	int ret;

	if (!threads_matter(l) || (p->n == 1 && !live_may_have_threads(p)))
		return;
	ret = live_list_threads(l, p);
	/* Some threads may not be counted: the sum over the others would not be that of the
	 * process. */
	if (ret && ret != -ESRCH && !l->attach.set.inherit && !l->want.threads)
		thread_edit(&p->thread[0])->unread = ~0ull;
	if (ret)
		return;
	for (size_t i = 0; i < p->n; i++)
		p->thread[i].seen = false;
	for (size_t i = 0; i < l->tids.n; i++) {
		struct thread *t = process_find_thread(p, l->tids.v[i]);

		if (t)
			mark_thread(l, p, t);
		else
			begin_thread(l, p, l->tids.v[i]);
	}
	for (size_t i = 1; i < p->n; i++)
		if (!p->thread[i].seen && p->thread[i].life == THREAD_LIVES)
			live_change_thread(l, p, &p->thread[i], THREAD_END);
}

static void live_read_counters(struct live *l, struct process *p, struct thread *t);

static bool live_needs_counters(const struct live *l, const struct process *p,
				const struct thread *t);

static uint64_t live_enabled_ns(const struct thread *t);

void live_read_threads(struct live *l, struct process *p)
{
	bool facts = l->want.threads || fact_any(fact_and(l->want.facts, fact_per_thread));

	for (size_t i = 1; i < p->n; i++) {
		struct thread *t = &p->thread[i];
		uint64_t before = live_enabled_ns(t);
		bool had = t->group, ran;

		/* A thread that has ended gets no new counters, but those that it has are read: if
		 * groups inherit, its group still counts the threads that it started. */
		if (!l->attach.set.inherit && live_needs_counters(l, p, t))
			open_thread(l, p, t);
		else
			live_read_counters(l, p, t);
		/* A thread whose counters have just been opened is taken to have run. */
		ran = !had || !t->group || (t->task->gap && !t->sampled) || t->task->unread & 1 ||
		      live_enabled_ns(t) != before;
		if (t->life == THREAD_LIVES && facts &&
		    (ran || !fact_any(t->task->known) || l->more_facts))
			live_read_facts(l, p, t);
		else if (l->refresh - t->task->facts_read > LIVE_IDLE_REFRESHES)
			thread_drop_files(t, &l->attach);
	}
}

/* Returns whether the thread was not counted and may have started threads that are not counted
 * either: the sum then stays partial. */
static bool may_miss_threads(const struct live *l, const struct task *t)
{
	return l->attach.set.inherit && l->attach.n_usable &&
	       (t->counting == COUNT_NOFILE || t->counting == COUNT_REFUSED ||
		t->counting == COUNT_NONE);
}

void live_drop_ended_threads(struct live *l, struct process *p)
{
	bool gone = false;

	for (size_t i = 1; i < p->n; i++) {
		struct thread *t = &p->thread[i];
		/* A thread that has ended is still needed if its group counts the threads that it
		 * started. It is also needed as long as it is listed: its facts were added to the
		 * process, so it must not be added as a new thread. */
		bool needed =
			!l->want.threads && (t->group || may_miss_threads(l, t->task) || t->seen);

		if (t->life == THREAD_LIVES || needed)
			continue;
		live_change_thread(l, p, t, THREAD_DROP);
		gone = true;
	}
	if (gone)
		process_sweep(p, &l->attach);
}

/* ---- fd budget ----
 *
 * Shares the file descriptors, if there are too few for all tasks that run.
 *
 * A task that needs descriptors waits until all tasks have been read. Then counters of other tasks,
 * the holders, are closed until there are enough descriptors. Holders that are idle processes come
 * first, the longest idle before the others. Holders whose turn (TURN_REFRESHES) is over come next:
 * threads that did not run although their process did, then tasks that ran, the longest open before
 * the others. Among the waiting tasks, the one that has waited longest is served first, so that
 * each gets its turn. Only some turns end in one refresh, since opening counters is expensive.
 *
 * A holder, or a waiting task, is a process with all of its threads; if rows are threads, it is one
 * thread.
 */

/* Length of a turn. Its first interval has no counts, since the counters were opened in it. */
#define TURN_REFRESHES 4

/* Limit of turns that end in one refresh: the largest possible number of holders divided by
 * TURNS_PART, but at least TURNS_MIN. */
#define TURNS_MIN  16
#define TURNS_PART 64

/* The order in which the counters of holders are closed. Even a thread that did not run
 * (IDLE_THREAD) keeps its counters until its turn is over, as it is unknown whether the waiting
 * threads would run. */
enum rank { IDLE, IDLE_THREAD, RUNS };

static int compare_keys(const void *a, const void *b)
{
	const struct fd_budget_entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void add_entry(struct fd_budget_list *list, struct process *p, const struct thread *t,
		      uint64_t key)
{
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = (struct fd_budget_entry){p, thread_tid(t), key};
}

static void sort_entries(struct fd_budget_list *list)
{
	array_sort(list->v, list->n, sizeof *list->v, compare_keys);
}

static size_t live_unit_threads(const struct live *l, struct process *p, struct thread **t);

static bool has_group(const struct live *l, struct process *p, struct thread *t)
{
	for (size_t n = live_unit_threads(l, p, &t); n > 0; n--, t++)
		if (t->group)
			return true;
	return false;
}

/* Adds a holder, unless its turn is not over or it is the command. The key orders holders by rank;
 * then idle ones by the refresh in which they last ran, others by the refresh in which their
 * counters were opened. */
static void list_holder(struct live *l, struct process *p, const struct thread *t)
{
	enum rank rank = IDLE;

	/* If a sample has the reading already, it was not made in this refresh: the thread did not
	 * run. */
	if (p->last_ran == l->refresh)
		rank = l->want.threads && t->sampled ? IDLE_THREAD : RUNS;
	if (p->pid == l->want.command || (rank > IDLE && l->refresh - t->since < TURN_REFRESHES))
		return;
	add_entry(&l->room.holders, p, t,
		  (uint64_t)rank << 32 | (rank > IDLE ? t->since : p->last_ran));
}

static void list_holders(struct live *l)
{
	struct fd_budget *r = &l->room;

	r->listed = l->refresh;
	r->holders.n = r->next = 0;
	r->turns = l->attach.max_fds /
		   (l->attach.set.plan.n_fds > 0 ? l->attach.set.plan.n_fds : 1) / TURNS_PART;
	r->turns = r->turns > TURNS_MIN ? r->turns : TURNS_MIN;
	for (size_t i = 0; i < l->table.n; i++) {
		struct process *p = l->table.v[i];

		for (size_t k = 0; k < live_n_units(l, p); k++)
			if (has_group(l, p, &p->thread[k]))
				list_holder(l, p, &p->thread[k]);
	}
	sort_entries(&r->holders);
}

static void revoke_from(struct live *l, const struct fd_budget_entry *h)
{
	struct thread *t = process_find_thread(h->process, h->tid);

	/* The holder may have lost its counters since it was listed. */
	if (t && has_group(l, h->process, t))
		live_change_counters(l, h->process, t, COUNTERS_REVOKE);
}

/* Closes all files in /proc that are kept open, and wakes all processes that sleep; then, if
 * want.collect is set, counters of other processes than p (if rows are threads: of any thread),
 * until there are descriptors for one more group, no holder is left, or no more turns may end in
 * this refresh. */
static void live_free_fds(struct live *l, const struct process *p)
{
	struct fd_budget *r = &l->room;

	live_drop_all_files(l);
	if (!l->want.collect)
		return;
	if (r->listed != l->refresh)
		list_holders(l);
	while (!attach_has_fds(&l->attach) && r->next < r->holders.n) {
		const struct fd_budget_entry *h = &r->holders.v[r->next++];

		/* Process p keeps its own groups, some of which it has just opened. */
		if (h->process == p && !l->want.threads)
			continue;
		if (h->key >> 32 > IDLE && r->turns-- <= 0)
			return;
		revoke_from(l, h);
	}
}

static void live_open_unit(struct live *l, struct process *p, struct thread *t);

/* Opens the counters of a process, or of one thread if rows are threads: at once if there are
 * descriptors and no task waits, else in live_serve_waiting(). Waiting tasks are ordered by the
 * refresh in which they began to wait, then by the order of these calls. */
static void live_want_counters(struct live *l, struct process *p, struct thread *t)
{
	uint64_t since = t->counters == COUNTERS_WAIT ? t->since : l->refresh;
	struct fd_budget_list *waiters = &l->room.waiters;

	/* Its counters were closed for other tasks in this refresh, after they were read. */
	if (t->counters == COUNTERS_REVOKED && t->since == l->refresh)
		return;
	if (attach_has_fds(&l->attach) && !waiters->n)
		live_open_unit(l, p, t);
	else
		add_entry(waiters, p, t, since << 32 | (uint32_t)waiters->n);
}

void live_serve_waiting(struct live *l)
{
	struct fd_budget_list *waiters = &l->room.waiters;

	sort_entries(waiters);
	for (size_t i = 0; i < waiters->n; i++) {
		struct process *p = waiters->v[i].process;
		struct thread *t = process_find_thread(p, waiters->v[i].tid);

		if (t && p->life == LIFE_WATCHED && t->life == THREAD_LIVES)
			live_open_unit(l, p, t);
	}
	waiters->n = 0;
}

void fd_budget_done(struct fd_budget *r)
{
	free(r->holders.v);
	free(r->waiters.v);
}

/* ---- counting ---- */

/* Reads the counters of one thread. If this fails, the next refresh reads the process again. */
static void live_read_counters(struct live *l, struct process *p, struct thread *t)
{
	struct err err = ERR_INIT;
	bool failed = t->failed;
	int error;

	if (!t->group)
		return;
	l->cost.reads++;
	error = thread_read(t, &l->attach);
	t->failed = error;
	if (!error) {
		t->counts_us = live_now_us(l);
		return;
	}
	/* The next refresh reads the process again, even if it has not run. */
	p->again = true;
	l->broken |= error == -ENODATA;
	/* -ECHILD passes by itself: only logged if it happens again. */
	if (l->want.log && (error != -ECHILD || failed)) {
		group_explain_read(error, thread_tid(t), &err);
		log_add_task(l->want.log, thread_tid(t), err.text);
	}
}

/* Opens the counters of one thread, and reads them. */
static void live_open_counters(struct live *l, struct process *p, struct thread *t)
{
	int tid = thread_tid(t);
	struct err err = ERR_INIT;
	enum count_state state;

	if (!attach_has_fds(&l->attach))
		live_free_fds(l, p);
	state = attach_open(&l->attach, tid, tid == l->want.command, &t->group, &err);
	thread_set_counting(t, state);
	thread_start_counts(t);
	/* The thread is counted from now on, even if this first reading fails. */
	t->counts_us = live_now_us(l);
	if (l->want.log &&
	    (state == COUNT_DENIED || state == COUNT_UNSUPPORTED || state == COUNT_REFUSED))
		log_add_task(l->want.log, tid, err.text);
	live_read_counters(l, p, t);
}

/* Returns whether the tid is in l->tids, which is sorted. */
static bool is_listed(const struct live *l, int tid)
{
	return array_find(&tid, l->tids.v, l->tids.n, sizeof tid, pid_compare);
}

static void open_listed(struct live *l, struct process *p)
{
	bool counted = false;

	for (size_t i = 1; i < p->n; i++)
		if (!is_listed(l, thread_tid(&p->thread[i])))
			live_change_thread(l, p, &p->thread[i], THREAD_DROP);
	process_sweep(p, &l->attach);
	for (size_t i = 0; i < l->tids.n; i++) {
		int tid = l->tids.v[i];
		struct thread *t = process_find_thread(p, tid);

		t = t ? t : process_add_thread(p, tid, live_room(l, p));
		live_open_counters(l, p, t);
		counted |= t->task->counting == COUNT_OK;
	}
	/* If some threads are counted, a thread that has ended meanwhile adds nothing. If no thread
	 * is counted, the count is unknown. */
	for (size_t i = 0; counted && i < p->n; i++)
		if (p->thread[i].task->counting == COUNT_GONE)
			thread_set_counting(&p->thread[i], COUNT_INHERITED);
}

/* Returns the number of listed threads that have no entry; the leader always has one. */
static size_t count_unknown(const struct live *l, const struct process *p)
{
	size_t n = 0;

	for (size_t i = 0; i < l->tids.n; i++)
		n += !process_find_thread(p, l->tids.v[i]);
	return n;
}

#define ATTACH_TRIES 5

/*
 * Opens inheriting groups on all threads of a process. A thread that starts meanwhile is counted by
 * the group of its creator if that group was open already, else it is not counted; the list of
 * threads does not show which is the case. So if there are new threads in the list, all groups are
 * closed and opened again. After ATTACH_TRIES, new threads are kept as not counted: the row is then
 * partial rather than wrong.
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
			/* There may be more threads: the next refresh tries again. */
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

/* Opens counters again that were closed because other tasks needed the descriptors. The task has
 * run meanwhile, so this interval has a gap. */
static void reopen_revoked(struct live *l, struct process *p)
{
	if (l->attach.set.inherit) {
		attach_inheriting(l, p);
		return;
	}
	for (size_t i = 0; i < p->n; i++)
		if (!p->thread[i].group && p->thread[i].life == THREAD_LIVES)
			live_open_counters(l, p, &p->thread[i]);
}

static void attach_process(struct live *l, struct process *p)
{
	process_close(p, &l->attach);
	if (l->attach.set.inherit)
		attach_inheriting(l, p);
	else
		live_open_counters(l, p, &p->thread[0]);
}

/* Returns the number of threads that share one state of counters with *t, and sets *t to the first
 * of them: all threads of the process; if rows are threads, *t alone. */
static size_t live_unit_threads(const struct live *l, struct process *p, struct thread **t)
{
	if (l->want.threads)
		return 1;
	*t = p->thread;
	return p->n;
}

void live_change_counters(struct live *l, struct process *p, struct thread *t,
			  enum counters_event event)
{
	size_t n = live_unit_threads(l, p, &t);

	if (!thread_change_counters(t, event, l->refresh)) {
		l->refused++;
		return;
	}
	for (; n > 0; n--, t++) {
		if (event == COUNTERS_SLEEP && l->attach.n_usable)
			thread_set_counting(t, COUNT_IDLE);
		if (event != COUNTERS_REVOKE || !t->group)
			continue;
		live_read_counters(l, p, t);
		thread_close(t, &l->attach);
	}
}

static void live_reset_counters(struct live *l, struct process *p)
{
	live_change_counters(l, p, &p->thread[0], COUNTERS_RESET);
	p->again = true;
}

/* Returns the event that follows from the result of opening counters. */
static enum counters_event opening_event(const struct live *l, enum count_state counting)
{
	switch (counting) {
	case COUNT_OK:
	case COUNT_INHERITED:
		return COUNTERS_OPENED;
	case COUNT_NOFILE:
		return COUNTERS_SHORT;
	case COUNT_NONE:
		/* The threads could not be listed: opening is tried again. */
		return l->attach.n_usable ? COUNTERS_RESET : COUNTERS_REFUSED;
	default:
		return COUNTERS_REFUSED;
	}
}

/* Opens the counters of a process with all of its threads (t: its leader); if rows are threads,
 * those of thread t. */
static void live_open_unit(struct live *l, struct process *p, struct thread *t)
{
	bool taken = t->counters == COUNTERS_REVOKED;
	int tid = thread_tid(t);

	if (!process_is_attached(p) || (l->attach.set.inherit && !taken))
		attach_process(l, p);
	else if (l->want.threads || !taken)
		live_open_counters(l, p, t);
	else
		reopen_revoked(l, p);
	/* The array of threads may have been moved in memory. */
	t = process_find_thread(p, tid);
	live_change_counters(l, p, t, opening_event(l, (enum count_state)t->task->counting));
}

/* The start of a task is known in clock ticks, of 10 ms at most. */
#define START_TICK_NS 10000000u

/* Opens the counters of the process now, or when it runs. Counters of an idle task would count
 * nothing, so they are opened later; but with plenty of descriptors at once, so that the first
 * interval in which it runs has counts, too. A new process has run already, and a command is about
 * to run: their counters are opened at once. */
static void attach_or_wait(struct live *l, struct process *p, bool ran)
{
	bool born = l->before_ns && process_start_ns(p) + START_TICK_NS > l->before_ns;

	if (ran || born || l->plenty || p->pid == l->want.command) {
		live_want_counters(l, p, &p->thread[0]);
		return;
	}
	process_close(p, &l->attach);
	for (size_t i = 0; i < live_n_units(l, p); i++)
		live_change_counters(l, p, &p->thread[i], COUNTERS_SLEEP);
}

static void live_read_last(struct live *l, struct process *p, struct thread *t)
{
	live_read_counters(l, p, t);
	/* The thread was idle so far, and then ran to its end without counters. */
	if (t->task->counting == COUNT_IDLE)
		thread_set_counting(t, COUNT_GONE);
}

/* Returns whether the inheriting groups must be opened again, since the kernel refused one of them
 * for a reason that may pass. This opens all groups of the process again, so it is done only in the
 * slice of the process if it has several threads. */
static bool was_refused(const struct live *l, const struct process *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->thread[i].task->counting == COUNT_REFUSED)
			return p->n == 1 || live_in_slice(l, p);
	return false;
}

/* Returns whether to try to open counters of the thread: it has none but may get some, or those of
 * its process must be opened again. */
static bool live_needs_counters(const struct live *l, const struct process *p,
				const struct thread *t)
{
	enum count_state state = t->task->counting;

	if (t->life == THREAD_ENDED || !process_is_attached(p))
		return false;
	/* Counters that were closed for other tasks are opened again only when this task runs. */
	if (t->counters == COUNTERS_REVOKED)
		return p->last_ran == l->refresh;
	if (l->attach.set.inherit ? was_refused(l, p) : state == COUNT_REFUSED)
		return true;
	return state == COUNT_NOFILE || (state == COUNT_NONE && l->attach.n_usable);
}

/* Returns the time, in ns, for which the first counter of a thread was enabled at its last reading;
 * 0: it has none. */
static uint64_t live_enabled_ns(const struct thread *t)
{
	return t->task->n_counts ? t->task->count[0].enabled_ns : 0;
}

/* If the CPU time grows by this much without any enabled time, the kernel has closed the
 * counters. */
#define LOST_NS 2000000

/* Returns whether the group of the leader is the only group that counts the process. */
static bool counts_alone(const struct process *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->thread[i].group || p->thread[i].life == THREAD_LIVES)
			return false;
	return true;
}

/* Reads the CPU clock once more, next to the counters and before the facts, which then have the
 * same moment. The clock of a task that is on a CPU lags by a tick: if it were read only before the
 * counters, it would seem to grow later without them. */
static void read_clock_again(struct live *l, struct process *p, bool ran)
{
	uint64_t ns;
	int64_t us;

	if ((!ran && !p->thread[0].group) || !p->clock_known)
		return;
	if (live_read_clock(l, p, &ns, &us))
		return;
	p->clock_ns = ns;
	p->thread[0].facts_us = us;
}

/* Returns whether the kernel has closed the counters: execve(2) of a program with other rights
 * (setuid) ends the counting without an error. The descriptors stay open, and the counts stand
 * still. clock_before: the CPU clock at the previous reading. */
static bool counters_lost(const struct process *p, uint64_t enabled_before, uint64_t clock_before)
{
	const struct thread *leader = &p->thread[0];
	const struct task *t = leader->task;

	return counts_alone(p) && leader->group && t->n_counts && !(t->unread & 1) &&
	       enabled_before && t->count[0].enabled_ns == enabled_before && p->clock_known &&
	       p->clock_ns - clock_before > LOST_NS;
}

void live_update_counters(struct live *l, struct process *p, uint64_t clock_before, bool ran)
{
	struct thread *leader = &p->thread[0];
	uint64_t enabled_before = leader->group ? live_enabled_ns(leader) : 0;

	if (!process_is_attached(p))
		attach_or_wait(l, p, ran);
	else if (live_needs_counters(l, p, leader))
		live_want_counters(l, p, leader);
	else
		live_read_counters(l, p, leader);
	if (counters_lost(p, enabled_before, clock_before)) {
		thread_edit(&p->thread[0])->unread = ~0ull;
		live_reset_counters(l, p);
	}
	read_clock_again(l, p, ran);
}
