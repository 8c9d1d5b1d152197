/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: begins and ends calls of regions, and writes their numbers into rows of the
 * table. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <tiptop.h>

#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "inject/lib/thread.h"

/* ---- work ----
 *
 * Records the work of regions, in units that the program names.
 */

static uint32_t find_unit(const char *unit)
{
	const uint32_t n = __atomic_load_n(&tt_regions.n_units, __ATOMIC_ACQUIRE);
	uint32_t u = 0;

	while (u < n && strcmp(tt_regions.unit[u], unit) != 0)
		u++;
	return u < n ? u : TABLE_UNITS;
}

/* Returns the index of a unit, and adds the unit if it is new. If there is no room, or the text is
 * empty or too long, returns TABLE_UNITS and counts the refusal in n_unitless. */
static uint32_t add_unit(const char *unit)
{
	const size_t len = strlen(unit);
	struct tt_guard g;
	uint32_t u;

	tt_guard_enter(&g);
	u = find_unit(unit);
	if (u == TABLE_UNITS && len && len < TABLE_UNIT_MAX && tt_regions.n_units < TABLE_UNITS) {
		u = tt_regions.n_units;
		memcpy(tt_regions.unit[u], unit, len + 1);
		memcpy(tt_regions.header->unit[u], unit, len + 1);
		__atomic_store_n(&tt_regions.header->n_units, u + 1, __ATOMIC_RELEASE);
		__atomic_store_n(&tt_regions.n_units, u + 1, __ATOMIC_RELEASE);
	}
	tt_regions.header->n_unitless += u == TABLE_UNITS;
	tt_guard_leave(&g);
	return u;
}

/* Returns the calling thread's row of a region; NULL: no room for the row. */
static struct table_row *find_row(struct tt_region *region)
{
	struct tt_thread *t = tt_local.thread;

	if (!t || t->fork_mark != *t->fork_page)
		t = tt_thread_enter();
	if (!t->slot)
		return NULL;
	return tt_thread_find_row(t, region);
}

/* The addition is atomic, as a signal handler may interrupt it and add to the same number. */
void tt_region_work(struct tt_region *region, const char *unit, uint64_t n)
{
	struct table_row *row = tt_enabled ? find_row(region) : NULL;
	uint32_t u;

	if (!row || !unit)
		return;
	u = find_unit(unit);
	if (u == TABLE_UNITS)
		u = add_unit(unit);
	if (u < TABLE_UNITS)
		__atomic_fetch_add(&row->work[u], n, __ATOMIC_RELAXED);
}

void tt_work(const char *label, const char *unit, uint64_t n)
{
	if (tt_enabled)
		tt_region_work(tt_region_of(label), unit, n);
}

/* ---- call ---- */

/* --- a row --- */

/* Makes the sequence odd while the row is changed: a concurrent reader of the table copies the row
 * again if the sequence was odd or has changed. */
static inline void begin_row(struct table_row *row)
{
	row->sequence++;
	atomic_thread_fence(memory_order_release);
}

static inline void end_row(struct table_row *row)
{
	atomic_thread_fence(memory_order_release);
	row->sequence++;
}

static void write_call(const struct tt_thread *t, const struct tt_call *call)
{
	begin_row(call->row);
	tt_row_add(call, t->n_events);
	end_row(call->row);
}

