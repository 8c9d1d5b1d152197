/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex_syntax - extended regular expressions of POSIX, with GNU's \w \W \s \S \b \B \< \> \` \',
 * converted to PCRE2.
 *
 * Syntax that differs is rewritten: {,5} becomes {0,5}, a ) without a ( is a character, and so is a
 * \ in brackets. Syntax with another meaning in PCRE2 is refused: \d and other letters with a
 * backslash, a*+ and other repeats of repeats, (?...), back references. pcre2_pattern_convert()
 * cannot be used: it converts \< to < and \s to s, and keeps a{,5} and a*+.
 */
#ifndef VIEW_REGEX_SYNTAX_H
#define VIEW_REGEX_SYNTAX_H

#include "base/err.h"
#include "base/strbuf.h"

/* Appends the converted expression. *counted: the minimal number of characters of its counted
 * repeats: 5 for a{5}. Returns 0; or -EINVAL or -ERANGE with a sentence. Incomplete expressions may
 * pass: PCRE2 refuses them. */
int regex_syntax_convert(struct strbuf *out, const char *pattern, unsigned *counted,
			 struct err *err);

#endif
