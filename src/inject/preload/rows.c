/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/rows.h"

#include <stdatomic.h>
#include <string.h>

#include "inject/preload/locks.h"
#include "inject/preload/process.h"

/* The number of rows whose memory is populated together. */
#define ROWS_PIECE 64

static uint32_t n_real_rows, free_row; /* n_real_rows: rows with populated memory. free_row: the
				     first row of the list of free rows; 0: none */
static atomic_bool full;

/* Returns the counts of row `number`, from 0 on, or of slot number - max_rows; NULL: no events are
 * counted. */
static struct locks_quantity *counts_of(uint32_t number)
{
	const struct locks_header *h = locks.header;

	if (!h->n_events)
		return NULL;
	return (void *)((char *)locks.header +
			locks_counts_offset(h->n_events, h->max_rows, number));
}

static bool make_real(uint32_t number, uint32_t n)
{
	const size_t counts = locks_counts_size(locks.header->n_events);

	return process_make_real(&locks.row[number], n * sizeof *locks.row) &&
	       (!counts || process_make_real(counts_of(number), n * counts));
}

static bool has_row(const struct locks_header *h)
{
	if (h->n_rows + ROWS_PIECE > h->max_rows)
		return false;
	if (h->n_rows < n_real_rows)
		return true;
	if (!make_real(h->n_rows, ROWS_PIECE))
		return false;
	n_real_rows = h->n_rows + ROWS_PIECE;
	return true;
}

static struct locks_row *take(void)
{
	struct locks_header *h = locks.header;
	struct locks_row *row = NULL;

	if (free_row) {
		row = &locks.row[free_row - 1];
		free_row = row->next;
	} else if (has_row(h)) {
		row = &locks.row[h->n_rows];
		row->slot = LOCKS_NO_SLOT;
		atomic_thread_fence(memory_order_release);
		h->n_rows++;
	}
	return row;
}

struct locks_row *rows_new(uint32_t slot, const struct locks_instance *instance, uint64_t caller)
{
	struct locks_row *row = take();

	if (!row) {
		atomic_store(&full, true);
		return NULL;
	}
	row->sequence |= 1;
	atomic_thread_fence(memory_order_release);
	*row = (struct locks_row){
		.sequence = row->sequence,
		.slot = slot,
		.instance = (uint32_t)(instance - locks.instance) + 1,
		.caller = caller,
	};
	if (locks.header->n_events)
		memset(rows_counts(row), 0, locks_counts_size(locks.header->n_events));
	atomic_thread_fence(memory_order_release);
	row->sequence++;
	return row;
}

void rows_free(struct locks_row *row)
{
	row->slot = LOCKS_NO_SLOT;
	row->next = free_row;
	free_row = rows_number(row);
	atomic_store(&full, false);
}

uint32_t rows_number(const struct locks_row *row)
{
	return (uint32_t)(row - locks.row) + 1;
}

uint32_t rows_number_or_none(const struct locks_row *row)
{
	const uintptr_t at = (uintptr_t)row, first = (uintptr_t)locks.row;

	return at >= first && at < first + locks.header->max_rows * sizeof *row ? rows_number(row)
										: 0;
}

struct locks_quantity *rows_counts(const struct locks_row *row)
{
	return counts_of((uint32_t)(row - locks.row));
}

struct locks_quantity *rows_counts_of_slot(uint32_t slot)
{
	return counts_of(locks.header->max_rows + slot);
}

bool rows_are_full(void)
{
	return atomic_load_explicit(&full, memory_order_relaxed);
}

void rows_forget(void)
{
	n_real_rows = free_row = 0;
	atomic_store(&full, false);
}
