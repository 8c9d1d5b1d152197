/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: the slots of threads in the table, and the rows in them. */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/lib/regions.h"
#include "inject/lib/thread.h"

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

bool tt_regions_take_slot(struct tt_thread *t)
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

struct table_row *tt_regions_take_row(struct tt_thread *t, uint32_t id)
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

uint32_t tt_regions_next_ended(uint32_t id)
{
	return next_row(&tt_regions.ended, tt_regions.ended_row, id);
}

void tt_regions_renew_rows(struct tt_thread *t)
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

void tt_regions_free_slot(struct tt_thread *t)
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

void tt_regions_forget_slots(void)
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
