/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"
#include "screen/compile.h"
#include "screens_rig.h"
#include "tap.h"
#include "tui/key.h"
#include "tui/keys.h"
#include "tui/live.h"
#include "view/view.h"

static struct screen_list screens = SCREEN_LIST_INIT;

/* Presses a key, and checks the reaction. */
static void press(struct ui_state *ui, struct view *view, int key, unsigned want, const char *what)
{
	tap_int(keys_apply(ui, view, &screens, key), want, "reaction: %s", what);
}

static void test_sort(void)
{
	struct ui_state ui = {0};
	struct view view = {0};
	size_t n = screens.v[0]->n_columns;

	press(&ui, &view, '<', REACT_REBUILD, "< at the first column");
	tap_int(view.sort, SORT_PID, "goes to the pid");
	press(&ui, &view, '<', REACT_NONE, "< at the pid");
	tap_int(view.sort, SORT_PID, "and it stays there");
	view.show_user = true;
	press(&ui, &view, '>', REACT_REBUILD, "> goes right");
	tap_int(view.sort, SORT_USER, "to the user where it is shown");
	press(&ui, &view, '>', REACT_REBUILD, "> goes right");
	tap_int(view.sort, 0, "to the first column");
	for (size_t i = 1; i <= n; i++)
		press(&ui, &view, '>', REACT_REBUILD, "> goes right");
	tap_int(view.sort, n, "to the command");
	press(&ui, &view, '>', REACT_NONE, "> at the command");
	tap_int(view.sort, n, "and it stays there");
	press(&ui, &view, '<', REACT_REBUILD, "< goes left");
	tap_int(view.sort, n - 1, "to the last column");
	press(&ui, &view, 'R', REACT_REBUILD, "R reverses");
	tap_ok(view.reverse, "the order");
	press(&ui, &view, 'R', REACT_REBUILD, "R again");
	tap_ok(!view.reverse, "puts it back");
}

static void report(void *context, int line, const struct err *err)
{
	(void)context;
	tap_ok(false, "the screen compiles: line %d: %s", line, err->text);
}

/* Sorting by the meaning of a column, not by its header. */
static void test_sort_by(void)
{
	static const char *const expr[] = {"delta(CPU_NS)", "2 * CPU_TOT + CPU_SYS",
					   "CPU_NS / 1e9",  "RSS_KB / 1024",
					   "CPU_TOT",       "CPU_TOT"};
	static const struct {
		int key, sort;
	} row[] = {{'P', 4}, {'M', 3}, {'T', 2}, {'N', SORT_PID}};
	struct screen_list list = SCREEN_LIST_INIT;
	struct ui_state ui = {0};
	struct view view = {.reverse = true};

	screen_list_add(&list, screen_new("full", ""));
	screen_list_add(&list, screen_new("empty", ""));
	for (size_t i = 0; i < sizeof expr / sizeof *expr; i++)
		screen_add_column(list.v[0], "X", "%f", "", expr[i]);
	screen_add_column(list.v[1], "X", "%f", "", expr[0]);
	for (size_t i = 0; i < list.n; i++)
		tap_int(screen_compile(list.v[i], report, NULL, NULL), 0, "the screen %zu compiles",
			i);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		tap_int(keys_apply(&ui, &view, &list, row[i].key), REACT_REBUILD, "%c sorts",
			row[i].key);
		tap_int(view.sort, row[i].sort, "by its column");
		tap_ok(view.reverse, "in the direction that is on");
	}
	list.v[0]->number = 5;
	view.screen = 1;
	view.sort = 1;
	for (size_t i = 0; i < 3; i++) {
		tap_int(keys_apply(&ui, &view, &list, row[i].key), REACT_PAINT,
			"%c without its column", row[i].key);
		tap_ok(!strncmp(ui.ask.text, "this screen does not show ", 26),
		       "a sentence says so: %s", ui.ask.text);
		tap_int(view.sort, 1, "the order stays");
	}
	keys_apply(&ui, &view, &list, 'M');
	tap_str(ui.ask.text,
		"this screen does not show RSS_KB, memory that is in RAM (KiB): screen 5 (full) "
		"does, "
		"F2 adds it",
		"it names what is missing, and where it is");
	screen_list_add(&list, screen_new("ids", ""));
	screen_add_column(list.v[2], "X", "%f", "", "RSS_KB");
	screen_give_id(screen_add_column(list.v[2], "Y", "%f", "", "2 * VSZ_KB"), "res");
	screen_compile(list.v[2], report, NULL, NULL);
	view.screen = 2;
	keys_apply(&ui, &view, &list, 'M');
	tap_int(view.sort, 1, "an id says more than the variable");
	screen_list_done(&list);
}

