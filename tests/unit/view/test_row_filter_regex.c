/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions for names: each has the meaning of the C library's extended ones, or is
 * refused.
 */
#include "view/row_filter.h"

#include <errno.h>
#include <locale.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tap.h"

/* Returns a compiled expression; NULL, with a failed test, if it was refused. */
static struct regex *compile(const char *pattern)
{
	struct err err = ERR_INIT;
	struct regex *r;

	tap_int(regex_compile(&r, pattern, &err), 0, "%s: compiles %s", pattern, err.text);
	return r;
}

static enum tri ask(const char *pattern, const char *text)
{
	struct regex *r = compile(pattern);
	enum tri answer = r ? regex_match(r, text) : TRI_UNKNOWN;

	regex_free(r);
	return answer;
}

/* ---- what they mean ---- */

/* clang-format off */
static const struct {
	const char *pattern, *text;
	enum tri want;
} meaning[] = {
	{"a{,2}b", "b", TRI_TRUE}, {"^a{,2}b", "aaab", TRI_FALSE}, {"^a{,}b", "aaab", TRI_TRUE},
	{"^(a+)+$", "aaa", TRI_TRUE}, {"a)", "a)", TRI_TRUE}, {"^)$", ")", TRI_TRUE},
	{"^[a\\b]+$", "a\\b", TRI_TRUE}, {"^[a\\b]$", "\b", TRI_FALSE}, {"[\\d]", "5", TRI_FALSE},
	{"^[[]$", "[", TRI_TRUE}, {"^[]]$", "]", TRI_TRUE}, {"^[^]]$", "]", TRI_FALSE},
	{"[[:digit:]]", "5", TRI_TRUE}, {"^[[:digit:]_]$", "_", TRI_TRUE}, {"[%--]", "-", TRI_TRUE},
	{"\\<b\\>", "a b c", TRI_TRUE}, {"\\<b\\>", "abc", TRI_FALSE}, {"\\`a\\'", "a", TRI_TRUE},
	{"\\`a\\'", "ba", TRI_FALSE}, {"\\w\\W\\s\\S", "a- b", TRI_TRUE}, {"a\\b", "ab", TRI_FALSE},
	{"a\\B", "ab", TRI_TRUE}, {"a.b", "a\nb", TRI_TRUE}, {"a$", "a\n", TRI_FALSE},
	{"^b", "a\nb", TRI_FALSE}, {"a||b", "", TRI_TRUE}, {"()", "", TRI_TRUE}, {"a{0}", "", TRI_TRUE},
	{"\\.", "a", TRI_FALSE}, {"\\_", "_", TRI_TRUE}, {"}", "}", TRI_TRUE}, {"a#b c", "a#b c", TRI_TRUE},
};

#define NOTHING_FOR(c)                                                                             \
	"there is nothing that this '" c "' can repeat: to search for the character, put a "       \
	"backslash before it; to repeat a repeat, put parentheses around it"

