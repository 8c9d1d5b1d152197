/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/arch.h"
#include "profile/locks/estimate.h"
#include "profile/locks/uses.h"

int locks_report_compare_rows(const void *a, const void *b)
{
	const struct locks_row *x = a, *y = b;

	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	return (x->caller > y->caller) - (x->caller < y->caller);
}

static int compare_waits(const void *a, const void *b)
{
	const struct locks_wait *x = a, *y = b;

	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	if (x->frame[0] != y->frame[0])
		return x->frame[0] < y->frame[0] ? -1 : 1;
	return (x->holder > y->holder) - (x->holder < y->holder);
}

/* Sorts locks before idle waits, then by the time of attempts, the longest first, then in the order
 * of the table. */
static int compare_lines(const void *a, const void *b)
{
	const struct locks_line *x = a, *y = b;
	const uint64_t p = locks_estimate_trying(&x->sum), q = locks_estimate_trying(&y->sum);

	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	if (p != q)
		return p < q ? 1 : -1;
	return locks_report_compare_rows(&x->sum, &y->sum);
}

void locks_report_sort(struct locks_line *line, size_t n)
{
	array_sort(line, n, sizeof *line, compare_lines);
}

/* Sets the holder of each line. Sorts a copy of the waits by lock and caller, as the lines are:
 * chains refer to the waits by their numbers, so c->wait keeps its order. */
static void add_holders(struct locks_report *r, const struct locks_copy *c)
{
	const size_t n = c->header.n_waits;
	struct locks_wait *wait = xreallocarray(NULL, n + 1, sizeof *wait);
	struct locks_line *line = r->line;
	uint64_t ticks = 0;

	r->wait = wait;
	memcpy(wait, c->wait, n * sizeof *wait);
	array_sort(wait, n, sizeof *wait, compare_waits);
	for (size_t i = 0; i < n; i++) {
		const struct locks_row key = {.instance = wait[i].instance,
					      .caller = wait[i].frame[0]};

		ticks = i && !compare_waits(&wait[i], &wait[i - 1]) ? ticks + wait[i].ticks
								    : wait[i].ticks;
		while (line < r->line + r->n && locks_report_compare_rows(&line->sum, &key) < 0)
			line++;
		if (line < r->line + r->n && !locks_report_compare_rows(&line->sum, &key) &&
		    wait[i].holder && ticks > line->holder_ticks) {
			line->holder = wait[i].holder;
			line->holder_ticks = ticks;
		}
	}
}

/* Returns the counts of a line by its index; c->n_rows + 1: of the sum over all locks. NULL: no
 * events. */
static struct locks_quantity *counts_of(const struct locks_report *r, const struct locks_copy *c,
					size_t line)
{
	return r->counts ? &r->counts[line * c->header.n_events * LOCKS_PHASES] : NULL;
}

static void add_counts(const struct locks_copy *c, struct locks_quantity *to,
		       const struct locks_quantity *from)
{
	if (to)
		locks_counts_add(to, from, c->header.n_events);
}

/* Removes the lines of condition variables and semaphores that have only wakes; futexes keep them.
 */
static void remove_wakes(struct locks_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct locks_line *line = &r->line[i];
		const struct locks_row *sum = &line->sum;
		const bool waits = locks_n(sum, LOCKS_ACQUIRE) || sum->failed || sum->n_under_way;

		if (waits || locks_is_held((enum locks_kind)line->instance->kind) ||
		    line->instance->kind == LOCKS_FUTEX)
			r->line[n++] = *line;
	}
	r->n = n;
}

static void add_lines(struct locks_report *r, const struct locks_copy *c,
		      const struct wait_rules *rules)
{
	struct locks_row *row = c->row;

	array_sort(row, c->n_rows, sizeof *row, locks_report_compare_rows);
	uses_add_handed(row, c->n_rows);
	for (size_t i = 0; i < c->n_rows; i++) {
		if (i && !locks_report_compare_rows(&row[i], &row[i - 1]))
			locks_row_add(&r->line[r->n - 1].sum, &row[i]);
		else
			r->line[r->n++] = (struct locks_line){
				.instance = &c->instance[row[i].instance - 1],
				.sum = row[i],
				.counts = counts_of(r, c, r->n),
			};
		add_counts(c, r->line[r->n - 1].counts, locks_copy_counts(c, &row[i]));
	}
	add_holders(r, c);
	uses_find(r->line, r->n, rules);
	remove_wakes(r);
	locks_report_sort(r->line, r->n);
}

