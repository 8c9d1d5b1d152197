/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: the columns of all screens, and the events of the row with their raw counts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/rows.h"
#include "view/evaluate.h"
#include "view/format.h"
#include "view/frame.h"
#include "view/page.h"
#include "view/row_filter.h"

/* The width of numbers. */
#define VALUE_WIDTH 10
#define RAW_WIDTH   15

/* A column and its counters for the row. */
struct cell {
	const struct column *column;
	const struct bound *bound;
	int n_counters;
};

static struct cell cell_of(const struct page_writer *w, const struct page_screen *s, size_t i)
{
	return (struct cell){
		.column = &s->screen->column[i],
		.bound = binding_column(s->binding, w->row->from->events, i),
		.n_counters = s->binding->numbers->n_counters,
	};
}

/* Returns whether the events of the row include all counters of the column. Other rows may have
 * other events. */
static bool is_counted(const struct cell *c)
{
	for (size_t i = 0; i < expr_n_refs(c->column->expr); i++) {
		const int symbol = expr_ref_at(c->column->expr, i).symbol;

		if (symbol < c->n_counters && c->bound[symbol].event < 0)
			return false;
	}
	return true;
}

/* Returns whether all counters that the column lacks could be counted, but are not counted now. */
static bool is_countable(const struct cell *c)
{
	for (size_t i = 0; i < expr_n_refs(c->column->expr); i++) {
		const int symbol = expr_ref_at(c->column->expr, i).symbol;

		if (symbol < c->n_counters && c->bound[symbol].event < 0 &&
		    c->bound[symbol].quality != QUALITY_NOT_COUNTED)
			return false;
	}
	return true;
}

static bool same_symbol(const struct cell *x, int a, const struct cell *y, int b)
{
	if (a >= x->n_counters || b >= y->n_counters)
		return a == b;
	return x->bound[a].event == y->bound[b].event;
}

/* Returns whether both columns show the same number under the same id, as IPC on several
 * screens. */
static bool is_same(const struct cell *x, const struct cell *y)
{
	const struct expr *a = x->column->expr, *b = y->column->expr;
	bool same = expr_n_refs(a) == expr_n_refs(b) && !strcmp(x->column->id, y->column->id) &&
		    !strcmp(x->column->text, y->column->text);

	for (size_t i = 0; same && i < expr_n_refs(a); i++)
		same = same_symbol(x, expr_ref_at(a, i).symbol, y, expr_ref_at(b, i).symbol);
	return same;
}

static bool is_present(const struct page_writer *w, const struct page_screen *s)
{
	return s->screen == w->in->frame->screen;
}

/* Returns whether an earlier screen shows the same column; the current screen counts as the
 * first. */
static bool is_repeated(const struct page_writer *w, const struct page_screen *s,
			const struct cell *c)
{
	const struct page_input *in = w->in;

	for (size_t k = 0; k < in->n_screens; k++) {
		const struct page_screen *other = &in->screen[k];

		if (other == s || is_present(w, s) || (other > s && !is_present(w, other)))
			continue;
		for (size_t i = 0; i < other->screen->n_columns; i++) {
			const struct cell x = cell_of(w, other, i);

			if (is_same(&x, c) && is_counted(&x))
				return true;
		}
	}
	return false;
}

/* Writes " 1.87~ instructions per cycle (scaled, share 50 %)". */
static void write_cell(struct page_writer *w, const struct cell *c, struct value v)
{
	const char *value, *text = NULL;
	struct strbuf cell;
	char label[64];
	int len;

	strbuf_init(&cell);
	if (screen_column_is_text(c->column) && value_known(v))
		text = screen_column_is_verdict(c->column)
			       ? w->row->verdict
			       : task_text(w->row->task, screen_column_fact(c->column));
	format_cell_of(&cell, c->column, v, text, w->in->frame->view);
	value = format_trim_cell(&cell, c->column);
	strbuf_pad(&w->text, ' ', VALUE_WIDTH - (int)strlen(value));
	strbuf_addf(&w->text, "%s%s %s", value, value_known(v) ? quality_table[v.quality].mark : "",
		    v.quality == QUALITY_EXACT ? " " : "");
	strbuf_addstr(&w->text, c->column->desc);
	format_quality(&w->text, v, w->row->task->dead);
	snprintf(label, sizeof label, "%s", screen_column_name(c->column, &len));
	label[len < (int)sizeof label ? len : (int)sizeof label - 1] = '\0';
	page_add(w, PAGE_ENTRY, label);
	strbuf_done(&cell);
}

static struct value value_of(const struct page_writer *w, const struct cell *c)
{
	const struct frame *frame = w->in->frame;

	if (screen_column_is_verdict(c->column) && w->row->verdict)
		return value_exact(0);
	return evaluate_column(c->column, view_shown(frame->view), w->row->from, frame->host,
			       c->bound);
}

/* Writes all columns of the current screen; of another screen those that are counted and read now,
 * and that this machine has, unless they were written before. Returns how many columns of another
 * screen could be counted and read, but are not. */
