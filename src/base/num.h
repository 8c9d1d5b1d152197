/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * num - numbers from text, in the C locale, whole text or nothing; and as text for programs.
 *
 * num_parse_*() read all of `text` (no blanks around, nothing behind) or set err to a sentence that
 * quotes the text and says what is allowed, and return -EINVAL or -ERANGE. `what` names the number
 * in that sentence ("the delay").
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* A finite decimal number in [min, max]. */
int num_parse_double(const char *text, const char *what, double min, double max, double *out,
		     struct err *err);
/* A whole decimal number in [min, max]. */
int num_parse_int(const char *text, const char *what, long min, long max, long *out,
		  struct err *err);
/* An unsigned number: decimal, or hexadecimal after 0x. */
int num_parse_u64(const char *text, const char *what, uint64_t *out, struct err *err);

/* Appends a finite number in full precision: with 15 digits, or as many more as it takes to read
 * the same number again. */
void num_add(struct strbuf *out, double number);
/* Appends a count: most numbers that are written are counts, and printf(3) takes long. */
void num_add_count(struct strbuf *out, uint64_t count);

#endif
