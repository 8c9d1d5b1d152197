/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme - how each look is shown: colours and attributes. Pure.
 *
 * What a theme leaves out of a look is that of the look "normal", and what it leaves out of that is
 * the terminal's own. A theme that is like another one begins as a copy of it.
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
 *
 * What a piece of the screen means; a theme says how that is shown.
 *
 * An attribute is a look, and LOOK_STRONG where it has more weight.
 */

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
	LOOK_HEAT_1, /* from the least to the most */
	LOOK_HEAT_2,
	LOOK_HEAT_3,
	LOOK_HEAT_4,
	LOOK_HEAT_5,
	/* What is laid over rows and texts. */
	LOOK_CURRENT,
	LOOK_FOLLOWED,
	LOOK_TAGGED,
	LOOK_MATCH,
	/* What stands around the table, and in panels. */
	LOOK_HEADER,
	LOOK_TAB,
	LOOK_TAB_CURRENT,
	LOOK_NOTE,
	LOOK_MESSAGE,
	LOOK_ERROR,
	LOOK_KEY,
	LOOK_LABEL,
	/* The parts of bars. */
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

/* A bit that is or-ed to a look and gives it more weight. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter;      /* its letter in dumps; upper case where it is strong */
	const char *name; /* in themes */
	/* What it says of a task or number, for the help; NULL: nothing worth telling. */
	const char *help;
};

extern const struct look_row look_table[N_LOOKS];

/* ---- colour ----
 *
 * A colour as a theme names it, and what becomes of it where there are fewer. Pure.
 *
 * A colour is the terminal's own, one of its numbered ones (the first 16 have names, and look as
 * the user has set them), or red, green and blue. The palette is never changed: what a terminal
 * lacks becomes the nearest of those that it has, as xterm shows them.
 */

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

/* ---- theme ---- */

/* Attributes: bits that are or-ed. */
enum style_bit { STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_UNDERLINE = 4, STYLE_REVERSE = 8 };

struct style {
	struct colour fg, bg;
	uint8_t bits;
};

/* The attributes of a <look>; NULL where there is none. */
struct theme_look_row {
	const char *name, *fg, *bg;
	bool bold, dim, underline, reverse;
};

/* A built-in theme, as config/themes.xml has it. */
struct theme_row {
	const char *name, *desc, *like;
	bool light; /* made for a light background */
	const struct theme_look_row *look;
	size_t n_looks;
};

struct theme {
	char *name, *desc;
	char *like;  /* the theme that it began as; NULL: none */
	char *place; /* file and line; NULL: built in */
	bool own;    /* of the user's own file, not of those that only add */
	bool light, replace;
	bool given[N_LOOKS]; /* the looks that it sets itself */
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

/* The theme that is used unless another one is asked for, and the one without colours. */
#define THEME_DEFAULT    "default"
#define THEME_MONOCHROME "monochrome"

/* All built-in themes. */
extern const struct theme_row *const theme_built_in;
extern const size_t theme_built_in_n;

/* Adds a theme, as yet without looks of its own; one of this name goes. like: NULL, or a theme of
 * the list. */
struct theme *theme_list_add(struct theme_list *l, const char *name, const char *desc,
			     const struct theme *like);
void theme_list_add_built_in(struct theme_list *l);
void theme_list_done(struct theme_list *l);
/* The theme of this name; NULL: there is none, and a sentence lists those that there are. */
const struct theme *theme_list_find(const struct theme_list *l, const char *name, struct err *err);

/* Sets a look of the theme. -ENOENT: there is no such look; -EINVAL: no such colour. */
int theme_set_look(struct theme *t, const struct theme_look_row *row, struct err *err);

/* How a cell is shown that has this attribute, and this look laid over it, where there are
 * `colours` colours: 0, 8, 16, 256 or COLOUR_DIRECT. Text can always be read on what is behind it.
 */
struct style theme_style(const struct theme *t, uint8_t attr, enum look laid, int colours);

#endif
