/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <tiptop.h>
#include <unistd.h>

#include "inject/lib/arch.h"
#include "inject/lib/counters.h"
#include "inject/lib/figures.h"
#include "inject/lib/regions.h"

/* ---- abandoned ---- */

/* The kernel maps nothing else within this distance below the highest address of the main stack:
 * MIN_GAP of its mmap_base(). */
#define MAIN_STACK_MAX ((uintptr_t)128 << 20)
/* The assumed stack size of threads other than the main thread. It is small, as the memory below a
 * small stack may be the stack of another thread. */
#define STACK_MAX ((uintptr_t)1 << 20)

/* Estimates the bounds of the calling thread's stack: the lower bound is only assumed. Finds the
 * high end of the stack without pthread_getattr_np(), which would allocate memory and read /proc.
 * In the main thread, the random bytes that the kernel passes (AT_RANDOM) lie near the high end; in
 * other threads, the C library's descriptor of the thread, to which the thread pointer refers. */
static void tt_stack_find(struct tt_thread *t)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	t->stack_high = getauxval(AT_RANDOM);
	t->stack_low = t->stack_high - MAIN_STACK_MAX;
	if (here >= t->stack_low && here < t->stack_high)
		return;
	t->stack_high = arch_thread();
	t->stack_low = t->stack_high - STACK_MAX;
}

static bool is_own(const struct tt_thread *t, uintptr_t height)
{
	return height >= t->stack_low && height < t->stack_high;
}

