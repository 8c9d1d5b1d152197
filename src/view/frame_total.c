/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of frame: one row over all that is shown. */
#include <stdio.h>

#include "model/fold_sum.h"
#include "model/kinds.h"
#include "view/frame_part.h"

static const struct kind kind_total = {
	.name = "total",
	.part = "total",
	.id_name = "",
	.label_name = "TASKS",
	.label_help = "how many tasks are shown",
	.counts_members = true,
	.facts = &fact_all,
};

/* "2 tasks"; of other kinds of rows, what those are called. */
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

/* What a child did counts when it has ended, for all of its life, and then for each ancestor: in no
 * interval the sum is what was done in it. */
static void leave_children_out(struct delta_sums *sums)
{
	const struct value none = value_none(QUALITY_DIFFER);

	sums->fact[FACT_CHILD_NS] = sums->fact_now[FACT_CHILD_NS] = none;
	sums->fact_rate[FACT_CHILD_NS] = sums->fact_since[FACT_CHILD_NS] = none;
}

void frame_make_total(struct frame *f, const struct delta *delta)
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
