/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of paint: what memory is used for, as bars.
 *
 *   Mem[||||:::  5.1G/15.6G] Swp[      0/2.0G]
 *
 * In the bar of memory, ':' is what caches hold. Numbers keep their places.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/bar.h"
#include "ui/part.h"

#define METER_MIN_WIDTH 20 /* with the blank behind it */
#define KINDS_MAX       8

/* Meters that begin a line, and share it; more of them take more lines. */
struct block {
	size_t first, n;
	int columns;
};

struct meters {
	struct bar *v;
	size_t n, cap;
	struct block block[KINDS_MAX + 1];
	int n_blocks;
};

static void begin_block(struct meters *m)
{
	m->block[m->n_blocks++] = (struct block){.first = m->n};
}

static struct bar *add_bar(struct meters *m)
{
	m->v = xgrow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n] = (struct bar){.n_pieces = 0};
	m->block[m->n_blocks - 1].n++;
	return &m->v[m->n++];
}

static void set_fault(struct bar *m, const char *path, int error)
{
	m->fault = true;
	snprintf(m->text, sizeof m->text, "? %s: %s", path,
		 error == EINVAL ? "unknown format" : strerror(error));
}

/* "5.1G/15.6G", in which only the first number changes. */
static void set_sizes(struct bar *m, uint64_t used_kb, uint64_t total_kb)
{
	struct strbuf used, total;

	strbuf_init(&used);
	strbuf_init(&total);
	unit_add(&used, UNIT_KIB, (double)used_kb);
	unit_add(&total, UNIT_KIB, (double)total_kb);
	snprintf(m->text, sizeof m->text, "%5s/%s", used.text, total.text);
	strbuf_done(&used);
	strbuf_done(&total);
}

static uint64_t difference(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static void add_memory(struct meters *m, const struct use_delta *use)
{
	const struct memory_use *size = &use->memory;
	const double total = (double)size->total;
	struct bar *memory = add_bar(m), *swap;

	snprintf(memory->label, sizeof memory->label, "Mem");
	if (use->memory_error) {
		set_fault(memory, "/proc/meminfo", use->memory_error);
		return;
	}
	set_sizes(memory, difference(size->total, size->available), size->total);
	bar_add_piece(memory, (double)difference(size->total, size->available) / total, '|',
		      LOOK_BAR_USED);
	bar_add_piece(memory, (double)difference(size->available, size->free) / total, ':',
		      LOOK_BAR_CACHE);
	swap = add_bar(m);
	snprintf(swap->label, sizeof swap->label, "Swp");
	if (!size->swap_total) {
		snprintf(swap->text, sizeof swap->text, "none");
		return;
	}
	set_sizes(swap, difference(size->swap_total, size->swap_free), size->swap_total);
	bar_add_piece(swap,
		      (double)difference(size->swap_total, size->swap_free) /
			      (double)size->swap_total,
		      '|', LOOK_BAR_SWAP);
}

/* ---- where they stand ---- */

/* How many of them a line has room for. */
static int most_columns(const struct picture *p)
{
	int n = p->c->width / METER_MIN_WIDTH;

	return n > 1 ? n : 1;
}

static int most_lines(const struct picture *p)
{
	int n = p->c->height / 8;

	return n > 1 ? n : 1;
}

static int lines_for(size_t n, int columns)
{
	return ((int)n + columns - 1) / columns;
}

static void add_all(struct meters *m, const struct picture *p)
{
	begin_block(m);
	add_memory(m, p->frame->use);
}

/* The lines of a block are equally long. What does not fit into the lines that there are is left
 * out. Returns the number of lines. */
static int arrange(struct meters *m, const struct picture *p)
{
	int lines = 0;

	for (int i = 0; i < m->n_blocks; i++) {
		struct block *b = &m->block[i];
		const int most = most_columns(p), left = most_lines(p) - lines;

		if ((int)b->n > left * most)
			b->n = (size_t)(left * most);
		b->columns = b->n ? lines_for(b->n, lines_for(b->n, most)) : 1;
		lines += lines_for(b->n, b->columns);
	}
	return lines;
}

static int make_meters(struct meters *m, const struct picture *p)
{
	*m = (struct meters){.n = 0};
	if (!p->frame->use || !p->frame->use->wanted)
		return 0;
	add_all(m, p);
	return arrange(m, p);
}

int part_meter_lines(const struct picture *p)
{
	struct meters m;
	int lines = make_meters(&m, p);

	free(m.v);
	return lines;
}

void part_paint_meters(const struct picture *p, int y, int n)
{
	const int width = p->c->width;
	struct meters m;

	(void)n;
	make_meters(&m, p);
	for (int i = 0; i < m.n_blocks; i++) {
		const struct block *b = &m.block[i];

		for (int k = 0; k < (int)b->n; k++) {
			const int column = k % b->columns, x = column * width / b->columns,
				  next = (column + 1) * width / b->columns;

			/* The last one ends with the line. */
			bar_paint(p->c, x, y + k / b->columns, next - x - (next < width),
				  &m.v[b->first + (size_t)k]);
		}
		y += lines_for(b->n, b->columns);
	}
	free(m.v);
}
