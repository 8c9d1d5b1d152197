/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggestion.h"

#define NO_COLUMN SIZE_MAX

/* --- fields --- */

/* Finds the column of CSV whose heading is these n characters. */
static size_t find(const struct report_type *type, const char *name, size_t n)
{
	for (size_t c = 0; c < type->n; c++) {
		const char *csv = type->column[c].csv;

		if (csv && strlen(csv) == n && !memcmp(csv, name, n))
			return c;
	}
	return NO_COLUMN;
}

static size_t find_id(const struct report_type *type, const char *id)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].id && !strcmp(type->column[c].id, id))
			return c;
	return NO_COLUMN;
}

/* The column that says what kind a record is of; a list has one kind alone. */
static size_t find_kind(const struct report *r, const struct report_type *type)
{
	return r->is_list ? NO_COLUMN : find_id(type, "type");
}

static bool is_table(const struct report_type *type)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].csv)
			return true;
	return false;
}

static int refuse(const struct report_type *type, const char *name, size_t n, const char *option,
		  struct err *err)
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
	ret = err_set(err, EINVAL, "there is no field '%.*s'%s (%s): it has %s", (int)n, name,
		      suggestion_text(&near), option, list.text);
	strbuf_done(&list);
	report_order_done(type, &order);
	return ret;
}

/* The next of a list; *n: its length. NULL: there is none. */
static const char *next_field(const char **list, size_t *n)
{
	const char *field = *list;

	if (!field)
		return NULL;
	*n = strcspn(field, ",");
	*list = field[*n] ? field + *n + 1 : NULL;
	return field;
}

static int check_fields(const char *list, const struct report_type *type, struct err *err)
{
	bool *seen = xcalloc(type->n + 1, sizeof *seen);
	const char *field;
	size_t n;
	int ret = 0;

	while (!ret && (field = next_field(&list, &n))) {
		const size_t c = find(type, field, n);

		if (c == NO_COLUMN)
			ret = refuse(type, field, n, "--fields", err);
		else if (seen[c])
			ret = err_set(err, EINVAL, "the field '%.*s' (--fields) is named twice",
				      (int)n, field);
		else
			seen[c] = true;
	}
	free(seen);
	return ret;
}

static int check_sort(const char *sort, const struct report_type *type, struct err *err)
{
	const size_t n = strcspn(sort, ":");

	if (find(type, sort, n) == NO_COLUMN)
		return refuse(type, sort, n, "--sort", err);
	if (sort[n] && strcmp(sort + n, ":asc") != 0 && strcmp(sort + n, ":desc") != 0)
		return err_set(err, EINVAL,
			       "--sort: behind '%.*s' stands ':asc' or ':desc', not '%s'", (int)n,
			       sort, sort + n);
	return 0;
}

int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err)
{
	int ret = s->fields ? check_fields(s->fields, type, err) : 0;

	return ret || !s->sort ? ret : check_sort(s->sort, type, err);
}

/* --- columns that are kept --- */

/* A type of the report, and what is left of it. */
struct choice {
	const struct report_type *from;
	struct report_own_type *to;
	size_t *column; /* [to->type.n]: of `from` */
};

/* Texts are aligned to the left, and so is what comes first, behind '#'; short numbers have the
 * digits that their width has room for. */
static int width_of(const struct report *r, const struct report_type *type, size_t c)
{
	const struct report_column *column = &type->column[c];

	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_RECORD && e->record.type == type &&
		    e->record.cell[c].kind == REPORT_TEXT)
			return -1;
	}
	return column->style == REPORT_SHORT ? column->width : 0;
}

/* Numbers of which CSV has all digits have those of text, if they are the same there. */
static int digits_of(const struct report_column *c)
{
	return c->csv_digits ? abs(c->csv_digits) : c->per != 0 ? 0 : c->digits;
}

