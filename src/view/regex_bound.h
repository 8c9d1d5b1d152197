/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex_bound - refuses regular expressions whose compiling or matching would take memory or time
 * without bound.
 *
 * The C library writes repeats out: (a{100}){100} is 10,000 characters, and time and memory grow
 * with their square. So they are counted before it compiles: x+ is xx*, x{2,5} is five of x.
 * Parentheses and bars count, too, which bounds the depth. At the bound, compiling takes some 10 ms
 * and 10 MB (glibc 2.36). A limited child could compile only for itself, and would have to try.
 *
 * POSIX has no references back (\1) in extended regular expressions. The C library has; matching
 * one against 100 characters may take 10 s, so they are refused.
 */
#ifndef VIEW_REGEX_BOUND_H
#define VIEW_REGEX_BOUND_H

#include "base/err.h"

#define REGEX_CHARACTERS_MAX 500

/* 0; or -ERANGE or -EINVAL with a sentence. What is no regular expression may pass: regcomp(3)
 * says so. */
int regex_bound_check(const char *pattern, struct err *err);

#endif
