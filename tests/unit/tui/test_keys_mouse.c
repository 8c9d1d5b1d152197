/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mouse: the effect of a click on each kind of place, and of the wheel.
 */
#include "tui/keys.h"

#include "ui_rig.h"
#include "view/view.h"

/* Rows of the tasks 10, 20, ... 90, the busiest first. */
static void begin(struct ui_rig *r)
{
	ui_rig_init(r, 60, 16);
	screen_list_add(&r->screens, screen_new("other", "another screen"));
	screen_list_number(&r->screens);
	screen_add_column(r->screens.v[1], " %SYS", "%5.1f", "time in the kernel", "CPU_SYS");
	for (int i = 1; i <= 9; i++)
		frame_rig_add(&r->rig,
			      &(struct rig_task){.id = 10 * i,
						 .name = i % 2 ? "odd" : "even",
						 .cpu_ns = (uint64_t)(1000 - i) * 1000000});
	ui_rig_build(r);
}

static void end(struct ui_rig *r)
{
	screen_free(r->screens.v[1]);
	ui_rig_done(r);
}

static unsigned apply(struct ui_rig *r, enum mouse_kind kind, int x, int y, uint64_t time_ms)
{
	unsigned reactions = mouse_apply(&r->ui, &r->rig.view, &r->screens,
					 &(struct mouse){kind, x, y, time_ms});

	ui_rig_build(r);
	return reactions;
}

/* Finds the text on the canvas. */
static bool find(const struct ui_rig *r, const char *text, int *x, int *y)
{
	const struct canvas *c = &r->canvas;
	const int n = (int)strlen(text);

	for (int i = 0; i < c->width * c->height; i++) {
		int same = 0;

		while (same < n && i % c->width + same < c->width &&
		       c->cell[i + same].ch == (unsigned char)text[same])
			same++;
		if (same == n) {
			*x = i % c->width;
			*y = i / c->width;
			return true;
		}
	}
	tap_ok(false, "the text '%s' is on the screen", text);
	return false;
}

/* Clicks the first letter of this text on the screen. */
static unsigned click(struct ui_rig *r, const char *text, uint64_t time_ms)
{
	int x, y;

	return find(r, text, &x, &y) ? apply(r, MOUSE_CLICK, x, y, time_ms) : REACT_NONE;
}

static void test_rows(void)
{
	struct ui_rig r;

	begin(&r);
	tap_int(click(&r, "99.7", 1000), REACT_PAINT, "a click on a number repaints");
	tap_int(ui_rig_current(&r), 30, "its row is the current one");
	tap_ok(r.ui.cursor.held, "which stays on its task");
	r.ui.cursor.follows = r.rig.view.follows = true;
	click(&r, "99.5", 2000);
	tap_int(ui_rig_current(&r), 50, "another one");
	tap_ok(!r.ui.cursor.follows && !r.rig.view.follows, "as any move, it ends following");
	tap_int(apply(&r, MOUSE_CLICK, 2, 15, 3000), REACT_NONE, "below the rows is nothing");
	tap_int(ui_rig_current(&r), 50, "and nothing is chosen");
	end(&r);
}

/* A double click opens the page of a task, like Enter. */
static void test_double(void)
{
	struct ui_rig r;

	begin(&r);
	click(&r, "99.7", 1000);
	click(&r, "99.7", 1000 + MOUSE_DOUBLE_MS);
	tap_ok(r.ui.panel == PANEL_PAGE && r.rig.view.page.id == 30,
	       "a second click at once is Enter");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	click(&r, "99.6", 2000);
	click(&r, "99.6", 2001 + MOUSE_DOUBLE_MS);
	tap_ok(!r.ui.panel, "a second click that comes late is another first one");
	click(&r, "99.5", 5000);
	click(&r, "99.4", 5001);
	tap_ok(!r.ui.panel && ui_rig_current(&r) == 60, "one on another row is no second one");
	click(&r, "99.3", 6000);
	click(&r, "%CPU", 6001);
	click(&r, "99.3", 6002);
	tap_ok(!r.ui.panel, "nor is one after a click elsewhere");
	end(&r);
}

/* Between the two clicks, the clicked task moves to another line. */
static void test_double_moved(void)
{
	struct ui_rig r;
	int x, y;

	begin(&r);
	find(&r, "99.7", &x, &y);
	apply(&r, MOUSE_CLICK, x, y, 1000);
	r.rig.view.reverse = true;
	ui_rig_build(&r);
	tap_int(ui_rig_current(&r), 30, "the current row stays on its task");
	apply(&r, MOUSE_CLICK, x, y, 1001);
	tap_ok(!r.ui.panel, "who came to its line is not what was meant");
	tap_int(ui_rig_current(&r), 70, "but the current row now");
	end(&r);
}

