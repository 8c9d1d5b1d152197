/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme - the colours and attributes in which each look (enum look) is shown. Pure.
 *
 * A colour that a theme does not set for a look is that of the look "normal"; if "normal" does not
 * set it either, it is the terminal's. A theme with the attribute like="..." begins as a copy of
 * the theme named there.
 *
 * Ownership: a list owns its themes, and a theme its strings.
 */
#ifndef CONF_THEME_H
#define CONF_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* ---- look ----
 * A look is the meaning of a piece of the live screen. A theme determines how it is shown.
 *
 * The attribute of a cell is a look, plus the bit LOOK_STRONG for emphasis. */

enum look {
	LOOK_NORMAL,
	/* Looks of tasks and their numbers. */
	LOOK_FAINT,
	LOOK_ROUGH,
	LOOK_DEAD,
	LOOK_WATCHED,
	LOOK_ANCESTOR,
	LOOK_TOTALS,
	LOOK_WARN,
	LOOK_CRIT,
	LOOK_HEAT_1, /* HEAT_1 to HEAT_5: from the smallest numbers to the largest */
	LOOK_HEAT_2,
	LOOK_HEAT_3,
	LOOK_HEAT_4,
	LOOK_HEAT_5,
	/* Looks of overlays on rows and texts. */
	LOOK_CURRENT,
	LOOK_FOLLOWED,
	LOOK_TAGGED,
	LOOK_MATCH,
	/* Looks of lines around the table, and of texts in panels. */
	LOOK_HEADER,
	LOOK_TAB,
	LOOK_TAB_CURRENT,
	LOOK_NOTE,
	LOOK_MESSAGE,
	LOOK_ERROR,
	LOOK_KEY,
	LOOK_LABEL,
	/* Looks of parts of bars. */
	LOOK_BAR_FRAME,
	LOOK_BAR_EMPTY,
	LOOK_BAR_USER,
	LOOK_BAR_NICE,
	LOOK_BAR_SYSTEM,
	LOOK_BAR_IRQ,
	LOOK_BAR_STEAL,
	LOOK_BAR_WAIT,
	LOOK_BAR_USED,
	LOOK_BAR_BUFFERS,
	LOOK_BAR_CACHE,
	LOOK_BAR_SWAP,
	/* Looks of curves in graphs. */
	LOOK_CURVE_1,
	LOOK_CURVE_2,
	N_LOOKS
};

/* A bit added to a look for emphasis. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter;      /* in text dumps of the live screen; upper case with LOOK_STRONG */
	const char *name; /* the name of the look in themes */
	/* The meaning of the look for a task or number; NULL: the help does not list it. */
	const char *help;
};

extern const struct look_row look_table[N_LOOKS];

/* ---- colour ----
 * Colours as themes name them, and their reduction for terminals with fewer colours. Pure.
 *
 * A colour is the terminal's default, a number from 0 to 255 (the first 16 have names, and users
 * often change them in their terminal), or a mixture of red, green and blue. The terminal's palette
 * is never changed: a colour that the terminal lacks becomes the nearest one that it has, assuming
 * xterm's values. */

enum colour_kind {
	COLOUR_UNSET, /* not set: the colour of the style below shows */
	COLOUR_TERMINAL,
	COLOUR_INDEX,
	COLOUR_RGB
};

struct colour {
	enum colour_kind kind;
	uint32_t value; /* COLOUR_INDEX: 0 to 255; COLOUR_RGB: 0xrrggbb; else 0 */
};

/* Number of colours with names. */
#define COLOUR_NAMED 16
/* Number of colours of a terminal with direct colours (red, green and blue). */
#define COLOUR_DIRECT (1 << 24)

/* Parses "terminal", "red", "bright-red", "208" or "#ff8700". Returns -EINVAL with a sentence for
 * any other text. */
int colour_parse(const char *text, struct colour *out, struct err *err);
/* Appends the text that colour_parse() reads as this colour; COLOUR_UNSET becomes "terminal". */
void colour_add(struct strbuf *out, struct colour c);

/* Returns red, green and blue of a numbered colour, as in xterm. */
uint32_t colour_of_index(uint32_t index);
/* Returns the colour nearest to c on a terminal with `n` colours: 8, 16, 256 or COLOUR_DIRECT. Of
 * 256, one of the first 16 is returned only if it is c. */
struct colour colour_reduce(struct colour c, int n);
/* Returns fg if text in this colour is readable on bg, or if one of the two is the terminal's
 * default or unset; else the terminal's black or white. */
struct colour colour_readable(struct colour fg, struct colour bg);

/* ---- theme ---- */

/* Bits of text attributes. */
enum style_bit { STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_UNDERLINE = 4, STYLE_REVERSE = 8 };

struct style {
	struct colour fg, bg;
	uint8_t bits;
};

/* The attributes of a <look>; fg, bg NULL: missing. */
struct theme_look_row {
	const char *name, *fg, *bg;
	bool bold, dim, underline, reverse;
};

/* A built-in theme, from config/themes.xml. */
struct theme_row {
	const char *name, *desc, *like;
	bool light; /* for a light background */
	const struct theme_look_row *look;
	size_t n_looks;
};

struct theme {
	char *name, *desc;
	char *like;  /* the theme that it was copied from; NULL: none */
	char *place; /* file and line; NULL: built in */
	bool own;    /* from the user's .tiptoprc, not from an additional file or built in */
	bool light, replace;
	bool given[N_LOOKS]; /* looks that the theme sets itself */
	struct style style[N_LOOKS];
};

struct theme_list {
	struct theme **v;
	size_t n, cap;
};

#define THEME_LIST_INIT                                                                            \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* The default theme, and the one without colours. */
#define THEME_DEFAULT    "default"
#define THEME_MONOCHROME "monochrome"

/* All built-in themes. */
extern const struct theme_row *const theme_built_in;
extern const size_t theme_built_in_n;

/* Adds a theme, which replaces a theme of the same name. It begins as a copy of `like`; NULL: with
 * no look set. */
struct theme *theme_list_add(struct theme_list *l, const char *name, const char *desc,
			     const struct theme *like);
void theme_list_add_built_in(struct theme_list *l);
void theme_list_done(struct theme_list *l);
/* Returns the theme with this name; NULL: none, with a sentence that lists all names. */
const struct theme *theme_list_find(const struct theme_list *l, const char *name, struct err *err);

/* Sets a look of the theme. Returns -ENOENT for an unknown look, -EINVAL for an invalid colour. */
int theme_set_look(struct theme *t, const struct theme_look_row *row, struct err *err);

/* Returns the style of a cell with this attribute, on a terminal with `colours` colours: 0, 8, 16,
 * 256 or COLOUR_DIRECT. laid: the overlay on the cell; LOOK_NORMAL: none. Text is readable on its
 * background, unless one of their colours is the terminal's default. */
struct style theme_style(const struct theme *t, uint8_t attr, enum look laid, int colours);

#endif
