/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selecting rows by keys: the search, tags, the menu of columns to sort by.
 */
#include "model/fact_list.h"
#include "tui/panel.h"
#include "ui_rig.h"
#include "view/view.h"

/* Rows, the busiest first: 10 alpha, 20 Beta, 30 gamma, 40 alphabet; and an idle task. */
static void begin(struct ui_rig *r)
{
	static const struct rig_task task[] = {
		{.id = 10, .name = "alpha", .user = "root", .cpu_ns = 900000000},
		{.id = 20, .name = "Beta", .user = "bob", .cpu_ns = 800000000},
		{.id = 30, .name = "gamma", .user = "bob", .cpu_ns = 700000000},
		{.id = 40, .name = "alphabet", .user = "root", .cpu_ns = 600000000},
		{.id = 50, .name = "idle", .user = "root"},
	};

	ui_rig_init(r, 60, 16);
	for (size_t i = 0; i < sizeof task / sizeof *task; i++)
		frame_rig_add(&r->rig, &task[i]);
	ui_rig_build(r);
}

static void test_search(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, KEYCODE_DOWN, '/');
	ui_rig_type(&r, "al");
	tap_int(ui_rig_current(&r), 40, "while it is typed, the next row that has it is current");
	UI_RIG_PRESS(&r, KEYCODE_BACKSPACE, KEYCODE_BACKSPACE);
	tap_int(ui_rig_current(&r), 20, "without a text, the row where it began");
	ui_rig_type(&r, "bETA");
	tap_int(ui_rig_current(&r), 20, "capital and small letters are the same");
	ui_rig_type(&r, "x");
	tap_ok(ui_rig_shows(&r, "no row has this"), "no task has it: a sentence says so");
	tap_int(ui_rig_current(&r), 20, "and the row is where it began");
	UI_RIG_PRESS(&r, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&r, "no row has 'bETAx': i shows idle ones, ESC ends the search"),
	       "so it does after Enter, with the key that shows more rows");
	r.rig.view.idle = true;
	UI_RIG_PRESS(&r, 'n');
	tap_ok(ui_rig_shows(&r, "no row has 'bETAx': ESC ends the search"),
	       "where idle ones are shown, without");
	r.rig.view.idle = false;
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_ok(!*r.ui.search.text && ui_rig_current(&r) == 20, "ESC ends it");
	UI_RIG_PRESS(&r, '/', 'g', KEYCODE_ESC);
	tap_int(ui_rig_current(&r), 20, "and goes back");
	UI_RIG_PRESS(&r, '/');
	tap_int(ui_rig_type(&r, "al") & ~(unsigned)REACT_PAINT, 0, "it asks for nothing");
	tap_int(UI_RIG_PRESS(&r, KEYCODE_ENTER), REACT_PAINT, "nor does Enter");
	tap_ok(ui_rig_shows(&r, "[search: al]"), "the search stands, and the title says so");
	tap_int(r.ui.ask.ready.kind, REQUEST_NONE, "no request is left");
	UI_RIG_PRESS(&r, 'n');
	tap_int(ui_rig_current(&r), 10, "n: the next one, from the start again");
	UI_RIG_PRESS(&r, 'n');
	tap_int(ui_rig_current(&r), 40, "n: the next one");
	UI_RIG_PRESS(&r, 'N');
	tap_int(ui_rig_current(&r), 10, "N: the one before");
	tap_int(r.rig.view.sort, 0, "while a search stands, N does not sort");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_ok(!*r.ui.search.text, "ESC ends the search");
	UI_RIG_PRESS(&r, 'n');
	tap_ok(ui_rig_shows(&r, "there is no search"), "n without one says so");
	UI_RIG_PRESS(&r, 'N');
	tap_int(r.rig.view.sort, SORT_PID, "N without one sorts by PID");
	ui_rig_done(&r);
}

/* A search without a match stays pending: it finds a matching row that appears later, unless the
 * user has moved the cursor. */
