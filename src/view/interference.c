/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/interference.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/phase.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "model/history.h"
#include "model/kinds.h"
#include "view/evaluate.h"
#include "view/view.h"

/* ---- changes ---- */

/* Minimal shares of an interval that a task is on a CPU: to be busy, and for its IPC to be used. */
#define BUSY      0.1
#define IPC_LEAST 0.01
/* A task begins after at least IDLE_LEAST refreshes in which it was not busy, and N_BUSY_LEAST in
 * which it was busy. */
#define IDLE_LEAST   5
#define N_BUSY_LEAST 3

/* The minimal change of %CPU, in percentage points. */
#define CPU_LEAST 1
/* Tasks that do not run any more (rest) are checked every REST_EVERY refreshes. At most REST_MAX
 * moments of rest are added at once: that is long enough for a phase, and leaves earlier moments in
 * the window of the test. */
#define REST_EVERY 8
#define REST_MAX   (PHASE_WINDOW - PHASE_LEAST)

/* The state of a task. */
struct task_state {
	struct row_id of;
	uint32_t last;    /* last moment at which it ran */
	uint32_t busy;    /* last moment at which it was busy; 0: none */
	uint32_t began;   /* moment at which it began to be busy; 0: unknown */
	uint8_t n_busy;   /* busy moments since it began; N_BUSY_LEAST: CHANGE_BEGAN was added */
	uint32_t counted; /* last moment with a known %CPU */
	bool gone;        /* it has ended */
	struct phase ipc, cpu;
};

struct changes {
	struct hash task_state; /* struct task_state, by key_of(); owned */
	struct change *v;
	size_t n, cap;
	uint32_t first;
	uint32_t trimmed_at;     /* moment of the last make_room() */
	uint32_t restart_moment; /* last moment without an interval */
	struct work_events events;
};

struct changes *changes_new(void)
{
	return xcalloc(1, sizeof(struct changes));
}

void changes_reset(struct changes *c)
{
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos)))
		free(d);
	hash_done(&c->task_state);
	free(c->v);
	*c = (struct changes){.n = 0};
}

void changes_free(struct changes *c)
{
	if (!c)
		return;
	changes_reset(c);
	free(c);
}

size_t changes_n(const struct changes *c)
{
	return c ? c->n : 0;
}

const struct change *changes_at(const struct changes *c, size_t i)
{
	return &c->v[i];
}

uint32_t changes_first(const struct changes *c)
{
	return c->first;
}

/* ---- log of changes ---- */

static struct change *add_change(struct changes *c, enum change_kind kind,
				 const struct task_state *d, const struct task *t,
				 const struct work *w, uint32_t seen)
{
	struct strbuf name;
	struct change *change;

	if (c->n == CHANGES_MAX) {
		c->n -= CHANGES_MAX / 4;
		memmove(c->v, c->v + CHANGES_MAX / 4, c->n * sizeof *c->v);
		c->first = c->v[0].moment;
	}
	c->v = xgrow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	change = &c->v[c->n++];
	*change = (struct change){
		.kind = kind,
		.seen = seen,
		.of = d->of,
		.cpu = w->cpu,
		.cpu_share = w->cpu_share,
		.misses_second = w->seconds > 0 ? w->misses / w->seconds : NAN,
	};
	strbuf_init(&name);
	text_add(&name, t->name);
	snprintf(change->name, sizeof change->name, "%s", name.text);
	strbuf_done(&name);
	return change;
}

/* ---- tasks ---- */

static uint64_t key_of(uint64_t id, uint64_t start_ns)
{
	return id * 0x9e3779b97f4a7c15u ^ start_ns;
}

static void forget(struct changes *c, uint32_t before)
{
	struct hash kept = HASH_INIT;
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos)))
		if (d->last < before)
			free(d);
		else
			hash_put(&kept, key_of(d->of.id, d->of.start_ns), d);
	hash_done(&c->task_state);
	c->task_state = kept;
}

/* Drops the tasks whose last run lies in the older half of the time since the oldest last run of
 * all tasks. */
static void make_room(struct changes *c, uint32_t now)
{
	uint32_t oldest = now;
	size_t pos = 0;
	struct task_state *d;

	if (c->trimmed_at == now)
		return;
	c->trimmed_at = now;
	while ((d = hash_next(&c->task_state, &pos)))
		oldest = d->last < oldest ? d->last : oldest;
	forget(c, oldest + (now - oldest + 1) / 2);
}

