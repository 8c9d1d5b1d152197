/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: waits for a CPU, which are in the samples behind the present one. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/kinds.h"
#include "record/reader_part.h"

/* How far a reader looks ahead, which bounds its memory and what a jump costs: a wait that ends
 * behind that is found later, and what then has no interval left is marked by the delta. */
#define AHEAD_SAMPLES  256
#define AHEAD_READINGS 16384

/* A number that is larger means nothing. */
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
	const fact_mask facts = at->layout.facts;
	char *sql;
	int ret;

	if (!(facts & FACT_BIT(FACT_WAIT_NS)))
		return 0;
	sql = xasprintf("SELECT id, sample, task, previous, facts_ns, flags & %d, %s, WAIT_NS, %s "
			"FROM reading_%lld WHERE id >= ? ORDER BY id",
			RECORD_LOST, facts & FACT_BIT(FACT_NUM_THREADS) ? "NUM_THREADS" : "NULL",
			facts & FACT_BIT(FACT_CPU_NS) ? "CPU_NS" : "NULL",
			(long long)at->layout.id);
	ret = record_db_prepare(&r->db, &at->waits, sql, err);
	free(sql);
	return ret;
}

static int64_t sensible(int64_t ns)
{
	return ns >= 0 && ns <= NS_MAX ? ns : LATE_UNKNOWN;
}

static int64_t ns_at(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL
		       ? LATE_UNKNOWN
		       : sensible(sqlite3_column_int64(stmt, column));
}

static int64_t fact_of(const struct task *t, enum fact f)
{
	return t->known & FACT_BIT(f) ? sensible((int64_t)task_fact(t, f)) : LATE_UNKNOWN;
}

/* The clock of a process is that of all its threads, of which this is one. */
static bool is_alone(int64_t threads)
{
	return threads == 1;
}

static int compare_living(const void *key, const void *living)
{
	return task_compare(key, ((const struct living *)living)->task);
}

/* Finds a task of the present sample whose waits are those of one thread; NULL: it is none. */
static const struct living *find_living(const struct record_reader *r, int64_t row)
{
	const struct task *t = hash_get(&r->described, (uint64_t)row);

	if (!t || !kind_is(t->kind, &kind_task) || t->lost)
		return NULL;
	return bsearch(t, r->living.v, r->living.n, sizeof *r->living.v, compare_living);
}

/* Returns the moment of its facts. */
static int64_t moment(const struct record_reader *r, const struct living *l)
{
	return (int64_t)r->now.head.mono_ns + (int64_t)((double)l->time.facts_us * 1000);
}

/* The reading of a task in the present sample, which is older than all that are kept. */
static const struct late_reading *take_present(const struct record_reader *r, int64_t row,
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

/* Adds the reading in the present row of the statement. */
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
		old = take_present(r, now.task, &present);
	/* In between, it did nothing: then its interval began in the sample before. */
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

/* Whether deltas compare a sample with the one that is `next`. */
static bool goes_on(const struct record_reader *r, const struct reader_head *next)
{
	return next->run == r->now.run && next->id == r->ahead.sample + 1 &&
	       next->head.generation == r->now.head.generation &&
	       (int64_t)next->head.mono_ns > r->ahead.at_ns &&
	       sensible((int64_t)next->head.mono_ns) >= 0;
}

/* Looks at one more sample. 1: there may be more. */
static int look_at_next(struct record_reader *r, struct err *err)
{
	struct reader_ahead *ahead = &r->ahead;
	struct reader_head next;
	int ret = reader_find_head(r, ahead->sample, &next, err);

	if (ret != 1)
		return ret;
	ahead->stopped = !goes_on(r, &next);
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

/* Raises the total of the task to this one, in a reading of its own. */
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

	/* No interval ends with its first reading. */
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
