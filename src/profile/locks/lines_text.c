/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: the sentences above the tables. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/clock.h"
#include "inject/preload/table_note.h"
#include "profile/locks/lines_sections.h"
#include "profile/locks/resolver.h"
#include "profile/locks/symbol.h"

/* ---- lines_head ----
 *
 * The sentences above the tables in text.
 */

static void add_sentence(struct strbuf *out, uint64_t n, const char *what)
{
	if (n)
		strbuf_addf(out, "#   %s: %" PRIu64 "\n", what, n);
}

/* Returns the mark that stands before a number: "~" for an estimate. */
static const char *mark_of(const struct locks_estimate *e)
{
	return e->exact ? "" : "~";
}

/* Appends the mean time of a phase. */
static void add_mean(const struct locks_lines *l, struct strbuf *out, const struct locks_row *sum,
		     enum locks_phase phase)
{
	const struct locks_estimate e = locks_estimate(sum, phase);

	if (e.known)
		strbuf_addf(out, "%s%.0f ns", mark_of(&e), lines_mean(l, &e));
	else
		strbuf_addch(out, '?');
}

static void add_lock_means(const struct locks_lines *l, struct strbuf *out)
{
	static const char *const words[] = {"acquired in", "held for", "released in"};

	if (!locks_n(&l->report->all, LOCKS_ACQUIRE))
		return;
	strbuf_addstr(out, "#   a lock was on average");
	for (int p = 0; p < LOCKS_PHASES; p++) {
		strbuf_addf(out, "%s %s ", p ? "," : "", words[p]);
		add_mean(l, out, &l->report->all, (enum locks_phase)p);
	}
	strbuf_addch(out, '\n');
}

/* Appends the mean wait for each kind of objects that are not held, which are not in the sums of
 * locks. */
static void add_wait_means(const struct locks_lines *l, struct strbuf *out)
{
	bool any = false;

	for (int k = LOCKS_COND; k < LOCKS_N_KINDS; k++) {
		const struct locks_instance instance = {.kind = (uint32_t)k};
		struct locks_row sum = {.instance = 0};

		for (size_t i = 0; i < l->report->n; i++) {
			const struct locks_line *line = &l->report->line[i];

			if (line->instance && (int)line->instance->kind == k)
				locks_row_add(&sum, &line->sum);
		}
		if (!locks_n(&sum, LOCKS_ACQUIRE))
			continue;
		strbuf_addf(out, "%s %s ", any ? "," : "#   a wait took on average: for a",
			    locks_name_kind(&instance, false));
		add_mean(l, out, &sum, LOCKS_ACQUIRE);
		strbuf_addf(out, " (%" PRIu64 ")", locks_n(&sum, LOCKS_ACQUIRE));
		any = true;
	}
	if (any)
		strbuf_addch(out, '\n');
}

/* Appends how often the program called futex(2) itself, and how many of these calls have no row. */
static void add_futex(const struct locks_lines *l, struct strbuf *out)
{
	if (!l->report->n_futex)
		return;
	strbuf_addf(out, "#   calls of futex(2) by the program itself, first by ");
	locks_name_add_caller(l->names, out, l->copy->header.futex_caller);
	strbuf_addf(out, ", in rows of the kind futex: %" PRIu64 "\n",
		    locks_minus(l->report->n_futex, l->report->n_futex_left_out));
	add_sentence(out, l->report->n_futex_left_out,
		     "calls of futex(2) that are in no row of their own");
}

static void add_unseen(const struct locks_lines *l, struct strbuf *out)
{
	struct strbuf part;

	strbuf_init(&part);
	for (uint32_t i = 0; i < l->copy->header.n_modules; i++)
		if (futex_waits_explain(&l->copy->module[i], l->copy->kernel.used, &part))
			strbuf_addf(out, "#   %s\n", part.text);
	strbuf_done(&part);
}

/* Appends the sentences about names that do not come from a symbol of a file that contains the
 * place: those of the nearest function, and those of generated code. */
