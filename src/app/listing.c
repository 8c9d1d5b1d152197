/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "bind/encodings.h"
#include "conf/write.h"
#include "event/decode.h"
#include "event/elsewhere.h"
#include "event/list.h"
#include "expr/expr.h"
#include "view/row_filter.h"

#define CELLS 6

/* A table of text: lines of cells, of which the last one is free text. */
struct table {
	char *(*row)[CELLS];
	size_t n, cap;
	size_t n_cells;
};

/* The greatest widths of columns: a longer cell moves the rest of its own line only. */
static const int widest[CELLS - 1] = {48, 20, 24, 12, 8};

/* Makes one line of a text that a user has written, which may have control characters. */
static char *clean(const char *text)
{
	char *copy = xstrdup(text);

	for (char *p = copy; *p; p++)
		if ((unsigned char)*p < ' ' || *p == '\x7f')
			*p = ' ';
	return copy;
}

static void table_add(struct table *t, const char *const cell[])
{
	t->row = xgrow(t->row, &t->cap, t->n + 1, sizeof *t->row);
	for (size_t i = 0; i < t->n_cells; i++)
		t->row[t->n][i] = clean(cell[i]);
	t->n++;
}

#define ADD(t, ...) table_add(t, (const char *const[]){__VA_ARGS__})

static int table_width(const struct table *t, size_t cell)
{
	int width = 0;

	for (size_t i = 0; i < t->n; i++) {
		int w = text_length(t->row[i][cell]);

		if (w > width && w <= widest[cell])
			width = w;
	}
	return width;
}

/* Writes the table and frees it. */
static void table_write(struct table *t, struct strbuf *out)
{
	int width[CELLS] = {0};

	for (size_t k = 0; k + 1 < t->n_cells; k++)
		width[k] = table_width(t, k);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->n_cells; k++) {
			char *cell = t->row[i][k];

			strbuf_addstr(out, cell);
			if (k + 1 < t->n_cells)
				strbuf_pad(out, ' ', width[k] - text_length(cell));
			strbuf_addch(out, k + 1 < t->n_cells ? ' ' : '\n');
			free(cell);
		}
	}
	free(t->row);
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

static void add_event_row(struct table *t, const struct machine *m, const struct event_row *row)
{
	struct strbuf code;

	strbuf_init(&code);
	if (row->has_code)
		add_code(&code, m, &row->event);
	else
		strbuf_addch(&code, '-');
	ADD(t, row->name, row->pmu, code.text, event_opens_table[row->opens].name, row->help);
	strbuf_done(&code);
}

/* Explains those words of the fourth field that are in the list. */
static void add_legend(struct strbuf *out, const struct event_list *l)
{
	bool seen[N_EVENT_OPENS] = {false};

	for (size_t i = 0; i < l->n; i++)
		seen[l->row[i].opens] = true;
	for (int i = 0; i < N_EVENT_OPENS; i++)
		if (seen[i])
			strbuf_addf(out, "# %s: %s\n", event_opens_table[i].name,
				    event_opens_table[i].text);
}

/* Tells what can be counted, too, but is no row of the list. */
static void add_hints(struct strbuf *out, const struct event_list *l, const struct machine *m)
{
	if (m->elsewhere) {
		strbuf_addstr(out, "# " LISTING_ELSEWHERE "\n");
		return;
	}
	if (l->tracepoints == -EACCES)
		strbuf_addf(out, "# tracepoints are not among them: only root may read %s\n",
			    m->host->tracing[0]);
	if (l->tracepoints == -ENOENT)
		strbuf_addf(out, "# tracepoints are not among them: tracefs is not mounted in %s\n",
			    m->host->tracing[0]);
	if (l->tracepoints != -ENODATA)
		return;
	strbuf_addstr(out, "# numbers are events, too: r1c2, 0x5301c2, PMU/event=0xc2,umask=0x1/; "
			   "see tiptoprc(5)\n"
			   "# tracepoints, of which there are thousands, are listed for a text "
			   "only: --list-events sched:\n");
}

size_t listing_events(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		      const char *pattern)
{
	struct table t = {.n_cells = 5};
	struct event_list list;
	size_t n;

	event_list_make(&list, m, sys, pattern);
	n = list.n;
	if (n) {
		ADD(&t, "#name", "pmu", "encoding", "opens", "description");
		for (size_t i = 0; i < n; i++)
			add_event_row(&t, m, &list.row[i]);
		table_write(&t, out);
		add_legend(out, &list);
		add_hints(out, &list, m);
	}
	event_list_done(&list);
	return n;
}

static void add_part(void *context, const char *field, const char *value, const char *text)
{
	ADD((struct table *)context, field, value, text);
}

int listing_code(struct strbuf *out, const struct machine *m, const char *code, struct err *err)
{
	struct table t = {.n_cells = 3};
	int ret;

	ADD(&t, "#field", "value", "description");
	ret = event_decode(m, code, add_part, &t, err);
	table_write(&t, out);
	if (m->elsewhere)
		strbuf_addstr(out, "# " LISTING_ELSEWHERE "\n");
	return ret;
}

static const char *unit_of(enum unit unit)
{
	return unit == UNIT_NONE ? "-" : unit_table[unit].name;
}

