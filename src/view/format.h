/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format - formats cells, headers and rows as text, for batch mode and the live screen.
 */
#ifndef VIEW_FORMAT_H
#define VIEW_FORMAT_H

#include "base/strbuf.h"
#include "screen/screen.h"
#include "view/frame.h"

/* Appends a value in the format of its column, right-aligned to the width of the column; a value
 * without a number as its mark ("-", "?"). Counts above 2^53 have all their digits, unless the long
 * double of the compiler has less than 64 bits of mantissa (32-bit Arm): then such a count is
 * printed as "1.84467440737096e+19", whatever the format, with correct digits only. change: the
 * number is a change and gets a sign. */
void format_cell(struct strbuf *out, const struct column *column, struct value v, bool change);
/* Appends the time of a mark: "14:03:20"; with the date, if the frame has another date. */
void format_mark(struct strbuf *out, const struct frame *frame);

/* Appends the cell of a column. v: the value that the view shows. text: for a column of texts, if v
 * is known. */
void format_cell_of(struct strbuf *out, const struct column *column, struct value v,
		    const char *text, const struct view *view);
/* Appends the cell of column i. A text is made harmless and left-aligned; a long one makes the cell
 * longer; an empty one is "-". */
void format_row_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
		     size_t i);

/* Shortens the number of a cell, which begins at start, to width characters: removes the blanks
 * before it, then digits after the point, and if prefixed uses K, M, G (unit_add_within()). Texts,
 * times and marks stay as they are. change: as in format_cell(). */
void format_shorten_cell(struct strbuf *cell, size_t start, const struct column *column,
			 struct value v, bool change, int width, bool prefixed);

/* Appends the cell for batch mode, which programs read: a number that is too long for its column
 * gets fewer digits after the point, and no prefix. A number that is not exact is followed by its
 * mark ("~"), in place of a blank if there is one. */
void format_marked_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
			size_t i);

/* Returns the text of a cell without the blanks that align it. */
const char *format_trim_cell(struct strbuf *cell, const struct column *column);

/* Appends a share (1: all) as "50 %"; a share below 1 is never shown as 100 %. */
void format_percent(struct strbuf *out, double share);
/* Appends "share 50 %": the share of the time in which the number was counted; the lowest share if
 * several counters or threads were. */
void format_share(struct strbuf *out, struct value v);
/* Appends the quality of a number: " (scaled, share 50 %)", nothing if it is exact; for a value
 * without a number the reason, ": why". ended: the task has ended. */
void format_quality(struct strbuf *out, struct value v, bool ended);

/* The width of the column of user names. */
#define FORMAT_USER_WIDTH 10

/* Appends the header of a column, padded to the width of the column. */
void format_column_header(struct strbuf *out, const struct column *column);
/* Appends the header line, " PID [ %CPU] %SYS ... COMMAND", with [ ] around the sorting column, as
 * in 2.3.1. */
void format_header(struct strbuf *out, const struct frame *frame);
/* Appends the id of a row and its mark, from column 0 on. A text is left-aligned after a blank, and
 * never cut; an empty one is "-". */
void format_id(struct strbuf *out, const struct frame *frame, const struct frame_row *row);

/* Appends the fields of a row up to the command, for batch mode: the name of the user is not cut,
 * since scripts compare it; a number that is not exact is followed by its mark ("~"). */
void format_row(struct strbuf *out, const struct frame *frame, const struct frame_row *row);

/* Appends the lines that connect a row with its ancestors in the tree, then a blank; before the
 * blank, a + for a collapsed row. rail: the texts for an ancestor with a further sibling, for an
 * ancestor without one, for the row itself with a further sibling, and for the row itself as the
 * last sibling. */
void format_branch(struct strbuf *out, const struct frame_row *row, const char *const rail[4]);

/* Appends the command of a row on the live screen, with its arguments if known and wanted. Then
 * appends, for a collapsed row, its number of rows; for a thread, its own name and the pid of its
 * process: "java {GC} (4711)"; for a row that has ended, format_end(). */
void format_row_command(struct strbuf *out, const struct frame_row *row, bool arguments);

/* Appends how a row ended and how long it lived, if either is known: " (status 1, 0.520 s)", "
 * (SIGSEGV, 0.003 s)". */
void format_end(struct strbuf *out, const struct frame_row *row);

/* Makes the text from `start` on one word: blanks and an empty text become '_'. */
void format_join(struct strbuf *out, size_t start);

/* Appends "up 3 days, 4:05, load average: 0.12, 0.34, 0.56", as in 2.3.1; "?" in place of an
 * unknown load. */
void format_uptime(struct strbuf *out, const struct host *host);

#endif