/* Adds a thread. A living one was in its last state up to the end. */
static void add_thread(struct locks_report *r, const struct locks_thread *t, uint64_t end)
{
	for (int s = 0; s < LOCKS_STATES; s++)
		r->ticks[s] += t->ticks[s];
	if (t->tid && end > t->since)
		r->ticks[t->state] += end - t->since;
	for (int e = 0; e < LOCKS_EVENTS; e++) {
		r->lacking[e] += t->lacking[e];
		/* Counts of events that the thread lacks are left out. The sum over exited threads
		 * does not contain them. */
		for (int s = 0; s < LOCKS_STATES && !(t->tid && t->lacking[e]); s++)
			r->count[e][s] += t->count[e][s];
	}
	r->n_alive += t->tid != 0;
	r->n_unmeasured += t->n_unmeasured;
	r->n_too_deep += t->n_too_deep;
	r->n_unmatched += t->n_unmatched;
	r->n_futex += t->n_futex;
	r->n_futex_left_out += t->n_futex_left_out;
}

/* Returns the row in which a thread waits; NULL: unknown. */
static struct locks_row *find_wait(const struct locks_copy *c, struct locks_thread *t)
{
	if (!t->wait_row)
		return &t->other;
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->row[i].sequence == t->wait_row)
			return c->row[i].slot == t->slot ? &c->row[i] : NULL;
	return NULL;
}

static enum locks_kind kind_of(const struct locks_copy *c, const struct locks_row *row)
{
	return row->instance ? (enum locks_kind)c->instance[row->instance - 1].kind : LOCKS_MUTEX;
}

static void add_open_waits(struct locks_report *r, const struct locks_copy *c)
{
	for (size_t i = 0; i < c->n_threads; i++) {
		struct locks_thread *t = &c->thread[i];
		const bool waits = t->tid && t->state == LOCKS_WAITING && t->wait_since &&
				   r->end > t->wait_since;
		struct locks_row *row = waits ? find_wait(c, t) : NULL;

		if (!row)
			continue;
		row->n_under_way++;
		row->under_way += r->end - t->wait_since;
		t->sched.waited[kind_of(c, row)] += r->end - t->wait_since;
		if (!t->wait_for)
			continue;
		c->wait[t->wait_for].n++;
		c->wait[t->wait_for].ticks += r->end - t->wait_since;
	}
}

/* Returns the estimated cost of measuring a thread, in ticks. */
static uint64_t own_of(const struct locks_header *h, const struct locks_thread *t)
{
	const uint64_t untimed = t->n_untimed < t->n_pairs ? t->n_untimed : t->n_pairs;

	return (t->n_pairs - untimed) * h->overhead_ticks + untimed * h->counted_ticks;
}

static void add_threads(struct locks_report *r, const struct locks_copy *c, uint64_t end)
{
	struct locks_row other = {.instance = 0};
	struct locks_quantity *counts = counts_of(r, c, c->n_rows);

	for (size_t i = 0; i < c->n_threads; i++) {
		add_thread(r, &c->thread[i], end);
		locks_row_add(&other, &c->thread[i].other);
		add_counts(c, counts, locks_copy_other(c, i));
		r->own += own_of(&c->header, &c->thread[i]);
		for (uint32_t e = 0; e < c->header.n_events; e++)
			r->own_count[e] += c->thread[i].n_pairs * c->header.event[e].overhead;
	}
	/* The thread that ran the destructors of the process does not count as alive: it ended with
	 * the process. */
	r->n_alive -= r->n_alive && c->header.end;
	if (locks_n(&other, LOCKS_ACQUIRE) || other.failed || other.n_under_way)
		r->line[r->n++] = (struct locks_line){.sum = other, .counts = counts};
}

/* Returns whether a line is for a lock rather than for an object that is not held, such as a
 * barrier. NULL, the instance of locks for which the table had no room, counts as a lock. */
static bool is_lock(const struct locks_instance *instance)
{
	return !instance || locks_is_held(instance->kind);
}

static void count_locks(struct locks_report *r, const struct locks_copy *c)
{
	r->at_least = c->header.full;
	for (size_t i = 0; i < r->n; i++) {
		r->n_under_way += r->line[i].sum.n_under_way;
		r->under_way += r->line[i].sum.under_way;
		if (r->line[i].idle)
			r->idle += locks_estimate_trying(&r->line[i].sum);
		if (!is_lock(r->line[i].instance))
			continue;
		locks_row_add(&r->all, &r->line[i].sum);
		add_counts(c, r->all_counts, r->line[i].counts);
	}
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct locks_instance *instance = &c->instance[c->row[i].instance - 1];

		if (!is_lock(instance) || (i && c->row[i].instance == c->row[i - 1].instance))
			continue;
		r->instances += instance->several ? instance->generation : 1;
		r->at_least |= instance->several;
	}
}

/* --- states --- */

uint64_t locks_sum_states(const uint64_t ticks[LOCKS_STATES])
{
	uint64_t all = 0;

	for (int s = 0; s < LOCKS_STATES; s++)
		all += ticks[s];
	return all;
}

