/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/regex_bound.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A product of two of these is a long. */
#define SIZE_CAP 1000000L

struct scan {
	const char *at;
	int seen;      /* characters so far, without repeats */
	char backward; /* the digit of a reference back; 0: there is none */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips [...], in which [:alpha:], [.x.] and [=x=] are and a first ] is a character. */
static void skip_bracket(struct scan *s)
{
	if (*s->at == '^')
		s->at++;
	if (*s->at == ']')
		s->at++;
	while (*s->at && *s->at != ']') {
		const char end[] = {s->at[1], ']', '\0'};
		const char *class = *s->at == '[' && s->at[1] && strchr(":.=", s->at[1])
					    ? strstr(s->at + 2, end)
					    : NULL;

		s->at = class ? class + 2 : s->at + 1;
	}
	if (*s->at)
		s->at++;
}

static long read_count(const char **at)
{
	long n = 0;

	for (; is_digit(**at); ++*at)
		n = n < SIZE_CAP ? 10 * n + (**at - '0') : SIZE_CAP;
	return n < SIZE_CAP ? n : SIZE_CAP;
}

/* Skips {m}, {m,}, {m,n} or {,n}. Returns how often it is written out; 0: it is none of these. */
static long skip_interval(struct scan *s)
{
	const char *p = s->at + 1;
	const long from = read_count(&p);
	long copies = from;

	if (*p == ',') {
		p++;
		copies = is_digit(*p) ? read_count(&p) : from + 1;
	}
	if (*p != '}' || p == s->at + 1)
		return 0;
	s->at = p + 1;
	copies = copies > from ? copies : from;
	return copies ? copies : 1;
}

/* Skips the repeats behind an atom. Returns its size with them. */
static long repeat(struct scan *s, long size)
{
	for (;;) {
		long copies = 1;

		if (*s->at == '+')
			copies = 2;
		if (*s->at == '{')
			copies = skip_interval(s);
		else if (*s->at && strchr("*?+", *s->at))
			s->at++;
		else
			return size;
		if (!copies)
			return size;
		size = size * copies < SIZE_CAP ? size * copies : SIZE_CAP;
	}
}

/* Returns the size of all up to the end, or to the ')' of a group. */
static long scan_group(struct scan *s, bool inner)
{
	long sum = 0;

	while (*s->at && !(inner && *s->at == ')') && s->seen < REGEX_CHARACTERS_MAX + 1) {
		const char c = *s->at++;
		long size = 1;

		s->seen++;
		if (c == '(') {
			size += scan_group(s, true);
			if (*s->at)
				s->at++;
		} else if (c == '[') {
			skip_bracket(s);
		} else if (c == '\\' && *s->at) {
			if (*s->at >= '1' && *s->at <= '9')
				s->backward = *s->at;
			s->at++;
		}
		size = repeat(s, size);
		sum = sum + size < SIZE_CAP ? sum + size : SIZE_CAP;
	}
	return sum;
}

int regex_bound_check(const char *pattern, struct err *err)
{
	struct scan s = {.at = pattern};
	const long size = scan_group(&s, false);

	if (size > REGEX_CHARACTERS_MAX)
		return err_set(err, ERANGE,
			       "the regular expression is too long: with all repeats written out "
			       "it has more than %d characters",
			       REGEX_CHARACTERS_MAX);
	if (s.backward)
		return err_set(err, EINVAL,
			       "extended regular expressions have no references back (\\%c), which "
			       "may take minutes to match: write the text out",
			       s.backward);
	return 0;
}
