/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/syscalls.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/lookup.h"
#include "base/mem.h"

/* ---- records ----
 *
 * Decodes the kernel's records of system calls: samples of the tracepoints at their beginnings and
 * ends, and the records that are needed to understand them: forks, exits, executed programs and
 * mapped files. Pure.
 *
 * Samples have SAMPLE_TYPE, callers and the data of the tracepoint; the other records have
 * SAMPLE_TYPE at their end (sample_id_all). The data of tracepoints are those of machines of 64
 * bits.
 */

#define SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* The sizes in bytes of the end of records other than samples (pid, tid, time, CPU), and of the
 * part of it that begins with the time. */
#define TRAILER       24
#define TIME_FROM_END 16

/* Offsets in the data of a tracepoint: the number of the call, and its first argument or its
 * result. The arguments take 8 bytes each. */
#define RAW_NUMBER 8
#define RAW_VALUES 16

/* Addresses from this one on are marks in a chain of callers: PERF_CONTEXT_MAX. */
#define FIRST_MARK ((uint64_t)-4095)

/* The bytes of a record that are not decoded yet. */
struct body {
	const char *at;
	size_t left;
	bool is_short; /* more was read than there is: the result is not valid */
};

static void take(struct body *b, void *to, size_t size)
{
	memset(to, 0, size);
	b->is_short |= size > b->left;
	if (b->is_short)
		return;
	memcpy(to, b->at, size);
	b->at += size;
	b->left -= size;
}

static uint64_t take_u64(struct body *b)
{
	uint64_t x;

	take(b, &x, sizeof x);
	return x;
}

static uint32_t take_u32(struct body *b)
{
	uint32_t x;

	take(b, &x, sizeof x);
	return x;
}

/* Takes a text of at most `left` bytes, which may end earlier. */
static void take_name(struct body *b, char *to, size_t size)
{
	const size_t n = strnlen(b->at, b->left);

	memset(to, 0, size);
	memcpy(to, b->at, n < size ? n : size - 1);
}

static void take_chain(struct body *b, struct syscall_record *out)
{
	const uint64_t n = take_u64(b);

	for (uint64_t i = 0; i < n && !b->is_short; i++) {
		const uint64_t place = take_u64(b);

		if (place < FIRST_MARK && out->call.n_frames < SYSCALL_FRAMES)
			out->call.frame[out->call.n_frames++] = place;
	}
}

struct points {
	const struct syscall_tracepoints *of; /* [n] */
	size_t n;
	size_t found; /* the call of the last sample */
};

/* Sets whether the sample is of the beginning or of the end of a call. Its data begin with the id
 * of the tracepoint. Returns false if it is of no tracepoint that was opened. */
static bool find_what(struct points *points, const char *raw, struct syscall_record *out)
{
	uint16_t id;

	memcpy(&id, raw, sizeof id);
	for (size_t i = 0; i < points->n; i++) {
		if (id != points->of[i].enter && id != points->of[i].exit)
			continue;
		out->what = id == points->of[i].enter ? SYSCALLS_ENTER : SYSCALLS_EXIT;
		points->found = i;
		return true;
	}
	return false;
}

static bool decode_sample(struct points *points, struct body b, struct syscall_record *out)
{
	size_t n;
	int32_t number;

	out->process = (pid_t)take_u32(&b);
	out->task = (pid_t)take_u32(&b);
	out->time_ns = take_u64(&b);
	take_u64(&b);
	take_chain(&b, out);
	n = take_u32(&b);
	if (b.is_short || n > b.left || n < RAW_VALUES + sizeof(uint64_t) ||
	    !find_what(points, b.at, out))
		return false;
	memcpy(&number, b.at + RAW_NUMBER, sizeof number);
	out->call.number = number;
	n -= RAW_VALUES;
	if (out->what == SYSCALLS_EXIT)
		memcpy(&out->call.result, b.at + RAW_VALUES, sizeof out->call.result);
	else
		memcpy(out->call.argument, b.at + RAW_VALUES,
		       n < sizeof out->call.argument ? n : sizeof out->call.argument);
	return true;
}

static bool decode_task(uint32_t type, struct body b, struct syscall_record *out)
{
	out->what = type == PERF_RECORD_FORK ? SYSCALLS_FORK : SYSCALLS_END;
	out->process = (pid_t)take_u32(&b);
	out->creator_pid = (pid_t)take_u32(&b);
	out->task = (pid_t)take_u32(&b);
	take_u32(&b);
	out->time_ns = take_u64(&b);
	return !b.is_short;
}

