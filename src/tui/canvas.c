/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/canvas.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void canvas_done(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas)CANVAS_INIT;
}

void canvas_resize(struct canvas *c, int width, int height)
{
	c->width = width > 0 ? width : 0;
	c->height = height > 0 ? height : 0;
	c->cell = xgrow(c->cell, &c->cap, (size_t)c->width * (size_t)c->height, sizeof(*c->cell));
	if (!c->height)
		return;
	for (int x = 0; x < c->width; x++)
		c->cell[x] = (struct cell){L' ', LOOK_NORMAL, LOOK_NORMAL, 0};
	for (int y = 1; y < c->height && c->width; y++)
		memcpy(c->cell + (size_t)y * (size_t)c->width, c->cell,
		       (size_t)c->width * sizeof *c->cell);
}

/* If cell i is one half of a wide character, blanks the other half, as cell i is about to be
 * overwritten. */
static void blank_other_half(struct canvas *c, size_t i, int x)
{
	if (c->cell[i].ch == 0 && x > 0)
		c->cell[i - 1].ch = L' ';
	if (x + 1 < c->width && c->cell[i + 1].ch == 0)
		c->cell[i + 1].ch = L' ';
}

static void set(struct canvas *c, int x, int y, wchar_t ch, uint8_t attr)
{
	size_t i = (size_t)y * (size_t)c->width + (size_t)x;

	blank_other_half(c, i, x);
	c->cell[i] = (struct cell){ch, attr, LOOK_NORMAL, 0};
}

/* If *x is left of the canvas, moves it to the left edge. Returns how many of the `width` columns
 * are on the canvas; 0 or less: none. */
static int clip(const struct canvas *c, int *x, int y, int width)
{
	if (*x < 0) {
		width += *x;
		*x = 0;
	}
	if (y < 0 || y >= c->height || *x >= c->width)
		return 0;
	return width < c->width - *x ? width : c->width - *x;
}

void canvas_fill(struct canvas *c, int x, int y, int width, uint8_t attr)
{
	for (width = clip(c, &x, y, width); width > 0; width--)
		set(c, x++, y, L' ', attr);
}

void canvas_lay(struct canvas *c, int x, int y, int width, enum look look)
{
	for (width = clip(c, &x, y, width); width > 0; width--, x++)
		c->cell[(size_t)y * (size_t)c->width + (size_t)x].laid = (uint8_t)look;
}

/* Returns the first character of the text as it is shown: '?' if it cannot be shown. Sets *len to
 * its number of bytes, and *columns to its width: 0, 1 or 2. */
static wchar_t decode_shown(const char *text, size_t n, size_t *len, int *columns)
{
	wchar_t ch;

	/* Fast path: most text is ASCII, which is the same in all locales. */
	*len = *columns = 1;
	if (*text >= 0x20 && *text < 0x7f)
		return (unsigned char)*text;
	ch = (wchar_t)text_decode(text, n, len);
	*columns = wcwidth(ch);
	if (*columns >= 0 && ch != TEXT_BAD && text_is_harmless((uint32_t)ch))
		return ch;
	*columns = 1;
	return L'?';
}

int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n)
{
	size_t len;
	int columns;

	n = strnlen(text, n);
	for (; n > 0; text += len, n -= len, x += columns) {
		wchar_t ch = decode_shown(text, n, &len, &columns);
		bool whole = x >= 0 && x + columns <= c->width;

		if (y < 0 || y >= c->height)
			continue;
		/* A wide character that is only half on the canvas is shown as a blank. */
		for (int i = 0; i < columns; i++)
			if (x + i >= 0 && x + i < c->width)
				set(c, x + i, y, L' ', attr);
		if (columns > 0 && whole)
			c->cell[(size_t)y * (size_t)c->width + (size_t)x].ch = ch;
		if (columns == 2 && whole)
			c->cell[(size_t)y * (size_t)c->width + (size_t)x + 1].ch = 0;
	}
	return x;
}

int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text)
{
	return canvas_put_n(c, x, y, attr, text, SIZE_MAX);
}

/* Returns how many bytes of the text fit into this number of columns. */
static size_t fitting_bytes(const char *text, int columns)
{
	size_t n = strlen(text), used = 0, len;
	int wide;

	while (used < n) {
		decode_shown(text + used, n - used, &len, &wide);
		columns -= wide;
		if (columns < 0)
			break;
		used += len;
	}
	return used;
}