static void add_origins(const struct locks_lines *l, struct strbuf *out)
{
	struct strbuf files;

	strbuf_init(&files);
	if (resolver_add_nearest(l->names, &files))
		strbuf_addf(
			out,
			"#   names after ~ are the nearest function before the place, as symbols "
			"are missing in: %s\n",
			files.text);
	strbuf_done(&files);
	if (resolver_n_generated(l->names))
		strbuf_addf(out,
			    "#   names of code that the process has generated are those of "
			    "/tmp/perf-%u.map\n",
			    l->copy->header.container.pid);
}

/* Appends what the records of the kernel lack. */
static void add_kernel(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_kernel *kernel = &l->copy->kernel;

	if (kernel->alone)
		strbuf_addstr(out, "#   measured by the kernel's records of futex(2) alone: locks "
				   "that no thread waited for are not here\n");
	if (kernel->alone && kernel->ignored)
		strbuf_addf(
			out,
			"#   %s has no effect on this program: only tiptop-locks.so applies it\n",
			kernel->ignored);
	add_sentence(out, kernel->n_lost,
		     "records that the kernel lost, as it made them faster than tiptop read them");
	add_sentence(
		out, kernel->n_unpaired,
		"calls of futex(2), of all processes, in no row, as a part of each may be lost "
		"(without those that are lost as a whole)");
}

/* Appends the share of the time in calls that acquire a lock or wait, and its parts. */
static void add_waiting(const struct locks_lines *l, struct strbuf *out, uint64_t time)
{
	const uint64_t waiting = l->report->ticks[LOCKS_WAITING], idle = l->report->idle;

	strbuf_addf(out, "%.1f %%", lines_percent(waiting, time));
	if (idle)
		strbuf_addf(out, " (for locks %.1f %%, for work %.1f %%)",
			    lines_percent(locks_minus(waiting, idle), time),
			    lines_percent(idle, time));
}

static void add_states(const struct locks_lines *l, struct strbuf *out, uint64_t time)
{
	const uint64_t *ticks = l->report->ticks;

	if (l->copy->kernel.alone) {
		strbuf_addstr(out, "#   waiting ");
		add_waiting(l, out, time);
		strbuf_addstr(out, "; how long locks were held is not known\n");
		return;
	}
	if (lines_is_sampled(l)) {
		strbuf_addf(out,
			    "#   one in %u acquisitions was timed, and all that found their lock "
			    "taken: numbers after ~ are estimates\n#   of this time by calls: "
			    "acquiring "
			    "taken locks or waiting ",
			    l->copy->header.sample);
		add_waiting(l, out, time);
		strbuf_addf(
			out,
			", in tiptop %.1f %%; whether a lock was held in the rest is not known\n",
			lines_percent(ticks[LOCKS_OWN], time));
		return;
	}
	strbuf_addstr(out, "#   of this time by calls: acquiring or waiting ");
	add_waiting(l, out, time);
	strbuf_addf(out, ", holding a lock %.1f %%, neither %.1f %%, in tiptop %.1f %%\n",
		    lines_percent(ticks[LOCKS_HOLDING], time),
		    lines_percent(ticks[LOCKS_FREE], time), lines_percent(ticks[LOCKS_OWN], time));
}

static void add_overhead(const struct locks_lines *l, struct strbuf *out, uint64_t time)
{
	const struct locks_header *h = &l->copy->header;

	if (l->copy->kernel.alone) {
		strbuf_addstr(out, "#   the cost of measuring, which is in these times, is not "
				   "known\n");
		return;
	}
	if (!h->overhead_ticks) {
		strbuf_addstr(out, "#   the cost of measuring is unknown in this process\n");
		return;
	}
	strbuf_addf(out, "#   measuring takes %" PRIu64 " ns an acquisition",
		    lines_ns(l, h->overhead_ticks));
	if (lines_is_sampled(l))
		strbuf_addf(out, " that is timed and %" PRIu64 " ns one that is not",
			    lines_ns(l, h->counted_ticks));
	strbuf_addf(out, ", %.1f %% of the time", lines_percent(l->report->own, time));
	if (l->report->cpu_ns)
		strbuf_addf(out, " and %.1f %% of the CPU time",
			    lines_percent(lines_ns(l, l->report->own), l->report->cpu_ns));
	strbuf_addstr(out, ", which is in these times\n");
}

