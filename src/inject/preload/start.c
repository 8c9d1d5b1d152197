/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* entry of tiptop-locks.so: the table, start and end of the process, start of threads, and
 * measurement of the cost of measuring. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/contention.h"
#include "inject/preload/events.h"
#include "inject/preload/exec_arguments.h"
#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"
#include "inject/preload/seccomp_filter.h"
#include "inject/preload/thread.h"

/* ---- the table of this process ---- */

/* Slots whose memory is populated at the start. Slot 0 is among these slots, so the sums of exited
 * threads always have room. */
#define FIRST_SLOTS 32

/* The cost of measuring, as in the header; 0: unknown. */
static uint64_t overhead_ticks, counted_ticks, event_overhead[LOCKS_EVENTS];

/* Saves the cost of measuring from the table, for the tables of children of fork(2). */
static void note_cost(void)
{
	overhead_ticks = locks.header->overhead_ticks;
	counted_ticks = locks.header->counted_ticks;
	for (int i = 0; i < LOCKS_EVENTS; i++)
		event_overhead[i] = locks.header->event[i].overhead;
}

static void describe_cost(struct locks_header *h)
{
	h->overhead_ticks = overhead_ticks;
	h->counted_ticks = counted_ticks;
	for (int i = 0; i < LOCKS_EVENTS; i++)
		h->event[i].overhead = event_overhead[i];
}

/* Returns the sampling interval; 1 if the variable is not valid (tiptop has checked it). A child
 * keeps the value that its parent has read. */
static uint32_t sample_wanted(void)
{
	static uint32_t wanted;
	const char *text = wanted ? NULL : secure_getenv(LOCKS_SAMPLE_VARIABLE);
	const unsigned long n = text ? strtoul(text, NULL, 10) : 1;

	if (!wanted)
		wanted = n >= 1 && n <= LOCKS_SAMPLE_MAX ? (uint32_t)n : 1;
	return wanted;
}

/* Fills the header. n_waits begins at 1: record 0 is for waits that have no room. */
static void describe(struct locks_header *h)
{
	struct container_place place[LOCKS_SECTIONS - 1];

	h->n_events = (uint32_t)events_n();
	events_name(h->event);
	h->max_rows = locks_max_rows(LOCKS_SIZE_MAX, h->n_events);
	locks_places(place, h);
	tt_container_fill(&h->container, &locks_plan, place);
	h->ns_per_tick = process_ns_per_tick();
	h->n_waits = 1;
	h->sample = sample_wanted();
	describe_cost(h);
	h->begin = process_ticks();
	tt_container_publish(&h->container);
}

static bool make_counts_real(char *file)
{
	const uint32_t n = (uint32_t)events_n(), rows = locks_max_rows(LOCKS_SIZE_MAX, n);

	return !n || process_make_real(file + locks_counts_offset(n, rows, rows),
				       FIRST_SLOTS * locks_counts_size(n));
}

static bool make(void *file)
{
	struct locks_head *head = file;

	if (!process_make_real(file, offsetof(struct locks_head, instance)) || !instance_begin())
		return false;
	locks.module = head->module;
	locks.instance = head->instance;
	locks.slot = head->slot;
	locks.wait = head->wait;
	locks.past = head->past;
	locks.chain = head->chain;
	locks.row = (void *)(head + 1);
	events_begin(true);
	if (!process_make_real(locks.slot, FIRST_SLOTS * sizeof *locks.slot) ||
	    !process_make_real(locks.wait, sizeof *locks.wait) || !make_counts_real(file))
		return false;
	contention_begin();
	chain_begin();
	describe(file);
	locks.header = file;
	return true;
}

static void forget(void)
{
	instance_end();
	locks = (struct locks){.header = NULL};
	thread_forget();
	rows_forget();
	contention_forget();
	chain_forget();
	events_forget();
}

/* Writes the totals of all threads, and the time at which measuring ends, into the table. The
 * caller must not be in the guard. */
static void end_table(void)
{
	struct guard g;

	if (!locks.header)
		return;
	if (process_enter(&g)) {
		thread_end_all();
		guard_leave(&g);
	}
	/* Measured again, as a longer measurement of the clock's speed is more precise. */
	locks.header->ns_per_tick = process_ns_per_tick();
	locks.header->end = process_ticks();
}

