/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/compile.h"
#include "tui/key.h"
#include "tui/keymap.h"
#include "ui_rig.h"

static void test_table(void)
{
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];
		bool alone = true;

		for (size_t k = 0; k < i; k++)
			alone = alone && strcmp(key_table[k].action, row->action);
		tap_ok(alone, "%s is one row", row->action);
		tap_ok(*row->help && row->help[strlen(row->help) - 1] != '.',
		       "%s has help, without a full stop", row->action);
		tap_ok(!row->pair || (row->hint && i + 1 < key_table_n),
		       "%s is one of a pair with the next, or stands alone", row->action);
	}
}

/* Each row belongs to a group with a title. Five rows are shown before all groups, live and in a
 * recording. */
static void test_groups(void)
{
	static const unsigned place[] = {FIRST_LIVE, FIRST_REPLAY};

	for (size_t i = 0; i < key_table_n; i++)
		tap_ok(key_table[i].group > KEYS_NO_GROUP && key_table[i].group < N_KEY_GROUPS &&
			       key_group_title[key_table[i].group],
		       "%s has a group", key_table[i].action);
	for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
		const struct ui_state ui = {.replay = place[k] == FIRST_REPLAY};
		size_t first = 0;

		for (size_t i = 0; i < key_table_n; i++) {
			if (!(key_table[i].first & place[k]))
				continue;
			first++;
			tap_ok(!key_refusal(&key_table[i], &ui) && !key_table[i].only_panels,
			       "%s works where it is one of the first", key_table[i].action);
		}
		tap_int((long)first, 5, "this many are the first ones");
	}
}

/* Returns the line of the screen that begins with this text, -1 if there is none. */
static int line_of(const struct ui_rig *r, const char *text)
{
	const size_t len = strlen(text);

	for (int y = 0; y < r->canvas.height; y++) {
		const struct cell *cell = r->canvas.cell + (size_t)y * (size_t)r->canvas.width;
		size_t i = 0;

		while (i < len && cell[i].ch == (wchar_t)text[i])
			i++;
		if (i == len)
			return y;
	}
	return -1;
}

/* The help shows the five most important keys first, then the groups. In a recording, the group of
 * keys for recordings comes first. */
static void test_help_groups(void)
{
	for (int replay = 0; replay < 2; replay++) {
		struct ui_rig r;
		int first, own, move, program;

		ui_rig_init(&r, 250, 300);
		r.ui.replay = replay;
		ui_rig_build(&r);
		UI_RIG_PRESS(&r, 'h');
		first = line_of(&r, "The keys that matter first");
		own = line_of(&r, key_group_title[KEYS_REPLAY]);
		move = line_of(&r, key_group_title[KEYS_MOVE]);
		program = line_of(&r, key_group_title[KEYS_PROGRAM]);
		tap_int(move - first, 7 + (replay ? own - first > 0 ? move - own : 0 : 0),
			"five keys, an empty line");
		tap_ok(first > 0 && program > move, "then the groups");
		tap_ok(!replay || (line_of(&r, "  ,  ") > first && line_of(&r, "  ,  ") < own),
		       "in a recording, how to step in it is one of the five");
		tap_int(own > 0, replay, "the keys of a recording are there in one");
		tap_int(line_of(&r, key_group_title[KEYS_ACT]) > 0, !replay,
			"a group without keys has no heading");
		ui_rig_done(&r);
	}
}

/* Returns whether there is a place where both keys have an effect. */
static bool meet(const struct key_row *x, const struct key_row *y)
{
	return (!x->only_panels && !y->only_panels) || x->panels & y->panels;
}

