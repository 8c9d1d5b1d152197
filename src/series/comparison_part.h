/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison_part - what the files of comparison have in common: how it is written.
 */
#ifndef SERIES_COMPARISON_PART_H
#define SERIES_COMPARISON_PART_H

#include "series/comparison.h"

#define COMPARISON_METHOD                                                                          \
	"EWC test, for intervals that resemble each other (Lazarus, Lewis, Stock, Watson 2018)"

/* The unit of a column where counts are per second. */
const char *comparison_unit(const struct column *c);

void comparison_add_text(struct strbuf *out, const struct comparison *c);
void comparison_add_csv(struct strbuf *out, const struct comparison *c);
void comparison_add_json(struct strbuf *out, const struct comparison *c);

#endif
