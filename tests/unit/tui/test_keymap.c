/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's key bindings in the help and the footer; the search in the help. */
#include "tui/keymap.h"

#include <errno.h>

#include "tui/panel.h"

#include "ui_rig.h"

static void begin(struct ui_rig *r, const struct keymap *map)
{
	ui_rig_init(r, 80, 24);
	r->ui.keymap = map;
	frame_rig_add(&r->rig, &(struct rig_task){.id = 1, .cpu_ns = 10000000});
	ui_rig_build(r);
}

static const char *keys_of(const struct keymap *m, const char *action, struct strbuf *out)
{
	strbuf_reset(out);
	for (size_t i = 0; i < key_table_n; i++)
		if (!strcmp(key_table[i].action, action))
			keymap_add_keys(m, &key_table[i], SIZE_MAX, out);
	return out->text;
}

static void test_bind(void)
{
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;
	struct strbuf keys;
	struct ui_rig r;

	strbuf_init(&keys);
	tap_int(keymap_bind(&m, "j", "down", &err), 0, "a key of one's own");
	tap_int(keymap_bind(&m, "F1", "quit", &err), 0, "one that was another's");
	tap_int(keymap_bind(&m, "x", "none", &err), 0, "one that is not to mean anything");
	tap_str(keys_of(&m, "down", &keys), "DOWN j", "beside the one of the table");
	tap_str(keys_of(&m, "help", &keys), "h ?", "the other has it no more");
	tap_str(keys_of(&m, "quit", &keys), "q F10 F1", "but this one");
	tap_str(keys_of(&m, "explain", &keys), "", "no action has that one");
	tap_str(keys_of(NULL, "help", &keys), "h ? F1", "without a map: the table");
	begin(&r, &m);
	tap_int(keys_apply(&r.ui, &r.rig.view, &r.screens, KEYCODE_F1), REACT_QUIT, "F1 quits");
	UI_RIG_PRESS(&r, 'x');
	tap_str(r.ui.ask.text, "the key x has no meaning: h shows the keys that have one", "x");
	UI_RIG_PRESS(&r, KEYCODE_CTRL_L);
	tap_ok(ui_rig_shows(&r, "h help  q quit"), "the footer names the first key of each");
	tap_ok(keymap_bind(&m, "F1", "help", &err) == 0 &&
		       keymap_bind(&m, "h", "none", &err) == 0 &&
		       keymap_bind(&m, "?", "none", &err) == 0,
	       "later ones win");
	UI_RIG_PRESS(&r, KEYCODE_CTRL_L);
	tap_ok(ui_rig_shows(&r, "F1 help  q quit"), "and that is what the footer shows");
	UI_RIG_PRESS(&r, KEYCODE_F1, '/');
	ui_rig_type(&r, "show this help");
	tap_ok(ui_rig_shows(&r, "  F1          show this help"), "and the help");
	ui_rig_done(&r);
	strbuf_done(&keys);
}

static void test_faults(void)
{
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;

	tap_int(keymap_bind(&m, "F13", "help", &err), -EINVAL, "no such key");
	tap_ok(!strncmp(err.text, "there is no key 'F13'", 21), "%s", err.text);
	tap_int(keymap_bind(&m, "a b", "help", &err), -EINVAL, "two at once are none");
	tap_int(keymap_bind(&m, "a", "hlep", &err), -EINVAL, "no such action");
	tap_ok(strstr(err.text, "'hlep', there is no such action"), "%s", err.text);
	tap_int(keymap_use(&m, "vi", &err), -EINVAL, "no such set");
	tap_ok(strstr(err.text, "there are tiptop and htop"), "%s", err.text);
	tap_int(m.n, 0, "nothing has changed");
	for (int i = 0; i < KEYMAP_MAX; i++)
		keymap_bind(&m, "a", "help", &err);
	tap_int(keymap_bind(&m, "a", "help", &err), -EINVAL, "%d are enough", KEYMAP_MAX);
}

static void test_htop(void)
{
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;
	struct ui_rig r;

	tap_int(keymap_use(&m, "htop", &err), 0, "the keys of htop: %s", err.text);
	begin(&r, &m);
	UI_RIG_PRESS(&r, 'I');
	tap_ok(r.rig.view.reverse, "I reverses");
	UI_RIG_PRESS(&r, '>');
	tap_int(r.ui.panel, PANEL_SORT, "> opens the list of what to sort by");
	UI_RIG_PRESS(&r, 'q', ' ', 'U');
	tap_int(r.ui.tags.n, 0, "U takes tags away");
	tap_int(keymap_use(&m, "tiptop", &err), 0, "and back");
	UI_RIG_PRESS(&r, 'U');
	tap_ok(r.rig.view.show_user, "U shows users");
	ui_rig_done(&r);
}

