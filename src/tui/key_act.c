/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/key_act.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "screen/column.h"
#include "tui/key.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"
#include "view/frame.h"
#include "view/view.h"

/* ---- graph ----
 *
 * The graph on the page of a row.
 */

/* Returns whether a graph is shown; if not, shows a message. */
static bool has_graph(struct ui_state *ui)
{
	if (!ui->graph.last)
		keymap_say(ui, "no graph is shown: " KEY_OF(
				       "graph-size") " shows it if there is a history");
	return ui->graph.last;
}

unsigned act_graph_cursor(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_move_cursor(&ui->graph, (int)row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_zoom(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_zoom(&ui->graph, row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_pan(const struct key_row *row, struct ui_state *ui, struct view *view,
		       const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_pan(&ui->graph, (int)row->arg) ? row->reaction : REACT_NONE;
}

unsigned act_graph_all(const struct key_row *row, struct ui_state *ui, struct view *view,
		       const struct screen_list *screens)
{
	(void)view, (void)screens;
	if (!has_graph(ui))
		return REACT_PAINT;
	return graph_show_all(&ui->graph) ? row->reaction : REACT_NONE;
}

unsigned act_graph_column(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct screen *screen = screens->v[view->screen];
	const size_t old = curve_find_column(screen, view);
	const size_t column = curve_next_column(screen, old, (int)row->arg);

	(void)ui;
	if (column == old)
		return REACT_NONE;
	snprintf(view->graph.column, sizeof view->graph.column, "%s", screen->column[column].id);
	return row->reaction;
}

unsigned act_graph_axis(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)screens;
	view->graph.instructions = !view->graph.instructions;
	ask_message(&ui->ask, view->graph.instructions
				      ? "over the instructions that the row itself has retired"
				      : "over time");
	return row->reaction;
}

/* Selects the next second curve, in this order: the first tagged row other than that of the page;
 * the sum of the user's tasks; no second curve. */
unsigned act_graph_beside(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct row_id *page = &view->page;
	struct view_graph *graph = &view->graph;
	const bool first = !graph->beside.kind && !graph->user;

	(void)screens;
	graph->user = page->kind == &kind_task && !graph->user && (graph->beside.kind || first);
	graph->beside.kind = NULL;
	for (size_t i = 0; first && i < ui->tags.n; i++)
		if (ui->tags.v[i].id != page->id || ui->tags.v[i].start_ns != page->start_ns) {
			graph->beside = ui->tags.v[i];
			graph->user = false;
			break;
		}
	keymap_say(ui, graph->user ? "the row beside the sum of all tasks of its user; " KEY_OF(
					     "graph-beside") " draws it alone"
		       : !graph->beside.kind ? "the row alone"
		       : page->kind == &kind_task
			       ? "the row beside another tagged row; " KEY_OF(
					 "graph-beside") " draws it beside the sum of all tasks of "
							 "its user"
			       : "the row beside the tagged row; " KEY_OF(
					 "graph-beside") " draws it alone");
	return row->reaction;
}

unsigned act_graph_size(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)view, (void)screens;
	ui->graph.size = (ui->graph.size + 1) % N_GRAPH_SIZES;
	return row->reaction;
}

/* ---- screen ----
 *
 * Switching to the next screen, or to the screen whose number is typed.
 */

unsigned key_show_screen(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			 int number)
{
	const struct screen_list *hidden = ui->setup.hidden;
	const int i = screen_list_find_number(screens, number);
	const int k = hidden ? screen_list_find_number(hidden, number) : -1;
	struct err err = ERR_INIT;
	char text[16];

	if (i >= 0 && (size_t)i == view->screen)
		return REACT_NONE;
	if (i >= 0) {
		view_show_screen(view, screens, (size_t)i);
		return REACT_RECONFIGURE;
	}
	snprintf(text, sizeof text, "%d", number);
	if (k >= 0 && screen_has_tab(hidden->v[k])) {
		ui->ask.ready = (struct request){.kind = REQUEST_SCREEN};
		snprintf(ui->ask.ready.text, sizeof ui->ask.ready.text, "%s", text);
		return REACT_REQUEST;
	}
	if (k >= 0)
		err_set(&err, EINVAL, "the screen '%s' cannot be shown here: %s",
			hidden->v[k]->name, screen_why_hidden(hidden->v[k]));
	else
		screen_list_find(screens, text, &err);
	ask_message(&ui->ask, err.text);
	return REACT_PAINT;
}

/* Returns whether a screen has a longer number that begins with these digits. */
static bool begins_number(const struct screen_list *l, const char *digits)
{
	char text[16];

	for (size_t i = 0; l && i < l->n; i++) {
		snprintf(text, sizeof text, "%d", l->v[i]->number);
		if (!strncmp(text, digits, strlen(digits)) && strlen(text) > strlen(digits))
			return true;
	}
	return false;
}

static bool is_number(const struct screen_list *l, const char *digits)
{
	long number;

	return l && !num_parse_int(digits, "", 0, INT_MAX, &number, NULL) &&
	       screen_list_find_number(l, (int)number) >= 0;
}

/* If a timeout has just shown the screen of a number, and another screen has this number with the
 * new digit after it, continues the number instead of beginning a new one. */
static void continue_digits(struct ui_state *ui, const struct screen_list *screens)
{
	char text[sizeof ui->digits_shown + 1];

	snprintf(text, sizeof text, "%s%c", ui->digits_shown, ui->key);
	if (*ui->digits_shown && !*ui->digits && strlen(text) < sizeof ui->digits &&
	    (is_number(screens, text) || is_number(ui->setup.hidden, text)))
		memcpy(ui->digits, ui->digits_shown, sizeof ui->digits);
	*ui->digits_shown = '\0';
}

static unsigned say_digits(struct ui_state *ui)
{
	char text[64];

	snprintf(text, sizeof text, "screen %s: a further digit, or Enter", ui->digits);
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

unsigned key_end_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens)
{
	unsigned reactions;
	long number;

	if (num_parse_int(ui->digits, "", 0, INT_MAX, &number, NULL))
		return REACT_NONE;
	*ui->digits = '\0';
	reactions = ask_clear(&ui->ask);
	return reactions | key_show_screen(ui, view, screens, (int)number);
}

unsigned act_digit(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	size_t n;

	(void)row;
	continue_digits(ui, screens);
	n = strlen(ui->digits);
	if (n + 1 < sizeof ui->digits)
		snprintf(ui->digits + n, sizeof ui->digits - n, "%c", ui->key);
	if (begins_number(screens, ui->digits) || begins_number(ui->setup.hidden, ui->digits))
		return say_digits(ui);
	ui->ignore_enter = true;
	return key_end_digits(ui, view, screens);
}

bool key_edit_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     int key, unsigned *reactions)
{
	const size_t n = strlen(ui->digits);
	const bool spent = ui->ignore_enter;
	const bool enter = key == KEYCODE_ENTER || key == '\n';
	const bool back = key == KEYCODE_BACKSPACE || key == KEYCODE_CTRL_H;

	ui->ignore_enter = false;
	if (spent && enter) {
		*reactions = REACT_NONE;
		return true;
	}
	if (!n)
		return false;
	if (enter) {
		*reactions = key_end_digits(ui, view, screens);
		return true;
	}
	if (key != KEYCODE_ESC && !back)
		return false;
	ui->digits[key == KEYCODE_ESC ? 0 : n - 1] = '\0';
	ask_clear(&ui->ask);
	*reactions = *ui->digits ? say_digits(ui) : REACT_PAINT;
	return true;
}

/* Shows the next or the previous screen, skipping the screens that this machine cannot fill. */
unsigned act_screen(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	size_t i = view->screen;

	do
		i = (i + screens->n + (size_t)row->arg) % screens->n;
	while (i != view->screen && screens->v[i]->lacking);
	if (i == view->screen) {
		if (screens->n < 2)
			return REACT_NONE;
		ask_message(&ui->ask,
			    "this machine can fill no other screen: a number shows one all "
			    "the same");
		return REACT_PAINT;
	}
	view_show_screen(view, screens, i);
	return row->reaction;
}

/* ---- task ----
 *
 * Actions on tasks: on the tagged tasks, or on the task of the current row.
 */

static void add(struct ui_state *ui, int32_t pid, uint64_t id, uint64_t start_ns, bool threads)
{
	ui->tasks = xgrow(ui->tasks, &ui->cap_tasks, ui->n_tasks + 1, sizeof *ui->tasks);
	ui->tasks[ui->n_tasks++] = (struct live_task){
		.pid = pid, .id = (int32_t)id, .start_ns = start_ns, .whole = !threads};
}

/* Sets ask.subject, which prompts show: id and name of the task, or the number of tagged tasks. */
static void name_subject(struct ui_state *ui, const struct task *current)
{
	const struct sample *sample = ui->frame ? ui->frame->sample : NULL;
	const struct task *one =
		ui->tags.n && sample ? tags_find_task(&ui->tags.v[0], sample) : current;
	char *out = ui->ask.subject;

	if (ui->n_tasks > 1)
		snprintf(out, sizeof ui->ask.subject, "%zu tagged tasks", ui->n_tasks);
	else if (ui->n_tasks)
		snprintf(out, sizeof ui->ask.subject, "%" PRId32 " %s", ui->tasks[0].id,
			 one ? one->name : "");
	else
		*out = '\0';
}

bool key_needs_task(struct ui_state *ui, const struct view *view, const struct frame_row *row)
{
	const bool groups = view->group != GROUP_PROCESS && (!view->members || view->members->pid);
	char text[128];

	if (row->task->kind->pid)
		return true;
	snprintf(text, sizeof text, "a %s is not a task%s", row->task->kind->name,
		 groups           ? ": " KEY_OF("choose") " lists its tasks"
		 : row->collapsed ? ": " KEY_OF("expand") " shows its tasks"
				  : "");
	keymap_say(ui, text);
	return false;
}

/* Collects the tasks to act on in ui->tasks: the tagged tasks, else the current task unless it has
 * ended. Returns false, with a message, if there is no tag and the current row is not a task. */
static bool collect_tasks(struct ui_state *ui, const struct view *view)
{
	const struct frame_row *row = ui->frame ? cursor_subject(&ui->cursor, ui->frame) : NULL;
	const struct task *t = row ? row->task : NULL;

	ui->n_tasks = 0;
	for (size_t i = 0; i < ui->tags.n; i++) {
		const struct row_id *id = &ui->tags.v[i];

		add(ui, (int32_t)id->owner, id->id, id->start_ns, view->threads);
	}
	if (ui->n_tasks) {
		name_subject(ui, NULL);
		return true;
	}
	if (row && !key_needs_task(ui, view, row))
		return false;
	if (t && !t->dead)
		add(ui, t->kind->pid(t), t->id, t->start_ns, view->threads);
	name_subject(ui, t);
	return true;
}

/* Requests that session/ holds the tasks of ui->tasks, and then handles the request `then`. by: the
 * member `signal` of that request. */
static unsigned hold_tasks(const struct key_row *row, struct ui_state *ui, enum request_kind then,
			   int by)
{
	ui->ask.ready = (struct request){.kind = REQUEST_HOLD, .then = then, .signal = by};
	return row->reaction | REACT_REQUEST;
}

unsigned act_signal(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)screens;
	if (!collect_tasks(ui, view))
		return REACT_PAINT;
	ui->ask.victim = ui->n_tasks ? ui->tasks[0].pid : 0;
	ask_open(&ui->ask, ui->tags.n ? REQUEST_KILL_TAGGED : REQUEST_KILL, view);
	ui->ask.draft.offered = ui->ask.victim;
	return ui->n_tasks ? hold_tasks(row, ui, REQUEST_KILL, 0) : row->reaction;
}

