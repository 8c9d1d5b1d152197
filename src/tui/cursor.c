/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cursor.h"

#include "tui/key.h"

void scroll_find_line(struct scroll_find *find, size_t n, size_t *line,
		      bool (*has)(const void *context, size_t i, const char *text),
		      const void *context)
{
	bool found = false;

	if (!*find->text)
		*line = find->origin;
	for (size_t i = 0; *find->text && i < n && !found; i++) {
		const size_t at = (find->seek > 0 ? find->from + i : find->from + n - 1 - i) % n;

		found = has(context, at, find->text);
		if (found)
			*line = at;
	}
	find->missed = *find->text && !found;
	find->seek = 0;
}

void scroll_fit(struct scroll *s, size_t n, size_t page)
{
	size_t last = n > page ? n - page : 0;

	s->n = n;
	s->page = page;
	if (s->top > last)
		s->top = last;
}

void scroll_show(struct scroll *s, size_t i)
{
	if (i < s->top)
		s->top = i;
	else if (s->page && i - s->top >= s->page)
		s->top = i - s->page + 1;
}

size_t scroll_move(size_t i, size_t n, size_t page, int key)
{
	switch (key) {
	case KEYCODE_UP:
		return i - (i > 0);
	case KEYCODE_DOWN:
		return i + 1;
	case KEYCODE_PGUP:
		return i - (page < i ? page : i);
	case KEYCODE_PGDN:
		return i + page;
	case KEYCODE_HOME:
		return 0;
	case KEYCODE_END:
		return n;
	default:
		return i;
	}
}

void scroll_key(struct scroll *s, int key)
{
	s->top = scroll_move(s->top, s->n, s->page, key);
	scroll_fit(s, s->n, s->page);
}

void scroll_text(struct scroll *s, int key)
{
	s->top = scroll_move(s->top, s->n, s->page > 1 ? s->page - 1 : s->page, key);
	scroll_fit(s, s->n, s->page);
}

void cursor_reset(struct cursor *c)
{
	*c = (struct cursor){.by_place = c->by_place};
}

void cursor_put(struct cursor *c, const struct frame *frame, size_t i)
{
	c->index = i;
	c->row = row_id_of(frame->row[i].task);
	c->held = true;
	c->follows = false;
}

bool cursor_key(struct cursor *c, struct scroll *rows, const struct frame *frame, int key)
{
	const struct cursor before = *c;
	const size_t top = rows->top, last = frame->n ? frame->n - 1 : 0;
	size_t i = scroll_move(c->index, frame->n, rows->page, key);

	i = i < last ? i : last;
	if (!frame->n || (i == c->index && !c->held))
		return false;
	if (key == KEYCODE_PGUP || key == KEYCODE_PGDN)
		scroll_key(rows, key);
	cursor_put(c, frame, i);
	c->held = key != KEYCODE_HOME;
	scroll_show(rows, i);
	return i != before.index || c->held != before.held || rows->top != top;
}

void cursor_fit(struct cursor *c, const struct frame *frame)
{
	size_t i = frame->n;

	if (!frame->n)
		return;
	if (c->held && (!c->by_place || c->follows))
		i = frame_find_row(frame, &c->row, c->index);
	c->follows &= i < frame->n;
	if (i == frame->n)
		i = c->index < frame->n ? c->index : frame->n - 1;
	c->index = i;
	c->row = row_id_of(frame->row[i].task);
}

const struct frame_row *cursor_row(const struct cursor *c, const struct frame *frame)
{
	return c->index < frame->n ? &frame->row[c->index] : NULL;
}

const struct frame_row *cursor_subject(const struct cursor *c, const struct frame *frame)
{
	for (size_t i = 0; !c->held && i < frame->n; i++)
		if (frame->row[i].watched)
			return &frame->row[i];
	return cursor_row(c, frame);
}
