/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/rows.h"

#include <string.h>

#include "view/format.h"

/* What is below this threshold of idle tasks, in %, has hardly run: no number is needed to say so. */
#define CPU_MIN_TOLD 0.01

void rows_paint_header(struct canvas *c, int y, const struct frame *frame)
{
	struct strbuf text;
	const char *open, *close;
	int x;

	strbuf_init(&text);
	format_header(&text, frame);
	canvas_fill(c, 0, y, c->width, LOOK_HEADER);
	canvas_put(c, 0, y, LOOK_HEADER, text.text);
	open = strchr(text.text, '[');
	close = strrchr(text.text, ']');
	if (open && close && close > open) {
		x = canvas_put_n(c, 0, y, LOOK_HEADER, text.text, (size_t)(open - text.text));
		canvas_put_n(c, x, y, LOOK_HEADER | LOOK_STRONG, open, (size_t)(close + 1 - open));
	}
	strbuf_done(&text);
}

static uint8_t cell_look(uint8_t row_look, struct value v)
{
	if (row_look != LOOK_NORMAL || v.quality == QUALITY_EXACT)
		return row_look;
	return value_known(v) ? LOOK_ROUGH : LOOK_FAINT;
}

/* The cells, each with its right edge at its column's, or as near to it as what stands before allows; returns the
 * column of the command. */
static int paint_cells(struct canvas *c, int x, int edge, int y, uint8_t look, const struct frame *frame,
		       const struct frame_row *row)
{
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < frame->screen->n_columns; i++) {
		const struct column *column = &frame->screen->column[i];
		uint8_t attr = cell_look(look, row->cell[i]);
		const char *number;
		int start;

		strbuf_reset(&text);
		format_cell(&text, column, row->cell[i]);
		number = text.text + strspn(text.text, " ");
		edge += 1 + column->width;
		start = edge - canvas_text_width(number);
		if ((int)i == frame->view->sort)
			attr |= LOOK_STRONG;
		x = canvas_put_cut(c, start > x ? start : x + 1, y, c->width, attr, number);
		if (value_known(row->cell[i]))
			canvas_put(c, x, y, attr, quality_table[row->cell[i].quality].mark);
	}
	strbuf_done(&text);
	return (x > edge ? x : edge) + 1;
}

static uint8_t row_look(const struct frame_row *row)
{
	if (row->task->dead)
		return row->watched ? LOOK_DEAD | LOOK_STRONG : LOOK_DEAD;
	if (row->watched)
		return LOOK_WATCHED;
	return row->idle ? LOOK_FAINT : LOOK_NORMAL;
}

static void paint_row(struct canvas *c, int y, const struct frame *frame, const struct frame_row *row)
{
	uint8_t look = row_look(row);
	bool by_command = frame->view->sort == (int)frame->screen->n_columns;
	struct strbuf text;
	int x;

	if (look == LOOK_WATCHED)
		canvas_fill(c, 0, y, c->width, look); /* one bar, where the look is no colour */
	strbuf_init(&text);
	format_task(&text, frame, row);
	x = canvas_put_cut(c, 0, y, c->width, look, text.text);
	x = paint_cells(c, x, x, y, look, frame, row);
	strbuf_reset(&text);
	format_row_command(&text, row);
	canvas_put(c, x, y, by_command ? look | LOOK_STRONG : look, text.text);
	strbuf_done(&text);
}

/* Nobody passes the filters. */
static void add_whom_none(struct strbuf *out, const struct view *view)
{
	if (view->own_only)
		strbuf_addstr(out, "you have no task");
	else if (view->uid_name)
		strbuf_addf(out, "the user %s has no task", view->uid_name);
	else
		strbuf_addstr(out, "there is no task");
	if (view->filter.pid)
		strbuf_addf(out, " with the pid %d", view->filter.pid);
	if (view->filter.text)
		strbuf_addf(out, " with '%s' in its %s", view->filter.text,
			    view->show_cmdline ? "command line" : "name");
	if (view->own_only)
		strbuf_addstr(out, "; those of other users are hidden, which you may not count: the key u, or -u, "
				   "shows those of a user");
}

/* Why there is no row. */
static void add_reason(struct strbuf *out, const struct frame *frame)
{
	const struct view *view = frame->view;
	double interval_s = (double)frame->interval_ns / 1e9;

	if (frame->interval_ns == 0)
		strbuf_addstr(out, "measuring...");
	else if (frame->n_tasks > 0 && view->cpu_min >= CPU_MIN_TOLD)
		strbuf_addf(out, "no task used %g %% of a CPU in the last %.1f s: press i to show idle ones",
			    view->cpu_min, interval_s);
	else if (frame->n_tasks > 0)
		strbuf_addf(out, "no task ran in the last %.1f s: press i to show idle ones", interval_s);
	else
		add_whom_none(out, view);
}

void rows_paint(struct canvas *c, int y, const struct frame *frame, const struct scroll *rows)
{
	struct strbuf text;

	for (size_t i = 0; i < rows->page && rows->top + i < rows->n; i++)
		paint_row(c, y + (int)i, frame, &frame->row[rows->top + i]);
	if (frame->n > 0)
		return;
	strbuf_init(&text);
	add_reason(&text, frame);
	canvas_put_wrapped(c, y, (int)rows->page, LOOK_NORMAL, text.text);
	strbuf_done(&text);
}
