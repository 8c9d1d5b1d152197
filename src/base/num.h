/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * num - parses and writes numbers, in the C locale.
 *
 * num_parse_*() accept only a `text` that is a number as a whole, without blanks. Else they set err
 * to a sentence that quotes the text and says what is allowed, and return -EINVAL or -ERANGE.
 * `what` names the number in that sentence ("the delay").
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Parses a finite decimal number in [min, max]. */
int num_parse_double(const char *text, const char *what, double min, double max, double *out,
		     struct err *err);
/* Parses a whole decimal number in [min, max]. */
int num_parse_int(const char *text, const char *what, long min, long max, long *out,
		  struct err *err);
/* Parses an unsigned number: decimal, or hexadecimal after 0x. */
int num_parse_u64(const char *text, const char *what, uint64_t *out, struct err *err);

/* Appends a finite number with up to 15 significant digits, or with up to 17 if reading it back
 * needs them; -0 becomes 0. */
void num_add(struct strbuf *out, double number);
/* Appends a count, without printf(3), which is slow: most numbers that are written are counts. */
void num_add_count(struct strbuf *out, uint64_t count);

/* The most decimals that num_add_fixed() writes. */
#define NUM_FIXED_DECIMALS_MAX 3
/* Appends what printf("%*.*f", width, decimals, number) prints, which takes several times as long.
 * Returns false, and appends nothing, if the number has the sign '-', is not below 2^52, or is
 * NaN. */
bool num_add_fixed(struct strbuf *out, double number, int width, int decimals);

#endif
