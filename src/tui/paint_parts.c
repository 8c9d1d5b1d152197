/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/paint_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "conf/theme.h"
#include "model/kinds.h"
#include "tui/canvas.h"
#include "tui/keymap.h"
#include "tui/layout.h"
#include "view/curve.h"
#include "view/format.h"
#include "view/row_filter.h"
#include "view/view.h"

/* ---- heat ----
 *
 * The position of a number between the smallest and the largest of its column, as one of five
 * looks. Pure.
 *
 * All rows of the frame but ancestors are compared, also those out of sight, so that scrolling
 * changes no colour. There is no heat for unknown numbers, for columns whose numbers are all equal,
 * and for columns that are not amounts, such as a CPU, a nice value or a text.
 */

struct heat {
	/* The range of each column; unless least < most, the column has no heat. */
	double least[LAYOUT_COLUMNS_MAX], most[LAYOUT_COLUMNS_MAX];
};

#define N_HEATS (LOOK_HEAT_5 - LOOK_HEAT_1 + 1)

/* Returns whether a column is an amount. A state without a unit is not an amount but an identifier,
 * such as a CPU number. */
static bool is_amount(const struct column *c)
{
	return !screen_column_is_text(c) && !(c->kind == COLUMN_STATE && c->unit == UNIT_NONE);
}

static void add(struct heat *h, const struct frame *frame, const struct frame_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct value v = frame_value(frame, row, i);

		if (!value_known(v) || !is_amount(&frame->screen->column[i]))
			continue;
		h->least[i] = v.number < h->least[i] ? v.number : h->least[i];
		h->most[i] = v.number > h->most[i] ? v.number : h->most[i];
	}
}

/* Finds the smallest and the largest number of each column. */
static void heat_fit(struct heat *h, const struct frame *frame)
{
	size_t n = frame->screen->n_columns;

	n = n < LAYOUT_COLUMNS_MAX ? n : LAYOUT_COLUMNS_MAX;
	for (size_t i = 0; i < LAYOUT_COLUMNS_MAX; i++) {
		h->least[i] = INFINITY;
		h->most[i] = -INFINITY;
	}
	for (size_t i = 0; i < frame->n; i++)
		if (!frame->row[i].ancestor)
			add(h, frame, &frame->row[i], n);
}

/* Returns the look of a number of column i; LOOK_NORMAL: no heat. h: NULL: heat is off. */
static enum look heat_look(const struct heat *h, size_t i, struct value v)
{
	double part;

	if (!h || i >= LAYOUT_COLUMNS_MAX || !value_known(v) || !(h->least[i] < h->most[i]))
		return LOOK_NORMAL;
	part = (v.number - h->least[i]) / (h->most[i] - h->least[i]);
	if (!(part >= 0 && part < 1))
		return part >= 1 ? LOOK_HEAT_5 : LOOK_HEAT_1;
	return (enum look)(LOOK_HEAT_1 + (int)(part * N_HEATS));
}

/* ---- spark ---- */

#define LEVELS    8
#define FIRST_BAR 0x2581
#define NO_NUMBER 0xb7

double spark_top(const struct value *v, size_t n, double top)
{
	for (size_t i = 0; i < n; i++)
		if (value_known(v[i]) && v[i].number > top)
			top = v[i].number;
	return top;
}

/* Returns the level of a bar, from 0 to LEVELS - 1. Numbers up to an eighth of the scale have level
 * 0. */
static int level_of(double number, double top)
{
	const int level = top > 0 ? (int)(number / top * LEVELS) : 0;

	return level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
}

static wchar_t picture_of(struct value v, double top)
{
	static const char ascii[LEVELS] = {'_', ',', '-', '=', '+', '*', '%', '#'};
	const bool bars = wcwidth(FIRST_BAR) == 1;

	if (v.quality == QUALITY_DIVZERO)
		return L' ';
	if (!value_known(v))
		return wcwidth(NO_NUMBER) == 1 ? NO_NUMBER : L'.';
	return bars ? FIRST_BAR + level_of(v.number, top) : ascii[level_of(v.number, top)];
}

void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top)
{
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		const bool rough = value_known(v[i]) && v[i].quality != QUALITY_EXACT;

		strbuf_reset(&text);
		canvas_add_character(&text, picture_of(v[i], top));
		x = canvas_put(c, x, y,
			       look != LOOK_NORMAL ? look
			       : rough             ? LOOK_ROUGH
			       : value_known(v[i]) ? LOOK_NORMAL
						   : LOOK_FAINT,
			       text.text);
	}
	strbuf_done(&text);
}

/* ---- rows ---- */

