/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta.h"

#include <stdlib.h>
#include <string.h>

/* start_ns comes in ticks of 10 ms at most (USER_HZ = 100): a task that started in the tick of the previous sample was
 * not in it, or it would not be fresh. */
#define TICK_NS 10000000ull

void delta_init(struct delta *d)
{
	memset(d, 0, sizeof *d);
}

/* The rows of processes are those of tasks, which hold the references. */
static void drop_rows(struct delta *d)
{
	for (size_t i = 0; !d->processes && i < d->n; i++)
		task_unref(d->row[i].old);
	d->n = 0;
}

void delta_done(struct delta *d)
{
	drop_rows(d);
	arena_done(&d->arena);
	memset(d, 0, sizeof *d);
}

/* What the parts of one counter did in the interval, together. */
struct growth {
	uint64_t value, enabled_ns, running_ns;
	double scale; /* what one count stands for, if not 1; else 0 */
	bool lacking; /* a part cannot be had here */
};

/* Where one count is one event, with all its digits. */
static struct value grown(const struct growth *g)
{
	return g->scale ? value_exact((double)g->value * g->scale) : value_count(g->value);
}

static struct value scaled(const struct growth *g)
{
	struct value v;

	if (g->running_ns >= g->enabled_ns)
		return grown(g);
	if (!g->running_ns)
		return value_none(g->lacking ? QUALITY_OTHER_CORE : QUALITY_NOT_SCHEDULED);
	v = grown(g);
	v.rest = 0;
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

/* Why the number at event i cannot be had here, or QUALITY_EXACT where at least one of its parts can be. */
static enum quality event_quality(const struct sample *s, int i)
{
	enum quality best = s->event[i].quality;

	for (int k = next_part(s, i, i); k < s->n_events; k = next_part(s, i, k))
		if (s->event[k].quality == QUALITY_EXACT)
			best = QUALITY_EXACT;
	return best;
}

static bool counted(const struct task *t)
{
	return t && t->counting == COUNT_OK && t->count;
}

/* The counters of a task that were closed in the interval before its reading. Where that is also the previous one,
 * that interval has passed. */
static bool has_gap(const struct task *t, const struct task *old)
{
	return t->gap && t != old;
}

/* The growth of the number at event i between two readings of a task; old NULL: since its counters were opened. */
static struct value growth_of(const struct sample *s, const struct task *old, const struct task *t, int i)
{
	static const struct count zero = {0, 0, 0};
	struct growth g = {.scale = s->event[i].scale};

