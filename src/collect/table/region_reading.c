/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_reading.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "collect/table/tables.h"
#include "inject/lib/clock.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* --- events --- */

/* Returns the quality for a TT_... state of an event in the process. */
static enum quality quality_of(uint32_t state)
{
	switch (state) {
	case TT_DENIED:
		return QUALITY_DENIED;
	case TT_NO_PMU:
		return QUALITY_UNSUPPORTED;
	default:
		return QUALITY_EXACT;
	}
}

struct sample_events *reading_events(const struct table_header *h, const struct machine *m)
{
	struct tables_event event[TT_MAX_EVENTS];
	uint32_t n = 0;

	/* The states of events are those that the process itself has found
	 * (inject/lib/counters.c). */
	for (; n < h->n_events && n < TT_MAX_EVENTS; n++)
		event[n] = (struct tables_event){.name = h->event[n].name,
						 .quality = quality_of(h->event[n].state)};
	return tables_events_new(m, event, n);
}

/* --- histogram --- */

static void add_time(struct strbuf *out, double ns)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	size_t i = 0;

	for (; ns >= 1000 && i < 3; i++)
		ns /= 1000;
	strbuf_addf(out, "%.0f%s", ns, unit[i]);
}

/* Returns the character for n of all calls. */
static char share_letter(uint64_t n, uint64_t all)
{
	const double tenths = 10 * (double)n / (double)all;

	if (!n)
		return '.';
	if (tenths < 0.5)
		return '+';
	return tenths < 9.5 ? (char)('0' + (int)(tenths + 0.5)) : '#';
}

void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick)
{
	const double ns = (double)ns_per_tick / 4294967296.0;
	int first = TABLE_BUCKETS, last = -1;
	uint64_t all = 0;

	for (int b = 0; b < TABLE_BUCKETS; b++) {
		all += bucket[b];
		if (bucket[b] && first == TABLE_BUCKETS)
			first = b;
		if (bucket[b])
			last = b;
	}
	if (!all)
		return;
	add_time(out, first ? ldexp(ns, first - 1) : 0);
	strbuf_addch(out, ' ');
	for (int b = first; b <= last; b++)
		strbuf_addch(out, share_letter(bucket[b], all));
	strbuf_addch(out, ' ');
	add_time(out, ldexp(ns, last));
}

/* --- work --- */

int reading_find_unit(struct reading_units *units, const char *name)
{
	uint32_t u = 0;

	while (u < units->n && strcmp(units->name[u], name) != 0)
		u++;
	if (u == TABLE_UNITS)
		return -1;
	if (u == units->n)
		snprintf(units->name[units->n++], sizeof units->name[0], "%s", name);
	return (int)u;
}

/* Appends the names of the units that the process uses, separated by commas, each at the position
 * of its fact (WORK1 ...); "-" at positions of other units. */
static void add_units(struct strbuf *out, const struct reading_table *of)
{
	const struct table_header *h = &of->copy->header;
	bool has[TABLE_UNITS] = {false};
	int n = 0;

	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);

		if (at >= 0)
			has[at] = true;
		n = at >= n ? at + 1 : n;
	}
	for (int at = 0; at < n; at++)
		strbuf_addf(out, "%s%s", at ? "," : "", has[at] ? of->units->name[at] : "-");
}

static void set_work(struct task *t, const struct reading_table *of, const struct table_row *row)
{
	const struct table_header *h = &of->copy->header;

	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);

		if (at >= 0)
			task_set_fact(t, FACT_WORK1 + at, row->work[u]);
	}
}

bool reading_has_changed(const struct task *t, const struct reading_table *of, uint32_t i)
{
	const struct table_header *h = &of->copy->header;
	const struct table_row *row = table_copy_row(of->copy, i);

	if (!fact_in(t->known, FACT_CALLS) || t->start_ns != of->start_ns[i] ||
	    task_fact(t, FACT_CALLS) != row->calls)
		return true;
	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);
		const int fact = FACT_WORK1 + at;

		if (at >= 0 && (!fact_in(t->known, fact) || task_fact(t, fact) != row->work[u]))
			return true;
	}
	return false;
}

/* --- reading --- */

static void set_times(struct task *t, const struct table_row *row,
		      const struct table_quantity *time, uint64_t ns_per_tick)
{
	task_set_fact(t, FACT_REGION_NS, tt_multiply(table_sum(row, time), ns_per_tick));
	task_set_fact(t, FACT_SELF_NS, tt_multiply(table_self(row, time), ns_per_tick));
	if (!table_n(row, time))
		return;
	task_set_fact(t, FACT_MIN_NS, tt_multiply(time->min, ns_per_tick));
	task_set_fact(t, FACT_MAX_NS, tt_multiply(time->max, ns_per_tick));
}

/* Returns a count in the form of the kernel: the counted part, with its enabled and running times.
 * If the counter was multiplexed, delta_compute() scales the count and marks it. */
static struct count count_of(const struct table_row *row, const struct table_quantity *q,
			     uint64_t ns, uint64_t ns_per_tick)
{
	const uint64_t sum = table_sum(row, q), missed = tt_multiply(q->missed, ns_per_tick);

	return (struct count){q->estimated < sum ? sum - q->estimated : 0, ns,
			      missed < ns ? ns - missed : 0};
}

/* Sets the counts. The first part of an event has the whole count. If the event is missing in some
 * calls, the running time is unknown, so the count is marked as unread. The enabled time is the
 * time of the region. */
static void set_counts(struct task *t, struct table_row *row, uint64_t ns, uint64_t ns_per_tick)
{
	uint32_t k = 0;

	for (int i = 0; i < t->n_counts; i++) {
		const struct table_quantity *q;

		t->count[i] = (struct count){0, ns, 0};
		if (t->events->event[i].part_of)
			continue;
		q = table_quantity(row, ++k);
		t->count[i] = count_of(row, q, ns, ns_per_tick);
		if (q->n_unknown > q->n_off)
			t->unread |= 1ull << i;
	}
}

struct task *reading_new(const struct reading_table *of, uint32_t i)
{
	const struct table_copy *c = of->copy;
	const struct table_process *p = of->process;
	const struct sample_events *events = of->events;
	struct table_row *row = table_copy_row(c, i);
	struct table_quantity *time = table_quantity(row, 0);
	struct task_texts texts = {.user = p->user,
				   .name = c->region[i].label,
				   .process = p->name,
				   .cmdline = p->cmdline};
	struct strbuf histogram, units;
	struct task *t;

	strbuf_init(&histogram);
	strbuf_init(&units);
	reading_add_histogram(&histogram, time->bucket, c->header.ns_per_tick);
	texts.read[FACT_HISTOGRAM - FACT_FIRST_READ_TEXT] = histogram.text;
	add_units(&units, of);
	texts.read[FACT_KIND - FACT_FIRST_READ_TEXT] = units.len ? units.text : "-";
	t = task_new(&kind_region, fact_less(fact_of_table[FACT_OF_REGION], fact_always_read()),
		     sample_events_n(events), &texts);
	strbuf_done(&histogram);
	strbuf_done(&units);
	t->id = t->owner = kind_region_id(p->pid, of->number, i);
	t->start_ns = of->start_ns[i];
	t->uid = p->uid;
	t->counting = sample_events_n(events) ? COUNT_OK : COUNT_NONE;
	task_set_events(t, events);
	task_set_fact(t, FACT_CALLS, row->calls);
	set_times(t, row, time, c->header.ns_per_tick);
	set_work(t, of, row);
	set_counts(t, row, task_fact(t, FACT_REGION_NS), c->header.ns_per_tick);
	return t;
}