/* The replay of a recording pauses while a panel covers its rows or a text is typed, except in
 * panels about the present moment. */
static void test_away(void)
{
	static const struct {
		int key;
		bool away;
	} row[] = {{'h', true}, {'e', true},  {'o', true},  {'C', true}, {'/', true},
		   {':', true}, {'x', false}, {'V', false}, {'R', false}};
	struct view view = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct ui_state ui = {.replay = true};

		keys_apply(&ui, &view, &screens, row[i].key);
		tap_int(ui_state_is_away(&ui), row[i].away, "%c: away or not", row[i].key);
		ui_state_done(&ui);
	}
}

static void test_screens(void)
{
	struct ui_state ui = {0};
	struct view view = {.sort = 1, .reverse = true};
	struct screen_list one = {screens.v, 1, 1};

	press(&ui, &view, KEYCODE_RIGHT, REACT_RECONFIGURE, "RIGHT");
	tap_int(view.screen, 1, "the next screen");
	tap_int(view.sort, 0, "is sorted by its first column");
	tap_ok(view.reverse, "in the same order");
	press(&ui, &view, KEYCODE_RIGHT, REACT_RECONFIGURE, "RIGHT");
	press(&ui, &view, KEYCODE_RIGHT, REACT_RECONFIGURE, "RIGHT at the last screen");
	tap_int(view.screen, 0, "wraps around");
	press(&ui, &view, KEYCODE_S_TAB, REACT_RECONFIGURE, "S-Tab at the first screen");
	tap_int(view.screen, 2, "wraps around, too");
	view = (struct view){.sort = 1};
	tap_int(keys_apply(&ui, &view, &one, KEYCODE_RIGHT), REACT_NONE,
		"a single screen: RIGHT changes nothing");
	tap_int(view.sort, 1, "not even the sorting");
}

static void test_toggles(void)
{
	struct ui_state ui = {0};
	struct view view = {0};
	const struct {
		int key;
		const bool *field;
		unsigned reaction;
		const char *what;
	} toggle[] = {
		{'i', &view.idle, REACT_REBUILD, "i: idle"},
		{'H', &view.threads, REACT_RECONFIGURE, "H: threads"},
		{'K', &view.kernel, REACT_RECONFIGURE, "K: kernel"},
		{'U', &view.show_user, REACT_REBUILD, "U: user"},
		{'c', &view.show_cmdline, REACT_REBUILD, "c: command line"},
		{'S', &view.sticky, REACT_REBUILD, "S: sticky"},
	};
	struct view before;

	for (size_t i = 0; i < sizeof(toggle) / sizeof(toggle[0]); i++) {
		before = view;
		press(&ui, &view, toggle[i].key, toggle[i].reaction, toggle[i].what);
		tap_ok(*toggle[i].field, "%s on", toggle[i].what);
		press(&ui, &view, toggle[i].key, toggle[i].reaction, toggle[i].what);
		tap_ok(!memcmp(&view, &before, sizeof(view)), "%s off, nothing else changed",
		       toggle[i].what);
	}
}

