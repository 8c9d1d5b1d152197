/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: looks ahead for waits for a CPU that end after the current sample. */
#include "record/reader_state.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- late waits ----
 *
 * Moves waits for a CPU back to the intervals in which the task waited.
 *
 * The kernel adds a wait to a task's total only when the wait ends. So the intervals before the end
 * show no wait, and the last interval shows a longer wait than it can hold. The excess over the
 * longest possible wait of an interval is moved to the intervals before it, the nearest first, each
 * up to its own longest possible wait. The totals of earlier readings rise, the total of the last
 * reading stays, and the sum over all intervals is unchanged.
 *
 *   late_waits_add() for each reading of the samples ahead, in order; late_stretch_at() for each
 *   stretch, to correct the current sample; late_waits_drop() for the samples before it
 *
 * Between two readings a task did not run: the samples in between share the earlier reading. If
 * the task waited in these samples, its total rises with time. Nothing is moved to a time before
 * the first reading of a task: the interval after that reading keeps the excess, which the delta
 * (model/delta.h) caps and marks.
 *
 * late_waits_drop() drops readings, and stretches whose last sample is dropped. Pure: no file, no
 * clock.
 */

/* The largest gap between the ids of two added readings; larger ones are implausible. Ids have gaps
 * for readings of layouts without waits, which are not added. */
#define GAP_MAX 100000

void late_waits_done(struct late_waits *w)
{
	free(w->reading);
	free(w->stretch);
	*w = (struct late_waits){.reading = NULL};
}

/* Drops everything; the next reading added has this id or a larger one. */
static void late_waits_begin(struct late_waits *w, int64_t id)
{
	w->n = 0;
	w->n_stretches = 0;
	w->first = id;
}

/* Returns the reading with this id; NULL: not added, or dropped. */
static struct late_reading *find(const struct late_waits *w, int64_t id)
{
	if (id < w->first || (uint64_t)id - (uint64_t)w->first >= w->n)
		return NULL;
	return w->reading[id - w->first].id ? &w->reading[id - w->first] : NULL;
}

/* Returns a reading that was added and not dropped; NULL: none. */
static const struct late_reading *late_waits_find(const struct late_waits *w, int64_t id)
{
	return find(w, id);
}

static void add_stretch(struct late_waits *w, const struct late_stretch *s)
{
	w->stretch = xgrow(w->stretch, &w->cap_stretches, w->n_stretches + 1, sizeof *w->stretch);
	w->stretch[w->n_stretches++] = *s;
}

static int64_t longest_wait(const struct late_reading *now, const struct late_reading *old)
{
	const bool known = now->ran_ns >= 0 && old && old->ran_ns >= 0;
	const int64_t left = now->at_ns - now->before_ns - (known ? now->ran_ns - old->ran_ns : 0);

	return left > 0 ? left : 0;
}

/* Returns whether the wait exceeds the longest possible wait of its interval by more than 1 % of
 * the interval, the tolerance for inexact readings. */
static bool is_late(const struct late_reading *now, const struct late_reading *old)
{
	return old && old->waited_ns >= 0 && now->waited_ns >= 0 &&
	       now->waited_ns - old->waited_ns >
		       now->longest_ns + (now->at_ns - now->before_ns) / 100;
}

/* Returns whether the wait can have begun before the interval that ends with `now`. old: the
 * reading before `now`; NULL: it was dropped. */
static bool may_be_earlier(const struct late_waits *w, const struct late_reading *now,
			   const struct late_reading *old)
{
	if (now->first)
		return false;
	if (!old)
		return now->previous > 0 && now->previous < w->first;
	return old->task == now->task && old->sample < now->sample && old->waited_ns >= 0 &&
	       now->waited_ns - now->longest_ns > old->waited_ns;
}

/* Moves the excess of the wait to earlier readings, one after the other. */
static void spread(struct late_waits *w, const struct late_reading *now,
		   const struct late_reading *old)
{
	while (may_be_earlier(w, now, old)) {
		const int64_t waited_ns = now->waited_ns - now->longest_ns;
		struct late_reading *kept = old ? find(w, old->id) : NULL;

		add_stretch(w, &(struct late_stretch){
				       .task = now->task,
				       .first_sample = old ? old->sample + old->first : INT64_MIN,
				       .last_sample = now->sample - 1,
				       .end_ns = now->before_ns,
				       .waited_ns = waited_ns,
			       });
		if (!kept || kept->first ||
		    waited_ns - (now->before_ns - kept->at_ns) <= kept->waited_ns)
			return;
		kept->waited_ns = waited_ns - (now->before_ns - kept->at_ns);
		now = kept;
		old = find(w, now->previous);
	}
}

