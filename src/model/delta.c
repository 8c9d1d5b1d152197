/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta.h"

#include <string.h>

/* start_ns comes in ticks of 10 ms at most (USER_HZ = 100): a task that started in the tick of the previous sample was
 * not in it, or it would not be fresh. */
#define TICK_NS 10000000ull

void delta_init(struct delta *d)
{
	memset(d, 0, sizeof *d);
}

void delta_done(struct delta *d)
{
	arena_done(&d->arena);
	memset(d, 0, sizeof *d);
}

static void delta_begin(struct delta *d, const struct sample *sample, uint64_t interval_ns, size_t rows)
{
	arena_reset(&d->arena);
	d->sample = sample;
	d->interval_ns = interval_ns;
	d->n_events = sample->n_events;
	d->n = 0;
	d->row = arena_calloc(&d->arena, rows, sizeof *d->row);
}

/* What the parts of one counter did in the interval, together. */
struct growth {
	uint64_t value, enabled_ns, running_ns;
	bool lacking; /* a part cannot be had here */
};

static struct value scaled(const struct growth *g)
{
	struct value v;

	if (g->running_ns >= g->enabled_ns)
		return value_count(g->value);
	if (!g->running_ns)
		return value_none(g->lacking ? QUALITY_OTHER_CORE : QUALITY_NOT_SCHEDULED);
	v = value_exact((double)g->value);
	v.share = (float)((double)g->running_ns / (double)g->enabled_ns);
	v.quality = g->lacking ? QUALITY_PARTIAL : QUALITY_SCALED;
	/* The time on cores that lack the event is not to be extrapolated over. */
	if (!g->lacking)
		v.number /= (double)g->running_ns / (double)g->enabled_ns;
	return v;
}

/* Adds one part. False where a reading went backwards, which is none: the kernel's counts only grow. */
static bool grow(struct growth *g, const struct count *from, const struct count *to)
{
	uint64_t enabled = to->enabled_ns - from->enabled_ns;

	if (to->value < from->value || to->enabled_ns < from->enabled_ns || to->running_ns < from->running_ns)
		return false;
	g->value += to->value - from->value;
	g->running_ns += to->running_ns - from->running_ns;
	/* Each part is enabled as long as the task runs, wherever. */
	if (enabled > g->enabled_ns)
		g->enabled_ns = enabled;
	return true;
}

/* The next event that is a part of the same number as `head`; n_events where there is none. */
static int next_part(const struct sample *s, int head, int i)
{
	for (i++; i < s->n_events; i++)
		if (s->event[i].part_of == head + 1)
			break;
	return i;
}

/* Why the number at event i of this task cannot be had, or QUALITY_EXACT where at least one of its parts can be. */
static enum quality count_quality(const struct sample *s, const struct task *t, int i)
{
	enum quality best = s->event[i].quality;

	for (int k = next_part(s, i, i); k < s->n_events; k = next_part(s, i, k))
		if (s->event[k].quality == QUALITY_EXACT)
			best = QUALITY_EXACT;
	if (best != QUALITY_EXACT)
		return best;
	return t->counting == COUNT_OK ? QUALITY_EXACT : count_state_quality(t->counting);
}

/* The growth of the number at event i between two readings of a task; old NULL: since its counters were opened. */
static struct value growth_of(const struct sample *s, const struct task *old, const struct task *t, int i)
{
	static const struct count zero = {0, 0, 0};
	struct growth g = {0, 0, 0, false};

	for (int k = i; k < s->n_events; k = next_part(s, i, k)) {
		const struct count *from = old ? &old->count[k] : &zero;

		if (s->event[k].quality != QUALITY_EXACT)
			g.lacking = true;
		else if (t->unread & (1ull << k) || !grow(&g, from, &t->count[k]))
			return value_none(QUALITY_NOT_READ);
	}
	return scaled(&g);
}

/* Whether all parts of the number at event i were read. */
static bool was_read(const struct sample *s, const struct task *t, int i)
{
	for (int k = i; k < s->n_events; k = next_part(s, i, k))
		if (s->event[k].quality == QUALITY_EXACT && t->unread & (1ull << k))
			return false;
	return true;
}

/* Increments and totals of one task. old: its row of the previous step, NULL where fresh. */
static void count_row(struct delta *d, struct delta_row *row, const struct delta_row *old)
{
	const struct task *t = row->task;
	struct value *increment = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *increment);
	struct value *total = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *total);
	bool old_counts = old && old->task->count && t->count;

	for (int i = 0; i < d->n_events; i++) {
		enum quality why = count_quality(d->sample, t, i);

		if (d->sample->event[i].part_of) {
			increment[i] = total[i] = value_none(QUALITY_NOT_READ);
		} else if (why != QUALITY_EXACT || t->counting == COUNT_INHERITED) {
			increment[i] = total[i] = why == QUALITY_EXACT ? value_exact(0) : value_none(why);
		} else if (!was_read(d->sample, t, i)) {
			increment[i] = total[i] = value_none(QUALITY_NOT_READ);
		} else if (old_counts && t->gap) {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = value_accumulate(old->total[i], increment[i]);
		} else if (old_counts && was_read(d->sample, old->task, i)) {
			increment[i] = growth_of(d->sample, old->task, t, i);
			/* An interval without a number makes the total a lower bound. */
			total[i] = value_accumulate(old->total[i], increment[i]);
		} else {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = growth_of(d->sample, NULL, t, i);
		}
	}
	row->increment = increment;
	row->total = total;
}

