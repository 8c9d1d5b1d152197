/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/term_look.h"

#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* Whether colours are red, green and blue for this terminal: terminfo has a flag for it, or how
 * many bits each of them has. */
static bool takes_rgb(void)
{
	const char *bits = tigetstr("RGB");

	return COLORS >= COLOUR_DIRECT &&
	       (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (bits && bits != (const char *)-1));
}

static int count_colours(void)
{
	static const int known[] = {256, 16, 8};
	const char *no_colour = getenv("NO_COLOR");

	if ((no_colour && *no_colour) || !has_colors() || start_color() == ERR ||
	    use_default_colors() == ERR)
		return 0;
	if (takes_rgb())
		return COLOUR_DIRECT;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (COLORS >= known[i])
			return known[i];
	return 0;
}

void term_looks_init(struct term_looks *l)
{
	l->colours = count_colours();
}

bool term_looks_use(struct term_looks *l, const struct theme *theme, const struct theme *plain)
{
	const struct theme *used = l->colours ? theme : plain;

	if (used == l->theme)
		return false;
	l->theme = used;
	memset(l->shown, 0, sizeof(l->shown));
	return true;
}

/* The number by which curses knows the colour. Where it takes red, green and blue, the first eight
 * numbers are still those of the palette. */
static int number_of(struct colour c, int colours)
{
	if (c.kind < COLOUR_INDEX)
		return -1;
	if (colours < COLOUR_DIRECT || (c.kind == COLOUR_INDEX && c.value < 8))
		return (int)c.value;
	if (c.kind == COLOUR_INDEX)
		return (int)colour_of_index(c.value);
	return c.value < 8 ? COLOR_BLACK : (int)c.value;
}

static attr_t attrs_of(uint8_t bits)
{
	return (bits & STYLE_BOLD ? A_BOLD : 0) | (bits & STYLE_DIM ? A_DIM : 0) |
	       (bits & STYLE_UNDERLINE ? A_UNDERLINE : 0) | (bits & STYLE_REVERSE ? A_REVERSE : 0);
}

const struct term_shown *term_looks_of(struct term_looks *l, const struct cell *cell)
{
	struct term_shown *shown =
		&l->shown[!!(cell->attr & LOOK_STRONG)][LOOK_OF(cell->attr)][cell->laid];
	struct style style;
	int pair = 0;

	if (shown->known || !l->theme)
		return shown;
	style = theme_style(l->theme, cell->attr, (enum look)cell->laid, l->colours);
	/* The terminal's own colours need no codes. */
	if (style.fg.kind >= COLOUR_INDEX || style.bg.kind >= COLOUR_INDEX)
		pair = alloc_pair(number_of(style.fg, l->colours), number_of(style.bg, l->colours));
	*shown = (struct term_shown){true, attrs_of(style.bits), pair > 0 ? (short)pair : 0};
	return shown;
}
