/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/column.h"

#include <stdlib.h>

#include "base/mem.h"

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
