/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/setup_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/cursor.h"
#include "tui/key.h"
#include "tui/keymap.h"
#include "view/view.h"

/* ---- setup lines ----
 *
 * The lines of a pane: their places on the sheet, moving and searching among the lines, and the
 * description of the current line below the list.
 */

/* The lines below the list: the name and the unit, three lines of description, the keys. */
#define ABOUT_LINES      5
#define ABOUT_MIN_HEIGHT 16

static void setup_lines_done(struct setup_lines *l)
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

/* Finds the places of all lines on this canvas. The caller frees them with setup_lines_done(). */
static void setup_find_lines(const struct setup_sheet *x, struct canvas *c, struct setup_lines *l)
{
	struct setup_sheet noting = *x;
	struct sheet count = {.canvas = c};

	*l = (struct setup_lines){.y = NULL};
	noting.lines = l;
	x->pane->write(&count, &noting);
	l->height = count.y;
}

static struct setup_sheet setup_sheet_of(const struct ui_state *ui, const struct frame *frame);

/* Returns the number of lines that can be selected. */
static size_t setup_page_n_lines(const struct ui_state *ui)
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

/* Returns the first selectable line at or below line y of the sheet; if there is none, the last
 * selectable line. */
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
	/* The page keys count lines of the sheet, headings included. */
	if (to < l.n && (key == KEYCODE_PGUP || key == KEYCODE_PGDN))
		to = line_at(&l, scroll_move(l.y[to], l.height, page, key));
	else
		to = scroll_move(to, l.n, page, key);
	setup_lines_done(&l);
	return to < l.n ? to : l.n - (l.n > 0);
}

/* Returns whether the description of line i contains the text. name: searches only the beginning of
 * the description, up to ", of" or a comma: the name and the id of a column, or the name of a
 * screen. */
static bool describes(const struct setup_sheet *x, size_t i, const char *text, bool name)
{
	struct strbuf about;
	char *end;
	bool found;

	strbuf_init(&about);
	x->pane->describe(&about, x, i);
	end = strstr(about.text, ", of ");
	if (!end)
		end = strchr(about.text, ',');
	if (name && end)
		*end = '\0';
	found = strcasestr(about.text, text);
	strbuf_done(&about);
	return found;
}

static bool has(const void *setup_sheet, size_t i, const char *text)
{
	return describes(setup_sheet, i, text, false);
}

static bool has_name(const void *setup_sheet, size_t i, const char *text)
{
	return describes(setup_sheet, i, text, true);
}

/* Goes to the first line whose name has the text. If no name has it, and in further steps of the
 * search, goes to the next line whose description has it. */
void setup_page_seek(struct ui_state *ui)
{
	const size_t n = setup_page_n_lines(ui);
	const struct scroll_find before = ui->find;
	const bool first = ui->find.seek > 0 && ui->find.from == ui->find.origin;
	struct setup_sheet x;

	if (!ui->frame)
		return;
	x = setup_sheet_of(ui, ui->frame);
	scroll_find_line(&ui->find, n, &ui->menu, first ? has_name : has, &x);
	if (!first || !ui->find.missed)
		return;
	ui->find = before;
	scroll_find_line(&ui->find, n, &ui->menu, has, &x);
}

/* Returns the number of lines below the list for the description and the keys; 0: no room. */
static int setup_about_lines(const struct canvas *c)
{
	return c->height >= ABOUT_MIN_HEIGHT ? ABOUT_LINES : 0;
}

/* Appends the hints of the pane's keys. The hint of the key that copies has the name of the screen
 * on line i. */
static void add_keys(struct strbuf *out, const struct setup_sheet *x, size_t i, int room)
{
	const char *copied = x->pane->name_copied ? x->pane->name_copied(x, i) : NULL;
	struct key_hint hint[SETUP_KEYS_MAX + 1];
	struct strbuf copy;
	size_t n = 0;

	strbuf_init(&copy);
	strbuf_addf(&copy, "copy of %s", copied ? copied : "");
	do {
		hint[n] = x->pane->keys[n];
		if (copied && hint[n].action && !strcmp(hint[n].action, "expand"))
			hint[n].text = copy.text;
	} while (hint[n++].action);
	key_hints_add(out, &(struct key_hints){x->ui->keymap, hint}, "  ", room);
	strbuf_done(&copy);
}

/* Paints the description of line i, as much as fits, with its first line as a bar; then the hints
 * of keys. */
static void setup_paint_about(struct canvas *c, const struct setup_sheet *x, size_t i)
{
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
	add_keys(&about, x, i, c->width);
	canvas_put(c, 0, c->height - 1, LOOK_NORMAL, about.text);
	strbuf_done(&about);
}

/* ---- setup options ---- */

#define VALUE_COLUMN 18
#define HELP_COLUMN  33 /* leaves room for names of themes */

#define LATER "from the next start on: "

/* Returns the option on the current line; NULL: none. */
static const struct setting *setting_of(const struct ui_state *ui)
{
	const struct setting_list *l = ui->setup.settings;

	return ui->setup.pane == SETUP_OPTIONS && l && ui->menu < l->n ? &l->v[ui->menu] : NULL;
}

