/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * measure - records the acquisitions and releases of locks, in memory that belongs to the thread
 * alone. Apart from new records, memory shared by threads is written only if the lock changes its
 * owner, if an acquisition had to wait, or if another thread than the owner releases the lock.
 *
 *   measure_begin()     the thread is about to acquire a lock
 *   measure_wait()      another thread has the lock, and the thread begins to wait
 *   measure_end()       the thread has acquired the lock, or the attempt has failed
 *   measure_released()  the thread has released the lock
 *
 * Each wrapper first finds the state of its thread by find_thread(). measure.c makes this state
 * when a thread is seen first, adds records of locks that it uses first, and merges its rows with
 * those of other exited threads when it exits.
 *
 * The clock is read before and after an acquisition and a release. The thread changes its state
 * before and after the acquisition and after the release, and each time adds the time since the
 * last change to the old state. So the times of the states add up to the whole time of the thread.
 *
 * With sampling, one in N attempts is timed (table.h): an attempt at a random place in each block
 * of N attempts of the thread. So each attempt is timed with the same probability, whatever pattern
 * the program has. Other attempts read no clock and do not change the state, unless they wait for a
 * lock or make records.
 */
#ifndef INJECT_PRELOAD_MEASURE_H
#define INJECT_PRELOAD_MEASURE_H

#include "inject/lib/arch.h"
#include "inject/preload/contention.h"
#include "inject/preload/locks.h"
#include "inject/preload/thread.h"

extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Called if thread_self is not ready. Returns the state of the thread, and makes it on first use.
 * NULL: this call is not measured. In both cases the functions of real.h have been found, unless
 * real_find() itself has made this call. */
struct thread *thread_enter(void);
/* Adds an entry for a lock and a caller that the thread has not used yet, or at whose address
 * another lock was before. Returns the entry. If there is no room, returns the entry `other`. */
struct thread_entry *thread_add_lock(struct thread *t, uintptr_t lock, enum locks_kind kind,
				     uintptr_t caller);

/* Keeps all threads from writing, as measuring has stopped. */
void thread_stop_all(void);
/* Reads the totals of all threads (thread.h), at the end of the process. Called under the guard. */
void thread_end_all(void);
/* Forgets these totals again, as the process goes on. Called under the guard. */
void thread_reopen_all(void);
/* Returns whether the exit of the calling thread was recorded. */
bool thread_has_left(void);
/* Returns the tid in the calling thread's slot; 0: the thread has no slot. */
uint32_t thread_id(void);
/* In a child: forgets the threads of the parent. */
void thread_forget(void);

/* One attempt to acquire a lock. */
struct measure {
	struct thread *t;
	uintptr_t lock; /* as in struct thread_entry */
	uintptr_t caller;
	enum locks_kind kind;
	bool contended; /* another thread had the lock */
	bool timed;     /* the attempt was selected for timing */
	struct locks_instance *instance;
	struct locks_row *row;
	struct locks_quantity *counts; /* as in struct thread_entry */
	struct locks_wait *wait;       /* set if contended */
	struct moment begin, end;
};

/* Sets the members that are known before the attempt; the others are left unset, to save time. */
static inline void measure_init(struct measure *m, struct thread *t, uintptr_t lock,
				uintptr_t caller, enum locks_kind kind)
{
	m->t = t;
	m->lock = lock;
	m->caller = caller;
	m->kind = kind;
	m->contended = false;
}

/* Open and close a change of data with a sequence: in between, signal handlers do not write these
 * data, and readers notice the odd sequence. */
static inline void measure_open(struct thread *t, uint32_t *sequence)
{
	t->ready = 0;
	ARCH_BARRIER();
	++*sequence;
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void measure_close(struct thread *t, uint32_t *sequence)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	++*sequence;
	ARCH_BARRIER();
	t->ready = t->measured;
}

/* Adds the time up to `now` to the present state, and enters the state `state`. `now` may be older
 * than `since`, if a signal handler has called this function after `now` was read. */
static inline void measure_enter_state(struct thread *t, const struct moment *now,
				       enum locks_state state)
{
	struct locks_thread *s = t->slot;

	if (__builtin_expect(now->ticks > s->since, 1)) {
		s->ticks[s->state] += now->ticks - s->since;
		s->since = now->ticks;
		if (__builtin_expect(t->events != NULL, 0))
			counts_add_state(t, now);
	}
	s->state = state;
}

/* Returns whether all attempts of the thread are timed, as there is no sampling. */
static inline bool measure_times_all(const struct thread *t)
{
	return __builtin_expect(t->sample == 1, 1);
}

