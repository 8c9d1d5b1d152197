/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fold_sum.h"

#include <string.h>

#include "model/fact_list.h"

struct event_joins *fold_joins(const struct delta *d)
{
	while (d->threads)
		d = d->threads;
	return d->joins;
}

void folding_done(struct folding *f)
{
	arena_done(&f->scratch);
}

/* Adds one part to a sum; any: the sum has a part already. Skips exact zeros, which members that
 * slept have, to save time. */
static void add(struct value *sum, bool any, struct value part)
{
	if (any && value_is_zero(part) && value_known(*sum))
		return;
	*sum = any ? value_accumulate(*sum, part) : part;
}

/* Sets the sums of facts that only grow to exactly 0, and those of other facts to no number. */
static void begin_facts(struct fold_sum *s)
{
	const struct value none = value_none(QUALITY_NOT_READ), zero = value_exact(0);

	s->facts = arena_alloc(s->f->arena, sizeof *s->facts);
	s->facts->fact = arena_alloc(s->f->arena, N_NUMBER_FACTS * sizeof *s->facts->fact);
	for (int k = 0; k < N_NUMBER_FACTS; k++) {
		bool grows = fact_table[k].kind == FACT_COUNTER && fact_in(s->f->facts, k);
		struct value v = grows ? zero : none;

		s->facts->fact[k] = (struct fact_sum){v, v, v, v};
	}
	s->facts->cpu_share = zero;
	s->facts->waited_earlier = none;
	s->facts->facts = fact_numbers;
}

void fold_sum_begin(struct fold_sum *s, struct folding *f, struct delta_row *row,
		    const struct kind *kind, struct fold_id id)
{
	const struct value zero = value_exact(0);

	*s = (struct fold_sum){.f = f, .row = row};
	s->task = arena_calloc(f->arena, 1, sizeof *s->task);
	s->task->kind = kind;
	s->task->id = s->task->owner = id.number;
	s->task->name = id.text;
	s->task->room = fact_read_texts();
	s->task->fact = arena_calloc(f->arena, N_READ_TEXTS, sizeof *s->task->fact);
	s->task->user = s->task->process = NULL;
	s->task->state = '?';
	s->task->dead = true;
	s->task->counting = COUNT_OK;
	begin_facts(s);
	/* `since` must not be NULL if there is a mark, even without events. */
	if (f->marked)
		s->since = arena_calloc(f->arena, 0, sizeof *s->since);
	*row = (struct delta_row){
		.task = s->task,
		.n_members = 0,
		.counts_ns = f->interval_ns,
		.facts_ns = f->interval_ns,
		.cpu_ns = zero,
		.fast_ns = zero,
		.core_ns = zero,
		.sums = s->facts,
	};
}

/* Adds to the sums the events of the next member that they lack (sample_events_join()). */
static void widen(struct fold_sum *s, const struct sample_events *events)
{
	const struct sample_events *old = s->events;
	struct arena *arena = s->f->arena;

	s->events = event_joins_get(s->f->joins, old, events);
	if (s->events == old)
		return;
	s->increment = event_values_move(s->increment, old, s->events, arena);
	s->total = event_values_move(s->total, old, s->events, arena);
	s->rate = event_values_move(s->rate, old, s->events, arena);
	if (s->f->marked)
		s->since = event_values_move(s->since, old, s->events, arena);
}

/* Returns values of the events `from` in the order of the events of the sum. */
static const struct value *convert_values(const struct fold_sum *s, const struct value *value,
					  const struct sample_events *from)
{
	return from == s->events ? value
				 : event_values_move(value, from, s->events, &s->f->scratch);
}

/* Returns whether the rate is exactly 0 because the increment is: the caller then saves a
 * division. */
static bool has_no_rate(const struct delta_row *row, struct value increment, uint64_t interval_ns)
{
	return !row->sums && interval_ns && value_is_zero(increment);
}

static struct value zero_of(struct value v)
{
	return value_known(v) ? value_exact(0) : v;
}

/* Returns the member's value v for this interval. A member that ended in an earlier interval did
 * nothing: its value is 0, unless it was never known. A value that was lost when the task ended is
 * that of the previous interval: for this one, it is unknown. */
static struct value of_interval(const struct delta_row *member, struct value v)
{
	if (member->past)
		return v.quality == QUALITY_GONE ? value_exact(0) : zero_of(v);
	return member->task->lost && v.quality == QUALITY_STALE ? value_none(QUALITY_GONE) : v;
}

