/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv - a text as a field of comma-separated values (RFC 4180).
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/strbuf.h"
#include "base/value.h"

/* Appends the text, in quotes if necessary. A character that could command a terminal or end a
 * line, and a byte that is part of no valid character, becomes U+FFFD: a record is always one
 * line. */
void csv_add_text(struct strbuf *out, const char *text);
/* Appends the text in quotes, with the same characters replaced as by csv_add_text(). */
void csv_add_quoted(struct strbuf *out, const char *text);
/* Appends the number with all its digits; nothing if the value is unknown. */
void csv_add_value(struct strbuf *out, struct value v);

#endif
