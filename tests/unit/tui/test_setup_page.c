/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The setup page: its contents, and the changes that its keys request. */
#include "setup_rig.h"
#include "tui/key.h"

/* Compares the headers of the screen's columns with want. */
static void check(struct setup_rig *p, const char *want, const char *what)
{
	const struct screen *s = p->rig.screens.v[0];
	char got[256] = "";

	for (size_t i = 0; i < s->n_columns; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s|", s->column[i].header);
	tap_str(got, want, "%s", what);
}

static void test_choose(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 10);
	tap_int(setup_rig_press(&p, 'C'), REACT_REQUEST | REACT_PAINT,
		"C lists the columns to choose from");
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_SETUP, "of the loop");
	tap_ok(ui_rig_shows(&p.rig, "* %CPU                      CPU usage") &&
		       ui_rig_shows(&p.rig, "  XS              other     What x is") &&
		       ui_rig_shows(&p.rig, "  NICE            facts     Nice value") &&
		       !strstr(p.rig.ui.ask.text, "The same"),
	       "it shows the screen's own columns, and others");
	setup_rig_press(&p, KEYCODE_END);
	tap_int((long)p.rig.ui.menu, 3, "what the screen has is not there twice");
	tap_int(setup_rig_press(&p, KEYCODE_ENTER), REACT_REQUEST | REACT_PAINT,
		"Enter takes a column");
	check(&p, " %CPU|  P|NICE|", "behind the others");
	tap_int((long)p.rig.ui.menu, 2, "and goes there");
	setup_rig_press(&p, '<');
	check(&p, " %CPU|NICE|  P|", "< moves it to the left");
	setup_rig_press(&p, '>');
	setup_rig_press(&p, '>');
	check(&p, " %CPU|  P|NICE|", "> to the right, and not beyond the end");
	setup_rig_press(&p, ' ');
	check(&p, " %CPU|  P|NICE|", "SPACE takes none away");
	setup_rig_press(&p, KEYCODE_ENTER);
	check(&p, " %CPU|  P|NICE|", "nor does Enter");
	tap_ok(ui_rig_shows(&p.rig, "Delete takes it away"), "which says what does");
	setup_rig_press(&p, KEYCODE_DELETE);
	check(&p, " %CPU|  P|", "Delete does");
	setup_rig_press(&p, KEYCODE_END);
	setup_rig_press(&p, '-');
	check(&p, " %CPU|  P|", "- does not take away what is not there");
	setup_rig_press(&p, KEYCODE_HOME);
	setup_rig_press(&p, '-');
	check(&p, "  P|", "but what is");
	setup_rig_press(&p, KEYCODE_HOME);
	setup_rig_press(&p, '-');
	check(&p, "  P|", "the last one stays");
	setup_rig_end(&p);
}

/* / finds a column by its name, its id or its description. Headings are not found. */
static void test_search(void)
{
	struct setup_rig p;
	struct screen *facts;

	setup_rig_begin(&p, 80, 24);
	facts = p.choices.v[1];
	screen_add_column(facts, "RES", "%6h", "Memory in RAM", "RSS_KB")->id = xstrdup("held");
	topic_set(p.choices.v[0]);
	topic_set(facts);
	setup_rig_press(&p, 'C');
	tap_ok(ui_rig_shows(&p.rig, "\nWaiting and scheduling\n  NICE") &&
		       ui_rig_shows(&p.rig, "\nMemory and page faults\n  RES") &&
		       ui_rig_shows(&p.rig, "\nCounters of other\n  XS"),
	       "columns stand below what they are about");
	tap_ok(ui_rig_shows(&p.rig, "%CPU, id cpu, of rig; unit %: parts of a hundred") &&
		       ui_rig_shows(&p.rig, "\nCPU usage\n= CPU_TOT\n"),
	       "the unit and the meaning of the current one are below");
	for (int i = 0; i < 4; i++)
		setup_rig_press(&p, KEYCODE_DOWN);
	tap_ok(ui_rig_shows(&p.rig, "XS, of other\nWhat x is\n= delta(x)"),
	       "keys pass over headings");
	setup_rig_press(&p, '/');
	setup_rig_type(&p, "MEM");
	tap_ok(ui_rig_shows(&p.rig, "RES, id held, of facts"), "by what it means, behind the last");
	setup_rig_press(&p, KEYCODE_ESC);
	tap_ok(ui_rig_shows(&p.rig, "XS, of other") && p.rig.ui.panel == PANEL_SETUP,
	       "ESC goes back to where it began");
	setup_rig_press(&p, '/');
	setup_rig_type(&p, "cpu");
	setup_rig_press(&p, KEYCODE_DOWN);
	tap_int((long)p.rig.ui.menu, 1, "DOWN goes to the next one while it is typed");
	setup_rig_press(&p, KEYCODE_UP);
	tap_int((long)p.rig.ui.menu, 0, "UP to the one before");
	setup_rig_type(&p, "?");
	tap_ok(ui_rig_shows(&p.rig, "no line has this"), "none: a sentence says so");
	ui_rig_build(&p.rig);
	tap_ok(ui_rig_shows(&p.rig, "no line has this"), "and stays when the screen is repainted");
	setup_rig_press(&p, KEYCODE_CTRL_U);
	setup_rig_type(&p, "held");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&p.rig, "RES, id held"), "by its id; Enter lets the search stand");
	check(&p, " %CPU|  P|", "and takes nothing");
	tap_int(p.rig.canvas.cell[19 * 80 + 8].laid, LOOK_MATCH, "the text is marked");
	setup_rig_press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.panel, PANEL_SETUP, "ESC ends the search");
	setup_rig_press(&p, 'n');
	tap_ok(ui_rig_shows(&p.rig, "there is no search here"), "which stands no more");
	setup_rig_press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.panel, PANEL_NONE, "then it closes the page");
	setup_rig_end(&p);
}

