/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of lines share: events (lines_events.c). Event 2 k is in user mode, 2 k + 1 the
 * same in the kernel. */
#ifndef CALLS_LINES_PART_H
#define CALLS_LINES_PART_H

#include "calls/lines.h"

/* What a line counts, in each call and in percent of what all threads do; NaN: not known. */
double calls_count(const struct calls_report *r, const struct calls_line *l, uint32_t event);
double calls_count_each(const struct calls_report *r, const struct calls_line *l, uint32_t event);
double calls_count_share(const struct calls_report *r, const struct calls_line *l, uint32_t event);

/* The width of the column of names: no name is wider. */
int calls_lines_name_width(const struct calls_report *r);
/* A blank and a number, right-aligned; NaN: not known. */
void calls_lines_add_cell(struct strbuf *out, int width, int digits, double number);
/* How events are read, and what is known of all. */
void calls_events_add_text_head(const struct calls_report *r, struct strbuf *out);
/* A table of each event. */
void calls_events_add_text(const struct calls_report *r, struct strbuf *out);
void calls_events_add_csv_header(const struct calls_report *r, struct strbuf *out);
void calls_events_add_csv(const struct calls_report *r, struct strbuf *out,
			  const struct calls_line *l);
/* The members "events" of the program and of a line; nothing where there are none. */
void calls_events_add_json_head(const struct calls_report *r, struct strbuf *out);
void calls_events_add_json(const struct calls_report *r, struct strbuf *out,
			   const struct calls_line *l);

#endif
