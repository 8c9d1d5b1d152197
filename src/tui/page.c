/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/page.h"

#include <string.h>

#include "tui/sheet.h"

/* The maximum width of the column of labels; the text of a longer label stands below that label. */
#define LABEL_MAX 30
#define GAP       2

/* The columns that a title leaves for the hints after it. */
#define TITLE_MORE 24

/* Returns the column in which the texts of the section that starts at line i begin. */
static int find_text_x(const struct page *page, size_t i)
{
	int widest = 0;

	for (i += page->line[i].style == PAGE_TITLE; i < page->n; i++) {
		int width;

		if (page->line[i].style == PAGE_TITLE)
			break;
		width = page->line[i].label ? canvas_text_width(page->line[i].label) : 0;
		if (width > widest && width <= LABEL_MAX)
			widest = width;
	}
	return SHEET_INDENT + widest + GAP;
}

static void write_row(struct sheet *s, const struct page_cells *row)
{
	const uint8_t attr = row->cell ? LOOK_NORMAL : LOOK_FAINT;
	struct page_layout laid;

	page_layout_init(&laid);
	page_table_layout(&laid, row, s->canvas->width - SHEET_INDENT);
	sheet_put(s, SHEET_INDENT, attr, laid.fixed.text, laid.fixed.len);
	sheet_text(s, SHEET_INDENT + laid.x, attr, laid.rest);
	if (laid.below.len)
		sheet_text(s, SHEET_INDENT + PAGE_TABLE_BELOW, attr, laid.below.text);
	page_layout_done(&laid);
}

static void write_line(struct sheet *s, const struct page_line *line, int x)
{
	switch (line->style) {
	case PAGE_TITLE:
		sheet_title(s, line->text);
		break;
	case PAGE_TEXT:
		sheet_text(s, SHEET_INDENT, LOOK_NORMAL, line->text);
		break;
	case PAGE_HEAD:
		sheet_put(s, SHEET_INDENT, LOOK_FAINT, line->label, strlen(line->label));
		sheet_text(s, sheet_column(s, x), LOOK_FAINT, line->text);
		break;
	case PAGE_ENTRY:
		sheet_entry(s, x, LOOK_FAINT, line->label, line->text);
		break;
	case PAGE_ROW:
		write_row(s, &line->row);
		break;
	}
}

static void write_page(struct sheet *s, const void *context)
{
	const struct page *page = context;
	int x = 0;

	if (page->note)
		sheet_text(s, 0, LOOK_NOTE, page->note);
	for (size_t i = 0; i < page->n; i++) {
		if (!i || page->line[i].style == PAGE_TITLE)
			x = find_text_x(page, i);
		write_line(s, &page->line[i], x);
	}
}

void page_paint(struct canvas *c, struct ui_state *ui, const struct page *page,
		const struct curves *curves)
{
	static const struct key_hint hint[] = {{"page-down", "scrolls", NULL},
					       {"help", "help", NULL},
					       {"quit", "closes", NULL},
					       {NULL, NULL, NULL}};
	static const struct page none = {.n = 0};
	const struct key_hints hints = {ui->keymap, hint};
	const bool built = page && page->title;
	const int lines = graph_lines(&ui->graph, curves, c->height - 1);

	ui->graph.last = 0;
	sheet_paint_below(c, &ui->panel_lines, lines,
			  built ? page->title : "this row is not there any more", &hints,
			  write_page, built ? page : &none);
	if (lines > 0)
		graph_paint(c, 1, lines, &ui->graph, curves);
}

void page_paint_text(struct canvas *c, struct ui_state *ui, const struct page *page)
{
	static const struct key_hint hint[] = {{"what", "closes", NULL}, {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	struct page shown;

	if (!page)
		return;
	shown = *page;
	/* If the title will be cut, repeat the whole title as the first lines of the page. */
	if (canvas_text_width(page->title) + TITLE_MORE > c->width)
		shown.note = page->title;
	sheet_paint(c, &ui->panel_lines, page->title, &hints, write_page, &shown);
}
