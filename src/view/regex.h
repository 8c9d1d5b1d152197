/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex - matches regular expressions against names, by PCRE2, in bounded time.
 *
 * The language is that of regex.h. In a UTF-8 locale, characters and classes ([:alpha:]) are
 * those of Unicode; a byte that is not UTF-8 matches nothing. In other locales each byte is a
 * character.
 *
 * The time of a match can grow with a power of the length of the text, or faster. So steps are
 * limited: a step is one backtracking of PCRE2 and takes some 20 ns (Zen 4); a step of a long
 * expression counts several times.
 *
 * Each text has REGEX_STEPS_EACH steps for each position where a match may begin. If these do not
 * suffice, the text has REGEX_STEPS_FREE steps for each of its bytes; most texts need less. A text
 * that needs more gets up to REGEX_STEPS_MAX steps, some 5 ms, out of REGEX_STEPS_REFRESH for all
 * texts of a refresh; when these are used up, each text has only one step per byte. If the steps do
 * not suffice, the result is unknown.
 *
 * The limit of PCRE2 bounds the time only if repeats backtrack character by character, so
 * auto-possessification is switched off. PCRE2 also restarts counting at each position where a
 * match may begin: beyond REGEX_STEPS_EACH, the expression is prefixed with .*?, so that there is
 * only one such position.
 */
#ifndef VIEW_REGEX_H
#define VIEW_REGEX_H

#include "base/err.h"
#include "base/value.h"

#define REGEX_LENGTH_MAX    1000 /* bytes of an expression */
#define REGEX_STEPS_EACH    32
#define REGEX_STEPS_FREE    4
#define REGEX_STEPS_MAX     150000u
#define REGEX_STEPS_REFRESH (40 * REGEX_STEPS_MAX)

struct regex;

/* Compiles an expression. Returns 0; or -EINVAL or -ERANGE with a sentence. */
int regex_compile(struct regex **out, const char *pattern, struct err *err);
void regex_free(struct regex *r);

/* Begins a refresh: resets the budget of steps. */
void regex_begin(struct regex *r);
/* Returns whether any part of the text matches. */
enum tri regex_match(struct regex *r, const char *text);

#endif