/* Sets the time of a record, which is in its trailer, and cuts off the trailer. */
static bool take_trailer(struct body *b, struct syscall_record *out)
{
	if (b->left < TRAILER)
		return false;
	memcpy(&out->time_ns, b->at + b->left - TIME_FROM_END, sizeof out->time_ns);
	b->left -= TRAILER;
	return true;
}

static bool decode_name(uint16_t misc, struct body b, struct syscall_record *out)
{
	if (!take_trailer(&b, out))
		return false;
	out->what = misc & PERF_RECORD_MISC_COMM_EXEC ? SYSCALLS_EXEC : SYSCALLS_NAME;
	out->process = (pid_t)take_u32(&b);
	out->task = (pid_t)take_u32(&b);
	if (!b.is_short)
		take_name(&b, out->name, sizeof out->name);
	return !b.is_short;
}

static bool decode_map(struct body b, struct syscall_record *out)
{
	uint32_t device[2], modes[2]; /* major, minor; protection, flags */

	if (!take_trailer(&b, out))
		return false;
	out->what = SYSCALLS_MAP;
	out->process = (pid_t)take_u32(&b);
	out->task = (pid_t)take_u32(&b);
	out->map.begin = take_u64(&b);
	out->map.size = take_u64(&b);
	out->map.offset = take_u64(&b);
	take(&b, device, sizeof device);
	out->map.device = (uint64_t)device[0] << 20 | device[1];
	out->map.inode = take_u64(&b);
	take_u64(&b); /* the generation of the inode */
	take(&b, modes, sizeof modes);
	out->map.is_shared = modes[1] & MAP_SHARED;
	if (!b.is_short)
		out->map.path = xstrndup(b.at, strnlen(b.at, b.left));
	return !b.is_short;
}

/* Decodes a record; sets points->found if it is of a system call. Returns false if it is too short,
 * of an unknown type, or of another tracepoint. */
static bool decode(struct syscall_record *out, const struct ring_record *from,
		   struct points *points)
{
	const struct body b = {.at = from->body, .left = from->size};

	*out = (struct syscall_record){.what = SYSCALLS_LOST};
	switch (from->type) {
	case PERF_RECORD_SAMPLE:
		return decode_sample(points, b, out);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_task(from->type, b, out);
	case PERF_RECORD_COMM:
		return decode_name(from->misc, b, out);
	case PERF_RECORD_MMAP2:
		return decode_map(b, out);
	default:
		return false;
	}
}

/* Returns whether decode() knows this type of record. Records of other types, such as that the
 * kernel has throttled an event, say nothing about system calls. */
static bool is_known(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
	       type == PERF_RECORD_COMM || type == PERF_RECORD_MMAP2;
}

/* ---- reader ---- */

/* The most bytes of one ring, and of the rings of all CPUs together. If less memory may be locked,
 * a ring has fewer pages, but at least PAGES_LEAST: enough for more than a hundred calls, whose
 * records take some 200 bytes each. */
#define RING_MAX    ((size_t)4 << 20)
#define ALL_MAX     ((size_t)64 << 20)
#define PAGES_LEAST 8

/* If a ring has at least this many free bytes, the kernel has dropped no record for lack of room:
 * the largest records have a path of 4,096 bytes. */
#define ROOM_LEAST 8192

/* PERF_FORMAT_LOST, which older headers do not have. */
#define FORMAT_LOST 16u

/* A CPU. */
struct cpu {
	int number;
	struct ring *ring;
	struct writer {
		int fd;
		size_t call; /* of a tracepoint: 1 + the number of its call; 0: another event */
	} * writer;          /* [n_writers] the events, which write to the ring */
	size_t n_writers, cap_writers;
	uint64_t last_ns; /* time of the last record */
	uint64_t n_lost;  /* the number of losses at the last call of has_lost() */
};

