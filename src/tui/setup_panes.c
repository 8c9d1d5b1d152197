/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of setup_page: the panes with lists that the user orders. First the pane with the columns
 * of the current screen, and those that can be added to it; then that with the screens. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/column.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"

/* The columns of the sheet in which the screen's name and the description begin. */
#define SCREEN_COLUMN 18
#define DESC_COLUMN   28

static const struct screen *declared(const struct screen *s)
{
	return s->declared ? s->declared : s;
}

static const struct screen *present(const struct setup_page *p, const struct view *view)
{
	return declared(p->screens->v[view->screen]);
}

/* A line of the pane. */
struct line {
	const struct screen *screen;
	size_t column;
	bool own; /* a column of the current screen */
};

struct lines {
	struct line *v;
	size_t n, cap;
};

static void add_line(struct lines *l, const struct screen *screen, size_t column, bool own)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct line){screen, column, own};
}

static void add_topic(struct lines *l, const struct setup_page *p, const struct screen *s,
		      enum topic topic)
{
	for (size_t k = 0; p->choices && k < p->choices->n; k++) {
		const struct screen *from = p->choices->v[k];

		for (size_t c = 0; c < from->n_columns; c++)
			if (from->column[c].topic == topic && !compose_has(s, &from->column[c]))
				add_line(l, from, c, false);
	}
}

/* Lists the columns of the screen, then those that can be added, topic by topic, TOPIC_OTHER last.
 * The caller frees the member v of the result. */
static struct lines list_lines(const struct setup_page *p, const struct screen *s)
{
	struct lines l = {NULL, 0, 0};

	for (size_t i = 0; i < s->n_columns; i++)
		add_line(&l, s, i, true);
	for (int t = TOPIC_OTHER + 1; t <= N_TOPICS; t++)
		add_topic(&l, p, s, (enum topic)(t % N_TOPICS));
	return l;
}

/* Finds line i; returns false if it does not exist. */
static bool find_line(const struct setup_page *p, const struct screen *s, size_t i,
		      struct line *out)
{
	struct lines l = list_lines(p, s);
	const bool found = i < l.n;

	if (found)
		*out = l.v[i];
	free(l.v);
	return found;
}

/* Requests that the main loop replaces the current screen by this one. */
static unsigned request_change(struct ui_state *ui, const struct view *view, struct screen *screen)
{
	return setup_request(ui, (struct setup_change){.index = view->screen, .screen = screen});
}

static unsigned drop(struct ui_state *ui, const struct view *view, int way)
{
	const struct screen *before = present(&ui->setup, view);
	struct screen *s;

	(void)way;
	if (ui->menu >= before->n_columns)
		return setup_say(
			ui, "the screen does not have this column: " KEY_OF("choose") " takes it");
	if (before->n_columns == 1)
		return setup_say(ui, "a screen has one column at least");
	s = screen_copy(before);
	compose_drop(s, ui->menu);
	return request_change(ui, view, s);
}

static unsigned take_column(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	struct err err = ERR_INIT;
	struct line line;
	struct screen *s;

	(void)way;
	if (!find_line(p, present(p, view), ui->menu, &line))
		return REACT_NONE;
	if (line.own)
		return setup_say(ui,
				 "the screen has this column: " KEY_OF("remove") " takes it away");
	s = screen_copy(present(p, view));
	if (!compose_copy(s, s->n_columns, line.screen, line.column, &err)) {
		ui->menu = s->n_columns - 1;
		return request_change(ui, view, s);
	}
	screen_free(s);
	return setup_say(ui, err.text);
}

static unsigned shift_column(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	const size_t n = present(p, view)->n_columns, to = ui->menu + (size_t)way;
	struct screen *s;

	if (ui->menu >= n)
		return setup_say(ui, "only columns of the screen have an order: " KEY_OF(
					     "choose") " takes this one");
	if (to >= n)
		return REACT_NONE;
	s = screen_copy(present(p, view));
	compose_move(s, ui->menu, to);
	ui->menu = to;
	return request_change(ui, view, s);
}

/* Opens the prompt for a new column (way 0), or for editing the column on the current line (way 1).
 * A column that the screen does not have is added to it as an edited copy. */
