/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format - cells and headers as text, for the text sink and the live screen alike.
 */
#ifndef VIEW_FORMAT_H
#define VIEW_FORMAT_H

#include "base/strbuf.h"
#include "screen/screen.h"
#include "view/frame.h"

/* Appends a cell by the format of its column, right-aligned to the width of the column; for a value
 * without a number its mark ("-", "?"). Counts above 2^53 have all their digits, too. Only where
 * the compiler's long double has less than 64 bits of mantissa (32-bit Arm), such a count is
 * printed as "1.84467440737096e+19", whatever the format: with the digits that are right. change:
 * the number is a change, and says by its sign in which direction. */
void format_cell(struct strbuf *out, const struct column *column, struct value v, bool change);
/* Appends the moment of a mark: "14:03:20", with the date where it is not that of the frame. */
void format_mark(struct strbuf *out, const struct frame *frame);

/* The cell of a column, of which v is the value as the view wants it; text: where it is one, and
 * known. */
void format_cell_of(struct strbuf *out, const struct column *column, struct value v,
		    const char *text, const struct view *view);
/* The cell of column i. A text is harmless, and left-aligned: one that is too long makes it longer;
 * one that there is not is "-". */
void format_row_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
		     size_t i);

/* Shortens the number of a cell, which begins at start, where it has more characters than width: it
 * loses the blanks before it, then digits behind the point, and where it may have a prefix, it is
 * in K, M, G then (unit_add_within()). Texts, times and marks stay as they are. change: as of
 * format_cell(). */
void format_shorten_cell(struct strbuf *cell, size_t start, const struct column *column,
			 struct value v, bool change, int width, bool prefixed);

/* The same for text, of which programs compute: a number that is too long for its column has fewer
 * digits behind the point, and no prefix. Behind a number
 * that is not exact stands its mark ("~"), in place of a blank where there is one. */
void format_marked_cell(struct strbuf *out, const struct frame *frame, const struct frame_row *row,
			size_t i);

/* What a cell shows, without the blanks that align it. */
const char *format_trim_cell(struct strbuf *cell, const struct column *column);

/* Appends a part of 1 as "50 %"; what is not all never shows as 100 %. */
void format_percent(struct strbuf *out, double share);
/* Appends "share 50 %": of the time in which it was counted, the lowest one where several counters
 * or threads are behind it. */
void format_share(struct strbuf *out, struct value v);
/* What stands behind a number: " (scaled, share 50 %)", nothing where it is exact. In place of a
 * number: the reason, ": why". ended: of a task that has ended. */
void format_quality(struct strbuf *out, struct value v, bool ended);

/* The width of the column of user names. */
#define FORMAT_USER_WIDTH 10

/* The header of a column, as wide as the column. */
void format_column_header(struct strbuf *out, const struct column *column);
/* Appends the header line, " PID [ %CPU] %SYS ... COMMAND", with [ ] around the sorting column, as
 * 2.3.1 has it. */
void format_header(struct strbuf *out, const struct frame *frame);
/* The id of a row and the mark behind it, from column 0 on. A text is left-aligned with a blank
 * before it, and whole; an empty one is "-". */
void format_id(struct strbuf *out, const struct frame *frame, const struct frame_row *row);

/* Appends the fields of a row up to the command, for text: the name of the user is whole, since
 * scripts compare it; behind a number that is not exact stands its mark ("~"). */
void format_row(struct strbuf *out, const struct frame *frame, const struct frame_row *row);

/* Appends the lines of a tree that lead to a row, and a blank; + is for one that is collapsed.
 * rail: where a line passes by, where none does, to one behind which others come, to the last one.
 */
void format_branch(struct strbuf *out, const struct frame_row *row, const char *const rail[4]);

/* Appends the command of a row on the live screen, with its arguments where they are known and
 * wanted. What is collapsed says how many it stands for.
 * For a thread, its own name and the pid of its process follow: "java {GC} (4711)"; for one that
 * has ended, how (format_end()). */
void format_row_command(struct strbuf *out, const struct frame_row *row, bool arguments);

/* Appends how a row has ended, and how long it lived, as far as either is known: " (status 1, 0.520
 * s)", " (SIGSEGV, 0.003 s)". */
void format_end(struct strbuf *out, const struct frame_row *row);

/* Makes one word of the text from `start` on: blanks become '_', and so does an empty text. */
void format_join(struct strbuf *out, size_t start);

/* Appends "up 3 days, 4:05, load average: 0.12, 0.34, 0.56", as 2.3.1 has it. */
void format_uptime(struct strbuf *out, const struct host *host);

#endif
