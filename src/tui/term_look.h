/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term_look - how curses shows looks: its numbers for the colours and attributes of a theme.
 *
 * The palette of the terminal is never changed. What a theme says of a cell is asked once for each
 * attribute and look laid over it.
 */
#ifndef TUI_TERM_LOOK_H
#define TUI_TERM_LOOK_H

#include <stdbool.h>

#include "conf/theme.h"
#include "tui/canvas.h"

struct term_shown {
	bool known;
	unsigned attrs; /* attr_t */
	short pair;
};

struct term_looks {
	int colours; /* how many are used; 0: none */
	const struct theme *theme;
	struct term_shown shown[2][N_LOOKS][N_LOOKS];
};

/* Finds out how many colours the terminal has; NO_COLOR in the environment: none. */
void term_looks_init(struct term_looks *l);
/* From now on this theme, or the plain one where there are no colours. Whether it is another one.
 */
bool term_looks_use(struct term_looks *l, const struct theme *theme, const struct theme *plain);
/* How this cell is to be shown. */
const struct term_shown *term_looks_of(struct term_looks *l, const struct cell *cell);

#endif
