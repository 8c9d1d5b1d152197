/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/blocking.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "inject/preload/measure.h"
#include "inject/preload/next.h"
#include "inject/preload/process.h"

/* ---- finding ---- */

/* Stands for a function that this C library does not have; no program with it calls the function.
 */
static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

static void find(uint32_t function)
{
	const struct blocking_symbol *s = &blocking_symbols[function - 1];
	void *found = next_find(s->name, s->version);

	if (found)
		*(void **)(void *)&blocking_real[function] = found;
	else
		blocking_real[function] = (void (*)(void))missing;
}

/* Finds a function that is called before the constructor, or by the lookup itself. */
static void find_early(uint32_t function)
{
	const int error = errno;

	find(function);
	errno = error;
}

__attribute__((constructor)) static void find_all(void)
{
	for (uint32_t i = 1; i <= blocking_n; i++)
		find(i);
}

/* ---- calls ---- */

/* Returns the state of the thread; NULL: the call is not measured. The object's own calls, under
 * the guard, are not; and no calls of a signal handler that has interrupted the measuring, or of
 * destructors that run after the exit of the thread was recorded. A call for a device is not the
 * first of a thread that is measured: a child of fork(2) often opens a file only to execute another
 * program. */
static inline struct thread *find_state(enum locks_blocking what)
{
	struct thread *t = thread_self;
	int error;

	if (guard_is_own())
		return NULL;
	if (__builtin_expect(t->ready != THREAD_NOT_READY, 1))
		return t;
	error = errno;
	t = t->own || what == LOCKS_DEVICE || thread_has_left() ? NULL : thread_enter();
	errno = error;
	return t;
}

/* Returns whether the call at this place on the stack is inside another blocking call of the
 * thread. A call that longjmp() has left began deeper on the stack than the next call. */
static bool is_within(const struct thread *t, uintptr_t at)
{
	return t->block_at > at;
}

void blocking_enter(struct blocking *b, uint32_t function)
{
	struct thread *t = find_state(b->what);

	if (__builtin_expect(!blocking_real[function], 0))
		find_early(function);
	b->t = NULL;
	if (!t || t->n_waiting || is_within(t, b->at))
		return;
	if (t->block_at)
		sched_forget_block(t);
	b->t = t;
	t->block_at = b->at;
	b->since = process_ticks();
	sched_begin_block(t, b->what == BLOCKING_FILE ? LOCKS_INPUT : b->what, b->since);
}

/* Returns what a call for a descriptor waited for: other programs write to and read from pipes,
 * sockets and terminals. */
static enum locks_blocking find_what(const struct blocking *b)
{
	const int fd = b->stream ? fileno_unlocked(b->stream) : b->fd;
	struct stat file;

	if (process_has_filter() || fstat(fd, &file))
		return LOCKS_INPUT;
	return S_ISREG(file.st_mode) || S_ISBLK(file.st_mode) ? LOCKS_DEVICE : LOCKS_INPUT;
}

static void add(const struct blocking *b, uint64_t ticks)
{
	const int error = errno;
	const enum locks_blocking what = b->what == BLOCKING_FILE ? find_what(b) : b->what;
	struct thread *t = b->t;

	measure_open(t, &t->slot->sequence);
	sched_end_block(t, what, ticks);
	measure_close(t, &t->slot->sequence);
	errno = error;
}

void blocking_leave(struct blocking *b)
{
	struct thread *t = b->t;
	uint64_t ticks;

	if (!t || t != thread_self || !t->ready || t->block_at != b->at)
		return;
	ticks = process_ticks() - b->since;
	sched_forget_block(t);
	if (ticks >= t->short_ticks)
		add(b, ticks);
}
