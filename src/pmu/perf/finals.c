/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/finals.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Pages of a ring. A record of one group takes some 150 bytes, and a machine ends up to 20,000
 * tasks a second: half of the pages are full after 40 ms. Locked memory is limited for users, so a
 * ring has fewer pages if it cannot get PAGES_MOST. */
#define PAGES_MOST  64
#define PAGES_LEAST 2

struct finals {
	struct perf_sys *sys;
	const struct group *group;
	struct ring **ring; /* one per kernel group, each of a dummy event */
	size_t n, cap;
	size_t at; /* index of the ring that is read next */
	pid_t tid;
	/* The losses of earlier rings of the first group, which were replaced. */
	struct ring_losses before;
};

static int open_dummy(struct perf_sys *sys, pid_t tid)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(PAGES_LEAST * sysconf(_SC_PAGESIZE) / 2),
	};

	return sys->open(sys, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens a ring and redirects to it the records of the kernel group whose last member is
 * `member`. */
static int open_ring(const struct finals *f, int member, struct ring **out)
{
	int fd = open_dummy(f->sys, f->tid), ret;

	if (fd < 0)
		return fd;
	ret = ring_open(out, f->sys, fd, PAGES_MOST, PAGES_LEAST);
	if (ret)
		return ret;
	ret = f->sys->ioctl(f->sys, member, PERF_EVENT_IOC_SET_OUTPUT, (void *)(intptr_t)fd);
	if (ret)
		ring_close(*out);
	return ret;
}

static int add_ring(struct finals *f, int member)
{
	int ret;

	f->ring = xgrow(f->ring, &f->cap, f->n + 1, sizeof *f->ring);
	ret = open_ring(f, member, &f->ring[f->n]);
	f->n += !ret;
	return ret;
}

int finals_reopen(struct finals *f)
{
	const struct ring_losses first = ring_losses(f->ring[0]);
	int member, at = 0, ret = 0;

	for (size_t i = 0; i < f->n && !ret; i++) {
		struct ring *old = f->ring[i];

		member = group_last_fd(f->group, &at);
		ret = open_ring(f, member, &f->ring[i]);
		if (ret) {
			f->ring[i] = old;
			continue;
		}
		ring_close(old);
		if (i)
			continue;
		f->before.records += first.records;
		f->before.damages += first.damages;
	}
	return ret;
}

int finals_open(struct finals **out, struct perf_sys *sys, const struct group *g, pid_t tid)
{
	struct finals *f = xcalloc(1, sizeof *f);
	int ret = 0, member, at = 0;

	f->sys = sys;
	f->group = g;
	f->tid = tid;
	while (!ret && (member = group_last_fd(g, &at)) >= 0)
		ret = add_ring(f, member);
	if (!ret && !f->n)
		ret = -ENOENT;
	if (ret)
		finals_close(f);
	else
		*out = f;
	return ret;
}

/* Decodes a record: pid, tid, then the data that read(2) returns for the group. */
static bool decode_record(struct finals *f, const struct ring_record *record, struct final *out)
{
	const size_t head = 2 * sizeof(uint32_t);
	uint32_t id[2];

	if (record->type != PERF_RECORD_READ || record->size < head)
		return false;
	memcpy(id, record->body, sizeof id);
	*out = (struct final){.process = (pid_t)id[0], .task = (pid_t)id[1], .first = !f->at};
	out->members = group_decode(f->group, (const char *)record->body + head,
				    (size_t)record->size - head, out->count);
	return true;
}

bool finals_next(struct finals *f, struct final *out)
{
	struct ring_record record;

	for (; f->at < f->n; f->at++)
		while (ring_next(f->ring[f->at], &record))
			if (decode_record(f, &record, out))
				return true;
	f->at = 0;
	return false;
}

struct ring_losses finals_losses(const struct finals *f)
{
	/* Only the losses of the first group are counted, which has one record for each task. */
	struct ring_losses all = ring_losses(f->ring[0]);

	all.records += f->before.records;
	all.damages += f->before.damages;
	return all;
}

int finals_fd(const struct finals *f, size_t i)
{
	return i < f->n ? ring_fd(f->ring[i]) : -1;
}

void finals_close(struct finals *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		ring_close(f->ring[i]);
	free(f->ring);
	free(f);
}