/* Adds a reading. old: the task's reading before it; NULL: nothing to compare with. Returns false
 * if the id is below `first` or implausibly large. */
static bool late_waits_add(struct late_waits *w, const struct late_reading *reading,
			   const struct late_reading *old)
{
	const bool known = old && old->task == reading->task;
	/* A copy, as *old may be in w->reading, which xgrow() may move. */
	const struct late_reading before = known ? *old : (struct late_reading){.id = 0};
	struct late_reading *now;
	size_t at;

	if (reading->id < w->first || reading->id - w->first > (int64_t)w->n + GAP_MAX)
		return false;
	at = (size_t)(reading->id - w->first);
	if (at >= w->n) {
		w->reading = xgrow(w->reading, &w->cap, at + 1, sizeof *w->reading);
		memset(w->reading + w->n, 0, (at + 1 - w->n) * sizeof *w->reading);
		w->n = at + 1;
	}
	now = &w->reading[at];
	*now = *reading;
	old = known ? &before : NULL;
	now->longest_ns = longest_wait(now, old);
	if (is_late(now, old))
		spread(w, now, old);
	return true;
}

/* Drops readings and stretches up to this sample. */
static void late_waits_drop(struct late_waits *w, int64_t sample)
{
	size_t past = 0, n = 0;

	while (past < w->n && w->reading[past].sample <= sample)
		past++;
	/* Moves the array only if less than half of it remains, as moving it at each call would be
	 * slow. */
	if (past > w->n / 2) {
		memmove(w->reading, w->reading + past, (w->n - past) * sizeof *w->reading);
		w->n -= past;
		w->first += (int64_t)past;
	}
	for (size_t i = 0; i < w->n_stretches; i++)
		if (w->stretch[i].last_sample > sample)
			w->stretch[n++] = w->stretch[i];
	w->n_stretches = n;
}

/* Returns the task's total wait at a moment in this sample, according to the stretch; 0: the sample
 * is outside the stretch. */
static int64_t late_stretch_at(const struct late_stretch *s, int64_t sample, int64_t at_ns)
{
	if (sample < s->first_sample || sample > s->last_sample)
		return 0;
	return s->waited_ns - (at_ns < s->end_ns ? s->end_ns - at_ns : 0);
}

/* ---- the look-ahead ---- */

/* Limits of the look-ahead, in samples and in readings; they bound memory and the cost of a seek. A
 * wait that ends beyond them is found only when the reader has come closer, and the delta marks the
 * excess that then fits no interval. */
#define AHEAD_SAMPLES  256
#define AHEAD_READINGS 16384

/* The largest plausible number of nanoseconds; larger ones count as unknown. */
#define NS_MAX ((int64_t)1 << 60)

enum {
	WAITS_ID,
	WAITS_SAMPLE,
	WAITS_TASK,
	WAITS_PREVIOUS,
	WAITS_FACTS_NS,
	WAITS_LOST,
	WAITS_THREADS,
	WAITS_WAIT_NS,
	WAITS_CPU_NS
};

int reader_prepare_waits(struct record_reader *r, struct reader_layout *at, struct err *err)
{
	const struct fact_set facts = at->layout.facts;
	char *sql;
	int ret;

	if (!fact_in(facts, FACT_WAIT_NS))
		return 0;
	sql = xasprintf("SELECT id, sample, task, previous, facts_ns, flags & %d, %s, WAIT_NS, %s "
			"FROM reading_%lld WHERE id >= ? ORDER BY id",
			RECORD_LOST, fact_in(facts, FACT_NUM_THREADS) ? "NUM_THREADS" : "NULL",
			fact_in(facts, FACT_CPU_NS) ? "CPU_NS" : "NULL", (long long)at->layout.id);
	ret = record_db_prepare(&r->db, &at->waits, sql, err);
	free(sql);
	return ret;
}

