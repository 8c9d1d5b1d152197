/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/help.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/value.h"
#include "tui/keymap.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/panel.h"
#include "tui/setup_page.h"

/* Returns the header without its leading blanks. */
static const char *column_name(const struct column *column)
{
	return column->header + strspn(column->header, " ");
}

/* Appends the description of a column and its thresholds. */
static void add_desc(struct strbuf *out, const struct column *column)
{
	strbuf_addstr(out, column->desc);
	if (column->warn.text)
		strbuf_addf(out, "; a warning %s", column->warn.text);
	if (column->crit.text)
		strbuf_addf(out, "; critical %s", column->crit.text);
}

static int wider(int width, const char *text)
{
	int other = canvas_text_width(text);

	return other > width ? other : width;
}

/* Writes the columns with their formulas: behind the descriptions if all formulas fit there, else
 * below the descriptions. */
static void write_columns(struct sheet *s, const struct screen *screen)
{
	int header = 0, desc = 0, formula = 0, x, formula_x;
	struct strbuf text;
	bool behind;

	strbuf_init(&text);
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		header = wider(header, column_name(column));
		strbuf_reset(&text);
		add_desc(&text, column);
		desc = wider(desc, text.text);
		formula = wider(formula, column->text);
	}
	x = SHEET_INDENT + header + 2;
	formula_x = x + desc + 3;
	behind = formula_x + formula <= s->canvas->width;
	sheet_title(s, "Columns, and their formulas: x explains the sorting one");
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		strbuf_reset(&text);
		add_desc(&text, column);
		if (behind)
			sheet_put(s, formula_x, LOOK_FAINT, column->text, strlen(column->text));
		sheet_entry(s, x, LOOK_NORMAL | LOOK_STRONG, column_name(column), text.text);
		if (!behind)
			sheet_text(s, sheet_column(s, x), LOOK_FAINT, column->text);
	}
	strbuf_done(&text);
}

static uint8_t quality_look(enum quality quality)
{
	if (quality >= QUALITY_FIRST_NONE)
		return LOOK_FAINT;
	return quality == QUALITY_EXACT ? LOOK_NORMAL : LOOK_ROUGH;
}

static void write_marks(struct sheet *s, bool of_row)
{
	for (int i = 0; i < N_MARKS; i++)
		if (mark_table[i].of_row == of_row)
			sheet_entry(s, 5, LOOK_NORMAL, mark_table[i].sign, mark_table[i].text);
}

static void write_legend(struct sheet *s)
{
	sheet_title(s, "Marks in place of a number, or after it: here and in batch mode");
	write_marks(s, false);
	sheet_title(s, "What each of them may come from");
	for (int q = 0; q < N_QUALITIES; q++) {
		const struct quality_row *row = &quality_table[q];
		char label[32];

		snprintf(label, sizeof(label), "%s  %s", row->mark, row->name);
		if (*row->mark)
			sheet_entry(s, 20, quality_look(q), label, row->text);
	}
	sheet_title(s, "Marks after the PID");
	write_marks(s, true);
	sheet_title(s, "Looks");
	for (int i = 0; i < N_LOOKS; i++)
		if (look_table[i].help)
			sheet_text(s, SHEET_INDENT, (uint8_t)i, look_table[i].help);
}

struct subject {
	const struct screen *screen;
	const struct ui_state *ui;
};

static void write_key(struct sheet *s, const struct key_row *row, const struct ui_state *ui,
		      const char *help)
{
	struct strbuf keys;

	if (key_refusal(row, ui))
		return;
	strbuf_init(&keys);
	keymap_add_keys(ui->keymap, row, SIZE_MAX, &keys);
	if (keys.len)
		sheet_entry(s, 14, LOOK_NORMAL | LOOK_STRONG, keys.text, help);
	strbuf_done(&keys);
}

/* Returns the help text of a key in a panel; on the setup page, some keys have another text. */
static const char *help_there(enum panel panel, const struct key_row *row)
{
	const struct setup_key *own =
		panel == PANEL_SETUP ? setup_page_find_key(row->action) : NULL;

	return own ? own->help : row->help;
}

/* Writes the title of a group once, before its first key. */
static void begin_group(struct sheet *s, const char **title)
{
	if (*title)
		sheet_title(s, *title);
	*title = NULL;
}

/* Writes the keys of the panel from which the help was opened. */
static void write_panel_keys(struct sheet *s, const struct ui_state *ui)
{
	const char *title = "Keys there, where the help was opened";

	for (size_t i = 0; i < key_table_n; i++)
		if (key_table[i].panels & PANEL_BIT(ui->help_of)) {
			begin_group(s, &title);
			write_key(s, &key_table[i], ui, help_there(ui->help_of, &key_table[i]));
		}
}

static void write_first_keys(struct sheet *s, const struct ui_state *ui)
{
	sheet_title(s, "The keys that matter first");
	for (size_t i = 0; i < key_table_n; i++)
		if (key_table[i].first & (ui->replay ? FIRST_REPLAY : FIRST_LIVE))
			write_key(s, &key_table[i], ui, key_table[i].help);
}

/* Writes the title and the keys of a group, without keys that are refused now; nothing if no key is
 * left. */
static void write_group(struct sheet *s, const struct ui_state *ui, enum key_group group)
{
	const char *title = key_group_title[group];

	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if (row->group != group || key_refusal(row, ui) ||
		    (ui->help_of && row->only_panels))
			continue;
		begin_group(s, &title);
		write_key(s, row, ui, row->help);
	}
}

/* Writes all keys. The keys of the panel from which the help was opened come first. */
static void write_keys(struct sheet *s, const struct ui_state *ui)
{
	if (ui->help_of)
		write_panel_keys(s, ui);
	else
		write_first_keys(s, ui);
	for (int group = KEYS_NO_GROUP + 1; group < N_KEY_GROUPS; group++)
		write_group(s, ui, (enum key_group)group);
}

static void write_sheet(struct sheet *s, const void *context)
{
	const struct subject *x = context;

	if (x->screen->desc && *x->screen->desc)
		sheet_text(s, 0, LOOK_NORMAL, x->screen->desc);
	write_keys(s, x->ui);
	write_columns(s, x->screen);
	write_legend(s);
}

void help_paint(struct canvas *c, struct ui_state *ui, const struct screen *screen)
{
	static const struct key_hint hint[] = {
		{"search", "searches", NULL}, {"help", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const struct subject subject = {screen, ui};
	struct strbuf title;

	strbuf_init(&title);
	strbuf_addf(&title, "Help: screen %d, %s", screen->number, screen->name);
	sheet_paint(c, &ui->panel_lines, title.text, &hints, write_sheet, &subject);
	strbuf_done(&title);
}
