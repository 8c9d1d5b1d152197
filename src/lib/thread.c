/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/thread.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "lib/local.h"
#include "lib/regions.h"

static struct {
	pthread_once_t once;
	pthread_key_t key; /* its destructor runs when a thread ends */
	bool steady;       /* the time stamp counter is a clock */
} threads = {.once = PTHREAD_ONCE_INIT};

/* A thread for which there is no memory or slot: it measures nothing. */
static struct tt_thread homeless;

static uint64_t read_ticks(void)
{
	return threads.steady ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

static struct table_row *row_of(const struct tt_thread *t, uint32_t id)
{
	return (void *)((char *)(t->slot + 1) + (size_t)(id - 1) * t->row_size);
}

/* --- a row --- */

/* Squares are summed up around the first value, so that nothing is lost of large ones. */
static void add_number(struct table_quantity *q, uint64_t total, uint64_t self, bool outermost)
{
	double off;

	if (!q->n) {
		q->base = (double)total;
		q->min = total;
	}
	off = (double)total - q->base;
	q->n++;
	q->sum += outermost ? total : 0;
	q->self += self;
	q->min = total < q->min ? total : q->min;
	q->max = total > q->max ? total : q->max;
	q->shifted += off;
	q->squares += off * off;
	q->bucket[total ? 63 - __builtin_clzll(total) + (total < 1ull << 63) : 0]++;
}

static void write_row(const struct tt_thread *t, const struct tt_call *call)
{
	struct table_row *row = row_of(t, call->id);

	row->sequence++;
	atomic_thread_fence(memory_order_release);
	row->calls++;
	for (uint32_t i = 0; i <= t->n_events; i++)
		if (call->known >> i & 1)
			add_number(table_quantity(row, i), call->total[i], call->self[i],
				   call->outermost);
	atomic_thread_fence(memory_order_release);
	row->sequence++;
}

/* Writes a call, and those of handlers that came meanwhile. */
static void write_call(struct tt_thread *t, const struct tt_call *call)
{
	if (t->writing) {
		if (t->n_waiting < THREAD_WAITING)
			t->waiting[t->n_waiting++] = *call;
		else
			t->slot->n_too_deep++;
		return;
	}
	t->writing = true;
	ARCH_BARRIER();
	write_row(t, call);
	while (t->n_waiting)
		write_row(t, &t->waiting[--t->n_waiting]);
	ARCH_BARRIER();
	t->writing = false;
}

/* --- a thread --- */

static void leave(void *thread)
{
	struct tt_thread *t = thread;

	tt_local.thread = &homeless;
	if (!tt_regions.header)
		return;
	tt_close(t->counters);
	tt_regions_give_slot(t->slot, t->slot_number);
	free(t);
}

/* What it has of its parent: descriptors, a piece of the parent's table, and memory. */
void tt_thread_forget(void)
{
	struct tt_thread *t = tt_local.thread;

	tt_local.thread = NULL;
	if (!t || t == &homeless)
		return;
	pthread_setspecific(threads.key, NULL);
	tt_counters_leave(t->counters);
	munmap(t->slot, table_slot_size(t->row_size, (size_t)sysconf(_SC_PAGESIZE)));
	free(t);
}

static void begin_threads(void)
{
	threads.steady = tt_clock_speed() != 0;
	pthread_key_create(&threads.key, leave);
}

/* What an empty region costs: the least of many, so that no interrupt is in it. */
static void calibrate(struct tt_thread *t)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];
	uint64_t least[1 + TABLE_EVENTS];

	for (uint32_t i = 0; i <= t->n_events; i++)
		least[i] = UINT64_MAX;
	for (int k = 0; k < 200; k++) {
		uint64_t ticks = read_ticks();

		if (t->counters) {
			tt_read(t->counters, before);
			tt_read(t->counters, after);
		}
		ticks = read_ticks() - ticks;
		least[0] = ticks < least[0] ? ticks : least[0];
		for (uint32_t i = 0; i < t->n_events; i++) {
			double n = tt_between(&before[i], &after[i]);

			if (n >= 0 && n < (double)least[i + 1])
				least[i + 1] = (uint64_t)n;
		}
	}
	tt_regions.header->overhead_ticks = least[0];
	for (uint32_t i = 0; i < t->n_events; i++)
		tt_regions.header->event[i].overhead =
			least[i + 1] == UINT64_MAX ? 0 : least[i + 1];
}

