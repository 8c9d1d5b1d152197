/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "conf/theme.h"
#include "tap.h"

static const int depths[] = {8, 16, 256, COLOUR_DIRECT};

static bool same_colour(struct colour a, struct colour b)
{
	return a.kind == b.kind && a.value == b.value;
}

static uint32_t rgb_of(struct colour c)
{
	return c.kind == COLOUR_RGB ? c.value : colour_of_index(c.value);
}

/* Returns the relative luminance as defined by WCAG 2.1. */
static double luminance(uint32_t rgb)
{
	double part[3];

	for (int i = 0; i < 3; i++) {
		double v = (double)(rgb >> 8 * (2 - i) & 0xff) / 255;

		part[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
	}
	return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}

static double contrast(uint32_t a, uint32_t b)
{
	double la = luminance(a), lb = luminance(b);

	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

/* Returns the least contrast of all looks of rows, alone and under looks that are laid over
 * rows. */
static double least_contrast(const struct theme *t, int colours, uint32_t fg, uint32_t bg)
{
	double least = 21;

	for (int look = 0; look < N_LOOKS; look++)
		for (int laid = 0; laid < N_LOOKS; laid++) {
			struct style s;
			double c;

			if (laid &&
			    (laid < LOOK_CURRENT || laid > LOOK_MATCH || look > LOOK_HEAT_5))
				continue;
			s = theme_style(t, (uint8_t)look, (enum look)laid, colours);
			c = contrast(s.fg.kind < COLOUR_INDEX ? fg : rgb_of(s.fg),
				     s.bg.kind < COLOUR_INDEX ? bg : rgb_of(s.bg));
			if (c < least)
				least = c;
			if (c < (colours >= 256 ? 4.5 : 3))
				printf("# %s, %d colours: %s under %s: %.2f\n", t->name, colours,
				       look_table[look].name, look_table[laid].name, c);
		}
	return least;
}

static void test_looks(void)
{
	bool own = true;

	for (int i = 0; i < N_LOOKS; i++)
		for (int k = 0; k < i; k++)
			own = own && look_table[i].letter != look_table[k].letter &&
			      strcmp(look_table[i].name, look_table[k].name) != 0;
	tap_ok(own, "each look has a name and a letter of its own");
}

static void test_built_in(struct theme_list *l)
{
	struct err err = ERR_INIT;

	theme_list_add_built_in(l);
	tap_ok(theme_list_find(l, THEME_DEFAULT, NULL) &&
		       theme_list_find(l, THEME_MONOCHROME, NULL),
	       "the themes that the program names are there");
	for (size_t i = 0; i < theme_built_in_n; i++) {
		const struct theme_row *row = &theme_built_in[i];
		bool good = true;

		for (size_t k = 0; k < row->n_looks; k++)
			good = good && !theme_set_look(l->v[i], &row->look[k], &err);
		tap_ok(good, "the looks of %s can be read%s%s", row->name, good ? "" : ": ",
		       err.text);
	}
	tap_ok(!theme_list_find(l, "Default", &err), "another name is none");
	tap_str(err.text,
		"there is no theme 'Default' (did you mean 'default'?): there are default, light, "
		"monochrome, high-contrast",
		"and a sentence has those that there are");
}

/* Without colours, warnings and alarms must differ by their attributes. */
static void test_not_by_colour_alone(const struct theme_list *l)
{
	static const enum look alarms[] = {LOOK_NORMAL, LOOK_WARN, LOOK_CRIT};

	for (size_t i = 0; i < l->n; i++) {
		bool apart = true;

		for (size_t a = 0; a < 3; a++)
			for (size_t b = 0; b < a; b++) {
				uint8_t x = l->v[i]->style[alarms[a]].bits,
					y = l->v[i]->style[alarms[b]].bits;

				/* The sorting column is bold in addition, so bold is no
				 * difference. */
				apart = apart && (x | STYLE_BOLD) != (y | STYLE_BOLD);
			}
		tap_ok(apart, "%s: a warning and an alarm differ by more than colours",
		       l->v[i]->name);
	}
}

static bool is_red(struct colour c)
{
	const uint32_t rgb = c.kind < COLOUR_INDEX ? 0 : rgb_of(c);
	const uint32_t red = rgb >> 16, green = rgb >> 8 & 0xff, blue = rgb & 0xff;

	return 2 * red > 3 * (green > blue ? green : blue);
}

/* Only numbers beyond a critical threshold are red, also on terminals with few colours. */
static void test_red(const struct theme_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		bool other = false;

		for (int look = 0; look < N_LOOKS; look++)
			for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
				const struct style s =
					theme_style(l->v[i], (uint8_t)look, LOOK_NORMAL, depths[d]);

				if (look == LOOK_CRIT || (!is_red(s.fg) && !is_red(s.bg)))
					continue;
				other = true;
				printf("# %s, %d colours: %s is red\n", l->v[i]->name, depths[d],
				       look_table[look].name);
			}
		tap_ok(!other, "%s: red means one thing", l->v[i]->name);
	}
}

