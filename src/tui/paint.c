/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/paint.h"

#include <stdio.h>

#include "tui/errors.h"
#include "tui/explain.h"
#include "tui/help.h"
#include "tui/key_act.h"
#include "tui/page.h"
#include "tui/paint_part.h"
#include "tui/rows.h"
#include "tui/sort_menu.h"
#include "view/parts.h"

#define NOTE_WRAP_HEIGHT 16 /* from so many lines of the screen on a note may take */
#define NOTE_MAX_LINES   3

static int note_lines(const struct picture *p)
{
	struct canvas nowhere = {.width = p->c->width};
	bool wraps;

	if (!p->info->note)
		return 0;
	/* That of a recording is always there. */
	wraps = p->c->height >= (p->ui->replay ? PART_ALL_HEIGHT : NOTE_WRAP_HEIGHT);
	return canvas_put_wrapped(&nowhere, 0, wraps ? NOTE_MAX_LINES : 1, LOOK_NOTE,
				  p->info->note);
}

static void paint_note(const struct picture *p, int y, int n)
{
	canvas_put_wrapped(p->c, y, n, LOOK_NOTE, p->info->note);
}

static void paint_names(const struct picture *p, int y, int n)
{
	(void)n;
	rows_paint_header(p->c, y, p->frame, &p->ui->layout, &p->ui->hits);
}

static void paint_rows(const struct picture *p, int y, int n)
{
	const struct scroll *rows = &p->ui->rows;

	(void)n;
	p->ui->legend.seen = rows_paint(p->c, y, p->frame, &p->ui->layout, rows);
	for (size_t i = 0; i < rows->page && rows->top + i < rows->n; i++) {
		part_mark_row(p, y + (int)i, rows->top + i);
		hits_add(&p->ui->hits, 0, y + (int)i, p->c->width,
			 (struct hit){HIT_ROW, (int)(rows->top + i)});
	}
}

static int total_lines(const struct picture *p)
{
	return p->frame->view->total;
}

/* Where there is no row, its line stays empty, so that nothing moves when there are some. */
static void paint_total(const struct picture *p, int y, int n)
{
	(void)n;
	if (p->frame->total)
		p->ui->legend.seen |= rows_paint_total(p->c, y, p->frame, &p->ui->layout);
}

/* From top to bottom. The rows take what the others leave. */
static const struct part part_table[N_PARTS] = {
	[PART_TITLE] = {.min_height = PART_ALL_HEIGHT, .paint = part_paint_title},
	[PART_METERS] = {.min_height = 14, .lines = part_meter_lines, .paint = part_paint_meters},
	[PART_TASKS] = {.min_height = 7, .paint = part_paint_tasks},
	[PART_TABS] = {.min_height = 12, .paint = part_paint_tabs},
	[PART_NOTE] = {.min_height = 4, .lines = note_lines, .paint = paint_note},
	[PART_NAMES] = {.min_height = 2, .paint = paint_names},
	[PART_ROWS] = {.paint = paint_rows},
	[PART_TOTAL] = {.min_height = PART_ALL_HEIGHT, .lines = total_lines, .paint = paint_total},
	[PART_FOOTER] = {.min_height = 10, .paint = part_paint_footer},
};

static int lines_of(const struct picture *p, int id)
{
	const struct part *part = &part_table[id];

	if (!part->paint || p->frame->view->hidden & PART_BIT(id) ||
	    (!p->as_chosen && p->c->height < part->min_height))
		return 0;
	return part->lines ? part->lines(p) : 1;
}

/* Sets how many lines each part has. The rows have the rest. */
static void share_lines(const struct picture *p, int lines[N_PARTS])
{
	int rest = p->c->height;

	for (int i = 0; i < N_PARTS; i++) {
		lines[i] = i == PART_ROWS ? 0 : lines_of(p, i);
		rest -= lines[i];
	}
	lines[PART_ROWS] = rest > 0 ? rest : 0;
}

/* Where each part stands, and how many rows and columns there are, is known before any is
 * painted. */
static void paint_frame(struct picture *p)
{
	int lines[N_PARTS];

	p->as_chosen = p->frame->view->hidden != PARTS_AUTO;
	share_lines(p, lines);
	if (p->as_chosen && !lines[PART_ROWS]) {
		p->as_chosen = false;
		share_lines(p, lines);
	}
	p->has_tabs = lines[PART_TABS] > 0;
	p->has_title = lines[PART_TITLE] > 0 || p->frame->view->hidden & PART_BIT(PART_TITLE);
	scroll_fit(&p->ui->rows, p->frame->n, (size_t)lines[PART_ROWS]);
	/* A frame without rows has left the cursor where it was. */
	if (p->frame->n)
		scroll_show(&p->ui->rows, p->ui->cursor.index);
	p->ui->layout.total = lines[PART_TOTAL] > 0;
	layout_fit(&p->ui->layout, p->frame, p->ui->rows.top, p->ui->rows.page, p->c->width);
	for (int i = 0, y = 0; i < N_PARTS; y += lines[i++])
		if (lines[i])
			part_table[i].paint(p, y, lines[i]);
}

/* Whether a line of the panel has what is looked for is known once they are painted. */
static void tell_found(struct ui_state *ui)
{
	const bool missed = ui->panel_lines.find && ui->find.missed;
	/* Behind the last line comes the first. */
	const bool all = ui->panel == PANEL_SETUP;

	if (!ui->panel_lines.find)
		return;
	if (ask_takes_keys(&ui->ask)) {
		snprintf(ui->ask.text, sizeof ui->ask.text, "%s",
			 missed ? all ? "no line has this" : "no line from here on has this" : "");
		return;
	}
	if (missed)
		ask_message(&ui->ask, all ? "no line has it" : "no further line has it");
	ui->find.missed = false;
}

void paint_screen(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		  const struct live_info *info)
{
	canvas_resize(c, c->width, c->height);
	ui->frame = frame;
	ui->hits.n = 0;
	ui->ask.screen = frame->screen;
	cursor_fit(&ui->cursor, frame);
	tags_fit(&ui->tags, frame);
	key_tag_family(ui, frame);
	switch (ui->panel) {
	case PANEL_HELP:
		help_paint(c, ui, frame->screen);
		break;
	case PANEL_ERRORS:
		errors_paint(c, ui, info->log);
		break;
	case PANEL_EXPLAIN:
		explain_paint(c, ui, frame, cursor_subject(&ui->cursor, frame), info->origins);
		break;
	case PANEL_SORT:
		sort_menu_paint(c, ui, frame);
		break;
	case PANEL_PAGE:
		page_paint(c, ui, info->page, info->curves);
		break;
	case PANEL_WHAT:
		page_paint_text(c, ui, info->what);
		break;
	case PANEL_SETUP:
		ui->setup.screens = info->screens;
		setup_page_paint(c, ui, frame);
		break;
	case PANEL_NONE:
		paint_frame(&(struct picture){.c = c, .ui = ui, .frame = frame, .info = info});
		break;
	}
	tell_found(ui);
	ask_paint(&ui->ask, c);
}
