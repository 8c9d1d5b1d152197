/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/keys.h"

#include <stdio.h>

#include "ui/live.h"

static unsigned tell_meaningless(struct ui_state *ui, int key)
{
	char letter[KEY_NAME_MAX], text[128];
	const char *name = key_name_of(key, letter);

	snprintf(text, sizeof text, "%s%s has no meaning%s", *name ? "the key " : "this key", name,
		 ui->panel ? " here: q closes this page" : ": h shows the keys that have one");
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key)
{
	unsigned reactions;

	if (ask_takes_keys(&ui->ask) && key != KEYCODE_CTRL_L)
		return ask_key(&ui->ask, view, key);
	reactions = ask_clear(&ui->ask);
	ui->key = key;
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if ((!ui->panel || row->panels & PANEL_BIT(ui->panel)) &&
		    key_name_in(row->keys, key))
			return reactions | row->act(row, ui, view, screens);
	}
	return tell_meaningless(ui, key);
}
