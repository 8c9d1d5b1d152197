/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/paint.h"

#include <inttypes.h>
#include <string.h>

#include "ui/errors.h"
#include "ui/explain.h"
#include "ui/help.h"
#include "ui/rows.h"
#include "view/format.h"

/* From how many lines on each part is there; rows come first, the header with two. */
#define HEADER_MIN_LINES 2
#define NOTE_MIN_LINES   4
#define TITLE_MIN_LINES  7
#define FOOTER_MIN_LINES 10
#define NOTE_WRAP_LINES  16 /* from here on a note may take */
#define NOTE_MAX_LINES   3

/* Columns that the left part of a line keeps, whatever stands right. */
#define LEFT_MIN 8

/* Puts text at the right end of line y, cut where it would leave less than LEFT_MIN; returns where
 * the left part ends. */
static int put_right(struct canvas *c, int y, uint8_t attr, const char *text)
{
	int x = c->width - canvas_text_width(text);

	if (x < LEFT_MIN)
		x = LEFT_MIN;
	if (!*text || x >= c->width)
		return c->width;
	canvas_put_cut(c, x, y, c->width, attr, text);
	return x - 1;
}

static void add_flags(struct strbuf *out, const struct view *view, const struct live_info *info)
{
	const struct {
		bool on;
		const char *text;
	} flag[] = {
		{view->reverse, "[reverse] "}, {view->idle, "[idle] "},
		{view->threads, "[threads] "}, {view->kernel, "[kernel] "},
		{view->sticky, "[sticky] "},
	};

	if (view->filter.pid)
		strbuf_addf(out, "[only pid %d] ", view->filter.pid);
	if (view->filter.text)
		strbuf_addf(out, "[only '%s'] ", view->filter.text);
	if (view->uid_name)
		strbuf_addf(out, "[user %s] ", view->uid_name);
	if (view->watching && view->watch.pid)
		strbuf_addf(out, "[watch: %d] ", view->watch.pid);
	if (view->watching && view->watch.text)
		strbuf_addf(out, "[watch: %s] ", view->watch.text);
	if (view->group != GROUP_PROCESS)
		strbuf_addf(out, "[by %s] ", group_key_table[view->group].name);
	for (size_t i = 0; i < sizeof(flag) / sizeof(flag[0]); i++)
		if (flag[i].on)
			strbuf_addstr(out, flag[i].text);
	if (info->user)
		strbuf_addstr(out, info->user);
}

static void paint_title(struct canvas *c, int y, const struct frame *frame,
			const struct live_info *info)
{
	struct strbuf text;
	int end;

	strbuf_init(&text);
	add_flags(&text, frame->view, info);
	end = put_right(c, y, LOOK_NORMAL, text.text);
	strbuf_reset(&text);
	strbuf_addstr(&text, "tiptop - ");
	format_uptime(&text, frame->host);
	canvas_put_cut(c, 0, y, end, LOOK_NORMAL, text.text);
	strbuf_done(&text);
}

static void add_tab(struct strbuf *out, const struct screen_list *screens, size_t i)
{
	strbuf_addf(out, " %zu %s ", i, screens->v[i]->name);
}

/* All screens as tabs at the right, or only the present one where they leave less than `left`
 * columns; returns where the left part ends. */
static int paint_tabs(struct canvas *c, int y, int left, const struct screen_list *screens,
		      size_t active)
{
	struct strbuf text;
	int end, x;

	strbuf_init(&text);
	for (size_t i = 0; i < screens->n; i++)
		add_tab(&text, screens, i);
	x = c->width - canvas_text_width(text.text);
	if (x < left + 2) {
		strbuf_reset(&text);
		add_tab(&text, screens, active);
		end = put_right(c, y, LOOK_HEADER, text.text);
		strbuf_done(&text);
		return end;
	}
	end = x - 1;
	for (size_t i = 0; i < screens->n; i++) {
		strbuf_reset(&text);
		add_tab(&text, screens, i);
		x = canvas_put(c, x, y, i == active ? LOOK_HEADER : LOOK_NORMAL, text.text);
	}
	strbuf_done(&text);
	return end;
}

static size_t count_dead(const struct frame *frame)
{
	size_t n = 0;

	for (size_t i = 0; i < frame->n; i++)
		n += frame->row[i].task->dead;
	return n;
}

/* Adds the text, if there is one and it ends before this column; empties it. */
static void add_fitting(struct strbuf *out, struct strbuf *text, int end)
{
	if (canvas_text_width(out->text) + canvas_text_width(text->text) <= end)
		strbuf_addstr(out, text->text);
	strbuf_reset(text);
}

/* How many there are, and of how many where a filter leaves some out. Of processes that are left
 * out, nobody has counted the threads. */
static void add_numbers(struct strbuf *out, const struct frame *frame)
{
	bool threads = frame->view->threads;

	strbuf_addf(out, "%s: %4zu ", threads ? "Threads" : "Tasks", frame->n_tasks);
	if (!threads && frame->n_all > frame->n_tasks)
		strbuf_addf(out, "of %zu", frame->n_all);
	else
		strbuf_addstr(out, "total");
	strbuf_addf(out, ", %4zu shown", frame->n);
}