void tt_abandon(struct tt_thread *t, struct tt_frame *f)
{
	uint32_t id = f->id;

	if (id == THREAD_ABANDONED ||
	    !__atomic_compare_exchange_n(&f->id, &id, THREAD_ABANDONED, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	f->row->depth--;
	f->row->n_async -= id == THREAD_ASYNC;
	t->slot->n_abandoned++;
}

/* Discards the calls that have no frame if the last frame is marked as abandoned: they are inside
 * the call of that frame. */
static void abandon_frameless(struct tt_thread *t)
{
	if (!t->n_frameless || t->limit[-1].id != THREAD_ABANDONED)
		return;
	t->slot->n_abandoned += t->n_frameless;
	t->n_frameless = 0;
	t->top = t->limit;
}

/* Prepares a frame for sums over the regions inside its call. */
static void begin_inner(struct tt_frame *outer)
{
	if (!outer->has_inner) {
		memset(outer->inner, 0, sizeof outer->inner);
		outer->n_inner = outer->n_within = 0;
	}
	outer->has_inner = true;
}

static void add_inner(struct tt_frame *outer, const struct tt_frame *f, uint32_t n_events)
{
	begin_inner(outer);
	outer->n_inner += f->n_inner;
	outer->n_within += f->n_within;
	for (uint32_t i = 0; i <= n_events; i++)
		outer->inner[i] += f->inner[i];
}

void tt_abandoned_pop(struct tt_thread *t, struct tt_frame *top)
{
	struct tt_frame *const before = top;

	for (; top[-1].id == THREAD_ABANDONED; top--)
		if (top[-1].has_inner)
			add_inner(top - 2, top - 1, t->n_events);
	t->top = top;
	ARCH_BARRIER();
	/* Otherwise a signal handler that comes when the frame is in use again, but its id is not
	 * set yet, would remove it. */
	for (; top < before; top++)
		top->id = 0;
}

static __attribute__((noinline)) void pop_all(struct tt_thread *t)
{
	abandon_frameless(t);
	tt_abandoned_pop(t, t->top);
}

/* Marks and removes all calls in progress. Called by a thread that exits. */
static void tt_abandon_all(struct tt_thread *t)
{
	for (struct tt_frame *f = t->limit < t->top ? t->limit : t->top; --f > t->frame;)
		tt_abandon(t, f);
	pop_all(t);
}

void tt_abandon_earlier(struct tt_thread *t, const struct tt_region *region,
			const struct tt_place *place)
{
	bool found = false;

	if (region->flags & TT_INTERPRETED)
		return;
	/* If the call of a frame began higher up the stack, the new call is a recursion. The frames
	 * below it were compared when that call began, so the search ends. */
	for (struct tt_frame *f = t->top; --f > t->frame;) {
		if (f->id != thread_region_id(region))
			continue;
		if (f->stack > place->stack)
			break;
		if ((f->stack < place->stack || f->code == place->code) && is_own(t, f->stack) &&
		    is_own(t, place->stack)) {
			tt_abandon(t, f);
			found = true;
		}
	}
	if (found)
		pop_all(t);
}

/* Returns whether a call is in progress that began before measuring was last started. */
static bool spans_restart(const struct tt_thread *t)
{
	return t->top > &t->frame[1] && t->frame[1].ticks < tt_regions.start_ticks;
}

/* A handler may have interrupted the begin of a call whose frame still has the id and the ticks of
 * an earlier call, which has ended: the depth of its row is usually 0. */
void tt_abandon_stopped(struct tt_thread *t, const struct tt_region *region)
{
	if (!spans_restart(t))
		return;
	for (struct tt_frame *f = t->limit < t->top ? t->limit : t->top; --f > t->frame;)
		if (f->id == thread_region_id(region) && f->ticks < tt_regions.start_ticks &&
		    f->row->depth)
			tt_abandon(t, f);
	pop_all(t);
}

void tt_abandon_deeper(struct tt_thread *t, const struct tt_place *place)
{
	if (!is_own(t, place->stack))
		return;
	for (struct tt_frame *f = t->limit; --f > t->frame && f->stack < place->stack;)
		if (is_own(t, f->stack))
			tt_abandon(t, f);
	pop_all(t);
}

/* ---- slots ----
 *
 * The slots of threads in the table, and the rows in them.
 */

/* The memory of tt_regions_no_row: as long as the longest row, and of epoch 0, which no region has.
 */
static struct {
	struct table_row row;
	uint64_t numbers[TABLE_ROW_WORDS];
} no_row = {.row.depth = 1};
struct table_row *const tt_regions_no_row = &no_row.row;

static void note_unseen(bool in_file)
{
	if (!in_file && tt_regions.path[0])
		tt_regions.header->n_unseen++;
}

static size_t slot_size(void)
{
	return table_slot_size(tt_regions.header->row_size, tt_regions.page);
}

static struct table_slot *map_slot(unsigned slot)
{
	struct tt_regions *r = &tt_regions;
	bool in_file;
	struct table_slot *s =
		tt_memory_map(&r->file, table_slot_offset(r->header->row_size, r->page, slot),
			      slot_size(), &in_file);

	if (s && !tt_memory_make_real(s, sizeof *s, &in_file)) {
		tt_memory_unmap(s, slot_size());
		s = NULL;
	}
	if (s)
		note_unseen(in_file);
	return s;
}

/* Takes a free slot for a block of regions. Returns false if no slot or memory is free. */
static bool take(struct tt_slots *slots, uint32_t tid, uint32_t block)
{
	struct tt_regions *r = &tt_regions;
	const bool *free_one = memchr(r->taken + 1, false, TABLE_SLOTS - 1);
	const unsigned slot = free_one ? (unsigned)(free_one - r->taken) : 0;
	struct table_slot *s = free_one ? map_slot(slot) : NULL;

	if (!s)
		return false;
	s->block = block;
	atomic_thread_fence(memory_order_release);
	s->tid = tid;
	slots->block[block] = s;
	slots->number[block] = slot;
	r->taken[slot] = true;
	if (slot >= r->n_slots)
		r->n_slots = slot + 1;
	return true;
}

/* Maps a free slot for this thread. Returns false if no slot or memory is free. */
static bool tt_regions_take_slot(struct tt_thread *t)
{
	if (!take(&t->slots, (uint32_t)syscall(SYS_gettid), 0)) {
		tt_regions.header->n_homeless++;
		return false;
	}
	t->slot = t->slots.block[0];
	tt_regions.thread[t->slots.number[0]] = t;
	return true;
}

static uint32_t block_of(uint32_t id)
{
	return (id - 1) / TABLE_BLOCK;
}

/* Returns the address of a row; the slot of its block must exist. */
static struct table_row *row_at(const struct tt_slots *slots, uint32_t id)
{
	return (void *)((char *)(slots->block[block_of(id)] + 1) +
			(size_t)((id - 1) % TABLE_BLOCK) * tt_regions.header->row_size);
}

/* Makes a row; takes a slot if the row is the first one of its block. NULL: no slot or memory is
 * free. */
static struct table_row *make_row(struct tt_slots *slots, uint32_t tid, uint32_t id)
{
	struct table_row *row;
	bool in_file = true;

	if (!slots->block[block_of(id)] && !take(slots, tid, block_of(id)))
		return NULL;
	row = row_at(slots, id);
	if (!tt_memory_make_real(row, tt_regions.header->row_size, &in_file))
		return NULL;
	note_unseen(in_file);
	row->epoch = tt_regions.region[id - 1].epoch;
	row->id = id;
	return row;
}

/* Makes the sequence odd while the row is changed: a concurrent reader copies the row again if the
 * sequence was odd or has changed. */
void tt_regions_renew_row(struct table_row *row, uint32_t id)
{
	const uint32_t sequence = row->sequence + 2;

	row->sequence = sequence - 1;
	atomic_thread_fence(memory_order_release);
	memset(row + 1, 0, tt_regions.header->row_size - sizeof *row);
	*row = (struct table_row){
		.sequence = sequence - 1, .epoch = tt_regions.region[id - 1].epoch, .id = id};
	atomic_thread_fence(memory_order_release);
	row->sequence = sequence;
}

/* Returns the row of a region in this thread; makes the row if it is missing. NULL: no slot or
 * memory is free. */
static struct table_row *tt_regions_take_row(struct tt_thread *t, uint32_t id)
{
	struct table_row *row;

	if (!t->row[id])
		t->row[id] = make_row(&t->slots, t->slot->tid, id);
	if (t->row[id] != tt_regions_no_row)
		return t->row[id];
	row = row_at(&t->slots, id);
	if (row->depth)
		return row;
	tt_regions_renew_row(row, id);
	t->row[id] = row;
	return row;
}

static uint32_t next_row(const struct tt_slots *slots, struct table_row *const row[], uint32_t id)
{
	const uint32_t n = tt_regions_n();

	while (id <= n && !row[id])
		id = slots->block[block_of(id)] ? id + 1 : (block_of(id) + 1) * TABLE_BLOCK + 1;
	return id <= n ? id : 0;
}

uint32_t tt_regions_next_row(const struct tt_thread *t, uint32_t id)
{
	return next_row(&t->slots, t->row, id);
}

/* The thread may change the number meanwhile. */
__attribute__((no_sanitize("thread"))) uint32_t tt_regions_depth(const struct tt_thread *t,
								 uint32_t id)
{
	return row_at(&t->slots, id)->depth;
}

uint32_t tt_regions_next_ended(uint32_t id)
{
	return next_row(&tt_regions.ended, tt_regions.ended_row, id);
}

/* Resets the rows of this thread whose regions were reset. */
static void tt_regions_renew_rows(struct tt_thread *t)
{
	const struct tt_regions *r = &tt_regions;

	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1)) {
		struct table_row *row = t->row[id];

		if (row == tt_regions_no_row || row->epoch == r->region[id - 1].epoch)
			continue;
		if (row->depth)
			t->row[id] = tt_regions_no_row;
		else
			tt_regions_renew_row(row, id);
	}
}

