/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records in a ring buffer, which this test writes like a kernel; and invalid records. */
#include "pmu/perf/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

struct fake {
	struct perf_sys sys;
	char *pages;
	size_t size; /* bytes of the ring's data area */
	int refused; /* error of map(); 0: success */
	size_t most; /* most bytes that may be mapped; 0: any */
	int n_mapped, n_closed;
	uint64_t lost;    /* number of lost records that read() returns */
	ssize_t reported; /* return value of read() */
};

static int fake_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct fake *f = (struct fake *)sys;

	(void)fd;
	if (f->refused || (f->most && size > f->most))
		return f->refused ? f->refused : -EPERM;
	f->n_mapped++;
	f->pages = calloc(1, size);
	f->size = size - (size_t)sysconf(_SC_PAGESIZE);
	*at = f->pages;
	return 0;
}

static void fake_unmap(struct perf_sys *sys, void *at, size_t size)
{
	struct fake *f = (struct fake *)sys;

	f->n_mapped -= at == f->pages && size == f->size + (size_t)sysconf(_SC_PAGESIZE);
	free(at);
}

static int fake_close(struct perf_sys *sys, int fd)
{
	((struct fake *)sys)->n_closed += fd == 3;
	return 0;
}

static ssize_t fake_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	const struct fake *f = (const struct fake *)sys;
	const uint64_t reported[2] = {0, f->lost};

	if (fd != 3 || f->reported > (ssize_t)size)
		return -EINVAL;
	memcpy(buf, reported, (size_t)f->reported);
	return f->reported;
}

static struct fake fake(void)
{
	return (struct fake){.sys = {.map = fake_map,
				     .unmap = fake_unmap,
				     .close = fake_close,
				     .read = fake_read}};
}

static struct ring *begin(struct fake *f)
{
	struct ring *r = NULL;

	*f = fake();
	tap_int(ring_open(&r, &f->sys, 3, 1, 1), 0, "a ring of one page");
	return r;
}

static void end(struct fake *f, struct ring *r)
{
	ring_close(r);
	tap_int(f->n_mapped, 0, "nothing stays mapped");
	tap_int(f->n_closed, 1, "and its descriptor is closed");
}

static struct perf_event_mmap_page *head_of(struct fake *f)
{
	return (struct perf_event_mmap_page *)f->pages;
}

static void put(struct fake *f, const void *data, size_t n)
{
	struct perf_event_mmap_page *page = head_of(f);

	for (size_t i = 0; i < n; i++)
		f->pages[(size_t)sysconf(_SC_PAGESIZE) + (page->data_head + i) % f->size] =
			((const char *)data)[i];
	page->data_head += n;
}

/* Writes a record whose body is n times this number. */
static void write_record(struct fake *f, uint32_t type, uint16_t size, size_t n, uint64_t number)
{
	const struct perf_event_header h = {.type = type, .misc = 5, .size = size};

	put(f, &h, sizeof h);
	for (size_t i = 0; i < n; i++)
		put(f, &number, sizeof number);
}

static bool is_whole(const struct ring_record *record, size_t n, uint64_t number)
{
	uint64_t is;

	for (size_t i = 0; i < n; i++) {
		memcpy(&is, (const char *)record->body + i * sizeof is, sizeof is);
		if (is != number)
			return false;
	}
	return record->size == n * sizeof number && record->misc == 5;
}

static void test_records(void)
{
	struct ring_record record;
	struct fake f;
	struct ring *r = begin(&f);
	uint64_t n = 0;
	bool right = true;

	tap_ok(!ring_next(r, &record), "an empty ring");
	/* More records than the ring holds, so that they wrap around. */
	for (uint64_t i = 0; i < 1000; i++) {
		write_record(&f, PERF_RECORD_READ, 40, 4, i);
		write_record(&f, PERF_RECORD_EXIT, 24, 2, i);
		right &= ring_next(r, &record) && record.type == PERF_RECORD_READ &&
			 is_whole(&record, 4, i);
		right &= ring_next(r, &record) && record.type == PERF_RECORD_EXIT &&
			 is_whole(&record, 2, i);
		n += ring_next(r, &record);
	}
	tap_ok(right && !n, "each record once, whole, in their order");
	tap_int(head_of(&f)->data_tail, head_of(&f)->data_head, "the kernel knows what was taken");
	tap_int(ring_losses(r).records + ring_losses(r).damages, 0, "nothing was lost");
	end(&f, r);
}

