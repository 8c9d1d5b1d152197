/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of calls: start and end of the process, start of threads, and calibration of the cost. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <threads.h>
#include <unistd.h>

#include "inject/preload/calls.h"
#include "inject/preload/calls_real.h"
#include "inject/preload/next.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp.h"

#define CALIBRATIONS 20

/* The start function of a thread, POSIX or C11, and its argument. */
struct begin {
	void *(*start)(void *);
	int (*start11)(void *);
	void *argument;
};

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create11_function(thrd_t *, thrd_start_t, void *);

static create_function *real_create;
static create11_function *real_create11;
static seccomp_prctl_function *real_control;
static _Atomic(seccomp_syscall_function *) real_syscall;

/* Allocates a copy by the real malloc(), as allocations of this object must not be counted. */
static struct begin *new_begin(const struct begin *from)
{
	struct begin *begin = ((void *(*)(size_t))calls_real[calls_special.malloc])(sizeof *begin);

	if (begin)
		*begin = *from;
	return begin;
}

static void free_begin(struct begin *begin)
{
	((void (*)(void *))calls_real[calls_special.free])(begin);
}

/* Enters the thread, so that its time begins here, and notes the upper end of its stack. Frees
 * `context`. */
static struct begin take_begin(void *context, uintptr_t high)
{
	const struct begin begin = *(struct begin *)context;
	struct calls_state *own;

	free_begin(context);
	own = calls_begin_thread(0);
	if (own)
		own->high = high;
	return begin;
}

static void *run(void *context)
{
	const struct begin begin = take_begin(context, (uintptr_t)__builtin_frame_address(0));

	return begin.start(begin.argument);
}

static int run11(void *context)
{
	const struct begin begin = take_begin(context, (uintptr_t)__builtin_frame_address(0));

	return begin.start11(begin.argument);
}

static int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		  void *argument)
{
	struct begin *begin;
	int ret;

	if (!calls_header())
		return real_create(thread, attributes, start, argument);
	begin = new_begin(&(struct begin){.start = start, .argument = argument});
	ret = begin ? real_create(thread, attributes, run, begin) : EAGAIN;
	if (ret)
		free_begin(begin);
	return ret;
}

static int create11(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct begin *begin;
	int ret;

	if (!calls_header())
		return real_create11(thread, start, argument);
	begin = new_begin(&(struct begin){.start11 = start, .argument = argument});
	ret = begin ? real_create11(thread, run11, begin) : thrd_nomem;
	if (ret != thrd_success)
		free_begin(begin);
	return ret;
}

static int control(int option, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, option);
	seccomp_take_arguments(argument, list);
	va_end(list);
	return seccomp_call_prctl(real_control, option, argument);
}

static void find_syscall(void)
{
	real_syscall = (seccomp_syscall_function *)next_find("syscall", NULL);
}

/* This function is not in the list of functions, as this object calls it, too. */
CALLS_PUBLIC long syscall(long number, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	if (!real_syscall)
		find_syscall();
	return seccomp_call_syscall(real_syscall, number, argument);
}

void calls_redirect(void)
{
	find_syscall(); /* needed by the guard */
	real_control = (seccomp_prctl_function *)calls_real[calls_special.prctl];
	calls_real[calls_special.prctl] = (void (*)(void))control;
	real_create = (create_function *)calls_real[calls_special.pthread_create];
	real_create11 = (create11_function *)calls_real[calls_special.thrd_create];
	calls_real[calls_special.pthread_create] = (void (*)(void))create;
	calls_real[calls_special.thrd_create] = (void (*)(void))create11;
}

static void take_least(uint64_t *least, uint64_t x, bool first)
{
	if (first || x < *least)
		*least = x;
}

/* Measures the cost of calls in a thread that is not in the table. As the clock may have coarse
 * steps, many calls are measured together; the least of several such sums leaves out interrupts. */
static void calibrate(struct calls_header *h)
{
	static struct {
		struct calls_thread slot;
		struct calls_row row;
	} s;
	static struct calls_state own;
	static uint64_t counts[2 * EVENT_NOTES_MAX];
	const uint64_t *self = &calls_rows(&s.slot)->self;

	own = (struct calls_state){.ready = 1,
				   .measured = 1,
				   .here = 1,
				   .slot = &s.slot,
				   .events = calls_state->events,
				   .counts = counts};
	h->overhead = h->inside = UINT64_MAX;
	for (int try = 0; try < CALIBRATIONS; try++) {
		const uint64_t before = *self;
		struct moment begin, end;
		uint64_t ticks;

		events_read_after(own.events, &begin);

		for (int i = 0; i < CALLS_OVERHEAD_UNIT; i++) {
			struct calls_call call = {.own = &own, .at = 1};

			calls_enter(&call, 1);
			calls_return(&call);
		}
		events_read_after(own.events, &end);
		ticks = end.ticks - begin.ticks;
		for (int i = 0; own.events && i < events_n(); i++)
			take_least(&h->event[i].overhead, end.count[i] - begin.count[i], !try);
		h->overhead = ticks < h->overhead ? ticks : h->overhead;
		h->inside = *self - before < h->inside ? *self - before : h->inside;
	}
}

__attribute__((constructor)) static void start(void)
{
	calls_begin_thread(0);
	if (!calls_header())
		return;
	calibrate(calls_header());
	calls_note_cost();
}

__attribute__((destructor)) static void end(void)
{
	struct calls_state *own;
	struct moment now;
	struct guard g;

	/* A child must end its own table, not the table of its parent. */
	calls_begin_thread(0);
	if (!calls_header())
		return;
	events_read_after(calls_state->events, &now);
	if (!process_enter(&g))
		return;
	own = calls_state;
	own->ready = 0;
	if (own->here) {
		own->slot->sequence++;
		calls_add_time(own, &now);
		own->slot->sequence++;
	}
	/* Measured again, as a longer measurement of the clock's speed is more precise. */
	calls_header()->ns_per_tick = process_ns_per_tick();
	calls_header()->end = process_ticks();
	own->ready = own->here;
	guard_leave(&g);
}
