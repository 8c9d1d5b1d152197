/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "pmu/check/privilege.h"
#include "pmu/perf/plan.h"
#include "pmu/perf/ring.h"

/* ---- finals ----
 *
 * Final counts of tasks that inherited counters.
 */

#define END_MS 2000 /* ample: the parent only forks */

/* Waits for a byte, creates a child that ends at once, and ends. */
static _Noreturn void run_parent(int go_fd)
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

/* Opens finals on the parent, lets the parent go on, and returns whether a record of the parent's
 * child arrives. */
static bool await_child(struct perf_sys *sys, const struct group *group, pid_t parent, int go_fd)
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
	seen = await_child(sys, group, parent, go_fd);
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
		run_parent(go[0]);
	}
	close(go[0]);
	seen = parent > 0 && try_on(sys, parent, go[1]);
	/* A parent that still waits for the byte reads the end of the file instead, and ends. */
	close(go[1]);
	child_finish(parent, END_MS);
	return seen;
}

/* ---- probe ---- */

int probe_paranoid(void)
{
	char text[32], *end;
	long level;

	if (file_read(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", text, sizeof text) <= 0)
		return PROBE_PARANOID_UNKNOWN;
	level = strtol(text, &end, 10);
	return end == text ? PROBE_PARANOID_UNKNOWN : (int)level;
}

/* Ample: the list of supplementary groups alone may have 65,536 numbers of 11 bytes. */
#define STATUS_MAX (1 << 20)

uint64_t probe_status(const char *field, int base)
{
	struct strbuf text;
	uint64_t number = 0;
	char name[32];
	const char *p;

	strbuf_init(&text);
	snprintf(name, sizeof name, "\n%s:", field);
	if (file_read_all(AT_FDCWD, "/proc/self/status", STATUS_MAX, &text) > 0) {
		p = strstr(text.text, name);
		number = p ? strtoull(p + strlen(name), NULL, base) : 0;
	}
	strbuf_done(&text);
	return number;
}

bool probe_may_count_others(void)
{
	uint64_t caps = privilege_held();

	return geteuid() == 0 || (caps >> CAP_PERFMON_BIT & 1) || (caps >> CAP_SYS_ADMIN_BIT & 1);
}

int probe_software(struct perf_sys *sys, bool kernel, bool inherit)
{
	struct event clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
	struct event_set set = {.event = &clock, .n = 1, .kernel = kernel, .inherit = inherit};
	int fd = event_probe(sys, &set, 0);

	if (fd >= 0)
		sys->close(sys, fd);
	return fd < 0 ? fd : 0;
}

/* Adds events to the group as long as the kernel accepts them. Returns the size of the group. */
static int grow_group(struct perf_sys *sys, const struct event_set *set, int *fd, int max)
{
	struct perf_event_attr attr;
	int n = 0;

	while (n < max) {
		event_attr(set, n % set->n, !n, false, &attr);
		fd[n] = sys->open(sys, &attr, 0, -1, n ? fd[0] : -1, PERF_FLAG_FD_CLOEXEC);
		if (fd[n] < 0)
			break;
		n++;
	}
	return n;
}

/* Makes events for cycles and instructions on this kind of cores, and probes whether their PMU can
 * exclude guests. */
static void bind_pair(struct event event[2], struct event_set *set, struct perf_sys *sys,
		      const struct machine *m, int core)
{
	event[0] = (struct event){.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
	event[1] = (struct event){.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS};
	*set = (struct event_set){.event = event, .n = 2};
	for (int i = 0; i < set->n; i++) {
		int fd = machine_bind(m, core, &event[i], NULL) ? -1 : event_probe(sys, set, i);

		if (fd >= 0)
			sys->close(sys, fd);
	}
}

int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max)
{
	struct event event[2];
	struct event_set set;
	int *fd = xcalloc((size_t)max, sizeof *fd), n;

	bind_pair(event, &set, sys, m, core);
	n = grow_group(sys, &set, fd, max);
	for (int i = n; i-- > 0;)
		sys->close(sys, fd[i]);
	free(fd);
	return n;
}

int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n)
{
	struct trial_answer answer = {.again = 0};
	int turn[EVENT_SET_MAX];
	struct event event[2];
	struct event_set set;
	struct trial trial;

	bind_pair(event, &set, sys, m, core);
	for (int i = 0; i < n; i++)
		turn[i] = i % 2;
	trial_init(&trial, sys);
	while (n > 0 && !trial_fits(&trial, &set, turn, n, &answer))
		n--;
	trial_end(&trial);
	trial_done(&trial);
	return n;
}
