/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delta_row.h"

#include <string.h>

#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- references ---- */

void delta_row_ref(const struct delta_row *row)
{
	if (row->old)
		task_ref(row->old);
	if (row->facts_from && row->facts_from != row->old)
		task_ref(row->facts_from);
}

void delta_row_unref(const struct delta_row *row)
{
	task_unref(row->old);
	if (row->facts_from != row->old)
		task_unref(row->facts_from);
}

/* ---- mark ---- */

void delta_mark_row(struct delta_row *row, const struct sample *mark)
{
	row->marked = sample_find(mark, row->task);
	row->began_after_mark = !row->marked && row->task->start_ns + DELTA_TICK_NS > mark->boot_ns;
}

bool delta_fact_at_mark(const struct delta_row *row, int f, uint64_t *at)
{
	const struct task *marked = row->marked;

	*at = marked && fact_in(marked->known, f) ? task_fact(marked, f) : 0;
	return marked ? fact_in(marked->known, f) : row->began_after_mark;
}

struct value delta_count_since(const struct delta_row *row, int event)
{
	if (row->since)
		return row->since[event];
	/* The task ended before the mark. */
	return value_known(row->total[event]) ? value_exact(0) : row->total[event];
}

/* ---- counts ---- */

/* The growth of all parts of one counter in the interval. */
struct growth {
	uint64_t value, enabled_ns, running_ns; /* value: of the parts without a scale */
	double steps;                           /* of the parts with a scale: count × scale */
	bool in_steps;                          /* at least one part has a scale */
	bool lacking;                           /* at least one part is not available here */
};

/* Returns the increment; all its digits are exact if no part has a scale. */
static struct value growth_value(const struct growth *g)
{
	return g->in_steps ? value_exact(g->steps + (double)g->value) : value_count(g->value);
}

static struct value scale_growth(const struct growth *g)
{
	struct value v;

	if (g->running_ns >= g->enabled_ns)
		return growth_value(g);
	if (!g->running_ns)
		return value_none(g->lacking ? QUALITY_OTHER_CORE : QUALITY_NOT_SCHEDULED);
	v = growth_value(g);
	v.rest = 0;
	v.share = (float)((double)g->running_ns / (double)g->enabled_ns);
	v.quality = g->lacking ? QUALITY_PARTIAL : QUALITY_SCALED;
	/* Nothing is extrapolated over the time on cores that lack the event. */
	if (!g->lacking)
		v.number /= (double)g->running_ns / (double)g->enabled_ns;
	return v;
}

/* Adds one part. Returns false if a reading went backwards: the kernel's counts only grow, so such
 * a reading is invalid. */
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
	/* Each part is enabled while the task runs, on any kind of cores. */
	if (enabled > g->enabled_ns)
		g->enabled_ns = enabled;
	return true;
}

bool delta_is_counted(const struct task *t)
{
	return t && (t->counting == COUNT_OK || t->counting == COUNT_WHOLE) && t->count &&
	       t->events;
}

/* Returns whether the counters of a task were closed in the interval that ends with the reading t.
 * If t is the previous reading, too, the gap belongs to an earlier interval. */
static bool delta_has_gap(const struct task *t, const struct task *old)
{
	return t->gap && t != old;
}

/* Returns whether both readings have counts of one set of events, without a gap in between. */
static bool delta_can_compare(const struct task *t, const struct task *old)
{
	return delta_is_counted(t) && delta_is_counted(old) && t->events == old->events &&
	       !delta_has_gap(t, old);
}

/* Returns the growth of the number at event i between two readings of a task; old NULL: since its
 * counters were opened. */
static struct value growth_of(const struct task *old, const struct task *t, int i)
{
	const struct sample_events *set = t->events;
	static const struct count zero = {0, 0, 0};
	struct growth g = {.value = 0};

