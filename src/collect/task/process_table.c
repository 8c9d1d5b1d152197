/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/process_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- life ---- */

/* Entries that are not listed are LIFE_INVALID. */
/* clang-format off */
static const uint8_t life_table[N_LIVES][N_LIFE_EVENTS] = {
	[LIFE_UNWANTED] = {
		[LIFE_WANT] = LIFE_NEW, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_UNWANTED,
		[LIFE_REPLACE] = LIFE_GONE, [LIFE_VANISH] = LIFE_GONE,
	},
	[LIFE_NEW] = {
		[LIFE_WANT] = LIFE_NEW, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_NEW,
		[LIFE_LOOK] = LIFE_WATCHED, [LIFE_END] = LIFE_REPORTED, [LIFE_REPLACE] = LIFE_GONE,
	},
	[LIFE_WATCHED] = {
		[LIFE_WANT] = LIFE_WATCHED, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_NEW,
		[LIFE_LOOK] = LIFE_WATCHED, [LIFE_END] = LIFE_ENDED, [LIFE_REPLACE] = LIFE_ENDED,
	},
	[LIFE_ENDED] = {
		[LIFE_REPLACE] = LIFE_ENDED, [LIFE_REPORT] = LIFE_REPORTED,
	},
	[LIFE_REPORTED] = {
		[LIFE_WANT] = LIFE_REPORTED, [LIFE_LEAVE] = LIFE_REPORTED, [LIFE_RESTART] = LIFE_REPORTED,
		[LIFE_REPLACE] = LIFE_GONE, [LIFE_VANISH] = LIFE_GONE,
	},
};

static const uint8_t thread_table[N_THREAD_LIVES][N_THREAD_EVENTS] = {
	[THREAD_LIVES] = {
		[THREAD_END] = THREAD_ENDED, [THREAD_DROP] = THREAD_GONE,
	},
	[THREAD_ENDED] = {
		[THREAD_RETURN] = THREAD_LIVES, [THREAD_DROP] = THREAD_GONE,
	},
};

static const uint8_t counters_table[N_COUNTERS][N_COUNTERS_EVENTS] = {
	[COUNTERS_UNTRIED] = {
		[COUNTERS_SLEEP] = COUNTERS_IDLE, [COUNTERS_OPENED] = COUNTERS_OPEN,
		[COUNTERS_SHORT] = COUNTERS_WAIT, [COUNTERS_REFUSED] = COUNTERS_ABSENT,
		[COUNTERS_REVOKE] = COUNTERS_UNTRIED, [COUNTERS_RESET] = COUNTERS_UNTRIED,
		[COUNTERS_END] = COUNTERS_FINAL,
	},
	[COUNTERS_IDLE] = {
		[COUNTERS_SLEEP] = COUNTERS_IDLE, [COUNTERS_OPENED] = COUNTERS_OPEN,
		[COUNTERS_SHORT] = COUNTERS_WAIT, [COUNTERS_REFUSED] = COUNTERS_ABSENT,
		[COUNTERS_RESET] = COUNTERS_UNTRIED, [COUNTERS_END] = COUNTERS_FINAL,
	},
	[COUNTERS_OPEN] = {
		[COUNTERS_OPENED] = COUNTERS_OPEN, [COUNTERS_SHORT] = COUNTERS_WAIT,
		[COUNTERS_REFUSED] = COUNTERS_ABSENT, [COUNTERS_REVOKE] = COUNTERS_REVOKED,
		[COUNTERS_RESET] = COUNTERS_UNTRIED, [COUNTERS_END] = COUNTERS_FINAL,
	},
	[COUNTERS_WAIT] = {
		[COUNTERS_OPENED] = COUNTERS_OPEN, [COUNTERS_SHORT] = COUNTERS_WAIT,
		[COUNTERS_REFUSED] = COUNTERS_ABSENT, [COUNTERS_REVOKE] = COUNTERS_REVOKED,
		[COUNTERS_RESET] = COUNTERS_UNTRIED, [COUNTERS_END] = COUNTERS_FINAL,
	},
	[COUNTERS_REVOKED] = {
		[COUNTERS_OPENED] = COUNTERS_OPEN, [COUNTERS_SHORT] = COUNTERS_WAIT,
		[COUNTERS_REFUSED] = COUNTERS_ABSENT, [COUNTERS_REVOKE] = COUNTERS_REVOKED,
		[COUNTERS_RESET] = COUNTERS_UNTRIED, [COUNTERS_END] = COUNTERS_FINAL,
	},
	[COUNTERS_ABSENT] = {
		[COUNTERS_OPENED] = COUNTERS_OPEN, [COUNTERS_SHORT] = COUNTERS_WAIT,
		[COUNTERS_REFUSED] = COUNTERS_ABSENT, [COUNTERS_REVOKE] = COUNTERS_REVOKED,
		[COUNTERS_RESET] = COUNTERS_UNTRIED, [COUNTERS_END] = COUNTERS_FINAL,
	},
};

