/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/rows.h"
#include "view/evaluate.h"
#include "view/frame_part.h"
#include "view/row_filter.h"
#include "view/sort.h"

#define ID_WIDTH_MIN 5 /* as in 2.3.1 */

void frame_init(struct frame *f)
{
	memset(f, 0, sizeof *f);
}

void frame_done(struct frame *f)
{
	free(f->row);
	hash_done(&f->places.place);
	arena_done(&f->arena);
	memset(f, 0, sizeof *f);
}

static struct value cpu_of(const struct frame *f, const struct delta_row *row)
{
	const struct value own = evaluate_cpu(row);
	struct value all;

	if (!f->view->with_ended)
		return own;
	all = evaluate_cpu_with_ended(row);
	return value_known(all) ? all : own;
}

bool frame_is_idle(const struct frame *f, const struct delta_row *row)
{
	const struct kind *kind = row->task->kind;
	const enum fact busy = kind->busy;
	const struct value v = busy ? delta_fact(row, busy) : cpu_of(f, row);

	/* What has no CPU time cannot be without it. */
	if (!busy && !(*kind->facts & FACT_BIT(FACT_CPU_NS)))
		return false;
	return !value_known(v) || v.number <= 0 || (!busy && v.number < f->view->cpu_min);
}

/* As far as the task alone tells; of groups, members were asked. */
static enum tri ask_task(const struct frame *f, const struct task *t)
{
	struct row_filter *filter = f->view->row_filter;

	if (!filter || f->delta->groups || !row_filter_is_of_task(filter))
		return TRI_TRUE;
	return row_filter_ask(filter, t, NULL);
}

static bool is_wanted(const struct view *view, const struct task *t)
{
	return filter_match(&view->filter, t, view->show_cmdline) &&
	       group_has(view->only_key, view->only, t);
}

static bool is_followed(const struct view *view, const struct task *t)
{
	return view->follows && t->id == view->followed_id &&
	       t->start_ns == view->followed_start_ns;
}

bool frame_passes(const struct frame *f, const struct task *t)
{
	return is_wanted(f->view, t) && ask_task(f, t) == TRI_TRUE;
}

enum tri frame_ask(const struct frame *f, const struct delta_row *row)
{
	struct row_filter *filter = f->view->row_filter;

	if (!filter || f->delta->groups || row_filter_is_of_task(filter))
		return TRI_TRUE;
	return row_filter_ask(filter, row->task, row);
}

/* Counts those that do not pass. */
static bool take_answer(struct frame *f, enum tri answer)
{
	f->n_hidden += answer == TRI_FALSE;
	f->n_unknown += answer == TRI_UNKNOWN;
	return answer == TRI_TRUE;
}

static void add_row(struct frame *f, const struct delta_row *from, bool idle)
{
	f->row = xgrow(f->row, &f->cap, f->n + 1, sizeof *f->row);
	frame_make_row(f, &f->row[f->n++], from->task, from, idle);
}

const char *frame_text(const struct frame *f, const struct frame_row *row, size_t i)
{
	const struct column *column = &f->screen->column[i];

	return screen_column_is_verdict(column) ? row->verdict
						: task_text(row->task, screen_column_fact(column));
}

static void widen_id(struct frame *f, int width)
{
	if (width > f->id_width)
		f->id_width = width;
}

static int digits(uint64_t id)
{
	int n = 1;

	for (; id >= 10; id /= 10)
		n++;
	return n;
}

/* A text has a blank before it. */
static void widen_text_id(struct frame *f, const struct task *t)
{
	int width = 1 + text_length(t->name);

	widen_id(f, width < FRAME_ID_MAX ? width : FRAME_ID_MAX);
}

/* Members have been counted and filtered before they were put together. */
static bool count_in(struct frame *f, const struct task *t)
{
	f->n_all++;
	if (f->asks_tasks && (!is_wanted(f->view, t) || !take_answer(f, ask_task(f, t))))
		return false;
	f->n_tasks++;
	f->n_alive += !t->dead;
	return true;
}

