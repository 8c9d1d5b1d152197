/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/key_act.h"

#include <stdint.h>
#include <stdio.h>

#include "model/kinds.h"
#include "tui/keymap.h"
#include "tui/live.h"
#include "view/collapse.h"
#include "view/parts.h"
#include "view/sort.h"

/* Behind the help, the panel comes back from which it was opened. */
static void close_panel(struct ui_state *ui)
{
	ui->panel = ui->panel == PANEL_HELP ? ui->help_of : PANEL_NONE;
	ui->panel_lines.find = NULL;
	if (ui->panel)
		ui->panel_lines.top = ui->help_top;
}

/* Opens or closes a panel. The help is read from its start, the errors from their end. */
unsigned act_panel(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (ui->panel == (enum panel)row->arg) {
		close_panel(ui);
		return row->reaction;
	}
	if (row->arg == PANEL_HELP) {
		ui->help_of = ui->panel;
		ui->help_top = ui->panel_lines.top;
	}
	ui->panel_lines.find = NULL;
	ui->panel = (enum panel)row->arg;
	/* Too far: the painting fits it. */
	ui->panel_lines.top = ui->panel == PANEL_ERRORS ? SIZE_MAX / 2 : 0;
	return row->reaction;
}

/* Whatever was opened last: a search in a panel, a panel, a search, following, the members of a
 * group. */
unsigned act_close(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)screens;
	if (ui->panel && ui->panel_lines.find) {
		ui->panel_lines.find = NULL;
	} else if (ui->panel == PANEL_SETUP) {
		return setup_page_close(ui);
	} else if (ui->panel) {
		close_panel(ui);
	} else if (*ui->search.text) {
		*ui->search.text = '\0';
	} else if (ui->cursor.follows) {
		ui->cursor.follows = view->follows = false;
		return REACT_REBUILD;
	} else {
		return key_leave_group(ui, view);
	}
	return row->reaction;
}

/* What was changed on the page of the setup would be lost. */
static unsigned ask_to_lose(struct ui_state *ui)
{
	char text[128];

	snprintf(text, sizeof text,
		 "%zu change%s in the setup, not written: write (w), quit without (q) or stay "
		 "(ESC)?",
		 ui->setup.n, ui->setup.n == 1 ? "" : "s");
	ask_question(&ui->ask, text, &(struct request){.kind = REQUEST_QUIT});
	return REACT_PAINT;
}

unsigned act_quit(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	if (!ui->panel)
		return ui->setup.n && !ui->readonly ? ask_to_lose(ui) : row->reaction;
	if (ui->panel == PANEL_SETUP)
		return setup_page_close(ui);
	close_panel(ui);
	return REACT_PAINT;
}

unsigned act_ask(const struct key_row *row, struct ui_state *ui, struct view *view,
		 const struct screen_list *screens)
{
	const struct frame_row *current = ui->frame ? cursor_subject(&ui->cursor, ui->frame) : NULL;

	(void)screens;
	snprintf(ui->ask.row_user, sizeof ui->ask.row_user, "%s",
		 current && current->task->user ? current->task->user : "");
	ask_open(&ui->ask, (enum request_kind)row->arg, view);
	return row->reaction;
}

unsigned act_replay(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)view, (void)screens;
	ui->ask.ready = (struct request){.kind = REQUEST_REPLAY, .signal = (int)row->arg};
	return row->reaction;
}

unsigned act_record(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)view, (void)screens;
	ui->ask.ready = (struct request){.kind = REQUEST_RECORD};
	return row->reaction;
}

