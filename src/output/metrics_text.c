/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of metrics: writes the text of the file.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "output/metrics_part.h"

struct writer {
	struct strbuf *out;
	const struct metrics_page *page;
	struct strbuf name;   /* of the current metric */
	struct strbuf family; /* its HELP and TYPE lines, until its first series is written */
	struct strbuf names;  /* of all metrics so far, separated by blanks */
};

/* Begins the metric w->name. Returns false if the name was used before. */
static bool begin(struct writer *w, const char *type, const char *help)
{
	char *between = xasprintf(" %s ", w->name.text);
	bool known = strstr(w->names.text, between);

	if (!known)
		strbuf_addstr(&w->names, between + 1);
	free(between);
	strbuf_reset(&w->family);
	strbuf_addf(&w->family, "# HELP %s %s\n# TYPE %s %s\n", w->name.text, help, w->name.text,
		    type);
	return !known;
}

static void add_sample(struct writer *w, const struct metrics_row *row, double number)
{
	strbuf_addstr(w->out, w->family.text);
	strbuf_reset(&w->family);
	strbuf_addf(w->out, "%s{%s%s%s} ", w->name.text, row->labels, *w->page->common ? "," : "",
		    w->page->common);
	num_add(w->out, number);
	strbuf_addch(w->out, '\n');
}

/* A total, its increment (for "other"), and how it is written. */
struct total {
	struct value now, growth;
	double factor;
	bool restarts;
};

/* Updates the total of a row; writes it if the row is written. */
static void add_total(struct writer *w, const struct metrics_row *row, const struct total *total)
{
	const struct metrics_reading reading = {
		.number = total->now.number + total->now.rest,
		.generation = w->page->frame->sample->generation,
		.restarts = total->restarts,
		.written = row < w->page->row + w->page->n_written,
	};
	const double growth = w->page->again ? 0 : total->growth.number;
	double sum;

	if (row == w->page->other) {
		if (value_known(total->growth))
			add_sample(w, row,
				   total->factor *
					   metrics_sum_grow(row->group, w->name.text, growth));
		return;
	}
	if (!value_known(total->now))
		return;
	sum = metrics_sum_add(row->group, w->name.text, &reading);
	if (reading.written)
		add_sample(w, row, sum * total->factor);
}

/* Begins a counter named after its event. */
static bool begin_event(struct writer *w)
{
	const size_t around = strlen(METRICS_PREFIX) + strlen("_total");
	char *help = xasprintf("%.*s, counted since tiptop began.", (int)(w->name.len - around),
			       w->name.text + strlen(METRICS_PREFIX));
	bool new = begin(w, "counter", help);

	free(help);
	return new;
}

/* Returns the number of all rows, with "other" as the last one. */
static size_t n_rows(const struct metrics_page *page)
{
	return page->n + (page->other != NULL);
}

static const struct metrics_row *row_at(const struct metrics_page *page, size_t i)
{
	return i < page->n ? &page->row[i] : page->other;
}

/* Returns the number of the written rows, with "other" as the last one. */
static size_t n_shown(const struct metrics_page *page)
{
	return page->n_written + (page->other != NULL);
}

static const struct metrics_row *shown_at(const struct metrics_page *page, size_t i)
{
	return i < page->n_written ? &page->row[i] : page->other;
}

static void add_count(struct writer *w, const struct metrics_row *row,
		      const struct screen_numbers *numbers, int counter)
{
	const struct delta_row *from = row->from;
	int at = from->events ? sample_events_find(from->events, 0, numbers->events,
						   numbers->head[counter])
			      : -1;

	if (at >= 0)
		add_total(w, row, &(struct total){from->total[at], from->increment[at], 1, true});
}

/* Adds the counter of an alias of the screen, named after its event. */
static void add_counter(struct writer *w, int counter)
{
	const struct screen_numbers *numbers = w->page->frame->binding->numbers;
	const struct sample_event *event = &numbers->events->event[numbers->head[counter]];
	bool new;

	metrics_name_set(&w->name, event->given, "_total");
	new = begin_event(w);
	for (size_t i = 0; new &&i < n_rows(w->page); i++)
		add_count(w, row_at(w->page, i), numbers, counter);
}

