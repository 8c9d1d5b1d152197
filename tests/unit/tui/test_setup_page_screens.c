/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The setup page: the order of the screens, copies of them, and deleted ones. */
#include "setup_rig.h"
#include "tui/key.h"
#include "tui/keys.h"

/* Presses a key. Returns the value that would be set for the option of the screens' order,
 * "nothing" if none. */
static const char *order_wanted(struct setup_rig *p, int key)
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

static struct screen *add_screen(struct screen_list *l, const char *name, int number)
{
	struct screen *s = screen_new(name, NULL);

	s->number = number;
	screen_list_add(l, s);
	return s;
}

/* Screens: rig, a, b; c, which is left out; and x, which is not for this machine. */
static void test_screens(void)
{
	struct screen_list hidden = SCREEN_LIST_INIT;
	struct screen *a, *b;
	struct setup_rig p;

	setup_rig_begin(&p, 90, 10);
	p.rig.screens.v[0]->number = 0;
	a = add_screen(&p.rig.screens, "a", 1);
	b = add_screen(&p.rig.screens, "b", 2);
	add_screen(&hidden, "c", 3)->left_out = true;
	add_screen(&hidden, "x", 4)->needs = xstrdup("other cores");
	p.rig.ui.setup.hidden = &hidden;
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(&p.rig, "*  1 a\n") && ui_rig_shows(&p.rig, "     c\n") &&
		       ui_rig_shows(&p.rig, "     x              other cores"),
	       "all screens, with their numbers or why they have none");
	tap_str(order_wanted(&p, KEYCODE_ENTER), "nothing", "the present one stays");
	tap_ok(ui_rig_shows(&p.rig, "is shown now"), "and it is said why");
	tap_str(order_wanted(&p, '<'), "nothing", "it is the first one");
	tap_str(order_wanted(&p, '>'), "a,rig,b,-c", "> moves it");
	setup_rig_press(&p, KEYCODE_HOME);
	setup_rig_press(&p, KEYCODE_DOWN);
	tap_str(order_wanted(&p, KEYCODE_ENTER), "rig,b,-a,-c", "Enter leaves one out");
	setup_rig_press(&p, KEYCODE_END);
	tap_str(order_wanted(&p, KEYCODE_ENTER), "nothing", "one of other machines stays so");
	tap_str(order_wanted(&p, '+'), "nothing", "and has no copy");
	setup_rig_press(&p, KEYCODE_UP);
	tap_str(order_wanted(&p, '-'), "nothing", "- has nothing to take from one without a tab");
	tap_str(order_wanted(&p, KEYCODE_ENTER), "all", "with it, all are as they usually are");
	b->name[0] = ',';
	tap_str(order_wanted(&p, '<'), "nothing", "a name that no list can have");
	tap_ok(ui_rig_shows(&p.rig, "a name with ',' in it"), "is told");
	screen_free(a);
	screen_free(b);
	screen_list_done(&hidden);
	setup_rig_end(&p);
}

/* Sets the wanted change as the loop does after a copy: its undo is to remove the screen. */
static void copy_done(struct setup_rig *p)
{
	p->rig.ui.setup.wanted.deed = SETUP_TAKE_AWAY;
	setup_page_changed(&p->rig.ui.setup, true);
}

static void test_copy(void)
{
	struct setup_rig p;
	struct setup_page *page = &p.rig.ui.setup;

	setup_rig_begin(&p, 90, 20);
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_TAB);
	tap_ok(ui_rig_shows(&p.rig, "+ copy of rig"), "the foot says what + copies");
	setup_rig_press(&p, '+');
	tap_ok(ui_rig_shows(&p.rig, "Name of the copy of rig:"), "+ asks for a name");
	setup_rig_type(&p, "rig");
	tap_ok(ui_rig_shows(&p.rig, "there is a screen 'rig' already"), "of a screen is none");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_ok(ask_takes_keys(&p.rig.ui.ask) && !page->wanted.screen, "nor is it taken");
	setup_rig_type(&p, ",y");
	tap_ok(ui_rig_shows(&p.rig, "a name with ',' in it"), "nor one that no list can have");
	setup_rig_press(&p, KEYCODE_CTRL_U);
	setup_rig_type(&p, "  ");
	tap_ok(ui_rig_shows(&p.rig, "a screen needs a name"), "nor blanks");
	setup_rig_press(&p, KEYCODE_ENTER);
	tap_ok(ask_takes_keys(&p.rig.ui.ask) && !page->wanted.screen, "which are not taken");
	setup_rig_press(&p, KEYCODE_CTRL_U);
	setup_rig_type(&p, " mine ");
	tap_ok(ui_rig_shows(&p.rig, "a screen with the columns of 'rig'"), "it is said what comes");
	keys_apply(&p.rig.ui, &p.rig.rig.view, &p.rig.screens, KEYCODE_ENTER);
	tap_ok(page->wanted.deed == SETUP_ADD && page->wanted.screen->n_columns == 2,
	       "Enter wants it added, with its columns");
	tap_str(page->wanted.screen->name, "mine", "of this name");
	tap_int(page->pane, SETUP_COLUMNS, "its columns are there to be changed");
	copy_done(&p);
	keys_apply(&p.rig.ui, &p.rig.rig.view, &p.rig.screens, KEYCODE_BACKSPACE);
	tap_int(page->wanted.deed, SETUP_TAKE_AWAY, "Backspace takes it away");
	copy_done(&p);
	tap_int((long)page->n, 0, "and then there is no change");
	setup_rig_end(&p);
}

static void test_delete(void)
{
	struct setup_rig p;
	struct setup_page *page = &p.rig.ui.setup;
	struct screen *s, *other = screen_new("b", "built in");

	setup_rig_begin(&p, 90, 10);
	s = p.rig.screens.v[0];
	setup_rig_press(&p, 'C');
	setup_rig_press(&p, KEYCODE_TAB);
	setup_rig_press(&p, KEYCODE_DELETE);
	tap_ok(ui_rig_shows(&p.rig, "this screen is built in"), "one that is built in stays");
	s->file = xstrdup("rc");
	setup_rig_press(&p, KEYCODE_DELETE);
	tap_ok(ui_rig_shows(&p.rig, "one screen must be left"), "so does the only one");
	screen_list_add(&p.rig.screens, other);
	s->replace = true;
	setup_rig_press(&p, KEYCODE_DELETE);
	tap_ok(ui_rig_shows(&p.rig, "takes the place of another one"),
	       "so does one in place of one");
	s->replace = false;
	s->from_folder = true;
	setup_rig_press(&p, KEYCODE_DELETE);
	tap_ok(ui_rig_shows(&p.rig, "a file of its own"), "so does one of another file");
	s->from_folder = false;
	setup_rig_press(&p, 'x');
	tap_ok(!page->wanted.screen && ui_rig_shows(&p.rig, "Delete deletes one of your own"),
	       "a letter does not take it away");
	keys_apply(&p.rig.ui, &p.rig.rig.view, &p.rig.screens, KEYCODE_DELETE);
	tap_ok(page->wanted.deed == SETUP_TAKE_AWAY && page->wanted.screen, "the user's own goes");
	tap_str(page->wanted.shown, "b", "then the other one is shown");
	screen_free(other);
	setup_rig_end(&p);
}

int main(void)
{
	test_screens();
	test_copy();
	test_delete();
	return tap_done();
}
