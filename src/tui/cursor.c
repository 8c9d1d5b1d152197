/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cursor.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "tui/key.h"
#include "view/format.h"

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

/* Scrolls by a key: UP DOWN PGUP PGDN HOME END. */
static void scroll_key(struct scroll *s, int key)
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

/* ---- search ---- */

static bool has(const char *where, const char *what)
{
	return where && strcasestr(where, what);
}

static bool command_has(const struct frame_row *row, bool arguments, const char *what)
{
	struct strbuf text;
	bool found;

	strbuf_init(&text);
	format_row_command(&text, row, arguments);
	found = has(text.text, what);
	strbuf_done(&text);
	return found;
}

bool search_matches(const struct search *s, const struct frame_row *row, bool arguments)
{
	const struct task *t = row->task;
	char id[24];

	if (!*s->text)
		return false;
	if (has(t->user, s->text) || command_has(row, arguments, s->text))
		return true;
	if (t->kind->id_is_text)
		return has(t->name, s->text);
	snprintf(id, sizeof id, "%" PRIu64, task_number(t));
	return has(id, s->text);
}

/* Moves the cursor to the first match from row `first` on in this direction, wrapping around.
 * Returns false if no row matches. */
static bool move_to_match(const struct search *s, size_t first, int direction, bool arguments,
			  struct cursor *c, const struct frame *frame)
{
	for (size_t i = 0; i < frame->n; i++) {
		size_t at = direction > 0 ? first + i : first + frame->n - i;

		if (!search_matches(s, &frame->row[at % frame->n], arguments))
			continue;
		cursor_put(c, frame, at % frame->n);
		return true;
	}
	return false;
}

void search_begin(struct search *s, const struct cursor *from)
{
	s->typing = true;
	s->waits = false;
	s->from = *from;
}

/* Moves the cursor to the first match from the current row on; matches in arguments are used only
 * if there are no others. */
static bool go_to_first(struct search *s, bool arguments, struct cursor *c,
			const struct frame *frame)
{
	const bool found = move_to_match(s, c->index, 1, false, c, frame) ||
			   (arguments && move_to_match(s, c->index, 1, true, c, frame));

	s->waits = !found;
	return found;
}

bool search_type(struct search *s, const char *text, bool arguments, struct cursor *c,
		 const struct frame *frame)
{
	snprintf(s->text, sizeof s->text, "%s", text);
	*c = s->from;
	cursor_fit(c, frame);
	s->waits = false;
	return !*text || go_to_first(s, arguments, c, frame);
}

bool search_resume(struct search *s, bool arguments, struct cursor *c, const struct frame *frame)
{
	return s->waits && !s->typing && go_to_first(s, arguments, c, frame);
}

bool search_step(const struct search *s, int direction, bool arguments, struct cursor *c,
		 const struct frame *frame)
{
	if (!frame->n)
		return false;
	return move_to_match(s, direction > 0 ? c->index + 1 : c->index + frame->n - 1, direction,
			     arguments, c, frame);
}

void search_accept(struct search *s)
{
	s->typing = false;
}

void search_cancel(struct search *s, struct cursor *c, const struct frame *frame)
{
	*c = s->from;
	cursor_fit(c, frame);
	s->typing = s->waits = false;
	*s->text = '\0';
}

static wchar_t lower(wchar_t ch)
{
	return ch < 0x80 ? (wchar_t)tolower((int)ch) : ch;
}

/* Returns the number of cells that the text takes from x on; 0: the line has another text at x. */
static int width_at(const char *text, const struct cell *line, int x, int end)
{
	size_t n = strlen(text), len;
	int at = x;

	for (; n > 0; text += len, n -= len) {
		wchar_t ch = (wchar_t)text_decode(text, n, &len);

		if (at >= end || lower(line[at].ch) != lower(ch))
			return 0;
		do
			at++;
		while (at < end && line[at].ch == 0); /* the right half of a wide character */
	}
	return at - x;
}

void search_mark(const char *text, struct canvas *c, int x, int y, int end)
{
	const struct cell *line = c->cell + (size_t)y * (size_t)c->width;
	int width;

	end = end < c->width ? end : c->width;
	for (; *text && x < end; x += width ? width : 1) {
		width = width_at(text, line, x, end);
		canvas_lay(c, x, y, width, LOOK_MATCH);
	}
}
