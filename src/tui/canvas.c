/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/canvas.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"

void canvas_done(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas)CANVAS_INIT;
}

void canvas_resize(struct canvas *c, int width, int height)
{
	c->width = width > 0 ? width : 0;
	c->height = height > 0 ? height : 0;
	c->cell = xgrow(c->cell, &c->cap, (size_t)c->width * (size_t)c->height, sizeof(*c->cell));
	if (!c->height)
		return;
	for (int x = 0; x < c->width; x++)
		c->cell[x] = (struct cell){L' ', LOOK_NORMAL, LOOK_NORMAL, 0};
	for (int y = 1; y < c->height && c->width; y++)
		memcpy(c->cell + (size_t)y * (size_t)c->width, c->cell,
		       (size_t)c->width * sizeof *c->cell);
}

/* If cell i is one half of a wide character, blanks the other half, as cell i is about to be
 * overwritten. */
static void blank_other_half(struct canvas *c, size_t i, int x)
{
	if (c->cell[i].ch == 0 && x > 0)
		c->cell[i - 1].ch = L' ';
	if (x + 1 < c->width && c->cell[i + 1].ch == 0)
		c->cell[i + 1].ch = L' ';
}

static void set(struct canvas *c, int x, int y, wchar_t ch, uint8_t attr)
{
	size_t i = (size_t)y * (size_t)c->width + (size_t)x;

	blank_other_half(c, i, x);
	c->cell[i] = (struct cell){ch, attr, LOOK_NORMAL, 0};
}

/* If *x is left of the canvas, moves it to the left edge. Returns how many of the `width` columns
 * are on the canvas; 0 or less: none. */
static int clip(const struct canvas *c, int *x, int y, int width)
{
	if (*x < 0) {
		width += *x;
		*x = 0;
	}
	if (y < 0 || y >= c->height || *x >= c->width)
		return 0;
	return width < c->width - *x ? width : c->width - *x;
}

void canvas_fill(struct canvas *c, int x, int y, int width, uint8_t attr)
{
	for (width = clip(c, &x, y, width); width > 0; width--)
		set(c, x++, y, L' ', attr);
}

void canvas_lay(struct canvas *c, int x, int y, int width, enum look look)
{
	for (width = clip(c, &x, y, width); width > 0; width--, x++)
		c->cell[(size_t)y * (size_t)c->width + (size_t)x].laid = (uint8_t)look;
}

/* Returns the first character of the text as it is shown: '?' if it cannot be shown. Sets *len to
 * its number of bytes, and *columns to its width: 0, 1 or 2. */
static wchar_t decode_shown(const char *text, size_t n, size_t *len, int *columns)
{
	wchar_t ch;

	/* Fast path: most text is ASCII, which is the same in all locales. */
	*len = *columns = 1;
	if (*text >= 0x20 && *text < 0x7f)
		return (unsigned char)*text;
	ch = (wchar_t)text_decode(text, n, len);
	*columns = wcwidth(ch);
	if (*columns >= 0 && ch != TEXT_BAD && text_is_harmless((uint32_t)ch))
		return ch;
	*columns = 1;
	return L'?';
}

int canvas_put_n(struct canvas *c, int x, int y, uint8_t attr, const char *text, size_t n)
{
	size_t len;
	int columns;

	n = strnlen(text, n);
	for (; n > 0; text += len, n -= len, x += columns) {
		wchar_t ch = decode_shown(text, n, &len, &columns);
		bool whole = x >= 0 && x + columns <= c->width;

		if (y < 0 || y >= c->height)
			continue;
		/* A wide character that is only half on the canvas is shown as a blank. */
		for (int i = 0; i < columns; i++)
			if (x + i >= 0 && x + i < c->width)
				set(c, x + i, y, L' ', attr);
		if (columns > 0 && whole)
			c->cell[(size_t)y * (size_t)c->width + (size_t)x].ch = ch;
		if (columns == 2 && whole)
			c->cell[(size_t)y * (size_t)c->width + (size_t)x + 1].ch = 0;
	}
	return x;
}

int canvas_put(struct canvas *c, int x, int y, uint8_t attr, const char *text)
{
	return canvas_put_n(c, x, y, attr, text, SIZE_MAX);
}

/* Returns how many bytes of the text fit into this number of columns. */
static size_t fitting_bytes(const char *text, int columns)
{
	size_t n = strlen(text), used = 0, len;
	int wide;

	while (used < n) {
		decode_shown(text + used, n - used, &len, &wide);
		columns -= wide;
		if (columns < 0)
			break;
		used += len;
	}
	return used;
}

/* Returns the mark for the place where a text was cut: one column wide. */
static const char *canvas_cut_mark(void)
{
	return wcwidth(0x2026) == 1 ? "\u2026" : "+";
}

