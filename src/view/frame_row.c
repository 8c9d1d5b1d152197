/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of frame: what one row shows. */
#include <stdio.h>
#include <string.h>

#include "view/evaluate.h"
#include "view/frame_part.h"
#include "view/judged.h"

/* '-': a thread that is not the leader; '+': a leader that is not alone. */
static char mark_of(const struct task *t, const struct delta_row *row)
{
	struct value n = delta_fact_now(row, FACT_NUM_THREADS);

	if (!task_is_leader(t))
		return '-';
	if (t->kind->counts_members)
		return ' ';
	/* That of a part of a tree is not its own. */
	if (row->task != t)
		return t->known & FACT_BIT(FACT_NUM_THREADS) && task_fact(t, FACT_NUM_THREADS) > 1
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

/* What several rows have together is nobody's fault. */
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

void frame_make_row(struct frame *f, struct frame_row *out, const struct task *task,
		    const struct delta_row *from, bool idle)
{
	const size_t n = f->screen->n_columns;
	struct value *cell = arena_alloc(&f->arena, n * sizeof *cell);
	const char *verdict = NULL;

	for (size_t i = 0; i < n; i++) {
		cell[i] = (struct value){.quality = FRAME_UNASKED};
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
