/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/wait.h"

#include <semaphore.h>

#include "inject/preload/locks.h"
#include "inject/preload/process.h"
#include "inject/preload/thread.h"

static void end_hold(struct wait *w, const void *mutex)
{
	struct thread *t = w->m.t;
	struct locks_held *held = measure_held(t->slot, (uintptr_t)mutex);
	struct locks_row *row;

	if (!held)
		return;
	w->held = *held;
	w->counts = measure_readings_of(t, held)->counts;
	row = measure_row_of(held);
	row->sequence++;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	measure_end_hold(t, held, &w->m.begin);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	row->sequence++;
	measure_drop(t, held);
}

/* Notes that the thread holds the mutex again, from `now` on: other threads may have held it during
 * the wait. */
static void begin_hold(struct wait *w, const struct moment *now)
{
	const struct locks_row *row = measure_row_of(&w->held);
	struct locks_thread *s = w->m.t->slot;

	if (row->instance)
		measure_set_owner(w->m.t, &locks.instance[row->instance - 1]);
	if (w->held.since)
		w->held.since = now->ticks;
	if (s->n_held == LOCKS_HELD)
		return;
	measure_note(w->m.t, s->n_held, w->counts, now);
	s->held[s->n_held++] = w->held;
}

/* Returns whether the thread may be blocked in this wait. False for a semaphore that can be taken
 * at once, and for a signal handler that has interrupted a wait: the interrupted wait counts. */
static bool may_block(const struct measure *m)
{
	int value = 0;

	if (m->kind == LOCKS_SEMAPHORE)
		sem_getvalue((sem_t *)m->lock, &value);
	return m->t->n_waiting == 1 && value <= 0;
}

void wait_begin(struct wait *w, const void *mutex)
{
	struct thread *t = w->m.t;

	w->held.row = 0;
	w->woken = false;
	measure_begin(&w->m);
	measure_open(t, &t->slot->sequence);
	if (mutex)
		end_hold(w, mutex);
	measure_enter_wait(t, w->m.row, &w->m.begin);
	measure_close(t, &t->slot->sequence);
	w->blocks = may_block(&w->m);
	if (w->blocks)
		sched_begin_wait(t);
}

void wait_end(void *wait)
{
	struct wait *w = wait;
	struct thread *t = w->m.t;
	struct locks_row *row = w->m.row;
	struct moment now;

	/* Measuring has stopped during the wait. */
	if (!t->measured)
		return;
	events_read_after(t->events, &now);
	measure_open(t, &row->sequence);
	t->slot->sequence++;
	t->n_waiting--;
	/* Before the thread holds the mutex again. */
	if (chain_wanted)
		chain_end_idle(t, w->m.instance, w->m.caller, w->m.begin.ticks, now.ticks);
	if (w->blocks)
		sched_end_wait(t, w->m.kind, now.ticks - w->m.begin.ticks);
	if (w->held.row)
		begin_hold(w, &now);
	measure_set_state(t, &now);
	if (w->woken) {
		measure_add(t, row, w->m.counts, LOCKS_ACQUIRE, &w->m.begin, &now);
	} else {
		row->failed++;
		row->lost += now.ticks - w->m.begin.ticks;
	}
	t->slot->sequence++;
	measure_close(t, &row->sequence);
}

void wait_wake(struct thread *t, uintptr_t object, enum locks_kind kind, uintptr_t caller, bool all)
{
	const struct thread_entry *e = thread_find(&t->index, object, caller);
	struct locks_row *row;

	/* The call is in a signal handler that has interrupted a wait: it is not counted. */
	if (t->n_waiting)
		return;
	if (!e || e->instance->ended || e->row->ended) {
		const struct locks_instance *there = instance_find(object);

		if (!there || there->ended)
			return;
		e = thread_add_lock(t, object, kind, caller);
	}
	row = e->row;
	/* In the row `other`, the release would count as that of a lock that is held. */
	if (row == t->other.row)
		return;
	measure_open(t, &row->sequence);
	row->untimed[LOCKS_RELEASE]++;
	row->futex.woken++;
	row->futex.use[LOCKS_BROADCASTS] += all;
	measure_close(t, &row->sequence);
}