static bool is_of(const struct task_state *d, const struct task *t)
{
	return d->of.id == t->id && d->of.start_ns == t->start_ns;
}

/* Returns the state of a task; creates it on first use. NULL: there is no room for it in this
 * refresh. */
static struct task_state *find(struct changes *c, const struct task *t, uint32_t moment)
{
	struct task_state *d = hash_get(&c->task_state, key_of(t->id, t->start_ns));

	if (d && is_of(d, t))
		return d;
	if (!d) {
		if (c->task_state.n >= CHANGES_TASKS_MAX)
			make_room(c, moment);
		if (c->task_state.n >= CHANGES_TASKS_MAX)
			return NULL;
		d = xmalloc(sizeof *d);
		hash_put(&c->task_state, key_of(t->id, t->start_ns), d);
	}
	*d = (struct task_state){
		.of = {.kind = t->kind, .owner = t->owner, .id = t->id, .start_ns = t->start_ns}};
	return d;
}

/* Returns whether the task is known to have been idle, or not to have existed, before it became
 * busy. */
static bool was_idle(const struct changes *c, const struct task_state *d,
		     const struct delta_row *row)
{
	const uint32_t since = d->busy ? d->busy : c->first;

	return (row->born && !d->busy) || d->last - since > IDLE_LEAST;
}

static void see_begin(struct changes *c, struct task_state *d, const struct delta_row *row,
		      const struct work *w)
{
	if (!(w->cpu_share >= BUSY))
		return;
	if (was_idle(c, d, row)) {
		d->began = d->last;
		d->n_busy = 0;
	} else if (d->busy + 1 != d->last) {
		d->n_busy = N_BUSY_LEAST;
	}
	d->busy = d->last;
	if (!d->began || d->n_busy == N_BUSY_LEAST)
		return;
	if (++d->n_busy == N_BUSY_LEAST)
		add_change(c, CHANGE_BEGAN, d, row->task, w, d->last)->moment = d->began;
}

static void add_phase(struct changes *c, enum change_kind kind, const struct task_state *d,
		      const struct task *t, const struct work *w, uint32_t moment,
		      const struct phase_change *seen)
{
	struct change *change = add_change(c, kind, d, t, w, moment);

	change->moment = seen->when;
	change->before = seen->before;
	change->after = seen->after;
	change->noise = seen->noise;
	change->likelier = seen->likelier;
}

static void see_ipc(struct changes *c, struct task_state *d, const struct delta_row *row,
		    const struct work *w)
{
	struct phase_change seen;

	if (w->cpu_share >= IPC_LEAST && w->cycles > 0 && w->instructions >= 0 &&
	    phase_add(&d->ipc, w->instructions / w->cycles, d->last, &seen))
		add_phase(c, CHANGE_IPC, d, row->task, w, d->last, &seen);
}

/* Adds n moments, up to this one, with the %CPU of w. */
static void take_cpu(struct changes *c, struct task_state *d, const struct task *t,
		     const struct work *w, uint32_t n, uint32_t moment)
{
	struct phase_change seen;

	d->counted = moment;
	if (phase_add_same(&d->cpu, 100 * w->cpu_share, n, moment - n + 1, &seen) &&
	    fabs(seen.after - seen.before) >= CPU_LEAST)
		add_phase(c, CHANGE_CPU, d, t, w, moment, &seen);
}

/* Adds the moments of rest since the last known %CPU, up to this moment. */
static void take_rest(struct changes *c, struct task_state *d, const struct task *t,
		      uint32_t moment)
{
	static const struct work rest = {
		.cpu = -1, .seconds = NAN, .instructions = NAN, .cycles = NAN, .misses = NAN};
	const uint32_t since = d->counted > c->restart_moment ? d->counted : c->restart_moment;
	const uint32_t n = moment > since ? moment - since : 0;

	if (d->counted && n)
		take_cpu(c, d, t, &rest, n < REST_MAX ? n : REST_MAX, moment);
}

static void see_cpu(struct changes *c, struct task_state *d, const struct delta_row *row,
		    const struct work *w)
{
	d->gone = row->task->dead;
	if (d->gone)
		return;
	take_rest(c, d, row->task, d->last - 1);
	if (w->cpu_share >= 0)
		take_cpu(c, d, row->task, w, 1, d->last);
	else
		d->counted = d->last;
}

