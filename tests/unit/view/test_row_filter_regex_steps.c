/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Malicious regular expressions are stopped after a number of steps, without an answer, and so are
 * those of a whole refresh.
 */
#include <locale.h>
#include <malloc.h>
#include <string.h>

#include "tap.h"
#include "view/row_filter.h"

/* Returns a compiled expression; NULL, with a failed test, if it was refused. */
static struct regex *compile(const char *pattern)
{
	struct err err = ERR_INIT;
	struct regex *r;

	tap_int(regex_compile(&r, pattern, &err), 0, "%s: compiles %s", pattern, err.text);
	return r;
}

static const char *const hostile[] = {
	"[[:alpha:]]{1,500}\\.",
	"(a|aa)+x",
	"(((a*)*)*)*x",
	"((((((a+)+)+)+)+)+)+x",
	"^(a|a|a|a)*x",
	"(a?){500}x",
	"(a?){1,500}x",
	"(a{1,100}){1,50}x",
	"a*a*a*a*a*a*a*a*x",
	"(a*b?c?d?e?f?)*x",
	"[a-bd-eg-hj-km-np-qs-tv-w]*x",
	"^(.*)(.*)(.*)(.*)x-$",
	"([[:alpha:]]{2000}|[[:alpha:]]{2001}|[[:alpha:]]{2002})[0-9]",
};

#define LONG 4096

/* A long run of letters, followed by characters that let the expressions fail only at the end. */
static void fill(char text[LONG + 1], size_t n)
{
	memset(text, 'a', n);
	memcpy(text + n - 10, "----.-x-1-", 11);
}

static void test_hostile(void)
{
	char text[LONG + 1];

	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		struct regex *r = compile(hostile[i]);
		const size_t before = mallinfo2().uordblks;

		fill(text, LONG);
		tap_int(regex_match(r, text), TRI_UNKNOWN, "%s has no answer", hostile[i]);
		tap_ok(mallinfo2().uordblks < before + (8u << 20), "in bounded memory");
		regex_free(r);
	}
}

static const char dear[] = "aaaaaaaaaaaa--x", cheap[] = "aaaa--x";

/* When the steps of a refresh are used up, a text that needs more than a few has no answer until
 * the next refresh. */
static void test_refresh(void)
{
	struct regex *r = compile("(a|aa)+x");
	char text[LONG + 1];

	tap_int(regex_match(r, dear), TRI_FALSE, "more than the free steps, and an answer");
	fill(text, LONG);
	for (unsigned i = 0; i <= REGEX_STEPS_REFRESH / REGEX_STEPS_MAX; i++)
		regex_match(r, text);
	tap_int(regex_match(r, dear), TRI_UNKNOWN, "none when others have used the steps up");
	tap_int(regex_match(r, cheap), TRI_FALSE, "what needs few has its own");
	regex_begin(r);
	tap_int(regex_match(r, dear), TRI_FALSE, "the next refresh has as many again");
	regex_free(r);
}

/* PCRE2 counts steps from zero again after a byte that is not UTF-8. The limit must hold for the
 * whole text. */
static void test_pieces(void)
{
	struct regex *r = compile("^.*(a|aa)+x");
	char text[LONG + 1];

	fill(text, LONG);
	for (size_t i = 0; i + 20 < LONG; i += 20)
		memcpy(text + i + 16, "--x\xff", 4);
	tap_int(regex_match(r, text), TRI_UNKNOWN, "pieces of a text share its steps");
	regex_free(r);
}

/* Each step of a long expression takes longer, so fewer steps are allowed. */
static void test_weight(void)
{
	static const char *const more[] = {"(a|aa)+x|b{3000}", "(a|aa)+x|(b{50}){60}",
					   "(a|aa)+x|((b{50}c)){60}"};

	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		struct regex *r = compile(more[i]);

		tap_int(regex_match(r, dear), TRI_UNKNOWN, "%s has fewer steps", more[i]);
		tap_int(regex_match(r, "aaax"), TRI_TRUE, "which do for others");
		regex_free(r);
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C");
	test_hostile();
	test_refresh();
	test_weight();
	if (setlocale(LC_CTYPE, "C.UTF-8")) {
		test_hostile();
		test_refresh();
		test_pieces();
	} else {
		tap_ok(true, "UTF-8 # SKIP this machine has no locale C.UTF-8");
	}
	return tap_done();
}