unsigned act_sort(const struct key_row *row, struct ui_state *ui, struct view *view,
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

unsigned act_sort_by_pid(const struct key_row *row, struct ui_state *ui, struct view *view,
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

/* Names a screen that has such a column, and can be filled here. */
static void add_other_screen(struct strbuf *out, const struct screen_list *screens,
			     const struct quantity *by)
{
	int column;

	for (size_t i = 0; i < screens->n; i++)
		if (!screens->v[i]->lacking &&
		    !sort_find(screens->v[i], by->id, by->variable, &column)) {
			strbuf_addf(out, "screen %d, %s, has one, ", screens->v[i]->number,
				    screens->v[i]->name);
			return;
		}
}

unsigned act_sort_by(const struct key_row *row, struct ui_state *ui, struct view *view,
		     const struct screen_list *screens)
{
	const struct screen *screen = screens->v[view->screen];
	const struct quantity *by = &quantity_table[row->arg];
	const struct variable_row variable = variable_at(by->variable);
	char text[ERR_TEXT_MAX];
	struct strbuf key;
	size_t len;

	if (!sort_find(screen, by->id, by->variable, &view->sort)) {
		ui->panel_lines.top = 0;
		return row->reaction;
	}
	strbuf_init(&key);
	add_other_screen(&key, screens, by);
	len = key.len;
	keymap_add_key_of(ui->keymap, "setup", &key);
	if (key.len == len)
		strbuf_addstr(&key, "the action setup, which has no key,");
	snprintf(text, sizeof text, "no column of %s, %s, here: %s adds one", variable.name,
		 variable.help, key.text);
	strbuf_done(&key);
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* The next key. What is not read for all others must be read first. */
unsigned act_group(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)screens;
	do
		view->group = (view->group + 1) % N_GROUP_KEYS;
	while (!group_key_is_for(view->group, view->members ? view->members : &kind_task));
	view->only_key = GROUP_PROCESS;
	ui->rows.top = 0;
	cursor_reset(&ui->cursor);
	return group_key_table[view->group].facts ? REACT_RECONFIGURE : row->reaction;
}

static unsigned tell(struct ui_state *ui, const char *text)
{
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* Who is whose child must be read first. */
unsigned act_tree(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	if (view->group != GROUP_PROCESS)
		return tell(ui, "groups are no tree: g takes them apart");
	view->tree = !view->tree;
	return view->tree ? REACT_RECONFIGURE : row->reaction;
}

unsigned act_values(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	static const char *const told[N_VALUES] = {
		[VALUES_INTERVAL] = "counts are those of the interval",
		[VALUES_RATE] = "counts are per second",
		[VALUES_TOTAL] =
			"counts, and ratios of them, are of all since the counters were opened",
		[VALUES_SINCE_MARK] =
			"counts are those since the mark, and ratios show how they have changed",
	};

	(void)screens;
	view->values = (view->values + 1) % (view->marks ? N_VALUES : VALUES_SINCE_MARK);
	ask_message(&ui->ask, told[view->values]);
	return row->reaction;
}

/* The moment is that of the last refresh: pressing a key changes no number. */
unsigned act_mark(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	if (view->paused)
		return tell(ui, "what is shown is paused: Z goes on, then m marks the present");
	view->marks++;
	view->values = VALUES_SINCE_MARK;
	ask_message(&ui->ask, "the last refresh is marked: counts are those since, ratios show how "
			      "they have changed; v shows others");
	return row->reaction;
}

/* A recording has a pause of its own. */
unsigned act_pause(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)screens;
	if (ui->replay) {
		ui->ask.ready = (struct request){.kind = REQUEST_REPLAY, .signal = REPLAY_PAUSE};
		return row->reaction | REACT_REQUEST;
	}
	view->paused = !view->paused;
	if (view->paused)
		ask_message(&ui->ask, "paused: what is shown stays, counters go on; Z shows the "
				      "present again");
	return row->reaction;
}

unsigned act_collapse(const struct key_row *row, struct ui_state *ui, struct view *view,
		      const struct screen_list *screens)
{
	const struct frame_row *node = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	(void)screens;
	if (!view_is_tree(view))
		return tell(ui, "this is no tree: t makes one");
	if (!node)
		return REACT_NONE;
	if (!node->has_children)
		return tell(ui, "there is nothing below the current row");
	return collapse_set(view->collapse, node, row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_expand_all(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)screens;
	if (!view_is_tree(view))
		return tell(ui, "this is no tree: t makes one");
	collapse_toggle_all(view->collapse);
	return row->reaction;
}

unsigned act_toggle(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	bool *field = (bool *)((char *)view + row->arg);

	(void)ui;
	(void)screens;
	*field = !*field;
	return row->reaction;
}

unsigned act_idle(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)ui;
	view_toggle_idle(view, screens->v[view->screen]);
	return row->reaction;
}

/* Moves the current row, or scrolls a panel. */
unsigned act_move(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	const size_t top = ui->panel_lines.top;

	(void)screens;
	if (ui->panel == PANEL_SORT || ui->panel == PANEL_SETUP)
		return act_menu_move(ui, (int)row->arg);
	if (ui->panel) {
		scroll_text(&ui->panel_lines, (int)row->arg);
		return ui->panel_lines.top == top ? REACT_NONE : row->reaction;
	}
	ui->cursor.follows = view->follows = false;
	return ui->frame && cursor_key(&ui->cursor, &ui->rows, ui->frame, (int)row->arg)
		       ? row->reaction
		       : REACT_NONE;
}

unsigned act_keep_place(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->cursor.by_place = !ui->cursor.by_place;
	ask_message(&ui->ask, ui->cursor.by_place ? "the current row stays on its place"
						  : "the current row stays on its task");
	return row->reaction;
}

unsigned act_columns(const struct key_row *row, struct ui_state *ui, struct view *view,
		     const struct screen_list *screens)
{
	(void)screens;
	layout_scroll(&ui->layout, (int)row->arg, view->sort);
	return row->reaction;
}

unsigned act_parts(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	(void)ui;
	(void)screens;
	view->hidden = parts_next(view->hidden, view->all_parts);
	view->total = !(view->hidden & PART_BIT(PART_TOTAL));
	return row->reaction;
}

unsigned act_redraw(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->redraw = true;
	return row->reaction;
}

/* The loop does it. On a page, what is not read at each refresh is wanted, too. */
unsigned act_refresh(const struct key_row *row, struct ui_state *ui, struct view *view,
		     const struct screen_list *screens)
{
	(void)screens;
	view->page_asked++;
	view->what_asked += ui->panel == PANEL_WHAT;
	return row->reaction;
}