static void test_search_waits(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, KEYCODE_DOWN, '/');
	ui_rig_type(&r, "idl");
	UI_RIG_PRESS(&r, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&r, "no row has 'idl': i shows idle ones"), "only an idle task has it");
	UI_RIG_PRESS(&r, 'i');
	tap_int(ui_rig_current(&r), 50, "i goes on with the search to it");
	UI_RIG_PRESS(&r, KEYCODE_UP, 'i', 'i');
	tap_int(ui_rig_current(&r), 40, "once: it is found");
	UI_RIG_PRESS(&r, 'i', 'n');
	tap_ok(ui_rig_shows(&r, "no row has 'idl'"), "n finds none");
	UI_RIG_PRESS(&r, KEYCODE_UP, 'i');
	tap_int(ui_rig_current(&r), 30, "a move says that it is not waited for");
	UI_RIG_PRESS(&r, KEYCODE_ESC, 'i', '/');
	ui_rig_type(&r, "idl");
	UI_RIG_PRESS(&r, KEYCODE_ENTER, KEYCODE_ESC, 'i');
	tap_int(ui_rig_current(&r), 30, "nor is it when the search has ended");
	ui_rig_done(&r);
}

/* The search compares ids, users, names and numbers as they are shown. */
static void test_where(void)
{
	static const struct {
		const char *text;
		long id;
	} row[] = {{"30", 30}, {"BOB", 20}, {"gam", 30}, {"phab", 40}, {"60.0", 10}};
	struct ui_rig r;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		begin(&r);
		UI_RIG_PRESS(&r, '/');
		ui_rig_type(&r, row[i].text);
		tap_int(ui_rig_current(&r), row[i].id, "the first row that has %s", row[i].text);
		ui_rig_done(&r);
	}
}

/* Returns, for each cell of a line, the letter of the look laid over it. */
static const char *laid(const struct ui_rig *r, int y, char text[64])
{
	for (int x = 0; x < r->canvas.width; x++)
		text[x] = look_table[r->canvas.cell[y * r->canvas.width + x].laid].letter;
	text[r->canvas.width] = '\0';
	return text;
}

static int line_of(const struct ui_rig *r, size_t row)
{
	for (int y = 0; y < r->canvas.height; y++)
		if (r->canvas.cell[y * r->canvas.width].laid == LOOK_CURRENT)
			return y + (int)row - (int)r->ui.cursor.index;
	return -1;
}

static int count_marked(const struct ui_rig *r)
{
	int n = 0;

	for (int i = 0; i < r->canvas.width * r->canvas.height; i++)
		n += r->canvas.cell[i].laid == LOOK_MATCH;
	return n;
}

/* Arguments are found only where COMMAND shows them. */
static void test_arguments(void)
{
	static const struct rig_task task[] = {
		{.id = 10, .name = "alpha", .cmdline = "alpha", .cpu_ns = 900000000},
		{.id = 20, .name = "sim", .cmdline = "/bin/sim --steps 777", .cpu_ns = 800000000},
		{.id = 30, .name = "steps", .cmdline = "steps", .cpu_ns = 700000000},
	};
	static const struct {
		int width;
		const char *text;
		long id;
		int marked;
	} search[] = {{60, "steps 777", 20, 9}, {60, "777", 20, 3},   {60, "bin/", 10, 0},
		      {60, "steps", 30, 10},    {40, "steps", 30, 5}, {40, "777", 10, 0}};
	struct ui_rig r;

	for (size_t i = 0; i < sizeof search / sizeof *search; i++) {
		ui_rig_init(&r, search[i].width, 16);
		for (size_t k = 0; k < sizeof task / sizeof *task; k++)
			frame_rig_add(&r.rig, &task[k]);
		ui_rig_build(&r);
		UI_RIG_PRESS(&r, '/');
		ui_rig_type(&r, search[i].text);
		tap_int(ui_rig_current(&r), search[i].id, "%s at %d columns", search[i].text,
			search[i].width);
		UI_RIG_PRESS(&r, KEYCODE_ENTER);
		tap_int(ui_rig_shows(&r, "no row has"), !search[i].marked, "what is said");
		UI_RIG_PRESS(&r, KEYCODE_HOME);
		tap_int(count_marked(&r), search[i].marked, "marked columns");
		ui_rig_done(&r);
	}
}