unsigned setup_page_set(struct ui_state *ui, const char *value)
{
	const struct setting *setting = setting_of(ui);

	if (!setting || !strcmp(setting->value, value))
		return REACT_PAINT;
	return setup_request(ui, (struct setup_change){.option = xstrdup(setting->name),
						       .value = xstrdup(value)});
}

static unsigned ask_value(struct ui_state *ui, const struct setting *setting)
{
	ask_offer(&ui->ask, REQUEST_SETTING, setting->value);
	return REACT_PAINT;
}

/* Sets the option to its next (way 1) or previous (-1) possible value. If the value is a number,
 * opens a prompt instead. */
static unsigned shift(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);
	size_t i = 0, n;

	(void)view;
	if (!setting)
		return REACT_NONE;
	n = setting->n_choices;
	if (!n)
		return ask_value(ui, setting);
	while (i < n && strcmp(setting->choice[i], setting->value) != 0)
		i++;
	/* If the value is not one of the choices, continue with the first choice. */
	i = i == n ? 0 : (i + n + (size_t)way) % n;
	return setup_page_set(ui, setting->choice[i]);
}

static unsigned take(struct ui_state *ui, const struct view *view, int way)
{
	(void)way;
	return shift(ui, view, 1);
}

/* Resets an option to its default. */
static unsigned reset(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);

	(void)view, (void)way;
	return setting ? setup_page_set(ui, setting->usual) : REACT_NONE;
}

static unsigned type(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);

	(void)view;
	(void)way;
	return setting ? ask_value(ui, setting) : REACT_NONE;
}

static void write_lines(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;
	const struct setting_list *l = x->ui->setup.settings;

	for (size_t i = 0; l && i < l->n; i++, s->y++) {
		const struct setting *setting = &l->v[i];
		const bool changed = strcmp(setting->value, setting->usual) != 0;
		const uint8_t look = changed ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
		int at = HELP_COLUMN;

		setup_begin_line(s, x);
		if (changed)
			sheet_put(s, 0, look, "*", 1);
		sheet_put(s, SETUP_NAME_COLUMN, look, setting->name,
			  strnlen(setting->name, VALUE_COLUMN - SETUP_NAME_COLUMN - 1));
		sheet_put(s, VALUE_COLUMN, look, setting->value,
			  strnlen(setting->value, HELP_COLUMN - VALUE_COLUMN - 1));
		if (setting->later)
			at = sheet_put(s, at, LOOK_FAINT, LATER, strlen(LATER));
		sheet_put_rest(s, at, LOOK_NORMAL, setting->help);
	}
}

static void describe(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const struct setting *setting = &x->ui->setup.settings->v[i];

	strbuf_addf(out, "%s: %s; default: %s%s\n%s", setting->name, setting->value, setting->usual,
		    setting->later ? "; from the next start on" : "", setting->help);
	for (size_t k = 0; k < setting->n_choices; k++)
		strbuf_addf(out, "%s%s", k ? ", " : "\n", setting->choice[k]);
}

static const struct key_hint hint[] = {
	{"choose", "changes", NULL}, {"remove", "default", NULL}, {"screen-right", "parts", NULL},
	{"help", "help", NULL},      {"quit", "closes", NULL},    {NULL, NULL, NULL},
};

static const struct key_hint keys[] = {
	{"choose", "change", NULL},
	{"sort-left", "choose", "sort-right"},
	{"explain", "type", NULL},
	{"remove", "default", NULL},
	{"screen-right", "parts", NULL},
	{"leave", "undo", NULL},
	{NULL, NULL, NULL},
};

static const struct setup_pane_row setup_options = {
	.title = "Options",
	.hint = hint,
	.keys = keys,
	.write = write_lines,
	.describe = describe,
	.take = take,
	.remove = reset,
	.shift = shift,
	.type = type,
};

/* ---- setup parts ----
 *
 * The parts of the live screen, each of which can be hidden.
 */

#define SETUP_PARTS_HELP_COLUMN 12

/* Returns the i-th part that can be hidden; N_PARTS: none. */
static int part_of(size_t i)
{
	int part = 0;

	while (part < N_PARTS && (!parts_name(part) || i--))
		part++;
	return part;
}

/* Requests that the option "layout" is set to hide these parts. */
static unsigned request_layout(struct ui_state *ui, unsigned hidden)
{
	struct strbuf text;
	unsigned reactions;

	strbuf_init(&text);
	parts_add(&text, hidden);
	reactions = setup_request(ui, (struct setup_change){.option = xstrdup("layout"),
							    .value = xstrdup(text.text)});
	strbuf_done(&text);
	return reactions;
}

static unsigned setup_parts_take(struct ui_state *ui, const struct view *view, int way)
{
	const int part = part_of(ui->menu);
	const unsigned hidden = view->hidden ^ PART_BIT(part);

	(void)way;
	if (part == N_PARTS)
		return REACT_NONE;
	/* If no part is hidden any more, show all parts on any height, instead of returning to the
	 * automatic choice. */
	return request_layout(ui, hidden == PARTS_AUTO ? PARTS_FULL : hidden);
}

