/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of paint: the use of CPUs and memory, as bars.
 *
 *   0[|||||||    34.1%] 1[||         4.0%] Mem[||||:::  5.1G/15.6G] Swp[      0/2.0G]
 *
 * Each CPU has a bar, and each kind of cores begins a line. If that takes too many lines, each kind
 * has one bar with the mean of its CPUs. ':' in the bar of a CPU is the time that the hypervisor
 * gave to other guests (steal), in the bar of memory the caches. The numbers in the bars have fixed
 * places.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/canvas.h"
#include "tui/paint_part.h"

/* ---- bar ----
 *
 * The shares of a whole as a bar of one line, "label[||||::  34.1%]", with a text written over its
 * right end. Each share is a piece of the bar, with its own character and look. Pure.
 */

#define BAR_PIECES_MAX 5

struct bar_piece {
	double share; /* of the width of the bar, from 0 to 1 */
	char ch;
	uint8_t look;
};

struct bar {
	char label[32], text[48]; /* ASCII */
	bool fault; /* the numbers are unknown: the bar is only the text, which says why */
	struct bar_piece piece[BAR_PIECES_MAX]; /* from left to right */
	int n_pieces;
};

/* Adds a piece to a bar, which must have less than BAR_PIECES_MAX pieces. */
static void bar_add_piece(struct bar *b, double share, char ch, uint8_t look)
{
	b->piece[b->n_pieces++] = (struct bar_piece){share, ch, look};
}

/* Returns the piece that fills cell i of a bar of n cells. */
static struct bar_piece piece_at(const struct bar *b, int i, int n)
{
	double sum = 0;

	for (int k = 0; k < b->n_pieces; k++) {
		sum += b->piece[k].share;
		if (i < (int)lround(sum * n))
			return b->piece[k];
	}
	return (struct bar_piece){0, ' ', LOOK_BAR_EMPTY};
}

static void paint_pieces(struct canvas *c, int x, int y, int width, const struct bar *b)
{
	const int len = (int)strlen(b->text), start = width - len;

	for (int i = 0; i < width; i++) {
		struct bar_piece piece = piece_at(b, i, width);

		if (start >= 0 && i >= start)
			piece.ch = b->text[i - start];
		if (start >= 0 && i >= start && piece.look == LOOK_BAR_EMPTY)
			piece.look = LOOK_NORMAL;
		canvas_put_n(c, x + i, y, piece.look, &piece.ch, 1);
	}
	if (start < 0)
		canvas_put_cut(c, x, y, x + width, LOOK_NORMAL, b->text);
}

static void bar_paint(struct canvas *c, int x, int y, int width, const struct bar *b)
{
	const int end = x + width - 1;

	x = canvas_put_cut(c, x, y, end - 1, LOOK_BAR_FRAME, b->label);
	x = canvas_put(c, x, y, LOOK_BAR_FRAME, "[");
	if (b->fault)
		canvas_put_cut(c, x, y, end, LOOK_NOTE, b->text);
	else
		paint_pieces(c, x, y, end - x, b);
	canvas_put(c, end, y, LOOK_BAR_FRAME, "]");
}

/* ---- meters ---- */

#define METER_MIN_WIDTH 20 /* including the blank after the meter */
#define KINDS_MAX       8

/* Consecutive meters, `columns` on each line. The first one begins a new line. */
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

static void set_cpu(struct bar *m, const struct cpu_share *s)
{
	const struct value stolen = s->in[CPU_STOLEN];

	if (!value_known(s->busy)) {
		snprintf(m->text, sizeof m->text, "%s",
			 s->busy.quality == QUALITY_GONE ? "-"
							 : quality_table[s->busy.quality].mark);
		return;
	}
	bar_add_piece(m, s->in[CPU_USER].number / 100, '|', LOOK_BAR_USER);
	bar_add_piece(m, s->in[CPU_NICE].number / 100, '|', LOOK_BAR_NICE);
	bar_add_piece(m, s->in[CPU_SYSTEM].number / 100, '|', LOOK_BAR_SYSTEM);
	bar_add_piece(m, s->in[CPU_IRQ].number / 100, '|', LOOK_BAR_IRQ);
	bar_add_piece(m, stolen.number / 100, ':', LOOK_BAR_STEAL);
	/* Show the steal time only if it would not be rounded to 0.0. */
	if (stolen.number >= 0.05)
		snprintf(m->text, sizeof m->text, "st %.1f%% %5.1f%%", stolen.number,
			 s->busy.number);
	else
		snprintf(m->text, sizeof m->text, "%5.1f%%", s->busy.number);
}

/* Writes "5.1G/15.6G"; the first number is padded, as only this number changes. */
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

/* ---- CPUs ---- */

static int kind_of(const struct picture *p, const struct cpu_share *s)
{
	int kind = sample_machine_kind(p->frame->sample->machine, s->cpu);

	return kind < KINDS_MAX ? kind : KINDS_MAX - 1;
}

/* Counts the CPUs of each kind of cores. Returns the number of kinds that have CPUs. */
static int count_kinds(const struct picture *p, int n[KINDS_MAX])
{
	const struct use_delta *use = p->frame->use;
	int kinds = 0;

	memset(n, 0, KINDS_MAX * sizeof *n);
	for (size_t i = 0; i < use->n_shares; i++)
		kinds += !n[kind_of(p, &use->share[i])]++;
	return kinds;
}

