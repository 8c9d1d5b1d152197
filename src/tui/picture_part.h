/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture_part - what the formats of pictures have in common.
 */
#ifndef TUI_PICTURE_PART_H
#define TUI_PICTURE_PART_H

#include "tui/picture.h"

/* Cells of one line that look the same. */
struct picture_run {
	int x, n; /* the cells [x, x + n) */
	struct style style;
};

/* How such cells are shown where there is no terminal. */
struct picture_paint {
	uint32_t fg, bg; /* 0xrrggbb */
	bool bold, underline;
};

/* The paints that were met, which become the classes of a style sheet. */
struct picture_paints {
	struct picture_paint *v;
	size_t n, cap;
};

/* The run that begins at r->x + r->n of line y. Returns false where the line has ended: blanks at
 * its end that nobody would see are no run. Begin with a run of zeros. */
bool picture_next_run(const struct canvas *c, const struct theme *t, int y, struct picture_run *r);
struct picture_paint picture_paint_of(const struct theme *t, const struct style *s);
/* What nothing has been painted on. */
struct picture_paint picture_ground(const struct theme *t);
/* The number of the paint; the background is no part of it where it is no part of the text. */
size_t picture_add_paint(struct picture_paints *p, struct picture_paint paint);

/* Appends the text of cells [x, x + n) of line y, as UTF-8; with what XML needs escaped. */
void picture_add_cells(struct strbuf *out, const struct canvas *c, int x, int y, int n, bool xml);

void picture_write_ansi(struct strbuf *out, const struct canvas *c, const struct theme *t);
void picture_write_svg(struct strbuf *out, const struct canvas *c, const struct theme *t);
void picture_write_html(struct strbuf *out, const struct canvas *c, const struct theme *t);

#endif
