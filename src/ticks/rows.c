/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ticks/rows.h"

#include <stdlib.h>

#include "base/mem.h"

static const struct report_column begin_columns[] = {
	{.id = "type"},
	{.id = "time_s",
	 .csv = "time_s",
	 .csv_digits = 6,
	 .title = "time",
	 .width = 8,
	 .digits = 3},
	{.id = "cpu", .csv = "cpu"},
	{.id = "cpus", .csv = "cpus"},
	{.title = "cpu", .width = 4}, /* of both the one that is there */
	{.id = "event", .csv = "event", .title = "event", .width = 5},
	{.id = "modes"},
};

static const struct report_column end_columns[] = {
	{.title = "", .blank = true}, /* '#' before a remark */
	{.csv = "remark", .title = "", .blank = true},
};

static void add_type(struct tick_rows *r, int s)
{
	struct report_own_type *t = &r->type[s];
	const char *name[EVENT_SET_MAX];

	event_set_counter_names(&r->set[s], name);
	report_own_type_init(t, begin_columns, sizeof begin_columns / sizeof *begin_columns);
	report_counts_add(t, &r->counts, name, r->set[s].n_counters);
	for (size_t c = 0; c < sizeof end_columns / sizeof *end_columns; c++)
		report_own_type_add(t, end_columns[c]);
	report_own_type_settle(t);
}

void tick_rows_init(struct tick_rows *r, enum report_format_id format, const struct event_set *set,
		    int n_sets, bool cycles)
{
	*r = (struct tick_rows){.format = format, .set = set, .n_sets = n_sets};
	r->counts = (struct report_counts){.n_sets = n_sets, .first = cycles ? "%tick" : NULL};
	report_init(&r->report);
	r->report.is_stream = true;
	r->sum = xcalloc((size_t)n_sets, sizeof *r->sum);
	r->type = xcalloc((size_t)n_sets, sizeof *r->type);
	for (int s = 0; s < n_sets; s++) {
		const int n = set[s].n_counters;

		r->sum[s].value = xcalloc((size_t)n, sizeof *r->sum[s].value);
		if (n > r->counts.n_columns)
			r->counts.n_columns = n;
	}
	for (int s = 0; s < n_sets; s++)
		add_type(r, s);
}

void tick_rows_done(struct tick_rows *r)
{
	for (int s = 0; s < r->n_sets; s++) {
		free(r->sum[s].value);
		free(r->sum[s].cpu);
		report_own_type_done(&r->type[s]);
	}
	free(r->sum);
	free(r->type);
	report_done(&r->report);
}

static void write_entry(struct tick_rows *r, struct strbuf *out, bool with_header)
{
	report_formats[r->format].write(&r->report, with_header, out);
	report_empty(&r->report);
}

void tick_rows_header(struct tick_rows *r, struct strbuf *out)
{
	report_heading(&r->report, &r->type[0].type);
	write_entry(r, out, true);
}

static void put_modes(struct report_record *record, const struct event_set *set)
{
	record_list(record, "modes", 1);
	if (!set->no_user)
		record_item_text(record, "user");
	if (set->kernel)
		record_item_text(record, "kernel");
}

/* With several sets: what the counters count, and where. */
static void put_remark(struct report_record *record, const struct tick_rows *r,
		       const struct event_set *set)
{
	const char *name[EVENT_SET_MAX];
	struct strbuf remark;

	if (r->n_sets == 1) {
		record_absent(record, "");
		record_absent(record, "");
		return;
	}
	strbuf_init(&remark);
	event_set_counter_names(set, name);
	report_counts_add_names(&r->counts, name, set->n_counters, &remark);
	strbuf_addf(&remark, "%s%s", set->no_user ? ",nouser" : "", set->kernel ? ",sys" : "");
	record_text(record, "", "#");
	record_text(record, "", remark.text);
	strbuf_done(&remark);
}

/* n_cpus: of so many CPUs it is the total; 0: it is a tick of this one. */
static void add_row(struct tick_rows *r, struct strbuf *out, int set, double time_s, int cpu,
		    size_t n_cpus, const struct value *value)
{
	struct report_record *record = report_add(&r->report, &r->type[set].type);

	record_text(record, "type", "raw");
	record_number(record, "time_s", time_s);
	if (n_cpus)
		record_absent(record, "cpu");
	else
		record_count(record, "cpu", (uint64_t)cpu);
	record_optional_count(record, "cpus", n_cpus);
	record_count(record, "", n_cpus ? n_cpus : (uint64_t)cpu);
	record_text(record, "event", n_cpus ? "total" : "tick");
	put_modes(record, &r->set[set]);
	report_counts_put(record, &r->counts, value, r->set[set].n_counters);
	put_remark(record, r, &r->set[set]);
	write_entry(r, out, false);
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
	add_row(r, out, set, time_s, cpu, 0, value);
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
			add_row(r, out, set, time_s, sum->cpu[i], 0, none);
}

void tick_rows_totals(struct tick_rows *r, struct strbuf *out)
{
	for (int s = 0; s < r->n_sets; s++)
		if (r->sum[s].n)
			add_row(r, out, s, r->sum[s].last_s, 0, r->sum[s].n, r->sum[s].value);
}