static void add_times(struct locks_report *r, const struct locks_copy *c,
		      const struct locks_sched *s, uint64_t n_threads, uint64_t ticks)
{
	struct states one;

	states_make(&one, s, n_threads, ticks, c->header.ns_per_tick, &r->shares);
	states_add(&r->states, &one);
}

/* Subtracts the times of an exited thread from those of all exited threads. */
static void remove_past(struct locks_sched *all, const struct locks_sched *past)
{
	for (int i = 0; i < LOCKS_TOTALS; i++)
		all->total[i] = locks_minus(all->total[i], past->total[i]);
	for (int k = 0; k < LOCKS_N_KINDS; k++) {
		all->waited[k] = locks_minus(all->waited[k], past->waited[k]);
		all->waited_run[k] = locks_minus(all->waited_run[k], past->waited_run[k]);
	}
}

static void add_states(struct locks_report *r, const struct locks_copy *c)
{
	struct locks_sched rest = c->thread[0].sched;
	uint64_t ticks = locks_sum_states(c->thread[0].ticks);

	for (uint32_t i = 0; i < c->header.n_pasts; i++) {
		const struct locks_past *p = &c->past[i];

		add_times(r, c, &p->sched, 1, locks_sum_states(p->ticks));
		remove_past(&rest, &p->sched);
		ticks = locks_minus(ticks, locks_sum_states(p->ticks));
	}
	add_times(r, c, &rest, locks_minus(c->header.n_ended, c->header.n_pasts), ticks);
	for (size_t i = 1; i < c->n_threads; i++) {
		const struct locks_thread *t = &c->thread[i];

		add_times(r, c, &t->sched, 1,
			  locks_sum_states(t->ticks) + locks_minus(r->end, t->since));
	}
}

uint64_t locks_report_clock(void)
{
	return arch_time_is_steady() ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

/* The time for which the speed of the time stamp counter is measured, and how often both clocks are
 * read for it: an interrupt between two readings lengthens some of them, not all. */
#define SPEED_NS    2000000u
#define SPEED_TRIES 5

/* Reads both clocks at one moment. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < SPEED_TRIES; i++) {
		const uint64_t before = arch_read_time(), now = clock_ns(CLOCK_MONOTONIC_RAW),
			       took = arch_read_time() - before;

		if (took >= shortest)
			continue;
		shortest = took;
		*ns = now;
		*ticks = before + took / 2;
	}
}

uint64_t locks_report_speed(void)
{
	uint64_t begin_ns = 0, begin = 0, ns = 0, ticks = 0;

	if (!arch_time_is_steady())
		return 1ull << 32;
	read_both(&begin_ns, &begin);
	while (clock_ns(CLOCK_MONOTONIC_RAW) - begin_ns < SPEED_NS)
		;
	read_both(&ns, &ticks);
	return ((ns - begin_ns) << 32) / (ticks - begin);
}

void locks_report_make(struct locks_report *r, const struct locks_copy *c, uint64_t end)
{
	struct wait_rules *rules = wait_rules_new();

	locks_report_make_by(r, c, end, rules);
	wait_rules_free(rules);
}

void locks_report_make_by(struct locks_report *r, const struct locks_copy *c, uint64_t end,
			  const struct wait_rules *rules)
{
	*r = (struct locks_report){
		.line = xreallocarray(NULL, c->n_rows + 1, sizeof *r->line),
		.end = c->header.end ? c->header.end : end,
	};
	if (c->header.n_events)
		r->counts = xcalloc((c->n_rows + 2) * c->header.n_events * LOCKS_PHASES,
				    sizeof *r->counts);
	r->all_counts = counts_of(r, c, c->n_rows + 1);
	add_open_waits(r, c);
	add_lines(r, c, rules);
	add_threads(r, c, r->end);
	count_locks(r, c);
	states_find_shares(&r->shares, r->line, r->n);
	add_states(r, c);
}

void locks_report_done(struct locks_report *r)
{
	free(r->line);
	free(r->counts);
	free(r->wait);
	*r = (struct locks_report){.n = 0};
}

uint64_t locks_report_held(const struct locks_report *r)
{
	return locks_n(&r->all, LOCKS_ACQUIRE) - locks_n(&r->all, LOCKS_RELEASE);
}

uint64_t locks_report_count(const struct locks_report *r, uint32_t event)
{
	uint64_t sum = 0;

	for (int s = 0; s < LOCKS_STATES; s++)
		sum += r->count[event][s];
	return sum;
}

uint64_t locks_report_time(const struct locks_report *r)
{
	uint64_t sum = 0;

	for (int s = 0; s < LOCKS_STATES; s++)
		sum += r->ticks[s];
	return sum;
}
