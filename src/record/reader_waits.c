/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: looks ahead for waits for a CPU that end after the current sample. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/reader_state.h"

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
