/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * panel - the panels of the live screen that are a scrollable text with a title: the errors, the
 * page of a row, the menu of sorting columns and the explanation of a column. The help and the
 * setup are sheets, too (keys.h, setup_page.h). Pure.
 *
 * A sheet covers the whole canvas; the first line is the title if the canvas has at least two
 * lines. A callback writes the text twice: once to count its lines, and once to put the visible
 * lines on the canvas.
 */
#ifndef TUI_PANEL_H
#define TUI_PANEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "screen/binding.h"
#include "tui/canvas.h"
#include "tui/cursor.h"
#include "tui/keymap.h"
#include "tui/ui_state.h"
#include "view/frame.h"
#include "view/page.h"

/* ---- key hints ----
 *
 * Hints in a line of a panel: the keys of actions, with a word about the effect. The keys are those
 * that the user's keymap binds to the actions.
 */

struct key_hint {
	const char *action; /* the name of the action; NULL: end of the list */
	const char *text;   /* the effect of the action, in a word or two */
	/* The action in the opposite direction, whose key is named, too; NULL: none. */
	const char *other;
};

/* The hints of a panel. */
struct key_hints {
	const struct keymap *keymap; /* NULL: the keys of key_table */
	const struct key_hint *hint;
};

/* Appends hints such as "Enter takes, Delete removes, q closes", with `between` between two hints.
 * Only whole hints that fit into `room` columns are appended: the last one has precedence, then the
 * first ones. Actions without a key are left out. */
void key_hints_add(struct strbuf *out, const struct key_hints *hints, const char *between,
		   int room);

/* ---- sheet ---- */

/* The column in which labels usually begin. */
#define SHEET_INDENT 2

struct sheet {
	struct canvas *canvas;
	size_t y;                 /* the line to write next, counted from the start of the sheet */
	size_t first, n;          /* the lines [first, first + n) are visible */
	struct scroll_find *find; /* the search whose matches are recorded; NULL: none */
	/* The lines of the last match before find->from, and of the first match from find->from
	 * on. */
	size_t before, behind;
	int row; /* the line of the canvas that shows the first visible line */
};

/* Puts n bytes of text at column x of the current line. Returns the column after the text. */
int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n);
/* Puts text into the columns from x to the end of the line; a text that does not fit is cut and
 * ends with a mark. */
void sheet_put_rest(struct sheet *s, int x, uint8_t attr, const char *text);
/* Writes text into the columns from x on, over as many lines as it needs, and ends the line. */
void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text);
/* Returns the column for a text that should stand in column x: x, or a column further left on a
 * narrow screen. */
int sheet_column(const struct sheet *s, int x);
/* Writes "label text": the text at column x, or below the label if the label is too long. */
void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text);
/* Writes an empty line, then the title of a section. The title is left out if it would stand on the
 * last visible line, as nothing of its section would be visible. */
void sheet_title(struct sheet *s, const char *text);

/* Paints the lines that `write` writes, and adapts the scrolling to the number of lines. hints:
 * painted at the end of the title's line; the last hint is that of closing the panel. */
void sheet_paint(struct canvas *c, struct scroll *scroll, const char *title,
		 const struct key_hints *hints, void (*write)(struct sheet *s, const void *context),
		 const void *context);

/* ---- errors ----
 *
 * The panel that lists the faults so far, the newest last. Pure.
 */

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. */
void errors_paint(struct canvas *c, struct ui_state *ui, const struct log *log);
/* Appends the number of faults and the key of the panel, "3 errors: e", for the footer; "3+" if the
 * log has dropped faults; nothing if there was no fault. */
void errors_add_hint(struct strbuf *out, const struct keymap *keymap, const struct log *log);

/* ---- page ----
 *
 * The panel that shows the page of one row (view/page.h). Pure.
 *
 * The labels of a section form a column, which is as wide as the longest label if there is room.
 */

/* Paints the page over the whole canvas, and adapts the scrolling to the number of lines. page
 * NULL, or without a title: paints that the row does not exist any more. curves: painted above the
 * lines; NULL: none. */
void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves);
/* Paints a page without curves, such as the story of what happened. page NULL: paints nothing. */
void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page);

/* ---- sort menu ----
 *
 * The panel in which the user chooses the column to sort by. Each column has a line with its id and
 * description. Pure.
 */

/* Returns the number of lines. */
size_t sort_menu_n(const struct frame *frame);
/* Returns the sort key of line i (view/view.h). */
int sort_menu_at(const struct frame *frame, size_t i);
/* Returns the line of the current sort key. */
size_t sort_menu_find(const struct frame *frame);
/* Moves ui->menu to the line that matches ui->find by its id, header or description. */
void sort_menu_seek(struct ui_state *ui, const struct frame *frame);
/* Paints the panel over the whole canvas, and adapts the scrolling; ui->menu is the selected
 * line. */
void sort_menu_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame);

/* ---- explain ----
 *
 * The panel that explains the sorting column: its formula, the events that were opened for its
 * counters on this machine, and the raw counts of one task. Pure.
 *
 *   -IPC of screen 0, default----------------------------------- < > move, x closes-
 *   instructions per cycle
 *     delta(instr) / delta(cycle)
 *
 *   1.87~: process 4711 simulate, the current row
 *     share 50 %: the counter had to share the PMU: extrapolated from its share of the time
 *
 *   instr (kernel perf event)
 *     event    instructions (PMU cpu, type 0, config 0x1, user mode)
 *     meaning  instructions retired
 *     value    11192 since it was opened
 *     time     4.000 s enabled, 2.000 s running (50 %)
 *     last     5596~ in the last interval (scaled, share 50 %)
 *     total    22384~ in all intervals
 *
 *   and so on, for each counter and variable of the formula.
 *
 * The task is that of cursor_subject(). In the lines "value" and "time" of a process, numbers are
 * sums over its threads as read from the kernel: not scaled, unlike those of "last" and "total".
 */

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. row: the
 * row of the task; NULL: none. events: the events of the counters; NULL: not known. */
void explain_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		   const struct frame_row *row, const struct origins *events);

#endif