/* Like of_interval(), for a fact. The task, not the quality, tells whether the fact was lost: in a
 * process that lost only some threads, the fact is partial instead of stale. */
static struct value fact_of_interval(const struct delta_row *member, int f, struct value v)
{
	const bool lost = member->task->lost && !fact_table[f].of_ended && value_known(v);

	return lost && !member->past ? value_none(QUALITY_GONE) : of_interval(member, v);
}

static const struct value *rates_of(struct fold_sum *s, const struct delta_row *row)
{
	const int n = sample_events_n(row->events);
	struct value *rate = arena_calloc(&s->f->scratch, (size_t)n, sizeof *rate);

	for (int i = 0; i < n; i++)
		rate[i] = has_no_rate(row, row->increment[i], row->counts_ns)
				  ? row->increment[i]
				  : of_interval(row, delta_count_rate(row, i));
	return rate;
}

static const struct value *increments_of(struct fold_sum *s, const struct delta_row *row)
{
	const int n = sample_events_n(row->events);
	struct value *increment;

	if (!row->past)
		return row->increment;
	increment = arena_calloc(&s->f->scratch, (size_t)n, sizeof *increment);
	for (int i = 0; i < n; i++)
		increment[i] = of_interval(row, row->increment[i]);
	return increment;
}

static const struct value *since_of(struct fold_sum *s, const struct delta_row *row)
{
	const int n = sample_events_n(row->events);
	struct value *since = arena_calloc(&s->f->scratch, (size_t)n, sizeof *since);

	for (int i = 0; i < n; i++)
		since[i] = delta_count_since(row, i);
	return since;
}

static void add_values(const struct fold_sum *s, struct value *sum, bool any,
		       const struct value *part)
{
	for (int i = 0; i < sample_events_n(s->events); i++)
		add(&sum[i], any, part[i]);
}

static bool has_total(const struct fold_sum *s, const struct task *member)
{
	return s->f->keeps_ended || !member->dead;
}

static void add_counts(struct fold_sum *s, const struct delta_row *member)
{
	const struct sample_events *events = member->events;

	widen(s, events);
	add_values(s, s->increment, s->any, convert_values(s, increments_of(s, member), events));
	add_values(s, s->rate, s->any, convert_values(s, rates_of(s, member), events));
	if (!has_total(s, member->task))
		return;
	add_values(s, s->total, s->any_total, convert_values(s, member->total, events));
	if (s->f->marked)
		add_values(s, s->since, s->any_total,
			   convert_values(s, since_of(s, member), events));
}

/* Returns whether to add the member's facts about its whole process. They are added once per
 * process, since all of its threads have the same. */
static bool stands_for_process(const struct fold_sum *s, const struct task *member)
{
	if (!s->f->lacks_leaders || member->kind->counts_members)
		return task_is_leader(member);
	return !s->any_alive || !task_has_owner(member, s->last);
}

/* Adds a gauge. A fact that adds (fact.h) is summed up; any other gauge has a value only if it is
 * the same for all members. */
static void add_state(struct fold_sum *s, const struct delta_row *member, int f)
{
	struct value now = delta_fact_now(member, f), *state = &s->facts->fact[f].now;
	bool any = fact_in(s->had, f);

	if (fact_table[f].adds && !stands_for_process(s, member->task))
		return;
	if (fact_table[f].adds || !any)
		add(state, any, now);
	else if (value_known(*state) && value_known(now) && now.number != state->number)
		*state = value_none(QUALITY_DIFFER);
	else
		*state = value_combine(state->number, *state, now);
	fact_add(&s->had, f);
	s->facts->fact[f].interval = *state;
}

/* Returns whether no fact has grown: the reading is the same in both samples. */
static bool is_unchanged(const struct delta_row *member)
{
	return member->facts_from == member->task && !member->sums && !member->task->lost;
}

/* Adds the growth of a fact that only grows. If the sum is known, members that did nothing are
 * skipped; most members of a large sum did nothing. */
static void add_growth(struct fold_sum *s, const struct delta_row *member, int f)
{
	struct value *sum = &s->facts->fact[f].interval, *rate = &s->facts->fact[f].rate, v;

	if (s->any && value_known(*sum) && value_known(*rate) && is_unchanged(member) &&
	    member->facts_ns && fact_in(member->task->known, f))
		return;
	v = fact_of_interval(member, f, delta_fact(member, f));
	add(sum, s->any, v);
	add(rate, s->any,
	    has_no_rate(member, v, member->facts_ns)
		    ? v
		    : fact_of_interval(member, f, delta_fact_rate(member, f)));
}

