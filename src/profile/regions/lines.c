/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/regions/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "inject/lib/figures.h"
#include "report/select.h"

/* ---- columns ---- */

#define SECONDS_DIGITS 9
#define DECIMALS       3

static const char *text_or_null(const char *text)
{
	return text[0] ? text : NULL;
}

/* Returns the column for a declaration, exactly as wide as declared: as in the report that the
 * process writes itself. */
static struct report_column column_of(const struct tt_column *c)
{
	return (struct report_column){
		.id = text_or_null(c->id),
		.csv = text_or_null(c->csv),
		.title = text_or_null(c->title),
		.width = c->width,
		.max_width = -abs(c->width),
		.csv_place = c->is_first ? -1 : 0,
		.csv_quotes = c->is_quoted ? REPORT_QUOTE_TEXTS : 0,
	};
}

static struct report_column declare_column(enum tt_column_number c)
{
	static const enum report_role role[TT_COLUMNS] = {
		[TT_LABEL] = REPORT_IS_NAME,   [TT_PID] = REPORT_IS_PROCESS,
		[TT_HOST] = REPORT_IS_PROCESS, [TT_STARTED] = REPORT_IS_PROCESS,
		[TT_CALLS] = REPORT_IS_TIMES,
	};
	struct report_column column = column_of(&tt_column[c]);

	column.role = role[c];
	if (c == TT_MS || c == TT_US_EACH)
		column.digits = DECIMALS;
	if (c == TT_TIME)
		column.csv_digits = column.json_digits = SECONDS_DIGITS;
	return column;
}

/* Adds the CSV columns of the time other than its sum. */
static void add_time_columns(struct report_own_type *t)
{
	for (int k = TT_SUM + 1; k < TT_STATE; k++) {
		char *csv = xasprintf(TT_TIME_PART, tt_part[k].id);

		report_own_type_add(
			t, (struct report_column){.csv = csv, .csv_digits = SECONDS_DIGITS});
		free(csv);
	}
}

/* Adds the column of one part of an event (enum tt_part_number). csv: its heading in CSV; NULL: not
 * in CSV. */
static void add_part(struct report_own_type *t, enum tt_part_number k, const char *csv,
		     const char *amount, const char *event)
{
	const bool is_decimal = k == TT_MEAN || k == TT_STDDEV;

	report_own_type_add(t, (struct report_column){
				       .id = tt_part[k].id,
				       .csv = csv,
				       .csv_quotes = REPORT_QUOTE_HEADING,
				       .csv_digits = is_decimal ? DECIMALS : 0,
				       .json_digits = is_decimal ? DECIMALS : 0,
				       .role = k == TT_MEAN     ? REPORT_IS_MEAN
					       : k == TT_STDDEV ? REPORT_IS_SD_OF_ALL
								: REPORT_NO_ROLE,
				       .amount = amount,
				       .event = event,
			       });
}

/* Adds the columns of an event in text: rounded numbers, followed by ~ if they are scaled. */
static void add_text_columns(struct report_own_type *t, const char *event)
{
	char *title = xasprintf("%.*s", TT_TITLE_MAX, event),
	     *sum = xasprintf("%s%s", event, tt_part[TT_SUM].csv),
	     *mean = xasprintf("%s%s", event, tt_part[TT_MEAN].csv);
	struct report_column column = column_of(&tt_part[TT_MEAN]);

	report_own_type_add(t, (struct report_column){.title = title,
						      .field = sum,
						      .width = tt_part[TT_SUM].width,
						      .max_width = -tt_part[TT_SUM].width,
						      .mark = REPORT_TILDE_BEHIND});
	column.id = column.csv = NULL;
	column.field = mean;
	column.digits = DECIMALS;
	column.mark = REPORT_TILDE_BEHIND;
	report_own_type_add(t, column);
	free(title);
	free(sum);
	free(mean);
}

/* Adds the columns of the time or of an event. */
static void add_event_columns(struct report_own_type *t, const char *name, bool is_time)
{
	const size_t group = report_own_type_add(t, (struct report_column){.id = name});

	for (int k = 0; k < TT_PARTS; k++) {
		char *csv = is_time ? NULL : xasprintf("%s%s", name, tt_part[k].csv);

		add_part(t, (enum tt_part_number)k, csv, is_time ? "time" : "event",
			 is_time ? NULL : name);
		free(csv);
	}
	if (!is_time)
		add_text_columns(t, name);
	report_own_type_group(t, group);
}

