/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html.h"

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_csv.h"
#include "base/mem.h"
#include "report/format.h"

/* ---- web_page ---- */

static const struct {
	const char *name, *const *lines, *hash;
} scripts[N_WEB_PAGE_SCRIPTS] = {
	[WEB_PAGE_RECORDING] = {"recording", page_script_recording, page_script_recording_hash},
	[WEB_PAGE_TABLES] = {"tables", page_script_tables, page_script_tables_hash},
};

static void add_lines(struct strbuf *out, const char *const *line)
{
	for (; *line; line++)
		strbuf_addf(out, "%s\n", *line);
}

void web_page_begin(struct strbuf *out, enum web_page_script script, const char *title)
{
	strbuf_addf(out,
		    "<!DOCTYPE html><!-- %s of tiptop " PACKAGE_VERSION " -->\n"
		    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
		    "form-action 'none'\">\n"
		    "<meta name=\"referrer\" content=\"no-referrer\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n"
		    "<title>tiptop %s</title>\n<style>",
		    scripts[script].name, scripts[script].hash, page_style_hash, title);
	add_lines(out, page_style);
	strbuf_addstr(out, "</style>\n</head>\n<body>\n<main id=\"page\"></main>\n");
}

void web_page_add_script(struct strbuf *out, enum web_page_script script)
{
	strbuf_addstr(out, "<script>");
	add_lines(out, scripts[script].lines);
	strbuf_addstr(out, "</script>\n");
}

void web_page_add_data(struct strbuf *out, const char *attribute, const struct strbuf *json)
{
	const char *text = json->text;

	strbuf_addf(out, "<script type=\"application/json\" %s>", attribute);
	while (*text) {
		const size_t n = strcspn(text, "<");

		strbuf_add(out, text, n);
		text += n;
		if (*text) {
			strbuf_addstr(out, "\\u003c");
			text++;
		}
	}
	strbuf_addstr(out, "</script>\n");
}

void web_page_add_text(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			strbuf_addstr(out, "&lt;");
			break;
		case '&':
			strbuf_addstr(out, "&amp;");
			break;
		default:
			strbuf_addch(out, *text);
		}
}

/* ---- html ---- */

/* The maximum length of the plain text for readers without scripts; a longer text is left out. */
#define TEXT_MAX ((size_t)64 << 10)

static void begin(struct strbuf *out, const char *key, char bracket)
{
	json_key(out, key);
	json_begin(out, bracket);
}

static void add_int(struct strbuf *out, const char *key, int number)
{
	if (!number)
		return;
	json_key(out, key);
	json_number(out, number);
}

static void add_text(struct strbuf *out, const char *key, const char *text)
{
	if (text)
		json_member_text(out, key, text);
}

/* ---- types ---- */

static const char *const roles[] = {
	[REPORT_IS_NAME] = "name",     [REPORT_IS_KIND] = "kind",
	[REPORT_IS_CALLER] = "caller", [REPORT_IS_PROCESS] = "process",
	[REPORT_IS_TIMES] = "times",   [REPORT_IS_CONTENDED] = "contended",
	[REPORT_IS_N] = "n",           [REPORT_IS_TIMED] = "timed",
	[REPORT_IS_MEAN] = "mean",     [REPORT_IS_SD] = "sd",
	[REPORT_IS_SD_OF_ALL] = "sd",  [REPORT_IS_CHANGE] = "change",
	[REPORT_IS_MARGIN] = "margin",
};

static void add_column(struct strbuf *out, const struct report_column *c)
{
	json_begin(out, '{');
	add_text(out, "id", c->id);
	add_text(out, "csv", c->csv);
	add_text(out, "title", c->title);
	add_text(out, "role", roles[c->role]);
	add_text(out, "amount", c->amount);
	add_text(out, "unit", c->unit);
	add_text(out, "unknown", c->unknown);
	add_int(out, "members", c->members);
	add_int(out, "digits", c->digits);
	add_int(out, "csv_digits", c->csv_digits);
	add_int(out, "style", c->style);
	add_int(out, "left", c->width < 0);
	add_int(out, "sign", c->sign);
	add_int(out, "no_zero", c->no_zero);
	add_int(out, "blank", c->blank);
	if (c->per) {
		json_key(out, "per");
		json_number(out, c->per);
	}
	json_end(out, '}');
}