	/* The task slept: both samples have the same reading. */
	if (t == old)
		return value_exact(0);
	for (int k = i; k < set->n; k = sample_events_next_part(set, i, k)) {
		const struct sample_event *e = &set->event[k];
		const struct count *from = old ? &old->count[k] : &zero;

		bool had = e->quality == QUALITY_EXACT &&
			   (k == i || !strcmp(e->unit, set->event[i].unit));

		/* A part in another unit cannot be added. */
		g.lacking = g.lacking || e->lacking || !had;
		if (!had)
			continue;
		if (!grow(&g, e, from, &t->count[k]))
			return value_none(QUALITY_NOT_READ);
	}
	if (old && t->kind->enabled_always && !g.enabled_ns)
		return value_none(QUALITY_NOT_READ);
	return scale_growth(&g);
}

/* Returns whether all parts of the number at event i were read. */
static bool was_read(const struct task *t, int i)
{
	const struct sample_events *set = t->events;

	for (int k = i; k < set->n; k = sample_events_next_part(set, i, k))
		if (set->event[k].quality == QUALITY_EXACT && t->unread & (1ull << k))
			return false;
	return true;
}

/* Returns the total to show after a failed reading: no number; for a task that has ended, the sum
 * so far. */
static struct value total_unread(const struct task *t, struct value sum)
{
	struct value none = value_none(QUALITY_NOT_READ);

	return t->dead && sum.number > 0 ? value_accumulate(sum, none) : none;
}

/* Sums of increments since the counters were opened, or since the mark, while they are computed. */
struct totals {
	const struct value *old; /* the previous sums; NULL: the counters were opened after the
				    previous reading */
	/* [events->n] the new sums, and the totals to show; NULL: not wanted */
	struct value *sum, *shown;
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

/* Adds an increment of event i to its sum. An unknown increment makes the sum a lower bound. */
static void add_up(const struct totals *totals, const struct task *t, int i, struct value increment)
{
	struct value sum;

	if (!totals->sum)
		return;
	sum = totals->old ? value_accumulate(totals->old[i], increment) : growth_of(NULL, t, i);
	totals->sum[i] = sum;
	totals->shown[i] = was_read(t, i) ? sum : total_unread(t, sum);
}

/* Returns the increment of event i. */
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
		/* A failed reading keeps the counts of the last successful one, from which the next
		 * increment is computed. */
		increment[i] = increment_of(row, comparable, i);
		add_up(&total, t, i, increment[i]);
		if (marked)
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

/* Returns the index in `set` of the number at event i of `events`; -1: not found. */
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

struct delta_default delta_make_default(const struct sample_events *events, enum count_state state,
					bool fresh, struct arena *arena)
{
	static const struct value none[1];
	const int n = sample_events_n(events);
	struct value *increment, *total;

	if (!n)
		return (struct delta_default){none, none};
	increment = arena_calloc(arena, (size_t)n, sizeof *increment);
	total = arena_calloc(arena, (size_t)n, sizeof *total);
	for (int i = 0; i < n; i++) {
		enum quality why = sample_events_quality(events, i);

		if (why == QUALITY_EXACT)
			why = count_state_quality(state);
		if (events->event[i].part_of)
			why = QUALITY_NOT_READ;
		increment[i] = total[i] = why == QUALITY_EXACT ? value_exact(0) : value_none(why);
		/* The task was found during this interval: what it did before that, in the same
		 * interval, is unknown. */
		if (state == COUNT_IDLE && fresh && why == QUALITY_EXACT)
			increment[i] = value_none(QUALITY_FRESH);
	}
	return (struct delta_default){increment, total};
}

/* How long one number was counted, on the fastest kind of cores and on all kinds; how many parts it
 * has, and how many of them are available here. */
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
		else if (row->increment[i].quality == QUALITY_NOT_READ)
			row->fast_ns = value_none(QUALITY_NOT_READ);
		else
			row->fast_ns = value_exact((double)time.fast_ns);
		row->core_ns =
			value_known(row->fast_ns) ? value_exact((double)time.all_ns) : row->fast_ns;
		return;
	}
}

/* ---- facts ---- */

/* Returns the current state of a fact; NICE may be below 0. */
static struct value current_state(const struct delta_row *row, int f)
{
	uint64_t now = task_fact(row->task, f);

