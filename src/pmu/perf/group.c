/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NOT_OPEN (-1)

/* The most attempts to read a group while read(2) returns -ECHILD. Of 1,000 reads while threads
 * were started and ended, 43 had to be repeated, 8 of them more than once; one in 3,000 needed more
 * than ten attempts (Linux 6.18). */
#define READ_TRIES 10

struct member {
	/* The kernel's id of the event, which read(2) returns beside its value. */
	uint64_t id;
	int fd; /* NOT_OPEN: it could not be opened */
	bool leader;
};

struct group {
	int n; /* the number of members of the plan */
	struct member member[];
};

/* Where to count: a task on any CPU; or all tasks, or those of a control group, on one CPU. */
struct target {
	pid_t tid; /* -1: all tasks; with PERF_FLAG_PID_CGROUP, the descriptor of a control group */
	int cpu;   /* -1: any */
	unsigned long flags;
};

/* Returns -ESRCH if the task has ended, else -ENODEV, for a member that the kernel refused with
 * -ENODEV: Linux 6.18 does so not only if the event's device is missing, but also if the leader's
 * task has ended. To distinguish the two, opens the event alone, which fails with -ESRCH if the
 * task has ended. */
static int explain_no_device(struct perf_sys *sys, struct perf_event_attr *attr,
			     struct target target)
{
	int fd;

	attr->disabled = true;
	fd = sys->open(sys, attr, target.tid, target.cpu, -1, PERF_FLAG_FD_CLOEXEC | target.flags);
	if (fd >= 0)
		sys->close(sys, fd);
	return fd == -ESRCH ? -ESRCH : -ENODEV;
}

static int open_member(struct member *m, struct perf_sys *sys, const struct event_set *set,
		       int event, struct target target, int leader_fd, bool on_exec)
{
	struct perf_event_attr attr;
	int fd, ret;

	/* For a shared event, the kernel would ignore the given CPU and return the count of the
	 * whole package. It cannot count by phase at all. */
	if (set->event[event].shared || set->event[event].phase)
		return -EXDEV;
	if (set->event[event].absent)
		return -ENOENT;
	m->leader = leader_fd < 0;
	event_attr(set, event, m->leader, on_exec, &attr);
	fd = sys->open(sys, &attr, target.tid, target.cpu, leader_fd,
		       PERF_FLAG_FD_CLOEXEC | target.flags);
	if (fd == -ENODEV && !m->leader)
		return explain_no_device(sys, &attr, target);
	if (fd < 0)
		return fd;
	ret = sys->ioctl(sys, fd, PERF_EVENT_IOC_ID, &m->id);
	if (ret < 0) {
		sys->close(sys, fd);
		return ret;
	}
	m->fd = fd;
	return 0;
}

/* Returns whether every other event would fail, too: the error is about the task, or about a
 * temporary lack of resources. */
static bool is_fatal(int ret)
{
	return ret == -ESRCH || perf_error_is_transient(ret);
}

static struct group *group_new(int n)
{
	struct group *g = xcalloc(1, sizeof *g + (size_t)n * sizeof *g->member);

	g->n = n;
	for (int i = 0; i < n; i++)
		g->member[i].fd = NOT_OPEN;
	return g;
}

static int open_on(struct group **out, struct perf_sys *sys, const struct event_set *set,
		   struct target target, bool on_exec)
{
	struct group *g = group_new(set->plan.n);
	int leader_fd = -1, first_error = 0, opened = 0, ret;

	for (int i = 0; i < g->n; i++) {
		const struct event_member *m = &set->plan.member[i];

		if (i == 0 || m->group != m[-1].group)
			leader_fd = -1;
		if (m->group == EVENT_NO_GROUP)
			continue;
		ret = open_member(&g->member[i], sys, set, m->event, target, leader_fd, on_exec);
		if (is_fatal(ret)) {
			group_close(g, sys);
			return ret;
		}
		if (ret && !first_error)
			first_error = ret;
		if (ret)
			continue;
		opened++;
		if (leader_fd < 0)
			leader_fd = g->member[i].fd;
	}
	if (!opened && first_error) {
		group_close(g, sys);
		return first_error;
	}
	*out = g;
	return 0;
}

int group_open(struct group **out, struct perf_sys *sys, const struct event_set *set, pid_t tid,
	       bool on_exec)
{
	return open_on(out, sys, set, (struct target){tid, -1, 0}, on_exec);
}

int group_open_cpu(struct group **out, struct perf_sys *sys, const struct event_set *set, int cpu,
		   int cgroup_fd)
{
	const unsigned long flags = cgroup_fd < 0 ? 0 : PERF_FLAG_PID_CGROUP;

	return open_on(out, sys, set, (struct target){cgroup_fd, cpu, flags}, false);
}

/* The data of a read(2) of a group with the read_format of event_attr(). */
struct group_data {
	uint64_t nr, enabled_ns, running_ns;
	struct {
		uint64_t value, id;
	} v[EVENT_SET_MAX];
};

