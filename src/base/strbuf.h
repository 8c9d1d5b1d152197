/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strbuf - a string that grows, and text from outside that is made safe before it is printed.
 *
 * Invariants: text is never NULL after strbuf_init and always terminated; len does not count the
 * terminator and is less than cap. The owner frees it with strbuf_done. Numbers are written in the
 * C locale: the program never sets LC_NUMERIC.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* ---- text ----
 *
 * UTF-8 text from outside, made safe to print: names of tasks, arguments, names of files.
 *
 * Printed text must not command the terminal, nor make a line look different from what it is. So
 * control characters (C0, DEL, C1), line and paragraph separators, and invisible format characters
 * (writing directions, joiners, tags, ...) become '?', and so does each byte that is part of no
 * valid character.
 */

/* The result of text_decode() for a byte that begins no valid sequence (RFC 3629: no overlong
 * forms, no surrogates). */
#define TEXT_BAD 0xfffd

/* Decodes the first character of the n > 0 bytes at `text`. *len: the number of its bytes, 1 for
 * TEXT_BAD. */
uint32_t text_decode(const char *text, size_t n, size_t *len);

/* Returns whether the byte continues a UTF-8 sequence. */
bool text_continues(char byte);

/* Returns whether these n > 0 bytes may be the beginning of a character whose end is missing. */
bool text_is_cut(const char *text, size_t n);

/* Returns the number of characters of a valid text. */
int text_length(const char *text);
/* Returns the number of columns on a terminal, by the locale: a character may have 0, 1 or 2; one
 * that is replaced when it is shown, as a control character, has 1. */
int text_columns(const char *text);

/* Returns whether the character may be printed unchanged. */
bool text_is_harmless(uint32_t character);

/* Appends the text with harmful characters replaced. */
void text_add(struct strbuf *out, const char *text);

/* Copies a sentence that follows the number n, as much as fits in `size` bytes. Replaces each
 * "{call was|calls were}" by its first variant if n is 1, else by its second. Allocates nothing and
 * is async-signal-safe. */
void text_pluralize(char *out, size_t size, const char *sentence, uint64_t n);

/* Removes an offset at the end of a name: "main+0x1f" becomes "main", and "[main+0x1f]" becomes
 * "[main]". */
void text_cut_offset(char *name);

/* Replaces each harmful character of the text by `instead`, in place. The text does not grow. */
void text_sanitize(char *text, char instead);

#endif