static void add_acquisitions(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_report *r = l->report;
	const uint64_t n = locks_n(&r->all, LOCKS_ACQUIRE);

	strbuf_addf(out,
		    "#   %" PRIu64 " acquisition%s of %s%" PRIu64 " lock%s, %.3f in 10,000 ticks "
		    "of the clock; times are not CPU cycles\n",
		    n, n == 1 ? "" : "s", r->at_least ? "at least " : "", r->instances,
		    r->instances == 1 ? "" : "s", lines_density(r));
	lines_shared_add_text(l, out);
	add_lock_means(l, out);
	add_wait_means(l, out);
	add_overhead(l, out, locks_report_time(r));
}

void lines_head_add_text(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_header *h = &l->copy->header;
	const struct locks_report *r = l->report;
	const uint64_t time = locks_report_time(r);
	const bool alone = l->copy->kernel.alone;

	strbuf_addf(out, "# locks of process %u: %u thread%s, %.3f s of %s time\n",
		    h->container.pid, h->n_threads, h->n_threads == 1 ? "" : "s",
		    (double)lines_ns(l, time) / 1e9, h->n_threads == 1 ? "its" : "their");
	header_add_stop(out, h->lacking_call, lines_ns(l, h->end - h->begin));
	lines_cost_add_text(l, out);
	if (!alone) {
		lines_halving_add_text(l, out);
		lines_states_add_text(&r->states, out);
	}
	add_states(l, out, time);
	if (alone) {
		add_wait_means(l, out);
		add_overhead(l, out, time);
	} else {
		add_acquisitions(l, out);
	}
	add_kernel(l, out);
	for (uint32_t e = 0; e < h->n_events; e++)
		lines_events_add_text_head(l, out, e);
	add_sentence(out, h->n_homeless,
		     "threads without room in the table, whose locks are not here");
	if (r->n_under_way)
		strbuf_addf(out,
			    "#   waits that had not ended at the end: %" PRIu64
			    ", for %.3f ms so far\n",
			    r->n_under_way, (double)lines_ns(l, r->under_way) / 1e6);
	add_sentence(out, locks_report_held(r),
		     "acquisitions that had not been released at the end");
	add_sentence(out, r->n_unmeasured,
		     "calls in signal handlers that interrupted the measuring, which are not here");
	add_sentence(out, r->n_too_deep,
		     "acquisitions without a measured hold, as their thread held 64 other locks");
	add_sentence(
		out, r->n_unmatched,
		"releases of locks that the thread had not acquired, or without a measured hold");
	add_futex(l, out);
	add_unseen(l, out);
	add_origins(l, out);
	if (resolver_n_given_up(l->names))
		strbuf_addf(out,
			    "#   %zu names and lines of the source were not looked up, as %s: file "
			    "and offset stand for a name\n",
			    resolver_n_given_up(l->names), resolver_reason(l->names));
}

/* ---- lines_cost ----
 *
 * The sentence that says what waiting for locks costs, where, and what to try.
 */

/* The most places named. */
#define PLACES 3
/* Below this share of the time of all threads, in %, less waiting for locks would gain little, and
 * doubtful waits are not worth a sentence. */
#define NEGLIGIBLE 1.0
/* From this predicted saving on, in % of the time, the report does not say "little to gain". */
#define MUCH 5.0
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

/* Returns the line of the caller whose holds made this line wait longest; if it is unknown, the
 * line itself. */
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

/* Appends and returns the time for which threads waited for locks, blocked or running, in % of the
 * time of all threads. If it is unknown how long a thread ran, it is the time of all attempts to
 * acquire locks. */
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

/* Returns whether halving the hold time of a lock is predicted to save so much that the sentence
 * about it would contradict "little to gain". */
static bool promises_much(const struct halvings *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (100 * h->v[i].saved >= MUCH)
			return true;
	return false;
}

/* The doubtful waits in one place of the code. */
struct doubt {
	uint64_t caller, ticks;
};

static int compare_doubts(const void *a, const void *b)
{
	const struct doubt *x = a, *y = b;

	return (x->caller > y->caller) - (x->caller < y->caller);
}

/* Returns the time of the waits that are for work with the certainty WAIT_MAYBE, in % of the time
 * of all threads. Sets *caller to the place with the longest ones, if there are any. */
