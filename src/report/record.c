/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/record.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

void record_init(struct report_record *r, const struct report_type *type)
{
	*r = (struct report_record){.type = NULL};
	record_restart(r, type);
}

void record_restart(struct report_record *r, const struct report_type *type)
{
	r->type = type;
	r->next = r->n_items = 0;
	r->cell = xgrow(r->cell, &r->cap, type->n + 1, sizeof *r->cell);
	memset(r->cell, 0, type->n * sizeof *r->cell);
	if (r->texts.text)
		strbuf_reset(&r->texts);
	else
		strbuf_init(&r->texts);
}

void record_done(struct report_record *r)
{
	free(r->cell);
	free(r->item);
	strbuf_done(&r->texts);
}

/* Returns the next cell to fill, and sets its kind; aborts if `id` is not the id of its column. */
static struct report_cell *next_cell(struct report_record *r, const char *id, enum report_kind kind)
{
	struct report_cell *cell = &r->cell[r->next];
	const char *wanted = r->next < r->type->n ? r->type->column[r->next].id : NULL;

	if (r->next >= r->type->n || (wanted != id && strcmp(wanted ? wanted : "", id)))
		abort();
	r->next++;
	cell->kind = kind;
	return cell;
}

void record_value(struct report_record *r, const char *id, struct value v)
{
	next_cell(r, id, REPORT_VALUE)->value = v;
}

void record_count(struct report_record *r, const char *id, uint64_t count)
{
	record_value(r, id, value_count(count));
}

static struct value number_or_none(double number)
{
	return isfinite(number) ? value_exact(number) : value_none(QUALITY_NOT_READ);
}

void record_number(struct report_record *r, const char *id, double number)
{
	record_value(r, id, number_or_none(number));
}

static size_t add_text(struct report_record *r, const char *text)
{
	const size_t at = r->texts.len;

	strbuf_add(&r->texts, text, strlen(text) + 1);
	return at;
}

void record_text(struct report_record *r, const char *id, const char *text)
{
	if (text)
		next_cell(r, id, REPORT_TEXT)->text = add_text(r, text);
	else
		record_value(r, id, value_none(QUALITY_NOT_READ));
}

void record_textf(struct report_record *r, const char *id, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = xvasprintf(format, arguments);
	va_end(arguments);
	record_text(r, id, text);
	free(text);
}

void record_time(struct report_record *r, const char *id, uint64_t wall_ns)
{
	struct strbuf text;

	strbuf_init(&text);
	clock_add_time(&text, wall_ns);
	record_text(r, id, text.text);
	strbuf_done(&text);
}

void record_group(struct report_record *r, const char *id)
{
	next_cell(r, id, REPORT_GROUP);
}

void record_list(struct report_record *r, const char *id, int tuple)
{
	next_cell(r, id, REPORT_LIST)->list = (struct report_list){r->n_items, 0, tuple};
}

static struct report_cell *add_item(struct report_record *r, enum report_kind kind)
{
	assert(r->next && r->cell[r->next - 1].kind == REPORT_LIST);
	r->cell[r->next - 1].list.n++;
	r->item = xgrow(r->item, &r->cap_items, r->n_items + 1, sizeof *r->item);
	r->item[r->n_items].kind = kind;
	return &r->item[r->n_items++];
}

void record_item(struct report_record *r, struct value v)
{
	add_item(r, REPORT_VALUE)->value = v;
}

void record_item_text(struct report_record *r, const char *text)
{
	add_item(r, REPORT_TEXT)->text = add_text(r, text);
}

void record_records(struct report_record *r, const char *id, size_t first, size_t end)
{
	next_cell(r, id, REPORT_RECORDS)->list = (struct report_list){first, end - first, 1};
}

static void skip_members(struct report_record *r)
{
	r->next += (size_t)r->type->column[r->next - 1].members;
}

void record_absent(struct report_record *r, const char *id)
{
	next_cell(r, id, REPORT_ABSENT);
	skip_members(r);
}

void record_unknown(struct report_record *r, const char *id)
{
	record_value(r, id, value_none(QUALITY_NOT_READ));
	skip_members(r);
}

void record_optional_text(struct report_record *r, const char *id, const char *text)
{
	if (text)
		record_text(r, id, text);
	else
		record_absent(r, id);
}

void record_optional_count(struct report_record *r, const char *id, uint64_t count)
{
	if (count)
		record_count(r, id, count);
	else
		record_absent(r, id);
}
