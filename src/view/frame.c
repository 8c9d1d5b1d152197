/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "view/condition.h"
#include "view/evaluate.h"
#include "view/row_filter.h"
#include "view/tree.h"
#include "view/view.h"

/* ---- collapse ---- */

void collapse_done(struct collapse *c)
{
	free(c->node);
	*c = (struct collapse){.all = false};
}

/* Returns the index of the exception for a row; n: none. */
static size_t find(const struct collapse *c, const struct frame_row *row)
{
	size_t i;

	for (i = 0; i < c->n && !row_id_is(&c->node[i], row->task); i++)
		;
	return i;
}

/* Returns whether the node of a row is collapsed. depth: 0 for a root. */
static bool collapse_has(const struct collapse *c, const struct frame_row *row, int depth)
{
	bool usual = c->all && depth > 0;

	return c->n && find(c, row) < c->n ? !usual : usual;
}

bool collapse_set(struct collapse *c, const struct frame_row *row, bool collapsed)
{
	size_t i;

	if (collapse_has(c, row, row->depth) == collapsed)
		return false;
	i = find(c, row);
	if (i < c->n) {
		c->node[i] = c->node[--c->n];
		return true;
	}
	c->node = xgrow(c->node, &c->cap, c->n + 1, sizeof *c->node);
	c->node[c->n++] = row_id_of(row->task);
	return true;
}

void collapse_toggle_all(struct collapse *c)
{
	c->all = !c->all && !c->n;
	c->n = 0;
}

/* ---- order ----
 *
 * Compares rows, and freezes their order.
 */

/* Compares as in a dictionary: case matters only between equal words. */
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

/* Compares x and y by the sorting column, the smallest first; both values must be known. */
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

/* Returns the key of a row in frame_places; a collision needs billions of rows. */
static uint64_t key_of(const struct frame_row *row)
{
	const struct row_id id = row_id_of(row->task);

	return hash_text((const char *)&(const uint64_t[]){id.owner, id.id, id.start_ns, id.text},
			 4 * sizeof(uint64_t));
}

static bool is_for(const struct frame_places *p, const struct frame *f)
{
	const struct view *view = f->view;

	return p->screen == f->screen && p->kind == f->kind && p->sort == view->sort &&
	       p->reverse == view->reverse && p->tree == view->tree && p->threads == view->threads;
}

/* Sets the place of each row if the view freezes the order; frame_keep_places() then adds new
 * rows. */
static void frame_find_places(struct frame *f)
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

static void frame_keep_places(struct frame *f)
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

