/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/keys.h"

/* The columns that the text keeps, however long the label is. */
#define FIELD_MIN 10
/* From this width on, the cut ends of the text have marks. */
#define MARKS_MIN 5

void prompt_open(struct prompt *p, const char *label, const char *initial)
{
	*p = (struct prompt){.label = label, .selected = true};
	snprintf(p->text, sizeof(p->text), "%s", initial);
	p->len = p->cursor = strlen(p->text);
}

/* The place where the character before this place starts, or the one behind it. */
static size_t place_before(const struct prompt *p, size_t at)
{
	while (at > 0 && text_continues(p->text[--at]))
		;
	return at;
}

static size_t place_behind(const struct prompt *p, size_t at)
{
	at += at < p->len;
	while (at < p->len && text_continues(p->text[at]))
		at++;
	return at;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
	if (p->selected) {
		from = 0;
		to = p->len;
	}
	memmove(p->text + from, p->text + to, p->len + 1 - to);
	p->len -= to - from;
	p->cursor = from;
}

static void insert(struct prompt *p, const char *bytes, size_t n)
{
	if (p->selected)
		cut(p, 0, p->len);
	p->selected = false;
	if (p->len + n >= sizeof(p->text))
		return;
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->len + 1 - p->cursor);
	memcpy(p->text + p->cursor, bytes, n);
	p->len += n;
	p->cursor += n;
}

