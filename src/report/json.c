/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of format: JSON, one object on a line for each record; a report with is_list set is one
 * array. */
#include "base/json.h"
#include "report/format.h"

static void write_members(const struct report *report, const struct report_record *r, size_t first,
			  size_t end, struct strbuf *out);

void report_add_object(const struct report *report, const struct report_record *record,
		       struct strbuf *out)
{
	write_members(report, record, 0, record->type->n, out);
}

/* digits: after the point; 0: all digits. */
static void write_scalar(const struct report_record *r, const struct report_cell *cell, int digits,
			 struct strbuf *out)
{
	const struct report_scalar s = record_scalar(r, cell);

	if (digits && s.kind == REPORT_VALUE && value_known(s.value))
		strbuf_addf(out, "%.*f", digits, s.value.number);
	else
		scalar_add_json(out, &s);
}

static void write_list(const struct report_record *r, const struct report_list *list,
		       struct strbuf *out)
{
	json_begin(out, '[');
	for (size_t i = 0; i < list->n; i++) {
		const size_t in_tuple = i % (size_t)list->tuple;

		if (list->tuple > 1 && in_tuple == 0)
			json_begin(out, '[');
		write_scalar(r, &r->item[list->first + i], 0, out);
		if (list->tuple > 1 && in_tuple + 1 == (size_t)list->tuple)
			json_end(out, ']');
	}
	json_end(out, ']');
}

static void write_records(const struct report *report, const struct report_list *list,
			  struct strbuf *out)
{
	json_begin(out, '[');
	for (size_t i = 0; i < list->n; i++)
		if (report->entry[list->first + i].is_inner)
			report_add_object(report, &report->entry[list->first + i].record, out);
	json_end(out, ']');
}

/* Appends the columns [first, end) as an object; groups become nested objects. */
static void write_members(const struct report *report, const struct report_record *r, size_t first,
			  size_t end, struct strbuf *out)
{
	json_begin(out, '{');
	for (size_t c = first; c < end; c++) {
		const struct report_column *column = &r->type->column[c];
		const struct report_cell *cell = &r->cell[c];
		const size_t behind = c + (size_t)column->members;

		if (column->id && cell->kind != REPORT_ABSENT) {
			json_key(out, column->id);
			if (cell->kind == REPORT_GROUP)
				write_members(report, r, c + 1, behind + 1, out);
			else if (cell->kind == REPORT_LIST)
				write_list(r, &cell->list, out);
			else if (cell->kind == REPORT_RECORDS)
				write_records(report, &cell->list, out);
			else
				write_scalar(r, cell, column->json_digits, out);
		}
		c = behind;
	}
	json_end(out, '}');
}

static bool has_type(const struct report_type *type)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].id)
			return true;
	return false;
}

void report_write_json(const struct report *r, bool with_header, struct strbuf *out)
{
	(void)with_header;
	if (r->is_list)
		json_begin(out, '[');
	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind != REPORT_RECORD || e->is_inner || !has_type(e->record.type))
			continue;
		report_add_object(r, &e->record, out);
		if (!r->is_list)
			strbuf_addch(out, '\n');
	}
	if (r->is_list)
		strbuf_addstr(out, "]\n");
}