static inline void measure_set_state(struct thread *t, const struct moment *now)
{
	const bool holds = t->slot->n_held && measure_times_all(t);
	const enum locks_state state = t->n_waiting ? LOCKS_WAITING
				       : holds      ? LOCKS_HOLDING
						    : LOCKS_FREE;

	measure_enter_state(t, now, state);
}

/* Adds a call to a row: the time and the counts of one phase. */
static inline void measure_add(struct thread *t, struct locks_row *row,
			       struct locks_quantity *counts, enum locks_phase phase,
			       const struct moment *from, const struct moment *to)
{
	locks_quantity_add(&row->phase[phase], to->ticks - from->ticks);
	if (__builtin_expect(t->events && counts, 0))
		counts_add(t, counts, phase, from, to);
}

/* Returns whether the next attempt is timed. The random number is xorshift64* (Vigna, An
 * experimental exploration of Marsaglia's xorshift generators, scrambled, 2016). A signal handler
 * that interrupts this function may draw the same number, or skip one. */
static inline bool measure_draw(struct thread *t)
{
	uint32_t left = t->left;

	if (measure_times_all(t))
		return true;
	if (!left) {
		uint64_t x = t->random;

		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		t->random = x;
		left = t->sample;
		t->drawn = 1 + (uint32_t)((x * 2685821657736338717u >> 32) * left >> 32);
	}
	t->left = left - 1;
	return left == t->drawn;
}

/* Begins an attempt. If the thread has no records for this lock and caller, or these have ended,
 * new ones are made before the acquisition: otherwise other threads would wait for the lock while
 * the records are made. */
static inline __attribute__((always_inline)) void measure_begin(struct measure *m)
{
	struct thread *t = m->t;
	struct thread_entry *e = thread_find(&t->index, m->lock, m->caller);
	bool met = false;

	m->timed = !locks_is_held(m->kind) || measure_draw(t);
	if (__builtin_expect(!e || e->instance->ended || e->row->ended, 0)) {
		events_read_before(t->events, &m->begin);
		measure_open(t, &t->slot->sequence);
		measure_enter_state(t, &m->begin, LOCKS_OWN);
		measure_close(t, &t->slot->sequence);
		e = thread_add_lock(t, m->lock, m->kind, m->caller);
		met = true;
	}
	/* Copied, as a signal handler may make the index grow, which moves its entries. */
	m->instance = e->instance;
	m->row = e->row;
	m->counts = e->counts;
	if (__builtin_expect(m->timed || met, 1))
		events_read_before(t->events, &m->begin);
	if (__builtin_expect(met && !measure_times_all(t), 0)) {
		measure_open(t, &t->slot->sequence);
		measure_set_state(t, &m->begin);
		measure_close(t, &t->slot->sequence);
	}
}

/* Enters the waiting state. If a signal handler waits during a wait, the table shows the outer
 * wait. */
static inline void measure_enter_wait(struct thread *t, const struct locks_row *row,
				      const struct moment *now)
{
	t->n_waiting++;
	measure_set_state(t, now);
	if (t->n_waiting > 1)
		return;
	t->slot->wait_since = t->slot->since;
	t->slot->wait_row = rows_number_or_none(row);
	t->slot->wait_for = 0;
}

static inline void measure_wait(struct measure *m)
{
	struct thread *t = m->t;

	m->contended = true;
	if (__builtin_expect(!m->timed, 0))
		events_read_before(t->events, &m->begin);
	measure_open(t, &t->slot->sequence);
	measure_enter_wait(t, m->row, &m->begin);
	measure_close(t, &t->slot->sequence);
	if (t->n_waiting == 1 && m->kind != LOCKS_SPIN)
		sched_begin_wait(t);
	m->wait = contention_find(t, m->instance, m->lock, m->caller);
	if (t->n_waiting == 1)
		t->slot->wait_for = contention_number(m->wait);
}

/* Ends a wait for an object that is not held. blocks: sched_begin_wait() was called for it. Sets
 * *now, and leaves the sequences of the row and of the thread open: the caller adds the wait and
 * closes them.
 * Returns false, with nothing done, if measuring has stopped during the wait. */
static inline bool measure_end_idle(struct measure *m, bool blocks, struct moment *now)
{
	struct thread *t = m->t;

	if (!t->measured)
		return false;
	events_read_after(t->events, now);
	measure_open(t, &m->row->sequence);
	t->slot->sequence++;
	t->n_waiting--;
	/* Called before the mutex of a condition variable is added to the held locks again. */
	if (chain_wanted)
		chain_end_idle(t, m->instance, m->caller, m->begin.ticks, now->ticks);
	if (blocks)
		sched_end_wait(t, m->kind, now->ticks - m->begin.ticks);
	return true;
}

