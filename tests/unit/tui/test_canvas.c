/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>

#include "tap.h"
#include "tui/canvas.h"

/* Returns the dump of a canvas for comparisons, valid until the next call. */
static const char *dump(const struct canvas *c, bool attrs)
{
	static struct strbuf text;

	if (!text.text)
		strbuf_init(&text);
	strbuf_reset(&text);
	if (!c) {
		strbuf_done(&text);
		text.text = NULL;
		return NULL;
	}
	canvas_dump(c, attrs, &text);
	return text.text;
}

static void test_clipping(void)
{
	struct canvas c = CANVAS_INIT;

	canvas_resize(&c, 6, 3);
	tap_int(canvas_put(&c, 0, 0, LOOK_NORMAL, "abc"), 3,
		"put returns the column behind the text");
	tap_int(canvas_put(&c, 4, 1, LOOK_NORMAL, "wxyz"), 8,
		"also where the text is cut at the right");
	tap_int(canvas_put(&c, -2, 2, LOOK_NORMAL, "12345"), 3, "also where it is cut at the left");
	canvas_put(&c, 0, -1, LOOK_NORMAL, "above");
	canvas_put(&c, 0, 3, LOOK_NORMAL, "below");
	canvas_put(&c, 6, 0, LOOK_NORMAL, "right");
	canvas_put(&c, -9, 0, LOOK_NORMAL, "left");
	tap_str(dump(&c, false), "abc\n    wx\n345\n", "text is clipped at all four sides");
	tap_int(canvas_put_n(&c, 0, 1, LOOK_NORMAL, "pqr", 2), 2, "put_n stops after n bytes");
	tap_int(canvas_put_n(&c, 3, 1, LOOK_NORMAL, "s", 9), 4,
		"put_n stops at the end of the text");
	tap_str(dump(&c, false), "abc\npq swx\n345\n", "both are there");
	canvas_resize(&c, 4, 1);
	tap_str(dump(&c, false), "\n", "a resize blanks all");
	canvas_resize(&c, 0, 0);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "x");
	canvas_fill(&c, 0, 0, 3, LOOK_HEADER);
	tap_str(dump(&c, false), "", "a canvas of size 0 takes nothing");
	canvas_resize(&c, -3, 2);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "x");
	tap_str(dump(&c, false), "\n\n", "a negative width is 0");
	canvas_resize(&c, 1, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "xyz");
	tap_str(dump(&c, false), "x\n", "one cell holds one character");
	canvas_done(&c);
}

static void test_attributes(void)
{
	struct canvas c = CANVAS_INIT;
	bool own = true;

	canvas_resize(&c, 8, 2);
	canvas_fill(&c, 1, 0, 4, LOOK_HEADER);
	canvas_put(&c, 2, 0, LOOK_HEADER | LOOK_STRONG, "A");
	canvas_fill(&c, -2, 1, 4, LOOK_NOTE);
	canvas_fill(&c, 6, 1, 40, LOOK_DEAD);
	canvas_put(&c, 3, 1, LOOK_NORMAL, "b c");
	tap_str(dump(&c, true), "  A\n   b c\n--\n hHhh\nyy n ndd\n",
		"a dump shows looks as letters");
	for (int i = 0; i < N_LOOKS; i++)
		for (int k = 0; k < i; k++)
			own = own && look_table[i].letter != look_table[k].letter;
	tap_ok(own, "each look has a letter of its own");
	canvas_done(&c);
}

static void test_laid(void)
{
	struct canvas c = CANVAS_INIT;

	canvas_resize(&c, 6, 2);
	canvas_put(&c, 0, 0, LOOK_NOTE, "abc");
	canvas_lay(&c, -1, 0, 3, LOOK_HEADER);
	canvas_lay(&c, 4, 1, 9, LOOK_DEAD);
	canvas_lay(&c, 0, 2, 6, LOOK_DEAD);
	canvas_lay(&c, 6, 0, 1, LOOK_DEAD);
	canvas_lay(&c, 0, -1, 6, LOOK_DEAD);
	tap_str(dump(&c, true), "abc\n\n--\nyyy\n\n--\nhh\n    dd\n",
		"a look is laid over what is there, and clipped");
	canvas_lay(&c, 1, 0, 2, LOOK_DEAD);
	tap_str(dump(&c, true), "abc\n\n--\nyyy\n\n--\nhdd\n    dd\n", "the later one stays");
	tap_ok(!canvas_same_cell(&c.cell[0], &c.cell[1]) &&
		       !canvas_same_cell(&c.cell[3], &c.cell[10]),
	       "what is laid over a cell changes how it looks");
	canvas_put(&c, 1, 0, LOOK_NORMAL, "xy");
	canvas_fill(&c, 0, 1, 6, LOOK_NORMAL);
	tap_str(dump(&c, true), "axy\n\n--\nynn\n\n--\nh\n\n", "new text has nothing over it");
	canvas_resize(&c, 2, 1);
	tap_str(dump(&c, true), "\n--\n\n", "nor has a blank canvas");
	canvas_done(&c);
}

