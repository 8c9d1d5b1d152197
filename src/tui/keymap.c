/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/keymap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "tui/key.h"

#define ACTION_NAME_MAX 32

struct binding_row {
	const char *key, *action;
};

/* The keys that htop has for actions which have another key in tiptop. */
static const struct binding_row htop[] = {
	{"I", "reverse"},    {"\\", "only"},       {"U", "untag"},
	{"<", "sort-menu"},  {">", "sort-menu"},   {"p", "command"},
	{"]", "nice-lower"}, {"[", "nice-higher"}, {NULL, NULL},
};

static const struct binding_row none[] = {{NULL, NULL}};

static const struct {
	const char *name;
	const struct binding_row *row;
} sets[] = {{"tiptop", none}, {"htop", htop}};

static const struct key_row *find_action(const char *action)
{
	for (size_t i = 0; i < key_table_n; i++)
		if (!strcmp(key_table[i].action, action))
			return &key_table[i];
	return NULL;
}

static int refuse_action(const char *key, const char *action, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, action);
	for (size_t i = 0; i < key_table_n; i++)
		suggestion_offer(&near, key_table[i].action);
	return err_set(err, EINVAL,
		       "the key '%s' cannot do '%s', there is no such action%s: tiptoprc(5) lists "
		       "them under KEYS",
		       key, action, suggestion_text(&near));
}

/* Refuses the name of a key, and suggests the most similar name. */
static int refuse_key(const char *key, struct err *err)
{
	struct suggestion near;
	char letter[KEY_NAME_MAX];

	suggestion_begin(&near, key);
	for (int code = KEYCODE_CTRL_C; code < KEYCODE_MOUSE; code++)
		suggestion_offer(&near, key_name_of(code, letter));
	return err_set(
		err, EINVAL,
		"there is no key '%s'%s: write an ASCII character, or a name such as F5, Ctrl-R, "
		"SPACE, LEFT",
		key, suggestion_text(&near));
}

int keymap_bind(struct keymap *m, const char *key, const char *action, struct err *err)
{
	const struct key_row *row = find_action(action);
	int code = strchr(key, ' ') ? -1 : key_name_parse(key);

	if (code < 0 || code == KEYCODE_DIGIT)
		return refuse_key(key, err);
	if (!row && strcmp(action, "none") != 0)
		return refuse_action(key, action, err);
	if (m->n == KEYMAP_MAX)
		return err_set(err, EINVAL, "the key '%s' is one too many: %d can be set", key,
			       KEYMAP_MAX);
	m->v[m->n].key = code;
	m->v[m->n++].row = row;
	return 0;
}

int keymap_use(struct keymap *m, const char *set, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, set);
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		int ret = 0;

		suggestion_offer(&near, sets[i].name);
		if (strcmp(sets[i].name, set) != 0)
			continue;
		m->n = 0;
		for (const struct binding_row *b = sets[i].row; !ret && b->key; b++)
			ret = keymap_bind(m, b->key, b->action, err);
		return ret;
	}
	return err_set(err, EINVAL, "there is no set of keys '%s'%s: there are tiptop and htop",
		       set, suggestion_text(&near));
}

/* Finds the user's last binding of a key, and sets *row. Returns false if there is no binding. */
static bool find_own(const struct keymap *m, int key, const struct key_row **row)
{
	for (size_t i = m ? m->n : 0; i-- > 0;)
		if (m->v[i].key == key) {
			*row = m->v[i].row;
			return true;
		}
	return false;
}

static bool works_in(const struct key_row *row, enum panel panel)
{
	return panel ? row->panels & PANEL_BIT(panel) : !row->only_panels;
}

const struct key_row *keymap_find(const struct keymap *m, int key, enum panel panel)
{
	const struct key_row *row = NULL;
	const bool own = find_own(m, key, &row);

	if (own && (!row || works_in(row, panel)))
		return row;
	/* If the user has bound the key to an action that does not work in this panel, the key
	 * keeps an action of key_table that works in panels only. */
	for (size_t i = 0; i < key_table_n; i++)
		if (works_in(&key_table[i], panel) && (!own || key_table[i].only_panels) &&
		    key_name_in(key_table[i].keys, key))
			return &key_table[i];
	return NULL;
}

const struct key_row *keymap_find_action(const char *action, enum panel panel)
{
	const struct key_row *row = find_action(action);

	return row && works_in(row, panel) ? row : NULL;
}

static void add_name(struct strbuf *out, const char *name, size_t len, size_t *room)
{
	if (!*room)
		return;
	strbuf_addf(out, "%s%.*s", out->len ? " " : "", (int)len, name);
	--*room;
}

void keymap_add_keys(const struct keymap *m, const struct key_row *row, size_t most,
		     struct strbuf *out)
{
	const struct key_row *other;
	char letter[KEY_NAME_MAX];
	const char *name = row->keys;
	struct strbuf keys;

	strbuf_init(&keys);
	for (; *name; name += strcspn(name, " "), name += strspn(name, " "))
		if (!find_own(m, key_name_parse(name), &other))
			add_name(&keys, name, strcspn(name, " "), &most);
	for (size_t i = 0; m && i < m->n; i++)
		if (find_own(m, m->v[i].key, &other) && other == row && m->v[i].row == row) {
			const char *own = key_name_of(m->v[i].key, letter);

			add_name(&keys, own, strlen(own), &most);
		}
	strbuf_addstr(out, keys.text);
	strbuf_done(&keys);
}

/* Appends the first key of the action that text names at KEY_OF_BEGIN. Returns what follows. */
static const char *add_named_key(const struct keymap *m, const char *text, struct strbuf *out)
{
	const size_t n = strcspn(++text, KEY_OF_END);
	char action[ACTION_NAME_MAX];
	struct strbuf key;

	snprintf(action, sizeof action, "%.*s", (int)n, text);
	strbuf_init(&key);
	keymap_add_key_of(m, action, &key);
	if (key.len)
		strbuf_addstr(out, key.text);
	else
		strbuf_addf(out, "the action %s (which has no key)", action);
	strbuf_done(&key);
	return text + n + (text[n] != '\0');
}

void keymap_add_text(const struct keymap *m, const char *text, struct strbuf *out)
{
	while (*text) {
		const size_t n = strcspn(text, KEY_OF_BEGIN);

		strbuf_add(out, text, n);
		text += n;
		if (*text)
			text = add_named_key(m, text, out);
	}
}

void keymap_copy_text(const struct keymap *m, const char *text, char *out, size_t size)
{
	struct strbuf whole;

	strbuf_init(&whole);
	keymap_add_text(m, text, &whole);
	snprintf(out, size, "%s", whole.text);
	strbuf_done(&whole);
}

void keymap_say(struct ui_state *ui, const char *text)
{
	struct strbuf out;

	strbuf_init(&out);
	keymap_add_text(ui->keymap, text, &out);
	ask_message(&ui->ask, out.text);
	strbuf_done(&out);
}

void keymap_add_key_of(const struct keymap *m, const char *action, struct strbuf *out)
{
	const struct key_row *row = find_action(action);

	if (row)
		keymap_add_keys(m, row, 1, out);
}