static void test_marks(void)
{
	struct ui_rig r;
	char text[64];

	begin(&r);
	UI_RIG_PRESS(&r, '/');
	ui_rig_type(&r, "0");
	UI_RIG_PRESS(&r, KEYCODE_ENTER);
	tap_ok(!strncmp(laid(&r, line_of(&r, 1), text), "nnnnmnnn", 8) && !strchr(text + 5, 'm'),
	       "digits are marked in the id, not in numbers: %s", text);
	UI_RIG_PRESS(&r, '/');
	ui_rig_type(&r, "mm");
	UI_RIG_PRESS(&r, KEYCODE_ENTER, KEYCODE_HOME);
	tap_ok(strstr(laid(&r, line_of(&r, 2), text), "nmmn"), "a text is marked where it stands");
	tap_ok(!strchr(laid(&r, line_of(&r, 3), text), 'm'), "and nowhere else");
	UI_RIG_PRESS(&r, KEYCODE_DOWN, ' ', ' ');
	tap_ok(ui_rig_shows(&r, "[2 tagged]"), "the title says how many are tagged");
	tap_ok(ui_rig_shows(&r, "   20 #") && ui_rig_shows(&r, "   30 #"),
	       "a tag is a mark, not only a colour");
	tap_ok(!strncmp(laid(&r, line_of(&r, 1), text), "sssssss", 7), "and it is one");
	ui_rig_done(&r);
}

static void test_tags(void)
{
	struct ui_rig r;
	struct task *ends;

	begin(&r);
	tap_int(UI_RIG_PRESS(&r, KEYCODE_CTRL_U), REACT_NONE, "no tags: nothing to take away");
	UI_RIG_PRESS(&r, ' ', ' ');
	tap_int(ui_rig_current(&r), 30, "SPACE tags and goes to the next");
	tap_ok(r.ui.tags.n == 2 && tags_has(&r.ui.tags, &r.rig.frame.row[0]) &&
		       tags_has(&r.ui.tags, &r.rig.frame.row[1]),
	       "two are tagged");
	UI_RIG_PRESS(&r, 'R');
	tap_ok(tags_has(&r.ui.tags, &r.rig.frame.row[3]) &&
		       !tags_has(&r.ui.tags, &r.rig.frame.row[0]),
	       "tags go with their tasks");
	UI_RIG_PRESS(&r, 'R', KEYCODE_HOME, ' ');
	tap_int(r.ui.tags.n, 1, "SPACE again takes the tag away");
	r.rig.view.filter.text = "gamma";
	ui_rig_build(&r);
	tap_int(r.ui.tags.n, 1, "what a filter hides keeps its tag");
	r.rig.view.filter.text = NULL;
	ends = r.rig.sample[1].task[1];
	tap_int(ends->id, 20, "the tagged one");
	ends->dead = true;
	r.rig.sample[1].number++;
	ui_rig_build(&r);
	tap_int(r.ui.tags.n, 0, "ends, and its tag goes with it");
	UI_RIG_PRESS(&r, ' ', ' ', KEYCODE_CTRL_U);
	tap_int(r.ui.tags.n, 0, "Ctrl-U takes all away");
	ui_rig_done(&r);
}