/* A screen may request idle tasks. A choice of the user applies to that screen only. */
static void test_idle(void)
{
	struct screen_list list = SCREEN_LIST_INIT;
	struct ui_state ui = {0};
	struct view view = {0};

	for (int i = 0; i < 2; i++) {
		screen_list_add(&list, screen_new("x", ""));
		screen_add_column(list.v[i], "A", "%f", NULL, "CPU_TOT");
	}
	list.v[1]->idle = true;
	for (int i = 0; i < 2; i++)
		screen_compile(list.v[i], report, NULL, NULL);
	keys_apply(&ui, &view, &list, KEYCODE_RIGHT);
	tap_ok(view.idle, "a screen that wants idle tasks has them");
	keys_apply(&ui, &view, &list, 'i');
	tap_ok(!view.idle, "i takes them away");
	keys_apply(&ui, &view, &list, KEYCODE_LEFT);
	tap_ok(!view.idle, "another screen has none");
	keys_apply(&ui, &view, &list, KEYCODE_RIGHT);
	tap_ok(view.idle, "there they are again");
	keys_apply(&ui, &view, &list, KEYCODE_LEFT);
	keys_apply(&ui, &view, &list, 'i');
	keys_apply(&ui, &view, &list, KEYCODE_RIGHT);
	keys_apply(&ui, &view, &list, 'i');
	keys_apply(&ui, &view, &list, KEYCODE_LEFT);
	tap_ok(view.idle, "what was chosen on a screen that does not say it stays");
	screen_list_done(&list);
}

/* g cycles through all group keys. REACT_RECONFIGURE is returned if a key needs more facts. */
static void press_groups(const struct kind *members)
{
	struct ui_state ui = {0};
	struct view view = {.members = members};

	for (int k = 1; k <= N_GROUP_KEYS; k++) {
		enum group_key next = (enum group_key)(k % N_GROUP_KEYS);

		if (!group_key_is_for(next, members ? members : &kind_task))
			continue;
		press(&ui, &view, 'g',
		      fact_any(group_key_table[next].facts) ? REACT_RECONFIGURE : REACT_REBUILD,
		      group_key_table[next].name);
		tap_int(view.group, next, "g: by %s", group_key_table[next].name);
	}
}

static void test_groups(void)
{
	press_groups(NULL);
	press_groups(&kind_cpu);
	tap_ok(!group_key_is_for(GROUP_USER, &kind_cpu) &&
		       !group_key_is_for(GROUP_CORE, &kind_task),
	       "CPUs have no user, and tasks no core");
	tap_ok(!fact_any(group_key_table[GROUP_USER].facts) &&
		       !fact_any(group_key_table[GROUP_PROGRAM].facts),
	       "for users and programs, nothing more is read");
}

