/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout - the widths of the columns on the live screen. Pure.
 *
 * COMMAND has LAYOUT_COMMAND_MIN cells at least, also behind the branches of a tree, and
 * LAYOUT_LINE_MIN for command lines; but above LAYOUT_COMMAND_MIN at most two fifths of the screen.
 *
 * If all columns and these cells fit, the columns have their declared widths, as in batch mode; a
 * column full of digits gets one more blank behind the mark of another number. Else each column
 * shrinks to its name and the values seen in it; then the longest names and texts are cut; and if
 * that is not enough, columns are left out, those of the least priority first, but never the
 * sorting one. So COMMAND has its room unless the screen is too narrow for even one column beside
 * it.
 *
 * If columns are left out, the user can scroll: the first ones disappear, and those that follow are
 * shown in their order, whatever their priorities, as many as fit. Scrolling ends when the last
 * column is visible.
 *
 * The brackets around the name of the sorting column stand in the blanks beside it. Where they
 * would touch something, [ moves into the blanks before the name, or a blank is added.
 *
 * Widths are stable: as long as the screen stays the same, a column keeps room for the longest
 * number that it had.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "view/frame.h"

#define LAYOUT_COMMAND_MIN 15
/* The same for command lines (the key c). */
#define LAYOUT_LINE_MIN 30
/* Cells of a level of the tree. */
#define LAYOUT_BRANCH_WIDTH 2
/* Blanks before the command: room for the mark of the last number, and one blank. */
#define LAYOUT_GAP 2
/* Blanks before the user: room for the mark of a tag, and one blank. */
#define LAYOUT_USER_GAP 2
/* The marks for columns, or tabs, left out at this side. Those of columns stand in the header:
 * before the first column, and between the last one and the command. */
#define LAYOUT_MARK_LEFT  "<"
#define LAYOUT_MARK_RIGHT ">"
#define LAYOUT_MARK_WIDTH 1
/* Extra blanks when that mark stands behind the bracket of the user column. */
#define LAYOUT_USER_MARK_GAP 2
/* From this width on, COMMAND shows arguments, too: the same for all rows. */
#define LAYOUT_ARGUMENTS_MIN 30
/* The most columns that a screen too narrow for all of them can show. */
#define LAYOUT_COLUMNS_MAX 256

struct layout {
	/* The screen that the widths belong to; NULL: none yet. */
	const struct screen *screen;
	size_t first;   /* columns scrolled away at the left; the sorting one stays */
	bool total;     /* the row of totals is visible; set before layout_fit() */
	bool arguments; /* COMMAND has room for arguments behind names */
	bool tight;     /* columns have the widths of `width`, not the declared ones */
	int command;    /* cells reserved for COMMAND */
	int deepest;    /* the largest depth in the tree so far */
	int number[LAYOUT_COLUMNS_MAX]; /* the width of the longest number of each column so far */
	int width[LAYOUT_COLUMNS_MAX];  /* the width of each column now; 0: left out */
};

/* Chooses the widths by the visible rows: n of them from `first` on. width: of the terminal. */
void layout_fit(struct layout *l, const struct frame *frame, size_t first, size_t n, int width);
/* Returns the width of column i, without the blank before it; 0: left out. */
int layout_width(const struct layout *l, const struct frame *frame, size_t i);
/* Returns the number of extra blanks before column i, or (i = number of columns) before the
 * command, beside the usual one. */
int layout_gap(const struct layout *l, const struct frame *frame, size_t i);
/* Returns where [ stands when column i sorts, relative to its left edge: 0 or -1. */
int layout_bracket(const struct layout *l, const struct frame *frame, size_t i);
/* Returns the cell in which the command begins. */
int layout_command(const struct layout *l, const struct frame *frame);
/* Return whether a column is scrolled away at the left; whether one of the others is left out. */
bool layout_scrolled(const struct layout *l, const struct frame *frame);
bool layout_lacks(const struct layout *l, const struct frame *frame);
/* Scrolls by one column to the right (by: 1) or to the left (-1). layout_fit() limits it. */
void layout_scroll(struct layout *l, int by, int sort);

#endif
