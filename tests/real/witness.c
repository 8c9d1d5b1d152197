/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness FILE COMMAND [ARGUMENT]... - a parent that measures its command independently, in the
 * same run as tiptop.
 *
 * Writes the kernel's numbers to FILE, a name and a number on a line:
 *   pid          of the witness itself
 *   self_us      CPU time of the witness, by getrusage(2)
 *   children_us  CPU time of all descendants, by wait4(2)
 *   waited_switches  their context switches, by wait4(2)
 *   faults, switches, clock_ns  the counts of counters inherited from the witness, less its own
 *
 * It adopts descendants whose parent ends and waits for all, so that these numbers are complete. A
 * command that ignores SIGCHLD has no CPU time here, as the kernel drops it.
 *
 * With TALLY_OBJECT in the environment, this object is preloaded before others, for the command
 * alone. The exit status is the command's, as in a shell.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	uint64_t config;
	unsigned exclude_kernel;
} events[] = {
	{"faults", PERF_COUNT_SW_PAGE_FAULTS, 1},
	{"switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 0},
	{"clock_ns", PERF_COUNT_SW_TASK_CLOCK, 0},
};
enum { N_EVENTS = sizeof events / sizeof events[0] };

/* Returns a counter of this process, or, with inherit, also of what it makes; -1: refused. */
static int open_counter(int event, int inherit)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = events[event].config,
		.exclude_kernel = events[event].exclude_kernel,
		.inherit = inherit,
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t read_counter(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof value) == sizeof value ? value : 0;
}

static long cpu_us(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000L +
	       usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

/* Preloads the object before the others. */
static void preload(const char *object)
{
	const char *others = getenv("LD_PRELOAD");
	char list[8192];

	snprintf(list, sizeof list, "%s%s%s", object, others ? ":" : "", others ? others : "");
	setenv("LD_PRELOAD", list, 1);
	unsetenv("TALLY_OBJECT");
}

/* Waits for all descendants; returns how the first one ended, and their resources. */
static int wait_all(pid_t first, struct rusage *usage)
{
	int status = 0, first_status = 0;
	pid_t pid;

	while ((pid = wait4(-1, &status, 0, NULL)) > 0 || errno == EINTR)
		if (pid == first)
			first_status = status;
	getrusage(RUSAGE_CHILDREN, usage);
	return first_status;
}

int main(int argc, char **argv)
{
	int all[N_EVENTS], own[N_EVENTS], status;
	struct rusage children, self;
	pid_t pid;
	FILE *f;

	if (argc < 3 || !(f = fopen(argv[1], "we")))
		return 2;
	if (getenv("TALLY_OBJECT"))
		preload(getenv("TALLY_OBJECT"));
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int i = 0; i < N_EVENTS; i++) {
		all[i] = open_counter(i, 1);
		own[i] = open_counter(i, 0);
	}
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
	pid = fork();
	if (pid == 0) {
		syscall(SYS_execve, argv[2], argv + 2, environ);
		_exit(127);
	}
	status = wait_all(pid, &children);
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
	fprintf(f, "pid %d\nchildren_us %ld\nwaited_switches %ld\n", (int)getpid(),
		cpu_us(&children), children.ru_nvcsw + children.ru_nivcsw);
	for (int i = 0; i < N_EVENTS && all[i] >= 0 && own[i] >= 0; i++)
		fprintf(f, "%s %llu\n", events[i].name,
			(unsigned long long)(read_counter(all[i]) - read_counter(own[i])));
	getrusage(RUSAGE_SELF, &self);
	fprintf(f, "self_us %ld\n", cpu_us(&self));
	fclose(f);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
