/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what counters did in the interval. */
#include <string.h>

#include "model/delta_part.h"

/* What the parts of one counter did in the interval, together. */
struct growth {
	uint64_t value, enabled_ns, running_ns; /* value: of parts in steps of 1 */
	double steps;                           /* of the others, what their counts stand for */
	bool in_steps;                          /* there are others */
	bool lacking;                           /* a part cannot be had here */
};

/* The value of a growth. Where one count is one event, it has all its digits. */
static struct value grown(const struct growth *g)
{
	return g->in_steps ? value_exact(g->steps + (double)g->value) : value_count(g->value);
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
	/* Nothing is extrapolated over the time on cores that lack the event. */
	if (!g->lacking)
		v.number /= (double)g->running_ns / (double)g->enabled_ns;
	return v;
}

/* Adds one part. False where a reading went backwards, which makes it invalid: the kernel's counts
 * only grow. */
static bool grow(struct growth *g, const struct sample_event *e, const struct count *from,
		 const struct count *to)
{
	uint64_t enabled = to->enabled_ns - from->enabled_ns;

	if (to->value < from->value || to->enabled_ns < from->enabled_ns ||
	    to->running_ns < from->running_ns)
		return false;
	if (!e->scale)
		g->value += to->value - from->value;
	else if (e->scale != SCALE_NOTHING)
		g->steps += (double)(to->value - from->value) * e->scale;
	g->in_steps = g->in_steps || e->scale;
	g->running_ns += to->running_ns - from->running_ns;
	/* Each part is enabled as long as the task runs, on whatever cores. */
	if (enabled > g->enabled_ns)
		g->enabled_ns = enabled;
	return true;
}

bool delta_is_counted(const struct task *t)
{
	return t && (t->counting == COUNT_OK || t->counting == COUNT_WHOLE) && t->count &&
	       t->events;
}

bool delta_has_gap(const struct task *t, const struct task *old)
{
	return t->gap && t != old;
}

bool delta_can_compare(const struct task *t, const struct task *old)
{
	return delta_is_counted(t) && delta_is_counted(old) && t->events == old->events &&
	       !delta_has_gap(t, old);
}

/* How much the number at event i grew between two readings of a task; old NULL: since its counters
 * were opened. */
static struct value growth_of(const struct task *old, const struct task *t, int i)
{
	const struct sample_events *set = t->events;
	static const struct count zero = {0, 0, 0};
	struct growth g = {.value = 0};

	/* It slept: the reading stands for both moments. */
	if (t == old)
		return value_exact(0);
	for (int k = i; k < set->n; k = sample_events_next_part(set, i, k)) {
		const struct sample_event *e = &set->event[k];
		const struct count *from = old ? &old->count[k] : &zero;

		bool had = e->quality == QUALITY_EXACT && !strcmp(e->unit, set->event[i].unit);

		/* A part in another unit cannot be added. */
		g.lacking = g.lacking || e->lacking || !had;
		if (!had)
			continue;
		if (!grow(&g, e, from, &t->count[k]))
			return value_none(QUALITY_NOT_READ);
	}
	if (old && t->kind->enabled_always && !g.enabled_ns)
		return value_none(QUALITY_NOT_READ);
	return scaled(&g);
}

/* Whether all parts of the number at event i were read. */
static bool was_read(const struct task *t, int i)
{
	const struct sample_events *set = t->events;

	for (int k = i; k < set->n; k = sample_events_next_part(set, i, k))
		if (set->event[k].quality == QUALITY_EXACT && t->unread & (1ull << k))
			return false;
	return true;
}

/* The total that is shown where the last reading failed: none; but for a task that has ended, the
 * sum so far. */
static struct value total_unread(const struct task *t, struct value sum)
{
	struct value none = value_none(QUALITY_NOT_READ);

	return t->dead && sum.number > 0 ? value_accumulate(sum, none) : none;
}

/* Sums of increments from some moment on, while they are made. */
struct totals {
	const struct value *old;   /* the sums before; NULL: the counters have been opened since */
	struct value *sum, *shown; /* [events->n]; NULL: none are made */
};

static struct totals begin_totals(const struct task *t, const struct value *old,
				  struct arena *arena)
{
	const size_t n = (size_t)t->events->n;
	struct totals totals = {.old = old};

	totals.shown = arena_calloc(arena, n, sizeof *totals.shown);
	totals.sum = t->unread ? arena_calloc(arena, n, sizeof *totals.sum) : totals.shown;
	return totals;
}

static void set_reason(const struct totals *totals, int i, enum quality why)
{
	if (totals->sum)
		totals->sum[i] = totals->shown[i] = value_none(why);
}

/* An interval without a number makes the sum a lower bound. */
static void add_up(const struct totals *totals, const struct task *t, int i, struct value increment)
{
	struct value sum;

	if (!totals->sum)
		return;
	sum = totals->old ? value_accumulate(totals->old[i], increment) : growth_of(NULL, t, i);
	totals->sum[i] = sum;
	totals->shown[i] = was_read(t, i) ? sum : total_unread(t, sum);
}

/* What event i did in the interval. */
static struct value increment_of(const struct delta_row *row, bool comparable, int i)
{
	if (comparable)
		return growth_of(row->old, row->task, i);
	return row->born && row->fresh && row->task->counting == COUNT_WHOLE
		       ? growth_of(NULL, row->task, i)
		       : value_none(QUALITY_FRESH);
}

