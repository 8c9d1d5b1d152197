/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggestion.h"

size_t report_choice_find(const struct report_type *type, const char *heading, size_t n)
{
	for (size_t c = 0; c < type->n; c++) {
		const char *csv = type->column[c].csv;

		if (csv && strlen(csv) == n && !memcmp(csv, heading, n))
			return c;
	}
	return REPORT_NO_COLUMN;
}

size_t report_choice_find_id(const struct report_type *type, const char *id)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].id && !strcmp(type->column[c].id, id))
			return c;
	return REPORT_NO_COLUMN;
}

/* --- lists --- */

/* Returns the length of the first field in the list: of the longest heading that is followed by a
 * comma or the end of the list; if no heading matches, the length up to the next comma. */
static size_t field_length(const struct report_type *type, const char *list)
{
	size_t longest = 0;

	for (size_t c = 0; c < type->n; c++) {
		const char *csv = type->column[c].csv;
		const size_t n = csv ? strlen(csv) : 0;

		if (n > longest && !strncmp(list, csv, n) && (!list[n] || list[n] == ','))
			longest = n;
	}
	return longest ? longest : strcspn(list, ",");
}

/* Returns the next field of a list, sets *n to its length, and advances *list; NULL: no more
 * fields. */
static const char *next_field(const struct report_type *type, const char **list, size_t *n)
{
	const char *field = *list;

	if (!field)
		return NULL;
	*n = field_length(type, field);
	*list = field[*n] ? field + *n + 1 : NULL;
	return field;
}

int report_choice_refuse(const struct report_type *type, const char *of, const char *name, size_t n,
			 const char *option, struct err *err)
{
	struct report_order order = report_order_csv(type);
	struct suggestion near;
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	suggestion_begin_part(&near, name, n);
	for (size_t i = 0; i < order.n; i++) {
		suggestion_offer(&near, type->column[order.column[i]].csv);
		strbuf_addf(&list, "%s%s", i ? ", " : "", type->column[order.column[i]].csv);
	}
	ret = err_set(err, EINVAL, "%s: %s has no field '%.*s'%s: its fields are %s", option, of,
		      (int)n, name, suggestion_text(&near), list.text);
	strbuf_done(&list);
	report_order_done(type, &order);
	return ret;
}

int report_choice_check(const char *list, const struct report_type *type, const char *of,
			struct err *err)
{
	bool *seen = xcalloc(type->n + 1, sizeof *seen);
	const char *field;
	size_t n;
	int ret = 0;

	while (!ret && (field = next_field(type, &list, &n))) {
		const size_t c = report_choice_find(type, field, n);

		if (c == REPORT_NO_COLUMN)
			ret = report_choice_refuse(type, of, field, n, "--fields", err);
		else if (seen[c])
			ret = err_set(err, EINVAL, "the field '%.*s' (--fields) is named twice",
				      (int)n, field);
		else
			seen[c] = true;
	}
	free(seen);
	return ret;
}

size_t report_choice_complete(struct report_own_type *type, const char *list)
{
	const size_t before = type->type.n;
	const char *field;
	size_t n;

	while ((field = next_field(&type->type, &list, &n)))
		if (report_choice_find(&type->type, field, n) == REPORT_NO_COLUMN) {
			char *name = xstrndup(field, n);

			report_own_type_add(type, (struct report_column){.csv = name});
			free(name);
		}
	return type->type.n - before;
}

void report_choice_merge(struct report_own_type *type, const struct report_type *other)
{
	for (size_t c = 0; c < other->n; c++) {
		const char *csv = other->column[c].csv;

		if (csv && report_choice_find(&type->type, csv, strlen(csv)) == REPORT_NO_COLUMN)
			report_own_type_add(type, (struct report_column){.csv = csv});
	}
}

static bool is_among(const char *list, const struct report_type *type, size_t column)
{
	const char *field;
	size_t n;

	while ((field = next_field(type, &list, &n)))
		if (report_choice_find(type, field, n) == column)
			return true;
	return false;
}

/* --- the type --- */

/* Returns the number of digits after the point in text: that of CSV if CSV has a limit; else that
 * of text, or 0 if text divides the numbers. */
static int digits_of(const struct report_column *c)
{
	return c->csv_digits ? abs(c->csv_digits) : c->per != 0 ? 0 : c->digits;
}

static int column_width(const struct report_column *c, const char *title)
{
	const int more = digits_of(c) - c->digits, declared = abs(c->width);
	int width = c->width && more > 0 ? declared + more : declared;

	if (width < (int)strlen(title))
		width = (int)strlen(title);
	return c->width < 0 ? -width : width;
}

static void add_column(struct report_choice *choice, size_t c, const char *mark)
{
	const struct report_column *from = &choice->from->column[c];
	char *title = xasprintf("%s%s", mark, from->csv);

	choice->column[choice->to->type.n] = c;
	report_own_type_add(choice->to, (struct report_column){
						.id = from->csv,
						.csv = from->csv,
						.title = title,
						.csv_digits = from->csv_digits,
						.width = column_width(from, title),
						.digits = digits_of(from),
						.style = from->style,
						.mark = from->mark,
						.blank = from->blank,
						.max_width = 48,
					});
	free(title);
}

void report_choice_init(struct report_choice *c, const struct report_type *from, const char *list,
			bool with_type, const char *mark)
{
	const size_t type = with_type ? report_choice_find_id(from, "type") : REPORT_NO_COLUMN;
	const char *field;
	size_t n;

	*c = (struct report_choice){.from = from, .to = xcalloc(1, sizeof *c->to)};
	c->column = xcalloc(from->n + 1, sizeof *c->column);
	report_own_type_init(c->to, NULL, 0);
	report_own_type_table(c->to, NULL);
	if (type != REPORT_NO_COLUMN && !is_among(list, from, type)) {
		c->column[0] = type;
		report_own_type_add(c->to, (struct report_column){.id = "type"});
	}
	while ((field = next_field(from, &list, &n))) {
		const size_t at = report_choice_find(from, field, n);

		if (at == REPORT_NO_COLUMN)
			continue;
		add_column(c, at, mark);
		mark = "";
	}
}

void report_choice_done(struct report_choice *c)
{
	if (c->to)
		report_own_type_done(c->to);
	free(c->to);
	free(c->column);
	free(c->cell);
}

void report_choice_apply(struct report_choice *c, struct report_record *r)
{
	const size_t n = c->to->type.n;
	struct report_cell *cell = r->cell;
	const size_t cap = r->cap;

	c->cell = xgrow(c->cell, &c->cap, n + 1, sizeof *c->cell);
	for (size_t i = 0; i < n; i++)
		c->cell[i] = cell[c->column[i]];
	r->cell = c->cell;
	r->cap = c->cap;
	r->type = &c->to->type;
	r->next = n;
	c->cell = cell;
	c->cap = cap;
}
