/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what counters did in the interval. */
#include "model/delta_part.h"

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

/* Adds one part. False where a reading went backwards, which is none: the kernel's
 * counts only grow. */
static bool grow(struct growth *g, const struct count *from, const struct count *to)
{
	uint64_t enabled = to->enabled_ns - from->enabled_ns;

	if (to->value < from->value || to->enabled_ns < from->enabled_ns ||
	    to->running_ns < from->running_ns)
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

/* Why the number at event i cannot be had here, or QUALITY_EXACT where at least one of
 * its parts can be. */
static enum quality event_quality(const struct sample *s, int i)
{
	enum quality best = s->event[i].quality;

	for (int k = next_part(s, i, i); k < s->n_events; k = next_part(s, i, k))
		if (s->event[k].quality == QUALITY_EXACT)
			best = QUALITY_EXACT;
	return best;
}

bool delta_is_counted(const struct task *t)
{
	return t && t->counting == COUNT_OK && t->count;
}

bool delta_has_gap(const struct task *t, const struct task *old)
{
	return t->gap && t != old;
}

/* The growth of the number at event i between two readings of a task; old NULL: since its
 * counters were opened. */
static struct value growth_of(const struct sample *s, const struct task *old, const struct task *t,
			      int i)
{
	static const struct count zero = {0, 0, 0};
	struct growth g = {.scale = s->event[i].scale};

	for (int k = i; k < s->n_events; k = next_part(s, i, k)) {
		const struct count *from = old ? &old->count[k] : &zero;

		/* Another unit cannot be added. */
		g.lacking = g.lacking || s->event[k].lacking ||
			    s->event[k].quality != QUALITY_EXACT ||
			    s->event[k].scale != s->event[i].scale;
		if (s->event[k].quality != QUALITY_EXACT || s->event[k].scale != s->event[i].scale)
			continue;
		if (!grow(&g, from, &t->count[k]))
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

/* What is shown of a total that goes on from `sum`, where the last reading failed: nothing; but of
 * a task that has ended, what is known. */
static struct value total_unread(const struct task *t, struct value sum)
{
	struct value none = value_none(QUALITY_NOT_READ);

	return t->dead && sum.number > 0 ? value_accumulate(sum, none) : none;
}

void delta_count_row(const struct delta *d, struct delta_row *row, const struct value *old_sum,
		     struct arena *arena)
{
	const struct task *t = row->task, *old = row->old;
	struct value *increment = arena_calloc(arena, (size_t)d->n_events, sizeof *increment);
	struct value *total = arena_calloc(arena, (size_t)d->n_events, sizeof *total);
	struct value *sum =
		t->unread ? arena_calloc(arena, (size_t)d->n_events, sizeof *sum) : total;

	for (int i = 0; i < d->n_events; i++) {
		enum quality why = d->sample->event[i].part_of ? QUALITY_NOT_READ
							       : event_quality(d->sample, i);

		if (why != QUALITY_EXACT) {
			increment[i] = total[i] = sum[i] = value_none(why);
			continue;
		}
		/* A reading that failed has the counts of the last one that did not: from there,
		 * the next one grows. */
		increment[i] = old_sum && !delta_has_gap(t, old) ? growth_of(d->sample, old, t, i)
								 : value_none(QUALITY_FRESH);
		/* An interval without a number makes the total a lower bound. */
		sum[i] = old_sum ? value_accumulate(old_sum[i], increment[i])
				 : growth_of(d->sample, NULL, t, i);
		if (was_read(d->sample, t, i)) {
			total[i] = sum[i];
		} else {
			increment[i] = value_none(QUALITY_NOT_READ);
			total[i] = total_unread(t, sum[i]);
		}
	}
	row->increment = increment;
	row->total = total;
	row->sum = sum;
}

void delta_add_ended(const struct sample *previous, const struct task *t,
		     const struct value *its_sum, struct value *sum)
{
	enum quality why =
		delta_is_counted(t) ? QUALITY_NOT_READ : count_state_quality(t->counting);

	for (int i = 0; i < previous->n_events; i++) {
		if (its_sum)
			sum[i] = value_accumulate(sum[i], its_sum[i]);
		if (why != QUALITY_EXACT && !(its_sum && was_read(previous, t, i)))
			sum[i] = value_accumulate(sum[i], value_none(why));
	}
}

struct delta_plain delta_make_plain(struct delta *d, enum count_state state, bool fresh)
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

void delta_core_row(struct delta_row *row, const struct sample *s)
{
	const struct task *t = row->task, *old = row->old;

	row->fast_ns = row->core_ns = value_none(QUALITY_UNSUPPORTED);
	for (int i = 0; i < s->n_events; i++) {
		uint64_t fast = 0, all = 0;
		int parts = 0, had = 0;

		for (int k = i; !s->event[i].part_of && k < s->n_events; k = next_part(s, i, k)) {
			uint64_t ns = delta_is_counted(old) && delta_is_counted(t)
					      ? t->count[k].running_ns - old->count[k].running_ns
					      : 0;

			parts++;
			had += s->event[k].quality == QUALITY_EXACT;
			all += ns;
			fast += s->event[k].slow_core ? 0 : ns;
		}
		if (parts < 2 || had < parts)
			continue;
		if (!delta_is_counted(t) && count_state_quality(t->counting) != QUALITY_EXACT)
			row->fast_ns = value_none(count_state_quality(t->counting));
		else if (t->counting == COUNT_INHERITED || (t->counting == COUNT_IDLE && old))
			row->fast_ns = value_exact(0);
		else if (!delta_is_counted(old) || delta_has_gap(t, old))
			row->fast_ns = value_none(QUALITY_FRESH);
		else if (!was_read(s, t, i))
			row->fast_ns = value_none(QUALITY_NOT_READ);
		else
			row->fast_ns = value_exact((double)fast);
		row->core_ns = value_known(row->fast_ns) ? value_exact((double)all) : row->fast_ns;
		return;
	}
}
