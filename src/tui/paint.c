/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/paint.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/key_act.h"
#include "tui/keymap.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/paint_parts.h"
#include "tui/panel.h"
#include "tui/setup_page.h"
#include "view/format.h"
#include "view/row_filter.h"
#include "view/view.h"

/* ---- header ----
 *
 * The lines above the table.
 */

/* The minimum number of columns for the left part of a line, with a blank after it: for "tiptop"
 * and the cut mark, and for "Tasks:  115 total". */
#define LEFT_MIN       8
#define LEFT_MIN_TASKS 18

/* Puts text at the right of line y, ending before column `end`, and cuts it so that at least `left`
 * columns remain for the left part. Returns the end of the left part. */
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

/* The maximum length of a host name, which is shown without its domain: the load on the same line
 * is more important. */
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
	if (view->filter_text)
		strbuf_addf(out, "[filter%s: %s] ", view->row_filter ? "" : " off",
			    view->filter_text);
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

static void part_paint_title(const struct picture *p, int y, int n)
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

static void tabs_add_name(struct strbuf *out, const struct screen *s);

/* If there is no line of tabs, puts the tab of the current screen at the right of line y. Returns
 * the end of the left part. */
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

/* If the terminal is too low for a title, puts the flags at the right of line y, before column
 * `end`. Adds the user if the text at the left, which ends at `left`, still fits. Returns the
 * column before which the left part must end. */
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

/* The numbers of special rows. */
struct tally {
	size_t dead, collapsed;
	/* Rows that are shown only because their descendants are, by the reason why they would be
	 * hidden. */
	size_t idle_above, filtered_above;
};

static struct tally count_rows(const struct frame *frame)
{
	struct tally n = {.dead = 0};

	for (size_t i = 0; i < frame->n; i++) {
		const struct frame_row *row = &frame->row[i];

		n.dead += row->task->dead;
		n.collapsed += row->collapsed;
		if (row->ancestor && row->idle && frame_passes(frame, row->task))
			n.idle_above++;
		else if (row->ancestor)
			n.filtered_above++;
	}
	return n;
}

/* Appends the text if the result fits into `end` columns. Empties the text in any case. */
static void add_fitting(struct strbuf *out, struct strbuf *text, int end)
{
	if (canvas_text_width(out->text) + canvas_text_width(text->text) <= end)
		strbuf_addstr(out, text->text);
	strbuf_reset(text);
}

/* Returns the plural name of the rows of a delta. */
static const char *rows_name(const struct frame *frame, const struct delta *delta)
{
	if (delta->kind->pid && frame->view->threads)
		return "threads";
	return delta->kind->many ? delta->kind->many : "rows";
}

/* Appends the numbers of tasks: total, running, shown. If rows are groups, members that have ended
 * are not counted. */
static void add_numbers(struct strbuf *out, const struct frame *frame)
{
	const struct delta *delta = frame->delta;
	const char *rows = rows_name(frame, delta);
	/* If rows are threads, do not count the processes that are left out: the number of their
	 * threads is not known. */
	size_t all = frame->n_all - (frame->view->threads ? frame->sample->n_left_out : 0);

	strbuf_addf(out, "%c%s: ", toupper((unsigned char)*rows), rows + 1);
	if (delta->groups) {
		all -= frame->n_tasks - frame->n_alive;
		strbuf_addf(out, "%4zu shown, %4zu %s", frame->n, all,
			    rows_name(frame, delta->threads));
	} else {
		strbuf_addf(out, "%4zu total", all);
	}
	if (frame->host->hides)
		strbuf_addstr(out, ", others hidden");
	if (frame->host->n_running)
		strbuf_addf(out, ", %4d running%s", frame->host->n_running,
			    frame->host->contained || frame->host->hides ? " on the machine" : "");
	if (!delta->groups)
		strbuf_addf(out, ", %4zu shown", frame->n);
}

/* Returns why tasks that pass the filters are not shown. */
static const char *why_not_shown(const struct frame *frame, const struct tally *n)
{
	if (!n->collapsed)
		return "idle";
	return frame->view->idle ? "in collapsed rows" : "idle or in collapsed rows";
}

