/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: what the control groups of a task say of memory. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "view/page_part.h"

#define VALUE_WIDTH 10

static void add_bytes(struct page_writer *w, uint64_t bytes)
{
	struct strbuf number;

	strbuf_init(&number);
	unit_add(&number, UNIT_BYTES, (double)bytes);
	strbuf_pad(&w->text, ' ', VALUE_WIDTH - (int)number.len);
	strbuf_addf(&w->text, "%s  ", number.text);
	strbuf_done(&number);
}

/* "      4.0G  of the group /user.slice, which has 3.1G: above it, tasks are killed" */
static void write_bound(struct page_writer *w, const struct detail_bound *b, const char *label,
			const char *help)
{
	if (b->why) {
		strbuf_addf(&w->text, "%*s  ", VALUE_WIDTH, "?");
		text_add(&w->text, b->why);
	} else if (!b->group || b->bytes == DETAIL_NO_LIMIT) {
		strbuf_addf(&w->text, "%*s  of any group that it is in%s: above it, %s",
			    VALUE_WIDTH, "none",
			    w->in->detail->memory.is_whole
				    ? ""
				    : " and that is seen here; others above may have one",
			    help);
	} else {
		add_bytes(w, b->bytes);
		strbuf_addstr(&w->text, "of the group ");
		text_add(&w->text, b->group);
		if (b->used_known) {
			strbuf_addstr(&w->text, ", which has ");
			unit_add(&w->text, UNIT_BYTES, (double)b->used);
		}
		strbuf_addf(&w->text, ": above it, %s", help);
	}
	page_add(w, PAGE_ENTRY, label);
}

static void write_use(struct page_writer *w, const struct detail_memory *m)
{
	if (m->why) {
		strbuf_addf(&w->text, "%*s  ", VALUE_WIDTH, "?");
		text_add(&w->text, m->why);
	} else {
		add_bytes(w, m->used);
		strbuf_addstr(&w->text, "used by all of the group ");
		text_add(&w->text, m->group);
	}
	page_add(w, PAGE_ENTRY, "used");
}

void page_write_memory(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const struct detail_memory *m = d ? &d->memory : NULL;

	if (!w->row->task->kind->pid || !m || !(m->read || m->error))
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Memory of its control group");
	if (m->error) {
		strbuf_addf(&w->text, "/proc/%" PRIu64 "/cgroup cannot be read: %s",
			    w->row->task->owner, strerror(-m->error));
		page_add(w, PAGE_TEXT, NULL);
		return;
	}
	write_use(w, m);
	if (!m->group && !m->max.group && !m->max.why)
		return;
	write_bound(w, &m->max, "max", "tasks are killed");
	if (m->has_high)
		write_bound(w, &m->high, "high", "they are slowed down");
}