/* Returns the counts and readings that belong to a held lock. */
static inline struct thread_held *measure_readings_of(struct thread *t,
						      const struct locks_held *held)
{
	return &t->held[held - t->slot->held];
}

/* Notes the readings at the acquisition of the i-th held lock. */
static inline void measure_note(struct thread *t, uint32_t i, struct locks_quantity *counts,
				const struct moment *now)
{
	if (__builtin_expect(t->events != NULL, 0))
		t->held[i] = (struct thread_held){.counts = counts, .since = *now};
}

/* Adds the lock to those that the thread holds. Returns false if the thread holds it already
 * (recursion). If another thread has released the lock in the meantime, the old entry is replaced,
 * as the time of the release is unknown. */
static inline bool measure_hold(struct measure *m, struct locks_row *row)
{
	struct locks_thread *s = m->t->slot;
	const struct locks_held held = {.lock = m->lock,
					.caller = m->caller,
					.row = (uintptr_t)row,
					.since = m->timed ? m->end.ticks : 0};

	for (uint32_t i = s->n_held; i; i--)
		if (s->held[i - 1].lock == m->lock) {
			if (__builtin_expect(!m->instance->given, 1)) {
				s->held[i - 1].depth++;
				return false;
			}
			m->instance->given = 0;
			s->held[i - 1] = held;
			measure_note(m->t, i - 1, m->counts, &m->end);
			return true;
		}
	if (s->n_held == LOCKS_HELD) {
		s->n_too_deep++;
		return true;
	}
	measure_note(m->t, s->n_held, m->counts, &m->end);
	s->held[s->n_held++] = held;
	return true;
}

/* Notes the owner of a lock that was acquired exclusively. Until the release, only this thread
 * writes these members of the lock's record. */
static inline void measure_set_owner(struct thread *t, struct locks_instance *instance)
{
	if (__builtin_expect(instance->owner != t->slot->number, 0) && !instance->several) {
		instance->owner_changes += instance->owner != 0;
		instance->owner = t->slot->number;
		instance->owner_slot = t->place;
	}
}

/* Ends a wait for a lock that was taken. */
static inline void measure_end_wait(struct measure *m)
{
	struct thread *t = m->t;

	if (!--t->n_waiting)
		sched_end_wait(t, m->kind, m->end.ticks - m->begin.ticks);
}

/* Counts the time of the attempt as LOCKS_WAITING; with sampling, only if the thread had
 * to wait because the lock was held. */
static inline void measure_attempt(struct measure *m)
{
	struct thread *t = m->t;

	if (__builtin_expect(m->contended, 0))
		measure_end_wait(m);
	else if (measure_times_all(t))
		measure_enter_state(t, &m->begin, LOCKS_WAITING);
}

/* Leaves the waiting state after the attempt. */
static inline void measure_end_attempt(struct measure *m)
{
	if (measure_times_all(m->t) || m->contended)
		measure_set_state(m->t, &m->end);
}

/* Returns whether the attempt has a time. */
static inline bool measure_is_timed(const struct measure *m)
{
	return __builtin_expect(m->timed, 1) || m->contended;
}

static inline void measure_acquired(struct measure *m)
{
	struct thread *t = m->t;
	struct locks_row *row = m->row;

	measure_open(t, &row->sequence);
	t->slot->sequence++;
	if (locks_is_held(m->kind) && !(m->lock & THREAD_SHARED))
		measure_set_owner(t, m->instance);
	measure_attempt(m);
	if (locks_is_held(m->kind) && !measure_hold(m, row))
		row->nested++;
	measure_end_attempt(m);
	if (measure_is_timed(m))
		measure_add(t, row, m->counts, LOCKS_ACQUIRE, &m->begin, &m->end);
	else
		row->untimed[LOCKS_ACQUIRE]++;
	if (__builtin_expect(m->contended, 0)) {
		row->contended++;
		row->waited += m->end.ticks - m->begin.ticks;
		contention_add(m->wait, m->end.ticks - m->begin.ticks);
		if (chain_wanted)
			chain_end_wait(t, m->wait, m->lock, m->begin.ticks, m->end.ticks, true);
	}
	t->slot->sequence++;
	measure_close(t, &row->sequence);
}

static inline void measure_failed(struct measure *m)
{
	struct thread *t = m->t;
	struct locks_row *row = m->row;

	measure_open(t, &row->sequence);
	t->slot->sequence++;
	measure_attempt(m);
	measure_end_attempt(m);
	row->failed++;
	if (measure_is_timed(m))
		row->lost += m->end.ticks - m->begin.ticks;
	if (__builtin_expect(m->contended, 0) && chain_wanted)
		chain_end_wait(t, m->wait, m->lock, m->begin.ticks, m->end.ticks, false);
	t->slot->sequence++;
	measure_close(t, &row->sequence);
}

