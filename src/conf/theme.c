/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/theme.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/suggestion.h"

/* ---- look ---- */

/* clang-format off */
const struct look_row look_table[N_LOOKS] = {
	[LOOK_NORMAL]      = {'n', "normal", NULL},
	[LOOK_FAINT]       = {'f', "faint", "a task that did not run, or no number"},
	[LOOK_ROUGH]       = {'r', "rough", "an estimate or a lower bound"},
	[LOOK_DEAD]        = {'d', "dead", "a task that has ended: its last numbers"},
	[LOOK_WATCHED]     = {'w', "watched", "a task that you watch (key w)"},
	[LOOK_ANCESTOR]    = {'a', "ancestor", NULL},
	[LOOK_TOTALS]      = {'t', "totals", NULL},
	[LOOK_WARN]        = {'u', "warn", NULL},
	[LOOK_CRIT]        = {'x', "crit", NULL},
	[LOOK_HEAT_1]      = {'1', "heat-1", NULL},
	[LOOK_HEAT_2]      = {'2', "heat-2", NULL},
	[LOOK_HEAT_3]      = {'3', "heat-3", NULL},
	[LOOK_HEAT_4]      = {'4', "heat-4", NULL},
	[LOOK_HEAT_5]      = {'5', "heat-5", NULL},
	[LOOK_CURRENT]     = {'c', "current", NULL},
	[LOOK_FOLLOWED]    = {'o', "followed", NULL},
	[LOOK_TAGGED]      = {'s', "tagged", NULL},
	[LOOK_MATCH]       = {'m', "match", NULL},
	[LOOK_HEADER]      = {'h', "header", NULL},
	[LOOK_TAB]         = {'b', "tab", NULL},
	[LOOK_TAB_CURRENT] = {'i', "tab-current", NULL},
	[LOOK_NOTE]        = {'y', "note", NULL},
	[LOOK_MESSAGE]     = {'q', "message", NULL},
	[LOOK_ERROR]       = {'e', "error", NULL},
	[LOOK_KEY]         = {'k', "key", NULL},
	[LOOK_LABEL]       = {'l', "label", NULL},
	[LOOK_BAR_FRAME]   = {'[', "bar-frame", NULL},
	[LOOK_BAR_EMPTY]   = {'.', "bar-empty", NULL},
	[LOOK_BAR_USER]    = {'|', "bar-user", NULL},
	[LOOK_BAR_NICE]    = {'-', "bar-nice", NULL},
	[LOOK_BAR_SYSTEM]  = {'#', "bar-system", NULL},
	[LOOK_BAR_IRQ]     = {'!', "bar-irq", NULL},
	[LOOK_BAR_STEAL]   = {'%', "bar-steal", NULL},
	[LOOK_BAR_WAIT]    = {'~', "bar-wait", NULL},
	[LOOK_BAR_USED]    = {'=', "bar-used", NULL},
	[LOOK_BAR_BUFFERS] = {':', "bar-buffers", NULL},
	[LOOK_BAR_CACHE]   = {'+', "bar-cache", NULL},
	[LOOK_BAR_SWAP]    = {'$', "bar-swap", NULL},
	[LOOK_CURVE_1]     = {'g', "curve-1", NULL},
	[LOOK_CURVE_2]     = {'v', "curve-2", NULL},
};
/* clang-format on */

/* ---- colour ---- */

static const char *const colour_names[COLOUR_NAMED] = {
	"black",        "red",           "green",       "yellow",         "blue",
	"magenta",      "cyan",          "white",       "bright-black",   "bright-red",
	"bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
	"bright-white",
};

static const uint32_t named_rgb[COLOUR_NAMED] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* xterm's palette: the named colours, then a cube with CUBE_SIDE shades of red, of green and of
 * blue, then greys. */
#define CUBE_SIDE  6
#define GREY_FIRST (COLOUR_NAMED + CUBE_SIDE * CUBE_SIDE * CUBE_SIDE)

/* Text is readable if its lightness (0 to 255) differs from that of the background by at least
 * READABLE_MIN. Otherwise black text is used on a background of at least READABLE_FROM, white text
 * on a darker one. */
#define READABLE_MIN  90
#define READABLE_FROM 110

static bool parse_rgb(const char *text, struct colour *out)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t rgb = 0;

	if (*text++ != '#' || strlen(text) != 6)
		return false;
	for (; *text; text++) {
		const char *digit =
			strchr(digits, *text >= 'A' && *text <= 'F' ? *text | 0x20 : *text);

		if (!digit)
			return false;
		rgb = rgb << 4 | (uint32_t)(digit - digits);
	}
	*out = (struct colour){COLOUR_RGB, rgb};
	return true;
}