/* In %. The reason why there is no row does not mention a lower --cpu-min: a task below such a
 * limit has hardly run. */
#define CPU_MIN_SHOWN 0.01

/* The line with the names of the columns. */
struct names {
	struct canvas *c;
	int y, sort;
	int bracket; /* the place of [, see layout_bracket() */
	struct hits *hits;
};

/* Paints the name of a column into the cells [x, x + width). left: at the left end of the cells, as
 * above texts; else at the right end. The sorting column gets [ and ] in the blanks beside its
 * name. by: the sort key of the column (view/view.h). */
static void paint_name(const struct names *n, int x, int width, const char *name, bool left, int by)
{
	uint8_t look = by == n->sort ? LOOK_HEADER | LOOK_STRONG : LOOK_HEADER;
	int wide = canvas_text_width(name), y = n->y;
	struct canvas *c = n->c;
	int end = x + width < c->width ? x + width : c->width;

	hits_add(n->hits, x - 1, y, width + 1, (struct hit){HIT_NAME, by});
	if (by == n->sort) {
		canvas_fill(c, x - 1, y, width + 2, look);
		canvas_put(c, x + width, y, look, "]");
	}
	canvas_put_cut(c, wide < width && !left ? x + width - wide : x, y, end, look, name);
	if (by == n->sort)
		canvas_put(c, x + n->bracket, y, look, "[");
}

/* Paints the name of a column. If the column has shrunk, leaves out the blanks around the name. */
static void paint_column_name(const struct names *n, int x, int width, const struct column *column,
			      int by)
{
	int len = (int)strlen(column->header);
	const char *name =
		width < column->width ? screen_column_name(column, &len) : column->header;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_add(&text, name, (size_t)len);
	paint_name(n, x, width, text.text, screen_column_is_text(column), by);
	strbuf_done(&text);
}

void rows_paint_header(struct canvas *c, int y, const struct frame *frame,
		       const struct layout *layout, struct hits *hits)
{
	struct names names = {c, y, frame->view->sort, -1, hits};
	int n = (int)frame->screen->n_columns, x = layout->id + 2;

	canvas_fill(c, 0, y, c->width, LOOK_HEADER);
	paint_name(&names, 1, layout->id - 1, frame->kind->id_name, frame->kind->id_is_text,
		   SORT_PID);
	if (frame->show_user) {
		x += LAYOUT_USER_GAP - 1;
		paint_name(&names, x, FORMAT_USER_WIDTH, "user", true, SORT_USER);
		x += FORMAT_USER_WIDTH + 1;
	}
	if (layout_scrolled(layout, frame)) {
		const int gap =
			names.sort == SORT_USER && frame->show_user ? LAYOUT_USER_MARK_GAP : 0;

		canvas_put(c, x - 1 + gap, y, LOOK_HEADER, LAYOUT_MARK_LEFT);
		x += LAYOUT_MARK_WIDTH;
	}
	for (int i = 0; i < n; i++) {
		int width = layout_width(layout, frame, (size_t)i);

		if (!width)
			continue;
		x += layout_gap(layout, frame, (size_t)i);
		names.bracket = layout_bracket(layout, frame, (size_t)i);
		paint_column_name(&names, x, width, &frame->screen->column[i], i);
		x += width + 1;
	}
	names.bracket = -1;
	x += names.sort == n ? 0 : layout_gap(layout, frame, (size_t)n);
	if (layout_lacks(layout, frame)) {
		canvas_put(c, x, y, LOOK_HEADER, LAYOUT_MARK_RIGHT);
		x += LAYOUT_MARK_WIDTH;
	}
	x += names.sort == n ? layout_gap(layout, frame, (size_t)n) : 0;
	paint_name(&names, x + LAYOUT_GAP - 1, (int)strlen(frame->kind->label_name),
		   frame->kind->label_name, true, n);
}

/* The canvas, and the data for painting rows. */
struct table {
	struct canvas *c;
	const struct frame *frame;
	const struct layout *layout;
	/* [n_columns]: tops of the scales of bars, see find_tops(); NULL: no bars. */
	const double *top;
	const struct heat *heat; /* NULL: off */
	unsigned *marks;         /* the MARK_BIT()s painted so far */
};

static void paint_mark(const struct table *t, int x, int y, uint8_t look, enum mark mark)
{
	if (mark == N_MARKS || x >= t->c->width)
		return;
	canvas_put(t->c, x, y, look, mark_table[mark].sign);
	*t->marks |= MARK_BIT(mark);
}

/* Returns the look of a cell. Thresholds are for single tasks: they do not apply to totals, nor to
 * changes of values, nor to ended tasks. */