static const struct {
	const char *pattern;
	int ret;
	const char *sentence;
} refused[] = {
	{"(a)\\1", -EINVAL,
	 "extended regular expressions have no references back (\\1), which may take "
	 "minutes to match: write the text out"},
	{"\\d+", -EINVAL,
	 "\\d means nothing in extended regular expressions: leave out the backslash, or "
	 "write a class such as [[:digit:]]"},
	{"a*+", -EINVAL, NOTHING_FOR("+")},
	{"(?i)a", -EINVAL, NOTHING_FOR("?")},
	{"(*LIMIT_MATCH=1)a", -EINVAL, NULL}, {"*a", -EINVAL, NULL}, {"a|*b", -EINVAL, NULL},
	{"^*", -EINVAL, NULL}, {"a{2}{3}", -EINVAL, NULL}, {"\\<+", -EINVAL, NULL}, {"a??", -EINVAL, NULL},
	{"a{x}", -EINVAL,
	 "this '{' begins no repeat such as {2}, {2,} or {2,5}: put a backslash before it if the character is meant"},
	{"a{}", -EINVAL, NULL}, {"a{", -EINVAL, NULL}, {"a{5,2}", -EINVAL, NULL}, {"a{65536}", -EINVAL, NULL},
	{"[[.a.]]", -EINVAL,
	 "[. and .] are not supported in regular expressions: write the character itself"},
	{"[[=a=]]", -EINVAL, NULL},
	{"[[:", -EINVAL, "after [: the name of a class and :] are expected, as in [:alpha:]"},
	{"[[:foo:]]", -EINVAL, "this is not a regular expression: unknown POSIX class name"},
	{"(", -EINVAL, "this is not a regular expression: missing closing parenthesis"},
	{"[", -EINVAL, NULL}, {"[^", -EINVAL, NULL}, {"a\\", -EINVAL, NULL}, {"[b-a]", -EINVAL, NULL},
	/* Nested repeats, whose product exceeds an int by far. */
	{"((((((((a{1,255}){1,255}){1,255}){1,255}){1,255}){1,255}){1,255}){1,255})", -EINVAL, NULL},
	{"(((((((a{255}){255}){255}){255}){255}){255}){255})", -EINVAL, NULL},
	{"a{99999999999999999999999999}", -EINVAL, NULL},
};
/* clang-format on */

static void test_meaning(void)
{
	for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++)
		tap_int(ask(meaning[i].pattern, meaning[i].text), meaning[i].want, "%s of text %zu",
			meaning[i].pattern, i);
}

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct err err = ERR_INIT;
		struct regex *r;

		tap_int(regex_compile(&r, refused[i].pattern, &err), refused[i].ret,
			"%s is refused", refused[i].pattern);
		tap_ok(!r && *err.text, "with a sentence: %s", err.text);
		if (refused[i].sentence)
			tap_str(err.text, refused[i].sentence, "this one");
	}
}

/* A pattern that repeats one character n times. */
static void test_length(char c, size_t n, int want, const char *name)
{
	struct err err = ERR_INIT;
	char *text = xmalloc(n + 1);
	struct regex *r;

	memset(text, c, n);
	text[n] = '\0';
	tap_int(regex_compile(&r, text, &err), want, "%s %s", name, err.text);
	regex_free(r);
	free(text);
}

static void test_lengths(void)
{
	test_length('a', 1000, 0, "1000 characters");
	test_length('a', 1001, -ERANGE, "more");
	test_length('(', 100, -EINVAL, "100 groups, which do not end");
	test_length('(', 101, -ERANGE, "more of them");
	test_length('(', 1000000, -ERANGE, "more than the stack holds");
}

/* ---- the same as the C library's ---- */

static const char *const piece[] = {
	"a",
	"b",
	"-",
	"_",
	" ",
	"0",
	".",
	"*",
	"+",
	"?",
	"{2}",
	"{,2}",
	"{1,}",
	"{0}",
	"{,}",
	"(",
	")",
	"|",
	"^",
	"$",
	"[",
	"]",
	"[a-b]",
	"[^a]",
	"[^]a]",
	"[]a]",
	"[a\\b]",
	"[[:alpha:]]",
	"[^[:space:]]",
	"[[:digit:]_-]",
	"[[:punct:]]",
	"\\w",
	"\\W",
	"\\s",
	"\\S",
	"\\b",
	"\\B",
	"\\<",
	"\\>",
	"\\`",
	"\\'",
	"\\.",
	"\\*",
	"\\\\",
	"\\(",
	"{",
	"}",
	"[:",
	",",
	"\\d",
	"/",
	"[%--]",
	"[+-]",
};

/* Without newline: at a newline within a text, ^ and $ of glibc 2.36 match, contrary to its
 * manual. */
static const char *const letter[] = {
	"a", "b",  "aa", "ab", " ", "-", "_", "0", "9",
	".", "\\", "*",  "(",  ")", "]", "/", "{", "\t",
};

static unsigned draw(uint64_t *state, unsigned n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state >> 32) % n;
}

static char *make_up(uint64_t *state, const char *const *from, unsigned n, unsigned length)
{
	struct strbuf text;
	char *made;

	strbuf_init(&text);
	for (unsigned i = draw(state, length); i; i--)
		strbuf_addstr(&text, from[draw(state, n)]);
	made = xstrdup(text.text);
	strbuf_done(&text);
	return made;
}

