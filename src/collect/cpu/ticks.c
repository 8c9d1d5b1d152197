/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/ticks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- rotation ---- */

void rotation_begin(struct rotation *t, int n_sets, double interval_s, double period_s,
		    uint64_t now_ns)
{
	uint64_t period_ns = (uint64_t)(period_s * 1e9);

	*t = (struct rotation){.begin_ns = now_ns,
			       .interval_ns = (uint64_t)(interval_s * 1e9),
			       .n_sets = (uint64_t)n_sets};
	t->cycle_ns = t->n_sets * t->interval_ns;
	if (period_ns > t->cycle_ns)
		t->cycle_ns = period_ns;
}

int rotation_set(const struct rotation *t)
{
	return (int)(t->number % t->n_sets);
}

uint64_t rotation_cycle(const struct rotation *t)
{
	return t->number / t->n_sets;
}

uint64_t rotation_start_ns(const struct rotation *t)
{
	return t->begin_ns + rotation_cycle(t) * t->cycle_ns +
	       (uint64_t)rotation_set(t) * t->interval_ns;
}

uint64_t rotation_end_ns(const struct rotation *t)
{
	return rotation_start_ns(t) + t->interval_ns;
}

uint64_t rotation_next(struct rotation *t, uint64_t now_ns)
{
	uint64_t passed = 0;

	t->number++;
	for (; rotation_end_ns(t) <= now_ns; t->number++)
		passed++;
	return passed;
}

/* ---- tick rows ---- */

static const struct report_column leading[] = {
	REPORT_COUNTS_WHEN,
	{.id = "cpu", .csv = "cpu", .width = 4},
	{.id = "cpus", .csv = "cpus", .width = 4},
	{.title = "cpu", .width = 4}, /* text has either the CPU or the number of CPUs here */
	{.id = "event", .csv = "event", .title = "event", .width = 5},
	{.id = "modes"},
};

static const struct report_column trailing[] = {
	{.title = "", .blank = true}, /* '#' before a remark */
	{.csv = "remark", .title = "", .width = -1, .blank = true},
};

void tick_rows_init(struct tick_rows *r, enum report_format_id format, const struct event_set *set,
		    int n_sets, bool cycles)
{
	const char *name[EVENT_SET_MAX];

	*r = (struct tick_rows){.set = set, .n_sets = n_sets};
	report_counts_init(&r->counts, format, n_sets, cycles ? "%tick" : NULL);
	r->sum = xcalloc((size_t)n_sets, sizeof *r->sum);
	for (int s = 0; s < n_sets; s++) {
		r->sum[s].value = xcalloc((size_t)set[s].n_counters, sizeof *r->sum[s].value);
		event_set_counter_names(&set[s], name);
		report_counts_name(&r->counts, s, name, set[s].n_counters);
	}
	report_counts_declare(&r->counts, leading, sizeof leading / sizeof *leading, trailing,
			      sizeof trailing / sizeof *trailing);
}

void tick_rows_done(struct tick_rows *r)
{
	for (int s = 0; s < r->n_sets; s++) {
		free(r->sum[s].value);
		free(r->sum[s].cpu);
	}
	free(r->sum);
	report_counts_done(&r->counts);
}

int tick_rows_choose(struct tick_rows *r, const char *fields, struct err *err)
{
	return report_counts_choose(&r->counts, fields, "tiptop system --raw", err);
}

int tick_rows_check_fields(const struct event_set *set, int n_sets, bool cycles, const char *fields,
			   struct err *err)
{
	struct tick_rows rows;
	int ret;

	tick_rows_init(&rows, REPORT_AS_CSV, set, n_sets, cycles);
	ret = tick_rows_choose(&rows, fields, err);
	tick_rows_done(&rows);
	return ret;
}

void tick_rows_header(struct tick_rows *r, struct strbuf *out)
{
	report_counts_header(&r->counts, out);
}

static void put_modes(struct report_record *record, const struct event_set *set)
{
	record_list(record, "modes", 1);
	if (!set->no_user)
		record_item_text(record, "user");
	if (set->kernel)
		record_item_text(record, "kernel");
}

/* Appends a word, with a comma before it unless the remark is empty, as it is for a set of %tick
 * alone. */
static void add_word(struct strbuf *remark, const char *word)
{
	strbuf_addf(remark, "%s%s", remark->len ? "," : "", word);
}

