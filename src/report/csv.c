/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of format: CSV, one line for each record. */
#include "base/csv.h"

#include "report/format.h"

static void write_header(const struct report_type *type, const struct report_order *order,
			 struct strbuf *out)
{
	for (size_t i = 0; i < order->n; i++) {
		const struct report_column *column = &type->column[order->column[i]];

		if (i)
			strbuf_addch(out, ',');
		if (column->csv_quotes & REPORT_QUOTE_HEADING)
			csv_add_quoted(out, column->csv);
		else
			csv_add_text(out, column->csv);
	}
	strbuf_addch(out, '\n');
}

static void write_record(const struct report_record *r, const struct report_order *order,
			 struct strbuf *out)
{
	for (size_t i = 0; i < order->n; i++) {
		const struct report_column *column = &r->type->column[order->column[i]];
		const struct report_scalar cell = record_scalar(r, &r->cell[order->column[i]]);

		if (i)
			strbuf_addch(out, ',');
		if (cell.kind == REPORT_TEXT && column->csv_quotes & REPORT_QUOTE_TEXTS)
			csv_add_quoted(out, cell.text);
		else
			scalar_add_csv(out, &cell, column->csv_digits);
	}
	strbuf_addch(out, '\n');
}

/* Computes the order of the columns once for consecutive records of one type. */
void report_write_csv(const struct report *r, bool with_header, struct strbuf *out)
{
	const struct report_type *type = NULL;
	struct report_order order = {NULL, 0};

	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_NOTE || e->kind == REPORT_SECTION)
			continue;
		if (report_entry_type(e) != type) {
			if (type)
				report_order_done(type, &order);
			type = report_entry_type(e);
			order = report_order_csv(type);
		}
		if (order.n && with_header)
			write_header(type, &order, out);
		if (order.n && e->kind == REPORT_RECORD)
			write_record(&e->record, &order, out);
		with_header &= !order.n;
	}
	if (type)
		report_order_done(type, &order);
}
