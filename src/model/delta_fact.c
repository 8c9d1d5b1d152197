/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what facts did in the interval, and what threads that have ended leave. */
#include <stdlib.h>

#include "model/delta_part.h"
#include "model/kinds.h"

/* ---- delta ended ----
 *
 * What tasks leave behind that have ended.
 */

static bool is_same(const struct task *x, const struct task *y)
{
	/* Whether both are the same thread: one whose facts were not read has no start. */
	return x->id == y->id && (x->start_ns == y->start_ns || !x->start_ns || !y->start_ns);
}

/* The start of the process whose tasks begin at `first`. */
static uint64_t process_start(const struct sample *s, size_t first)
{
	for (size_t i = first; i < s->n && task_has_owner(s->task[i], task_owner(s->task[first]));
	     i++)
		if (task_is_leader(s->task[i]))
			return s->task[i]->start_ns;
	return 0;
}

/* Adds what they have grown since the mark. What is not known of then makes it a part. */
static void add_since_mark(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	struct delta_row row = {.task = t};

	delta_mark_row(&row, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		uint64_t at;

		if (fact_table[f].per_thread && t->known & FACT_BIT(f) &&
		    delta_fact_at_mark(&row, (enum fact)f, &at))
			e->since[f] += task_fact(t, (enum fact)f) - at;
	}
}

/* Whether x stands before y and is another thread. One number may have several, one after the
 * other. */
static bool is_before(const struct task *x, const struct task *y)
{
	return x->id < y->id || (x->id == y->id && x->start_ns && x->start_ns < y->start_ns);
}

/* Adds the facts of a thread that is in no later sample to those of its process, if facts are
 * wanted. */
static bool leave_facts(struct delta_ended *e, const struct task *t, const struct sample *mark)
{
	/* What the thread did between its last reading and its end is known to nobody. */
	bool now = !t->ended;

	if (!(t->room & fact_per_thread))
		return false;
	e->now |= now;
	e->later |= now;
	if (mark)
		add_since_mark(e, t, mark);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].per_thread && t->known & FACT_BIT(f))
			e->fact[f] += task_fact(t, (enum fact)f);
	return true;
}

/* Notes a thread that has ended, which is in this sample once more, or longer: its counters may
 * still count the threads that it started. */
static bool note_end(struct delta_ended *e, const struct task *t, const struct task *old)
{
	bool now = t->ended && !old->ended && t->room & fact_per_thread;

	e->now |= now;
	e->later |= now;
	return now;
}

/* Adds to the sums of the heir, which are those of its own delta. */
static void leave_counts(const struct delta_tally *heir, const struct delta *before,
			 const struct task *t)
{
	const struct delta_tally *tally = delta_find_tally(before, t);

	delta_add_ended(t, tally ? tally->sum : NULL, heir->task->events,
			(struct value *)heir->sum);
	if (heir->since)
		delta_add_ended(t, tally ? tally->since : NULL, heir->task->events,
				(struct value *)heir->since);
}

/* Adds what the threads of a process left that are no longer in the current sample: to *e, and to
 * sum[] where it has one. first, from: where the process begins in both samples; its tasks are
 * sorted by id and start. Returns whether e is to be kept. */
static bool take_process(const struct delta *d, size_t first, const struct delta *before,
			 size_t from, const struct delta_tally *heir, struct delta_ended *e)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	bool any = false;

	for (size_t i = first; from < previous->n && task_has_owner(previous->task[from], owner);
	     from++) {
		const struct task *t = previous->task[from];

		while (i < current->n && task_has_owner(current->task[i], owner) &&
		       is_before(current->task[i], t))
			i++;
		if (i < current->n && task_has_owner(current->task[i], owner) &&
		    is_same(current->task[i], t)) {
			any |= note_end(e, current->task[i], t);
			continue;
		}
		any |= leave_facts(e, t, d->mark);
		if (heir)
			leave_counts(heir, before, t);
	}
	return any;
}

/* Whether the process has the one task in both samples, by the same reading: nobody looked at it,
 * as it did not run. That is what most processes do. first, from: as of take_process(). */
