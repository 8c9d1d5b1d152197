/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include <stdlib.h>

#include "base/mem.h"

void report_init(struct report *r)
{
	*r = (struct report){.n = 0};
}

static void free_entry(struct report_entry *e)
{
	if (e->kind == REPORT_NOTE)
		free(e->note);
	else if (e->kind == REPORT_RECORD)
		record_done(&e->record);
}

void report_empty(struct report *r)
{
	for (size_t i = 0; i < r->n; i++)
		free_entry(&r->entry[i]);
	r->n = 0;
}

void report_done(struct report *r)
{
	report_empty(r);
	free(r->entry);
}

static struct report_entry *add(struct report *r, enum report_entry_kind kind)
{
	r->entry = xgrow(r->entry, &r->cap, r->n + 1, sizeof *r->entry);
	r->entry[r->n] = (struct report_entry){.kind = kind};
	return &r->entry[r->n++];
}

struct report_record *report_add(struct report *r, const struct report_type *type)
{
	struct report_entry *e = add(r, REPORT_RECORD);

	record_init(&e->record, type);
	return &e->record;
}

void report_note(struct report *r, const char *lines)
{
	add(r, REPORT_NOTE)->note = xstrdup(lines);
}

void report_heading(struct report *r, const struct report_type *type)
{
	add(r, REPORT_HEADING)->type = type;
}