/* A key without a meaning shows a message and does nothing else. */
static void test_meaningless(void)
{
	static const struct {
		int key;
		enum panel panel;
		const char *text;
	} row[] = {
		{'~', PANEL_NONE, "the key ~ has no meaning: h shows the keys that have one"},
		{'I', PANEL_NONE, "the key I has no meaning: h shows the keys that have one"},
		{' ', PANEL_HELP, "the key SPACE has no meaning here: q closes this page"},
		{KEYCODE_ENTER, PANEL_HELP,
		 "the key Enter has no meaning here: q closes this page"},
		{'\n', PANEL_HELP, "the key Enter has no meaning here: q closes this page"},
		{KEYCODE_F12, PANEL_NONE,
		 "the key F12 has no meaning: h shows the keys that have one"},
		{0x01, PANEL_NONE, "the key Ctrl-A has no meaning: h shows the keys that have one"},
		{0x1a, PANEL_NONE, "the key Ctrl-Z has no meaning: h shows the keys that have one"},
		{KEYCODE_BACKSPACE, PANEL_HELP,
		 "the key Backspace has no meaning here: q closes this page"},
		{KEYCODE_DELETE, PANEL_NONE,
		 "the key Delete has no meaning: h shows the keys that have one"},
		{KEYCODE_OTHER, PANEL_NONE,
		 "this key has no meaning: h shows the keys that have one"},
		{0x1c, PANEL_NONE, "this key has no meaning: h shows the keys that have one"},
		{0xc3, PANEL_NONE, "this key has no meaning: h shows the keys that have one"},
		{'i', PANEL_HELP, "the key i has no meaning here: q closes this page"},
		{KEYCODE_RIGHT, PANEL_HELP,
		 "the key RIGHT has no meaning here: q closes this page"},
		{'d', PANEL_ERRORS, "the key d has no meaning here: q closes this page"},
		{'S', PANEL_ERRORS, "the key S has no meaning here: q closes this page"},
		{'R', PANEL_EXPLAIN, "the key R has no meaning here: q closes this page"},
		{'>', PANEL_HELP, "the key > has no meaning here: q closes this page"},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct ui_state ui = {.panel = row[i].panel,
				      .rows = {.top = 3, .n = 25, .page = 10},
				      .panel_lines = {.top = 7, .n = 50, .page = 20}};
		struct ui_state before = ui;
		struct view view = {0}, none = {0};

		press(&ui, &view, row[i].key, REACT_PAINT, row[i].text);
		tap_str(ui.ask.text, row[i].text, "what it says");
		tap_int(ui.ask.mode, ASK_MESSAGE, "as a message");
		tap_ok(!memcmp(&view, &none, sizeof(view)), "the view is as it was");
		press(&ui, &view, KEYCODE_ESC, REACT_PAINT, "another key clears it");
		ui.panel = before.panel;
		tap_ok(!memcmp(&ui.rows, &before.rows, sizeof(ui.rows)) &&
			       ui.panel_lines.top == before.panel_lines.top,
		       "nothing has scrolled");
	}
}

static void test_refresh(void)
{
	struct ui_state ui = {0};
	struct view view = {0};

	press(&ui, &view, KEYCODE_CTRL_R, REACT_REFRESH, "Ctrl-R refreshes");
	press(&ui, &view, KEYCODE_F10, REACT_QUIT, "F10 quits");
}

/* Makes n rows on which the cursor can move. */
static void make_rows(struct frame *frame, struct frame_row *row, struct task *task, size_t n)
{
	*frame = (struct frame){.kind = &kind_task, .row = row, .n = n};
	for (size_t i = 0; i < n; i++) {
		task[i] = (struct task){.kind = &kind_task, .id = i, .name = "x"};
		row[i] = (struct frame_row){.task = &task[i]};
	}
}

static void test_current_row(void)
{
	struct task task[25];
	struct frame_row rows[25];
	struct frame frame;
	struct ui_state ui = {.rows = {.top = 0, .n = 25, .page = 10},
			      .panel_lines = {.top = 7, .n = 50, .page = 20}};
	struct view view = {0};

	press(&ui, &view, KEYCODE_DOWN, REACT_NONE, "DOWN before anything was painted");
	make_rows(&frame, rows, task, 25);
	ui.frame = &frame;
	press(&ui, &view, KEYCODE_UP, REACT_NONE, "UP at the top");
	press(&ui, &view, KEYCODE_DOWN, REACT_PAINT, "DOWN");
	tap_int(ui.cursor.index, 1, "the next row");
	tap_int(ui.rows.top, 0, "nothing scrolls");
	press(&ui, &view, KEYCODE_END, REACT_PAINT, "END");
	tap_int(ui.cursor.index, 24, "the last row");
	tap_int(ui.rows.top, 15, "which is shown");
	press(&ui, &view, KEYCODE_DOWN, REACT_NONE, "DOWN at the end");
	press(&ui, &view, KEYCODE_PGUP, REACT_PAINT, "PGUP");
	press(&ui, &view, KEYCODE_PGDN, REACT_PAINT, "PGDN");
	press(&ui, &view, KEYCODE_HOME, REACT_PAINT, "HOME");
	tap_int(ui.rows.top, 0, "the top");
	press(&ui, &view, 'y', REACT_PAINT, "y");
	tap_ok(ui.cursor.by_place, "the current row stays on its place");
	tap_str(ui.ask.text, "the current row stays on its place", "and says so");
	press(&ui, &view, 'y', REACT_PAINT, "y again");
	tap_ok(!ui.cursor.by_place, "it stays on its task");
	press(&ui, &view, KEYCODE_END, REACT_PAINT, "END");
	press(&ui, &view, 'g', REACT_REBUILD, "other rows");
	tap_ok(ui.cursor.index == 0 && !ui.cursor.held, "begin at the first one");
	press(&ui, &view, 'h', REACT_PAINT, "the help");
	press(&ui, &view, KEYCODE_DOWN, REACT_PAINT, "scrolls itself");
	tap_int(ui.cursor.index, 0, "and moves no row");
}