struct syscalls {
	struct perf_sys *sys;
	struct cpu *cpu;
	size_t n, cap;
	bool children; /* new processes inherit the events */
	size_t pages;  /* of a ring, if there is memory for them */
	/* [n_of] A call is recorded, or only counted. n_records: of its beginning. */
	struct syscall_tracepoints *of;
	struct call {
		bool is_counted;
		uint64_t n_records;
	} * call;
	size_t n_of;
	struct counter {
		int fd;
		size_t call;
	} * counter; /* [n_counters] of the beginnings of all calls but the first, of all CPUs */
	size_t n_counters, cap_counters;
	uint64_t n_damages, sequence;
	uint64_t offset_ns;            /* added to times of records, modulo 2^64 */
	struct syscall_record *record; /* [at .. n_records - 1] are not returned yet */
	size_t at, n_records, cap_records;
	uint64_t updated_ns, until_ns; /* until_ns: older records are complete */
	char *path;                    /* of the record that was returned last */
};

/* --- open --- */

static int open_event(struct syscalls *s, struct perf_event_attr *attr, int cpu, pid_t tid)
{
	int fd;

	attr->size = sizeof *attr;
	attr->exclude_kernel = attr->exclude_hv = attr->inherit = 1;
	/* Tracepoints refuse CLOCK_BOOTTIME; all events of a ring need the same clock. */
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->read_format = FORMAT_LOST;
	attr->inherit_thread = !s->children;
	fd = s->sys->open(s->sys, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	/* Linux before 6.0 does not report how many records were lost. */
	if (fd == -EINVAL) {
		attr->read_format = 0;
		fd = s->sys->open(s->sys, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd == -EINVAL && attr->inherit_thread) {
		attr->inherit_thread = 0;
		fd = s->sys->open(s->sys, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

/* Opens an event that writes to the ring of the CPU. call: as in struct writer. */
static int open_writer(struct syscalls *s, struct cpu *c, struct perf_event_attr *attr, pid_t tid,
		       size_t call)
{
	const int fd = open_event(s, attr, c->number, tid);
	int ret;

	if (fd < 0)
		return fd;
	c->writer = xgrow(c->writer, &c->cap_writers, c->n_writers + 1, sizeof *c->writer);
	c->writer[c->n_writers++] = (struct writer){fd, call};
	ret = s->sys->ioctl(s->sys, fd, PERF_EVENT_IOC_SET_OUTPUT,
			    (void *)(intptr_t)ring_fd(c->ring));
	return ret < 0 ? ret : 0;
}

/* Opens a tracepoint. Its records have callers only if it is that of the beginnings of calls. */
static int open_tracepoint(struct syscalls *s, struct cpu *c, pid_t tid, size_t call, bool is_exit)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = is_exit ? s->of[call].exit : s->of[call].enter,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
		.sample_max_stack = SYSCALL_FRAMES,
		.exclude_callchain_kernel = 1,
		.exclude_callchain_user = is_exit,
	};

	return open_writer(s, c, &attr, tid, call + 1);
}

static int open_tracepoints(struct syscalls *s, struct cpu *c, pid_t tid)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_of && !ret; i++) {
		if (s->call[i].is_counted)
			continue;
		ret = open_tracepoint(s, c, tid, i, false);
		if (!ret)
			ret = open_tracepoint(s, c, tid, i, true);
	}
	return ret;
}

/* Opens the counters of a task. */
static int open_counters(struct syscalls *s, pid_t tid)
{
	for (size_t i = 1; i < s->n_of; i++) {
		struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT,
					       .config = s->of[i].enter};
		const int fd = open_event(s, &attr, -1, tid);

		if (fd < 0)
			return fd;
		s->counter =
			xgrow(s->counter, &s->cap_counters, s->n_counters + 1, sizeof *s->counter);
		s->counter[s->n_counters++] = (struct counter){fd, i};
	}
	return 0;
}

/* The event that has the records of forks, exits, executed programs and mapped files. */
static const struct perf_event_attr lives = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_DUMMY,
	.sample_type = SAMPLE_TYPE,
	.sample_id_all = 1,
	.watermark = 1,
	.task = 1,
	.comm = 1,
	.comm_exec = 1,
	.mmap = 1,
	.mmap2 = 1,
	.mmap_data = 1,
};

