/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of the setup: what it shows, and what its keys want of the loop. */
#include <errno.h>

#include "base/mem.h"
#include "ui_rig.h"
#include "view/parts.h"

/* Stands for the loop: puts the screen into its place, as app/change.c does. */
struct page_rig {
	struct ui_rig rig;
	struct screen_list choices, gone;
	struct setup_trial trial;
	struct setting_list settings;
	bool refuses; /* changes */
};

static const char *colours[] = {"blue", "green", "red"};

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static int try(void *context, const struct screen *declared, size_t column,
	       const struct frame *frame, const struct frame_row *row, struct strbuf *out,
	       struct err *err)
{
	(void)context;
	(void)frame;
	if (strstr(declared->column[column].text, "bad"))
		return err_set(err, EINVAL, "column 5: 'bad' is bad");
	strbuf_addf(out, "%s of %ld", declared->column[column].header, (long)row->task->id);
	return 0;
}

static void obey(struct page_rig *p)
{
	struct setup_page *page = &p->rig.ui.setup;
	struct screen **place, *new, *before;

	if (p->rig.ui.ask.ready.kind != REQUEST_CHANGE)
		return;
	p->rig.ui.ask.ready.kind = REQUEST_NONE;
	if (p->refuses) {
		setup_page_changed(page, false);
		return;
	}
	if (!page->wanted.screen) {
		for (size_t i = 0; i < p->settings.n; i++)
			if (!strcmp(p->settings.v[i].name, page->wanted.option)) {
				char *old = p->settings.v[i].value;

				p->settings.v[i].value = page->wanted.value;
				page->wanted.value = old;
				if (!strcmp(page->wanted.option, "layout"))
					parts_parse(p->settings.v[i].value, &p->rig.rig.view.hidden,
						    NULL);
			}
		setup_page_changed(page, true);
		return;
	}
	place = &p->rig.screens.v[page->wanted.index];
	before = screen_copy((*place)->declared ? (*place)->declared : *place);
	new = screen_copy(page->wanted.screen);
	tap_int(screen_compile(new, report, NULL, NULL), 0, "the screen compiles");
	new->declared = page->wanted.screen;
	page->wanted.screen = before;
	setup_page_changed(page, true);
	screen_list_add(&p->gone, *place);
	*place = new;
	p->rig.rig.screen = new;
}

static void begin(struct page_rig *p, int width, int height)
{
	struct screen *other = screen_new("other", NULL), *facts = screen_new("facts", NULL);

	memset(p, 0, sizeof *p);
	ui_rig_init(&p->rig, width, height);
	screen_add_counter(other, "x", "", NULL)->event = xstrdup("cycles");
	screen_add_column(other, "XS", "%5.1f", "What x is", "delta(x)");
	screen_add_column(other, "  P", "%3.0f", "The same as in the screen", "PROC_ID");
	screen_add_column(facts, "NICE", "%4.0f", "Nice value", "NICE");
	screen_list_add(&p->choices, other);
	screen_list_add(&p->choices, facts);
	p->settings.v = xcalloc(3, sizeof *p->settings.v);
	p->settings.v[0] = (struct setting){
		"colour", "the colour", xstrdup("red"), xstrdup("red"), colours, 3, true};
	p->settings.v[1] =
		(struct setting){"number", "a number", xstrdup("1"), xstrdup("2"), NULL, 0, false};
	p->settings.v[2] = (struct setting){
		"layout", "the parts", xstrdup("full"), xstrdup("full"), NULL, 0, false};
	p->settings.n = 3;
	p->rig.ui.setup.settings = &p->settings;
	p->trial.value = try;
	p->rig.ui.setup.choices = &p->choices;
	p->rig.ui.setup.trial = &p->trial;
	frame_rig_set_events(&p->rig.rig, 2);
	frame_rig_add(&p->rig.rig, &(struct rig_task){.id = 7, .name = "seven", .cpu_ns = 1000000});
	ui_rig_build(&p->rig);
}

static void end(struct page_rig *p)
{
	ui_rig_done(&p->rig);
	screen_list_done(&p->choices);
	screen_list_done(&p->gone);
	for (size_t i = 0; i < p->settings.n; i++) {
		free(p->settings.v[i].value);
		free(p->settings.v[i].usual);
	}
	free(p->settings.v);
}

static unsigned press(struct page_rig *p, int key)
{
	unsigned reactions = keys_apply(&p->rig.ui, &p->rig.rig.view, &p->rig.screens, key);

	obey(p);
	ui_rig_build(&p->rig);
	return reactions;
}

static void type(struct page_rig *p, const char *text)
{
	for (; *text; text++)
		press(p, (unsigned char)*text);
}