	if (fact_table[f].kind == FACT_COUNTER)
		return value_count(now);
	return row->stale && fact_table[f].drifts ? value_stale((double)(int64_t)now)
						  : value_exact((double)(int64_t)now);
}

/* Marks a fact that was not read at the end of the task: if it was lost, its value is that of the
 * last reading, and stale; if it was read in this interval, its growth is a lower bound. Facts that
 * are known only after the end (of_ended) are neither. */
static struct value mark_lost(const struct delta_row *row, int f, struct value v)
{
	const struct task *t = row->task;

	if (fact_table[f].of_ended || !value_known(v) || (!t->lost && !t->early_facts))
		return v;
	return t->lost || fact_table[f].kind != FACT_COUNTER
		       ? value_stale(v.number)
		       : value_accumulate(v, value_none(QUALITY_NOT_READ));
}

/* Returns the quality of a text, as a value whose number has no meaning. */
static struct value text_now(const struct delta_row *row, int f)
{
	if (!task_text(row->task, f))
		return value_none(QUALITY_NOT_READ);
	return fact_table[f].drifts && (row->task->lost || row->stale) ? value_stale(0)
								       : value_exact(0);
}

struct value delta_fact_now(const struct delta_row *row, int f)
{
	if (fact_table[f].kind == FACT_TEXT)
		return text_now(row, f);
	if (row->sums && fact_in(row->sums->facts, f))
		return row->sums->fact[f].now;
	return fact_in(row->task->known, f) ? mark_lost(row, f, current_state(row, f))
					    : value_none(QUALITY_NOT_READ);
}

/* Returns the increment of a fact between two readings. */
static struct value increment(const struct delta_row *row, int f)
{
	const struct task *t = row->task, *old = row->facts_from;
	uint64_t now, before;

	if (!fact_in(t->known, f))
		return value_none(QUALITY_NOT_READ);
	if (fact_table[f].kind == FACT_GAUGE || (!old && row->born))
		return current_state(row, f);
	/* The last condition: the thread was taken for ended and has reappeared. */
	if (!old || old->lost || (old->ended && !t->ended))
		return value_none(QUALITY_FRESH);
	if (!fact_in(old->known, f))
		return value_none(QUALITY_NOT_READ);
	now = task_fact(t, f);
	before = task_fact(old, f);
	return now < before ? value_none(QUALITY_NOT_READ) : value_count(now - before);
}

/* Returns how long (ns) a task can have waited for a CPU in the interval. The CPU clock of a
 * process covers all its threads, so its time is subtracted only if there is one thread. */
static double longest_wait(const struct delta_row *row)
{
	const struct task *t = row->task;
	const bool alone = fact_in(t->known, FACT_NUM_THREADS) &&
			   task_fact(t, FACT_NUM_THREADS) == 1 && value_known(row->cpu_ns);
	const double left = (double)row->facts_ns - (alone ? row->cpu_ns.number : 0);

	return left > 0 ? left : 0;
}

/* Leaves out the part of a wait for a CPU that passed before this interval: the kernel accounts all
 * of it when the wait ends. The tolerance of 1 % covers the imprecise times of the readings. */
static struct value in_interval(const struct delta_row *row, struct value waited)
{
	const double most = longest_wait(row);

	if (!kind_is(row->task->kind, &kind_task) || !value_known(waited) ||
	    waited.number <= most + (double)row->facts_ns / 100)
		return waited;
	return value_combine(most, waited, (struct value){most, 1, QUALITY_UNEQUAL, 0});
}

struct value delta_fact(const struct delta_row *row, int f)
{
	struct value v;

	if (row->sums && fact_in(row->sums->facts, f))
		return row->sums->fact[f].interval;
	v = increment(row, f);
	return mark_lost(row, f, f == FACT_WAIT_NS ? in_interval(row, v) : v);
}

struct value delta_waited_earlier(const struct delta_row *row)
{
	struct value all, now;

	if (row->sums && fact_in(row->sums->facts, FACT_WAIT_NS))
		return row->sums->waited_earlier;
	all = increment(row, FACT_WAIT_NS);
	now = in_interval(row, all);
	return value_known(all) ? value_exact(all.number - now.number) : all;
}