static int open_cpu(struct syscalls *s, int cpu, pid_t tid)
{
	struct perf_event_attr attr = lives;
	const int fd = open_event(s, &attr, cpu, tid);
	struct cpu *c;
	int ret;

	if (fd < 0)
		return fd == -ENODEV ? 0 : fd;
	s->cpu = xgrow(s->cpu, &s->cap, s->n + 1, sizeof *s->cpu);
	c = &s->cpu[s->n];
	*c = (struct cpu){.number = cpu};
	ret = ring_open(&c->ring, s->sys, fd, s->pages, PAGES_LEAST);
	if (ret)
		return ret == -EPERM ? -ENOBUFS : ret;
	s->n++;
	return open_tracepoints(s, c, tid);
}

/* Returns the pages of a ring of each CPU, a power of two. */
static size_t find_pages(int n_cpus)
{
	size_t bytes = RING_MAX, pages;

	while (bytes * (size_t)n_cpus > ALL_MAX)
		bytes /= 2;
	pages = bytes / (size_t)sysconf(_SC_PAGESIZE);
	return pages > PAGES_LEAST ? pages : PAGES_LEAST;
}

int syscalls_open(struct syscalls **out, struct perf_sys *sys, int n_cpus, pid_t tid,
		  const struct syscalls_choice *choice)
{
	struct syscalls *s;
	int ret = 0;

	if (sizeof(long) != sizeof(uint64_t))
		return -ENOTSUP;
	s = xcalloc(1, sizeof *s);
	*s = (struct syscalls){.sys = sys,
			       .children = choice->children,
			       .pages = find_pages(n_cpus),
			       .of = xcalloc(choice->n, sizeof *s->of),
			       .call = xcalloc(choice->n, sizeof *s->call),
			       .n_of = choice->n,
			       .offset_ns = ring_clock_offset("monotonic")};
	memcpy(s->of, choice->of, choice->n * sizeof *s->of);
	for (size_t i = choice->n_recorded; i < choice->n; i++)
		s->call[i].is_counted = true;
	for (int cpu = 0; cpu < n_cpus && !ret; cpu++)
		ret = open_cpu(s, cpu, tid);
	if (!ret)
		ret = open_counters(s, tid);
	if (ret)
		syscalls_close(s);
	else
		*out = s;
	return ret;
}

int syscalls_add_task(struct syscalls *s, pid_t tid)
{
	int ret = 0;

	for (size_t i = 0; i < s->n && !ret; i++) {
		struct perf_event_attr attr = lives;

		ret = open_writer(s, &s->cpu[i], &attr, tid, 0);
		if (!ret)
			ret = open_tracepoints(s, &s->cpu[i], tid);
	}
	return ret ? ret : open_counters(s, tid);
}

size_t syscalls_n_fds(const struct syscalls *s)
{
	return s->n;
}

int syscalls_fd(const struct syscalls *s, size_t i)
{
	return ring_fd(s->cpu[i].ring);
}

/* --- the order of time --- */

