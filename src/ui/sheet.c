/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/sheet.h"

#include <string.h>

#define NARROW_INDENT   4
#define TEXT_MIN_WIDTH  20
#define TITLE_MIN_WIDTH 8

int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n)
{
	int y = s->y >= s->first && s->y - s->first < s->n ? s->row + (int)(s->y - s->first) : -1;

	return canvas_put_n(s->canvas, x, y, attr, text, n);
}

void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text)
{
	do {
		const char *next;
		size_t n = canvas_wrap(text, s->canvas->width - x, &next);

		sheet_put(s, x, attr, text, n);
		s->y++;
		text = next;
	} while (*text);
}

int sheet_column(const struct sheet *s, int x)
{
	return s->canvas->width - x < TEXT_MIN_WIDTH ? NARROW_INDENT : x;
}

void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text)
{
	int end = sheet_put(s, SHEET_INDENT, label_attr, label, strlen(label));

	x = sheet_column(s, x);
	if (end >= x)
		s->y++;
	sheet_text(s, x, LOOK_NORMAL, text);
}

void sheet_title(struct sheet *s, const char *text)
{
	s->y++;
	sheet_text(s, 0, LOOK_NORMAL | LOOK_STRONG, text);
}

static void paint_title(struct canvas *c, const struct scroll *scroll, const char *title,
			const char *closes)
{
	struct strbuf text;
	int width;

	strbuf_init(&text);
	if (scroll->n > scroll->page)
		strbuf_addf(&text, "%zu-%zu of %zu, ", scroll->top + 1, scroll->top + scroll->page,
			    scroll->n);
	strbuf_addf(&text, "%s ", closes);
	canvas_fill(c, 0, 0, c->width, LOOK_HEADER);
	width = canvas_text_width(text.text);
	if (width + TITLE_MIN_WIDTH <= c->width)
		canvas_put(c, c->width - width, 0, LOOK_HEADER, text.text);
	else
		width = 0;
	strbuf_reset(&text);
	strbuf_addf(&text, " %s", title);
	canvas_put_cut(c, 0, 0, c->width - width - (width > 0), LOOK_HEADER | LOOK_STRONG,
		       text.text);
	strbuf_done(&text);
}

void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title, const char *closes,
		 void (*write)(struct sheet *s, const void *context), const void *context)
{
	int row = c->height >= 2;
	struct sheet count = {.canvas = c}, sheet;

	write(&count, context);
	scroll_fit(scroll, count.y, (size_t)(c->height - row));
	sheet = (struct sheet){.canvas = c, .first = scroll->top, .n = scroll->page, .row = row};
	write(&sheet, context);
	if (row)
		paint_title(c, scroll, title, closes);
}
