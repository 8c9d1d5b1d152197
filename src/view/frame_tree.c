/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of frame: rows as a tree. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fold_sum.h"
#include "model/rows.h"
#include "view/collapse.h"
#include "view/frame_part.h"
#include "view/tree.h"

/* What there is at a node. */
struct member {
	struct rows_item item;
	int row;      /* of the frame; TREE_NONE: it has none */
	bool needed;  /* it has a row, or is above one that has */
	bool visible; /* it is not below a node that is collapsed */
	int depth;
};

struct frame_tree {
	struct frame *f;
	const struct delta *delta;
	struct tree tree;
	struct member *member;
	int n_visible;
};

/* All that is there, and behind it what has ended before and stays: of that, the rows are last. */
static void list_nodes(struct frame_tree *ft)
{
	struct frame *f = ft->f;
	size_t max = ft->delta->sample->n + f->n;
	struct tree_node *node = arena_alloc(&f->arena, max * sizeof *node);
	int n = 0, row = 0, n_sorted;

	ft->member = arena_calloc(&f->arena, max, sizeof *ft->member);
	for (struct rows_item item = {.n = 0}; rows_next(ft->delta, &item); n++) {
		bool has_row = (size_t)row < f->n && f->row[row].task == item.task;

		node[n].task = item.task;
		ft->member[n].item = item;
		ft->member[n].row = has_row ? row++ : TREE_NONE;
	}
	n_sorted = n;
	for (; (size_t)row < f->n; n++, row++) {
		node[n].task = f->row[row].task;
		ft->member[n].item.task = f->row[row].task;
		ft->member[n].row = row;
	}
	tree_make(&ft->tree, node, n, n_sorted, &f->arena);
}

static void mark_needed(struct frame_tree *ft)
{
	for (int i = 0; i < ft->tree.n; i++)
		for (int k = i;
		     ft->member[i].row != TREE_NONE && k != TREE_NONE && !ft->member[k].needed;
		     k = ft->tree.node[k].parent)
			ft->member[k].needed = true;
}

static bool passes(const struct frame_tree *ft, const struct rows_item *item, struct arena *scratch)
{
	return frame_passes(ft->f, item->task) &&
	       frame_ask(ft->f, item->row ? item->row : rows_idle(ft->delta, item, scratch)) ==
		       TRI_TRUE;
}

static const struct delta_row *row_of(const struct frame_tree *ft, int i, struct arena *arena)
{
	const struct member *m = &ft->member[i];

	if (m->row != TREE_NONE)
		return ft->f->row[m->row].from;
	return m->item.row ? m->item.row : rows_idle(ft->delta, &m->item, arena);
}

/* Whether it is part of what a collapsed node shows: it has a row, or is idle and passes. */
static bool is_shown_below(const struct frame_tree *ft, int i, struct arena *scratch)
{
	return ft->member[i].row != TREE_NONE || passes(ft, &ft->member[i].item, scratch);
}

static void put_row(struct frame_tree *ft, int i, const struct frame_row *row)
{
	struct frame *f = ft->f;
	struct member *m = &ft->member[i];

	if (m->row == TREE_NONE) {
		f->row = xgrow(f->row, &f->cap, f->n + 1, sizeof *f->row);
		m->row = (int)f->n++;
	}
	f->row[m->row] = *row;
}

/* One that has no row of its own is there for those below it. */
static void add_ancestor(struct frame_tree *ft, int i)
{
	const struct delta_row *from = row_of(ft, i, &ft->f->arena);
	struct frame_row row;

	frame_make_row(ft->f, &row, ft->tree.node[i].task, from, frame_is_idle(ft->f, from));
	row.ancestor = true;
	put_row(ft, i, &row);
}

/* What is below a node, and the node, as far as the filter lets it pass, idle or not. */
static void collapse(struct frame_tree *ft, int top)
{
	static const struct kind kind_subtree = {
		.name = "subtree",
		.part = "subtree",
		.counts_members = true,
		.facts = &fact_all,
	};
	struct frame *f = ft->f;
	struct folding folding = {
		.arena = &f->arena,
		.joins = fold_joins(ft->delta),
		.interval_ns = ft->delta->interval_ns,
		.facts = f->screen->facts | fact_given() | fact_read_texts(),
		.marked = delta_marked(ft->delta),
		.keeps_ended = true,
	};
	struct delta_row *from = arena_alloc(&f->arena, sizeof *from);
	struct arena scratch = ARENA_INIT;
	struct frame_row row;
	struct fold_sum sum;

	fold_sum_begin(&sum, &folding, from, &kind_subtree,
		       (struct fold_id){ft->tree.node[top].task->id, ""});
	for (int i = top; i != TREE_NONE; i = tree_next(&ft->tree, i, true, top)) {
		if (is_shown_below(ft, i, &scratch))
			fold_sum_add(&sum, row_of(ft, i, &scratch));
		arena_reset(&scratch);
	}
	fold_sum_end(&sum);
	folding_done(&folding);
	arena_done(&scratch);
	frame_make_row(f, &row, ft->tree.node[top].task, from, frame_is_idle(f, from));
	row.collapsed = true;
	put_row(ft, top, &row);
}

