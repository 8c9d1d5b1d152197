/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: the lines above the table. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "tui/paint_part.h"
#include "view/format.h"
#include "view/row_filter.h"

/* Columns that the left part of a line keeps, whatever stands right: "tiptop -", and
 * "Tasks:  115 total". */
#define LEFT_MIN       8
#define LEFT_MIN_TASKS 18

/* Puts text at the right of line y, before column end, cut where it would leave less than `left`;
 * returns where the left part ends. */
static int put_right(struct canvas *c, int y, int end, int left, uint8_t attr, const char *text)
{
	int x = end - canvas_text_width(text);

	if (x < left)
		x = left;
	if (!*text || x >= end)
		return end;
	canvas_put_cut(c, x, y, end, attr, text);
	return x - 1;
}

/* The load is more worth knowing than a long name, or the domain. */
#define HOST_MAX 24

static int host_length(const char *host)
{
	size_t n = strcspn(host, ".");

	return n < HOST_MAX ? (int)n : HOST_MAX;
}

static void add_flags(struct strbuf *out, const struct picture *p)
{
	const struct view *view = p->frame->view;
	const struct ui_state *ui = p->ui;
	const struct {
		bool on;
		const char *text;
	} flag[] = {
		{view->reverse, "[reverse] "},        {view->idle, "[idle] "},
		{view->threads, "[threads] "},        {view->kernel, "[kernel] "},
		{view->sticky, "[sticky] "},          {view_is_tree(view), "[tree] "},
		{view->freeze, "[frozen order] "},    {view->paused, "[paused] "},
		{view->filter.family, "[children] "}, {view->with_ended, "[with ended children] "},
	};

	if (view->filter.pid)
		strbuf_addf(out, "[only pid %d] ", view->filter.pid);
	if (view->filter.text)
		strbuf_addf(out, "[only '%s'] ", view->filter.text);
	if (view->uid_name)
		strbuf_addf(out, "[user %s] ", view->uid_name);
	if (view->filter_given)
		strbuf_addf(out, "[filter%s: %s] ", view->row_filter ? "" : " off",
			    view->filter_given);
	if (view->watching && view->watch.pid)
		strbuf_addf(out, "[watch: %d] ", view->watch.pid);
	if (view->watching && view->watch.text)
		strbuf_addf(out, "[watch: %s] ", view->watch.text);
	if (*ui->search.text)
		strbuf_addf(out, "[search: %s] ", ui->search.text);
	if (ui->tags.n)
		strbuf_addf(out, "[%zu tagged] ", ui->tags.n);
	if (ui->cursor.follows)
		strbuf_addf(out, "[following %" PRIu64 "] ", ui->cursor.row.id);
	if (view->only_key && *view->only.text)
		strbuf_addf(out, "[in %s %s] ", group_key_table[view->only_key].name,
			    view->only.text);
	else if (view->only_key)
		strbuf_addf(out, "[in %s %" PRIu64 "] ", group_key_table[view->only_key].name,
			    view->only.number);
	if (view->group != GROUP_PROCESS)
		strbuf_addf(out, "[by %s] ", group_key_table[view->group].name);
	if (view->values == VALUES_SINCE_MARK) {
		strbuf_addstr(out, "[since ");
		format_mark(out, p->frame);
		strbuf_addstr(out, "] ");
	} else if (view->values != VALUES_INTERVAL) {
		strbuf_addf(out, "[%s] ", values_name[view->values]);
	}
	for (size_t i = 0; i < sizeof(flag) / sizeof(flag[0]); i++)
		if (flag[i].on)
			strbuf_addstr(out, flag[i].text);
}

static void add_user(struct strbuf *out, const struct picture *p)
{
	const struct sample_machine *machine = p->frame->sample->machine;

	if (p->info->user)
		strbuf_addstr(out, p->info->user);
	if (machine && *machine->host)
		strbuf_addf(out, "%s%.*s", p->info->user ? "@" : "", host_length(machine->host),
			    machine->host);
}

