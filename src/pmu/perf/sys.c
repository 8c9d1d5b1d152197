/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/perf/sys.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/perf/arch.h"

bool perf_error_is_transient(int ret)
{
	return ret == -EMFILE || ret == -ENFILE || ret == -ENOMEM || ret == -EBUSY || ret == -EINTR;
}

int perf_kernel_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu,
		     int group_fd, unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, tid, cpu, group_fd, flags);

	(void)self;
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

static int kernel_map(struct perf_sys *self, int fd, size_t size, void **at)
{
	(void)self;
	*at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return *at == MAP_FAILED ? -errno : 0;
}

static void kernel_unmap(struct perf_sys *self, void *at, size_t size)
{
	(void)self;
	munmap(at, size);
}

static int explain_visit(int ret, const struct core_pmu *core, struct err *err)
{
	const char *why =
		ret == -ENODEV ? "taskset(1) or a cpuset leaves them out" : strerror(-ret);

	return err_set(err, -ret,
		       "tiptop may not run on the cores of the PMU '%s' (%s): which counters fit "
		       "together there is only seen once tasks run there",
		       core->name, why);
}

static int kernel_visit(struct perf_sys *self, int core, struct err *err)
{
	struct perf_kernel *k = (struct perf_kernel *)self;
	int ret;

	if (k->n_cores < 2)
		return 0;
	if (core != EVENT_NO_CORE) {
		ret = affinity_visit(&k->affinity, &k->core[core].cpus);
		return ret ? explain_visit(ret, &k->core[core], err) : 0;
	}
	ret = affinity_return(&k->affinity);
	return ret ? err_set(err, -ret,
			     "tiptop stays bound to one CPU: sched_setaffinity(2) fails (%s)",
			     strerror(-ret))
		   : 0;
}

static int foreign_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid,
			int cpu, int group_fd, unsigned long flags)
{
	(void)self, (void)attr, (void)tid, (void)cpu, (void)group_fd, (void)flags;
	return -ECANCELED;
}

void perf_foreign_init(struct perf_sys *sys)
{
	*sys = (struct perf_sys){.open = foreign_open};
}

void perf_kernel_init(struct perf_kernel *k, const struct core_pmu *core, int n_cores)
{
	*k = (struct perf_kernel){
		.sys =
			{
				.open = perf_kernel_open,
				.read = kernel_read,
				.ioctl = kernel_ioctl,
				.close = kernel_close,
				.map = kernel_map,
				.unmap = kernel_unmap,
				.visit = kernel_visit,
				.modes_may_be_ignored = ARCH_MODES_MAY_BE_IGNORED,
			},
		.core = core,
		.n_cores = n_cores,
	};
}

void perf_raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}
