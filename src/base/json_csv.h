/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_csv - values for other programs, written piece by piece into a string: as JSON (RFC 8259),
 * and as fields of comma-separated values (RFC 4180).
 *
 *   json_begin(out, '{');
 *   json_key(out, "pid");
 *   json_count(out, 4711);
 *   json_end(out, '}');
 *
 * JSON has no blank and no line break. Commas are added automatically: a value or a key gets one
 * before it, except at the beginning and after a line break, an opening bracket or a key. The
 * string is the only state. NaN and infinity are written as null.
 *
 *   csv_add_text(out, "postgres: alice");
 *   strbuf_addch(out, ',');
 *   csv_add_value(out, cpu_pct);
 *
 * Commas between fields and the ends of lines are written by the caller. An unknown number is an
 * empty field.
 */
#ifndef BASE_JSON_CSV_H
#define BASE_JSON_CSV_H

#include <stdint.h>

#include "base/strbuf.h"
#include "base/value.h"

/* ---- JSON ---- */

/* bracket: { or [; for json_end(), } or ]. */
void json_begin(struct strbuf *out, char bracket);
void json_end(struct strbuf *out, char bracket);
void json_key(struct strbuf *out, const char *key);
/* Appends a key and the bracket of its list, which json_end() closes. */
void json_begin_list(struct strbuf *out, const char *key);
/* Appends a string; null for NULL. A byte that is part of no valid character becomes U+FFFD; a
 * character that could command a terminal (base/strbuf.h) is escaped. */
void json_text(struct strbuf *out, const char *text);
void json_count(struct strbuf *out, uint64_t count);
void json_number(struct strbuf *out, double number);
/* Appends a number: null if unknown, all digits if it is an exact count. */
void json_value(struct strbuf *out, struct value v);

/* Appends a key and its text. */
void json_member_text(struct strbuf *out, const char *key, const char *text);

/* ---- CSV ---- */

/* Appends the text, in quotes if necessary. A character that could command a terminal or end a
 * line, and a byte that is part of no valid character, becomes U+FFFD: a record is always one
 * line. */
void csv_add_text(struct strbuf *out, const char *text);
/* Appends the text in quotes, with the same characters replaced as by csv_add_text(). */
void csv_add_quoted(struct strbuf *out, const char *text);
/* Appends the number with all its digits; nothing if the value is unknown. */
void csv_add_value(struct strbuf *out, struct value v);

#endif
