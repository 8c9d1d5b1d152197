/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of process: start and end of the process, start of threads, and measurement of the cost of
 * measuring. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "inject/preload/attempt.h"
#include "inject/preload/find.h"
#include "inject/preload/guard.h"
#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/module.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/sched.h"

#define CALIBRATIONS 200
/* An untimed pair of acquisition and release costs less than a step of the clock, so this many
 * pairs are measured together. */
#define UNTIMED_PAIRS 16

/* The start function of a thread, POSIX or C11, and its argument. */
struct begin {
	void *(*start)(void *);
	int (*start11)(void *);
	void *argument;
	uint64_t created; /* when its creation began, in ticks */
};

/* Enters the thread, so that its time begins here rather than with its first lock. Frees `context`.
 */
static struct begin take_begin(void *context)
{
	const struct begin begin = *(struct begin *)context;

	free(context);
	sched_created = begin.created;
	if (!thread_self->ready)
		thread_enter();
	return begin;
}

static void *run(void *context)
{
	const struct begin begin = take_begin(context);

	return begin.start(begin.argument);
}

static int run11(void *context)
{
	const struct begin begin = take_begin(context);

	return begin.start11(begin.argument);
}

/* Returns a copy; NULL: no memory. */
static struct begin *new_begin(const struct begin *from)
{
	struct begin *begin = malloc(sizeof *begin);

	if (begin)
		*begin = *from;
	return begin;
}

/* Enters the calling thread, so that the thread that creates others is in the table, too: in a
 * child of fork(), this may be the first call, which makes the table. Returns false if threads are
 * not measured. */
static bool note_creator(void)
{
	find_thread();
	return locks.header && !process_has_stopped();
}

FIND_PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			       void *(*start)(void *), void *argument)
{
	struct begin *begin;
	int ret;

	if (!note_creator())
		return real.create(thread, attributes, start, argument);
	begin = new_begin(
		&(struct begin){.start = start, .argument = argument, .created = process_ticks()});
	ret = begin ? real.create(thread, attributes, run, begin) : EAGAIN;
	if (ret)
		free(begin);
	return ret;
}

FIND_PUBLIC int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct begin *begin;
	int ret;

	if (!note_creator())
		return real.thrd_create(thread, start, argument);
	begin = new_begin(&(struct begin){
		.start11 = start, .argument = argument, .created = process_ticks()});
	ret = begin ? real.thrd_create(thread, run11, begin) : thrd_nomem;
	if (ret != thrd_success)
		free(begin);
	return ret;
}

static void take_least(uint64_t *least, uint64_t x)
{
	if (x < *least)
		*least = x;
}

/* Measures an acquisition and a release as attempt.h does, but without calling the C library. */
static inline void measure_pair(struct thread *t)
{
	struct moment begin, end;
	struct measure m;
	bool timed;

	measure_init(&m, t, (uintptr_t)t, 1, LOCKS_MUTEX);
	measure_begin(&m);
	attempt_end(&m, true);
	timed = measure_times_release(t, (uintptr_t)t);
	if (timed) {
		events_read_before(t->events, &begin);
		events_read_after(t->events, &end);
	}
	measure_released(t, (uintptr_t)t, timed ? &begin : NULL, &end);
}

/* Measures the cost of `pairs` acquisitions and releases, with a thread and a lock that are not in
 * the table. The least cost of many tries leaves out interrupts. */
static void measure_cost(struct thread *t, int pairs, struct moment *least)
{
	struct moment from, to;

	memset(least, 0xff, sizeof *least);
	for (int i = 0; i < CALIBRATIONS; i++) {
		events_read_before(t->events, &from);
		for (int k = 0; k < pairs; k++)
			measure_pair(t);
		events_read_after(t->events, &to);
		take_least(&least->ticks, to.ticks - from.ticks);
		for (int k = 0; t->events && k < events_n(); k++)
			take_least(&least->count[k], to.count[k] - from.count[k]);
	}
}

static void calibrate(void)
{
	static struct locks_instance instance;
	static struct locks_thread slot;
	static struct thread_entry entry[2];
	static struct thread t;
	static struct locks_quantity counts[LOCKS_EVENTS * LOCKS_PHASES];
	struct moment least, counted;

	t = (struct thread){.ready = 1,
			    .measured = 1,
			    .sample = 1,
			    .slot = &slot,
			    .events = thread_self->events,
			    .index = {.entry = entry, .places = 2}};
	entry[thread_place(&t.index, (uintptr_t)&t, 1)] =
		(struct thread_entry){.lock = (uintptr_t)&t,
				      .caller = 1,
				      .instance = &instance,
				      .row = &slot.other,
				      .counts = t.events ? counts : NULL};
	measure_cost(&t, 1, &least);
	locks.header->overhead_ticks = least.ticks;
	if (locks.header->sample > 1) {
		t.sample = UINT32_MAX;
		t.left = CALIBRATIONS * UNTIMED_PAIRS;
		measure_cost(&t, UNTIMED_PAIRS, &counted);
		locks.header->counted_ticks = counted.ticks / UNTIMED_PAIRS;
	}
	for (int i = 0; t.events && i < events_n(); i++)
		locks.header->event[i].overhead = least.count[i];
	locks_note_cost();
}

/* Notes the module of the program, and modules that make the system call futex(2) themselves. They
 * are noted at the start, so that they are in the table even if the process is killed. */
static void note_modules(void)
{
	struct guard g;

	if (!process_enter(&g))
		return;
	module_note(getauxval(AT_PHDR));
	module_note_futex();
	guard_leave(&g);
}

__attribute__((constructor)) static void start(void)
{
	if (!thread_self->ready && !thread_enter())
		return;
	calibrate();
	note_modules();
}

__attribute__((destructor)) static void end(void)
{
	struct moment now;

	/* A child must end its own table, not the table of its parent. */
	if (!thread_self->ready && !thread_enter())
		return;
	events_read_after(thread_self->events, &now);
	measure_open(thread_self, &thread_self->slot->sequence);
	measure_set_state(thread_self, &now);
	measure_close(thread_self, &thread_self->slot->sequence);
	note_modules();
	locks_end();
}
