/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme - the colours and attributes of each look. Pure.
 *
 * What a theme leaves out of a look is taken from the look "normal", and what is missing there from
 * the terminal. A theme that is like another one starts as a copy of it.
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
 * The meaning of a piece of the screen; a theme says how it is shown.
 *
 * An attribute is a look, with LOOK_STRONG for emphasis. */

enum look {
	LOOK_NORMAL,
	/* Tasks and their numbers. */
	LOOK_FAINT,
	LOOK_ROUGH,
	LOOK_DEAD,
	LOOK_WATCHED,
	LOOK_ANCESTOR,
	LOOK_TOTALS,
	LOOK_WARN,
	LOOK_CRIT,
	LOOK_HEAT_1, /* from the smallest to the largest */
	LOOK_HEAT_2,
	LOOK_HEAT_3,
	LOOK_HEAT_4,
	LOOK_HEAT_5,
	/* Overlays on rows and texts. */
	LOOK_CURRENT,
	LOOK_FOLLOWED,
	LOOK_TAGGED,
	LOOK_MATCH,
	/* Around the table, and in panels. */
	LOOK_HEADER,
	LOOK_TAB,
	LOOK_TAB_CURRENT,
	LOOK_NOTE,
	LOOK_MESSAGE,
	LOOK_ERROR,
	LOOK_KEY,
	LOOK_LABEL,
	/* Parts of bars. */
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
	/* Graphs. */
	LOOK_CURVE_1,
	LOOK_CURVE_2,
	N_LOOKS
};

/* A bit added to a look for emphasis. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter;      /* in dumps; upper case if strong */
	const char *name; /* in themes */
	/* The meaning for a task or number, for the help; NULL: not in the help. */
	const char *help;
};

extern const struct look_row look_table[N_LOOKS];

/* ---- colour ----
 * Colours as themes name them, and their reduction for terminals with fewer colours. Pure.
 *
 * A colour is the terminal's default, a numbered one (the first 16 have names and look as the user
 * has set them), or red, green and blue. The palette is never changed: a colour that a terminal
 * lacks becomes the nearest of those that it has, assuming xterm's values. */

enum colour_kind {
	COLOUR_UNSET, /* the colour below */
	COLOUR_TERMINAL,
	COLOUR_INDEX,
	COLOUR_RGB
};

struct colour {
	enum colour_kind kind;
	uint32_t value; /* the index, 0 to 255, or 0xrrggbb; else 0 */
};

/* Number of colours with names. */
#define COLOUR_NAMED 16
/* Number of colours of a terminal with direct colours (red, green and blue). */
#define COLOUR_DIRECT (1 << 24)

/* Parses "terminal", "red", "bright-red", "208" or "#ff8700". -EINVAL with a sentence. */
int colour_parse(const char *text, struct colour *out, struct err *err);
/* Appends the text that colour_parse() reads as this colour; COLOUR_UNSET becomes "terminal". */
void colour_add(struct strbuf *out, struct colour c);

/* Returns red, green and blue of a numbered colour, as in xterm. */
uint32_t colour_of_index(uint32_t index);
/* Returns the nearest colour of a terminal with `n` colours: 8, 16, 256 or COLOUR_DIRECT. */
struct colour colour_reduce(struct colour c, int n);
/* Returns fg; if it is not readable on bg, black or white of the terminal. */
struct colour colour_readable(struct colour fg, struct colour bg);

/* ---- theme ---- */

/* Bits of text attributes. */
enum style_bit { STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_UNDERLINE = 4, STYLE_REVERSE = 8 };

struct style {
	struct colour fg, bg;
	uint8_t bits;
};

/* The attributes of a <look>; NULL: missing. */
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
	bool own;    /* from the user's own file, not from an additional one */
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

/* Adds a theme; replaces one of the same name. like: copied from it, if not NULL. */
struct theme *theme_list_add(struct theme_list *l, const char *name, const char *desc,
			     const struct theme *like);
void theme_list_add_built_in(struct theme_list *l);
void theme_list_done(struct theme_list *l);
/* Returns the theme of this name; NULL: none, with a sentence that lists all. */
const struct theme *theme_list_find(const struct theme_list *l, const char *name, struct err *err);

/* Sets a look of the theme. -ENOENT: no such look; -EINVAL: no such colour. */
int theme_set_look(struct theme *t, const struct theme_look_row *row, struct err *err);

/* Returns the style of a cell with this attribute and this overlay, for a terminal with `colours`
 * colours: 0, 8, 16, 256 or COLOUR_DIRECT. Text is always readable on its background. */
struct style theme_style(const struct theme *t, uint8_t attr, enum look laid, int colours);

#endif