static uint8_t cell_look(const struct table *t, size_t i, uint8_t row_look, struct value v)
{
	const struct column *column = &t->frame->screen->column[i];
	const bool change = column_shows_change(column, t->frame->view->values);
	enum level level = change ? LEVEL_NONE : threshold_level(&column->warn, &column->crit, v);

	if (level != LEVEL_NONE && row_look != LOOK_TOTALS && LOOK_OF(row_look) != LOOK_DEAD)
		return level == LEVEL_CRIT ? LOOK_CRIT : LOOK_WARN;
	if (row_look != LOOK_NORMAL)
		return row_look;
	if (t->heat && !change && heat_look(t->heat, i, v) != LOOK_NORMAL)
		return heat_look(t->heat, i, v);
	if (v.quality == QUALITY_EXACT)
		return LOOK_NORMAL;
	return value_known(v) ? LOOK_ROUGH : LOOK_FAINT;
}

/* The greatest width of a column that has bars. */
#define BARS_MAX 200

/* Paints the last values of column i as bars into the `width` cells before `edge`. top: the top of
 * the scale, if all rows share it; 0: the row has its own scale. */
static void paint_bars(struct canvas *c, int edge, int width, int y, uint8_t look,
		       const struct frame *frame, const struct frame_row *row, size_t i, double top)
{
	const size_t n = (size_t)(width < BARS_MAX ? width : BARS_MAX);
	struct value v[BARS_MAX];

	past_read_last(frame, row, i, n, v);
	spark_put(c, edge - (int)n, y, look, v, n, top > 0 ? top : spark_top(v, n, 0));
}

/* Returns the top of the scale for each column whose rows share a scale, computed from the rows
 * [first, first + n); 0 for other columns. The caller frees the array. */
static double *find_tops(const struct frame *frame, const struct layout *layout, size_t first,
			 size_t n)
{
	double *top = xcalloc(frame->screen->n_columns, sizeof *top);
	struct value v[BARS_MAX];

	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		const int width = layout_width(layout, frame, i);
		const size_t bars = (size_t)(width < BARS_MAX ? width : BARS_MAX);

		for (size_t k = first; frame->screen->column[i].same_scale && k < first + n; k++) {
			past_read_last(frame, &frame->row[k], i, bars, v);
			top[i] = spark_top(v, bars, top[i]);
		}
	}
	return top;
}

/* Returns whether the task of the row has ended; false for the row of totals. */
static bool has_ended(const struct table *t, const struct frame_row *row)
{
	return row->task->dead && row != t->frame->total;
}

/* Writes the text of a cell that has `room` columns; shortens a longer number. */
static const char *write_cell(struct strbuf *text, const struct frame *frame,
			      const struct frame_row *row, size_t i, int room)
{
	const struct column *column = &frame->screen->column[i];

	strbuf_reset(text);
	format_row_cell(text, frame, row, i);
	format_shorten_cell(text, 0, column, frame_value(frame, row, i),
			    column_shows_change(column, frame->view->values), room, true);
	return format_trim_cell(text, column);
}

/* Paints the cells of a row; numbers are right-aligned. x: the first column after id and user. If
 * a mark stands in the blank before a cell, the cell has one column less, so that there is a blank
 * between them. */
static void paint_cells(const struct table *t, int x, int y, uint8_t look,
			const struct frame_row *row)
{
	const struct layout *layout = t->layout;
	const struct frame *frame = t->frame;
	struct canvas *c = t->c;
	int edge = x + (layout_scrolled(layout, frame) ? LAYOUT_MARK_WIDTH : 0);
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		const struct column *column = &frame->screen->column[i];
		const struct value v = frame_value(frame, row, i);
		uint8_t attr = cell_look(t, i, look, v);
		int width = layout_width(layout, frame, i), start;
		const char *shown;
		enum mark mark;

		if (!width)
			continue;
		edge += layout_gap(layout, frame, i) + 1 + width;
		if (column->spark && frame->history && row != frame->total) {
			paint_bars(c, edge, width, y, look, frame, row, i, t->top ? t->top[i] : 0);
			x = edge;
			continue;
		}
		shown = write_cell(&text, frame, row, i, edge - x > width ? width : edge - x - 1);
		start = edge - (screen_column_is_text(column) ? width : canvas_text_width(shown));
		if ((int)i == frame->view->sort)
			attr |= LOOK_STRONG;
		start = start > x ? start : x + 1;
		x = canvas_put_cut(c, start, y, edge < c->width ? edge : c->width, attr, shown);
		mark = mark_of_cell(v, has_ended(t, row));
		paint_mark(t, value_known(v) ? x : start, y, attr, mark);
		/* The mark takes a column, too. */
		x += mark_is_behind(mark, v);
	}
	strbuf_done(&text);
}

