/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <tiptop.h>
#include <unistd.h>

#include "inject/lib/abandoned.h"
#include "inject/lib/counters.h"
#include "inject/lib/regions.h"

/* ---- row ---- */

/* Prepares a row for its first call, whose numbers become the base: squares are summed up relative
 * to the base, so that large numbers lose no precision. */
static void tt_row_begin(struct table_row *row, const uint64_t total[], uint32_t n_events)
{
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(row, i);

		q->base = total[i];
		q->min = UINT64_MAX;
	}
}

void tt_row_add(const struct tt_call *call, uint32_t n_events)
{
	struct table_row *row = call->row;

	if (!row->calls)
		tt_row_begin(row, call->total, n_events);
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(row, i);

		if (!(call->known >> i & 1)) {
			const bool off = call->off >> i & 1;

			q->n_unknown++;
			q->n_off += off;
			q->missed += off && call->outermost ? call->total[0] : 0;
			continue;
		}
		row_add_number(q, call->total[i]);
		if (call->has_inner)
			q->inner += call->inner[i];
		if (!call->outermost)
			q->nested += call->total[i];
		if (!(call->scaled >> i & 1))
			continue;
		q->n_scaled++;
		if (call->outermost) {
			q->estimated += call->estimated[i];
			q->missed += call->missed[i];
		}
	}
	row->calls++;
	row->n_waited += call->waited;
	row->n_nested += !call->outermost;
	if (call->has_inner) {
		row->n_inner += call->n_inner;
		row->n_within += call->outermost ? call->n_within : 0;
	}
}

/* Marks number i of a call as scaled, since the counter was not on the PMU all the time. */
static void set_estimate(struct tt_call *call, uint32_t i, const struct tt_value *from,
			 const struct tt_value *to)
{
	const double enabled = (double)(to->enabled - from->enabled);
	const double off = enabled - (double)(to->running - from->running);

	call->scaled |= 1u << i;
	call->estimated[i] = call->total[i] - (to->count - from->count);
	call->missed[i] = (uint64_t)((double)call->total[0] * off / enabled);
}

/* Returns whether an event was enabled but never running between two readings. */
static bool was_off(const struct tt_value *from, const struct tt_value *to)
{
	return from->opening == to->opening && from->state < TT_DENIED && to->state < TT_DENIED &&
	       to->enabled > from->enabled && to->running == from->running;
}

void tt_call_set_number(struct tt_call *call, uint32_t i, const struct tt_value *from,
			const struct tt_value *to)
{
	const double n = tt_between(from, to);

	call->total[i] = 0;
	if (!(n >= 0)) {
		call->off |= was_off(from, to) ? 1u << i : 0;
		return;
	}
	call->known |= 1u << i;
	call->total[i] = (uint64_t)(n + 0.5);
	if (call->total[i] > to->count - from->count)
		set_estimate(call, i, from, to);
}

/* ---- overhead ---- */

/* Some clocks have steps longer than an empty region, so the cost is the mean of CALLS calls. The
 * least mean of ROUNDS rounds leaves out interrupts. */
#define ROUNDS 4
#define CALLS  50

/* The least mean of each quantity; UINT64_MAX: unknown. */
struct least {
	uint64_t of[1 + TABLE_EVENTS];
};

/* Adds up the cost of CALLS pairs of readings: with an empty region between the readings, or with
 * nothing (region NULL). NaN: unknown. */
static void add_calls(struct tt_thread *t, struct tt_region *region, double sum[])
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	for (int k = 0; k < CALLS; k++) {
		const uint64_t ticks = thread_read_ticks(t->steady);

		thread_complete(t, t->read(t->counters, before), before);
		if (region) {
			tt_region_begin(region);
			tt_region_end(region);
		}
		thread_complete(t, t->read(t->counters, after), after);
		sum[0] += (double)(thread_read_ticks(t->steady) - ticks);
		for (uint32_t i = 0; i < t->n_events; i++)
			sum[i + 1] += tt_between(&before[i], &after[i]);
	}
}

