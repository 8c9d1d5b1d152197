/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "inject/table_reader.h"

/* How often a row, and the whole table, is read again if it has changed during the reading. */
#define ROW_TRIES   100
#define TABLE_TRIES 8

void table_copy_init(struct table_copy *c)
{
	memset(c, 0, sizeof *c);
}

void table_copy_done(struct table_copy *c)
{
	free(c->region);
	free(c->rows);
	free(c->scratch);
	table_copy_init(c);
}

struct table_row *table_copy_row(const struct table_copy *c, uint32_t i)
{
	return (void *)((char *)c->rows + (size_t)i * c->header.row_size);
}

static int read_header(struct table_copy *c, struct container_reader *r, struct err *err)
{
	struct table_header *h = &c->header;
	int ret = container_reader_open(r, err);

	if (!ret && (h->row_size != table_row_size(h->n_events) ||
		     container_reader_stride(r, TABLE_ROW) != h->row_size ||
		     container_reader_count(r, TABLE_ROW) != TABLE_BLOCK ||
		     container_reader_count(r, TABLE_QUANTITY) != h->n_events + 1))
		ret = err_set(err, EBADMSG, "is damaged");
	if (!ret)
		h->rank[strspn(h->rank, "0123456789")] = '\0';
	return ret;
}

static void add_lacks(struct table_copy *c, const struct table_slot *slot)
{
	c->slots.n_unmatched += slot->n_unmatched;
	c->slots.n_abandoned += slot->n_abandoned;
	c->slots.n_too_deep += slot->n_too_deep;
	c->slots.n_rowless += slot->n_rowless;
}

/* Adds the row of a thread to the row of region i. The row is copied again until no write
 * interfered. */
static int add_row(struct table_copy *c, const struct container_reader *r,
		   const struct container_piece *row, uint32_t i, struct err *err)
{
	struct table_row *from = row->to;
	bool torn;
	int ret = container_reader_copy_stable(r, row, 1, ROW_TRIES, &torn, err);

	if (!ret && torn)
		ret = err_set(err, EAGAIN, "changes all the time");
	c->n_torn += r->ended && from->sequence & 1;
	if (!ret && from->epoch == c->region[i].epoch)
		tt_table_add(table_copy_row(c, i), from, c->header.n_events);
	return ret;
}

/* Returns the number of labelled regions in a block. */
static uint32_t count_regions(const struct table_copy *c, uint32_t block)
{
	const uint32_t n = c->header.n_regions;

	if (block >= TABLE_BLOCKS || n <= block * TABLE_BLOCK)
		return 0;
	return n - block * TABLE_BLOCK < TABLE_BLOCK ? n - block * TABLE_BLOCK : TABLE_BLOCK;
}

static int add_rows(struct table_copy *c, const struct container_reader *r, uint32_t slot,
		    const struct table_slot *s, struct err *err)
{
	const bool ended = !slot || s->tid == TABLE_ENDED;
	const uint64_t first = (uint64_t)slot * container_reader_count(r, TABLE_ROW);
	const uint32_t n = count_regions(c, s->block);
	struct container_piece row = {TABLE_ROW, first, c->scratch, 0};
	int ret = n ? container_reader_copy(r, &row, n, err) : 0;

	for (uint32_t k = 0; k < n && !ret; k++) {
		const uint32_t i = s->block * TABLE_BLOCK + k;
		struct table_row *from = (void *)((char *)c->scratch + k * c->header.row_size);

		row.number = first + k;
		row.to = from;
		c->n_going_on += ended ? 0 : from->depth;
		if (from->epoch)
			table_copy_row(c, i)->epoch = c->region[i].epoch;
		if (!ended && from->sequence)
			ret = add_row(c, r, &row, i, err);
		/* Rows of ended threads need no such copy: they change only while the sequence of
		 * the table is odd, which container_reader_close() checks. */
		else if (ended && from->calls && from->epoch == c->region[i].epoch)
			tt_table_add(table_copy_row(c, i), from, c->header.n_events);
	}
	return ret;
}

static int add_slots(struct table_copy *c, const struct container_reader *r, struct err *err)
{
	const uint32_t n = container_reader_count(r, TABLE_SLOT);
	struct table_slot slot;
	int ret = 0;

	for (uint32_t i = container_reader_next(r, TABLE_SLOT, 0); i < n && !ret;
	     i = container_reader_next(r, TABLE_SLOT, i + 1)) {
		ret = container_reader_copy(
			r, &(struct container_piece){TABLE_SLOT, i, &slot, sizeof slot}, 1, err);
		if (ret || (i && !slot.tid))
			continue;
		add_lacks(c, &slot);
		ret = add_rows(c, r, i, &slot, err);
	}
	return ret;
}

static void clear_rows(struct table_copy *c)
{
	const size_t size = (size_t)c->header.n_regions * c->header.row_size;

	if (size > c->cap) {
		c->rows = xreallocarray(c->rows, size, 1);
		c->scratch = xreallocarray(c->scratch, TABLE_BLOCK, c->header.row_size);
		c->cap = size;
	}
	if (size)
		memset(c->rows, 0, size);
	c->slots = (struct table_slot){.tid = 0};
	c->n_going_on = 0;
}

/* Reads the table once. Fails if the table changed meanwhile (container_reader_close()): a thread
 * that ended during the reading would be counted twice or not at all. */
static int read_once(struct table_copy *c, struct container_reader *r, struct err *err)
{
	void *region = c->region;
	int ret = read_header(c, r, err);

	if (!ret)
		ret = container_reader_copy_all(r, TABLE_REGION, &region, err);
	c->region = region;
	if (ret)
		return ret;
	c->n_torn = r->ended && c->header.container.sequence & 1;
	clear_rows(c);
	ret = add_slots(c, r, err);
	return ret ? ret : container_reader_close(r, err);
}

int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err)
{
	struct container_reader reader = {
		.plan = &tt_table_plan, .fd = fd, .ended = ended, .header = &c->header};
	int ret = -EAGAIN;

	for (int try = 0; try < TABLE_TRIES && ret == -EAGAIN; try++)
		ret = read_once(c, &reader, err);
	if (ret)
		c->header.n_regions = 0;
	return ret;
}

static uint64_t sum_waited(const struct table_copy *c)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < c->header.n_regions; i++)
		n += table_copy_row(c, i)->n_waited;
	return n;
}

struct tt_lacks table_copy_lacks(const struct table_copy *c)
{
	return (struct tt_lacks){
		.n_abandoned = c->slots.n_abandoned,
		.n_unmatched = c->slots.n_unmatched,
		.n_too_deep = c->slots.n_too_deep,
		.n_rowless = c->slots.n_rowless,
		.n_going_on = c->n_going_on,
		.n_waited = sum_waited(c),
		.n_torn = c->n_torn,
		.n_unseen = c->header.n_unseen,
	};
}