/* Adds moments of rest to the tasks that have stopped running, so that their change of %CPU is
 * found before they run again. */
static void see_resting(struct changes *c, const struct sample *sample, uint32_t moment)
{
	size_t pos = 0;
	struct task_state *d;

	while ((d = hash_next(&c->task_state, &pos))) {
		const struct task key = {.kind = d->of.kind,
					 .owner = d->of.owner,
					 .id = d->of.id,
					 .start_ns = d->of.start_ns};
		const struct task *t;

		if (d->gone || moment - d->last < PHASE_LEAST ||
		    moment - d->last >= PHASE_LEAST + 2 * REST_EVERY)
			continue;
		t = sample_find(sample, &key);
		d->gone = !t || t->dead;
		if (!d->gone)
			take_rest(c, d, t, moment);
	}
}

void changes_add(struct changes *c, const struct delta *delta, uint32_t moment)
{
	if (!delta->interval_ns) {
		c->restart_moment = moment;
		return;
	}
	if (!c->first)
		c->first = moment;
	c->events.of = NULL;
	for (size_t i = 0; i < delta->n; i++) {
		const struct delta_row *row = &delta->row[i];
		struct task_state *d;
		struct work w;

		if (row->task->kind != &kind_task || (row->fresh && !row->born))
			continue;
		d = find(c, row->task, moment);
		if (!d)
			continue;
		d->last = moment;
		work_read(&w, &c->events, row);
		see_begin(c, d, row, &w);
		see_ipc(c, d, row, &w);
		see_cpu(c, d, row, &w);
	}
	if (moment % REST_EVERY == 0)
		see_resting(c, delta->sample, moment);
}

/* ---- sentences ----
 *
 * Sentences about an interference.
 */

static const char *const share_text[] = {
	[SHARE_NOTHING] = "",
	[SHARE_NODE] = ", which shares the memory",
	[SHARE_L3] = ", which shares the L3",
	[SHARE_L2] = ", which shares the L2",
	[SHARE_CORE] = ", which shares the core",
	[SHARE_CPU] = ", the same one",
};

/* Appends the time from the cause to the drop. The cause may seem to be later, as the times of
 * changes are known only to one refresh. */
static void add_lead(struct strbuf *out, double lead_s)
{
	if (lead_s == 0)
		strbuf_addstr(out, " at that time");
	else
		strbuf_addf(out, " %.3g s %s", fabs(lead_s), lead_s > 0 ? "before" : "after");
}

/* The words for the kind of cause, and the id of a sentence with them. */
static const struct {
	const char *id, *text;
} cause_text[] = {
	[CHANGE_BEGAN] = {"ipc-drop-task-began", "began"},
	[CHANGE_IPC] = {"ipc-drop-phase-changed", "changed its phase"},
};

const char *interference_id(const struct interference *i)
{
	return cause_text[i->cause->kind].id;
}

void interference_describe(struct strbuf *out, const struct interference *i)
{
	const struct change *cause = i->cause;

	strbuf_addf(out, "IPC %.2f -> %.2f since ", i->drop->before, i->drop->after);
	clock_add_time_of_day(out, i->wall_ns);
	strbuf_addf(out, "; %" PRIu64 " %s ", cause->of.id, cause->name);
	strbuf_addstr(out, cause_text[cause->kind].text);
	strbuf_addf(out, " on CPU %d%s,", i->cpu, share_text[i->share]);
	add_lead(out, i->lead_s);
}

void interference_explain(struct strbuf *out, const struct interference *i)
{
	if (!isnan(i->before) && !isnan(i->after))
		strbuf_addf(out, "cache misses per 1000 instructions %.3g -> %.3g; ", i->before,
			    i->after);
	else
		strbuf_addstr(out, "cache misses were not counted; ");
	if (!isnan(i->brought)) {
		strbuf_addf(out, "those of %s grew by ", i->cause->name);
		unit_add(out, UNIT_COUNT, fmax(i->brought, 0));
		strbuf_addstr(out, " a second; ");
	}
	if (i->n_others)
		strbuf_addf(out, "%zu more change%s near it could be the cause as well; ",
			    i->n_others, i->n_others == 1 ? "" : "s");
	strbuf_addf(out,
		    "a coincidence in time is no proof: 1 in %.0f drops coincides with such a "
		    "change by chance",
		    fmax(floor(1 / i->chance), 1));
}