static size_t write_screen(struct page_writer *w, size_t number)
{
	const struct page_screen *s = &w->in->screen[number];
	const bool present = is_present(w, s);
	size_t n_left = 0, n = 0;

	for (size_t i = 0; i < s->screen->n_columns; i++) {
		const struct cell c = cell_of(w, s, i);
		const struct value v = value_of(w, &c);

		if (!present && (!is_counted(&c) || v.quality == QUALITY_NOT_READ)) {
			n_left += is_countable(&c);
			continue;
		}
		if (!present && (v.quality == QUALITY_UNSUPPORTED || is_repeated(w, s, &c)))
			continue;
		if (!n++) {
			struct strbuf title;

			strbuf_init(&title);
			strbuf_addf(&title, "Screen %d, %s%s", s->screen->number, s->screen->name,
				    present ? " (shown now)" : "");
			page_add_text(w, PAGE_TITLE, NULL, title.text);
			strbuf_done(&title);
		}
		write_cell(w, &c, v);
	}
	return n_left;
}

/* Names the screens with columns that are not counted now. lacking: the screens that lack hardware
 * counters; else all others. */
static void write_missing(struct page_writer *w, const size_t *n_left, bool lacking,
			  const char *why)
{
	const struct page_input *in = w->in;
	struct strbuf names;
	size_t n = 0;

	strbuf_init(&names);
	for (size_t i = 0; i < in->n_screens; i++) {
		const struct screen *screen = in->screen[i].screen;

		if (n_left[i] && (in->no_counters && screen->lacking) == lacking)
			strbuf_addf(&names, "%s%d %s", n++ ? ", " : "", screen->number,
				    screen->name);
	}
	if (n) {
		strbuf_addf(&w->text, "columns of the screen%s %s: %s", n == 1 ? "" : "s",
			    names.text, why);
		page_add(w, PAGE_TEXT, NULL);
	}
	strbuf_done(&names);
}

/* Writes the current screen, then the others, then a line per reason for missing columns. */
void page_write_columns(struct page_writer *w)
{
	const struct page_input *in = w->in;
	size_t *n_left = xcalloc(in->n_screens + 1, sizeof *n_left), all = 0;

	for (size_t i = 0; i < in->n_screens; i++)
		if (is_present(w, &in->screen[i]))
			write_screen(w, i);
	for (size_t i = 0; i < in->n_screens; i++)
		if (!is_present(w, &in->screen[i]))
			all += n_left[i] = write_screen(w, i);
	if (all) {
		page_add_text(w, PAGE_TITLE, NULL, "Not counted or read now");
		write_missing(w, n_left, false, "a screen reads what it needs while it is shown");
		write_missing(w, n_left, true, in->no_counters);
	}
	free(n_left);
}

/* ---- events ---- */

static const char *where_of(const struct sample_events *set, int head, int i)
{
	if (sample_events_next_part(set, head, head) >= set->n)
		return "";
	return set->event[i].core > 0 ? " on the slower cores" : " on the faster cores";
}

/* Writes " 11192 counted, on the PMU 50 % of 4.000 s". */
static void write_count(struct page_writer *w, const struct raw_count *raw)
{
	const struct count *sum = &raw->sum;
	char number[32];

	snprintf(number, sizeof number, "%" PRIu64, sum->value);
	strbuf_pad(&w->text, ' ', RAW_WIDTH - (int)strlen(number));
	strbuf_addf(&w->text, "%s counted, on the PMU ", number);
	if (sum->enabled_ns)
		format_percent(&w->text, (double)sum->running_ns / (double)sum->enabled_ns);
	else
		strbuf_addstr(&w->text, "0 %");
	strbuf_addf(&w->text, " of %.3f s", (double)sum->enabled_ns / 1e9);
	if (raw->n > 1)
		strbuf_addf(&w->text, " in %d threads", raw->n);
}

/* Writes "; last 5596~ (scaled, share 50 %)". */
static void write_last(struct page_writer *w, struct value v)
{
	uint64_t count;

	strbuf_addstr(&w->text, "; last ");
	if (value_is_count(v, &count))
		strbuf_addf(&w->text, "%" PRIu64, count);
	else if (value_known(v))
		strbuf_addf(&w->text, "%.0f", v.number);
	strbuf_addstr(&w->text, quality_table[v.quality].mark);
	format_quality(&w->text, v, w->row->task->dead);
}

static void write_event(struct page_writer *w, int head, int i, const struct raw_count *raw)
{
	const struct sample_events *set = w->row->from->events;
	const struct sample_event *e = &set->event[i];
	struct strbuf label;

	strbuf_init(&label);
	strbuf_addstr(&label, *e->given ? e->given : e->resolved);
	strbuf_addstr(&label, where_of(set, head, i));
	if (e->quality != QUALITY_EXACT)
		strbuf_addf(&w->text, "none: %s", quality_table[e->quality].text);
	else if (!raw->n)
		strbuf_addf(&w->text, "none: %s", raw_why_none(w->row, raw));
	else
		write_count(w, raw);
	if (i == head && e->quality == QUALITY_EXACT && raw->n)
		write_last(w, w->row->from->increment[head]);
	page_add(w, PAGE_ENTRY, label.text);
	strbuf_done(&label);
}