/* Adds a row to the region's row of exited threads. If that row cannot be made, the calls are lost,
 * and counted in n_rowless. */
static void merge_row(uint32_t id, const struct table_row *row)
{
	struct tt_regions *r = &tt_regions;

	if (row->epoch != r->region[id - 1].epoch)
		return;
	if (!r->ended_row[id])
		r->ended_row[id] = make_row(&r->ended, TABLE_ENDED, id);
	if (r->ended_row[id])
		tt_table_add(r->ended_row[id], row, r->header->n_events);
	else
		r->ended.block[0]->n_rowless += row->calls;
}

static bool has_numbers(const struct tt_thread *t, uint32_t id)
{
	return t->row[id]->epoch == tt_regions.region[id - 1].epoch;
}

static void save_rows(const struct tt_thread *t)
{
	struct tt_regions *r = &tt_regions;
	const size_t row_size = r->header->row_size;
	struct tt_exited_rows *kept;
	uint32_t n = 0;

	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1))
		n += has_numbers(t, id);
	kept = mmap(NULL, sizeof *kept + n * row_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED) {
		r->threads_joined++;
		return;
	}
	kept->tid = t->slot->tid;
	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1))
		if (has_numbers(t, id))
			memcpy((char *)kept->rows + kept->n++ * row_size, t->row[id], row_size);
	kept->next = r->kept;
	r->kept = kept;
}

