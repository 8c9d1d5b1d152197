/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of setup_page: the pane with the screens, in the order of their tabs, then the screens
 * without a tab.
 *
 * The requested change is a value of the option "screens" (session/screen_order.h): all names in
 * their order, with "-" before the names of screens without a tab.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/setup_page.h"

#define NAME_COLUMN 5
#define TEXT_COLUMN 20

/* The value of the option "screens": of the n screens, the first n_shown have a tab. */
struct order {
	const struct screen **v;
	size_t n, n_shown;
};

/* Returns the screens with a tab, then the screens that the user has left out, in the order of the
 * lines. The caller frees the member v. */
static struct order screens_in_order(const struct setup_page *p)
{
	const size_t n_hidden = p->hidden ? p->hidden->n : 0;
	struct order o = {xcalloc(p->screens->n + n_hidden, sizeof *o.v), 0, p->screens->n};

	for (size_t i = 0; i < p->screens->n; i++)
		o.v[o.n++] = p->screens->v[i];
	for (size_t i = 0; i < n_hidden; i++)
		if (p->hidden->v[i]->left_out)
			o.v[o.n++] = p->hidden->v[i];
	return o;
}

/* Returns whether the order is the default: all screens have a tab, in the order of their
 * numbers. */
static bool is_usual(const struct order *o)
{
	for (size_t i = 1; i < o->n; i++)
		if (o->v[i]->number < o->v[i - 1]->number)
			return false;
	return o->n_shown == o->n;
}

/* Requests this order of screens, and frees it. */
static unsigned request_order(struct ui_state *ui, struct order *o)
{
	struct strbuf text;
	unsigned reactions;

	strbuf_init(&text);
	for (size_t i = 0; i < o->n && !is_usual(o); i++)
		strbuf_addf(&text, "%s%s%s", i ? "," : "", i < o->n_shown ? "" : "-",
			    o->v[i]->name);
	reactions = setup_request(
		ui, (struct setup_change){.option = xstrdup("screens"),
					  .value = xstrdup(text.len ? text.text : "all")});
	strbuf_done(&text);
	free(o->v);
	return reactions;
}

/* Moves screen i to place k. */
static void move(struct order *o, size_t i, size_t k)
{
	const struct screen *s = o->v[i];

	for (; i < k; i++)
		o->v[i] = o->v[i + 1];
	for (; i > k; i--)
		o->v[i] = o->v[i - 1];
	o->v[k] = s;
}

static bool has_comma(const struct order *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (strchr(o->v[i]->name, ',') || *o->v[i]->name == '-')
			return true;
	return false;
}

#define NO_LIST                                                                                    \
	"a name with ',' in it, or that begins with '-', cannot stand in the list of screens"

/* Removes the tab of the screen on the current line; if the screen has no tab, adds one after the
 * others. */
static unsigned take_screen(struct ui_state *ui, const struct view *view, int way)
{
	struct order o = screens_in_order(&ui->setup);
	const size_t i = ui->menu;
	const char *why = NULL;

	(void)way;
	if (has_comma(&o))
		why = NO_LIST;
	else if (i == view->screen)
		why = "this screen is shown now: go to another one before it is left out";
	else if (i >= o.n)
		why = "this machine does not have it";
	if (why) {
		free(o.v);
		return setup_say(ui, why);
	}
	if (i < o.n_shown) {
		move(&o, i, --o.n_shown);
	} else {
		move(&o, i, o.n_shown++);
		ui->menu = o.n_shown - 1;
	}
	return request_order(ui, &o);
}

static unsigned shift_screen(struct ui_state *ui, const struct view *view, int way)
{
	struct order o = screens_in_order(&ui->setup);
	const size_t i = ui->menu, to = i + (size_t)way;
	const char *why = NULL;

	(void)view;
	if (has_comma(&o))
		why = NO_LIST;
	else if (i >= o.n_shown)
		why = "only screens with a tab have an order: Enter gives it one";
	if (why || to >= o.n_shown) {
		free(o.v);
		return why ? setup_say(ui, why) : REACT_NONE;
	}
	move(&o, i, to);
	ui->menu = to;
	return request_order(ui, &o);
}