static void measure(struct tt_thread *t, struct tt_region *region, struct least *least)
{
	memset(least, 0xff, sizeof *least);
	for (int round = 0; round < ROUNDS; round++) {
		double sum[1 + TABLE_EVENTS] = {0};

		add_calls(t, region, sum);
		for (uint32_t i = 0; i <= t->n_events; i++)
			if (sum[i] >= 0 && sum[i] / CALLS < (double)least->of[i])
				least->of[i] = (uint64_t)(sum[i] / CALLS);
	}
}

/* Measures an empty region, whose row is not in the table. */
static void measure_region(struct tt_thread *t, struct least *least)
{
	struct tt_region region = {"", 1, 0};
	uint64_t row[512] = {0};
	struct tt_thread *const here = tt_local.thread;

	tt_local.thread = t;
	t->row[1] = (void *)row;
	measure(t, &region, least);
	t->row[1] = NULL;
	tt_local.thread = here;
}

static uint64_t difference(uint64_t with, uint64_t without)
{
	return with != UINT64_MAX && with > without ? with - without : 0;
}

void tt_overhead_measure(struct tt_thread *t)
{
	struct table_header *h = tt_regions.header;
	struct least empty, region;

	measure(t, NULL, &empty);
	measure_region(t, &region);
	h->overhead_ticks = empty.of[0];
	h->inner_overhead_ticks = difference(region.of[0], empty.of[0]);
	for (uint32_t i = 0; i < t->n_events; i++) {
		h->event[i].overhead = empty.of[i + 1] == UINT64_MAX ? 0 : empty.of[i + 1];
		h->event[i].inner_overhead = difference(region.of[i + 1], empty.of[i + 1]);
	}
}

/* ---- thread ---- */

static pthread_key_t key; /* its destructor runs when a thread exits */

/* The usual depth of nested regions. */
#define USUAL_DEPTH 8

/* The state of threads for which there is no memory or slot: they measure nothing. The fork mark of
 * this state differs from the fork mark of every process, so every call takes the slow path. */
static uint32_t no_mark;
static struct tt_thread
	no_slot; /* large, so it has no initializer: that would take space in the library's file */

static bool read_nothing(struct tt *t, struct tt_value value[])
{
	(void)t, (void)value;
	return true;
}

/* --- a thread --- */

static void unmap(struct tt_thread *t)
{
	munmap(t, sizeof *t);
}

static void leave(void *thread)
{
	struct tt_thread *t = thread;
	struct tt_guard g;

	if (t != tt_local.thread || t->fork_mark != *t->fork_page)
		return;
	tt_guard_enter(&g);
	tt_local.thread = &no_slot;
	tt_abandon_all(t);
	if (t->counters)
		tt_counters_close(t->counters);
	tt_regions_free_slot(t);
	unmap(t);
	tt_guard_leave(&g);
}

/* Frees the descriptors and the memory that the thread has inherited from the parent. */
static void forget_own(void)
{
	struct tt_thread *t = tt_local.thread;

	tt_local.thread = NULL;
	tt_local.n_reports = 0;
	if (!t || t == &no_slot)
		return;
	pthread_setspecific(key, NULL);
	if (t->counters)
		tt_counters_drop(t->counters);
	unmap(t);
}

void tt_thread_forget(void)
{
	if (tt_regions.header)
		tt_regions_forget_slots();
	forget_own();
	tt_regions_forget();
}

void tt_thread_prepare(void)
{
	no_slot.fork_page = &no_mark;
	no_slot.fork_mark = UINT32_MAX;
	pthread_key_create(&key, leave);
}

static void open_counters(struct tt_thread *t)
{
	t->read = read_nothing;
	if (!tt_regions.found)
		return;
	t->counters = &t->own_counters;
	tt_counters_copy(t->counters, tt_regions.found);
	if (tt_regions.in_order)
		tt_in_order(t->counters, 1);
	t->read = t->counters->read;
	t->n_events = (uint32_t)tt_count(t->counters);
}

