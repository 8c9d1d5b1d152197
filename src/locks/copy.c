/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/backoff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "preload/header.h"

/* How often a row that changes while it is read is read again. */
#define PART_TRIES 100
/* Rows that are read at once. */
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
	free(c->scratch);
	locks_copy_init(c);
}

static int read_header(struct locks_copy *c, int fd, struct err *err)
{
	struct locks_header *h = &c->header;
	int ret = header_read(fd, h, sizeof *h, LOCKS_MAGIC, sizeof(struct locks_row), err);

	if (ret)
		return ret;
	if (h->n_events > LOCKS_EVENTS ||
	    h->max_rows > locks_max_rows(LOCKS_SIZE_MAX, h->n_events) || h->n_rows > h->max_rows ||
	    h->n_modules > LOCKS_MODULES || h->n_instances > LOCKS_INSTANCES ||
	    h->n_waits > LOCKS_WAITS || h->n_pasts > LOCKS_PASTS || !h->ns_per_tick || !h->sample ||
	    h->sample > LOCKS_SAMPLE_MAX)
		return err_set(err, EBADMSG, "is damaged");
	header_tame_events(h->event, h->n_events);
	return 0;
}

static int read_modules(struct locks_copy *c, int fd, struct err *err)
{
	const size_t size = c->header.n_modules * sizeof *c->module;
	int ret;

	c->module = xreallocarray(c->module, c->header.n_modules + 1, sizeof *c->module);
	ret = file_read_at(fd, c->module, size, sizeof c->header, err);
	for (uint32_t i = 0; i < c->header.n_modules && !ret; i++) {
		char *path = c->module[i].path;

		if (c->module[i].id.size > BUILD_ID_MAX)
			c->module[i].id.size = BUILD_ID_MAX;
		path[LOCKS_PATH_MAX - 1] = '\0';
		text_tame(path, '?');
	}
	return ret;
}

static int read_instances(struct locks_copy *c, int fd, struct err *err)
{
	const size_t size = c->header.n_instances * sizeof *c->instance;
	int ret;

	c->instance = xreallocarray(c->instance, c->header.n_instances + 1, sizeof *c->instance);
	ret = file_read_at(fd, c->instance, size, locks_instances_offset(), err);
	for (uint32_t i = 0; i < c->header.n_instances && !ret; i++)
		if (c->instance[i].kind >= LOCKS_N_KINDS)
			ret = err_set(err, EBADMSG, "is damaged");
	return ret;
}

/* A row or a slot, which begins with its sequence, and its counts. */
struct part {
	void *data, *counts;
	size_t size, at, counts_size, counts_at;
};

/* Counts that are behind the end of the file would be those of nobody. */
static struct part part_of(const struct locks_copy *c, void *data, size_t size, size_t at,
			   struct locks_quantity *counts, uint32_t number)
{
	const uint32_t n = c->header.n_events;

	return (struct part){.data = data,
			     .size = size,
			     .at = at,
			     .counts = counts,
			     .counts_size = locks_counts_size(n),
			     .counts_at = locks_counts_offset(n, c->header.max_rows, number)};
}

/* A part as it stood at one moment: as it came with others, unless its thread was writing it. One
 * that is written more often than it can be read, or whose thread was stopped meanwhile, is taken
 * as it is: its numbers are then some calls apart. */
