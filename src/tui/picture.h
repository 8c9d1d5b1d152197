/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture - writes a canvas as a file: text, ECMA-48 codes, SVG or HTML. Pure.
 *
 * The suffix of the file selects the format. A picture has the colours of a theme. Where the theme
 * uses the default colours of the terminal, the picture is light on dark, or dark on light if the
 * theme is a light one. The canvas has no control characters; each format escapes its special
 * characters.
 */
#ifndef TUI_PICTURE_H
#define TUI_PICTURE_H

#include "base/err.h"
#include "conf/theme.h"
#include "tui/canvas.h"

struct picture_format {
	const char *suffix; /* including the '.' */
	void (*write)(struct strbuf *out, const struct canvas *c, const struct theme *t);
};

/* Returns the format for a file of this name; NULL with a sentence that lists the suffixes: no
 * format. */
const struct picture_format *picture_find(const char *path, struct err *err);

/* Returns the i-th suffix; NULL after the last one. */
const char *picture_suffix(size_t i);

#endif
