/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/write.h"
#include "pmu/event/decode.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/list.h"
#include "screen/bind/encodings.h"
#include "view/row_filter.h"

/* clang-format off */
static const struct report_column event_columns[] = {
	{.id = "name", .csv = "name", .title = "#name", .width = -1, .max_width = -48},
	{.id = "pmu", .csv = "pmu", .title = "pmu", .width = -1, .max_width = -20},
	{.title = "encoding", .width = -1, .max_width = -24},
	{.id = "type", .csv = "type"},
	{.id = "config", .csv = "config"},
	{.id = "config1", .csv = "config1"},
	{.id = "config2", .csv = "config2"},
	{.id = "opens", .csv = "opens", .title = "opens", .width = -1, .max_width = -12},
	{.id = "description", .csv = "description", .title = "description", .width = -1},
};

static const struct report_column part_columns[] = {
	{.id = "field", .csv = "field", .title = "#field", .width = -1, .max_width = -48},
	{.id = "value", .csv = "value", .title = "value", .width = -1, .max_width = -20},
	{.id = "description", .csv = "description", .title = "description", .width = -1},
};

static const struct report_column filter_columns[] = {
	{.id = "name", .csv = "name", .title = "#name", .width = -1, .max_width = -48},
	{.id = "file", .csv = "file", .title = "file", .width = -1, .max_width = -20},
	{.id = "screens", .csv = "screens", .title = "screens", .width = -1, .max_width = -24},
	{.title = "description", .width = -1},
	{.id = "description", .csv = "description"},
	{.id = "expr", .csv = "expr"},
	{.id = "reason", .csv = "reason"},
};

static const struct report_column screen_columns[] = {
	{.id = "number", .csv = "number", .title = "#number", .width = -1},
	{.id = "name", .csv = "name", .title = "name", .width = -1},
	{.id = "description", .csv = "description", .title = "description", .width = -1},
};
/* clang-format on */

#define TYPE(columns, n_tables)                                                                    \
	{                                                                                          \
		columns, sizeof columns / sizeof *columns, NULL, n_tables, NULL                    \
	}

static const struct report_type event_type = TYPE(event_columns, 1);
static const struct report_type part_type = TYPE(part_columns, 1);
static const struct report_type filter_type = TYPE(filter_columns, 1);
static const struct report_type screen_type = TYPE(screen_columns, 1);
/* Text has sentences. */
static const struct report_type screen_sentence_type = TYPE(screen_columns, 0);

/* Adds a line for people, and frees it. */
static void take_note(struct report *out, char *line)
{
	report_note(out, line);
	free(line);
}

/* Appends type:config, then config1 and config2 where they are not 0. */
static void add_code(struct strbuf *out, const struct machine *m, const struct event *e)
{
	machine_add_type(out, m, e);
	strbuf_addf(out, ":0x%" PRIx64, machine_config(m, e));
	if (e->config1 || e->config2)
		strbuf_addf(out, ":0x%" PRIx64, e->config1);
	if (e->config2)
		strbuf_addf(out, ":0x%" PRIx64, e->config2);
}

/* In hex, as text: it may have 64 bits, which few readers of JSON keep. */
static void put_hex(struct report_record *r, const char *id, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "0x%" PRIx64, number);
	record_text(r, id, text);
}

static void put_code(struct report_record *r, const struct machine *m, const struct event *e)
{
	struct strbuf text;

	strbuf_init(&text);
	add_code(&text, m, e);
	record_text(r, "", text.text);
	strbuf_reset(&text);
	machine_add_type(&text, m, e);
	record_text(r, "type", text.text);
	put_hex(r, "config", machine_config(m, e));
	put_hex(r, "config1", e->config1);
	put_hex(r, "config2", e->config2);
	strbuf_done(&text);
}

static void put_no_code(struct report_record *r)
{
	record_absent(r, "");
	record_absent(r, "type");
	record_absent(r, "config");
	record_absent(r, "config1");
	record_absent(r, "config2");
}