/* Sets id_width, too, by all that are there. */
static void add_living(struct frame *f, const struct delta *delta)
{
	const struct view *view = f->view;
	struct rows_item item = {.n = 0};
	uint64_t largest = 0;

	while (rows_next(delta, &item)) {
		const struct task *t = item.task;
		const struct delta_row *row;
		bool idle = !item.row || frame_is_idle(f, item.row);

		if (t->kind->id_is_text)
			widen_text_id(f, t);
		else
			largest = task_number(t) > largest ? task_number(t) : largest;
		if (!delta->groups && !count_in(f, t))
			continue;
		if (!delta->interval_ns ||
		    (idle && !view->idle && !(view->sticky && t->dead) && !is_followed(view, t)))
			continue;
		row = item.row ? item.row : rows_idle(delta, &item, &f->arena);
		if (take_answer(f, frame_ask(f, row)))
			add_row(f, row, idle);
	}
	widen_id(f, digits(largest));
	f->n_all += delta->n_all;
	f->n_tasks += delta->n_passed;
	f->n_alive += delta->n_alive;
	f->n_hidden += delta->n_hidden;
	f->n_unknown += delta->n_unknown;
}

static void add_dead(struct frame *f, const struct dead_list *dead)
{
	f->n_all += dead->n;
	for (size_t i = 0; i < dead->n; i++) {
		const struct dead_row *row = dead->row[i];

		if (!frame_passes(f, row->row.task))
			continue;
		f->n_tasks++;
		if (take_answer(f, frame_ask(f, &row->row)))
			add_row(f, &row->row, false);
	}
}

/* Whether there is a task that such a view does not want, or may not want. */
static bool asks_tasks(const struct view *view, const struct kind *kind)
{
	return filter_applies(&view->filter, kind) || view->only_key != GROUP_PROCESS ||
	       (view->row_filter && row_filter_is_of_task(view->row_filter));
}

/* Nothing of an old frame is left but its memory. */
static void begin(struct frame *f, struct binding *binding, const struct view *view,
		  const struct delta *delta, uint64_t number)
{
	struct frame old = *f;

	arena_reset(&old.arena);
	/* Rows of idle tasks that are not wanted any more need not be kept room for. */
	if (old.cap / 8 > old.n) {
		free(old.row);
		old.row = NULL;
		old.cap = 0;
	}
	*f = (struct frame){
		.kind = delta->kind,
		.screen = binding->screen,
		.binding = binding,
		.view = view,
		.show_user = sort_shows_user(binding->screen, view),
		.asks_tasks = asks_tasks(view, delta->kind),
		.delta = delta,
		.sample = delta->sample,
		.host = &delta->sample->host,
		.wall_ns = delta->sample->wall_ns,
		.interval_ns = delta->interval_ns,
		.number = number,
		.id_width = old.kind == delta->kind ? old.id_width : ID_WIDTH_MIN,
		.row = old.row,
		.cap = old.cap,
		.places = old.places,
		.arena = old.arena,
	};
}

void frame_build(struct frame *f, struct binding *binding, const struct view *view,
		 const struct delta *delta, const struct dead_list *dead, uint64_t number)
{
	struct frame_tree *tree = NULL;

	begin(f, binding, view, delta, number);
	binding->shown = view_shown(view);
	if (delta_marked(delta))
		f->mark_wall_ns = delta_marked(delta)->wall_ns;
	if (view->row_filter)
		row_filter_begin(view->row_filter, binding, delta->sample, view->show_cmdline);
	/* Of a text, the name of it stands behind a blank, too. */
	widen_id(f, 1 + (int)strlen(f->kind->id_name));
	f->n_all = delta->sample->n_left_out;
	add_living(f, delta);
	if (dead && view->sticky && !delta->groups)
		add_dead(f, dead);
	if (view_is_tree(view))
		f->tree = tree = frame_tree_make(f, delta);
	if (view->total)
		frame_make_total(f, delta);
	frame_find_places(f);
	if (tree)
		frame_tree_order(tree);
	else
		frame_sort(f);
	frame_keep_places(f);
}

void frame_build_ended(struct frame *out, const struct frame *of)
{
	const struct delta *tasks = of->delta->groups ? of->delta->threads : of->delta;

	begin(out, of->binding, of->view, tasks, of->number);
	for (size_t i = 0; i < tasks->n; i++)
		if (tasks->row[i].task->dead && count_in(out, tasks->row[i].task) &&
		    take_answer(out, frame_ask(out, &tasks->row[i])))
			add_row(out, &tasks->row[i], false);
}