/* Returns the end of the group that member i leads: the index of the next leader. */
static int group_end(const struct group *g, int i)
{
	for (i++; i < g->n; i++)
		if (g->member[i].fd >= 0 && g->member[i].leader)
			break;
	return i;
}

/* Finds the value of one event by its id; usually the values are in the order of opening. */
static bool take_value(const struct group_data *data, uint64_t nr, uint64_t expected, uint64_t id,
		       struct count *count)
{
	uint64_t k = expected < nr && data->v[expected].id == id ? expected : 0;

	while (k < nr && data->v[k].id != id)
		k++;
	if (k >= nr)
		return false;
	*count = (struct count){data->v[k].value, data->enabled_ns, data->running_ns};
	return true;
}

/* Reads the values of a group; after -ECHILD, reads again. Returns the number of values, or
 * -errno. */
static int read_data(struct perf_sys *sys, int fd, struct group_data *data)
{
	const ssize_t head = offsetof(struct group_data, v);
	ssize_t n = -ECHILD;
	uint64_t nr;

	for (int i = 0; i < READ_TRIES && n == -ECHILD; i++)
		n = sys->read(sys, fd, data, sizeof *data);
	if (n <= 0)
		return n ? (int)n : -ENODATA;
	if (n < head)
		return -EIO;
	nr = (uint64_t)(n - head) / sizeof data->v[0];
	return (int)(data->nr < nr ? data->nr : nr);
}

/* Reads the group that member `first` leads, up to member `end`. */
static uint64_t read_one(const struct group *g, struct perf_sys *sys, int first, int end,
			 struct count *count, int *error)
{
	struct group_data data;
	uint64_t missing = 0, k = 0;
	int n = read_data(sys, g->member[first].fd, &data), why = n < 0 ? n : -EIO;

	for (int i = first; i < end; i++) {
		bool open = g->member[i].fd != NOT_OPEN;

		if (open && n > 0 &&
		    take_value(&data, (uint64_t)n, k++, g->member[i].id, &count[i]))
			continue;
		missing |= 1ull << i;
		if (open && !*error)
			*error = why;
	}
	return missing;
}

uint64_t group_read(const struct group *g, struct perf_sys *sys, struct count *count, int *error)
{
	uint64_t missing = 0;

	*error = 0;
	memset(count, 0, (size_t)g->n * sizeof *count);
	for (int i = 0, end; i < g->n; i = end) {
		end = i + 1;
		if (g->member[i].fd == NOT_OPEN) {
			missing |= 1ull << i;
			continue;
		}
		end = group_end(g, i);
		missing |= read_one(g, sys, i, end, count, error);
	}
	return missing;
}

uint64_t group_decode(const struct group *g, const void *data, size_t size, struct count *count)
{
	const size_t head = offsetof(struct group_data, v);
	struct group_data all;
	uint64_t taken = 0, n;

	if (size < head)
		return 0;
	memcpy(&all, data, size < sizeof all ? size : sizeof all);
	n = ((size < sizeof all ? size : sizeof all) - head) / sizeof all.v[0];
	if (all.nr < n)
		n = all.nr;
	for (int i = 0; i < g->n; i++)
		if (g->member[i].fd != NOT_OPEN &&
		    take_value(&all, n, 0, g->member[i].id, &count[i]))
			taken |= 1ull << i;
	return taken;
}

int group_last_fd(const struct group *g, int *at)
{
	int i = *at, fd = -1;

	while (i < g->n && g->member[i].fd == NOT_OPEN)
		i++;
	if (i < g->n)
		*at = group_end(g, i);
	for (; i < g->n && i < *at; i++)
		if (g->member[i].fd != NOT_OPEN)
			fd = g->member[i].fd;
	return fd;
}

int group_explain_read(int error, pid_t tid, struct err *err)
{
	if (error == -ECHILD)
		return err_set(err, ECHILD,
			       "the counters of task %d cannot be read as long as its threads end "
			       "this fast: each refresh tries again",
			       tid);
	if (error == -ENODATA)
		return err_set(
			err, ENODATA,
			"the kernel has put the counters of task %d into error state and no "
			"longer counts: to reopen them, start tiptop again, or select a screen of "
			"the live screen, also the current one",
			tid);
	return err_set(err, -error, "the counters of task %d, which are open, cannot be read: %s",
		       tid, strerror(-error));
}

void group_close(struct group *g, struct perf_sys *sys)
{
	if (!g)
		return;
	/* Close the members before the leader: without their leader, they would become groups of
	 * their own for a moment. */
	for (int i = g->n - 1; i >= 0; i--)
		if (g->member[i].fd >= 0)
			sys->close(sys, g->member[i].fd);
	free(g);
}

int group_n_fds(const struct group *g)
{
	int n = 0;

	for (int i = 0; g && i < g->n; i++)
		n += g->member[i].fd >= 0;
	return n;
}