/* The numbers of hidden tasks, by reason. */
struct hidden {
	size_t idle, filtered, unknown;
};

/* Counts the hidden tasks. A filter on tasks or on members of groups is evaluated for idle tasks,
 * too; a filter on rows only for rows that would be shown without it. Ancestors of shown rows are
 * shown in any case. */
static struct hidden count_hidden(const struct frame *frame, const struct tally *tally)
{
	const struct row_filter *filter = frame->view->row_filter;
	size_t accounted = frame->n - tally->filtered_above;
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
	n.filtered -= n.filtered < tally->filtered_above ? n.filtered : tally->filtered_above;
	return n;
}

/* Appends how many tasks are hidden, and why, as far as the text fits into `end` columns. */
static void add_hidden(struct strbuf *out, int end, const struct frame *frame,
		       const struct tally *n)
{
	const struct view *view = frame->view;
	const size_t left_out = frame->sample->n_left_out;
	const bool of_user = view->filter.uid >= 0 && !view->filter.pid && !view->filter.text &&
			     !view->row_filter;
	const struct hidden hidden = count_hidden(frame, n);
	const char *filtered = of_user ? "of other users" : "filtered out";
	struct strbuf more;

	strbuf_init(&more);
	/* If rows are groups, no task is hidden as idle: groups include all of their members. */
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

/* Puts the name of the PMU, and the share of the time for which events were on it, at the right of
 * line y, before column `end`, if the text at the left, which ends at `left`, still fits. Returns
 * the column before which the left part must end. */
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

/* Appends the load average and the numbers of hidden tasks. Leaves the load average out if one of
 * these numbers would not fit beside it. */
static void add_load_and_hidden(struct strbuf *out, int end, const struct picture *p,
				const struct tally *tally)
{
	struct strbuf load, hidden;
	size_t alone;

	strbuf_init(&load);
	strbuf_init(&hidden);
	if (!p->has_title && p->frame->host && !isnan(p->frame->host->load1))
		strbuf_addf(&load, ", load %.2f", p->frame->host->load1);
	strbuf_addstr(&hidden, out->text);
	add_hidden(&hidden, end, p->frame, tally);
	alone = hidden.len - out->len;
	strbuf_reset(&hidden);
	strbuf_addf(&hidden, "%s%s", out->text, load.text);
	add_hidden(&hidden, end, p->frame, tally);
	if (hidden.len == out->len + load.len + alone)
		add_fitting(out, &load, end);
	add_hidden(out, end, p->frame, tally);
	strbuf_done(&load);
	strbuf_done(&hidden);
}

static void part_paint_tasks(const struct picture *p, int y, int n)
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
	add_load_and_hidden(&text, end, p, &tally);
	end = put_pmu(p, y, canvas_text_width(text.text), end);
	if (frame->view->sticky && tally.dead)
		strbuf_addf(&more, ", %zu dead", tally.dead);
	add_fitting(&text, &more, end);
	/* A recording has no delay between refreshes: show the interval of its samples instead. */
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

/* ---- tabs ----
 *
 * The line of tabs: one for each screen that the user has not left out, also if this machine lacks
 * the events of the screen, as many as fit.
 */

/* The precedence of tabs if not all fit: first the screens that this machine can fill, then those
 * for which it lacks events, then those for other CPUs. */
enum tab_rank { TAB_FILLED, TAB_LACKING, TAB_FOREIGN };

struct tab {
	const struct screen *screen;
	int width;
	enum tab_rank rank; /* the active tab always has TAB_FILLED */
	bool shown;
};

/* All tabs, from the left. */
struct tabs {
	struct tab *v;
	size_t n, active;
};

/* Appends the label of the tab of a screen. */
static void tabs_add_name(struct strbuf *out, const struct screen *s)
{
	strbuf_addf(out, " %d %s ", s->number, s->name);
}

static void add(struct tabs *t, const struct screen *s, enum tab_rank rank)
{
	struct strbuf text;

	strbuf_init(&text);
	tabs_add_name(&text, s);
	t->v[t->n++] = (struct tab){s, canvas_text_width(text.text), rank, false};
	strbuf_done(&text);
}

static bool is_usual_order(const struct screen_list *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (l->v[i]->number < l->v[i - 1]->number)
			return false;
	return true;
}

/* Adds the hidden screens that have a tab and a number in [from, to). */
static void tabs_add_hidden(struct tabs *t, const struct screen_list *hidden, int from, int to)
{
	for (int number = from; hidden && number < to; number++) {
		const int i = screen_list_find_number(hidden, number);

		if (i >= 0 && screen_has_tab(hidden->v[i]))
			add(t, hidden->v[i], TAB_FOREIGN);
	}
}

static int end_of_numbers(const struct screen_list *l)
{
	int end = 0;

	for (size_t i = 0; l && i < l->n; i++)
		if (l->v[i]->number >= end)
			end = l->v[i]->number + 1;
	return end;
}

/* Collects the tabs, ordered by screen number; if the user has chosen another order, the tabs of
 * hidden screens come last. */
static void make(struct tabs *t, const struct picture *p)
{
	const struct screen_list *screens = p->info->screens, *hidden = p->info->hidden;
	const bool usual = is_usual_order(screens);
	int from = 0;

	*t = (struct tabs){xcalloc(screens->n + (hidden ? hidden->n : 0), sizeof *t->v), 0, 0};
	for (size_t i = 0; i < screens->n; i++) {
		if (usual)
			tabs_add_hidden(t, hidden, from, screens->v[i]->number);
		if (usual)
			from = screens->v[i]->number + 1;
		if (i == p->frame->view->screen)
			t->active = t->n;
		add(t, screens->v[i],
		    i != p->frame->view->screen && screens->v[i]->lacking ? TAB_LACKING
									  : TAB_FILLED);
	}
	tabs_add_hidden(t, hidden, from, end_of_numbers(hidden));
}

/* Marks the tabs of a rank as shown: from the left, as many as fit; with TAB_FILLED, all. Returns
 * the remaining room; negative: not all of them fit. */
static int show_rank(struct tabs *t, enum tab_rank rank, int width)
{
	for (size_t i = 0; i < t->n; i++) {
		struct tab *tab = &t->v[i];

		if (tab->rank != rank)
			continue;
		width -= tab->width;
		tab->shown = rank == TAB_FILLED || width >= 0;
	}
	return width;
}

/* Marks as shown all tabs of screens that this machine can fill, and as many of the others as fit.
 * Returns whether the tabs of screens that this machine can fill all fit. */
static bool show_all(struct tabs *t, int width)
{
	const int left = show_rank(t, TAB_FILLED, width);

	show_rank(t, TAB_FOREIGN, show_rank(t, TAB_LACKING, left));
	return left >= 0;
}

/* Of the tabs marked as shown, keeps the active one, as many before it as fit, and then as many
 * behind it as fit. Sets *lacks_left and *lacks_right to whether tabs are missing at the left and
 * at the right. */
static void show_some(struct tabs *t, int width, bool *lacks_left, bool *lacks_right)
{
	size_t first = t->active, end = t->active + 1;

	width -= t->v[t->active].width;
	while (first > 0 && (!t->v[first - 1].shown || t->v[first - 1].width <= width)) {
		first--;
		width -= t->v[first].shown ? t->v[first].width : 0;
	}
	while (end < t->n && (!t->v[end].shown || t->v[end].width <= width)) {
		width -= t->v[end].shown ? t->v[end].width : 0;
		end++;
	}
	for (size_t i = 0; i < t->n; i++) {
		*lacks_left = *lacks_left || (i < first && t->v[i].shown);
		*lacks_right = *lacks_right || (i >= end && t->v[i].shown);
		t->v[i].shown = t->v[i].shown && i >= first && i < end;
	}
}

static uint8_t look_of(const struct tab *tab, bool active)
{
	if (active)
		return LOOK_TAB_CURRENT;
	return tab->screen->lacking ? LOOK_FAINT : LOOK_TAB;
}

/* Paints a tab. Returns the column after it. */
static int paint(const struct picture *p, int x, int y, int end, const struct tab *tab, bool active)
{
	const int begin = x;
	struct strbuf text;

	strbuf_init(&text);
	tabs_add_name(&text, tab->screen);
	x = canvas_put_cut(p->c, x, y, end, look_of(tab, active), text.text);
	hits_add(&p->ui->hits, begin, y, x - begin, (struct hit){HIT_TAB, tab->screen->number});
	strbuf_done(&text);
	return x;
}

static void part_paint_tabs(const struct picture *p, int y, int n)
{
	bool lacks_left = false, lacks_right = false;
	int x = 0, end = p->c->width;
	struct tabs tabs;

	(void)n;
	make(&tabs, p);
	if (!show_all(&tabs, end)) {
		x += LAYOUT_MARK_WIDTH;
		end -= LAYOUT_MARK_WIDTH;
		show_some(&tabs, end - x, &lacks_left, &lacks_right);
	}
	if (lacks_left)
		canvas_put(p->c, 0, y, LOOK_STRONG, LAYOUT_MARK_LEFT);
	for (size_t i = 0; i < tabs.n; i++)
		if (tabs.v[i].shown)
			x = paint(p, x, y, end, &tabs.v[i], i == tabs.active);
	if (lacks_right)
		canvas_put(p->c, end, y, LOOK_STRONG, LAYOUT_MARK_RIGHT);
	free(tabs.v);
}

/* ---- marks ----
 *
 * The looks laid over a row: current, tagged, found.
 */

/* Marks the matches of the search in a row. The search does not look into columns of numbers: a
 * text of digits is marked only in the id and in COMMAND. */
static void mark_found(const struct picture *p, int y)
{
	const char *text = p->ui->search.text;
	const bool is_number = !text[strspn(text, "0123456789")];

	search_mark(text, p->c, 0, y, is_number ? p->ui->layout.id : p->c->width);
	if (is_number)
		search_mark(text, p->c, layout_command(&p->ui->layout, p->frame), y, p->c->width);
}

static void part_mark_row(const struct picture *p, int y, size_t i)
{
	const struct frame_row *row = &p->frame->row[i];
	/* The cell after the id and its mark. */
	const int tag_x = p->ui->layout.id + 1;

	if (tags_has(&p->ui->tags, row))
		canvas_put(p->c, tag_x, y, LOOK_TAGGED, mark_table[MARK_TAGGED].sign);
	if (i == p->ui->cursor.index)
		canvas_lay(p->c, 0, y, p->c->width,
			   p->ui->cursor.follows ? LOOK_FOLLOWED : LOOK_CURRENT);
	else if (tags_has(&p->ui->tags, row))
		canvas_lay(p->c, 0, y, tag_x + 1, LOOK_TAGGED);
	if (search_matches(&p->ui->search, row, p->ui->layout.arguments))
		mark_found(p, y);
}

/* ---- footer ----
 *
 * The last line: hints of keys, and values that the user has turned on by options.
 */

/* Appends the names of the keys of a hint. */
static void add_keys(struct strbuf *out, const struct keymap *keymap, const struct key_row *row)
{
	keymap_add_keys(keymap, row, 1, out);
	if (row->pair) {
		strbuf_addch(out, ' ');
		keymap_add_keys(keymap, row + 1, 1, out);
	}
}

/* The order of hints: help and quit, then hints that only apply to the present list of rows, then
 * those of a recording, then the others. */
enum { FIRST, OF_LIST, OF_REPLAY, OTHERS, N_RANKS };

/* Returns the hint of a key for the present list of rows; NULL: none. */
static const char *find_hint(const struct key_row *row, const struct ui_state *ui)
{
	const struct view *view = ui->frame->view;

	if (row->hint_at == HINT_SEARCH && !*ui->search.text)
		return NULL;
	if (row->hint_at == HINT_MEMBERS && !view->only_key)
		return NULL;
	return row->group_hint && view->group != GROUP_PROCESS ? row->group_hint : row->hint;
}

static int rank_of(const struct key_row *row, const struct ui_state *ui)
{
	if (row->hint_at != HINT_TABLE ||
	    (row->group_hint && find_hint(row, ui) == row->group_hint))
		return OF_LIST;
	if (row->only_replay)
		return OF_REPLAY;
	return row->act == act_quit || (row->act == act_panel && row->arg == PANEL_HELP) ? FIRST
											 : OTHERS;
}

/* Puts as many whole hints as fit before column `end`; stops at the first one that does not fit, so
 * that a wider screen has all hints of a narrower one. Returns the column after the hints. */
static int put_hints(struct canvas *c, int y, int end, const struct ui_state *ui)
{
	struct strbuf keys;
	int x = 0;

	strbuf_init(&keys);
	for (size_t i = 0; i < N_RANKS * key_table_n; i++) {
		const struct key_row *row = &key_table[i % key_table_n];
		const char *hint = find_hint(row, ui);

		if (!hint || rank_of(row, ui) != (int)(i / key_table_n) || key_refusal(row, ui))
			continue;
		strbuf_reset(&keys);
		add_keys(&keys, ui->keymap, row);
		if (!keys.len)
			continue;
		if (x + canvas_text_width(keys.text) + 1 + canvas_text_width(hint) > end)
			break;
		x = canvas_put(c, x, y, LOOK_KEY, keys.text);
		x = canvas_put(c, x + 1, y, LOOK_NORMAL, hint) + 2;
	}
	strbuf_done(&keys);
	return x;
}

/* Puts text before column `end` if it fits, and empties the text. Returns the end of the rest of
 * the line, which leaves two blanks before the text. */
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

/* From this width on, the cost of a refresh is shown; on narrower screens, hints of keys have
 * precedence. */
#define COST_MIN_WIDTH 120

/* Appends the cost of a refresh. All numbers have fixed widths, so that only the cells that changed
 * are written to the terminal. */
static void add_cost(struct strbuf *out, const struct own_cost *cost, bool whole)
{
	strbuf_addf(out, "tiptop: %6.2f ms, %5.2f %%", cost->cpu_us / 1e3, cost->share_pct);
	if (whole)
		strbuf_addf(out, " of a CPU, %5zu tasks, %5zu ran, %5zu groups, %5zu descriptors",
			    cost->tasks, cost->ran, cost->groups, cost->n_fds);
}

/* The width that the explanation of marks leaves free for the first hints: "h help  q quit". */
#define FIRST_HINTS 16

/* Puts the cost of a refresh before column `end`, in full if all hints fit beside it. Returns the
 * column before which hints must end. On a screen too narrow for the cost, this leaves no more room
 * than on the narrowest screen with the cost, so that a wider screen has no fewer hints. */
static int put_cost(const struct picture *p, int y, int end)
{
	struct canvas none = {.width = 0};
	struct strbuf brief, whole;
	int all = put_hints(&none, 0, INT_MAX / 2, p->ui), last, room;

	strbuf_init(&brief);
	strbuf_init(&whole);
	add_cost(&brief, p->frame->cost, false);
	add_cost(&whole, p->frame->cost, true);
	room = end - canvas_text_width(brief.text) - 2;
	if (p->c->width < COST_MIN_WIDTH) {
		room += COST_MIN_WIDTH - p->c->width;
		last = end < room ? end : room;
	} else {
		last = put_before(p->c, y, end, LOOK_FAINT,
				  all + canvas_text_width(whole.text) <= end ? &whole : &brief);
	}
	strbuf_done(&brief);
	strbuf_done(&whole);
	return last;
}

/* Paints the footer: at the right, from right to left, the number of errors, the epoch, the number
 * of the refresh, the cost of the refresh, and the explanation of new marks; at the left, hints of
 * keys. */
static void part_paint_footer(const struct picture *p, int y, int n)
{
	const struct frame *frame = p->frame;
	struct canvas *c = p->c;
	struct strbuf text;
	int end;

	(void)n;
	strbuf_init(&text);
	errors_add_hint(&text, p->ui->keymap, p->info->log);
	end = put_before(c, y, c->width, LOOK_NOTE, &text);
	if (frame->view->epoch)
		strbuf_addf(&text, "epoch %" PRIu64, frame->wall_ns / 1000000000);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->view->timestamp)
		strbuf_addf(&text, "refresh %" PRIu64, frame->number);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->cost)
		end = put_cost(p, y, end);
	legend_add(&p->ui->legend, end - FIRST_HINTS, &text);
	end = put_before(c, y, end, LOOK_NOTE, &text);
	put_hints(c, y, end, p->ui);
	strbuf_done(&text);
}

