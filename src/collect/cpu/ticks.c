/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/ticks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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

/* Takes a sample, and what has happened since the last one. fresh: it is compared with none. */
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

/* Of a counter by its name; its number stands at the event that others are parts of. */
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

/* Those that had ticks of this set, and are not in the sample. */
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
	/* The source counts anew: what comes next begins now. */
	return t->sample[t->now].last ? take_sample(t, true, err) : 0;
}
