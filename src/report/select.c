/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "report/choice.h"
#include "report/fit.h"

/* Returns the column whose text separates blocks of records; REPORT_NO_COLUMN: none. */
static size_t find_kind(const struct report *r, const struct report_type *type)
{
	return r->is_list ? REPORT_NO_COLUMN : report_choice_find_id(type, "type");
}

static bool is_table(const struct report_type *type)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].csv)
			return true;
	return false;
}

static int check_sort(const struct report_selection *s, const struct report_type *type,
		      struct err *err)
{
	const char *sort = s->sort;
	const size_t n = strcspn(sort, ":");

	if (report_choice_find(type, sort, n) == REPORT_NO_COLUMN)
		return report_choice_refuse(type, s->of, sort, n, "--sort", err);
	if (sort[n] && strcmp(sort + n, ":asc") != 0 && strcmp(sort + n, ":desc") != 0)
		return err_set(err, EINVAL,
			       "--sort: '%.*s' may be followed by ':asc' or ':desc', not '%s'",
			       (int)n, sort, sort + n);
	return 0;
}

int report_select_check(const struct report_selection *s, const struct report_type *type,
			struct err *err)
{
	int ret = s->fields ? report_choice_check(s->fields, type, s->of, err) : 0;

	return ret || !s->sort ? ret : check_sort(s, type, err);
}

/* --- columns --- */

/* Returns the declared width of a chosen column: -1 (left-aligned) for texts. REPORT_SHORT keeps
 * its width, as this determines the digits. 0 for others: as wide as the widest cell. */
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

static void set_widths(struct report_choice *choice, const struct report *r)
{
	bool first = true;

	for (size_t c = 0; c < choice->to->type.n; c++) {
		struct report_column *to = &choice->to->column[c];

		if (!to->title)
			continue;
		to->width = first ? -1 : width_of(r, choice->from, choice->column[c]);
		first = false;
	}
}

static void select_type(struct report *r, const struct report_type *type, const char *list)
{
	struct report_choice choice;

	report_choice_init(&choice, type, list, !r->is_list, "#");
	set_widths(&choice, r);
	for (size_t i = 0; i < r->n; i++) {
		struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_HEADING && e->type == type)
			e->type = &choice.to->type;
		else if (e->kind == REPORT_RECORD && e->record.type == type)
			report_choice_apply(&choice, &e->record);
	}
	report_own(r, choice.to);
	choice.to = NULL;
	report_choice_done(&choice);
}

static bool is_own(const struct report *r, const struct report_type *type)
{
	for (size_t i = 0; i < r->n_own; i++)
		if (type == &r->own[i]->type)
			return true;
	return false;
}

static void select_fields(struct report *r, const char *list)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind != REPORT_NOTE && !is_own(r, report_entry_type(e)) &&
		    is_table(report_entry_type(e)))
			select_type(r, report_entry_type(e), list);
	}
}

/* --- records --- */

/* A record with its sort key. */
struct item {
	struct report_entry entry;
	struct value value;
	const char *text; /* NULL: the key is a number */
	size_t place;
	int sign; /* 1: ascending; -1: descending; 0: the default of the key's kind */
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

/* Compares by key, unknown keys last; records with equal keys keep their order. */
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
	const size_t len = strcspn(sort, ":"),
		     c = report_choice_find(entry->record.type, sort, len);
	const int sign = !sort[len] ? 0 : strcmp(sort + len, ":asc") ? -1 : 1;
	struct item *item;

	if (c == REPORT_NO_COLUMN)
		return;
	item = xcalloc(n, sizeof *item);
	for (size_t i = 0; i < n; i++)
		item[i] = make_item(&entry[i], c, i, sign);
	array_sort(item, n, sizeof *item, compare_items);
	for (size_t i = 0; i < n; i++)
		entry[i] = item[i].entry;
	free(item);
}

