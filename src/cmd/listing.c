/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/write.h"
#include "model/fact_list.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/list.h"
#include "pmu/event/raw_event.h"
#include "pmu/event/sysfs.h"
#include "report/format.h"
#include "report/select.h"
#include "run/command_output.h"
#include "screen/bind/encodings.h"
#include "screen/expr/expr.h"
#include "view/row_filter.h"

/* ---- columns ----
 *
 * The names that an expression may use.
 */

/* clang-format off */
static const struct report_column name_columns[] = {
	{.id = "kind", .csv = "kind", .title = "#kind", .width = -1, .max_width = -48},
	{.id = "name", .csv = "name", .title = "name", .width = -1, .max_width = -20},
	{.id = "of", .csv = "of", .title = "of", .width = -1, .max_width = -24},
	{.id = "id", .csv = "id", .title = "id", .width = -1, .max_width = -12},
	{.id = "unit", .csv = "unit", .title = "unit", .width = -1, .max_width = -8},
	{.title = "description", .width = -1},
	{.id = "description", .csv = "description"},
	{.id = "expr", .csv = "expr"},
};
/* clang-format on */

static const struct report_type name_type = {
	name_columns, sizeof name_columns / sizeof *name_columns, NULL, 1, NULL};

/* Returns the name of the unit; NULL: none. */
static const char *unit_of(enum unit unit)
{
	return unit == UNIT_NONE ? NULL : unit_table[unit].name;
}

/* A name that an expression may use; members without a value are NULL. */
struct name {
	const char *kind, *name, *of, *id, *unit, *help, *expr;
};

static void add_name(struct report *out, const struct name *n)
{
	struct report_record *r = report_add(out, &name_type);
	char *text = n->expr ? xasprintf("%s%s= %s", n->help, *n->help ? " " : "", n->expr) : NULL;

	record_text(r, "kind", n->kind);
	record_text(r, "name", n->name);
	record_optional_text(r, "of", n->of);
	record_optional_text(r, "id", n->id);
	record_optional_text(r, "unit", n->unit);
	record_text(r, "", text ? text : n->help);
	record_optional_text(r, "description", *n->help ? n->help : NULL);
	record_optional_text(r, "expr", n->expr);
	free(text);
}

static void add_variable(struct report *out, int v)
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
		if (fact_in(row.facts, f)) {
			strbuf_addstr(&help, " [");
			fact_add_origin(&help, f);
			strbuf_addch(&help, ']');
		}
	add_name(out, &(struct name){.kind = "variable",
				     .name = row.name,
				     .of = kinds[kind],
				     .unit = unit_of(row.unit),
				     .help = help.text});
	strbuf_done(&help);
}

static void add_syntax(struct report *out)
{
	struct expr_syntax s;

	for (int i = 0; i < N_EXPR_MODES; i++) {
		const struct expr_function *f = &expr_function_table[i];
		char *name = f->name ? xasprintf("%s(x)", f->name) : xstrdup("x");

		add_name(out, &(struct name){.kind = "mode", .name = name, .help = f->help});
		free(name);
	}
	for (size_t i = 0; (s = expr_syntax_at(i)).text; i++) {
		char *text = xstrdup(s.text), *to = text;

		/* Removes blanks, so that the text is one field. */
		for (const char *p = s.text; *p; p++)
			if (*p != ' ')
				*to++ = *p;
		*to = '\0';
		add_name(out, &(struct name){.kind = s.kind, .name = text, .help = s.help});
		free(text);
	}
}

static void add_attribute(struct strbuf *out, const char *name, const char *value)
{
	if (value)
		strbuf_addf(out, "%s%s=\"%s\"", out->len ? " " : "", name, value);
}

/* Describes a counter like its element in a tiptoprc. */
static void add_counter(struct report *out, const struct counter_decl *c, const char *number)
{
	struct strbuf decl;

	strbuf_init(&decl);
	add_attribute(&decl, "event", c->event);
	add_attribute(&decl, "config", c->event ? NULL : c->config);
	add_attribute(&decl, "type", c->event ? NULL : c->type);
	add_attribute(&decl, "arch", c->arch);
	add_attribute(&decl, "model", c->model);
	add_name(out,
		 &(struct name){
			 .kind = "counter", .name = c->alias, .of = number, .help = decl.text});
	strbuf_done(&decl);
}