static bool is_unread(const struct sample *current, size_t first, const struct sample *previous,
		      size_t from)
{
	const struct task *t = current->task[first];

	return from < previous->n && previous->task[from] == t &&
	       (first + 1 == current->n ||
		!task_has_owner(current->task[first + 1], task_owner(t))) &&
	       (from + 1 == previous->n ||
		!task_has_owner(previous->task[from + 1], task_owner(t)));
}

/* The first task of a process that has sums; tally: from where to look. */
static const struct delta_tally *find_heir(const struct delta *d, struct owner owner, size_t *tally)
{
	while (*tally < d->n_tallies && owner_compare(task_owner(d->tally[*tally].task), owner) < 0)
		++*tally;
	return *tally < d->n_tallies && task_has_owner(d->tally[*tally].task, owner)
		       ? &d->tally[*tally]
		       : NULL;
}

/* Where the walk through both samples is, the sums and what was left before. */
struct walk {
	size_t from, tally, next;
};

/* The process whose tasks begin at `first`, and at w->from if it is the same one. */
static void take_over(struct delta *d, const struct delta *before, size_t first, struct walk *w)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct owner owner = task_owner(current->task[first]);
	struct delta_ended e = {.owner = owner};
	bool had;

	while (w->next < before->n_ended && owner_compare(before->ended[w->next].owner, owner) < 0)
		w->next++;
	/* Another process may have the pid by now. */
	if (w->from == previous->n ||
	    process_start(previous, w->from) != process_start(current, first))
		return;
	had = w->next < before->n_ended && !owner_compare(before->ended[w->next].owner, owner);
	if (had) {
		e = before->ended[w->next];
		e.before = e.now;
		e.now = false;
	}
	if (take_process(d, first, before, w->from, find_heir(d, owner, &w->tally), &e) || had)
		d->ended[d->n_ended++] = e;
}

void delta_take_over(struct delta *d, const struct delta *before)
{
	const struct sample *current = d->sample, *previous = before->sample;
	struct walk w = {0};

	for (size_t i = 0; i < current->n; i++) {
		struct owner owner = task_owner(current->task[i]);

		if (i && task_has_owner(current->task[i - 1], owner))
			continue;
		while (w.from < previous->n &&
		       owner_compare(task_owner(previous->task[w.from]), owner) < 0)
			w.from++;
		if (w.next == before->n_ended && is_unread(current, i, previous, w.from))
			continue;
		take_over(d, before, i, &w);
	}
}

static int compare_owner(const void *owner, const void *ended)
{
	return owner_compare(*(const struct owner *)owner,
			     ((const struct delta_ended *)ended)->owner);
}

const struct delta_ended *delta_find_ended(const struct delta *d, struct owner owner)
{
	return d->n_ended ? bsearch(&owner, d->ended, d->n_ended, sizeof *d->ended, compare_owner)
			  : NULL;
}

/* ---- delta fact ---- */

/* The present state of a fact, which may be below 0 (NICE). */
static struct value current_state(const struct delta_row *row, enum fact f)
{
	uint64_t now = task_fact(row->task, f);

	if (fact_table[f].kind == FACT_COUNTER)
		return value_count(now);
	return row->stale && fact_table[f].drifts ? value_stale((double)(int64_t)now)
						  : value_exact((double)(int64_t)now);
}

/* Marks a fact as stale, if it was lost with the end of the task: it is as old as the last
 * reading. What is known since it has ended is not. */
static struct value mark_lost(const struct delta_row *row, enum fact f, struct value v)
{
	const bool lost = row->task->lost && !fact_table[f].of_ended;

	return lost && value_known(v) ? value_stale(v.number) : v;
}

/* Of a text, how well it is known. */
static struct value text_now(const struct delta_row *row, enum fact f)
{
	if (!task_text(row->task, f))
		return value_none(QUALITY_NOT_READ);
	return fact_table[f].drifts && (row->task->lost || row->stale) ? value_stale(0)
								       : value_exact(0);
}

struct value delta_fact_now(const struct delta_row *row, enum fact f)
{
	if (fact_table[f].kind == FACT_TEXT)
		return text_now(row, f);
	if (row->sums && row->sums->facts & FACT_BIT(f))
		return row->sums->fact_now[f];
	return row->task->known & FACT_BIT(f) ? mark_lost(row, f, current_state(row, f))
					      : value_none(QUALITY_NOT_READ);
}

