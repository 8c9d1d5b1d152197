/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/built_in.h"

#include "base/mem.h"

static struct screen *declare(const struct screen_row *row)
{
	struct screen *s = screen_new(row->name, row->desc);

	s->number = row->number;
	s->needs = xstrdup_or_null(row->needs);
	s->rows = xstrdup_or_null(row->rows);
	s->idle = row->idle;
	for (size_t i = 0; i < row->n_counters; i++) {
		const struct counter_row *c = &row->counter[i];
		struct counter_decl *decl = screen_add_counter(s, c->alias, NULL, NULL);

		decl->event = xstrdup_or_null(c->event);
		decl->arch = xstrdup_or_null(c->arch);
		decl->model = xstrdup_or_null(c->model);
	}
	for (size_t i = 0; i < row->n_columns; i++) {
		const struct column_row *c = &row->column[i];
		struct column *column =
			screen_add_column(s, c->header, c->format, c->desc, c->expr);

		screen_give_id(column, c->id);
		column->unit_name = xstrdup_or_null(c->unit);
		column->optional = c->optional;
		column->priority = c->priority;
		column->warn.text = xstrdup_or_null(c->warn);
		column->crit.text = xstrdup_or_null(c->crit);
	}
	return s;
}

void screen_list_add_built_in(struct screen_list *l, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		screen_list_add(l, declare(&screen_built_in[i]));
}
