/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/dots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BRAILLE 0x2800

struct grid {
	int width, height;
	/* The bit of each dot, from the top of the left column on. */
	uint8_t bit[8];
};

static const struct grid grids[] = {
	[DOTS_BRAILLE] = {2, 4, {0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80}},
	[DOTS_BLOCKS] = {1, 2, {1, 2}},
	[DOTS_ASCII] = {1, 2, {1, 2}},
};

enum dots_style dots_style_here(enum dots_style finest)
{
	if (finest == DOTS_BRAILLE && wcwidth(BRAILLE + 1) == 1)
		return DOTS_BRAILLE;
	return finest != DOTS_ASCII && wcwidth(0x2580) == 1 ? DOTS_BLOCKS : DOTS_ASCII;
}

/* The fonts of the kernel's console have the half blocks of the PC, and no Braille. */
enum dots_style dots_style_of_terminal(const char *type)
{
	static const char *const consoles[] = {"linux", "cons25", "vt220", "vt320"};

	for (size_t i = 0; type && i < sizeof consoles / sizeof *consoles; i++)
		if (!strncmp(type, consoles[i], strlen(consoles[i])))
			return DOTS_BLOCKS;
	return DOTS_BRAILLE;
}

void dots_init(struct dots *d, enum dots_style style, int columns, int lines)
{
	const size_t n = (size_t)columns * (size_t)lines;

	*d = (struct dots){.style = style,
			   .columns = columns,
			   .lines = lines,
			   .width = columns * grids[style].width,
			   .height = lines * grids[style].height,
			   .set = xcalloc(n, sizeof *d->set),
			   .look = xcalloc(n, sizeof *d->look)};
}

void dots_done(struct dots *d)
{
	free(d->set);
	free(d->look);
	*d = (struct dots){.columns = 0};
}

void dots_set(struct dots *d, int x, int low, int high, uint8_t look)
{
	const struct grid *g = &grids[d->style];

	if (x < 0 || x >= d->width)
		return;
	low = low < 0 ? 0 : low;
	high = high < d->height ? high : d->height - 1;
	for (int y = low; y <= high; y++) {
		const int down = d->height - 1 - y;
		const int cell = down / g->height * d->columns + x / g->width;

		d->set[cell] |= g->bit[x % g->width * g->height + down % g->height];
		d->look[cell] = look;
	}
}

static wchar_t character_of(enum dots_style style, uint8_t set)
{
	static const wchar_t blocks[] = {L' ', 0x2580, 0x2584, 0x2588};
	static const wchar_t ascii[] = {L' ', L'\'', L'.', L':'};

	if (style == DOTS_BRAILLE)
		return BRAILLE + set;
	return style == DOTS_BLOCKS ? blocks[set] : ascii[set];
}

void dots_put(const struct dots *d, struct canvas *c, int x, int y)
{
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < d->lines * d->columns; i++) {
		if (!d->set[i])
			continue;
		strbuf_reset(&text);
		canvas_add_character(&text, character_of(d->style, d->set[i]));
		canvas_put(c, x + i % d->columns, y + i / d->columns, d->look[i], text.text);
	}
	strbuf_done(&text);
}