/* A name is found before descriptions and expressions that stand above it. */
static void test_search_names(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 24);
	screen_add_column(p.choices.v[1], "SUM", "%6h", "of RES and SWAP", "RSS_KB");
	screen_add_column(p.choices.v[1], "RES", "%6h", "Memory in RAM", "RSS_KB");
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, '/');
	setup_rig_type(&p, "res");
	tap_ok(ui_rig_shows(&p.rig, "RES, of facts"), "the name, not what comes first");
	setup_rig_press(&p, KEYCODE_UP);
	tap_ok(ui_rig_shows(&p.rig, "SUM, of facts"), "a step goes to what only describes it");
	setup_rig_press(&p, KEYCODE_CTRL_U);
	setup_rig_type(&p, "swap");
	tap_ok(ui_rig_shows(&p.rig, "SUM, of facts"), "a description, where no name has it");
	setup_rig_end(&p);
}

/* n and N go to the next and previous match while a search is active. */
static void test_search_steps(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 24);
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, '/');
	setup_rig_type(&p, "cpu");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_int((long)p.rig.ui.menu, 0, "the first one");
	setup_rig_press(&p, 'n');
	tap_int((long)p.rig.ui.menu, 1, "n: the next");
	setup_rig_press(&p, 'n');
	tap_int((long)p.rig.ui.menu, 0, "the first follows the last");
	setup_rig_press(&p, 'N');
	tap_int((long)p.rig.ui.menu, 1, "N: the one before");
	setup_rig_press(&p, KEYCODE_TAB);
	setup_rig_press(&p, KEYCODE_TAB);
	setup_rig_press(&p, '/');
	setup_rig_type(&p, "number");
	tap_ok(ui_rig_shows(&p.rig, "number: 1; default: 2\na number"), "an option, too");
	setup_rig_end(&p);
}

/* Letters typed without / change nothing, on any pane. */
static void test_letters(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 24);
	for (int pane = 0; pane < N_SETUP_PANES; pane++)
		for (int key = 'A'; key <= 'z'; key++) {
			const size_t changes = p.rig.ui.setup.n;

			if (p.rig.ui.panel != PANEL_SETUP) {
				p.rig.ui.panel = PANEL_NONE;
				setup_rig_press(&p, 'C');
				p.rig.ui.setup.pane = (enum setup_pane)pane;
			}
			setup_rig_press(&p, key);
			tap_int((long)p.rig.ui.setup.n, (long)changes,
				"pane %d: %c changes nothing", pane, key);
			if (ask_takes_keys(&p.rig.ui.ask))
				setup_rig_press(&p, KEYCODE_ESC);
		}
	check(&p, " %CPU|  P|", "the columns are as they were");
	setup_rig_end(&p);
}