/* Each key has one row for each place; no two rows of the same place have the same key. */
static void test_names(void)
{
	static const int plain[] = {' ', '~', KEYCODE_TAB, KEYCODE_CTRL_R, KEYCODE_ESC};
	char letter[KEY_NAME_MAX], other[KEY_NAME_MAX];

	for (size_t i = 0; i < key_table_n; i++) {
		const char *name = key_table[i].keys;

		for (; *name; name += strcspn(name, " "), name += strspn(name, " ")) {
			const int key = key_name_parse(name);
			const char *again = key_name_of(key, letter);

			tap_ok(key > 0 && !strncmp(again, name, strlen(again)),
			       "%s: a key is called %s", key_table[i].action, again);
			for (size_t k = 0; k < i; k++)
				tap_ok(!key_name_in(key_table[k].keys, key) ||
					       !meet(&key_table[k], &key_table[i]),
				       "%s: no other row has it", again);
		}
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		tap_int(key_name_parse(key_name_of(plain[i], letter)), plain[i], "%s is read again",
			key_name_of(plain[i], letter));
	for (int n = 1; n <= 12; n++) {
		snprintf(other, sizeof other, "F%d", n);
		tap_int(key_name_parse(other), KEYCODE_F1 + n - 1, "%s is a key", other);
		tap_str(key_name_of(KEYCODE_F1 + n - 1, letter), other, "of this name");
	}
	tap_ok(key_name_parse("F13") < 0 && key_name_parse("F0") < 0 && key_name_parse("F1x") < 0 &&
		       key_name_parse("FF") < 0 && key_name_parse("LEF") < 0 &&
		       key_name_parse("") < 0 && key_name_parse("Ctrl-") < 0 &&
		       key_name_parse("Ctrl-1") < 0,
	       "what is no key has no code");
	tap_int(key_name_parse("ctrl-R"), KEYCODE_CTRL_R,
		"capital and small letters are the same there");
	tap_ok(key_name_in("h ? F1", '?') && !key_name_in("h ? F1", 'F') &&
		       key_name_in("0-9", '7') && !key_name_in("0-9", '-'),
	       "keys are found in a list");
}

static void begin(struct ui_rig *r)
{
	ui_rig_init(r, 60, 12);
	for (int i = 1; i <= 30; i++)
		frame_rig_add(&r->rig,
			      &(struct rig_task){.id = i, .cpu_ns = (uint64_t)(40 - i) * 10000000});
	screen_list_add(&r->screens, screen_new("other", "another screen"));
	screen_list_number(&r->screens);
	screen_compile(r->screens.v[1], NULL, NULL, NULL);
	r->rig.view.sort = 0;
	ui_rig_build(r);
	/* From here, each key that moves the cursor can move it. */
	UI_RIG_PRESS(r, '/', '2', KEYCODE_ENTER, ' ', KEYCODE_PGDN);
}

static void end(struct ui_rig *r)
{
	screen_free(r->screens.v[1]);
	ui_rig_done(r);
}

/* Describes the effect of a key as text, for comparisons. */
static void describe(struct ui_rig *r, int key, struct strbuf *out)
{
	struct view before;
	struct cursor cursor;
	struct ui_state *ui = &r->ui;
	unsigned reaction;

	begin(r);
	ui->replay = keymap_find(NULL, key, PANEL_NONE)->only_replay;
	before = r->rig.view;
	cursor = ui->cursor;
	reaction = keys_apply(ui, &r->rig.view, &r->screens, key);
	strbuf_addf(out,
		    "reaction %u panel %d ask %d %d request %d %d redraw %d tags %zu search %s",
		    reaction, ui->panel, ui->ask.mode, ui->ask.draft.kind, ui->ask.ready.kind,
		    ui->ask.ready.signal, ui->redraw, ui->tags.n, ui->search.text);
	strbuf_addf(out, " view %d row %d %d", memcmp(&before, &r->rig.view, sizeof before) != 0,
		    (int)ui->cursor.index - (int)cursor.index, ui->cursor.by_place);
	end(r);
}

/* Each key of the table has an effect, and all keys of a row have the same one. */
static void test_effects(void)
{
	struct ui_rig r;

	for (size_t i = 0; i < key_table_n; i++) {
		const char *name = key_table[i].keys;
		struct strbuf first, effect;

		/* Keys for panels only are tested with the panels. */
		if (key_table[i].only_panels)
			continue;
		strbuf_init(&first);
		strbuf_init(&effect);
		for (; *name; name += strcspn(name, " "), name += strspn(name, " ")) {
			int key = key_name_parse(name);

			strbuf_reset(&effect);
			describe(&r, key == KEYCODE_DIGIT ? '1' : key, &effect);
			if (!first.len)
				strbuf_addstr(&first, effect.text);
			tap_str(effect.text, first.text,
				"%s: %.*s does the same as all of its keys", key_table[i].action,
				(int)strcspn(name, " "), name);
		}
		tap_ok(strncmp(first.text, "reaction 0 ", 11) != 0, "%s has an effect: %s",
		       key_table[i].action, first.text);
		strbuf_done(&first);
		strbuf_done(&effect);
	}
}

/* Returns whether the screen shows a text that names keys by their actions. */
static bool shows_text(struct ui_rig *r, const char *text)
{
	struct strbuf out;
	bool shows;

	strbuf_init(&out);
	keymap_add_text(NULL, text, &out);
	shows = ui_rig_shows(r, out.text);
	strbuf_done(&out);
	return shows;
}

/* A key that is refused in a place (live, recording, --readonly) has no hint and no help there, and
 * pressing it shows the reason. */
static void test_places(void)
{
	static const struct {
		const char *name;
		bool replay, readonly;
	} place[] = {
		{"live", false, false}, {"a recording", true, false}, {"--readonly", false, true}};

	for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
		size_t refused = 0;
		struct ui_rig r;

		ui_rig_init(&r, 250, 300);
		r.ui.replay = place[k].replay;
		r.ui.readonly = place[k].readonly;
		ui_rig_build(&r);
		for (size_t i = 0; i < key_table_n; i++) {
			const struct key_row *row = &key_table[i];
			const char *why = key_refusal(row, &r.ui);
			int key = key_name_parse(row->keys);

			if (!why)
				continue;
			refused++;
			tap_ok(!row->hint || !ui_rig_shows(&r, row->hint), "%s: no hint at %s",
			       place[k].name, row->action);
			tap_int(UI_RIG_PRESS(&r, key), REACT_PAINT, "which does nothing");
			tap_ok(shows_text(&r, why), "and says why, for %s", row->action);
		}
		tap_ok(refused > 4, "%s: some are refused", place[k].name);
		UI_RIG_PRESS(&r, 'h');
		for (size_t i = 0; i < key_table_n; i++)
			tap_int(shows_text(&r, key_table[i].help),
				!key_refusal(&key_table[i], &r.ui), "%s: the help of %s",
				place[k].name, key_table[i].action);
		ui_rig_done(&r);
	}
}

/* Each row has a key that all terminals have: some lack function keys, or those with Shift. */
static void test_plain_keys(void)
{
	for (size_t i = 0; i < key_table_n; i++) {
		const char *name = key_table[i].keys;
		bool plain = false;

		for (; *name; name += strcspn(name, " "), name += strspn(name, " ")) {
			int key = key_name_parse(name);

			plain = plain || key < KEYCODE_FIRST || key == KEYCODE_DIGIT ||
				(key >= KEYCODE_UP && key <= KEYCODE_END);
		}
		tap_ok(plain, "%s: %s has a key that every terminal has", key_table[i].action,
		       key_table[i].keys);
	}
}

int main(void)
{
	test_plain_keys();
	test_effects();
	test_places();
	test_table();
	test_names();
	test_groups();
	test_help_groups();
	return tap_done();
}