/* ---- paint ---- */

#define NOTE_WRAP_HEIGHT 16 /* from this height on, a note may take NOTE_MAX_LINES */
#define NOTE_MAX_LINES   3

static int note_lines(const struct picture *p)
{
	struct canvas nowhere = {.width = p->c->width};
	bool wraps;

	if (!p->info->note)
		return 0;
	/* A recording always has a note, which may take several lines only on a high screen. */
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
	p->ui->legend.seen = rows_paint(p->c, y, p->frame, &p->ui->layout, rows, p->ui->keymap);
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

/* Paints the row of totals. If there are no rows, its line stays empty, so that nothing moves when
 * rows appear. */
static void paint_total(const struct picture *p, int y, int n)
{
	(void)n;
	if (p->frame->total)
		p->ui->legend.seen |= rows_paint_total(p->c, y, p->frame, &p->ui->layout);
}

/* The parts from top to bottom. The rows take the lines that the other parts leave. */
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

/* Sets the number of lines of each part. The rows take the lines that remain. */
static void share_lines(const struct picture *p, int lines[N_PARTS])
{
	int rest = p->c->height;

	for (int i = 0; i < N_PARTS; i++) {
		lines[i] = i == PART_ROWS ? 0 : lines_of(p, i);
		rest -= lines[i];
	}
	lines[PART_ROWS] = rest > 0 ? rest : 0;
}

/* Scrolls to the current row. If this row has just been expanded, scrolls so that as many of its
 * descendants as possible are visible, too. */
static void show_current(struct ui_state *ui, const struct frame *frame)
{
	const size_t current = ui->cursor.index;
	size_t last = current;

	while (ui->expanded && last + 1 < frame->n &&
	       frame->row[last + 1].depth > frame->row[current].depth)
		last++;
	ui->expanded = false;
	scroll_show(&ui->rows, last);
	scroll_show(&ui->rows, current);
}

/* Determines the lines of all parts, and the visible rows and columns; then paints the parts. */
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
	/* If there are no rows, the cursor still has a place of an earlier frame. */
	if (p->frame->n)
		show_current(p->ui, p->frame);
	p->ui->layout.total = lines[PART_TOTAL] > 0;
	layout_fit(&p->ui->layout, p->frame, p->ui->rows.top, p->ui->rows.page, p->c->width);
	for (int i = 0, y = 0; i < N_PARTS; y += lines[i++])
		if (lines[i])
			part_table[i].paint(p, y, lines[i]);
}

