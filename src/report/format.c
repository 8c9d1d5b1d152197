/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/format.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_csv.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "base/unit.h"
#include "report/select.h"

/* ---- csv ----
 *
 * CSV, one line for each record.
 */

static void write_header(const struct report_type *type, const struct report_order *order,
			 struct strbuf *out)
{
	for (size_t i = 0; i < order->n; i++) {
		const struct report_column *column = &type->column[order->column[i]];

		if (i)
			strbuf_addch(out, ',');
		if (column->csv_quotes & REPORT_QUOTE_HEADING)
			csv_add_quoted(out, column->csv);
		else
			csv_add_text(out, column->csv);
	}
	strbuf_addch(out, '\n');
}

static void write_record(const struct report_record *r, const struct report_order *order,
			 struct strbuf *out)
{
	for (size_t i = 0; i < order->n; i++) {
		const struct report_column *column = &r->type->column[order->column[i]];
		const struct report_scalar cell = record_scalar(r, &r->cell[order->column[i]]);

		if (i)
			strbuf_addch(out, ',');
		if (cell.kind == REPORT_TEXT && column->csv_quotes & REPORT_QUOTE_TEXTS)
			csv_add_quoted(out, cell.text);
		else
			scalar_add_csv(out, &cell, column->csv_digits);
	}
	strbuf_addch(out, '\n');
}

/* Computes the order of the columns once for consecutive records of one type. */
void report_write_csv(const struct report *r, bool with_header, struct strbuf *out)
{
	const struct report_type *type = NULL;
	struct report_order order = {NULL, 0};

	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_NOTE || e->kind == REPORT_SECTION)
			continue;
		if (report_entry_type(e) != type) {
			if (type)
				report_order_done(type, &order);
			type = report_entry_type(e);
			order = report_order_csv(type);
		}
		if (order.n && with_header)
			write_header(type, &order, out);
		if (order.n && e->kind == REPORT_RECORD)
			write_record(&e->record, &order, out);
		with_header &= !order.n;
	}
	if (type)
		report_order_done(type, &order);
}

/* ---- json ----
 *
 * JSON, one object on a line for each record; a report with is_list set is one
 * array.
 */

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

static bool has_type(const struct report_type *type)
{
	for (size_t c = 0; c < type->n; c++)
		if (type->column[c].id)
			return true;
	return false;
}

static bool is_in_json(const struct report_entry *e)
{
	return e->kind == REPORT_RECORD && !e->is_inner && has_type(e->record.type);
}

