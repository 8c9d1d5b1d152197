/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/regions/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

/* How often what changes while it is read is read again: a row, and all of it. */
#define ROW_TRIES   100
#define TABLE_TRIES 8
/* What a thousand threads with dozens of regions have; who has more does not hold us up. */
#define BYTES_MAX (256 << 20)

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

/* A text of the process, in a field of this size. */
static void tame(char *text, size_t size)
{
	text[size - 1] = '\0';
	text_tame(text, '?');
}

/* It stands in JSON as a number. */
static void tame_rank(struct table_header *h)
{
	h->rank[sizeof h->rank - 1] = '\0';
	h->rank[strspn(h->rank, "0123456789")] = '\0';
}

static int read_header(struct table_copy *c, int fd, struct err *err)
{
	struct table_header *h = &c->header;
	struct stat file;
	int ret = file_read_at(fd, h, sizeof *h, 0, err);

	if (ret)
		return ret;
	if (fstat(fd, &file) || file.st_blocks > BYTES_MAX / 512)
		return err_set(err, EFBIG, "is too large: it has more than %d MiB",
			       BYTES_MAX >> 20);
	if (memcmp(h->magic, TABLE_MAGIC, sizeof h->magic) != 0)
		return err_set(err, EBADMSG, "is of another version of libtiptop");
	if (h->header_size != sizeof *h || h->n_events > TABLE_EVENTS ||
	    h->row_size != table_row_size(h->n_events) || h->n_regions > TABLE_REGIONS ||
	    !h->ns_per_tick || h->n_units > TABLE_UNITS)
		return err_set(err, EBADMSG, "is damaged");
	tame(h->program, sizeof h->program);
	tame(h->host, sizeof h->host);
	tame_rank(h);
	for (uint32_t u = 0; u < h->n_units; u++)
		tame(h->unit[u], sizeof h->unit[u]);
	for (uint32_t i = 0; i < h->n_events; i++) {
		tame(h->event[i].name, sizeof h->event[i].name);
		tame(h->event[i].reason, sizeof h->event[i].reason);
	}
	return 0;
}

static int read_labels(struct table_copy *c, int fd, struct err *err)
{
	const size_t size = c->header.n_regions * sizeof *c->region;
	int ret;

	c->region = xreallocarray(c->region, c->header.n_regions + 1, sizeof *c->region);
	ret = file_read_at(fd, c->region, size, sizeof c->header, err);

	for (uint32_t i = 0; i < c->header.n_regions && !ret; i++)
		tame(c->region[i].label, sizeof c->region[i].label);
	return ret;
}

static bool is_settled(uint32_t before, uint32_t after)
{
	return before == after && !(before & 1);
}

/* One row as it stood at one moment: as it came with its slot, unless its thread was writing it. */
static int settle_row(struct table_row *row, int fd, size_t size, size_t at, struct err *err)
{
	for (int try = 0; try < ROW_TRIES; try++) {
		uint32_t before = row->sequence, after;
		int ret = file_read_at(fd, &after, sizeof after, at, err);

		if (ret || is_settled(before, after))
			return ret;
		ret = file_read_at(fd, row, size, at, err);
		if (ret)
			return ret;
	}
	return err_set(err, EAGAIN, "changes all the time");
}

/* What is read of a table. */
struct reading {
	struct table_copy *c;
	int fd;
	bool ended; /* nobody writes it any more: it is as it was left */
};

static void add_lacks(struct table_copy *c, const struct table_slot *slot)
{
	c->slots.n_unmatched += slot->n_unmatched;
	c->slots.n_abandoned += slot->n_abandoned;
	c->slots.n_too_deep += slot->n_too_deep;
}

