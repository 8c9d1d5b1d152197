/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ticks/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define COUNT_WIDTH 15 /* of a column of counts, at least */

/* A row before its counts are in it. */
struct head {
	double time_s;
	int cpu;
	const char *event;
};

void tick_rows_init(struct tick_rows *r, const struct event_set *set, int n_sets, bool cycles)
{
	*r = (struct tick_rows){
		.set = set, .n_sets = n_sets, .width = COUNT_WIDTH, .cycles = cycles};
	r->sum = xcalloc((size_t)n_sets, sizeof *r->sum);
	for (int s = 0; s < n_sets; s++) {
		int n = set[s].n_counters;

		r->sum[s].value = xcalloc((size_t)n, sizeof *r->sum[s].value);
		if (n > r->n_columns)
			r->n_columns = n;
		for (int c = cycles; n_sets == 1 && c < n; c++) {
			int length = (int)strlen(event_set_counter_name(&set[s], c));

			if (length > r->width)
				r->width = length;
		}
	}
}

void tick_rows_done(struct tick_rows *r)
{
	for (int s = 0; s < r->n_sets; s++) {
		free(r->sum[s].value);
		free(r->sum[s].cpu);
	}
	free(r->sum);
}

void tick_rows_header(const struct tick_rows *r, struct strbuf *out)
{
	strbuf_addf(out, "%8s %4s %5s", "time", "cpu", "event");
	for (int c = 0; c < r->n_columns; c++) {
		char pic[16];

		snprintf(pic, sizeof pic, "pic%d", c - r->cycles);
		strbuf_addf(out, " %*s", r->width,
			    c < (int)r->cycles ? "%tick"
			    : r->n_sets > 1    ? pic
					       : event_set_counter_name(&r->set[0], c));
	}
	strbuf_addch(out, '\n');
}

static void add_count(const struct tick_rows *r, struct strbuf *out, struct value v)
{
	char text[32] = "-";
	uint64_t count;

	if (value_is_count(v, &count))
		snprintf(text, sizeof text, "%" PRIu64, count);
	else if (value_known(v))
		snprintf(text, sizeof text, "%.0f%s", v.number,
			 v.quality == QUALITY_EXACT ? "" : "~");
	strbuf_addf(out, " %*s", r->width, text);
}

/* What the counters of a set count, and where. */
static void add_names(const struct tick_rows *r, struct strbuf *out, const struct event_set *set)
{
	for (int c = r->cycles; c < set->n_counters; c++)
		strbuf_addf(out, "%spic%d=%s", c > (int)r->cycles ? "," : "", c - r->cycles,
			    event_set_counter_name(set, c));
	strbuf_addf(out, "%s%s", set->no_user ? ",nouser" : "", set->kernel ? ",sys" : "");
}

static void add_row(const struct tick_rows *r, struct strbuf *out, int set, struct head head,
		    const struct value *value)
{
	int n = r->set[set].n_counters;

	strbuf_addf(out, "%8.3f %4d %5s", head.time_s, head.cpu, head.event);
	for (int c = 0; c < n; c++)
		add_count(r, out, value[c]);
	if (r->n_sets > 1) {
		strbuf_pad(out, ' ', (r->n_columns - n) * (1 + r->width));
		strbuf_addstr(out, " # ");
		add_names(r, out, &r->set[set]);
	}
	strbuf_addch(out, '\n');
}

static void note_cpu(struct tick_sum *sum, int cpu)
{
	for (size_t i = 0; i < sum->n; i++)
		if (sum->cpu[i] == cpu)
			return;
	sum->cpu = xgrow(sum->cpu, &sum->cap, sum->n + 1, sizeof *sum->cpu);
	sum->cpu[sum->n++] = cpu;
}

void tick_rows_tick(struct tick_rows *r, struct strbuf *out, int set, double time_s, int cpu,
		    const struct value *value)
{
	struct tick_sum *sum = &r->sum[set];

	for (int c = 0; c < r->set[set].n_counters; c++)
		sum->value[c] = sum->n ? value_accumulate(sum->value[c], value[c]) : value[c];
	sum->last_s = time_s;
	note_cpu(sum, cpu);
	add_row(r, out, set, (struct head){time_s, cpu, "tick"}, value);
}

static bool has(const int *list, size_t n, int cpu)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == cpu)
			return true;
	return false;
}

void tick_rows_offline(struct tick_rows *r, struct strbuf *out, int set, double time_s,
		       const int *there, size_t n)
{
	const struct tick_sum *sum = &r->sum[set];
	struct value none[EVENT_SET_MAX];

	for (int c = 0; c < r->set[set].n_counters; c++)
		none[c] = value_none(QUALITY_GONE);
	for (size_t i = 0; i < sum->n; i++)
		if (!has(there, n, sum->cpu[i]))
			add_row(r, out, set, (struct head){time_s, sum->cpu[i], "tick"}, none);
}

void tick_rows_totals(const struct tick_rows *r, struct strbuf *out)
{
	for (int s = 0; s < r->n_sets; s++)
		if (r->sum[s].n)
			add_row(r, out, s,
				(struct head){r->sum[s].last_s, (int)r->sum[s].n, "total"},
				r->sum[s].value);
}