/* Returns the number of records behind this one. */
static uint64_t count_rest(const struct report *report, const struct report_record *r)
{
	uint64_t n = 0;

	for (size_t i = report->n; i-- && &report->entry[i].record != r;)
		n += is_in_json(&report->entry[i]);
	return n;
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

		if (column->counts_rest) {
			json_key(out, column->id);
			json_count(out, count_rest(report, r));
		} else if (column->id && cell->kind != REPORT_ABSENT) {
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

void report_write_json(const struct report *r, bool with_header, struct strbuf *out)
{
	(void)with_header;
	if (r->is_list)
		json_begin(out, '[');
	for (size_t i = 0; i < r->n; i++) {
		const struct report_entry *e = &r->entry[i];

		if (!is_in_json(e))
			continue;
		report_add_object(r, &e->record, out);
		if (!r->is_list)
			strbuf_addch(out, '\n');
	}
	if (r->is_list)
		strbuf_addstr(out, "]\n");
}

/* The member with the number of rows; within texts, quotes are escaped. */
#define ROWS ",\"rows\":"

void report_number_json(struct strbuf *lines)
{
	const char *from = lines->text, *rows;
	struct strbuf numbered;
	size_t n = 0;

	for (rows = from; (rows = strstr(rows, ROWS)); rows++)
		n++;
	strbuf_init(&numbered);
	for (; (rows = strstr(from, ROWS)); from = rows + strlen(ROWS)) {
		strbuf_add(&numbered, from, (size_t)(rows - from));
		strbuf_addf(&numbered, ",\"further_reports\":%zu" ROWS, --n);
	}
	strbuf_addstr(&numbered, from);
	strbuf_done(lines);
	*lines = numbered;
}

/* ---- text ----
 *
 * Text, tables for people.
 */

/* Consecutive records of one type. Sections, and records of types that are not shown in text, may
 * stand between them. */
struct table {
	const struct report_type *type;
	const struct report_entry *entry; /* [n], borrowed */
	size_t n;
	struct report_order order; /* the columns shown */
	int *width; /* [order.n]: the widths of these columns; NULL: the declared widths */
	bool heading;
	int limit;              /* the width of the terminal; 0: none */
	struct fit_column *fit; /* [order.n]: what of these columns fits; NULL: without a limit */
};

/* Appends a number in the style of its column. */
static void add_digits(struct strbuf *cell, const struct report_column *column, double number)
{
	const double shown = number / (column->per ? column->per : 1);
	const bool is_round =
		column->style == REPORT_ROUND && (fabs(shown) >= 100 || shown == floor(shown));

	if (column->style == REPORT_SHORT)
		short_number_add(cell, shown, abs(column->width));
	else
		strbuf_addf(cell, column->sign ? "%+.*f" : "%.*f", is_round ? 0 : column->digits,
			    shown);
}

static void add_number(struct strbuf *cell, const struct report_column *column, struct value v)
{
	const char *mark = v.quality == QUALITY_EXACT            ? ""
			   : column->mark == REPORT_TILDE_BEHIND ? "~"
								 : quality_table[v.quality].mark;
	const struct report_scalar number =
		scalar_value(column->per ? value_exact(v.number / column->per) : v);

	if (column->mark == REPORT_MARK_BEFORE)
		strbuf_addstr(cell, mark);
	if (column->style || column->sign)
		add_digits(cell, column, v.number);
	else
		scalar_add_people(cell, &number, column->digits);
	strbuf_addstr(cell, column->unit ? column->unit : "");
	if (column->mark >= REPORT_MARK_BEHIND)
		strbuf_addstr(cell, mark);
}

static bool has_number(const struct report_column *column, const struct report_cell *of)
{
	return of->kind == REPORT_VALUE && value_known(of->value) &&
	       !(column->no_zero && of->value.number == 0);
}

/* Sets `cell` to the text of a column in the record. */
static void show_cell(const struct report_record *r, size_t c, struct strbuf *cell)
{
	const struct report_column *column = &r->type->column[c];
	const struct report_cell *of = &r->cell[c];
	struct report_scalar s = {.kind = REPORT_ABSENT};

	strbuf_reset(cell);
	strbuf_pad(cell, ' ', column->indent);
	if (of->kind == REPORT_TEXT)
		s = record_scalar(r, of);
	if (has_number(column, of))
		add_number(cell, column, of->value);
	else if (of->kind == REPORT_TEXT || (of->kind != REPORT_ABSENT && !column->unknown))
		scalar_add_people(cell, &s, 0);
	else if (of->kind != REPORT_ABSENT || !column->blank)
		strbuf_addstr(cell, column->unknown ? column->unknown : "-");
}

/* Widens a column so that the text fits, within max_width. */
static void widen(struct table *t, size_t i, const char *text)
{
	const int limit = t->type->column[t->order.column[i]].max_width;
	int width = text_columns(text);

	if (limit < 0 && width > -limit && !t->limit)
		return;
	if (limit > 0 && width > limit)
		width = limit;
	if (width > t->width[i])
		t->width[i] = width;
}

static bool is_row(const struct table *t, const struct report_entry *e)
{
	return e->kind == REPORT_RECORD && e->record.type == t->type;
}

static void find_widths(struct table *t, struct strbuf *cell)
{
	for (size_t i = 0; i < t->order.n; i++) {
		const struct report_column *column = &t->type->column[t->order.column[i]];

		t->width[i] = abs(column->width);
		widen(t, i, column->title);
		for (size_t e = 0; e < t->n; e++) {
			if (!is_row(t, &t->entry[e]))
				continue;
			show_cell(&t->entry[e].record, t->order.column[i], cell);
			widen(t, i, cell->text);
		}
	}
}

static bool is_shown(const struct table *t, size_t i)
{
	return !t->fit || t->fit[i].shown;
}

static void put_cell(const struct table *t, size_t i, const char *text, struct strbuf *out)
{
	const int declared = t->type->column[t->order.column[i]].width;
	const bool left = declared < 0, is_first = !out->len || out->text[out->len - 1] == '\n';
	const int blanks = (t->width ? t->width[i] : abs(declared)) - text_columns(text);

	if (!is_shown(t, i))
		return;
	if (!is_first)
		strbuf_addch(out, ' ');
	if (!left)
		strbuf_pad(out, ' ', blanks);
	if (t->fit && left)
		fit_cut(out, text, t->width[i]);
	else
		strbuf_addstr(out, text);
	if (left)
		strbuf_pad(out, ' ', blanks);
}

/* Removes trailing blanks and ends the line. */
static void end_line(struct strbuf *out)
{
	while (out->len && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	strbuf_addch(out, '\n');
}

/* Appends lines; replaces control characters. limit: the width at which lines are broken; 0: none.
 */
static void add_lines(struct strbuf *out, const char *lines, int limit)
{
	char *copy = xstrdup(lines), *left = copy, *line;
	struct strbuf harmless;

	strbuf_init(&harmless);
	while ((line = strsep(&left, "\n"))) {
		strbuf_reset(&harmless);
		text_add(&harmless, line);
		if (limit)
			fit_wrap(out, harmless.text, limit);
		else
			strbuf_addstr(out, harmless.text);
		if (left)
			strbuf_addch(out, '\n');
	}
	strbuf_done(&harmless);
	free(copy);
}

/* Replaces control characters, as titles may be names of events from a foreign recording. */
static void write_heading(const struct table *t, struct strbuf *cell, struct strbuf *out)
{
	for (size_t i = 0; i < t->order.n; i++) {
		strbuf_reset(cell);
		text_add(cell, t->type->column[t->order.column[i]].title);
		put_cell(t, i, cell->text, out);
	}
	end_line(out);
}

static void write_row(const struct table *t, const struct report_record *r, struct strbuf *cell,
		      struct strbuf *out)
{
	for (size_t i = 0; i < t->order.n; i++) {
		show_cell(r, t->order.column[i], cell);
		put_cell(t, i, cell->text, out);
	}
	end_line(out);
}

static void write_table(const struct table *t, struct strbuf *cell, struct strbuf *out)
{
	if (t->heading)
		write_heading(t, cell, out);
	for (size_t e = 0; e < t->n; e++)
		if (t->entry[e].kind == REPORT_SECTION)
			add_lines(out, t->entry[e].note, t->limit);
		else if (is_row(t, &t->entry[e]))
			write_row(t, &t->entry[e].record, cell, out);
}

/* --- what fits --- */

/* Returns whether there are rows, and a column has a value in none of them. */
static bool is_empty(const struct table *t, size_t i, struct strbuf *cell)
{
	const char *unknown = t->type->column[t->order.column[i]].unknown;
	bool has_rows = false;

	for (size_t e = 0; e < t->n; e++) {
		if (!is_row(t, &t->entry[e]))
			continue;
		show_cell(&t->entry[e].record, t->order.column[i], cell);
		if (*cell->text && strcmp(cell->text, "-") &&
		    (!unknown || strcmp(cell->text, unknown)))
			return false;
		has_rows = true;
	}
	return has_rows;
}

/* Chooses the columns that the terminal shows, and sets their widths. */
static void fit_table(struct table *t, struct strbuf *cell)
{
	t->fit = xcalloc(t->order.n + 1, sizeof *t->fit);
	for (size_t i = 0; i < t->order.n; i++) {
		const struct report_column *column = &t->type->column[t->order.column[i]];

		t->fit[i] = (struct fit_column){.width = t->width[i],
						.rank = column->rank,
						.is_text = column->width < 0,
						.empty = is_empty(t, i, cell)};
	}
	fit_columns(t->fit, t->order.n, t->limit);
	for (size_t i = 0; i < t->order.n; i++)
		t->width[i] = t->fit[i].width;
}

/* Appends the names of the fields that do not fit, and how to see them. */
static void add_left_out(const struct table *t, struct strbuf *out)
{
	struct strbuf names;
	int n = 0;

	strbuf_init(&names);
	strbuf_addstr(&names, "# not shown: ");
	for (size_t i = 0; i < t->order.n; i++) {
		const struct report_column *c = &t->type->column[t->order.column[i]];
		const char *name = c->csv ? c->csv : c->field;

		if (name && !t->fit[i].shown && !t->fit[i].empty)
			strbuf_addf(&names, "%s%s", n++ ? ", " : "", name);
	}
	strbuf_addstr(&names, ": --fields shows them, -o writes all\n");
	if (n)
		add_lines(out, names.text, t->limit);
	strbuf_done(&names);
}

/* Appends all tables in which text shows the type of `t`. */
static void write_tables(struct table *t, struct strbuf *out)
{
	struct strbuf cell;

	strbuf_init(&cell);
	for (int table = 0; table < t->type->n_tables; table++) {
		t->order = report_order_text(t->type, table);
		if (t->heading && t->type->table_note && t->type->table_note[table])
			add_lines(out, t->type->table_note[table], t->limit);
		if (t->width)
			find_widths(t, &cell);
		if (t->width && t->limit)
			fit_table(t, &cell);
		write_table(t, &cell, out);
		if (t->fit)
			add_left_out(t, out);
		free(t->fit);
		t->fit = NULL;
		report_order_done(t->type, &t->order);
	}
	strbuf_done(&cell);
}

/* Returns whether the entry belongs to the current table of this type. A record whose type is not
 * shown in text does not end the table. */
static bool continues_table(const struct report_entry *e, const struct report_type *type)
{
	return e->kind == REPORT_SECTION ||
	       (e->kind == REPORT_RECORD &&
		(e->record.type == type || (type->n_tables && !e->record.type->n_tables)));
}

void report_write_text(const struct report *r, bool with_header, struct strbuf *out)
{
	(void)with_header;
	for (size_t i = 0, n; i < r->n; i += n) {
		const struct report_entry *e = &r->entry[i];
		const bool is_heading = e->kind == REPORT_HEADING;
		struct table t;

		n = 1;
		if (e->kind == REPORT_NOTE || e->kind == REPORT_SECTION) {
			add_lines(out, e->note, r->width);
			continue;
		}
		while (i + n < r->n && continues_table(&e[n], report_entry_type(e)))
			n++;
		t = (struct table){.type = report_entry_type(e),
				   .entry = e + is_heading,
				   .n = n - is_heading,
				   .heading = is_heading || !r->is_stream,
				   .limit = r->width};
		if (!r->is_stream)
			t.width = xcalloc(t.type->n + 1, sizeof *t.width);
		write_tables(&t, out);
		free(t.width);
	}
}

/* ---- format ---- */

const struct report_format report_formats[N_REPORT_FORMATS] = {
	[REPORT_AS_TEXT] = {"text", report_write_text},
	[REPORT_AS_CSV] = {"csv", report_write_csv},
	[REPORT_AS_JSON] = {"json", report_write_json},
	[REPORT_AS_HTML] = {"html", report_write_html},
};

const char *report_format_at(unsigned formats, size_t i)
{
	for (size_t f = 0; f < N_REPORT_FORMATS; f++)
		if (formats >> f & 1 && !i--)
			return report_formats[f].name;
	return NULL;
}

static int refuse(const char *name, unsigned formats, struct err *err)
{
	struct suggestion near;
	struct strbuf names;
	const char *known;

	strbuf_init(&names);
	suggestion_begin(&near, name);
	for (size_t i = 0; (known = report_format_at(formats, i)); i++) {
		suggestion_offer(&near, known);
		strbuf_addf(&names, "%s%s",
			    !i                                 ? ""
			    : report_format_at(formats, i + 1) ? ", "
							       : " or ",
			    known);
	}
	err_set(err, EINVAL, "--format: there is no format '%s'%s: %s", name,
		suggestion_text(&near), names.text);
	strbuf_done(&names);
	return -EINVAL;
}

int report_find_format(enum report_format_id *out, const char *name, unsigned formats,
		       struct err *err)
{
	*out = REPORT_AS_TEXT;
	for (int f = 0; name && f < N_REPORT_FORMATS; f++)
		if (formats >> f & 1 && !strcmp(name, report_formats[f].name)) {
			*out = (enum report_format_id)f;
			return 0;
		}
	return name ? refuse(name, formats, err) : 0;
}

int report_check_anonymous(bool on, enum report_format_id format, struct err *err)
{
	if (!on || format == REPORT_AS_HTML)
		return 0;
	return err_set(err, EINVAL,
		       "--anonymize: it is for pages, which are passed on; other formats are for "
		       "programs, which need the names: add --format html");
}
