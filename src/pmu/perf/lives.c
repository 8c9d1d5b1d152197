/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/lives.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

/* Pages of a ring; a record of a fork takes 56 bytes. */
#define PAGES 16

/* The sizes in bytes of the end of each record (pid, tid, time, CPU: sample_id_all), and of the
 * part of it that begins with the time. */
#define TRAILER       24
#define TIME_FROM_END 16

/* PERF_FORMAT_LOST, which older headers do not have. */
#define FORMAT_LOST 16u

struct lives {
	struct perf_sys *sys;
	struct ring **ring; /* one for each online CPU */
	size_t n, cap;
	size_t at; /* index of the ring that is read next */
};

static int open_cpu(struct lives *l, int cpu, pid_t tid)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = 1,
		.task = 1,
		.comm = 1,
		.comm_exec = 1,
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.use_clockid = 1,
		.clockid = CLOCK_BOOTTIME,
		.read_format = FORMAT_LOST,
	};
	int fd = l->sys->open(l->sys, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC), ret;

	/* Linux before 6.0 does not report how many records were lost. */
	if (fd == -EINVAL) {
		attr.read_format = 0;
		fd = l->sys->open(l->sys, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0)
		return fd == -ENODEV ? 0 : fd;
	l->ring = xgrow(l->ring, &l->cap, l->n + 1, sizeof *l->ring);
	ret = ring_open(&l->ring[l->n], l->sys, fd, PAGES, PAGES);
	l->n += !ret;
	return ret;
}

int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid)
{
	struct lives *l = xcalloc(1, sizeof *l);
	int ret = 0;

	l->sys = sys;
	for (int cpu = 0; cpu < n_cpus && !ret; cpu++)
		ret = open_cpu(l, cpu, tid);
	if (ret)
		lives_close(l);
	else
		*out = l;
	return ret;
}

/* Decodes PERF_RECORD_FORK and PERF_RECORD_EXIT: pid, ppid, tid, ptid, time. */
static bool decode_task(const struct ring_record *record, struct life *out)
{
	uint64_t time_ns;
	uint32_t id[4];

	if (record->size < sizeof id + sizeof time_ns)
		return false;
	memcpy(id, record->body, sizeof id);
	memcpy(&time_ns, (const char *)record->body + sizeof id, sizeof time_ns);
	*out = (struct life){.what = record->type == PERF_RECORD_FORK ? LIVES_BEGIN : LIVES_END,
			     .process = (pid_t)id[0],
			     .creator_pid = (pid_t)id[1],
			     .task = (pid_t)id[2],
			     .time_ns = time_ns};
	return true;
}

/* Decodes PERF_RECORD_COMM: pid, tid, name. Returns whether it is the name of a process (its main
 * thread), not of another thread. */
static bool decode_name(const struct ring_record *record, struct life *out)
{
	const char *body = record->body;
	uint32_t id[2];
	size_t length;

	if (record->size < sizeof id + TRAILER)
		return false;
	memcpy(id, body, sizeof id);
	*out = (struct life){.what = LIVES_NAME, .process = (pid_t)id[0], .task = (pid_t)id[1]};
	out->executes = record->misc & PERF_RECORD_MISC_COMM_EXEC;
	memcpy(&out->time_ns, body + record->size - TIME_FROM_END, sizeof out->time_ns);
	length = record->size - sizeof id - TRAILER;
	if (length > sizeof out->name - 1)
		length = sizeof out->name - 1;
	memcpy(out->name, body + sizeof id, length);
	return id[0] == id[1];
}

bool lives_next(struct lives *l, struct life *out)
{
	struct ring_record record;

	for (; l->at < l->n; l->at++)
		while (ring_next(l->ring[l->at], &record)) {
			if ((record.type == PERF_RECORD_FORK || record.type == PERF_RECORD_EXIT) &&
			    decode_task(&record, out))
				return true;
			if (record.type == PERF_RECORD_COMM && decode_name(&record, out))
				return true;
		}
	l->at = 0;
	return false;
}

struct ring_losses lives_losses(struct lives *l)
{
	struct ring_losses all = {.records = 0};

	for (size_t i = 0; i < l->n; i++) {
		struct ring_losses one;

		ring_read_losses(l->ring[i]);
		one = ring_losses(l->ring[i]);

		all.records += one.records;
		all.damages += one.damages;
	}
	return all;
}

void lives_close(struct lives *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++)
		ring_close(l->ring[i]);
	free(l->ring);
	free(l);
}