/* clang-format on */

enum life life_after(enum life state, enum life_event event)
{
	return (enum life)life_table[state][event];
}

enum thread_life thread_life_after(enum thread_life state, enum thread_event event)
{
	return (enum thread_life)thread_table[state][event];
}

enum counters counters_after(enum counters state, enum counters_event event)
{
	return (enum counters)counters_table[state][event];
}

/* ---- process table ---- */

struct proc_files *proc_files_new(void)
{
	struct proc_files *files = xmalloc(sizeof *files);

	for (int i = 0; i < N_FACT_FILES; i++)
		files->fd[i] = -1;
	return files;
}

void proc_files_free(struct proc_files *files)
{
	for (int i = 0; files && i < N_FACT_FILES; i++)
		if (files->fd[i] >= 0)
			close(files->fd[i]);
	free(files);
}

void pid_list_add(struct pid_list *list, int pid)
{
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = pid;
}

int pid_compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Returns the index of the first process with this pid or a greater one. */
static size_t find_place(const struct table *t, int pid)
{
	size_t low = 0, high = t->n;

	/* New processes mostly have the largest pid. */
	if (high && t->v[high - 1]->pid < pid)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->v[middle]->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct process *table_get(const struct table *t, int pid)
{
	size_t i = find_place(t, pid);

	return i < t->n && t->v[i]->pid == pid ? t->v[i] : NULL;
}

/* Replaces the reading by a copy with these texts and room for these facts; keeps the counts if
 * their number is the same. */
static void replace_task(struct thread *t, struct fact_set room, int n_counts,
			 const struct task_texts *texts)
{
	struct task *task = task_copy(t->task, room, n_counts, texts);

	if (t->sampled)
		task->gap = false;
	t->sampled = false;
	task_unref(t->task);
	t->task = task;
}

/* Replaces the reading by a copy with the same texts. */
static void copy_task(struct thread *t, struct fact_set room, int n_counts)
{
	const struct task_texts texts = task_texts(t->task);

	replace_task(t, room, n_counts, &texts);
}

static void resize_task(struct thread *t, struct fact_set room, int n_counts)
{
	if (!fact_equal(t->task->room, room) || t->task->n_counts != n_counts)
		copy_task(t, room, n_counts);
}

int thread_tid(const struct thread *t)
{
	return (int)t->task->id;
}

struct task *thread_edit(struct thread *t)
{
	if (t->sampled && t->task->refs > 1)
		copy_task(t, t->task->room, t->task->n_counts);
	else if (t->sampled)
		t->task->gap = t->sampled = false;
	return t->task;
}

static void init_thread(struct thread *t, int pid, int tid, struct task *task)
{
	memset(t, 0, sizeof *t);
	t->task = task;
	t->life = THREAD_LIVES;
	t->counters = COUNTERS_UNTRIED;
	task->owner = (uint64_t)pid;
	task->id = (uint64_t)tid;
}

struct process *table_add(struct table *t, const struct proc_process *from, struct fact_set room)
{
	const struct task_texts texts = {.user = from->user ? from->user : "?",
					 .name = from->facts.name,
					 .cmdline = from->cmdline};
	struct process *p = xcalloc(1, sizeof *p);
	size_t i = find_place(t, from->pid);

	p->pid = from->pid;
	p->parent = (int)from->facts.fact[FACT_PPID];
	p->life = LIFE_UNWANTED;
	p->n = p->cap = 1;
	p->thread = &p->leader;
	init_thread(&p->leader, p->pid, p->pid, task_new(&kind_task, room, 0, &texts));
	p->leader.task->uid = from->uid;
	process_set_facts(p, &p->leader, &from->facts, room);
	t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof(struct process *));
	memmove(&t->v[i + 1], &t->v[i], (t->n++ - i) * sizeof(struct process *));
	t->v[i] = p;
	return p;
}

