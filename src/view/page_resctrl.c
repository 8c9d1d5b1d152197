/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: what groups of tasks hold of caches, and move to and from memory, as resctrl tells.
 */
#include <string.h>

#include "base/text.h"
#include "base/unit.h"
#include "view/page_part.h"

#define NUMBER_WIDTH 9

static const struct {
	const char *head, *what;
} numbers[N_RESCTRL_NUMBERS] = {
	[RESCTRL_OCCUPANCY] = {"of L3", "L3"},
	[RESCTRL_TOTAL] = {"memory/s", "memory"},
	[RESCTRL_LOCAL] = {"local/s", "local memory"},
};

static void add_number(struct page_writer *w, const struct resctrl_group *g, int i)
{
	struct strbuf text;

	strbuf_init(&text);
	if (g->why[i] == RESCTRL_KNOWN)
		unit_add(&text, UNIT_BYTES, g->number[i]);
	else
		strbuf_addch(&text, '?');
	strbuf_pad(&w->text, ' ', NUMBER_WIDTH - (int)text.len);
	strbuf_addf(&w->text, "%s ", text.text);
	strbuf_done(&text);
}

/* Of whom it is: only where nothing else counts for it, it is the task's. */
static void add_whom(struct page_writer *w, const struct resctrl_group *g)
{
	if (!*g->name)
		strbuf_addstr(&w->text, ": all that is in no other group");
	else if (!g->tasks_known)
		strbuf_addstr(&w->text, ": who is in it is not known");
	else if (g->n_own && g->n_own == g->n_tasks && !g->has_cpus)
		strbuf_addstr(&w->text, ": this task, and nobody else");
	else if (g->n_own)
		strbuf_addf(&w->text, ": %zu threads, %zu of them of this task", g->n_tasks,
			    g->n_own);
	else
		strbuf_addf(&w->text, ": %zu threads, none of this task", g->n_tasks);
	if (*g->name && g->has_cpus)
		strbuf_addstr(&w->text, ", and what runs on its CPUs");
}

static void write_group(struct page_writer *w, const struct resctrl_group *g)
{
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		add_number(w, g, i);
	strbuf_addch(&w->text, ' ');
	text_add(&w->text, *g->name ? g->name : "/");
	add_whom(w, g);
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		if (g->why[i] != RESCTRL_KNOWN)
			strbuf_addf(&w->text, "; %s: %s", numbers[i].what,
				    resctrl_why_text[g->why[i]]);
	page_add(w, PAGE_ENTRY, "");
}

void page_write_resctrl(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const struct resctrl *r = d ? &d->resctrl : NULL;

	if (!w->row->task->kind->pid || !r || !r->n)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "What groups of tasks hold of caches, and move from and to memory (resctrl)");
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		strbuf_addf(&w->text, "%*s ", NUMBER_WIDTH, numbers[i].head);
	strbuf_addstr(&w->text, " group");
	page_add(w, PAGE_HEAD, "");
	for (size_t i = 0; i < r->n; i++)
		write_group(w, &r->group[i]);
	if (r->n_more)
		strbuf_addf(&w->text, "and %zu more groups, which are not read", r->n_more);
	if (r->n_more)
		page_add(w, PAGE_TEXT, NULL);
	page_add_text(w, PAGE_TEXT, NULL,
		      r->own_known ? "The group of this task stands first. Of one task a number is "
				     "only where nobody else is in its group."
				   : "In which of them this task is, is not known.");
}
