/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of frame: what one row shows. */
#include <stdio.h>
#include <string.h>

#include "view/evaluate.h"
#include "view/frame_part.h"

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

void frame_make_row(struct frame *f, struct frame_row *out, const struct delta_row *from, bool idle)
{
	struct value *cell = arena_calloc(&f->arena, f->screen->n_columns, sizeof *cell);
	const struct bound *bound = binding_columns(f->binding, from->events);

	for (size_t i = 0; i < f->screen->n_columns; i++, bound += f->binding->numbers->n_counters)
		cell[i] = evaluate_column(&f->screen->column[i], from, f->host, bound);
	*out = (struct frame_row){
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