/* Only tasks are tagged and killed. The message names a key only if it helps. */
static void test_no_task(void)
{
	static const struct {
		enum group_key group;
		const struct kind *members;
		bool collapsed;
		const char *want;
	} row[] = {{GROUP_PROCESS, NULL, false, "a CPU is not a task"},
		   {GROUP_CORE, &kind_cpu, false, "a CPU is not a task"},
		   {GROUP_USER, NULL, false, "a CPU is not a task: Enter lists its tasks"},
		   {GROUP_PROCESS, NULL, true, "a CPU is not a task: + shows its tasks"}};
	static const int keys[] = {' ', 'b', 'k', KEYCODE_F9};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
			struct task task = {.kind = &kind_cpu, .id = 0, .name = "x"};
			struct frame_row rows = {.task = &task, .collapsed = row[i].collapsed};
			struct frame frame = {.kind = &kind_cpu, .row = &rows, .n = 1};
			struct ui_state ui = {.rows = {.n = 1, .page = 10}, .frame = &frame};
			struct view view = {.group = row[i].group, .members = row[i].members};

			press(&ui, &view, keys[k], REACT_PAINT, "a key for tasks");
			tap_str(ui.ask.text, row[i].want, "no task");
		}
}

static void test_help(void)
{
	struct ui_state ui = {.rows = {.top = 3, .n = 25, .page = 10},
			      .panel_lines = {.top = 0, .n = 50, .page = 20}};
	struct view view = {0};
	static const int opening[] = {'h', '?', KEYCODE_F1, 'h', 'h', 'h'};
	static const int closing[] = {'h', '?', KEYCODE_F1, 'q', KEYCODE_F10, KEYCODE_ESC};

	press(&ui, &view, KEYCODE_ESC, REACT_NONE, "ESC without help");
	for (size_t i = 0; i < sizeof(opening) / sizeof(opening[0]); i++) {
		press(&ui, &view, opening[i], REACT_PAINT, "h, ? or F1");
		tap_int(ui.panel, PANEL_HELP, "opens the help");
		press(&ui, &view, closing[i], REACT_PAINT, "h, ?, F1, q, F10 or ESC in the help");
		tap_int(ui.panel, PANEL_NONE, "closes it");
	}
	press(&ui, &view, 'h', REACT_PAINT, "h");
	press(&ui, &view, KEYCODE_PGDN, REACT_PAINT, "PGDN in the help");
	tap_int(ui.panel_lines.top, 19, "scrolls the help: one line stays");
	tap_int(ui.rows.top, 3, "not the rows");
	press(&ui, &view, 'h', REACT_PAINT, "h closes");
	press(&ui, &view, 'h', REACT_PAINT, "h opens again");
	tap_int(ui.panel_lines.top, 0, "at the top");
	press(&ui, &view, 'q', REACT_PAINT, "q closes the help");
	press(&ui, &view, 'q', REACT_QUIT, "q quits");
	press(&ui, &view, KEYCODE_CTRL_L, REACT_PAINT, "Ctrl-L");
	tap_ok(ui.redraw, "asks for each cell to be repainted");
}

