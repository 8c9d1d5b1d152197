/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/spark.h"

#include <wchar.h>

#define LEVELS    8
#define FIRST_BAR 0x2581
#define NO_NUMBER 0xb7

double spark_top(const struct value *v, size_t n, double top)
{
	for (size_t i = 0; i < n; i++)
		if (value_known(v[i]) && v[i].number > top)
			top = v[i].number;
	return top;
}

/* 0 is the lowest bar, and what is just above it, too. */
static int level_of(double number, double top)
{
	const int level = top > 0 ? (int)(number / top * LEVELS) : 0;

	return level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
}

static wchar_t picture_of(struct value v, double top)
{
	static const char ascii[LEVELS] = {'_', ',', '-', '=', '+', '*', '%', '#'};
	const bool bars = wcwidth(FIRST_BAR) == 1;

	if (v.quality == QUALITY_DIVZERO)
		return L' ';
	if (!value_known(v))
		return wcwidth(NO_NUMBER) == 1 ? NO_NUMBER : L'.';
	return bars ? FIRST_BAR + level_of(v.number, top) : ascii[level_of(v.number, top)];
}

void spark_put(struct canvas *c, int x, int y, uint8_t look, const struct value *v, size_t n,
	       double top)
{
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		const bool rough = value_known(v[i]) && v[i].quality != QUALITY_EXACT;

		strbuf_reset(&text);
		canvas_add_character(&text, picture_of(v[i], top));
		x = canvas_put(c, x, y,
			       look != LOOK_NORMAL ? look
			       : rough             ? LOOK_ROUGH
			       : value_known(v[i]) ? LOOK_NORMAL
						   : LOOK_FAINT,
			       text.text);
	}
	strbuf_done(&text);
}