/* The number of bytes of a character that begins with this byte; 0: none does. */
static size_t sequence_length(unsigned char lead)
{
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static void take_byte(struct prompt *p, char byte)
{
	if (!text_continues(byte))
		p->n_partial = 0;
	else if (p->n_partial == 0)
		return;
	p->partial[p->n_partial++] = byte;
	if (p->n_partial < sequence_length((unsigned char)p->partial[0]))
		return;
	if (p->n_partial > 1)
		insert(p, p->partial, p->n_partial);
	p->n_partial = 0;
}

static void edit_left(struct prompt *p)
{
	p->cursor = place_before(p, p->cursor);
}

static void edit_right(struct prompt *p)
{
	p->cursor = place_behind(p, p->cursor);
}

static void edit_home(struct prompt *p)
{
	p->cursor = 0;
}

static void edit_end(struct prompt *p)
{
	p->cursor = p->len;
}

static void edit_backspace(struct prompt *p)
{
	cut(p, place_before(p, p->cursor), p->cursor);
}

static void edit_delete(struct prompt *p)
{
	cut(p, p->cursor, place_behind(p, p->cursor));
}

static void edit_line(struct prompt *p)
{
	cut(p, 0, p->cursor);
}

/* Deletes the word before the cursor, and the blanks behind that word. */
static void edit_word(struct prompt *p)
{
	size_t from = p->cursor;

	while (from > 0 && p->text[from - 1] == ' ')
		from--;
	while (from > 0 && p->text[from - 1] != ' ')
		from--;
	cut(p, from, p->cursor);
}

static const struct {
	int key;
	void (*act)(struct prompt *p);
} edit_table[] = {
	{KEYCODE_LEFT, edit_left},        {KEYCODE_RIGHT, edit_right},
	{KEYCODE_HOME, edit_home},        {KEYCODE_END, edit_end},
	{KEYCODE_DELETE, edit_delete},    {KEYCODE_BACKSPACE, edit_backspace},
	{KEYCODE_CTRL_H, edit_backspace}, {KEYCODE_CTRL_U, edit_line},
	{KEYCODE_CTRL_W, edit_word},
};

enum prompt_state prompt_key(struct prompt *p, int key)
{
	char byte = (char)key;
	bool in_sequence = key >= 0x80 && key < KEYCODE_FIRST;

	if (!in_sequence)
		p->n_partial = 0;
	switch (key) {
	case KEYCODE_ENTER:
	case '\n':
		return PROMPT_ACCEPTED;
	case KEYCODE_ESC:
	case KEYCODE_CTRL_C:
	case KEYCODE_CTRL_G:
		return PROMPT_CANCELLED;
	}
	for (size_t i = 0; i < sizeof(edit_table) / sizeof(edit_table[0]); i++)
		if (edit_table[i].key == key) {
			edit_table[i].act(p);
			p->selected = false;
			return PROMPT_OPEN;
		}
	if (key >= ' ' && key < KEYCODE_BACKSPACE)
		insert(p, &byte, 1);
	else if (in_sequence)
		take_byte(p, byte);
	return PROMPT_OPEN;
}

/* The columns of the first n bytes of a text. */
static int columns(const char *text, size_t n)
{
	struct canvas nowhere = CANVAS_INIT;

	return canvas_put_n(&nowhere, 0, 0, LOOK_NORMAL, text, n);
}

/* Paints the character under the cursor, with those without a width before it. */
static void paint_cursor(const struct prompt *p, struct canvas *c, int x, int y)
{
	size_t end = p->cursor;
	int wide = 0;

	while (end < p->len && wide == 0) {
		end = place_behind(p, end);
		wide = columns(p->text + p->cursor, end - p->cursor);
	}
	if (wide > 0)
		canvas_put_n(c, x, y, LOOK_HEADER, p->text + p->cursor, end - p->cursor);
	else
		canvas_fill(c, x, y, 1, LOOK_HEADER);
}

/* Where the parts of a prompt are painted. */
struct places {
	int label;  /* its columns */
	int field;  /* those of the text */
	int start;  /* how many columns of the text are left of the field */
	int all;    /* columns of the text, and of the cursor, which may stand behind it */
	int before; /* columns before the cursor */
};

static struct places places_of(const struct prompt *p, int width)
{
	struct places at = {
		.label = canvas_text_width(p->label),
		.all = columns(p->text, p->len) + 1,
		.before = columns(p->text, p->cursor),
	};

	if (at.label > width - FIELD_MIN)
		at.label = width > FIELD_MIN ? width - FIELD_MIN : 0;
	at.field = width - at.label;
	at.start = at.before - at.field / 2;
	at.start = at.start < at.all - at.field ? at.start : at.all - at.field;
	at.start = at.start > 0 ? at.start : 0;
	/* A field of one column shows the last character, not the cursor behind it. */
	if (at.field == 1 && p->cursor == p->len && at.before > 0)
		at.start = at.before - 1;
	return at;
}

int prompt_column(const struct prompt *p, int width, size_t at)
{
	const struct places places = places_of(p, width);
	int x = places.label - places.start + columns(p->text, at < p->len ? at : p->len);

	if (x < places.label)
		return places.label;
	return x < width ? x : width - 1;
}

#define KEYS "Enter accepts, ESC cancels"

/* The keys that end a prompt, as long as its text leaves room for them. */
static void paint_keys(struct canvas *c, int y, const struct places *at)
{
	const int x = c->width - canvas_text_width(KEYS);

	if (at->label + at->all + 1 < x)
		canvas_put(c, x, y, LOOK_FAINT, KEYS);
}

void prompt_paint(const struct prompt *p, struct canvas *c, int y)
{
	const struct places at = places_of(p, c->width);

	canvas_fill(c, 0, y, c->width, LOOK_NORMAL);
	paint_keys(c, y, &at);
	canvas_put(c, at.label - at.start, y, p->selected ? LOOK_HEADER : LOOK_NORMAL, p->text);
	paint_cursor(p, c, at.label - at.start + at.before, y);
	if (at.start > 0 && at.field >= MARKS_MIN)
		canvas_put(c, at.label, y, LOOK_FAINT, "<");
	if (at.all - at.start > at.field && at.field >= MARKS_MIN)
		canvas_put(c, c->width - 1, y, LOOK_FAINT, ">");
	canvas_fill(c, 0, y, at.label, LOOK_NORMAL);
	canvas_put_cut(c, 0, y, at.label, LOOK_NORMAL | LOOK_STRONG, p->label);
}