static void stop(const struct process_stop *why)
{
	thread_stop_all();
	locks.header->lacking_call = why->lacking;
	locks.header->ns_per_tick = why->ns_per_tick;
	locks.header->end = why->end;
}

static void leave_out(void *table, enum left_out why)
{
	__atomic_fetch_add(&((struct locks_header *)table)->n_left_out[why], 1, __ATOMIC_RELAXED);
}

const struct process_hooks process_hooks = {
	.variable = "TIPTOP_LOCKS",
	.size = LOCKS_SIZE_MAX,
	.make = make,
	.forget = forget,
	.stop = stop,
	.leave_out = leave_out,
	.thread_id = thread_id,
	.needs = SECCOMP_FILES,
};

/* ---- threads ---- */

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

/* ---- the cost of measuring ---- */

#define CALIBRATIONS 200
/* A pair of acquisition and release costs little more than a step of the clock, and an untimed one
 * less, so this many pairs are measured together. */
#define PAIRS         4
#define UNTIMED_PAIRS 16

static void take_least(uint64_t *least, uint64_t x)
{
	if (x < *least)
		*least = x;
}

/* Measures an acquisition and a release as the wrappers do, but without calling the C library. */
static inline void measure_pair(struct thread *t)
{
	const uintptr_t lock = (uintptr_t)t;
	struct measure_plain plain;
	struct moment begin, end;
	struct measure m;
	bool timed;

	if (t->ready == THREAD_PLAIN && measure_begin_plain(&plain, t, lock, 1)) {
		measure_acquired_plain(t, &plain, lock, 1, arch_read_time());
		begin.ticks = arch_read_time();
		measure_released_plain(t, lock, begin.ticks, arch_read_time());
		return;
	}
	measure_init(&m, t, lock, 1, LOCKS_MUTEX);
	measure_begin(&m);
	measure_end(&m, true);
	timed = measure_times_release(t, lock);
	if (timed) {
		events_read_before(t->events, &begin);
		events_read_after(t->events, &end);
	}
	measure_released(t, lock, timed ? &begin : NULL, &end);
}

/* Measures the cost of an acquisition and a release, by several at once, with a thread and a lock
 * that are not in the table. The least cost of many tries leaves out interrupts. */
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
	least->ticks /= (uint64_t)pairs;
	for (int k = 0; t->events && k < events_n(); k++)
		least->count[k] /= (uint64_t)pairs;
}

