/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/keys.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "ui/live.h"
#include "view/sort.h"

/* Opens or closes a panel. The help is read from its start, the errors from their end. */
static unsigned act_panel(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->panel = ui->panel == (enum panel)row->arg ? PANEL_NONE : (enum panel)row->arg;
	/* Too far: the painting fits it. */
	ui->panel_lines.top = ui->panel == PANEL_ERRORS ? SIZE_MAX / 2 : 0;
	return row->reaction;
}

static unsigned act_close(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (!ui->panel)
		return REACT_NONE;
	ui->panel = PANEL_NONE;
	return row->reaction;
}

static unsigned act_quit(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (!ui->panel)
		return row->reaction;
	ui->panel = PANEL_NONE;
	return REACT_PAINT;
}

static unsigned act_ask(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)screens;
	ask_open(&ui->ask, (enum request_kind)row->arg, view);
	return row->reaction;
}

static unsigned go_to_screen(const struct key_row *row, struct view *view,
			     const struct screen_list *screens, size_t screen)
{
	view_show_screen(view, screens, screen);
	return row->reaction;
}

/* Shows the screen of a digit. A digit that begins several numbers is the first key of an
 * answer. */
static unsigned act_digit(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	size_t digit = (size_t)(ui->key - '0');
	struct err err = ERR_INIT;
	char text[] = {(char)ui->key, '\0'};

	if (digit && digit * 10 < screens->n) {
		ask_open(&ui->ask, REQUEST_SCREEN, view);
		prompt_key(&ui->ask.prompt, ui->key);
		return REACT_PAINT;
	}
	if (screen_list_find(screens, text, &err) < 0) {
		ask_message(&ui->ask, err.text);
		return REACT_PAINT;
	}
	return digit == view->screen ? REACT_NONE : go_to_screen(row, view, screens, digit);
}

static unsigned act_screen(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	(void)ui;
	if (screens->n < 2)
		return REACT_NONE;
	return go_to_screen(row, view, screens,
			    (view->screen + screens->n + (size_t)row->arg) % screens->n);
}

static unsigned act_sort(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	const struct screen *screen = screens->v[view->screen];
	int last = (int)screen->n_columns; /* COMMAND */
	int sort = view->sort + (int)row->arg;

	/* The user's column is passed over where it is not shown. */
	if (sort == SORT_USER && !sort_shows_user(screen, view))
		sort += (int)row->arg;
	if (sort < SORT_PID || sort > last)
		return REACT_NONE;
	view->sort = sort;
	ui->panel_lines.top = 0; /* another column is explained */
	return row->reaction;
}

static unsigned act_sort_by_pid(const struct key_row *row, struct ui_state *ui, struct view *view,
				const struct screen_list *screens)
{
	(void)screens;
	view->sort = SORT_PID;
	ui->panel_lines.top = 0;
	return row->reaction;
}

/* What keys sort by: the id that a column of it may have, and the variable. */
static const struct quantity {
	const char *id;
	int variable;
} quantity_table[] = {
	{"cpu", VARIABLE_CPU_TOT},
	{"res", VARIABLE_FIRST_FACT + FACT_RSS_KB},
	{"time", VARIABLE_FIRST_FACT + FACT_CPU_NS},
};

enum { BY_CPU, BY_MEMORY, BY_TIME };