/* Returns the declared screen of line i; NULL: no screen, or one that this machine cannot show. */
static const struct screen *declared_at(const struct setup_page *p, size_t i)
{
	struct order o = screens_in_order(p);
	const struct screen *s = i < o.n ? o.v[i] : NULL;

	free(o.v);
	return s && s->declared ? s->declared : s;
}

static const struct screen *current(const struct ui_state *ui)
{
	return declared_at(&ui->setup, ui->menu);
}

/* Returns the name of the screen that the action "expand" copies. */
static const char *name_copied(const struct setup_sheet *x, size_t i)
{
	const struct screen *s = declared_at(&x->ui->setup, i);

	return s ? s->name : NULL;
}

/* Returns why a screen cannot be deleted from the user's configuration file; NULL: it can be
 * deleted. */
static const char *why_undeletable(const struct setup_page *p, const struct screen *s)
{
	if (!s || !s->file)
		return "this screen is built in: Enter leaves it out";
	if (s->from_folder)
		return "this screen comes from a file of its own: Enter leaves it out";
	if (s->replace)
		return "this screen takes the place of another one, which is back when its element "
		       "is taken out of the file";
	return p->screens->n > 1 ? NULL : "one screen must be left to be shown";
}

/* Requests that the screen on the current line is deleted from the user's configuration. If this
 * screen is shown now, the first of the other screens is shown instead. */
static unsigned delete (struct ui_state *ui, const struct view *view, int way)
{
	const struct setup_page *p = &ui->setup;
	const struct screen *s = current(ui);
	const size_t i = ui->menu;
	const char *why = why_undeletable(p, s);

	(void)way;
	if (!why && i >= p->screens->n)
		why = "Enter gives it a tab, then Delete or - deletes it";
	if (why)
		return setup_say(ui, why);
	return setup_request(
		ui, (struct setup_change){
			    .deed = SETUP_TAKE_AWAY,
			    .index = i,
			    .screen = screen_copy(s),
			    .shown = xstrdup(
				    p->screens->v[i == view->screen ? !i : view->screen]->name)});
}

/* Opens the prompt for the name of a copy. */
static unsigned type_screen(struct ui_state *ui, const struct view *view, int way)
{
	const struct screen *copied = current(ui);

	(void)view;
	if (way)
		return setup_say(ui, "a screen has no value: + copies it, Delete deletes one of "
				     "your own");
	if (!copied)
		return setup_say(ui, "this machine does not have it, nor would it have a copy");
	snprintf(ui->ask.subject, sizeof ui->ask.subject, "%s", copied->name);
	ui->ask.check = setup_page_check_copy;
	ui->ask.ui = ui;
	ask_offer(&ui->ask, REQUEST_COPY, "");
	return REACT_PAINT;
}

static bool has(const struct screen_list *l, const char *name)
{
	for (size_t i = 0; l && i < l->n; i++)
		if (!strcmp(l->v[i]->name, name))
			return true;
	return false;
}

/* Returns the text without blanks at both ends, and with blanks in place of harmful characters
 * (base/text.h). The caller frees it. */
static char *name_of(const char *text)
{
	const size_t from = strspn(text, " ");
	size_t to = strlen(text);
	char *name;

	while (to > from && text[to - 1] == ' ')
		to--;
	name = xstrndup(text + from, to - from);
	text_sanitize(name, ' ');
	return name;
}

int setup_page_check_copy(const struct ui_state *ui, const char *text, struct strbuf *tell,
			  struct err *err)
{
	const struct setup_page *p = &ui->setup;
	char *name = name_of(text);
	int ret = 0;

	if (strchr(name, ',') || *name == '-')
		ret = err_set(err, EINVAL, NO_LIST);
	else if (has(p->screens, name) || has(p->hidden, name))
		ret = err_set(err, EEXIST, "there is a screen '%s' already", name);
	else
		strbuf_addf(tell, "a screen with the columns of '%s', to be changed; W writes it",
			    current(ui)->name);
	free(name);
	return ret;
}

