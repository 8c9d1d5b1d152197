/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/resting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"

/* Sums of whole numbers are exact up to this one. */
#define WHOLE_MAX 0x1p52

void resting_init(struct resting *r, struct fact_set facts)
{
	*r = (struct resting){.facts = facts};
}

static void clear_resting(struct resting *r)
{
	free(r->user);
	free(r->sum);
	sample_events_unref(r->events);
	resting_init(r, r->facts);
}

void resting_done(struct resting *r)
{
	clear_resting(r);
}

static bool is_whole(struct value v)
{
	return value_known(v) && !v.rest && v.number >= 0 && v.number < WHOLE_MAX &&
	       v.number == (double)(uint64_t)v.number;
}

/* Returns whether a value is that of all members. */
static bool is_same_value(struct value x, struct value y)
{
	return x.quality == y.quality && (x.number == y.number || !value_known(x));
}

/* Returns whether the member fits to the others: a process, or the leader of one, that did nothing
 * and whose counters were all read. Other threads do not add the facts of their process. */
static bool fits(const struct resting *r, const struct delta_row *m)
{
	const struct task *t = m->task;

	if (!task_is_leader(t) || t->dead || t->lost || m->past || m->unequal || m->cpu_counted ||
	    t->kind->counts_members || !value_is_zero(m->cpu_ns) ||
	    !value_is_zero(delta_cpu_share(m)))
		return false;
	for (int i = 0; i < sample_events_n(m->events); i++)
		if (!value_is_zero(m->increment[i]) || !value_is_zero(delta_count_rate(m, i)) ||
		    m->total[i].quality != QUALITY_EXACT || !is_whole(m->total[i]))
			return false;
	return !r->n ||
	       (m->events == r->events && !strcmp(t->user, r->user) &&
		is_same_value(m->fast_ns, r->fast_ns) && is_same_value(m->core_ns, r->core_ns));
}

/* Sets *number to the state of a fact, and adds the fact to *known, if it is known. Returns false
 * if it is refused. */
static bool take_fact(const struct delta_row *m, int f, double *number, struct fact_set *known)
{
	const bool grows = fact_table[f].kind == FACT_COUNTER;
	const struct value now = delta_fact_now(m, f);

	*number = 0;
	if (now.quality == QUALITY_NOT_READ)
		return !grows || (delta_fact(m, f).quality == QUALITY_NOT_READ &&
				  delta_fact_rate(m, f).quality == QUALITY_NOT_READ);
	if (now.quality != QUALITY_EXACT && (grows || now.quality != QUALITY_STALE))
		return false;
	if (!is_whole(now) ||
	    (grows && (!value_is_zero(delta_fact(m, f)) || !value_is_zero(delta_fact_rate(m, f)))))
		return false;
	*number = now.number;
	fact_add(known, f);
	return true;
}

static struct resting_share *take_share(const struct resting *r, const struct delta_row *m)
{
	const size_t n = (size_t)fact_count(r->facts),
		     n_events = (size_t)sample_events_n(m->events);
	struct resting_share *share = xmalloc(sizeof *share + (n + n_events) * sizeof(double));
	struct fact_set left = r->facts;
	size_t i = 0;

	share->known = FACT_NONE;
	for (int f; (f = fact_take(&left)) >= 0; i++)
		if (!take_fact(m, f, &share->number[i], &share->known)) {
			free(share);
			return NULL;
		}
	for (size_t e = 0; e < n_events; e++)
		share->number[n + e] = m->total[e].number;
	return share;
}

/* Sets what all members have in common. */
static void begin(struct resting *r, const struct delta_row *first)
{
	const size_t n = (size_t)(fact_count(r->facts) + sample_events_n(first->events));

	clear_resting(r);
	r->user = xstrdup(first->task->user);
	r->events = sample_events_ref(first->events);
	r->fast_ns = first->fast_ns;
	r->core_ns = first->core_ns;
	r->sum = xcalloc(n, sizeof *r->sum);
}

static void add_number(struct resting_sum *s, double number)
{
	if (!s->n_known)
		s->same = number;
	s->sum += number;
	s->n_known++;
	s->n_same += number == s->same;
}

