/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of metrics: writes the text of the file, with the names and help texts of metrics.
 *
 *   # HELP tiptop_instructions_total instructions, counted since tiptop began.
 *   # TYPE tiptop_instructions_total counter
 *   tiptop_instructions_total{program="gcc",user="alice"} 123456789
 *   # HELP tiptop_ipc_ratio Retired instructions (per cycle)
 *   # TYPE tiptop_ipc_ratio gauge
 *   tiptop_ipc_ratio{program="gcc",user="alice"} 1.5
 *
 * Units are the base units of Prometheus, and part of the names. Unknown numbers are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "output/metrics.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "view/evaluate.h"

struct writer {
	struct strbuf *out;
	const struct metrics_page *page;
	const struct metrics_family *family;
	const char *name; /* of the metric */
	bool begun;       /* its HELP and TYPE lines are written */
	struct strbuf scratch;
};

/* The most bytes of a number with the end of its line. */
#define NUMBER_MAX 32

/* Returns the line of the metric for a group. */
static struct metrics_line *get_line(struct metrics_group *group, size_t metric)
{
	if (metric >= group->n_lines) {
		group->line = xreallocarray(group->line, metric + 1, sizeof *group->line);
		memset(&group->line[group->n_lines], 0,
		       (metric + 1 - group->n_lines) * sizeof *group->line);
		group->n_lines = metric + 1;
	}
	return &group->line[metric];
}

/* Writes the line up to its number. */
static void begin_line(struct writer *w, struct metrics_line *line, const struct metrics_row *row)
{
	const char *common = w->page->common;

	strbuf_reset(&w->scratch);
	strbuf_addf(&w->scratch, "%s{%s%s%s} ", w->name, row->labels, *common ? "," : "", common);
	line->n_before = w->scratch.len;
	line->text = xmalloc(line->n_before + NUMBER_MAX);
	memcpy(line->text, w->scratch.text, line->n_before);
}

static void add_line(struct writer *w, const struct metrics_line *line)
{
	if (!w->begun)
		strbuf_addstr(w->out, w->family->head);
	w->begun = true;
	strbuf_add(w->out, line->text, line->n);
}

static void add_sample(struct writer *w, const struct metrics_row *row, double number)
{
	struct metrics_line *line = get_line(row->group, w->family->metric);
	const bool new = !line->text;

	number *= w->family->factor;
	if (new)
		begin_line(w, line, row);
	if (new || line->number != number) {
		strbuf_reset(&w->scratch);
		num_add(&w->scratch, number);
		strbuf_addch(&w->scratch, '\n');
		memcpy(line->text + line->n_before, w->scratch.text, w->scratch.len);
		line->n = line->n_before + w->scratch.len;
		line->number = number;
	}
	line->known = true;
	add_line(w, line);
}

/* A total, and its increment (for "other"). */
struct total {
	struct value now, growth;
};

/* Updates the total of a row; writes it if the row is written. */
static void add_total(struct writer *w, const struct metrics_row *row, const struct total *total)
{
	const struct metrics_reading reading = {
		.number = total->now.number + total->now.rest,
		.generation = w->page->sample->generation,
		.restarts = w->family->source == METRICS_COUNT,
		.written = row < w->page->row + w->page->n_written,
	};
	const double growth = w->page->again ? 0 : total->growth.number;
	double sum;

	if (row == w->page->other) {
		if (value_known(total->growth))
			add_sample(w, row, metrics_sum_grow(row->group, w->family->metric, growth));
		return;
	}
	if (!value_known(total->now))
		return;
	sum = metrics_sum_add(row->group, w->family->metric, &reading);
	if (reading.written)
		add_sample(w, row, sum);
}

static void add_count(struct writer *w, const struct metrics_row *row)
{
	const struct screen_numbers *numbers = w->page->binding->numbers;
	const struct delta_row *from = row->from;
	int at = from->events ? sample_events_find(from->events, 0, numbers->events,
						   numbers->head[w->family->index])
			      : -1;

	if (at >= 0)
		add_total(w, row, &(struct total){from->total[at], from->increment[at]});
}

static void add_growth(struct writer *w, const struct metrics_row *row)
{
	const int fact = w->family->index;

	add_total(w, row,
		  &(struct total){delta_fact_now(row->from, fact), delta_fact(row->from, fact)});
}