static void test_contrast(const struct theme_list *l)
{
	const struct theme *light = theme_list_find(l, "light", NULL);
	const struct theme *high = theme_list_find(l, "high-contrast", NULL);
	bool hidden = false;

	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		int least = depths[i] >= 256 ? 45 : 30;

		tap_ok(10 * least_contrast(light, depths[i], 0x000000, 0xffffff) >= least,
		       "light in %d colours can be read on white", depths[i]);
		tap_ok(10 * least_contrast(high, depths[i], 0xffffff, 0x000000) >=
			       (depths[i] >= 256 ? 70 : 30),
		       "high-contrast in %d colours keeps its word", depths[i]);
	}
	for (size_t i = 0; i < l->n; i++)
		for (int look = 0; look < N_LOOKS; look++)
			for (int laid = 0; laid < N_LOOKS; laid++)
				for (size_t d = 0; d < 4; d++) {
					struct style s = theme_style(l->v[i], (uint8_t)look,
								     (enum look)laid, depths[d]);

					hidden = hidden || (s.bg.kind >= COLOUR_INDEX &&
							    same_colour(s.fg, s.bg));
				}
	tap_ok(!hidden, "no text has the colour that is behind it");
}

static void test_laying(struct theme_list *l)
{
	static const struct theme_look_row rows[] = {
		{.name = "normal", .fg = "white", .bg = "black"},
		{.name = "warn", .fg = "yellow", .underline = true},
		{.name = "crit", .fg = "green", .bg = "black", .reverse = true},
		{.name = "current", .bg = "blue", .reverse = true},
		{.name = "match", .fg = "#ff8700", .bold = true},
	};
	struct theme *t = theme_list_add(l, "own", "x", NULL);
	struct style s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		theme_set_look(t, &rows[i], NULL);
	s = theme_style(t, LOOK_WARN | LOOK_STRONG, LOOK_NORMAL, 8);
	tap_ok(s.fg.value == 3 && s.bg.kind == COLOUR_INDEX && s.bg.value == 0 &&
		       s.bits == (STYLE_UNDERLINE | STYLE_BOLD),
	       "what a look leaves out is that of normal; what is strong is bold");
	s = theme_style(t, LOOK_WARN, LOOK_CURRENT, 8);
	tap_ok(s.fg.value == 3 && s.bg.value == 4 && s.bits == (STYLE_UNDERLINE | STYLE_REVERSE),
	       "what is laid over it goes before, and attributes add up");
	s = theme_style(t, LOOK_CRIT, LOOK_CURRENT, 8);
	tap_ok(s.fg.value == 2 && s.bg.value == 4 && s.bits == 0, "what is reversed twice is not");
	s = theme_style(t, LOOK_CRIT, LOOK_MATCH, 8);
	tap_ok(s.fg.value == 3 && s.bg.value == 0 && s.bits == (STYLE_BOLD | STYLE_REVERSE),
	       "a colour that the terminal lacks is the nearest");
	s = theme_style(t, LOOK_CRIT, LOOK_NORMAL, 0);
	tap_ok(s.fg.kind == COLOUR_UNSET && s.bg.kind == COLOUR_UNSET && s.bits == STYLE_REVERSE,
	       "without colours the attributes stay");
	s = theme_style(theme_list_find(l, "default", NULL), LOOK_FAINT, LOOK_CURRENT, 16);
	tap_ok(!(s.bits & STYLE_DIM), "on another background nothing is dim");
	s = theme_style(theme_list_find(l, "monochrome", NULL), LOOK_FAINT, LOOK_CURRENT, 0);
	tap_ok(s.bits & STYLE_DIM, "where there is none, it is");
}

static void test_own(struct theme_list *l)
{
	struct theme *t = theme_list_add(l, "mine", "x", theme_list_find(l, "light", NULL));
	struct err err = ERR_INIT;
	size_t n = l->n;

	tap_ok(t->light && !strcmp(t->like, "light") &&
		       same_colour(t->style[LOOK_DEAD].fg, l->v[1]->style[LOOK_DEAD].fg),
	       "a theme begins as the one that it is like");
	tap_ok(!t->given[LOOK_DEAD], "but has given none of that itself");
	theme_set_look(t, &(struct theme_look_row){.name = "dead", .dim = true}, &err);
	tap_ok(t->given[LOOK_DEAD] && t->style[LOOK_DEAD].fg.kind == COLOUR_UNSET &&
		       t->style[LOOK_DEAD].bits == STYLE_DIM,
	       "a look that it gives is given as a whole");
	tap_int(theme_set_look(t, &(struct theme_look_row){.name = "dread"}, &err), -ENOENT,
		"no such look");
	tap_str(err.text, "there is no look 'dread' (did you mean 'dead'?): tiptoprc(5) lists them",
		"and a sentence says so");
	tap_int(theme_set_look(t, &(struct theme_look_row){.name = "dead", .bg = "pink"}, &err),
		-EINVAL, "no such colour");
	tap_ok(t->style[LOOK_DEAD].bits == STYLE_DIM, "nothing is changed by that");
	t = theme_list_add(l, "mine", "y", NULL);
	tap_ok(l->n == n && theme_list_find(l, "mine", NULL) == t && !t->like,
	       "a second theme of the name takes the place of the first");
}

int main(void)
{
	struct theme_list l = THEME_LIST_INIT;

	test_looks();
	test_built_in(&l);
	test_not_by_colour_alone(&l);
	test_red(&l);
	test_contrast(&l);
	test_laying(&l);
	test_own(&l);
	theme_list_done(&l);
	return tap_done();
}