static void test_utf8(void)
{
	struct canvas c = CANVAS_INIT;

	canvas_resize(&c, 10, 1);
	tap_int(canvas_put(&c, 0, 0, LOOK_NORMAL, "h\u00e9\u4e2dx"), 5,
		"a wide character takes two columns");
	tap_str(dump(&c, false), "h\u00e9\u4e2dx\n", "UTF-8 comes back as it was");
	canvas_put(&c, 3, 0, LOOK_NORMAL, "!");
	tap_str(dump(&c, false), "h\u00e9 !x\n",
		"half a wide character overwritten: the other half is a blank");
	canvas_resize(&c, 10, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "\u4e2d\u4e2d");
	canvas_put(&c, 1, 0, LOOK_NORMAL, "\u4e2d");
	tap_str(dump(&c, false), " \u4e2d\n", "a wide one over two wide ones leaves no halves");
	canvas_resize(&c, 2, 1);
	tap_int(canvas_put(&c, 1, 0, LOOK_NORMAL, "\u4e2d"), 3,
		"a wide character at the right edge");
	canvas_put(&c, -1, 0, LOOK_NORMAL, "\u4e2d");
	tap_str(dump(&c, false), "\n", "and at the left edge is not shown by half");
	canvas_resize(&c, 10, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL,
		   "a\001\033\x7f\xc2\x85"
		   "b");
	tap_str(dump(&c, false), "a????b\n", "control characters become ?");
	canvas_resize(&c, 14, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "\xff\xc3+\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80");
	tap_str(dump(&c, false), "??+??|???|????\n",
		"broken, overlong, surrogate and too large bytes become ?");
	canvas_resize(&c, 4, 1);
	tap_int(canvas_put(&c, 0, 0, LOOK_NORMAL, "e\u0301x"), 2,
		"characters without a width are left out");
	tap_str(dump(&c, false), "ex\n", "and leave no trace");
	tap_int(canvas_put(&c, 0, 0, LOOK_NORMAL, "\u202e\u200bx"), 3,
		"but those that turn or hide text are seen");
	tap_str(dump(&c, false), "??x\n", "as what is not shown");
	tap_int(canvas_put_n(&c, 0, 0, LOOK_NORMAL, "\u4e2d", 2), 2,
		"a sequence that n cuts is broken bytes");
	tap_int(canvas_text_width("h\u00e9\u4e2d\xff"), 5, "the width of a text");
	canvas_done(&c);
}

static void test_cut(void)
{
	struct canvas c = CANVAS_INIT;

	canvas_resize(&c, 8, 1);
	tap_int(canvas_put_cut(&c, 0, 0, 5, LOOK_NORMAL, "12345"), 5, "what fits is not cut");
	tap_str(dump(&c, false), "12345\n", "and has no mark");
	tap_int(canvas_put_cut(&c, 0, 0, 4, LOOK_NORMAL, "12345"), 4,
		"what does not fit ends at the limit");
	tap_str(dump(&c, false), "123\u20265\n", "and has the mark");
	canvas_put_cut(&c, 5, 0, 8, LOOK_NORMAL, "a\u4e2dz");
	tap_str(dump(&c, false), "123\u20265a\u2026\n", "a wide character is not cut into halves");
	tap_int(canvas_put_cut(&c, 3, 0, 3, LOOK_NORMAL, "zz"), 3, "no room, no mark");
	tap_int(canvas_put_cut(&c, 3, 0, 1, LOOK_NORMAL, "zz"), 3, "less than no room, no mark");
	tap_str(dump(&c, false), "123\u20265a\u2026\n", "and nothing was written");
	canvas_done(&c);
}