static unsigned type_column(struct ui_state *ui, const struct view *view, int way)
{
	struct setup_page *p = &ui->setup;
	const struct screen *s = present(p, view);
	struct strbuf text;
	struct line line;
	const char *name;
	int len;

	p->edited = 0;
	strbuf_init(&text);
	if (way && find_line(p, s, ui->menu, &line)) {
		name = screen_column_name(&line.screen->column[line.column], &len);
		strbuf_addf(&text, "%.*s = %s", len, name, line.screen->column[line.column].text);
		p->edited = line.own ? ui->menu + 1 : 0;
	}
	ui->ask.check = setup_page_check;
	ui->ask.ui = ui;
	if (text.len >= REQUEST_TEXT_MAX)
		setup_say(ui, "the expression is too long to be edited here");
	else
		ask_offer(&ui->ask, REQUEST_COLUMN, text.text);
	ui->ask.prompt.selected = false;
	strbuf_done(&text);
	return REACT_PAINT;
}

/* Returns the name in "NAME = EXPRESSION", "" if there is no name; the caller frees it. Sets *at to
 * the offset of the expression. */
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

/* Returns a copy of the current screen with the column that was typed, and sets *column to its
 * index; NULL with a sentence if the column is not valid. */
static struct screen *make_typed(const struct ui_state *ui, const struct view *view,
				 const char *text, size_t *column, struct err *err)
{
	const struct setup_page *p = &ui->setup;
	struct screen *s = screen_copy(present(p, view));
	size_t at;
	char *name = split(text, &at), *expr = xstrdup(text + at);
	int ret;

	for (size_t len = strlen(expr); len && expr[len - 1] == ' '; expr[--len] = '\0')
		;
	text_sanitize(name, ' ');
	text_sanitize(expr, ' ');
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

/* Adds `by` to the column number of an error, so that it counts from the start of the whole text
 * instead of the expression. */
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
	s = make_typed(ui, ui->frame->view, text, &column, err);
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
	struct screen *s = make_typed(ui, view, text, &column, &err);

	if (!s)
		return setup_say(ui, err.text);
	ui->menu = column;
	return request_change(ui, view, s);
}

static void write_column(struct sheet *s, const struct screen *from, size_t i, bool own)
{
	const struct column *c = &from->column[i];
	const uint8_t look = own ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
	const char *text = c->desc ? c->desc : c->text;
	int len;
	const char *name = screen_column_name(c, &len);

	if (own)
		sheet_put(s, 0, look, "*", 1);
	sheet_put(s, SETUP_NAME_COLUMN, look, name,
		  len < SCREEN_COLUMN - SETUP_NAME_COLUMN ? (size_t)len
							  : SCREEN_COLUMN - SETUP_NAME_COLUMN - 1);
	if (!own)
		sheet_put(s, SCREEN_COLUMN, LOOK_FAINT, from->name,
			  strnlen(from->name, DESC_COLUMN - SCREEN_COLUMN - 1));
	sheet_put_rest(s, DESC_COLUMN, LOOK_NORMAL, text);
	s->y++;
}

/* Returns whether line i begins a new topic, or, among counters, a new screen. */
static bool begins_group(const struct lines *l, size_t i)
{
	const struct line *line = &l->v[i], *before = i ? &l->v[i - 1] : NULL;
	const enum topic topic = line->screen->column[line->column].topic;

	if (line->own)
		return false;
	return !before || before->own || before->screen->column[before->column].topic != topic ||
	       (topic == TOPIC_COUNTERS && before->screen != line->screen);
}

static void write_heading(struct sheet *s, const struct line *line)
{
	const enum topic topic = line->screen->column[line->column].topic;
	const char *desc = line->screen->desc;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addstr(&text, topic_title[topic]);
	if (topic == TOPIC_COUNTERS)
		strbuf_addf(&text, " of %s%s%s", line->screen->name, desc && *desc ? ": " : "",
			    desc ? desc : "");
	sheet_put(s, 0, LOOK_LABEL | LOOK_STRONG, text.text, text.len);
	s->y++;
	strbuf_done(&text);
}

/* Writes one line for each column; cuts longer texts, as the whole text of the current line stands
 * below the list. */
static void write_columns(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;
	struct lines l = list_lines(&x->ui->setup, x->screen);

	for (size_t i = 0; i < l.n; i++) {
		if (begins_group(&l, i))
			write_heading(s, &l.v[i]);
		setup_begin_line(s, x);
		write_column(s, l.v[i].screen, l.v[i].column, l.v[i].own);
	}
	free(l.v);
}

