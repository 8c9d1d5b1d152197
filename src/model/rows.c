/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- fold ---- */

/* The sums of a process while its threads are added. In a finished row, the same arrays are
 * const. */
struct sums {
	struct delta_row *row;
	struct event_joins *joins;
	struct arena *arena;
	const struct sample_events *events; /* the events of increment, total, rate and since */
	struct value *increment, *total, *rate;
	struct value *since; /* sums since the mark; NULL: no mark is set */
	struct delta_sums *facts;
	struct value cpu_ns, cpu_share; /* sums over the threads that have cpu_counted */
	/* A thread with counters of its own was added. */
	bool counted;
	/* All threads with counters of their own added so far have cpu_counted: the sum of their
	 * CPU times is the CPU time of the process. */
	bool all_counted;
};

static struct value *copy_rates(const struct delta_row *row, struct arena *arena)
{
	const int n = sample_events_n(row->events);
	struct value *rate = arena_calloc(arena, (size_t)n, sizeof *rate);

	for (int i = 0; i < n; i++)
		rate[i] = delta_count_rate(row, i);
	return rate;
}

static void take_counts(struct sums *s, const struct delta_row *thread)
{
	size_t size = (size_t)sample_events_n(thread->events) * sizeof(struct value);

	s->events = thread->events;
	s->increment = arena_copy(s->arena, thread->increment, size);
	s->total = arena_copy(s->arena, thread->total, size);
	s->rate = copy_rates(thread, s->arena);
	s->since = thread->since ? arena_copy(s->arena, thread->since, size) : NULL;
}

static void begin(struct sums *s, struct delta_row *out, const struct delta_row *first,
		  struct event_joins *joins, struct arena *arena)
{

	*out = *first;
	out->n_members = 0;
	s->row = out;
	s->joins = joins;
	s->arena = arena;
	take_counts(s, first);
	s->facts = arena_alloc(arena, sizeof *s->facts);
	s->facts->facts = fact_per_thread;
	s->facts->fact = arena_alloc(arena, N_NUMBER_FACTS * sizeof *s->facts->fact);
	s->cpu_ns = s->cpu_share = value_none(QUALITY_FRESH);
	s->facts->waited_earlier = delta_waited_earlier(first);
	s->all_counted = true;
	s->counted = first->task->counting != COUNT_INHERITED;
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		if (!fact_table[f].per_thread)
			continue;
		s->facts->fact[f].interval = delta_fact(first, f);
		s->facts->fact[f].now = delta_fact_now(first, f);
		s->facts->fact[f].rate = delta_fact_rate(first, f);
		if (s->since)
			s->facts->fact[f].since = delta_fact_since(first, f);
	}
}

static void add_value(struct value *sum, struct value part)
{
	*sum = value_known(*sum) ? value_accumulate(*sum, part) : part;
}

/* Adds the CPU time of a thread, unless another thread's inherited counters include it. */
static void add_cpu_time(struct sums *s, const struct delta_row *thread)
{
	if (thread->task->counting == COUNT_INHERITED)
		return;
	if (!thread->cpu_counted) {
		s->all_counted = false;
		return;
	}
	add_value(&s->cpu_ns, thread->cpu_ns);
	add_value(&s->cpu_share, delta_cpu_share(thread));
}

/* Adds the values of a thread, one per event. part: in the order of the thread's events. Sums of
 * events that the thread lacks become partial. */
static void add_values(const struct sums *s, struct value *sum, const struct value *part,
		       const struct delta_row *thread)
{
	if (s->events != thread->events)
		part = event_values_move(part, thread->events, s->events, s->arena);
	for (int i = 0; i < sample_events_n(s->events); i++)
		sum[i] = value_accumulate(sum[i], part[i]);
}

static void add_rates(const struct sums *s, const struct delta_row *thread)
{
	if (s->events != thread->events) {
		add_values(s, s->rate, copy_rates(thread, s->arena), thread);
		return;
	}
	for (int i = 0; i < sample_events_n(s->events); i++)
		s->rate[i] = value_accumulate(s->rate[i], delta_count_rate(thread, i));
}

/* Extends the sums to the join of their events and the events of the next thread. */
static void widen(struct sums *s, const struct sample_events *events)
{
	const struct sample_events *old = s->events;

	s->events = event_joins_get(s->joins, old, events);
	if (s->events == old)
		return;
	s->increment = event_values_move(s->increment, old, s->events, s->arena);
	s->total = event_values_move(s->total, old, s->events, s->arena);
	s->rate = event_values_move(s->rate, old, s->events, s->arena);
	if (s->since)
		s->since = event_values_move(s->since, old, s->events, s->arena);
}

/* Adds the counts of a thread that has counters of its own. The first such thread replaces the sums
 * instead: they are the 0 of threads without counters of their own, and 0 plus an unknown number
 * would be a known number. */