static void check_wrap(const char *text, int width, const char *want)
{
	struct strbuf lines;
	const char *rest = text;

	strbuf_init(&lines);
	while (*rest) {
		const char *next;
		size_t n = canvas_wrap(rest, width, &next);

		strbuf_add(&lines, rest, n);
		strbuf_addch(&lines, '|');
		rest = next;
	}
	tap_str(lines.text, want, "'%s' in %d columns", text, width);
	strbuf_done(&lines);
}

static void test_wrap(void)
{
	check_wrap("one two three", 7, "one two|three|");
	check_wrap("one two three", 8, "one two|three|");
	check_wrap("one two three", 6, "one|two|three|");
	check_wrap("one  two", 4, "one|two|");
	check_wrap("onetwothree", 4, "onet|woth|ree|");
	check_wrap("ab", 0, "a|b|");
	check_wrap("\u4e2d\u4e2d", 1, "\u4e2d|\u4e2d|");
	check_wrap("", 5, "");
}

static void test_put_wrapped(void)
{
	struct canvas c = CANVAS_INIT;

	canvas_resize(&c, 6, 4);
	tap_int(canvas_put_wrapped(&c, 0, 3, LOOK_NORMAL, "one two"), 2,
		"text takes as many lines as it needs");
	tap_str(dump(&c, false), "one\ntwo\n\n\n", "from the first on");
	tap_int(canvas_put_wrapped(&c, 2, 2, LOOK_NORMAL, "one two three four"), 2,
		"but no more than it may");
	tap_str(dump(&c, false), "one\ntwo\none\ntwo t\u2026\n", "the last of them is cut");
	tap_int(canvas_put_wrapped(&c, 4, 9, LOOK_NORMAL, "one two three four"), 4,
		"outside it is only measured");
	tap_int(canvas_put_wrapped(&c, 0, 9, LOOK_NORMAL, ""), 0, "no text takes no line");
	tap_int(canvas_put_wrapped(&c, 0, 0, LOOK_NORMAL, "one"), 0, "no room neither");
	canvas_done(&c);
}

/* Lines that look the same need not be painted again. A line with any difference must not be taken
 * for the same. */
static void test_same_line(void)
{
	struct canvas a = CANVAS_INIT, b = CANVAS_INIT;

	canvas_resize(&a, 7, 3);
	canvas_resize(&b, 7, 3);
	canvas_put(&a, 0, 1, LOOK_NORMAL, "same");
	canvas_put(&b, 0, 1, LOOK_FAINT, "other");
	canvas_fill(&b, 0, 1, 7, LOOK_NORMAL);
	canvas_put(&b, 0, 1, LOOK_NORMAL, "same");
	for (int y = 0; y < 3; y++)
		tap_ok(canvas_same_line(&a, &b, y), "line %d looks the same", y);
	canvas_put(&b, 6, 2, LOOK_NORMAL, ".");
	canvas_put(&b, 0, 1, LOOK_FAINT, "s");
	canvas_lay(&b, 0, 0, 1, LOOK_CURRENT);
	for (int y = 0; y < 3; y++)
		tap_ok(!canvas_same_line(&a, &b, y), "line %d does not, by %s", y,
		       y == 0   ? "what was laid over it"
		       : y == 1 ? "a look"
				: "its last character");
	canvas_done(&a);
	canvas_done(&b);
}

/* Without a UTF-8 locale the terminal shows ASCII only. */
static void test_ascii(void)
{
	struct canvas c = CANVAS_INIT;

	setlocale(LC_CTYPE, "C");
	canvas_resize(&c, 6, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "h\u00e9\u4e2d.");
	tap_str(dump(&c, false), "h??.\n", "in the C locale each other character is one ?");
	canvas_resize(&c, 6, 1);
	canvas_put_cut(&c, 0, 0, 4, LOOK_NORMAL, "abcdef");
	tap_str(dump(&c, false), "abc+\n", "and the mark of a cut is ASCII");
	canvas_done(&c);
}

int main(void)
{
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	test_clipping();
	test_attributes();
	test_laid();
	test_utf8();
	test_cut();
	test_wrap();
	test_put_wrapped();
	test_same_line();
	test_ascii();
	dump(NULL, false);
	return tap_done();
}