void delta_count_row(struct delta_row *row, const struct delta_tally *before, bool marked,
		     struct arena *arena)
{
	const struct task *t = row->task, *old = row->old;
	const struct sample_events *set = t->events;
	const struct totals total = begin_totals(t, before ? before->sum : NULL, arena);
	struct value *increment = arena_calloc(arena, (size_t)set->n, sizeof *increment);
	const bool comparable = before && !delta_has_gap(t, old);
	struct totals since = {.old = NULL};

	if (marked)
		since = begin_totals(t, before ? before->since : NULL, arena);

	for (int i = 0; i < set->n; i++) {
		enum quality why =
			set->event[i].part_of ? QUALITY_NOT_READ : sample_events_quality(set, i);

		if (why != QUALITY_EXACT) {
			increment[i] = value_none(why);
			set_reason(&total, i, why);
			set_reason(&since, i, why);
			continue;
		}
		/* A failed reading keeps the counts of the last one that succeeded, from where the
		 * next one grows. */
		increment[i] = increment_of(row, comparable, i);
		add_up(&total, t, i, increment[i]);
		add_up(&since, t, i, increment[i]);
		if (!was_read(t, i))
			increment[i] = value_none(QUALITY_NOT_READ);
	}
	row->increment = increment;
	row->total = total.shown;
	row->sum = total.sum;
	row->since = since.shown;
	row->since_sum = since.sum;
}

/* Where in the set is the number that event i of `events` stands for; -1: nowhere. */
static int find_number(const struct sample_events *set, const struct sample_events *events, int i)
{
	return set == events ? i : sample_events_find(set, 0, events, i);
}

void delta_add_ended(const struct task *t, const struct value *its_sum,
		     const struct sample_events *events, struct value *sum)
{
	enum quality why =
		delta_is_counted(t) ? QUALITY_NOT_READ : count_state_quality(t->counting);

	for (int i = 0; i < events->n; i++) {
		int k = its_sum && !events->event[i].part_of ? find_number(t->events, events, i)
							     : -1;

		if (k >= 0)
			sum[i] = value_accumulate(sum[i], its_sum[k]);
		else if (its_sum && t->events != events)
			sum[i] = value_accumulate(sum[i], value_none(QUALITY_NOT_COUNTED));
		if (why != QUALITY_EXACT && !(k >= 0 && was_read(t, k)))
			sum[i] = value_accumulate(sum[i], value_none(why));
	}
}

struct delta_plain delta_make_plain(const struct sample_events *events, enum count_state state,
				    bool fresh, struct arena *arena)
{
	int n = sample_events_n(events);
	struct value *increment = arena_calloc(arena, (size_t)n, sizeof *increment);
	struct value *total = arena_calloc(arena, (size_t)n, sizeof *total);

	for (int i = 0; i < n; i++) {
		enum quality why = sample_events_quality(events, i);

		if (why == QUALITY_EXACT)
			why = count_state_quality(state);
		if (events->event[i].part_of)
			why = QUALITY_NOT_READ;
		increment[i] = total[i] = why == QUALITY_EXACT ? value_exact(0) : value_none(why);
		/* It was found in this interval, which may have begun before the task. */
		if (state == COUNT_IDLE && fresh && why == QUALITY_EXACT)
			increment[i] = value_none(QUALITY_FRESH);
	}
	return (struct delta_plain){increment, total};
}

/* The time of one number on all kinds of cores, and on the fastest. */
struct core_time {
	uint64_t fast_ns, all_ns;
	int parts, had;
};

static struct core_time core_time(const struct delta_row *row, int head)
{
	const struct sample_events *set = row->events;
	const struct task *t = row->task, *old = row->old;
	bool counted = delta_is_counted(t) && delta_is_counted(old) && t->events == old->events;
	struct core_time time = {.parts = 0};

	for (int k = head; k < set->n; k = sample_events_next_part(set, head, k)) {
		uint64_t ns = counted ? t->count[k].running_ns - old->count[k].running_ns : 0;

		time.parts++;
		time.had += set->event[k].quality == QUALITY_EXACT;
		time.all_ns += ns;
		time.fast_ns += set->event[k].core > 0 ? 0 : ns;
	}
	return time;
}

void delta_core_row(struct delta_row *row)
{
	const struct task *t = row->task, *old = row->old;
	const struct sample_events *set = row->events;

	row->fast_ns = row->core_ns = value_none(QUALITY_UNSUPPORTED);
	if (set && !set->in_parts)
		return;
	for (int i = 0; i < sample_events_n(set); i++) {
		struct core_time time = {.parts = 0};

		if (!set->event[i].part_of)
			time = core_time(row, i);
		if (time.parts < 2 || time.had < time.parts)
			continue;
		if (!delta_is_counted(t) && count_state_quality(t->counting) != QUALITY_EXACT)
			row->fast_ns = value_none(count_state_quality(t->counting));
		else if (t->counting == COUNT_INHERITED || (t->counting == COUNT_IDLE && old))
			row->fast_ns = value_exact(0);
		else if (!delta_can_compare(t, old))
			row->fast_ns = value_none(QUALITY_FRESH);
		else if (!was_read(t, i))
			row->fast_ns = value_none(QUALITY_NOT_READ);
		else
			row->fast_ns = value_exact((double)time.fast_ns);
		row->core_ns =
			value_known(row->fast_ns) ? value_exact((double)time.all_ns) : row->fast_ns;
		return;
	}
}
