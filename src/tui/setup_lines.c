/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of setup_page: the lines of a pane: where those that can be chosen stand, how keys move
 * among them, which of them has a text, and what is said of the current one below the list.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/search.h"
#include "tui/setup_page_part.h"

/* The name and the unit, three lines of what it means, the keys. */
#define ABOUT_LINES      5
#define ABOUT_MIN_HEIGHT 16

void setup_lines_done(struct setup_lines *l)
{
	free(l->y);
}

void setup_begin_line(struct sheet *s, const struct setup_sheet *x)
{
	struct setup_lines *l = x->lines;

	if (!l)
		return;
	l->y = xgrow(l->y, &l->cap, l->n + 1, sizeof *l->y);
	l->y[l->n++] = s->y;
}

void setup_find_lines(const struct setup_sheet *x, struct canvas *c, struct setup_lines *l)
{
	struct setup_sheet noting = *x;
	struct sheet count = {.canvas = c};

	*l = (struct setup_lines){.y = NULL};
	noting.lines = l;
	x->pane->write(&count, &noting);
	l->height = count.y;
}

size_t setup_page_n_lines(const struct ui_state *ui)
{
	struct canvas nowhere = CANVAS_INIT;
	struct setup_lines l;
	struct setup_sheet x;

	if (!ui->frame)
		return 0;
	x = setup_sheet_of(ui, ui->frame);
	setup_find_lines(&x, &nowhere, &l);
	setup_lines_done(&l);
	return l.n;
}

/* The first line to choose from at this line of the sheet or below it, else the last one. */
static size_t line_at(const struct setup_lines *l, size_t y)
{
	size_t i = 0;

	while (i + 1 < l->n && l->y[i] < y)
		i++;
	return i;
}

size_t setup_page_move(const struct ui_state *ui, int key)
{
	const size_t page = ui->panel_lines.page;
	struct canvas nowhere = CANVAS_INIT;
	struct setup_lines l;
	struct setup_sheet x;
	size_t to = ui->menu;

	if (!ui->frame)
		return to;
	x = setup_sheet_of(ui, ui->frame);
	setup_find_lines(&x, &nowhere, &l);
	/* By the lines that are seen, headings among them. */
	if (to < l.n && (key == KEYCODE_PGUP || key == KEYCODE_PGDN))
		to = line_at(&l, scroll_move(l.y[to], l.height, page, key));
	else
		to = scroll_move(to, l.n, page, key);
	setup_lines_done(&l);
	return to < l.n ? to : l.n - (l.n > 0);
}

/* Whether what is said of line i has the text. */
static bool has(const struct setup_sheet *x, size_t i, const char *text)
{
	struct strbuf about;
	bool found;

	strbuf_init(&about);
	x->pane->describe(&about, x, i);
	found = strcasestr(about.text, text);
	strbuf_done(&about);
	return found;
}

void setup_page_seek(struct ui_state *ui)
{
	struct scroll_find *find = &ui->find;
	const size_t n = setup_page_n_lines(ui);
	bool found = false;
	struct setup_sheet x;

	if (!*find->text)
		ui->menu = find->origin;
	for (size_t i = 0; *find->text && i < n && !found; i++) {
		const size_t at = (find->seek > 0 ? find->from + i : find->from + n - 1 - i) % n;

		x = setup_sheet_of(ui, ui->frame);
		found = has(&x, at, find->text);
		if (found)
			ui->menu = at;
	}
	find->missed = *find->text && !found;
	find->seek = 0;
}

int setup_about_lines(const struct canvas *c)
{
	return c->height >= ABOUT_MIN_HEIGHT ? ABOUT_LINES : 0;
}

/* The first line of the text is a bar. What has no room is left out. */
void setup_paint_about(struct canvas *c, const struct setup_sheet *x, size_t i)
{
	const struct key_hints keys = {x->ui->keymap, x->pane->keys};
	const int top = c->height - setup_about_lines(c);
	struct strbuf about;
	const char *text;

	strbuf_init(&about);
	x->pane->describe(&about, x, i);
	canvas_fill(c, 0, top, c->width, LOOK_HEADER);
	text = about.text;
	for (int y = top; *text && y < c->height - 1; y++) {
		const size_t line = strcspn(text, "\n");
		char *part = xstrndup(text, line);
		const char *next;
		const size_t n = canvas_wrap(part, c->width, &next);

		canvas_put_n(c, 0, y, y == top ? LOOK_HEADER | LOOK_STRONG : LOOK_NORMAL, part, n);
		if (x->ui->panel_lines.find)
			search_mark(x->ui->find.text, c, 0, y, c->width);
		/* The bar is one line, however long its text is. */
		text += y == top || !*next ? line : (size_t)(next - part);
		text += *text == '\n';
		free(part);
	}
	strbuf_reset(&about);
	key_hints_add(&about, &keys, "  ", c->width);
	canvas_put(c, 0, c->height - 1, LOOK_NORMAL, about.text);
	strbuf_done(&about);
}