/* The first region of a thread. */
static struct tt_thread *enter(void)
{
	struct tt_thread *t = tt_local.thread;

	/* A child that was not made by fork(): no handler has run in it. */
	if (t)
		tt_regions_forget();
	tt_local.thread = &homeless;
	pthread_once(&threads.once, begin_threads);
	if (!tt_regions_begin() || !(t = calloc(1, sizeof *t)))
		return &homeless;
	t->slot = tt_regions_take_slot(&t->slot_number);
	if (!t->slot) {
		free(t);
		return &homeless;
	}
	t->fork_mark = tt_fork_mark();
	t->n_events = tt_regions.header->n_events;
	t->row_size = tt_regions.header->row_size;
	t->counters = t->n_events ? tt_open(tt_regions.events) : NULL;
	if (!tt_regions.header->overhead_ticks)
		calibrate(t);
	pthread_setspecific(threads.key, t);
	tt_local.thread = t;
	return t;
}

/* --- begin and end --- */

void tt_region_begin(struct tt_region *region)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_frame *f;
	unsigned depth;

	if (__builtin_expect(!t || (t->slot && t->fork_mark != *tt_fork_page), 0))
		t = enter();
	if (__builtin_expect(!t->slot, 0))
		return;
	if (__builtin_expect(!region->id, 0) && !(region->id = tt_regions_find(region->label)))
		return;
	depth = t->depth++;
	ARCH_BARRIER();
	if (depth >= THREAD_DEPTH) {
		t->slot->n_too_deep++;
		return;
	}
	f = &t->frame[depth];
	f->id = region->id;
	for (uint32_t i = 0; i <= t->n_events; i++)
		f->inner[i] = 0;
	row_of(t, region->id)->depth++;
	f->ticks = read_ticks();
	if (t->counters)
		tt_read(t->counters, f->value);
}

/* The frame of this region; those above it were left without an end. NULL: it has none. */
static struct tt_frame *find_frame(struct tt_thread *t, uint32_t id, unsigned *depth)
{
	unsigned top = t->depth, d = top;

	while (d > 0 && t->frame[d - 1].id != id)
		d--;
	if (!d)
		return NULL;
	for (unsigned above = d; above < top; above++) {
		row_of(t, t->frame[above].id)->depth--;
		t->slot->n_abandoned++;
	}
	*depth = d - 1;
	return &t->frame[d - 1];
}

static void set_number(struct tt_call *call, struct tt_frame *f, uint32_t i, uint64_t n)
{
	call->known |= 1u << i;
	call->total[i] = n;
	call->self[i] = n > f->inner[i] ? n - f->inner[i] : 0;
}

static void measure(struct tt_call *call, const struct tt_thread *t, struct tt_frame *f,
		    const struct tt_value now[], uint64_t ticks)
{
	set_number(call, f, 0, ticks - f->ticks);
	for (uint32_t i = 0; i < t->n_events; i++) {
		const struct tt_value *from = &f->value[i], *to = &now[i];
		double n;

		/* The usual case, without arithmetic of doubles. */
		if (from->opening == to->opening && to->state == TT_OK && from->state == TT_OK) {
			set_number(call, f, i + 1, to->count - from->count);
			continue;
		}
		n = tt_between(from, to);
		if (n >= 0)
			set_number(call, f, i + 1, (uint64_t)(n + 0.5));
	}
}

void tt_region_end(struct tt_region *region)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_value now[TT_MAX_EVENTS];
	struct tt_call call;
	struct tt_frame *f;
	uint64_t ticks;
	unsigned depth;

	if (!t || !t->slot || !region->id || t->fork_mark != *tt_fork_page)
		return;
	if (t->depth > THREAD_DEPTH) {
		t->depth--;
		return;
	}
	if (t->counters)
		tt_read(t->counters, now);
	ticks = read_ticks();
	f = find_frame(t, region->id, &depth);
	if (!f)
		return;
	call.id = region->id;
	call.known = 0;
	call.outermost = --row_of(t, region->id)->depth == 0;
	measure(&call, t, f, now, ticks);
	write_call(t, &call);
	if (depth)
		for (uint32_t i = 0; i <= t->n_events; i++)
			t->frame[depth - 1].inner[i] += call.known >> i & 1 ? call.total[i] : 0;
	ARCH_BARRIER();
	t->depth = depth;
}

void tt_region_leave(struct tt_region **region)
{
	if (tt_enabled)
		tt_region_end(*region);
}