/* Returns the usual name of a kind of cores: P, E or LP; for other kinds, the last part of the name
 * of their PMU. */
static const char *kind_name(const struct picture *p, int kind)
{
	static const char *const known[][2] = {
		{"cpu_core", "P"}, {"cpu_atom", "E"}, {"cpu_lowpower", "LP"}};
	const struct sample_machine *machine = p->frame->sample->machine;
	const char *name = machine && kind < machine->n_cores ? machine->core[kind] : "";

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(name, known[i][0]))
			return known[i][1];
	return strrchr(name, '_') ? strrchr(name, '_') + 1 : name;
}

static void add_cpus(struct meters *m, const struct picture *p, int kind, bool named)
{
	const struct use_delta *use = p->frame->use;

	for (size_t i = 0; i < use->n_shares; i++) {
		struct bar *meter;

		if (kind_of(p, &use->share[i]) != kind)
			continue;
		meter = add_bar(m);
		snprintf(meter->label, sizeof meter->label, "%.16s%s%d",
			 named ? kind_name(p, kind) : "", named ? " " : "", use->share[i].cpu);
		set_cpu(meter, &use->share[i]);
	}
}

/* Returns the mean of those CPUs of a kind that have numbers; if no CPU has numbers, a share with
 * QUALITY_FRESH. */
static struct cpu_share mean_of(const struct picture *p, int kind)
{
	const struct use_delta *use = p->frame->use;
	struct cpu_share mean = {.busy = value_none(QUALITY_FRESH)};
	int n = 0;

	for (size_t i = 0; i < use->n_shares; i++) {
		const struct cpu_share *s = &use->share[i];

		if (kind_of(p, s) != kind || !value_known(s->busy))
			continue;
		if (!n++)
			mean = (struct cpu_share){.busy = value_exact(0)};
		mean.busy.number += s->busy.number;
		for (int k = 0; k < N_CPU_STATES; k++)
			mean.in[k].number += s->in[k].number;
	}
	if (n)
		mean.busy.number /= n;
	for (int k = 0; n && k < N_CPU_STATES; k++)
		mean.in[k].number /= n;
	return mean;
}

static void add_mean(struct meters *m, const struct picture *p, int kind, int n, bool named)
{
	const struct cpu_share mean = mean_of(p, kind);
	struct bar *meter = add_bar(m);

	snprintf(meter->label, sizeof meter->label, "%d %.16s", n,
		 named   ? kind_name(p, kind)
		 : n > 1 ? "CPUs"
			 : "CPU");
	set_cpu(meter, &mean);
}

/* ---- places of the meters ---- */

/* Returns the maximum number of meters on a line. */
static int most_columns(const struct picture *p)
{
	int n = p->c->width / METER_MIN_WIDTH;

	return n > 1 ? n : 1;
}

static int most_lines(const struct picture *p)
{
	const int some = p->c->height / 8;

	return some < 1 || (p->c->height < PART_ALL_HEIGHT && !p->as_chosen) ? 1 : some;
}

static int lines_for(size_t n, int columns)
{
	return ((int)n + columns - 1) / columns;
}

/* Returns whether a bar for each CPU, and the bars of memory, would take too many lines. */
static bool must_fold(const struct picture *p, const int n[KINDS_MAX], int kinds)
{
	const int columns = most_columns(p);
	int lines = 0;

	for (int kind = 0; kind < KINDS_MAX; kind++)
		lines += lines_for((size_t)n[kind], columns);
	if (kinds > 1 || n[0] + 2 > columns)
		lines++;
	return lines > most_lines(p);
}

static void add_all(struct meters *m, const struct picture *p)
{
	int n[KINDS_MAX], kinds = count_kinds(p, n);
	bool fold = must_fold(p, n, kinds);

	begin_block(m);
	if (p->frame->use->cpu_error) {
		struct bar *meter = add_bar(m);

		snprintf(meter->label, sizeof meter->label, "CPU");
		set_fault(meter, "/proc/stat", p->frame->use->cpu_error);
	}
	for (int kind = 0; kind < KINDS_MAX; kind++) {
		if (!n[kind])
			continue;
		if (fold) {
			add_mean(m, p, kind, n[kind], kinds > 1);
			continue;
		}
		if (m->block[m->n_blocks - 1].n)
			begin_block(m);
		add_cpus(m, p, kind, kinds > 1);
	}
	/* The bars of memory stand after the bars of the CPUs if all bars fit on one line. */
	if (!fold && (m->n_blocks > 1 || (int)m->n + 2 > most_columns(p)))
		begin_block(m);
	add_memory(m, p->frame->use);
}

/* Sets the number of meters on each line of a block, so that its lines are about equally long.
 * Leaves out meters that do not fit into the available lines. Returns the number of lines. */
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

			/* The last meter of a full line ends at the edge, without a blank behind
			 * it. */
			bar_paint(p->c, x, y + k / b->columns, next - x - (next < width),
				  &m.v[b->first + (size_t)k]);
		}
		y += lines_for(b->n, b->columns);
	}
	free(m.v);
}
