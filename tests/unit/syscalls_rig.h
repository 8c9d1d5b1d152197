/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscalls_rig - a fake kernel that writes records of system calls to the ring buffers of its CPUs,
 * when the test calls it.
 */
#ifndef TEST_SYSCALLS_RIG_H
#define TEST_SYSCALLS_RIG_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmu/perf/syscalls.h"

#define TID  42
#define CPUS 3
/* Descriptors of a CPU: the ring, and the tracepoints behind it. */
#define FDS 16
/* Descriptors from this one on are counters of all CPUs, which write no records. */
#define COUNTERS 1000

enum { ENTER = 522, EXIT = 521, ENTER_WAKE = 518, EXIT_WAKE = 517 };

static const struct syscall_tracepoints of[] = {{ENTER, EXIT}, {ENTER_WAKE, EXIT_WAKE}};

/* CPU 1 is offline. */
struct fake {
	struct perf_sys sys;
	char *pages[CPUS];
	int n_open[CPUS], n_mapped, n_redirected;
	int refuse_map, refuse_id; /* errno; the id of a tracepoint that is refused */
	size_t mapped;             /* bytes of the last ring, with its page */
	size_t most;               /* the most bytes that may be locked; 0: no limit */
	bool old, right;
	uint64_t lost; /* of each event, as the kernel reports */
	pid_t more;    /* a task that may be added */
	int n_thread;  /* events that only threads inherit */
	int n_counters;
	bool counts_right;
	uint64_t counted; /* by each of them */
};

static inline int fake_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid,
			    int cpu, int group_fd, unsigned long flags)
{
	struct fake *f = (struct fake *)sys;
	const bool is_point = attr->type == PERF_TYPE_TRACEPOINT,
		   is_exit = attr->config == EXIT || attr->config == EXIT_WAKE;

	if (cpu == -1) {
		f->counts_right = is_point && !attr->sample_period && attr->inherit &&
				  attr->exclude_kernel && attr->config == ENTER_WAKE;
		return COUNTERS + f->n_counters++;
	}
	if (cpu == 1 || cpu >= CPUS)
		return -ENODEV;
	if (f->old && (attr->read_format || attr->inherit_thread))
		return -EINVAL;
	if (is_point && (int)attr->config == f->refuse_id)
		return -EACCES;
	f->right &= (tid == TID || tid == f->more) && group_fd == -1 &&
		    flags == PERF_FLAG_FD_CLOEXEC && attr->inherit && attr->exclude_kernel &&
		    attr->use_clockid && attr->clockid == CLOCK_MONOTONIC;
	f->right &= is_point ? attr->sample_period == 1 && attr->exclude_callchain_user == is_exit
			     : attr->task && attr->comm && attr->comm_exec && attr->mmap2 &&
				       attr->mmap_data && attr->sample_id_all && attr->watermark;
	f->n_thread += attr->inherit_thread;
	return cpu * FDS + f->n_open[cpu]++;
}

static inline int fake_close(struct perf_sys *sys, int fd)
{
	struct fake *f = (struct fake *)sys;

	if (fd >= COUNTERS)
		f->n_counters--;
	else
		f->n_open[fd / FDS]--;
	return 0;
}

static inline int fake_ioctl(struct perf_sys *sys, int fd, unsigned long request, void *arg)
{
	struct fake *f = (struct fake *)sys;

	f->right &= request == PERF_EVENT_IOC_SET_OUTPUT && fd % FDS &&
		    (int)(intptr_t)arg == fd / FDS * FDS;
	f->n_redirected++;
	return 0;
}

static inline int fake_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct fake *f = (struct fake *)sys;

	if (f->refuse_map || (f->most && size > f->most))
		return f->refuse_map ? f->refuse_map : -EPERM;
	f->n_mapped++;
	f->mapped = size;
	f->pages[fd / FDS] = *at = calloc(1, size);
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
	const uint64_t answer[2] = {fd >= COUNTERS ? f->counted : 0, f->lost};
	const size_t n = f->old ? sizeof *answer : sizeof answer;

	memcpy(buf, answer, n < size ? n : size);
	return (ssize_t)n;
}

static inline struct fake fake(void)
{
	return (struct fake){.sys = {.open = fake_open,
				     .read = fake_read,
				     .ioctl = fake_ioctl,
				     .close = fake_close,
				     .map = fake_map,
				     .unmap = fake_unmap},
			     .right = true};
}

static inline int n_left(const struct fake *f)
{
	return f->n_open[0] + f->n_open[2] + f->n_mapped + f->n_counters;
}

/* --- records --- */

/* A record that is being made. */
struct made {
	union {
		struct perf_event_header h;
		char byte[1024];
	};
	size_t n;
};

static inline void add(struct made *m, const void *data, size_t n)
{
	memcpy(m->byte + m->n, data, n);
	m->n += n;
}