static void free_thread(struct thread *t, struct attach *a)
{
	thread_close(t, a);
	task_unref(t->task);
}

bool process_was_scheduled(const struct process *p)
{
	bool was = sched_in_happened(&p->sched_in);

	for (size_t i = 0; !was && i < p->n_more; i++)
		was = sched_in_happened(&p->more[i]);
	return was;
}

void process_wake(struct process *p, struct attach *a)
{
	if (!process_sleeps(p))
		return;
	sched_in_close(&p->sched_in, a->sys);
	for (size_t i = 0; i < p->n_more; i++)
		sched_in_close(&p->more[i], a->sys);
	a->n_sleeping -= 1 + p->n_more;
	free(p->more);
	p->more = NULL;
	p->n_more = 0;
}

static void free_process(struct process *p, struct attach *a)
{
	process_wake(p, a);
	for (size_t i = 0; i < p->n; i++)
		free_thread(&p->thread[i], a);
	if (p->thread != &p->leader)
		free(p->thread);
	free(p);
}

void table_sweep(struct table *t, struct attach *a)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i]->life == LIFE_GONE)
			free_process(t->v[i], a);
		else
			t->v[n++] = t->v[i];
	t->n = n;
}

void table_done(struct table *t, struct attach *a)
{
	for (size_t i = 0; i < t->n; i++)
		free_process(t->v[i], a);
	free(t->v);
	memset(t, 0, sizeof *t);
}

void process_set_time(struct process *p, int64_t us, bool ran)
{
	for (size_t i = 0; i < p->n; i++) {
		struct thread *t = &p->thread[i];

		t->facts_us = us;
		if (!t->group || (!ran && !t->failed))
			t->counts_us = us;
	}
}

uint64_t process_start_ns(const struct process *p)
{
	return p->thread[0].task->start_ns;
}

static bool equal_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool equal_texts(const struct task_texts *a, const struct task_texts *b)
{
	for (int i = 0; i < N_READ_TEXTS; i++)
		if (!equal_text(a->read[i], b->read[i]))
			return false;
	return equal_text(a->user, b->user) && equal_text(a->name, b->name) &&
	       equal_text(a->process, b->process) && equal_text(a->cmdline, b->cmdline);
}

void process_set_parent(struct process *p)
{
	struct thread *t = &p->thread[0];

	if (fact_in(t->task->known, FACT_PPID) &&
	    task_fact(t->task, FACT_PPID) == (uint64_t)p->parent)
		return;
	resize_task(t, fact_or(t->task->room, FACT_SET(FACT_PPID)), t->task->n_counts);
	task_set_fact(thread_edit(t), FACT_PPID, (uint64_t)p->parent);
}

void process_describe(struct process *p, const struct proc_process *from)
{
	struct thread *t = &p->thread[0];
	struct task_texts old = task_texts(t->task), texts = old;

	p->parent = (int)from->facts.fact[FACT_PPID];
	texts.user = from->user ? from->user : "?";
	if (from->cmdline)
		texts.cmdline = from->cmdline;
	/* Later, its name comes with its facts. */
	if (p->life < LIFE_WATCHED)
		texts.name = texts.process = from->facts.name;
	if (t->task->uid == from->uid && equal_texts(&old, &texts))
		return;
	replace_task(t, t->task->room, t->task->n_counts, &texts);
	t->task->uid = from->uid;
	p->renamed = true;
}