static unsigned hide(struct ui_state *ui, const struct view *view, int way)
{
	const int part = part_of(ui->menu);

	if (part == N_PARTS || view->hidden & PART_BIT(part))
		return REACT_NONE;
	return setup_parts_take(ui, view, way);
}

static unsigned setup_parts_shift(struct ui_state *ui, const struct view *view, int way)
{
	(void)view, (void)way;
	return setup_say(
		ui, "parts keep their order: " KEY_OF("choose") " hides one, or shows it again");
}

static void setup_parts_write_lines(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;

	for (int part = 0; part < N_PARTS; part++) {
		const char *name = parts_name(part), *help = parts_help(part);
		const bool shown = !(x->view->hidden & PART_BIT(part));
		const uint8_t look = shown ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;

		if (!name)
			continue;
		setup_begin_line(s, x);
		if (shown)
			sheet_put(s, 0, look, "*", 1);
		sheet_put(s, SETUP_NAME_COLUMN, look, name, strlen(name));
		sheet_put_rest(s, SETUP_PARTS_HELP_COLUMN, LOOK_NORMAL, help);
		s->y++;
	}
}

static void setup_parts_describe(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const int part = part_of(i);

	strbuf_addf(out, "%s, %s\n%s", parts_name(part),
		    x->view->hidden & PART_BIT(part) ? "hidden" : "shown", parts_help(part));
}

static const struct key_hint setup_parts_hint[] = {
	{"choose", "hides or shows", NULL},
	{"screen-right", "columns", NULL},
	{"help", "help", NULL},
	{"quit", "closes", NULL},
	{NULL, NULL, NULL},
};

static const struct key_hint setup_parts_keys[] = {
	{"choose", "hide or show", NULL},
	{"screen-right", "columns", NULL},
	{"leave", "undo", NULL},
	{NULL, NULL, NULL},
};

static const struct setup_pane_row setup_parts = {
	.title = "Parts",
	.hint = setup_parts_hint,
	.keys = setup_parts_keys,
	.write = setup_parts_write_lines,
	.describe = setup_parts_describe,
	.take = setup_parts_take,
	.remove = hide,
	.shift = setup_parts_shift,
	.type = setup_parts_shift,
};

/* ---- setup page ---- */

static const struct setup_pane_row *const pane_table[N_SETUP_PANES] = {
	[SETUP_COLUMNS] = &setup_columns,
	[SETUP_SCREENS] = &setup_screens,
	[SETUP_OPTIONS] = &setup_options,
	[SETUP_PARTS] = &setup_parts,
};

unsigned setup_page_close(struct ui_state *ui)
{
	char text[128];

	ui->panel = PANEL_NONE;
	ui->panel_lines.find = NULL;
	if (!ui->setup.n)
		return REACT_PAINT;
	snprintf(text, sizeof text,
		 "%zu change%s until tiptop ends: " KEY_OF("write") " writes all; " KEY_OF(
			 "setup") ", " KEY_OF("leave") " undoes the last",
		 ui->setup.n, ui->setup.n == 1 ? " holds" : "s hold");
	keymap_say(ui, text);
	return REACT_PAINT;
}

unsigned setup_say(struct ui_state *ui, const char *text)
{
	keymap_say(ui, text);
	return REACT_PAINT;
}

unsigned setup_request(struct ui_state *ui, struct setup_change wanted)
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
		return setup_say(ui, "there is no change to undo");
	setup_change_free(&p->wanted);
	p->wanted = p->v[p->n - 1];
	p->back = true;
	ui->ask.ready = (struct request){.kind = REQUEST_CHANGE};
	return REACT_REQUEST | REACT_PAINT;
}

/* Goes to the next (way 1) or previous (-1) pane. */
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
	{"screen-left", "the same in the opposite order", act_pane, -1},
	{"choose",
	 "take the column into the screen; set the option to its next value; hide the screen or "
	 "the part, or show it",
	 act_take, 0},
	{"tag", "the same", act_take, 0},
	{"remove",
	 "take the column away; delete a screen of your own; hide the part; set the option to its "
	 "default",
	 act_remove, 0},
	{"sort-left",
	 "move the column or the screen to the left; set the option to its previous value",
	 act_shift, -1},
	{"sort-right", "move it to the right; set the option to its next value", act_shift, 1},
	{"expand",
	 "add a column of your own: NAME = EXPRESSION; in the list of screens, copy this one",
	 act_type, 0},
	{"explain", "change the expression of the column; type the value of the option", act_type,
	 1},
	{"leave", "undo the last change", act_back, 0},
};

const size_t setup_key_table_n = sizeof setup_key_table / sizeof *setup_key_table;

const struct setup_key *setup_page_find_key(const char *action)
{
	for (size_t i = 0; i < setup_key_table_n; i++)
		if (!strcmp(setup_key_table[i].action, action))
			return &setup_key_table[i];
	return NULL;
}

static struct setup_sheet setup_sheet_of(const struct ui_state *ui, const struct frame *frame)
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

/* Scrolls so that the current line, and a heading above it, are visible. */
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
	struct canvas list = *c; /* the lines of the canvas above the description */
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
