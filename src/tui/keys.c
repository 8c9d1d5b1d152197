/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/keys.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/value.h"
#include "tui/key.h"
#include "tui/key_act.h"
#include "tui/keymap.h"
#include "tui/layout.h"
#include "tui/panel.h"
#include "tui/setup_page.h"

static unsigned say_meaningless(struct ui_state *ui, int key)
{
	char letter[KEY_NAME_MAX], text[128];
	const char *name = key_name_of(key, letter);

	snprintf(text, sizeof text, "%s%s has no meaning%s", *name ? "the key " : "this key", name,
		 ui->panel ? " here: " KEY_OF("quit") " closes this page"
			   : ": " KEY_OF("help") " shows the keys that have one");
	keymap_say(ui, text);
	return REACT_PAINT;
}

/* Updates the search in the rows after a key at its prompt: the key may have changed, accepted or
 * cancelled the text. */
static unsigned update_row_search(struct ui_state *ui, unsigned reactions)
{
	static const struct frame none = {.n = 0};
	const struct frame *frame = ui->frame ? ui->frame : &none;
	const char *text = ui->ask.prompt.text;
	const bool arguments = ui->layout.arguments;

	if (ask_takes_keys(&ui->ask)) {
		bool found = search_type(&ui->search, text, arguments, &ui->cursor, frame);

		snprintf(ui->ask.text, sizeof ui->ask.text, "%s", found ? "" : "no row has this");
		return reactions;
	}
	if (!(reactions & REACT_REQUEST)) {
		search_cancel(&ui->search, &ui->cursor, frame);
		return reactions;
	}
	search_accept(&ui->search);
	if (!search_type(&ui->search, text, arguments, &ui->cursor, frame))
		key_say_no_match(ui);
	ui->ask.ready.kind = REQUEST_NONE;
	return reactions & ~(unsigned)REACT_REQUEST;
}

/* Updates the search in a panel after a key at the prompt of the search; painting the panel scrolls
 * to the match. UP and DOWN move to other matches. */
static unsigned update_panel_search(struct ui_state *ui, int key, unsigned reactions)
{
	if (ask_takes_keys(&ui->ask)) {
		snprintf(ui->find.text, sizeof ui->find.text, "%s", ui->ask.prompt.text);
		ui->find.seek = key == KEYCODE_UP ? -1 : 1;
		ui->find.from = key == KEYCODE_UP     ? *key_place(ui)
				: key == KEYCODE_DOWN ? *key_place(ui) + 1
						      : ui->find.origin;
		key_seek_line(ui);
		return reactions;
	}
	ui->ask.ready.kind = REQUEST_NONE;
	if (!(reactions & REACT_REQUEST) || !*ui->find.text) {
		ui->panel_lines.find = NULL;
		*key_place(ui) = ui->find.origin;
	}
	return reactions & ~(unsigned)REACT_REQUEST;
}

const char *key_refusal(const struct key_row *row, const struct ui_state *ui)
{
	if (row->acts && ui->readonly)
		return "tiptop was started with --readonly";
	if (row->only_replay && !ui->replay)
		return "the running machine is shown; --replay shows a recording, in which one can "
		       "go back and forth";
	return ui->replay ? row->not_in_replay : NULL;
}

static unsigned say_refusal(struct ui_state *ui, int key, const char *why)
{
	char letter[KEY_NAME_MAX], text[192];

	snprintf(text, sizeof text, "%s does nothing: %s", key_name_of(key, letter), why);
	keymap_say(ui, text);
	return REACT_PAINT;
}

/* Passes an accepted answer to the setup page. */
static unsigned take_answer(struct ui_state *ui, const struct view *view)
{
	const char *text = ui->ask.draft.text;

	ui->ask.ready.kind = REQUEST_NONE;
	if (ui->ask.draft.kind == REQUEST_COLUMN)
		return setup_page_take(ui, view, text);
	return ui->ask.draft.kind == REQUEST_COPY ? setup_page_copy(ui, view, text)
						  : setup_page_set(ui, text);
}

static bool is_setup_request(enum request_kind kind)
{
	return kind == REQUEST_COLUMN || kind == REQUEST_COPY || kind == REQUEST_SETTING;
}

/* Remembers the page of a row if the action has opened another panel from it. before: the panel and
 * its first line before the action. */
static void remember_page(struct ui_state *ui, enum panel before, size_t top)
{
	if (before == PANEL_PAGE && ui->panel && ui->panel != PANEL_PAGE &&
	    ui->panel != PANEL_HELP) {
		ui->below = PANEL_PAGE;
		ui->below_top = top;
	} else if (!ui->panel || ui->panel == PANEL_PAGE) {
		ui->below = PANEL_NONE;
	}
}

/* Does the action; on the setup page, some actions have another effect. If the page of a row is not
 * open any more, not even below other panels, clears view->page, so that the page is not updated.
 */
static unsigned do_action(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct setup_key *own =
		ui->panel == PANEL_SETUP ? setup_page_find_key(row->action) : NULL;
	const enum panel before = ui->panel;
	const size_t top = ui->panel_lines.top;
	const unsigned reactions =
		own ? own->act(ui, view, own->way) : row->act(row, ui, view, screens);

	remember_page(ui, before, top);
	if (!ui_state_has_page(ui))
		view->page = (struct row_id){.kind = NULL};
	return reactions;
}

