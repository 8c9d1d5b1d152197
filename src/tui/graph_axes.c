/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of graph: lines, ticks and what is written at them. */
#include <string.h>

#include "tui/graph_part.h"

/* Between what is written at two ticks. */
#define GAP 2

/* The lines around the curves, where the terminal has them. */
struct strokes {
	const char *up, *tick_up, *corner, *across, *tick_across;
};

static const struct strokes *strokes_here(void)
{
	static const struct strokes lines = {"\u2502", "\u2524", "\u2514", "\u2500", "\u252c"};
	static const struct strokes ascii = {"|", "+", "+", "-", "+"};

	return wcwidth(0x2500) == 1 ? &lines : &ascii;
}

static void write_tick(const struct axis *a, bool time, double tick, struct strbuf *out)
{
	strbuf_reset(out);
	if (time)
		axis_write_time(a, tick, out);
	else
		axis_write(a, tick, out);
}

int graph_label_width(const struct axis *up)
{
	struct strbuf text;
	int width = 0;

	strbuf_init(&text);
	for (double t = axis_first_tick(up); t <= up->high + up->step / 2; t += up->step) {
		write_tick(up, false, t, &text);
		width = (int)text.len > width ? (int)text.len : width;
	}
	strbuf_done(&text);
	return width;
}

static void paint_up(const struct graph_painting *p, const struct strokes *s)
{
	const double height = p->up.high - p->up.low;
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < p->lines; i++)
		canvas_put(p->c, p->x - 1, p->y + i, LOOK_FAINT, s->up);
	for (double t = axis_first_tick(&p->up); t <= p->up.high + p->up.step / 2;
	     t += p->up.step) {
		int line = (int)((p->up.high - t) / height * p->lines);

		/* What is at the bottom stands beside the line there. */
		line = line > p->lines ? p->lines : line;
		write_tick(&p->up, false, t, &text);
		canvas_put(p->c, p->x - 1 - (int)text.len, p->y + line, LOOK_FAINT, text.text);
		if (line < p->lines)
			canvas_put(p->c, p->x - 1, p->y + line, LOOK_FAINT, s->tick_up);
	}
	strbuf_done(&text);
}

#define AXIS "instructions"

static void paint_across(const struct graph_painting *p, const struct strokes *s)
{
	const bool time = !p->curves->instructions;
	const int y = p->y + p->lines;
	const double width = p->across.high - p->across.low;
	/* What the axis is; of times that is seen. */
	const int end = p->c->width - (time ? 0 : (int)strlen(AXIS) + GAP);
	int free_from = 0;
	struct strbuf text;

	strbuf_init(&text);
	canvas_put(p->c, p->x - 1, y, LOOK_FAINT, s->corner);
	for (int i = 0; i < p->width; i++)
		canvas_put(p->c, p->x + i, y, LOOK_FAINT, s->across);
	for (double t = axis_first_tick(&p->across); t <= p->across.high; t += p->across.step) {
		const int x = p->x + (int)((t - p->across.low) / width * p->width);
		int begin;

		if (x >= p->x + p->width)
			break;
		canvas_put(p->c, x, y, LOOK_FAINT, s->tick_across);
		write_tick(&p->across, time, t, &text);
		begin = x - (int)text.len / 2;
		if (begin < free_from || begin + (int)text.len > end)
			continue;
		canvas_put(p->c, begin, y + 1, LOOK_FAINT, text.text);
		free_from = begin + (int)text.len + GAP;
	}
	if (!time)
		canvas_put_cut(p->c, end + GAP, y + 1, p->c->width, LOOK_FAINT, AXIS);
	strbuf_done(&text);
}

void graph_paint_axes(const struct graph_painting *p)
{
	const struct strokes *s = strokes_here();

	paint_up(p, s);
	paint_across(p, s);
}