static uint8_t row_look(const struct frame_row *row)
{
	if (row->task->dead)
		return row->watched ? LOOK_DEAD | LOOK_STRONG : LOOK_DEAD;
	if (row->watched)
		return LOOK_WATCHED;
	if (row->ancestor)
		return LOOK_ANCESTOR;
	return row->idle ? LOOK_FAINT : LOOK_NORMAL;
}

/* Paints the id with its mark, and the user; returns the column after them. */
static int paint_task(const struct table *t, int y, uint8_t look, const struct frame_row *row)
{
	const struct frame *frame = t->frame;
	const struct view *view = frame->view;
	struct canvas *c = t->c;
	const int end = t->layout->id + 1, user = end + LAYOUT_USER_GAP;
	struct strbuf text;

	strbuf_init(&text);
	format_id(&text, frame, row);
	/* Remove the padding, which assumes that each character is one column wide. */
	while (row->task->kind->id_is_text && text.len && text.text[text.len - 1] == ' ')
		text.text[--text.len] = '\0';
	canvas_put_cut(c, 0, y, end < c->width ? end : c->width,
		       view->sort == SORT_PID ? look | LOOK_STRONG : look, text.text);
	strbuf_done(&text);
	if (has_ended(t, row))
		paint_mark(t, end - 1, y, look, MARK_ENDED);
	if (!frame->show_user)
		return end;
	canvas_put_cut(c, user, y, user + FORMAT_USER_WIDTH,
		       view->sort == SORT_USER ? look | LOOK_STRONG : look, row->task->user);
	return user + FORMAT_USER_WIDTH;
}

/* Returns the four texts from which format_branch() draws the lines of a tree. */
static const char *const *branch_texts(void)
{
	static const char *const drawn[] = {"\u2502 ", "  ", "\u251c\u2500", "\u2514\u2500"};
	static const char *const typed[] = {"| ", "  ", "|-", "`-"};

	return wcwidth(0x2502) == 1 && wcwidth(0x251c) == 1 ? drawn : typed;
}

static void paint_row(const struct table *t, int y, uint8_t look, const struct frame_row *row)
{
	bool by_command = t->frame->view->sort == (int)t->frame->screen->n_columns;
	const uint8_t plain = look & ~LOOK_STRONG;
	struct canvas *c = t->c;
	struct strbuf text;

	/* Fill the line: a look such as reverse or underline is then continuous. */
	if (plain == LOOK_WATCHED || plain == LOOK_TOTALS)
		canvas_fill(c, 0, y, c->width, look);
	paint_cells(t, paint_task(t, y, look, row), y, look, row);
	strbuf_init(&text);
	format_branch(&text, row, branch_texts());
	format_row_command(&text, row, t->layout->arguments);
	canvas_put_cut(c, layout_command(t->layout, t->frame), y, c->width,
		       by_command ? look | LOOK_STRONG : look, text.text);
	strbuf_done(&text);
}

unsigned rows_paint_total(struct canvas *c, int y, const struct frame *frame,
			  const struct layout *layout)
{
	unsigned marks = 0;
	const struct table table = {c, frame, layout, NULL, NULL, &marks};

	paint_row(&table, y, LOOK_TOTALS, frame->total);
	return marks;
}

/* Returns the kind of the rows; of groups, the kind of their members. */
static const struct kind *kind_of_rows(const struct frame *frame)
{
	const struct delta *delta = frame->delta;

	return (delta->groups ? delta->threads : delta)->kind;
}

/* Appends that no row passes the filters by user, pid and name. */
static void add_none(struct strbuf *out, const struct frame *frame)
{
	const struct view *view = frame->view;
	const struct kind *kind = kind_of_rows(frame);
	const char *name = kind == &kind_task ? "task" : kind->name;

	if (view->own_only)
		strbuf_addf(out, "you have no %s", name);
	else if (view->uid_name)
		strbuf_addf(out, "the user %s has no %s", view->uid_name, name);
	else
		strbuf_addf(out, "there is no %s", name);
	if (view->filter.pid)
		strbuf_addf(out, " with the pid %d", view->filter.pid);
	if (view->filter.text)
		strbuf_addf(out, " with '%s' in its %s", view->filter.text,
			    view->show_cmdline ? "command line" : "name");
	if (view->own_only)
		strbuf_addstr(out, "; tasks of other users, which you may not count, are hidden: "
				   "the key " KEY_OF("only-user") ", or -u, shows those of a user");
}

