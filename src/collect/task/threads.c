/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of live: the threads of one process, where they must be known one by one: which have come
 * and which have ended.
 */
#include <errno.h>

#include "collect/task/live_part.h"

/* Whether the threads of a process must be known one by one at every refresh. */
static bool threads_matter(const struct live *l)
{
	return l->want.threads || l->want.facts & fact_per_thread ||
	       (l->attach.n_usable && !l->attach.set.inherit);
}

/* Opens the counters of a thread that has none. In the row of a process, room is made for it once;
 * then it waits until there is some. */
static void open_thread(struct live *l, struct process *p, struct thread *t)
{
	if (l->want.threads)
		live_want_counters(l, p, t);
	else if (t->task->counting != COUNT_NOFILE || attach_has_room(&l->attach))
		live_open_counters(l, p, t);
}

/* Takes up a thread that came since the last look. Where groups inherit, that of its creator counts
 * it. */
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

/* Sees a thread in the list. If it had ended, its tid belongs to another thread now. */
static void see_thread(struct live *l, struct process *p, struct thread *t)
{
	t->seen = true;
	if (t->life != THREAD_ENDED)
		return;
	if (t->group && l->attach.set.inherit) {
		/* Its group counts other threads, and its reading is of the one that has ended: the
		 * next look starts anew. */
		live_count_anew(l, p);
		return;
	}
	live_change_thread(l, p, t, THREAD_RETURN);
}

static void end_thread(struct live *l, struct process *p, struct thread *t)
{
	/* In the row of a process, what the thread did before the last look stays in the sum. */
	if (l->want.threads)
		thread_edit(t)->lost = true;
	else
		thread_edit(t)->ended = true;
	/* The thread may have run while others had its descriptors. */
	if (!t->group && live_unit(l, p, t)->counters == COUNTERS_TAKEN)
		thread_edit(t)->gap = true;
	live_read_last(l, p, t);
	/* Closing a group that inherits would end the counting of the threads that
	 * this one started. */
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
	/* There may be threads that nobody counts: then the sum over the others would claim too
	 * much. */
	if (ret && ret != -ESRCH && !l->attach.set.inherit && !l->want.threads)
		thread_edit(&p->thread[0])->unread = ~0ull;
	if (ret)
		return;
	for (size_t i = 0; i < p->n; i++)
		p->thread[i].seen = false;
	for (size_t i = 0; i < l->tids.n; i++) {
		struct thread *t = process_find_thread(p, l->tids.v[i]);

		if (t)
			see_thread(l, p, t);
		else
			begin_thread(l, p, l->tids.v[i]);
	}
	for (size_t i = 1; i < p->n; i++)
		if (!p->thread[i].seen && p->thread[i].life == THREAD_LIVES)
			live_change_thread(l, p, &p->thread[i], THREAD_END);
}

void live_read_threads(struct live *l, struct process *p)
{
	bool facts = l->want.threads || l->want.facts & fact_per_thread;

	for (size_t i = 1; i < p->n; i++) {
		struct thread *t = &p->thread[i];
		uint64_t before = live_enabled_ns(t);
		bool had = t->group, ran;

		/* The group of a thread that has ended still counts the threads that it started. */
		if (!l->attach.set.inherit && live_lacks_counters(l, p, t))
			open_thread(l, p, t);
		else
			live_read_counters(l, p, t);
		/* A thread whose counters have just been opened ran before that. */
		ran = !had || !t->group || (t->task->gap && !t->sampled) || t->task->unread & 1 ||
		      live_enabled_ns(t) != before;
		if (t->life == THREAD_LIVES && facts && (ran || !t->task->known || l->more_facts))
			live_read_facts(l, p, t);
	}
}

/* Whether the thread was not counted and may have started threads that nobody counts, so that the
 * sum stays a part. */
static bool is_hole(const struct live *l, const struct task *t)
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
		/* An ended thread is still needed where its group counts the threads that it
		 * started. And one that leaves its facts to the process must not come back: the
		 * next list confirms its end. */
		bool needed = !l->want.threads && (t->group || is_hole(l, t->task) || t->seen);

		if (t->life == THREAD_LIVES || needed)
			continue;
		live_change_thread(l, p, t, THREAD_DROP);
		gone = true;
	}
	if (gone)
		process_sweep(p, &l->attach);
}
