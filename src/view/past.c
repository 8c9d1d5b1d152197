/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/past.h"

#include "view/evaluate.h"
#include "view/past_sum.h"

/* What is asked, and where the answers go to. */
struct reading {
	past_ask *ask;
	const void *context;
	uint32_t from, to; /* the moments [from, to) */
	struct value *out;
};

/* Between two records, or behind the last one: nothing was done. */
static void fill_idle(const struct reading *r, struct history_walk *w, const struct history *h,
		      uint32_t to)
{
	uint32_t at = w->moment + 1 > r->from ? w->moment + 1 : r->from;
	struct value idle;

	to = to < r->to ? to : r->to;
	if (at >= to)
		return;
	history_walk_idle(w, history_moment(h, at)->interval_ns);
	idle = r->ask(r->context, &w->row);
	for (; at < to; at++)
		if (history_moment(h, at)->interval_ns)
			r->out[at - r->from] = idle;
}

void past_each(const struct past_row *of, uint32_t from, size_t n, past_ask *ask,
	       const void *context, struct value *out)
{
	const struct reading r = {ask, context, from, from + (uint32_t)n, out};
	const struct history_track *track;
	struct history_walk w = {.cap = 0};

	if (of->group) {
		past_sum_each(of->frame, of->group, from, n, ask, context, out);
		return;
	}
	track = history_find(of->history, of->task, of->threads);
	for (size_t k = 0; k < n; k++)
		out[k] = value_none(QUALITY_NOT_READ);
	history_walk_begin(&w, track, from, of->task);
	while (history_walk_next(&w) && w.moment < r.to) {
		bool fresh;
		const uint32_t next = history_walk_peek(&w, &fresh);

		if (w.fresh)
			continue;
		if (w.moment >= from)
			out[w.moment - from] = ask(context, &w.row);
		if (next && !fresh)
			fill_idle(&r, &w, of->history, next);
		else if (!next && of->present)
			fill_idle(&r, &w, of->history, history_last(of->history) + 1);
	}
	history_walk_done(&w);
}

/* A column of a bound screen. */
struct cell {
	struct binding *binding;
	size_t column;
	struct shown shown;
	const struct host *host;
};

static struct value ask_cell(const void *context, const struct delta_row *row)
{
	const struct cell *c = context;

	return evaluate_column(&c->binding->screen->column[c->column], c->shown, row, c->host,
			       binding_column(c->binding, row->events, c->column));
}

void past_read(const struct past_row *of, struct binding *binding, size_t i, struct shown shown,
	       const struct host *host, uint32_t from, size_t n, struct value *out)
{
	const struct cell cell = {binding, i, shown, host};

	past_each(of, from, n, ask_cell, &cell, out);
}

void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out)
{
	const struct row_id id = row_id_of(row->task);
	const struct past_row of = {frame->history,
				    row->task,
				    frame->sample->threads,
				    !row->task->dead,
				    row->task->kind->counts_members ? &id : NULL,
				    frame};
	const uint32_t first = frame->history ? history_first(frame->history) : 0;
	/* A frame that is paused may be of a moment that is not kept any more. */
	const size_t kept = first && frame->moment >= first ? frame->moment + 1 - first : 0;
	/* What is below a collapsed row now need not have been there then. */
	const size_t m = row->collapsed ? 0 : kept < n ? kept : n;

	for (size_t k = 0; k < n - m; k++)
		out[k] = value_none(QUALITY_NOT_READ);
	if (m)
		past_read(&of, frame->binding, i, view_shown(frame->view), frame->host,
			  frame->moment + 1 - (uint32_t)m, m, out + n - m);
}