static void remove_number(struct resting_sum *s, double number)
{
	s->sum -= number;
	s->n_known--;
	s->n_same -= number == s->same;
}

struct resting_share *resting_add(struct resting *r, const struct delta_row *member)
{
	struct resting_share *share = fits(r, member) ? take_share(r, member) : NULL;
	struct fact_set left = r->facts;
	size_t i = 0;

	if (!share)
		return NULL;
	if (!r->n)
		begin(r, member);
	r->n++;
	for (int f; (f = fact_take(&left)) >= 0; i++)
		if (fact_in(share->known, f))
			add_number(&r->sum[i], share->number[i]);
	for (int e = 0; e < sample_events_n(r->events); e++, i++)
		add_number(&r->sum[i], share->number[i]);
	return share;
}

void resting_remove(struct resting *r, struct resting_share *share)
{
	struct fact_set left = r->facts;
	size_t i = 0;

	r->n--;
	for (int f; (f = fact_take(&left)) >= 0; i++) {
		const struct fact_row *fact = &fact_table[f];

		if (!fact_in(share->known, f))
			continue;
		remove_number(&r->sum[i], share->number[i]);
		r->stale |= fact->kind == FACT_GAUGE && !fact->adds && r->sum[i].n_known &&
			    !r->sum[i].n_same;
	}
	for (int e = 0; e < sample_events_n(r->events); e++, i++)
		remove_number(&r->sum[i], share->number[i]);
	free(share);
}

/* Returns the sum of a fact over n members. */
static struct value fact_of(const struct resting_sum *sum, int f, size_t n)
{
	struct value v = value_exact(sum->sum);

	if (!sum->n_known)
		return value_none(QUALITY_NOT_READ);
	if (fact_table[f].drifts)
		v.quality = QUALITY_STALE;
	if (fact_table[f].kind == FACT_COUNTER || fact_table[f].adds) {
		if (sum->n_known < n)
			v.quality = QUALITY_PARTIAL;
		return v;
	}
	v.number = sum->same;
	if (sum->n_known < n)
		return value_none(QUALITY_NOT_READ);
	return sum->n_same < n ? value_none(QUALITY_DIFFER) : v;
}

/* Sets the facts of the row. Those that only grow have not grown. */
static void set_facts(const struct resting *r, struct delta_sums *out)
{
	struct fact_set left = r->facts;
	size_t i = 0;

	for (int f; (f = fact_take(&left)) >= 0; i++) {
		const struct value now = fact_of(&r->sum[i], f, r->n);

		out->fact[f] = (struct fact_sum){.interval = now, .now = now, .rate = now};
		if (fact_table[f].kind == FACT_COUNTER && value_known(now))
			out->fact[f].interval.number = out->fact[f].rate.number = 0;
	}
}

void resting_fold(const struct resting *r, struct fold_sum *s)
{
	const int n = sample_events_n(r->events);
	struct arena *arena = s->f->arena;
	struct value *zero, *total;
	struct delta_sums *sums;
	struct task *task;

	if (!r->n)
		return;
	zero = arena_alloc(arena, (size_t)n * sizeof *zero);
	total = arena_alloc(arena, (size_t)n * sizeof *total);
	sums = arena_alloc(arena, sizeof *sums);
	task = arena_alloc(arena, sizeof *task);
	for (int i = 0; i < n; i++) {
		zero[i] = value_exact(0);
		total[i] = value_exact(r->sum[fact_count(r->facts) + i].sum);
	}
	*task = (struct task){.kind = s->task->kind, .user = r->user};
	sums->facts = r->facts;
	sums->fact = arena_alloc(arena, N_NUMBER_FACTS * sizeof *sums->fact);
	sums->cpu_share = value_exact(0);
	sums->count_rate = zero;
	set_facts(r, sums);
	fold_sum_add(s, &(struct delta_row){.task = task,
					    .n_members = (int)r->n,
					    .counts_ns = s->f->interval_ns,
					    .facts_ns = s->f->interval_ns,
					    .cpu_ns = value_exact(0),
					    .fast_ns = r->fast_ns,
					    .core_ns = r->core_ns,
					    .events = r->events,
					    .increment = zero,
					    .total = total,
					    .sum = total,
					    .sums = sums});
}