/* Adds the columns of derived numbers. decimals: the decimal places of each, to which its cells are
 * rounded; NULL: 0. */
static void add_derived_columns(struct report_own_type *t, const struct regions_names *names,
				const int *decimals)
{
	size_t group;

	if (!names->n_derived)
		return;
	group = report_own_type_add(t, (struct report_column){.id = TT_DERIVED});
	for (size_t k = 0; k < names->n_derived; k++) {
		const char *name = names->derived[k];
		const int width = tt_lines_width(name), digits = decimals ? decimals[k] : 0;

		report_own_type_add(t, (struct report_column){.id = name,
							      .csv = name,
							      .csv_quotes = REPORT_QUOTE_HEADING,
							      .csv_digits = digits,
							      .json_digits = digits,
							      .title = name,
							      .width = width,
							      .max_width = -width,
							      .digits = digits});
	}
	report_own_type_group(t, group);
}

static void declare(struct report_own_type *t, const struct regions_names *names,
		    const int *decimals)
{
	size_t group;

	report_own_type_init(t, NULL, 0);
	report_own_type_table(t, NULL);
	for (int c = 0; c < TT_COLUMNS; c++)
		report_own_type_add(t, declare_column((enum tt_column_number)c));
	add_time_columns(t);
	group = report_own_type_add(t, (struct report_column){.id = TT_EVENTS});
	add_event_columns(t, TT_TIME_EVENT, true);
	for (size_t i = 0; i < names->n_events; i++)
		add_event_columns(t, names->event[i], false);
	report_own_type_group(t, group);
	add_derived_columns(t, names, decimals);
}

void regions_lines_declare(struct report_own_type *t, const struct regions_names *names)
{
	declare(t, names, NULL);
}

/* Declares the lines about lacks; in CSV they have the columns of `rows`. */
static void declare_lacks(struct report_own_type *t, const struct report_own_type *rows)
{
	report_own_type_init(t, NULL, 0);
	for (int c = 0; c <= TT_REPORTED; c++)
		report_own_type_add(t, column_of(&tt_column[c]));
	report_own_type_add(t,
			    (struct report_column){.csv = tt_column[TT_TID].csv, .csv_place = -1});
	for (int c = 0; c < TT_LACK_COLUMNS; c++)
		report_own_type_add(t, column_of(&tt_lack_column[c]));
	for (size_t i = TT_TIME; i < rows->type.n; i++)
		if (rows->column[i].csv)
			report_own_type_add(t, (struct report_column){.csv = rows->column[i].csv});
}

/* ---- records ---- */

/* Rounds a number as the process's own report does. */
static double round_to(double x, int decimals)
{
	const double scale = pow(10, decimals);

	return x < TT_DECIMALS_BELOW ? floor(x * scale + 0.5) / scale : floor(x + 0.5);
}

static void put_begin(struct report_record *r, const struct tt_output *o, const char *type)
{
	char text[TT_TIME_SIZE];

	record_text(r, tt_column[TT_TYPE].id, type);
	record_count(r, tt_column[TT_SCHEMA].id, TT_SCHEMA_NUMBER);
	record_text(r, tt_column[TT_PROGRAM].id, o->of->program);
	record_count(r, tt_column[TT_PID].id, o->of->container.pid);
	if (o->of->rank[0])
		record_count(r, tt_column[TT_RANK].id, strtoull(o->of->rank, NULL, 10));
	else
		record_unknown(r, tt_column[TT_RANK].id);
	record_text(r, tt_column[TT_HOST].id, o->of->host);
	tt_lines_time(text, o->of->wall_start);
	record_text(r, tt_column[TT_STARTED].id, text);
	tt_lines_time(text, o->wall_ns);
	record_text(r, tt_column[TT_REPORTED].id, text);
}

static struct value known_or_none(bool known, struct value v)
{
	return known ? v : value_none(QUALITY_NOT_READ);
}

static void put_count(struct report_record *r, enum tt_part_number k, bool known, uint64_t n)
{
	record_value(r, tt_part[k].id, known_or_none(known, value_count(n)));
}