/* Ends the screen number being typed, as another key follows, and shows the screen. If this needs a
 * request, drops the request: the key may need one, and has precedence. */
static unsigned end_digits(struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	const unsigned reactions = key_end_digits(ui, view, screens);

	if (reactions & REACT_REQUEST)
		ui->ask.ready.kind = REQUEST_NONE;
	return reactions & ~(unsigned)REACT_REQUEST;
}

static unsigned take_key(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			 int key)
{
	const struct key_row *row;
	const char *refusal;
	unsigned reactions, digits = REACT_NONE;

	ui->setup.screens = screens;
	if (ask_takes_keys(&ui->ask) && key != KEYCODE_CTRL_L) {
		reactions = ask_key(&ui->ask, view, key);
		if (reactions & REACT_REQUEST && is_setup_request(ui->ask.draft.kind))
			return take_answer(ui, view);
		if (ui->ask.draft.kind != REQUEST_SEARCH)
			return reactions;
		return ui->panel ? update_panel_search(ui, key, reactions)
				 : update_row_search(ui, reactions);
	}
	if (key_edit_digits(ui, view, screens, key, &reactions))
		return reactions;
	row = keymap_find(ui->keymap, key, ui->panel);
	if (!row || row->act != act_digit) {
		digits = end_digits(ui, view, screens);
		*ui->digits_shown = '\0';
	}
	reactions = digits | ask_clear(&ui->ask);
	ui->key = key;
	if (!row)
		return reactions | say_meaningless(ui, key);
	refusal = key_refusal(row, ui);
	return reactions |
	       (refusal ? say_refusal(ui, key, refusal) : do_action(row, ui, view, screens));
}

/* How long to wait for a further digit of a screen number. */
#define DIGIT_NS UINT64_C(300000000)
/* How long after the last digit Enter is ignored, once the screen is shown: it may be meant as the
 * end of the number. */
#define ENTER_NS UINT64_C(500000000)
/* How long after the last digit a further one continues the number although a timeout has shown its
 * screen; only if a screen has the longer number. */
#define TAKE_UP_NS UINT64_C(1500000000)

uint64_t keys_timeout_ns(const struct ui_state *ui)
{
	if (*ui->digits)
		return DIGIT_NS;
	if (ui->ignore_enter)
		return ENTER_NS;
	return *ui->digits_shown ? TAKE_UP_NS : 0;
}

unsigned keys_time_out(struct ui_state *ui, struct view *view, const struct screen_list *screens)
{
	if (*ui->digits) {
		memcpy(ui->digits_shown, ui->digits, sizeof ui->digits);
		ui->ignore_enter = true;
	} else if (ui->ignore_enter) {
		ui->ignore_enter = false;
	} else {
		*ui->digits_shown = '\0';
	}
	return key_end_digits(ui, view, screens);
}

unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key)
{
	unsigned reactions = legend_clear(&ui->legend) ? REACT_PAINT : REACT_NONE;

	reactions |= take_key(ui, view, screens, key);
	view->follows = ui->cursor.follows;
	return reactions;
}

/* Does the action with this name, whatever its keys are, if it works in the open panel. Returns the
 * reactions (enum reaction). */
static unsigned keys_do(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			const char *action)
{
	const struct key_row *row = keymap_find_action(action, ui->panel);

	return row ? do_action(row, ui, view, screens) : REACT_NONE;
}

/* ---- table of keys ----
 *
 * The table of keys and actions.
 */

#define VIEW(field) offsetof(struct view, field)
#define ALL         UINT_MAX
#define EXPLAIN     PANEL_BIT(PANEL_EXPLAIN)
#define PAGE        PANEL_BIT(PANEL_PAGE)
#define SETUP       PANEL_BIT(PANEL_SETUP)
#define WHAT        PANEL_BIT(PANEL_STORY)
/* Panels that can be searched. */
#define TEXTS                                                                                      \
	(EXPLAIN | PAGE | WHAT | SETUP | PANEL_BIT(PANEL_SORT) | PANEL_BIT(PANEL_HELP) |           \
	 PANEL_BIT(PANEL_ERRORS))

/* Reasons why keys do nothing in a recording. */
#define TASKS_GONE "a recording is shown, whose tasks are not here"
#define ITS_TIMES                                                                                  \
	"a recording has its own times: " KEY_OF("replay-slower") " and " KEY_OF(                  \
		"replay-faster") " change how fast they pass"

const char *const key_group_title[N_KEY_GROUPS] = {
	[KEYS_REPLAY] = "In the recording",
	[KEYS_MOVE] = "Move and search",
	[KEYS_SELECT] = "Select tasks",
	[KEYS_FILTER] = "Filter tasks",
	[KEYS_COLUMNS] = "Columns and their order",
	[KEYS_VIEWS] = "Views",
	[KEYS_ACT] = "Act on tasks",
	[KEYS_RECORD] = "Record and write",
	[KEYS_PAGE] = "On the page of a row",
	[KEYS_PROGRAM] = "The program",
};

/* Related keys stand together, the most useful first: the footer shows the hints in this order, as
 * many as fit. */