static bool is_collapsed(const struct frame_tree *ft, int i)
{
	const struct collapse *c = ft->f->view->collapse;
	const struct frame_row row = {.task = ft->tree.node[i].task};

	return c && ft->tree.node[i].first != TREE_NONE &&
	       collapse_has(c, &row, ft->member[i].depth);
}

static void visit(struct frame_tree *ft)
{
	const struct tree *t = &ft->tree;

	for (int i = t->first; i != TREE_NONE;) {
		struct member *m = &ft->member[i];
		bool into = m->needed;

		if (m->needed) {
			int parent = t->node[i].parent;

			m->depth = parent == TREE_NONE ? 0 : ft->member[parent].depth + 1;
			m->visible = true;
			ft->n_visible++;
			if (is_collapsed(ft, i)) {
				collapse(ft, i);
				into = false;
			} else if (m->row == TREE_NONE) {
				add_ancestor(ft, i);
			}
		}
		i = tree_next(t, i, into, TREE_NONE);
	}
}

/* Keeps only rows that are visible, in the order of the nodes. */
static void keep_visible(struct frame_tree *ft)
{
	struct frame *f = ft->f;
	struct frame_row *row = arena_alloc(&f->arena, (size_t)ft->n_visible * sizeof *row);
	size_t n = 0;

	for (int i = 0; i < ft->tree.n; i++) {
		struct member *m = &ft->member[i];

		if (!m->visible)
			continue;
		row[n] = f->row[m->row];
		row[n].has_children = ft->tree.node[i].first != TREE_NONE;
		row[n].depth = m->depth;
		if (m->depth)
			row[n].parent = ft->tree.node[ft->tree.node[i].parent].task->id;
		m->row = (int)n++;
	}
	f->n = n;
	if (n)
		memcpy(f->row, row, n * sizeof *row);
}

struct frame_tree *frame_tree_make(struct frame *f, const struct delta *delta)
{
	struct frame_tree *ft = arena_calloc(&f->arena, 1, sizeof *ft);

	ft->f = f;
	ft->delta = delta;
	list_nodes(ft);
	mark_needed(ft);
	visit(ft);
	keep_visible(ft);
	return ft;
}

/* By the parents: only nodes that are shown are linked, once they are in their order. */
static bool is_below(const struct tree *t, int i, int top)
{
	while (i != TREE_NONE && i != top)
		i = t->node[i].parent;
	return i == top;
}

void frame_tree_each(const struct frame *f, const struct frame_row *row,
		     void (*take)(void *context, const struct rows_item *item), void *context)
{
	const struct frame_tree *ft = f->tree;
	struct arena scratch = ARENA_INIT;
	int top = 0;

	while (ft->tree.node[top].task != row->task)
		top++;
	/* What has ended before this sample has no reading in it. */
	for (int i = 0; i < ft->tree.n; i++) {
		const struct rows_item *item = &ft->member[i].item;

		if (item->n && is_below(&ft->tree, i, top) && passes(ft, item, &scratch))
			take(context, item);
		arena_reset(&scratch);
	}
	arena_done(&scratch);
}

static int compare_nodes(const void *a, const void *b, void *context)
{
	const struct frame_tree *ft = context;
	const struct frame_row *row = ft->f->row;

	return frame_compare_rows(&row[ft->member[*(const int *)a].row],
				  &row[ft->member[*(const int *)b].row], ft->f);
}

/* Which of the lines from above go on below a row. */
static uint32_t rails_of(const struct tree *t, const struct frame_row *row, uint32_t above, int i)
{
	if (!row->depth || row->depth > FRAME_RAILS)
		return above;
	return above | (t->node[i].next != TREE_NONE ? 1u << (row->depth - 1) : 0);
}

void frame_tree_order(struct frame_tree *ft)
{
	struct frame *f = ft->f;
	struct tree *t = &ft->tree;
	int *order = arena_alloc(&f->arena, f->n * sizeof *order);
	struct frame_row *row = arena_alloc(&f->arena, f->n * sizeof *row);
	int n = 0;

	for (int i = 0; i < t->n; i++)
		if (ft->member[i].visible)
			order[n++] = i;
	if (n)
		qsort_r(order, (size_t)n, sizeof *order, compare_nodes, ft);
	tree_link(t, order, n);
	n = 0;
	for (int i = t->first; i != TREE_NONE; i = tree_next(t, i, true, TREE_NONE), n++) {
		int parent = t->node[i].parent;

		row[n] = f->row[ft->member[i].row];
		row[n].rails = rails_of(
			t, &row[n], parent == TREE_NONE ? 0 : row[ft->member[parent].row].rails, i);
		ft->member[i].row = n;
	}
	if (n)
		memcpy(f->row, row, (size_t)n * sizeof *row);
}
