/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: when the numbers of the row changed their level. */
#include <time.h>

#include "view/format.h"
#include "view/page_part.h"

/* The last ones; how many there were before is said. */
#define CHANGES_MAX 12

static void add_number(struct strbuf *out, const struct column *column, double number)
{
	struct strbuf cell;

	strbuf_init(&cell);
	format_cell(&cell, column, value_exact(number), false);
	strbuf_addstr(out, format_trim_cell(&cell, column));
	strbuf_done(&cell);
}

/* "14:03:12  IPC 1.90 -> 1.10, noise 0.03; 10^9 times likelier than none" */
static void write_change(struct page_writer *w, const struct phases_change *c)
{
	const struct curves *curves = w->in->curves;
	const time_t t = (time_t)(curves->wall_ns[c->change.when - curves->first] / 1000000000u);
	char label[32] = "?";
	struct tm tm;
	int len;
	const char *name = screen_column_name(c->column, &len);

	if (localtime_r(&t, &tm))
		strftime(label, sizeof label, "%H:%M:%S", &tm);
	strbuf_addf(&w->text, "%.*s ", len, name);
	add_number(&w->text, c->column, c->change.before);
	strbuf_addstr(&w->text, " -> ");
	add_number(&w->text, c->column, c->change.after);
	strbuf_addstr(&w->text, ", noise ");
	add_number(&w->text, c->column, c->change.noise);
	strbuf_addf(&w->text, "; 10^%.0f times likelier than no change", c->change.likelier);
	page_add(w, PAGE_ENTRY, label);
}

void page_write_phases(struct page_writer *w)
{
	const struct phases *p = w->in->curves ? &w->in->curves->phases : NULL;
	const size_t first = p && p->n > CHANGES_MAX ? p->n - CHANGES_MAX : 0;

	if (!p || !p->n)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "Phases: when a number changed, and stayed so for 8 refreshes or more");
	for (size_t i = first; i < p->n; i++)
		write_change(w, &p->v[i]);
	if (!first)
		return;
	strbuf_addf(&w->text, "and %zu before these", first);
	page_add(w, PAGE_TEXT, NULL);
}
