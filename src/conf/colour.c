/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/colour.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static const char *const names[COLOUR_NAMED] = {
	"black",        "red",           "green",       "yellow",         "blue",
	"magenta",      "cyan",          "white",       "bright-black",   "bright-red",
	"bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
	"bright-white",
};

static const uint32_t named_rgb[COLOUR_NAMED] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* Behind the named ones stands a cube of CUBE_SIDE shades of each of the three, then greys. */
#define CUBE_SIDE  6
#define GREY_FIRST (COLOUR_NAMED + CUBE_SIDE * CUBE_SIDE * CUBE_SIDE)

/* Text can be read where it is so much lighter or darker than what is behind it; black can be read
 * from this lightness on. */
#define READABLE_MIN  90
#define READABLE_FROM 110

static bool parse_rgb(const char *text, struct colour *out)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t rgb = 0;

	if (*text++ != '#' || strlen(text) != 6)
		return false;
	for (; *text; text++) {
		const char *digit =
			strchr(digits, *text >= 'A' && *text <= 'F' ? *text | 0x20 : *text);

		if (!digit)
			return false;
		rgb = rgb << 4 | (uint32_t)(digit - digits);
	}
	*out = (struct colour){COLOUR_RGB, rgb};
	return true;
}

int colour_parse(const char *text, struct colour *out, struct err *err)
{
	long index;

	if (!strcmp(text, "terminal")) {
		*out = (struct colour){COLOUR_TERMINAL, 0};
		return 0;
	}
	for (uint32_t i = 0; i < COLOUR_NAMED; i++)
		if (!strcmp(text, names[i])) {
			*out = (struct colour){COLOUR_INDEX, i};
			return 0;
		}
	if (parse_rgb(text, out))
		return 0;
	if (!num_parse_int(text, "", 0, 255, &index, NULL)) {
		*out = (struct colour){COLOUR_INDEX, (uint32_t)index};
		return 0;
	}
	return err_set(
		err, EINVAL,
		"'%s' is no colour: write red, bright-red or another of the sixteen names, a "
		"number up to 255, #ff8700, or terminal for the one that the terminal has",
		text);
}

void colour_add(struct strbuf *out, struct colour c)
{
	if (c.kind == COLOUR_RGB)
		strbuf_addf(out, "#%06x", c.value);
	else if (c.kind == COLOUR_INDEX && c.value < COLOUR_NAMED)
		strbuf_addstr(out, names[c.value]);
	else if (c.kind == COLOUR_INDEX)
		strbuf_addf(out, "%u", c.value);
	else
		strbuf_addstr(out, "terminal");
}

uint32_t colour_of_index(uint32_t index)
{
	static const uint32_t shade[CUBE_SIDE] = {0, 95, 135, 175, 215, 255};

	if (index < COLOUR_NAMED)
		return named_rgb[index];
	if (index >= GREY_FIRST)
		return (8 + 10 * (index - GREY_FIRST)) * 0x010101;
	index -= COLOUR_NAMED;
	return shade[index / CUBE_SIDE / CUBE_SIDE] << 16 |
	       shade[index / CUBE_SIDE % CUBE_SIDE] << 8 | shade[index % CUBE_SIDE];
}

static int part(uint32_t rgb, int shift)
{
	return (int)(rgb >> shift & 0xff);
}

/* How light it is, from 0 to 255, as the eye has it. */
static int lightness(uint32_t rgb)
{
	return (299 * part(rgb, 16) + 587 * part(rgb, 8) + 114 * part(rgb, 0)) / 1000;
}

/* How different two colours look: by their lightness, and by what red and blue differ from it, so
 * that grey stays grey. */
static int distance(uint32_t a, uint32_t b)
{
	int light = lightness(a) - lightness(b);
	int red = part(a, 16) - part(b, 16) - light, blue = part(a, 0) - part(b, 0) - light;

	return light * light + red * red + blue * blue;
}

/* Of the colours [from, to). */
static struct colour nearest(uint32_t rgb, uint32_t from, uint32_t to)
{
	uint32_t best = from;

	for (uint32_t i = from; i < to; i++)
		if (distance(rgb, colour_of_index(i)) < distance(rgb, colour_of_index(best)))
			best = i;
	return (struct colour){COLOUR_INDEX, best};
}

static uint32_t rgb_of(struct colour c)
{
	return c.kind == COLOUR_INDEX ? colour_of_index(c.value) : c.value;
}

struct colour colour_reduce(struct colour c, int n)
{
	if (c.kind < COLOUR_INDEX || (c.kind == COLOUR_INDEX && c.value < (uint32_t)n))
		return c;
	/* Users change the first sixteen: only the others are sure to be what they are called. */
	if (n == 256)
		return nearest(rgb_of(c), COLOUR_NAMED, 256);
	return n < 256 ? nearest(rgb_of(c), 0, (uint32_t)n) : c;
}

struct colour colour_readable(struct colour fg, struct colour bg)
{
	int behind = lightness(rgb_of(bg));

	if (fg.kind < COLOUR_INDEX || bg.kind < COLOUR_INDEX ||
	    abs(lightness(rgb_of(fg)) - behind) >= READABLE_MIN)
		return fg;
	return (struct colour){COLOUR_INDEX, behind >= READABLE_FROM ? 0 : 7};
}