static unsigned act_sort_by(const struct key_row *row, struct ui_state *ui, struct view *view,
			    const struct screen_list *screens)
{
	const struct screen *screen = screens->v[view->screen];
	const struct quantity *by = &quantity_table[row->arg];
	const struct variable_row variable = variable_at(by->variable);
	char text[ERR_TEXT_MAX];

	if (!sort_find(screen, by->id, by->variable, &view->sort)) {
		ui->panel_lines.top = 0;
		return row->reaction;
	}
	snprintf(text, sizeof text,
		 "the screen '%s' has no column of %s, %s: tiptoprc(5) says how to add one",
		 screen->name, variable.name, variable.help);
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* The next key. What is not read for all others must be read first. */
static unsigned act_group(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	(void)screens;
	view->group = (view->group + 1) % N_GROUP_KEYS;
	ui->rows.top = 0;
	cursor_reset(&ui->cursor);
	return group_key_table[view->group].facts ? REACT_RECONFIGURE : row->reaction;
}

static unsigned act_toggle(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	bool *field = (bool *)((char *)view + row->arg);

	(void)ui;
	(void)screens;
	*field = !*field;
	return row->reaction;
}

static unsigned act_idle(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	(void)ui;
	view_toggle_idle(view, screens->v[view->screen]);
	return row->reaction;
}

/* Moves the current row, or scrolls a panel. */
static unsigned act_move(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	const size_t top = ui->panel_lines.top;

	(void)view;
	(void)screens;
	if (ui->panel) {
		scroll_key(&ui->panel_lines, row->key);
		return ui->panel_lines.top == top ? REACT_NONE : row->reaction;
	}
	return ui->frame && cursor_key(&ui->cursor, &ui->rows, ui->frame, row->key) ? row->reaction
										    : REACT_NONE;
}

static unsigned act_keep_place(const struct key_row *row, struct ui_state *ui, struct view *view,
			       const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->cursor.by_place = !ui->cursor.by_place;
	ask_message(&ui->ask, ui->cursor.by_place ? "the current row stays on its place"
						  : "the current row stays on its task");
	return row->reaction;
}

static unsigned act_redraw(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->redraw = true;
	return row->reaction;
}

/* For keys whose work the loop does. */
static unsigned act_nothing(const struct key_row *row, struct ui_state *ui, struct view *view,
			    const struct screen_list *screens)
{
	(void)ui;
	(void)view;
	(void)screens;
	return row->reaction;
}

#define VIEW(field) offsetof(struct view, field)
#define ALL         UINT_MAX
#define EXPLAIN     PANEL_BIT(PANEL_EXPLAIN)

/* The most wanted keys come first: the footer takes as many hints as it has room for. */
/* clang-format off */
const struct key_row key_table[] = {
	{.key = 'h', .name = "h", .help = "this help; again to close it",
	 .hint_key = "h", .hint = "help", .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_HELP},
	{.key = '?', .name = "?", .help = "the same as h",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_HELP},
	{.key = KEYCODE_F1, .name = "F1", .help = "the same as h",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_HELP},
	{.key = 'q', .name = "q", .help = "quit; a running command is asked about; in a panel: close it",
	 .hint_key = "q", .hint = "quit", .reaction = REACT_QUIT, .panels = ALL, .act = act_quit},
	{.key = KEYCODE_F10, .name = "F10", .help = "the same as q",
	 .reaction = REACT_QUIT, .panels = ALL, .act = act_quit},
	{.key = KEYCODE_ESC, .name = "ESC", .help = "close the help or another panel; at a prompt: forget it",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_close},
	{.key = KEYCODE_LEFT, .name = "LEFT", .help = "the screen to the left",
	 .hint_key = "LEFT RIGHT", .hint = "screen", .reaction = REACT_RECONFIGURE, .act = act_screen, .arg = -1},
	{.key = KEYCODE_RIGHT, .name = "RIGHT", .help = "the screen to the right",
	 .reaction = REACT_RECONFIGURE, .act = act_screen, .arg = 1},
	{.key = KEYCODE_DIGIT, .name = "0-9",
	 .help = "the screen of this number; where a longer one begins with it, asks for the rest",
	 .reaction = REACT_RECONFIGURE, .act = act_digit},
	{.key = '<', .name = "<", .help = "sort by the column to the left",
	 .hint_key = "< >", .hint = "sort", .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort, .arg = -1},
	{.key = '>', .name = ">", .help = "sort by the column to the right",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort, .arg = 1},
	{.key = 'x', .name = "x",
	 .help = "explain the sorting column: formula, events, raw counts of a task; < and > go on to others",
	 .hint_key = "x", .hint = "explain", .reaction = REACT_PAINT, .panels = ALL,
	 .act = act_panel, .arg = PANEL_EXPLAIN},
	{.key = 'P', .name = "P", .help = "sort by %CPU",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_CPU},
	{.key = 'M', .name = "M", .help = "sort by the memory in RAM, where the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_MEMORY},
	{.key = 'N', .name = "N", .help = "sort by PID",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by_pid},
	{.key = 'T', .name = "T", .help = "sort by the CPU time so far, where the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_TIME},
	{.key = 'R', .name = "R", .help = "reverse the order: numbers from the smallest on, texts from Z to A, or back",
	 .hint_key = "R", .hint = "reverse", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(reverse)},
	{.key = 'i', .name = "i", .help = "show idle tasks too, or only those that ran",
	 .hint_key = "i", .hint = "idle", .reaction = REACT_REBUILD, .act = act_idle},
	{.key = 'H', .name = "H", .help = "one row for each thread, or for each process",
	 .hint_key = "H", .hint = "threads", .reaction = REACT_RECONFIGURE, .act = act_toggle, .arg = VIEW(threads)},
	{.key = 'p', .name = "p",
	 .help = "show only one task, by its pid, or those with a text in their names; empty: all",
	 .hint_key = "p", .hint = "filter", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_FILTER},
	{.key = 'w', .name = "w",
	 .help = "watch a task, by its pid, or those with a text in their names: mark them; empty: none",
	 .hint_key = "w", .hint = "watch", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_WATCH},
	{.key = 'g', .name = "g",
	 .help = "put tasks together by user, program, session, cgroup, container, and apart again",
	 .hint_key = "g", .hint = "group", .reaction = REACT_REBUILD, .act = act_group},
	{.key = 'k', .name = "k", .help = "send a signal to a process: asks for its pid and the signal",
	 .hint_key = "k", .hint = "kill", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_KILL},
	{.key = 'd', .name = "d", .help = "change the delay between two refreshes, in seconds",
	 .hint_key = "d", .hint = "delay", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_DELAY},
	{.key = 's', .name = "s", .help = "the same as d",
	 .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_DELAY},
	{.key = 'S', .name = "S", .help = "keep tasks that have ended, with their last numbers, or not",
	 .hint_key = "S", .hint = "sticky", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(sticky)},
	{.key = 'c', .name = "c", .help = "show command lines, or names",
	 .hint_key = "c", .hint = "command", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(show_cmdline)},
	{.key = 'U', .name = "U", .help = "show the users, or not",
	 .hint_key = "U", .hint = "user", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(show_user)},
	{.key = 'u', .name = "u", .help = "show only the tasks of a user, by name or number; empty: of all",
	 .hint_key = "u", .hint = "only user", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_USER},
	{.key = 'K', .name = "K", .help = "count in the kernel too, or only in user mode; counting starts anew",
	 .hint_key = "K", .hint = "kernel", .reaction = REACT_RECONFIGURE, .act = act_toggle, .arg = VIEW(kernel)},
	{.key = 'e', .name = "e", .help = "the errors so far; again to close them",
	 .hint_key = "e", .hint = "errors", .reaction = REACT_PAINT, .panels = ALL,
	 .act = act_panel, .arg = PANEL_ERRORS},
	{.key = 'W', .name = "W", .help = "write a configuration file that brings the present state back",
	 .hint_key = "W", .hint = "write", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_WRITE},
	{.key = KEYCODE_UP, .name = "UP", .help = "the row above becomes the current one; a panel scrolls",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = KEYCODE_DOWN, .name = "DOWN", .help = "the row below",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = KEYCODE_PGUP, .name = "PGUP", .help = "a page up",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = KEYCODE_PGDN, .name = "PGDN", .help = "a page down",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = KEYCODE_HOME, .name = "HOME", .help = "the first row, whoever comes to stand there",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = KEYCODE_END, .name = "END", .help = "the last row",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move},
	{.key = 'y', .name = "y", .help = "the current row stays on its place, or on its task",
	 .reaction = REACT_PAINT, .act = act_keep_place},
	{.key = KEYCODE_CTRL_R, .name = "Ctrl-R", .help = "refresh now",
	 .reaction = REACT_REFRESH, .act = act_nothing},
	{.key = KEYCODE_CTRL_L, .name = "Ctrl-L", .help = "paint the screen anew",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_redraw},
};
/* clang-format on */

const size_t key_table_n = sizeof(key_table) / sizeof(key_table[0]);

/* The name that people call the key by; "" where nobody would know one. */
static const char *key_name(int key, char letter[sizeof "Ctrl-X"])
{
	static const struct {
		int key;
		const char *name;
	} named[] = {{' ', "Space"},
		     {KEYCODE_ENTER, "Enter"},
		     {'\n', "Enter"},
		     {KEYCODE_TAB, "Tab"},
		     {KEYCODE_BACKSPACE, "Backspace"},
		     {KEYCODE_CTRL_H, "Backspace"},
		     {KEYCODE_DELETE, "Delete"}};

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].key == key)
			return named[i].name;
	for (size_t i = 0; i < key_table_n; i++)
		if (key_table[i].key == key)
			return key_table[i].name;
	if (key > 0 && key < KEYCODE_ESC)
		snprintf(letter, sizeof "Ctrl-X", "Ctrl-%c", key | 0x40);
	else
		snprintf(letter, sizeof "Ctrl-X", "%c",
			 key > ' ' && key < KEYCODE_BACKSPACE ? key : '\0');
	return letter;
}

static unsigned tell_meaningless(struct ui_state *ui, int key)
{
	char letter[sizeof "Ctrl-X"], text[128];
	const char *name = key_name(key, letter);

	snprintf(text, sizeof text, "%s%s has no meaning%s", *name ? "the key " : "this key", name,
		 ui->panel ? " here: q closes this page" : ": h shows the keys that have one");
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

static bool is_for(const struct key_row *row, int key)
{
	return row->key == key || (row->key == KEYCODE_DIGIT && key >= '0' && key <= '9');
}

unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key)
{
	unsigned reactions;

	if (ask_takes_keys(&ui->ask) && key != KEYCODE_CTRL_L)
		return ask_key(&ui->ask, view, key);
	reactions = ask_clear(&ui->ask);
	ui->key = key;
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if (is_for(row, key) && (!ui->panel || row->panels & PANEL_BIT(ui->panel)))
			return reactions | row->act(row, ui, view, screens);
	}
	return tell_meaningless(ui, key);
}