static int64_t ns_or_unknown(int64_t ns)
{
	return ns >= 0 && ns <= NS_MAX ? ns : LATE_UNKNOWN;
}

static int64_t ns_at(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL
		       ? LATE_UNKNOWN
		       : ns_or_unknown(sqlite3_column_int64(stmt, column));
}

static int64_t fact_of(const struct task *t, int f)
{
	return fact_in(t->known, f) ? ns_or_unknown((int64_t)task_fact(t, f)) : LATE_UNKNOWN;
}

/* Returns whether the process has a single thread, so that its CPU clock is that of the thread. */
static bool is_alone(int64_t threads)
{
	return threads == 1;
}

static int compare_living(const void *key, const void *living)
{
	return task_compare(key, ((const struct living *)living)->task);
}

/* Finds a task of the current sample by its id in the table task. NULL: there is none, its kind is
 * not kind_task, or its facts were lost. */
static const struct living *find_living(const struct record_reader *r, int64_t row)
{
	const struct task *t = hash_get(&r->described, (uint64_t)row);

	if (!t || !kind_is(t->kind, &kind_task) || t->lost)
		return NULL;
	return array_find(t, r->living.v, r->living.n, sizeof *r->living.v, compare_living);
}

/* Returns the moment of the task's facts, CLOCK_MONOTONIC in ns. */
static int64_t moment(const struct record_reader *r, const struct living *l)
{
	return (int64_t)r->now.head.mono_ns + (int64_t)((double)l->time.facts_us * 1000);
}

/* Fills *out with the task's reading in the current sample, which precedes all readings of the
 * look-ahead. Returns out; NULL: no such task. */
static const struct late_reading *current_reading(const struct record_reader *r, int64_t row,
						  struct late_reading *out)
{
	const struct living *l = find_living(r, row);
	const struct task *t = l ? l->task : NULL;

	if (!l)
		return NULL;
	*out = (struct late_reading){
		.task = row,
		.sample = r->now.id,
		.at_ns = moment(r, l),
		.waited_ns = fact_of(t, FACT_WAIT_NS),
		.ran_ns = fact_of(t, FACT_CPU_NS),
	};
	return out;
}

/* Adds the reading in the current row of the statement to the look-ahead. Returns false if its id
 * is implausible. */
static bool add(struct record_reader *r, const struct reader_head *head, sqlite3_stmt *stmt)
{
	struct late_waits *waits = &r->ahead.waits;
	struct late_reading present,
		now = {
			.id = sqlite3_column_int64(stmt, WAITS_ID),
			.previous = sqlite3_column_int64(stmt, WAITS_PREVIOUS),
			.task = sqlite3_column_int64(stmt, WAITS_TASK),
			.sample = head->id,
			.first = sqlite3_column_type(stmt, WAITS_FACTS_NS) == SQLITE_NULL,
			.before_ns = r->ahead.at_ns,
			.waited_ns = ns_at(stmt, WAITS_WAIT_NS),
			.ran_ns = ns_at(stmt, WAITS_CPU_NS),
		};
	const struct late_reading *old = NULL;
	const int64_t interval_ns = ns_at(stmt, WAITS_FACTS_NS);

	if (!is_alone(sqlite3_column_int64(stmt, WAITS_THREADS)))
		now.ran_ns = LATE_UNKNOWN;
	if (sqlite3_column_int(stmt, WAITS_LOST))
		now.waited_ns = LATE_UNKNOWN;
	if (now.previous && !now.first)
		old = late_waits_find(waits, now.previous);
	if (!old && now.previous && now.previous < waits->first && !now.first)
		old = current_reading(r, now.task, &present);
	/* The interval began at the task's reading in the previous sample. Without such a reading,
	 * the task had not run, and the interval began at the time of that sample. */
	if (old && old->sample == head->id - 1)
		now.before_ns = old->at_ns;
	now.at_ns = now.first || interval_ns < 0 ? (int64_t)head->head.mono_ns
						 : now.before_ns + interval_ns;
	return late_waits_add(waits, &now, old);
}

static int add_layout(struct record_reader *r, const struct reader_head *head, sqlite3_stmt *stmt,
		      struct err *err)
{
	int ret;

