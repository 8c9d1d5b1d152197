/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/picture.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "tui/picture_part.h"

static void write_text(struct strbuf *out, const struct canvas *c, const struct theme *t)
{
	(void)t;
	canvas_dump(c, false, out);
}

static const struct picture_format formats[] = {
	{".txt", write_text},
	{".ans", picture_write_ansi},
	{".svg", picture_write_svg},
	{".html", picture_write_html},
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

const char *picture_suffix(size_t i)
{
	return i < N_FORMATS ? formats[i].suffix : NULL;
}

const struct picture_format *picture_find(const char *path, struct err *err)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < N_FORMATS; i++) {
		size_t n = strlen(formats[i].suffix);

		if (len > n && !strcmp(path + len - n, formats[i].suffix))
			return &formats[i];
	}
	err_set(err, EINVAL,
		"'%s' does not say what kind of picture it is: end it with .txt, .ans, .svg or "
		".html",
		path);
	return NULL;
}

/* What terminals have for the sixteen colours is for their users to choose; here it is chosen so
 * that all can be read. */
static const uint32_t on_dark[COLOUR_NAMED] = {
	0x000000, 0xe06c6c, 0xb5bd68, 0xf0c674, 0x81a2be, 0xb294bb, 0x8abeb7, 0xc5c8c6,
	0x969896, 0xff8787, 0xd0d87c, 0xffe08a, 0x9cc4e8, 0xd3b0de, 0xa5ddd5, 0xffffff,
};
static const uint32_t on_light[COLOUR_NAMED] = {
	0x000000, 0xaf0000, 0x005f00, 0x875f00, 0x0000af, 0x87005f, 0x005f87, 0x585858,
	0x6c6c6c, 0xd70000, 0x008700, 0x875f00, 0x0000ff, 0xaf00af, 0x0087af, 0xffffff,
};

#define DARK_FG  0xd0d2d0
#define DARK_BG  0x1d1f21
#define LIGHT_FG 0x1c1c1c
#define LIGHT_BG 0xffffff

static uint32_t rgb_of(const struct theme *t, struct colour c, uint32_t own)
{
	if (c.kind < COLOUR_INDEX)
		return own;
	if (c.kind == COLOUR_INDEX && c.value < COLOUR_NAMED)
		return (t->light ? on_light : on_dark)[c.value];
	return c.kind == COLOUR_INDEX ? colour_of_index(c.value) : c.value;
}

/* A colour between two, nearer to the first. */
static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8)
		rgb |= (5 * (a >> shift & 0xff) + 3 * (b >> shift & 0xff)) / 8 << shift;
	return rgb;
}

struct picture_paint picture_paint_of(const struct theme *t, const struct style *s)
{
	struct picture_paint p = {
		.fg = rgb_of(t, s->fg, t->light ? LIGHT_FG : DARK_FG),
		.bg = rgb_of(t, s->bg, t->light ? LIGHT_BG : DARK_BG),
		.bold = s->bits & STYLE_BOLD,
		.underline = s->bits & STYLE_UNDERLINE,
	};
	uint32_t fg = p.fg;

	if (s->bits & STYLE_REVERSE) {
		p.fg = p.bg;
		p.bg = fg;
	}
	if (s->bits & STYLE_DIM)
		p.fg = mix(p.fg, p.bg);
	return p;
}

struct picture_paint picture_ground(const struct theme *t)
{
	const struct style normal = theme_style(t, LOOK_NORMAL, LOOK_NORMAL, COLOUR_DIRECT);

	return picture_paint_of(t, &normal);
}

static bool same_colour(struct colour a, struct colour b)
{
	return a.kind == b.kind && a.value == b.value;
}

static bool looks_same(const struct cell *a, const struct cell *b)
{
	return a->attr == b->attr && a->laid == b->laid;
}

bool picture_next_run(const struct canvas *c, const struct theme *t, int y, struct picture_run *r)
{
	const struct cell *line = &c->cell[(size_t)y * (size_t)c->width];
	const struct style normal = theme_style(t, LOOK_NORMAL, LOOK_NORMAL, COLOUR_DIRECT);
	int end = r->x + r->n;
	bool seen;

	if (end >= c->width)
		return false;
	*r = (struct picture_run){
		end, 1, theme_style(t, line[end].attr, (enum look)line[end].laid, COLOUR_DIRECT)};
	seen = line[end].ch != L' ';
	for (end++; end < c->width && looks_same(&line[r->x], &line[end]); end++, r->n++)
		seen = seen || line[end].ch != L' ';
	return seen || end < c->width || !same_colour(r->style.bg, normal.bg) ||
	       (r->style.bits & (STYLE_REVERSE | STYLE_UNDERLINE));
}

size_t picture_add_paint(struct picture_paints *p, struct picture_paint paint)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].fg == paint.fg && p->v[i].bg == paint.bg &&
		    p->v[i].bold == paint.bold && p->v[i].underline == paint.underline)
			return i;
	p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof(*p->v));
	p->v[p->n] = paint;
	return p->n++;
}

void picture_add_cells(struct strbuf *out, const struct canvas *c, int x, int y, int n, bool xml)
{
	const struct cell *cell = &c->cell[(size_t)y * (size_t)c->width + (size_t)x];

	for (; n > 0; n--, cell++) {
		if (xml && cell->ch == L'&')
			strbuf_addstr(out, "&amp;");
		else if (xml && cell->ch == L'<')
			strbuf_addstr(out, "&lt;");
		else if (xml && cell->ch == L'>')
			strbuf_addstr(out, "&gt;");
		else if (cell->ch)
			canvas_add_character(out, cell->ch);
	}
}
