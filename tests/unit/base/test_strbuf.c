/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Untrusted text: control characters are replaced. Words chosen by a number. */
#include <locale.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tap.h"

static void test_text(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"", ""},
		{"/bin/sh -c x", "/bin/sh -c x"},
		{"a\nb\tc\x1b[31m\x7f", "a?b?c?[31m?"},
		{"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		 "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
		{"\xc2\x9b"
		 "31m",
		 "?31m"},
		{"\xc2\xa0", "\xc2\xa0"},
		{"\xc3", "?"},
		{"\xe2\x82", "??"},
		{"\xf0\x9f\x98", "???"},
		{"\xff\xfe\x80", "???"},
		{"\xc0\xaf", "??"},
		{"\xe0\x80\xaf", "???"},
		{"\xed\xa0\x80", "???"},
		{"\xf4\x90\x80\x80", "????"},
		{"\xc3(", "?("},
		/* format characters: directions of writing, joiners, byte order marks, tags */
		{"a\u202eb\u2066c\u2069", "a?b?c?"},
		{"\u202a\u202d\u2067\u2068\u200e\u200f\u061c", "???????"},
		{"\u200b\u200d\u2060\ufeff\u00ad\U000e0041", "??????"},
		{"\u2028\u2029", "??"},
		{"\u2027\u202f\u2070\u200a", "\u2027\u202f\u2070\u200a"},
		{"\ufffd", "\ufffd"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		/* Its exact size, so that the sanitizers detect a read past the end. */
		char *copy = xstrdup(table[i].text);
		struct strbuf sb;

		strbuf_init(&sb);
		text_add(&sb, copy);
		tap_str(sb.text, table[i].want, "text %zu is made harmless", i);
		text_sanitize(copy, '?');
		tap_str(copy, table[i].want, "text %zu, in its place", i);
		strbuf_done(&sb);
		free(copy);
	}
}

static void test_text_choose(void)
{
	static const char sentence[] = "{call was|calls were} left: {it is|they are} in no number";
	char out[64];

	text_pluralize(out, sizeof out, sentence, 1);
	tap_str(out, "call was left: it is in no number", "a sentence about one");
	text_pluralize(out, sizeof out, sentence, 2);
	tap_str(out, "calls were left: they are in no number", "about several");
	text_pluralize(out, 8, sentence, 0);
	tap_str(out, "calls w", "cut where it has no room");
}

static void test_text_length(void)
{
	tap_ok(text_is_cut("\xc3", 1) && text_is_cut("\xe2\x82", 2) &&
		       text_is_cut("\xf0\x9f\x98", 3),
	       "characters whose end is missing");
	tap_ok(!text_is_cut("a", 1) && !text_is_cut("\xc3\xa9", 2) && !text_is_cut("\xc3(", 2) &&
		       !text_is_cut("\xc0", 1) && !text_is_cut("\xff", 1) &&
		       !text_is_cut("\x80", 1),
	       "and what is none");
	tap_int(text_length(""), 0, "an empty text has no characters");
	tap_int(text_length("%CPU"), 4, "ASCII: a byte each");
	tap_int(text_length("\u00b5s \u20ac \U0001f600"), 6,
		"characters of two, three and four bytes");
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	tap_int(text_columns("%CPU"), 4, "ASCII: a column each");
	tap_int(text_columns("\u65e5\u672c a\u0301"), 6, "wide characters, and a combining one");
	tap_int(text_columns("\xff\x1b\u202e"), 3, "those that are replaced have one");
	setlocale(LC_CTYPE, "C");
	tap_int(text_columns("\u65e5\u672c"), 2, "a locale that does not know them: one each");
}

/* The offset is cut off the end of a place in code. */
static void test_text_cut_place(void)
{
	static const struct {
		const char *name, *want;
	} table[] = {
		{"main+0x1f", "main"},    {"[main+0x1f]", "[main]"},
		{"main", "main"},         {"", ""},
		{"a+0x1+0x2f", "a+0x1"},  {"+0x1", "+0x1"},
		{"a+0x", "a+0x"},         {"a+0x1 b", "a+0x1 b"},
		{"a+0x1]", "a+0x1]"},     {"[a+0x1", "[a+0x1"},
		{"op+0xg+0x0", "op+0xg"}, {"+0x1+0x2", "+0x1"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char *name = xstrdup(table[i].name);

		text_cut_offset(name);
		tap_str(name, table[i].want, "the name of '%s'", table[i].name);
		free(name);
	}
}

/* Sanitized random bytes contain no control characters. */
static void test_text_fuzz(void)
{
	unsigned seed = 1;
	int bad = 0;

	for (int round = 0; round < 20000; round++) {
		char text[16];
		int n = 0;

		for (; n < 15; n++) {
			seed = seed * 1103515245 + 12345;
			text[n] = (char)(seed >> 16);
		}
		text[n] = '\0';
		text_sanitize(text, '?');
		for (const char *out = text; *out; out++)
			bad += (unsigned char)*out < 0x20 || *out == 0x7f ||
			       ((unsigned char)*out == 0xc2 && (unsigned char)out[1] < 0xa0);
	}
	tap_int(bad, 0, "no control character in 20000 texts of random bytes");
}

int main(void)
{
	test_text();
	test_text_choose();
	test_text_length();
	test_text_cut_place();
	test_text_fuzz();
	return tap_done();
}
