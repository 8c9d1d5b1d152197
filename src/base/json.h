/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json - JSON (RFC 8259), written piece by piece into a string, without a blank or a line break.
 *
 *   json_begin(out, '{');
 *   json_key(out, "pid");
 *   json_count(out, 4711);
 *   json_end(out, '}');
 *
 * Commas come by themselves: a value or a key gets one unless it stands at the beginning, behind a
 * line break, a bracket or a key. There is no other state than the string. NaN and infinity are
 * null.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "base/strbuf.h"
#include "base/value.h"

/* bracket: { or [, and for the end } or ]. */
void json_begin(struct strbuf *out, char bracket);
void json_end(struct strbuf *out, char bracket);
void json_key(struct strbuf *out, const char *key);
/* NULL is null. A byte that belongs to no character becomes U+FFFD; what could command a terminal
 * (base/text.h) is escaped. */
void json_text(struct strbuf *out, const char *text);
void json_count(struct strbuf *out, uint64_t count);
void json_number(struct strbuf *out, double number);
/* An unknown one is null; a count has all of its digits. */
void json_value(struct strbuf *out, struct value v);

/* A key and what it stands for. */
void json_member_text(struct strbuf *out, const char *key, const char *text);

#endif
