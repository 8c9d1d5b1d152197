/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: the line of tabs, one for each screen that has a number for this machine. */
#include <stdlib.h>

#include "base/mem.h"
#include "tui/layout.h"
#include "tui/paint_part.h"

struct tab {
	const struct screen *screen;
	int width;
	bool active, shown;
};

/* All tabs, from the left. */
struct tabs {
	struct tab *v;
	size_t n, active;
};

void tabs_add_name(struct strbuf *out, const struct screen *s)
{
	strbuf_addf(out, " %d %s ", s->number, s->name);
}

static void add(struct tabs *t, const struct screen *s, bool active)
{
	struct strbuf text;

	strbuf_init(&text);
	tabs_add_name(&text, s);
	if (active)
		t->active = t->n;
	t->v[t->n++] = (struct tab){s, canvas_text_width(text.text), active, false};
	strbuf_done(&text);
}

static bool is_usual_order(const struct screen_list *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (l->v[i]->number < l->v[i - 1]->number)
			return false;
	return true;
}

/* Adds the hidden screens that have a tab and a number in [from, to). */
static void add_hidden(struct tabs *t, const struct screen_list *hidden, int from, int to)
{
	for (int number = from; hidden && number < to; number++) {
		const int i = screen_list_find_number(hidden, number);

		if (i >= 0 && screen_has_tab(hidden->v[i]))
			add(t, hidden->v[i], false);
	}
}

static int end_of_numbers(const struct screen_list *l)
{
	int end = 0;

	for (size_t i = 0; l && i < l->n; i++)
		if (l->v[i]->number >= end)
			end = l->v[i]->number + 1;
	return end;
}

/* By their numbers; where the user has another order, those that cannot be filled come last. */
static void make(struct tabs *t, const struct picture *p)
{
	const struct screen_list *screens = p->info->screens, *hidden = p->info->hidden;
	const bool usual = is_usual_order(screens);
	int from = 0;

	*t = (struct tabs){xcalloc(screens->n + (hidden ? hidden->n : 0), sizeof *t->v), 0, 0};
	for (size_t i = 0; i < screens->n; i++) {
		if (usual)
			add_hidden(t, hidden, from, screens->v[i]->number);
		if (usual)
			from = screens->v[i]->number + 1;
		add(t, screens->v[i], i == p->frame->view->screen);
	}
	add_hidden(t, hidden, from, end_of_numbers(hidden));
}

/* Whether it stays where not all have room. */
static bool is_wanted(const struct tab *tab)
{
	return tab->active || !tab->screen->lacking;
}

/* Shows those that are wanted, if there is room for all of them, and of the others as many, from
 * the left, as have room then. */
static bool show_all(struct tabs *t, int width)
{
	int left;

	for (size_t i = 0; i < t->n; i++)
		if (is_wanted(&t->v[i]))
			width -= t->v[i].width;
	left = width;
	for (size_t i = 0; i < t->n; i++) {
		struct tab *tab = &t->v[i];

		if (!is_wanted(tab))
			left -= tab->width;
		tab->shown = is_wanted(tab) || left >= 0;
	}
	return width >= 0;
}

/* Leaves as many before the active one as have room with it, then as many behind it. Returns which
 * sides lack some. */
static void show_some(struct tabs *t, int width, bool *lacks_left, bool *lacks_right)
{
	size_t first = t->active, end = t->active + 1;

	width -= t->v[t->active].width;
	while (first > 0 && (!t->v[first - 1].shown || t->v[first - 1].width <= width)) {
		first--;
		width -= t->v[first].shown ? t->v[first].width : 0;
	}
	while (end < t->n && (!t->v[end].shown || t->v[end].width <= width)) {
		width -= t->v[end].shown ? t->v[end].width : 0;
		end++;
	}
	for (size_t i = 0; i < t->n; i++) {
		*lacks_left = *lacks_left || (i < first && t->v[i].shown);
		*lacks_right = *lacks_right || (i >= end && t->v[i].shown);
		t->v[i].shown = t->v[i].shown && i >= first && i < end;
	}
}

static uint8_t look_of(const struct tab *tab)
{
	if (tab->active)
		return LOOK_TAB_CURRENT;
	return tab->screen->lacking ? LOOK_FAINT : LOOK_TAB;
}

/* Returns the column behind it. */
static int paint(const struct picture *p, int x, int y, int end, const struct tab *tab)
{
	const int begin = x;
	struct strbuf text;

	strbuf_init(&text);
	tabs_add_name(&text, tab->screen);
	x = canvas_put_cut(p->c, x, y, end, look_of(tab), text.text);
	hits_add(&p->ui->hits, begin, y, x - begin, (struct hit){HIT_TAB, tab->screen->number});
	strbuf_done(&text);
	return x;
}

void part_paint_tabs(const struct picture *p, int y, int n)
{
	bool lacks_left = false, lacks_right = false;
	int x = 0, end = p->c->width;
	struct tabs tabs;

	(void)n;
	make(&tabs, p);
	if (!show_all(&tabs, end)) {
		x += LAYOUT_MARK_WIDTH;
		end -= LAYOUT_MARK_WIDTH;
		show_some(&tabs, end - x, &lacks_left, &lacks_right);
	}
	if (lacks_left)
		canvas_put(p->c, 0, y, LOOK_STRONG, LAYOUT_MARK_LEFT);
	for (size_t i = 0; i < tabs.n; i++)
		if (tabs.v[i].shown)
			x = paint(p, x, y, end, &tabs.v[i]);
	if (lacks_right)
		canvas_put(p->c, end, y, LOOK_STRONG, LAYOUT_MARK_RIGHT);
	free(tabs.v);
}