static void test_sort_menu(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, 'o');
	tap_int(r.ui.panel, PANEL_SORT, "o: a list of what to sort by");
	tap_ok(ui_rig_shows(&r, "v cpu      %CPU     CPU usage"), "with ids and descriptions");
	tap_int(sort_menu_at(&r.rig.frame, r.ui.menu), 0, "begins at what sorts now");
	UI_RIG_PRESS(&r, 'R');
	tap_ok(ui_rig_shows(&r, "^ cpu"), "R reverses, and the list says so");
	UI_RIG_PRESS(&r, KEYCODE_UP, KEYCODE_UP);
	tap_int(r.ui.menu, 0, "UP leads to the first");
	UI_RIG_PRESS(&r, KEYCODE_END, KEYCODE_DOWN);
	tap_int(r.ui.menu, 3, "END to the last");
	tap_int(UI_RIG_PRESS(&r, KEYCODE_UP, KEYCODE_ENTER), REACT_PAINT | REACT_REBUILD,
		"Enter takes it");
	tap_int(r.rig.view.sort, 1, "the rows are sorted by it");
	tap_int(r.ui.panel, PANEL_NONE, "and the list is gone");
	UI_RIG_PRESS(&r, KEYCODE_F6, KEYCODE_UP, 'q');
	tap_int(r.rig.view.sort, 1, "q changes nothing");
	UI_RIG_PRESS(&r, 'U', 'o', KEYCODE_HOME, KEYCODE_DOWN, KEYCODE_ENTER);
	tap_int(r.rig.view.sort, SORT_USER, "the user is there where it is shown");
	ui_rig_done(&r);
}

/* The search works in the menu of sort columns as in the setup. */
static void test_sort_search(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, 'o', '/');
	ui_rig_type(&r, "RAN LAST");
	tap_int(r.ui.menu, 2, "the line that has the text in what it is, while it is typed");
	ui_rig_type(&r, "x");
	tap_ok(ui_rig_shows(&r, "no line has this"), "none: a sentence says so");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_int(r.ui.menu, 1, "ESC goes back");
	UI_RIG_PRESS(&r, '/', 'c', 'p', 'u', KEYCODE_ENTER);
	tap_int(r.ui.panel, PANEL_SORT, "Enter lets the search stand");
	UI_RIG_PRESS(&r, 'n');
	tap_int(r.ui.menu, 2, "n: the next one, CPU on which it ran last");
	UI_RIG_PRESS(&r, 'n');
	tap_int(r.ui.menu, 1, "from the start again");
	UI_RIG_PRESS(&r, 'N');
	tap_int(r.ui.menu, 2, "N: the one before");
	UI_RIG_PRESS(&r, KEYCODE_ENTER);
	tap_ok(r.ui.panel == PANEL_NONE && r.rig.view.sort == 1, "Enter takes it");
	UI_RIG_PRESS(&r, 'n');
	tap_ok(ui_rig_shows(&r, "there is no search"), "and the search has ended");
	ui_rig_done(&r);
}

/* Presses a key that acts on tasks. Checks that it requests to hold n tasks, and the request that
 * follows. */
static void held(struct ui_rig *r, int key, enum request_kind then, size_t n, const char *what)
{
	tap_int(UI_RIG_PRESS(r, key), REACT_PAINT | REACT_REQUEST, "%s: a request", what);
	tap_int(r->ui.ask.ready.kind, REQUEST_HOLD, "to hold tasks");
	tap_int(r->ui.ask.ready.then, then, "for what follows");
	tap_int(r->ui.n_tasks, n, "%zu of them", n);
	r->ui.ask.ready.kind = REQUEST_NONE;
}