/* Returns the value of a column in the interval, whatever the values are that the view shows. */
static struct value column_of(const struct metrics_page *page, const struct delta_row *row,
			      size_t c)
{
	const struct bound *bound = binding_columns(page->binding, row->events) +
				    c * (size_t)page->binding->numbers->n_counters;

	return evaluate_column(&page->binding->screen->column[c],
			       (struct shown){.with_ended = false}, row, &page->sample->host,
			       bound);
}

/* Returns the number of a series that is no total. */
static struct value state_of(const struct writer *w, const struct metrics_row *row)
{
	switch (w->family->source) {
	case METRICS_STATE:
		return delta_fact_now(row->from, w->family->index);
	case METRICS_COLUMN:
		return column_of(w->page, row->from, (size_t)w->family->index);
	default:
		return value_exact(row->from->n_members);
	}
}

static void add_row(struct writer *w, const struct metrics_row *row)
{
	struct value v;

	if (row->group->written)
		get_line(row->group, w->family->metric)->known = false;
	if (w->family->source == METRICS_COUNT) {
		add_count(w, row);
	} else if (w->family->source == METRICS_GROWTH) {
		add_growth(w, row);
	} else {
		v = state_of(w, row);
		if (value_known(v))
			add_sample(w, row, v.number);
	}
}

/* Adds a row that is as in the last frame, by its line. */
static void add_kept(struct writer *w, const struct metrics_row *row)
{
	const struct metrics_line *line = get_line(row->group, w->family->metric);

	if (line->known)
		add_line(w, line);
}

/* Adds a metric, with "other" as the last row. Totals of rows that are not written are updated. */
static void write_family(struct writer *w, const struct metrics_family *family)
{
	const struct metrics_page *page = w->page;
	const bool total = family->source == METRICS_COUNT || family->source == METRICS_GROWTH;

	w->family = family;
	w->name = page->families->names.name[family->metric];
	w->begun = false;
	for (size_t i = 0; i < page->n_written; i++)
		if (page->row[i].lined)
			add_kept(w, &page->row[i]);
		else
			add_row(w, &page->row[i]);
	for (size_t i = page->n_written; total && i < page->n; i++)
		if (!page->row[i].same)
			add_row(w, &page->row[i]);
	if (page->other)
		add_row(w, page->other);
}

/* Adds a metric about tiptop itself. */
static void add_own(struct writer *w, const char *name, const char *type, const char *help,
		    double number)
{
	const char *common = w->page->common;

	strbuf_addf(w->out, "# HELP " METRICS_PREFIX "%s %s\n# TYPE " METRICS_PREFIX "%s %s\n",
		    name, help, name, type);
	strbuf_addf(w->out, *common ? METRICS_PREFIX "%s{%s} " : METRICS_PREFIX "%s%s ", name,
		    common);
	num_add(w->out, number);
	strbuf_addch(w->out, '\n');
}

void metrics_write(struct strbuf *out, const struct metrics_page *page)
{
	struct writer w = {.out = out, .page = page};

	strbuf_init(&w.scratch);
	for (size_t i = 0; i < page->families->n; i++)
		write_family(&w, &page->families->row[i]);
	add_own(&w, "interval_seconds", "gauge", "Length of the interval that the gauges describe.",
		(double)page->interval_ns / 1e9);
	add_own(&w, "groups_left_out", "gauge",
		"Groups without metrics of their own: the group called other is their sum.",
		(double)(page->n - page->n_written));
	add_own(&w, "groups_forgotten_total", "counter",
		"Groups without members that were forgotten to limit their number: a group that "
		"returns begins at 0.",
		(double)page->n_forgotten);
	strbuf_done(&w.scratch);
}

/* ---- names ----
 *
 * Names, help texts, and the list of the metrics of a screen.
 *
 * node_exporter drops a metric that two files explain in different words. So the help text of a
 * column depends only on the name of its metric, which columns of several screens may share: it is
 * the description of the built-in columns of this name, in the unit of the metric, if all agree.
 */