/* clang-format off */
const struct key_row key_table[] = {
	/* The program. */
	{.action = "help", .keys = "h ? F1", .help = "show this help, or close it", .hint = "help",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_PROGRAM, .act = act_panel, .arg = PANEL_HELP},
	{.action = "quit", .keys = "q F10", .help = "quit (a running command: asks first); in a panel: close it",
	 .hint = "quit", .reaction = REACT_QUIT, .panels = ALL,
	 .group = KEYS_PROGRAM, .first = FIRST_LIVE | FIRST_REPLAY, .act = act_quit},
	{.action = "close", .keys = "ESC",
	 .help = "end a search, close a panel, stop following, leave the members of a group; at a prompt: cancel it",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_PROGRAM, .act = act_close},
	/* Screens. */
	{.action = "screen-left", .keys = "LEFT S-Tab", .help = "previous screen that this machine can show",
	 .hint = "screen", .pair = true, .reaction = REACT_RECONFIGURE, .panels = PAGE | SETUP,
	 .group = KEYS_MOVE, .act = act_screen, .arg = -1},
	{.action = "screen-right", .keys = "RIGHT Tab", .help = "next screen",
	 .reaction = REACT_RECONFIGURE, .panels = PAGE | SETUP, .group = KEYS_MOVE, .act = act_screen, .arg = 1},
	{.action = "screen-number", .keys = "0-9",
	 .help = "show the screen of this number; if longer numbers begin with it, after 0.3 s or Enter; for 1.5 s, "
		 "a second digit is still added",
	 .reaction = REACT_RECONFIGURE, .panels = PAGE, .group = KEYS_MOVE, .act = act_digit},
	/* The current row. */
	{.action = "up", .keys = "UP", .help = "select the row above; scroll a panel",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_UP},
	{.action = "down", .keys = "DOWN", .help = "select the row below",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_DOWN},
	{.action = "page-up", .keys = "PGUP", .help = "one page up",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_PGUP},
	{.action = "page-down", .keys = "PGDN", .help = "one page down",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_PGDN},
	{.action = "first", .keys = "HOME", .help = "select the first row",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_HOME},
	{.action = "last", .keys = "END", .help = "select the last row",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_MOVE, .act = act_move, .arg = KEYCODE_END},
	/* The order. */
	{.action = "sort-left", .keys = "<", .help = "sort by the column to the left",
	 .hint = "sort", .pair = true, .reaction = REACT_REBUILD, .panels = EXPLAIN | SETUP,
	 .group = KEYS_COLUMNS, .act = act_sort,
	 .arg = -1},
	{.action = "sort-right", .keys = ">", .help = "sort by the column to the right",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN | SETUP, .group = KEYS_COLUMNS, .act = act_sort, .arg = 1},
	{.action = "reverse", .keys = "R",
	 .help = "reverse the order of sorting",
	 .hint = "reverse", .reaction = REACT_REBUILD, .panels = PANEL_BIT(PANEL_SORT),
	 .group = KEYS_COLUMNS, .act = act_toggle, .arg = VIEW(reverse)},
	{.action = "sort-menu", .keys = "o F6",
	 .help = "choose the column to sort by from a list: " KEY_OF("search") " searches, "
		 KEY_OF("choose") " chooses",
	 .hint = "sort menu", .reaction = REACT_PAINT, .panels = ALL,
	 .group = KEYS_COLUMNS, .first = FIRST_LIVE, .act = act_sort_menu, .arg = PANEL_SORT},
	{.action = "leave", .keys = "Backspace",
	 .help = "return from the members of a group to the groups, as " KEY_OF("close"),
	 .hint = "groups", .hint_at = HINT_MEMBERS, .reaction = REACT_REBUILD, .panels = SETUP,
	 .group = KEYS_MOVE, .act = act_leave},
	{.action = "choose", .keys = "Enter",
	 .help = "open the page of the current row; of a group: list its members; in a list: choose the line",
	 .hint = "page", .group_hint = "members", .reaction = REACT_REBUILD, .panels = PANEL_BIT(PANEL_SORT) | SETUP,
	 .group = KEYS_MOVE, .first = FIRST_LIVE, .act = act_choose},
	{.action = "page", .keys = "=", .help = "open the page of the current row, also of a group",
	 .reaction = REACT_REBUILD, .group = KEYS_MOVE, .act = act_page},
	{.action = "sort-cpu", .keys = "P", .help = "sort by %CPU",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .group = KEYS_COLUMNS, .act = act_sort_by, .arg = BY_CPU},
	{.action = "sort-memory", .keys = "M", .help = "sort by memory in RAM, if the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .group = KEYS_COLUMNS, .act = act_sort_by, .arg = BY_MEMORY},
	{.action = "sort-time", .keys = "T", .help = "sort by total CPU time, if the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .group = KEYS_COLUMNS, .act = act_sort_by, .arg = BY_TIME},
	/* Searching. */
	{.action = "search", .keys = "/ F3",
	 .help = "search names or command lines, ids and users for a text; " KEY_OF("close") " ends it",
	 .hint = "search", .reaction = REACT_PAINT, .panels = TEXTS,
	 .group = KEYS_MOVE, .first = FIRST_REPLAY, .act = act_search},
	{.action = "search-next", .keys = "n", .help = "next match",
	 .hint = "next match", .hint_at = HINT_SEARCH, .pair = true, .reaction = REACT_PAINT,
	 .panels = TEXTS, .group = KEYS_MOVE, .act = act_search_step, .arg = 1},
	{.action = "search-previous", .keys = "N", .help = "previous match; without a search, sort by PID",
	 .reaction = REACT_REBUILD, .panels = TEXTS, .group = KEYS_MOVE, .act = act_search_step, .arg = -1},
	/* Explanations. */
	{.action = "explain", .keys = "x",
	 .help = "explain the sorting column: formula, events, raw counts of a task; " KEY_OF("sort-left") " and "
		 KEY_OF("sort-right") ": other columns",
	 .hint = "explain", .reaction = REACT_PAINT, .panels = ALL,
	 .group = KEYS_COLUMNS, .act = act_panel, .arg = PANEL_EXPLAIN},
	{.action = "errors", .keys = "e", .help = "show the errors so far, or close them",
	 .hint = "errors", .reaction = REACT_PAINT, .panels = ALL,
	 .group = KEYS_PROGRAM, .act = act_panel, .arg = PANEL_ERRORS},
	{.action = "what", .keys = "V",
	 .help = "summarize what the history covers: consumers, verdicts; " KEY_OF("refresh") " updates it",
	 .hint = "what happened", .reaction = REACT_REBUILD, .panels = ALL,
	 .group = KEYS_VIEWS, .act = act_story, .arg = PANEL_STORY},
	/* Which tasks are shown. */
	{.action = "only", .keys = "p",
	 .help = "show only the task of a PID, or tasks whose names contain a text; empty: all",
	 .reaction = REACT_PAINT, .group = KEYS_FILTER, .act = act_ask, .arg = REQUEST_FILTER},
	{.action = "filter", .keys = "f F4",
	 .help = "show only rows with a text, /a regular expression/ or a condition as cpu > 20; empty: all",
	 .hint = "filter", .reaction = REACT_PAINT,
	 .group = KEYS_FILTER, .first = FIRST_LIVE | FIRST_REPLAY, .act = act_ask, .arg = REQUEST_ROW_FILTER},
	{.action = "only-user", .keys = "u", .help = "show only the tasks of a user, by name or number; empty: all",
	 .hint = "only user", .reaction = REACT_PAINT, .group = KEYS_FILTER, .act = act_ask, .arg = REQUEST_USER},
	{.action = "idle", .keys = "i", .help = "show idle tasks too, or only those that ran",
	 .hint = "idle", .reaction = REACT_REBUILD, .group = KEYS_FILTER, .act = act_idle},
	{.action = "group", .keys = "g",
	 .help = "group tasks by user, program, session, cgroup or container, or not",
	 .hint = "group", .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_group},
	{.action = "tree", .keys = "t F5", .help = "put children below their parents, or not",
	 .hint = "tree", .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_tree},
	{.action = "expand", .keys = "+", .help = "in a tree, expand the current row, and scroll to its children",
	 .reaction = REACT_REBUILD, .panels = SETUP, .group = KEYS_VIEWS, .act = act_collapse, .arg = false},
	{.action = "collapse", .keys = "-", .help = "in a tree, collapse the current row to the sum of its subtree",
	 .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_collapse, .arg = true},
	{.action = "remove", .keys = "Delete -", .help = "in the setup, remove the column",
	 .reaction = REACT_REQUEST | REACT_PAINT, .panels = SETUP, .only_panels = true, .group = KEYS_COLUMNS,
	 .act = act_setup_only},
	{.action = "expand-all", .keys = "*", .help = "in a tree, expand all rows, or collapse all",
	 .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_expand_all},
	{.action = "watch", .keys = "w",
	 .help = "mark the task of a PID, or tasks whose names contain a text; empty: none",
	 .hint = "watch", .reaction = REACT_PAINT, .group = KEYS_SELECT, .act = act_ask, .arg = REQUEST_WATCH},
	{.action = "follow", .keys = "F",
	 .help = "follow the current row's task: keep it selected, also when idle; any move ends it",
	 .hint = "follow", .reaction = REACT_REBUILD, .group = KEYS_SELECT, .act = act_follow},
	{.action = "tag", .keys = "SPACE",
	 .help = "tag or untag the current row, and go to the next: " KEY_OF("signal") ", " KEY_OF("nice") " and "
		 KEY_OF("cpus") " act on all tagged tasks",
	 .hint = "tag", .reaction = REACT_PAINT, .panels = SETUP, .group = KEYS_SELECT, .act = act_tag},
	{.action = "tag-children", .keys = "b",
	 .help = "tag the current row and all its descendants, shown or not",
	 .reaction = REACT_RECONFIGURE, .group = KEYS_SELECT, .act = act_tag_family},
	{.action = "untag", .keys = "Ctrl-U", .help = "remove all tags",
	 .reaction = REACT_PAINT, .group = KEYS_SELECT, .act = act_untag},
	/* The current row's place, pause and refresh. */
	{.action = "keep-place", .keys = "y", .help = "keep the selection on its line, or on its task",
	 .reaction = REACT_PAINT, .group = KEYS_SELECT, .act = act_by_place},
	{.action = "pause", .keys = "Z",
	 .help = "pause the display while counting goes on, or resume it",
	 .hint = "pause", .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_pause},
	{.action = "freeze", .keys = "z", .help = "freeze the order of rows while values go on, or not",
	 .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_toggle, .arg = VIEW(freeze)},
	{.action = "refresh", .keys = "Ctrl-R", .help = "refresh now",
	 .reaction = REACT_REFRESH, .panels = PAGE | WHAT, .group = KEYS_PROGRAM, .act = act_refresh},
	/* In a recording. */
	{.action = "replay-back", .keys = ",", .help = "step back by one sample, and stop there",
	 .hint = "step", .pair = true,
	 .reaction = REACT_REQUEST, .only_replay = true,
	 .group = KEYS_REPLAY, .first = FIRST_REPLAY, .act = act_replay, .arg = REPLAY_BACK},
	{.action = "replay-on", .keys = ".", .help = "step forward by one sample, and stop there",
	 .reaction = REACT_REQUEST, .only_replay = true,
	 .group = KEYS_REPLAY, .act = act_replay, .arg = REPLAY_ON},
	{.action = "replay-minute-back", .keys = "{", .help = "step back by a minute",
	 .hint = "minute", .pair = true,
	 .reaction = REACT_REQUEST, .only_replay = true,
	 .group = KEYS_REPLAY, .act = act_replay, .arg = REPLAY_MINUTE_BACK},
	{.action = "replay-minute-on", .keys = "}", .help = "step forward by a minute",
	 .reaction = REACT_REQUEST, .only_replay = true,
	 .group = KEYS_REPLAY, .act = act_replay, .arg = REPLAY_MINUTE_ON},
	{.action = "replay-slower", .keys = "(", .help = "halve the speed; after a step, resume",
	 .hint = "speed", .pair = true,
	 .reaction = REACT_REQUEST, .only_replay = true, .group = KEYS_REPLAY, .act = act_replay, .arg = REPLAY_SLOWER},
	{.action = "replay-faster", .keys = ")", .help = "double the speed; after a step, resume",
	 .reaction = REACT_REQUEST, .only_replay = true, .group = KEYS_REPLAY, .act = act_replay, .arg = REPLAY_FASTER},
	{.action = "replay-jump", .keys = ":", .help = "go to a time of the recording",
	 .hint = "go to",
	 .reaction = REACT_PAINT, .only_replay = true,
	 .group = KEYS_REPLAY, .first = FIRST_REPLAY, .act = act_ask, .arg = REQUEST_JUMP},
	{.action = "record", .keys = "O", .help = "start a recording (asks for its file), or end it",
	 .hint = "record this", .reaction = REACT_REQUEST, .acts = true, .group = KEYS_RECORD, .act = act_record},
	/* Actions on tasks. */
	{.action = "signal", .keys = "k F9",
	 .help = "send a signal to the tagged tasks, or to the current one: asks for PID and signal",
	 .hint = "kill", .reaction = REACT_PAINT, .acts = true, .not_in_replay = TASKS_GONE,
	 .group = KEYS_ACT, .act = act_signal},
	{.action = "nice", .keys = "r", .help = "change the nice value of the tagged tasks, or of the current one",
	 .hint = "nice", .reaction = REACT_PAINT, .acts = true, .not_in_replay = TASKS_GONE,
	 .group = KEYS_ACT, .act = act_nice},
	{.action = "nice-lower", .keys = "_ F7", .help = "lower the nice value by 1: a larger share of the CPU",
	 .reaction = REACT_PAINT, .acts = true, .not_in_replay = TASKS_GONE,
	 .group = KEYS_ACT, .act = act_nice, .arg = -1},
	{.action = "nice-higher", .keys = "^ F8", .help = "raise the nice value by 1: a smaller share of the CPU",
	 .reaction = REACT_PAINT, .acts = true, .not_in_replay = TASKS_GONE,
	 .group = KEYS_ACT, .act = act_nice, .arg = 1},
	{.action = "cpus", .keys = "a", .help = "choose the CPUs that the tagged tasks, or the current one, may run on",
	 .hint = "CPUs", .reaction = REACT_PAINT, .acts = true, .not_in_replay = TASKS_GONE,
	 .group = KEYS_ACT, .act = act_cpus},
	/* How tasks are shown. */
	{.action = "command", .keys = "c",
	 .help = "show command lines, or names",
	 .hint = "command", .reaction = REACT_REBUILD,
	 .group = KEYS_COLUMNS, .act = act_toggle, .arg = VIEW(show_cmdline)},
	{.action = "values", .keys = "v",
	 .help = "show counts of the interval, per second, in total, or since the mark",
	 .hint = "values", .reaction = REACT_REBUILD, .panels = PAGE, .group = KEYS_COLUMNS, .act = act_values},
	{.action = "mark", .keys = "m",
	 .help = "mark this moment: show counts since then, and changes of ratios",
	 .hint = "mark", .reaction = REACT_REBUILD, .panels = PAGE, .group = KEYS_VIEWS, .act = act_mark},
	{.action = "delay", .keys = "d s", .help = "change the delay between two refreshes, in seconds",
	 .hint = "delay", .reaction = REACT_PAINT, .not_in_replay = ITS_TIMES,
	 .group = KEYS_PROGRAM, .act = act_ask, .arg = REQUEST_DELAY},
	{.action = "columns-left", .keys = "[ S-LEFT", .help = "scroll columns to the left",
	 .hint = "columns", .pair = true, .reaction = REACT_PAINT,
	 .group = KEYS_COLUMNS, .act = act_columns, .arg = -1},
	{.action = "columns-right", .keys = "] S-RIGHT",
	 .help = "scroll columns to the right if not all fit; the sorting column stays",
	 .reaction = REACT_PAINT, .group = KEYS_COLUMNS, .act = act_columns, .arg = 1},
	{.action = "parts", .keys = "l",
	 .help = "layout: all parts, few, or the table alone",
	 .hint = "layout", .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_parts},
	{.action = "threads", .keys = "H", .help = "one row for each thread, or for each process",
	 .hint = "threads", .reaction = REACT_RECONFIGURE,
	 .group = KEYS_VIEWS, .act = act_toggle, .arg = VIEW(threads)},
	{.action = "kernel", .keys = "K", .help = "count in the kernel too, or in user mode only; restarts counting",
	 .hint = "kernel", .reaction = REACT_RECONFIGURE, .group = KEYS_VIEWS, .act = act_toggle, .arg = VIEW(kernel)},
	{.action = "sticky", .keys = "S", .help = "keep tasks that have ended, with their last numbers, or not",
	 .hint = "sticky", .reaction = REACT_REBUILD, .group = KEYS_VIEWS, .act = act_toggle, .arg = VIEW(sticky)},
	{.action = "children", .keys = "A",
	 .help = "include descendants (with a command), or CPU time of exited children in %CPU; or not",
	 .hint = "children", .reaction = REACT_RECONFIGURE,
	 .group = KEYS_VIEWS, .act = act_toggle, .arg = VIEW(children)},
	{.action = "user", .keys = "U", .help = "show users, or not",
	 .hint = "user", .reaction = REACT_REBUILD, .group = KEYS_COLUMNS, .act = act_toggle, .arg = VIEW(show_user)},
	{.action = "picture", .keys = "D", .help = "write a picture of the screen to a file: text, ANSI, SVG or HTML",
	 .hint = "picture", .reaction = REACT_PAINT, .panels = ALL, .acts = true,
	 .group = KEYS_RECORD, .act = act_ask, .arg = REQUEST_PICTURE},
	{.action = "setup", .keys = "F2 C",
	 .help = "setup: choose, order and add columns of this screen, set options and the theme",
	 .hint = "setup", .reaction = REACT_REQUEST | REACT_PAINT, .panels = ALL,
	 .group = KEYS_COLUMNS, .first = FIRST_LIVE, .act = act_setup},
	{.action = "write", .keys = "W", .help = "write a configuration file that restores the present state",
	 .hint = "write", .reaction = REACT_PAINT, .acts = true,
	 .group = KEYS_RECORD, .act = act_ask, .arg = REQUEST_WRITE},
	/* On the page of a row. */
	{.action = "graph-column-left", .keys = "<", .help = "on a page, draw the column to the left",
	 .reaction = REACT_REBUILD, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_column, .arg = -1},
	{.action = "graph-column-right", .keys = ">", .help = "on a page, draw the column to the right",
	 .reaction = REACT_REBUILD, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_column, .arg = 1},
	{.action = "graph-back", .keys = "[", .help = "on a page, move the reading line one refresh back",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_cursor, .arg = -1},
	{.action = "graph-on", .keys = "]",
	 .help = "on a page, move the reading line one refresh on; after the last, the present",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_cursor, .arg = 1},
	{.action = "graph-jump-back", .keys = "{", .help = "on a page, move the reading line ten refreshes back",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_cursor, .arg = -10},
	{.action = "graph-jump-on", .keys = "}", .help = "on a page, move the reading line ten refreshes on",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_cursor, .arg = 10},
	{.action = "graph-in", .keys = "+", .help = "on a page, zoom into the graph around the reading line",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_zoom, .arg = true},
	{.action = "graph-out", .keys = "-", .help = "on a page, zoom out of the graph",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_zoom, .arg = false},
	{.action = "graph-pan-back", .keys = "(", .help = "on a page, scroll the graph back by half its width",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_pan, .arg = -1},
	{.action = "graph-pan-on", .keys = ")", .help = "on a page, scroll the graph forward by half its width",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_pan, .arg = 1},
	{.action = "graph-all", .keys = "*", .help = "on a page, show the whole graph, up to the present",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_all},
	{.action = "graph-axis", .keys = "a", .help = "on a page, draw over time, or over retired instructions",
	 .reaction = REACT_REBUILD, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_axis},
	{.action = "graph-beside", .keys = "b", .help = "on a page, draw a tagged task or its user's tasks beside it",
	 .reaction = REACT_REBUILD, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_beside},
	{.action = "graph-size", .keys = "g", .help = "on a page, draw the graph on a part of the page, on all of it, "
		 "or not",
	 .reaction = REACT_PAINT, .panels = PAGE, .only_panels = true,
	 .group = KEYS_PAGE, .act = act_graph_size},
	{.action = "redraw", .keys = "Ctrl-L", .help = "redraw the screen",
	 .reaction = REACT_PAINT, .panels = ALL, .group = KEYS_PROGRAM, .act = act_redraw},
};
/* clang-format on */

const size_t key_table_n = sizeof(key_table) / sizeof(key_table[0]);

/* ---- mouse ---- */

/* Records the time of a click on a row or line. Returns whether the click completes a double click.
 * same: the row or line was already the current one. */
static bool is_double(struct ui_state *ui, uint64_t time_ms, bool same)
{
	const uint64_t before_ms = ui->clicked_ms;

	ui->clicked_ms = time_ms;
	return same && before_ms && time_ms - before_ms <= MOUSE_DOUBLE_MS;
}

/* Selects the row; at a double click, does the action "choose". If another row has moved to this
 * place since the first click, that row is only selected. */
static unsigned click_row(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			  size_t i, uint64_t time_ms)
{
	if (!ui->frame || i >= ui->frame->n)
		return REACT_NONE;
	if (is_double(ui, time_ms, ui->cursor.held && ui->cursor.index == i))
		return keys_do(ui, view, screens, "choose");
	ui->search.waits = false;
	cursor_put(&ui->cursor, ui->frame, i);
	view->follows = false;
	return REACT_PAINT;
}

static unsigned click_line(struct ui_state *ui, struct view *view,
			   const struct screen_list *screens, size_t line, uint64_t time_ms)
{
	if (is_double(ui, time_ms, ui->menu == line))
		return keys_do(ui, view, screens, "choose");
	ui->menu = line;
	return REACT_PAINT;
}

/* Sorts by the column in its usual order; if the column sorts already, reverses the order. */
static unsigned click_name(struct view *view, int sort)
{
	view->reverse = view->sort == sort && !view->reverse;
	view->sort = sort;
	return REACT_REBUILD;
}

/* Returns what was clicked; HIT_NONE also if keys that came since the last painting have closed or
 * opened a panel, or have changed the screen whose columns were painted. */
static struct hit find_hit(const struct ui_state *ui, const struct view *view,
			   const struct screen_list *screens, const struct mouse *mouse)
{
	const struct hit hit = hits_at(&ui->hits, mouse->x, mouse->y);
	const bool is_other = hit.kind == HIT_NAME && ui->frame &&
			      ui->frame->screen->number != screens->v[view->screen]->number;

	return ui->painted != ui->panel || is_other ? (struct hit){.kind = HIT_NONE} : hit;
}

static unsigned click(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		      const struct mouse *mouse)
{
	const struct hit hit = find_hit(ui, view, screens, mouse);

	if (hit.kind == HIT_ROW)
		return click_row(ui, view, screens, (size_t)hit.what, mouse->time_ms);
	if (hit.kind == HIT_LINE)
		return click_line(ui, view, screens, (size_t)hit.what, mouse->time_ms);
	ui->clicked_ms = 0;
	if (hit.kind == HIT_NAME)
		return click_name(view, hit.what);
	return hit.kind == HIT_TAB ? key_show_screen(ui, view, screens, hit.what) : REACT_NONE;
}

unsigned mouse_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     const struct mouse *mouse)
{
	unsigned reactions;

	if (ask_takes_keys(&ui->ask))
		return REACT_NONE;
	reactions = ask_clear(&ui->ask) | (legend_clear(&ui->legend) ? REACT_PAINT : REACT_NONE);
	if (mouse->kind == MOUSE_CLICK)
		return reactions | click(ui, view, screens, mouse);
	for (int i = 0; i < MOUSE_WHEEL_ROWS; i++)
		reactions |=
			keys_do(ui, view, screens, mouse->kind == MOUSE_WHEEL_UP ? "up" : "down");
	return reactions;
}

/* ---- help ---- */

/* Returns the header without its leading blanks. */
static const char *column_name(const struct column *column)
{
	return column->header + strspn(column->header, " ");
}

/* Appends the description of a column and its thresholds. */
static void add_desc(struct strbuf *out, const struct column *column)
{
	strbuf_addstr(out, column->desc);
	if (column->warn.text)
		strbuf_addf(out, "; a warning %s", column->warn.text);
	if (column->crit.text)
		strbuf_addf(out, "; critical %s", column->crit.text);
}

static int wider(int width, const char *text)
{
	int other = canvas_text_width(text);

	return other > width ? other : width;
}

/* Writes the columns with their formulas: behind the descriptions if all formulas fit there, else
 * below the descriptions. */
static void write_columns(struct sheet *s, const struct ui_state *ui, const struct screen *screen)
{
	int header = 0, desc = 0, formula = 0, x, formula_x;
	struct strbuf text;
	bool behind;

	strbuf_init(&text);
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		header = wider(header, column_name(column));
		strbuf_reset(&text);
		add_desc(&text, column);
		desc = wider(desc, text.text);
		formula = wider(formula, column->text);
	}
	x = SHEET_INDENT + header + 2;
	formula_x = x + desc + 3;
	behind = formula_x + formula <= s->canvas->width;
	strbuf_reset(&text);
	keymap_add_text(
		ui->keymap,
		"Columns, and their formulas: " KEY_OF("explain") " explains the sorting one",
		&text);
	sheet_title(s, text.text);
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		strbuf_reset(&text);
		add_desc(&text, column);
		if (behind)
			sheet_put(s, formula_x, LOOK_FAINT, column->text, strlen(column->text));
		sheet_entry(s, x, LOOK_NORMAL | LOOK_STRONG, column_name(column), text.text);
		if (!behind)
			sheet_text(s, sheet_column(s, x), LOOK_FAINT, column->text);
	}
	strbuf_done(&text);
}