static int compare(const void *a, const void *b)
{
	const struct syscall_record *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static void add_record(struct syscalls *s, struct syscall_record *record)
{
	record->sequence = s->sequence++;
	s->record = xgrow(s->record, &s->cap_records, s->n_records + 1, sizeof *s->record);
	s->record[s->n_records++] = *record;
}

static void add_loss(struct syscalls *s, const struct cpu *c, uint64_t until_ns)
{
	struct syscall_record lost = {
		.what = SYSCALLS_LOST, .time_ns = c->last_ns, .until_ns = until_ns};

	add_record(s, &lost);
}

/* Returns whether records of a CPU were dropped since the last call. */
static bool has_lost(struct cpu *c)
{
	const struct ring_losses losses = ring_losses(c->ring);
	const uint64_t n = losses.records + losses.damages, before = c->n_lost;

	c->n_lost = n;
	return n != before;
}

/* Reads the ring of a CPU. If the ring was full, records may be lost, which the kernel reports only
 * with the next record of the CPU: until then, a loss up to the present time is assumed. */
static void read_cpu(struct syscalls *s, struct cpu *c, uint64_t now_ns)
{
	struct syscall_record record;
	struct points points = {.of = s->of, .n = s->n_of};
	struct ring_record from;
	bool was_full = false;

	for (;;) {
		was_full |= ring_room(c->ring) < ROOM_LEAST;
		if (!ring_next(c->ring, &from))
			break;
		if (!is_known(from.type))
			continue;
		if (!decode(&record, &from, &points)) {
			s->n_damages++;
			continue;
		}
		record.time_ns += s->offset_ns;
		if (record.what == SYSCALLS_ENTER)
			s->call[points.found].n_records++;
		if (has_lost(c)) {
			add_loss(s, c, record.time_ns);
			was_full = ring_room(c->ring) < ROOM_LEAST;
		}
		c->last_ns = record.time_ns;
		add_record(s, &record);
	}
	if (has_lost(c) || was_full)
		add_loss(s, c, now_ns);
}

static void free_path(struct syscalls *s)
{
	free(s->path);
	s->path = NULL;
}

void syscalls_update(struct syscalls *s, uint64_t now_ns, bool is_last)
{
	free_path(s);
	if (s->at)
		memmove(s->record, s->record + s->at, (s->n_records - s->at) * sizeof *s->record);
	s->n_records -= s->at;
	s->at = 0;
	for (size_t i = 0; i < s->n; i++)
		read_cpu(s, &s->cpu[i], now_ns);
	array_sort(s->record, s->n_records, sizeof *s->record, compare);
	s->until_ns = is_last ? UINT64_MAX : s->updated_ns;
	s->updated_ns = now_ns;
}

bool syscalls_next(struct syscalls *s, struct syscall_record *out)
{
	free_path(s);
	if (s->at == s->n_records || s->record[s->at].time_ns > s->until_ns)
		return false;
	*out = s->record[s->at++];
	if (out->what == SYSCALLS_MAP)
		s->path = out->map.path;
	return true;
}

/* --- losses and the end --- */

/* Returns how many records of a tracepoint were lost, if the kernel reports it. */
static uint64_t read_lost(const struct syscalls *s, int fd)
{
	uint64_t answer[2]; /* the count, and the number of lost records */

	return s->sys->read(s->sys, fd, answer, sizeof answer) == sizeof answer ? answer[1] : 0;
}

/* Closes the tracepoints of a call on a CPU. */
static void stop_call(const struct syscalls *s, struct cpu *c, size_t call)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_writers; i++)
		if (c->writer[i].call == call + 1)
			s->sys->close(s->sys, c->writer[i].fd);
		else
			c->writer[n++] = c->writer[i];
	c->n_writers = n;
}

void syscalls_stop_unused(struct syscalls *s)
{
	for (size_t call = 1; call < s->n_of; call++) {
		if (s->call[call].is_counted || s->call[call].n_records)
			continue;
		s->call[call].is_counted = true;
		for (size_t i = 0; i < s->n; i++)
			stop_call(s, &s->cpu[i], call);
	}
}

uint64_t syscalls_n_unrecorded(const struct syscalls *s)
{
	uint64_t all = 0;

	for (size_t call = 1; call < s->n_of; call++) {
		const uint64_t n_records = s->call[call].n_records;
		uint64_t n = 0, answer[2]; /* the count, and lost records, if known */

		for (size_t i = 0; i < s->n_counters && s->call[call].is_counted; i++)
			if (s->counter[i].call == call &&
			    s->sys->read(s->sys, s->counter[i].fd, answer, sizeof answer) >=
				    (ssize_t)sizeof *answer)
				n += answer[0];
		all += n > n_records ? n - n_records : 0;
	}
	return all;
}

struct ring_losses syscalls_losses(struct syscalls *s)
{
	struct ring_losses all = {.damages = s->n_damages};

	for (size_t i = 0; i < s->n; i++) {
		const struct cpu *c = &s->cpu[i];
		const uint64_t noted = ring_losses(c->ring).records;
		uint64_t n = read_lost(s, ring_fd(c->ring));

		for (size_t k = 0; k < c->n_writers; k++)
			n += read_lost(s, c->writer[k].fd);
		all.records += n > noted ? n : noted;
		all.damages += ring_losses(c->ring).damages;
	}
	return all;
}

void syscalls_close(struct syscalls *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->cpu[i].n_writers; k++)
			s->sys->close(s->sys, s->cpu[i].writer[k].fd);
		free(s->cpu[i].writer);
		ring_close(s->cpu[i].ring);
	}
	for (size_t i = 0; i < s->n_counters; i++)
		s->sys->close(s->sys, s->counter[i].fd);
	for (size_t i = s->at; i < s->n_records; i++)
		if (s->record[i].what == SYSCALLS_MAP)
			free(s->record[i].map.path);
	free_path(s);
	free(s->cpu);
	free(s->counter);
	free(s->of);
	free(s->call);
	free(s->record);
	free(s);
}