/* Ends an attempt; got: the thread has acquired the lock. */
static inline void measure_end(struct measure *m, bool got)
{
	/* Measuring has stopped during the attempt. */
	if (__builtin_expect(!m->t->measured, 0))
		return;
	if (measure_is_timed(m))
		events_read_after(m->t->events, &m->end);
	if (__builtin_expect(got, 1))
		measure_acquired(m);
	else
		measure_failed(m);
}

/* Returns the entry of a held lock; NULL: this thread did not acquire the lock, or its list of held
 * locks had no room. */
static inline struct locks_held *measure_held(struct locks_thread *s, uintptr_t lock)
{
	for (uint32_t i = s->n_held; i; i--)
		if ((s->held[i - 1].lock & ~THREAD_SHARED) == lock)
			return &s->held[i - 1];
	return NULL;
}

static inline struct locks_row *measure_row_of(const struct locks_held *held)
{
	return (struct locks_row *)(uintptr_t)held->row;
}

/* Returns whether the coming release of this lock is to be timed. */
static inline bool measure_times_release(struct thread *t, uintptr_t lock)
{
	const struct locks_held *held = measure_times_all(t) ? NULL : measure_held(t->slot, lock);

	return measure_times_all(t) || (held && held->since);
}

/* Adds the time and the counts since the acquisition to the row. */
static inline void measure_add_hold(struct thread *t, const struct locks_held *held,
				    const struct moment *now)
{
	struct locks_row *row = measure_row_of(held);
	const struct thread_held *beside = measure_readings_of(t, held);

	locks_quantity_add(&row->phase[LOCKS_HOLD], now->ticks - held->since);
	if (__builtin_expect(t->events && beside->counts, 0))
		counts_add(t, beside->counts, LOCKS_HOLD, &beside->since, now);
}

/* Removes an entry from the held locks. */
static inline void measure_drop(struct thread *t, struct locks_held *held)
{
	struct locks_thread *s = t->slot;

	for (s->n_held--; held < &s->held[s->n_held]; held++) {
		*held = held[1];
		if (__builtin_expect(t->events != NULL, 0))
			*measure_readings_of(t, held) = *measure_readings_of(t, held + 1);
	}
}

/* Notes the release of a lock that this thread did not acquire, or for which its list of held locks
 * had no room. */
static inline void measure_released_other(struct thread *t, uintptr_t lock)
{
	struct locks_instance *instance = instance_find(lock);

	t->slot->n_unmatched++;
	if (instance && !instance->several && instance->owner != t->slot->number)
		instance->given = 1;
}

/* Adds a hold that ends at `now`. now NULL: the release was not timed. */
static inline void measure_end_hold(struct thread *t, const struct locks_held *held,
				    const struct moment *now)
{
	if (__builtin_expect(now && (held->since || measure_times_all(t)), 1))
		measure_add_hold(t, held, now);
	else
		measure_row_of(held)->untimed[LOCKS_HOLD]++;
}

/* Adds a release. Its time counts as part of the state LOCKS_HOLDING. begin NULL: the release was
 * not timed. */
static inline __attribute__((always_inline)) void measure_released(struct thread *t, uintptr_t lock,
								   const struct moment *begin,
								   const struct moment *end)
{
	struct locks_held *held = measure_held(t->slot, lock);
	struct locks_quantity *counts = NULL;
	struct locks_row *row;

	if (__builtin_expect(!held, 0)) {
		measure_released_other(t, lock);
		return;
	}
	row = measure_row_of(held);
	measure_open(t, &row->sequence);
	counts = t->events ? measure_readings_of(t, held)->counts : NULL;
	if (__builtin_expect(begin != NULL, 1))
		measure_add(t, row, counts, LOCKS_RELEASE, begin, end);
	else
		row->untimed[LOCKS_RELEASE]++;
	if (__builtin_expect(held->depth, 0)) {
		held->depth--;
	} else {
		measure_end_hold(t, held, begin);
		measure_drop(t, held);
		t->slot->sequence++;
		if (measure_times_all(t))
			measure_set_state(t, end);
		t->slot->n_pairs++;
		t->slot->n_untimed += !begin;
		t->slot->sequence++;
	}
	measure_close(t, &row->sequence);
}

