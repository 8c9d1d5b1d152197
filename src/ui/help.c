/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/help.h"

#include <stdio.h>
#include <string.h>

#include "base/value.h"

#define LABEL_COLUMN   2
#define NARROW_INDENT  4
#define TEXT_MIN_WIDTH 20

/* A sheet of lines of which the canvas shows a part. y is the line being written, counted from the sheet's start. */
struct sheet {
	struct canvas *canvas;
	size_t y, first, n; /* the lines [first, first + n) are visible */
	int row;            /* on the canvas, of the first one */
};

/* Writes at column x of the present line; returns the column behind. */
static int sheet_put(struct sheet *s, int x, uint8_t attr, const char *text, size_t n)
{
	int y = s->y >= s->first && s->y - s->first < s->n ? s->row + (int)(s->y - s->first) : -1;

	return canvas_put_n(s->canvas, x, y, attr, text, n);
}

/* Writes text into the columns from x on, over as many lines as it needs, and ends the line. */
static void sheet_text(struct sheet *s, int x, uint8_t attr, const char *text)
{
	do {
		const char *next;
		size_t n = canvas_wrap(text, s->canvas->width - x, &next);

		sheet_put(s, x, attr, text, n);
		s->y++;
		text = next;
	} while (*text);
}

/* Where text that should stand at column x does stand: further left on a narrow screen. */
static int text_column(const struct sheet *s, int x)
{
	return s->canvas->width - x < TEXT_MIN_WIDTH ? NARROW_INDENT : x;
}

/* "label  text", the text at column x or below the label where it does not fit behind. */
static void sheet_entry(struct sheet *s, int x, uint8_t label_attr, const char *label, const char *text)
{
	int end = sheet_put(s, LABEL_COLUMN, label_attr, label, strlen(label));

	x = text_column(s, x);
	if (end >= x)
		s->y++;
	sheet_text(s, x, LOOK_NORMAL, text);
}

static void sheet_title(struct sheet *s, const char *text)
{
	s->y++;
	sheet_text(s, 0, LOOK_NORMAL | LOOK_STRONG, text);
}

/* The header without the blanks that give it its width. */
static const char *column_name(const struct column *column)
{
	return column->header + strspn(column->header, " ");
}

static int wider(int width, const char *text)
{
	int other = canvas_text_width(text);

	return other > width ? other : width;
}

/* Formulas stand behind the descriptions where there is room, else below them. */
static void write_columns(struct sheet *s, const struct screen *screen)
{
	int header = 0, desc = 0, formula = 0, x, formula_x;
	bool behind;

	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		header = wider(header, column_name(column));
		desc = wider(desc, column->desc);
		formula = wider(formula, column->text);
	}
	x = LABEL_COLUMN + header + 2;
	formula_x = x + desc + 3;
	behind = formula_x + formula <= s->canvas->width;
	sheet_title(s, "Columns, and their formulas");
	for (size_t i = 0; i < screen->n_columns; i++) {
		const struct column *column = &screen->column[i];

		if (behind)
			sheet_put(s, formula_x, LOOK_FAINT, column->text, strlen(column->text));
		sheet_entry(s, x, LOOK_NORMAL | LOOK_STRONG, column_name(column), column->desc);
		if (!behind)
			sheet_text(s, text_column(s, x), LOOK_FAINT, column->text);
	}
}

static uint8_t quality_look(enum quality quality)
{
	if (quality >= QUALITY_FIRST_NONE)
		return LOOK_FAINT;
	return quality == QUALITY_EXACT ? LOOK_NORMAL : LOOK_ROUGH;
}

static void write_legend(struct sheet *s)
{
	sheet_title(s, "Marks in place of a number, or behind it");
	for (int q = 0; q < N_QUALITIES; q++) {
		const struct quality_row *row = &quality_table[q];
		char label[32];

		snprintf(label, sizeof(label), "%s  %s", row->mark, row->name);
		if (*row->mark)
			sheet_entry(s, 20, quality_look(q), label, row->text);
	}
	sheet_title(s, "Marks behind the PID");
	sheet_entry(s, 5, LOOK_NORMAL, "+", "a process of several threads");
	sheet_entry(s, 5, LOOK_NORMAL, "-", "a thread that is not the first of its process");
	sheet_title(s, "Looks");
	for (int i = 0; i < N_LOOKS; i++)
		if (look_table[i].help)
			sheet_text(s, LABEL_COLUMN, (uint8_t)i, look_table[i].help);
}

static void write_keys(struct sheet *s)
{
	sheet_title(s, "Keys");
	for (size_t i = 0; i < key_table_n; i++)
		sheet_entry(s, 10, LOOK_NORMAL | LOOK_STRONG, key_table[i].name, key_table[i].help);
}

static void write_sheet(struct sheet *s, const struct screen *screen)
{
	if (screen->desc && *screen->desc)
		sheet_text(s, 0, LOOK_NORMAL, screen->desc);
	write_columns(s, screen);
	write_legend(s);
	write_keys(s);
}

static void paint_title(struct canvas *c, const struct scroll *scroll, const struct screen *screen, size_t number)
{
	struct strbuf text;
	int width;

	strbuf_init(&text);
	strbuf_addf(&text, "%zu-%zu of %zu, h closes ", scroll->top + 1, scroll->top + scroll->page, scroll->n);
	if (scroll->n <= scroll->page) {
		strbuf_reset(&text);
		strbuf_addstr(&text, "h closes ");
	}
	canvas_fill(c, 0, 0, c->width, LOOK_HEADER);
	width = canvas_text_width(text.text);
	if (width + 8 <= c->width)
		canvas_put(c, c->width - width, 0, LOOK_HEADER, text.text);
	else
		width = 0;
	strbuf_reset(&text);
	strbuf_addf(&text, " Help: screen %zu, %s", number, screen->name);
	canvas_put_cut(c, 0, 0, c->width - width - (width > 0), LOOK_HEADER | LOOK_STRONG, text.text);
	strbuf_done(&text);
}

void help_paint(struct canvas *c, struct scroll *scroll, const struct screen *screen, size_t number)
{
	int row = c->height >= 2;
	struct sheet count = {.canvas = c}, sheet;

	write_sheet(&count, screen);
	scroll_fit(scroll, count.y, (size_t)(c->height - row));
	sheet = (struct sheet){.canvas = c, .first = scroll->top, .n = scroll->page, .row = row};
	write_sheet(&sheet, screen);
	if (row)
		paint_title(c, scroll, screen, number);
}