	sqlite3_bind_int64(stmt, 1, head->first_reading);
	while ((ret = reader_step(r, stmt, err)) == 1 &&
	       sqlite3_column_int64(stmt, WAITS_SAMPLE) == head->id && add(r, head, stmt))
		;
	sqlite3_reset(stmt);
	return ret < 0 ? ret : 0;
}

/* Returns whether deltas compare the last sample looked at with `next`. */
static bool is_comparable(const struct record_reader *r, const struct reader_head *next)
{
	return next->run == r->now.run && next->id == r->ahead.sample + 1 &&
	       next->head.generation == r->now.head.generation &&
	       (int64_t)next->head.mono_ns > r->ahead.at_ns &&
	       ns_or_unknown((int64_t)next->head.mono_ns) >= 0;
}

/* Adds one more sample to the look-ahead. Returns 1: there may be more; 0: no more; or -errno. */
static int look_at_next(struct record_reader *r, struct err *err)
{
	struct reader_ahead *ahead = &r->ahead;
	struct reader_head next;
	int ret = reader_find_head(r, ahead->sample, &next, err);

	if (ret != 1)
		return ret;
	ahead->stopped = !is_comparable(r, &next);
	if (ahead->stopped)
		return 0;
	if (ahead->sample == r->now.id)
		late_waits_begin(&ahead->waits, next.first_reading);
	for (size_t i = 0; i < r->n_layouts && ret >= 0; i++)
		if (r->layout[i].waits)
			ret = add_layout(r, &next, r->layout[i].waits, err);
	ahead->sample = next.id;
	ahead->at_ns = (int64_t)next.head.mono_ns;
	return ret < 0 ? ret : 1;
}

static int look_ahead(struct record_reader *r, struct err *err)
{
	struct reader_ahead *ahead = &r->ahead;
	int ret = 1;

	if (ahead->sample <= r->now.id) {
		ahead->sample = r->now.id;
		ahead->at_ns = (int64_t)r->now.head.mono_ns;
		ahead->stopped = false;
		late_waits_begin(&ahead->waits, 0);
	} else {
		late_waits_drop(&ahead->waits, r->now.id - 1);
	}
	while (ret == 1 && !ahead->stopped && ahead->sample - r->now.id < AHEAD_SAMPLES &&
	       ahead->waits.n < AHEAD_READINGS)
		ret = look_at_next(r, err);
	return ret < 0 ? ret : 0;
}

/* Sets the total wait of task i in a copy of its reading, which replaces the reading: a reading
 * never changes. */
static void raise_total(struct sample *out, size_t i, uint64_t waited_ns)
{
	const struct task *t = out->task[i];
	const struct task_texts texts = task_texts(t);
	struct task *copy = task_copy(t, t->room, t->n_counts, &texts);

	task_set_fact(copy, FACT_WAIT_NS, waited_ns);
	copy->facts_read = out->number;
	task_unref(t);
	out->task[i] = copy;
}

static void place(const struct record_reader *r, struct sample *out, const struct late_stretch *s)
{
	const struct living *l = find_living(r, s->task);
	size_t i;
	int64_t recorded_ns, placed_ns;

	/* A first reading ends no interval: its total stays. */
	if (!l || (!l->facts_ns && l->task->facts_read == out->number))
		return;
	i = (size_t)(l - r->living.v);
	recorded_ns = fact_of(out->task[i], FACT_WAIT_NS);
	placed_ns = late_stretch_at(s, r->now.id, moment(r, l));
	if (recorded_ns >= 0 && placed_ns > recorded_ns)
		raise_total(out, i, (uint64_t)placed_ns);
}

static bool has_waits(const struct record_reader *r)
{
	for (size_t i = 0; i < r->n_layouts; i++)
		if (r->layout[i].waits)
			return true;
	return false;
}

int reader_place_waits(struct record_reader *r, struct sample *out, struct err *err)
{
	const struct late_waits *waits = &r->ahead.waits;
	struct err why = ERR_INIT;
	int ret = has_waits(r) ? look_ahead(r, &why) : 0;

	for (size_t i = 0; i < waits->n_stretches; i++)
		place(r, out, &waits->stretch[i]);
	return ret ? reader_pass_over(r, ret, &why, err) : 0;
}