/* ---- span ----
 *
 * The work of a row in some consecutive refreshes, from its history. Pure.
 */

/* The maximal number of refreshes in a span. */
#define SPAN 8

/* Sums over the refreshes of a span; NaN if a part is unknown. */
struct span {
	int n;            /* refreshes in which it ran */
	double cpu_share; /* sum over the refreshes; 1 is one CPU in one of them */
	double seconds;   /* sum over all refreshes */
	double instructions, cycles, misses, mispredicted;
	int cpu[SPAN]; /* the CPU in each refresh; -1: it did not run, or unknown */
};

static void add_work(struct span *s, const struct work *w, uint32_t k)
{
	s->n++;
	s->cpu_share += w->cpu_share;
	s->instructions += w->instructions;
	s->cycles += w->cycles;
	s->misses += w->misses;
	s->mispredicted += w->mispredicted;
	s->cpu[k] = w->cpu;
}

/* Reads the moments from `from` to before `to`, which must be kept; threads: rows are threads. */
static void span_read(struct span *s, const struct history *history, const struct row_id *of,
		      bool threads, uint32_t from, uint32_t to)
{
	const struct task task = {.kind = of->kind, .id = of->id, .start_ns = of->start_ns};
	const struct history_track *track = history_find(history, &task, threads);
	struct work_events events = {.of = NULL};
	struct history_walk w = {.cap = 0};

	memset(s, 0, sizeof *s);
	for (int k = 0; k < SPAN; k++)
		s->cpu[k] = -1;
	for (uint32_t k = from; k < to; k++)
		s->seconds += (double)history_moment(history, k)->interval_ns / 1e9;
	history_walk_begin(&w, track, from, &task);
	while (history_walk_next(&w) && w.moment < to) {
		struct work work;

		if (w.fresh || w.moment < from)
			continue;
		work_read(&work, &events, &w.row);
		add_work(s, &work, w.moment - from);
	}
	history_walk_done(&w);
}

/* Returns the most frequent CPU; -1: unknown. */
static int span_usual_cpu(const struct span *s)
{
	int best = -1, best_n = 0;

	for (int i = 0; i < SPAN; i++) {
		int n = 0;

		for (int k = 0; k < SPAN; k++)
			n += s->cpu[k] == s->cpu[i];
		if (s->cpu[i] >= 0 && n > best_n) {
			best = s->cpu[i];
			best_n = n;
		}
	}
	return best;
}

/* Returns cache misses per second. */
static double span_misses_second(const struct span *s)
{
	return s->n ? s->misses / s->seconds : 0;
}

/* ---- interference ---- */

/* The minimal number of refreshes before and after a change. */
#define SPAN_LEAST 5
/* A drop of the IPC to this part, or less, is examined. */
#define DROP 0.9
/* The maximal number of refreshes by which a task may have begun before the drop, and after the
 * drop: the moment of the drop is uncertain by one refresh. */
#define BEFORE_MAX 2
#define BEHIND_MAX 1
/* The minimal share of time on a CPU of a task that may disturb others. */
#define BUSY_LEAST 0.3
/* The minimal number, of three refreshes, in which both tasks share a resource. */
#define SHARED_OF_3 2
/* Upper bounds of the cost of a cache miss and of a mispredicted branch, in cycles. */
#define MISS_CYCLES       500.0
#define MISPREDICT_CYCLES 20.0
/* Mispredicted branches per instruction. If there are fewer before and after the drop, their change
 * says nothing about the work. */
#define MISPREDICTED_LEAST 0.0002
#define MIX_CHANGE         2.0
/* Fewer cache misses per second than these replace too little in a cache to matter. */
#define MISSES_LEAST 1e5
/* The minimal growth of misses per instruction if a cache is shared. */
#define MISSES_RISE 1.25
/* The minimal ratio of misses per instruction after the drop to those before: below this, misses
 * have become fewer. */
#define FEWER      0.8
#define CHANCE_MAX 0.1

/* ---- victim ---- */

/* A task whose IPC dropped, and its work: before the drop and before the possible cause; after
 * both. */
struct victim {
	const struct interference_input *in;
	const struct change *drop;
	struct span before, after;
	uint32_t after_from;
};