int colour_parse(const char *text, struct colour *out, struct err *err)
{
	long index;

	if (!strcmp(text, "terminal")) {
		*out = (struct colour){COLOUR_TERMINAL, 0};
		return 0;
	}
	for (uint32_t i = 0; i < COLOUR_NAMED; i++)
		if (!strcmp(text, colour_names[i])) {
			*out = (struct colour){COLOUR_INDEX, i};
			return 0;
		}
	if (parse_rgb(text, out))
		return 0;
	if (!num_parse_int(text, "", 0, 255, &index, NULL)) {
		*out = (struct colour){COLOUR_INDEX, (uint32_t)index};
		return 0;
	}
	return err_set(err, EINVAL,
		       "'%s' is not a colour: write red, bright-red or another of the sixteen "
		       "names, a "
		       "number up to 255, #ff8700, or terminal for the one that the terminal has",
		       text);
}

void colour_add(struct strbuf *out, struct colour c)
{
	if (c.kind == COLOUR_RGB)
		strbuf_addf(out, "#%06x", c.value);
	else if (c.kind == COLOUR_INDEX && c.value < COLOUR_NAMED)
		strbuf_addstr(out, colour_names[c.value]);
	else if (c.kind == COLOUR_INDEX)
		strbuf_addf(out, "%u", c.value);
	else
		strbuf_addstr(out, "terminal");
}

uint32_t colour_of_index(uint32_t index)
{
	static const uint32_t shade[CUBE_SIDE] = {0, 95, 135, 175, 215, 255};

	if (index < COLOUR_NAMED)
		return named_rgb[index];
	if (index >= GREY_FIRST)
		return (8 + 10 * (index - GREY_FIRST)) * 0x010101;
	index -= COLOUR_NAMED;
	return shade[index / CUBE_SIDE / CUBE_SIDE] << 16 |
	       shade[index / CUBE_SIDE % CUBE_SIDE] << 8 | shade[index % CUBE_SIDE];
}

static int part(uint32_t rgb, int shift)
{
	return (int)(rgb >> shift & 0xff);
}

/* Returns the perceived lightness of a colour, 0 to 255. */
static int lightness(uint32_t rgb)
{
	return (299 * part(rgb, 16) + 587 * part(rgb, 8) + 114 * part(rgb, 0)) / 1000;
}

/* Returns a measure of the perceived difference of two colours: the difference in lightness, and
 * the differences in red and blue beyond it, so that the nearest colour of a grey is a grey. */
static int distance(uint32_t a, uint32_t b)
{
	int light = lightness(a) - lightness(b);
	int red = part(a, 16) - part(b, 16) - light, blue = part(a, 0) - part(b, 0) - light;

	return light * light + red * red + blue * blue;
}

/* Returns the colour nearest to rgb among those with numbers in [from, to). */
static struct colour nearest(uint32_t rgb, uint32_t from, uint32_t to)
{
	uint32_t best = from;

	for (uint32_t i = from; i < to; i++)
		if (distance(rgb, colour_of_index(i)) < distance(rgb, colour_of_index(best)))
			best = i;
	return (struct colour){COLOUR_INDEX, best};
}

static uint32_t rgb_of(struct colour c)
{
	return c.kind == COLOUR_INDEX ? colour_of_index(c.value) : c.value;
}

struct colour colour_reduce(struct colour c, int n)
{
	if (c.kind < COLOUR_INDEX || (c.kind == COLOUR_INDEX && c.value < (uint32_t)n))
		return c;
	/* Avoids the first 16 colours, which users may have changed. */
	if (n == 256)
		return nearest(rgb_of(c), COLOUR_NAMED, 256);
	return n < 256 ? nearest(rgb_of(c), 0, (uint32_t)n) : c;
}

struct colour colour_readable(struct colour fg, struct colour bg)
{
	int behind = lightness(rgb_of(bg));

	if (fg.kind < COLOUR_INDEX || bg.kind < COLOUR_INDEX ||
	    abs(lightness(rgb_of(fg)) - behind) >= READABLE_MIN)
		return fg;
	return (struct colour){COLOUR_INDEX, behind >= READABLE_FROM ? 0 : 7};
}

/* ---- theme ---- */

static void theme_free(struct theme *t)
{
	free(t->name);
	free(t->desc);
	free(t->like);
	free(t->place);
	free(t);
}

