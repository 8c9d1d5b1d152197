/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "inject/table_reader.h"

/* How often to try to read a row that changes while it is read. */
#define PART_TRIES 100
/* Rows read by one system call. */
#define PIECE 64

void locks_copy_init(struct locks_copy *c)
{
	*c = (struct locks_copy){.n_rows = 0};
}

void locks_copy_done(struct locks_copy *c)
{
	free(c->module);
	free(c->instance);
	free(c->thread);
	free(c->row);
	free(c->row_counts);
	free(c->thread_counts);
	free(c->wait);
	free(c->past);
	free(c->chain);
	free(c->scratch);
	locks_copy_init(c);
}

static int read_header(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	const struct locks_header *h = &c->header;
	int ret = container_reader_open(r, err);

	if (!ret && (h->max_rows != container_reader_count(r, LOCKS_ROW) ||
		     (h->n_events &&
		      (container_reader_stride(r, LOCKS_COUNTS) != locks_counts_size(h->n_events) ||
		       container_reader_count(r, LOCKS_COUNTS) < h->max_rows + LOCKS_SLOTS))))
		ret = err_set(err, EBADMSG, "is damaged");
	return ret;
}

/* Reads all elements of a section: modules, instances, waits, pasts or chains. */
static int read_all(const struct container_reader *r, unsigned section, void *array,
		    struct err *err)
{
	void *elements;
	int ret;

	memcpy(&elements, array, sizeof elements);
	ret = container_reader_copy_all(r, section, &elements, err);
	memcpy(array, &elements, sizeof elements);
	return ret;
}

/* Reads a row or a slot, with its counts, as of one moment. If its thread writes too often for
 * that, or was stopped while writing, it is used as it is: its numbers are then some calls
 * apart. */
static int settle(const struct container_reader *r, const struct container_piece *part,
		  uint32_t counts_number, struct locks_quantity *counts, struct err *err)
{
	const struct container_piece pieces[] = {*part, {LOCKS_COUNTS, counts_number, counts, 0}};
	bool torn;

	return container_reader_copy_stable(r, pieces, counts ? 2 : 1, PART_TRIES, &torn, err);
}

/* Makes room for the counts of n rows or threads. */
static struct locks_quantity *grow_counts(const struct locks_copy *c, struct locks_quantity *counts,
					  size_t *cap, size_t n)
{
	const size_t each = c->header.n_events * LOCKS_PHASES;

	return each ? xgrow(counts, cap, n * each, sizeof *counts) : counts;
}

/* Returns whether the slots of all living threads have been read, so that no further slots need to
 * be searched. Returns false also if this cannot be known: a thread has started since the header
 * was read, or had no slot. */
static bool has_all_threads(const struct locks_copy *c, int fd)
{
	const struct locks_header *h = &c->header;
	uint32_t now;

	return !h->n_homeless && h->n_threads >= h->n_ended &&
	       c->n_threads > h->n_threads - h->n_ended &&
	       !file_read_at(fd, &now, sizeof now, offsetof(struct locks_header, n_threads),
			     NULL) &&
	       now == h->n_threads;
}

static int read_thread(struct locks_copy *c, const struct container_reader *r, uint32_t slot,
		       struct err *err)
{
	struct locks_thread *t = &c->thread[c->n_threads];
	const struct container_piece part = {LOCKS_SLOT, slot, t, 0};
	int ret = container_reader_copy(r, &part, 1, err);

	if (!ret && (!slot || t->tid))
		ret = settle(r, &part, c->header.max_rows + slot, locks_copy_other(c, c->n_threads),
			     err);
	if (!ret)
		ret = container_reader_check(r, LOCKS_SLOT, t, 1, err);
	if (ret)
		return ret;
	t->slot = slot;
	t->other.n_under_way = t->other.under_way = 0;
	if (t->state != LOCKS_WAITING || t->wait_for >= c->header.n_waits)
		t->wait_for = 0;
	c->n_threads += !slot || t->tid;
	return 0;
}

static int read_threads(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	const uint32_t n = container_reader_used(r, LOCKS_SLOT);
	int ret = 0;

	c->n_threads = 0;
	c->thread = xgrow(c->thread, &c->cap_threads, LOCKS_SLOTS, sizeof *c->thread);
	c->thread_counts = grow_counts(c, c->thread_counts, &c->cap_thread_counts, LOCKS_SLOTS);
	for (uint32_t slot = 0; slot < n && !ret && !has_all_threads(c, r->fd); slot++)
		ret = read_thread(c, r, slot, err);
	return ret;
}

static int add_row(struct locks_copy *c, const struct container_reader *r, struct locks_row *row,
		   uint32_t i, struct err *err)
{
	const struct container_piece part = {LOCKS_ROW, i, row, 0};
	struct locks_row key = {.next = (uint32_t)c->n_rows};
	int ret;

	c->row_counts = grow_counts(c, c->row_counts, &c->cap_row_counts, c->n_rows + 1);
	ret = settle(r, &part, i, locks_copy_counts(c, &key), err);
	if (ret || row->slot == LOCKS_NO_SLOT)
		return ret;
	ret = container_reader_check(r, LOCKS_ROW, row, 1, err);
	if (ret)
		return ret;
	c->row = xgrow(c->row, &c->cap_rows, c->n_rows + 1, sizeof *c->row);
	row->next = key.next;
	row->sequence = i + 1;
	row->n_under_way = row->under_way = 0;
	c->row[c->n_rows++] = *row;
	return 0;
}