static void read_span(const struct interference_input *in, struct span *out,
		      const struct row_id *of, uint32_t from, uint32_t to)
{
	span_read(out, in->history, of, in->threads, from, to);
}

static double per_instruction(double number, const struct span *s)
{
	return number / s->instructions;
}

/* Returns the growth of cycles per instruction. */
static double cycles_growth(const struct victim *v)
{
	return per_instruction(v->after.cycles, &v->after) -
	       per_instruction(v->before.cycles, &v->before);
}

/* Returns whether the task does other work now: other tasks do not change which branches it
 * takes. */
static bool does_other_work(const struct victim *v)
{
	const double before = per_instruction(v->before.mispredicted, &v->before);
	const double after = per_instruction(v->after.mispredicted, &v->after);

	return fmax(before, after) >= MISPREDICTED_LEAST &&
	       (after > MIX_CHANGE * before || before > MIX_CHANGE * after);
}

/* Returns whether the task itself can be the reason of the drop. */
static bool has_own_reason(const struct victim *v)
{
	const double branches = per_instruction(v->after.mispredicted, &v->after) -
				per_instruction(v->before.mispredicted, &v->before);

	return sample_machine_kind(v->in->machine, span_usual_cpu(&v->before)) !=
		       sample_machine_kind(v->in->machine, span_usual_cpu(&v->after)) ||
	       does_other_work(v) || branches * MISPREDICT_CYCLES >= cycles_growth(v) / 2;
}

/* Reads the spans before `first` and from `last` on, between which all changes lie. Returns false
 * if they are too short, the cycles per instruction did not grow, or the victim has a reason of its
 * own for the change. */
static bool read_victim(struct victim *v, uint32_t first, uint32_t last)
{
	const uint32_t kept = history_first(v->in->history);
	const uint32_t from = first > kept + SPAN ? first - SPAN : kept;
	const uint32_t to = last + SPAN <= v->in->last + 1 ? last + SPAN : v->in->last + 1;

	if (first < from + SPAN_LEAST || to < last + SPAN_LEAST)
		return false;
	read_span(v->in, &v->before, &v->drop->of, from, first);
	read_span(v->in, &v->after, &v->drop->of, last, to);
	v->after_from = last;
	return v->before.n >= SPAN_LEAST && v->after.n >= SPAN_LEAST && cycles_growth(v) > 0 &&
	       !has_own_reason(v);
}

/* ---- cause ---- */

/* Returns the smallest part of the machine (CPU, core, cache, node) that both tasks share in at
 * least two thirds of the refreshes. */
static enum sample_share find_share(const struct victim *v, const struct span *other)
{
	int share = SHARE_CPU;

	for (; share > SHARE_NOTHING; share--) {
		int n = 0;

		for (int k = 0; k < SPAN; k++)
			n += (int)sample_machine_share(v->in->machine, v->after.cpu[k],
						       other->cpu[k]) >= share;
		if (3 * n >= SHARED_OF_3 * v->after.n)
			break;
	}
	return (enum sample_share)share;
}

/* Returns whether the cache misses of the other task can explain the drop. */
static bool misses_explain(const struct victim *v, const struct interference *i,
			   const struct change *cause)
{
	const double got = span_misses_second(&v->after) - span_misses_second(&v->before);
	const double before = per_instruction(v->before.misses, &v->before);
	const double after = per_instruction(v->after.misses, &v->after);
	const double least = fmax(got, 0) * (cause->kind == CHANGE_IPC ? 2 : 1);

	return i->brought >= MISSES_LEAST && i->brought >= least &&
	       after * MISS_CYCLES >= cycles_growth(v) &&
	       after >= (i->share >= SHARE_L3 ? MISSES_RISE : FEWER) * before;
}

/* Returns whether sharing the core can be the reason: a task that does more on the core leaves less
 * of it to the other task, whose misses do not become fewer. Two tasks on the same CPU take turns,
 * and so do not disturb each other in this way. */
static bool core_explains(const struct interference *i, const struct change *cause)
{
	return i->share == SHARE_CORE && !(i->after < FEWER * i->before) &&
	       (cause->kind == CHANGE_BEGAN || cause->after > cause->before);
}