void process_share_texts(struct process *p)
{
	const struct task *leader = p->thread[0].task;

	for (size_t i = 1; p->renamed && i < p->n; i++) {
		struct thread *t = &p->thread[i];
		struct task_texts old = task_texts(t->task), texts = old;

		texts.user = leader->user;
		texts.process = leader->process;
		texts.cmdline = leader->cmdline;
		if (t->life != THREAD_LIVES ||
		    (t->task->uid == leader->uid && equal_texts(&old, &texts)))
			continue;
		replace_task(t, t->task->room, t->task->n_counts, &texts);
		t->task->uid = leader->uid;
	}
	p->renamed = false;
}

bool process_set_facts(struct process *p, struct thread *t, const struct proc_facts *facts,
		       struct fact_set room)
{
	bool leader = t == &p->thread[0];
	bool renamed = strcmp(t->task->name, facts->name);
	struct task_texts old = task_texts(t->task), texts = old;
	struct task *task;

	texts.name = facts->name;
	if (leader)
		texts.process = facts->name;
	for (int i = 0; i < N_READ_TEXTS; i++) {
		const int f = FACT_FIRST_READ_TEXT + i;

		texts.read[i] =
			fact_in(facts->known, f) && fact_in(room, f) ? facts->read[i] : NULL;
	}
	if (!equal_texts(&old, &texts))
		replace_task(t, room, t->task->n_counts, &texts);
	p->renamed |= renamed && leader;
	resize_task(t, room, t->task->n_counts);
	task = thread_edit(t);
	task->state = facts->state;
	task->start_ns = facts->start_ns;
	task->known = fact_and(task->known, fact_read_texts());
	task_set_numbers(task, facts->known, facts->fact);
	return renamed && leader;
}

/* Returns the index of the first thread after the leader with this tid or a greater one. */
static size_t find_thread_place(const struct process *p, int tid)
{
	size_t low = 1, high = p->n;

	/* New threads mostly have the largest tid. */
	if (high > 1 && thread_tid(&p->thread[high - 1]) < tid)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (thread_tid(&p->thread[middle]) < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct thread *process_find_thread(const struct process *p, int tid)
{
	size_t i = tid == p->pid ? 0 : find_thread_place(p, tid);

	return i < p->n && thread_tid(&p->thread[i]) == tid ? &p->thread[i] : NULL;
}

struct thread *process_add_thread(struct process *p, int tid, struct fact_set room)
{
	const struct task *leader = p->thread[0].task;
	const struct task_texts texts = task_texts(leader);
	size_t i = find_thread_place(p, tid);
	struct thread *t;

	if (p->n == p->cap) {
		struct thread *old = p->thread == &p->leader ? NULL : p->thread;

		p->cap *= 2;
		p->thread = xreallocarray(old, p->cap, sizeof *p->thread);
		if (!old)
			p->thread[0] = p->leader;
	}
	t = &p->thread[i];
	memmove(t + 1, t, (p->n++ - i) * sizeof *t);
	init_thread(t, p->pid, tid, task_new(&kind_task, room, 0, &texts));
	t->task->uid = leader->uid;
	t->counts_us = p->thread[0].counts_us;
	t->facts_us = p->thread[0].facts_us;
	return t;
}

bool thread_change(struct thread *t, enum thread_event event)
{
	enum thread_life after = thread_life_after((enum thread_life)t->life, event);

	if (after != LIFE_INVALID)
		t->life = (uint8_t)after;
	return after != LIFE_INVALID;
}

bool thread_change_counters(struct thread *t, enum counters_event event, uint32_t refresh)
{
	enum counters before = (enum counters)t->counters, after = counters_after(before, event);

	if (after == LIFE_INVALID)
		return false;
	/* A task that goes on waiting keeps its place in the queue. */
	if (before != COUNTERS_WAIT || after != COUNTERS_WAIT)
		t->since = refresh;
	t->counters = (uint8_t)after;
	return true;
}

void process_sweep(struct process *p, struct attach *a)
{
	uint32_t n = 1;

	for (size_t i = 1; i < p->n; i++)
		if (p->thread[i].life == THREAD_GONE)
			free_thread(&p->thread[i], a);
		else
			p->thread[n++] = p->thread[i];
	p->n = n;
	if (n > 1 || p->thread == &p->leader)
		return;
	p->leader = p->thread[0];
	free(p->thread);
	p->thread = &p->leader;
	p->cap = 1;
}

void process_close(struct process *p, struct attach *a)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->thread[i].life == THREAD_ENDED)
			thread_change(&p->thread[i], THREAD_DROP);
	process_sweep(p, a);
	for (size_t i = p->n; i-- > 0;) {
		struct thread *t = &p->thread[i];

		thread_close(t, a);
		thread_set_counting(t, COUNT_NONE);
		if (i > 0)
			thread_change_counters(t, COUNTERS_RESET, 0);
	}
}

