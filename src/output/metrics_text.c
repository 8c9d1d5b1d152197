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
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "output/metrics.h"
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
	add_own(&w, "interval_seconds", "gauge", "How long the interval was that gauges are of.",
		(double)page->interval_ns / 1e9);
	add_own(&w, "groups_left_out", "gauge",
		"Groups that are not among those that are written, but in the one that is called "
		"other.",
		(double)(page->n - page->n_written));
	add_own(&w, "groups_forgotten_total", "counter",
		"Groups without members that were forgotten, since many are: such a group begins "
		"at 0 "
		"when it comes back.",
		(double)page->n_forgotten);
	strbuf_done(&w.scratch);
}