static void add_order(struct strbuf *out, const char *key, const struct report_type *type,
		      struct report_order order)
{
	begin(out, key, '[');
	for (size_t i = 0; i < order.n; i++)
		json_count(out, order.column[i]);
	json_end(out, ']');
	report_order_done(type, &order);
}

static void add_type(struct strbuf *out, const struct report_type *type)
{
	json_begin(out, '{');
	begin(out, "columns", '[');
	for (size_t c = 0; c < type->n; c++)
		add_column(out, &type->column[c]);
	json_end(out, ']');
	add_order(out, "csv", type, report_order_csv(type));
	begin(out, "tables", '[');
	for (int t = 0; t < type->n_tables; t++) {
		json_begin(out, '{');
		add_text(out, "note", type->table_note ? type->table_note[t] : NULL);
		add_order(out, "order", type, report_order_text(type, t));
		json_end(out, '}');
	}
	json_end(out, ']');
	json_end(out, '}');
}

/* The types of a report, in the order of their first use. */
struct types {
	const struct report_type **v;
	size_t n, cap;
};

static size_t find_type(struct types *t, const struct report_type *type)
{
	size_t i = 0;

	while (i < t->n && t->v[i] != type)
		i++;
	if (i == t->n) {
		t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
		t->v[t->n++] = type;
	}
	return i;
}

/* ---- cells ---- */

static void add_scalar(struct strbuf *out, const struct report_scalar *s)
{
	const enum quality quality = s->kind == REPORT_VALUE ? s->value.quality : QUALITY_EXACT;

	if (quality == QUALITY_EXACT) {
		scalar_add_json(out, s);
		return;
	}
	json_begin(out, '{');
	json_key(out, "q");
	json_number(out, quality);
	if (value_known(s->value)) {
		json_key(out, "v");
		json_value(out, s->value);
	}
	json_end(out, '}');
}

static void add_list(struct strbuf *out, const struct report_record *r,
		     const struct report_list *list)
{
	json_begin(out, '{');
	begin(out, "l", '[');
	for (size_t i = 0; i < list->n; i++) {
		const struct report_scalar item = record_scalar(r, &r->item[list->first + i]);

		if (list->tuple > 1 && i % (size_t)list->tuple == 0)
			json_begin(out, '[');
		scalar_add_json(out, &item);
		if (list->tuple > 1 && (i + 1) % (size_t)list->tuple == 0)
			json_end(out, ']');
	}
	json_end(out, ']');
	json_end(out, '}');
}

static void add_row(struct strbuf *out, const struct report_record *r)
{
	json_begin(out, '[');
	for (size_t c = 0; c < r->type->n; c++) {
		const struct report_cell *cell = &r->cell[c];
		const struct report_scalar s = record_scalar(r, cell);

		if (cell->kind == REPORT_LIST)
			add_list(out, r, &cell->list);
		else
			add_scalar(out, &s);
	}
	json_end(out, ']');
}

/* ---- entries ---- */

/* Returns whether the record is inside another one and shown only in JSON. */
static bool is_hidden(const struct report_entry *e)
{
	bool is_shown = e->record.type->n_tables > 0;

	for (size_t c = 0; c < e->record.type->n && !is_shown; c++)
		is_shown = e->record.type->column[c].csv != NULL;
	return e->is_inner && !is_shown;
}

/* Appends consecutive records of one type; returns how many. */
static size_t add_rows(struct strbuf *out, const struct report *r, size_t from, struct types *types)
{
	const struct report_type *type = r->entry[from].record.type;
	size_t i = from;

	json_begin(out, '{');
	json_key(out, "type");
	if (r->is_stream)
		json_text(out, NULL);
	else
		json_count(out, find_type(types, type));
	begin(out, "rows", '[');
	for (; i < r->n && r->entry[i].kind == REPORT_RECORD && r->entry[i].record.type == type;
	     i++)
		add_row(out, &r->entry[i].record);
	json_end(out, ']');
	json_end(out, '}');
	return i - from;
}

