/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/sheet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/canvas.h"
#include "tui/cursor.h"

/* ---- key hints ---- */

/* Appends a hint; nothing if the action has no key. */
static void add_hint(struct strbuf *out, const struct key_hints *hints, const struct key_hint *hint)
{
	const size_t start = out->len;

	keymap_add_key_of(hints->keymap, hint->action, out);
	if (hint->other && out->len > start)
		strbuf_addch(out, ' ');
	if (hint->other)
		keymap_add_key_of(hints->keymap, hint->other, out);
	if (out->len > start)
		strbuf_addf(out, " %s", hint->text);
}

void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between, int room)
{
	const struct key_hint *hint = hints->hint;
	struct strbuf one, last;

	strbuf_init(&one);
	strbuf_init(&last);
	while (hint[1].action)
		hint++;
	add_hint(&last, hints, hint);
	room -= canvas_text_width(last.text);
	for (hint = hints->hint; hint[1].action; hint++) {
		strbuf_reset(&one);
		add_hint(&one, hints, hint);
		if (one.len && last.len)
			strbuf_addstr(&one, between);
		if (canvas_text_width(one.text) > room)
			continue;
		strbuf_addstr(out, one.text);
		room -= canvas_text_width(one.text);
	}
	if (room >= 0)
		strbuf_addstr(out, last.text);
	strbuf_done(&last);
	strbuf_done(&one);
}

/* ---- sheet ---- */

#define NARROW_INDENT   4
#define TEXT_MIN_WIDTH  20
#define TITLE_MIN_WIDTH 16 /* characters */

#define NOWHERE SIZE_MAX

/* Returns whether the first n bytes contain the text of the search. */
static bool has(const struct scroll_find *find, const char *text, size_t n)
{
	char *part = xasprintf("%.*s", (int)strnlen(text, n), text);
	bool found = strcasestr(part, find->text);

	free(part);
	return found;
}

static void note_match(struct sheet *s, const char *text, size_t n)
{
	if (!*s->find->text || !has(s->find, text, n))
		return;
	if (s->y < s->find->from)
		s->before = s->y;
	else if (s->behind == NOWHERE)
		s->behind = s->y;
}

/* Returns the line of the canvas that shows the current line of the sheet; -1: not visible. */
static int visible_row(const struct sheet *s)
{
	return s->y >= s->first && s->y - s->first < s->n ? s->row + (int)(s->y - s->first) : -1;
}

int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n)
{
	if (s->find)
		note_match(s, text, n);
	return canvas_put_n(s->canvas, x, visible_row(s), attr, text, n);
}

void sheet_put_rest(struct sheet *s, int x, uint8_t attr, const char *text)
{
	if (s->find)
		note_match(s, text, strlen(text));
	canvas_put_cut(s->canvas, x, visible_row(s), s->canvas->width, attr, text);
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
	size_t hidden;

	s->y++;
	/* Hide a title on the last visible line: nothing of its section would be visible. */
	hidden = s->n > 1 && s->y + 1 == s->first + s->n;
	s->n -= hidden;
	sheet_text(s, 0, LOOK_NORMAL | LOOK_STRONG, text);
	s->n += hidden;
}

/* Returns the number of columns that hints must leave to the title: its width, but at most half of
 * the line or TITLE_MIN_WIDTH. */
static int title_room(const struct canvas *c, const char *title)
{
	const int width = canvas_text_width(title);
	const int most = c->width / 2 > TITLE_MIN_WIDTH ? c->width / 2 : TITLE_MIN_WIDTH;

	return width < most ? width : most;
}

/* Paints the line of the title. On a narrow line, leaves out first the position in the sheet, then
 * hints. */
static void paint_title(struct canvas *c, const struct scroll *scroll, const char *title,
			const struct key_hints *hints)
{
	const int room = c->width - title_room(c, title) - 2;
	struct strbuf text, place;
	int width;

	strbuf_init(&text);
	strbuf_init(&place);
	canvas_fill(c, 0, 0, c->width, LOOK_HEADER);
	key_hints_add(&text, hints, ", ", room);
	if (scroll->page && scroll->n > scroll->page)
		strbuf_addf(&place, "%zu-%zu of %zu%s", scroll->top + 1, scroll->top + scroll->page,
			    scroll->n, text.len ? ", " : "");
	width = canvas_text_width(text.text);
	if (width + canvas_text_width(place.text) <= room)
		width += canvas_text_width(place.text);
	else
		strbuf_reset(&place);
	strbuf_addstr(&place, text.text);
	if (width++ > 0)
		canvas_put(c, c->width - width, 0, LOOK_HEADER, place.text);
	strbuf_reset(&text);
	strbuf_addf(&text, " %s", title);
	canvas_put_cut(c, 0, 0, c->width - width - (width > 1), LOOK_HEADER | LOOK_STRONG,
		       text.text);
	strbuf_done(&place);
	strbuf_done(&text);
}

/* Scrolls the match of the search to the top. */
static void scroll_to_match(struct scroll *scroll, const struct sheet *count)
{
	struct scroll_find *find = scroll->find;
	size_t line = find->seek > 0 ? count->behind : count->before;

	find->missed = *find->text && line == NOWHERE;
	if (line != NOWHERE)
		scroll->top = line;
	else if (!*find->text)
		scroll->top = find->from;
	find->seek = 0;
}

void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context)
{
	sheet_paint_below(c, scroll, 0, title, hints, write, context);
}

void sheet_paint_below(struct canvas *c, struct scroll *scroll, int lines, const char *title,
		       const struct key_hints *hints,
		       void (*write)(struct sheet *s, const void *context), const void *context)
{
	const bool titled = c->height >= 2;
	const int row = titled + lines;
	struct sheet count = {.canvas = c, .before = NOWHERE, .behind = NOWHERE}, sheet;

	if (scroll->find && scroll->find->seek)
		count.find = scroll->find;
	write(&count, context);
	if (count.find)
		scroll_to_match(scroll, &count);
	scroll_fit(scroll, count.y, (size_t)(c->height > row ? c->height - row : 0));
	sheet = (struct sheet){.canvas = c, .first = scroll->top, .n = scroll->page, .row = row};
	write(&sheet, context);
	for (int y = row; scroll->find && y < c->height; y++)
		search_mark(scroll->find->text, c, 0, y, c->width);
	if (titled)
		paint_title(c, scroll, title, hints);
}