int canvas_put_cut(struct canvas *c, int x, int y, int end, uint8_t attr, const char *text)
{
	size_t n = fitting_bytes(text, end - x);

	if (text[n] == '\0' || end <= x)
		return canvas_put_n(c, x, y, attr, text, n);
	x = canvas_put_n(c, x, y, attr, text, fitting_bytes(text, end - x - 1));
	x = canvas_put(c, x, y, attr, canvas_cut_mark());
	/* If a wide character did not fit, a cell is left over after the mark. */
	canvas_fill(c, x, y, end - x, attr);
	return end;
}

int canvas_text_width(const char *text)
{
	return text_columns(text);
}

size_t canvas_wrap(const char *text, int width, const char **next)
{
	size_t n = fitting_bytes(text, width), cut;

	if (text[n] != '\0') {
		for (cut = n; cut > 0 && text[cut] != ' '; cut--)
			;
		while (cut > 0 && text[cut - 1] == ' ')
			cut--;
		if (cut > 0)
			n = cut;
		if (n == 0)
			text_decode(text, strlen(text), &n);
	}
	*next = text + n;
	while (**next == ' ')
		(*next)++;
	return n;
}

int canvas_put_wrapped(struct canvas *c, int y, int n, uint8_t attr, const char *text)
{
	int used = 0;

	while (*text && used < n) {
		const char *next;
		size_t len = canvas_wrap(text, c->width, &next);

		if (++used == n)
			canvas_put_cut(c, 0, y, c->width, attr, text);
		else
			canvas_put_n(c, 0, y++, attr, text, len);
		text = next;
	}
	return used;
}

void canvas_add_character(struct strbuf *out, wchar_t ch)
{
	static const wchar_t limit[] = {0x80, 0x800, 0x10000, 0x110000};
	static const unsigned char lead[] = {0x00, 0xc0, 0xe0, 0xf0};
	int more = 0;

	while (more < 3 && ch >= limit[more])
		more++;
	strbuf_addch(out, (char)(lead[more] | ch >> 6 * more));
	while (more-- > 0)
		strbuf_addch(out, (char)(0x80 | (ch >> 6 * more & 0x3f)));
}

static void end_line(struct strbuf *out)
{
	while (out->len > 0 && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	strbuf_addch(out, '\n');
}

static char letter_of(const struct cell *cell, bool laid)
{
	uint8_t attr = laid ? cell->laid : cell->attr;
	char letter = look_table[LOOK_OF(attr)].letter;

	if (attr == LOOK_NORMAL && (laid || cell->ch == L' '))
		return ' ';
	return attr & LOOK_STRONG ? (char)toupper(letter) : letter;
}

static void add_letters(const struct canvas *c, bool laid, struct strbuf *out)
{
	const struct cell *cell = c->cell;

	strbuf_addstr(out, "--\n");
	for (int y = 0; y < c->height; y++, end_line(out))
		for (int x = 0; x < c->width; x++, cell++)
			strbuf_addch(out, letter_of(cell, laid));
}

static bool has_laid_look(const struct canvas *c)
{
	bool laid = false;

	for (int i = 0; i < c->width * c->height; i++)
		laid = laid || c->cell[i].laid != LOOK_NORMAL;
	return laid;
}

void canvas_dump(const struct canvas *c, bool attrs, struct strbuf *out)
{
	const struct cell *cell = c->cell;

	for (int y = 0; y < c->height; y++, end_line(out))
		for (int x = 0; x < c->width; x++, cell++)
			if (cell->ch != 0)
				canvas_add_character(out, cell->ch);
	if (attrs)
		add_letters(c, false, out);
	if (attrs && has_laid_look(c))
		add_letters(c, true, out);
}

bool canvas_same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->attr == b->attr && a->laid == b->laid;
}

bool canvas_same_line(const struct canvas *a, const struct canvas *b, int y)
{
	const size_t width = (size_t)a->width, at = (size_t)y * width;

	return !memcmp(a->cell + at, b->cell + at, width * sizeof *a->cell);
}

/* ---- pictures ---- */

/* Consecutive cells of one line with the same style. */
struct picture_run {
	int x, n; /* the cells [x, x + n) */
	struct style style;
};

/* The appearance of a run in a picture. */
struct picture_paint {
	uint32_t fg, bg; /* 0xrrggbb */
	bool bold, underline;
};

/* The paints used so far, which become the classes of a style sheet. */
struct picture_paints {
	struct picture_paint *v;
	size_t n, cap;
};

/* ---- html ----
 *
 * One page of HTML that is also well-formed XML, with an embedded style sheet.
 */

static void picture_add_cells(struct strbuf *out, const struct canvas *c, int x, int y, int n,
			      bool xml);

/* Appends a run; a wide character is made two cells wide, whatever its font. */
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

static bool picture_next_run(const struct canvas *c, const struct theme *t, int y,
			     struct picture_run *r);

static struct picture_paint picture_paint_of(const struct theme *t, const struct style *s);

static size_t picture_add_paint(struct picture_paints *p, struct picture_paint paint);

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

static struct picture_paint picture_ground(const struct theme *t);

static void picture_write_html(struct strbuf *out, const struct canvas *c, const struct theme *t)
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

/* ---- svg ----
 *
 * SVG 1.1. Each piece of text has its own position and length, so that columns are straight in any
 * font.
 */