static void add_variable(struct table *t, int v)
{
	struct variable_row row = variable_at(v);
	static const char *const kinds[] = {
		[FACT_COUNTER] = "counter", [FACT_GAUGE] = "state", [FACT_TEXT] = "text"};
	enum fact_kind kind = variable_is_text(v)       ? FACT_TEXT
			      : v < VARIABLE_FIRST_FACT ? FACT_GAUGE
							: fact_table[v - VARIABLE_FIRST_FACT].kind;
	struct strbuf help;

	strbuf_init(&help);
	strbuf_addstr(&help, row.help);
	for (int f = 0; f < N_FACTS; f++)
		if (row.facts & FACT_BIT(f))
			strbuf_addf(&help, " [%s]", fact_table[f].origin);
	ADD(t, "variable", row.name, kinds[kind], "-", unit_of(row.unit), help.text);
	strbuf_done(&help);
}

static void add_syntax(struct table *t)
{
	struct expr_syntax s;

	for (int i = 0; i < N_EXPR_MODES; i++) {
		const struct expr_function *f = &expr_function_table[i];
		char *name = f->name ? xasprintf("%s(x)", f->name) : xstrdup("x");

		ADD(t, "mode", name, "-", "-", "-", f->help);
		free(name);
	}
	for (size_t i = 0; (s = expr_syntax_at(i)).text; i++) {
		char *text = xstrdup(s.text), *to = text;

		/* The blanks go, so that it is one field. */
		for (const char *p = s.text; *p; p++)
			if (*p != ' ')
				*to++ = *p;
		*to = '\0';
		ADD(t, s.kind, text, "-", "-", "-", s.help);
		free(text);
	}
}

static void add_attribute(struct strbuf *out, const char *name, const char *value)
{
	if (value)
		strbuf_addf(out, "%s%s=\"%s\"", out->len ? " " : "", name, value);
}

/* Describes a counter as its element in a tiptoprc does. */
static void add_counter(struct table *t, const struct counter_decl *c, const char *number)
{
	struct strbuf decl;

	strbuf_init(&decl);
	add_attribute(&decl, "event", c->event);
	add_attribute(&decl, "config", c->event ? NULL : c->config);
	add_attribute(&decl, "type", c->event ? NULL : c->type);
	add_attribute(&decl, "arch", c->arch);
	add_attribute(&decl, "model", c->model);
	ADD(t, "counter", c->alias, number, "-", "-", decl.text);
	strbuf_done(&decl);
}

/* Adds a column, by its header as an expression has it: without the blanks around it. */
static void add_column(struct table *t, const struct column *c, const char *number)
{
	int len;
	const char *header = screen_column_name(c, &len);
	char *name = xasprintf("[%.*s]", len, header), *help;

	help = xasprintf("%s%s%s", c->desc, c->desc[0] ? " = " : "= ", c->text);
	ADD(t, "column", name, number, c->id, unit_of(c->unit), help);
	free(name);
	free(help);
}

static void add_screen(struct table *t, const struct screen *s)
{
	char *number = xasprintf("%d", s->number), *help = xasprintf("'%s', %s", s->name, s->desc);

	ADD(t, "screen", number, "-", "-", "-", help);
	for (size_t k = 0; k < s->n_counters; k++)
		add_counter(t, &s->counter[k], number);
	for (size_t k = 0; k < s->n_columns; k++)
		add_column(t, &s->column[k], number);
	free(number);
	free(help);
}

void listing_columns(struct strbuf *out, const struct screen_list *screens)
{
	struct table t = {.n_cells = 6};

	ADD(&t, "#kind", "name", "of", "id", "unit", "description");
	for (int v = 0; v < N_VARIABLES; v++)
		add_variable(&t, v);
	add_syntax(&t);
	for (size_t i = 0; i < screens->n; i++)
		add_screen(&t, screens->v[i]);
	table_write(&t, out);
	strbuf_addstr(
		out, "# of: whether a variable is a state, a text, or a counter, which only grows; "
		     "the number of the screen\n"
		     "# id: what --sort and outputs call a column\n"
		     "# unit: of the number that a variable or a column is\n"
		     "# [...] behind a variable: where the kernel shows it, see proc(5)\n");
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

static void add_filter(struct table *t, const struct named_filter *f,
		       const struct filter_list *filters, const struct screen_list *screens)
{
	struct err why = ERR_INIT;
	struct strbuf numbers, help;

	strbuf_init(&numbers);
	strbuf_init(&help);
	add_numbers(&numbers, f, filters, screens, &why);
	strbuf_addf(&help, "%s%s= %s", f->desc ? f->desc : "", f->desc ? " " : "", f->text);
	if (why.code && !strcmp(numbers.text, "none"))
		strbuf_addf(&help, " (%s)", why.text);
	ADD(t, f->name, f->from_folder ? "added" : "own", numbers.text, help.text);
	strbuf_done(&help);
	strbuf_done(&numbers);
}

void listing_filters(struct strbuf *out, const struct filter_list *filters,
		     const struct screen_list *screens)
{
	struct table t = {.n_cells = 4};

	ADD(&t, "#name", "file", "screens", "description");
	for (size_t i = 0; i < filters->n; i++)
		add_filter(&t, &filters->v[i], filters, screens);
	table_write(&t, out);
	strbuf_addstr(out, filters->n
				   ? "# file: the configuration file, or one of those that only "
				     "add to it\n"
				     "# screens: the numbers of those that have what it names\n"
				   : "# there is none: a <filter> of the configuration file gives "
				     "one a name, see tiptoprc(5)\n");
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
		       const struct listing_screens *screens)
{
	encodings_add_head(out);
	add_encodings(out, screens->shown, m, sys);
	add_encodings(out, screens->hidden, m, sys);
}

struct all_encodings {
	struct strbuf *out;
	const struct event_table *table;
	const struct listing_screens *screens;
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
			   const struct listing_screens *screens)
{
	struct all_encodings all = {out, table, screens};

	encodings_add_head(out);
	machine_each_model(table, add_model, &all);
}