/* For each unit, the suffix of metric names and the factor to the base unit. */
static const struct {
	const char *suffix;
	double factor;
	const char *cut;   /* removed from the end of an id, as the suffix says it */
	const char *begin; /* removed from the beginning of an id */
} base_unit[N_UNITS] = {
	[UNIT_NONE] = {"", 1, "", ""},
	[UNIT_TEXT] = {"", 0, "", ""},
	[UNIT_COUNT] = {"", 1, "", ""},
	[UNIT_PERCENT] = {"_ratio", 0.01, "", ""},
	[UNIT_PER_1000] = {"_per_1000", 1, "", ""},
	[UNIT_RATIO] = {"_ratio", 1, "", ""},
	[UNIT_PER_S] = {"_per_second", 1, "_s", ""},
	[UNIT_MILLION] = {"", 1e6, "", "m"},
	[UNIT_MILLION_PER_S] = {"_per_second", 1e6, "_s", "m"},
	[UNIT_MS_PER_S] = {"_ratio", 0.001, "ms_s", ""},
	[UNIT_GHZ] = {"_hertz", 1e9, "ghz", ""},
	[UNIT_NS] = {"_seconds", 1e-9, "", ""},
	[UNIT_US] = {"_seconds", 1e-6, "", ""},
	[UNIT_MS] = {"_seconds", 1e-3, "", ""},
	[UNIT_S] = {"_seconds", 1, "", ""},
	[UNIT_BYTES] = {"_bytes", 1, "", ""},
	[UNIT_KIB] = {"_bytes", 1024, "", ""},
};

/* Phrases about a unit in descriptions of columns, and their replacement in help texts. */
static const struct {
	enum unit unit;
	const char *said, *means;
} wording[] = {
	{UNIT_PERCENT, "(% of ", "(1 is all of "},
	{UNIT_PERCENT, "(%)", "(1 is all)"},
	{UNIT_PERCENT, "per 100 instructions", "per instruction"},
	{UNIT_PERCENT, "per 100 branches", "per branch"},
	{UNIT_MILLION, " (millions)", ""},
	{UNIT_MILLION_PER_S, "(millions per", "(per"},
	{UNIT_MILLION_PER_S, "(millions of ", "("},
	{UNIT_MS_PER_S, "(ms per second)", "(seconds per second)"},
	{UNIT_GHZ, "(GHz)", "(Hz)"},
	{UNIT_NS, "(ns)", "(seconds)"},
	{UNIT_US, "(us)", "(seconds)"},
	{UNIT_MS, "(ms)", "(seconds)"},
	{UNIT_NS, "(minutes and seconds)", "(seconds)"},
	{UNIT_KIB, "(KiB)", "(bytes)"},
};

#define UNEXPLAINED "Column of a screen, in the last interval: --list-columns explains it."

/* Appends a text reduced to lower-case letters, digits and '_'. */
static void add_name(struct strbuf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + ('a' - 'A'));
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			strbuf_addch(out, c);
		else if (out->text[out->len - 1] != '_')
			strbuf_addch(out, '_');
	}
}

static void set_name(struct strbuf *name, const char *text, size_t n, const char *suffix)
{
	strbuf_reset(name);
	strbuf_addstr(name, METRICS_PREFIX);
	add_name(name, text, n);
	strbuf_addstr(name, suffix);
}

void metrics_name_set(struct strbuf *name, const char *text, const char *suffix)
{
	set_name(name, text, strlen(text), suffix);
}

/* Sets the name of a metric from the id of the column without its unit, which the suffix says:
 * "mflop_s" gives tiptop_flop_per_second. */
void metrics_name_set_column(struct strbuf *name, const struct column *column)
{
	const char *id = column->id, *cut = base_unit[column->unit].cut,
		   *begin = base_unit[column->unit].begin;
	size_t n = strlen(id), n_cut = strlen(cut), n_begin = strlen(begin);

	if (n > n_cut && !strcmp(id + n - n_cut, cut))
		n -= n_cut;
	if (n > n_begin && !strncmp(id, begin, n_begin)) {
		id += n_begin;
		n -= n_begin;
	}
	set_name(name, id, n, base_unit[column->unit].suffix);
	/* The suffix "_total" is reserved for counters. */
	if (name->len > 6 && !strcmp(name->text + name->len - 6, "_total"))
		strbuf_addstr(name, "_now");
}

double metrics_unit_factor(enum unit unit)
{
	return base_unit[unit].factor;
}