static uint8_t quality_look(enum quality quality)
{
	if (quality >= QUALITY_FIRST_NONE)
		return LOOK_FAINT;
	return quality == QUALITY_EXACT ? LOOK_NORMAL : LOOK_ROUGH;
}

static void write_marks(struct sheet *s, const struct ui_state *ui, bool of_row)
{
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < N_MARKS; i++) {
		if (mark_table[i].of_row != of_row)
			continue;
		strbuf_reset(&text);
		keymap_add_text(ui->keymap, mark_table[i].text, &text);
		sheet_entry(s, 5, LOOK_NORMAL, mark_table[i].sign, text.text);
	}
	strbuf_done(&text);
}

static void write_legend(struct sheet *s, const struct ui_state *ui)
{
	sheet_title(s, "Marks in place of a number, or after it: here and in batch mode");
	write_marks(s, ui, false);
	sheet_title(s, "The causes of each mark");
	for (int q = 0; q < N_QUALITIES; q++) {
		const struct quality_row *row = &quality_table[q];
		char label[32];

		snprintf(label, sizeof(label), "%s  %s", row->mark, row->name);
		if (*row->mark)
			sheet_entry(s, 20, quality_look(q), label, row->text);
	}
	sheet_title(s, "Marks after the PID");
	write_marks(s, ui, true);
	sheet_title(s, "Looks");
	for (int i = 0; i < N_LOOKS; i++)
		if (look_table[i].help)
			sheet_text(s, SHEET_INDENT, (uint8_t)i, look_table[i].help);
}

