/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the object while the kernel sets a filter: the filter may apply to other threads
 * before the system call has returned. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "inject/preload/events.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp.h"
#include "tap.h"

/* --- the functions that seccomp.h needs --- */

const struct process_hooks process_hooks = {.needs = 0};
bool process_steady = true;
static bool paused, stopped;
static int n_filters, n_begun;

int events_n(void)
{
	return 0;
}

bool events_has_task_clock(void)
{
	return false;
}

bool readable_check(const void *from, size_t size)
{
	(void)size;
	return from != NULL;
}

bool process_has_stopped(void)
{
	return paused;
}

bool process_forget_parent(void)
{
	return false;
}

bool process_begin(void)
{
	n_begun++;
	return true;
}

bool process_pause(void)
{
	return paused = true;
}

void process_resume(void)
{
	paused = false;
}

void process_stop(uint32_t lacking)
{
	stopped = lacking != 0;
}

void process_skip_children(void)
{
	n_filters++;
}

void process_take_children(void)
{
	n_filters--;
}

/* --- the kernel --- */

static long answer;
static bool was_paused;
static int were_filters, were_begun; /* when the kernel decided */

static int decide(int option, ...)
{
	(void)option;
	was_paused = paused;
	were_filters = n_filters;
	were_begun = n_begun;
	errno = answer ? EACCES : 0;
	return (int)answer;
}

static long decide_too(long number, ...)
{
	(void)number;
	return decide(0);
}

static struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
static struct sock_filter none[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

static int set(struct sock_filter *code, long says)
{
	const struct sock_fprog filter = {.len = 1, .filter = code};
	const long argument[SECCOMP_CALL_ARGUMENTS] = {SECCOMP_MODE_FILTER, (long)&filter};

	answer = says;
	return seccomp_call_prctl(decide, PR_SET_SECCOMP, argument);
}

static long set_for_all(long says)
{
	const struct sock_fprog filter = {.len = 1, .filter = all};
	const long argument[SECCOMP_CALL_ARGUMENTS] = {SECCOMP_SET_MODE_FILTER,
						       SECCOMP_FILTER_FLAG_TSYNC, (long)&filter};

	answer = says;
	return seccomp_call_syscall(decide_too, SYS_seccomp, argument);
}

static void test_enough(void)
{
	tap_int(set(all, -1), -1, "the kernel refuses a filter that allows all");
	tap_int(were_filters, 1, "it was known before");
	tap_int(were_begun, 1, "the table was made before");
	tap_ok(!n_filters && !paused && errno == EACCES, "and is forgotten");
	tap_int(set(all, 0), 0, "the kernel accepts it");
	tap_ok(were_filters == 1 && !was_paused, "it was known before, and measuring went on");
	tap_int(n_filters, 1, "it stays");
	/* The number of a thread that cannot have the filter. */
	tap_int(set_for_all(4711), 4711, "one for all threads is refused");
	tap_int(were_filters, 2, "it was known before, too");
	tap_int(n_filters, 1, "the first one stays");
	tap_ok(!set_for_all(0) && were_filters == 2 && n_filters == 2, "or both");
}

static void test_lacking(void)
{
	n_filters = 0;
	set(none, -1);
	tap_ok(was_paused && !paused && !stopped && !n_filters,
	       "one that allows too little is refused: a pause");
	set(none, 0);
	tap_ok(was_paused && paused && stopped, "it is accepted: the end");
	tap_int(were_filters, 1, "before, no other thread reads its CPU time any more");
}

int main(void)
{
	test_enough();
	test_lacking();
	return tap_done();
}
