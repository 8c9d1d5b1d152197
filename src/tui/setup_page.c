/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/setup_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/setup_page_part.h"

static const struct setup_pane_row *const pane_table[N_SETUP_PANES] = {
	[SETUP_COLUMNS] = &setup_columns,
	[SETUP_SCREENS] = &setup_screens,
	[SETUP_OPTIONS] = &setup_options,
	[SETUP_PARTS] = &setup_parts,
};

void setup_change_free(struct setup_change *c)
{
	screen_free(c->screen);
	free(c->shown);
	free(c->option);
	free(c->value);
	*c = (struct setup_change){.screen = NULL};
}

void setup_page_done(struct setup_page *p)
{
	setup_page_saved(p);
	setup_change_free(&p->wanted);
	free(p->v);
}

void setup_page_saved(struct setup_page *p)
{
	while (p->n)
		setup_change_free(&p->v[--p->n]);
}

void setup_page_changed(struct setup_page *p, bool done)
{
	if (!done || p->back)
		setup_change_free(&p->wanted);
	if (done && p->back) {
		p->n--;
	} else if (done) {
		p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof *p->v);
		p->v[p->n++] = p->wanted;
	} else if (p->back) {
		/* What could not be brought back is gone. */
		p->n--;
	}
	p->wanted = (struct setup_change){.screen = NULL};
	p->back = false;
}

unsigned setup_page_close(struct ui_state *ui)
{
	char text[128];

	ui->panel = PANEL_NONE;
	ui->panel_lines.find = NULL;
	if (!ui->setup.n)
		return REACT_PAINT;
	snprintf(text, sizeof text,
		 "%zu change%s until tiptop ends: W writes what is set now; %s: back again",
		 ui->setup.n, ui->setup.n == 1 ? " holds" : "s hold", "F2, Backspace");
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

unsigned setup_tell(struct ui_state *ui, const char *text)
{
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

unsigned setup_want_change(struct ui_state *ui, struct setup_change wanted)
{
	setup_change_free(&ui->setup.wanted);
	ui->setup.wanted = wanted;
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

static unsigned act_take(struct ui_state *ui, const struct view *view, int way)
{
	return pane_table[ui->setup.pane]->take(ui, view, way);
}

static unsigned act_remove(struct ui_state *ui, const struct view *view, int way)
{
	return pane_table[ui->setup.pane]->remove(ui, view, way);
}

static unsigned act_shift(struct ui_state *ui, const struct view *view, int way)
{
	return pane_table[ui->setup.pane]->shift(ui, view, way);
}

static unsigned act_type(struct ui_state *ui, const struct view *view, int way)
{
	return pane_table[ui->setup.pane]->type(ui, view, way);
}

static unsigned act_back(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;

	(void)view;
	(void)way;
	if (!p->n)
		return setup_tell(ui, "there is no change to be taken back");
	setup_change_free(&p->wanted);
	p->wanted = p->v[p->n - 1];
	p->back = true;
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

/* Goes to another pane. */
static unsigned act_pane(struct ui_state *ui, const struct view *view, int way)
{
	(void)view;
	ui->setup.pane = (ui->setup.pane + N_SETUP_PANES + (unsigned)way) % N_SETUP_PANES;
	ui->menu = ui->panel_lines.top = 0;
	ui->panel_lines.find = NULL;
	return REACT_PAINT;
}

const struct setup_key setup_key_table[] = {
	{"screen-right",
	 "go from the columns to the screens, the options, the parts of the live screen, and back",
	 act_pane, 1},
	{"screen-left", "the same, the other way round", act_pane, -1},
	{"choose",
	 "take the column into the screen; set the option to what it can be next; leave the screen "
	 "or the part out, or show it",
	 act_take, 0},
	{"tag", "the same", act_take, 0},
	{"remove",
	 "take the column away; delete a screen of one's own; hide the part; give the option its "
	 "default",
	 act_remove, 0},
	{"sort-left",
	 "move the column or the screen to the left; set the option to what it can be before",
	 act_shift, -1},
	{"sort-right", "move it to the right; set the option to what it can be next", act_shift, 1},
	{"expand",
	 "add a column of one's own: NAME = EXPRESSION; of screens, one that is a copy of this one",
	 act_type, 0},
	{"explain", "change the expression of the column; type the value of the option", act_type,
	 1},
	{"leave", "take the last change back", act_back, 0},
};

const size_t setup_key_table_n = sizeof setup_key_table / sizeof *setup_key_table;

const struct setup_key *setup_page_find_key(const char *action)
{
	for (size_t i = 0; i < setup_key_table_n; i++)
		if (!strcmp(setup_key_table[i].action, action))
			return &setup_key_table[i];
	return NULL;
}

struct setup_sheet setup_sheet_of(const struct ui_state *ui, const struct frame *frame)
{
	const struct screen *screen = ui->setup.screens->v[frame->view->screen];

	return (struct setup_sheet){.ui = ui,
				    .view = frame->view,
				    .screen = screen->declared ? screen->declared : screen,
				    .pane = pane_table[ui->setup.pane]};
}

static void add_title(struct strbuf *out, const struct setup_pane_row *pane,
		      const struct screen *screen)
{
	strbuf_addstr(out, pane->title);
	if (pane->of_screen)
		strbuf_addf(out, " of %s", screen->name);
}

/* Scrolls to the current line; the heading above it is seen, too. */
static void show_line(struct ui_state *ui, const struct setup_lines *l, int page)
{
	struct scroll *scroll = &ui->panel_lines;

	scroll_fit(scroll, l->height, page > 0 ? (size_t)page : 0);
	if (ui->menu >= l->n)
		return;
	scroll_show(scroll, l->y[ui->menu] - (l->y[ui->menu] > 0));
	scroll_show(scroll, l->y[ui->menu]);
}

static void lay_lines(struct canvas *c, struct ui_state *ui, const struct setup_lines *l, int title)
{
	const struct scroll *scroll = &ui->panel_lines;

	for (size_t i = 0; i < l->n; i++) {
		const int y = title + (int)(l->y[i] - scroll->top);

		if (l->y[i] < scroll->top || l->y[i] >= scroll->top + scroll->page)
			continue;
		if (i == ui->menu)
			canvas_lay(c, 0, y, c->width, LOOK_CURRENT);
		hits_add(&ui->hits, 0, y, c->width, (struct hit){HIT_LINE, (int)i});
	}
}

void setup_page_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame)
{
	static const struct key_hint usual[] = {{"search", "searches", NULL},
						{"help", "help", NULL},
						{"quit", "closes", NULL},
						{NULL, NULL, NULL}};
	const struct setup_sheet x = setup_sheet_of(ui, frame);
	const int title = c->height >= 2, about = setup_about_lines(c);
	struct canvas list = *c; /* the part above what is said of the current line */
	const struct key_hints hints = {ui->keymap, about ? usual : x.pane->hint};
	struct setup_lines lines;
	struct strbuf text;

	list.height -= about;
	setup_find_lines(&x, c, &lines);
	if (ui->menu >= lines.n)
		ui->menu = lines.n - (lines.n > 0);
	show_line(ui, &lines, list.height - title);
	strbuf_init(&text);
	add_title(&text, x.pane, x.screen);
	sheet_paint(&list, &ui->panel_lines, text.text, &hints, x.pane->write, &x);
	strbuf_done(&text);
	lay_lines(c, ui, &lines, title);
	if (about && lines.n)
		setup_paint_about(c, &x, ui->menu);
	setup_lines_done(&lines);
}