/* Adds a column with its header as in expressions: without surrounding blanks. */
static void add_column(struct report *out, const struct column *c, const char *number)
{
	int len;
	const char *header = screen_column_name(c, &len);
	char *name = xasprintf("[%.*s]", len, header);

	add_name(out, &(struct name){.kind = "column",
				     .name = name,
				     .of = number,
				     .id = c->id,
				     .unit = unit_of(c->unit),
				     .help = c->desc,
				     .expr = c->text});
	free(name);
}

static void add_screen(struct report *out, const struct screen *s)
{
	char *number = xasprintf("%d", s->number), *help = xasprintf("'%s', %s", s->name, s->desc);

	add_name(out, &(struct name){.kind = "screen", .name = number, .help = help});
	for (size_t k = 0; k < s->n_counters; k++)
		add_counter(out, &s->counter[k], number);
	for (size_t k = 0; k < s->n_columns; k++)
		add_column(out, &s->column[k], number);
	free(number);
	free(help);
}

void listing_columns(struct report *out, const struct screen_list *screens)
{
	for (int v = 0; v < n_variables; v++)
		add_variable(out, v);
	add_syntax(out);
	for (size_t i = 0; i < screens->n; i++)
		add_screen(out, screens->v[i]);
	report_note(out,
		    "# of: whether a variable is a state, a text, or a counter, which only grows; "
		    "the number of the screen\n"
		    "# id: what --sort and outputs call a column\n"
		    "# unit: of the number that a variable or a column is\n"
		    "# [...] after a variable: where the kernel shows it, see proc(5)\n");
}

/* ---- print ----
 *
 * Prints the list that an option asks for.
 */

/* Explains the event if the pattern is a number; else lists the events that match. */
static int list_events(struct report *out, const struct configuration *config,
		       struct backend *backend, struct err *err)
{
	const char *pattern = config->options.pattern;
	const struct machine *m = &backend->machine;

	if (pattern && event_is_code(pattern))
		return listing_code(out, m, pattern, err);
	if (listing_events(out, m, &backend->kernel.sys, pattern))
		return 0;
	return err_set(err, ENOENT, "there is no event with '%s' in its name or description",
		       pattern ? pattern : "");
}

static int make(struct report *out, int task, struct setup *setup, const struct options *o,
		struct err *err)
{
	switch (task) {
	case TASK_LIST_EVENTS:
		return list_events(out, &setup->config, &setup->backend, err);
	case TASK_LIST_COLUMNS:
		setup_fit_all(setup);
		listing_columns(out, &setup->config.screens);
		return 0;
	case TASK_LIST_FILTERS:
		setup_fit_all(setup);
		listing_filters(out, &setup->config.filters, &setup->config.screens);
		return 0;
	default:
		listing_screens(out, &setup->config.screens, &setup->backend.machine,
				o->fields || o->sort || o->rows);
		return 0;
	}
}

/* Checks and applies --fields, --sort and --rows. All rows of a list have one type. */
static int choose(struct report *r, const struct options *o, struct err *err)
{
	const struct report_selection s = {
		.fields = o->fields, .sort = o->sort, .rows = (size_t)o->rows, .of = "the list"};
	size_t i = 0;
	int ret;

	while (i < r->n && r->entry[i].kind == REPORT_NOTE)
		i++;
	if (i == r->n)
		return 0;
	ret = report_select_check(&s, report_entry_type(&r->entry[i]), err);
	if (!ret)
		report_select(r, &s);
	return ret;
}

static int print(int task, struct setup *setup, const struct options *o)
{
	struct err err = ERR_INIT;
	struct report report;
	enum report_format_id format;
	int status = 0;

	if (report_find_format(&format, o->format, REPORT_ALL_FORMATS, &err) ||
	    configuration_check_output(&setup->config, o->output, &err))
		return print_fault(&err, EXIT_USAGE);
	report_init(&report);
	report.is_list = true;
	if (make(&report, task, setup, o, &err))
		status = print_fault(&err, EXIT_FAILED);
	else if (choose(&report, o, &err))
		status = print_fault(&err, EXIT_USAGE);
	else if (table_file_put(&report, format, o->output, o->append, &err))
		status = print_fault(&err, EXIT_FAILED);
	report_done(&report);
	return status;
}

