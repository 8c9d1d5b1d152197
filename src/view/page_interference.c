/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: who began where it could disturb the row, when its IPC dropped. */
#include "model/history.h"
#include "view/interference.h"
#include "view/page_part.h"

/* The last ones. */
#define TOLD_MAX 3

static bool is_of(const struct change *c, const struct row_id *of)
{
	return c->of.kind == of->kind && c->of.id == of->id && c->of.start_ns == of->start_ns;
}

void page_write_interference(struct page_writer *w)
{
	const struct frame *frame = w->in->frame;
	const struct interference_input in = {
		.changes = frame->changes,
		.history = frame->history,
		.machine = frame->sample->machine,
		.threads = frame->sample->threads,
		.last = frame->moment,
	};
	const char *lack = NULL;
	struct interference found;
	int n = 0;

	for (size_t i = changes_n(frame->changes); i-- > 0 && n < TOLD_MAX;) {
		if (!is_of(changes_at(frame->changes, i), &w->page->of))
			continue;
		if (!lack)
			lack = interference_lack(&in, i);
		if (!interference_find(&found, &in, i))
			continue;
		if (!n++)
			page_add_text(w, PAGE_TITLE, NULL,
				      "Interference: who began where it could disturb, when the "
				      "IPC dropped");
		interference_tell(&w->text, &found);
		page_add(w, PAGE_TEXT, NULL);
		interference_tell_more(&w->text, &found);
		page_add(w, PAGE_ENTRY, "");
	}
	if (n || !lack)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "Interference: its IPC dropped, and nobody can be named");
	strbuf_addf(&w->text, "What is not known here, or was not recorded: %s", lack);
	page_add(w, PAGE_TEXT, NULL);
}