static bool can_be_cause(struct victim *v, const struct change *cause, struct interference *i)
{
	const uint32_t drop = v->drop->moment, change = cause->moment;
	const uint32_t first = drop < change ? drop : change;
	/* A task has no counts in the refresh in which it began, as its counters are opened at the
	 * end of that refresh. */
	const uint32_t known = change + (cause->kind == CHANGE_BEGAN);
	const uint32_t last = drop < known ? known : drop;
	struct span before, after;

	if (!read_victim(v, first, last))
		return false;
	read_span(v->in, &before, &cause->of, first - (uint32_t)SPAN_LEAST, first);
	read_span(v->in, &after, &cause->of, last,
		  last + SPAN <= v->in->last + 1 ? last + SPAN : v->in->last + 1);
	if (after.cpu_share < BUSY_LEAST * v->after.n)
		return false;
	i->cause = cause;
	i->share = find_share(v, &after);
	i->cpu = span_usual_cpu(&after);
	i->brought = span_misses_second(&after) - span_misses_second(&before);
	i->before = 1000 * per_instruction(v->before.misses, &v->before);
	i->after = 1000 * per_instruction(v->after.misses, &v->after);
	return i->share > SHARE_NOTHING && (core_explains(i, cause) || misses_explain(v, i, cause));
}

/* ---- search ---- */

static bool is_same(const struct row_id *a, const struct row_id *b)
{
	return a->id == b->id && a->start_ns == b->start_ns;
}

/* Returns the expected number of changes near a drop by chance: from the rate of others that were
 * as near and as strong as this cause. */
static double chance_of(const struct victim *v, const struct interference *i)
{
	const struct changes *log = v->in->changes;
	const int cpu = span_usual_cpu(&v->after);
	const uint32_t from = changes_first(log);
	size_t n = 0;

	for (size_t k = 0; k < changes_n(log); k++) {
		const struct change *c = changes_at(log, k);

		n += c->kind != CHANGE_CPU && !is_same(&c->of, &v->drop->of) &&
		     c->cpu_share >= BUSY_LEAST &&
		     sample_machine_share(v->in->machine, cpu, c->cpu) >= i->share &&
		     (i->share == SHARE_CORE || c->misses_second >= MISSES_LEAST);
	}
	return (double)n * (BEFORE_MAX + BEHIND_MAX + 1) / (v->in->last - from + 1);
}

static bool is_better(const struct interference *a, const struct interference *b)
{
	if (!b->cause || a->share != b->share)
		return !b->cause || a->share > b->share;
	return a->brought > b->brought;
}

static bool is_drop(const struct interference_input *in, const struct change *c)
{
	return c->kind == CHANGE_IPC && c->seen <= in->last && c->after <= DROP * c->before &&
	       c->moment >= history_first(in->history) + SPAN;
}

const char *interference_missing(const struct interference_input *in, size_t i)
{
	const struct change *drop = changes_at(in->changes, i);

	if (!is_drop(in, drop))
		return NULL;
	if (!in->machine || !in->machine->n_places)
		return "which CPUs share a core, a cache or memory";
	return drop->cpu < 0 ? "on which CPU tasks ran" : NULL;
}

bool interference_find(struct interference *out, const struct interference_input *in, size_t n)
{
	const struct change *drop = changes_at(in->changes, n);
	struct victim v = {.in = in, .drop = drop};
	struct interference best = {.cause = NULL};
	size_t found = 0;

	if (!is_drop(in, drop))
		return false;
	for (size_t k = 0; k < changes_n(in->changes); k++) {
		const struct change *c = changes_at(in->changes, k);
		struct interference one = {.drop = drop};

		if (c->kind == CHANGE_CPU || is_same(&c->of, &drop->of) || c->seen > in->last ||
		    c->moment + BEFORE_MAX < drop->moment ||
		    c->moment > drop->moment + BEHIND_MAX || !can_be_cause(&v, c, &one))
			continue;
		found++;
		if (is_better(&one, &best))
			best = one;
	}
	if (!found)
		return false;
	best.n_others = found - 1;
	best.chance = chance_of(&v, &best);
	best.wall_ns = history_moment(in->history, drop->moment)->wall_ns;
	best.lead_s = ((double)history_moment(in->history, drop->moment)->mono_ns -
		       (double)history_moment(in->history, best.cause->moment)->mono_ns) /
		      1e9;
	*out = best;
	return best.chance <= CHANCE_MAX;
}
