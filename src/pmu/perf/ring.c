/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

struct ring {
	struct perf_sys *sys;
	int fd;
	struct perf_event_mmap_page *page;
	size_t map_size;
	const unsigned char *data;
	uint64_t size; /* of data, a power of two */
	uint64_t tail; /* bytes read since the ring was created */
	struct ring_losses losses;
	/* A copy of the last record, contiguous where the ring wraps. The largest record has 65,535
	 * bytes, as its header has 16 bits for the size. */
	uint64_t record[(UINT16_MAX + 1) / sizeof(uint64_t)];
};

int ring_open(struct ring **out, struct perf_sys *sys, int fd, size_t pages, size_t least)
{
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	struct ring *r = xcalloc(1, sizeof *r);
	void *at;
	int ret;

	while ((ret = sys->map(sys, fd, (1 + pages) * page_size, &at)) && pages / 2 >= least)
		pages /= 2;
	if (ret) {
		sys->close(sys, fd);
		free(r);
		return ret;
	}
	r->sys = sys;
	r->fd = fd;
	r->page = at;
	r->map_size = (1 + pages) * page_size;
	r->data = (const unsigned char *)at + page_size;
	r->size = pages * page_size;
	r->tail = r->page->data_tail;
	*out = r;
	return 0;
}

int ring_fd(const struct ring *r)
{
	return r->fd;
}

uint64_t ring_room(const struct ring *r)
{
	const uint64_t unread = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE) - r->tail;

	return unread < r->size ? r->size - unread : 0;
}

/* Releases the bytes: the kernel may overwrite them from now on. */
static void take(struct ring *r, uint64_t bytes)
{
	r->tail += bytes;
	__atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
}

/* Copies data from the tail, which may wrap around the end of the ring. */
static void copy(const struct ring *r, void *to, size_t size)
{
	const uint64_t at = r->tail & (r->size - 1);
	const size_t first = size < r->size - at ? size : (size_t)(r->size - at);

	memcpy(to, r->data + at, first);
	memcpy((unsigned char *)to + first, r->data, size - first);
}

/* No kernel has a record type with this number or a higher one: a limit to detect damaged
 * headers. */
#define TYPES_MAX 64

/* Returns whether the header is plausible with this many bytes available. */
static bool can_be(const struct perf_event_header *h, uint64_t available)
{
	return h->type && h->type < TYPES_MAX && h->size >= sizeof *h &&
	       h->size % sizeof(uint64_t) == 0 && h->size <= available;
}

/* Counts a PERF_RECORD_LOST: an id, and the number of lost records. */
static void count_lost(struct ring *r, const struct ring_record *record)
{
	uint64_t body[2];

	if (record->size < sizeof body) {
		r->losses.damages++;
		return;
	}
	memcpy(body, record->body, sizeof body);
	r->losses.records += body[1];
}

bool ring_next(struct ring *r, struct ring_record *out)
{
	struct perf_event_header h = {.size = 0};

	for (;;) {
		const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
		const uint64_t available = head - r->tail;

		if (!available)
			return false;
		if (available >= sizeof h)
			copy(r, &h, sizeof h);
		if (available < sizeof h || available > r->size || !can_be(&h, available)) {
			r->losses.damages++;
			take(r, available);
			return false;
		}
		copy(r, r->record, h.size);
		take(r, h.size);
		*out = (struct ring_record){
			.type = h.type,
			.misc = h.misc,
			.size = (uint16_t)(h.size - sizeof h),
			.body = r->record + 1,
		};
		if (h.type != PERF_RECORD_LOST)
			return true;
		count_lost(r, out);
	}
}

void ring_read_losses(struct ring *r)
{
	uint64_t answer[2]; /* the count, and the number of lost records */

	if (r->sys->read(r->sys, r->fd, answer, sizeof answer) == sizeof answer &&
	    answer[1] > r->losses.records)
		r->losses.records = answer[1];
}

uint64_t ring_clock_offset(const char *clock)
{
	struct stat own, children;
	char text[256];
	const char *line;
	char *end;
	long long s;

	if (stat("/proc/self/ns/time", &own) ||
	    stat("/proc/self/ns/time_for_children", &children) || own.st_ino != children.st_ino ||
	    file_read(AT_FDCWD, "/proc/self/timens_offsets", text, sizeof text) <= 0)
		return 0;
	line = strstr(text, clock);
	if (!line)
		return 0;
	s = strtoll(line + strlen(clock), &end, 10);
	return (uint64_t)s * 1000000000u + strtoull(end, NULL, 10);
}

struct ring_losses ring_losses(const struct ring *r)
{
	return r->losses;
}

void ring_close(struct ring *r)
{
	if (!r)
		return;
	r->sys->unmap(r->sys, r->page, r->map_size);
	r->sys->close(r->sys, r->fd);
	free(r);
}

#define RING_STILL_NS 100000000u

bool ring_watch_update(struct ring_watch *w, uint64_t now_ns, uint64_t expected, uint64_t came)
{
	const bool missed = w->expected > w->came + w->given_up && came == w->came;

	if (now_ns - w->since_ns < RING_STILL_NS)
		return false;
	if (missed)
		w->given_up = w->expected - w->came;
	w->since_ns = now_ns;
	w->expected = expected;
	w->came = came;
	return missed;
}

/* ---- rings of one reader ---- */

static void add_losses(struct ring_losses *to, const struct ring_losses *from)
{
	to->records += from->records;
	to->damages += from->damages;
}

/* Closes n rings, and frees the array. */
static void close_all(struct ring **ring, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ring_close(ring[i]);
	free(ring);
}

/* ---- finals ---- */

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
		add_losses(&f->before, &first);
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

	add_losses(&all, &f->before);
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
	close_all(f->ring, f->n);
	free(f);
}

/* ---- lives ---- */

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
	size_t at;          /* index of the ring that is read next */
	uint64_t offset_ns; /* added to times of records, modulo 2^64 */
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
	l->offset_ns = ring_clock_offset("boottime");
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

static bool next_life(struct lives *l, struct life *out)
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

bool lives_next(struct lives *l, struct life *out)
{
	const bool has = next_life(l, out);

	if (has)
		out->time_ns += l->offset_ns;
	return has;
}

struct ring_losses lives_losses(struct lives *l)
{
	struct ring_losses all = {.records = 0};

	for (size_t i = 0; i < l->n; i++) {
		struct ring_losses one;

		ring_read_losses(l->ring[i]);
		one = ring_losses(l->ring[i]);
		add_losses(&all, &one);
	}
	return all;
}

void lives_close(struct lives *l)
{
	if (!l)
		return;
	close_all(l->ring, l->n);
	free(l);
}