static void add_fact(struct fold_sum *s, const struct delta_row *member, int f)
{
	if (fact_table[f].of_process && !stands_for_process(s, member->task))
		return;
	if (fact_table[f].kind == FACT_COUNTER) {
		add_growth(s, member, f);
		if (has_total(s, member->task)) {
			add(&s->facts->fact[f].now, s->any_total, delta_fact_now(member, f));
			if (s->f->marked)
				add(&s->facts->fact[f].since, s->any_total,
				    delta_fact_since(member, f));
		}
	} else if (!member->task->dead) {
		add_state(s, member, f);
	}
}

/* Whole numbers are added without a loss up to this one. */
#define WHOLE_MAX 0x1p52

/* Adds a whole number to a sum. Returns false if value_accumulate() has to do it. */
static bool add_whole(struct value *sum, double part, enum quality quality)
{
	if (!value_known(*sum) || sum->rest || part < 0 || part >= WHOLE_MAX ||
	    sum->number >= WHOLE_MAX)
		return false;
	sum->number += part;
	if (sum->quality < quality)
		sum->quality = (uint8_t)quality;
	return true;
}

static bool is_unread(struct value v)
{
	return v.quality == QUALITY_NOT_READ;
}

/* Adds a gauge of an idle member. */
static bool add_idle_state(struct fold_sum *s, const struct delta_row *member, int f)
{
	struct value *state = &s->facts->fact[f].now;
	const bool stale = member->stale && fact_table[f].drifts;
	double now;

	if (!fact_in(s->had, f))
		return false;
	if (!fact_in(member->task->known, f))
		return is_unread(*state);
	now = (double)(int64_t)task_fact(member->task, f);
	if (!fact_table[f].adds)
		return state->quality == QUALITY_DIFFER ||
		       (!stale && value_known(*state) && state->number == now);
	if (!add_whole(state, now, stale ? QUALITY_STALE : QUALITY_EXACT))
		return false;
	s->facts->fact[f].interval = *state;
	return true;
}

/* Adds a fact of a member that did nothing in the interval to a sum of several members, as
 * add_fact() does. Returns false if add_fact() has to do it. */
static bool add_idle_fact(struct fold_sum *s, const struct delta_row *member, int f)
{
	struct fact_sum *sum = &s->facts->fact[f];

	if (fact_table[f].kind != FACT_COUNTER)
		return add_idle_state(s, member, f);
	if (!fact_in(member->task->known, f))
		return is_unread(sum->interval) && is_unread(sum->rate) && is_unread(sum->now);
	return value_known(sum->interval) && value_known(sum->rate) &&
	       add_whole(&sum->now, (double)task_fact(member->task, f), QUALITY_EXACT);
}

/* Returns whether add_idle_fact() is for this member. Most members of a large sum are idle. */
static bool is_idle(const struct fold_sum *s, const struct delta_row *member)
{
	return s->any && s->any_total && is_unchanged(member) && member->facts_ns &&
	       !s->f->marked && !s->f->lacks_leaders && !member->task->dead &&
	       task_is_leader(member->task) && !member->task->kind->counts_members;
}

static void add_facts(struct fold_sum *s, const struct delta_row *member)
{
	const bool idle = is_idle(s, member);
	struct fact_set left = fact_and(s->f->facts, fact_numbers);

	for (int f; (f = fact_take(&left)) >= 0;)
		if (!idle || fact_table[f].of_process || !add_idle_fact(s, member, f))
			add_fact(s, member, f);
}

/* Returns the text that all members have in common; "": they differ; NULL: unknown for one of
 * them. */
static const char *common_text(const struct fold_sum *s, int f, const struct task *member)
{
	const char *all = task_text(s->task, f), *one = task_text(member, f);

	if (!s->any_alive || !one)
		return one;
	return all && strcmp(all, one) != 0 ? "" : all;
}

/* Adds the texts of a living member; those of members that have ended are ignored. */
static void add_texts_alive(struct fold_sum *s, const struct task *member)
{
	struct fact_set left = fact_less(s->f->facts, fact_numbers);

	for (int f; (f = fact_take(&left)) >= 0;) {
		const char *text = common_text(s, f, member);

		if (f == FACT_STATE) {
			s->task->state = text ? *text : '?';
		} else if (f == FACT_PROGRAM) {
			s->task->process = text;
		} else if (f != FACT_USER) {
			fact_remove(&s->task->known, f);
			if (text)
				task_set_fact(s->task, f, (uintptr_t)text);
		}
	}
}

