/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/sort_menu.h"

#include <string.h>

#include "tui/sheet.h"
#include "view/view.h"

size_t sort_menu_n(const struct frame *frame)
{
	return frame->screen->n_columns + 2 + frame->show_user;
}

int sort_menu_at(const struct frame *frame, size_t i)
{
	if (i == 0)
		return SORT_PID;
	return (int)i - 1 - (frame->show_user ? 1 : 0);
}

size_t sort_menu_find(const struct frame *frame)
{
	for (size_t i = 0; i < sort_menu_n(frame); i++)
		if (sort_menu_at(frame, i) == frame->view->sort)
			return i;
	return 0;
}

static const char *describe(const struct frame *frame, int sort)
{
	const struct column *column = sort_column_of(frame->screen, sort);

	if (column)
		return column->desc;
	if (sort == SORT_USER)
		return "the user that the task runs as";
	return sort == SORT_PID ? frame->kind->id_help : frame->kind->label_help;
}

static const char *header_of(const struct frame *frame, int sort, int *len)
{
	if (sort == SORT_PID || sort == (int)frame->screen->n_columns) {
		const char *name =
			sort == SORT_PID ? frame->kind->id_name : frame->kind->label_name;

		*len = (int)strlen(name);
		return name;
	}
	return sort_name(frame->screen, sort, len);
}

static bool column_has(const void *context, size_t i, const char *text)
{
	const struct frame *frame = context;
	const int sort = sort_menu_at(frame, i);
	struct strbuf about;
	const char *header;
	bool found;
	int len;

	strbuf_init(&about);
	header = header_of(frame, sort, &len);
	strbuf_addf(&about, "%s\n%.*s\n%s", sort_id(frame->screen, sort), len, header,
		    describe(frame, sort));
	found = strcasestr(about.text, text);
	strbuf_done(&about);
	return found;
}

void sort_menu_seek(struct ui_state *ui, const struct frame *frame)
{
	scroll_find_line(&ui->find, sort_menu_n(frame), &ui->menu, column_has, frame);
}

/* Finds the widths of the longest id and of the longest name in the header. */
static void find_widths(const struct frame *frame, int *id, int *header)
{
	*id = *header = 0;
	for (size_t i = 0; i < sort_menu_n(frame); i++) {
		const int sort = sort_menu_at(frame, i);
		int width = (int)strlen(sort_id(frame->screen, sort)), len;

		header_of(frame, sort, &len);
		*id = width > *id ? width : *id;
		*header = len > *header ? len : *header;
	}
}

/* Writes exactly one line for each column, and cuts longer texts, so that the place of the selected
 * line is known. */
static void write_columns(struct sheet *s, const void *context)
{
	const struct frame *frame = context;
	int header_x, text_x;

	find_widths(frame, &header_x, &text_x);
	header_x += SHEET_INDENT + 2;
	text_x += header_x + 2;
	for (size_t i = 0; i < sort_menu_n(frame); i++, s->y++) {
		const int sort = sort_menu_at(frame, i);
		const char *id = sort_id(frame->screen, sort), *text = describe(frame, sort);
		const char *header, *mark = frame->view->reverse ? "^" : "v";
		int len;

		header = header_of(frame, sort, &len);
		if (sort == frame->view->sort)
			sheet_put(s, 0, LOOK_NORMAL | LOOK_STRONG, mark, 1);
		sheet_put(s, SHEET_INDENT, LOOK_NORMAL | LOOK_STRONG, id, strlen(id));
		sheet_put(s, header_x, LOOK_NORMAL, header, (size_t)len);
		sheet_put_rest(s, text_x, LOOK_NORMAL, text);
	}
}

void sort_menu_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame)
{
	static const struct key_hint hint[] = {{"up", "move", "down"},
					       {"choose", "chooses", NULL},
					       {"search", "searches", NULL},
					       {"reverse", "reverses", NULL},
					       {"help", "help", NULL},
					       {"quit", "closes", NULL},
					       {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const int title = c->height >= 2;
	struct scroll *scroll = &ui->panel_lines;

	scroll_fit(scroll, sort_menu_n(frame), (size_t)(c->height - title));
	scroll_show(scroll, ui->menu);
	sheet_paint(c, scroll, "Sort by", &hints, write_columns, frame);
	canvas_lay(c, 0, title + (int)(ui->menu - scroll->top), c->width, LOOK_CURRENT);
	for (size_t i = 0; i < scroll->page && scroll->top + i < scroll->n; i++)
		hits_add(&ui->hits, 0, title + (int)i, c->width,
			 (struct hit){HIT_LINE, (int)(scroll->top + i)});
}
