/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of picture: text with the codes of ECMA-48, as cat(1) shows it on a terminal. */
#include "tui/picture_part.h"

/* base: 30 for text, 40 for what is behind it. */
static void add_colour(struct strbuf *out, struct colour c, int base)
{
	if (c.kind == COLOUR_RGB)
		strbuf_addf(out, ";%d;2;%u;%u;%u", base + 8, c.value >> 16, c.value >> 8 & 0xff,
			    c.value & 0xff);
	else if (c.kind == COLOUR_INDEX && c.value < 8)
		strbuf_addf(out, ";%u", (unsigned)base + c.value);
	else if (c.kind == COLOUR_INDEX && c.value < COLOUR_NAMED)
		strbuf_addf(out, ";%u", (unsigned)base + 60 + c.value - 8);
	else if (c.kind == COLOUR_INDEX)
		strbuf_addf(out, ";%d;5;%u", base + 8, c.value);
}

/* Each run begins anew, so that none depends on another. */
static void add_style(struct strbuf *out, const struct style *s)
{
	static const struct {
		enum style_bit bit;
		const char *code;
	} codes[] = {{STYLE_BOLD, ";1"},
		     {STYLE_DIM, ";2"},
		     {STYLE_UNDERLINE, ";4"},
		     {STYLE_REVERSE, ";7"}};

	strbuf_addstr(out, "\033[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (s->bits & codes[i].bit)
			strbuf_addstr(out, codes[i].code);
	add_colour(out, s->fg, 30);
	add_colour(out, s->bg, 40);
	strbuf_addch(out, 'm');
}

void picture_write_ansi(struct strbuf *out, const struct canvas *c, const struct theme *t)
{
	for (int y = 0; y < c->height; y++) {
		struct picture_run r = {.x = 0};
		bool any = false;

		for (; picture_next_run(c, t, y, &r); any = true) {
			add_style(out, &r.style);
			picture_add_cells(out, c, r.x, y, r.n, false);
		}
		strbuf_addstr(out, any ? "\033[0m\n" : "\n");
	}
}
