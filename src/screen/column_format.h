/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_format - the format of the values of a column: text with exactly one conversion.
 *
 *   %[-+ 0#][width][.precision](f|F|e|E|g|G)   a number, as printf(3) does
 *   %[width]h     a number shortened by the unit of the column (base/unit.h)
 *   %[-][width]s  a text, left-aligned
 *
 * Width and precision are at most 99; %% writes a '%'. So a format for numbers, other than %h, is
 * safe for printf(3) with one double.
 *
 * tiptop 2.3.1 passed formats to printf(3) unchecked, so its configuration files may have the
 * length modifiers l and L (%4.1lf). These have no meaning here and are removed before parsing.
 */
#ifndef SCREEN_COLUMN_FORMAT_H
#define SCREEN_COLUMN_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

struct column_format {
	int width;       /* the minimal number of characters written, with the text around it */
	char conversion; /* the letter of the conversion */
	int field;       /* the width given in the conversion; 0: none */
	bool fixed;      /* num_add_fixed() can write it: f without flags, few decimals */
	int decimals;    /* of a fixed one */
	/* A number has a character for each byte: the text around the conversion is ASCII, and the
	 * conversion writes no unit. */
	bool ascii;
	size_t from, to; /* the position of the conversion in the format */
};

/* Removes the length modifiers from a format, in place. */
void column_format_strip(char *format);
/* Parses a format. Returns -EINVAL with the reason. */
int column_format_read(const char *format, struct column_format *out, struct err *err);
/* Returns the number 0, formatted; the caller frees it. NULL: the conversion is h or s. */
char *column_format_zero(const char *format, const struct column_format *shape);
/* Appends the characters [from, to) of a format, with %% as one '%'. */
void column_format_add_text(struct strbuf *out, const char *format, size_t from, size_t to);

#endif
