/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * colour - a colour as a theme names it, and what becomes of it where there are fewer. Pure.
 *
 * A colour is the terminal's own, one of its numbered ones (the first 16 have names, and look as
 * the user has set them), or red, green and blue. The palette is never changed: what a terminal
 * lacks becomes the nearest of those that it has, as xterm shows them.
 */
#ifndef CONF_COLOUR_H
#define CONF_COLOUR_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

enum colour_kind {
	COLOUR_UNSET, /* whatever is below */
	COLOUR_TERMINAL,
	COLOUR_INDEX,
	COLOUR_RGB
};

struct colour {
	enum colour_kind kind;
	uint32_t value; /* the index, 0 to 255, or 0xrrggbb; else 0 */
};

/* Colours with names of their own. */
#define COLOUR_NAMED 16
/* How many a terminal has that takes red, green and blue. */
#define COLOUR_DIRECT (1 << 24)

/* Reads "terminal", "red", "bright-red", "208" or "#ff8700". -EINVAL with a sentence. */
int colour_parse(const char *text, struct colour *out, struct err *err);
/* Appends what colour_parse() reads as this colour, which is set. */
void colour_add(struct strbuf *out, struct colour c);

/* Red, green and blue of a numbered colour, as xterm has it. */
uint32_t colour_of_index(uint32_t index);
/* The nearest colour of a terminal that has `n` of them: 8, 16, 256 or COLOUR_DIRECT. */
struct colour colour_reduce(struct colour c, int n);
/* The text's colour; black or white of the terminal where it cannot be read on this background. */
struct colour colour_readable(struct colour fg, struct colour bg);

#endif