static void calibrate(void)
{
	static struct locks_instance instance;
	static struct locks_thread slot;
	static struct thread_entry entry[2];
	static struct thread t;
	static struct locks_quantity counts[LOCKS_EVENTS * LOCKS_PHASES];
	struct moment least, counted;

	t = (struct thread){.ready = thread_self->measured,
			    .measured = thread_self->measured,
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
	measure_cost(&t, t.events ? 1 : PAIRS, &least);
	locks.header->overhead_ticks = least.ticks;
	if (locks.header->sample > 1) {
		t.sample = UINT32_MAX;
		t.left = CALIBRATIONS * UNTIMED_PAIRS;
		measure_cost(&t, UNTIMED_PAIRS, &counted);
		locks.header->counted_ticks = counted.ticks;
	}
	for (int i = 0; t.events && i < events_n(); i++)
		locks.header->event[i].overhead = least.count[i];
	note_cost();
}

/* ---- start and end ---- */

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

/* Counts the time of the calling thread up to now. */
static void settle(void)
{
	struct moment now;

	events_read_after(thread_self->events, &now);
	measure_open(thread_self, &thread_self->slot->sequence);
	measure_set_state(thread_self, &now);
	measure_close(thread_self, &thread_self->slot->sequence);
	sched_forget_block(thread_self);
}

__attribute__((destructor)) static void end(void)
{
	/* A child must end its own table, not the table of its parent. */
	if (!thread_self->ready && !thread_enter())
		return;
	settle();
	note_modules();
	end_table();
}

/* ---- other ends ----
 *
 * A process that calls _exit(2) or abort(3), or executes another program, runs no destructors. A
 * filter that was set unseen allows at least the calls of the dynamic loader if a program is
 * executed.
 */

/* Ends the table if this process has one; not that of the parent, in a child of vfork(2), nor after
 * the program has set a system call filter. Returns whether it did. */
static bool end_early(void)
{
	const int error = errno;
	const struct thread *t = thread_self;
	const bool has = t->ready && locks.header && !process_has_stopped() &&
			 !process_has_filter() &&
			 t->slot->tid == (uint32_t)real.syscall(SYS_gettid);

	if (has) {
		settle();
		end_table();
	}
	errno = error;
	return has;
}

/* Goes on, as no program was executed. */
static void reopen(void)
{
	struct guard g;

	locks.header->end = 0;
	if (!process_enter(&g))
		return;
	thread_reopen_all();
	guard_leave(&g);
}

/* The body of a function that executes another program by `call`. */
#define EXECUTE(call)                                                                              \
	do {                                                                                       \
		bool ended;                                                                        \
		int ret;                                                                           \
                                                                                                   \
		real_find();                                                                       \
		ended = thread_self->ready && !process_has_new_filters() && end_early();           \
		ret = call;                                                                        \
		if (ended)                                                                         \
			reopen();                                                                  \
		return ret;                                                                        \
	} while (0)

FIND_PUBLIC int execve(const char *file, char *const *argv, char *const *environment)
{
	EXECUTE(real.execve(file, argv, environment));
}

FIND_PUBLIC int execv(const char *file, char *const *argv)
{
	EXECUTE(real.execv(file, argv));
}

FIND_PUBLIC int execvp(const char *file, char *const *argv)
{
	EXECUTE(real.execvp(file, argv));
}

FIND_PUBLIC int execvpe(const char *file, char *const *argv, char *const *environment)
{
	EXECUTE(real.execvpe(file, argv, environment));
}

FIND_PUBLIC int execveat(int folder, const char *file, char *const *argv, char *const *environment,
			 int flags)
{
	EXECUTE(real.execveat(folder, file, argv, environment, flags));
}

FIND_PUBLIC int fexecve(int fd, char *const *argv, char *const *environment)
{
	EXECUTE(real.fexecve(fd, argv, environment));
}

FIND_PUBLIC int execl(const char *file, const char *first, ...)
{
	char **argv;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	EXECUTE(real.execv(file, argv));
}

FIND_PUBLIC int execlp(const char *file, const char *first, ...)
{
	char **argv;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	EXECUTE(real.execvp(file, argv));
}

FIND_PUBLIC int execle(const char *file, const char *first, ...)
{
	char **argv, **environment;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	environment = va_arg(list, char **);
	va_end(list);
	EXECUTE(real.execve(file, argv, environment));
}

FIND_PUBLIC void _exit(int status)
{
	real_find();
	end_early();
	real._exit(status);
	__builtin_unreachable();
}

FIND_PUBLIC void abort(void)
{
	real_find();
	end_early();
	real.abort();
	__builtin_unreachable();
}

FIND_PUBLIC void _Exit(int status)
{
	_exit(status);
}

/* ---- calls that may keep the table from being made ----
 *
 * A server forks a process that then changes its user, as those of nginx and Apache do. The folder
 * of the tables belongs to the user before; so a process that has no table yet makes it before such
 * a call: later, it could not. The same holds for another root directory and for other namespaces;
 * for a filter of system calls, seccomp.c does it. Limits are left out, as the runtime of the
 * memory sanitizer sets some before it can be called.
 */

/* Makes the table of this process if it is to be measured and has none. Preserves errno. */
static void make_early(void)
{
	const int error = errno;

	find_thread();
	errno = error;
}

/* Defines a wrapper that calls make_early() first. It has the function's name only in the object,
 * as headers may give that name to another version of the function. */
#define EARLY(name, parameters, ...)                                                               \
	FIND_PUBLIC int early_##name parameters __asm__(#name);                                    \
	int early_##name parameters                                                                \
	{                                                                                          \
		real_find();                                                                       \
		make_early();                                                                      \
		return real.name(__VA_ARGS__);                                                     \
	}

EARLY(setuid, (uid_t user), user)
EARLY(seteuid, (uid_t user), user)
EARLY(setreuid, (uid_t user, uid_t effective), user, effective)
EARLY(setresuid, (uid_t user, uid_t effective, uid_t saved), user, effective, saved)
EARLY(chroot, (const char *folder), folder)
EARLY(unshare, (int flags), flags)
EARLY(setns, (int fd, int type), fd, type)
