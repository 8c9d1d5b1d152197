/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of picture: one page of HTML that is XML, too, with its style sheet in it. */
#include <stdlib.h>

#include "tui/picture_part.h"

/* A wide character is as wide as two others, whatever font it comes from. */
static void add_run(struct strbuf *out, const struct canvas *c, int y, const struct picture_run *r)
{
	const struct cell *line = &c->cell[(size_t)y * (size_t)c->width];

	for (int x = r->x, end = r->x + r->n; x < end; x++) {
		bool wide = x + 1 < end && line[x + 1].ch == 0;

		strbuf_addstr(out, wide ? "<b>" : "");
		picture_add_cells(out, c, x, y, 1, true);
		strbuf_addstr(out, wide ? "</b>" : "");
	}
}

static void add_lines(struct strbuf *out, struct picture_paints *paints, const struct canvas *c,
		      const struct theme *t)
{
	for (int y = 0; y < c->height; y++) {
		struct picture_run r = {.x = 0};

		while (picture_next_run(c, t, y, &r)) {
			strbuf_addf(out, "<span class=\"s%zu\">",
				    picture_add_paint(paints, picture_paint_of(t, &r.style)));
			add_run(out, c, y, &r);
			strbuf_addstr(out, "</span>");
		}
		strbuf_addch(out, '\n');
	}
}

void picture_write_html(struct strbuf *out, const struct canvas *c, const struct theme *t)
{
	const struct picture_paint ground = picture_ground(t);
	struct picture_paints paints = {.v = NULL};
	struct strbuf text;

	strbuf_init(&text);
	add_lines(&text, &paints, c, t);
	strbuf_addf(out,
		    "<!DOCTYPE html>\n"
		    "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
		    "<head><meta charset=\"utf-8\"/><title>tiptop</title>\n"
		    "<style>body{background:#%06x}"
		    "pre{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
		    "b{display:inline-block;width:2ch;font-weight:inherit}",
		    ground.bg);
	for (size_t i = 0; i < paints.n; i++) {
		const struct picture_paint *p = &paints.v[i];

		strbuf_addf(out, ".s%zu{color:#%06x", i, p->fg);
		if (p->bg != ground.bg)
			strbuf_addf(out, ";background:#%06x", p->bg);
		strbuf_addf(out, "%s%s}", p->bold ? ";font-weight:bold" : "",
			    p->underline ? ";text-decoration:underline" : "");
	}
	strbuf_addf(out, "</style></head>\n<body><pre>\n%s</pre></body>\n</html>\n", text.text);
	free(paints.v);
	strbuf_done(&text);
}
