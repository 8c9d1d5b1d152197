/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of format: an object a record, a line each. */
#include "base/json.h"
#include "report/format.h"

static void write_members(const struct report_record *r, size_t first, size_t end,
			  struct strbuf *out);

static void write_scalar(const struct report_record *r, const struct report_cell *cell,
			 struct strbuf *out)
{
	if (cell->kind == REPORT_TEXT)
		json_text(out, record_text_of(r, cell));
	else if (cell->kind == REPORT_OBJECT)
		write_members(r->object[cell->object], 0, r->object[cell->object]->type->n, out);
	else
		json_value(out, cell->value);
}

static void write_list(const struct report_record *r, const struct report_list *list,
		       struct strbuf *out)
{
	json_begin(out, '[');
	for (size_t i = 0; i < list->n; i++) {
		const size_t in_tuple = i % (size_t)list->tuple;

		if (list->tuple > 1 && in_tuple == 0)
			json_begin(out, '[');
		write_scalar(r, &r->item[list->first + i], out);
		if (list->tuple > 1 && in_tuple + 1 == (size_t)list->tuple)
			json_end(out, ']');
	}
	json_end(out, ']');
}

/* The columns from `first` on, before `end`; groups are objects. */
static void write_members(const struct report_record *r, size_t first, size_t end,
			  struct strbuf *out)
{
	json_begin(out, '{');
	for (size_t c = first; c < end; c++) {
		const struct report_column *column = &r->type->column[c];
		const struct report_cell *cell = &r->cell[c];
		const size_t behind = c + (size_t)column->members;

		if (column->id && cell->kind != REPORT_ABSENT) {
			json_key(out, column->id);
			if (cell->kind == REPORT_GROUP)
				write_members(r, c + 1, behind + 1, out);
			else if (cell->kind == REPORT_LIST)
				write_list(r, &cell->list, out);
			else
				write_scalar(r, cell, out);
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
	for (size_t i = 0; i < r->n; i++) {
		const struct report_record *record = &r->entry[i].record;

		if (r->entry[i].kind != REPORT_RECORD || !has_type(record->type))
			continue;
		write_members(record, 0, record->type->n, out);
		strbuf_addch(out, '\n');
	}
}