static int read_rows(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = 0;

	c->n_rows = 0;
	c->scratch = c->scratch ? c->scratch : xmalloc(PIECE * sizeof *c->row);
	for (uint32_t i = 0; i < c->header.n_rows && !ret; i += PIECE) {
		const uint32_t left = c->header.n_rows - i, n = left < PIECE ? left : PIECE;
		struct locks_row *row = c->scratch;

		ret = container_reader_copy(r, &(struct container_piece){LOCKS_ROW, i, row, 0}, n,
					    err);
		for (uint32_t k = 0; k < n && !ret; k++)
			ret = add_row(c, r, &row[k], i + k, err);
	}
	return ret;
}

/* Discards waits that have ended since their threads were read: their time may be part of the rows
 * already. */
static int check_waits(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->n_threads && !ret && !r->ended; i++) {
		struct locks_thread *t = &c->thread[i];
		uint32_t after = t->sequence;

		if (t->tid && t->state == LOCKS_WAITING)
			ret = container_reader_copy(r,
						    &(struct container_piece){LOCKS_SLOT, t->slot,
									      &after, sizeof after},
						    1, err);
		if (after != t->sequence)
			t->wait_since = 0;
	}
	return ret;
}

/* Reads the records of waits. The record of a lock that was added after the header was read gets
 * instance 0 (several locks), so that the record stays in the sum. */
static int read_waits(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = read_all(r, LOCKS_WAIT, &c->wait, err);

	for (uint32_t i = 0; i < c->header.n_waits && !ret; i++)
		if (c->wait[i].instance > c->header.n_instances)
			c->wait[i].instance = 0;
	return ret;
}

/* Reads the chains. A number of a wait that is out of bounds becomes 0; so does `next` if it is not
 * an earlier record, so that each chain ends, or if the chain would be longer than the preloaded
 * object makes it. Without a record of a wait there are no chains. */
static int read_chains(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = read_all(r, LOCKS_CHAIN, &c->chain, err);

	if (!c->header.n_waits)
		c->header.n_chains = 0;
	for (uint32_t i = 0; i < c->header.n_chains && !ret; i++) {
		struct locks_chain *chain = &c->chain[i];

		if (chain->wait >= c->header.n_waits)
			chain->wait = 0;
		if (chain->next >= i || c->chain[chain->next].depth >= LOCKS_CHAIN_DEPTH)
			chain->next = 0;
		chain->depth = chain->next ? c->chain[chain->next].depth + 1 : 1;
	}
	return ret;
}

/* Reads the locks. */
static int read_instances(struct locks_copy *c, const struct container_reader *r, struct err *err)
{
	int ret = read_all(r, LOCKS_INSTANCE, &c->instance, err);

	for (uint32_t i = 0; i < c->header.n_instances && !ret; i++)
		c->instance[i].n_processes = 0;
	return ret;
}

/* Reads the table once. -EAGAIN if a thread exited during the reading: it would be counted twice,
 * or not at all. */
static int read_once(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	int ret = read_header(c, r, err);

	if (!ret)
		ret = read_all(r, LOCKS_MODULE, &c->module, err);
	if (!ret)
		ret = read_instances(c, r, err);
	if (!ret)
		ret = read_threads(c, r, err);
	if (!ret)
		ret = read_rows(c, r, err);
	if (!ret)
		ret = check_waits(c, r, err);
	if (!ret)
		ret = read_waits(c, r, err);
	if (!ret)
		ret = read_all(r, LOCKS_PAST, &c->past, err);
	if (!ret)
		ret = read_chains(c, r, err);
	return ret ? ret : container_reader_close(r, err);
}

/* Reads by `once`, again as long as that returns -EAGAIN. */
static int read_by(int (*once)(struct locks_copy *c, struct container_reader *r, struct err *err),
		   struct locks_copy *c, int fd, bool ended, struct err *err)
{
	struct container_reader r = {
		.plan = &locks_plan, .fd = fd, .ended = ended, .header = &c->header};
	int ret = -EAGAIN;

	c->kernel = (struct locks_kernel){.used = false};
	for (int tries = 0; ret == -EAGAIN && backoff(tries); tries++)
		ret = once(c, &r, err);
	return ret;
}

int locks_copy_read(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	return read_by(read_once, c, fd, ended, err);
}

/* Reads the header and the locks once. */
static int read_locks_once(struct locks_copy *c, struct container_reader *r, struct err *err)
{
	int ret = read_header(c, r, err);

	return ret ? ret : read_instances(c, r, err);
}

int locks_copy_read_locks(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	return read_by(read_locks_once, c, fd, ended, err);
}
