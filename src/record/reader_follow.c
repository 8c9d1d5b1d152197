/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: reads waits for a CPU that end in later samples, and the rows of follow.h. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/follow.h"
#include "record/reader_state.h"

/* ---- reader wait ----
 * Looks ahead for waits for a CPU that end after the current sample. */

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

/* ---- reader follow ---- */

struct reader_follow {
	sqlite3_stmt *row, *count;
	int64_t id, run; /* of the row read last; 0: none */
	struct record_follow_set set[RECORD_FOLLOW_SETS];
	int n_sets;
	struct value value[RECORD_FOLLOW_COUNTERS];
	struct arena sets, texts;
};

enum {
	ROW_ID,
	ROW_RUN,
	ROW_TIME_NS,
	ROW_PID,
	ROW_LWP,
	ROW_EVENT,
	ROW_TURN,
	ROW_MADE,
	ROW_IMAGE,
	ROW_HOW
};

void reader_follow_free(struct reader_follow *f)
{
	if (!f)
		return;
	sqlite3_finalize(f->row);
	sqlite3_finalize(f->count);
	arena_done(&f->sets);
	arena_done(&f->texts);
	free(f);
}

/* The statement for rows; how: the column of this name, or NULL in versions without it. */
#define SQL_ROW(how)                                                                               \
	"SELECT id, run, time_ns, pid, lwp, event, turn, made, image, " how " FROM follow_row "    \
	"WHERE id > ? ORDER BY id LIMIT 1"

static int begin(struct record_reader *r, struct err *err)
{
	int ret;

	r->follow = xcalloc(1, sizeof *r->follow);
	ret = record_db_prepare(&r->db, &r->follow->row,
				r->db.version < 5 ? SQL_ROW("NULL") : SQL_ROW("how"), err);
	return ret ? ret
		   : record_db_prepare(&r->db, &r->follow->count,
				       "SELECT n, count, share, quality FROM follow_count WHERE "
				       "row = ? ORDER BY n",
				       err);
}

static bool add_counter(struct reader_follow *f, sqlite3_stmt *stmt)
{
	const int64_t s = sqlite3_column_int64(stmt, 0), n = sqlite3_column_int64(stmt, 1);
	const char *name = record_db_text(stmt, 2);

	if (s < 0 || s >= RECORD_FOLLOW_SETS || s > f->n_sets || n >= RECORD_FOLLOW_COUNTERS ||
	    !name || n != (s < f->n_sets ? f->set[s].n : 0))
		return false;
	f->n_sets = (int)s + 1;
	f->set[s].name[f->set[s].n++] = arena_strdup(&f->sets, name);
	return true;
}

/* Loads the counter names of a run; sets and counters must be numbered in order, without gaps. */
static int load_sets(struct record_reader *r, int64_t run, struct err *err)
{
	struct reader_follow *f = r->follow;
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&r->db, &stmt,
				    "SELECT turn, n, name FROM follow_counter WHERE run = ? "
				    "ORDER BY turn, n",
				    err);

	if (ret)
		return ret;
	f->run = run;
	f->n_sets = 0;
	memset(f->set, 0, sizeof f->set);
	arena_reset(&f->sets);
	sqlite3_bind_int64(stmt, 1, run);
	while ((ret = reader_step(r, stmt, err)) == 1)
		if (!add_counter(f, stmt)) {
			reader_complain(r, "a list of counters makes no sense");
			break;
		}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

static int load_counts(struct record_reader *r, int n, struct err *err)
{
	struct reader_follow *f = r->follow;
	int ret;

	for (int c = 0; c < n; c++)
		f->value[c] = value_none(QUALITY_NOT_READ);
	sqlite3_bind_int64(f->count, 1, f->id);
	while ((ret = reader_step(r, f->count, err)) == 1) {
		const int64_t c = sqlite3_column_int64(f->count, 0);

		if (c >= 0 && c < n)
			f->value[c] = reader_value(f->count, 1);
	}
	sqlite3_reset(f->count);
	return ret < 0 ? ret : 0;
}