/* Returns a column's description in the unit of its metric; the caller frees it. */
static char *reword(const struct column *column)
{
	for (size_t i = 0; i < sizeof wording / sizeof *wording; i++) {
		const char *said = wording[i].said, *at = strstr(column->desc, said);

		if (at && column->unit == wording[i].unit)
			return xasprintf("%.*s%s%s", (int)(at - column->desc), column->desc,
					 wording[i].means, at + strlen(said));
	}
	return xstrdup(column->desc);
}

/* Adds the help of a column. An expression 0 / 0 is skipped: it is a placeholder on CPUs without
 * the event. */
static void add_column(struct metrics_helps *h, const struct column *column)
{
	struct strbuf name;

	if (screen_column_is_text(column) || !strcmp(column->text, "0 / 0"))
		return;
	strbuf_init(&name);
	metrics_name_set_column(&name, column);
	h->row = xgrow(h->row, &h->cap, h->n + 1, sizeof *h->row);
	h->row[h->n++] = (struct metrics_help){name.text, reword(column)};
}

static int compare(const void *a, const void *b)
{
	const struct metrics_help *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Keeps one row for each name, without a help text if columns differ. */
static void unite(struct metrics_helps *h)
{
	size_t n = 0;

	array_sort(h->row, h->n, sizeof *h->row, compare);
	for (size_t i = 0; i < h->n; i++) {
		struct metrics_help *last = n ? &h->row[n - 1] : NULL;

		if (!last || compare(last, &h->row[i])) {
			h->row[n++] = h->row[i];
			continue;
		}
		if (last->help && strcmp(last->help, h->row[i].help) != 0) {
			free(last->help);
			last->help = NULL;
		}
		free(h->row[i].name);
		free(h->row[i].help);
	}
	h->n = n;
}

static void ignore(void *context, int line, const struct err *err)
{
	(void)context;
	(void)line;
	(void)err;
}

void metrics_helps_init(struct metrics_helps *h)
{
	struct screen_list list = {.n = 0};

	*h = (struct metrics_helps){.n = 0};
	screen_list_add_built_in(&list, 0, screen_built_in_n);
	for (size_t i = 0; i < list.n; i++) {
		screen_compile(list.v[i], ignore, NULL, NULL);
		for (size_t c = 0; c < list.v[i]->n_columns; c++)
			add_column(h, &list.v[i]->column[c]);
	}
	screen_list_done(&list);
	unite(h);
}

void metrics_helps_done(struct metrics_helps *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->row[i].name);
		free(h->row[i].help);
	}
	free(h->row);
}

const char *metrics_helps_find(const struct metrics_helps *h, const char *name)
{
	const struct metrics_help wanted = {.name = (char *)name};
	const struct metrics_help *found =
		array_find(&wanted, h->row, h->n, sizeof *h->row, compare);

	return found && found->help ? found->help : UNEXPLAINED;
}

/* ---- families ---- */

void metrics_families_init(struct metrics_families *families)
{
	*families = (struct metrics_families){.n = 0};
	strbuf_init(&families->made_of);
	strbuf_init(&families->wanted);
}

static void clear(struct metrics_families *families)
{
	for (size_t i = 0; i < families->n; i++)
		free(families->row[i].head);
	families->n = 0;
}

void metrics_families_done(struct metrics_families *families)
{
	clear(families);
	for (size_t i = 0; i < families->names.n; i++)
		free(families->names.name[i]);
	free(families->names.name);
	free(families->row);
	strbuf_done(&families->made_of);
	strbuf_done(&families->wanted);
}

/* Returns the number of the metric with this name. */
static size_t number_of(struct metrics_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return i;
	names->name = xgrow(names->name, &names->cap, names->n + 1, sizeof *names->name);
	names->name[names->n] = xstrdup(name);
	return names->n++;
}

static bool is_listed(const struct metrics_families *families, const char *name)
{
	for (size_t i = 0; i < families->n; i++)
		if (!strcmp(families->names.name[families->row[i].metric], name))
			return true;
	return false;
}

/* Adds a metric to the list, unless it has one of this name. */
static void add_family(struct metrics_families *families, const char *name, const char *help,
		       struct metrics_family family)
{
	const bool total = family.source == METRICS_COUNT || family.source == METRICS_GROWTH;