static void add_counts(struct sums *s, const struct delta_row *thread)
{
	if (s->counted) {
		s->row->fast_ns = value_accumulate(s->row->fast_ns, thread->fast_ns);
		s->row->core_ns = value_accumulate(s->row->core_ns, thread->core_ns);
		widen(s, thread->events);
		add_values(s, s->increment, thread->increment, thread);
		add_values(s, s->total, thread->total, thread);
		add_rates(s, thread);
		if (s->since)
			add_values(s, s->since, thread->since, thread);
		return;
	}
	s->counted = true;
	s->row->fast_ns = thread->fast_ns;
	s->row->core_ns = thread->core_ns;
	take_counts(s, thread);
}

static void add_fact(struct fact_sum *sum, const struct delta_row *thread, int f)
{
	if (thread->since)
		sum->since = value_accumulate(sum->since, delta_fact_since(thread, f));
	sum->interval = value_accumulate(sum->interval, delta_fact(thread, f));
	sum->now = value_accumulate(sum->now, delta_fact_now(thread, f));
	sum->rate = value_accumulate(sum->rate, delta_fact_rate(thread, f));
}

static void add_thread(struct sums *s, const struct delta_row *thread)
{
	add_cpu_time(s, thread);
	s->row->n_members++;
	s->row->unequal |= thread->unequal;
	if (s->row->n_members == 1)
		return;
	if (thread->task->counting != COUNT_INHERITED)
		add_counts(s, thread);
	s->facts->waited_earlier =
		value_accumulate(s->facts->waited_earlier, delta_waited_earlier(thread));
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].per_thread)
			add_fact(&s->facts->fact[f], thread, f);
}

static void make_partial(struct value *v)
{
	if (value_known(*v))
		*v = value_accumulate(*v, value_none(QUALITY_NOT_READ));
}

/* Adds the facts of threads that have ended. The sums become partial, since these threads may have
 * done more after their last reading. last: the row shows the facts of the previous interval.
 * marked: a mark is set. */
static void add_ended(struct delta_sums *sums, const struct delta_ended *e, bool last, bool marked)
{
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		struct fact_sum *sum = &sums->fact[f];

		if (!fact_table[f].per_thread)
			continue;
		if (value_known(sum->now))
			sum->now = value_accumulate(sum->now, value_count(e->fact[f].sum));
		make_partial(&sum->now);
		if (marked && value_known(sum->since))
			sum->since = value_accumulate(sum->since, value_count(e->fact[f].since));
		if (marked && e->later)
			make_partial(&sum->since);
		if (last ? e->before : e->now) {
			make_partial(&sum->interval);
			make_partial(&sum->rate);
		}
	}
}

/* Sets the fields of the row that are the leader's: its name and state, and the facts that the
 * kernel keeps for the process as a whole. */
static void take_leader(struct sums *s, const struct delta_row *leader)
{
	s->row->task = leader->task;
	s->row->old = leader->old;
	s->row->facts_from = leader->facts_from;
	s->row->marked = leader->marked;
	s->row->fresh = leader->fresh;
	s->row->born = leader->born;
	s->row->began_after_mark = leader->began_after_mark;
	s->row->stale = leader->stale;
	s->row->counts_ns = leader->counts_ns;
	s->row->facts_ns = leader->facts_ns;
}

/* Sets the CPU time: the sum over the threads if counters measured all of them, else the CPU clock
 * of the process, which includes threads without counters. If the clock was not read, the sum is
 * used as a lower bound. */
static void set_cpu_time(struct sums *s)
{
	struct value clock = delta_clock_time(s->row);
	struct value share = value_divide(clock, value_exact((double)s->row->facts_ns));
	bool counted = value_known(s->cpu_ns);

	s->row->cpu_counted = counted && (s->all_counted || !value_known(clock));
	if (!s->row->cpu_counted) {
		s->row->cpu_ns = clock;
		s->facts->cpu_share = share;
		return;
	}
	s->row->cpu_ns = s->all_counted ? s->cpu_ns : value_accumulate(s->cpu_ns, clock);
	s->facts->cpu_share = s->all_counted ? s->cpu_share : value_accumulate(s->cpu_share, share);
}

/* Makes the row of sample.task[i]: a copy of `row` if this is the row of the task, else the row of
 * an idle task. row: the next row of the delta; NULL: none. Returns the next row that is still
 * unused. */
static const struct delta_row *take_row(struct delta_row *out, const struct delta *d,
					const struct delta_row *row, size_t i, struct arena *arena)
{
	bool has_row = row && row < d->row + d->n && row->task == d->sample->task[i];

	delta_task_row(out, d, has_row ? row : NULL, i, arena);
	return has_row ? row + 1 : row;
}