/* With several sets, sets the remark: the names and modes of the counters. */
static void put_remark(struct report_record *record, const struct tick_rows *r, int set)
{
	struct strbuf remark;

	if (r->n_sets == 1) {
		record_absent(record, "");
		record_absent(record, "");
		return;
	}
	strbuf_init(&remark);
	report_counts_add_names(&r->counts, set, &remark);
	if (r->set[set].no_user)
		add_word(&remark, "nouser");
	if (r->set[set].kernel)
		add_word(&remark, "sys");
	record_text(record, "", "#");
	record_text(record, "", remark.text);
	strbuf_done(&remark);
}

/* Adds a row. n_cpus: a total over this number of CPUs; 0: a tick of `cpu`. */
static void add_row(struct tick_rows *r, struct strbuf *out, int set, double time_s, int cpu,
		    size_t n_cpus, const struct value *value)
{
	struct report_record *record = report_counts_begin(&r->counts, set);

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
	report_counts_put(&r->counts, record, set, value);
	put_remark(record, r, set);
	report_counts_write(&r->counts, out);
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

/* ---- ticks ---- */

void ticks_init(struct ticks *t, enum report_format_id format, struct source *source,
		const struct event_set *set, int n_sets, bool cycles)
{
	*t = (struct ticks){.source = source, .set = set, .current = -1};
	tick_rows_init(&t->rows, format, set, n_sets, cycles);
	for (int i = 0; i < 2; i++) {
		sample_init(&t->sample[i]);
		delta_init(&t->delta[i]);
	}
}

void ticks_done(struct ticks *t)
{
	for (int i = 0; i < 2; i++) {
		delta_done(&t->delta[i]);
		sample_done(&t->sample[i]);
	}
	tick_rows_done(&t->rows);
}

/* Takes a sample and computes its delta. fresh: there is no previous sample to compare with. */
static int take_sample(struct ticks *t, bool fresh, struct err *err)
{
	int old = t->now, ret;

	t->now = !old;
	ret = t->source->ops->next(t->source, &t->sample[t->now], err);
	if (ret) {
		t->now = old;
		return ret;
	}
	delta_compute(&t->delta[t->now], fresh ? NULL : &t->delta[old],
		      fresh ? NULL : &t->sample[old], &t->sample[t->now]);
	return 0;
}

int ticks_start(struct ticks *t, int set, struct err *note, struct err *err)
{
	struct want want = {.filter = FILTER_ALL};
	int ret;

	if (t->current == set)
		return 0;
	event_set_copy(&want.events, &t->set[set]);
	t->source->ops->configure(t->source, &want, note);
	ret = take_sample(t, true, err);
	if (ret)
		return ret;
	t->current = set;
	if (!t->begin_ns)
		t->begin_ns = t->sample[t->now].mono_ns;
	return 0;
}

/* Returns the increment of a counter by its name. The increment of an event with parts is the sum
 * over the parts. */
static struct value counted(const struct delta_row *row, const char *name)
{
	for (int i = 0; i < sample_events_n(row->events); i++) {
		const struct sample_event *e = &row->events->event[i];

		if (!e->part_of && !strcmp(e->given, name))
			return row->increment[i];
	}
	return value_none(QUALITY_NOT_COUNTED);
}

static void add_tick(struct ticks *t, struct strbuf *out, const struct delta_row *row, size_t i)
{
	const struct event_set *set = &t->set[t->current];
	const struct sample *s = &t->sample[t->now];
	struct value value[EVENT_SET_MAX];
	double since_s = ((double)s->mono_ns - (double)t->begin_ns) / 1e9;

	for (int c = 0; c < set->n_counters; c++)
		value[c] = counted(row, event_set_counter_name(set, c));
	tick_rows_tick(&t->rows, out, t->current, since_s + (double)s->time[i].counts_us / 1e6,
		       (int)row->task->id, value);
}

/* Adds rows of the CPUs that had ticks of this set and are not in the sample. */
static void add_offline(struct ticks *t, struct strbuf *out, const struct delta *d)
{
	const struct sample *s = &t->sample[t->now];
	int *there = xcalloc(d->n, sizeof *there);

	for (size_t i = 0; i < d->n; i++)
		there[i] = (int)d->row[i].task->id;
	tick_rows_offline(&t->rows, out, t->current,
			  ((double)s->mono_ns - (double)t->begin_ns) / 1e9, there, d->n);
	free(there);
}

int ticks_take(struct ticks *t, struct strbuf *out, struct err *err)
{
	const struct delta *d;
	int ret = take_sample(t, false, err);

	if (ret)
		return ret;
	d = &t->delta[t->now];
	for (size_t i = 0; i < d->n; i++)
		add_tick(t, out, &d->row[i], i);
	add_offline(t, out, d);
	/* After the last sample of a generation, the source opens its counters again: the next
	 * interval begins with the sample taken here. */
	return t->sample[t->now].last ? take_sample(t, true, err) : 0;
}
