/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text - UTF-8 that others have chosen: names of tasks, arguments, files.
 *
 * What is printed must not command the terminal, nor make a line look other than it is. So control
 * characters (C0, DEL, C1), the separators of lines and paragraphs, and format characters that are
 * not seen themselves (directions of writing, joiners, tags, ...) become '?', as each byte does
 * that belongs to no character.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* What a byte stands for that begins no valid sequence (RFC 3629: no overlong
 * forms, no surrogates). */
#define TEXT_BAD 0xfffd

/* The character at text, of which there are n > 0 bytes; *len is its length. TEXT_BAD
 * is one byte long. */
uint32_t text_decode(const char *text, size_t n, size_t *len);

/* Whether the byte goes on with a character that began before. */
bool text_continues(char byte);

/* How many characters it has. */
int text_length(const char *text);

/* Whether it may be shown as it is. */
bool text_is_harmless(uint32_t character);

/* Appends the text, harmless. */
void text_add(struct strbuf *out, const char *text);

/* Makes it harmless where it is, by this character instead of '?'; it does not grow. */
void text_tame(char *text, char instead);

#endif
