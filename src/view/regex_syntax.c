/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/regex_syntax.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 100
#define COUNT_MAX  100000u /* the product of two of these fits an uint64_t */

struct scan {
	const char *at;
	struct strbuf *out;
	bool repeatable; /* the preceding element can be repeated */
	/* For each open group: the minimal number of characters of its counted repeats. */
	uint64_t counted[GROUPS_MAX + 1];
	int depth;
	uint64_t last; /* as counted[], of the group that ended just before; 0: no group did */
};

static const struct {
	char letter;
	bool repeatable;
	const char *as;
} escape_table[] = {
	{'w', true, "\\w"},  {'W', true, "\\W"},   {'s', true, "\\s"},      {'S', true, "\\S"},
	{'b', false, "\\b"}, {'B', false, "\\B"},  {'<', false, "[[:<:]]"}, {'>', false, "[[:>:]]"},
	{'`', false, "\\A"}, {'\'', false, "\\z"},
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Copies len characters unchanged. */
static void copy(struct scan *s, size_t len)
{
	strbuf_add(s->out, s->at, len);
	s->at += len;
}

static int refuse_escape(char c, struct err *err)
{
	if (c >= '1' && c <= '9')
		return err_set(err, EINVAL,
			       "extended regular expressions have no references back (\\%c), which "
			       "may take minutes to match: write the text out",
			       c);
	return err_set(err, EINVAL,
		       "\\%c means nothing in extended regular expressions: leave out the "
		       "backslash, or write a class such as [[:digit:]]",
		       c);
}

/* Converts the character after a backslash. */
static int convert_escape(struct scan *s, struct err *err)
{
	const char c = *s->at;

	for (size_t i = 0; i < sizeof escape_table / sizeof *escape_table; i++)
		if (c == escape_table[i].letter) {
			strbuf_addstr(s->out, escape_table[i].as);
			s->repeatable = escape_table[i].repeatable;
			s->at++;
			return 0;
		}
	if (is_letter(c) || is_digit(c))
		return refuse_escape(c, err);
	/* A backslash must not precede bytes of characters beyond ASCII. */
	if (!(c & 0x80))
		strbuf_addstr(s->out, "\\");
	if (c)
		copy(s, 1);
	s->repeatable = true;
	return 0;
}

/* Converts "[:class:]" in brackets; refuses "[." and "[=". */
static int convert_class(struct scan *s, struct err *err)
{
	static const char digit[] = "[:digit:]";
	const size_t len = 2 + strspn(s->at + 2, "abcdefghijklmnopqrstuvwxyz");

	if (s->at[1] != ':')
		return err_set(err, EINVAL,
			       "[%c and %c] are not supported in regular expressions: write the "
			       "character itself",
			       s->at[1], s->at[1]);
	if (strncmp(s->at + len, ":]", 2) != 0)
		return err_set(err, EINVAL,
			       "after [: the name of a class and :] are expected, as in [:alpha:]");
	/* PCRE2's [:digit:] has more digits than that of POSIX. */
	if (strncmp(s->at, digit, strlen(digit)) != 0) {
		copy(s, len + 2);
		return 0;
	}
	strbuf_addstr(s->out, "0-9");
	s->at += len + 2;
	return 0;
}

/* Converts a bracket expression after its [: a backslash in it is a character, and so is a ] at its
 * beginning. */
static int convert_bracket(struct scan *s, struct err *err)
{
	strbuf_addstr(s->out, "[");
	if (*s->at == '^')
		copy(s, 1);
	if (*s->at == ']')
		copy(s, 1);
	while (*s->at && *s->at != ']') {
		const bool class = *s->at == '[' && s->at[1] && strchr(":.=", s->at[1]);

		if (class) {
			if (convert_class(s, err))
				return -EINVAL;
			continue;
		}
		if (strchr("\\[", *s->at))
			strbuf_addstr(s->out, "\\");
		copy(s, 1);
	}
	if (*s->at)
		copy(s, 1);
	s->repeatable = true;
	return 0;
}

/* Adds the characters of a counted repeat {n}. Those of a repeated group were added once already,
 * when the group ended. */
static void count_repeat(struct scan *s, uint64_t n)
{
	uint64_t *sum = &s->counted[s->depth];

	n = n < COUNT_MAX ? n : COUNT_MAX;
	*sum += s->last ? s->last * (n ? n - 1 : 0) : n;
	*sum = *sum < COUNT_MAX ? *sum : COUNT_MAX;
}

/* Converts {m}, {m,}, {m,n}, {,n} or {,}. */
static int convert_interval(struct scan *s, struct err *err)
{
	const char *from = s->at + 1;
	const size_t n_from = strspn(from, "0123456789");
	const char *rest = from + n_from;
	const size_t n_rest = *rest == ',' ? 1 + strspn(rest + 1, "0123456789") : 0;

	if (rest[n_rest] != '}' || !(n_from + n_rest))
		return err_set(err, EINVAL,
			       "this '{' begins no repeat such as {2}, {2,} or {2,5}: put a "
			       "backslash before it if the character is meant");
	count_repeat(s, strtoul(from, NULL, 10));
	strbuf_addstr(s->out, n_from ? "{" : "{0");
	s->at = from;
	copy(s, n_from + n_rest + 1);
	return 0;
}

static int convert_repeat(struct scan *s, struct err *err)
{
	if (!s->repeatable)
		return err_set(err, EINVAL,
			       "there is nothing that this '%c' can repeat: put a backslash before "
			       "it if the character is meant, or parentheses around a repeat that "
			       "is repeated",
			       *s->at);
	s->repeatable = false;
	if (*s->at == '{')
		return convert_interval(s, err);
	copy(s, 1);
	return 0;
}

static int convert_parenthesis(struct scan *s, struct err *err)
{
	const bool opens = *s->at == '(';

	if (opens && s->depth == GROUPS_MAX)
		return err_set(err, ERANGE,
			       "the regular expression has more than %d groups within each other",
			       GROUPS_MAX);
	s->repeatable = !opens;
	if (opens) {
		s->counted[++s->depth] = 0;
	} else if (s->depth) {
		s->last = s->counted[s->depth--];
		s->counted[s->depth] += s->last;
	} else {
		strbuf_addstr(s->out, "\\");
	}
	copy(s, 1);
	return 0;
}

static int convert_next(struct scan *s, struct err *err)
{
	const char c = *s->at;

	if (strchr("*+?{", c))
		return convert_repeat(s, err);
	s->last = 0;
	if (c == '(' || c == ')')
		return convert_parenthesis(s, err);
	if (c == '[' || c == '\\') {
		s->at++;
		return c == '[' ? convert_bracket(s, err) : convert_escape(s, err);
	}
	s->repeatable = !strchr("|^$", c);
	copy(s, 1);
	return 0;
}

int regex_syntax_convert(struct strbuf *out, const char *pattern, unsigned *counted,
			 struct err *err)
{
	struct scan s = {.at = pattern, .out = out};
	uint64_t sum = 0;
	int ret = 0;

	while (!ret && *s.at)
		ret = convert_next(&s, err);
	for (int i = 0; i <= s.depth; i++)
		sum += s.counted[i];
	*counted = sum < COUNT_MAX ? (unsigned)sum : COUNT_MAX;
	return ret;
}
