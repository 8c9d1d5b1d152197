/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * page - reads counters through the pages that the kernel maps for them: linux/perf_event.h, struct
 * perf_event_mmap_page.
 *
 * A page is of an event that the calling thread opened on itself. The kernel changes it, on the CPU
 * that the thread runs on, whenever the counter is scheduled in or out; `lock` changes then. So all
 * counters are read under one retry loop over the locks of all pages: they are of one moment, even
 * if the thread lost its CPU in between. A page that never settles is given up after PAGE_TRIES.
 *
 *   cap_user_rdpmc 0            user space may not read it; the page of a software event has no
 *                               count at all
 *   cap_user_rdpmc 1, index 0   not on the PMU now: `offset` is the exact count
 *   cap_user_rdpmc 1, index n   offset + the counter n - 1, sign-extended by pmc_width, since the
 *                               kernel starts a counter below 0
 *
 * The functions are inline, with what reads the hardware as arguments, so that tests can play the
 * hardware and the library pays for no call.
 */
#ifndef LIB_PAGE_H
#define LIB_PAGE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arch.h"
#include <tiptop.h>

/* Nothing that is well takes more than two. */
#define PAGE_TRIES 64

#define PAGE_INLINE static inline __attribute__((always_inline))

typedef const volatile struct perf_event_mmap_page page_t;

struct page_hardware {
	uint64_t (*read_pmc)(uint32_t index);
	uint64_t (*read_time)(void);
};

enum page_result {
	PAGE_READ, /* the value is complete */
	PAGE_CALL, /* this page cannot tell it: read(2) can */
};

/* Counters that exist on only one kind of cores must not be read: the thread may have moved to
 * another kind since the index was read, and the instruction would fault. */
struct page_limits {
	uint32_t n_general, n_fixed; /* those that all kinds of cores have */
};

/* On x86 bit 30 of the counter's number says that it is a fixed one. */
#define PAGE_FIXED (1u << 30)

PAGE_INLINE bool page_may_read(const struct page_limits *limits, uint32_t counter)
{
	if (!limits)
		return true;
	return counter & PAGE_FIXED ? (counter & ~PAGE_FIXED) < limits->n_fixed
				    : counter < limits->n_general;
}

/* How far the times of the page have gone on since the kernel wrote them, in ns. */
PAGE_INLINE uint64_t page_time_since(page_t *page, const struct page_hardware *hardware)
{
	uint64_t time = hardware->read_time();
	uint64_t quotient, rest, base = page->time_cycles, mask = page->time_mask;

	if (page->cap_user_time_short)
		time = base + ((time - base) & mask);
	quotient = time >> page->time_shift;
	rest = time & ((1ull << page->time_shift) - 1);
	return page->time_offset + quotient * page->time_mult +
	       (rest * page->time_mult >> page->time_shift);
}

/* One page as it is now, to be read between two looks at its lock. */
PAGE_INLINE enum page_result page_read_once(page_t *page, const struct page_limits *limits,
					    const struct page_hardware *hardware,
					    struct tt_value *value)
{
	uint32_t index = page->index;
	uint64_t enabled = page->time_enabled, running = page->time_running;
	uint64_t count = (uint64_t)page->offset;

	if (!page->cap_user_rdpmc)
		return PAGE_CALL;
	if (index) {
		unsigned shift = 64 - page->pmc_width;

		if (!page_may_read(limits, index - 1))
			return PAGE_CALL;
		count += (uint64_t)((int64_t)(hardware->read_pmc(index - 1) << shift) >> shift);
	}
	value->state = TT_OK;
	if (enabled != running) {
		uint64_t since;

		if (!page->cap_user_time)
			return PAGE_CALL;
		since = page_time_since(page, hardware);
		enabled += since;
		running += index ? since : 0;
		value->state = TT_SCALED;
	}
	value->count = count;
	value->enabled = enabled;
	value->running = running;
	return PAGE_READ;
}

/* Reads n pages at one moment. Returns the bits of those that read(2) has to tell; all of them
 * where they never settle. */
PAGE_INLINE uint32_t page_read_all(page_t *const page[], int n, const struct page_limits *limits,
				   const struct page_hardware *hardware, struct tt_value value[])
{
	for (int try = 0; try < PAGE_TRIES; try++) {
		uint32_t lock[2 * TT_MAX_EVENTS], call = 0;
		bool moved = false;

		for (int i = 0; i < n; i++)
			lock[i] = page[i]->lock;
		ARCH_BARRIER();
		for (int i = 0; i < n; i++)
			if (page_read_once(page[i], limits, hardware, &value[i]) == PAGE_CALL)
				call |= 1u << i;
		ARCH_BARRIER();
		for (int i = 0; i < n; i++)
			moved |= page[i]->lock != lock[i];
		if (!moved)
			return call;
	}
	return (1u << n) - 1;
}

#endif
