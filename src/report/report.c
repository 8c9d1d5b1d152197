/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_csv.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"

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

/* ---- record ---- */

/* ---- scalar ---- */

void scalar_add_csv(struct strbuf *out, const struct report_scalar *s, int digits)
{
	if (s->kind == REPORT_TEXT)
		csv_add_text(out, s->text);
	else if (s->kind == REPORT_VALUE && digits && value_known(s->value))
		strbuf_addf(out, digits < 0 ? "%.*g" : "%.*f", abs(digits), s->value.number);
	else if (s->kind == REPORT_VALUE)
		csv_add_value(out, s->value);
}

void scalar_add_json(struct strbuf *out, const struct report_scalar *s)
{
	if (s->kind == REPORT_VALUE)
		json_value(out, s->value);
	else
		json_text(out, s->kind == REPORT_TEXT ? s->text : NULL);
}

void scalar_add_people(struct strbuf *out, const struct report_scalar *s, int digits)
{
	uint64_t count;

	if (s->kind == REPORT_TEXT)
		text_add(out, s->text);
	else if (s->kind != REPORT_VALUE || !value_known(s->value))
		strbuf_addch(out, '-');
	else if (!digits && value_is_count(s->value, &count))
		num_add_count(out, count);
	else
		strbuf_addf(out, "%.*f", digits, s->value.number);
}

/* ---- column ---- */

/* --- the order --- */

static bool is_in_csv(const struct report_column *c, int table, int *place)
{
	(void)table;
	*place = c->csv_place;
	return c->csv;
}

static bool is_in_text(const struct report_column *c, int table, int *place)
{
	*place = c->place;
	return c->title && (c->table == table || c->table == REPORT_EACH_TABLE);
}

/* Returns the columns that are shown, sorted by place. Uses an insertion sort, as few columns have
 * a place. is_in: returns whether a column is shown, and sets *place. */
static struct report_order put_in_order(const struct report_type *type, int table,
					bool (*is_in)(const struct report_column *c, int table,
						      int *place))
{
	size_t *order = xcalloc(type->n + 1, sizeof *order), n = 0;

	for (size_t c = 0; c < type->n; c++) {
		int place, before;
		size_t at = n;

		if (!is_in(&type->column[c], table, &place))
			continue;
		for (; at && is_in(&type->column[order[at - 1]], table, &before) && before > place;
		     at--)
			order[at] = order[at - 1];
		order[at] = c;
		n++;
	}
	return (struct report_order){order, n};
}

struct report_order report_order_csv(const struct report_type *type)
{
	return type->order ? type->order[0] : put_in_order(type, 0, is_in_csv);
}

struct report_order report_order_text(const struct report_type *type, int table)
{
	return type->order ? type->order[1 + table] : put_in_order(type, table, is_in_text);
}

void report_order_done(const struct report_type *type, struct report_order *order)
{
	if (!type->order)
		free(order->column);
}

/* --- types built at run time --- */

static const char *copy_text(struct report_own_type *t, const char *text)
{
	if (!text)
		return NULL;
	t->text = xgrow(t->text, &t->cap_texts, t->n_texts + 1, sizeof *t->text);
	return t->text[t->n_texts++] = xstrdup(text);
}

int report_own_type_table(struct report_own_type *t, const char *note)
{
	t->note = xgrow(t->note, &t->cap_notes, (size_t)t->type.n_tables + 1, sizeof *t->note);
	t->note[t->type.n_tables] = copy_text(t, note);
	t->type.table_note = t->note;
	return t->type.n_tables++;
}

void report_own_type_init(struct report_own_type *t, const struct report_column *column, size_t n)
{
	bool in_text = false;

	*t = (struct report_own_type){.type = {.n = 0}};
	for (size_t c = 0; c < n; c++) {
		report_own_type_add(t, column[c]);
		in_text |= column[c].title != NULL;
	}
	if (in_text)
		report_own_type_table(t, NULL);
}

void report_own_type_settle(struct report_own_type *t)
{
	t->order = xcalloc((size_t)t->type.n_tables + 1, sizeof *t->order);
	t->order[0] = report_order_csv(&t->type);
	for (int table = 0; table < t->type.n_tables; table++)
		t->order[1 + table] = report_order_text(&t->type, table);
	t->type.order = t->order;
}

void report_own_type_done(struct report_own_type *t)
{
	for (int i = 0; t->order && i <= t->type.n_tables; i++)
		free(t->order[i].column);
	free(t->order);
	for (size_t i = 0; i < t->n_texts; i++)
		free(t->text[i]);
	free(t->text);
	free(t->note);
	free(t->column);
}

size_t report_own_type_add(struct report_own_type *t, struct report_column column)
{
	column.id = copy_text(t, column.id);
	column.csv = copy_text(t, column.csv);
	column.title = copy_text(t, column.title);
	column.field = copy_text(t, column.field);
	column.event = copy_text(t, column.event);
	t->column = xgrow(t->column, &t->cap, t->type.n + 1, sizeof *t->column);
	t->column[t->type.n] = column;
	t->type.column = t->column;
	return t->type.n++;
}

void report_own_type_group(struct report_own_type *t, size_t column)
{
	t->column[column].members = (int)(t->type.n - column - 1);
}

/* ---- record ---- */

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

void record_replace_text(struct report_record *r, struct report_cell *cell, const char *text)
{
	if (strcmp(record_text_of(r, cell), text) != 0)
		cell->text = add_text(r, text);
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
