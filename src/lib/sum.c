/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/sum.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "lib/local.h"
#include "lib/regions.h"
#include "lib/thread.h"

/* How often a row is read again that its thread is writing, and how often of these at once. */
#define READ_TRIES 400
#define READ_SPINS 100
#define NAP_NS     1000000

static __attribute__((no_sanitize("thread"))) uint32_t read_sequence(const struct table_row *row)
{
	return __atomic_load_n(&row->sequence, __ATOMIC_ACQUIRE);
}

/* Copies the words of a row, which its thread may write meanwhile. */
static __attribute__((no_sanitize("thread"))) void copy_words(uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < tt_regions.header->row_size / sizeof *to; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

/* Copies a row as it stood at one moment. A thread that has lost its CPU while it writes one is
 * waited for, but not for ever: what it has written so far is better than nothing. */
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

void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id)
{
	struct tt_regions *r = &tt_regions;
	struct tt_guard g;

	memset(sum, 0, r->header->row_size);
	tt_guard_enter(&g);
	add_row(sum, scratch, r->ended_row[id], id);
	for (unsigned slot = 1; slot < TABLE_SLOTS; slot++)
		if (r->thread[slot])
			add_row(sum, scratch, r->thread[slot]->row[id], id);
	tt_guard_leave(&g);
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
