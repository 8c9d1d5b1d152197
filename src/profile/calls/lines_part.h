/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of lines share. Event 2 k is in user mode, 2 k + 1 the same in the kernel. */
#ifndef PROFILE_CALLS_LINES_PART_H
#define PROFILE_CALLS_LINES_PART_H

#include "profile/calls/lines.h"

extern const char *const calls_mode_names[2];

/* Ticks of the clock as ns. */
uint64_t calls_ns(const struct calls_report *r, uint64_t ticks);
/* Ticks of CALLS_OVERHEAD_UNIT calls as ns of one. */
double calls_overhead_ns(const struct calls_report *r, uint64_t ticks);
/* Of the time of all threads, in percent; NaN: there is none. */
double calls_share(const struct calls_report *r, uint64_t part);

/* Appends the sentences above the tables: whose calls these are, how they were measured, and what
 * is not among them. */
void calls_lines_add_head(const struct calls_report *r, struct strbuf *out);

#endif