/* Returns the compiled column of a declared column; NULL: the column was left out. */
static const struct column *find_compiled(const struct screen *s, const struct column *c)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (!strcmp(s->column[i].header, c->header) && !strcmp(s->column[i].text, c->text))
			return &s->column[i];
	return NULL;
}

/* Returns the declared unit; if none is declared and the expression is only a variable, the unit of
 * the variable. */
static enum unit unit_of(const struct column *c)
{
	const int unit = c->unit_name ? unit_find(c->unit_name) : UNIT_NONE;

	for (int v = 0; !c->unit_name && v < n_variables; v++)
		if (!strcmp(variable_at(v).name, c->text))
			return variable_at(v).unit;
	return unit < 0 ? UNIT_NONE : (enum unit)unit;
}

/* Appends "IPC, id ipc, of default; unit ratio: ...", the description, and the expression. */
static void describe_column(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const struct screen *shown = x->ui->setup.screens->v[x->view->screen];
	const struct column *c, *compiled;
	const char *name, *id;
	const struct unit_row *unit;
	struct line line;
	int len;

	if (!find_line(&x->ui->setup, x->screen, i, &line))
		return;
	c = &line.screen->column[line.column];
	compiled = line.own ? find_compiled(shown, c) : NULL;
	name = screen_column_name(c, &len);
	id = compiled ? compiled->id : c->id;
	unit = &unit_table[compiled ? compiled->unit : unit_of(c)];
	strbuf_addf(out, "%.*s%s%s, of %s", len, name, id ? ", id " : "", id ? id : "",
		    line.screen->name);
	if (*unit->name)
		strbuf_addf(out, "; unit %s: %s", unit->name, unit->help);
	strbuf_addf(out, "\n%s\n= %s", c->desc ? c->desc : "", c->text);
	if (c->warn.text)
		strbuf_addf(out, "; a warning %s", c->warn.text);
	if (c->crit.text)
		strbuf_addf(out, "; critical %s", c->crit.text);
}

static const struct key_hint columns_hint[] = {
	{"choose", "takes", NULL}, {"remove", "removes", NULL}, {"screen-right", "screens", NULL},
	{"help", "help", NULL},    {"quit", "closes", NULL},    {NULL, NULL, NULL},
};

static const struct key_hint columns_keys[] = {
	{"choose", "take", NULL},          {"remove", "remove", NULL},
	{"screen-right", "screens", NULL}, {"sort-left", "move", "sort-right"},
	{"expand", "add", NULL},           {"explain", "edit", NULL},
	{"leave", "undo", NULL},           {NULL, NULL, NULL},
};

const struct setup_pane_row setup_columns = {
	.title = "Columns",
	.of_screen = true,
	.hint = columns_hint,
	.keys = columns_keys,
	.write = write_columns,
	.describe = describe_column,
	.take = take_column,
	.remove = drop,
	.shift = shift_column,
	.type = type_column,
};

/* ---- screens ----
 *
 * The pane with the screens, in the order of their tabs, then the screens without a tab.
 *
 * The requested change is a value of the option "screens" (session/screen_change.h): all names in
 * their order, with "-" before the names of screens without a tab.
 */

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
		why = "only screens with a tab have an order: " KEY_OF("choose") " gives it one";
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
		return "this screen is built in: " KEY_OF("choose") " leaves it out";
	if (s->from_folder)
		return "this screen comes from a file of its own: " KEY_OF(
			"choose") " leaves it out";
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
		why = KEY_OF("choose") " gives it a tab, then " KEY_OF("remove") " deletes it";
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
		return setup_say(ui, "a screen has no value: " KEY_OF(
					     "expand") " copies it, " KEY_OF("remove") " deletes "
										       "one of "
										       "your own");
	if (!copied)
		return setup_say(ui,
				 "this machine cannot show this screen, and could not show a copy");
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
 * (base/strbuf.h). The caller frees it. */
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

	if (!*name)
		ret = err_set(err, EINVAL, "a screen needs a name: type it");
	else if (strchr(name, ',') || *name == '-')
		ret = err_set(err, EINVAL, NO_LIST);
	else if (has(p->screens, name) || has(p->hidden, name))
		ret = err_set(err, EEXIST, "there is a screen '%s' already", name);
	else
		strbuf_addf(tell, "a screen with the columns of '%s', to be changed; ",
			    current(ui)->name);
	if (!ret)
		keymap_add_text(ui->keymap, KEY_OF("write") " writes it", tell);
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
