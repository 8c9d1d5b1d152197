/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/events.h"
#include "inject/preload/exec.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp_filter.h"

/* A seccomp mode that is about to be set. */
struct change {
	bool is_filter;   /* a filter or strict mode is set, and the kernel may accept it */
	bool paused;      /* measuring is paused until the kernel has accepted or refused it */
	uint32_t lacking; /* the needed system call that it forbids (seccomp_filter.h); 0: none */
};

static unsigned find_needs(void)
{
	return process_hooks.needs | (events_n() ? SECCOMP_EVENTS : 0) |
	       (events_has_task_clock() ? SECCOMP_TASK_CLOCK : 0) |
	       (process_steady ? 0 : SECCOMP_CLOCK);
}

/* Returns whether the kernel can read all instructions of the filter; if not, the kernel will
 * refuse the filter. */
static bool has_code(const struct sock_fprog *filter)
{
	return readable_check(filter, sizeof *filter) && filter->len &&
	       filter->len <= BPF_MAXINSNS &&
	       readable_check(filter->filter, filter->len * sizeof *filter->filter);
}

/* Prepares a change. mode: as for prctl(2). */
static void begin(struct change *c, long mode, const struct sock_fprog *filter)
{
	c->is_filter =
		!process_has_stopped() &&
		(mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && has_code(filter)));
	if (!c->is_filter)
		return;
	/* A forked process makes its table now, as more calls are needed to make it than to go on.
	 */
	process_forget_parent();
	process_begin();
	c->lacking = seccomp_calls_find_lacking(mode == SECCOMP_MODE_FILTER ? filter : NULL,
						find_needs());
	/* Before the kernel accepts the filter, as it may then apply to other threads at once. */
	c->paused = c->lacking && process_pause();
	process_skip_children();
}

/* Completes a change. done: the kernel has accepted the change. */
static void end(const struct change *c, bool done)
{
	if (c->is_filter && done && tiptop_exec_leave)
		tiptop_exec_leave();
	if (c->paused && done)
		process_stop(c->lacking);
	else if (c->paused)
		process_resume();
	if (c->is_filter && !done)
		process_take_children();
}

/* Returns the mode of prctl(2) for an operation of seccomp(2). */
static long mode_of(const long *argument)
{
	return argument[0] == SECCOMP_SET_MODE_STRICT   ? SECCOMP_MODE_STRICT
	       : argument[0] == SECCOMP_SET_MODE_FILTER ? SECCOMP_MODE_FILTER
							: SECCOMP_MODE_DISABLED;
}

static bool has_set(const long *argument, long ret)
{
	return !ret || (ret > 0 && argument[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

long seccomp_call_syscall(seccomp_syscall_function *call, long number, const long *argument)
{
	struct change c = {.is_filter = false};
	long ret;

	if (number == SYS_seccomp)
		begin(&c, mode_of(argument), (const struct sock_fprog *)argument[2]);
	else if (number == SYS_prctl && argument[0] == PR_SET_SECCOMP)
		begin(&c, argument[1], (const struct sock_fprog *)argument[2]);
	ret = call(number, argument[0], argument[1], argument[2], argument[3], argument[4],
		   argument[5]);
	end(&c, number == SYS_seccomp ? has_set(argument, ret) : !ret);
	return ret;
}

int seccomp_call_prctl(seccomp_prctl_function *call, int option, const long *argument)
{
	struct change c = {.is_filter = false};
	int ret;

	if (option == PR_SET_SECCOMP)
		begin(&c, argument[0], (const struct sock_fprog *)argument[1]);
	ret = call(option, argument[0], argument[1], argument[2], argument[3]);
	end(&c, !ret);
	return ret;
}
