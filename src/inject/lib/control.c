/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of regions: resets, stops and starts the measurement of regions while the program runs. */
#include "inject/lib/regions.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <tiptop.h>

#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/thread.h"

int tt_regions_check(void)
{
	if (tt_regions.begun)
		return 0;
	tt_error_set(EPERM, "regions are not measured: %s",
		     tt_regions.refusal ? tt_regions.refusal
					: "the program was started without TIPTOP_REGIONS");
	return -1;
}

/* Makes each thread take the slow path at its next region, where it sees the reset or the new
 * start. */
static void call_threads(bool reset)
{
	for (unsigned slot = 1; slot < tt_regions.n_slots; slot++) {
		struct tt_thread *t = tt_regions.thread[slot];

		if (!t)
			continue;
		if (reset)
			__atomic_store_n(&t->behind, true, __ATOMIC_RELAXED);
		__atomic_store_n(&t->quick, false, __ATOMIC_RELEASE);
	}
}

/* Begins a new epoch of regions first to last. Until a thread has noticed the new epoch, it writes
 * to rows of the old one. */
static void reset(uint32_t first, uint32_t last)
{
	struct tt_regions *r = &tt_regions;

	r->header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	for (uint32_t id = first; id <= last; id++) {
		r->region[id - 1].epoch++;
		if (r->ended_row[id])
			tt_regions_renew_row(r->ended_row[id], id);
	}
	call_threads(true);
	atomic_thread_fence(memory_order_release);
	r->header->container.sequence++;
}

int tt_reset(const char *label)
{
	const uint32_t id = label ? tt_regions_look_up(label) : 0;
	struct tt_guard g;

	if (tt_regions_check())
		return -1;
	tt_guard_enter(&g);
	if (tt_regions_is_own() && (id || !label))
		reset(id ? id : 1, id ? id : tt_regions_n());
	tt_guard_leave(&g);
	return 0;
}

int tt_stop(void)
{
	if (tt_regions_check())
		return -1;
	tt_enabled = 0;
	return 0;
}

int tt_start(void)
{
	struct tt_guard g;

	if (tt_regions_check())
		return -1;
	tt_guard_enter(&g);
	if (!tt_enabled) {
		tt_regions.start_ticks = thread_read_ticks(tt_clock_speed() != 0);
		call_threads(false);
	}
	tt_enabled = 1;
	tt_guard_leave(&g);
	return 0;
}