static const char *kind_of(const struct report *r, const struct report_record *record)
{
	const size_t c = find_kind(r, record->type);

	return c != REPORT_NO_COLUMN && record->cell[c].kind == REPORT_TEXT
		       ? record_text_of(record, &record->cell[c])
		       : "";
}

static bool is_in_block(const struct report *r, const struct report_entry *e,
			const struct report_entry *first)
{
	return e->kind == REPORT_RECORD && e->record.type == first->record.type &&
	       !strcmp(kind_of(r, &e->record), kind_of(r, &first->record));
}

/* Returns the number of records in the block that begins with entry i. */
static size_t block_length(const struct report *r, size_t i)
{
	size_t n = 1;

	while (i + n < r->n && is_in_block(r, &r->entry[i + n], &r->entry[i]))
		n++;
	return n;
}

static bool is_limited(const struct report_entry *e)
{
	return e->kind == REPORT_RECORD && is_table(e->record.type) && !e->is_remark;
}

static void select_records(struct report *r, const struct report_selection *s)
{
	struct report_entry *left_out = xcalloc(r->n + 1, sizeof *left_out);
	size_t to = 0, n_left_out = 0;

	for (size_t i = 0, n; i < r->n; i += n) {
		struct report_entry *e = &r->entry[i];
		size_t kept = n = 1;

		if (is_limited(e)) {
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
	/* The records left out stay in the array, after the last entry: their memory is reused. */
	memcpy(&r->entry[to], left_out, n_left_out * sizeof *left_out);
	r->n = to;
	free(left_out);
}

/* --- sections --- */

/* Removes sections; returns whether there were any. The removed entries stay in the array, after
 * the last entry: their memory is reused. */
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

/* Returns the fields of the first table as a list separated by commas; the caller frees it. */
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

/* --- terminals --- */

/* The lines below a table: three that name fields that do not fit, one on rows that are left out,
 * and the prompt. */
#define LINES_BELOW 5

static size_t count_records(const struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += is_limited(&r->entry[i]);
	return n;
}

/* Returns the number of lines that are not rows. */
static int count_lines(const struct report *r, int width)
{
	struct strbuf lines;
	int n = LINES_BELOW;

	strbuf_init(&lines);
	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		n += e->kind == REPORT_HEADING || e->is_remark;
		if (e->kind == REPORT_NOTE || e->kind == REPORT_SECTION)
			fit_wrap(&lines, e->note, width);
	}
	for (const char *p = lines.text; *p; p++)
		n += *p == '\n';
	strbuf_done(&lines);
	return n;
}

/* Returns the number of rows of each block that the terminal shows. */
static size_t count_rows(const struct report *r, const struct report_selection *s)
{
	size_t *block = xcalloc(count_records(r) + 1, sizeof *block), n = 0, rows;

	for (size_t i = 0; i < r->n; i++)
		if (is_limited(&r->entry[i])) {
			block[n] = block_length(r, i);
			i += block[n++] - 1;
		}
	rows = fit_rows(block, n, s->height - count_lines(r, s->width));
	free(block);
	return rows;
}

static void add_left_out(struct report *r, size_t n)
{
	struct strbuf line;

	strbuf_init(&line);
	strbuf_addf(&line, "# %zu more row%s: --rows 0 shows all\n", n, n == 1 ? "" : "s");
	report_section(r, line.text);
	strbuf_done(&line);
}

void report_select(struct report *r, const struct report_selection *s)
{
	const bool had_sections = (s->sort || s->fields) && drop_sections(r);
	char *all = had_sections && !s->fields ? list_fields(r) : NULL;
	const size_t n = count_records(r);
	struct report_selection chosen = *s;

	if (s->width && s->fits_rows)
		chosen.rows = count_rows(r, s);
	if (chosen.sort || chosen.rows)
		select_records(r, &chosen);
	if (s->fields || all)
		select_fields(r, s->fields ? s->fields : all);
	if (s->width && count_records(r) < n)
		add_left_out(r, n - count_records(r));
	r->width = s->fields ? 0 : s->width;
	free(all);
}