static void add_column(struct choice *choice, const struct report *r, size_t c, bool first)
{
	const struct report_column *from = &choice->from->column[c];
	char *title = xasprintf("%s%s", first ? "#" : "", from->csv);

	choice->column[choice->to->type.n] = c;
	report_own_type_add(choice->to, (struct report_column){
						.id = from->csv,
						.csv = from->csv,
						.title = title,
						.csv_digits = from->csv_digits,
						.width = first ? -1 : width_of(r, choice->from, c),
						.digits = digits_of(from),
						.style = from->style,
						.max_width = 48,
					});
	free(title);
}

static bool is_among(const char *list, const struct report_type *type, size_t column)
{
	const char *field;
	size_t n;

	while ((field = next_field(&list, &n)))
		if (find(type, field, n) == column)
			return true;
	return false;
}

static void choose_columns(struct choice *choice, const struct report *r, const char *list)
{
	const size_t type = find_kind(r, choice->from);
	const char *field;
	bool first = true;
	size_t n;

	choice->column = xcalloc(choice->from->n + 1, sizeof *choice->column);
	choice->to = xcalloc(1, sizeof *choice->to);
	report_own_type_init(choice->to, NULL, 0);
	report_own_type_table(choice->to, NULL);
	if (type != NO_COLUMN && !is_among(list, choice->from, type)) {
		choice->column[0] = type;
		report_own_type_add(choice->to, (struct report_column){.id = "type"});
	}
	while ((field = next_field(&list, &n))) {
		const size_t c = find(choice->from, field, n);

		if (c == NO_COLUMN)
			continue;
		add_column(choice, r, c, first);
		first = false;
	}
}

static void keep_cells(struct report_record *record, const struct choice *choice)
{
	const size_t n = choice->to->type.n;
	struct report_cell *cell = xcalloc(n + 1, sizeof *cell);

	for (size_t c = 0; c < n; c++)
		cell[c] = record->cell[choice->column[c]];
	free(record->cell);
	record->cell = cell;
	record->cap = n + 1;
	record->type = &choice->to->type;
	record->next = n;
}

static void keep_type(struct report *r, const struct report_type *type, const char *list)
{
	struct choice choice = {.from = type};

	choose_columns(&choice, r, list);
	for (size_t i = 0; i < r->n; i++) {
		struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_HEADING && e->type == type)
			e->type = &choice.to->type;
		else if (e->kind == REPORT_RECORD && e->record.type == type)
			keep_cells(&e->record, &choice);
	}
	report_own(r, choice.to);
	free(choice.column);
}

static bool is_own(const struct report *r, const struct report_type *type)
{
	for (size_t i = 0; i < r->n_own; i++)
		if (type == &r->own[i]->type)
			return true;
	return false;
}

static void keep_fields(struct report *r, const char *list)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind != REPORT_NOTE && !is_own(r, report_entry_type(e)) &&
		    is_table(report_entry_type(e)))
			keep_type(r, report_entry_type(e), list);
	}
}

/* --- records that are kept --- */

/* A record, by what it is sorted by. */
struct item {
	struct report_entry entry;
	struct value value;
	const char *text; /* NULL: it is a number */
	size_t place;
	int sign; /* of the order; 0: by what it is */
};

static int compare_keys(const struct item *x, const struct item *y)
{
	const int sign = x->sign ? x->sign : x->text ? 1 : -1;

	if (x->text && y->text)
		return sign * strcmp(x->text, y->text);
	return sign * ((x->value.number > y->value.number) - (x->value.number < y->value.number));
}

static bool is_known(const struct item *item)
{
	return item->text || value_known(item->value);
}