/* Makes the state of the calling thread, under the guard. NULL: no memory or slot. */
static struct tt_thread *make(void)
{
	struct tt_thread *t =
		mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	/* Without this, nested regions would count the page faults of the library's first accesses.
	 */
	madvise(t, offsetof(struct tt_thread, frame[USUAL_DEPTH]), MADV_POPULATE_WRITE);
	open_counters(t);
	if (!tt_regions_begin(t->counters) || !tt_regions_take_slot(t)) {
		if (t->counters)
			tt_counters_close(t->counters);
		unmap(t);
		return NULL;
	}
	t->quick = t->steady = tt_clock_speed() != 0;
	t->fork_mark = tt_fork_mark();
	t->fork_page = tt_fork_page;
	t->frame[0].id = THREAD_NO_REGION;
	t->top = &t->frame[1];
	t->limit = t->top + THREAD_DEPTH;
	t->limit->id = THREAD_NO_REGION;
	tt_stack_find(t);
	if (!tt_regions.header->overhead_ticks)
		tt_overhead_measure(t);
	return t;
}

struct tt_thread *tt_thread_enter(void)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_guard g;

	if (t == &no_slot)
		return t;
	if (t)
		tt_thread_forget();
	tt_guard_enter(&g);
	tt_local.thread = &no_slot;
	t = make();
	if (t) {
		pthread_setspecific(key, t);
		tt_local.thread = t;
	}
	tt_guard_leave(&g);
	return tt_local.thread;
}

/* Returns whether a call is in progress that began before measuring was last started. */
static bool spans_restart(const struct tt_thread *t)
{
	return t->top > &t->frame[1] && t->frame[1].ticks < tt_regions.start_ticks;
}

/* Resets the rows whose regions were reset. A row with calls in progress is reset after their end;
 * while a row is being written, nothing is changed. */
static __attribute__((cold)) void apply_resets(struct tt_thread *t)
{
	struct tt_guard g;

	if (t->writing)
		return;
	tt_guard_enter(&g);
	if (t->behind)
		tt_regions_renew_rows(t);
	__atomic_store_n(&t->behind, false, __ATOMIC_RELAXED);
	__atomic_store_n(&t->quick, t->steady && !spans_restart(t), __ATOMIC_RELAXED);
	tt_guard_leave(&g);
}

struct table_row *tt_thread_find_row(struct tt_thread *t, struct tt_region *region)
{
	uint32_t id = thread_region_id(region);
	struct table_row *row;
	struct tt_guard g;

	/* Pairs with the release in call_threads(): `behind` is set before `quick` is cleared. */
	atomic_thread_fence(memory_order_acquire);
	if (__atomic_load_n(&t->behind, __ATOMIC_RELAXED) ||
	    (!thread_is_quick(t) && t->steady && !spans_restart(t)))
		apply_resets(t);
	row = t->row[id];
	if (row && row != tt_regions_no_row)
		return row;
	if (id == REGIONS_NO_ROOM)
		return NULL;
	tt_guard_enter(&g);
	if (!id) {
		id = tt_regions_find(region->label);
		__atomic_store_n(&region->id, id, __ATOMIC_RELAXED);
	}
	row = id == REGIONS_NO_ROOM ? NULL : tt_regions_take_row(t, id);
	tt_guard_leave(&g);
	return row;
}

bool tt_thread_is_writing(void)
{
	return tt_local.thread && tt_local.thread->writing;
}

bool tt_thread_defer_report(void)
{
	struct tt_thread *t = tt_local.thread;

	if (!tt_thread_is_writing())
		return false;
	t->report_waits = true;
	if (!t->n_waiting) {
		t->waiting[0].row = NULL;
		t->n_waiting = 1;
	}
	return true;
}
