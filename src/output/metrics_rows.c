/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of metrics: rows that have labels of their own. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fold_sum.h"
#include "output/metrics_part.h"

void metrics_rows_init(struct metrics_rows *r)
{
	*r = (struct metrics_rows){.n = 0};
	delta_init(&r->delta);
	frame_init(&r->frame);
}

void metrics_rows_done(struct metrics_rows *r)
{
	metrics_users_done(&r->users);
	free(r->row);
	frame_done(&r->frame);
	delta_done(&r->delta);
	arena_done(&r->labels);
}

void metrics_rows_begin(struct metrics_rows *r, enum group_key key, const struct delta *of)
{
	struct strbuf other;

	arena_reset(&r->labels);
	arena_reset(&r->delta.arena);
	r->delta = (struct delta){.kind = of->kind,
				  .sample = of->sample,
				  .interval_ns = of->interval_ns,
				  .processes = of->processes,
				  .groups = true,
				  .threads = of->groups ? of->threads : of,
				  .arena = r->delta.arena};
	r->n = r->n_written = 0;
	strbuf_init(&other);
	metrics_labels_add_other(&other, key, of->kind);
	r->other = (struct metrics_row){.labels = arena_strdup(&r->labels, other.text)};
	strbuf_done(&other);
}

/* By what rows are ordered: who used most CPU in the interval; of what has a time of its own, as a
 * lock or a function, who had most of it since it began, so that the order stays. */
static double use_of(const struct delta_row *row)
{
	const enum fact own = row->task->kind->own_time;
	const struct value use = own ? delta_fact_now(row, own) : delta_cpu_share(row);

	return value_known(use) ? use.number : 0;
}

void metrics_rows_add(struct metrics_rows *r, enum group_key key, const struct delta_row *row)
{
	struct strbuf labels;

	strbuf_init(&labels);
	metrics_labels_add(&labels, &r->users, key, row->task);
	r->row = xgrow(r->row, &r->cap, r->n + 1, sizeof *r->row);
	r->row[r->n++] = (struct metrics_row){
		.from = row, .labels = arena_strdup(&r->labels, labels.text), .use = use_of(row)};
	strbuf_done(&labels);
	/* What is called like the others is one of them, if there are any. */
	if (!strcmp(r->row[r->n - 1].labels, r->other.labels))
		r->row[r->n - 1].use = -1;
}

static int compare_labels(const void *a, const void *b)
{
	const struct metrics_row *x = a, *y = b;

	return strcmp(x->labels, y->labels);
}

/* Those that used most first; who used none, by labels, so that they stay what they are. */
static int compare_use(const void *a, const void *b)
{
	const struct metrics_row *x = a, *y = b;

	if (x->use != y->use)
		return x->use > y->use ? -1 : 1;
	return compare_labels(a, b);
}

/* Makes n rows one. */
static struct metrics_row fold(struct metrics_rows *r, const struct metrics_row *row, size_t n)
{
	struct folding folding = {.arena = &r->delta.arena,
				  .joins = fold_joins(&r->delta),
				  .interval_ns = r->delta.interval_ns,
				  .facts = fact_all,
				  .keeps_ended = true};
	const struct task *first = row[0].from->task;
	struct delta_row *sum = arena_alloc(&r->delta.arena, sizeof *sum);
	struct metrics_row out = {.from = sum, .labels = row[0].labels};
	struct fold_sum s;

	fold_sum_begin(&s, &folding, sum, first->kind, (struct fold_id){first->id, first->name});
	for (size_t i = 0; i < n; i++) {
		fold_sum_add(&s, row[i].from);
		out.use += row[i].use;
	}
	fold_sum_end(&s);
	folding_done(&folding);
	return out;
}

static void merge(struct metrics_rows *r)
{
	size_t n = 0;

	if (r->n)
		qsort(r->row, r->n, sizeof *r->row, compare_labels);
	for (size_t i = 0, end; i < r->n; i = end) {
		for (end = i + 1; end < r->n && !compare_labels(&r->row[i], &r->row[end]);)
			end++;
		r->row[n++] = end > i + 1 ? fold(r, &r->row[i], end - i) : r->row[i];
	}
	r->n = n;
	if (n)
		qsort(r->row, n, sizeof *r->row, compare_use);
}

/* Makes one row of those that are not written. */
static void fold_others(struct metrics_rows *r)
{
	const char *labels = r->other.labels;

	if (r->n > r->n_written)
		r->other = fold(r, &r->row[r->n_written], r->n - r->n_written);
	r->other.labels = r->n > r->n_written ? labels : NULL;
}

/* A row of the frame is of the row of the delta that it points to. */
static void build_frame(struct metrics_rows *r, const struct frame *shown, const struct view *view)
{
	struct delta *d = &r->delta;

	d->row = arena_alloc(&d->arena, (r->n_written + 1) * sizeof *d->row);
	for (size_t i = 0; i < r->n_written; i++) {
		d->row[d->n++] = *r->row[i].from;
		r->row[i].from = &d->row[i];
	}
	if (r->other.labels) {
		d->row[d->n] = *r->other.from;
		r->other.from = &d->row[d->n++];
	}
	frame_build(&r->frame, shown->binding, view, d, NULL, shown->number);
	for (size_t i = 0; i < r->frame.n; i++) {
		const struct frame_row *row = &r->frame.row[i];
		const size_t at = (size_t)(row->from - d->row);

		(at < r->n_written ? &r->row[at] : &r->other)->row = row;
	}
}

void metrics_rows_end(struct metrics_rows *r, const struct frame *shown, const struct view *view,
		      size_t max)
{
	merge(r);
	r->n_written = r->n < max ? r->n : max;
	fold_others(r);
	build_frame(r, shown, view);
}