/* Which kind of cores the task ran on: from the first number that is counted on several, by all its parts. */
static void core_row(struct delta_row *row, const struct sample *s, const struct task *old)
{
	const struct task *t = row->task;

	row->fast_ns = row->core_ns = value_none(QUALITY_UNSUPPORTED);
	for (int i = 0; i < s->n_events; i++) {
		uint64_t fast = 0, all = 0;
		int parts = 0, had = 0;

		for (int k = i; !s->event[i].part_of && k < s->n_events; k = next_part(s, i, k)) {
			uint64_t ns =
				old && old->count && t->count ? t->count[k].running_ns - old->count[k].running_ns : 0;

			parts++;
			had += s->event[k].quality == QUALITY_EXACT;
			all += ns;
			fast += s->event[k].slow_core ? 0 : ns;
		}
		if (parts < 2 || had < parts)
			continue;
		if (t->counting != COUNT_OK && t->counting != COUNT_INHERITED)
			row->fast_ns = value_none(count_state_quality(t->counting));
		else if (t->counting == COUNT_INHERITED)
			row->fast_ns = value_exact(0);
		else if (!old || !old->count || t->gap)
			row->fast_ns = value_none(QUALITY_FRESH);
		else if (!was_read(s, t, i) || !was_read(s, old, i))
			row->fast_ns = value_none(QUALITY_NOT_READ);
		else
			row->fast_ns = value_exact((double)fast);
		row->core_ns = value_known(row->fast_ns) ? value_exact((double)all) : row->fast_ns;
		return;
	}
}

/* A state may be below 0 (NICE). */
static struct value fact_value(const struct task *t, int f)
{
	if (fact_table[f].kind == FACT_COUNTER)
		return value_count(t->fact[f]);
	return t->stale & FACT_BIT(f) ? value_stale((double)(int64_t)t->fact[f])
				      : value_exact((double)(int64_t)t->fact[f]);
}

static void fact_row(struct delta_row *row, const struct task *old, bool born)
{
	const struct task *t = row->task;

	for (int f = 0; f < N_FACTS; f++) {
		fact_mask bit = FACT_BIT(f);

		row->fact_now[f] = t->known & bit ? fact_value(t, f) : value_none(QUALITY_NOT_READ);
		if (!(t->known & bit))
			row->fact[f] = value_none(QUALITY_NOT_READ);
		else if (fact_table[f].kind == FACT_GAUGE || (!old && born))
			row->fact[f] = fact_value(t, f);
		else if (!old)
			row->fact[f] = value_none(QUALITY_FRESH);
		else if (!(old->known & bit) || t->fact[f] < old->fact[f])
			row->fact[f] = value_none(QUALITY_NOT_READ);
		else
			row->fact[f] = value_count(t->fact[f] - old->fact[f]);
	}
}

struct value delta_clock_time(const struct delta_row *row)
{
	struct value ticks = value_combine(row->fact[FACT_UTIME_NS].number + row->fact[FACT_STIME_NS].number,
					   row->fact[FACT_UTIME_NS], row->fact[FACT_STIME_NS]);

	return value_known(row->fact[FACT_CPU_NS]) || !value_known(ticks) ? row->fact[FACT_CPU_NS] : ticks;
}

/* Time on a CPU: the time that the first counter read was enabled, which the kernel counts in nanoseconds while the
 * task is on a CPU; without counters, what its CPU clock says, or else its ticks. */
static struct value cpu_time(struct delta_row *row, const struct task *old, int n_events)
{
	const struct task *t = row->task;

	if (old && old->count && t->count && !t->gap)
		for (int i = 0; i < n_events; i++)
			if (!((t->unread | old->unread) & (1ull << i)) &&
			    t->count[i].enabled_ns >= old->count[i].enabled_ns) {
				row->cpu_counted = true;
				return value_exact((double)(t->count[i].enabled_ns - old->count[i].enabled_ns));
			}
	return delta_clock_time(row);
}

static void compute_row(struct delta *d, const struct task *t, const struct delta_row *old, uint64_t previous_boot_ns)
{
	struct delta_row *row = &d->row[d->n++];
	bool born = d->interval_ns && t->start_ns + TICK_NS > previous_boot_ns;

	row->task = t;
	row->fresh = !old;
	row->n_threads = 1;
	count_row(d, row, old);
	core_row(row, d->sample, old ? old->task : NULL);
	fact_row(row, old ? old->task : NULL, born);
	row->cpu_ns = cpu_time(row, old ? old->task : NULL, d->n_events);
}

void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current)
{
	bool comparable =
		previous && previous->generation == current->generation && before && before->sample == previous;
	uint64_t previous_boot_ns = comparable ? previous->boot_ns : 0;
	size_t o = 0, n_old = comparable ? before->n : 0;

	delta_begin(out, current, comparable ? current->mono_ns - previous->mono_ns : 0, current->n);
	for (size_t i = 0; i < current->n; i++) {
		const struct task *t = &current->task[i];
		const struct delta_row *old = NULL;

		/* Both are sorted by (id, start). */
		while (o < n_old && (before->row[o].task->id < t->id ||
				     (before->row[o].task->id == t->id && before->row[o].task->start_ns < t->start_ns)))
			o++;
		if (o < n_old && before->row[o].task->id == t->id && before->row[o].task->start_ns == t->start_ns)
			old = &before->row[o];
		compute_row(out, t, old, previous_boot_ns);
	}
}