static double find_doubts(const struct locks_report *r, uint64_t *caller)
{
	struct doubt *doubt = xcalloc(r->n + 1, sizeof *doubt), sum = {0};
	uint64_t all = 0, most = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->line[i].idle && r->line[i].certainty == WAIT_MAYBE)
			doubt[n++] = (struct doubt){r->line[i].sum.caller,
						    locks_estimate_trying(&r->line[i].sum)};
	array_sort(doubt, n, sizeof *doubt, compare_doubts);
	for (size_t i = 0; i < n; i++) {
		if (sum.caller != doubt[i].caller)
			sum = (struct doubt){.caller = doubt[i].caller};
		sum.ticks += doubt[i].ticks;
		all += doubt[i].ticks;
		if (sum.ticks <= most)
			continue;
		most = sum.ticks;
		*caller = sum.caller;
	}
	free(doubt);
	return lines_percent(all, locks_report_time(r));
}

/* Returns whether threads may have waited for locks that are not here. */
static bool hides_waits(const struct locks_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_modules; i++)
		if (futex_waits_hide(&c->module[i], c->kernel.used))
			return true;
	return false;
}

/* Appends the sentence about the n lines with the longest waits for locks. is_all: no other waits
 * may be for locks. */
static void add_cost(const struct locks_lines *l, struct strbuf *out,
		     const struct locks_line *const worst[], size_t n, bool is_all)
{
	uint64_t all = 0;
	double share;

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
	else if (is_all && knows_all(&l->report->states) && !promises_much(l->halvings))
		strbuf_addstr(out, "; little to gain");
	strbuf_addch(out, '\n');
}

void lines_cost_add_text(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_line *worst[PLACES];
	const size_t n = find_worst(l->report, worst);
	uint64_t caller = 0;
	const double doubts = find_doubts(l->report, &caller);
	const bool is_all = doubts < NEGLIGIBLE && !hides_waits(l->copy);

	if (n)
		add_cost(l, out, worst, n, is_all);
	else if (is_all)
		strbuf_addstr(out, "#   no thread had to wait for a lock\n");
	if (doubts < NEGLIGIBLE)
		return;
	strbuf_addf(out, "#   waits that may be for a lock: %.1f %% of this time, most in ",
		    doubts);
	locks_name_add_caller(l->names, out, caller);
	strbuf_addstr(out, " (probably for work)\n");
}

/* ---- lines_halving ----
 *
 * How much of the time halving the hold time of a lock would save.
 */

/* Hold times below this, in ns, are given in ns, others in us. */
#define IN_US 10000

void lines_halving_add_text(const struct locks_lines *l, struct strbuf *out)
{
	const struct halvings *h = l->halvings;

	for (size_t i = 0; i < h->n; i++) {
		const uint64_t hold = lines_ns(l, h->v[i].hold);
		const bool is_short = hold < IN_US;

		strbuf_addstr(out, "#   halving the hold time of ");
		locks_name_add(l->names, out, h->v[i].instance);
		strbuf_addf(out,
			    ", %" PRIu64
			    " %s each, would save %.0f %% of the %.3f s in which %" PRIu32
			    " threads use it, if the threads' other work takes as long as before\n",
			    is_short ? hold : hold / 1000, is_short ? "ns" : "us",
			    100 * h->v[i].saved, (double)lines_ns(l, h->time) / 1e9, h->n_threads);
	}
}

void lines_halving_put(struct report_record *record, const struct locks_lines *l)
{
	const struct halvings *h = l->halvings;

	record_value(record, "halving_time", lines_known(lines_ns(l, h->time), !h->reason));
	record_optional_text(record, "halving_reason", h->reason);
}

/* The row of each caller of a lock has what halving all holds of the lock saves. */
void lines_halving_put_row(struct report_record *record, const struct locks_lines *l,
			   const struct locks_line *line)
{
	const struct halvings *h = l->halvings;

	for (size_t i = 0; i < h->n && !line->group.name; i++) {
		if (h->v[i].instance != line->instance)
			continue;
		record_count(record, "halving_saves",
			     (uint64_t)(h->v[i].saved * (double)lines_ns(l, h->time)));
		return;
	}
	record_absent(record, "halving_saves");
}
