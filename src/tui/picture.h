/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture - a canvas as a file: text, the codes of terminals, SVG or HTML. Pure.
 *
 * The format is told by the suffix of the file. A picture has the colours of a theme, as many as it
 * names; what the theme leaves to the terminal is light on dark, or dark on light where the theme
 * is made for that. Names of others are harmless on the canvas already; each format escapes them.
 */
#ifndef TUI_PICTURE_H
#define TUI_PICTURE_H

#include "base/err.h"
#include "conf/theme.h"
#include "tui/canvas.h"

struct picture_format {
	const char *suffix; /* with its '.' */
	void (*write)(struct strbuf *out, const struct canvas *c, const struct theme *t);
};

/* The format of a file of this name. NULL: there is none, and a sentence lists those that there
 * are. */
const struct picture_format *picture_find(const char *path, struct err *err);

/* Returns the i-th suffix; NULL behind the last one. */
const char *picture_suffix(size_t i);

#endif
