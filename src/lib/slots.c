/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of regions: the slots of threads in the table, and the rows in them. */
#include "lib/regions.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/sum.h"
#include "lib/thread.h"

/* As long as the longest row, of epoch 0. */
static struct {
	struct table_row row;
	uint64_t numbers[SUM_ROOM];
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

bool tt_regions_take_slot(struct tt_thread *t)
{
	struct tt_regions *r = &tt_regions;
	unsigned slot = 1;

	while (slot < TABLE_SLOTS && r->thread[slot])
		slot++;
	t->slot = slot < TABLE_SLOTS ? map_slot(slot) : NULL;
	if (!t->slot) {
		r->header->n_homeless++;
		return false;
	}
	t->slot_number = slot;
	t->slot->tid = (uint32_t)gettid();
	r->thread[slot] = t;
	if (slot >= r->n_slots)
		r->n_slots = slot + 1;
	return true;
}

static struct table_row *row_at(struct table_slot *s, uint32_t id)
{
	return (void *)((char *)(s + 1) + (size_t)(id - 1) * tt_regions.header->row_size);
}

static struct table_row *make_row(struct table_slot *s, uint32_t id)
{
	struct table_row *row = row_at(s, id);
	bool in_file = true;

	if (!tt_memory_make_real(row, tt_regions.header->row_size, &in_file))
		return NULL;
	note_unseen(in_file);
	row->epoch = tt_regions.region[id - 1].epoch;
	row->id = id;
	return row;
}

/* Whoever reads the row meanwhile sees another sequence. */
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
		t->row[id] = make_row(t->slot, id);
	if (t->row[id] != tt_regions_no_row)
		return t->row[id];
	row = row_at(t->slot, id);
	if (row->depth)
		return row;
	tt_regions_renew_row(row, id);
	t->row[id] = row;
	return row;
}

void tt_regions_renew_rows(struct tt_thread *t)
{
	const struct tt_regions *r = &tt_regions;

	for (uint32_t id = 1; id <= r->header->n_regions; id++) {
		struct table_row *row = t->row[id];

		if (!row || row == tt_regions_no_row || row->epoch == r->region[id - 1].epoch)
			continue;
		if (row->depth)
			t->row[id] = tt_regions_no_row;
		else
			tt_regions_renew_row(row, id);
	}
}

/* A row without memory among those of the ended is lost. */
static void give_row(uint32_t id, const struct table_row *row)
{
	struct tt_regions *r = &tt_regions;

	if (row->epoch != r->region[id - 1].epoch)
		return;
	if (!r->ended_row[id])
		r->ended_row[id] = make_row(r->ended, id);
	if (r->ended_row[id])
		tt_table_add(r->ended_row[id], row, r->header->n_events);
}

static bool has_numbers(const struct tt_thread *t, uint32_t id)
{
	return t->row[id] && t->row[id]->epoch == tt_regions.region[id - 1].epoch;
}

static void keep_rows(const struct tt_thread *t)
{
	struct tt_regions *r = &tt_regions;
	const size_t row_size = r->header->row_size;
	struct tt_kept *kept;
	uint32_t n = 0;

	for (uint32_t id = 1; id <= r->header->n_regions; id++)
		n += has_numbers(t, id);
	kept = mmap(NULL, sizeof *kept + n * row_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED) {
		r->n_unkept++;
		return;
	}
	kept->tid = t->slot->tid;
	for (uint32_t id = 1; id <= r->header->n_regions; id++)
		if (has_numbers(t, id))
			memcpy((char *)kept->rows + kept->n++ * row_size, t->row[id], row_size);
	kept->next = r->kept;
	r->kept = kept;
}

void tt_regions_give_slot(struct tt_thread *t)
{
	struct tt_regions *r = &tt_regions;

	if (r->by_thread)
		keep_rows(t);
	r->header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	for (uint32_t id = 1; id <= r->header->n_regions; id++)
		if (t->row[id])
			give_row(id, t->row[id]);
	r->ended->n_unmatched += t->slot->n_unmatched;
	r->ended->n_abandoned += t->slot->n_abandoned;
	r->ended->n_too_deep += t->slot->n_too_deep;
	t->slot->tid = 0;
	/* What is a hole takes no memory, and is 0 for the thread that has the slot next. */
	tt_memory_unmap(t->slot, slot_size());
	atomic_thread_fence(memory_order_release);
	r->header->container.sequence++;
	r->thread[t->slot_number] = NULL;
}