/* Adds a fact, whose metric is the same on all screens. */
static void add_fact(struct writer *w, int fact)
{
	const struct fact_row *f = &fact_table[fact];
	const bool counter = f->kind == FACT_COUNTER;
	const double factor = metrics_unit_factor(f->unit);

	metrics_name_set(&w->name, f->metric, "");
	if (!begin(w, counter ? "counter" : "gauge", f->metric_help))
		return;
	for (size_t i = 0; counter && i < n_rows(w->page); i++) {
		const struct metrics_row *row = row_at(w->page, i);
		const struct value growth = delta_fact(row->from, fact);

		add_total(w, row,
			  &(struct total){delta_fact_now(row->from, fact), growth, factor, false});
	}
	for (size_t i = 0; !counter && i < n_shown(w->page); i++) {
		const struct metrics_row *row = shown_at(w->page, i);
		const struct value now = delta_fact_now(row->from, fact);

		if (value_known(now))
			add_sample(w, row, now.number * factor);
	}
}

/* Adds all facts, times first. */
static void add_facts(struct writer *w)
{
	for (int f = 0; f < N_FACTS; f++)
		if (fact_table[f].metric && fact_table[f].unit == UNIT_NS)
			add_fact(w, f);
	for (int f = 0; f < N_FACTS; f++)
		if (fact_table[f].metric && fact_table[f].unit != UNIT_NS)
			add_fact(w, f);
}

static void add_column(struct writer *w, size_t c)
{
	const struct column *column = &w->page->frame->screen->column[c];

	metrics_name_set_column(&w->name, column);
	while (!begin(w, "gauge", metrics_helps_find(w->page->helps, w->name.text)))
		strbuf_addstr(&w->name, "_2");
	for (size_t i = 0; i < n_shown(w->page); i++) {
		const struct metrics_row *row = shown_at(w->page, i);
		const struct value v = frame_value(w->page->frame, row->row, c);

		if (value_known(v))
			add_sample(w, row, v.number * metrics_unit_factor(column->unit));
	}
}

static void add_members(struct writer *w)
{
	metrics_name_set(&w->name, "members", "");
	if (begin(w, "gauge", "Processes, or threads, that are in the group and alive."))
		for (size_t i = 0; i < n_shown(w->page); i++)
			add_sample(w, shown_at(w->page, i), shown_at(w->page, i)->from->n_members);
}

/* Adds a metric about tiptop itself. */
static void add_own(struct writer *w, const char *name, const char *type, const char *help,
		    double number)
{
	const char *common = w->page->common;

	metrics_name_set(&w->name, name, "");
	begin(w, type, help);
	strbuf_addf(w->out, *common ? "%s%s{%s} " : "%s%s%s ", w->family.text, w->name.text,
		    common);
	num_add(w->out, number);
	strbuf_addch(w->out, '\n');
}

void metrics_write(struct strbuf *out, const struct metrics_page *page)
{
	const struct screen *screen = page->frame->screen;
	struct writer w = {.out = out, .page = page};

	strbuf_init(&w.name);
	strbuf_init(&w.family);
	strbuf_init(&w.names);
	strbuf_addch(&w.names, ' ');
	for (int i = 0; i < page->frame->binding->numbers->n_counters; i++)
		add_counter(&w, i);
	add_facts(&w);
	if (page->key != GROUP_PROCESS)
		add_members(&w);
	for (size_t c = 0; c < screen->n_columns; c++)
		if (!screen_column_is_text(&screen->column[c]))
			add_column(&w, c);
	add_own(&w, "interval_seconds", "gauge", "How long the interval was that gauges are of.",
		(double)page->frame->interval_ns / 1e9);
	add_own(&w, "groups_left_out", "gauge",
		"Groups that are not among those that are written, but in the one that is called "
		"other.",
		(double)(page->n - page->n_written));
	add_own(&w, "groups_forgotten_total", "counter",
		"Groups without members that were forgotten, since many are: such a group begins "
		"at 0 "
		"when it comes back.",
		(double)page->n_forgotten);
	strbuf_done(&w.names);
	strbuf_done(&w.family);
	strbuf_done(&w.name);
}