static void test_tasks(void)
{
	struct ui_rig r;
	static const int acting[] = {'k', KEYCODE_F9, 'r', KEYCODE_F7, KEYCODE_F8, 'a', 'W'};

	begin(&r);
	held(&r, 'r', REQUEST_NICE, 1, "r");
	tap_ok(r.ui.tasks[0].id == 10 && r.ui.tasks[0].pid == 10 && r.ui.tasks[0].start_ns == 1 &&
		       r.ui.tasks[0].whole,
	       "the current row's process, with its start");
	held(&r, KEYCODE_F7, REQUEST_NICE_BY, 1, "F7");
	held(&r, 'a', REQUEST_CPUS, 1, "a");
	held(&r, 'k', REQUEST_KILL, 1, "k");
	tap_str(r.ui.ask.prompt.text, "10", "its pid is offered");
	UI_RIG_PRESS(&r, KEYCODE_ESC, KEYCODE_DOWN, ' ', KEYCODE_DOWN, ' ');
	held(&r, 'r', REQUEST_NICE, 2, "r with tags");
	tap_ok(r.ui.tasks[0].id == 20 && r.ui.tasks[1].id == 40,
	       "the tagged ones, not the current");
	held(&r, 'k', REQUEST_KILL, 2, "k with tags");
	tap_str(r.ui.ask.prompt.text, "15", "there is no pid to ask for");
	tap_int(UI_RIG_PRESS(&r, KEYCODE_ENTER), REACT_PAINT | REACT_REQUEST,
		"the signal is taken");
	tap_int(r.ui.ask.ready.kind, REQUEST_KILL_TAGGED, "for all that are tagged");
	r.ui.readonly = true;
	for (size_t i = 0; i < sizeof acting / sizeof *acting; i++) {
		tap_int(UI_RIG_PRESS(&r, acting[i]), REACT_PAINT,
			"--readonly: nothing is asked for");
		tap_ok(ui_rig_shows(&r, " does nothing: tiptop was started with --readonly"),
		       "and a sentence says why");
	}
	ui_rig_done(&r);
}

/* 10 is the parent of 20, which is idle and the parent of 30; the parent of 40 has no row. */
static void begin_family(struct ui_rig *r)
{
	static const struct rig_task task[] = {
		{.id = 10, .cpu_ns = 900000000},
		{.id = 20, .parent = 10},
		{.id = 30, .parent = 20, .cpu_ns = 700000000},
		{.id = 40, .parent = 7, .cpu_ns = 600000000},
		{.id = 50, .parent = 10, .dead = true, .cpu_ns = 1},
	};

	ui_rig_init(r, 60, 16);
	for (size_t i = 0; i < sizeof task / sizeof *task; i++)
		frame_rig_add(&r->rig, &task[i]);
}

static void test_family(void)
{
	struct ui_rig r;

	begin_family(&r);
	ui_rig_build(&r);
	UI_RIG_PRESS(&r, 'b');
	tap_int(r.ui.tags.n, 3, "b: the row and who descends from it, also through an idle one");
	tap_ok(ui_rig_shows(&r, "3 more are tagged, 3 now"), "a sentence says how many");
	tap_int(ui_rig_current(&r), 10, "the current row stays");
	UI_RIG_PRESS(&r, KEYCODE_DOWN, KEYCODE_DOWN, 'b');
	tap_int(r.ui.tags.n, 4, "another row is tagged, too");
	ui_rig_done(&r);

	begin_family(&r);
	r.rig.view.filter.pid = 10;
	ui_rig_build(&r);
	UI_RIG_PRESS(&r, 'b');
	tap_int(r.ui.tags.n, 1, "not those that a filter leaves out");
	ui_rig_done(&r);

	begin_family(&r);
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < r.rig.sample[k].n; i++)
			fact_remove(&r.rig.sample[k].task[i]->known, FACT_PPID);
	ui_rig_build(&r);
	tap_int(UI_RIG_PRESS(&r, 'b'), REACT_RECONFIGURE, "where parents were not read, they are");
	tap_ok(r.rig.view.parents && !r.ui.tags.n, "no task is tagged yet");
	for (size_t i = 0; i < r.rig.sample[1].n; i++)
		fact_add(&r.rig.sample[1].task[i]->known, FACT_PPID);
	r.rig.sample[1].number = 7;
	ui_rig_build(&r);
	tap_int(r.ui.tags.n, 3, "but then");
	ui_rig_done(&r);
}

