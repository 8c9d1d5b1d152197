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

#include "base/err.h"
#include "conf/colour.h"
#include "conf/look.h"

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
