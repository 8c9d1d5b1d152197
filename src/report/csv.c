/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of format: a line a record, with all digits. */
#include "base/csv.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/format.h"

static void write_header(const struct report_type *type, const size_t order[], size_t n,
			 struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_addch(out, ',');
		csv_add_text(out, type->column[order[i]].csv);
	}
	strbuf_addch(out, '\n');
}

static void write_record(const struct report_record *r, const size_t order[], size_t n,
			 struct strbuf *out)
{
	struct report_scalar cell;

	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_addch(out, ',');
		cell = record_scalar(r, &r->cell[order[i]]);
		scalar_add_csv(out, &cell, r->type->column[order[i]].csv_digits);
	}
	strbuf_addch(out, '\n');
}

/* The columns are put in order once for records of one type that follow each other. */
void report_write_csv(const struct report *r, bool with_header, struct strbuf *out)
{
	const struct report_type *type = NULL;
	size_t *order = NULL, n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_NOTE || e->kind == REPORT_SECTION)
			continue;
		if (report_entry_type(e) != type) {
			type = report_entry_type(e);
			free(order);
			order = xcalloc(type->n + 1, sizeof *order);
			n = report_order_csv(type, order);
		}
		if (n && with_header)
			write_header(type, order, n, out);
		if (n && e->kind == REPORT_RECORD)
			write_record(&e->record, order, n, out);
		with_header &= !n;
	}
	free(order);
}
