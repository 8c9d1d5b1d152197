/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of picture: SVG 1.1. Each word stands at its own place and has its length, so that columns
 * are straight, whatever font the reader has. */
#include <stdlib.h>

#include "tui/picture_part.h"

/* Pixels: what usual fonts of this size need for a character. */
#define FONT_SIZE 15
#define CELL_W    9
#define CELL_H    19
#define BASELINE  14
#define MARGIN    9

/* Braille is what graphs are drawn with: it is drawn, too, as fonts differ in where the dots are,
 * and some have none. */
#define BRAILLE     0x2800
#define BRAILLE_END 0x2900

static bool is_braille(const struct cell *cell)
{
	return cell->ch >= BRAILLE && cell->ch < BRAILLE_END;
}

static bool is_blank(const struct cell *line, int x)
{
	return line[x].ch == L' ';
}

static bool has_text(const struct cell *line, int x)
{
	return !is_blank(line, x) && !is_braille(&line[x]);
}

/* The dots of a run, which take all of its cells, so that lines have no gaps. */
static void add_dots(struct strbuf *out, const struct canvas *c, int y, const struct picture_run *r,
		     uint32_t fg)
{
	/* Bits in the order of Braille: three dots of each column, then the lowest ones. */
	static const struct {
		int x, y;
	} at[8] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}};
	const struct cell *line = &c->cell[(size_t)y * (size_t)c->width];
	bool any = false;

	for (int x = r->x; x < r->x + r->n; x++)
		for (int i = 0; is_braille(&line[x]) && i < 8; i++) {
			if (!((line[x].ch - BRAILLE) >> i & 1))
				continue;
			strbuf_addf(out, "%sM%.1f %.2fh%.1fv%.2fh-%.1fz", any ? "" : "<path d=\"",
				    MARGIN + x * CELL_W + at[i].x * CELL_W / 2.0,
				    MARGIN + y * CELL_H + at[i].y * CELL_H / 4.0, CELL_W / 2.0,
				    CELL_H / 4.0, CELL_W / 2.0);
			any = true;
		}
	if (any)
		strbuf_addf(out, "\" fill=\"#%06x\"/>\n", fg);
}

/* The text of a run, in pieces between two blanks or more. */
static void add_run(struct strbuf *out, const struct canvas *c, int y, const struct picture_run *r,
		    size_t paint)
{
	const struct cell *line = &c->cell[(size_t)y * (size_t)c->width];
	int end = r->x + r->n;

	for (int x = r->x, n; x < end; x += n) {
		n = 1;
		if (!has_text(line, x))
			continue;
		/* A blank belongs to it where text follows. */
		while (x + n < end &&
		       (has_text(line, x + n) ||
			(is_blank(line, x + n) && x + n + 1 < end && has_text(line, x + n + 1))))
			n++;
		strbuf_addf(out, "<tspan x=\"%d\" textLength=\"%d\" class=\"s%zu\">",
			    MARGIN + x * CELL_W, n * CELL_W, paint);
		picture_add_cells(out, c, x, y, n, true);
		strbuf_addstr(out, "</tspan>");
	}
}

/* What is behind the text, and a line under it: drawn, as fonts differ in where they put it. */
static void add_box(struct strbuf *out, int y, const struct picture_run *r,
		    const struct picture_paint *p, uint32_t ground)
{
	int x = MARGIN + r->x * CELL_W, top = MARGIN + y * CELL_H, width = r->n * CELL_W;

	if (p->bg != ground)
		strbuf_addf(out,
			    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
			    x, top, width, CELL_H, p->bg);
	if (p->underline)
		strbuf_addf(out,
			    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\" fill=\"#%06x\"/>\n",
			    x, top + CELL_H - 2, width, p->fg);
}

static void add_lines(struct strbuf *boxes, struct strbuf *text, struct picture_paints *paints,
		      const struct canvas *c, const struct theme *t)
{
	uint32_t ground = picture_ground(t).bg;

	for (int y = 0; y < c->height; y++) {
		struct picture_run r = {.x = 0};

		strbuf_addf(text, "<text y=\"%d\">", MARGIN + y * CELL_H + BASELINE);
		while (picture_next_run(c, t, y, &r)) {
			struct picture_paint p = picture_paint_of(t, &r.style);
			const struct picture_paint of_text = {.fg = p.fg, .bold = p.bold};

			add_box(boxes, y, &r, &p, ground);
			add_dots(boxes, c, y, &r, p.fg);
			add_run(text, c, y, &r, picture_add_paint(paints, of_text));
		}
		strbuf_addstr(text, "</text>\n");
	}
}

void picture_write_svg(struct strbuf *out, const struct canvas *c, const struct theme *t)
{
	int width = 2 * MARGIN + c->width * CELL_W, height = 2 * MARGIN + c->height * CELL_H;
	struct picture_paints paints = {.v = NULL};
	struct strbuf boxes, text;

	strbuf_init(&boxes);
	strbuf_init(&text);
	add_lines(&boxes, &text, &paints, c, t);
	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		    "viewBox=\"0 0 %d %d\" role=\"img\">\n"
		    "<title>tiptop</title>\n"
		    "<style>text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,"
		    "monospace;font-size:%dpx;white-space:pre}",
		    width, height, width, height, FONT_SIZE);
	for (size_t i = 0; i < paints.n; i++)
		strbuf_addf(out, ".s%zu{fill:#%06x%s}", i, paints.v[i].fg,
			    paints.v[i].bold ? ";font-weight:bold" : "");
	strbuf_addf(out,
		    "</style>\n<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#%06x\"/>\n%s"
		    "<g xml:space=\"preserve\">\n%s</g>\n</svg>\n",
		    width, height, picture_ground(t).bg, boxes.text, text.text);
	free(paints.v);
	strbuf_done(&boxes);
	strbuf_done(&text);
}