static void paint_tasks(struct canvas *c, int y, const struct frame *frame,
			const struct scroll *rows, const struct live_info *info)
{
	size_t dead = frame->view->sticky ? count_dead(frame) : 0;
	struct strbuf text, more;
	int end;

	strbuf_init(&text);
	strbuf_init(&more);
	add_numbers(&text, frame);
	end = paint_tabs(c, y, canvas_text_width(text.text), info->screens, frame->view->screen);
	if (frame->view->own_only)
		strbuf_addstr(&more, ", own only");
	add_fitting(&text, &more, end);
	if (dead > 0)
		strbuf_addf(&more, ", %zu dead", dead);
	add_fitting(&text, &more, end);
	strbuf_addf(&more, ", every %g s", frame->view->delay_s);
	add_fitting(&text, &more, end);
	if (rows->n > rows->page)
		strbuf_addf(&more, ", rows %zu-%zu", rows->top + 1, rows->top + rows->page);
	add_fitting(&text, &more, end);
	canvas_put_cut(c, 0, y, end, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	strbuf_done(&more);
}

/* As many hints as fit into the columns before end, none of them cut. */
static void paint_hints(struct canvas *c, int y, int end)
{
	int x = 0;

	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];
		int width;

		if (!row->hint)
			continue;
		width = canvas_text_width(row->hint_key) + 1 + canvas_text_width(row->hint);
		if (x + width > end)
			return;
		x = canvas_put(c, x, y, LOOK_NORMAL | LOOK_STRONG, row->hint_key);
		x = canvas_put(c, x + 1, y, LOOK_NORMAL, row->hint) + 2;
	}
}

/* Puts text before column end where it fits, and empties it; returns where it begins, with
 * blanks before it. */
static int put_before(struct canvas *c, int y, int end, uint8_t attr, struct strbuf *text)
{
	int x = end - canvas_text_width(text->text);

	if (text->len > 0 && x >= 0) {
		canvas_put(c, x, y, attr, text->text);
		end = x - 2;
	}
	strbuf_reset(text);
	return end;
}

/* From this width on, the footer has room for more than what a refresh took. */
#define WIDE           130
#define COST_MIN_WIDTH 72

static void add_cost(struct strbuf *out, const struct own_cost *cost, int width)
{
	strbuf_addf(out, "tiptop: %.2f ms, %.2f %%", cost->cpu_us / 1e3, cost->share_pct);
	if (width >= WIDE)
		strbuf_addf(out, " of a CPU, %zu tasks, %zu ran, %zu groups, %zu descriptors",
			    cost->tasks, cost->ran, cost->groups, cost->n_fds);
}

/* What was asked for stands at the right, the errors rightmost; the hints take the rest. */
static void paint_footer(struct canvas *c, int y, const struct frame *frame,
			 const struct live_info *info)
{
	struct strbuf text;
	int end;

	strbuf_init(&text);
	errors_add_hint(&text, info->log);
	end = put_before(c, y, c->width, LOOK_NOTE, &text);
	if (frame->view->epoch)
		strbuf_addf(&text, "epoch %" PRIu64, frame->wall_ns / 1000000000);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->view->timestamp)
		strbuf_addf(&text, "refresh %" PRIu64, frame->number);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->cost && c->width >= COST_MIN_WIDTH)
		add_cost(&text, frame->cost, c->width);
	end = put_before(c, y, end, LOOK_FAINT, &text);
	paint_hints(c, y, end);
	strbuf_done(&text);
}

static int32_t pid_of(const struct frame_row *row)
{
	const struct kind *kind = row->task->kind;

	return kind->pid && !row->task->dead ? kind->pid(row->task) : 0;
}

/* A signal is offered for the task that is watched, or for the first one visible. */
static int32_t find_victim(const struct frame *frame, const struct scroll *rows)
{
	for (size_t i = 0; i < frame->n; i++)
		if (frame->row[i].watched && pid_of(&frame->row[i]))
			return pid_of(&frame->row[i]);
	for (size_t i = rows->top; i < rows->top + rows->page && i < frame->n; i++)
		if (pid_of(&frame->row[i]))
			return pid_of(&frame->row[i]);
	return 0;
}

static void paint_frame(struct canvas *c, struct ui_state *ui, const struct frame *frame,
			const struct live_info *info)
{
	int y = 0, bottom = c->height, title_y = -1, header_y = -1;

	if (c->height >= TITLE_MIN_LINES) {
		title_y = y;
		y += 2;
	}
	if (info->note && c->height >= NOTE_MIN_LINES)
		y += canvas_put_wrapped(c, y, c->height >= NOTE_WRAP_LINES ? NOTE_MAX_LINES : 1,
					LOOK_NOTE, info->note);
	if (c->height >= HEADER_MIN_LINES)
		header_y = y++;
	if (c->height >= FOOTER_MIN_LINES)
		paint_footer(c, --bottom, frame, info);
	scroll_fit(&ui->rows, frame->n, (size_t)(bottom - y));
	layout_fit(&ui->layout, frame, ui->rows.top, ui->rows.page, c->width);
	if (header_y >= 0)
		rows_paint_header(c, header_y, frame, &ui->layout);
	ui->ask.victim = find_victim(frame, &ui->rows);
	rows_paint(c, y, frame, &ui->layout, &ui->rows);
	if (title_y >= 0) {
		paint_title(c, title_y, frame, info);
		paint_tasks(c, title_y + 1, frame, &ui->rows, info);
	}
}

void paint_screen(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		  const struct live_info *info)
{
	canvas_resize(c, c->width, c->height);
	switch (ui->panel) {
	case PANEL_HELP:
		help_paint(c, &ui->panel_lines, frame->screen, frame->view->screen);
		break;
	case PANEL_ERRORS:
		errors_paint(c, &ui->panel_lines, info->log);
		break;
	case PANEL_EXPLAIN:
		explain_paint(c, &ui->panel_lines, frame, ui->rows.top, info->origins);
		break;
	case PANEL_NONE:
		paint_frame(c, ui, frame, info);
		break;
	}
	ask_paint(&ui->ask, c);
}