/* The columns of the screen. */
static void check(struct page_rig *p, const char *want, const char *what)
{
	const struct screen *s = p->rig.screens.v[0];
	char got[256] = "";

	for (size_t i = 0; i < s->n_columns; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s|", s->column[i].header);
	tap_str(got, want, "%s", what);
}

static void test_choose(void)
{
	struct page_rig p;

	begin(&p, 80, 10);
	tap_int(press(&p, 'C'), REACT_REQUEST | REACT_PAINT, "C asks what there is to choose from");
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_SETUP, "of the loop");
	tap_ok(ui_rig_shows(&p.rig, "* %CPU                      CPU usage") &&
		       ui_rig_shows(&p.rig, "  XS              other     What x is") &&
		       ui_rig_shows(&p.rig, "  NICE            facts     Nice value") &&
		       !strstr(p.rig.ui.ask.text, "The same"),
	       "it shows the screen's own columns, and others");
	press(&p, KEYCODE_END);
	tap_int((long)p.rig.ui.menu, 3, "what the screen has is not there twice");
	tap_int(press(&p, KEYCODE_ENTER), REACT_REQUEST | REACT_PAINT, "Enter takes a column");
	check(&p, " %CPU|  P|NICE|", "behind the others");
	tap_int((long)p.rig.ui.menu, 2, "and goes there");
	press(&p, '<');
	check(&p, " %CPU|NICE|  P|", "< moves it to the left");
	press(&p, '>');
	press(&p, '>');
	check(&p, " %CPU|  P|NICE|", "> to the right, and not beyond the end");
	press(&p, ' ');
	check(&p, " %CPU|  P|", "SPACE takes it away");
	press(&p, '-');
	check(&p, " %CPU|  P|", "- does not take away what is not there");
	press(&p, KEYCODE_HOME);
	press(&p, '-');
	check(&p, "  P|", "but what is");
	press(&p, KEYCODE_HOME);
	press(&p, '-');
	check(&p, "  P|", "the last one stays");
	end(&p);
}

static void test_undo(void)
{
	struct page_rig p;

	begin(&p, 80, 10);
	press(&p, KEYCODE_F1 + 1);
	press(&p, KEYCODE_BACKSPACE);
	tap_ok(ui_rig_shows(&p.rig, "there is no change to be taken back"), "nothing to undo");
	press(&p, '>');
	press(&p, KEYCODE_END);
	press(&p, KEYCODE_ENTER);
	check(&p, "  P| %CPU|NICE|", "two changes");
	p.refuses = true;
	press(&p, '<');
	check(&p, "  P| %CPU|NICE|", "one that is refused is none");
	p.refuses = false;
	press(&p, KEYCODE_ESC);
	tap_ok(ui_rig_shows(&p.rig, "2 changes hold until tiptop ends: W writes"),
	       "ESC says what is not written yet");
	tap_int(p.rig.ui.panel, PANEL_NONE, "and closes the page");
	press(&p, 'C');
	press(&p, KEYCODE_BACKSPACE);
	check(&p, "  P| %CPU|", "Backspace takes one back");
	press(&p, KEYCODE_BACKSPACE);
	check(&p, " %CPU|  P|", "and the other");
	press(&p, 'q');
	tap_ok(!ask_takes_keys(&p.rig.ui.ask) && p.rig.ui.ask.mode == ASK_NOTHING,
	       "then there is nothing to be said");
	end(&p);
}

static void test_own(void)
{
	struct page_rig p;

	begin(&p, 80, 12);
	press(&p, 'C');
	press(&p, '+');
	type(&p, "TEN = bad");
	tap_ok(ui_rig_shows(&p.rig, "Column (NAME = expression): TEN = bad\n"),
	       "+ asks for a column");
	tap_ok(ui_rig_shows(&p.rig, "column 11: 'bad' is bad"),
	       "what is wrong has its place in what is typed");
	press(&p, KEYCODE_ENTER);
	check(&p, " %CPU|  P|", "and is not taken");
	press(&p, KEYCODE_CTRL_U);
	type(&p, "TEN = 10 * CPU_TOT ");
	tap_ok(ui_rig_shows(&p.rig, "TEN of 7\n"), "what it would show is told");
	press(&p, KEYCODE_ENTER);
	check(&p, " %CPU|  P|TEN|", "Enter adds it");
	tap_str(p.rig.screens.v[0]->column[2].text, "10 * CPU_TOT", "with its expression");
	press(&p, 'x');
	tap_str(p.rig.ui.ask.prompt.text, "TEN = 10 * CPU_TOT", "x changes it");
	type(&p, " + delta(x)");
	press(&p, KEYCODE_ENTER);
	tap_str(p.rig.screens.v[0]->column[2].text, "10 * CPU_TOT + delta(x)", "as typed");
	tap_int((long)p.rig.screens.v[0]->n_counters, 1,
		"a counter of another screen comes with it");
	press(&p, '+');
	type(&p, "10");
	tap_ok(ui_rig_shows(&p.rig, "a column is NAME = EXPRESSION"), "without a name it is none");
	press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.panel, PANEL_SETUP, "ESC forgets the question, not the page");
	end(&p);
}