static struct theme **find(const struct theme_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i]->name, name))
			return &l->v[i];
	return NULL;
}

struct theme *theme_list_add(struct theme_list *l, const char *name, const char *desc,
			     const struct theme *like)
{
	struct theme *t = xcalloc(1, sizeof(*t)), **old = find(l, name);

	t->name = xstrdup(name);
	t->desc = xstrdup(desc);
	if (like) {
		t->like = xstrdup(like->name);
		t->light = like->light;
		memcpy(t->style, like->style, sizeof(t->style));
	}
	if (old) {
		theme_free(*old);
		*old = t;
		return t;
	}
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = t;
	return t;
}

void theme_list_add_built_in(struct theme_list *l)
{
	for (size_t i = 0; i < theme_built_in_n; i++) {
		const struct theme_row *row = &theme_built_in[i];
		struct theme **like = row->like ? find(l, row->like) : NULL;
		struct theme *t = theme_list_add(l, row->name, row->desc, like ? *like : NULL);

		t->light = row->light;
		for (size_t k = 0; k < row->n_looks; k++)
			theme_set_look(t, &row->look[k], NULL);
	}
}

void theme_list_done(struct theme_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		theme_free(l->v[i]);
	free(l->v);
	*l = (struct theme_list)THEME_LIST_INIT;
}

const struct theme *theme_list_find(const struct theme_list *l, const char *name, struct err *err)
{
	struct theme **t = find(l, name);
	struct suggestion near;
	struct strbuf names;

	if (t)
		return *t;
	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (size_t i = 0; i < l->n; i++) {
		suggestion_offer(&near, l->v[i]->name);
		strbuf_addf(&names, "%s%s", i ? ", " : "", l->v[i]->name);
	}
	err_set(err, EINVAL, "there is no theme '%s'%s: there are %s", name, suggestion_text(&near),
		names.text);
	strbuf_done(&names);
	return NULL;
}

static int refuse_look(const char *name, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (size_t i = 0; i < N_LOOKS; i++)
		suggestion_offer(&near, look_table[i].name);
	return err_set(err, ENOENT, "there is no look '%s'%s: tiptoprc(5) lists them", name,
		       suggestion_text(&near));
}

int theme_set_look(struct theme *t, const struct theme_look_row *row, struct err *err)
{
	const struct {
		bool on;
		enum style_bit bit;
	} bits[] = {{row->bold, STYLE_BOLD},
		    {row->dim, STYLE_DIM},
		    {row->underline, STYLE_UNDERLINE},
		    {row->reverse, STYLE_REVERSE}};
	struct style style = {.bits = 0};
	size_t look = 0;
	int ret = 0;

	while (look < N_LOOKS && strcmp(look_table[look].name, row->name) != 0)
		look++;
	if (look == N_LOOKS)
		return refuse_look(row->name, err);
	if (row->fg)
		ret = colour_parse(row->fg, &style.fg, err);
	if (!ret && row->bg)
		ret = colour_parse(row->bg, &style.bg, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (bits[i].on)
			style.bits |= (uint8_t)bits[i].bit;
	t->style[look] = style;
	t->given[look] = true;
	return 0;
}

/* Lays a look over the style *s: its colours replace those of *s, its attributes are added. If both
 * are reverse, the result is not. */
static void apply_look(struct style *s, const struct style *look)
{
	if (look->fg.kind)
		s->fg = look->fg;
	if (look->bg.kind)
		s->bg = look->bg;
	s->bits = (uint8_t)((s->bits | look->bits) ^ (s->bits & look->bits & STYLE_REVERSE));
}

struct style theme_style(const struct theme *t, uint8_t attr, enum look laid, int colours)
{
	struct style s = t->style[LOOK_NORMAL];

	if (LOOK_OF(attr) != LOOK_NORMAL)
		apply_look(&s, &t->style[LOOK_OF(attr)]);
	if (attr & LOOK_STRONG)
		s.bits |= STYLE_BOLD;
	if (laid != LOOK_NORMAL)
		apply_look(&s, &t->style[laid]);
	/* Dim text is hardly readable on the overlay's background. */
	if (laid != LOOK_NORMAL && t->style[laid].bg.kind != COLOUR_UNSET)
		s.bits &= (uint8_t)~STYLE_DIM;
	if (colours == 0) {
		s.fg = s.bg = (struct colour){COLOUR_UNSET, 0};
		return s;
	}
	s.fg = colour_reduce(s.fg, colours);
	s.bg = colour_reduce(s.bg, colours);
	s.fg = colour_readable(s.fg, s.bg);
	return s;
}
