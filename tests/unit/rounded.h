/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rounded - compares golden texts whose numbers are rounded to six digits, as further digits may
 * differ between machines.
 */
#ifndef TESTS_ROUNDED_H
#define TESTS_ROUNDED_H

#include <string.h>

#include "golden.h"

/* Appends the number at the start of a text, rounded if it is long. Returns its length in the
 * text. */
static inline size_t rounded_add(struct strbuf *out, const char *text)
{
	char *end;
	const double number = strtod(text, &end);
	const size_t n = (size_t)(end - text);

	if (n > 7 && text[1] != 'x')
		strbuf_addf(out, "%.6g", number);
	else
		strbuf_add(out, text, n);
	return n;
}

/* Compares text with tests/golden/FOLDER/NAME.txt, with rounded numbers. */
static inline void rounded_check(const char *folder, const char *name, const char *text)
{
	struct strbuf rounded;

	strbuf_init(&rounded);
	for (size_t n; *text; text += n) {
		n = strcspn(text, "0123456789");
		strbuf_add(&rounded, text, n);
		if (text[n])
			n += rounded_add(&rounded, text + n);
	}
	golden_check(folder, name, rounded.text);
	strbuf_done(&rounded);
}

#endif