/* The other half of the page. */
static void test_options(void)
{
	struct page_rig p;
	const struct setting *s;

	begin(&p, 80, 10);
	s = p.settings.v;
	press(&p, 'C');
	press(&p, KEYCODE_TAB);
	press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(
		       &p.rig,
		       "  colour          red            from the next start on: the colour") &&
		       ui_rig_shows(&p.rig, "* number          1              a number"),
	       "options with their values; those that differ are marked");
	press(&p, KEYCODE_ENTER);
	tap_str(s[0].value, "blue", "Enter goes on to the next, and from the last to the first");
	tap_ok(ui_rig_shows(&p.rig, "* colour          blue"), "which is shown");
	press(&p, '<');
	tap_str(s[0].value, "red", "< goes back");
	press(&p, '<');
	tap_str(s[0].value, "green", "by one");
	press(&p, '-');
	tap_str(s[0].value, "red", "- gives it its default");
	press(&p, KEYCODE_DOWN);
	press(&p, KEYCODE_ENTER);
	tap_ok(ui_rig_shows(&p.rig, "Value: 1"), "a number is asked for");
	type(&p, "7.5");
	press(&p, KEYCODE_ENTER);
	tap_str(s[1].value, "7.5", "and taken");
	for (int i = 0; i < 5; i++)
		press(&p, KEYCODE_BACKSPACE);
	tap_ok(!strcmp(s[0].value, "red") && !strcmp(s[1].value, "1"), "all are taken back");
	check(&p, " %CPU|  P|", "no column has changed");
	press(&p, KEYCODE_TAB);
	press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(&p.rig, "* %CPU  "), "Tab goes back to the columns");
	press(&p, KEYCODE_LEFT);
	press(&p, KEYCODE_LEFT);
	tap_ok(ui_rig_shows(&p.rig, "* number"), "LEFT goes the other way");
	end(&p);
}

/* Who quits is asked about what would be lost. */
static void test_quit(void)
{
	struct page_rig p;

	begin(&p, 90, 12);
	tap_ok(press(&p, 'q') & REACT_QUIT, "without a change, q quits");
	press(&p, 'C');
	press(&p, KEYCODE_END);
	press(&p, KEYCODE_ENTER);
	press(&p, 'q');
	tap_ok(!(press(&p, 'q') & REACT_QUIT) &&
		       ui_rig_shows(&p.rig, "1 change in the setup, not written: write (w)"),
	       "with one, it asks");
	press(&p, KEYCODE_ESC);
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_NONE, "ESC stays");
	press(&p, 'q');
	press(&p, 'w');
	tap_ok(ui_rig_shows(&p.rig, "Write the configuration to:"), "w asks where to");
	press(&p, KEYCODE_ESC);
	press(&p, 'q');
	press(&p, 'q');
	tap_int(p.rig.ui.ask.ready.kind, REQUEST_QUIT, "q quits nevertheless");
	p.rig.ui.ask.ready.kind = REQUEST_NONE;
	p.rig.ui.readonly = true;
	tap_ok(press(&p, 'q') & REACT_QUIT, "who may not write is not asked");
	end(&p);
}

/* What the option for the order of screens would say, without the loop that does it. */
static const char *order_wanted(struct page_rig *p, int key)
{
	static char text[128];
	struct setup_change *wanted = &p->rig.ui.setup.wanted;

	keys_apply(&p->rig.ui, &p->rig.rig.view, &p->rig.screens, key);
	snprintf(text, sizeof text, "%s", wanted->option ? wanted->value : "nothing");
	setup_page_changed(&p->rig.ui.setup, false);
	p->rig.ui.ask.ready.kind = REQUEST_NONE;
	ui_rig_build(&p->rig);
	return text;
}

static struct screen *add_screen(struct screen_list *l, const char *name, size_t place)
{
	struct screen *s = screen_new(name, NULL);

	s->place = place;
	screen_list_add(l, s);
	return s;
}

