/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of frame: in which order rows stand. */
#include <stdlib.h>
#include <string.h>

#include "view/frame_part.h"
#include "view/row_id.h"
#include "view/sort.h"

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
	a = frame_value(f, x, (size_t)sort).number;
	b = frame_value(f, y, (size_t)sort).number;
	return a < b ? -1 : a > b;
}

static bool key_known(const struct frame *f, const struct frame_row *row)
{
	return !sort_column_of(f->screen, f->view->sort) ||
	       value_known(frame_value(f, row, (size_t)f->view->sort));
}

static bool sorts_texts(const struct frame *f)
{
	if (f->view->sort == SORT_PID)
		return f->kind->id_is_text;
	return sort_is_text(f->screen, f->view->sort);
}

/* Who stands where: two things may have one key only where billions have been met. */
static uint64_t key_of(const struct frame_row *row)
{
	const struct row_id id = row_id_of(row);

	return hash_text((const char *)&(const uint64_t[]){id.owner, id.id, id.start_ns, id.text},
			 4 * sizeof(uint64_t));
}

static bool is_for(const struct frame_places *p, const struct frame *f)
{
	const struct view *view = f->view;

	return p->screen == f->screen && p->kind == f->kind && p->sort == view->sort &&
	       p->reverse == view->reverse && p->tree == view->tree && p->threads == view->threads;
}

void frame_find_places(struct frame *f)
{
	struct frame_places *p = &f->places;
	const struct view *view = f->view;

	if (p->n && (!view->freeze || !is_for(p, f))) {
		hash_done(&p->place);
		p->n = 0;
	}
	for (size_t i = 0; p->n && i < f->n; i++)
		f->row[i].place = (size_t)(uintptr_t)hash_get(&p->place, key_of(&f->row[i]));
}

void frame_keep_places(struct frame *f)
{
	struct frame_places *p = &f->places;
	const struct view *view = f->view;

	if (!view->freeze)
		return;
	p->screen = f->screen;
	p->kind = f->kind;
	p->sort = view->sort;
	p->reverse = view->reverse;
	p->tree = view->tree;
	p->threads = view->threads;
	for (size_t i = 0; i < f->n; i++)
		if (!f->row[i].place)
			hash_put(&p->place, key_of(&f->row[i]), (void *)(uintptr_t)++p->n);
}

int frame_compare_rows(const struct frame_row *x, const struct frame_row *y, const struct frame *f)
{
	bool x_known = key_known(f, x), y_known = key_known(f, y);
	bool upwards = f->view->reverse != sorts_texts(f);
	int order = 0;

	/* What is new comes at the end. */
	if (x->place != y->place)
		return x->place - 1 < y->place - 1 ? -1 : 1;
	if (x_known != y_known)
		return x_known ? -1 : 1;
	if (x_known)
		order = compare_key(f, x, y);
	if (order)
		return upwards ? order : -order;
	return compare_ids(x, y);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	return frame_compare_rows(a, b, context);
}

void frame_sort(struct frame *f)
{
	if (f->n)
		qsort_r(f->row, f->n, sizeof *f->row, compare_rows, f);
}