static int settle(const struct part *p, int fd, bool ended, struct err *err)
{
	const uint32_t *before = p->data;
	uint32_t after;

	for (int try = 0; try < PART_TRIES; try++) {
		int ret = 0;

		if (p->counts)
			ret = file_read_at(fd, p->counts, p->counts_size, p->counts_at, err);
		if (ret || ended)
			return ret;
		ret = file_read_at(fd, &after, sizeof after, p->at, err);
		if (ret || (*before == after && !(after & 1)))
			return ret;
		ret = file_read_at(fd, p->data, p->size, p->at, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Makes room for those of number n - 1. */
static struct locks_quantity *grow_counts(const struct locks_copy *c, struct locks_quantity *counts,
					  size_t *cap, size_t n)
{
	const size_t each = c->header.n_events * LOCKS_PHASES;

	return each ? xgrow(counts, cap, n * each, sizeof *counts) : counts;
}

/* Whether all slots that threads have are there, so that the others need not be looked at: as many
 * as threads live, unless one has begun since the header was read, or had no slot. */
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

static void tame_name(char name[LOCKS_NAME_MAX])
{
	name[LOCKS_NAME_MAX - 1] = '\0';
	text_tame(name, '?');
}

static int read_threads(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	c->n_threads = 0;
	c->thread = xgrow(c->thread, &c->cap_threads, LOCKS_SLOTS, sizeof *c->thread);
	c->thread_counts = grow_counts(c, c->thread_counts, &c->cap_thread_counts, LOCKS_SLOTS);
	for (uint32_t slot = 0; slot < LOCKS_SLOTS && !has_all_threads(c, fd); slot++) {
		struct locks_thread *t = &c->thread[c->n_threads];
		const size_t at = locks_slot_offset(slot);
		const struct part part =
			part_of(c, t, sizeof *t, at, locks_copy_other(c, c->n_threads),
				c->header.max_rows + slot);
		int ret = file_read_at(fd, t, sizeof *t, at, err);

		if (!ret && (!slot || t->tid))
			ret = settle(&part, fd, ended, err);
		if (ret)
			return ret;
		if (t->state >= LOCKS_STATES)
			return err_set(err, EBADMSG, "is damaged");
		t->slot = slot;
		t->other.n_under_way = t->other.under_way = 0;
		if (t->state != LOCKS_WAITING || t->wait_for >= c->header.n_waits)
			t->wait_for = 0;
		tame_name(t->name);
		c->n_threads += !slot || t->tid;
	}
	return 0;
}

static int add_row(struct locks_copy *c, struct locks_row *row, int fd, uint32_t i, bool ended,
		   struct err *err)
{
	struct locks_row key = {.next = (uint32_t)c->n_rows};
	struct part part;
	int ret;

	c->row_counts = grow_counts(c, c->row_counts, &c->cap_row_counts, c->n_rows + 1);
	part = part_of(c, row, sizeof *row, locks_row_offset(i), locks_copy_counts(c, &key), i);
	ret = settle(&part, fd, ended, err);
	if (ret || row->slot == LOCKS_NO_SLOT)
		return ret;
	/* It may have been taken for a lock that is newer than the header. */
	if (!ended && row->instance > c->header.n_instances && row->instance <= LOCKS_INSTANCES)
		return err_set(err, EAGAIN, "changes all the time");
	if (!row->instance || row->instance > c->header.n_instances)
		return err_set(err, EBADMSG, "is damaged");
	c->row = xgrow(c->row, &c->cap_rows, c->n_rows + 1, sizeof *c->row);
	row->next = key.next;
	row->sequence = i + 1;
	row->n_under_way = row->under_way = 0;
	c->row[c->n_rows++] = *row;
	return 0;
}

static int read_rows(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	int ret = 0;

	c->n_rows = 0;
	c->scratch = c->scratch ? c->scratch : xmalloc(PIECE * sizeof *c->row);
	for (uint32_t i = 0; i < c->header.n_rows && !ret; i += PIECE) {
		const uint32_t left = c->header.n_rows - i, n = left < PIECE ? left : PIECE;
		struct locks_row *row = c->scratch;

		ret = file_read_at(fd, row, n * sizeof *row, locks_row_offset(i), err);
		for (uint32_t k = 0; k < n && !ret; k++)
			ret = add_row(c, &row[k], fd, i + k, ended, err);
	}
	return ret;
}

/* A wait that has ended since its thread was read may be in the rows already. */
static int check_waits(struct locks_copy *c, int fd, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->n_threads && !ret; i++) {
		struct locks_thread *t = &c->thread[i];
		uint32_t after = t->sequence;

		if (t->tid && t->state == LOCKS_WAITING)
			ret = file_read_at(fd, &after, sizeof after, locks_slot_offset(t->slot),
					   err);
		if (after != t->sequence)
			t->wait_since = 0;
	}
	return ret;
}

/* Those of a lock that is newer than the header are of several: they are in the sum. */
static int read_waits(struct locks_copy *c, int fd, struct err *err)
{
	const size_t size = c->header.n_waits * sizeof *c->wait;
	int ret;

	c->wait = xreallocarray(c->wait, c->header.n_waits + 1, sizeof *c->wait);
	ret = file_read_at(fd, c->wait, size, locks_wait_offset(0), err);
	for (uint32_t i = 0; i < c->header.n_waits && !ret; i++) {
		struct locks_wait *w = &c->wait[i];

		if (w->n_frames > LOCKS_FRAMES || w->instance > LOCKS_INSTANCES)
			ret = err_set(err, EBADMSG, "is damaged");
		else if (w->instance > c->header.n_instances)
			w->instance = 0;
	}
	return ret;
}

static int read_pasts(struct locks_copy *c, int fd, struct err *err)
{
	const size_t size = c->header.n_pasts * sizeof *c->past;
	int ret;

	c->past = xreallocarray(c->past, c->header.n_pasts + 1, sizeof *c->past);
	ret = file_read_at(fd, c->past, size, locks_past_offset(0), err);
	for (uint32_t i = 0; i < c->header.n_pasts && !ret; i++)
		tame_name(c->past[i].name);
	return ret;
}

/* A thread that ends meanwhile would be counted twice, or not at all. */
static int read_once(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	uint32_t after;
	int ret = read_header(c, fd, err);

	if (!ret)
		ret = read_modules(c, fd, err);
	if (!ret)
		ret = read_instances(c, fd, err);
	if (!ret)
		ret = read_threads(c, fd, ended, err);
	if (!ret)
		ret = read_rows(c, fd, ended, err);
	if (!ret && !ended)
		ret = check_waits(c, fd, err);
	if (!ret)
		ret = read_waits(c, fd, err);
	if (!ret)
		ret = read_pasts(c, fd, err);
	if (!ret)
		ret = file_read_at(fd, &after, sizeof after,
				   offsetof(struct locks_header, sequence), err);
	if (!ret && !ended && (c->header.sequence != after || after & 1))
		ret = err_set(err, EAGAIN, "changes all the time");
	return ret;
}

int locks_copy_read(struct locks_copy *c, int fd, bool ended, struct err *err)
{
	int ret = -EAGAIN;

	for (int tries = 0; ret == -EAGAIN && backoff(tries); tries++)
		ret = read_once(c, fd, ended, err);
	return ret;
}
