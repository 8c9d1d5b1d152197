/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/rows.h"
#include "view/evaluate.h"
#include "view/sort.h"

#define ID_WIDTH_MIN 5 /* as in 2.3.1 */

void frame_init(struct frame *f)
{
	memset(f, 0, sizeof *f);
}

void frame_done(struct frame *f)
{
	free(f->row);
	arena_done(&f->arena);
	memset(f, 0, sizeof *f);
}

static bool is_idle(const struct delta_row *row, double cpu_min)
{
	struct value cpu = evaluate_cpu(row);

	return !value_known(cpu) || cpu.number <= 0 || cpu.number < cpu_min;
}

/* '-': a thread that is not the leader; '+': a leader that is not alone. */
static char mark_of(const struct delta_row *row)
{
	struct value n = delta_fact_now(row, FACT_NUM_THREADS);

	if (!task_is_leader(row->task))
		return '-';
	if (row->task->kind->counts_members)
		return ' ';
	return (value_known(n) ? n.number > 1 : row->n_members > 1) ? '+' : ' ';
}

static const char *label_of(struct frame *f, const struct delta_row *row)
{
	const struct kind *kind = row->task->kind;
	char text[32];

	if (kind->counts_members) {
		snprintf(text, sizeof text, "%d", row->n_members);
		return arena_strdup(&f->arena, text);
	}
	return kind->label ? kind->label(row->task, f->view->show_cmdline) : row->task->name;
}

static bool is_watched(const struct view *view, const struct task *t)
{
	return view->watching && filter_applies(&view->watch, t->kind) &&
	       filter_match(&view->watch, t, view->show_cmdline);
}

static const char *thread_name(const struct task *t)
{
	return t->kind->counts_members || !strcmp(t->name, t->process) ? NULL : t->name;
}

static void add_row(struct frame *f, const struct delta_row *from, bool idle)
{
	struct value *cell = arena_calloc(&f->arena, f->screen->n_columns, sizeof *cell);
	const struct bound *bound = binding_columns(f->binding, from->events);

	for (size_t i = 0; i < f->screen->n_columns; i++, bound += f->binding->numbers->n_counters)
		cell[i] = evaluate_column(&f->screen->column[i], from, f->host, bound);
	f->row = xgrow(f->row, &f->cap, f->n + 1, sizeof *f->row);
	f->row[f->n++] = (struct frame_row){
		.task = from->task,
		.from = from,
		.mark = mark_of(from),
		.idle = idle,
		.parent = from->task->owner,
		.depth = !task_is_leader(from->task),
		.watched = from->watched || is_watched(f->view, from->task),
		.label = label_of(f, from),
		.thread = thread_name(from->task),
		.cell = cell,
	};
}

const char *frame_text(const struct frame *f, const struct frame_row *row, size_t i)
{
	return task_text(row->task, screen_column_fact(&f->screen->column[i]));
}

/* As in a dictionary: capitals decide last. */
static int compare_text(const char *a, const char *b)
{
	int order = strcasecmp(a, b);

	return order ? order : strcmp(a, b);
}

static int compare_ids(const struct frame_row *x, const struct frame_row *y)
{
	const struct task *a = x->task, *b = y->task;
	int order = a->kind->id_is_text && b->kind->id_is_text ? compare_text(a->name, b->name) : 0;

	return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static int compare_labels(const struct frame_row *x, const struct frame_row *y)
{
	if (x->task->kind->counts_members)
		return x->from->n_members < y->from->n_members
			       ? -1
			       : x->from->n_members > y->from->n_members;
	return compare_text(x->label, y->label);
}

/* How x and y compare by the sorting column, smallest first; unknown values are
 * not compared here. */
static int compare_key(const struct frame *f, const struct frame_row *x, const struct frame_row *y)
{
	int sort = f->view->sort;
	double a, b;

	if (sort == SORT_PID)
		return compare_ids(x, y);
	if (sort == SORT_USER)
		return compare_text(x->task->user, y->task->user);
	if (!sort_column_of(f->screen, sort))
		return compare_labels(x, y);
	if (sort_is_text(f->screen, sort))
		return compare_text(frame_text(f, x, (size_t)sort), frame_text(f, y, (size_t)sort));
	a = x->cell[sort].number;
	b = y->cell[sort].number;
	return a < b ? -1 : a > b;
}

static bool key_known(const struct frame *f, const struct frame_row *row)
{
	return !sort_column_of(f->screen, f->view->sort) || value_known(row->cell[f->view->sort]);
}

static bool sorts_texts(const struct frame *f)
{
	if (f->view->sort == SORT_PID)
		return f->kind->id_is_text;
	return sort_is_text(f->screen, f->view->sort);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct frame *f = context;
	const struct frame_row *x = a, *y = b;
	bool x_known = key_known(f, x), y_known = key_known(f, y);
	bool upwards = f->view->reverse != sorts_texts(f);
	int order = 0;

	if (x_known != y_known)
		return x_known ? -1 : 1;
	if (x_known)
		order = compare_key(f, x, y);
	if (order)
		return upwards ? order : -order;
	return compare_ids(x, y);
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
	if (!filter_match(&f->view->filter, t, f->view->show_cmdline))
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
		bool idle = !item.row || is_idle(item.row, view->cpu_min);

		if (t->kind->id_is_text)
			widen_text_id(f, t);
		else
			largest = t->id > largest ? t->id : largest;
		if (!delta->groups && !count_in(f, t))
			continue;
		if (!delta->interval_ns || (idle && !view->idle && !(view->sticky && t->dead)))
			continue;
		add_row(f, item.row ? item.row : rows_idle(delta, &item, &f->arena), idle);
	}
	widen_id(f, digits(largest));
	f->n_all += delta->n_all;
	f->n_tasks += delta->n_passed;
	f->n_alive += delta->n_alive;
}

static void add_dead(struct frame *f, const struct dead_list *dead)
{
	f->n_all += dead->n;
	for (size_t i = 0; i < dead->n; i++) {
		const struct dead_row *row = dead->row[i];

		if (!filter_match(&f->view->filter, row->row.task, f->view->show_cmdline))
			continue;
		f->n_tasks++;
		add_row(f, &row->row, false);
	}
}

void frame_build(struct frame *f, struct binding *binding, const struct view *view,
		 const struct delta *delta, const struct dead_list *dead, uint64_t number)
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
		.sample = delta->sample,
		.host = &delta->sample->host,
		.wall_ns = delta->sample->wall_ns,
		.interval_ns = delta->interval_ns,
		.number = number,
		.id_width = old.kind == delta->kind ? old.id_width : ID_WIDTH_MIN,
		.row = old.row,
		.cap = old.cap,
		.arena = old.arena,
	};
	/* Of a text, the name of it stands behind a blank, too. */
	widen_id(f, 1 + (int)strlen(f->kind->id_name));
	f->n_all = delta->sample->n_left_out;
	add_living(f, delta);
	if (dead && view->sticky && !delta->groups)
		add_dead(f, dead);
	if (f->n)
		qsort_r(f->row, f->n, sizeof *f->row, compare_rows, f);
}