static unsigned begin_request(const struct key_row *row, struct ui_state *ui,
			      const struct view *view, enum request_kind then, int by)
{
	if (!collect_tasks(ui, view))
		return REACT_PAINT;
	if (!ui->n_tasks) {
		ask_message(&ui->ask, ui->frame && ui->frame->n
					      ? "the task in the current row has ended"
					      : "there is no row");
		return REACT_PAINT;
	}
	return hold_tasks(row, ui, then, by);
}

unsigned act_nice(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	return begin_request(row, ui, view, row->arg ? REQUEST_NICE_BY : REQUEST_NICE,
			     (int)row->arg);
}

unsigned act_cpus(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	return begin_request(row, ui, view, REQUEST_CPUS, 0);
}

/* ---- key act ---- */

/* Closes the panel. Closing the help returns to the panel from which it was opened; closing another
 * panel, to the page of a row from which it was opened. */
static void close_panel(struct ui_state *ui)
{
	const bool help = ui->panel == PANEL_HELP;

	ui->panel = help ? ui->help_of : ui->below;
	ui->panel_lines.find = NULL;
	if (ui->panel)
		ui->panel_lines.top = help ? ui->help_top : ui->below_top;
}

/* Opens or closes a panel. The help opens at its start, the errors at their end. */
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
	/* Beyond the end of the errors: painting limits it to the last page. */
	ui->panel_lines.top = ui->panel == PANEL_ERRORS ? SIZE_MAX / 2 : 0;
	return row->reaction;
}