/* Of equal ones, the order stays. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = is_known(y) - is_known(x);

	if (!order && is_known(x))
		order = compare_keys(x, y);
	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static struct item make_item(const struct report_entry *e, size_t c, size_t place, int sign)
{
	const struct report_cell *cell = &e->record.cell[c];
	struct item item = {*e, value_none(QUALITY_NOT_READ), NULL, place, sign};

	if (cell->kind == REPORT_TEXT)
		item.text = record_text_of(&e->record, cell);
	else if (cell->kind == REPORT_VALUE)
		item.value = cell->value;
	return item;
}

static void sort_block(struct report_entry *entry, size_t n, const char *sort)
{
	const size_t len = strcspn(sort, ":"), c = find(entry->record.type, sort, len);
	const int sign = !sort[len] ? 0 : strcmp(sort + len, ":asc") ? -1 : 1;
	struct item *item;

	if (c == NO_COLUMN)
		return;
	item = xcalloc(n, sizeof *item);
	for (size_t i = 0; i < n; i++)
		item[i] = make_item(&entry[i], c, i, sign);
	qsort(item, n, sizeof *item, compare_items);
	for (size_t i = 0; i < n; i++)
		entry[i] = item[i].entry;
	free(item);
}

static const char *kind_of(const struct report *r, const struct report_record *record)
{
	const size_t c = find_kind(r, record->type);

	return c != NO_COLUMN && record->cell[c].kind == REPORT_TEXT
		       ? record_text_of(record, &record->cell[c])
		       : "";
}

static bool belongs(const struct report *r, const struct report_entry *e,
		    const struct report_entry *first)
{
	return e->kind == REPORT_RECORD && e->record.type == first->record.type &&
	       !strcmp(kind_of(r, &e->record), kind_of(r, &first->record));
}

/* How many belong together, from the i-th entry on. */
static size_t block_length(const struct report *r, size_t i)
{
	size_t n = 1;

	while (i + n < r->n && belongs(r, &r->entry[i + n], &r->entry[i]))
		n++;
	return n;
}

static void keep_records(struct report *r, const struct report_selection *s)
{
	struct report_entry *left_out = xcalloc(r->n + 1, sizeof *left_out);
	size_t to = 0, n_left_out = 0;

	for (size_t i = 0, n; i < r->n; i += n) {
		struct report_entry *e = &r->entry[i];
		size_t kept = n = 1;

		if (e->kind == REPORT_RECORD && is_table(e->record.type)) {
			kept = n = block_length(r, i);
			if (s->sort)
				sort_block(e, n, s->sort);
			if (s->rows && s->rows < n)
				kept = s->rows;
		}
		memcpy(&left_out[n_left_out], &e[kept], (n - kept) * sizeof *e);
		n_left_out += n - kept;
		memmove(&r->entry[to], e, kept * sizeof *e);
		to += kept;
	}
	/* Their memory is for what comes. */
	memcpy(&r->entry[to], left_out, n_left_out * sizeof *left_out);
	r->n = to;
	free(left_out);
}

/* --- sections --- */

/* Leaves them out; whether there were any. Their memory is for what comes. */
static bool drop_sections(struct report *r)
{
	size_t to = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct report_entry e = r->entry[i];

		if (e.kind == REPORT_SECTION)
			continue;
		r->entry[i] = r->entry[to];
		r->entry[to++] = e;
	}
	if (to == r->n)
		return false;
	r->n = to;
	return true;
}

/* The fields of the first table. */
static char *list_fields(const struct report *r)
{
	struct strbuf list;

	strbuf_init(&list);
	for (size_t i = 0; i < r->n && !list.len; i++) {
		const struct report_entry *e = &r->entry[i];
		const bool is_note = e->kind == REPORT_NOTE || !is_table(report_entry_type(e));
		struct report_order order = {.n = 0};

		if (is_note)
			continue;
		order = report_order_csv(report_entry_type(e));
		for (size_t k = 0; k < order.n; k++)
			strbuf_addf(&list, "%s%s", k ? "," : "",
				    report_entry_type(e)->column[order.column[k]].csv);
		report_order_done(report_entry_type(e), &order);
	}
	return list.text;
}

void report_select(struct report *r, const struct report_selection *s)
{
	const bool was_parted = (s->sort || s->fields) && drop_sections(r);
	char *all = was_parted && !s->fields ? list_fields(r) : NULL;

	if (s->sort || s->rows)
		keep_records(r, s);
	if (s->fields || all)
		keep_fields(r, s->fields ? s->fields : all);
	free(all);
}
