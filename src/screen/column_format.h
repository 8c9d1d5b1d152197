/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_format - how a column writes its values: text with exactly one conversion.
 *
 *   %[-+ 0#][width][.precision](f|F|e|E|g|G)   a number, as printf(3) does
 *
 * Width and precision are at most 99; %% writes a '%'. So a format that was read is safe for
 * printf(3) with one double.
 */
#ifndef SCREEN_COLUMN_FORMAT_H
#define SCREEN_COLUMN_FORMAT_H

#include "base/err.h"

struct column_format {
	int width; /* characters that it writes at least */
};

/* Errors: -EINVAL with the reason. */
int column_format_read(const char *format, struct column_format *out, struct err *err);

#endif
