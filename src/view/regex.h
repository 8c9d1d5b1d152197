/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex - a regular expression that is asked of names, by PCRE2, and never for long.
 *
 * The language is that of regex_syntax.h. In a UTF-8 locale characters are Unicode's, and so are
 * the classes ([:alpha:]); a byte that belongs to none matches nothing. Elsewhere each byte is a
 * character of the locale.
 *
 * Any expression can take time that grows with a power of the text, or worse. So steps are counted,
 * each of which goes back to another way to match and takes some 20 ns (Zen 4); those of long
 * expressions count several times. Each text has REGEX_STEPS_EACH for each place where a match may
 * begin, then REGEX_STEPS_FREE for each of its bytes: most need less. One that needs more has up to
 * REGEX_STEPS_MAX, some 5 ms, out of REGEX_STEPS_REFRESH for all texts of a refresh; when these are
 * used up, one for each byte is free. Without an answer then, it is unknown.
 *
 * PCRE2's limit bounds the time only if a repeat goes back by each character that it took: so it
 * may not make repeats possessive by itself. And it counts from zero at each place where a match
 * may begin: beyond REGEX_STEPS_EACH the expression begins with .*?, so that there is only one.
 */
#ifndef VIEW_REGEX_H
#define VIEW_REGEX_H

#include "base/err.h"
#include "base/tri.h"

#define REGEX_LENGTH_MAX    1000 /* bytes of the expression */
#define REGEX_STEPS_EACH    32
#define REGEX_STEPS_FREE    4
#define REGEX_STEPS_MAX     150000u
#define REGEX_STEPS_REFRESH (40 * REGEX_STEPS_MAX)

struct regex;

/* 0; or -EINVAL or -ERANGE with a sentence. */
int regex_compile(struct regex **out, const char *pattern, struct err *err);
/* NULL is fine. */
void regex_free(struct regex *r);

/* Begins a refresh. */
void regex_begin(struct regex *r);
/* Whether some part of the text matches. */
enum tri regex_match(struct regex *r, const char *text);

#endif
