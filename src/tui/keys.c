/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/keys.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tui/key_act.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"

static unsigned say_meaningless(struct ui_state *ui, int key)
{
	char letter[KEY_NAME_MAX], text[128];
	const char *name = key_name_of(key, letter);

	snprintf(text, sizeof text, "%s%s has no meaning%s", *name ? "the key " : "this key", name,
		 ui->panel ? " here: q closes this page" : ": h shows the keys that have one");
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* Updates the search in the rows after a key at its prompt: the key may have changed, accepted or
 * cancelled the text. */
static unsigned update_row_search(struct ui_state *ui, unsigned reactions)
{
	static const struct frame none = {.n = 0};
	const struct frame *frame = ui->frame ? ui->frame : &none;
	const char *text = ui->ask.prompt.text;
	const bool arguments = ui->layout.arguments;

	if (ask_takes_keys(&ui->ask)) {
		bool found = search_type(&ui->search, text, arguments, &ui->cursor, frame);

		snprintf(ui->ask.text, sizeof ui->ask.text, "%s", found ? "" : "no row has this");
		return reactions;
	}
	if (!(reactions & REACT_REQUEST)) {
		search_cancel(&ui->search, &ui->cursor, frame);
		return reactions;
	}
	search_accept(&ui->search);
	if (!search_type(&ui->search, text, arguments, &ui->cursor, frame))
		key_say_no_match(ui);
	ui->ask.ready.kind = REQUEST_NONE;
	return reactions & ~(unsigned)REACT_REQUEST;
}

/* Updates the search in a panel after a key at the prompt of the search; painting the panel scrolls
 * to the match. UP and DOWN move to other matches. */
static unsigned update_panel_search(struct ui_state *ui, int key, unsigned reactions)
{
	if (ask_takes_keys(&ui->ask)) {
		snprintf(ui->find.text, sizeof ui->find.text, "%s", ui->ask.prompt.text);
		ui->find.seek = key == KEYCODE_UP ? -1 : 1;
		ui->find.from = key == KEYCODE_UP     ? *key_place(ui)
				: key == KEYCODE_DOWN ? *key_place(ui) + 1
						      : ui->find.origin;
		key_seek_line(ui);
		return reactions;
	}
	ui->ask.ready.kind = REQUEST_NONE;
	if (!(reactions & REACT_REQUEST) || !*ui->find.text) {
		ui->panel_lines.find = NULL;
		*key_place(ui) = ui->find.origin;
	}
	return reactions & ~(unsigned)REACT_REQUEST;
}

const char *key_refusal(const struct key_row *row, const struct ui_state *ui)
{
	if (row->acts && ui->readonly)
		return "tiptop was started with --readonly";
	if (row->only_replay && !ui->replay)
		return "the running machine is shown; --replay shows a recording, in which one can "
		       "go back and forth";
	return ui->replay ? row->not_in_replay : NULL;
}

static unsigned say_refusal(struct ui_state *ui, int key, const char *why)
{
	char letter[KEY_NAME_MAX], text[192];

	snprintf(text, sizeof text, "%s does nothing: %s", key_name_of(key, letter), why);
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

/* Passes an accepted answer to the setup page. */
static unsigned take_answer(struct ui_state *ui, const struct view *view)
{
	const char *text = ui->ask.draft.text;

	ui->ask.ready.kind = REQUEST_NONE;
	if (ui->ask.draft.kind == REQUEST_COLUMN)
		return setup_page_take(ui, view, text);
	return ui->ask.draft.kind == REQUEST_COPY ? setup_page_copy(ui, view, text)
						  : setup_page_set(ui, text);
}

static bool is_setup_request(enum request_kind kind)
{
	return kind == REQUEST_COLUMN || kind == REQUEST_COPY || kind == REQUEST_SETTING;
}

/* Does the action; on the setup page, some actions have another effect. If the page of a row is not
 * open any more, not even below the help, clears view->page, so that the page is not updated. */
static unsigned do_action(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	const struct setup_key *own =
		ui->panel == PANEL_SETUP ? setup_page_find_key(row->action) : NULL;
	const unsigned reactions =
		own ? own->act(ui, view, own->way) : row->act(row, ui, view, screens);

	if (ui->panel != PANEL_PAGE && !(ui->panel == PANEL_HELP && ui->help_of == PANEL_PAGE))
		view->page = (struct row_id){.kind = NULL};
	return reactions;
}

/* Ends the screen number being typed, as another key follows, and shows the screen. If this needs a
 * request, drops the request: the key may need one, and has precedence. */
static unsigned end_digits(struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	const unsigned reactions = key_end_digits(ui, view, screens);

	if (reactions & REACT_REQUEST)
		ui->ask.ready.kind = REQUEST_NONE;
	return reactions & ~(unsigned)REACT_REQUEST;
}

static unsigned take_key(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			 int key)
{
	const struct key_row *row;
	const char *refusal;
	unsigned reactions, digits = REACT_NONE;

	ui->setup.screens = screens;
	if (ask_takes_keys(&ui->ask) && key != KEYCODE_CTRL_L) {
		reactions = ask_key(&ui->ask, view, key);
		if (reactions & REACT_REQUEST && is_setup_request(ui->ask.draft.kind))
			return take_answer(ui, view);
		if (ui->ask.draft.kind != REQUEST_SEARCH)
			return reactions;
		return ui->panel ? update_panel_search(ui, key, reactions)
				 : update_row_search(ui, reactions);
	}
	if (key_edit_digits(ui, view, screens, key, &reactions))
		return reactions;
	row = keymap_find(ui->keymap, key, ui->panel);
	if (!row || row->act != act_digit) {
		digits = end_digits(ui, view, screens);
		*ui->digits_shown = '\0';
	}
	reactions = digits | ask_clear(&ui->ask);
	ui->key = key;
	if (!row)
		return reactions | say_meaningless(ui, key);
	refusal = key_refusal(row, ui);
	return reactions |
	       (refusal ? say_refusal(ui, key, refusal) : do_action(row, ui, view, screens));
}

/* How long to wait for a further digit of a screen number. */
#define DIGIT_NS UINT64_C(300000000)
/* How long Enter is ignored after the screen is shown: it may be meant as the end of the number. */
#define ENTER_NS UINT64_C(500000000)
/* How long a further digit still continues the number after a timeout has shown its screen, if a
 * screen has the longer number. */
#define TAKE_UP_NS UINT64_C(1500000000)

uint64_t keys_timeout_ns(const struct ui_state *ui)
{
	if (*ui->digits)
		return DIGIT_NS;
	if (ui->ignore_enter)
		return ENTER_NS;
	return *ui->digits_shown ? TAKE_UP_NS : 0;
}

unsigned keys_time_out(struct ui_state *ui, struct view *view, const struct screen_list *screens)
{
	if (*ui->digits) {
		memcpy(ui->digits_shown, ui->digits, sizeof ui->digits);
		ui->ignore_enter = true;
	} else if (ui->ignore_enter) {
		ui->ignore_enter = false;
	} else {
		*ui->digits_shown = '\0';
	}
	return key_end_digits(ui, view, screens);
}

unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		    int key)
{
	unsigned reactions = legend_clear(&ui->legend) ? REACT_PAINT : REACT_NONE;

	reactions |= take_key(ui, view, screens, key);
	view->follows = ui->cursor.follows;
	return reactions;
}

unsigned keys_do(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		 const char *action)
{
	const struct key_row *row = keymap_find_action(action, ui->panel);

	return row ? do_action(row, ui, view, screens) : REACT_NONE;
}