/* Writes the queued calls. Handlers may queue more calls meanwhile. */
static void write_queue(struct tt_thread *t)
{
	unsigned n = 0, written;

	do {
		for (; n < __atomic_load_n(&t->n_waiting, __ATOMIC_RELAXED); n++)
			if (t->waiting[n].row)
				write_call(t, &t->waiting[n]);
		written = n;
	} while (!__atomic_compare_exchange_n(&t->n_waiting, &written, 0, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
}

/* Writes the queued calls, which signal handlers ended while a row was being written, then the
 * report if a handler requested it. */
static __attribute__((noinline, cold)) void write_waiting(struct tt_thread *t)
{
	/* A handler may queue a call after write_queue() and before `writing` is false. */
	while (__atomic_load_n(&t->n_waiting, __ATOMIC_RELAXED)) {
		t->writing = true;
		ARCH_BARRIER();
		write_queue(t);
		ARCH_BARRIER();
		t->writing = false;
		ARCH_BARRIER();
	}
	if (!t->report_waits)
		return;
	t->report_waits = false;
	tt_report();
}

/* Adds the numbers of a call to its row. n is a compile-time constant for 2 and 4 events. */
static inline __attribute__((always_inline)) void add_numbers(struct table_quantity q[],
							      const struct tt_frame *f, uint32_t n)
{
#pragma GCC unroll 4
	for (uint32_t i = 0; i < n; i++)
		row_add_number(&q[i], f->to[i].count - f->from[i].count);
}

static inline void write_inner(struct table_row *row, const struct tt_frame *f, uint32_t n_events)
{
	row->n_inner += f->n_inner;
	row->n_within += f->n_within;
	for (uint32_t i = 0; i <= n_events; i++)
		table_quantity(row, i)->inner += f->inner[i];
}

/* Writes the usual call as fast as possible: it is not the first of its row, and all of its numbers
 * are exact. */
static inline __attribute__((always_inline)) void write_plain(struct tt_thread *t,
							      struct tt_frame *f, uint64_t ticks)
{
	struct table_row *row = f->row;
	struct table_quantity *q = table_quantity(row, 0);

	t->writing = true;
	ARCH_BARRIER();
	begin_row(row);
	row->calls++;
	row_add_number(q, ticks - f->ticks);
	switch (t->n_events) {
	case 4:
		add_numbers(q + 1, f, 4);
		break;
	case 2:
		add_numbers(q + 1, f, 2);
		break;
	default:
		add_numbers(q + 1, f, t->n_events);
	}
	if (__builtin_expect(f->has_inner, 0))
		write_inner(row, f, t->n_events);
	end_row(row);
	ARCH_BARRIER();
	t->writing = false;
}

/* Changes the reading at the begin so that the two readings differ by the numbers of the call, or
 * their estimates: the enclosing call adds their difference. */
static void adjust_readings(struct tt_frame *f, const uint64_t total[], uint32_t n_events)
{
	for (uint32_t i = 0; i < n_events; i++)
		f->from[i].count = f->to[i].count - total[i + 1];
}

/* Counts the events whose descriptors the program has closed, each once in a thread. */
static void note_closed(struct tt *counters)
{
	for (int i = 0; i < counters->n; i++)
		if (counters->lost >> i & 1)
			__atomic_fetch_add(&tt_regions.header->event[i].n_closed, 1,
					   __ATOMIC_RELAXED);
	counters->lost = 0;
}

/* Writes a call, or queues it in a signal handler that interrupted the writing of a row. */
static void put_call(struct tt_thread *t, const struct tt_call *call)
{
	if (t->writing) {
		t->slot->n_too_deep += !tt_thread_queue(t, call);
		return;
	}
	t->writing = true;
	ARCH_BARRIER();
	write_call(t, call);
	ARCH_BARRIER();
	t->writing = false;
}

/* Writes a call that write_plain() cannot: the first one of its row, a nested one, one whose
 * numbers were not all read in user space without scaling, or one of a signal handler that
 * interrupted the writing of a row. */
static __attribute__((noinline, cold)) void write_slow(struct tt_thread *t, struct tt_frame *f,
						       uint64_t ticks, bool plain, bool outermost)
{
	struct tt_call call; /* large: only the members in use are set */

	call.row = f->row;
	call.outermost = outermost;
	call.has_inner = f->has_inner;
	call.waited = false;
	call.known = 1;
	call.scaled = call.off = 0;
	if (t->counters && t->counters->lost)
		note_closed(t->counters);
	thread_complete(t, f->plain, f->from);
	thread_complete(t, plain, f->to);
	call.total[0] = ticks - f->ticks;
	for (uint32_t i = 0; i < t->n_events && t->counters; i++) {
		tt_call_set_number(&call, i + 1, &f->from[i], &f->to[i]);
		if (call.off >> (i + 1) & 1)
			tt_call_estimate(&call, i + 1);
	}
	if (f->has_inner) {
		memcpy(call.inner, f->inner, sizeof call.inner);
		call.n_inner = f->n_inner;
		call.n_within = f->n_within;
	}
	adjust_readings(f, call.total, t->n_events);
	put_call(t, &call);
}

/* --- begin and end --- */

/* Begins a call for which no frame is free. The top is set above the last frame, so that the end of
 * the call takes the slow path. */
static __attribute__((noinline, cold)) void begin_frameless(struct tt_thread *t)
{
	t->n_frameless++;
	t->slot->n_too_deep++;
	t->top = t->limit + 1;
}

/* Begins a call in frame f. steady: t->steady, a compile-time constant in the fast path. */
static inline __attribute__((always_inline)) void
begin_frame(struct tt_thread *t, struct tt_frame *f, uint32_t id, struct table_row *row,
	    const struct tt_place *place, bool steady)
{
	/* As soon as `top` is raised, a signal handler may search the frame, so `stack` is valid
	 * before. It is set again, as a handler that came earlier may have used the frame. */
	f->stack = place->stack;
	ARCH_BARRIER();
	t->top = f + 1;
	ARCH_BARRIER();
	f->stack = place->stack;
	f->code = place->code;
	f->id = id;
	f->has_inner = false;
	f->row = row;
	row->depth++;
	f->ticks = thread_read_ticks(steady);
	f->plain = t->read(t->counters, f->from);
}

/* Begins the first call of a thread or of a region, the first call after a reset or restart, a call
 * inside another call of the same region, a call for which no frame is free, and every call if the
 * clock is not the time stamp counter. */
static __attribute__((noinline)) void begin_slow(struct tt_region *region, uintptr_t stack,
						 uintptr_t code)
{
	const struct tt_place place = {stack, code};
	struct tt_thread *t = tt_local.thread;
	struct table_row *row;

	if (!tt_enabled)
		return;
	if (!t || t->fork_mark != *t->fork_page) {
		t = tt_thread_enter();
		if (!t->slot)
			return;
	}
	row = tt_thread_find_row(t, region);
	if (!row) {
		t->slot->n_rowless++;
		return;
	}
	if (row->depth)
		tt_abandon_stopped(t, region);
	if (row->depth && !tt_is_recursion(t, thread_region_id(region), stack))
		tt_abandon_earlier(t, region, &place);
	if (t->top >= t->limit)
		tt_abandon_deeper(t, &place);
	if (t->top >= t->limit)
		begin_frameless(t);
	else
		begin_frame(t, t->top, thread_region_id(region), row, &place, t->steady);
}

static inline __attribute__((always_inline)) void begin(struct tt_region *region,
							const struct tt_place place)
{
	struct tt_thread *t = tt_local.thread;
	const uint32_t id = thread_region_id(region);
	struct table_row *row;
	struct tt_frame *f;

	if (__builtin_expect(!t || t->fork_mark != *t->fork_page || !thread_is_quick(t) ||
				     !(row = t->row[id]) || row->depth || (f = t->top) >= t->limit,
			     0))
		begin_slow(region, place.stack, place.code);
	else
		begin_frame(t, f, id, row, &place, true);
}

/* The place from which the function that uses this macro was called. */
#define CALLER                                                                                     \
	((struct tt_place){(uintptr_t)__builtin_dwarf_cfa(),                                       \
			   (uintptr_t)__builtin_return_address(0)})

void tt_region_begin(struct tt_region *region)
{
	begin(region, CALLER);
}

void tt_begin(const char *label)
{
	if (tt_enabled)
		begin(tt_region_of(label), CALLER);
}

/* Adds a call that ends to the inner sums of the enclosing call. */
static inline void add_to_outer(const struct tt_thread *t, struct tt_frame *f, uint64_t ticks)
{
	const uint64_t within = 1 + (f->has_inner ? f->n_within : 0);
	struct tt_frame *outer = f - 1;

	if (outer->has_inner) {
		outer->n_inner++;
		outer->n_within += within;
		outer->inner[0] += ticks - f->ticks;
		for (uint32_t i = 0; i < t->n_events; i++)
			outer->inner[i + 1] += f->to[i].count - f->from[i].count;
	} else {
		outer->has_inner = true;
		outer->n_inner = 1;
		outer->n_within = within;
		outer->inner[0] = ticks - f->ticks;
		for (uint32_t i = 0; i < t->n_events; i++)
			outer->inner[i + 1] = f->to[i].count - f->from[i].count;
	}
}

/* Ends a call inside another call: adds it to the enclosing call and removes its frame. */
static __attribute__((noinline)) void end_inner(struct tt_thread *t, struct tt_frame *f,
						uint64_t ticks)
{
	struct tt_frame *outer = f - 1;

	add_to_outer(t, f, ticks);
	ARCH_BARRIER();
	if (__builtin_expect(outer->id == THREAD_ABANDONED, 0))
		tt_abandoned_pop(t, f);
	else
		t->top = f;
}

static inline __attribute__((always_inline)) void end_frame(struct tt_thread *t, struct tt_frame *f,
							    uint64_t ticks, bool plain)
{
	const bool outermost = --f->row->depth == 0;

	if (__builtin_expect(plain & f->plain & outermost && f->row->calls && !t->writing, 1))
		write_plain(t, f, ticks);
	else
		write_slow(t, f, ticks, plain, f->row->depth == f->row->n_async);
	if (__builtin_expect(t->n_waiting && !t->writing, 0))
		write_waiting(t);
	ARCH_BARRIER();
	if (f[-1].id == THREAD_NO_REGION)
		t->top = f;
	else
		end_inner(t, f, ticks);
}

/* Marks the frame of a call that has ended as abandoned. It is removed as soon as no other frame is
 * above it. */
static void retire(struct tt_thread *t, struct tt_frame *f)
{
	f->id = THREAD_ABANDONED;
	ARCH_BARRIER();
	tt_abandoned_pop(t, t->top);
}

/* Ends an asynchronous call, or a call with frames of asynchronous calls above its frame. */
static void end_below(struct tt_thread *t, struct tt_frame *f, uint64_t ticks, bool plain,
		      bool outermost)
{
	write_slow(t, f, ticks, plain, outermost);
	if (t->n_waiting && !t->writing)
		write_waiting(t);
	if (f[-1].id != THREAD_NO_REGION)
		add_to_outer(t, f, ticks);
	f->has_inner = false;
	retire(t, f);
}

/* Abandons the calls above a frame except asynchronous ones. Returns whether there is an
 * asynchronous one. */
static bool abandon_inner(struct tt_thread *t, const struct tt_frame *f, struct tt_frame *top)
{
	bool found = false;

	for (; top > f; top--)
		if (top->id == THREAD_ASYNC)
			found = true;
		else
			tt_abandon(t, top);
	tt_abandoned_pop(t, t->top);
	return found;
}

/* Ends a call if the fast path cannot. Either the top frame is not the frame of this region: the
 * call has no frame or no begin, or calls inside it were left without their end. Or measuring was
 * reset or restarted. Or the clock is not the time stamp counter. */
static __attribute__((noinline)) void end_slow(struct tt_thread *t, uint32_t id)
{
	struct tt_frame *top = t->top - 1, *f = top;
	const bool plain = t->read(t->counters, top->to);
	const uint64_t ticks = thread_read_ticks(t->steady);

	if (!t->row[id]) {
		/* If calls of the thread got no row, this may be the end of such a call. */
		t->slot->n_unmatched += !t->slot->n_rowless && id <= TABLE_REGIONS;
		return;
	}
	if (t->n_frameless) {
		if (!--t->n_frameless)
			t->top = t->limit;
		return;
	}
	while (f->id != id && f > t->frame)
		f--;
	if (f == t->frame) {
		t->slot->n_unmatched++;
		return;
	}
	if (f->ticks < tt_regions.start_ticks) {
		for (; top >= f; top--)
			tt_abandon(t, top);
		tt_abandoned_pop(t, t->top);
		return;
	}
	memmove(f->to, top->to, sizeof f->to);
	if (abandon_inner(t, f, top)) {
		f->row->depth--;
		end_below(t, f, ticks, plain, f->row->depth == f->row->n_async);
	} else {
		end_frame(t, f, ticks, plain);
	}
}

void tt_region_end(struct tt_region *region)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_frame *f;
	bool plain;

	if (__builtin_expect(!t || t->fork_mark != *t->fork_page, 0))
		return;
	f = t->top - 1;
	if (__builtin_expect(f->id != thread_region_id(region) || !thread_is_quick(t), 0)) {
		end_slow(t, thread_region_id(region));
		return;
	}
	plain = t->read(t->counters, f->to);
	end_frame(t, f, thread_read_ticks(true), plain);
}

/* --- calls that may wait --- */

uint64_t tt_async_begin(struct tt_region *region)
{
	static const struct tt_place nowhere = {0, 0};
	struct tt_thread *t = tt_local.thread;
	struct table_row *row;
	struct tt_frame *f;

	if (!tt_enabled)
		return 0;
	if (!t || t->fork_mark != *t->fork_page)
		t = tt_thread_enter();
	row = t->slot ? tt_thread_find_row(t, region) : NULL;
	if (!row) {
		if (t->slot)
			t->slot->n_rowless++;
		return 0;
	}
	f = t->top;
	if (f >= t->limit) {
		t->slot->n_too_deep++;
		return 0;
	}
	row->n_async++;
	begin_frame(t, f, THREAD_ASYNC, row, &nowhere, t->steady);
	return f->ticks;
}

/* Returns the frame of an asynchronous call; NULL: no such call is in progress in this thread.
 * call: its begin, in ticks. */
static struct tt_frame *find_async(struct tt_thread *t, uint64_t call)
{
	struct tt_frame *f = t->limit < t->top ? t->limit : t->top;

	while (--f > t->frame)
		if (f->id == THREAD_ASYNC && f->ticks == call)
			return f;
	return NULL;
}

/* Ends a call that has waited. Its counts are unknown, as the thread ran other tasks of the program
 * meanwhile. The call is not added to the enclosing call, which may belong to another task. The
 * sums of regions inside the call are moved to the enclosing call, as any task may have begun these
 * regions. */
static void end_waited(struct tt_thread *t, struct tt_frame *f, bool outermost)
{
	struct tt_call call = {.row = f->row, .outermost = outermost, .waited = true, .known = 1};

	call.total[0] = thread_read_ticks(t->steady) - f->ticks;
	put_call(t, &call);
	if (t->n_waiting && !t->writing)
		write_waiting(t);
	retire(t, f);
}

static void end_async(struct tt_thread *t, struct tt_frame *f, bool outermost)
{
	const bool plain = t->read(t->counters, f->to);
	const uint64_t ticks = thread_read_ticks(t->steady);

	abandon_inner(t, f, (t->limit < t->top ? t->limit : t->top) - 1);
	end_below(t, f, ticks, plain, outermost);
}

void tt_async_end(uint64_t call, unsigned how)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_frame *f;

	if (!call || !t || t->fork_mark != *t->fork_page)
		return;
	f = find_async(t, call);
	if (!f) {
		t->slot->n_unmatched++;
		return;
	}
	if (!tt_enabled || f->ticks < tt_regions.start_ticks) {
		tt_abandon(t, f);
		tt_abandoned_pop(t, t->top);
		return;
	}
	f->row->depth--;
	f->row->n_async--;
	if (how & TT_WAITED)
		end_waited(t, f, !(how & TT_NESTED));
	else
		end_async(t, f, !(how & TT_NESTED));
}

/* --- other forms --- */

void tt_region_leave(struct tt_region **region)
{
	if (tt_enabled)
		tt_region_end(*region);
}

void tt_end(const char *label)
{
	if (tt_enabled)
		tt_region_end(tt_region_of(label));
}