void process_detach(struct process *p, struct attach *a)
{
	for (size_t i = 1; i < p->n; i++)
		thread_change(&p->thread[i], THREAD_DROP);
	process_sweep(p, a);
	process_close(p, a);
	thread_change_counters(&p->thread[0], COUNTERS_RESET, 0);
	if (fact_any(p->thread[0].task->known))
		thread_edit(&p->thread[0])->known = FACT_NONE;
	p->again = false;
}

void thread_set_counting(struct thread *t, enum count_state counting)
{
	if (counting != COUNT_OK)
		resize_task(t, t->task->room, 0);
	if (t->task->counting != counting)
		thread_edit(t)->counting = (uint8_t)counting;
}

void thread_start_counts(struct thread *t)
{
	struct task *task = thread_edit(t);

	task->gap = true;
	task->unread = 0;
	if (task->n_counts)
		memset(task->count, 0, task->n_counts * sizeof *task->count);
}

int thread_read(struct thread *t, struct attach *a)
{
	struct count count[EVENT_SET_MAX];
	size_t size = (size_t)a->set.plan.n * sizeof *count;
	struct task *task;
	uint64_t unread;
	int error;

	if (!t->group)
		return 0;
	unread = group_read(t->group, a->sys, count, &error);
	/* A reading belongs to one moment: all of its counts are new, or none. */
	if (error) {
		unread = ~0ull;
		memset(count, 0, size);
		if (t->task->n_counts)
			memcpy(count, t->task->count, size);
	}
	schedule_note(&a->schedule, &a->set, t->task->n_counts ? t->task->count : NULL, count,
		      t->task->unread | unread);
	/* A thread that did not run keeps its reading. */
	if (t->task->n_counts && t->task->unread == unread && !memcmp(t->task->count, count, size))
		return error;
	resize_task(t, t->task->room, a->set.plan.n);
	task = thread_edit(t);
	task_set_events(task, a->counted);
	task->unread = unread;
	memcpy(task->count, count, size);
	return error;
}

void thread_forget_increments(struct thread *t)
{
	struct fact_set counters = FACT_NONE;

	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].kind == FACT_COUNTER)
			fact_add(&counters, f);
	if (fact_any(fact_and(t->task->known, counters)))
		thread_edit(t)->known = fact_less(t->task->known, counters);
}

/* The maximum number of files in /proc that are kept open for one task. */
#define FILES_OF_TASK (N_FACT_FILES - 1)

void thread_keep_files(struct thread *t, struct attach *a)
{
	if (t->files || a->n_fds + a->n_files + FILES_OF_TASK > a->max_fds / 2)
		return;
	t->files = proc_files_new();
	a->n_files += FILES_OF_TASK;
}

void thread_drop_files(struct thread *t, struct attach *a)
{
	if (!t->files)
		return;
	proc_files_free(t->files);
	t->files = NULL;
	a->n_files -= FILES_OF_TASK;
}

void thread_close(struct thread *t, struct attach *a)
{
	thread_drop_files(t, a);
	attach_close(a, t->group);
	t->group = NULL;
}
