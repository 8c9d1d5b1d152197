/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/filter_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/child.h"
#include "base/syscall_filters.h"
#include "inject/preload/seccomp_calls.h"
#include "inject/preload/seccomp_filter.h"

/* A call that a supervisor holds for longer (SECCOMP_RET_USER_NOTIF) is not let through. */
#define TRIAL_MS 2000

/* Makes a call. What is not known beforehand is no address, no descriptor and no length: the kernel
 * refuses it, but not as a filter does. Returns whether the filter lets it through. */
static bool make_call(const struct seccomp_call *call)
{
	long a[SECCOMP_CALL_ARGUMENTS];

	for (int i = 0; i < SECCOMP_CALL_ARGUMENTS; i++)
		a[i] = (long)(call->argument[i] | ~seccomp_call_known(call, i));
	return syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]) >= 0 ||
	       (errno != EPERM && errno != EACCES && errno != ENOSYS);
}

/* Before each call, writes its number. A refusal of events is told with their counts. */
static _Noreturn void run_child(int fd, unsigned needs)
{
	const struct rlimit no_core = {0, 0};
	const struct seccomp_call *call;
	uint32_t number = 0;

	signal(SIGSYS, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	while ((call = seccomp_calls_next(&number, needs)))
		if (write(fd, &number, sizeof number) != sizeof number ||
		    (!make_call(call) && !seccomp_calls_may_fail(number)))
			_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

/* Returns the last number that the child wrote. */
static uint32_t read_last(int fd)
{
	uint32_t last = 0, number;
	ssize_t n;

	while ((n = read(fd, &number, sizeof number)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n == sizeof number)
			last = number;
	}
	return last;
}

uint32_t filter_trial_find_lacking(unsigned needs)
{
	int status, pipe_fd[2];
	uint32_t last;
	pid_t pid;

	if (syscall_filters_read(SYSCALL_FILTERS_OWN).n <= 0 || pipe2(pipe_fd, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid)
		run_child(pipe_fd[1], needs);
	close(pipe_fd[1]);
	/* The pipe has room for all numbers. */
	status = child_finish(pid, TRIAL_MS);
	last = read_last(pipe_fd[0]);
	close(pipe_fd[0]);
	return status && status != CHILD_LOST ? last : 0;
}
