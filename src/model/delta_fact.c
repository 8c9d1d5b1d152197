/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of delta: what facts did in the interval. */
#include "model/delta_part.h"
#include "model/kinds.h"

/* The present state of a fact, which may be below 0 (NICE). */
static struct value present(const struct delta_row *row, enum fact f)
{
	uint64_t now = task_fact(row->task, f);

	if (fact_table[f].kind == FACT_COUNTER)
		return value_count(now);
	return row->stale && fact_table[f].drifts ? value_stale((double)(int64_t)now)
						  : value_exact((double)(int64_t)now);
}

/* Marks a fact as stale, if it was lost with the end of the task: it is as old as the last
 * reading. What is known since it has ended is not. */
static struct value as_read(const struct delta_row *row, enum fact f, struct value v)
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
	return row->task->known & FACT_BIT(f) ? as_read(row, f, present(row, f))
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
		return present(row, f);
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
	return as_read(row, f, f == FACT_WAIT_NS ? in_interval(row, v) : v);
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
	return as_read(row, f, value_count(task_fact(row->task, f) - at));
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
