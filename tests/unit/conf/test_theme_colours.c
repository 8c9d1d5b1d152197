/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "conf/theme.h"
#include "tap.h"

/* Returns a colour reduced to n colours, as text; valid until the next call. */
static const char *reduced(const char *text, int n)
{
	static char name[32];
	struct strbuf out;
	struct colour c;

	if (colour_parse(text, &c, NULL))
		return "none";
	strbuf_init(&out);
	colour_add(&out, colour_reduce(c, n));
	snprintf(name, sizeof name, "%s", out.text);
	strbuf_done(&out);
	return name;
}

static void test_parse(void)
{
	static const char *const bad[] = {"",         "grey",    "256",     "-1",  "#fff",
					  "#ff87000", "#ff870g", "bright-", "1.5", "ff8700"};
	static const char *const good[] = {"terminal",     "black",        "red",
					   "bright-black", "bright-white", "16",
					   "255",          "#000000",      "#ff8700"};
	struct colour c;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		tap_str(reduced(good[i], COLOUR_DIRECT), good[i], "%s is written as it was read",
			good[i]);
	tap_str(reduced("9", COLOUR_DIRECT), "bright-red", "a number below 16 has a name");
	tap_str(reduced("#FF87Ff", COLOUR_DIRECT), "#ff87ff", "capital digits are taken");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		tap_ok(colour_parse(bad[i], &c, &err) == -EINVAL &&
			       strstr(err.text, "is not a colour"),
		       "'%s' is not a colour", bad[i]);
}

static void test_reduce(void)
{
	static const struct {
		const char *text, *in256, *in16, *in8;
	} want[] = {
		{"terminal", "terminal", "terminal", "terminal"},
		{"red", "red", "red", "red"},
		{"bright-red", "bright-red", "bright-red", "red"},
		{"bright-black", "bright-black", "bright-black", "white"},
		{"bright-white", "bright-white", "bright-white", "white"},
		{"#ff0000", "196", "bright-red", "red"},
		{"#00c800", "40", "green", "green"},
		{"#5f87af", "67", "bright-black", "cyan"},
		{"#808080", "244", "bright-black", "white"},
		{"#010101", "16", "black", "black"},
		{"#fefefe", "231", "bright-white", "white"},
		{"#ffd700", "220", "bright-yellow", "yellow"},
		{"208", "208", "yellow", "yellow"},
		{"232", "232", "black", "black"},
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const char *text = want[i].text;

		tap_str(reduced(text, COLOUR_DIRECT), text, "%s stays where there are all", text);
		tap_str(reduced(text, 256), want[i].in256, "%s in 256", text);
		tap_str(reduced(text, 16), want[i].in16, "%s in 16", text);
		tap_str(reduced(text, 8), want[i].in8, "%s in 8", text);
	}
}

/* The colour cube and the greys, with the values of xterm's 256colres.h. */
static void test_palette(void)
{
	bool same = true, own = true;

	tap_int(colour_of_index(16), 0x000000, "the cube begins with black");
	tap_int(colour_of_index(21), 0x0000ff, "blue first");
	tap_int(colour_of_index(46), 0x00ff00, "then green");
	tap_int(colour_of_index(110), 0x87afd7, "and red");
	tap_int(colour_of_index(231), 0xffffff, "it ends with white");
	tap_int(colour_of_index(232), 0x080808, "then the darkest grey");
	tap_int(colour_of_index(255), 0xeeeeee, "to the lightest");
	for (uint32_t i = 16; i < 256; i++) {
		struct colour c =
			colour_reduce((struct colour){COLOUR_RGB, colour_of_index(i)}, 256);

		same = same && colour_of_index(c.value) == colour_of_index(i);
		own = own && c.kind == COLOUR_INDEX && c.value >= 16;
	}
	tap_ok(same, "what a terminal of 256 has is not changed by it");
	tap_ok(own, "and never becomes one of those that users set");
}

static void test_readable(void)
{
	const struct colour blue = {COLOUR_INDEX, 4}, gold = {COLOUR_RGB, 0xffd700};
	const struct colour white = {COLOUR_INDEX, 15}, unset = {COLOUR_UNSET, 0};

	tap_int(colour_readable(white, blue).value, 15, "what can be read stays");
	tap_int(colour_readable(blue, blue).value, 7, "white can be read on blue");
	tap_int(colour_readable(white, gold).value, 0, "black on gold");
	tap_int(colour_readable(unset, blue).kind, COLOUR_UNSET,
		"of the terminal's own colours nothing is known");
	tap_int(colour_readable(gold, unset).value, 0xffd700, "be it text or background");
}

int main(void)
{
	test_parse();
	test_reduce();
	test_palette();
	test_readable();
	return tap_done();
}