static void test_help(void)
{
	struct ui_rig r;

	begin(&r, NULL);
	UI_RIG_PRESS(&r, 'h', '/');
	ui_rig_type(&r, "NICE VALUE");
	tap_ok(r.ui.panel_lines.top > 0, "the help goes to the line that has it");
	tap_ok(ui_rig_shows(&r, "change the nice value"), "which is there");
	ui_rig_type(&r, "xyz");
	tap_ok(ui_rig_shows(&r, "no line from here on has this"), "none: a sentence says so");
	UI_RIG_PRESS(&r, KEYCODE_ESC);
	tap_int(r.ui.panel_lines.top, 0, "ESC goes back");
	tap_int(r.ui.panel, PANEL_HELP, "to the help");
	UI_RIG_PRESS(&r, '/');
	ui_rig_type(&r, "sort by");
	UI_RIG_PRESS(&r, KEYCODE_ENTER);
	size_t first = r.ui.panel_lines.top;
	UI_RIG_PRESS(&r, 'n');
	tap_ok(r.ui.panel_lines.top > first, "n: the next line");
	UI_RIG_PRESS(&r, 'N');
	tap_int(r.ui.panel_lines.top, first, "N: the one before");
	tap_int(r.rig.view.sort, 0, "which sorts nothing here");
	UI_RIG_PRESS(&r, 'q', 'x', 'h');
	tap_ok(ui_rig_shows(&r, "Keys there, where the help was opened"),
	       "the keys of the place come first");
	tap_int(r.ui.panel_lines.top, 0, "a new page begins at its start");
	UI_RIG_PRESS(&r, 'n');
	tap_ok(ui_rig_shows(&r, "there is no search here"), "without the search");
	ui_rig_done(&r);
}

/* The hints of a panel at decreasing widths. */
static void test_hints(void)
{
	static const struct key_hint hint[] = {{"choose", "takes", NULL},
					       {"sort-left", "move", "sort-right"},
					       {"help", "help", NULL},
					       {"quit", "closes", NULL},
					       {NULL, NULL, NULL}};
	static const struct {
		int room;
		const char *text;
	} want[] = {
		{39, "Enter takes, < > move, h help, q closes"},
		{38, "Enter takes, < > move, q closes"},
		{30, "Enter takes, h help, q closes"},
		{28, "Enter takes, q closes"},
		{16, "h help, q closes"},
		{8, "q closes"},
		{7, ""},
	};
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		strbuf_reset(&text);
		key_hints_add(&text, &(struct key_hints){NULL, hint}, ", ", want[i].room);
		tap_str(text.text, want[i].text, "in %d columns", want[i].room);
	}
	tap_int(keymap_bind(&m, "<", "none", &err) || keymap_bind(&m, ">", "none", &err) ||
			keymap_bind(&m, "q", "none", &err),
		0, "some lose their keys");
	strbuf_reset(&text);
	key_hints_add(&text, &(struct key_hints){&m, hint}, ", ", 80);
	tap_str(text.text, "Enter takes, h help, F10 closes", "the keys are those of the user");
	strbuf_done(&text);
}

/* Sentences name the keys that the user has for an action. */
static void test_sentences(void)
{
	struct keymap m = {.n = 0};
	struct err err = ERR_INIT;
	struct strbuf text;
	struct ui_rig r;
	char part[6];

	strbuf_init(&text);
	keymap_add_text(NULL, KEY_OF("tree") ", " KEY_OF("search") ": " KEY_OF("close"), &text);
	tap_str(text.text, "t, /: ESC", "the keys of the table");
	keymap_copy_text(NULL, KEY_OF("quit") " quits", part, sizeof part);
	tap_str(part, "q qui", "cut to a size");
	strbuf_reset(&text);
	keymap_bind(&m, "t", "none", &err);
	keymap_bind(&m, "F5", "none", &err);
	keymap_add_text(&m, "press " KEY_OF("tree"), &text);
	tap_str(text.text, "press the action tree (which has no key)", "an action without a key");
	keymap_bind(&m, "j", "tree", &err);
	keymap_bind(&m, "Z", "none", &err);
	keymap_bind(&m, "F9", "pause", &err);
	keymap_bind(&m, "i", "none", &err);
	keymap_bind(&m, "X", "idle", &err);
	begin(&r, &m);
	UI_RIG_PRESS(&r, '-');
	tap_str(r.ui.ask.text, "this is not a tree: j makes one", "a message");
	UI_RIG_PRESS(&r, KEYCODE_F9);
	tap_ok(strstr(r.ui.ask.text, "; F9 shows the present again"), "another one");
	UI_RIG_PRESS(&r, 'h', '/');
	ui_rig_type(&r, "choose the column");
	tap_ok(ui_rig_shows(&r, "from a list: / searches, Enter"), "the help");
	ui_rig_done(&r);
	for (size_t i = 0; i < key_table_n; i++) {
		strbuf_reset(&text);
		keymap_add_text(NULL, key_table[i].help, &text);
		tap_ok(!strstr(text.text, "has no key"),
		       "%s: its help names actions that have keys", key_table[i].action);
	}
	strbuf_done(&text);
}

int main(void)
{
	test_bind();
	test_sentences();
	test_faults();
	test_htop();
	test_help();
	test_hints();
	return tap_done();
}