/* Requests a copy of the screen on the current line, and goes to the pane of columns. */
unsigned setup_page_copy(struct ui_state *ui, const struct view *view, const char *text)
{
	struct screen *s = screen_copy(current(ui));

	free(s->name);
	free(s->file);
	s->file = NULL;
	s->number = -1;
	s->name = name_of(text);
	ui->setup.pane = SETUP_COLUMNS;
	ui->menu = ui->panel_lines.top = 0;
	return setup_request(
		ui,
		(struct setup_change){.deed = SETUP_ADD,
				      .screen = s,
				      .shown = xstrdup(ui->setup.screens->v[view->screen]->name)});
}

static void write_line(struct sheet *s, const struct screen *screen, const char *number)
{
	const uint8_t look = *number ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
	const char *why = screen_why_hidden(screen), *text = screen->desc ? screen->desc : "";

	/* For a screen that is not for this machine, show the reason instead of the description. */
	if (!*number && !screen->left_out && why)
		text = why;
	if (*number)
		sheet_put(s, 0, look, "*", 1);
	sheet_put(s, SETUP_NAME_COLUMN, look, number, strlen(number));
	sheet_put(s, NAME_COLUMN, look, screen->name,
		  strnlen(screen->name, TEXT_COLUMN - NAME_COLUMN - 1));
	sheet_put_rest(s, TEXT_COLUMN, *number ? LOOK_NORMAL : LOOK_FAINT, text);
	s->y++;
}

/* Returns whether a hidden screen is hidden because it is not for this machine. The pane lists such
 * screens, too. */
static bool is_not_for_here(const struct screen *s)
{
	return !s->left_out && !s->other_rows;
}

/* Returns the screen of line i, also one that is not for this machine; NULL: none. */
static const struct screen *screen_of(const struct setup_page *p, size_t i)
{
	struct order o = screens_in_order(p);
	const struct screen *s = i < o.n ? o.v[i] : NULL;

	i -= s ? 0 : o.n;
	free(o.v);
	for (size_t k = 0; !s && p->hidden && k < p->hidden->n; k++)
		if (is_not_for_here(p->hidden->v[k]) && !i--)
			s = p->hidden->v[k];
	return s;
}

static void describe_screen(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const struct screen *s = screen_of(&x->ui->setup, i);
	const char *why = s ? screen_why_hidden(s) : NULL;

	if (!s)
		return;
	strbuf_addf(out, "%s, %zu columns, %s\n%s%s%s", s->name, s->n_columns,
		    s->file ? s->file : "built in", s->desc ? s->desc : "", why ? "\n" : "",
		    why ? why : "");
}

/* Writes the screens that can have a tab, then those that are not for this machine. */
static void write_screens(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;
	const struct setup_page *p = &x->ui->setup;
	struct order o = screens_in_order(p);
	char number[24];

	for (size_t i = 0; i < o.n; i++) {
		snprintf(number, sizeof number, "%2d", o.v[i]->number);
		setup_begin_line(s, x);
		write_line(s, o.v[i], i < o.n_shown ? number : "");
	}
	free(o.v);
	for (size_t i = 0; p->hidden && i < p->hidden->n; i++)
		if (is_not_for_here(p->hidden->v[i])) {
			setup_begin_line(s, x);
			write_line(s, p->hidden->v[i], "");
		}
}

static const struct key_hint screens_hint[] = {
	{"choose", "leaves out or shows", NULL},
	{"sort-left", "moves", "sort-right"},
	{"expand", "copies", NULL},
	{"remove", "deletes", NULL},
	{"screen-right", "options", NULL},
	{"quit", "closes", NULL},
	{NULL, NULL, NULL},
};

static const struct key_hint screens_keys[] = {
	{"choose", "leave out or show", NULL},
	{"sort-left", "move", "sort-right"},
	{"expand", "copy", NULL},
	{"remove", "delete", NULL},
	{"screen-right", "options", NULL},
	{NULL, NULL, NULL},
};

const struct setup_pane_row setup_screens = {
	.title = "Screens",
	.hint = screens_hint,
	.keys = screens_keys,
	.write = write_screens,
	.describe = describe_screen,
	.take = take_screen,
	.remove = delete,
	.shift = shift_screen,
	.type = type_screen,
	.name_copied = name_copied,
};