	for (int k = i; k < s->n_events; k = next_part(s, i, k)) {
		const struct count *from = old ? &old->count[k] : &zero;

		/* Another unit cannot be added. */
		g.lacking = g.lacking || s->event[k].lacking || s->event[k].quality != QUALITY_EXACT ||
			    s->event[k].scale != s->event[i].scale;
		if (s->event[k].quality != QUALITY_EXACT || s->event[k].scale != s->event[i].scale)
			continue;
		if (t->unread & (1ull << k) || !grow(&g, from, &t->count[k]))
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

/* Increments and totals of one task that has counters. old: its previous reading with its totals, NULL where fresh. */
static void count_row(const struct delta *d, struct delta_row *row, const struct value *old_total, struct arena *arena)
{
	const struct task *t = row->task, *old = row->old;
	struct value *increment = arena_calloc(arena, (size_t)d->n_events, sizeof *increment);
	struct value *total = arena_calloc(arena, (size_t)d->n_events, sizeof *total);

	for (int i = 0; i < d->n_events; i++) {
		enum quality why = event_quality(d->sample, i);

		if (d->sample->event[i].part_of || why != QUALITY_EXACT || !was_read(d->sample, t, i)) {
			if (d->sample->event[i].part_of || why == QUALITY_EXACT)
				why = QUALITY_NOT_READ;
			increment[i] = total[i] = value_none(why);
		} else if (old_total && has_gap(t, old)) {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = value_accumulate(old_total[i], increment[i]);
		} else if (old_total && was_read(d->sample, old, i)) {
			increment[i] = growth_of(d->sample, old, t, i);
			/* An interval without a number makes the total a lower bound. */
			total[i] = value_accumulate(old_total[i], increment[i]);
		} else {
			increment[i] = value_none(QUALITY_FRESH);
			total[i] = growth_of(d->sample, NULL, t, i);
		}
	}
	row->increment = increment;
	row->total = total;
}

/* What a task that has no counters has at each event: a reason, or exactly nothing where it is known that nothing
 * happened. */
static struct delta_plain make_plain(struct delta *d, enum count_state state, bool fresh)
{
	struct value *increment = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *increment);
	struct value *total = arena_calloc(&d->arena, (size_t)d->n_events, sizeof *total);

	for (int i = 0; i < d->n_events; i++) {
		enum quality why = event_quality(d->sample, i);

		if (why == QUALITY_EXACT)
			why = count_state_quality(state);
		if (d->sample->event[i].part_of)
			why = QUALITY_NOT_READ;
		increment[i] = total[i] = why == QUALITY_EXACT ? value_exact(0) : value_none(why);
		/* Since it was found; the interval may have begun before. */
		if (state == COUNT_IDLE && fresh && why == QUALITY_EXACT)
			increment[i] = value_none(QUALITY_FRESH);
	}
	return (struct delta_plain){increment, total};
}

/* Which kind of cores the task ran on: from the first number that is counted on several, by all its parts. */
static void core_row(struct delta_row *row, const struct sample *s)
{
	const struct task *t = row->task, *old = row->old;

	row->fast_ns = row->core_ns = value_none(QUALITY_UNSUPPORTED);
	for (int i = 0; i < s->n_events; i++) {
		uint64_t fast = 0, all = 0;
		int parts = 0, had = 0;

		for (int k = i; !s->event[i].part_of && k < s->n_events; k = next_part(s, i, k)) {
			uint64_t ns =
				counted(old) && counted(t) ? t->count[k].running_ns - old->count[k].running_ns : 0;

			parts++;
			had += s->event[k].quality == QUALITY_EXACT;
			all += ns;
			fast += s->event[k].slow_core ? 0 : ns;
		}
		if (parts < 2 || had < parts)
			continue;
		if (!counted(t) && count_state_quality(t->counting) != QUALITY_EXACT)
			row->fast_ns = value_none(count_state_quality(t->counting));
		else if (t->counting == COUNT_INHERITED || (t->counting == COUNT_IDLE && old))
			row->fast_ns = value_exact(0);
		else if (!counted(old) || has_gap(t, old))
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
static struct value present(const struct delta_row *row, enum fact f)
{
	uint64_t now = task_fact(row->task, f);

	if (fact_table[f].kind == FACT_COUNTER)
		return value_count(now);
	return row->stale && fact_table[f].drifts ? value_stale((double)(int64_t)now)
						  : value_exact((double)(int64_t)now);
}

struct value delta_fact_now(const struct delta_row *row, enum fact f)
{
	if (row->sums && fact_table[f].per_thread)
		return row->sums->fact_now[f];
	return row->task->known & FACT_BIT(f) ? present(row, f) : value_none(QUALITY_NOT_READ);
}

struct value delta_fact(const struct delta_row *row, enum fact f)
{
	const struct task *t = row->task, *old = row->old;

	if (row->sums && fact_table[f].per_thread)
		return row->sums->fact[f];
	if (!(t->known & FACT_BIT(f)))
		return value_none(QUALITY_NOT_READ);
	if (fact_table[f].kind == FACT_GAUGE || (!old && row->born))
		return present(row, f);
	if (!old)
		return value_none(QUALITY_FRESH);
	if (!(old->known & FACT_BIT(f)) || task_fact(t, f) < task_fact(old, f))
		return value_none(QUALITY_NOT_READ);
	return value_count(task_fact(t, f) - task_fact(old, f));
}

struct value delta_clock_time(const struct delta_row *row)
{
	struct value clock = delta_fact(row, FACT_CPU_NS);
	struct value user = delta_fact(row, FACT_UTIME_NS), kernel = delta_fact(row, FACT_STIME_NS);
	struct value ticks = value_combine(user.number + kernel.number, user, kernel);

	return value_known(clock) || !value_known(ticks) ? clock : ticks;
}

/* Time on a CPU, by the CPU clock. Where that is not known (a thread of another process), the time that the first
 * counter read was enabled, which leaves out some 20 µs of each wake-up, since the kernel enables counters after the
 * switch; without counters, the ticks. */
static struct value cpu_time(struct delta_row *row, int n_events)
{
	const struct task *t = row->task, *old = row->old;

	if (value_known(delta_fact(row, FACT_CPU_NS)))
		return delta_fact(row, FACT_CPU_NS);
	if (counted(old) && counted(t) && !has_gap(t, old))
		for (int i = 0; i < n_events; i++)
			if (!((t->unread | old->unread) & (1ull << i)) &&
			    t->count[i].enabled_ns >= old->count[i].enabled_ns) {
				row->cpu_counted = true;
				return value_exact((double)(t->count[i].enabled_ns - old->count[i].enabled_ns));
			}
	return delta_clock_time(row);
}

static void compute_row(struct delta_row *row, const struct delta *d, const struct task *t, const struct task *old,
			const struct value *old_total, struct arena *arena)
{
	*row = (struct delta_row){
		.task = t,
		.old = old,
		.fresh = !old,
		.born = d->interval_ns && t->start_ns + TICK_NS > d->previous_boot_ns,
		.stale = t->facts_read != d->sample->number,
		.n_threads = 1,
	};
	if (counted(t)) {
		count_row(d, row, old_total, arena);
	} else {
		row->increment = d->plain[t->counting][!old].increment;
		row->total = d->plain[t->counting][!old].total;
	}
	core_row(row, d->sample);
	row->cpu_ns = cpu_time(row, d->n_events);
}

/* Walks two samples, or a sample and the tallies of it, side by side. */
struct match {
	const struct sample *previous; /* NULL: none to compare with */
	const struct delta *before;
	size_t task, tally;
};

/* The previous reading of the next task, or NULL. */
static const struct task *match_task(struct match *m, const struct task *t)
{
	if (!m->previous)
		return NULL;
	while (m->task < m->previous->n && m->previous->task[m->task] != t) {
		int order = task_compare(m->previous->task[m->task], t);

		if (order > 0)
			return NULL;
		if (order == 0)
			break;
		m->task++;
	}
	return m->task < m->previous->n ? m->previous->task[m->task++] : NULL;
}

/* The totals of that reading, or NULL. */
static const struct value *match_total(struct match *m, const struct task *old)
{
	if (!counted(old))
		return NULL;
	while (m->before->tally[m->tally].task != old)
		m->tally++;
	return m->before->tally[m->tally].total;
}

static void count_rows(const struct sample *previous, const struct sample *current, size_t *rows, size_t *tallies)
{
	struct match m = {.previous = previous};

	*rows = *tallies = 0;
	for (size_t i = 0; i < current->n; i++) {
		*rows += match_task(&m, current->task[i]) != current->task[i];
		*tallies += counted(current->task[i]);
	}
}

static void delta_begin(struct delta *d, const struct sample *previous, const struct sample *current)
{
	size_t rows, tallies;

	drop_rows(d);
	arena_reset(&d->arena);
	*d = (struct delta){.sample = current, .n_events = current->n_events, .arena = d->arena};
	if (previous) {
		d->interval_ns = current->mono_ns - previous->mono_ns;
		d->previous_boot_ns = previous->boot_ns;
	}
	count_rows(previous, current, &rows, &tallies);
	d->row = arena_alloc(&d->arena, rows * sizeof *d->row);
	d->tally = arena_alloc(&d->arena, tallies * sizeof *d->tally);
	for (int state = 0; state < N_COUNT_STATES; state++)
		for (int fresh = 0; fresh < 2; fresh++)
			d->plain[state][fresh] = make_plain(d, (enum count_state)state, fresh);
}

void delta_compute(struct delta *out, const struct delta *before, const struct sample *previous,
		   const struct sample *current)
{
	bool comparable =
		previous && previous->generation == current->generation && before && before->sample == previous;
	struct match m = {.previous = comparable ? previous : NULL, .before = before};

	delta_begin(out, m.previous, current);
	for (size_t i = 0; i < current->n; i++) {
		const struct task *t = current->task[i], *old = match_task(&m, t);
		const struct value *total = match_total(&m, old);

		if (t != old) {
			compute_row(&out->row[out->n], out, t, old, total, &out->arena);
			total = out->row[out->n++].total;
			if (old)
				task_ref(old);
		} else if (total) {
			total = arena_copy(&out->arena, total, (size_t)out->n_events * sizeof *total);
		}
		if (counted(t))
			out->tally[out->n_tallies++] = (struct delta_tally){t, total};
	}
}

static int compare_tally(const void *key, const void *tally)
{
	return task_compare(key, ((const struct delta_tally *)tally)->task);
}

/* The totals of a task that did not run are what they were. */
static const struct value *idle_total(const struct delta *d, const struct task *t)
{
	const struct delta_tally *tally =
		counted(t) ? bsearch(t, d->tally, d->n_tallies, sizeof *d->tally, compare_tally) : NULL;

	return tally ? tally->total : NULL;
}

void delta_task_row(struct delta_row *out, const struct delta *d, const struct delta_row *row, size_t i,
		    struct arena *arena)
{
	const struct task *t = d->sample->task[i];

	if (row)
		*out = *row;
	else
		compute_row(out, d, t, t, idle_total(d, t), arena);
}

const struct delta_row *delta_idle_row(const struct delta *d, const struct delta_item *item, struct arena *arena)
{
	struct delta_row *row = arena_alloc(arena, sizeof *row);

	if (d->processes && item->n > 1)
		delta_fold_range(row, d->threads, NULL, item->first, item->n, arena);
	else
		delta_task_row(row, d->processes ? d->threads : d, NULL, item->first, arena);
	return row;
}

bool delta_next(const struct delta *d, struct delta_item *item)
{
	const struct sample *s = d->sample;
	const struct delta_row *row;

	item->first += item->n;
	if (item->first >= s->n)
		return false;
	item->task = s->task[item->first];
	for (item->n = 1; d->processes && item->first + item->n < s->n; item->n++) {
		const struct task *t = s->task[item->first + item->n];

		if (t->pid != item->task->pid)
			break;
		if (t->id == t->pid)
			item->task = t;
	}
	row = item->rows < d->n ? &d->row[item->rows] : NULL;
	if (row && (d->processes ? row->task->pid != item->task->pid : row->task != item->task))
		row = NULL;
	item->row = row;
	item->rows += row != NULL;
	return true;
}