static void add_texts(struct fold_sum *s, const struct task *member)
{
	if (!member->dead)
		add_texts_alive(s, member);
	if (!s->task->user)
		s->task->user = member->user;
	else if (strcmp(s->task->user, member->user) != 0)
		s->task->user = FOLD_SEVERAL;
}

/* Returns the member's CPU time v for this interval. After the end of a task, its counters can be
 * read once more, but its CPU clock cannot: the time is then lost as a fact is. */
static struct value time_of_interval(const struct delta_row *member, struct value v)
{
	return member->cpu_counted ? of_interval(member, v)
				   : fact_of_interval(member, FACT_CPU_NS, v);
}

void fold_sum_add(struct fold_sum *s, const struct delta_row *member)
{
	const struct task *t = member->task;

	add_counts(s, member);
	add_facts(s, member);
	add(&s->row->cpu_ns, s->any, time_of_interval(member, member->cpu_ns));
	add(&s->row->fast_ns, s->any, of_interval(member, member->fast_ns));
	add(&s->row->core_ns, s->any, of_interval(member, member->core_ns));
	add(&s->facts->cpu_share, s->any, time_of_interval(member, delta_cpu_share(member)));
	s->row->cpu_counted |= member->cpu_counted;
	s->row->unequal |= member->unequal;
	s->row->n_members += t->kind->counts_members ? member->n_members : has_total(s, t);
	s->task->dead &= t->dead;
	add_texts(s, t);
	s->any = true;
	s->any_total |= has_total(s, t);
	s->any_alive |= !t->dead;
	s->last = task_owner(t);
	arena_reset(&s->f->scratch);
}

/* Adds the sums since the mark of retired members. If no member retired since the mark, and the
 * group has no other members, the sum is 0. */
static void add_left_since(struct fold_sum *s, const struct fold_retired *left)
{
	if (left->since)
		add_values(s, s->since, s->any_total, convert_values(s, left->since, left->events));
	for (int i = 0; !left->since && !s->any_total && i < sample_events_n(s->events); i++)
		s->since[i] = zero_of(s->total[i]);
	for (int k = 0; k < N_NUMBER_FACTS; k++) {
		if (fact_table[k].kind != FACT_COUNTER || !fact_in(s->f->facts, k))
			continue;
		if (left->since)
			add(&s->facts->fact[k].since, s->any_total, left->fact_since[k]);
		else if (!s->any_total)
			s->facts->fact[k].since = zero_of(left->fact[k]);
	}
}

/* Sets the sums of the interval to 0 if the total is known: retired members did nothing in the
 * interval. */
static void begin_with_left(struct fold_sum *s, const struct fold_retired *left,
			    const struct value *total)
{
	for (int i = 0; i < sample_events_n(s->events); i++)
		s->increment[i] = s->rate[i] = zero_of(total[i]);
	for (int k = 0; k < N_NUMBER_FACTS; k++)
		if (fact_table[k].kind == FACT_COUNTER && fact_in(s->f->facts, k))
			s->facts->fact[k].interval = s->facts->fact[k].rate =
				zero_of(left->fact[k]);
}

void fold_sum_add_retired(struct fold_sum *s, const struct fold_retired *left)
{
	const struct value *total;

	widen(s, left->events);
	total = convert_values(s, left->total, left->events);
	if (!s->any)
		begin_with_left(s, left, total);
	add_values(s, s->total, s->any_total, total);
	if (s->f->marked)
		add_left_since(s, left);
	for (int k = 0; k < N_NUMBER_FACTS; k++)
		if (fact_table[k].kind == FACT_COUNTER && fact_in(s->f->facts, k))
			add(&s->facts->fact[k].now, s->any_total, left->fact[k]);
	s->any_total = true;
}

/* Completes the row. The user of a group without members is "", and its program is its name. */
void fold_sum_end(struct fold_sum *s)
{
	if (!s->task->user)
		s->task->user = "";
	if (!s->task->process)
		s->task->process = s->task->name;
	s->row->events = s->events;
	s->row->increment = s->increment;
	s->row->total = s->row->sum = s->total;
	s->row->since = s->row->since_sum = s->since;
	s->facts->count_rate = s->rate;
}