static void test_follow(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, KEYCODE_DOWN, 'y', 'F');
	tap_ok(ui_rig_shows(&r, "[following 20]"),
	       "F: a word names the task that the current row follows");
	UI_RIG_PRESS(&r, 'R');
	tap_int(ui_rig_current(&r), 20, "it stays on the task, though it would keep its place");
	r.rig.view.cpu_min = 90;
	ui_rig_build(&r);
	tap_ok(r.rig.frame.n == 2 && ui_rig_current(&r) == 20, "which is shown though it is idle");
	UI_RIG_PRESS(&r, KEYCODE_UP, KEYCODE_DOWN);
	tap_ok(!r.ui.cursor.follows && !r.rig.view.follows, "a move ends it");
	r.rig.view.cpu_min = 0;
	ui_rig_build(&r);
	UI_RIG_PRESS(&r, 'F', '/', 't', 'a');
	tap_ok(!r.ui.cursor.follows && ui_rig_current(&r) == 20, "so does a search");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_ok(r.ui.cursor.follows && r.rig.view.follows && ui_rig_current(&r) == 40,
	       "unless it was not meant");
	UI_RIG_PRESS(&r, '/', 't', 'a', KEYCODE_ENTER, KEYCODE_UP, 'F', 'n');
	tap_ok(!r.ui.cursor.follows && !r.rig.view.follows && ui_rig_current(&r) == 20,
	       "and n, which goes to the next one that has its text");
	UI_RIG_PRESS(&r, KEYCODE_ESC, 'F', ' ');
	tap_ok(!r.ui.cursor.follows && !r.rig.view.follows, "and a tag, which goes on to the next");
	UI_RIG_PRESS(&r, 'F', KEYCODE_ESC);
	tap_ok(!r.ui.cursor.follows && !r.rig.view.follows, "so does ESC");
	UI_RIG_PRESS(&r, 'F');
	r.rig.view.filter.text = "nobody";
	ui_rig_build(&r);
	r.rig.view.filter.text = "gamma";
	ui_rig_build(&r);
	tap_ok(!r.ui.cursor.follows, "and so does a table without a row to follow");
	ui_rig_done(&r);
}

/* A row that is expanded at the end of the screen scrolls up, so that its children are visible. */
static void test_expand(void)
{
	static const struct rig_task task[] = {
		{.id = 10, .cpu_ns = 900000000},
		{.id = 20, .cpu_ns = 800000000},
		{.id = 21, .parent = 20, .cpu_ns = 300000000},
		{.id = 22, .parent = 20, .cpu_ns = 200000000},
		{.id = 23, .parent = 22, .cpu_ns = 100000000},
		{.id = 30, .cpu_ns = 10000000},
	};
	struct collapse collapse = {.all = false};
	struct ui_rig r;

	for (int height = 4; height <= 6; height++) {
		ui_rig_init(&r, 60, height);
		r.rig.view.collapse = &collapse;
		r.rig.view.tree = true;
		for (size_t i = 0; i < sizeof task / sizeof *task; i++)
			frame_rig_add(&r.rig, &task[i]);
		ui_rig_build(&r);
		UI_RIG_PRESS(&r, KEYCODE_DOWN, '-');
		r.ui.rows.top = 0;
		ui_rig_build(&r);
		tap_int(r.rig.frame.n, 3, "height %d: the row is collapsed", height);
		UI_RIG_PRESS(&r, '+');
		tap_int(ui_rig_current(&r), 20, "expanded, it stays the current one");
		tap_int(r.ui.rows.top, r.ui.rows.page < 4 ? 1 : 5 - r.ui.rows.page,
			"and goes up as far as what is below it needs");
		UI_RIG_PRESS(&r, KEYCODE_UP, KEYCODE_UP);
		tap_int(r.ui.rows.top, 0, "only then");
		ui_rig_done(&r);
	}
	collapse_done(&collapse);
}

