/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys - the kernel's counter entry points, as a struct of functions.
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
#include "pmu/perf/affinity.h"
#include "pmu/perf/core.h"

struct perf_sys {
	int (*open)(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu,
		    int group_fd, unsigned long flags);
	ssize_t (*read)(struct perf_sys *self, int fd, void *buf, size_t size);
	int (*ioctl)(struct perf_sys *self, int fd, unsigned long request, void *arg);
	int (*close)(struct perf_sys *self, int fd);
	/* Maps so many bytes of an event, its page and its ring, for reading and for saying what
	 * was taken. */
	int (*map)(struct perf_sys *self, int fd, size_t size, void **at);
	void (*unmap)(struct perf_sys *self, void *at, size_t size);
	/* Puts this thread onto a core of this kind (core.h), where there are several kinds.
	 * EVENT_NO_CORE: lets it run again wherever it might before. */
	int (*visit)(struct perf_sys *self, int core, struct err *err);
};

/* Whether an error says that something is short for the moment: descriptors, memory, a PMU that
 * somebody holds for himself. It then says nothing about the event, and nothing that lasts. */
bool perf_error_is_transient(int ret);

/* The kernel of this machine. */
struct perf_kernel {
	struct perf_sys sys;
	/* [n_cores] the kinds of cores that are visited, where there are several. */
	const struct core_pmu *core;
	int n_cores;
	struct affinity affinity;
};

/* core: borrowed; NULL and 0 where nobody asks for visits. */
void perf_kernel_init(struct perf_kernel *k, const struct core_pmu *core, int n_cores);

/* No kernel at all, for a CPU that is not there (pmu/event/foreign_cpu.h): each open is -ECANCELED,
 * which says that nothing was tried; the rest is never asked. */
void perf_foreign_init(struct perf_sys *sys);

/* The open() that perf_kernel_init() sets, for those who wrap it. */
int perf_kernel_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid, int cpu,
		     int group_fd, unsigned long flags);

#endif