static void test_errors(void)
{
	struct ui_state ui = {.panel_lines = {.top = 7, .n = 50, .page = 20}};
	struct view view = {0};
	static const int closing[] = {'e', 'q', KEYCODE_ESC};

	for (size_t i = 0; i < 3; i++) {
		press(&ui, &view, 'e', REACT_PAINT, "e");
		tap_int(ui.panel, PANEL_ERRORS, "opens the errors");
		press(&ui, &view, closing[i], REACT_PAINT, "e, q or ESC in the errors");
		tap_int(ui.panel, PANEL_NONE, "closes them");
	}
	press(&ui, &view, 'e', REACT_PAINT, "e");
	scroll_fit(&ui.panel_lines, 50, 20);
	tap_int(ui.panel_lines.top, 30, "the newest are seen first");
	press(&ui, &view, KEYCODE_DOWN, REACT_NONE, "DOWN at the end");
	press(&ui, &view, KEYCODE_PGUP, REACT_PAINT, "PGUP in the errors");
	tap_int(ui.panel_lines.top, 11, "scrolls them");
	press(&ui, &view, KEYCODE_HOME, REACT_PAINT, "HOME in the errors");
	tap_int(ui.panel_lines.top, 0, "shows the oldest");
	press(&ui, &view, 'h', REACT_PAINT, "h in the errors");
	tap_int(ui.panel, PANEL_HELP, "shows the help instead");
	tap_int(ui.panel_lines.top, 0, "from its start");
	press(&ui, &view, 'e', REACT_PAINT, "e in the help");
	tap_int(ui.panel, PANEL_ERRORS, "shows the errors instead");
	press(&ui, &view, KEYCODE_DOWN, REACT_PAINT, "DOWN, before anything was painted");
	tap_int(ui.panel_lines.top, 30, "stays at the newest");
}

static void test_explanation(void)
{
	struct ui_state ui = {.panel_lines = {.top = 7, .n = 50, .page = 20}};
	struct view view = {0};
	static const int closing[] = {'x', 'q', KEYCODE_ESC};

	for (size_t i = 0; i < 3; i++) {
		press(&ui, &view, 'x', REACT_PAINT, "x");
		tap_int(ui.panel, PANEL_EXPLAIN, "explains a column");
		press(&ui, &view, closing[i], REACT_PAINT, "x, q or ESC in the explanation");
		tap_int(ui.panel, PANEL_NONE, "closes it");
	}
	press(&ui, &view, 'x', REACT_PAINT, "x");
	press(&ui, &view, KEYCODE_PGDN, REACT_PAINT, "PGDN in the explanation");
	tap_int(ui.panel_lines.top, 19, "scrolls it");
	press(&ui, &view, '>', REACT_REBUILD, "> in the explanation");
	tap_int(view.sort, 1, "sorts by the next column");
	tap_int(ui.panel, PANEL_EXPLAIN, "explains it");
	tap_int(ui.panel_lines.top, 0, "from its start");
	press(&ui, &view, '<', REACT_REBUILD, "<");
	tap_int(view.sort, 0, "goes back");
	press(&ui, &view, 'h', REACT_PAINT, "h in the explanation");
	tap_int(ui.panel, PANEL_HELP, "shows the help instead");
	press(&ui, &view, 'x', REACT_PAINT, "x in the help");
	tap_int(ui.panel, PANEL_EXPLAIN, "goes back");
	press(&ui, &view, 'q', REACT_PAINT, "q");
	press(&ui, &view, 'q', REACT_QUIT, "and q again quits");
}

