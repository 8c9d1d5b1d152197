/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include <stdlib.h>

#include "base/mem.h"

void report_init(struct report *r)
{
	*r = (struct report){.n = 0};
}

void report_empty(struct report *r)
{
	r->n = 0;
	while (r->n_own) {
		report_own_type_done(r->own[--r->n_own]);
		free(r->own[r->n_own]);
	}
}

void report_done(struct report *r)
{
	report_empty(r);
	for (size_t i = 0; i < r->n_made; i++) {
		record_done(&r->entry[i].record);
		free(r->entry[i].note);
	}
	free(r->entry);
	free(r->own);
}

static struct report_entry *add(struct report *r, enum report_entry_kind kind)
{
	struct report_entry *e;

	if (r->n == r->n_made) {
		r->entry = xgrow(r->entry, &r->cap, r->n + 1, sizeof *r->entry);
		r->entry[r->n_made++] = (struct report_entry){.kind = kind};
	}
	e = &r->entry[r->n++];
	e->kind = kind;
	e->is_inner = e->is_remark = false;
	return e;
}

struct report_record *report_add(struct report *r, const struct report_type *type)
{
	struct report_record *record = &add(r, REPORT_RECORD)->record;

	record_restart(record, type);
	return record;
}

struct report_record *report_add_inner(struct report *r, const struct report_type *type)
{
	struct report_record *record = report_add(r, type);

	r->entry[r->n - 1].is_inner = true;
	return record;
}

struct report_record *report_add_remark(struct report *r, const struct report_type *type)
{
	struct report_record *record = report_add(r, type);

	r->entry[r->n - 1].is_remark = true;
	return record;
}

static void add_lines(struct report *r, enum report_entry_kind kind, const char *lines)
{
	struct report_entry *e = add(r, kind);

	free(e->note);
	e->note = xstrdup(lines);
}

void report_note(struct report *r, const char *lines)
{
	add_lines(r, REPORT_NOTE, lines);
}

void report_section(struct report *r, const char *lines)
{
	add_lines(r, REPORT_SECTION, lines);
}

void report_heading(struct report *r, const struct report_type *type)
{
	add(r, REPORT_HEADING)->type = type;
}

void report_own(struct report *r, struct report_own_type *type)
{
	r->own = xgrow(r->own, &r->cap_own, r->n_own + 1, sizeof *r->own);
	r->own[r->n_own++] = type;
}