static void free_slots(const struct tt_slots *slots)
{
	for (uint32_t b = 0; b < TABLE_BLOCKS; b++) {
		if (!slots->block[b])
			continue;
		slots->block[b]->tid = 0;
		/* As a hole, the slot takes no memory, and reads as 0 for the next thread that
		 * takes it. */
		tt_memory_unmap(slots->block[b], slot_size());
		tt_regions.taken[slots->number[b]] = false;
	}
}

/* Adds the rows of a thread that exits to the rows of exited threads, and frees its slots. */
static void tt_regions_free_slot(struct tt_thread *t)
{
	struct tt_regions *r = &tt_regions;
	struct table_slot *ended = r->ended.block[0];

	if (r->by_thread)
		save_rows(t);
	r->header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1))
		merge_row(id, t->row[id]);
	ended->n_unmatched += t->slot->n_unmatched;
	ended->n_abandoned += t->slot->n_abandoned;
	ended->n_too_deep += t->slot->n_too_deep;
	ended->n_rowless += t->slot->n_rowless;
	free_slots(&t->slots);
	atomic_thread_fence(memory_order_release);
	r->header->container.sequence++;
	r->thread[t->slots.number[0]] = NULL;
}

static void unmap_slots(const struct tt_slots *slots, uint32_t first)
{
	for (uint32_t b = first; b < TABLE_BLOCKS; b++)
		if (slots->block[b])
			munmap(slots->block[b], slot_size());
}

/* In a child: unmaps the slots of all threads, and the slots with the sums of exited threads except
 * slot 0. */
static void tt_regions_forget_slots(void)
{
	struct tt_regions *r = &tt_regions;

	for (unsigned slot = 1; slot < r->n_slots; slot++)
		if (r->thread[slot])
			unmap_slots(&r->thread[slot]->slots, 0);
	unmap_slots(&r->ended, 1);
	memset(r->ended.block, 0, sizeof r->ended.block);
	memset(r->ended_row, 0, (1 + r->header->n_regions) * sizeof *r->ended_row);
	memset(r->thread, 0, r->n_slots * sizeof *r->thread);
	memset(r->taken, 0, r->n_slots);
	r->n_slots = 0;
}

/* ---- thread ---- */

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
	const double enabled = tt_real(to->enabled - from->enabled);
	const double off = enabled - tt_real(to->running - from->running);

	call->scaled |= 1u << i;
	call->estimated[i] = call->total[i] - (to->count - from->count);
	call->missed[i] = tt_integer(tt_real(call->total[0]) * off / enabled);
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
	call->total[i] = tt_integer(n + 0.5);
	if (to->enabled - from->enabled > to->running - from->running)
		set_estimate(call, i, from, to);
}

void tt_call_estimate(struct tt_call *call, uint32_t i)
{
	const struct table_quantity *q = table_quantity(call->row, i);
	const uint64_t sum = table_sum(call->row, q) - q->estimated,
		       time = table_sum(call->row, table_quantity(call->row, 0)) - q->missed;

	if ((int64_t)time > 0)
		call->total[i] = tt_integer(tt_real(sum) * tt_real(call->total[0]) / tt_real(time));
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
		sum[0] += tt_real(thread_read_ticks(t->steady) - ticks);
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
			if (sum[i] >= 0 && sum[i] / CALLS < tt_real(least->of[i]))
				least->of[i] = tt_integer(sum[i] / CALLS);
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

/* Notes in the table the events that this thread cannot count, although the first thread could. */
static void note_refused(const struct tt_thread *t)
{
	for (uint32_t i = 0; i < t->n_events; i++) {
		struct table_event *e = &tt_regions.header->event[i];

		if (e->state >= TT_DENIED || tt_state(t->counters, (int)i) < TT_DENIED)
			continue;
		if (!e->n_refused++)
			snprintf(e->refusal, sizeof e->refusal, "%s",
				 tt_counters_explain(t->counters, (int)i));
	}
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
	note_refused(t);
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

bool tt_thread_queue(struct tt_thread *t, const struct tt_call *call)
{
	/* The place is taken before it is filled, as another handler may interrupt this one. */
	const unsigned n = __atomic_fetch_add(&t->n_waiting, 1, __ATOMIC_RELAXED);

	if (n >= THREAD_WAITING) {
		__atomic_fetch_sub(&t->n_waiting, 1, __ATOMIC_RELAXED);
		return false;
	}
	if (call)
		t->waiting[n] = *call;
	else
		t->waiting[n].row = NULL;
	return true;
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
	if (!t->n_waiting)
		tt_thread_queue(t, NULL);
	return true;
}