int listing_print(int task, struct setup *setup, const struct option_list *arguments)
{
	struct err err = ERR_INIT;
	struct options o;
	int status;

	options_init(&o);
	if (option_apply(arguments, &o, &err))
		status = print_fault(&err, EXIT_USAGE);
	else
		status = print(task, setup, &o);
	options_done(&o);
	return status;
}

/* ---- pmu text ---- */

/* The key of the name among the capabilities (caps/ in sysfs) of Intel's PMUs. */
#define NAME_KEY "pmu_name="

void pmu_text_add(struct strbuf *out, const struct pmu_info *pmu, const struct pmu_counters *c)
{
	const char *name = strstr(pmu->caps, NAME_KEY);

	if (out->len)
		strbuf_addstr(out, ", ");
	/* A single core PMU is called "cpu" in sysfs: its pmu_name says more. With several kinds of
	 * cores, the names in sysfs distinguish the PMUs. */
	if (name && !strncmp(pmu->name, "cpu", sizeof "cpu"))
		strbuf_add(out, name + strlen(NAME_KEY), strcspn(name + strlen(NAME_KEY), " "));
	else
		strbuf_addstr(out, pmu->name);
	if (c->scheme == SCHEME_NONE || c->n_general <= 0)
		return;
	strbuf_addf(out, " %d", c->n_general);
	if (c->n_fixed > 0)
		strbuf_addf(out, "+%d", c->n_fixed);
}

char *pmu_text_new(const struct machine *m)
{
	struct pmu_info_list pmus;
	struct strbuf text;

	strbuf_init(&text);
	pmu_info_read(&pmus, m);
	for (size_t i = 0; i < pmus.n; i++) {
		struct pmu_counters c;

		if (pmus.v[i].kind != PMU_CORE)
			continue;
		pmu_counters_read(&c, pmus.v[i].cpus);
		pmu_text_add(&text, &pmus.v[i], &c);
	}
	pmu_info_done(&pmus);
	if (text.len)
		return text.text;
	strbuf_done(&text);
	return NULL;
}

/* ---- listing ---- */

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
/* For the list in the form of tiptop 2.3.1: the text has sentences instead of a table. */
static const struct report_type screen_sentence_type = TYPE(screen_columns, 0);

/* Adds a line of text, and frees it. */
static void take_note(struct report *out, char *line)
{
	report_note(out, line);
	free(line);
}

/* Appends type:config, then config1 and config2 if they are not 0. */
static void add_code(struct strbuf *out, const struct machine *m, const struct event *e)
{
	machine_add_type(out, m, e);
	strbuf_addf(out, ":0x%" PRIx64, machine_config(m, e));
	if (e->config1 || e->config2)
		strbuf_addf(out, ":0x%" PRIx64, e->config1);
	if (e->config2)
		strbuf_addf(out, ":0x%" PRIx64, e->config2);
}

/* Puts a number in hex, as text: it may have 64 bits, which few readers of JSON preserve. */
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

/* Explains the values of the field "opens" that occur in the list. */
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
		report_note(out, "# this CPU is not here, so only the tables of tiptop were read: "
				 "its sysfs, tracefs and libpfm4 may know more\n");
}

/* Adds notes on events that the list does not have. */
static void add_hints(struct report *out, const struct event_list *l, const struct machine *m)
{
	add_elsewhere(out, m);
	if (m->elsewhere)
		return;
	if (l->tracepoints == -EACCES)
		take_note(out, xasprintf("# tracepoints are not among them, those of %s: %s\n",
					 m->host->tracing[0], event_sysfs_tracing_denied()));
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

/* Returns whether the filter can be applied to this screen; else sets err. */
static bool is_for(const struct named_filter *f, const struct screen *s,
		   const struct filter_list *filters, struct err *err)
{
	struct row_filter *made;

	if (row_filter_make(&made, f->text, s, filters, err))
		return false;
	row_filter_free(made);
	return true;
}

/* Appends "all", "none", or the numbers of the screens that the filter applies to: "0-3,7". why:
 * the reason for the first screen that the filter does not apply to. */
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
	report_note(out, filters->n
				 ? "# file: the configuration file, or one of those that only "
				   "add to it\n"
				   "# screens: the numbers of the screens for which the filter is "
				   "valid\n"
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

/* Finds the screen with exactly this name; NULL: none. */
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

	if (machine_set_foreign(&m, model, NULL))
		return;
	perf_foreign_init(&nowhere);
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
