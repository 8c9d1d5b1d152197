/* SPDX-License-Identifier: LGPL-2.1-or-later */
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

/* What text_decode() returns for a byte that begins no valid sequence (RFC 3629: no overlong forms,
 * no surrogates). */
#define TEXT_BAD 0xfffd

/* Decodes the character that the n > 0 bytes at `text` begin with. *len: the number of its bytes, 1
 * for TEXT_BAD. */
uint32_t text_decode(const char *text, size_t n, size_t *len);

/* Whether the byte goes on with a character that began before. */
bool text_continues(char byte);

/* Whether these n > 0 bytes are the beginning of a character whose end is missing. */
bool text_is_cut(const char *text, size_t n);

/* How many characters it has. */
int text_length(const char *text);

/* Whether the character may be shown as it is. */
bool text_is_harmless(uint32_t character);

/* Appends the text, made harmless. */
void text_add(struct strbuf *out, const char *text);

/* Copies a sentence that follows a number, as far as it has room: of "{call was|calls were} left",
 * the first where n is 1, else the second. Takes no memory, and is safe in a signal handler. */
void text_pluralize(char *out, size_t size, const char *sentence, uint64_t n);

/* Cuts off where in a function or a file an address is, if the name ends with that: "main+0x1f", or
 * "[main+0x1f]", which keeps its bracket. */
void text_cut_offset(char *name);

/* Makes the text harmless in its place: `instead` stands for each harmful character, in place of
 * '?'. The text does not grow. */
void text_sanitize(char *text, char instead);

#endif
