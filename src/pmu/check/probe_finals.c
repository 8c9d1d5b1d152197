/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of probe: the ends of tasks that inherited counters. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/child.h"
#include "pmu/check/probe.h"
#include "pmu/perf/finals.h"

#define END_MS 2000 /* the parent has nothing to do but to fork */

/* Waits for a byte, makes a child that ends, and ends. */
static _Noreturn void be_parent(int go_fd)
{
	pid_t child;
	ssize_t n;
	char go;

	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	child = n == 1 ? fork() : -1;
	if (child)
		child_await(child, CHILD_NO_LIMIT, NULL);
	_exit(0);
}

/* The counters are on the parent, which waits. */
static bool sees_child(struct perf_sys *sys, const struct group *group, pid_t parent, int go_fd)
{
	struct finals *finals;
	struct final final;
	bool seen = false;

	if (finals_open(&finals, sys, group, parent))
		return false;
	if (write(go_fd, "g", 1) == 1)
		child_finish(parent, END_MS);
	while (!seen && finals_next(finals, &final))
		seen = final.process != parent && final.members;
	finals_close(finals);
	return seen;
}

static bool try_on(struct perf_sys *sys, pid_t parent, int go_fd)
{
	struct event faults = {.type = PERF_TYPE_SOFTWARE,
			       .config = PERF_COUNT_SW_PAGE_FAULTS,
			       .core = EVENT_NO_CORE};
	struct event_set set = {.event = &faults,
				.n = 1,
				.children = true,
				.finals = true,
				.plan = {.n = 1, .n_fds = 1, .n_groups = 1}};
	struct group *group;
	bool seen;

	if (group_open(&group, sys, &set, parent, false))
		return false;
	seen = sees_child(sys, group, parent, go_fd);
	group_close(group, sys);
	return seen;
}

bool probe_finals(struct perf_sys *sys)
{
	int go[2];
	bool seen;
	pid_t parent;

	if (!sys->map || pipe2(go, O_CLOEXEC))
		return false;
	parent = fork();
	if (!parent) {
		close(go[1]);
		be_parent(go[0]);
	}
	close(go[0]);
	seen = parent > 0 && try_on(sys, parent, go[1]);
	/* One that still waits reads the end of the pipe. */
	close(go[1]);
	child_finish(parent, END_MS);
	return seen;
}
