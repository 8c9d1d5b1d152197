/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/sum.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "inject/lib/thread.h"

/* The tries to read a row that its thread is writing, and how many of them without a pause. */
#define READ_TRIES 400
#define READ_SPINS 100
#define NAP_NS     1000000

static __attribute__((no_sanitize("thread"))) uint32_t read_sequence(const struct table_row *row)
{
	return __atomic_load_n(&row->sequence, __ATOMIC_ACQUIRE);
}

/* Copies the words of a row, which its thread may be writing. */
static __attribute__((no_sanitize("thread"))) void copy_words(uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < tt_regions.header->row_size / sizeof *to; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

/* Copies a row as of one moment. If its thread lost its CPU while it was writing the row, waits for
 * the thread, but only for a limited time: a torn copy is better than none. */
static void copy_row(struct table_row *to, const struct table_row *from)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	uint32_t before;

	for (int try = 0; try < READ_TRIES; try++) {
		if (try > READ_SPINS)
			nanosleep(&nap, NULL);
		before = read_sequence(from);
		copy_words((void *)to, (const void *)from);
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) && before == read_sequence(from))
			return;
	}
}

static void add_row(struct table_row *sum, struct table_row *scratch, const struct table_row *row,
		    uint32_t id)
{
	const uint32_t epoch = tt_regions.region[id - 1].epoch;

	if (!row || row->epoch != epoch)
		return;
	copy_row(scratch, row);
	tt_table_add(sum, scratch, tt_regions.header->n_events);
}

uint32_t tt_sum_find(uint32_t id)
{
	const struct tt_regions *r = &tt_regions;
	struct tt_guard g;
	uint32_t found;

	tt_guard_enter(&g);
	found = tt_regions_next_ended(id);
	for (unsigned slot = 1; slot < r->n_slots; slot++) {
		const uint32_t own = r->thread[slot] ? tt_regions_next_row(r->thread[slot], id) : 0;

		found = own && (!found || own < found) ? own : found;
	}
	tt_guard_leave(&g);
	return found;
}

void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id)
{
	struct tt_regions *r = &tt_regions;
	struct tt_guard g;

	memset(sum, 0, r->header->row_size);
	tt_guard_enter(&g);
	add_row(sum, scratch, r->ended_row[id], id);
	for (unsigned slot = 1; slot < r->n_slots; slot++)
		if (r->thread[slot])
			add_row(sum, scratch, r->thread[slot]->row[id], id);
	tt_guard_leave(&g);
}

/* Copies the row of the next living thread that has called the region. Returns the thread's tid; 0:
 * none. */
static uint32_t next_living(struct table_row *row, uint32_t id, struct sum_place *at)
{
	struct tt_regions *r = &tt_regions;
	const uint32_t epoch = r->region[id - 1].epoch;
	uint32_t tid = 0;
	struct tt_guard g;

	tt_guard_enter(&g);
	while (!tid && ++at->slot < r->n_slots) {
		const struct tt_thread *t = r->thread[at->slot];

		if (!t || !t->row[id] || t->row[id]->epoch != epoch)
			continue;
		copy_row(row, t->row[id]);
		tid = row->calls ? t->slot->tid : 0;
	}
	at->kept = r->kept;
	tt_guard_leave(&g);
	return tid;
}

/* Copies the row of the next exited thread that has called the region. Returns the thread's tid; 0:
 * none. Threads that exit after next_living() has read the last living thread are left out. */
static uint32_t next_exited(struct table_row *row, uint32_t id, struct sum_place *at)
{
	const size_t row_size = tt_regions.header->row_size;

	while (at->kept) {
		const struct tt_exited_rows *kept = at->kept;

		at->kept = kept->next;
		for (uint32_t i = 0; i < kept->n; i++) {
			const struct table_row *from =
				(const void *)((const char *)kept->rows + i * row_size);

			if (from->id != id || from->epoch != tt_regions.region[id - 1].epoch ||
			    !from->calls)
				continue;
			memcpy(row, from, row_size);
			return kept->tid;
		}
	}
	return 0;
}

uint32_t tt_sum_next(struct table_row *row, uint32_t id, struct sum_place *at)
{
	uint32_t tid = 0;

	if (!at->lived) {
		tid = next_living(row, id, at);
		at->lived = !tid;
	}
	return tid ? tid : next_exited(row, id, at);
}

void tt_sum_own_row(struct table_row *sum, struct table_row *scratch, uint32_t id)
{
	const struct tt_thread *t = tt_local.thread;
	struct tt_guard g;

	memset(sum, 0, tt_regions.header->row_size);
	tt_guard_enter(&g);
	if (t && t->slot)
		add_row(sum, scratch, t->row[id], id);
	tt_guard_leave(&g);
}
