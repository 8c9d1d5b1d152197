/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forks and names, as a kernel writes them into the rings of two CPUs. */
#include "perf/lives.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define TID  42
#define CPUS 3

/* CPU 1 is offline. */
struct fake {
	struct perf_sys sys;
	char *pages[CPUS];
	size_t size;
	int n_open, n_mapped, refused;
	bool right;
};

static int fake_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid, int cpu,
		     int group_fd, unsigned long flags)
{
	struct fake *f = (struct fake *)sys;

	if (cpu == 1)
		return -ENODEV;
	f->right &= tid == TID && group_fd == -1 && flags == PERF_FLAG_FD_CLOEXEC &&
		    attr->inherit && attr->task && attr->comm && attr->sample_id_all &&
		    attr->exclude_kernel;
	f->n_open++;
	return cpu;
}

static int fake_close(struct perf_sys *sys, int fd)
{
	(void)fd;
	((struct fake *)sys)->n_open--;
	return 0;
}

static int fake_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct fake *f = (struct fake *)sys;

	if (f->refused)
		return f->refused;
	f->n_mapped++;
	f->pages[fd] = *at = calloc(1, size);
	f->size = size - (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static void fake_unmap(struct perf_sys *sys, void *at, size_t size)
{
	(void)size;
	((struct fake *)sys)->n_mapped--;
	free(at);
}

static struct fake fake(int refused)
{
	return (struct fake){.sys = {.open = fake_open,
				     .close = fake_close,
				     .map = fake_map,
				     .unmap = fake_unmap},
			     .refused = refused,
			     .right = true};
}

static void put(struct fake *f, int cpu, const void *data, size_t n)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)f->pages[cpu];

	memcpy(f->pages[cpu] + sysconf(_SC_PAGESIZE) + page->data_head, data, n);
	page->data_head += n;
}

static void put_fork(struct fake *f, int cpu, uint32_t pid, uint32_t maker, uint32_t tid,
		     uint64_t time)
{
	const struct {
		struct perf_event_header h;
		uint32_t id[4];
		uint64_t time, trailer[3];
	} record = {{.type = PERF_RECORD_FORK, .size = sizeof record},
		    {pid, maker, tid, maker},
		    time,
		    {0, time, 0}};

	put(f, cpu, &record, sizeof record);
}

static void put_name(struct fake *f, int cpu, uint32_t pid, uint32_t tid, const char *name,
		     uint64_t time)
{
	struct {
		struct perf_event_header h;
		uint32_t id[2];
		char name[16];
		uint64_t trailer[3];
	} record = {.h = {.type = PERF_RECORD_COMM, .size = sizeof record},
		    .id = {pid, tid},
		    .trailer = {0, time, 0}};

	memcpy(record.name, name, strlen(name));
	put(f, cpu, &record, sizeof record);
}

static void check(struct lives *l, pid_t process, pid_t maker, uint64_t time, const char *name)
{
	struct life life = {.process = 0};

	tap_ok(lives_next(l, &life), "a record");
	tap_int(life.process, process, "of this process");
	tap_int(life.maker, maker, "made by");
	tap_int(life.time_ns, time, "at");
	tap_str(life.name, name, "named");
}

static void test_records(void)
{
	const struct perf_event_header lost = {.type = PERF_RECORD_LOST, .size = 24};
	struct fake f = fake(0);
	struct lives *l = NULL;
	struct life life;

	tap_int(lives_open(&l, &f.sys, CPUS, TID), 0, "a ring for each CPU that is online");
	tap_int(f.n_open, 2, "of three, one is not");
	tap_ok(f.right, "they tell of all that descends from the task");
	put_fork(&f, 0, 50, TID, 50, 1000);
	put_fork(&f, 0, TID, TID, 51, 1001); /* a thread */
	put_name(&f, 0, 50, 52, "thread", 1002);
	put_name(&f, 2, 50, 50, "make", 1003);
	put_name(&f, 2, 50, 50, "fifteen-letters", 1004);
	check(l, 50, TID, 1000, "");
	check(l, 50, 0, 1003, "make");
	check(l, 50, 0, 1004, "fifteen-letters");
	tap_ok(!lives_next(l, &life), "threads are passed over");
	put(&f, 0, &lost, sizeof lost);
	put(&f, 0, (uint64_t[2]){1, 3}, 16);
	put(&f, 2, &lost, sizeof lost);
	put(&f, 2, (uint64_t[2]){1, 4}, 16);
	tap_ok(!lives_next(l, &life), "some were lost");
	tap_int(lives_losses(l).records, 7, "on two CPUs");
	lives_close(l);
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
}

static void test_refused(void)
{
	struct fake f = fake(-EPERM);
	struct lives *l = NULL;

	tap_int(lives_open(&l, &f.sys, CPUS, TID), -EPERM, "memory is short");
	tap_int(f.n_open + f.n_mapped, 0, "nothing stays open or mapped");
	lives_close(NULL);
}

int main(void)
{
	test_records();
	test_refused();
	return tap_done();
}