static void test_names(void)
{
	static const struct {
		const char *name;
		int sort;
	} row[] = {{"PID", SORT_PID}, {"P ", 1}, {"COMMAND", 2}, {"%CPU", 0}};
	struct ui_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		r.rig.view.reverse = true;
		r.rig.view.sort = i ? row[0].sort : 0;
		ui_rig_build(&r);
		tap_int(click(&r, row[i].name, 1000), REACT_REBUILD, "%s: rebuilds", row[i].name);
		tap_int(r.rig.view.sort, row[i].sort, "%s: sorts", row[i].name);
		tap_ok(!r.rig.view.reverse, "%s: in the usual order", row[i].name);
	}
	click(&r, "%CPU", 1001);
	tap_ok(r.rig.view.reverse && r.rig.view.sort == 0, "again: in reverse");
	click(&r, "%CPU", 1002);
	tap_ok(!r.rig.view.reverse && r.rig.view.sort == 0, "and again: back");
	end(&r);
}

static void test_tabs(void)
{
	struct ui_rig r;

	begin(&r);
	tap_int(click(&r, "0 rig", 1000), REACT_NONE, "the present tab does nothing");
	tap_int(click(&r, "1 other", 1001), REACT_RECONFIGURE, "another tab has other counters");
	tap_int((long)r.rig.view.screen, 1, "and is shown");
	end(&r);
}

static void test_wheel(void)
{
	struct ui_rig r;
	size_t top;

	begin(&r);
	tap_int(apply(&r, MOUSE_WHEEL_DOWN, 3, 3, 1000), REACT_PAINT, "the wheel repaints");
	tap_int(ui_rig_current(&r), 40, "three rows down");
	apply(&r, MOUSE_WHEEL_UP, 3, 3, 1001);
	tap_int(ui_rig_current(&r), 10, "three rows up");
	tap_int(apply(&r, MOUSE_WHEEL_UP, 3, 3, 1002), REACT_NONE, "further up is nothing");
	UI_RIG_PRESS(&r, 'h');
	top = r.ui.panel_lines.top;
	apply(&r, MOUSE_WHEEL_DOWN, 3, 3, 1003);
	tap_int((long)(r.ui.panel_lines.top - top), MOUSE_WHEEL_ROWS, "it scrolls the help");
	tap_int(ui_rig_current(&r), 10, "and not what is behind it");
	tap_int(apply(&r, MOUSE_CLICK, 3, 5, 1004), REACT_NONE, "where a click has no meaning");
	end(&r);
}

static void test_menu(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, 'o');
	tap_int(click(&r, "command", 1000), REACT_PAINT, "a line of a menu is chosen");
	tap_int((long)r.ui.menu, 3, "it is this one");
	tap_int(r.ui.panel, PANEL_SORT, "the menu is open");
	tap_int(click(&r, "command", 1001), REACT_REBUILD, "a second click at once takes it");
	tap_ok(r.ui.panel == PANEL_NONE && r.rig.view.sort == 2,
	       "the menu is closed, and it sorts");
	end(&r);
}

/* Clicks the first letter of the text after a key, without a painting in between. */
static unsigned click_after(struct ui_rig *r, int key, const char *text)
{
	int x = 0, y = 0;

	find(r, text, &x, &y);
	keys_apply(&r->ui, &r->rig.view, &r->screens, key);
	return mouse_apply(&r->ui, &r->rig.view, &r->screens,
			   &(struct mouse){MOUSE_CLICK, x, y, 1000});
}

static void test_stale(void)
{
	struct ui_rig r;

	begin(&r);
	tap_int(click_after(&r, 'o', "99.7"), REACT_NONE, "a row below a panel that was opened");
	ui_rig_build(&r);
	tap_int(ui_rig_current(&r), 10, "is not chosen");
	tap_int(click_after(&r, KEYCODE_ESC, "command"), REACT_NONE, "nor a line of a closed menu");
	ui_rig_build(&r);
	tap_int(click_after(&r, KEYCODE_RIGHT, "P "), REACT_NONE, "a column of the screen before");
	tap_ok(r.rig.view.screen == 1 && r.rig.view.sort == 0, "does not sort the next one");
	end(&r);
}

static void test_prompt(void)
{
	struct ui_rig r;

	begin(&r);
	UI_RIG_PRESS(&r, 'd');
	tap_int(click(&r, "99.7", 1000), REACT_NONE,
		"while a question is asked, a click does nothing");
	tap_int(apply(&r, MOUSE_WHEEL_DOWN, 3, 3, 1001), REACT_NONE, "nor does the wheel");
	tap_int(ui_rig_current(&r), 10, "the current row is where it was");
	tap_int(r.ui.ask.mode, ASK_PROMPT, "and the question is open");
	end(&r);
}

int main(void)
{
	test_rows();
	test_double();
	test_double_moved();
	test_names();
	test_tabs();
	test_wheel();
	test_menu();
	test_stale();
	test_prompt();
	return tap_done();
}