void page_write_events(struct page_writer *w)
{
	const struct sample_events *set = w->row->from->events;
	const int n = sample_events_n(set);
	struct raw_count *raw;

	if (!n)
		return;
	raw = arena_calloc(&w->page->arena, (size_t)n, sizeof *raw);
	raw_read(w->in->frame, w->row, 0, n, raw);
	page_add_text(w, PAGE_TITLE, NULL,
		      "Events, since they were opened and in the last interval");
	for (int head = 0; head < n; head++)
		for (int i = head; !set->event[head].part_of && i < n;
		     i = sample_events_next_part(set, head, i))
			write_event(w, head, i, &raw[i]);
}

/* ---- raw counts ----
 *
 * The unscaled counts of events.
 */

/* Returns the index in `set` of an event of another set; -1: none. */
static int find_event(const struct sample_events *set, const struct sample_events *from, int event)
{
	if (set == from)
		return event;
	for (int i = 0; i < sample_events_n(set); i++)
		if (sample_event_equal(&set->event[i], &from->event[event]))
			return i;
	return -1;
}

/* Returns whether the task is in the current sample; always true for a group. */
static bool is_in_sample(const struct frame *frame, const struct frame_row *row)
{
	const struct sample *sample = frame->sample;
	bool present = row->task->kind->counts_members;

	for (size_t i = 0; i < sample->n && !present; i++)
		present = sample->task[i] == row->task;
	return present;
}

/* The events to read, and where to store them. */
struct reader {
	const struct sample *sample;
	const struct sample_events *events;
	int first, n;
	struct raw_count *out;
};

static void add_count(struct raw_count *raw, const struct task *t, int event)
{
	if (event < 0 || t->unread >> event & 1)
		return;
	raw->sum.value += t->count[event].value;
	raw->sum.enabled_ns += t->count[event].enabled_ns;
	raw->sum.running_ns += t->count[event].running_ns;
	raw->n++;
}

static void add_task(const struct reader *r, const struct task *t)
{
	for (int k = 0; t->count && k < r->n; k++)
		add_count(&r->out[k], t, find_event(t->events, r->events, r->first + k));
}

static void add_item(void *context, const struct rows_item *item)
{
	const struct reader *r = context;

	for (size_t i = item->first; i < item->first + item->n; i++)
		add_task(r, r->sample->task[i]);
}

/* Returns whether an item passes the filters, and so is a member of its group, as in
 * model/fold_groups.c. */
static bool has_passed(const struct frame *frame, const struct rows_item *item,
		       struct arena *scratch)
{
	const struct view *view = frame->view;
	struct row_filter *filter = view->row_filter;
	const struct delta_row *row = item->row;

	if (!filter_match(&view->filter, item->task, view->show_cmdline))
		return false;
	if (!filter)
		return true;
	if (!row && !row_filter_is_of_task(filter))
		row = rows_idle(frame->delta->threads, item, scratch);
	return row_filter_match(filter, item->task, row) == TRI_TRUE;
}

static void add_members(const struct reader *r, const struct frame *frame, const struct task *group)
{
	const struct group_key_row *key = &group_key_table[frame->view->group];
	const struct group_id id = {.number = group->id, .text = group->name};
	struct arena scratch = ARENA_INIT;

	for (struct rows_item item = {.n = 0}; rows_next(frame->delta->threads, &item);) {
		if (!group_id_compare(key->of(item.task), id) && has_passed(frame, &item, &scratch))
			add_item((void *)r, &item);
		arena_reset(&scratch);
	}
	arena_done(&scratch);
}

/* Adds the thread, or all threads of the process. */
static void add_own(const struct reader *r, const struct task *of)
{
	for (size_t i = 0; i < r->sample->n; i++) {
		const struct task *t = r->sample->task[i];

		if (r->sample->threads ? t == of : task_has_owner(t, task_owner(of)))
			add_task(r, t);
	}
}

void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw_count *out)
{
	struct reader r = {frame->sample, row->from->events, first, n, out};
	const bool present = is_in_sample(frame, row);

	for (int k = 0; k < n; k++)
		out[k] = (struct raw_count){.present = present};
	if (row->collapsed)
		frame_tree_each(frame, row, add_item, &r);
	else if (frame->delta->groups)
		add_members(&r, frame, row->task);
	else if (present)
		add_own(&r, row->task);
}

const char *raw_why_none(const struct frame_row *row, const struct raw_count *raw)
{
	if (!raw->present)
		return "no reading is kept of a task that has ended";
	if (row->task->counting == COUNT_IDLE)
		return "its counter is opened when the task runs";
	if (row->task->counting != COUNT_OK && row->task->counting != COUNT_WHOLE)
		return quality_table[count_state_quality(row->task->counting)].text;
	return "it could not be read";
}