static inline void add_u32(struct made *m, uint32_t x)
{
	add(m, &x, sizeof x);
}

static inline void add_u64(struct made *m, uint64_t x)
{
	add(m, &x, sizeof x);
}

static inline struct made begin(uint32_t type, uint16_t misc)
{
	struct made m = {.n = sizeof m.h};

	memset(&m, 0, sizeof m);
	m.n = sizeof m.h;
	m.h.type = type;
	m.h.misc = misc;
	return m;
}

static inline void put(struct fake *f, int cpu, struct made *m)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)f->pages[cpu];

	m->n = (m->n + 7) / 8 * 8;
	m->h.size = (uint16_t)m->n;
	memcpy(f->pages[cpu] + sysconf(_SC_PAGESIZE) + page->data_head, m->byte, m->n);
	page->data_head += m->n;
}

static inline struct made begin_sample(uint32_t task, uint64_t time)
{
	struct made m = begin(PERF_RECORD_SAMPLE, 0);

	add_u32(&m, TID);
	add_u32(&m, task);
	add_u64(&m, time);
	add_u64(&m, 0);
	return m;
}

/* The data of a tracepoint: the id, the number of the call, and values; behind their size, which is
 * not a multiple of 8. */
static inline void add_raw(struct made *m, uint16_t id, uint32_t number, const uint64_t *value,
			   size_t n)
{
	const uint16_t entry[4] = {id};
	const uint32_t call[2] = {number};

	add_u32(m, (uint32_t)(16 + 8 * n + 4));
	add(m, entry, sizeof entry);
	add(m, call, sizeof call);
	add(m, value, n * sizeof *value);
	add_u32(m, 0);
}

static inline void put_enter(struct fake *f, int cpu, uint32_t task, uint64_t time,
			     uint64_t address)
{
	const uint64_t chain[] = {3, (uint64_t)-512, 0x401000, 0x402000},
		       argument[] = {address, 128, 7, 0, 0, 0xffffffff};
	struct made m = begin_sample(task, time);

	add(&m, chain, sizeof chain);
	add_raw(&m, ENTER, SYS_futex, argument, 6);
	put(f, cpu, &m);
}

static inline void put_enter_wake(struct fake *f, int cpu, uint32_t task, uint64_t time)
{
	const uint64_t argument[6] = {0x7000, 1};
	struct made m = begin_sample(task, time);

	add_u64(&m, 0);
	add_raw(&m, ENTER_WAKE, 454, argument, 6);
	put(f, cpu, &m);
}

static inline void put_exit(struct fake *f, int cpu, uint32_t task, uint64_t time, int64_t result)
{
	struct made m = begin_sample(task, time);

	add_u64(&m, 0);
	add_raw(&m, EXIT, SYS_futex, (const uint64_t *)&result, 1);
	put(f, cpu, &m);
}

static inline void add_trailer(struct made *m, uint32_t task, uint64_t time)
{
	m->n = (m->n + 7) / 8 * 8;
	add_u32(m, TID);
	add_u32(m, task);
	add_u64(m, time);
	add_u64(m, 0);
}

static inline void put_map(struct fake *f, int cpu, uint64_t time, const char *path)
{
	const uint64_t where[] = {0x400000, 0x3000, 0x1000}, inode[] = {77, 0};
	struct made m = begin(PERF_RECORD_MMAP2, 0);

	add_u32(&m, TID);
	add_u32(&m, TID);
	add(&m, where, sizeof where);
	add_u32(&m, 8);
	add_u32(&m, 1);
	add(&m, inode, sizeof inode);
	add_u32(&m, 0);
	add_u32(&m, MAP_SHARED);
	add(&m, path, strlen(path) + 1);
	add_trailer(&m, TID, time);
	put(f, cpu, &m);
}

static inline void put_name(struct fake *f, int cpu, uint64_t time, uint16_t misc, const char *name)
{
	struct made m = begin(PERF_RECORD_COMM, misc);

	add_u32(&m, TID);
	add_u32(&m, TID);
	add(&m, name, strlen(name) + 1);
	add_trailer(&m, TID, time);
	put(f, cpu, &m);
}

static inline void put_task(struct fake *f, int cpu, uint32_t type, uint32_t task, uint64_t time)
{
	struct made m = begin(type, 0);

	add_u32(&m, TID);
	add_u32(&m, TID);
	add_u32(&m, task);
	add_u32(&m, TID);
	add_u64(&m, time);
	add_trailer(&m, task, time);
	put(f, cpu, &m);
}

static inline void put_lost(struct fake *f, int cpu, uint64_t n)
{
	struct made m = begin(PERF_RECORD_LOST, 0);

	add_u64(&m, 1);
	add_u64(&m, n);
	add_trailer(&m, TID, 0);
	put(f, cpu, &m);
}

#endif