struct subject {
	const struct screen *screen;
	const struct ui_state *ui;
};

static void write_key(struct sheet *s, const struct key_row *row, const struct ui_state *ui,
		      const char *help)
{
	struct strbuf keys, text;

	if (key_refusal(row, ui))
		return;
	strbuf_init(&keys);
	strbuf_init(&text);
	keymap_add_keys(ui->keymap, row, SIZE_MAX, &keys);
	keymap_add_text(ui->keymap, help, &text);
	if (keys.len)
		sheet_entry(s, 14, LOOK_NORMAL | LOOK_STRONG, keys.text, text.text);
	strbuf_done(&text);
	strbuf_done(&keys);
}

/* Returns the help text of a key in a panel; on the setup page, some keys have another text. */
static const char *help_there(enum panel panel, const struct key_row *row)
{
	const struct setup_key *own =
		panel == PANEL_SETUP ? setup_page_find_key(row->action) : NULL;

	return own ? own->help : row->help;
}

/* Writes the title of a group once, before its first key. */
static void begin_group(struct sheet *s, const char **title)
{
	if (*title)
		sheet_title(s, *title);
	*title = NULL;
}

/* Writes the keys of the panel from which the help was opened. */
static void write_panel_keys(struct sheet *s, const struct ui_state *ui)
{
	const char *title = "Keys there, where the help was opened";

	for (size_t i = 0; i < key_table_n; i++)
		if (key_table[i].panels & PANEL_BIT(ui->help_of)) {
			begin_group(s, &title);
			write_key(s, &key_table[i], ui, help_there(ui->help_of, &key_table[i]));
		}
}