static void put_decimal(struct report_record *r, enum tt_part_number k, bool known, double x)
{
	record_value(r, tt_part[k].id, known_or_none(known, value_exact(round_to(x, DECIMALS))));
}

static void put_text_columns(struct report_record *r, const struct tt_figure *f)
{
	struct value sum = known_or_none(f->whole, value_count(f->sum)),
		     mean = known_or_none(f->known, value_exact(round_to(f->mean, DECIMALS)));

	if (f->scaled && f->whole)
		sum = (struct value){
			.number = (double)f->sum, .share = 1, .quality = QUALITY_SCALED};
	if (f->scaled && f->known)
		mean.quality = QUALITY_SCALED;
	record_value(r, "", sum);
	record_value(r, "", mean);
}

static void put_event(struct report_record *r, const char *name, const struct tt_figure *f,
		      bool is_time)
{
	record_group(r, name);
	put_count(r, TT_SUM, f->whole, f->sum);
	put_count(r, TT_SELF, f->whole, f->self);
	put_decimal(r, TT_MEAN, f->known, f->mean);
	put_count(r, TT_MIN, f->known, f->min);
	put_count(r, TT_MAX, f->known, f->max);
	put_decimal(r, TT_STDDEV, f->known, f->stddev);
	record_text(r, tt_part[TT_STATE].id, f->state);
	if (!is_time)
		put_text_columns(r, f);
}

static void put_seconds(struct report_record *r, const char *id, uint64_t ns)
{
	record_number(r, id, (double)ns / 1e9);
}

static void put_times(struct report_record *r, const struct tt_figure *time)
{
	record_number(r, "", round_to((double)time->sum / 1e6, DECIMALS));
	record_number(r, "", round_to(time->mean / 1e3, DECIMALS));
	put_seconds(r, tt_column[TT_TIME].id, time->sum);
	put_seconds(r, "", time->self);
	put_seconds(r, "", (uint64_t)time->mean);
	put_seconds(r, "", time->min);
	put_seconds(r, "", time->max);
	put_seconds(r, "", (uint64_t)time->stddev);
}

static void put_derived(struct report_record *r, const struct tt_output *o, struct table_row *row)
{
	if (o->n_derived)
		record_group(r, TT_DERIVED);
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, row, k);
		record_value(r, d.name,
			     known_or_none(d.known, value_exact(round_to(d.value, d.decimals))));
	}
}

static void put_missing(struct report_record *r, size_t n)
{
	while (n--)
		record_absent(r, "");
}

void regions_lines_add(struct regions_lines *l, const char *label, struct table_row *row)
{
	const struct table_header *h = l->output.of;
	const struct tt_figure time = tt_figure_of(h, row, 0);
	struct report_record *r = report_add(&l->report, &l->rows.type);

	put_begin(r, &l->output, "region");
	record_absent(r, tt_column[TT_TID].id);
	record_text(r, tt_column[TT_LABEL].id, label);
	record_count(r, tt_column[TT_CALLS].id, row->calls);
	put_times(r, &time);
	record_group(r, TT_EVENTS);
	put_event(r, TT_TIME_EVENT, &time, true);
	for (uint32_t i = 1; i <= h->n_events; i++) {
		const struct tt_figure f = tt_figure_of(h, row, i);

		put_event(r, h->event[i - 1].name, &f, false);
	}
	put_derived(r, &l->output, row);
	put_missing(r, l->n_missing);
}

/* Adds a line about a lack; in text a sentence, as in the report that the process writes itself. */
static void add_lack(struct tt_output *o, const struct tt_lack *lack)
{
	struct regions_lines *l = (struct regions_lines *)(void *)o;
	struct report_record *r;

	if (l->format == REPORT_AS_TEXT) {
		strbuf_reset(&l->text);
		tt_lines_find("text")->lack(o, lack);
		tt_output_end(o);
		report_note(&l->report, l->text.text);
		return;
	}
	r = report_add_remark(&l->report, &l->lacks.type);
	put_begin(r, o, "lack");
	record_absent(r, "");
	record_text(r, tt_lack_column[TT_LACK_KEY].id, lack->key);
	record_value(r, tt_lack_column[TT_LACK_N].id, known_or_none(lack->n, value_count(lack->n)));
	record_text(r, tt_lack_column[TT_LACK_SENTENCE].id, lack->sentence);
	put_missing(r, l->lacks.type.n - r->next);
}