void part_paint_title(const struct picture *p, int y, int n)
{
	const struct frame *frame = p->frame;
	struct canvas *c = p->c;
	struct strbuf text;
	int end;

	(void)n;
	strbuf_init(&text);
	add_flags(&text, p);
	add_user(&text, p);
	end = put_right(c, y, c->width, LEFT_MIN, LOOK_NORMAL, text.text);
	strbuf_reset(&text);
	strbuf_addstr(&text, "tiptop - ");
	format_uptime(&text, frame->host);
	canvas_put_cut(c, 0, y, end, LOOK_NORMAL, text.text);
	strbuf_done(&text);
}

/* On a low screen, which has no line for tabs, the present one stands at the right of another line;
 * returns where the left part of that ends. */
static int put_present_tab(const struct picture *p, int y)
{
	struct strbuf text;
	int end = p->c->width;

	if (p->has_tabs)
		return end;
	strbuf_init(&text);
	tabs_add_name(&text, p->info->screens->v[p->frame->view->screen]);
	end = put_right(p->c, y, end, LEFT_MIN, LOOK_TAB_CURRENT, text.text);
	strbuf_done(&text);
	return end;
}

/* What is switched on, on a low screen, whose title has no line; the user behind it where that
 * leaves room for the left part, which ends at `left`. Returns where that may end. */
static int put_flags(const struct picture *p, int y, int left, int end)
{
	struct strbuf text, user;

	if (p->has_title)
		return end;
	strbuf_init(&text);
	strbuf_init(&user);
	add_flags(&text, p);
	add_user(&user, p);
	if (left + 2 + canvas_text_width(text.text) + canvas_text_width(user.text) <= end)
		strbuf_addstr(&text, user.text);
	else if (text.len)
		text.text[--text.len] = '\0';
	end = put_right(p->c, y, end, LEFT_MIN_TASKS, LOOK_NORMAL, text.text);
	strbuf_done(&user);
	strbuf_done(&text);
	return end;
}

/* Rows that say something of all. */
struct tally {
	size_t dead, ancestors, collapsed;
};

static struct tally count_rows(const struct frame *frame)
{
	struct tally n = {0, 0, 0};

	for (size_t i = 0; i < frame->n; i++) {
		n.dead += frame->row[i].task->dead;
		n.ancestors += frame->row[i].ancestor;
		n.collapsed += frame->row[i].collapsed;
	}
	return n;
}

/* Adds the text, if there is one and it ends before this column; empties it. */
static void add_fitting(struct strbuf *out, struct strbuf *text, int end)
{
	if (canvas_text_width(out->text) + canvas_text_width(text->text) <= end)
		strbuf_addstr(out, text->text);
	strbuf_reset(text);
}

/* What the rows of a delta are, several of them. */
static const char *called(const struct frame *frame, const struct delta *delta)
{
	if (delta->kind->pid && frame->view->threads)
		return "threads";
	return delta->kind->many ? delta->kind->many : "rows";
}

/* Members that have ended are not in their groups any more. */
static void add_numbers(struct strbuf *out, const struct frame *frame)
{
	const struct delta *delta = frame->delta;
	const char *rows = called(frame, delta);
	/* Of processes that are left out, nobody has counted the threads. */
	size_t all = frame->n_all - (frame->view->threads ? frame->sample->n_left_out : 0);

	strbuf_addf(out, "%c%s: ", toupper((unsigned char)*rows), rows + 1);
	if (delta->groups) {
		all -= frame->n_tasks - frame->n_alive;
		strbuf_addf(out, "%4zu shown, %4zu %s", frame->n, all,
			    called(frame, delta->threads));
	} else {
		strbuf_addf(out, "%4zu total", all);
	}
	if (frame->host->n_running)
		strbuf_addf(out, ", %4d running%s", frame->host->n_running,
			    frame->host->contained ? " on the machine" : "");
	if (!delta->groups)
		strbuf_addf(out, ", %4zu shown", frame->n);
}

/* Why those that pass the filters are not shown. */
static const char *why_not_shown(const struct frame *frame, const struct tally *n)
{
	if (!n->collapsed)
		return "idle";
	return frame->view->idle ? "in collapsed rows" : "idle or in collapsed rows";
}

/* How many are not shown, by why. */
struct hidden {
	size_t idle, filtered, unknown;
};

/* What a filter asks of tasks or members is asked of idle ones, too; what it asks of rows only of
 * those that would be shown. */
