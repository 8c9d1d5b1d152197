/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* entry of tiptop-locks.so: syscall(2) and prctl(2). Both can set seccomp filters (seccomp.h). The
 * C library has no function for futex(2), so std::counting_semaphore of C++, the library of Rust,
 * and GLib call it through syscall(2). Code that makes the system call itself, such as libgomp, is
 * not noticed. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>

#include "inject/preload/futex_operation.h"
#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/seccomp.h"
#include "inject/preload/thread.h"

/* ---- calls of futex(2) ----
 *
 * Measures the calls of futex(2) that the program makes through syscall(2).
 *
 * A futex is an object of its own kind (LOCKS_FUTEX), with a row for each caller: a wait is like a
 * wait for a semaphore, and a call that wakes threads like a release. The caller that woke threads
 * last before the end of a wait takes the place of the holder in the record of the wait.
 *
 * A wait is not added to a row if the thread waits for another lock already, as it is then a part
 * of that wait. A call is not added either if its futex lies in memory of a lock that has rows of
 * another kind.
 *
 * The call has the same result, errno and arguments as without this object.
 */

static long call_kernel(long number, const long *argument)
{
	return real.syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4],
			    argument[5]);
}

/* Add 1 to a number in the slot of the thread; an inner thread, that of a signal handler, adds to
 * the slot of the thread that it interrupted. The additions are atomic,
 * as a signal handler may interrupt one and add to the same number. */
static void count_call(const struct thread *t)
{
	__atomic_fetch_add(&locks.slot[t->place].n_futex, 1, __ATOMIC_RELAXED);
}

static void count_left_out(const struct thread *t)
{
	__atomic_fetch_add(&locks.slot[t->place].n_futex_left_out, 1, __ATOMIC_RELAXED);
}

/* --- the futex --- */

union largest {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	pthread_cond_t cond;
	sem_t semaphore;
	pthread_barrier_t barrier;
};

/* Returns whether the word lies in an object that has rows of another kind. */
static bool is_part_of_other(uintptr_t address)
{
	for (uintptr_t offset = 0; offset < sizeof(union largest); offset += 4) {
		const struct locks_instance *there = instance_find(address - offset);

		if (there && !there->ended && there->kind != LOCKS_FUTEX &&
		    offset < futex_object_size((enum locks_kind)there->kind))
			return true;
	}
	return false;
}

/* Returns whether the thread has a row for the futex and the caller already, or may get one. */
static bool has_row(const struct thread *t, uintptr_t address, uintptr_t caller)
{
	const struct thread_entry *e = thread_find(&t->index, address, caller);

	return (e && !e->instance->ended) || !is_part_of_other(address);
}

/* Returns the address in the first element of an array of struct futex_waitv: a number of 64 bits
 * behind another one. 0: the element cannot be read, or the address is not valid. */
static uintptr_t first_address(uintptr_t vector)
{
	uint64_t element[2];

	if (!readable_check((const void *)vector, sizeof element))
		return 0;
	memcpy(element, (const void *)vector, sizeof element);
	return element[1] & 3 ? 0 : (uintptr_t)element[1];
}

/* Returns the record of a futex; NULL: it has none, or shares one with other futexes. */
static struct locks_instance *own_instance(const struct measure *m)
{
	const bool has = m->instance >= locks.instance &&
			 m->instance < locks.instance + LOCKS_INSTANCES && !m->instance->several;

	return has ? m->instance : NULL;
}

/* --- waits --- */

struct futex_wait {
	struct measure m;
	struct locks_wait record;
	bool inherits;
	bool returned; /* the system call has returned: `ret` and `error` are set */
	long ret;
	int error;
};

static void add_failure(struct locks_row *row, const struct futex_wait *w, uint64_t ticks)
{
	row->failed++;
	row->lost += ticks;
	if (w->returned && w->error == ETIMEDOUT)
		row->futex.timeouts++;
	else if (w->returned && w->error == EAGAIN)
		row->futex.changed++;
	else if (w->returned && w->error == EINTR)
		row->futex.interrupted++;
}

static void add_success(const struct futex_wait *w, const struct moment *now)
{
	struct locks_row *row = w->m.row;

	measure_add(w->m.t, row, w->m.counts, LOCKS_ACQUIRE, &w->m.begin, now);
	row->contended++;
	row->waited += now->ticks - w->m.begin.ticks;
	row->futex.inheriting += w->inherits;
}

/* Adds the wait to the record for the caller that woke the thread. */
static void add_record(struct futex_wait *w, const struct moment *now)
{
	const struct locks_instance *instance = own_instance(&w->m);

	if (instance)
		w->record.holder = __atomic_load_n(&instance->waker, __ATOMIC_RELAXED);
	contention_add(contention_get(&w->record), now->ticks - w->m.begin.ticks);
}

/* Ends the wait, also if the thread is canceled asynchronously. wait: a struct futex_wait. */
static void end_wait(void *wait)
{
	struct futex_wait *w = wait;
	struct thread *t = w->m.t;
	struct locks_row *row = w->m.row;
	const bool woken = w->returned && w->ret >= 0;
	struct moment now;

	if (!measure_end_idle(&w->m, true, &now))
		return;
	measure_set_state(t, &now);
	if (woken)
		add_success(w, &now);
	else
		add_failure(row, w, now.ticks - w->m.begin.ticks);
	t->slot->sequence++;
	measure_close(t, &row->sequence);
	if (woken)
		add_record(w, &now);
}