/* Adds the rows of one thread. gone: of all that have ended. */
static int add_slot(const struct reading *g, size_t at, bool gone, struct err *err)
{
	struct table_copy *c = g->c;
	const int fd = g->fd;
	const struct table_header *h = &c->header;
	const size_t first = at + sizeof(struct table_slot);
	struct table_slot slot;
	int ret = file_read_at(fd, &slot, sizeof slot, at, err);

	if (ret || (!gone && !slot.tid))
		return ret;
	add_lacks(c, &slot);
	ret = file_read_at(fd, c->scratch, (size_t)h->n_regions * h->row_size, first, err);
	for (uint32_t i = 0; i < h->n_regions && !ret; i++) {
		struct table_row *row = (void *)((char *)c->scratch + (size_t)i * h->row_size);

		c->n_going_on += gone ? 0 : row->depth;
		/* Only threads count the changes of their rows. */
		if (gone ? !row->calls : !row->sequence)
			continue;
		if (!g->ended && !gone)
			ret = settle_row(row, fd, h->row_size, first + (size_t)i * h->row_size,
					 err);
		c->n_torn += g->ended && !gone && row->sequence & 1;
		if (!ret && row->epoch == c->region[i].epoch)
			tt_table_add(table_copy_row(c, i), row, h->n_events);
	}
	return ret;
}

/* The first slot, from this one on, that is not a hole; TABLE_SLOTS: there is none. */
static unsigned next_slot(const struct table_header *h, int fd, size_t page, unsigned slot)
{
	const size_t first = table_slot_offset(h->row_size, page, 0);
	off_t data = lseek(fd, (off_t)table_slot_offset(h->row_size, page, slot), SEEK_DATA);
	size_t found;

	if (data < 0)
		return TABLE_SLOTS;
	found = ((size_t)data - first) / table_slot_size(h->row_size, page);
	return found < TABLE_SLOTS ? (unsigned)found : TABLE_SLOTS;
}

static int add_slots(const struct reading *g, struct err *err)
{
	const struct table_header *h = &g->c->header;
	const int fd = g->fd;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int ret = 0;

	for (unsigned slot = next_slot(h, fd, page, 0); slot < TABLE_SLOTS && !ret;
	     slot = next_slot(h, fd, page, slot + 1))
		ret = add_slot(g, table_slot_offset(h->row_size, page, slot), !slot, err);
	return ret;
}

/* A thread that ends meanwhile would be counted twice, or not at all. */
static int read_once(const struct reading *g, struct err *err)
{
	struct table_copy *c = g->c;
	const int fd = g->fd;
	uint32_t after;
	size_t size;
	int ret = read_header(c, fd, err);

	if (!ret && !g->ended && c->header.sequence & 1)
		ret = err_set(err, EAGAIN, "changes all the time");
	if (!ret)
		ret = read_labels(c, fd, err);
	if (ret)
		return ret;
	c->slots = (struct table_slot){.tid = 0};
	c->n_going_on = 0;
	c->n_torn = g->ended && c->header.sequence & 1;
	size = (size_t)c->header.n_regions * c->header.row_size;
	if (size > c->cap) {
		c->rows = xreallocarray(c->rows, size, 1);
		c->scratch = xreallocarray(c->scratch, size, 1);
		c->cap = size;
	}
	if (size)
		memset(c->rows, 0, size);
	ret = add_slots(g, err);
	if (!ret && !g->ended)
		ret = file_read_at(fd, &after, sizeof after,
				   offsetof(struct table_header, sequence), err);
	if (!ret && !g->ended && !is_settled(c->header.sequence, after))
		ret = err_set(err, EAGAIN, "changes all the time");
	return ret;
}

int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err)
{
	const struct reading reading = {c, fd, ended};
	int ret = -EAGAIN;

	for (int try = 0; try < TABLE_TRIES && ret == -EAGAIN; try++)
		ret = read_once(&reading, err);
	if (ret)
		c->header.n_regions = 0;
	return ret;
}

struct tt_lacks table_copy_lacks(const struct table_copy *c)
{
	return (struct tt_lacks){
		.n_abandoned = c->slots.n_abandoned,
		.n_unmatched = c->slots.n_unmatched,
		.n_too_deep = c->slots.n_too_deep,
		.n_going_on = c->n_going_on,
		.n_torn = c->n_torn,
		.n_unseen = c->header.n_unseen,
	};
}
