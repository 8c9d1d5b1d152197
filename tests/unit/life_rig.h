/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life_rig - a fake kernel that writes records of forks, exits and names to the ring buffers of its
 * CPUs, when the test calls it.
 */
#ifndef TEST_LIFE_RIG_H
#define TEST_LIFE_RIG_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pmu/perf/ring.h"

#define TID  42
#define CPUS 3

/* CPU 1 is offline. */
struct fake {
	struct perf_sys sys;
	char *pages[CPUS];
	size_t size;
	int n_open, n_mapped, refused;
	bool old;      /* a kernel that does not report the number of lost records */
	uint64_t lost; /* lost records on each CPU, as a newer kernel reports */
	bool right;
};

static inline int fake_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid,
			    int cpu, int group_fd, unsigned long flags)
{
	struct fake *f = (struct fake *)sys;

	if (cpu == 1 || cpu >= CPUS)
		return -ENODEV;
	if (f->old && attr->read_format)
		return -EINVAL;
	f->right &= tid == TID && group_fd == -1 && flags == PERF_FLAG_FD_CLOEXEC &&
		    attr->inherit && attr->task && attr->comm && attr->sample_id_all &&
		    attr->exclude_kernel && attr->use_clockid && attr->clockid == CLOCK_BOOTTIME;
	f->n_open++;
	return cpu;
}

static inline int fake_close(struct perf_sys *sys, int fd)
{
	(void)fd;
	((struct fake *)sys)->n_open--;
	return 0;
}

static inline int fake_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct fake *f = (struct fake *)sys;

	if (f->refused)
		return f->refused;
	f->n_mapped++;
	f->pages[fd] = *at = calloc(1, size);
	f->size = size - (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static inline void fake_unmap(struct perf_sys *sys, void *at, size_t size)
{
	(void)size;
	((struct fake *)sys)->n_mapped--;
	free(at);
}

static inline ssize_t fake_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	const struct fake *f = (const struct fake *)sys;
	const uint64_t reported[2] = {0, f->lost};
	const size_t n = f->old ? sizeof *reported : sizeof reported;

	(void)fd;
	if (size < n)
		return -ENOSPC;
	memcpy(buf, reported, n);
	return (ssize_t)n;
}

static inline struct fake fake(int refused)
{
	return (struct fake){.sys = {.open = fake_open,
				     .read = fake_read,
				     .close = fake_close,
				     .map = fake_map,
				     .unmap = fake_unmap},
			     .refused = refused,
			     .right = true};
}

static inline void put(struct fake *f, int cpu, const void *data, size_t n)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)f->pages[cpu];

	memcpy(f->pages[cpu] + sysconf(_SC_PAGESIZE) + page->data_head, data, n);
	page->data_head += n;
}

static inline void put_task(struct fake *f, int cpu, uint32_t type, uint32_t pid, uint32_t maker,
			    uint32_t tid, uint64_t time)
{
	const struct {
		struct perf_event_header h;
		uint32_t id[4];
		uint64_t time, trailer[3];
	} record = {{.type = type, .size = sizeof record},
		    {pid, maker, tid, maker},
		    time,
		    {0, time, 0}};

	put(f, cpu, &record, sizeof record);
}

static inline void put_comm(struct fake *f, int cpu, uint32_t pid, uint32_t tid, const char *name,
			    uint64_t time, uint16_t misc)
{
	struct {
		struct perf_event_header h;
		uint32_t id[2];
		char name[16];
		uint64_t trailer[3];
	} record = {.h = {.type = PERF_RECORD_COMM, .misc = misc, .size = sizeof record},
		    .id = {pid, tid},
		    .trailer = {0, time, 0}};

	memcpy(record.name, name, strlen(name));
	put(f, cpu, &record, sizeof record);
}

static inline void put_name(struct fake *f, int cpu, uint32_t pid, uint32_t tid, const char *name,
			    uint64_t time)
{
	put_comm(f, cpu, pid, tid, name, time, 0);
}

static inline void put_exec(struct fake *f, int cpu, uint32_t pid, const char *name, uint64_t time)
{
	put_comm(f, cpu, pid, pid, name, time, PERF_RECORD_MISC_COMM_EXEC);
}

#endif