static void add_event(struct report *out, const struct machine *m, const struct event_row *row)
{
	struct report_record *r = report_add(out, &event_type);

	record_text(r, "name", row->name);
	record_text(r, "pmu", row->pmu);
	if (row->has_code)
		put_code(r, m, &row->event);
	else
		put_no_code(r);
	record_text(r, "opens", event_opens_table[row->opens].name);
	record_text(r, "description", row->help);
}

/* Explains those words of the fourth field that are in the list. */
static void add_legend(struct report *out, const struct event_list *l)
{
	bool seen[N_EVENT_OPENS] = {false};

	for (size_t i = 0; i < l->n; i++)
		seen[l->row[i].opens] = true;
	for (int i = 0; i < N_EVENT_OPENS; i++)
		if (seen[i])
			take_note(out, xasprintf("# %s: %s\n", event_opens_table[i].name,
						 event_opens_table[i].text));
}

static void add_elsewhere(struct report *out, const struct machine *m)
{
	if (m->elsewhere)
		report_note(out,
			    "# of a CPU that is not here only the tables of tiptop were asked: "
			    "not its sysfs, tracefs and libpfm4, which may know more\n");
}

/* Tells what can be counted, too, but is no row of the list. */
static void add_hints(struct report *out, const struct event_list *l, const struct machine *m)
{
	add_elsewhere(out, m);
	if (m->elsewhere)
		return;
	if (l->tracepoints == -EACCES)
		take_note(out,
			  xasprintf("# tracepoints are not among them: only root may read %s\n",
				    m->host->tracing[0]));
	if (l->tracepoints == -ENOENT)
		take_note(
			out,
			xasprintf(
				"# tracepoints are not among them: tracefs is not mounted in %s\n",
				m->host->tracing[0]));
	if (l->tracepoints != -ENODATA)
		return;
	report_note(out, "# numbers are events, too: r1c2, 0x5301c2, PMU/event=0xc2,umask=0x1/; "
			 "see tiptoprc(5)\n"
			 "# tracepoints, of which there are thousands, are listed for a text "
			 "only: --list-events sched:\n");
}

size_t listing_events(struct report *out, const struct machine *m, struct perf_sys *sys,
		      const char *pattern)
{
	struct event_list list;
	size_t n;

	event_list_make(&list, m, sys, pattern);
	n = list.n;
	for (size_t i = 0; i < n; i++)
		add_event(out, m, &list.row[i]);
	if (n) {
		add_legend(out, &list);
		add_hints(out, &list, m);
	}
	event_list_done(&list);
	return n;
}

static void add_part(void *context, const char *field, const char *value, const char *text)
{
	struct report_record *r = report_add(context, &part_type);

	record_text(r, "field", field);
	record_text(r, "value", value);
	record_text(r, "description", text);
}

int listing_code(struct report *out, const struct machine *m, const char *code, struct err *err)
{
	int ret = event_decode(m, code, add_part, out, err);

	add_elsewhere(out, m);
	return ret;
}

/* Whether the filter is one of this screen; else why not. */
static bool is_for(const struct named_filter *f, const struct screen *s,
		   const struct filter_list *filters, struct err *err)
{
	struct row_filter *made;

	if (row_filter_make(&made, f->text, s, filters, err))
		return false;
	row_filter_free(made);
	return true;
}

/* "all", "none", or the numbers of those that it is for: "0-3,7"; why: of the first one that it is
 * not for. */
static void add_numbers(struct strbuf *out, const struct named_filter *f,
			const struct filter_list *filters, const struct screen_list *screens,
			struct err *why)
{
	size_t n = 0, left = screens->n;

	for (int number = 0, from = 0; left || from < number; number++) {
		const int i = screen_list_find_number(screens, number);
		const bool is = i >= 0 && is_for(f, screens->v[i], filters, why->code ? NULL : why);

		left -= i >= 0;
		n += is;
		if (is)
			continue;
		if (number > from)
			strbuf_addf(out, "%s%d", out->len ? "," : "", from);
		if (number > from + 1)
			strbuf_addf(out, "-%d", number - 1);
		from = number + 1;
	}
	if (!n || n == screens->n) {
		strbuf_reset(out);
		strbuf_addstr(out, n ? "all" : "none");
	}
}