static void add_entries(struct strbuf *out, const struct report *r, struct types *types)
{
	for (size_t i = 0; i < r->n;) {
		const struct report_entry *e = &r->entry[i];

		if (e->kind == REPORT_RECORD && is_hidden(e)) {
			i++;
			continue;
		}
		if (e->kind == REPORT_RECORD) {
			i += add_rows(out, r, i, types);
			continue;
		}
		json_begin(out, '{');
		if (e->kind == REPORT_HEADING) {
			json_key(out, "heading");
			json_count(out, find_type(types, e->type));
		} else {
			add_text(out, e->kind == REPORT_NOTE ? "note" : "section", e->note);
		}
		json_end(out, '}');
		i++;
	}
}

/* Appends the report as text, for readers without scripts. */
static void add_plain(struct strbuf *out, const struct report *r)
{
	struct strbuf text;

	strbuf_init(&text);
	report_write_text(r, true, &text);
	if (text.len && text.len <= TEXT_MAX) {
		strbuf_addstr(out, "<noscript><pre>");
		web_page_add_text(out, text.text);
		strbuf_addstr(out, "</pre></noscript>\n");
	}
	strbuf_done(&text);
}

/* ---- the page ---- */

static void add_head(struct strbuf *out)
{
	struct strbuf json;

	web_page_begin(out, WEB_PAGE_TABLES, "tables");
	strbuf_addstr(out, "<noscript><p>This page shows its tables by a script.</p></noscript>\n");
	web_page_add_script(out, WEB_PAGE_TABLES);
	strbuf_init(&json);
	json_begin(&json, '{');
	json_member_text(&json, "version", PACKAGE_VERSION);
	begin(&json, "marks", '[');
	for (int i = 0; i < N_QUALITIES; i++) {
		json_begin(&json, '{');
		json_member_text(&json, "name", quality_table[i].name);
		json_member_text(&json, "mark", quality_table[i].mark);
		json_member_text(&json, "text", quality_table[i].text);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
	web_page_add_data(out, "class=\"head\"", &json);
	strbuf_done(&json);
}

void report_write_html(const struct report *r, bool with_header, struct strbuf *out)
{
	struct types types = {.n = 0};
	struct strbuf json;

	if (with_header)
		add_head(out);
	if (with_header && r->about)
		report_html_add_about(out, r->about);
	if (!r->n)
		return;
	strbuf_init(&json);
	json_begin(&json, '{');
	begin(&json, "entries", '[');
	add_entries(&json, r, &types);
	json_end(&json, ']');
	if (types.n) {
		begin(&json, "types", '[');
		for (size_t i = 0; i < types.n; i++)
			add_type(&json, types.v[i]);
		json_end(&json, ']');
	}
	json_end(&json, '}');
	web_page_add_data(out, "class=\"report\"", &json);
	if (!r->is_stream)
		add_plain(out, r);
	strbuf_done(&json);
	free(types.v);
}

void report_html_add_about(struct strbuf *out, const struct report_html_about *about)
{
	struct strbuf json;

	strbuf_init(&json);
	json_begin(&json, '{');
	add_text(&json, "of", about->of);
	add_text(&json, "host", about->host);
	add_text(&json, "when", about->when);
	if (about->command) {
		begin(&json, "command", '[');
		for (char *const *word = about->command; *word; word++)
			json_text(&json, *word);
		json_end(&json, ']');
	}
	json_end(&json, '}');
	web_page_add_data(out, "class=\"about\"", &json);
	strbuf_done(&json);
}

void report_html_add_stacks(struct strbuf *out, const char *title, const char *unit,
			    const char *folded)
{
	struct strbuf json;

	strbuf_init(&json);
	json_begin(&json, '{');
	json_member_text(&json, "title", title);
	json_member_text(&json, "unit", unit);
	json_member_text(&json, "folded", folded);
	json_end(&json, '}');
	web_page_add_data(out, "class=\"stacks\"", &json);
	strbuf_done(&json);
}
