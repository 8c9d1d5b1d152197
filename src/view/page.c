/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/rows.h"
#include "view/page_part.h"

void page_init(struct page *p)
{
	memset(p, 0, sizeof *p);
}

void page_done(struct page *p)
{
	free(p->line);
	arena_done(&p->arena);
	page_init(p);
}

void page_reset(struct page *p, const struct row_id *of)
{
	arena_reset(&p->arena);
	p->of = *of;
	p->title = p->note = NULL;
	p->n = 0;
}

void page_add_text(struct page_writer *w, enum page_style style, const char *label,
		   const char *text)
{
	struct page *p = w->page;

	p->line = xgrow(p->line, &p->cap, p->n + 1, sizeof *p->line);
	p->line[p->n++] = (struct page_line){.style = style,
					     .label = label ? arena_strdup(&p->arena, label) : NULL,
					     .text = arena_strdup(&p->arena, text)};
}

void page_add(struct page_writer *w, enum page_style style, const char *label)
{
	page_add_text(w, style, label, w->text.text);
	strbuf_reset(&w->text);
}

bool page_find(const struct row_id *of, const struct frame *frame, struct arena *arena,
	       struct frame_row *out)
{
	const size_t shown = row_id_find(of, frame, 0);
	struct rows_item item = {.n = 0};

	if (shown < frame->n) {
		*out = frame->row[shown];
		return true;
	}
	while (rows_next(frame->delta, &item)) {
		*out = (struct frame_row){.task = item.task, .from = item.row};
		if (!row_id_is(of, out))
			continue;
		if (!out->from)
			out->from = rows_idle(frame->delta, &item, arena);
		return true;
	}
	return false;
}

static void write_title(struct page_writer *w)
{
	const struct task *t = w->row->task;
	const char *kind = w->in->frame->sample->threads ? t->kind->part : t->kind->name;

	strbuf_addstr(&w->text, kind);
	if (!t->kind->id_is_text)
		strbuf_addf(&w->text, " %" PRIu64, t->id);
	strbuf_addch(&w->text, ' ');
	text_add(&w->text, t->name);
	w->page->title = arena_strdup(&w->page->arena, w->text.text);
	strbuf_reset(&w->text);
}

/* Why it is not there: the machine knows, where it is asked. */
static const char *why_gone(const struct page_input *in)
{
	if (in->detail && in->detail->error == -ESRCH)
		return "it has ended: these are the last numbers that were read";
	return "it is not among what is read now: these are the last numbers that were read";
}

void page_build(struct page *p, const struct page_input *in)
{
	struct page_writer w = {.page = p, .in = in};
	struct arena scratch = ARENA_INIT;
	struct frame_row row;
	const struct row_id of = p->of;

	if (!page_find(&of, in->frame, &scratch, &row)) {
		p->note = why_gone(in);
		arena_done(&scratch);
		return;
	}
	page_reset(p, &of);
	w.row = &row;
	strbuf_init(&w.text);
	write_title(&w);
	if (row.task->dead)
		p->note = "it has ended: these are its final counts";
	for (size_t i = 0; i < in->n_verdicts; i++)
		page_add_text(&w, in->verdict[i].style, in->verdict[i].label, in->verdict[i].text);
	if (in->n_verdicts)
		page_add_text(&w, PAGE_TITLE, NULL, "What it is");
	page_write_identity(&w);
	page_write_phases(&w);
	page_write_interference(&w);
	page_write_resctrl(&w);
	page_write_columns(&w);
	page_write_events(&w);
	page_write_facts(&w);
	page_write_threads(&w);
	page_write_memory(&w);
	page_write_limits(&w);
	page_write_long_command(&w);
	strbuf_done(&w.text);
	arena_done(&scratch);
}
