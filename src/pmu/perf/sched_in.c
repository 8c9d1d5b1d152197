/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/sched_in.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static uint32_t read_lock(const struct sched_in *s)
{
	return __atomic_load_n(&s->page->lock, __ATOMIC_ACQUIRE);
}

int sched_in_open(struct sched_in *s, struct perf_sys *sys, pid_t tid)
{
	const struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		/* Else users who may count user mode only could not open it. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	void *page;
	int ret;

	memset(s, 0, sizeof *s);
	if (!sys->map)
		return -ENOSYS;
	s->fd = sys->open(sys, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (s->fd < 0)
		return s->fd;
	ret = sys->map(sys, s->fd, page_size(), &page);
	if (ret) {
		sys->close(sys, s->fd);
		return ret == -EPERM ? -ENOBUFS : ret;
	}
	s->page = page;
	s->lock = read_lock(s);
	return 0;
}

bool sched_in_happened(const struct sched_in *s)
{
	return read_lock(s) != s->lock;
}

void sched_in_close(struct sched_in *s, struct perf_sys *sys)
{
	if (!s->page)
		return;
	sys->unmap(sys, (void *)s->page, page_size());
	sys->close(sys, s->fd);
	s->page = NULL;
}
