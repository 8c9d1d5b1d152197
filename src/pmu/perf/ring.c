/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/perf/ring.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
