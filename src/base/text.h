/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text - UTF-8 that others have chosen: names of tasks, arguments, files.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* What a byte stands for that begins no valid sequence (RFC 3629: no overlong forms, no surrogates). */
#define TEXT_BAD 0xfffd

/* The character at text, of which there are n > 0 bytes; *len is its length. TEXT_BAD is one byte long. */
uint32_t text_decode(const char *text, size_t n, size_t *len);

#endif
