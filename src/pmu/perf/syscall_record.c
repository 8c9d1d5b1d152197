/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/syscall_record.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/mem.h"

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
};

/* Sets whether the sample is of the beginning or of the end of a call. Its data begin with the id
 * of the tracepoint. Returns false if it is of no tracepoint that was opened. */
static bool find_what(const struct points *points, const char *raw, struct syscall_record *out)
{
	uint16_t id;

	memcpy(&id, raw, sizeof id);
	for (size_t i = 0; i < points->n; i++) {
		if (id != points->of[i].enter && id != points->of[i].exit)
			continue;
		out->what = id == points->of[i].enter ? SYSCALLS_ENTER : SYSCALLS_EXIT;
		return true;
	}
	return false;
}

static bool decode_sample(const struct points *points, struct body b, struct syscall_record *out)
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
	uint32_t unused[2];

	if (!take_trailer(&b, out))
		return false;
	out->what = SYSCALLS_MAP;
	out->process = (pid_t)take_u32(&b);
	out->task = (pid_t)take_u32(&b);
	out->map.begin = take_u64(&b);
	out->map.size = take_u64(&b);
	out->map.offset = take_u64(&b);
	take(&b, unused, sizeof unused); /* the device */
	out->map.inode = take_u64(&b);
	take_u64(&b);                    /* the generation of the inode */
	take(&b, unused, sizeof unused); /* protection and flags */
	if (!b.is_short)
		out->map.path = xstrndup(b.at, strnlen(b.at, b.left));
	return !b.is_short;
}

bool syscall_record_decode(struct syscall_record *out, const struct ring_record *from,
			   const struct syscall_tracepoints *of, size_t n)
{
	const struct body b = {.at = from->body, .left = from->size};

	*out = (struct syscall_record){.what = SYSCALLS_LOST};
	switch (from->type) {
	case PERF_RECORD_SAMPLE:
		return decode_sample(&(struct points){of, n}, b, out);
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

bool syscall_record_is_known(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
	       type == PERF_RECORD_COMM || type == PERF_RECORD_MMAP2;
}