const struct tt_lines regions_lines_lacks = {.lack = add_lack};

/* ---- report ---- */

static ssize_t append(struct tt_output *o, const char *text, size_t size)
{
	strbuf_add(&((struct regions_lines *)(void *)o)->text, text, size);
	return (ssize_t)size;
}

/* Declares the columns of the rows of a table that has n derived numbers. */
static void declare_table(struct report_own_type *t, const struct table_header *h, uint32_t n)
{
	struct tt_derived *d = xcalloc(n + 1, sizeof *d);
	const char **derived = xcalloc(n + 1, sizeof *derived), *event[TABLE_EVENTS];
	int *decimals = xcalloc(n + 1, sizeof *decimals);

	for (uint32_t i = 0; i < h->n_events; i++)
		event[i] = h->event[i].name;
	for (uint32_t k = 0; k < n; k++) {
		tt_derived_get(&d[k], h, NULL, k);
		derived[k] = d[k].name;
		decimals[k] = d[k].decimals;
	}
	declare(t, &(struct regions_names){event, h->n_events, derived, n}, decimals);
	free(decimals);
	free(derived);
	free(d);
}

/* Returns the length of the first name in a list. The commas between the slashes of a name such as
 * "cpu/event=1,umask=2/" do not end it. */
static size_t name_length(const char *list)
{
	bool path = false;
	size_t n = 0;

	for (; list[n] && (path || list[n] != ','); n++)
		path ^= list[n] == '/';
	return n;
}

void regions_lines_declare_list(struct report_own_type *t, const char *events)
{
	struct table_header h = {.n_events = 0};

	while (h.n_events < TABLE_EVENTS && *(events += strspn(events, ", "))) {
		const size_t n = name_length(events);
		size_t shown = n;

		while (events[shown - 1] == ' ')
			shown--;
		snprintf(h.event[h.n_events++].name, TABLE_NAME_MAX, "%.*s", (int)shown, events);
		events += n;
	}
	declare_table(t, &h, tt_derived_n(&h));
}

void regions_lines_begin(struct regions_lines *l, enum report_format_id format,
			 const struct table_header *header, uint64_t wall_ns, const char *fields,
			 struct report_own_type *known)
{
	l->format = format;
	strbuf_init(&l->text);
	report_init(&l->report);
	tt_output_begin(&l->output, header, -1, append);
	l->output.wall_ns = wall_ns;
	l->output.n_derived = tt_derived_n(header);
	declare_table(&l->rows, header, l->output.n_derived);
	if (known)
		report_choice_merge(known, &l->rows.type);
	l->n_missing = fields ? report_choice_complete(&l->rows, fields) : 0;
	declare_lacks(&l->lacks, &l->rows);
	tt_lines_put_sentence(&l->output);
	tt_output_end(&l->output);
	report_note(&l->report, l->text.text);
	report_heading(&l->report, &l->rows.type);
}

/* Appends the text that comes once, before the reports of all processes: the header line of CSV, or
 * the beginning of a page. */
static void add_head(struct regions_lines *l, const struct strbuf *all, struct strbuf *head)
{
	struct report none;

	if (l->format == REPORT_AS_CSV)
		strbuf_add(head, all->text, strcspn(all->text, "\n") + 1);
	if (l->format != REPORT_AS_HTML)
		return;
	report_init(&none);
	report_write_html(&none, true, head);
	report_done(&none);
}

void regions_lines_end(struct regions_lines *l, const struct report_selection *selection,
		       struct strbuf *head, struct strbuf *rows)
{
	struct strbuf all;

	if (selection)
		report_select(&l->report, selection);
	strbuf_init(&all);
	report_formats[l->format].write(&l->report, l->format != REPORT_AS_HTML, &all);
	add_head(l, &all, head);
	strbuf_addstr(rows, all.text + (l->format == REPORT_AS_CSV ? head->len : 0));
	strbuf_done(&all);
	report_done(&l->report);
	report_own_type_done(&l->lacks);
	report_own_type_done(&l->rows);
	strbuf_done(&l->text);
}
