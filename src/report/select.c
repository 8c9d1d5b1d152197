/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/select.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "report/anonymous.h"

/* ---- fit ---- */

#define CUT    ".."
#define INDENT "#     "

/* --- columns --- */

static int least_width(const struct fit_column *c, int width)
{
	const int part = width / FIT_TEXT > FIT_TEXT_MIN ? width / FIT_TEXT : FIT_TEXT_MIN;

	return c->is_text && c->width > part ? part : c->width;
}

/* Returns the next column to show: among those that have values and are not shown yet, the one with
 * the lowest rank; n: none. */
static size_t find_next(const struct fit_column *column, size_t n)
{
	size_t best = n;
	int lowest = 0;

	for (size_t i = 0; i < n; i++) {
		const int rank = column[i].rank ? column[i].rank : INT_MAX;

		if (column[i].shown || column[i].empty || (best < n && rank >= lowest))
			continue;
		best = i;
		lowest = rank;
	}
	return best;
}

/* Widens cut columns in turns, by one character each, until all have their full width or no room is
 * left. */
static void widen(struct fit_column *column, size_t n, int room)
{
	bool widened = true;

	while (widened && room > 0) {
		widened = false;
		for (size_t i = 0; i < n && room > 0; i++)
			if (column[i].shown && column[i].width < column[i].wanted) {
				column[i].width++;
				room--;
				widened = true;
			}
	}
}

void fit_columns(struct fit_column *column, size_t n, int width)
{
	int room = width + 1;
	size_t next;

	for (size_t i = 0; i < n; i++) {
		column[i].wanted = column[i].width;
		column[i].shown = false;
	}
	while ((next = find_next(column, n)) < n) {
		const int least = least_width(&column[next], width) + 1;

		if (least > room && room <= width)
			break;
		column[next].shown = true;
		column[next].width = least - 1;
		room -= least;
	}
	widen(column, n, room);
}

/* --- rows --- */

size_t fit_rows(const size_t n_rows[], size_t n, int room)
{
	size_t most = 0, limit;

	for (size_t i = 0; i < n; i++)
		most = n_rows[i] > most ? n_rows[i] : most;
	for (limit = most; limit > FIT_ROWS; limit--) {
		size_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += n_rows[i] > limit ? limit : n_rows[i];
		if (room > 0 && sum <= (size_t)room)
			break;
	}
	return limit;
}

/* --- texts --- */

/* Returns the text without its first characters. */
static const char *skip(const char *text, int characters)
{
	for (; characters > 0 && *text; characters--)
		for (text++; text_continues(*text);)
			text++;
	return text;
}

void fit_cut(struct strbuf *out, const char *text, int width)
{
	const int length = text_length(text), kept = width - (int)strlen(CUT), end = kept * 2 / 5;

	if (length <= width) {
		strbuf_addstr(out, text);
		return;
	}
	strbuf_add(out, text, (size_t)(skip(text, kept - end) - text));
	strbuf_addstr(out, kept > 0 ? CUT : "");
	strbuf_addstr(out, end > 0 ? skip(text, length - end) : "");
}

void fit_wrap(struct strbuf *out, const char *lines, int width)
{
	int used = 0;

	while (*lines) {
		/* Blanks belong to the word after them. */
		const size_t blanks = strspn(lines, " "),
			     n = blanks + strcspn(lines + blanks, " \n");
		size_t at = out->len;

		strbuf_add(out, lines, n);
		if (used && used + text_length(out->text + at) > width) {
			out->text[out->len = at] = '\0';
			strbuf_addch(out, '\n');
			at = out->len;
			strbuf_addstr(out, INDENT);
			strbuf_add(out, lines + blanks, n - blanks);
			used = 0;
		}
		used += text_length(out->text + at);
		lines += n;
		if (*lines == '\n') {
			strbuf_addch(out, *lines++);
			used = 0;
		}
	}
}

/* ---- choice ---- */

/* Returns the index of the column whose CSV heading is these n characters; REPORT_NO_COLUMN:
 * none. */
static size_t report_choice_find(const struct report_type *type, const char *heading, size_t n)
{
	for (size_t c = 0; c < type->n; c++) {
		const char *csv = type->column[c].csv;

		if (csv && strlen(csv) == n && !memcmp(csv, heading, n))
			return c;
	}
	return REPORT_NO_COLUMN;
}

/* Returns the index of the column with this id; REPORT_NO_COLUMN: none. */
static size_t report_choice_find_id(const struct report_type *type, const char *id)
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

/* Returns -EINVAL with the sentence that the type has no field with this name of n characters, and
 * which fields it has. option: the option that has the name: "--sort". of: the command to which the
 * sentence refers: "tiptop locks". */
static int report_choice_refuse(const struct report_type *type, const char *of, const char *name,
				size_t n, const char *option, struct err *err)
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

/* ---- select ---- */

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

/* In either direction, numbers come before texts. */
static int compare_keys(const struct item *x, const struct item *y)
{
	const int sign = x->sign ? x->sign : x->text ? 1 : -1;

	if (!x->text != !y->text)
		return x->text ? 1 : -1;
	if (x->text)
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
	report_anonymize(r, s->anonymous);
	free(all);
}