	if (is_listed(families, name))
		return;
	family.metric = number_of(&families->names, name);
	family.head = xasprintf("# HELP %s %s\n# TYPE %s %s\n", name, help, name,
				total ? "counter" : "gauge");
	families->row = xgrow(families->row, &families->cap, families->n + 1, sizeof family);
	families->row[families->n++] = family;
}

/* Adds the counter of an alias of the screen, named after its event. */
static void add_counter(struct metrics_families *families, struct strbuf *name, const char *event,
			int counter)
{
	const size_t around = strlen(METRICS_PREFIX) + strlen("_total");
	char *help;

	metrics_name_set(name, event, "_total");
	help = xasprintf("%.*s, counted since tiptop began.", (int)(name->len - around),
			 name->text + strlen(METRICS_PREFIX));
	add_family(families, name->text, help,
		   (struct metrics_family){METRICS_COUNT, counter, 0, 1, NULL});
	free(help);
}

/* Adds the facts that are metrics: times, or those of other units. Their metrics are the same on
 * all screens. */
static void add_facts(struct metrics_families *families, struct strbuf *name, bool times)
{
	for (int f = 0; f < N_FACTS; f++) {
		const struct fact_row *fact = &fact_table[f];

		if (!fact->metric || (fact->unit == UNIT_NS) != times)
			continue;
		metrics_name_set(name, fact->metric, "");
		add_family(families, name->text, fact->metric_help,
			   (struct metrics_family){fact->kind == FACT_COUNTER ? METRICS_GROWTH
									      : METRICS_STATE,
						   f, 0, metrics_unit_factor(fact->unit), NULL});
	}
}

static void add_column_family(struct metrics_families *families, const struct metrics_helps *helps,
			      struct strbuf *name, const struct column *column, int c)
{
	if (screen_column_is_text(column))
		return;
	metrics_name_set_column(name, column);
	while (is_listed(families, name->text))
		strbuf_addstr(name, "_2");
	add_family(families, name->text, metrics_helps_find(helps, name->text),
		   (struct metrics_family){METRICS_COLUMN, c, 0, metrics_unit_factor(column->unit),
					   NULL});
}

/* Returns the event of a counter of the screen. */
static const char *event_of(const struct binding *binding, int counter)
{
	const struct screen_numbers *numbers = binding->numbers;

	return numbers->events->event[numbers->head[counter]].given;
}

/* Writes the counters and columns of a screen as one text. */
static void describe(struct strbuf *out, const struct binding *binding, enum group_key key)
{
	const struct screen *screen = binding->screen;

	strbuf_reset(out);
	strbuf_addch(out, key == GROUP_PROCESS ? '-' : '+');
	for (int i = 0; i < binding->numbers->n_counters; i++) {
		strbuf_addstr(out, event_of(binding, i));
		strbuf_addch(out, '\n');
	}
	for (size_t c = 0; c < screen->n_columns; c++) {
		strbuf_addch(out, screen_column_is_text(&screen->column[c]) ? '-' : '+');
		strbuf_addch(out, (char)('A' + screen->column[c].unit));
		strbuf_addstr(out, screen->column[c].id);
		strbuf_addch(out, '=');
		strbuf_addstr(out, screen->column[c].text);
		strbuf_addch(out, '\n');
	}
}

bool metrics_families_update(struct metrics_families *families, const struct metrics_helps *helps,
			     const struct binding *binding, enum group_key key)
{
	struct strbuf name;

	describe(&families->wanted, binding, key);
	if (!strcmp(families->wanted.text, families->made_of.text))
		return false;
	strbuf_reset(&families->made_of);
	strbuf_addstr(&families->made_of, families->wanted.text);
	clear(families);
	strbuf_init(&name);
	for (int i = 0; i < binding->numbers->n_counters; i++)
		add_counter(families, &name, event_of(binding, i), i);
	add_facts(families, &name, true);
	add_facts(families, &name, false);
	metrics_name_set(&name, "members", "");
	if (key != GROUP_PROCESS)
		add_family(families, name.text,
			   "Processes, or threads, that are in the group and alive.",
			   (struct metrics_family){METRICS_MEMBERS, 0, 0, 1, NULL});
	for (size_t c = 0; c < binding->screen->n_columns; c++)
		add_column_family(families, helps, &name, &binding->screen->column[c], (int)c);
	strbuf_done(&name);
	return true;
}