struct tally {
	int both, matched, refused, more, different;
};

static void compare_text(struct tally *t, uint64_t *state, const char *pattern, struct regex *ours,
			 const regex_t *theirs)
{
	char *text = make_up(state, letter, sizeof letter / sizeof *letter, 7);
	const bool want = !regexec(theirs, text, 0, NULL, 0);
	const enum tri answer = regex_match(ours, text);
	const bool differs = answer != (want ? TRI_TRUE : TRI_FALSE);

	t->both++;
	t->matched += want;
	t->different += differs;
	if (differs)
		printf("# %s of '%s': %d, not %d\n", pattern, text, (int)answer, want);
	free(text);
}

static void compare(struct tally *t, uint64_t *state)
{
	char *pattern = make_up(state, piece, sizeof piece / sizeof *piece, 8);
	struct regex *ours;
	regex_t theirs;
	const int ret = regex_compile(&ours, pattern, NULL);
	const int fault = regcomp(&theirs, pattern, REG_EXTENDED | REG_NOSUB);

	t->refused += ret && !fault;
	t->more += !ret && fault;
	for (int i = 0; i < 6 && !ret && !fault; i++)
		compare_text(t, state, pattern, ours, &theirs);
	regex_free(ours);
	if (!fault)
		regfree(&theirs);
	free(pattern);
}

static void test_same(const char *name)
{
	uint64_t state = 88172645463325252u;
	struct tally t = {.both = 0};

	for (int i = 0; i < 20000; i++)
		compare(&t, &state);
	printf("# %d compared, %d match, %d only refused here\n", t.both, t.matched, t.refused);
	tap_ok(t.both > 20000 && t.matched > 5000, "%s: expressions are compared", name);
	tap_int(t.different, 0, "%s: none differs from the C library's", name);
	tap_int(t.more, 0, "%s: what the C library refuses is refused", name);
}

/* ---- characters ---- */

static void test_bytes(void)
{
	tap_int(ask("^..$", "\xc3\xa9"), TRI_TRUE, "each byte is a character");
	tap_int(ask("[[:alpha:]]", "\xc3\xa9"), TRI_FALSE, "and no letter");
	tap_int(ask("a\xff", "a\xff"), TRI_TRUE, "also in the expression");
}

static void test_utf8(void)
{
	struct err err = ERR_INIT;
	struct regex *r;

	tap_int(ask("^.$", "\xc3\xa9"), TRI_TRUE, "a character has several bytes");
	tap_int(ask("^[[:alpha:]]\\>", "\xc3\xa9"), TRI_TRUE, "it is a letter");
	tap_int(ask("^[\xc3\xa0-\xc3\xaf]$", "\xc3\xa9"), TRI_TRUE, "it is in a range");
	tap_int(ask("^\\\xc3\xa9$", "\xc3\xa9"), TRI_TRUE, "it needs no backslash");
	tap_int(ask("a.b", "a\xff"
			   "b"),
		TRI_FALSE, "a byte that is no UTF-8 is no character");
	tap_int(ask("^a", "a\xff"
			  "b"),
		TRI_TRUE, "before it");
	tap_int(ask("b$", "a\xff"
			  "b"),
		TRI_TRUE, "behind it");
	tap_int(ask("^b", "a\xff"
			  "b"),
		TRI_FALSE, "where no text begins");
	tap_int(regex_compile(&r, "a\xff", &err), -EINVAL, "it is in no expression: %s", err.text);
}

int main(void)
{
	setlocale(LC_CTYPE, "C");
	test_meaning();
	test_refused();
	test_lengths();
	test_bytes();
	test_same("bytes");
	if (setlocale(LC_CTYPE, "C.UTF-8")) {
		test_meaning();
		test_utf8();
		test_same("UTF-8");
	} else {
		tap_ok(true, "UTF-8 # SKIP this machine has no locale C.UTF-8");
	}
	return tap_done();
}