/* The increment of a fact between two readings. */
static struct value increment(const struct delta_row *row, enum fact f)
{
	const struct task *t = row->task, *old = row->facts_from;
	uint64_t now, before;

	if (!(t->known & FACT_BIT(f)))
		return value_none(QUALITY_NOT_READ);
	if (fact_table[f].kind == FACT_GAUGE || (!old && row->born))
		return current_state(row, f);
	/* Or the thread was taken for ended, and has come back. */
	if (!old || old->lost || (old->ended && !t->ended))
		return value_none(QUALITY_FRESH);
	if (!(old->known & FACT_BIT(f)))
		return value_none(QUALITY_NOT_READ);
	now = task_fact(t, f);
	before = task_fact(old, f);
	return now < before ? value_none(QUALITY_NOT_READ) : value_count(now - before);
}

/* How much of the interval a task can have waited for a CPU. The clock of a process is that of all
 * its threads, of which this is one. */
static double longest_wait(const struct delta_row *row)
{
	const struct task *t = row->task;
	const bool alone = t->known & FACT_BIT(FACT_NUM_THREADS) &&
			   task_fact(t, FACT_NUM_THREADS) == 1 && value_known(row->cpu_ns);
	const double left = (double)row->facts_ns - (alone ? row->cpu_ns.number : 0);

	return left > 0 ? left : 0;
}

/* The kernel books a wait for a CPU when it ends, all at once: what began before this interval is
 * left out. Readings are not exact to 1 %. */
static struct value in_interval(const struct delta_row *row, struct value waited)
{
	const double most = longest_wait(row);

	if (!kind_is(row->task->kind, &kind_task) || !value_known(waited) ||
	    waited.number <= most + (double)row->facts_ns / 100)
		return waited;
	return value_combine(most, waited, (struct value){most, 1, QUALITY_UNEQUAL, 0});
}

struct value delta_fact(const struct delta_row *row, enum fact f)
{
	struct value v;

	if (row->sums && row->sums->facts & FACT_BIT(f))
		return row->sums->fact[f];
	v = increment(row, f);
	return mark_lost(row, f, f == FACT_WAIT_NS ? in_interval(row, v) : v);
}

struct value delta_waited_earlier(const struct delta_row *row)
{
	struct value all, now;

	if (row->sums && row->sums->facts & FACT_BIT(FACT_WAIT_NS))
		return row->sums->waited_earlier;
	all = increment(row, FACT_WAIT_NS);
	now = in_interval(row, all);
	return value_known(all) ? value_exact(all.number - now.number) : all;
}

struct value delta_fact_since(const struct delta_row *row, enum fact f)
{
	const struct value now = delta_fact_now(row, f);
	uint64_t at;

	/* It ended before. */
	if (!row->since)
		return value_known(now) ? value_exact(0) : now;
	if (row->sums && row->sums->facts & FACT_BIT(f))
		return row->sums->fact_since[f];
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

/* Whether a task ran when its clock was read, which then is a tick late at most. Of several
 * threads, the state is that of one. */
static bool was_running(const struct delta_row *row)
{
	const struct task *t = row->task;

	if (!kind_is(t->kind, &kind_task))
		return false;
	return t->state == 'R' || t->state == '?' ||
	       (t->known & FACT_BIT(FACT_NUM_THREADS) && task_fact(t, FACT_NUM_THREADS) > 1);
}

/* The time that the first counter read was enabled, on all threads. Returns whether one was. */
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
	const bool clock_known = value_known(clock) && !row->task->lost;
	const bool late = clock_known && clock.number > 0 && tick_ns * 100 > row->facts_ns &&
			  was_running(row);

	/* Those that counters have are of its last moment. */
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

/* An increment per second. */
static struct value rate(struct value increment, uint64_t interval_ns)
{
	return value_divide(increment, value_exact((double)interval_ns / 1e9));
}

struct value delta_fact_rate(const struct delta_row *row, enum fact f)
{
	if (row->sums && row->sums->facts & FACT_BIT(f))
		return row->sums->fact_rate[f];
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
	/* Its ticks come late, and one that came may be of the interval before. */
	if (row->task->kind->enabled_always && value_known(share) && share.number > 1)
		share.number = 1;
	return share;
}
