/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that switch screens: digits, LEFT and RIGHT. */
#include "base/mem.h"
#include "screens_rig.h"
#include "tap.h"
#include "tui/key.h"
#include "tui/keys.h"
#include "tui/live.h"

static struct screen_list screens = SCREEN_LIST_INIT;

static void report(void *context, int line, const struct err *err)
{
	(void)context;
	tap_ok(false, "a screen of the test compiles: line %d: %s", line, err->text);
}

static void press(struct ui_state *ui, struct view *view, int key, unsigned want, const char *what)
{
	tap_int(keys_apply(ui, view, &screens, key), want, "reaction: %s", what);
}

static void test_digits(void)
{
	struct ui_state ui = {0};
	struct view view = {.sort = 1};
	struct screen_list many = SCREEN_LIST_INIT;

	press(&ui, &view, '2', REACT_RECONFIGURE, "2");
	tap_int(view.screen, 2, "the screen of this number");
	tap_int(view.sort, 0, "is sorted by its first column");
	view.sort = 1;
	press(&ui, &view, '2', REACT_NONE, "2 on screen 2");
	tap_int(view.sort, 1, "nothing changes");
	press(&ui, &view, '0', REACT_RECONFIGURE, "0");
	tap_int(view.screen, 0, "the first one");
	press(&ui, &view, '3', REACT_PAINT, "3");
	tap_str(ui.ask.text, "there is no screen 3: screens are 0-2", "where there is none");
	tap_int(view.screen, 0, "nothing changes");
	for (int i = 0; i <= 20; i++)
		screen_list_add(&many, screen_new("x", ""));
	screen_list_number(&many);
	tap_int(keys_apply(&ui, &view, &many, '3'), REACT_PAINT | REACT_RECONFIGURE,
		"3 of 21 screens");
	tap_int(view.screen, 3, "is whole: no other number begins with it");
	tap_int(keys_apply(&ui, &view, &many, '0'), REACT_RECONFIGURE, "so is 0");
	tap_int(keys_apply(&ui, &view, &many, '2'), REACT_PAINT, "2 of 21 screens");
	tap_str(ui.ask.text, "screen 2: a further digit, or Enter", "may begin 20: it is shown");
	tap_int(view.screen, 0, "and waits");
	keys_apply(&ui, &view, &many, '0');
	tap_int(view.screen, 20, "a second digit ends it at once");
	tap_str(ui.digits, "", "nothing is typed then");
	keys_apply(&ui, &view, &many, '1');
	tap_int(keys_time_out(&ui, &view, &many), REACT_PAINT | REACT_RECONFIGURE, "in time");
	tap_int(view.screen, 1, "no further one: it is whole");
	tap_int(keys_time_out(&ui, &view, &many), REACT_NONE, "and only once");
	keys_time_out(&ui, &view, &many);
	keys_apply(&ui, &view, &many, '2');
	keys_apply(&ui, &view, &many, KEYCODE_ENTER);
	tap_int(view.screen, 2, "Enter ends it, too");
	keys_apply(&ui, &view, &many, '1');
	keys_apply(&ui, &view, &many, '\n');
	tap_int(view.screen, 1, "so does Ctrl-J");
	keys_apply(&ui, &view, &many, '2');
	keys_apply(&ui, &view, &many, KEYCODE_CTRL_H);
	tap_str(ui.digits, "", "Backspace of some terminals takes a digit back");
	keys_apply(&ui, &view, &many, '2');
	keys_apply(&ui, &view, &many, KEYCODE_ENTER);
	keys_apply(&ui, &view, &many, '1');
	keys_apply(&ui, &view, &many, KEYCODE_ESC);
	tap_int(keys_time_out(&ui, &view, &many), REACT_NONE, "ESC forgets it");
	keys_apply(&ui, &view, &many, '1');
	keys_apply(&ui, &view, &many, KEYCODE_RIGHT);
	tap_int(view.screen, 2, "another key comes behind it: RIGHT of 1");
	screen_list_done(&many);
}

