/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/states.h"

#include "inject/lib/clock.h"
#include "profile/locks/estimate.h"
#include "profile/locks/line.h"

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

/* Times of waits, in ns. off: not on a CPU; off_lock, on_lock: in waits for locks, not on and on a
 * CPU. */
struct parts {
	double off, off_lock, on_lock;
};

static struct parts add_waits(const struct locks_sched *s, uint64_t scale,
			      const struct states_shares *shares)
{
	struct parts p = {.off = 0};

	for (int k = 0; k < LOCKS_N_KINDS; k++) {
		const uint64_t all = tt_multiply(s->waited[k], scale),
			       on = k == LOCKS_SPIN ? all : least(s->waited_run[k], all);

		p.off += (double)(all - on);
		p.off_lock += (double)(all - on) * shares->lock[k];
		p.on_lock += (double)on * shares->lock[k];
	}
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
	const double in = p.off < (double)off ? p.off : (double)off;
	double factor;

	*to = (struct states){.n_threads = n_threads,
			      .n_known = least(s->total[LOCKS_TIMED], n_threads)};
	if (!to->n_known) {
		to->ns[STATES_OTHER] = life;
		return;
	}
	factor = p.off > 0 ? (in - find_delay(s, (double)delay, in, (double)off - in)) / p.off : 0;
	to->lock_run = p.on_lock < (double)run ? (uint64_t)p.on_lock : run;
	to->ns[STATES_RUNNING] = run;
	to->ns[STATES_RUNNABLE] = delay;
	to->ns[STATES_LOCK] = least((uint64_t)(factor * p.off_lock), off - delay);
	to->ns[STATES_WORK] =
		least((uint64_t)(factor * (p.off - p.off_lock)), off - delay - to->ns[STATES_LOCK]);
	to->ns[STATES_OTHER] = off - delay - to->ns[STATES_LOCK] - to->ns[STATES_WORK];
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
