/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_format - how a column writes its values: text with exactly one conversion.
 *
 *   %[-+ 0#][width][.precision](f|F|e|E|g|G)   a number, as printf(3) does
 *   %[width]h     a number for people, by the unit of the column (base/unit.h)
 *   %[-][width]s  a text, left-aligned
 *
 * Width and precision are at most 99; %% writes a '%'. So a format of the first kind is safe for
 * printf(3) with one double.
 *
 * tiptop 2.3.1 gave formats to printf(3) as they were, so files of that time may have the length
 * modifiers l and L (%4.1lf). They mean nothing for a column, and are taken out before reading.
 */
#ifndef SCREEN_COLUMN_FORMAT_H
#define SCREEN_COLUMN_FORMAT_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

struct column_format {
	int width;       /* the least number of characters that it writes */
	char conversion; /* its letter */
	int field;       /* the width that the conversion itself gives; 0: none */
	size_t from, to; /* where the conversion stands in the format */
};

/* Removes the length modifiers from a format, in place. */
void column_format_strip(char *format);
/* Reads a format. Errors: -EINVAL with the reason. */
int column_format_read(const char *format, struct column_format *out, struct err *err);
/* What a format makes of the number 0; the caller frees it. NULL: it is not one of printf(3). */
char *column_format_zero(const char *format, const struct column_format *shape);
/* Appends the text between two places of a format, as it is written: %% is one '%'. */
void column_format_add_text(struct strbuf *out, const char *format, size_t from, size_t to);

#endif