const char *canvas_cut_mark(void)
{
	return wcwidth(0x2026) == 1 ? "\u2026" : "+";
}

int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text)
{
	size_t n = fitting_bytes(text, end - x);

	if (text[n] == '\0' || end <= x)
		return canvas_put_n(c, x, y, attr, text, n);
	x = canvas_put_n(c, x, y, attr, text, fitting_bytes(text, end - x - 1));
	x = canvas_put(c, x, y, attr, canvas_cut_mark());
	/* If a wide character did not fit, a cell is left over after the mark. */
	canvas_fill(c, x, y, end - x, attr);
	return end;
}

int canvas_text_width(const char *text)
{
	size_t n = strlen(text), len;
	int width = 0, columns;

	for (; n > 0; text += len, n -= len) {
		decode_shown(text, n, &len, &columns);
		width += columns;
	}
	return width;
}

size_t canvas_wrap(const char *text, int width, const char **next)
{
	size_t n = fitting_bytes(text, width), cut;

	if (text[n] != '\0') {
		for (cut = n; cut > 0 && text[cut] != ' '; cut--)
			;
		while (cut > 0 && text[cut - 1] == ' ')
			cut--;
		if (cut > 0)
			n = cut;
		if (n == 0)
			text_decode(text, strlen(text), &n);
	}
	*next = text + n;
	while (**next == ' ')
		(*next)++;
	return n;
}

int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text)
{
	int used = 0;

	while (*text && used < n) {
		const char *next;
		size_t len = canvas_wrap(text, c->width, &next);

		if (++used == n)
			canvas_put_cut(c, 0, y, c->width, attr, text);
		else
			canvas_put_n(c, 0, y++, attr, text, len);
		text = next;
	}
	return used;
}

void canvas_add_character(struct strbuf *out, wchar_t ch)
{
	static const wchar_t limit[] = {0x80, 0x800, 0x10000, 0x110000};
	static const unsigned char lead[] = {0x00, 0xc0, 0xe0, 0xf0};
	int more = 0;

	while (more < 3 && ch >= limit[more])
		more++;
	strbuf_addch(out, (char)(lead[more] | ch >> 6 * more));
	while (more-- > 0)
		strbuf_addch(out, (char)(0x80 | (ch >> 6 * more & 0x3f)));
}

static void end_line(struct strbuf *out)
{
	while (out->len > 0 && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	strbuf_addch(out, '\n');
}

static char letter_of(const struct cell *cell, bool laid)
{
	uint8_t attr = laid ? cell->laid : cell->attr;
	char letter = look_table[LOOK_OF(attr)].letter;

	if (attr == LOOK_NORMAL && (laid || cell->ch == L' '))
		return ' ';
	return attr & LOOK_STRONG ? (char)toupper(letter) : letter;
}

static void add_letters(const struct canvas *c, bool laid, struct strbuf *out)
{
	const struct cell *cell = c->cell;

	strbuf_addstr(out, "--\n");
	for (int y = 0; y < c->height; y++, end_line(out))
		for (int x = 0; x < c->width; x++, cell++)
			strbuf_addch(out, letter_of(cell, laid));
}

static bool has_laid_look(const struct canvas *c)
{
	bool laid = false;

	for (int i = 0; i < c->width * c->height; i++)
		laid = laid || c->cell[i].laid != LOOK_NORMAL;
	return laid;
}

void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out)
{
	const struct cell *cell = c->cell;

	for (int y = 0; y < c->height; y++, end_line(out))
		for (int x = 0; x < c->width; x++, cell++)
			if (cell->ch != 0)
				canvas_add_character(out, cell->ch);
	if (attrs)
		add_letters(c, false, out);
	if (attrs && has_laid_look(c))
		add_letters(c, true, out);
}

bool canvas_same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->attr == b->attr && a->laid == b->laid;
}

bool canvas_same_line(const struct canvas *a, const struct canvas *b, int y)
{
	const size_t width = (size_t)a->width, at = (size_t)y * width;

	return !memcmp(a->cell + at, b->cell + at, width * sizeof *a->cell);
}