/* Folds n tasks of one process, sample.task[first ...]. row: the first row in the delta that
 * belongs to one of these tasks; NULL: all are idle. At most row[0] to row[n - 1] belong to the
 * process. */
static void fold_range(struct delta_row *out, const struct delta *threads,
		       const struct delta_row *row, size_t first, size_t n, struct arena *arena)
{
	const struct delta_ended *ended =
		delta_find_ended(threads, task_owner(threads->sample->task[first]));
	struct delta_row thread;
	struct sums s;

	row = take_row(&thread, threads, row, first, arena);
	begin(&s, out, &thread, threads->joins, arena);
	for (size_t i = first; i < first + n; i++) {
		if (i > first)
			row = take_row(&thread, threads, row, i, arena);
		add_thread(&s, &thread);
		if (task_is_leader(thread.task))
			take_leader(&s, &thread);
	}
	out->events = s.events;
	out->increment = s.increment;
	out->total = s.total;
	out->since = s.since;
	s.facts->count_rate = s.rate;
	if (ended)
		add_ended(s.facts, ended, out->task->lost, s.since);
	set_cpu_time(&s);
	out->sums = s.facts;
}

/* Returns the index of the first task of this process. from: the index at which the search
 * begins. */
static size_t find_process(const struct sample *s, struct owner owner, size_t from)
{
	size_t low = from, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (owner_compare(task_owner(s->task[middle]), owner) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void fold_processes(struct delta *out, const struct delta *in)
{
	const struct sample *s = in->sample;
	size_t first = 0, n = 0;

	arena_reset(&out->arena);
	*out = (struct delta){
		.kind = in->kind,
		.sample = s,
		.interval_ns = in->interval_ns,
		.processes = true,
		.threads = in,
		.arena = out->arena,
	};
	for (size_t i = 0; i < in->n; i++)
		n += i == 0 || !task_has_owner(in->row[i].task, task_owner(in->row[i - 1].task));
	out->row = arena_alloc(&out->arena, n * sizeof *out->row);
	for (size_t i = 0; i < in->n;) {
		struct owner owner = task_owner(in->row[i].task);
		struct delta_row *row = &out->row[out->n++];

		first = find_process(s, owner, first);
		for (n = 1; first + n < s->n && task_has_owner(s->task[first + n], owner); n++)
			;
		if (n == 1 && !delta_find_ended(in, owner))
			*row = in->row[i];
		else
			fold_range(row, in, &in->row[i], first, n, &out->arena);
		while (i < in->n && task_has_owner(in->row[i].task, owner))
			i++;
	}
}

/* ---- iteration ---- */

const struct delta_row *rows_idle(const struct delta *d, const struct rows_item *item,
				  struct arena *arena)
{
	struct delta_row *row = arena_alloc(arena, sizeof *row);

	if (d->processes && (item->n > 1 || delta_find_ended(d->threads, task_owner(item->task))))
		fold_range(row, d->threads, NULL, item->first, item->n, arena);
	else
		delta_task_row(row, d->processes ? d->threads : d, NULL, item->first, arena);
	return row;
}

/* Groups have a row each, idle or not. */
static bool next_group(const struct delta *d, struct rows_item *item)
{
	if (item->passed == d->n)
		return false;
	item->row = &d->row[item->passed++];
	item->task = item->row->task;
	return true;
}

bool rows_next(const struct delta *d, struct rows_item *item)
{
	const struct sample *s = d->sample;
	const struct delta_row *row;
	struct owner owner;

	if (d->groups)
		return next_group(d, item);
	item->first += item->n;
	if (item->first >= s->n)
		return false;
	item->task = s->task[item->first];
	owner = task_owner(item->task);
	for (item->n = 1; d->processes && item->first + item->n < s->n; item->n++) {
		const struct task *t = s->task[item->first + item->n];

		if (!task_has_owner(t, owner))
			break;
		if (task_is_leader(t))
			item->task = t;
	}
	row = item->passed < d->n ? &d->row[item->passed] : NULL;
	if (row && (d->processes ? !task_has_owner(row->task, owner) : row->task != item->task))
		row = NULL;
	item->row = row;
	item->passed += row != NULL;
	return true;
}

/* ---- ended rows ---- */

#define DEAD_MAX 10000

void dead_init(struct dead_list *l)
{
	memset(l, 0, sizeof *l);
}

static void free_row(struct dead_row *r)
{
	task_unref(r->row.task);
	sample_events_unref(r->row.events);
	delta_row_unref(&r->row);
	free(r->values);
	free(r->sums.fact);
	free(r);
}

void dead_reset(struct dead_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free_row(l->row[i]);
	l->n = 0;
}

void dead_done(struct dead_list *l)
{
	dead_reset(l);
	free(l->row);
	dead_init(l);
}

static struct dead_row *copy_row(const struct delta_row *from)
{
	struct dead_row *r = xcalloc(1, sizeof *r);
	size_t n = (size_t)sample_events_n(from->events);

	r->row = *from;
	r->row.past = true;
	task_ref(from->task);
	sample_events_ref(from->events);
	delta_row_ref(from);
	/* `since` must not be NULL even if there are no events. */
	r->values = xcalloc(4 * n + 1, sizeof *r->values);
	if (from->sums) {
		r->sums = *from->sums;
		r->sums.fact = xcalloc(N_NUMBER_FACTS, sizeof *r->sums.fact);
		memcpy(r->sums.fact, from->sums->fact, N_NUMBER_FACTS * sizeof *r->sums.fact);
		r->row.sums = &r->sums;
		r->sums.count_rate = r->values + 2 * n;
	}
	if (n && from->sums)
		memcpy(r->values + 2 * n, from->sums->count_rate, n * sizeof *r->values);
	if (n) {
		memcpy(r->values, from->increment, n * sizeof *r->values);
		memcpy(r->values + n, from->total, n * sizeof *r->values);
	}
	if (n && from->since)
		memcpy(r->values + 3 * n, from->since, n * sizeof *r->values);
	r->row.increment = r->values;
	r->row.total = r->values + n;
	if (from->since)
		r->row.since = r->values + 3 * n;
	return r;
}

void dead_mark(struct dead_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		l->row[i]->row.since = NULL;
		/* The reading belongs to the previous mark, and is freed with it. */
		l->row[i]->row.marked = NULL;
	}
}

static void add_row(struct dead_list *l, struct dead_row *r)
{
	if (l->n == DEAD_MAX) {
		free_row(l->row[0]);
		memmove(l->row, l->row + 1, --l->n * sizeof *l->row);
	}
	l->row = xgrow(l->row, &l->cap, l->n + 1, sizeof *l->row);
	l->row[l->n++] = r;
}

void dead_copy(struct dead_list *l, const struct dead_list *from)
{
	for (size_t i = 0; i < from->n; i++)
		add_row(l, copy_row(&from->row[i]->row));
}

void dead_collect(struct dead_list *l, const struct delta *delta)
{
	/* The first sample has no interval, so a zombie in it has nothing to show. */
	for (size_t i = 0; delta->interval_ns && i < delta->n; i++)
		if (delta->row[i].task->dead)
			add_row(l, copy_row(&delta->row[i]));
}

/* ---- unseen time ---- */

#define MATTERS_PCT   25
#define MATTERS_SHARE 0.25

/* Returns whether the sample has all living tasks of the machine. The task 1 belongs to root: it is
 * missing where a user sees only their own tasks. */
static bool has_all_tasks(const struct sample *s)
{
	if (s->n_left_out || s->host.contained)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->task[i]->kind == &kind_task && s->task[i]->id == 1)
			return true;
	return false;
}

