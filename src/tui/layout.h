/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout - how wide the columns are on the live screen. Pure.
 *
 * Where all of them and LAYOUT_COMMAND_MIN columns of the command have room, they are as wide as
 * declared, as in batch mode; one that is full has a blank more behind the mark of a number. Else
 * each shrinks to its name and the values that have been seen in it; then the longest names and
 * texts are cut; and where that is not enough, columns are left out, those that have the least
 * priority first, but never the sorting one. So COMMAND has its room unless the screen is too
 * narrow for even one column beside it.
 *
 * Where columns are left out, the user may scroll: the first ones go, and those that follow are
 * there in their order, whatever their priorities, as far as they have room. Scrolling ends where
 * the last one is there.
 *
 * The brackets around the name that sorts stand in the blanks beside it. Where that would touch
 * something, [ moves into the blanks before its name, or there is a blank more.
 *
 * Nothing jumps: as long as the screen stays the same, a column keeps room for the longest
 * number that it had.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "view/frame.h"

#define LAYOUT_COMMAND_MIN 15
/* Blanks before the command: room for the mark of the last number, and one blank. */
#define LAYOUT_GAP 2
/* Blanks before the user: room for the mark of a tag, and one blank. */
#define LAYOUT_USER_GAP 2
/* Where columns, or tabs, are left out at this side. Those of columns stand in the header: before
 * the first one, and between the last one and the command. */
#define LAYOUT_MARK_LEFT  "<"
#define LAYOUT_MARK_RIGHT ">"
#define LAYOUT_MARK_WIDTH 1
/* Blanks more where that mark stands behind the bracket of users. */
#define LAYOUT_USER_MARK_GAP 2
/* With so many columns, COMMAND has arguments, too: the same for all rows. */
#define LAYOUT_ARGUMENTS_MIN 30
/* More columns cannot be seen on a screen that is too narrow for them. */
#define LAYOUT_COLUMNS_MAX 256

struct layout {
	/* The screen that the widths were seen on; NULL: none yet. */
	const struct screen *screen;
	size_t first;   /* so many columns are scrolled away, but the one that sorts stays */
	bool total;     /* the row of totals has a line; who paints it says so */
	bool arguments; /* COMMAND has room for those behind names */
	bool tight;     /* columns are not as wide as declared, but as follows */
	int number[LAYOUT_COLUMNS_MAX]; /* the width of the longest number of each column so far */
	int width[LAYOUT_COLUMNS_MAX];  /* the width of each column now; 0: it is left out */
};

/* Chooses the widths by the visible rows: n of them from `first` on. width: that of the
 * terminal. */
void layout_fit(struct layout *l, const struct frame *frame, size_t first, size_t n, int width);
/* The width of column i, without the blank before it; 0: it is left out. */
int layout_width(const struct layout *l, const struct frame *frame, size_t i);
/* Blanks before column i, or before what follows the last one, beside the usual one. */
int layout_gap(const struct layout *l, const struct frame *frame, size_t i);
/* Where [ is when column i sorts, from its left edge on: 0 or -1. */
int layout_bracket(const struct layout *l, const struct frame *frame, size_t i);
/* The column in which the command begins. */
int layout_command(const struct layout *l, const struct frame *frame);
/* Whether some column is left out; of those that are scrolled away, before the others, or of the
 * rest. */
bool layout_scrolled(const struct layout *l, const struct frame *frame);
bool layout_lacks(const struct layout *l, const struct frame *frame);
/* Scrolls by a column to the right (by: 1) or to the left (-1). How far one can go is known when it
 * is painted. */
void layout_scroll(struct layout *l, int by, int sort);

#endif