static void test_undo(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 10);
	setup_rig_press(&p, KEYCODE_F1 + 1);
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	tap_ok(ui_rig_shows(&p.rig, "there is no change to undo"), "nothing to undo");
	setup_rig_press(&p, '>');
	setup_rig_press(&p, KEYCODE_END);
	setup_rig_press(&p, KEYCODE_ENTER);
	check(&p, "  P| %CPU|NICE|", "two changes");
	p.refuses = true;
	setup_rig_press(&p, '<');
	check(&p, "  P| %CPU|NICE|", "one that is refused is none");
	p.refuses = false;
	setup_rig_press(&p, KEYCODE_ESC);
	tap_ok(ui_rig_shows(&p.rig, "2 changes hold until tiptop ends: W writes all; F2, Backspace "
				    "undoes the last"),
	       "ESC says what is not written yet");
	tap_int(p.rig.ui.panel, PANEL_NONE, "and closes the page");
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	check(&p, "  P| %CPU|", "Backspace takes one back");
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	check(&p, " %CPU|  P|", "and the other");
	setup_rig_press(&p, 'q');
	tap_ok(!ask_takes_keys(&p.rig.ui.ask) && p.rig.ui.ask.mode == ASK_NOTHING,
	       "then there is nothing to be said");
	setup_rig_end(&p);
}

static void test_own(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 12);
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, '+');
	setup_rig_type(&p, "TEN = bad");
	tap_ok(ui_rig_shows(&p.rig, "Column (NAME = expression): TEN = bad "),
	       "+ asks for a column");
	tap_ok(ui_rig_shows(&p.rig, "column 11: 'bad' is bad"),
	       "what is wrong has its place in what is typed");
	setup_rig_press(&p, KEYCODE_ENTER);
	check(&p, " %CPU|  P|", "and is not taken");
	setup_rig_press(&p, KEYCODE_CTRL_U);
	setup_rig_type(&p, "TEN = 10 * CPU_TOT ");
	tap_ok(ui_rig_shows(&p.rig, "TEN of 7\n"), "what it would show is told");
	setup_rig_press(&p, KEYCODE_ENTER);
	check(&p, " %CPU|  P|TEN|", "Enter adds it");
	tap_str(p.rig.screens.v[0]->column[2].text, "10 * CPU_TOT", "with its expression");
	setup_rig_press(&p, 'x');
	tap_str(p.rig.ui.ask.prompt.text, "TEN = 10 * CPU_TOT", "x changes it");
	setup_rig_type(&p, " + delta(x)");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_str(p.rig.screens.v[0]->column[2].text, "10 * CPU_TOT + delta(x)", "as typed");
	tap_int((long)p.rig.screens.v[0]->n_counters, 1,
		"a counter of another screen comes with it");
	setup_rig_press(&p, '+');
	setup_rig_type(&p, "10");
	tap_ok(ui_rig_shows(&p.rig, "a column is NAME = EXPRESSION"), "without a name it is none");
	setup_rig_press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.panel, PANEL_SETUP, "ESC forgets the question, not the page");
	setup_rig_end(&p);
}

/* The pane of options. */
static void test_options(void)
{
	struct setup_rig p;
	const struct setting *s;

	setup_rig_begin(&p, 80, 10);
	s = p.settings.v;
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_TAB);
	setup_rig_press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(
		       &p.rig,
		       "  colour          red            from the next start on: the colour") &&
		       ui_rig_shows(&p.rig, "* number          1              a number"),
	       "options with their values; those that differ are marked");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_str(s[0].value, "blue", "Enter goes on to the next, and from the last to the first");
	tap_ok(ui_rig_shows(&p.rig, "* colour          blue"), "which is shown");
	setup_rig_press(&p, '<');
	tap_str(s[0].value, "red", "< goes back");
	setup_rig_press(&p, '<');
	tap_str(s[0].value, "green", "by one");
	setup_rig_press(&p, '-');
	tap_str(s[0].value, "red", "- gives it its default");
	setup_rig_press(&p, KEYCODE_DOWN);
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&p.rig, "Value: 1"), "a number is asked for");
	setup_rig_type(&p, "7.5");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_str(s[1].value, "7.5", "and taken");
	for (int i = 0; i < 5; i++)
		setup_rig_press(&p, KEYCODE_BACKSPACE);
	tap_ok(!strcmp(s[0].value, "red") && !strcmp(s[1].value, "1"), "all are taken back");
	check(&p, " %CPU|  P|", "no column has changed");
	setup_rig_press(&p, KEYCODE_TAB);
	setup_rig_press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(&p.rig, "* %CPU  "), "Tab goes back to the columns");
	setup_rig_press(&p, KEYCODE_LEFT);
	setup_rig_press(&p, KEYCODE_LEFT);
	tap_ok(ui_rig_shows(&p.rig, "* number"), "LEFT goes the other way");
	setup_rig_end(&p);
}

