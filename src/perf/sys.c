/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/sys.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/privilege.h"

static int kernel_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		       unsigned long flags)
{
	bool raised = privilege_raise();
	long fd = syscall(SYS_perf_event_open, attr, tid, cpu, group_fd, flags);

	(void)self;
	privilege_lower(raised);
	return fd < 0 ? -errno : (int)fd;
}

static ssize_t kernel_read(struct perf_sys *self, int fd, void *buf, size_t size)
{
	ssize_t n = read(fd, buf, size);

	(void)self;
	return n < 0 ? -errno : n;
}

static int kernel_ioctl(struct perf_sys *self, int fd, unsigned long request, void *arg)
{
	(void)self;
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

static int kernel_close(struct perf_sys *self, int fd)
{
	(void)self;
	return close(fd) < 0 ? -errno : 0;
}

void perf_kernel_init(struct perf_sys *kernel)
{
	*kernel = (struct perf_sys){kernel_open, kernel_read, kernel_ioctl, kernel_close};
}
