/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strbuf - a string that grows.
 *
 * Invariants: text is never NULL after strbuf_init and always terminated; len does not count the
 * terminator and is less than cap. The owner frees it with strbuf_done. Numbers are written in the
 * C locale: the program never sets LC_NUMERIC.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>

struct strbuf {
	char *text;
	size_t len, cap;
};

void strbuf_init(struct strbuf *sb);
void strbuf_done(struct strbuf *sb);
/* Makes the string empty but keeps its memory. */
void strbuf_reset(struct strbuf *sb);
void strbuf_add(struct strbuf *sb, const char *data, size_t n);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, char c);
/* Appends the character n times; nothing if n <= 0. */
void strbuf_pad(struct strbuf *sb, char c, int n);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