/* This rig does not build groups: a row is made to look like one. */
static void test_members(void)
{
	struct ui_rig r;
	struct task group = {
		.kind = group_key_table[GROUP_PROGRAM].kind, .name = "gamma", .process = "gamma"};
	struct frame_row row = {.task = &group, .label = "1"};
	struct frame groups;

	begin(&r);
	tap_int(UI_RIG_PRESS(&r, KEYCODE_ENTER), REACT_REBUILD, "Enter on a task opens its page");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_int(UI_RIG_PRESS(&r, KEYCODE_BACKSPACE), REACT_PAINT, "Backspace says what it is for");
	UI_RIG_PRESS(&r, '/', 'm', KEYCODE_ENTER, KEYCODE_DOWN);
	tap_ok(ui_rig_shows(&r, "q quit  n N next match"), "a search names its keys");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_ok(!ui_rig_shows(&r, "next match"), "which go with it");
	tap_ok(!ui_rig_shows(&r, "Backspace"), "there is no group to go back to");
	r.rig.view.group = GROUP_PROGRAM;
	paint_screen(&r.canvas, &r.ui, &r.rig.frame, &r.info);
	tap_ok(ui_rig_shows(&r, "q quit  Enter members"), "where rows are groups, their members");
	groups = r.rig.frame;
	groups.row = &row;
	groups.n = 1;
	groups.kind = group.kind;
	r.ui.frame = &groups;
	cursor_put(&r.ui.cursor, &groups, 0);
	tap_ok(keys_apply(&r.ui, &r.rig.view, &r.screens, KEYCODE_ENTER) & REACT_REBUILD,
	       "Enter on a group rebuilds");
	group.name = "another";
	ui_rig_build(&r);
	tap_ok(r.rig.frame.n == 1 && ui_rig_current(&r) == 30, "its members are listed");
	tap_ok(ui_rig_shows(&r, "[in program gamma]"), "and the title says so");
	tap_ok(ui_rig_shows(&r, "q quit  Backspace groups"), "and the footer, how to go back");
	tap_int(r.rig.view.group, GROUP_PROCESS, "one by one");
	tap_ok(UI_RIG_PRESS(&r, KEYCODE_ESC) & REACT_REBUILD, "ESC goes back");
	tap_ok(r.rig.view.group == GROUP_PROGRAM && !r.rig.view.only_key, "to the groups");
	tap_ok(r.ui.cursor.held, "and to the row of the group");
	r.rig.view.only_key = GROUP_PROGRAM;
	UI_RIG_PRESS(&r, 'g');
	tap_int(r.rig.view.only_key, GROUP_PROCESS, "g leaves the members, too");
	ui_rig_done(&r);
}

/* Panels that are opened from the page of a row lead back to it, and explain its row. */
static void test_panels_above_page(void)
{
	static const int opens[] = {'x', 'e', 'o', 'V', 'h'};
	struct ui_rig r;

	ui_rig_init(&r, 80, 24);
	for (uint64_t id = 1; id <= 3; id++)
		frame_rig_add(&r.rig, &(struct rig_task){.id = id,
							 .name = id == 2 ? "second" : "other",
							 .cpu_ns = 1000000 * (4 - id)});
	ui_rig_build(&r);
	UI_RIG_PRESS(&r, KEYCODE_DOWN, '=', KEYCODE_HOME);
	for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
		UI_RIG_PRESS(&r, opens[i]);
		tap_ok(r.ui.panel != PANEL_PAGE && r.rig.view.page.id == 2,
		       "%c covers the page, which stays", opens[i]);
		UI_RIG_PRESS(&r, 'q');
		tap_int(r.ui.panel, PANEL_PAGE, "closing leads back to it");
	}
	UI_RIG_PRESS(&r, 'x');
	tap_ok(ui_rig_shows(&r, "2 second, the row of the page"), "its row is explained");
	UI_RIG_PRESS(&r, 'h', 'q', 'x');
	tap_int(r.ui.panel, PANEL_PAGE, "also after the help");
	UI_RIG_PRESS(&r, 'q');
	tap_ok(!r.ui.panel && !r.rig.view.page.kind, "closing the page ends it");
	UI_RIG_PRESS(&r, 'x', 'q');
	tap_int(r.ui.panel, PANEL_NONE, "a panel that is opened from the table leads back to that");
	ui_rig_done(&r);
}

int main(void)
{
	test_search();
	test_search_waits();
	test_arguments();
	test_where();
	test_marks();
	test_tags();
	test_sort_menu();
	test_sort_search();
	test_tasks();
	test_family();
	test_follow();
	test_members();
	test_expand();
	test_panels_above_page();
	return tap_done();
}