static void test_prompts(void)
{
	static const char keys[] = "dspuwW";
	struct view view = {.filter = FILTER_ALL}, before = view;

	for (size_t i = 0; keys[i]; i++) {
		struct ui_state ui = {0};

		press(&ui, &view, keys[i], REACT_PAINT, "a key that asks");
		tap_int(ui.ask.mode, ASK_PROMPT, "%c opens a prompt", keys[i]);
		press(&ui, &view, 'H', REACT_PAINT, "H at the prompt");
		press(&ui, &view, 'q', REACT_PAINT, "q at the prompt");
		tap_str(ui.ask.prompt.text, "Hq", "they are text there");
		press(&ui, &view, KEYCODE_CTRL_L, REACT_PAINT, "Ctrl-L at the prompt");
		tap_ok(ui.redraw, "repaints");
		press(&ui, &view, KEYCODE_ESC, REACT_PAINT, "ESC at the prompt");
		tap_int(ui.ask.mode, ASK_NOTHING, "closes it");
		press(&ui, &view, 'q', REACT_QUIT, "q is the key again");
	}
	tap_ok(!memcmp(&view, &before, sizeof(view)), "no prompt has changed the view");
}

/* Closing the help returns to the panel from which it was opened. */
static void test_help_of_panels(void)
{
	static const enum panel panels[] = {PANEL_NONE, PANEL_ERRORS, PANEL_EXPLAIN, PANEL_PAGE};
	static const int closing[] = {'h', KEYCODE_ESC, 'q'};

	for (size_t i = 0; i < sizeof panels / sizeof *panels; i++)
		for (size_t k = 0; k < 3; k++) {
			struct ui_state ui = {.panel = panels[i],
					      .panel_lines = {.top = 7, .n = 50, .page = 20}};
			struct view view = {.page = {.kind = &kind_task}};

			keys_apply(&ui, &view, &screens, 'h');
			tap_int(ui.panel, PANEL_HELP, "the help of panel %d", (int)panels[i]);
			keys_apply(&ui, &view, &screens, closing[k]);
			tap_int(ui.panel, panels[i], "the panel comes back");
			tap_int((long)ui.panel_lines.top, panels[i] ? 7 : 0, "at its line");
			tap_int(view.page.kind != NULL, panels[i] == PANEL_PAGE,
				"what its page is about");
		}
}

/* Where no column counts, the keys for other values say so. */
static void test_values(void)
{
	static const struct {
		const char *expr;
		int key;
		const char *says;
	} row[] = {
		{"delta(MINFLT)", 'v', "counts are per second"},
		{"delta(MINFLT)", 'm',
		 "the last refresh is marked: counts begin there, ratios show how much they have "
		 "changed since; v shows others"},
		{"rate(MINFLT)", 'v',
		 "no column here is a count or a ratio of counts: all show the interval"},
		{"rate(MINFLT)", 'm',
		 "the last refresh is marked, for other screens: no column here is a count or a "
		 "ratio of counts"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct screen_list list = SCREEN_LIST_INIT;
		struct ui_state ui = {0};
		struct view view = {0};

		screen_list_add(&list, screen_new("one", ""));
		screen_add_column(list.v[0], "X", "%f", "", row[i].expr);
		tap_int(screen_compile(list.v[0], report, NULL, NULL), 0, "it compiles");
		keys_apply(&ui, &view, &list, row[i].key);
		tap_str(ui.ask.text, row[i].says, "%c with %s", row[i].key, row[i].expr);
		tap_int(view.values, row[i].key == 'v' ? VALUES_RATE : VALUES_SINCE_MARK,
			"the values are chosen");
		screen_list_done(&list);
	}
}

int main(void)
{
	test_help_of_panels();
	screens_rig_add(&screens, report);
	test_sort();
	test_sort_by();
	test_screens();
	test_away();
	test_toggles();
	test_values();
	test_idle();
	test_groups();
	test_meaningless();
	test_refresh();
	test_current_row();
	test_no_task();
	test_help();
	test_errors();
	test_explanation();
	test_prompts();
	screen_list_done(&screens);
	return tap_done();
}
