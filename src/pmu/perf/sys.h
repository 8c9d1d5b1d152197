/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys - the system calls for counters, as a struct of functions that tests can replace.
 *
 * Everything in this layer reaches the kernel through a struct perf_sys, so that a test can put a
 * scripted PMU in its place, or wrap the real one and make the n-th call fail. A wrapper embeds the
 * struct as its first member and finds its own state through `self`.
 *
 * All functions return -errno on failure. read() returns the number of bytes; 0 means that the
 * event is in error state. See perf_event_open(2).
 */
#ifndef PMU_PERF_SYS_H
#define PMU_PERF_SYS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "pmu/perf/core.h"

struct perf_sys {
	int (*open)(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu,
		    int group_fd, unsigned long flags);
	ssize_t (*read)(struct perf_sys *self, int fd, void *buf, size_t size);
	int (*ioctl)(struct perf_sys *self, int fd, unsigned long request, void *arg);
	int (*close)(struct perf_sys *self, int fd);
	/* Maps `size` bytes of an event: its control page and its ring. The mapping is writable,
	 * since the reader advances data_tail in the control page. NULL: nothing can be mapped. */
	int (*map)(struct perf_sys *self, int fd, size_t size, void **at);
	void (*unmap)(struct perf_sys *self, void *at, size_t size);
	/* Moves this thread to a core of this kind (core.h), if there are several kinds.
	 * EVENT_NO_CORE: restores the thread's affinity. */
	int (*visit)(struct perf_sys *self, int core, struct err *err);
	/* The kernel may accept that an event excludes modes, and count in them all the same: try
	 * each event. */
	bool modes_may_be_ignored;
};

/* Returns whether an error means a temporary lack: of descriptors, of memory, or of the PMU while
 * another program holds it exclusively. It says nothing about the event itself. */
bool perf_error_is_transient(int ret);

/* A struct perf_sys whose functions are the system calls of this machine's kernel. */
struct perf_kernel {
	struct perf_sys sys;
	/* [n_cores] the kinds of cores for visit(). */
	const struct core_pmu *core;
	int n_cores;
	struct affinity affinity;
};

/* core: borrowed; NULL and 0 if visit() is not needed. */
void perf_kernel_init(struct perf_kernel *k, const struct core_pmu *core, int n_cores);

/* Sets up a sys without a kernel, for a CPU other than that of this machine
 * (pmu/event/foreign_cpu.h): open() always returns -ECANCELED, which means that nothing was tried;
 * the other functions must not be called. */
void perf_foreign_init(struct perf_sys *sys);

/* The open() that perf_kernel_init() sets, for wrappers. */
int perf_kernel_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu,
		     int group_fd, unsigned long flags);

/* Raises the soft limit of file descriptors of this process to the hard one, as each counter needs
 * one. Commands that it starts later inherit the limit. */
void perf_raise_limit(void);

#endif
