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
#ifndef INJECT_LIB_PAGE_H
#define INJECT_LIB_PAGE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inject/lib/arch.h"
#include <tiptop.h>

/* Nothing that is well takes more than two. */
#define PAGE_TRIES 64

/* cap_user_rdpmc, as a bit of capabilities. */
#define PAGE_MAY_READ 4u

#define PAGE_INLINE static inline __attribute__((always_inline))

typedef const volatile struct perf_event_mmap_page page_t;

struct page_hardware {
	uint64_t (*read_pmc)(uint32_t index);
	uint64_t (*read_time)(void);
	/* Whether index 0 says that the counter is not on the PMU. On arm64 it may also say that
	 * user space must not read counters any more: the kernel has to be asked then. */
	bool offset_is_count;
	/* Counters from this number on cannot be read. */
	uint32_t n_counters;
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

PAGE_INLINE bool page_may_read(const struct page_limits *limits,
			       const struct page_hardware *hardware, uint32_t counter)
{
	if (counter >= hardware->n_counters)
		return false;
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

/* A counter that the kernel multiplexes: its times go on until now. They are of the value already.
 * Apart, since the usual case would have to save registers for it. */
static __attribute__((noinline, cold, unused)) enum page_result
page_scale(page_t *page, const struct page_hardware *hardware, bool on_pmu, struct tt_value *value)
{
	uint64_t since;

	if (!page->cap_user_time)
		return PAGE_CALL;
	since = page_time_since(page, hardware);
	value->enabled += since;
	value->running += on_pmu ? since : 0;
	value->state = TT_SCALED;
	return PAGE_READ;
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
		if (!page_may_read(limits, hardware, index - 1))
			return PAGE_CALL;
		count += arch_sign_extend(hardware->read_pmc(index - 1), page->pmc_width);
	} else if (!hardware->offset_is_count) {
		return PAGE_CALL;
	}
	value->count = count;
	value->enabled = enabled;
	value->running = running;
	value->state = TT_OK;
	return enabled == running ? PAGE_READ : page_scale(page, hardware, index, value);
}

/*
 * Reads n pages at one moment. Returns the bits of those that read(2) has to tell; all of them
 * where they never settle.
 *
 * Locks only grow, so their sum is the same only where all of them are. A page's lock is looked at
 * before the page, and all are looked at behind the last one: what changed in between has changed
 * one of them.
 */
PAGE_INLINE uint32_t page_read_all(page_t *const page[], int n, const struct page_limits *limits,
				   const struct page_hardware *hardware, uint32_t opening,
				   struct tt_value value[])
{
	for (int try = 0; try < PAGE_TRIES; try++) {
		uint32_t before = 0, after = 0, call = 0;

		for (int i = 0; i < n; i++) {
			before += page[i]->lock;
			ARCH_BARRIER();
			if (page_read_once(page[i], limits, hardware, &value[i]) == PAGE_CALL)
				call |= 1u << i;
			value[i].opening = opening;
		}
		ARCH_BARRIER();
		for (int i = 0; i < n; i++)
			after += page[i]->lock;
		if (__builtin_expect(before == after, 1))
			return call;
	}
	return (1u << n) - 1;
}

/* What all values of such a reading have in common: how struct tt_value ends. */
struct page_mark {
	uint32_t opening, state; /* TT_OK */
};

_Static_assert(offsetof(struct tt_value, opening) + sizeof(struct page_mark) ==
		       sizeof(struct tt_value),
	       "a mark is the end of a value");

/*
 * The usual case alone, in as few instructions as can be: n pages, all on the PMU, nothing
 * multiplexed, and no lock that changes. Of the values only count and enabled are set:
 * page_complete() does the rest. False: it is another case, and page_read_all() has to read them.
 *
 * The index is read once, as it is used behind the look at it; what else may be read twice does no
 * harm, as it is not used where a lock has changed.
 */
PAGE_INLINE bool page_read_counts(page_t *const page[], int n, const struct page_hardware *hardware,
				  struct tt_value value[])
{
	uint32_t before = 0, after = 0;

#pragma GCC unroll 8
	for (int i = 0; i < n; i++) {
		page_t *const now = page[i];
		const struct perf_event_mmap_page *p = (const void *)(uintptr_t)now;
		uint64_t count;
		uint32_t index;

		before += now->lock;
		ARCH_BARRIER();
		index = now->index;
		/* Of index 0, what is below it is the largest number. */
		if (__builtin_expect(index - 1 >= hardware->n_counters, 0) ||
		    __builtin_expect(p->time_enabled != p->time_running, 0) ||
		    __builtin_expect(!(p->capabilities & PAGE_MAY_READ), 0))
			return false;
		count = hardware->read_pmc(index - 1);
		value[i].count = (uint64_t)p->offset + arch_sign_extend(count, p->pmc_width);
		value[i].enabled = p->time_enabled;
	}
	ARCH_BARRIER();
#pragma GCC unroll 8
	for (int i = 0; i < n; i++)
		after += page[i]->lock;
	return __builtin_expect(before == after, 1);
}

/* The rest of values of which page_read_counts() has set a part. */
PAGE_INLINE void page_complete(int n, struct page_mark mark, struct tt_value value[])
{
	for (int i = 0; i < n; i++) {
		value[i].running = value[i].enabled;
		/* In one piece. */
		memcpy(&value[i].opening, &mark, sizeof mark);
	}
}

PAGE_INLINE bool page_read_fast(page_t *const page[], int n, const struct page_hardware *hardware,
				struct page_mark mark, struct tt_value value[])
{
	if (!page_read_counts(page, n, hardware, value))
		return false;
	page_complete(n, mark, value);
	return true;
}

#endif