/* Returns whether the row filter compares a text with names only, although COMMAND may show
 * arguments after names. */
static bool compares_names(const struct frame *frame)
{
	const struct row_filter *filter = frame->view->row_filter;

	return filter && !row_filter_is_condition(filter) && !frame->view->show_cmdline &&
	       kind_is(frame->kind, &kind_task);
}

/* Appends that no row passes the row filter. */
static void add_filtered(struct strbuf *out, const struct frame *frame)
{
	const struct row_filter *filter = frame->view->row_filter;
	const char *advice = filter ? row_filter_advice(filter) : NULL;

	strbuf_addf(out, "no row passes the filter '%s'", frame->view->filter_text);
	if (advice)
		strbuf_addf(out, ", which is %s", advice);
	if (frame->n_unknown)
		strbuf_addf(out, "; of %zu it is not known", frame->n_unknown);
	strbuf_addstr(out, advice ? "; the key " KEY_OF("filter") " changes it"
				  : ": the key " KEY_OF("filter") " changes it");
	if (compares_names(frame))
		strbuf_addstr(out, "; it looks at names, and at command lines with the key " KEY_OF(
					   "command"));
}

/* Returns whether some tasks pass the row filter, but are hidden as idle. */
static bool all_idle(const struct frame *frame)
{
	const struct row_filter *filter = frame->view->row_filter;

	return filter && row_filter_is_of_task(filter) && frame->n_tasks > 0 && !frame->view->idle;
}

/* Appends that all rows are hidden as idle. */
static void add_idle(struct strbuf *out, const struct frame *frame)
{
	const struct kind *kind = kind_of_rows(frame);

	if (kind == &kind_task)
		strbuf_addstr(out, "no task ran");
	else
		strbuf_addf(out, "all %s were idle", kind->many ? kind->many : "rows");
	strbuf_addf(out, " in the last %.1f s: press " KEY_OF("idle") " to show idle ones",
		    (double)frame->interval_ns / 1e9);
}

/* Appends the reason why there is no row. */
static void add_reason(struct strbuf *out, const struct frame *frame)
{
	const struct view *view = frame->view;
	double interval_s = (double)frame->interval_ns / 1e9;

	if (frame->interval_ns == 0)
		strbuf_addstr(out, "measuring...");
	else if (all_idle(frame))
		strbuf_addf(
			out,
			"no task that passes the filter '%s' ran in the last %.1f s: press " KEY_OF(
				"idle") " to show idle ones",
			view->filter_text, interval_s);
	else if (frame->n_hidden + frame->n_unknown > 0)
		add_filtered(out, frame);
	else if (frame->n_tasks > 0 && view->cpu_min >= CPU_MIN_SHOWN)
		strbuf_addf(out,
			    "no task used %g %% of a CPU in the last %.1f s: press " KEY_OF(
				    "idle") " to show idle ones",
			    view->cpu_min, interval_s);
	else if (frame->n_tasks > 0)
		add_idle(out, frame);
	else
		add_none(out, frame);
}

unsigned rows_paint(struct canvas *c, int y, const struct frame *frame, const struct layout *layout,
		    const struct scroll *rows, const struct keymap *keymap)
{
	const size_t rest = rows->n - rows->top, n = rest < rows->page ? rest : rows->page;
	double *top = frame->history ? find_tops(frame, layout, rows->top, n) : NULL;
	unsigned marks = 0;
	struct heat heat;
	const struct table table = {c,     frame, layout, top, frame->view->heat ? &heat : NULL,
				    &marks};
	struct strbuf reason, text;

	if (frame->view->heat)
		heat_fit(&heat, frame);
	for (size_t i = 0; i < n; i++)
		paint_row(&table, y + (int)i, row_look(&frame->row[rows->top + i]),
			  &frame->row[rows->top + i]);
	free(top);
	if (frame->n > 0)
		return marks;
	strbuf_init(&reason);
	strbuf_init(&text);
	add_reason(&reason, frame);
	keymap_add_text(keymap, reason.text, &text);
	canvas_put_wrapped(c, y, (int)rows->page, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	strbuf_done(&reason);
	return marks;
}

/* ---- meters ----
 *
 * The use of CPUs and memory, as bars.
 *
 *   0[|||||||    34.1%] 1[||         4.0%] Mem[||||:::  5.1G/15.6G] Swp[      0/2.0G]
 *
 * Each CPU has a bar, and each kind of cores begins a line. If that takes too many lines, each kind
 * has one bar with the mean of its CPUs. ':' in the bar of a CPU is the time that the hypervisor
 * gave to other guests (steal), in the bar of memory the caches. The numbers in the bars have fixed
 * places.
 */

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