/* Compares in the order of the view: below 0 if x comes first. */
static int frame_compare_rows(const struct frame_row *x, const struct frame_row *y,
			      const struct frame *f)
{
	bool x_known = key_known(f, x), y_known = key_known(f, y);
	bool upwards = f->view->reverse != sorts_texts(f);
	int order = 0;

	/* Rows without a place come last: 0 - 1 is the largest number. */
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

static void frame_sort(struct frame *f)
{
	array_sort_with(f->row, f->n, sizeof *f->row, compare_rows, f);
}

/* ---- row ----
 *
 * The contents of one row.
 */

/* Returns frame_row.mark: '-' for a thread other than the leader, '+' for a leader with further
 * threads, else ' '. */
static char mark_of(const struct task *t, const struct delta_row *row)
{
	struct value n = delta_fact_now(row, FACT_NUM_THREADS);

	if (!task_is_leader(t))
		return '-';
	if (t->kind->counts_members)
		return ' ';
	/* The row of a collapsed subtree has the threads of all its tasks, so the number is read
	 * from the task. */
	if (row->task != t)
		return fact_in(t->known, FACT_NUM_THREADS) && task_fact(t, FACT_NUM_THREADS) > 1
			       ? '+'
			       : ' ';
	return (value_known(n) ? n.number > 1 : row->n_members > 1) ? '+' : ' ';
}

static const char *label_of(struct frame *f, const struct task *t, const struct delta_row *row)
{
	char text[32];

	if (t->kind->counts_members) {
		snprintf(text, sizeof text, "%d", row->n_members);
		return arena_strdup(&f->arena, text);
	}
	return t->kind->label ? t->kind->label(t, f->view->show_cmdline) : t->name;
}

static bool is_watched(const struct view *view, const struct task *t)
{
	return view->watching && filter_applies(&view->watch, t->kind) &&
	       filter_match(&view->watch, t, view->show_cmdline);
}

static const char *thread_name(const struct task *t)
{
	return !t->kind->label || t->kind->counts_members || !strcmp(t->name, t->process) ? NULL
											  : t->name;
}

/* Returns the verdict in words; NULL: none. A row with several members has none. */
static const char *verdict_of(struct frame *f, const struct task *t, const struct delta_row *row,
			      struct value *cell)
{
	const char *word = NULL;

	*cell = value_none(t->kind->counts_members ? QUALITY_DIFFER : QUALITY_NOT_READ);
	if (!t->kind->counts_members)
		word = judged_word(f->view->judged, f->sample, row);
	if (!word)
		return NULL;
	*cell = value_exact(0);
	return arena_strdup(&f->arena, word);
}

struct value frame_evaluate(const struct frame *f, const struct frame_row *row, size_t i)
{
	const struct bound *bound = binding_columns(f->binding, row->from->events) +
				    i * (size_t)f->binding->numbers->n_counters;

	row->cell[i] = evaluate_column(&f->screen->column[i], view_shown(f->view), row->from,
				       f->host, bound);
	return row->cell[i];
}

/* Makes the row of a task. from: its own row of the delta, or that of its collapsed subtree.
 * Allocates in the arena of the frame. */
static void frame_make_row(struct frame *f, struct frame_row *out, const struct task *task,
			   const struct delta_row *from, bool idle)
{
	const size_t n = f->screen->n_columns;
	struct value *cell = arena_alloc(&f->arena, n * sizeof *cell);
	const char *verdict = NULL;

	for (size_t i = 0; i < n; i++) {
		cell[i] = (struct value){.quality = FRAME_UNEVALUATED};
		if (screen_column_is_verdict(&f->screen->column[i]))
			verdict = verdict_of(f, task, from, &cell[i]);
	}
	*out = (struct frame_row){
		.task = task,
		.from = from,
		.mark = mark_of(task, from),
		.idle = idle,
		.parent = task->owner,
		.watched = from->watched || is_watched(f->view, task),
		.label = label_of(f, task, from),
		.thread = thread_name(task),
		.verdict = verdict,
		.cell = cell,
	};
}

/* ---- total ----
 *
 * The sum of all rows shown.
 */

static const struct kind kind_total = {
	.name = "total",
	.part = "total",
	.id_name = "",
	.label_name = "TASKS",
	.label_help = "how many tasks are shown",
	.counts_members = true,
	.facts = &fact_all,
};

/* Returns "2 tasks", or the name of the kind of rows. */
static const char *total_label(struct frame *f, const struct delta *delta, int n)
{
	const struct kind *kind = (delta->groups ? delta->threads : delta)->kind;
	const char *one = f->view->threads ? "thread" : "task";
	char text[48];

	if (kind != &kind_task && kind->many)
		snprintf(text, sizeof text, "%d %s", n, n == 1 ? kind->name : kind->many);
	else
		snprintf(text, sizeof text, "%d %s%s", n, one, n == 1 ? "" : "s");
	return arena_strdup(&f->arena, text);
}

/* Makes the CPU time of children unknown in a sum. When a parent waits for an ended child, the
 * kernel adds the CPU time of the child's whole life to the parent's, and so later to each further
 * ancestor's: a sum over these would not be the time of the interval. */
static void leave_children_out(struct delta_sums *sums)
{
	const struct value none = value_none(QUALITY_DIFFER);

	sums->fact[FACT_CHILD_NS] = (struct fact_sum){none, none, none, none};
}

/* Makes the sum of all rows. Must be called before sorting, while the rows of one process are
 * adjacent. */
static void frame_make_total(struct frame *f, const struct delta *delta)
{
	struct folding folding = {
		.arena = &f->arena,
		.joins = fold_joins(delta),
		.interval_ns = delta->interval_ns,
		.facts = f->screen->facts,
		.marked = delta_marked(delta),
		.keeps_ended = true,
		.lacks_leaders = true,
	};
	struct delta_row *from;
	struct frame_row *total;
	struct fold_sum sum;

	if (!f->n)
		return;
	from = arena_alloc(&f->arena, sizeof *from);
	total = arena_alloc(&f->arena, sizeof *total);
	fold_sum_begin(&sum, &folding, from, &kind_total, (struct fold_id){0, "total"});
	for (size_t i = 0; i < f->n; i++)
		if (!f->row[i].ancestor)
			fold_sum_add(&sum, f->row[i].from);
	fold_sum_end(&sum);
	leave_children_out(sum.facts);
	folding_done(&folding);
	frame_make_row(f, total, from->task, from, false);
	total->label = total_label(f, delta, from->n_members);
	f->total = total;
}

/* ---- tree ----
 *
 * The tree of rows.
 */

/* The state of a node of the tree while the frame is built. */
struct member {
	struct rows_item item;
	int row;      /* index in the frame; TREE_NONE: no row */
	bool needed;  /* it has a row, or is an ancestor of a node that has */
	bool visible; /* it is not below a collapsed node */
	int depth;
};

struct frame_tree {
	struct frame *f;
	const struct delta *delta;
	struct tree tree;
	struct member *member;
	int n_visible;
};

/* Makes nodes of all tasks of the sample, and then of tasks that ended earlier and stay, whose rows
 * come last. */
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

static enum tri frame_ask(const struct frame *f, const struct delta_row *row);

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

/* Returns whether a node is part of the sum of a collapsed node: it has a row, or is idle and
 * passes. */
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

static bool frame_is_idle(const struct frame *f, const struct delta_row *row);

/* Adds a row for a node that is shown only because of its descendants. */
static void add_ancestor(struct frame_tree *ft, int i)
{
	const struct delta_row *from = row_of(ft, i, &ft->f->arena);
	struct frame_row row;

	frame_make_row(ft->f, &row, ft->tree.node[i].task, from, frame_is_idle(ft->f, from));
	row.ancestor = true;
	put_row(ft, i, &row);
}

/* Makes the row of a collapsed node: the sum of the node and its descendants that pass the filter,
 * idle ones included. */
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
		.facts = fact_or(f->screen->facts, fact_or(fact_always_read(), fact_read_texts())),
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

/* Keeps only the rows of visible nodes, in the order of the nodes. */
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

/* Adds the ancestors of the rows, and folds collapsed nodes. */
static struct frame_tree *frame_tree_make(struct frame *f, const struct delta *delta)
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

/* Returns whether node i is `top` or below it. Follows the parents, as frame_tree_order() leaves
 * links to children only between visible nodes. */
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
	/* item->n is 0 for a task that ended before this sample: the sample has no reading of
	 * it. */
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

/* Returns frame_row.rails of node i. above: those of its parent. */
static uint32_t rails_of(const struct tree *t, const struct frame_row *row, uint32_t above, int i)
{
	if (!row->depth || row->depth > FRAME_RAILS)
		return above;
	return above | (t->node[i].next != TREE_NONE ? 1u << (row->depth - 1) : 0);
}

/* Puts children below their parents, each level sorted as the view wants it. */
static void frame_tree_order(struct frame_tree *ft)
{
	struct frame *f = ft->f;
	struct tree *t = &ft->tree;
	int *order = arena_alloc(&f->arena, f->n * sizeof *order);
	struct frame_row *row = arena_alloc(&f->arena, f->n * sizeof *row);
	int n = 0;

	for (int i = 0; i < t->n; i++)
		if (ft->member[i].visible)
			order[n++] = i;
	array_sort_with(order, (size_t)n, sizeof *order, compare_nodes, ft);
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

/* ---- frame ---- */

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

/* For a task that used no CPU: returns whether it waited for one at least cpu_min % of the
 * interval, and so is not idle. The kernel counts a wait when it ends; only a recording has it in
 * the intervals in which the task waited (record/reader_waits.c). */
static bool frame_is_starved(const struct frame *f, const struct delta_row *row)
{
	const struct value waited = delta_fact(row, FACT_WAIT_NS);

	return kind_is(row->task->kind, &kind_task) && value_known(waited) && waited.number > 0 &&
	       100 * waited.number >= f->view->cpu_min * (double)row->facts_ns;
}

static bool has_grown(struct value v)
{
	return value_known(v) && v.number > 0;
}

/* For a kind that counts uses, such as calls: returns whether a use ended in the interval, or one
 * that goes on took time or events. */
static bool frame_is_used(const struct delta_row *row, const struct kind *kind)
{
	if (has_grown(delta_fact(row, kind->busy)) || has_grown(delta_fact(row, kind->own_time)))
		return true;
	for (int i = 0; row->events && i < (int)row->events->n; i++)
		if (has_grown(row->increment[i]))
			return true;
	return false;
}

static bool frame_is_idle(const struct frame *f, const struct delta_row *row)
{
	const struct kind *kind = row->task->kind;
	struct value cpu;

	if (kind->busy)
		return !frame_is_used(row, kind);
	/* Rows of any other kind without CPU time are never idle. */
	if (!fact_in(*kind->facts, FACT_CPU_NS))
		return false;
	cpu = cpu_of(f, row);
	if (value_known(cpu) && cpu.number <= 0)
		return !frame_is_starved(f, row);
	return !value_known(cpu) || cpu.number < f->view->cpu_min;
}

/* Tests the row filter if it depends on the task alone. Members of groups were tested before. */
static enum tri ask_task(const struct frame *f, const struct task *t)
{
	struct row_filter *filter = f->view->row_filter;

	if (!filter || f->delta->groups || !row_filter_is_of_task(filter))
		return TRI_TRUE;
	return row_filter_match(filter, t, NULL);
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

/* Tests the row filter if it needs the row. */
static enum tri frame_ask(const struct frame *f, const struct delta_row *row)
{
	struct row_filter *filter = f->view->row_filter;

	if (!filter || f->delta->groups || row_filter_is_of_task(filter))
		return TRI_TRUE;
	return row_filter_match(filter, row->task, row);
}

/* Returns whether a row passes, by the answer of the row filter; counts the rows that do not. */
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

/* Sets the width for an id that is a text, which is preceded by a blank. */
static void widen_text_id(struct frame *f, const struct task *t)
{
	int width = 1 + text_length(t->name);

	widen_id(f, width < FRAME_ID_MAX ? width : FRAME_ID_MAX);
}

/* Counts and filters a task; members of groups were counted and filtered before. */
static bool count_in(struct frame *f, const struct task *t)
{
	f->n_all++;
	if (f->filters_tasks && (!is_wanted(f->view, t) || !take_answer(f, ask_task(f, t))))
		return false;
	f->n_tasks++;
	f->n_alive += !t->dead;
	return true;
}

/* Adds the rows of the delta, and sets id_width from all tasks. */
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

/* Returns whether the view may exclude rows of this kind by properties of the task alone. */
static bool filters_tasks(const struct view *view, const struct kind *kind)
{
	return filter_applies(&view->filter, kind) || view->only_key != GROUP_PROCESS ||
	       (view->row_filter && row_filter_is_of_task(view->row_filter));
}

/* Clears a frame, but keeps its memory. */
static void begin(struct frame *f, struct binding *binding, const struct view *view,
		  const struct delta *delta, uint64_t number)
{
	struct frame old = *f;

	arena_reset(&old.arena);
	/* Frees the rows if there is memory for many more than needed, as after idle tasks were
	 * shown. */
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
		.show_user = view_shows_user(view, binding->screen),
		.filters_tasks = filters_tasks(view, delta->kind),
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
	/* The header of an id that is a text is preceded by a blank, too. */
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

size_t frame_find_row(const struct frame *f, const struct row_id *id, size_t hint)
{
	size_t i;

	if (hint < f->n && row_id_is(id, f->row[hint].task))
		return hint;
	for (i = 0; i < f->n && !row_id_is(id, f->row[i].task); i++)
		;
	return i;
}

bool frame_find_task(const struct frame *f, const struct row_id *of, struct arena *arena,
		     struct frame_row *out)
{
	const size_t shown = frame_find_row(f, of, 0);
	struct rows_item item = {.n = 0};

	if (shown < f->n) {
		*out = f->row[shown];
		return true;
	}
	while (rows_next(f->delta, &item)) {
		*out = (struct frame_row){.task = item.task, .from = item.row};
		if (!row_id_is(of, out->task))
			continue;
		if (!out->from)
			out->from = rows_idle(f->delta, &item, arena);
		return true;
	}
	return false;
}