/* Ends the first of these that is active: a search in a panel, a panel, a search in the rows,
 * following a task, the list of the members of a group. */
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

/* Asks before quitting with unwritten changes of the setup. */
static unsigned ask_before_quit(struct ui_state *ui)
{
	char text[128];

	snprintf(
		text, sizeof text,
		"%zu change%s in the setup, not written: write and quit (w), quit (q), stay (ESC)?",
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
		return ui->setup.n && !ui->readonly ? ask_before_quit(ui) : row->reaction;
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

	/* Skip the user's column if it is not shown. */
	if (sort == SORT_USER && !view_shows_user(view, screen))
		sort += (int)row->arg;
	if (sort < SORT_PID || sort > last)
		return REACT_NONE;
	view->sort = sort;
	ui->panel_lines.top = 0; /* show the new explanation from its start */
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

/* The quantities that keys sort by. A key sorts by the column with this id; else by the
 * first column whose only input is this variable. */
static const struct quantity {
	const char *id;
	int variable;
} quantity_table[] = {
	{"cpu", VARIABLE_CPU_TOT},
	{"res", VARIABLE_FIRST_FACT + FACT_RSS_KB},
	{"time", VARIABLE_FIRST_FACT + FACT_CPU_NS},
};

/* Appends the number and the name of the first screen that has a column for the quantity and that
 * this machine can fill. */
static void add_other_screen(struct strbuf *out, const struct screen_list *screens,
			     const struct quantity *by)
{
	int column;

	for (size_t i = 0; i < screens->n; i++)
		if (!screens->v[i]->lacking &&
		    !sort_find(screens->v[i], by->id, by->variable, &column)) {
			strbuf_addf(out, "screen %d (%s) does, ", screens->v[i]->number,
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
	struct strbuf text;

	if (!sort_find(screen, by->id, by->variable, &view->sort)) {
		ui->panel_lines.top = 0;
		return row->reaction;
	}
	strbuf_init(&text);
	strbuf_addf(&text, "this screen does not show %s, %s: ", variable.name, variable.help);
	add_other_screen(&text, screens, by);
	strbuf_addstr(&text, KEY_OF("setup") " adds it");
	keymap_say(ui, text.text);
	strbuf_done(&text);
	return REACT_PAINT;
}

/* Groups by the next group key. If this key needs facts, reconfigures so that they are read. */
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
	return fact_any(group_key_table[view->group].facts) ? REACT_RECONFIGURE : row->reaction;
}

static unsigned tell(struct ui_state *ui, const char *text)
{
	keymap_say(ui, text);
	return REACT_PAINT;
}

/* Shows or hides the tree. A tree needs a reconfiguration, so that the parents of tasks are
 * read. */
unsigned act_tree(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	if (view->group != GROUP_PROCESS)
		return tell(ui, "groups are not a tree: " KEY_OF("group") " takes them apart");
	view->tree = !view->tree;
	return view->tree ? REACT_RECONFIGURE : row->reaction;
}

#define NO_VALUES "no column here is a count or a ratio of counts"

unsigned act_values(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	static const char *const text[N_VALUES] = {
		[VALUES_INTERVAL] = "counts are those of the interval",
		[VALUES_RATE] = "counts are per second",
		[VALUES_TOTAL] =
			"counts, and ratios of them, are of all since the counters were opened",
		[VALUES_SINCE_MARK] =
			"counts begin at the mark, and ratios show their change since the mark",
	};

	view->values = (view->values + 1) % (view->marks ? N_VALUES : VALUES_SINCE_MARK);
	ask_message(&ui->ask, screen_has_values(screens->v[view->screen]) ? text[view->values]
									  : NO_VALUES
				      ": all show the interval");
	return row->reaction;
}

/* Sets the mark at the last refresh: pressing the key takes no sample. */
unsigned act_mark(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	if (view->paused)
		return tell(ui,
			    "what is shown is paused: " KEY_OF("pause") " goes on, then " KEY_OF(
				    "mark") " marks the present");
	view->marks++;
	view->values = VALUES_SINCE_MARK;
	keymap_say(ui, screen_has_values(screens->v[view->screen])
			       ? "the last refresh is marked: counts begin there, ratios "
				 "show how much they have changed since; " KEY_OF(
					 "values") " shows others"
			       : "the last refresh is marked, for other screens: " NO_VALUES);
	return row->reaction;
}

/* Pauses the display, or shows the present again. In a recording, pauses or continues the
 * replay. */
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
		keymap_say(ui, "paused: what is shown stays, counters go on; " KEY_OF(
				       "pause") " shows the present again");
	return row->reaction;
}

unsigned act_collapse(const struct key_row *row, struct ui_state *ui, struct view *view,
		      const struct screen_list *screens)
{
	const struct frame_row *node = ui->frame ? cursor_row(&ui->cursor, ui->frame) : NULL;

	(void)screens;
	if (!view_is_tree(view))
		return tell(ui, "this is not a tree: " KEY_OF("tree") " makes one");
	if (!node)
		return REACT_NONE;
	if (!node->has_children)
		return tell(ui, "there is nothing below the current row");
	if (!collapse_set(view->collapse, node, row->arg))
		return REACT_NONE;
	ui->expanded = !row->arg;
	return row->reaction;
}

unsigned act_expand_all(const struct key_row *row, struct ui_state *ui, struct view *view,
			const struct screen_list *screens)
{
	(void)screens;
	if (!view_is_tree(view))
		return tell(ui, "this is not a tree: " KEY_OF("tree") " makes one");
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

	(void)view, (void)screens;
	if (key_panel_has_menu(ui))
		return act_menu_move(ui, (int)row->arg);
	if (ui->panel) {
		scroll_text(&ui->panel_lines, (int)row->arg);
		return ui->panel_lines.top == top ? REACT_NONE : row->reaction;
	}
	ui->search.waits = false;
	ui->cursor.follows = false;
	return ui->frame && cursor_key(&ui->cursor, &ui->rows, ui->frame, (int)row->arg)
		       ? row->reaction
		       : REACT_NONE;
}

unsigned act_by_place(const struct key_row *row, struct ui_state *ui, struct view *view,
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

/* Requests a refresh, which the main loop does. On the page of a row, details that are not read at
 * each refresh are read again, too. */
unsigned act_refresh(const struct key_row *row, struct ui_state *ui, struct view *view,
		     const struct screen_list *screens)
{
	(void)screens;
	view->page_requests++;
	view->story_requests += ui->panel == PANEL_STORY;
	return row->reaction;
}
