/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of key_act: another screen: the next one, or the one of a number that is typed. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "tui/key_act.h"
#include "tui/live.h"

unsigned key_show_screen(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			 int number)
{
	const struct screen_list *hidden = ui->setup.hidden;
	const int i = screen_list_find_number(screens, number);
	const int k = hidden ? screen_list_find_number(hidden, number) : -1;
	struct err err = ERR_INIT;
	char text[16];

	if (i >= 0 && (size_t)i == view->screen)
		return REACT_NONE;
	if (i >= 0) {
		view_show_screen(view, screens, (size_t)i);
		return REACT_RECONFIGURE;
	}
	snprintf(text, sizeof text, "%d", number);
	if (k >= 0 && screen_has_tab(hidden->v[k])) {
		ui->ask.ready = (struct request){.kind = REQUEST_SCREEN};
		snprintf(ui->ask.ready.text, sizeof ui->ask.ready.text, "%s", text);
		return REACT_REQUEST;
	}
	if (k >= 0)
		err_set(&err, EINVAL, "the screen '%s' cannot be shown here: %s",
			hidden->v[k]->name, screen_why_hidden(hidden->v[k]));
	else
		screen_list_find(screens, text, &err);
	ask_message(&ui->ask, err.text);
	return REACT_PAINT;
}

/* Whether a screen has a longer number that begins with these digits. */
static bool begins_number(const struct screen_list *l, const char *digits)
{
	char text[16];

	for (size_t i = 0; l && i < l->n; i++) {
		snprintf(text, sizeof text, "%d", l->v[i]->number);
		if (!strncmp(text, digits, strlen(digits)) && strlen(text) > strlen(digits))
			return true;
	}
	return false;
}

static unsigned tell_digits(struct ui_state *ui)
{
	char text[64];

	snprintf(text, sizeof text, "screen %s: a further digit, or Enter", ui->digits);
	ask_message(&ui->ask, text);
	return REACT_PAINT;
}

unsigned key_end_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens)
{
	unsigned reactions;
	long number;

	if (num_parse_int(ui->digits, "", 0, INT_MAX, &number, NULL))
		return REACT_NONE;
	*ui->digits = '\0';
	reactions = ask_clear(&ui->ask);
	return reactions | key_show_screen(ui, view, screens, (int)number);
}

unsigned act_digit(const struct key_row *row, struct ui_state *ui, struct view *view,
		   const struct screen_list *screens)
{
	const size_t n = strlen(ui->digits);

	(void)row;
	if (n + 1 < sizeof ui->digits)
		snprintf(ui->digits + n, sizeof ui->digits - n, "%c", ui->key);
	if (begins_number(screens, ui->digits) || begins_number(ui->setup.hidden, ui->digits))
		return tell_digits(ui);
	ui->enter_spent = true;
	return key_end_digits(ui, view, screens);
}

bool key_takes_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		      int key, unsigned *reactions)
{
	const size_t n = strlen(ui->digits);
	const bool spent = ui->enter_spent;

	ui->enter_spent = false;
	if (spent && key == KEYCODE_ENTER) {
		*reactions = REACT_NONE;
		return true;
	}
	if (!n)
		return false;
	if (key == KEYCODE_ENTER) {
		*reactions = key_end_digits(ui, view, screens);
		return true;
	}
	if (key != KEYCODE_ESC && key != KEYCODE_BACKSPACE)
		return false;
	ui->digits[key == KEYCODE_ESC ? 0 : n - 1] = '\0';
	ask_clear(&ui->ask);
	*reactions = *ui->digits ? tell_digits(ui) : REACT_PAINT;
	return true;
}

/* Screens that this machine cannot fill are passed over. */
unsigned act_screen(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	size_t i = view->screen;

	do
		i = (i + screens->n + (size_t)row->arg) % screens->n;
	while (i != view->screen && screens->v[i]->lacking);
	if (i == view->screen) {
		if (screens->n < 2)
			return REACT_NONE;
		ask_message(&ui->ask,
			    "this machine can fill no other screen: a number shows one all "
			    "the same");
		return REACT_PAINT;
	}
	view_show_screen(view, screens, i);
	return row->reaction;
}