static struct hidden count_hidden(const struct frame *frame, size_t shown)
{
	const struct row_filter *filter = frame->view->row_filter;
	size_t accounted = shown;
	struct hidden n = {
		.filtered = frame->n_all - frame->n_tasks,
		.unknown = frame->n_unknown,
	};

	if (filter && (row_filter_is_of_task(filter) || frame->view->group != GROUP_PROCESS)) {
		n.filtered -= frame->n_unknown;
	} else {
		accounted += frame->n_hidden + frame->n_unknown;
		n.filtered += frame->n_hidden;
	}
	n.idle = frame->n_tasks > accounted ? frame->n_tasks - accounted : 0;
	return n;
}

/* Adds how many are not shown, and why, as far as that ends before the column. */
static void add_hidden(struct strbuf *out, int end, const struct frame *frame,
		       const struct tally *n)
{
	const struct view *view = frame->view;
	const size_t shown = frame->n - n->ancestors, left_out = frame->sample->n_left_out;
	const bool of_user = view->filter.uid >= 0 && !view->filter.pid && !view->filter.text &&
			     !view->row_filter;
	const struct hidden hidden = count_hidden(frame, shown);
	const char *filtered = of_user ? "of other users" : "filtered out";
	struct strbuf more;

	strbuf_init(&more);
	/* Groups show all of their members. */
	if (frame->interval_ns && view->group == GROUP_PROCESS && hidden.idle)
		strbuf_addf(&more, ", %4zu %s", hidden.idle, why_not_shown(frame, n));
	add_fitting(out, &more, end);
	if (view->threads && left_out)
		strbuf_addf(&more, ", %zu processes %s", left_out, filtered);
	else if (hidden.filtered)
		strbuf_addf(&more, ", %4zu %s", hidden.filtered, filtered);
	add_fitting(out, &more, end);
	if (hidden.unknown)
		strbuf_addf(&more, ", %4zu unknown to the filter", hidden.unknown);
	add_fitting(out, &more, end);
	strbuf_done(&more);
}

/* What counts, and whether events take turns there, at the right of a line whose left part ends at
 * `left`. Returns where that may end. */
static int put_pmu(const struct picture *p, int y, int left, int end)
{
	struct strbuf text;

	if (!p->info->pmu || !p->has_tabs)
		return end;
	strbuf_init(&text);
	strbuf_addf(&text, "PMU %s", p->info->pmu);
	if (p->frame->least_share < 1)
		strbuf_addf(&text, ", %3.0f %% of the time", 100 * (double)p->frame->least_share);
	if (left + 2 + canvas_text_width(text.text) <= end)
		end = put_right(p->c, y, end, LEFT_MIN, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	return end;
}

void part_paint_tasks(const struct picture *p, int y, int n)
{
	const struct scroll *rows = &p->ui->rows;
	const struct frame *frame = p->frame;
	struct canvas *c = p->c;
	const struct tally tally = count_rows(frame);
	struct strbuf text, more;
	int end;

	(void)n;
	strbuf_init(&text);
	strbuf_init(&more);
	add_numbers(&text, frame);
	end = put_present_tab(p, y);
	end = put_flags(p, y, canvas_text_width(text.text), end);
	if (!p->has_title && frame->host)
		strbuf_addf(&more, ", load %.2f", frame->host->load1);
	add_fitting(&text, &more, end);
	add_hidden(&text, end, frame, &tally);
	end = put_pmu(p, y, canvas_text_width(text.text), end);
	if (frame->view->sticky && tally.dead)
		strbuf_addf(&more, ", %zu dead", tally.dead);
	add_fitting(&text, &more, end);
	/* A recording has its own times. */
	if (!p->ui->replay)
		strbuf_addf(&more, ", every %g s", frame->view->delay_s);
	else if (frame->interval_ns)
		strbuf_addf(&more, ", an interval of %.2f s", (double)frame->interval_ns / 1e9);
	add_fitting(&text, &more, end);
	if (rows->n > rows->page)
		strbuf_addf(&more, ", rows %zu-%zu", rows->top + 1, rows->top + rows->page);
	add_fitting(&text, &more, end);
	canvas_put_cut(c, 0, y, end, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	strbuf_done(&more);
}
