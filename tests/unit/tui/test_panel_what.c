/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of what happened: built once on request, and painted unchanged. */
#include "ui_rig.h"
#include "view/page.h"

static struct page_line line[] = {
	{.style = PAGE_TITLE, .text = "What ran"},
	{.style = PAGE_TEXT, .text = "2 tasks of 1 program: 0 began, 1 ended"},
};

static void test_keys(struct ui_rig *r)
{
	struct view *view = &r->rig.view;

	UI_RIG_PRESS(r, 'V');
	tap_int(r->ui.panel, PANEL_STORY, "V opens it");
	tap_int((long)view->story_requests, 1, "and asks for it");
	UI_RIG_PRESS(r, KEYCODE_DOWN, '/', KEYCODE_ESC, 'e', 'V', 'V');
	tap_int((long)view->story_requests, 2, "only when it is opened");
	tap_int(r->ui.panel, PANEL_NONE, "V closes it");
	UI_RIG_PRESS(r, KEYCODE_CTRL_R);
	tap_int((long)view->story_requests, 2, "Ctrl-R elsewhere is not about it");
	UI_RIG_PRESS(r, 'V', KEYCODE_CTRL_R);
	tap_int((long)view->story_requests, 4, "on it, it asks again");
	UI_RIG_PRESS(r, KEYCODE_ESC);
	tap_int(r->ui.panel, PANEL_NONE, "ESC closes it");
}

static void test_paint(struct ui_rig *r)
{
	const struct page page = {.title = "What happened from 1 to 2", .line = line, .n = 2};

	UI_RIG_PRESS(r, 'V');
	tap_ok(ui_rig_shows(r, "%CPU") == false, "before it is there, nothing is shown");
	r->info.what = &page;
	UI_RIG_PRESS(r, KEYCODE_CTRL_L);
	tap_ok(ui_rig_shows(r, "What happened from 1 to 2"), "its title");
	tap_ok(ui_rig_shows(r, "V closes"), "with the key that closes it");
	tap_ok(ui_rig_shows(r, "  2 tasks of 1 program"), "its lines");
	UI_RIG_PRESS(r, '/');
	ui_rig_type(r, "1 ended");
	UI_RIG_PRESS(r, KEYCODE_ENTER);
	tap_ok(!ui_rig_shows(r, "no line"), "a text in it is found");
}

static const struct page_column columns[] = {
	{"CPU s", 0, 9, false},
	{"program", 2, 16, true},
	{"tasks", 1, 6, false},
	{"mostly", 2, 0, true},
};
static const struct page_table table = {columns, 4};
static const char *const cells[] = {"1.80", "a-name-of-many-letters", "2", "waits for memory 67 %"};
static struct page_line rows[] = {
	{.style = PAGE_ROW, .row = {&table, NULL}},
	{.style = PAGE_ROW, .row = {&table, cells}},
};

/* Cells without room in their column are shown below the row, with the column's name. */
static void test_table(struct ui_rig *r)
{
	const struct page page = {.title = "What happened from then to now", .line = rows, .n = 2};

	r->info.what = &page;
	/* The first ESC ends the search, the second closes the panel. */
	UI_RIG_PRESS(r, KEYCODE_ESC, KEYCODE_ESC, 'V');
	tap_ok(ui_rig_shows(r, "      CPU s  program           tasks  mostly"), "a wide head");
	tap_ok(ui_rig_shows(r, "       1.80  a-name-of-many-l      2  waits for memory 67 %"),
	       "a wide row");
	canvas_resize(&r->canvas, 40, 24);
	UI_RIG_PRESS(r, KEYCODE_CTRL_L);
	tap_ok(!ui_rig_shows(r, "mostly  "), "a narrow head has no such column");
	tap_ok(ui_rig_shows(r, "       1.80  a-name-of-many-l      2"), "a narrow row");
	tap_ok(ui_rig_shows(r, "\nWhat happened from then to now\n"), "so does the title");
	tap_ok(ui_rig_shows(r, "      mostly waits for memory 67 %"), "has the rest below");
}

int main(void)
{
	struct ui_rig r;

	ui_rig_init(&r, 80, 24);
	ui_rig_build(&r);
	test_keys(&r);
	test_paint(&r);
	test_table(&r);
	ui_rig_done(&r);
	return tap_done();
}