static void begin_wait(struct futex_wait *w)
{
	struct thread *t = w->m.t;

	measure_begin(&w->m);
	contention_describe(t, &w->record, w->m.instance, w->m.caller);
	measure_open(t, &t->slot->sequence);
	measure_enter_wait(t, w->m.row, &w->m.begin);
	measure_close(t, &t->slot->sequence);
	t->slot->wait_for = contention_number(contention_get(&w->record));
	sched_begin_wait(t);
}

static long measure_futex_wait(struct futex_wait *w, long number, const long *argument, int error)
{
	begin_wait(w);
	pthread_cleanup_push(end_wait, w);
	errno = error;
	w->ret = call_kernel(number, argument);
	w->error = errno;
	w->returned = true;
	pthread_cleanup_pop(1);
	errno = w->error;
	return w->ret;
}

/* --- calls that wake --- */

static void begin_wake(struct measure *m)
{
	struct thread *t = m->t;
	struct locks_instance *instance;

	measure_begin(m);
	instance = own_instance(m);
	if (t->slot->state == LOCKS_OWN) {
		measure_open(t, &t->slot->sequence);
		measure_set_state(t, &m->begin);
		measure_close(t, &t->slot->sequence);
	}
	/* Before the call, as the threads that it wakes read this. */
	if (instance)
		__atomic_store_n(&instance->waker, m->row->caller, __ATOMIC_RELAXED);
}

static void end_wake(struct measure *m, long ret)
{
	struct thread *t = m->t;

	if (!t->measured)
		return;
	/* A release in the row of all locks without room would be one of a lock that is held. */
	if (m->row == t->other.row) {
		count_left_out(t);
		return;
	}
	measure_open(t, &m->row->sequence);
	measure_add(t, m->row, m->counts, LOCKS_RELEASE, &m->begin, &m->end);
	m->row->futex.woken += ret < 0 ? 0 : (uint64_t)ret;
	m->row->futex.use[LOCKS_BROADCASTS] += ret > 1;
	measure_close(t, &m->row->sequence);
}

static long measure_futex_wake(struct measure *m, long number, const long *argument, int error)
{
	long ret;

	begin_wake(m);
	errno = error;
	ret = call_kernel(number, argument);
	error = errno;
	events_read_after(m->t->events, &m->end);
	end_wake(m, ret);
	errno = error;
	return ret;
}

/* --- calls --- */

static void note_first(uintptr_t caller)
{
	struct guard g;

	if (!process_enter(&g))
		return;
	if (!locks.header->futex_caller)
		locks.header->futex_caller = module_note(caller);
	guard_leave(&g);
}

/* Returns the operation; without a role if the call belongs to no row. */
static struct futex_operation find_operation(const struct thread *t, long number,
					     const long *argument, uintptr_t caller)
{
	struct futex_operation o = futex_operation_of(number, argument);

	if (o.role != FUTEX_ROLE_NONE && o.is_vector)
		o.address = first_address(o.address);
	if (!o.address || (o.role == FUTEX_ROLE_WAIT && t->n_waiting) ||
	    !has_row(t, o.address, caller))
		o.role = FUTEX_ROLE_NONE;
	return o;
}

/* Makes the system call, for which futex_is_call() is true. */
static long futex_call(long number, const long *argument, uintptr_t caller)
{
	const int error = errno;
	struct thread *t = find_thread();
	struct futex_operation o;
	struct futex_wait w;

	if (!t) {
		errno = error;
		return call_kernel(number, argument);
	}
	count_call(t);
	if (!locks.header->futex_caller)
		note_first(caller);
	o = find_operation(t, number, argument, caller);
	measure_init(&w.m, t, o.address, caller, LOCKS_FUTEX);
	w.inherits = o.inherits;
	w.returned = false;
	switch (o.role) {
	case FUTEX_ROLE_WAIT:
		return measure_futex_wait(&w, number, argument, error);
	case FUTEX_ROLE_WAKE:
		return measure_futex_wake(&w.m, number, argument, error);
	case FUTEX_ROLE_NONE:
		break;
	}
	count_left_out(t);
	errno = error;
	return call_kernel(number, argument);
}

/* ---- wrappers ---- */

FIND_PUBLIC long syscall(long number, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	real_find();
	/* The guard itself waits by futex(2). */
	if (__builtin_expect(futex_is_call(number), 0) && !guard_is_own())
		return futex_call(number, argument, FIND_CALLER);
	if (__builtin_expect(seccomp_may_set(number), 0))
		return seccomp_call_syscall(real.syscall, number, argument);
	return real.syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4],
			    argument[5]);
}

FIND_PUBLIC int prctl(int option, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, option);
	seccomp_take_arguments(argument, list);
	va_end(list);
	real_find();
	return seccomp_call_prctl(real.prctl, option, argument);
}
