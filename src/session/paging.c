/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/paging.h"

#include "model/kinds.h"
#include "model/rows.h"
#include "pmu/check/privilege.h"

/* Binds all screens for the page. Does so again only after a change of the current screen or of the
 * modes of counting: then columns that were left out of a screen may be available. */
static void bind_all(struct paging *p, struct setup *s)
{
	if (p->bound.n && p->present == s->display.view.screen &&
	    p->bound.kernel == s->display.view.kernel)
		return;
	bound_screens_done(&p->bound);
	bound_screens_make(&p->bound, s, (const struct screen *const *)s->config.screens.v,
			   s->config.screens.n);
	p->present = s->display.view.screen;
}

static void close_page(struct paging *p)
{
	bound_screens_done(&p->bound);
	page_done(&p->page);
	curves_done(&p->curves);
	detail_done(&p->detail);
	task_unref(p->task);
	*p = (struct paging){.asked = p->asked};
}

/* Keeps the last reading of the row: with it, the source can read details even after the row has
 * left the samples. */
static void store_task(struct paging *p, const struct frame *frame)
{
	struct arena scratch = ARENA_INIT;
	struct frame_row row;

	if (frame_find_task(frame, &p->page.of, &scratch, &row) && row.task != p->task) {
		task_unref(p->task);
		p->task = task_ref(row.task);
	}
	arena_done(&scratch);
}

static void read_detail(struct paging *p, struct setup *s, const struct frame *frame)
{
	const bool all = p->asked != s->display.view.page_requests;
	bool raised;

	if (!s->backend.source->ops->detail || !p->task || !p->task->kind->pid ||
	    (!all && p->number == frame->number))
		return;
	raised = privilege_raise();
	s->backend.source->ops->detail(s->backend.source, p->task,
				       DETAIL_MEMORY | DETAIL_RESCTRL | (all ? DETAIL_LIMITS : 0),
				       &p->detail);
	privilege_lower(raised);
	p->has_detail = true;
}

/* Returns the verdicts about the row; NULL: the row is not a single task, or the frame has no
 * interval. */
static const struct verdict_lines *judge(struct paging *p, struct display *display,
					 const struct frame *frame)
{
	const struct verdict_lines *lines = NULL;
	struct arena scratch = ARENA_INIT;
	struct frame_row row;

	if (frame_find_task(frame, &p->page.of, &scratch, &row) && row.task->kind == &kind_task &&
	    frame->interval_ns)
		lines = verdict_engine_explain(display->verdict_engine, frame->sample, row.from,
					       p->has_detail ? &p->detail : NULL);
	arena_done(&scratch);
	return lines;
}

static bool same_row(const struct row_id *x, const struct row_id *y)
{
	return x->kind == y->kind && x->id == y->id && x->start_ns == y->start_ns &&
	       x->text == y->text;
}

bool paging_find(const struct frame *frame, uint64_t id, struct row_id *out)
{
	struct rows_item item = {.n = 0};

	while (rows_next(frame->delta, &item))
		if (task_number(item.task) == id && !item.task->kind->id_is_text) {
			*out = row_id_of(item.task);
			return true;
		}
	return false;
}

const struct curves *paging_curves(const struct paging *p, const struct frame *frame)
{
	return p->page.of.kind && frame->history ? &p->curves : NULL;
}

const struct page *paging_update(struct paging *p, struct setup *s, const struct frame *frame)
{
	const struct row_id *of = &s->display.view.page;
	const struct verdict_lines *lines;

	if (!of->kind || !same_row(of, &p->page.of))
		close_page(p);
	if (!of->kind)
		return NULL;
	if (!p->page.of.kind)
		page_reset(&p->page, of);
	bind_all(p, s);
	store_task(p, frame);
	read_detail(p, s, frame);
	p->asked = s->display.view.page_requests;
	p->number = frame->number;
	if (frame->history)
		curves_build(&p->curves, frame, of);
	lines = judge(p, &s->display, frame);
	page_build(&p->page,
		   &(struct page_input){
			   .frame = frame,
			   .screen = p->bound.screen,
			   .n_screens = p->bound.n,
			   .no_counters = s->backend.hardware.code && !s->backend.recording
						  ? s->backend.hardware.text
						  : NULL,
			   .detail = p->has_detail ? &p->detail : NULL,
			   .curves = paging_curves(p, frame),
			   .verdict = lines ? lines->v : NULL,
			   .n_verdicts = lines ? lines->n : 0,
		   });
	return &p->page;
}

void paging_done(struct paging *p)
{
	close_page(p);
}