static void test_lost(void)
{
	const struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = 24};
	struct ring_record record;
	struct fake f;
	struct ring *r = begin(&f);

	for (int i = 0; i < 2; i++) {
		put(&f, &h, sizeof h);
		put(&f, (uint64_t[2]){7, 21}, 16);
	}
	write_record(&f, PERF_RECORD_READ, 16, 1, 9);
	tap_ok(ring_next(r, &record) && is_whole(&record, 1, 9), "what comes behind is taken");
	tap_int(ring_losses(r).records, 42, "lost records are counted");
	f.lost = 50;
	f.reported = 8;
	ring_read_losses(r);
	tap_int(ring_losses(r).records, 42, "a kernel that does not tell them");
	f.reported = 16;
	ring_read_losses(r);
	tap_int(ring_losses(r).records, 50, "those behind which nothing was written, too");
	f.lost = 45;
	ring_read_losses(r);
	tap_int(ring_losses(r).records, 50, "they do not become less");
	end(&f, r);
}

/* An invalid record discards all present records. Records written later are read. */
static void test_damage(uint32_t type, uint16_t size, uint64_t ahead, const char *what)
{
	struct ring_record record;
	struct fake f;
	struct ring *r = begin(&f);

	write_record(&f, type, size, 1, 1);
	write_record(&f, PERF_RECORD_READ, 16, 1, 2);
	head_of(&f)->data_head += ahead;
	tap_ok(!ring_next(r, &record), "%s: no record", what);
	tap_int(ring_losses(r).damages, 1, "%s: it is counted", what);
	write_record(&f, PERF_RECORD_READ, 16, 1, 3);
	tap_ok(ring_next(r, &record) && is_whole(&record, 1, 3), "%s: the ring goes on", what);
	end(&f, r);
}

static void test_refused(void)
{
	struct fake f = fake();
	struct ring *r = NULL;

	f.refused = -EPERM;
	tap_int(ring_open(&r, &f.sys, 3, 4, 1), -EPERM, "memory is short: the error");
	tap_ok(!r, "and no ring");
	tap_int(f.n_closed, 1, "the descriptor is closed already");
	ring_close(NULL);
}

/* If the memory that may be locked is short, a smaller ring is mapped. */
static void test_short(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fake f = fake();
	struct ring *r = NULL;

	f.most = 5 * page;
	tap_int(ring_open(&r, &f.sys, 3, 16, 2), 0, "a ring that had to be smaller");
	tap_int(f.size, 4 * page, "as large as there was memory");
	tap_int(ring_fd(r), 3, "of the descriptor");
	end(&f, r);
	f = fake();
	f.most = 5 * page;
	tap_int(ring_open(&r, &f.sys, 3, 16, 8), -EPERM, "but not smaller than wanted");
}

static void test_watch(void)
{
	const uint64_t ms = 1000000;
	struct ring_watch w = {.since_ns = 0};

	tap_ok(!ring_watch_update(&w, 200 * ms, 10, 10), "all has come");
	tap_ok(!ring_watch_update(&w, 400 * ms, 20, 12), "some of it is still to come");
	tap_ok(!ring_watch_update(&w, 450 * ms, 20, 12), "it may take a moment");
	tap_ok(!ring_watch_update(&w, 600 * ms, 30, 13), "it goes on");
	tap_ok(ring_watch_update(&w, 800 * ms, 30, 13), "nothing comes any more");
	tap_ok(!ring_watch_update(&w, 1000 * ms, 30, 13), "what is lost is not waited for again");
	tap_ok(!ring_watch_update(&w, 1200 * ms, 35, 18), "it goes on again");
	tap_ok(!ring_watch_update(&w, 1400 * ms, 40, 18), "something is to come");
	tap_ok(ring_watch_update(&w, 1600 * ms, 40, 18), "and does not");
}

int main(void)
{
	test_records();
	test_lost();
	test_damage(PERF_RECORD_READ, 0, 0, "a length of 0");
	test_damage(PERF_RECORD_READ, 4, 0, "a length without a header");
	test_damage(PERF_RECORD_READ, 15, 0, "an odd length");
	test_damage(PERF_RECORD_READ, 40, 0, "a length beyond the head");
	test_damage(0, 16, 0, "no type");
	test_damage(1000, 16, 0, "an unknown type");
	test_damage(PERF_RECORD_READ, 0, 1 << 20, "a head too far ahead");
	test_damage(PERF_RECORD_READ, 0, 4, "a head between two records");
	test_refused();
	test_short();
	test_watch();
	return tap_done();
}