/* Quitting with unsaved changes asks first. */
static void test_quit(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 90, 12);
	tap_ok(setup_rig_press(&p, 'q') & REACT_QUIT, "without a change, q quits");
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_END);
	setup_rig_press(&p, KEYCODE_ENTER);
	setup_rig_press(&p, 'q');
	tap_ok(!(setup_rig_press(&p, 'q') & REACT_QUIT) &&
		       ui_rig_shows(&p.rig, "1 change in the setup, not written: write and quit "
					    "(w), quit (q), stay (ESC)?"),
	       "with one, it asks");
	setup_rig_press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_NONE, "ESC stays");
	setup_rig_press(&p, 'q');
	setup_rig_press(&p, 'w');
	tap_ok(ui_rig_shows(&p.rig, "Write the configuration to:"), "w asks where to");
	setup_rig_press(&p, 'f');
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_ok(p.rig.ui.ask.ready.kind == REQUEST_WRITE && p.rig.ui.ask.ready.then == REQUEST_QUIT,
	       "and quits then");
	p.rig.ui.ask.ready.kind = REQUEST_NONE;
	setup_rig_press(&p, 'q');
	setup_rig_press(&p, 'q');
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_QUIT, "q quits nevertheless");
	p.rig.ui.ask.ready.kind = REQUEST_NONE;
	p.rig.ui.readonly = true;
	tap_ok(setup_rig_press(&p, 'q') & REACT_QUIT,
	       "without permission to write there is no question");
	setup_rig_end(&p);
}

/* Returns the value of the option for the parts of the screen. */
static const char *layout_of(const struct setup_rig *p)
{
	return p->settings.v[2].value;
}

/* Hiding and showing parts sets the option accordingly. */
static void test_parts(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 12);
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_LEFT);
	tap_ok(ui_rig_shows(&p.rig, "* title     how long") && ui_rig_shows(&p.rig, "* footer"),
	       "all parts are there");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_str(layout_of(&p), "meters,tasks,tabs,note,total,footer", "Enter hides one");
	tap_ok(ui_rig_shows(&p.rig, "  title     how long"), "which has no mark any more");
	setup_rig_press(&p, '-');
	tap_str(layout_of(&p), "meters,tasks,tabs,note,total,footer", "- only hides");
	setup_rig_press(&p, KEYCODE_DOWN);
	setup_rig_press(&p, '-');
	tap_str(layout_of(&p), "tasks,tabs,note,total,footer", "as this one");
	setup_rig_press(&p, KEYCODE_UP);
	setup_rig_press(&p, ' ');
	tap_str(layout_of(&p), "title,tasks,tabs,note,total,footer", "SPACE shows it again");
	setup_rig_press(&p, '>');
	tap_ok(ui_rig_shows(&p.rig, "parts keep their order"), "their order stays");
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	setup_rig_press(&p, KEYCODE_BACKSPACE);
	tap_str(layout_of(&p), "auto", "all are taken back");
	tap_int((long)p.rig.rig.view.hidden, PARTS_AUTO, "and nothing is hidden");
	setup_rig_press(&p, ' ');
	setup_rig_press(&p, ' ');
	tap_str(layout_of(&p), "full", "what is shown again is there on a low screen, too");
	setup_rig_end(&p);
}

/* On small and large screens, the current line is visible. */
static void test_sizes(void)
{
	static const int size[][2] = {{1, 1}, {20, 5}, {40, 8}, {80, 24}, {200, 60}};
	struct setup_rig p;

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		setup_rig_begin(&p, size[i][0], size[i][1]);
		setup_rig_press(&p, 'C');
		setup_rig_press(&p, KEYCODE_END);
		tap_ok(i == 0 || ui_rig_shows(&p.rig, "  NICE"), "%d columns, %d lines", size[i][0],
		       size[i][1]);
		setup_rig_end(&p);
	}
}

/* The help of the page lists the keys of the page. */
static void test_help(void)
{
	struct setup_rig p;

	setup_rig_begin(&p, 80, 40);
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, 'h');
	tap_ok(ui_rig_shows(&p.rig, "take the column into the screen;") &&
		       ui_rig_shows(&p.rig, "Delete -    take the column away") &&
		       ui_rig_shows(&p.rig, "add a column of your own"),
	       "the keys of the page");
	setup_rig_end(&p);
}

int main(void)
{
	test_choose();
	test_search();
	test_search_names();
	test_search_steps();
	test_letters();
	test_undo();
	test_own();
	test_quit();
	test_options();
	test_parts();
	test_sizes();
	test_help();
	return tap_done();
}