/* A second digit that is typed late still selects the screen with two digits, if there is one. */
static void test_slow_digits(void)
{
	struct screen_list many = SCREEN_LIST_INIT;
	struct ui_state ui = {0};
	struct view view = {.sort = 1};

	for (int i = 0; i <= 15; i++)
		screen_list_add(&many, screen_new("x", ""));
	screen_list_number(&many);
	keys_apply(&ui, &view, &many, '1');
	tap_int((long)(keys_timeout_ns(&ui) / 1000000), 300, "1 waits for a digit");
	keys_time_out(&ui, &view, &many);
	tap_int(view.screen, 1, "then its screen is shown");
	tap_int((long)(keys_timeout_ns(&ui) / 1000000), 500, "Enter may still follow");
	tap_int(keys_apply(&ui, &view, &many, KEYCODE_ENTER), REACT_NONE, "and does nothing more");
	keys_apply(&ui, &view, &many, '5');
	tap_int(view.screen, 15, "5 makes 15 of it");
	for (int later = 0; later < 2; later++) {
		keys_apply(&ui, &view, &many, '1');
		keys_time_out(&ui, &view, &many);
		keys_time_out(&ui, &view, &many);
		tap_int((long)(keys_timeout_ns(&ui) / 1000000), 1500, "for some time");
		if (later)
			keys_time_out(&ui, &view, &many);
		else
			keys_apply(&ui, &view, &many, 'R');
		tap_int((long)keys_timeout_ns(&ui), 0, "nothing is waited for");
		keys_apply(&ui, &view, &many, '5');
		tap_int(view.screen, 5, later ? "later, 5 is 5" : "behind another key, 5 is 5");
	}
	keys_apply(&ui, &view, &many, '1');
	keys_time_out(&ui, &view, &many);
	keys_apply(&ui, &view, &many, '7');
	tap_int(view.screen, 7, "nor does it make a number that no screen has");
	screen_list_done(&many);
}

/* Enter after a screen's number only ends the number. It does not open the page of a task. */
static void test_enter(void)
{
	struct ui_state ui = {0};
	struct view view = {.screen = 0};

	press(&ui, &view, '1', REACT_RECONFIGURE, "1");
	press(&ui, &view, KEYCODE_ENTER, REACT_NONE, "Enter behind it does nothing more");
	tap_ok(keys_apply(&ui, &view, &screens, KEYCODE_ENTER) != REACT_NONE, "a second one does");
	ask_clear(&ui.ask);
	press(&ui, &view, '2', REACT_RECONFIGURE, "2");
	press(&ui, &view, KEYCODE_RIGHT, REACT_RECONFIGURE, "and another key");
	tap_ok(keys_apply(&ui, &view, &screens, KEYCODE_ENTER) != REACT_NONE, "then Enter counts");
	ask_clear(&ui.ask);
	press(&ui, &view, '2', REACT_RECONFIGURE, "2 again");
	tap_int(keys_time_out(&ui, &view, &screens), REACT_NONE, "after a while");
	tap_ok(keys_apply(&ui, &view, &screens, KEYCODE_ENTER) != REACT_NONE, "so it does");
}

/* Screen 1 and the hidden screen 3 cannot be filled by this machine; screen 4 is for rows of
 * another kind. */
static void test_lacking(void)
{
	struct screen_list list = SCREEN_LIST_INIT, hidden = SCREEN_LIST_INIT;
	struct ui_state ui = {.setup.hidden = &hidden};
	struct view view = {0};

	for (int i = 0; i < 5; i++)
		screen_list_add(i < 3 ? &list : &hidden, screen_new("x", ""));
	for (int i = 0; i < 5; i++)
		(i < 3 ? list.v[i] : hidden.v[i - 3])->number = i;
	list.v[1]->lacking = hidden.v[0]->lacking = true;
	hidden.v[1]->needs = xstrdup("its rows are others");
	keys_apply(&ui, &view, &list, KEYCODE_RIGHT);
	tap_int(view.screen, 2, "RIGHT passes it over");
	keys_apply(&ui, &view, &list, KEYCODE_LEFT);
	tap_int(view.screen, 0, "so does LEFT");
	keys_apply(&ui, &view, &list, '1');
	tap_int(view.screen, 1, "its number shows it");
	tap_ok(keys_apply(&ui, &view, &list, '3') & REACT_REQUEST, "that of a hidden one asks");
	tap_int(ui.ask.ready.kind, REQUEST_SCREEN, "for a screen");
	tap_str(ui.ask.ready.text, "3", "by its number");
	keys_apply(&ui, &view, &list, '4');
	tap_str(ui.ask.text, "the screen 'x' cannot be shown here: its rows are others",
		"one for other rows says why not");
	list.v[2]->lacking = true;
	view.screen = 0;
	keys_apply(&ui, &view, &list, KEYCODE_RIGHT);
	tap_int(view.screen, 0, "where no other one can be filled");
	tap_ok(strstr(ui.ask.text, "can fill no other screen"), "that is said");
	screen_list_done(&list);
	screen_list_done(&hidden);
}

int main(void)
{
	screens_rig_add(&screens, report);
	test_digits();
	test_slow_digits();
	test_enter();
	test_lacking();
	screen_list_done(&screens);
	return tap_done();
}