struct value delta_fact_since(const struct delta_row *row, int f)
{
	const struct value now = delta_fact_now(row, f);
	uint64_t at;

	/* The task ended before the mark. */
	if (!row->since)
		return value_known(now) ? value_exact(0) : now;
	if (row->sums && fact_in(row->sums->facts, f))
		return row->sums->fact[f].since;
	if (!value_known(now))
		return now;
	if (!delta_fact_at_mark(row, f, &at) || at > task_fact(row->task, f))
		return value_none(QUALITY_NOT_READ);
	return mark_lost(row, f, value_count(task_fact(row->task, f) - at));
}

struct value delta_clock_time(const struct delta_row *row)
{
	struct value clock = delta_fact(row, FACT_CPU_NS);
	struct value user = delta_fact(row, FACT_UTIME_NS), kernel = delta_fact(row, FACT_STIME_NS);
	struct value ticks = value_combine(user.number + kernel.number, user, kernel);

	return value_known(clock) || !value_known(ticks) ? clock : ticks;
}

/* Returns whether a task may have been running when its CPU clock was read: the clock is then up to
 * one tick late. A process with several threads may have run in any state, as the state is that of
 * one thread. */
static bool was_running(const struct delta_row *row)
{
	const struct task *t = row->task;

	if (!kind_is(t->kind, &kind_task))
		return false;
	return t->state == 'R' || t->state == '?' ||
	       (fact_in(t->known, FACT_NUM_THREADS) && task_fact(t, FACT_NUM_THREADS) > 1);
}

/* Sets *out to the enabled time of the first counter that was read and is not partial. Returns
 * false if there is none. */
static bool find_counted_time(const struct delta_row *row, struct value *out)
{
	const struct task *t = row->task, *old = row->old;

	if (!t->kind->enabled_on_cpu || !delta_can_compare(t, old))
		return false;
	for (int i = 0; i < t->events->n; i++)
		if (!((t->unread | old->unread) & (1ull << i)) &&
		    row->increment[i].quality != QUALITY_PARTIAL &&
		    t->count[i].enabled_ns >= old->count[i].enabled_ns) {
			*out = value_exact(
				(double)(t->count[i].enabled_ns - old->count[i].enabled_ns));
			return true;
		}
	return false;
}

struct value delta_cpu_time(struct delta_row *row, uint64_t tick_ns)
{
	struct value clock = delta_fact(row, FACT_CPU_NS), counted;
	const bool clock_known = value_known(clock) && !row->task->lost && !row->task->early_facts;
	const bool late = clock_known && clock.number > 0 && tick_ns * 100 > row->facts_ns &&
			  was_running(row);

	/* The enabled times of counters are exact up to the reading. */
	if (clock_known && !late)
		return clock;
	if (find_counted_time(row, &counted)) {
		row->cpu_counted = true;
		return counted;
	}
	if (late && clock.quality < QUALITY_UNEQUAL)
		clock.quality = QUALITY_UNEQUAL;
	return late ? clock : delta_clock_time(row);
}

/* Returns an increment per second. */
static struct value rate(struct value increment, uint64_t interval_ns)
{
	return value_divide(increment, value_exact((double)interval_ns / 1e9));
}

struct value delta_fact_rate(const struct delta_row *row, int f)
{
	if (row->sums && fact_in(row->sums->facts, f))
		return row->sums->fact[f].rate;
	return rate(delta_fact(row, f), row->facts_ns);
}

struct value delta_count_rate(const struct delta_row *row, int event)
{
	return row->sums ? row->sums->count_rate[event]
			 : rate(row->increment[event], row->counts_ns);
}

struct value delta_cpu_share(const struct delta_row *row)
{
	uint64_t interval_ns = row->cpu_counted ? row->counts_ns : row->facts_ns;
	struct value share;

	if (row->sums)
		return row->sums->cpu_share;
	share = value_divide(row->cpu_ns, value_exact((double)interval_ns));
	/* The ticks of a CPU come late: one of them may belong to the previous interval. */
	if (row->task->kind->enabled_always && value_known(share) && share.number > 1)
		share.number = 1;
	return share;
}
