/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex_syntax - extended regular expressions of POSIX, with GNU's \w \W \s \S \b \B \< \> \` \',
 * as the same expressions of PCRE2.
 *
 * What both languages write differently is rewritten: {,5} is {0,5}, a ) without a ( is a
 * character, and so is a \ in brackets. What would mean something else in one of them is refused:
 * \d and other letters with a backslash, a*+ and other repeats of repeats, (?...), references
 * back. pcre2_pattern_convert() does not serve: it makes < of \<, s of \s, and keeps a{,5} and a*+.
 */
#ifndef VIEW_REGEX_SYNTAX_H
#define VIEW_REGEX_SYNTAX_H

#include "base/err.h"
#include "base/strbuf.h"

/* Appends it. *counted: how many characters its counted repeats take at least: a{5} five of them.
 * 0; or -EINVAL or -ERANGE with a sentence. What is not complete may pass: PCRE2 refuses it. */
int regex_syntax_convert(struct strbuf *out, const char *pattern, unsigned *counted,
			 struct err *err);

#endif