/* Says if no line of the panel matches the search. Call it after the panel is painted. */
static void say_no_match(struct ui_state *ui)
{
	const bool missed = ui->panel_lines.find && ui->find.missed;
	/* In a menu, the search wraps around: it looks at all lines. */
	const bool all = key_panel_has_menu(ui);

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

/* Explains the sorting column: for the row of the page from which the panel was opened, else for
 * the current row. */
static void paint_explanation(struct canvas *c, struct ui_state *ui, const struct frame *frame,
			      const struct live_info *info)
{
	const struct frame_row *row = cursor_subject(&ui->cursor, frame);
	struct arena scratch = ARENA_INIT;
	struct frame_row found;

	if (ui_state_has_page(ui))
		row = frame_find_task(frame, &frame->view->page, &scratch, &found) ? &found : NULL;
	explain_paint(c, ui, frame, row, info->origins);
	arena_done(&scratch);
}

void paint_screen(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		  const struct live_info *info)
{
	canvas_resize(c, c->width, c->height);
	ui->frame = frame;
	ui->hits.n = 0;
	ui->painted = ui->panel;
	ui->ask.screen = frame->screen;
	cursor_fit(&ui->cursor, frame);
	key_resume_search(ui);
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
		paint_explanation(c, ui, frame, info);
		break;
	case PANEL_SORT:
		sort_menu_paint(c, ui, frame);
		break;
	case PANEL_PAGE:
		page_paint(c, ui, info->page, info->curves);
		break;
	case PANEL_STORY:
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
	say_no_match(ui);
	ask_paint(&ui->ask, c);
}