static void write_first_keys(struct sheet *s, const struct ui_state *ui)
{
	sheet_title(s, "The keys that matter first");
	for (size_t i = 0; i < key_table_n; i++)
		if (key_table[i].first & (ui->replay ? FIRST_REPLAY : FIRST_LIVE))
			write_key(s, &key_table[i], ui, key_table[i].help);
}

/* Writes the title and the keys of a group, without keys that are refused now; nothing if no key is
 * left. */
static void write_group(struct sheet *s, const struct ui_state *ui, enum key_group group)
{
	const char *title = key_group_title[group];

	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if (row->group != group || key_refusal(row, ui) ||
		    (ui->help_of && row->only_panels))
			continue;
		begin_group(s, &title);
		write_key(s, row, ui, row->help);
	}
}

/* Writes all keys. The keys of the panel from which the help was opened come first. */
static void write_keys(struct sheet *s, const struct ui_state *ui)
{
	if (ui->help_of)
		write_panel_keys(s, ui);
	else
		write_first_keys(s, ui);
	for (int group = KEYS_NO_GROUP + 1; group < N_KEY_GROUPS; group++)
		write_group(s, ui, (enum key_group)group);
}

static void write_sheet(struct sheet *s, const void *context)
{
	const struct subject *x = context;

	if (x->screen->desc && *x->screen->desc)
		sheet_text(s, 0, LOOK_NORMAL, x->screen->desc);
	write_keys(s, x->ui);
	write_columns(s, x->ui, x->screen);
	write_legend(s, x->ui);
}

void help_paint(struct canvas *c, struct ui_state *ui, const struct screen *screen)
{
	static const struct key_hint hint[] = {
		{"search", "searches", NULL}, {"help", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const struct subject subject = {screen, ui};
	struct strbuf title;

	strbuf_init(&title);
	strbuf_addf(&title, "Help: screen %d, %s", screen->number, screen->name);
	sheet_paint(c, &ui->panel_lines, title.text, &hints, write_sheet, &subject);
	strbuf_done(&title);
}