/* Reads an integer; NULL becomes 0. Returns false if the integer is below 0 or too large. */
static bool read_number(sqlite3_stmt *stmt, int column, int *out)
{
	const int64_t number = sqlite3_column_int64(stmt, column);

	*out = (int)number;
	return number >= 0 && number <= INT_MAX;
}

/* Reads the current row into *out. Returns 1: valid; 0: invalid values; or -errno. */
static int read_row(struct record_reader *r, struct record_follow_row *out, struct err *err)
{
	struct reader_follow *f = r->follow;
	const char *event = record_db_text(f->row, ROW_EVENT),
		   *image = record_db_text(f->row, ROW_IMAGE);
	const bool counted = sqlite3_column_type(f->row, ROW_TURN) != SQLITE_NULL;
	const int64_t turn = sqlite3_column_int64(f->row, ROW_TURN);
	int ret = 0;

	arena_reset(&f->texts);
	*out = (struct record_follow_row){
		.run = sqlite3_column_int64(f->row, ROW_RUN),
		.time_ns = (uint64_t)sqlite3_column_int64(f->row, ROW_TIME_NS),
		.event = event ? arena_strdup(&f->texts, event) : "",
		.image = image ? arena_strdup(&f->texts, image) : NULL,
	};
	if (!read_number(f->row, ROW_PID, &out->process) ||
	    !read_number(f->row, ROW_LWP, &out->task) ||
	    !read_number(f->row, ROW_MADE, &out->made) || !read_number(f->row, ROW_HOW, &out->how))
		return 0;
	out->ended = sqlite3_column_type(f->row, ROW_HOW) != SQLITE_NULL;
	if (out->run != f->run)
		ret = load_sets(r, out->run, err);
	if (ret || !counted)
		return ret ? ret : 1;
	if (turn < 0 || turn >= f->n_sets)
		return 0;
	out->set = (int)turn;
	out->value = f->value;
	ret = load_counts(r, f->set[turn].n, err);
	return ret ? ret : 1;
}

/* Reads the next row. *good: set if the row is valid and in *out. Returns 1: read; 0: no more; or
 * -errno. */
static int step(struct record_reader *r, struct record_follow_row *out, bool *good, struct err *err)
{
	struct reader_follow *f = r->follow;
	const int64_t before = f->id;
	int ret;

	sqlite3_bind_int64(f->row, 1, before);
	ret = reader_step(r, f->row, err);
	if (ret == 1)
		f->id = sqlite3_column_int64(f->row, ROW_ID);
	/* Damaged pages of the database may form a cycle. */
	if (ret == 1 && f->id <= before)
		ret = err_set(err, EBADMSG,
			      "the recording '%s' is damaged: its rows are out of order",
			      r->db.path);
	if (ret == 1) {
		const int row = read_row(r, out, err);

		*good = row == 1;
		ret = row < 0 ? row : 1;
	}
	sqlite3_reset(f->row);
	return ret;
}

static int next(struct record_reader *r, struct record_follow_row *out, struct err *err)
{
	bool good = false;
	int ret = 1;

	while (ret == 1 && !good) {
		ret = step(r, out, &good, err);
		if (ret == 1 && !good)
			reader_complain(r, "a row makes no sense");
	}
	return ret;
}

int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err)
{
	int ret = 0;

	/* Files of versions before 4 have no rows of follow.h. */
	if (r->db.version < 4)
		return 0;
	if (!r->follow)
		ret = begin(r, err);
	if (ret)
		return ret;
	reader_begin(r);
	return reader_end(r, next(r, out, err));
}

int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out)
{
	*out = r->follow ? r->follow->set : NULL;
	return r->follow ? r->follow->n_sets : 0;
}

bool record_reader_follow_is_cut(struct record_reader *r)
{
	int64_t n;

	return !record_reader_is_open(r) &&
	       !record_db_number(&r->db,
				 "SELECT ended_ns IS NULL FROM run WHERE id = (SELECT run FROM "
				 "follow_row ORDER BY id DESC LIMIT 1)",
				 0, &n, NULL) &&
	       n;
}
