/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/theme.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggestion.h"

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
	struct suggestion near;
	size_t look = 0;
	int ret = 0;

	suggestion_begin(&near, row->name);
	for (; look < N_LOOKS && strcmp(look_table[look].name, row->name) != 0; look++)
		suggestion_offer(&near, look_table[look].name);
	if (look == N_LOOKS)
		return err_set(err, ENOENT, "there is no look '%s'%s: tiptoprc(5) lists them",
			       row->name, suggestion_text(&near));
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

/* What the look says goes before what is there; where both are reversed, it is not. */
static void put_over(struct style *s, const struct style *look)
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
		put_over(&s, &t->style[LOOK_OF(attr)]);
	if (attr & LOOK_STRONG)
		s.bits |= STYLE_BOLD;
	if (laid != LOOK_NORMAL)
		put_over(&s, &t->style[laid]);
	/* Dim text can hardly be read on what is laid behind it. */
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
