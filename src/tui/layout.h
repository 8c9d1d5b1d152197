/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout - the widths of the columns on the live screen, and the marks after their numbers. Pure.
 *
 * COMMAND has at least LAYOUT_COMMAND_MIN cells, or LAYOUT_LINE_MIN if it shows command lines, and
 * in a tree the cells of the branches in addition. This minimum is at most two fifths of the
 * screen, but never below LAYOUT_COMMAND_MIN.
 *
 * If all columns fit beside this minimum, they have their declared widths, as in batch mode. A
 * column whose numbers fill it gets one more cell if a number before it in its row has a mark, so
 * that a blank separates them. If not all columns fit, each shrinks to the width of its name and of
 * the values seen in it. If this is not enough, the longest names and texts are cut. If this is not
 * enough either, columns are left out, those with the lowest priority first, but never the sorting
 * column. Therefore COMMAND has less than its minimum only if the screen is too narrow for even one
 * column beside it.
 *
 * If columns are left out, the user can scroll: the first columns disappear, and the columns after
 * them are shown in their order, whatever their priorities, as many as fit. Scrolling ends when the
 * last column is visible.
 *
 * The brackets around the name of the sorting column stand in the blanks beside the column. If a
 * bracket would touch another name, [ moves into the blanks before the name inside the column, or a
 * blank is added.
 *
 * Widths are stable: until another screen is shown, a column keeps room for the longest number that
 * it has had so far.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/value.h"
#include "view/frame.h"

/* Ids that are names of tasks are cut if they are wider than 1/LAYOUT_ID_SHARE of the terminal and
 * than LAYOUT_ID_MIN cells, with the blank before the id: only names of kernel workers are so long.
 * Other ids are never cut. */
#define LAYOUT_ID_MIN   17
#define LAYOUT_ID_SHARE 5

#define LAYOUT_COMMAND_MIN 15
/* The minimum width of COMMAND if it shows command lines (the key c). */
#define LAYOUT_LINE_MIN 30
/* The cells that a branch takes for each level of the tree. */
#define LAYOUT_BRANCH_WIDTH 2
/* Blanks before the command: room for the mark of the last number, and one blank. */
#define LAYOUT_GAP 2
/* Blanks before the user: room for the mark of a tag, and one blank. */
#define LAYOUT_USER_GAP 2
/* The marks for columns or tabs that are left out at the left or at the right. The header has the
 * marks for columns: before the first column, and between the last column and COMMAND. */
#define LAYOUT_MARK_LEFT  "<"
#define LAYOUT_MARK_RIGHT ">"
#define LAYOUT_MARK_WIDTH 1
/* Extra blanks before the first column if LAYOUT_MARK_LEFT stands after the ] of the user
 * column. */
#define LAYOUT_USER_MARK_GAP 2
/* From this width on, COMMAND shows arguments, too, in all rows. */
#define LAYOUT_ARGUMENTS_MIN 30
/* If not all columns fit, those from this index on are left out. */
#define LAYOUT_COLUMNS_MAX 256

struct layout {
	/* The screen that the widths belong to; NULL: none yet. */
	const struct screen *screen;
	/* The number of columns scrolled away at the left; the sorting column stays. */
	size_t first;
	bool total;     /* the row of totals is visible; set before layout_fit() */
	bool arguments; /* COMMAND is wide enough for arguments after names */
	bool tight;     /* columns have the widths of `width`, not the declared ones */
	int id;         /* cells of the id, with the blank before a text */
	int command;    /* cells reserved for COMMAND */
	int deepest;    /* the largest depth in the tree so far */
	int number[LAYOUT_COLUMNS_MAX]; /* the width of the longest number of each column so far */
	int width[LAYOUT_COLUMNS_MAX];  /* the width of each column now; 0: left out */
};

/* Chooses the widths by the visible rows [first, first + n). width: of the terminal. */
void layout_fit(struct layout *l, const struct frame *frame, size_t first, size_t n, int width);
/* Returns the width of column i, without the blank before it; 0: left out. */
int layout_width(const struct layout *l, const struct frame *frame, size_t i);
/* Returns the number of extra blanks before column i, in addition to the usual one; if i is the
 * number of columns, before the command. */
int layout_gap(const struct layout *l, const struct frame *frame, size_t i);
/* Returns the cell of [ relative to the left edge of column i, if this is the sorting column: 0 or
 * -1. */
int layout_bracket(const struct layout *l, const struct frame *frame, size_t i);
/* Returns the cell in which the command begins. */
int layout_command(const struct layout *l, const struct frame *frame);
/* Return whether a column is scrolled away at the left, and whether any other column is left
 * out. */
bool layout_scrolled(const struct layout *l, const struct frame *frame);
bool layout_lacks(const struct layout *l, const struct frame *frame);
/* Scrolls by one column to the right (by: 1) or to the left (-1). sort: the sorting column.
 * layout_fit() limits the scrolling. */
void layout_scroll(struct layout *l, int by, int sort);

/* ---- legend ----
 *
 * The marks of the live screen, their signs and meanings: one table for the rows, the help and the
 * footer. README has the same texts.
 *
 * The footer explains a mark when it appears for the first time, until the next key.
 */

enum mark {
	/* Marks after a number, or in place of a number. */
	MARK_ESTIMATE,
	MARK_LAST_KNOWN,
	MARK_PARTIAL,
	MARK_UNKNOWN,
	MARK_NO_NUMBER,
	/* Marks after the id of a row. */
	MARK_ENDED,
	MARK_THREADS,
	MARK_THREAD,
	MARK_TAGGED,
	N_MARKS
};

#define MARK_BIT(mark) (1u << (mark))

struct mark_row {
	const char *sign;
	const char *brief; /* the meaning, for the footer; NULL: not in the footer */
	const char *text;  /* the meaning in one sentence without a full stop */
	bool of_row;       /* the mark stands after the id of a row */
};

extern const struct mark_row mark_table[N_MARKS];

/* Returns the mark of a value of this quality; N_MARKS: none. */
enum mark mark_of_quality(enum quality quality);
/* Returns the mark of a cell; N_MARKS: none. ended: the row has the mark of an ended task, which
 * means that its numbers are the last ones; therefore stale numbers get no mark. */
enum mark mark_of_cell(struct value v, bool ended);
/* Returns whether the mark stands after a number; false: there is no mark, or it stands in place
 * of a number. */
bool mark_is_behind(enum mark mark, struct value v);

/* The state of the footer's explanations. */
struct legend {
	bool wanted;
	unsigned seen;      /* MARK_BIT()s of the marks painted last */
	unsigned shown;     /* the marks that the footer explains now */
	unsigned explained; /* the marks that the footer has explained before */
};

/* Appends "~ = estimate  ? = not known" for visible marks not explained before, as many as fit into
 * `room` columns. Further marks follow after legend_clear(). */
void legend_add(struct legend *l, int room, struct strbuf *out);
/* Removes the explanation from the footer. Returns false if there was none. */
bool legend_clear(struct legend *l);

#endif