/* rig a b, and c without a tab; x is not for this machine. */
static void test_screens(void)
{
	struct screen_list hidden = SCREEN_LIST_INIT;
	struct screen *a, *b;
	struct page_rig p;

	begin(&p, 90, 10);
	p.rig.screens.v[0]->place = 1;
	a = add_screen(&p.rig.screens, "a", 2);
	b = add_screen(&p.rig.screens, "b", 3);
	add_screen(&hidden, "c", 4)->left_out = true;
	add_screen(&hidden, "x", 5)->needs = xstrdup("other cores");
	p.rig.ui.setup.hidden = &hidden;
	press(&p, 'C');
	press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(&p.rig, "*  1 a\n") && ui_rig_shows(&p.rig, "     c\n") &&
		       ui_rig_shows(&p.rig, "     x              other cores"),
	       "all screens, with their numbers or why they have none");
	tap_str(order_wanted(&p, KEYCODE_ENTER), "nothing", "the present one stays");
	tap_ok(ui_rig_shows(&p.rig, "is shown now"), "and it is said why");
	tap_str(order_wanted(&p, '<'), "nothing", "it is the first one");
	tap_str(order_wanted(&p, '>'), "a,rig,b,-c", "> moves it");
	press(&p, KEYCODE_HOME);
	press(&p, KEYCODE_DOWN);
	tap_str(order_wanted(&p, KEYCODE_ENTER), "rig,b,-a,-c", "Enter leaves one out");
	press(&p, KEYCODE_END);
	tap_str(order_wanted(&p, KEYCODE_ENTER), "nothing", "one of other machines stays so");
	press(&p, KEYCODE_UP);
	tap_str(order_wanted(&p, '-'), "nothing", "- has nothing to take from one without a tab");
	tap_str(order_wanted(&p, KEYCODE_ENTER), "all", "with it, all are as they usually are");
	b->name[0] = ',';
	tap_str(order_wanted(&p, '<'), "nothing", "a name that no list can have");
	tap_ok(ui_rig_shows(&p.rig, "a name with ',' in it"), "is told");
	screen_free(a);
	screen_free(b);
	screen_list_done(&hidden);
	end(&p);
}

/* The value that the option for the parts has. */
static const char *layout_of(const struct page_rig *p)
{
	return p->settings.v[2].value;
}

/* One part, then another one: what is hidden is what the option says. */
static void test_parts(void)
{
	struct page_rig p;

	begin(&p, 80, 12);
	press(&p, 'C');
	press(&p, KEYCODE_LEFT);
	tap_ok(ui_rig_shows(&p.rig, "* title     how long") && ui_rig_shows(&p.rig, "* footer"),
	       "all parts are there");
	press(&p, KEYCODE_ENTER);
	tap_str(layout_of(&p), "meters,tasks,tabs,note,total,footer", "Enter hides one");
	tap_ok(ui_rig_shows(&p.rig, "  title     how long"), "which has no mark any more");
	press(&p, '-');
	tap_str(layout_of(&p), "meters,tasks,tabs,note,total,footer", "- only hides");
	press(&p, KEYCODE_DOWN);
	press(&p, '-');
	tap_str(layout_of(&p), "tasks,tabs,note,total,footer", "as this one");
	press(&p, KEYCODE_UP);
	press(&p, ' ');
	tap_str(layout_of(&p), "title,tasks,tabs,note,total,footer", "SPACE shows it again");
	press(&p, '>');
	tap_ok(ui_rig_shows(&p.rig, "parts keep their order"), "their order stays");
	press(&p, KEYCODE_BACKSPACE);
	press(&p, KEYCODE_BACKSPACE);
	press(&p, KEYCODE_BACKSPACE);
	tap_str(layout_of(&p), "full", "all are taken back");
	tap_int((long)p.rig.rig.view.hidden, 0, "and nothing is hidden");
	end(&p);
}

/* On a small screen, as on a large one, the current line is seen. */
static void test_sizes(void)
{
	static const int size[][2] = {{1, 1}, {20, 5}, {40, 8}, {80, 24}, {200, 60}};
	struct page_rig p;

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		begin(&p, size[i][0], size[i][1]);
		press(&p, 'C');
		press(&p, KEYCODE_END);
		tap_ok(i == 0 || ui_rig_shows(&p.rig, "  NICE"), "%d columns, %d lines", size[i][0],
		       size[i][1]);
		end(&p);
	}
}

/* The help of the page is about what keys do there. */
static void test_help(void)
{
	struct page_rig p;

	begin(&p, 80, 40);
	press(&p, 'C');
	press(&p, 'h');
	tap_ok(ui_rig_shows(&p.rig, "take the column into the screen, or take it away") &&
		       ui_rig_shows(&p.rig, "add a column of one's own"),
	       "the keys of the page");
	end(&p);
}

int main(void)
{
	test_choose();
	test_undo();
	test_own();
	test_quit();
	test_screens();
	test_options();
	test_parts();
	test_sizes();
	test_help();
	return tap_done();
}
