/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long regular expressions are with their repeats written out: just below the bound they pass
 * and can be compiled, just above they are refused before.
 */
#include "view/regex_bound.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tap.h"

/* clang-format off */
static const struct {
	const char *pattern;
	int ret;
} rows[] = {
	{"", 0},
	{"^(make|cc1(plus)?)$", 0},
	/* 500 and 501 characters. */
	{"a{500}", 0}, {"a{501}", -ERANGE},
	{"a{1,500}", 0}, {"a{1,501}", -ERANGE},
	{"a{,500}", 0}, {"a{,501}", -ERANGE},
	{"a{499,}", 0}, {"a{500,}", -ERANGE},
	{"a{100}{5}", 0}, {"a{100}{5}b", -ERANGE},
	{"(a{4}){100}", 0}, {"(a{4}){100}b", -ERANGE},
	{"(a{4}){101}", -ERANGE},
	{"x(ab|c){99}yyyy", 0}, {"x(ab|c){99}yyyyy", -ERANGE},
	{"[]a-z]{500}", 0}, {"[]a-z]{501}", -ERANGE},
	{"[^][:alpha:]]{500}", 0}, {"[^][:alpha:]]{501}", -ERANGE},
	{"[[.].][=]=]{9}]{50}", 0}, {"\\({500}", 0}, {"\\({501}", -ERANGE},
	/* A plus doubles. */
	{"(((((((a+)+)+)+)+)+)+)", 0},
	{"((((((((((a+)+)+)+)+)+)+)+)+)+)", -ERANGE},
	{"(((((((((((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)", -ERANGE},
	/* Nested, and far more than a long has. */
	{"((((((((a{1,255}){1,255}){1,255}){1,255}){1,255}){1,255}){1,255}){1,255})", -ERANGE},
	{"a{99999999999999999999999999}", -ERANGE},
	{"a{0}", 0}, {"(a{0}){400}", -ERANGE},
	/* No repeats: a brace that is a character, or that regcomp(3) refuses. */
	{"{", 0}, {"a{", 0}, {"a{x}", 0}, {"a{1,x}", 0}, {"a{}", 0}, {"a{,}", 0}, {"[a{900}]", 0}, {"a\\{900}", 0},
	/* What has no end. */
	{"(", 0}, {"[", 0}, {"[[:", 0}, {"[^", 0}, {"a\\", 0}, {")", 0}, {"a)b{501}", -ERANGE},
	{"(a)\\1", -EINVAL}, {"(a)\\\\1", 0}, {"[\\1]", 0}, {"\\0", 0}, {"(a\\9)", -EINVAL},
};
/* clang-format on */

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = ERR_INIT;
		regex_t regex;

		tap_int(regex_bound_check(rows[i].pattern, &err), rows[i].ret, "%s",
			rows[i].pattern);
		if (!rows[i].ret && !regcomp(&regex, rows[i].pattern, REG_EXTENDED | REG_NOSUB))
			regfree(&regex);
	}
}

/* Texts of one character, n times. */
static void test_length(char c, size_t n, int want, const char *name)
{
	struct err err = ERR_INIT;
	char *text = xmalloc(n + 1);

	memset(text, c, n);
	text[n] = '\0';
	tap_int(regex_bound_check(text, &err), want, "%s", name);
	free(text);
}

static void test_sentences(void)
{
	struct err err = ERR_INIT;

	regex_bound_check("a{501}", &err);
	tap_str(err.text,
		"the regular expression is too long: with all repeats written out it has more than "
		"500 characters",
		"what is too long");
	regex_bound_check("(a)\\1", &err);
	tap_str(err.text,
		"extended regular expressions have no references back (\\1), which may take "
		"minutes "
		"to match: write the text out",
		"what refers back");
}

int main(void)
{
	test_rows();
	test_length('a', 500, 0, "a text");
	test_length('a', 501, -ERANGE, "a longer text");
	test_length('(', 500, 0, "groups in groups");
	test_length('(', 10000000, -ERANGE, "more of them than the stack holds");
	test_sentences();
	return tap_done();
}
