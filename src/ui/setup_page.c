/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/setup_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "screen/compose.h"
#include "ui/keys.h"
#include "ui/sheet.h"

void setup_change_free(struct setup_change *c)
{
	screen_free(c->screen);
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

static const struct screen *declared(const struct screen *s)
{
	return s->declared ? s->declared : s;
}

static const struct screen *present(const struct setup_page *p, const struct view *view)
{
	return declared(p->screens->v[view->screen]);
}

/* A line of the page. */
struct line {
	const struct screen *screen;
	size_t column;
	bool own; /* it is a column of the present screen */
};

/* Finds line i; else counts all of them. */
static size_t walk(const struct setup_page *p, const struct screen *s, size_t i, struct line *out)
{
	size_t n = s->n_columns;

	*out = (struct line){s, i, true};
	for (size_t k = 0; p->choices && k < p->choices->n; k++) {
		const struct screen *from = p->choices->v[k];

		for (size_t c = 0; c < from->n_columns; c++) {
			if (compose_has(s, &from->column[c]))
				continue;
			if (n++ == i)
				*out = (struct line){from, c, false};
		}
	}
	return n;
}

size_t setup_page_n_lines(const struct ui_state *ui)
{
	struct line line;

	if (ui->setup.pane == SETUP_OPTIONS)
		return ui->setup.settings ? ui->setup.settings->n : 0;
	return ui->frame ? walk(&ui->setup, present(&ui->setup, ui->frame->view), SIZE_MAX, &line)
			 : 0;
}

unsigned setup_page_close(struct ui_state *ui)
{
	char text[128];

	ui->panel = PANEL_NONE;
	if (!ui->setup.n)
		return REACT_PAINT;
	snprintf(text, sizeof text,
		 "%zu change%s until tiptop ends: W writes what is set now; %s: back again",
		 ui->setup.n, ui->setup.n == 1 ? " holds" : "s hold", "F2, Backspace");
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* The loop is to put this screen in the place of the present one. */
static unsigned want(struct ui_state *ui, const struct view *view, struct screen *screen)
{
	setup_change_free(&ui->setup.wanted);
	ui->setup.wanted = (struct setup_change){.index = view->screen, .screen = screen};
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

/* The current option; NULL: it is no page of options, or there is none. */
static const struct setting *setting_of(const struct ui_state *ui)
{
	const struct setup_page *p = &ui->setup;

	return p->pane == SETUP_OPTIONS && p->settings && ui->menu < p->settings->n
		       ? &p->settings->v[ui->menu]
		       : NULL;
}

unsigned setup_page_set(struct ui_state *ui, const char *value)
{
	const struct setting *setting = setting_of(ui);

	if (!setting || !strcmp(setting->value, value))
		return REACT_PAINT;
	setup_change_free(&ui->setup.wanted);
	ui->setup.wanted =
		(struct setup_change){.option = xstrdup(setting->name), .value = xstrdup(value)};
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

static unsigned ask_value(struct ui_state *ui, const struct setting *setting)
{
	ask_offer(&ui->ask, REQUEST_SETTING, setting->value);
	return REACT_PAINT;
}

/* Goes on to the next of what the option can be, or back; 0: to what it usually is. */
static unsigned step_setting(struct ui_state *ui, const struct setting *setting, int way)
{
	const size_t n = setting->n_choices;
	size_t i = 0;

	if (!way)
		return setup_page_set(ui, setting->usual);
	if (!n)
		return ask_value(ui, setting);
	while (i < n && strcmp(setting->choice[i], setting->value) != 0)
		i++;
	/* What is none of them is followed by the first. */
	i = i == n ? 0 : (i + n + (size_t)way) % n;
	return setup_page_set(ui, setting->choice[i]);
}

static unsigned tell(struct ui_state *ui, const char *text)
{
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

static unsigned drop(struct ui_state *ui, const struct view *view, size_t i)
{
	struct screen *s;

	if (present(&ui->setup, view)->n_columns == 1)
		return tell(ui, "a screen has one column at least");
	s = screen_copy(present(&ui->setup, view));
	compose_drop(s, i);
	return want(ui, view, s);
}

static unsigned act_take(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	const struct setting *setting = setting_of(ui);
	struct err err = ERR_INIT;
	struct line line;
	struct screen *s;

	if (p->pane == SETUP_OPTIONS)
		return setting ? step_setting(ui, setting, way < 0 ? 0 : 1) : REACT_NONE;
	if (ui->menu >= walk(p, present(p, view), ui->menu, &line))
		return REACT_NONE;
	if (line.own)
		return drop(ui, view, ui->menu);
	if (way < 0)
		return tell(ui, "the screen does not have this column: Enter takes it");
	s = screen_copy(present(p, view));
	if (!compose_take(s, s->n_columns, line.screen, line.column, &err)) {
		ui->menu = s->n_columns - 1;
		return want(ui, view, s);
	}
	screen_free(s);
	return tell(ui, err.text);
}

static unsigned act_shift(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	const size_t n = present(p, view)->n_columns, to = ui->menu + (size_t)way;
	struct screen *s;

	if (p->pane == SETUP_OPTIONS)
		return setting_of(ui) ? step_setting(ui, setting_of(ui), way) : REACT_NONE;
	if (ui->menu >= n)
		return tell(ui, "only columns of the screen have an order: Enter takes this one");
	if (to >= n)
		return REACT_NONE;
	s = screen_copy(present(p, view));
	compose_move(s, ui->menu, to);
	ui->menu = to;
	return want(ui, view, s);
}

static unsigned act_back(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;

	(void)view;
	(void)way;
	if (!p->n)
		return tell(ui, "there is no change to be taken back");
	setup_change_free(&p->wanted);
	p->wanted = p->v[p->n - 1];
	p->back = true;
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

/* Opens the prompt for a column of one's own, or with way 1 for the expression of the current one.
 */
static unsigned act_type(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	const struct screen *s = present(p, view);
	struct strbuf text;
	struct line line;
	const char *name;
	int len;

	if (p->pane == SETUP_OPTIONS)
		return setting_of(ui) ? ask_value(ui, setting_of(ui)) : REACT_NONE;
	p->edited = 0;
	strbuf_init(&text);
	if (way && ui->menu < walk(p, s, ui->menu, &line)) {
		name = screen_column_name(&line.screen->column[line.column], &len);
		strbuf_addf(&text, "%.*s = %s", len, name, line.screen->column[line.column].text);
		p->edited = line.own ? ui->menu + 1 : 0;
	}
	ui->ask.ui = ui;
	if (text.len >= REQUEST_TEXT_MAX)
		tell(ui, "the expression is too long to be edited here");
	else
		ask_offer(&ui->ask, REQUEST_COLUMN, text.text);
	ui->ask.prompt.selected = false;
	strbuf_done(&text);
	return REACT_PAINT;
}

/* Goes to the other half of the page. */
static unsigned act_pane(struct ui_state *ui, const struct view *view, int way)
{
	(void)view;
	(void)way;
	ui->setup.pane = ui->setup.pane == SETUP_COLUMNS ? SETUP_OPTIONS : SETUP_COLUMNS;
	ui->menu = ui->panel_lines.top = 0;
	return REACT_PAINT;
}

const struct setup_key setup_key_table[] = {
	{"screen-right", "go from the columns to the options, and back", act_pane, 1},
	{"screen-left", "the same", act_pane, -1},
	{"choose",
	 "take the column into the screen, or take it away; set the option to what it can be next",
	 act_take, 0},
	{"tag", "the same", act_take, 0},
	{"sort-left", "move the column to the left; set the option to what it can be before",
	 act_shift, -1},
	{"sort-right", "move it to the right; set the option to what it can be next", act_shift, 1},
	{"expand", "add a column of one's own: NAME = EXPRESSION", act_type, 0},
	{"collapse", "take the column away; give the option its default", act_take, -1},
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

/* The name of a column and its expression, of "NAME = EXPRESSION". *at: where that begins. */
static char *split(const char *text, size_t *at)
{
	const size_t n = strcspn(text, "=<>!()[]\"'");
	size_t from = strspn(text, " "), to = n;

	*at = 0;
	if (text[n] != '=' || text[n + 1] == '=')
		return xstrdup("");
	while (to > from && text[to - 1] == ' ')
		to--;
	*at = n + 1;
	*at += strspn(text + *at, " ");
	return xstrndup(text + from, to > from ? to - from : 0);
}

/* The screen with the column that is typed, at *column. */
static struct screen *with_typed(const struct ui_state *ui, const struct view *view,
				 const char *text, size_t *column, struct err *err)
{
	const struct setup_page *p = &ui->setup;
	struct screen *s = screen_copy(present(p, view));
	size_t at;
	char *name = split(text, &at), *expr = xstrdup(text + at);
	int ret;

	for (size_t len = strlen(expr); len && expr[len - 1] == ' '; expr[--len] = '\0')
		;
	text_tame(name, ' ');
	text_tame(expr, ' ');
	if (p->edited) {
		const struct column *old = &s->column[p->edited - 1];

		*column = p->edited - 1;
		ret = compose_change(s, *column, *name ? name : old->header, expr, p->choices, err);
	} else {
		*column = s->n_columns;
		ret = compose_add(s, *column, name, expr, p->choices, err);
	}
	free(name);
	free(expr);
	if (!ret)
		return s;
	screen_free(s);
	return NULL;
}

/* Makes the column of a sentence that of the whole text. */
static void shift_fault(struct err *err, size_t by)
{
	const size_t column = expr_fault_column(err);
	const char *rest = strchr(err->text, ':');
	char text[ERR_TEXT_MAX];

	if (!column || !rest)
		return;
	snprintf(text, sizeof text, "%s", rest);
	snprintf(err->text, sizeof err->text, "column %zu%.480s", column + by, text);
}

int setup_page_check(const struct ui_state *ui, const char *text, struct strbuf *tell,
		     struct err *err)
{
	const struct setup_page *p = &ui->setup;
	const struct frame_row *row = cursor_subject(&ui->cursor, ui->frame);
	struct screen *s;
	size_t column, at;
	int ret;

	free(split(text, &at));
	s = with_typed(ui, ui->frame->view, text, &column, err);
	if (!s)
		return -EINVAL;
	ret = p->trial ? p->trial->value(p->trial->context, s, column, ui->frame, row, tell, err)
		       : 0;
	if (ret)
		shift_fault(err, at);
	else if (!row)
		strbuf_addstr(tell, "there is no row to try it on");
	screen_free(s);
	return ret;
}

unsigned setup_page_take(struct ui_state *ui, const struct view *view, const char *text)
{
	struct err err = ERR_INIT;
	size_t column;
	struct screen *s = with_typed(ui, view, text, &column, &err);

	if (!s)
		return tell(ui, err.text);
	ui->menu = column;
	return want(ui, view, s);
}
