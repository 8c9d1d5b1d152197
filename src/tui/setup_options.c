/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of setup_page: the options. */
#include <string.h>

#include "base/mem.h"
#include "tui/setup_page_part.h"

#define VALUE_COLUMN 18
#define HELP_COLUMN  33 /* names of themes are longer */

#define LATER "from the next start on: "

/* The current option; NULL: there is none. */
static const struct setting *setting_of(const struct ui_state *ui)
{
	const struct setting_list *l = ui->setup.settings;

	return ui->setup.pane == SETUP_OPTIONS && l && ui->menu < l->n ? &l->v[ui->menu] : NULL;
}

unsigned setup_page_set(struct ui_state *ui, const char *value)
{
	const struct setting *setting = setting_of(ui);

	if (!setting || !strcmp(setting->value, value))
		return REACT_PAINT;
	return setup_want_change(ui, (struct setup_change){.option = xstrdup(setting->name),
							   .value = xstrdup(value)});
}

static unsigned ask_value(struct ui_state *ui, const struct setting *setting)
{
	ask_offer(&ui->ask, REQUEST_SETTING, setting->value);
	return REACT_PAINT;
}

/* Goes on to the next of what the option can be, or back. */
static unsigned shift(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);
	size_t i = 0, n;

	(void)view;
	if (!setting)
		return REACT_NONE;
	n = setting->n_choices;
	if (!n)
		return ask_value(ui, setting);
	while (i < n && strcmp(setting->choice[i], setting->value) != 0)
		i++;
	/* What is none of them is followed by the first. */
	i = i == n ? 0 : (i + n + (size_t)way) % n;
	return setup_page_set(ui, setting->choice[i]);
}

static unsigned take(struct ui_state *ui, const struct view *view, int way)
{
	(void)way;
	return shift(ui, view, 1);
}

/* What takes a column away gives an option its default. */
static unsigned reset(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);

	(void)view, (void)way;
	return setting ? setup_page_set(ui, setting->usual) : REACT_NONE;
}

static unsigned type(struct ui_state *ui, const struct view *view, int way)
{
	const struct setting *setting = setting_of(ui);

	(void)view;
	(void)way;
	return setting ? ask_value(ui, setting) : REACT_NONE;
}

/* One line each. */
static void write_lines(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;
	const struct setting_list *l = x->ui->setup.settings;

	for (size_t i = 0; l && i < l->n; i++, s->y++) {
		const struct setting *setting = &l->v[i];
		const bool changed = strcmp(setting->value, setting->usual) != 0;
		const uint8_t look = changed ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;
		int at = HELP_COLUMN;

		setup_begin_line(s, x);
		if (changed)
			sheet_put(s, 0, look, "*", 1);
		sheet_put(s, SETUP_NAME_COLUMN, look, setting->name,
			  strnlen(setting->name, VALUE_COLUMN - SETUP_NAME_COLUMN - 1));
		sheet_put(s, VALUE_COLUMN, look, setting->value,
			  strnlen(setting->value, HELP_COLUMN - VALUE_COLUMN - 1));
		if (setting->later)
			at = sheet_put(s, at, LOOK_FAINT, LATER, strlen(LATER));
		sheet_put(s, at, LOOK_NORMAL, setting->help, strlen(setting->help));
	}
}

static void describe(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const struct setting *setting = &x->ui->setup.settings->v[i];

	strbuf_addf(out, "%s: %s; default: %s%s\n%s", setting->name, setting->value, setting->usual,
		    setting->later ? "; from the next start on" : "", setting->help);
	for (size_t k = 0; k < setting->n_choices; k++)
		strbuf_addf(out, "%s%s", k ? ", " : "\n", setting->choice[k]);
}

static const struct key_hint hint[] = {
	{"choose", "changes", NULL}, {"remove", "default", NULL}, {"screen-right", "parts", NULL},
	{"help", "help", NULL},      {"quit", "closes", NULL},    {NULL, NULL, NULL},
};

static const struct key_hint keys[] = {
	{"choose", "change", NULL},
	{"sort-left", "choose", "sort-right"},
	{"explain", "type", NULL},
	{"remove", "default", NULL},
	{"screen-right", "parts", NULL},
	{"leave", "undo", NULL},
	{NULL, NULL, NULL},
};

const struct setup_pane_row setup_options = {
	.title = "Options",
	.hint = hint,
	.keys = keys,
	.write = write_lines,
	.describe = describe,
	.take = take,
	.remove = reset,
	.shift = shift,
	.type = type,
};
