/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * page - reads counters through the pages that the kernel maps for them: linux/perf_event.h, struct
 * perf_event_mmap_page.
 *
 * A page belongs to an event that the calling thread opened on itself. The kernel changes the page,
 * and its `lock`, on the CPU that the thread runs on, whenever the counter is scheduled in or out.
 * One retry loop over the locks of all pages reads all counters, so all counts are of one moment
 * even if the thread lost its CPU in between. If a page still changes after PAGE_TRIES tries, all
 * counters need read(2).
 *
 *   cap_user_rdpmc 0            user space may not read the counter; the page of a software event
 *                               has no count at all
 *   cap_user_rdpmc 1, index 0   the counter is not on the PMU now: `offset` is the exact count
 *   cap_user_rdpmc 1, index n   the count is `offset` plus PMU counter n - 1, sign-extended from
 *                               pmc_width bits, since the kernel starts a counter below 0
 *
 * The functions are inline and take the functions that read the hardware as arguments: tests can
 * simulate the hardware, and the library makes no function calls.
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

/* Two tries are enough unless something is wrong. */
#define PAGE_TRIES 64

/* cap_user_rdpmc, as a bit of capabilities. It is the third bit-field: bit 2 in little-endian
 * order, bit 61 in big-endian order. */
#define PAGE_MAY_READ (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1ull << 61 : 1ull << 2)

#define PAGE_INLINE static inline __attribute__((always_inline))

typedef const volatile struct perf_event_mmap_page page_t;

struct page_hardware {
	uint64_t (*read_pmc)(uint32_t index);
	uint64_t (*read_time)(void);
	/* Whether index 0 always means that the counter is not on the PMU, so that `offset` is its
	 * count. On arm64, index 0 may also mean that user space must not read counters any more;
	 * then read(2) is needed. */
	bool offset_is_count;
	/* Counters from this number on cannot be read. */
	uint32_t n_counters;
};

enum page_result {
	PAGE_READ, /* the value is complete */
	PAGE_CALL, /* the page does not have the value: read(2) is needed */
};

/* Counters that exist on only one kind of cores must not be read: the thread may have moved to
 * another kind since the index was read, and the instruction would fault. */
struct page_limits {
	uint32_t n_general, n_fixed; /* counters that all kinds of cores have */
};

/* On x86, bit 30 of a counter's number marks a fixed counter. */
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

/* Returns the ns since the kernel wrote the times of the page. */
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

/* Adds the time since the kernel's last update to the times of a multiplexed counter, which are
 * already in *value. Not inlined, since the usual case would have to save registers for it. */
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

/* Reads one page. The caller compares the page's lock before and after. */
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
 * Reads n pages as of one moment. Returns a bit for each page that needs read(2); all bits if a
 * page still changes after PAGE_TRIES tries.
 *
 * Locks only grow, so their sum is unchanged only if every lock is unchanged. Each lock is read
 * before its page, and all locks again after the last page, so any change in between changes the
 * sum.
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

/* The last members of struct tt_value, equal in all values with the state TT_OK. */
struct page_mark {
	uint32_t opening, state; /* TT_OK */
};

_Static_assert(offsetof(struct tt_value, opening) + sizeof(struct page_mark) ==
		       sizeof(struct tt_value),
	       "struct page_mark is the end of struct tt_value");

/*
 * Reads n pages in the usual case, in as few instructions as possible: all counters are on the PMU,
 * none is multiplexed, and no lock changes. Sets only count and enabled of the values;
 * page_complete() sets the other members. Returns false if the case is not the usual one:
 * page_read_all() must be called.
 *
 * The index is read only once, as it is checked and then used. Other fields may be read twice:
 * their values are not used if a lock has changed.
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
		/* For index 0, index - 1 is the largest number. */
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

/* Sets the members of values that page_read_counts() has left unset. */
PAGE_INLINE void page_complete(int n, struct page_mark mark, struct tt_value value[])
{
	for (int i = 0; i < n; i++) {
		value[i].running = value[i].enabled;
		/* Sets `opening` and `state` by one store. */
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
