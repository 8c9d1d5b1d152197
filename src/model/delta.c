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

/* Δvalue, extrapolated to the whole time that the task ran: Δvalue × Δenabled / Δrunning. A reading that went backwards
 * is none: the kernel's counts only grow. */
static struct value scaled(const struct count *from, const struct count *to)
{
	uint64_t enabled = to->enabled_ns - from->enabled_ns, running = to->running_ns - from->running_ns;
	struct value v;

	if (to->value < from->value || to->enabled_ns < from->enabled_ns || to->running_ns < from->running_ns)
		return value_none(QUALITY_NOT_READ);
	v = value_exact((double)(to->value - from->value));
	if (running >= enabled)
		return v;
	if (!running)
		return value_none(QUALITY_NOT_SCHEDULED);
	v.share = (float)((double)running / (double)enabled);
	v.number /= (double)running / (double)enabled;
	v.quality = QUALITY_SCALED;
	return v;
}

/* Why event i of this task has no count, or QUALITY_EXACT where it has one. */
static enum quality count_quality(const struct sample *s, const struct task *t, int i)
{
	if (s->event[i].quality != QUALITY_EXACT)
		return s->event[i].quality;
	if (t->counting != COUNT_OK)
		return count_state_quality(t->counting);
	return t->unread & (1ull << i) ? QUALITY_NOT_READ : QUALITY_EXACT;
}

/* Increments and totals of one task. old: its row of the previous step and its previous task, both NULL where fresh. */
static void count_row(struct delta *d, struct delta_row *row, const struct delta_row *old)
{
	static const struct count zero = {0, 0, 0};
	const struct task *t = row->task;
	struct value *increment = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *increment);
	struct value *total = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *total);
	bool old_counts = old && old->task->count && t->count;

	for (int i = 0; i < d->n_events; i++) {
		enum quality why = count_quality(d->sample, t, i);

		if (why != QUALITY_EXACT || t->counting == COUNT_INHERITED) {
			increment[i] = total[i] = why == QUALITY_EXACT ? value_exact(0) : value_none(why);
		} else if (old_counts && t->gap) {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = value_accumulate(old->total[i], increment[i]);
		} else if (old_counts && !(old->task->unread & (1ull << i))) {
			increment[i] = scaled(&old->task->count[i], &t->count[i]);
			/* An interval without a number makes the total a lower bound. */
			total[i] = value_accumulate(old->total[i], increment[i]);
		} else {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = scaled(&zero, &t->count[i]);
		}
	}
	row->increment = increment;
	row->total = total;
}

static void fact_row(struct delta_row *row, const struct task *old, bool born)
{
	const struct task *t = row->task;

	for (int f = 0; f < N_FACTS; f++) {
		fact_mask bit = FACT_BIT(f);

		row->fact_now[f] = t->known & bit ? value_exact((double)t->fact[f]) : value_none(QUALITY_NOT_READ);
		if (!(t->known & bit))
			row->fact[f] = value_none(QUALITY_NOT_READ);
		else if (fact_table[f].kind == FACT_GAUGE || (!old && born))
			row->fact[f] = value_exact((double)t->fact[f]);
		else if (!old)
			row->fact[f] = value_none(QUALITY_FRESH);
		else if (!(old->known & bit) || t->fact[f] < old->fact[f])
			row->fact[f] = value_none(QUALITY_NOT_READ);
		else
			row->fact[f] = value_exact((double)(t->fact[f] - old->fact[f]));
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