static void add_filter(struct report *out, const struct named_filter *f,
		       const struct filter_list *filters, const struct screen_list *screens)
{
	struct report_record *r = report_add(out, &filter_type);
	struct err why = ERR_INIT;
	struct strbuf numbers, help;
	bool none;

	strbuf_init(&numbers);
	strbuf_init(&help);
	add_numbers(&numbers, f, filters, screens, &why);
	none = why.code && !strcmp(numbers.text, "none");
	strbuf_addf(&help, "%s%s= %s", f->desc ? f->desc : "", f->desc ? " " : "", f->text);
	if (none)
		strbuf_addf(&help, " (%s)", why.text);
	record_text(r, "name", f->name);
	record_text(r, "file", f->from_folder ? "added" : "own");
	record_text(r, "screens", numbers.text);
	record_text(r, "", help.text);
	record_optional_text(r, "description", f->desc);
	record_text(r, "expr", f->text);
	record_optional_text(r, "reason", none ? why.text : NULL);
	strbuf_done(&help);
	strbuf_done(&numbers);
}

void listing_filters(struct report *out, const struct filter_list *filters,
		     const struct screen_list *screens)
{
	report_heading(out, &filter_type);
	for (size_t i = 0; i < filters->n; i++)
		add_filter(out, &filters->v[i], filters, screens);
	report_note(out, filters->n ? "# file: the configuration file, or one of those that only "
				      "add to it\n"
				      "# screens: the numbers of those that have what it names\n"
				    : "# there is none: a <filter> of the configuration file gives "
				      "one a name, see tiptoprc(5)\n");
}

void listing_screens(struct report *out, const struct screen_list *screens, const struct machine *m,
		     bool as_table)
{
	const struct report_type *type = as_table ? &screen_type : &screen_sentence_type;

	if (!as_table)
		report_note(out, "Available screens:\n");
	report_heading(out, type);
	for (size_t i = 0; i < screens->n; i++) {
		const struct screen *s = screens->v[i];
		struct report_record *r = report_add(out, type);

		record_count(r, "number", (uint64_t)s->number);
		record_text(r, "name", s->name);
		record_text(r, "description", s->desc);
		if (!as_table)
			take_note(out, xasprintf("%2d: '%s', %s\n", s->number, s->name, s->desc));
	}
	add_elsewhere(out, m);
}

/* The screen of just this name, or NULL. */
static const struct screen *find_exactly(const struct screen_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i]->name, name))
			return l->v[i];
	return NULL;
}

int listing_screen(struct strbuf *out, const struct screen_list *screens,
		   const struct screen_list *hidden, const char *what, struct err *err)
{
	const struct screen *s = find_exactly(screens, what);
	int i;

	if (!s)
		s = find_exactly(hidden, what);
	if (!s) {
		i = screen_list_find(screens, what, err);
		if (i < 0)
			return -EINVAL;
		s = screens->v[i];
	}
	conf_format_screen(out, s, NULL);
	return 0;
}

static void add_encodings(struct strbuf *out, const struct screen_list *l, const struct machine *m,
			  struct perf_sys *sys)
{
	for (size_t i = 0; i < l->n; i++)
		encodings_add(out, l->v[i]->declared ? l->v[i]->declared : l->v[i], m, sys);
}

void listing_encodings(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		       const struct listing_all_screens *screens)
{
	encodings_add_head(out);
	add_encodings(out, screens->shown, m, sys);
	add_encodings(out, screens->hidden, m, sys);
}

struct all_encodings {
	struct strbuf *out;
	const struct event_table *table;
	const struct listing_all_screens *screens;
};

static void add_model(void *context, const char *model)
{
	const struct all_encodings *a = context;
	struct machine m = {.table = a->table};
	struct perf_sys nowhere;

	if (machine_elsewhere(&m, model, NULL))
		return;
	perf_nowhere_init(&nowhere);
	add_encodings(a->out, a->screens->shown, &m, &nowhere);
	add_encodings(a->out, a->screens->hidden, &m, &nowhere);
}

void listing_all_encodings(struct strbuf *out, const struct event_table *table,
			   const struct listing_all_screens *screens)
{
	struct all_encodings all = {out, table, screens};

	encodings_add_head(out);
	machine_each_model(table, add_model, &all);
}
