/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/search.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/format.h"

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
