/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/guard.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 0: free; 1: taken; 2: taken, with threads waiting. */
static atomic_uint word;
/* The result of guard_is_own() in this thread. */
static __thread bool own __attribute__((tls_model("initial-exec")));

static void sleep_or_wake(int operation, unsigned number)
{
	syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, number, NULL, NULL, 0);
}

/* All signals but the two that the C library uses internally. */
static const uint64_t all_signals = ~(3ull << 31);

static void set_mask(const uint64_t *mask, uint64_t *before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, before, sizeof *mask);
}

void guard_enter(struct guard *g)
{
	unsigned was = 0;

	g->error = errno;
	set_mask(&all_signals, &g->mask);
	own = true;
	/* A sanitizer may intercept this function and initialize itself in it; the sanitizer's
	 * calls are not counted, as `own` is set. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancellation);
	if (atomic_compare_exchange_strong(&word, &was, 1))
		return;
	while (atomic_exchange(&word, 2))
		sleep_or_wake(FUTEX_WAIT, 2);
}

void guard_leave(const struct guard *g)
{
	if (atomic_exchange(&word, 0) == 2)
		sleep_or_wake(FUTEX_WAKE, 1);
	own = false;
	set_mask(&g->mask, NULL);
	pthread_setcancelstate(g->cancellation, NULL);
	errno = g->error;
}

void guard_enter_alone(void)
{
	own = true;
}

void guard_leave_alone(void)
{
	own = false;
}

bool guard_is_own(void)
{
	return own;
}

void guard_forget(void)
{
	atomic_store(&word, 0);
}
