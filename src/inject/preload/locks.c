/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/locks.h"

#include <stdlib.h>

#include "inject/preload/chain.h"
#include "inject/preload/contention.h"
#include "inject/preload/events.h"
#include "inject/preload/instance.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp_calls.h"
#include "inject/preload/thread.h"

/* Slots whose memory is populated at the start. Slot 0 is among these slots, so the sums of exited
 * threads always have room. */
#define FIRST_SLOTS 32

struct locks locks;

/* The cost of measuring, as in the header; 0: unknown. */
static uint64_t overhead_ticks, counted_ticks, event_overhead[LOCKS_EVENTS];

void locks_note_cost(void)
{
	overhead_ticks = locks.header->overhead_ticks;
	counted_ticks = locks.header->counted_ticks;
	for (int i = 0; i < LOCKS_EVENTS; i++)
		event_overhead[i] = locks.header->event[i].overhead;
}

static void describe_cost(struct locks_header *h)
{
	h->overhead_ticks = overhead_ticks;
	h->counted_ticks = counted_ticks;
	for (int i = 0; i < LOCKS_EVENTS; i++)
		h->event[i].overhead = event_overhead[i];
}

/* Returns the sampling interval; 1 if the variable is not valid (tiptop has checked it). A child
 * keeps the value that its parent has read. */
static uint32_t sample_wanted(void)
{
	static uint32_t wanted;
	const char *text = wanted ? NULL : secure_getenv(LOCKS_SAMPLE_VARIABLE);
	const unsigned long n = text ? strtoul(text, NULL, 10) : 1;

	if (!wanted)
		wanted = n >= 1 && n <= LOCKS_SAMPLE_MAX ? (uint32_t)n : 1;
	return wanted;
}

/* Fills the header. n_waits begins at 1: record 0 is for waits that have no room. */
static void describe(struct locks_header *h)
{
	struct container_place place[LOCKS_SECTIONS - 1];

	h->n_events = (uint32_t)events_n();
	events_name(h->event);
	h->max_rows = locks_max_rows(LOCKS_SIZE_MAX, h->n_events);
	locks_places(place, h);
	tt_container_fill(&h->container, &locks_plan, place);
	h->ns_per_tick = process_ns_per_tick();
	h->n_waits = 1;
	h->sample = sample_wanted();
	describe_cost(h);
	h->begin = process_ticks();
	tt_container_publish(&h->container);
}

static bool make_counts_real(char *file)
{
	const uint32_t n = (uint32_t)events_n(), rows = locks_max_rows(LOCKS_SIZE_MAX, n);

	return !n || process_make_real(file + locks_counts_offset(n, rows, rows),
				       FIRST_SLOTS * locks_counts_size(n));
}

static bool make(void *file)
{
	char *const begin = file;

	if (!process_make_real(file, locks_instances_offset()) || !instance_begin())
		return false;
	locks.module = (void *)(begin + locks_modules_offset());
	locks.instance = (void *)(begin + locks_instances_offset());
	locks.slot = (void *)(begin + locks_slot_offset(0));
	locks.wait = (void *)(begin + locks_wait_offset(0));
	locks.past = (void *)(begin + locks_past_offset(0));
	locks.chain = (void *)(begin + locks_chain_offset(0));
	locks.row = (void *)(begin + locks_row_offset(0));
	events_begin(true);
	if (!process_make_real(locks.slot, FIRST_SLOTS * sizeof *locks.slot) ||
	    !process_make_real(locks.wait, sizeof *locks.wait) || !make_counts_real(file))
		return false;
	contention_begin();
	chain_begin();
	describe(file);
	locks.header = file;
	return true;
}

static void forget(void)
{
	instance_end();
	locks = (struct locks){.header = NULL};
	thread_forget();
}

void locks_end(void)
{
	struct guard g;

	if (!locks.header)
		return;
	if (process_enter(&g)) {
		thread_end_all();
		guard_leave(&g);
	}
	/* Measured again, as a longer measurement of the clock's speed is more precise. */
	locks.header->ns_per_tick = process_ns_per_tick();
	locks.header->end = process_ticks();
}

static void stop(const struct process_stop *why)
{
	thread_stop_all();
	locks.header->lacking_call = why->lacking;
	locks.header->ns_per_tick = why->ns_per_tick;
	locks.header->end = why->end;
}

const struct process_hooks process_hooks = {
	.variable = "TIPTOP_LOCKS",
	.size = LOCKS_SIZE_MAX,
	.make = make,
	.forget = forget,
	.stop = stop,
	.thread_id = thread_id,
	.needs = SECCOMP_FILES,
};
