/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of setup_page: how the page looks. */
#include <string.h>

#include "screen/compose.h"
#include "ui/keys.h"
#include "ui/setup_page.h"
#include "ui/sheet.h"

/* Where texts stand: what a column is called, and whose it is. */
#define NAME_COLUMN   2
#define SCREEN_COLUMN 18
#define TEXT_COLUMN   28
#define HELP_COLUMN   33 /* of an option: names of themes are longer */

#define LATER "from the next start on: "

struct context {
	const struct setup_page *page;
	const struct screen *screen;
};

static void write_column(struct sheet *s, const struct screen *from, size_t i, bool own)
{
	const struct column *c = &from->column[i];
	const uint8_t look = own ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
	const char *text = c->desc ? c->desc : c->text;
	int len;
	const char *name = screen_column_name(c, &len);

	if (own)
		sheet_put(s, 0, look, "*", 1);
	sheet_put(s, NAME_COLUMN, look, name,
		  len < SCREEN_COLUMN - NAME_COLUMN ? (size_t)len
						    : SCREEN_COLUMN - NAME_COLUMN - 1);
	if (!own)
		sheet_put(s, SCREEN_COLUMN, LOOK_FAINT, from->name,
			  strnlen(from->name, TEXT_COLUMN - SCREEN_COLUMN - 1));
	sheet_put(s, TEXT_COLUMN, LOOK_NORMAL, text, strlen(text));
	s->y++;
}

/* One line each, so that they can be counted: a longer text is cut. */
static void write_lines(struct sheet *s, const void *context)
{
	const struct context *x = context;
	const struct screen_list *choices = x->page->choices;

	for (size_t i = 0; i < x->screen->n_columns; i++)
		write_column(s, x->screen, i, true);
	for (size_t k = 0; choices && k < choices->n; k++)
		for (size_t i = 0; i < choices->v[k]->n_columns; i++)
			if (!compose_has(x->screen, &choices->v[k]->column[i]))
				write_column(s, choices->v[k], i, false);
}

/* The same for options. */
static void write_settings(struct sheet *s, const void *context)
{
	const struct context *x = context;
	const struct setting_list *l = x->page->settings;

	for (size_t i = 0; l && i < l->n; i++, s->y++) {
		const struct setting *setting = &l->v[i];
		const bool changed = strcmp(setting->value, setting->usual) != 0;
		const uint8_t look = changed ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
		int at = HELP_COLUMN;

		if (changed)
			sheet_put(s, 0, look, "*", 1);
		sheet_put(s, NAME_COLUMN, look, setting->name,
			  strnlen(setting->name, SCREEN_COLUMN - NAME_COLUMN - 1));
		sheet_put(s, SCREEN_COLUMN, look, setting->value,
			  strnlen(setting->value, HELP_COLUMN - SCREEN_COLUMN - 1));
		if (setting->later)
			at = sheet_put(s, at, LOOK_FAINT, LATER, strlen(LATER));
		sheet_put(s, at, LOOK_NORMAL, setting->help, strlen(setting->help));
	}
}

void setup_page_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame)
{
	const struct screen *screen = ui->setup.screens->v[frame->view->screen];
	const struct context context = {&ui->setup, screen->declared ? screen->declared : screen};
	const bool options = ui->setup.pane == SETUP_OPTIONS;
	const int title = c->height >= 2;
	struct sheet count = {.canvas = c};
	struct strbuf text;

	(options ? write_settings : write_lines)(&count, &context);
	if (ui->menu >= count.y)
		ui->menu = count.y - (count.y > 0);
	scroll_fit(&ui->panel_lines, count.y, (size_t)(c->height - title));
	scroll_show(&ui->panel_lines, ui->menu);
	strbuf_init(&text);
	if (options)
		strbuf_addstr(&text, "Options");
	else
		strbuf_addf(&text, "Columns of %s", screen->name);
	sheet_paint(c, &ui->panel_lines, text.text,
		    options ? "Enter changes, - default, Tab columns, h help, q closes"
			    : "Enter takes, < > move, + adds, Tab options, h help, q closes",
		    options ? write_settings : write_lines, &context);
	strbuf_done(&text);
	canvas_lay(c, 0, title + (int)(ui->menu - ui->panel_lines.top), c->width, LOOK_CURRENT);
	for (size_t i = 0; i < ui->panel_lines.page && ui->panel_lines.top + i < count.y; i++)
		hits_add(&ui->hits, 0, title + (int)i, c->width,
			 (struct hit){HIT_LINE, (int)(ui->panel_lines.top + i)});
}