/* In pixels: the size of a cell that common fonts of this size need. */
#define FONT_SIZE 15
#define CELL_W    9
#define CELL_H    19
#define BASELINE  14
#define MARGIN    9

/* Graphs consist of Braille characters. They are drawn as shapes: fonts differ in the places of the
 * dots, and some lack Braille. */
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

/* Appends the dots of the Braille characters of a run, as rectangles that fill the cells, so that
 * lines have no gaps. */
static void add_dots(struct strbuf *out, const struct canvas *c, int y, const struct picture_run *r,
		     uint32_t fg)
{
	/* The dot of each bit of a Braille character: the upper three dots of the left and of the
	 * right column, then the lowest dots. */
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

/* Appends the text of a run, in pieces separated by Braille characters or by two blanks or more. */
static void svg_add_run(struct strbuf *out, const struct canvas *c, int y,
			const struct picture_run *r, size_t paint)
{
	const struct cell *line = &c->cell[(size_t)y * (size_t)c->width];
	int end = r->x + r->n;

	for (int x = r->x, n; x < end; x += n) {
		n = 1;
		if (!has_text(line, x))
			continue;
		/* A single blank belongs to the piece if text follows. */
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

/* Appends the background of a run, and its underline: drawn as a line, as fonts differ in the place
 * of underlines. */
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

static void svg_add_lines(struct strbuf *boxes, struct strbuf *text, struct picture_paints *paints,
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
			svg_add_run(text, c, y, &r, picture_add_paint(paints, of_text));
		}
		strbuf_addstr(text, "</text>\n");
	}
}

static void picture_write_svg(struct strbuf *out, const struct canvas *c, const struct theme *t)
{
	int width = 2 * MARGIN + c->width * CELL_W, height = 2 * MARGIN + c->height * CELL_H;
	struct picture_paints paints = {.v = NULL};
	struct strbuf boxes, text;

	strbuf_init(&boxes);
	strbuf_init(&text);
	svg_add_lines(&boxes, &text, &paints, c, t);
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

/* ---- ansi ----
 *
 * Text with the codes of ECMA-48, as cat(1) shows it on a terminal.
 */

/* base: 30 for the foreground, 40 for the background. */
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

/* Appends the codes of a style, beginning with a reset, so that no run depends on another. */
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

static void picture_write_ansi(struct strbuf *out, const struct canvas *c, const struct theme *t)
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

/* ---- pictures ---- */

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

/* RGB values for the sixteen named colours, which terminals let their users define. Chosen to be
 * legible on a dark and on a light background. */
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

/* Returns a mixture of two colours: 5/8 of the first, 3/8 of the second. */
static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8)
		rgb |= (5 * (a >> shift & 0xff) + 3 * (b >> shift & 0xff)) / 8 << shift;
	return rgb;
}

static struct picture_paint picture_paint_of(const struct theme *t, const struct style *s)
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

/* Returns the paint of an empty cell. */
static struct picture_paint picture_ground(const struct theme *t)
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

/* Replaces *r by the run of line y that begins at cell r->x + r->n; for the first run, *r must be
 * all zeros. Returns false at the end of the line. Invisible blanks at the end of the line are not
 * a run. */
static bool picture_next_run(const struct canvas *c, const struct theme *t, int y,
			     struct picture_run *r)
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

/* Returns the index of the paint in the list; adds the paint if the list lacks it. */
static size_t picture_add_paint(struct picture_paints *p, struct picture_paint paint)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].fg == paint.fg && p->v[i].bg == paint.bg &&
		    p->v[i].bold == paint.bold && p->v[i].underline == paint.underline)
			return i;
	p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof(*p->v));
	p->v[p->n] = paint;
	return p->n++;
}

/* Appends the text of cells [x, x + n) of line y as UTF-8. xml: escaped for XML. */
static void picture_add_cells(struct strbuf *out, const struct canvas *c, int x, int y, int n,
			      bool xml)
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

/* ---- size of the terminal ---- */

bool winsize_ask(int fd, int *width, int *height)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size))
		return false;
	*width = size.ws_col;
	*height = size.ws_row;
	return *width > 0 && *width <= WINSIZE_WIDTH_MAX && *height > 0 &&
	       *height <= WINSIZE_HEIGHT_MAX;
}

void winsize_check_environment(int fd)
{
	static const struct {
		const char *name;
		long max;
		const char *usual;
	} sides[] = {{"LINES", WINSIZE_HEIGHT_MAX, "24"}, {"COLUMNS", WINSIZE_WIDTH_MAX, "80"}};
	int width = 0, height = 0;
	bool known = winsize_ask(fd, &width, &height);

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		const char *text = getenv(sides[i].name);
		long n;

		if (text && !num_parse_int(text, sides[i].name, 1, sides[i].max, &n, NULL))
			continue;
		/* If the terminal has no size (0 x 0), curses uses the size of terminfo. */
		if (known || (!width && !height))
			unsetenv(sides[i].name);
		else
			setenv(sides[i].name, sides[i].usual, 1);
	}
}