/* ---- plain ----
 *
 * The same for a thread that is THREAD_PLAIN, in half the instructions: for the usual case that the
 * attempt succeeds at once, and that no signal handler has come between. Everything else is left to
 * the functions above.
 */

/* What is known of an attempt before it is made. */
struct measure_plain {
	struct locks_instance *instance;
	struct locks_row *row;
	uint64_t begin;
};

/* Begins an attempt. Returns false, with nothing done, if the thread has no records for this lock
 * and caller, or these have ended. */
static inline __attribute__((always_inline)) bool measure_begin_plain(struct measure_plain *p,
								      const struct thread *t,
								      uintptr_t lock,
								      uintptr_t caller)
{
	const struct thread_entry *e = thread_find(&t->index, lock, caller);

	if (__builtin_expect(!e || e->instance->ended || e->row->ended, 0))
		return false;
	p->instance = e->instance;
	p->row = e->row;
	p->begin = arch_read_time();
	return true;
}

/* Continues an attempt by the functions above. */
static inline void measure_continue(struct measure *m, const struct measure_plain *p)
{
	m->timed = true;
	m->instance = p->instance;
	m->row = p->row;
	m->counts = NULL;
	m->begin.ticks = p->begin;
}

static inline void measure_enter_plain(const struct thread *t, uint64_t now, enum locks_state state)
{
	t->slot->since = now;
	t->slot->state = t->n_waiting ? LOCKS_WAITING : state;
}

/* Ends an attempt that has succeeded without a wait. Returns false, with nothing done, if
 * measure_acquired() has to do it: for a lock that the thread holds, or after a signal handler. */
static inline __attribute__((always_inline)) bool
measure_acquired_plain(struct thread *t, const struct measure_plain *p, uintptr_t lock,
		       uintptr_t caller, uint64_t end)
{
	struct locks_thread *s = t->slot;
	const uint32_t n = s->n_held;

	if (__builtin_expect(s->since > p->begin || n == LOCKS_HELD || t->ready != THREAD_PLAIN, 0))
		return false;
	for (uint32_t i = n; i; i--)
		if (s->held[i - 1].lock == lock)
			return false;
	measure_open(t, &p->row->sequence);
	s->sequence++;
	if (!(lock & THREAD_SHARED))
		measure_set_owner(t, p->instance);
	s->ticks[s->state] += p->begin - s->since;
	s->ticks[LOCKS_WAITING] += end - p->begin;
	measure_enter_plain(t, end, LOCKS_HOLDING);
	s->held[n] = (struct locks_held){
		.lock = lock, .caller = caller, .since = end, .row = (uintptr_t)p->row};
	s->n_held = n + 1;
	locks_quantity_add(&p->row->phase[LOCKS_ACQUIRE], end - p->begin);
	s->sequence++;
	measure_close(t, &p->row->sequence);
	return true;
}

/* Adds the release of the lock that the thread has acquired last. Returns false, with nothing done,
 * if measure_released() has to do it. */
static inline __attribute__((always_inline)) bool
measure_released_plain(struct thread *t, uintptr_t lock, uint64_t begin, uint64_t end)
{
	struct locks_thread *s = t->slot;
	const uint32_t n = s->n_held;
	const struct locks_held *held;
	struct locks_row *row;

	if (__builtin_expect(!n, 0))
		return false;
	held = &s->held[n - 1];
	if (__builtin_expect((held->lock & ~THREAD_SHARED) != lock || held->depth ||
				     s->since > begin || t->ready != THREAD_PLAIN,
			     0))
		return false;
	row = measure_row_of(held);
	measure_open(t, &row->sequence);
	s->sequence++;
	locks_quantity_add(&row->phase[LOCKS_RELEASE], end - begin);
	locks_quantity_add(&row->phase[LOCKS_HOLD], begin - held->since);
	s->n_held = n - 1;
	s->ticks[s->state] += end - s->since;
	measure_enter_plain(t, end, n > 1 ? LOCKS_HOLDING : LOCKS_FREE);
	s->n_pairs++;
	s->sequence++;
	measure_close(t, &row->sequence);
	return true;
}

/* ---- find ----
 *
 * Finds, at the beginning of each wrapper, the caller and the state of the thread.
 */

#define FIND_PUBLIC __attribute__((visibility("default")))
/* The unwinder leaves out the flags, too, so that the frame of the caller is found by its address.
 */
#define FIND_CALLER ((uintptr_t)__builtin_return_address(0) & ~ARCH_RETURN_FLAGS)

/* Returns the state of the thread; NULL: this call is not measured. */
static inline struct thread *find_thread(void)
{
	struct thread *t = thread_self;

	return __builtin_expect(t->ready, 1) ? t : thread_enter();
}

#endif
