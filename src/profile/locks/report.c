/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/arch.h"
#include "inject/lib/clock.h"
#include "profile/locks/wait_rules.h"

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
	if (n)
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

/* Adds the calls in progress in which threads are blocked. */
static void add_open_calls(const struct locks_report *r, const struct locks_copy *c)
{
	for (size_t i = 0; i < c->n_threads; i++) {
		struct locks_thread *t = &c->thread[i];

		for (int b = 0; b < LOCKS_BLOCKINGS; b++)
			if (t->tid && t->sched.since[b] && r->end > t->sched.since[b])
				t->sched.blocked[b] += r->end - t->sched.since[b];
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

static uint64_t sum_states(const uint64_t ticks[LOCKS_STATES])
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
	for (int b = 0; b < LOCKS_BLOCKINGS; b++) {
		all->blocked[b] = locks_minus(all->blocked[b], past->blocked[b]);
		all->sampled[b] = locks_minus(all->sampled[b], past->sampled[b]);
		all->sampled_run[b] = locks_minus(all->sampled_run[b], past->sampled_run[b]);
	}
}

static void add_states(struct locks_report *r, const struct locks_copy *c)
{
	struct locks_sched rest = c->thread[0].sched;
	uint64_t ticks = sum_states(c->thread[0].ticks);

	for (uint32_t i = 0; i < c->header.n_pasts; i++) {
		const struct locks_past *p = &c->past[i];

		add_times(r, c, &p->sched, 1, sum_states(p->ticks));
		remove_past(&rest, &p->sched);
		ticks = locks_minus(ticks, sum_states(p->ticks));
	}
	add_times(r, c, &rest, locks_minus(c->header.n_ended, c->header.n_pasts), ticks);
	for (size_t i = 1; i < c->n_threads; i++) {
		const struct locks_thread *t = &c->thread[i];

		add_times(r, c, &t->sched, 1, sum_states(t->ticks) + locks_minus(r->end, t->since));
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
	return (uint64_t)((double)(ns - begin_ns) * 4294967296.0 / (double)(ticks - begin));
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
	add_open_calls(r, c);
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
	return locks_minus(locks_n(&r->all, LOCKS_ACQUIRE),
			   locks_n(&r->all, LOCKS_RELEASE) + r->n_unmatched);
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

/* ---- estimate ---- */

/* Returns the standard deviation in ticks; NaN: unknown. mixed: contended calls, which are all
 * timed, are over-represented among the timed ones, so their deviation is not that of all calls. */
static double stddev_of(const struct locks_quantity *q, bool mixed)
{
	return q->n > 1 && !mixed ? sqrt(locks_variance(q)) : NAN;
}

struct locks_estimate locks_estimate(const struct locks_row *row, enum locks_phase phase)
{
	const struct locks_quantity *q = &row->phase[phase];
	const bool waits = phase == LOCKS_ACQUIRE;
	const uint64_t slow = waits ? row->contended : 0, waited = waits ? row->waited : 0,
		       drawn = locks_minus(q->n, slow), n = locks_n(row, phase),
		       quick = locks_minus(n, slow);
	struct locks_estimate e = {
		.n = n,
		.exact = !row->untimed[phase],
		.stddev = stddev_of(q, row->untimed[phase] && slow),
		.max = q->max,
	};

	e.known = n && (e.exact || !quick || drawn);
	if (e.exact)
		e.sum = locks_sum(q);
	else if (e.known)
		e.sum = waited + (quick ? (uint64_t)((double)locks_minus(locks_sum(q), waited) /
						     (double)drawn * (double)quick)
					: 0);
	return e;
}

uint64_t locks_estimate_trying(const struct locks_row *row)
{
	return locks_estimate(row, LOCKS_ACQUIRE).sum + row->lost + row->under_way;
}

/* ---- states ---- */

/* --- shares --- */

static enum locks_kind line_kind_of(const struct locks_line *line)
{
	return line->instance ? (enum locks_kind)line->instance->kind : LOCKS_MUTEX;
}

void states_find_shares(struct states_shares *shares, const struct locks_line *line, size_t n)
{
	double all[LOCKS_N_KINDS] = {0}, idle[LOCKS_N_KINDS] = {0};

	for (size_t i = 0; i < n; i++) {
		const double time = (double)locks_estimate_trying(&line[i].sum);

		all[line_kind_of(&line[i])] += time;
		idle[line_kind_of(&line[i])] += line[i].idle ? time : 0;
	}
	for (int k = 0; k < LOCKS_N_KINDS; k++)
		shares->lock[k] = locks_is_held((enum locks_kind)k) ? 1
				  : all[k] > 0                      ? 1 - idle[k] / all[k]
								    : 0;
}

/* --- times --- */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Times of waits, in ns. off: not on a CPU, by state; on_lock: on a CPU, in waits for locks. */
struct parts {
	double off[STATES_N], on_lock;
};

static double sum_off(const struct parts *p)
{
	double sum = 0;

	for (int i = 0; i < STATES_N; i++)
		sum += p->off[i];
	return sum;
}

/* Adds the calls that are in no row. */
static void add_calls(struct parts *p, const struct locks_sched *s, uint64_t scale)
{
	static const enum states_id state[LOCKS_BLOCKINGS] = {
		[LOCKS_INPUT] = STATES_INPUT,
		[LOCKS_TIME] = STATES_TIME,
		[LOCKS_TASK] = STATES_TASK,
		[LOCKS_DEVICE] = STATES_DEVICE,
	};

	for (int b = 0; b < LOCKS_BLOCKINGS; b++) {
		const double all = (double)tt_multiply(s->blocked[b], scale),
			     sampled = (double)tt_multiply(s->sampled[b], scale),
			     run = (double)s->sampled_run[b];

		p->off[state[b]] += run < sampled ? all * (1 - run / sampled) : sampled ? 0 : all;
	}
}

static struct parts add_waits(const struct locks_sched *s, uint64_t scale,
			      const struct states_shares *shares)
{
	struct parts p = {.on_lock = 0};

	for (int k = 0; k < LOCKS_N_KINDS; k++) {
		const uint64_t all = tt_multiply(s->waited[k], scale),
			       on = k == LOCKS_SPIN ? all : least(s->waited_run[k], all);

		p.off[STATES_LOCK] += (double)(all - on) * shares->lock[k];
		p.off[STATES_WORK] += (double)(all - on) * (1 - shares->lock[k]);
		p.on_lock += (double)on * shares->lock[k];
	}
	add_calls(&p, s, scale);
	return p;
}

/* Returns the part of the delay, in ns, that is within waits. in, out: how long the thread did not
 * run, within waits and outside of them. */
static double find_delay(const struct locks_sched *s, double delay, double in, double out)
{
	const double turns = (double)s->total[LOCKS_TURNS], blocks = (double)s->total[LOCKS_BLOCKS],
		     guess = delay * (blocks < turns ? blocks / turns : 1),
		     most = delay < in ? delay : in, least_part = delay > out ? delay - out : 0;

	return guess > most ? most : guess < least_part ? least_part : guess;
}

void states_make(struct states *to, const struct locks_sched *s, uint64_t n_threads, uint64_t ticks,
		 uint64_t scale, const struct states_shares *shares)
{
	const uint64_t life = tt_multiply(ticks, scale), run = least(s->total[LOCKS_RUN], life),
		       off = life - run, delay = least(s->total[LOCKS_DELAY], off);
	const struct parts p = add_waits(s, scale, shares);
	const double waits = sum_off(&p), in = waits < (double)off ? waits : (double)off;
	uint64_t left = off - delay;
	double factor;

	*to = (struct states){.n_threads = n_threads,
			      .n_known = least(s->total[LOCKS_TIMED], n_threads)};
	if (!to->n_known) {
		to->ns[STATES_OTHER] = life;
		return;
	}
	factor = waits > 0 ? (in - find_delay(s, (double)delay, in, (double)off - in)) / waits : 0;
	to->lock_run = p.on_lock < (double)run ? (uint64_t)p.on_lock : run;
	to->ns[STATES_RUNNING] = run;
	to->ns[STATES_RUNNABLE] = delay;
	for (int i = STATES_LOCK; i < STATES_OTHER; i++) {
		/* On i386, only the assignment rounds the product to double. */
		const double part = factor * p.off[i];

		to->ns[i] = least((uint64_t)part, left);
		left -= to->ns[i];
	}
	to->ns[STATES_OTHER] = left;
}

void states_add(struct states *to, const struct states *from)
{
	to->n_threads += from->n_threads;
	to->n_known += from->n_known;
	to->lock_run += from->lock_run;
	for (int i = 0; i < STATES_N; i++)
		to->ns[i] += from->ns[i];
}

struct states states_minus(const struct states *all, const struct states *part)
{
	struct states rest = {
		.n_threads = locks_minus(all->n_threads, part->n_threads),
		.n_known = locks_minus(all->n_known, part->n_known),
		.lock_run = locks_minus(all->lock_run, part->lock_run),
	};

	for (int i = 0; i < STATES_N; i++)
		rest.ns[i] = locks_minus(all->ns[i], part->ns[i]);
	return rest;
}

uint64_t states_sum(const struct states *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < STATES_N; i++)
		sum += s->ns[i];
	return sum;
}

/* ---- uses ---- */

/* A futex with fewer woken threads is judged by the other futexes of its callers, too. */
#define FEW 16

/* Returns the waits of a row, without those that the kernel refused. */
static uint64_t waits_of(const struct locks_row *row)
{
	return locks_minus(locks_n(row, LOCKS_ACQUIRE) + row->failed + row->n_under_way,
			   row->futex.changed);
}

/* --- threads that wait and wake --- */

/* The waits and wakes of a thread for one object. */
struct part {
	uint64_t waits, wakes;
};

/* Does uses_add_handed() for the n rows of one instance. */
static void add_handed_of(struct locks_row *row, size_t n)
{
	struct part by_slot[LOCKS_SLOTS] = {{0, 0}};

	for (size_t i = 0; i < n; i++) {
		if (!row[i].slot || row[i].slot >= LOCKS_SLOTS)
			continue;
		by_slot[row[i].slot].waits += waits_of(&row[i]) + row[i].futex.changed;
		by_slot[row[i].slot].wakes += locks_n(&row[i], LOCKS_RELEASE);
	}
	for (size_t i = 0; i < n; i++) {
		struct part *p = &by_slot[row[i].slot < LOCKS_SLOTS ? row[i].slot : 0];

		if (!row[i].slot || row[i].slot >= LOCKS_SLOTS)
			continue;
		row[i].futex.handed = p->waits ? row[i].futex.woken : 0;
		row[i].futex.use[LOCKS_BALANCED] = p->waits < p->wakes ? p->waits : p->wakes;
		if (row[i].futex.use[LOCKS_BALANCED])
			p->wakes = 0; /* only the first row of the thread gets the balanced calls;
					 p->waits stays, as `handed` needs it */
	}
}

void uses_add_handed(struct locks_row *row, size_t n)
{
	for (size_t i = 0, more; i < n; i += more) {
		bool has_woken = false;

		for (more = 0; i + more < n && row[i + more].instance == row[i].instance; more++)
			has_woken |= row[i + more].futex.woken != 0;
		if (has_woken)
			add_handed_of(&row[i], more);
	}
}

/* --- sums --- */

struct sums {
	uint64_t waits, failed, wakes, woken, handed, balanced, broadcasts, inheriting;
};

static void add_sums(struct sums *to, const struct sums *from)
{
	to->waits += from->waits;
	to->failed += from->failed;
	to->wakes += from->wakes;
	to->woken += from->woken;
	to->handed += from->handed;
	to->balanced += from->balanced;
	to->broadcasts += from->broadcasts;
	to->inheriting += from->inheriting;
}

/* Returns the sums of n lines, all for one object. */
static struct sums sum_up(const struct locks_line *line, size_t n)
{
	struct sums s = {.waits = 0};

	for (size_t i = 0; i < n; i++) {
		const struct locks_row *row = &line[i].sum;

		add_sums(&s, &(struct sums){
				     .waits = waits_of(row),
				     .failed = locks_minus(row->failed, row->futex.changed),
				     .wakes = locks_n(row, LOCKS_RELEASE),
				     .woken = row->futex.woken,
				     .handed = row->futex.handed,
				     .balanced = row->futex.use[LOCKS_BALANCED],
				     .broadcasts = row->futex.use[LOCKS_BROADCASTS],
				     .inheriting = row->futex.inheriting,
			     });
	}
	return s;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : (double)NAN;
}

static struct wait_use decide(const struct wait_rules *rules, enum locks_kind kind,
			      const struct sums *s)
{
	const double known[WAIT_EVIDENCE] = {
		[WAIT_WAITS] = (double)s->waits,
		[WAIT_WAKES] = (double)s->wakes,
		[WAIT_HANDED] = percent(s->handed, s->woken),
		[WAIT_BALANCED] = percent(s->balanced, s->waits),
		[WAIT_BROADCASTS] = percent(s->broadcasts, s->wakes),
		[WAIT_TIMEOUTS] = percent(s->failed, s->waits),
		[WAIT_INHERITING] = (double)s->inheriting,
	};

	return wait_rules_decide(rules, kind, known);
}

/* --- callers that wake --- */

/* A caller that wakes, and the sums of all futexes for which it does. */
struct waker {
	uint64_t caller;
	struct sums sums;
};

static int compare_wakers(const void *a, const void *b)
{
	const struct waker *x = a, *y = b;

	return (x->caller > y->caller) - (x->caller < y->caller);
}

/* Returns how many lines from the first one on are for the same object. */
static size_t count_same(const struct locks_line *line, size_t n)
{
	size_t same = 1;

	while (same < n && line[same].instance == line[0].instance)
		same++;
	return same;
}

static bool is_futex(const struct locks_line *line)
{
	return line->instance && line->instance->kind == LOCKS_FUTEX;
}

/* Makes a list of the callers that wake futexes, sorted, each once; owned by the caller. Returns
 * its length. */
static size_t list_wakers(struct waker **list, const struct locks_line *line, size_t n)
{
	struct waker *w = xreallocarray(NULL, n + 1, sizeof *w);
	size_t all = 0, used = 0;

	for (size_t i = 0, more; i < n; i += more) {
		struct sums sums;

		more = count_same(&line[i], n - i);
		sums = sum_up(&line[i], is_futex(&line[i]) ? more : 0);
		for (size_t k = i; k < i + more && sums.woken; k++)
			if (line[k].sum.futex.woken)
				w[all++] = (struct waker){line[k].sum.caller, sums};
	}
	array_sort(w, all, sizeof *w, compare_wakers);
	for (size_t i = 0; i < all; i++)
		if (used && w[used - 1].caller == w[i].caller)
			add_sums(&w[used - 1].sums, &w[i].sums);
		else
			w[used++] = w[i];
	*list = w;
	return used;
}

/* --- lines --- */

/* Returns the use of n lines, all for one object. */
static struct wait_use find_use(const struct locks_line *line, size_t n, const struct waker *list,
				size_t size, const struct wait_rules *rules)
{
	const enum locks_kind kind =
		line->instance ? (enum locks_kind)line->instance->kind : LOCKS_MUTEX;
	struct sums s = sum_up(line, n);
	const bool is_few = kind == LOCKS_FUTEX && s.woken < FEW;

	if (locks_is_held(kind))
		return (struct wait_use){false, WAIT_SURE};
	for (size_t i = 0; i < n && is_few; i++) {
		const struct waker key = {.caller = line[i].sum.caller};
		const struct waker *w = bsearch(&key, list, size, sizeof *list, compare_wakers);

		if (w && line[i].sum.futex.woken)
			add_sums(&s, &w->sums);
	}
	return decide(rules, kind, &s);
}

void uses_find(struct locks_line *line, size_t n, const struct wait_rules *rules)
{
	struct waker *list;
	const size_t size = list_wakers(&list, line, n);

	for (size_t i = 0, more; i < n; i += more) {
		struct wait_use use;

		more = count_same(&line[i], n - i);
		use = find_use(&line[i], more, list, size, rules);
		for (size_t k = i; k < i + more; k++) {
			line[k].idle = use.is_work;
			line[k].certainty = use.certainty;
		}
	}
	free(list);
}

/* ---- threads ---- */

/* Sorts by thread, then by lock. */
static int compare_rows(const void *a, const void *b)
{
	const struct locks_row *x = a, *y = b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread_locks *x = a, *y = b;

	if (x->ticks[LOCKS_WAITING] != y->ticks[LOCKS_WAITING])
		return x->ticks[LOCKS_WAITING] < y->ticks[LOCKS_WAITING] ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void make_states(struct thread_locks *one, const struct locks_copy *c,
			const struct locks_report *r, const struct locks_sched *s)
{
	states_make(&one->states, s, 1, one->time, c->header.ns_per_tick, &r->shares);
}

static void add_past(struct locks_threads *t, const struct locks_copy *c,
		     const struct locks_report *r, const struct locks_past *p)
{
	struct thread_locks *one = &t->v[t->n++];

	*one = (struct thread_locks){
		.tid = p->tid,
		.number = p->number,
		.name = p->name,
		.n = 1,
		.begin = p->begin,
		.end = p->end,
		.time = sum_states(p->ticks),
		.acquisitions = p->acquisitions,
		.instances = p->instances,
		.at_least = p->at_least,
	};
	for (int s = 0; s < LOCKS_STATES; s++)
		one->ticks[s] = p->ticks[s];
	make_states(one, c, r, &p->sched);
}

/* Adds the n rows of a thread. A record that several locks share counts as one lock, which is a
 * lower bound. */
static void add_rows(struct thread_locks *one, const struct locks_copy *c,
		     const struct locks_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct locks_instance *instance = &c->instance[rows[i].instance - 1];

		if (!locks_is_held((enum locks_kind)instance->kind))
			continue;
		one->acquisitions += locks_n(&rows[i], LOCKS_ACQUIRE);
		if (i && rows[i].instance == rows[i - 1].instance)
			continue;
		one->instances++;
		one->at_least |= instance->several;
	}
}

static void add_living(struct locks_threads *t, const struct locks_copy *c,
		       const struct locks_report *r, const struct locks_thread *from)
{
	const struct locks_row *row = c->row, *last = row ? row + c->n_rows : NULL, *first;
	const uint64_t other = locks_n(&from->other, LOCKS_ACQUIRE);
	struct thread_locks *one = &t->v[t->n++];

	*one = (struct thread_locks){
		.tid = from->tid,
		.number = from->number,
		.name = from->name,
		.n = 1,
		.begin = from->begin,
		.end = r->end,
		.alive = true,
		.acquisitions = other,
		.at_least = other != 0,
	};
	for (int s = 0; s < LOCKS_STATES; s++)
		one->ticks[s] = from->ticks[s];
	if (r->end > from->since)
		one->ticks[from->state] += r->end - from->since;
	one->time = sum_states(one->ticks);
	make_states(one, c, r, &from->sched);
	while (row < last && row->slot < from->slot)
		row++;
	for (first = row; row < last && row->slot == from->slot; row++)
		;
	add_rows(one, c, first, (size_t)(row - first));
}

static void add_others(struct locks_threads *t, const struct locks_copy *c,
		       const struct locks_report *r)
{
	struct thread_locks others = {
		.n = (uint32_t)locks_minus(c->header.n_threads, t->n),
		.acquisitions = locks_n(&r->all, LOCKS_ACQUIRE),
		.states = r->states,
	};

	for (int s = 0; s < LOCKS_STATES; s++)
		others.ticks[s] = r->ticks[s];
	for (size_t i = 0; i < t->n; i++) {
		others.acquisitions = locks_minus(others.acquisitions, t->v[i].acquisitions);
		for (int s = 0; s < LOCKS_STATES; s++)
			others.ticks[s] = locks_minus(others.ticks[s], t->v[i].ticks[s]);
		others.states = states_minus(&others.states, &t->v[i].states);
	}
	others.time = sum_states(others.ticks);
	if (others.n || others.acquisitions)
		t->v[t->n++] = others;
}

void locks_threads_make(struct locks_threads *t, const struct locks_copy *c,
			const struct locks_report *r)
{
	const size_t most = c->header.n_pasts + c->n_threads + 1;

	*t = (struct locks_threads){.v = xreallocarray(NULL, most, sizeof *t->v)};
	array_sort(c->row, c->n_rows, sizeof *c->row, compare_rows);
	for (uint32_t i = 0; i < c->header.n_pasts; i++)
		add_past(t, c, r, &c->past[i]);
	for (size_t i = 0; i < c->n_threads; i++)
		if (c->thread[i].tid)
			add_living(t, c, r, &c->thread[i]);
	array_sort(t->v, t->n, sizeof *t->v, compare_threads);
	add_others(t, c, r);
}

void locks_threads_done(struct locks_threads *t)
{
	free(t->v);
	*t = (struct locks_threads){.n = 0};
}

double locks_threads_density(const struct thread_locks *one)
{
	return one->time ? 1e4 * (double)one->acquisitions / (double)one->time : 0;
}