/* Returns the time of the CPUs in tasks, in % of one CPU. CPUs that went offline do not count. */
static struct value tasks_share(const struct use_delta *use)
{
	double sum = 0;

	if (!use->wanted || use->cpu_error || !use->n_shares)
		return value_none(QUALITY_NOT_READ);
	for (size_t i = 0; i < use->n_shares; i++) {
		const struct cpu_share *cpu = &use->share[i];

		if (cpu->busy.quality == QUALITY_GONE)
			continue;
		if (!value_known(cpu->busy))
			return value_none(QUALITY_NOT_READ);
		sum += cpu->busy.number - cpu->in[CPU_IRQ].number;
	}
	return value_exact(sum);
}

/* Returns the sum of the rows, in % of one CPU. A task that has ended may show the time of an
 * earlier interval, which does not count. */
static double rows_share(const struct delta *d)
{
	double sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct value share = delta_cpu_share(&d->row[i]);

		if (value_known(share) && share.quality != QUALITY_STALE)
			sum += 100 * share.number;
	}
	return sum;
}

struct unseen unseen_compute(const struct delta *d)
{
	const struct use_delta *use = d->threads ? &d->threads->use : &d->use;
	struct unseen u = {value_none(QUALITY_NOT_READ), value_none(QUALITY_NOT_READ)};

	if (d->kind != &kind_task || d->groups || !d->interval_ns || !has_all_tasks(d->sample))
		return u;
	/* The shares of a very short interval are those of an earlier one, and those after it are
	 * of several intervals, but the rows only have the last one. */
	if (use->interval_ns == d->interval_ns)
		u.busy = tasks_share(use);
	if (value_known(u.busy))
		u.unseen = value_exact(u.busy.number - rows_share(d));
	return u;
}

bool unseen_matters(const struct unseen *u)
{
	return value_known(u->unseen) && u->unseen.number >= MATTERS_PCT &&
	       u->unseen.number >= MATTERS_SHARE * u->busy.number;
}
