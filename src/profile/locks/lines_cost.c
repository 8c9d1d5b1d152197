/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: the sentence that says what waiting for locks costs, where, and what to try. */
#include <inttypes.h>

#include "inject/lib/clock.h"
#include "profile/locks/lines_sections.h"
#include "profile/locks/resolver.h"

/* The most places named. */
#define PLACES 3
/* Below this share of the time of all threads, in %, less waiting for locks would gain little. */
#define NEGLIGIBLE 1.0
/* Shorter holds than this, in ns, can hardly be shortened. */
#define LONG_HOLD 10000

/* Returns the time, in ticks, for which threads waited for the lock of a line; 0 if its waits are
 * idle. For condition variables and semaphores it is not known which waits were blocked: all count.
 */
static uint64_t waited(const struct locks_line *line)
{
	const struct locks_row *row = &line->sum;

	if (line->idle)
		return 0;
	return locks_name_knows_contended(line->instance) || line->instance->kind == LOCKS_FUTEX
		       ? row->waited + row->lost + row->under_way
		       : locks_estimate_trying(row);
}

/* Finds the lines with the longest waits, the longest first. Returns their number. */
static size_t find_worst(const struct locks_report *r, const struct locks_line *worst[PLACES])
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct locks_line *line = &r->line[i];
		size_t at = n;

		if (!waited(line))
			continue;
		while (at && waited(worst[at - 1]) < waited(line))
			at--;
		if (at == PLACES)
			continue;
		n += n < PLACES;
		for (size_t k = n - 1; k > at; k--)
			worst[k] = worst[k - 1];
		worst[at] = line;
	}
	return n;
}

/* Returns the line of the place that held the lock during most of the waits; if it is unknown, the
 * line itself.
 */
static const struct locks_line *find_holder(const struct locks_report *r,
					    const struct locks_line *line)
{
	for (size_t i = 0; i < r->n && line->holder; i++)
		if (r->line[i].instance == line->instance && r->line[i].sum.caller == line->holder)
			return &r->line[i];
	return line;
}

static void add_advice(const struct locks_lines *l, struct strbuf *out,
		       const struct locks_line *line)
{
	const struct locks_line *holder = find_holder(l->report, line);
	const struct locks_estimate hold = locks_estimate(&holder->sum, LOCKS_HOLD);
	const uint64_t mean =
		hold.known ? tt_multiply(hold.sum, l->copy->header.ns_per_tick) / hold.n : 0;

	if (line->instance && line->instance->kind == LOCKS_FUTEX) {
		strbuf_addstr(out, "; to try: do less before the wake by ");
		locks_name_add_caller(l->names, out,
				      line->holder ? line->holder : line->sum.caller);
	} else if (mean >= LONG_HOLD) {
		strbuf_addf(out,
			    "; to try: do less while the lock is held, %" PRIu64
			    " us each time, by ",
			    mean / 1000);
		locks_name_add_caller(l->names, out, holder->sum.caller);
	} else if (line->instance && line->instance->kind == LOCKS_SPIN) {
		strbuf_addstr(out, "; to try: a mutex, which does not spin, or fewer acquisitions");
	} else {
		strbuf_addstr(out,
			      "; to try: fewer acquisitions, or several locks in place of one");
	}
}

/* Returns whether it is known of each thread how long it ran. */
static bool knows_all(const struct states *s)
{
	return s->n_known && s->n_known >= s->n_threads;
}

/* Appends, and returns, the share of the time of all threads, in %: the time in which they were
 * blocked for locks or tried to get them; if that is unknown of a thread, all attempts to acquire
 * locks. */
static double add_shares(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_report *r = l->report;
	const struct states *s = &r->states;
	const double share =
		knows_all(s) ? lines_percent(s->ns[STATES_LOCK] + s->lock_run, states_sum(s))
			     : lines_percent(locks_minus(r->ticks[LOCKS_WAITING], r->idle),
					     locks_report_time(r));

	strbuf_addf(out, "#   waiting for locks: %.1f %% of this time", share);
	if (knows_all(s))
		strbuf_addf(out,
			    " (blocked %.1f %%, running %.1f %%, which is %.1f %% of the CPU time)",
			    lines_percent(s->ns[STATES_LOCK], states_sum(s)),
			    lines_percent(s->lock_run, states_sum(s)),
			    lines_percent(s->lock_run, s->ns[STATES_RUNNING]));
	return share;
}

void lines_cost_add_text(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_line *worst[PLACES];
	const size_t n = find_worst(l->report, worst);
	uint64_t all = 0;
	double share;

	if (!n) {
		strbuf_addstr(out, "#   no thread had to wait for a lock\n");
		return;
	}
	for (size_t i = 0; i < l->report->n; i++)
		all += waited(&l->report->line[i]);
	share = add_shares(l, out);
	for (size_t i = 0; i < n; i++) {
		strbuf_addstr(out, i ? ", " : "; most for ");
		locks_name_add(l->names, out, worst[i]->instance);
		strbuf_addstr(out, " in ");
		locks_name_add_caller(l->names, out, worst[i]->sum.caller);
		strbuf_addf(out, " (%.0f %%)", lines_percent(waited(worst[i]), all));
	}
	if (share >= NEGLIGIBLE)
		add_advice(l, out, worst[0]);
	else if (knows_all(&l->report->states))
		strbuf_addstr(out, "; little to gain");
	strbuf_addch(out, '\n');
}
