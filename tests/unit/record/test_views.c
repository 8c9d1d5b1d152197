/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SQL views of a recording, for any SQLite client: their increments and ratios equal those
 * that tiptop computes from the same samples.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "record/writer.h"
#include "tap.h"

#define N_TASKS   12
#define N_SAMPLES 120

enum {
	CYCLES,
	CYCLES_ATOM,
	INSTRUCTIONS,
	INSTRUCTIONS_ATOM,
	MISSES,
	JOULES,
	NOTHING,
	AGAIN,
	MISPREDICTED,
	N_EVENTS
};

static char folder[128], path[160];
static const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
static uint64_t seed = 3;

static unsigned chance(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static struct sample_events *all_events(void)
{
	static const struct sample_event event[N_EVENTS] = {
		[CYCLES] = {.given = "cycles", .pmu = "cpu_core", .kind = EVENT_HARDWARE},
		[CYCLES_ATOM] = {.given = "cycles",
				 .pmu = "cpu_atom",
				 .kind = EVENT_HARDWARE,
				 .core = 1,
				 .part_of = 1},
		[INSTRUCTIONS] = {.given = "instructions",
				  .pmu = "cpu_core",
				  .kind = EVENT_HARDWARE,
				  .config = 1},
		[INSTRUCTIONS_ATOM] = {.given = "instructions",
				       .pmu = "cpu_atom",
				       .kind = EVENT_HARDWARE,
				       .config = 1,
				       .core = 1,
				       .part_of = 3},
		[MISSES] = {.given = "cache-misses",
			    .pmu = "cpu_core",
			    .kind = EVENT_HARDWARE,
			    .config = 3,
			    .group = 1},
		[JOULES] = {.given = "a \"joule\"",
			    .pmu = "power",
			    .unit = "J",
			    .scale = 0.25,
			    .group = 2,
			    .kind = EVENT_PMU,
			    .core = SAMPLE_ANY_CORE},
		[NOTHING] = {.given = "none",
			     .kind = EVENT_NONE,
			     .group = SAMPLE_NO_GROUP,
			     .quality = QUALITY_UNSUPPORTED},
		[AGAIN] = {.given = "Cycles", .pmu = "other", .kind = EVENT_RAW, .group = 3},
		/* mispredicted branches on Arm */
		[MISPREDICTED] = {.given = "br_mis_pred_retired",
				  .pmu = "armv8_pmuv3_0",
				  .kind = EVENT_RAW,
				  .config = 0x22,
				  .group = 4},
	};

	return sample_events_new(event, N_EVENTS);
}

/* Sets random counts, mostly larger than those of the reading before, now and then smaller. */
static void count(struct task *t, const struct task *old)
{
	for (int i = 0; i < N_EVENTS; i++) {
		const struct count zero = {0, 0, 0},
				   *from = old && old->count ? &old->count[i] : &zero;
		const uint64_t enabled = chance(3) ? 1000 + chance(1000) : 0;
		/* Some events have the times of the event two before, as if they were in one
		 * group. */
		const bool same = i && i != MISSES && i != JOULES && i != NOTHING && i != AGAIN &&
				  i != MISPREDICTED && i % 2 == 0;
		struct count *to = &t->count[i];

		to->value = from->value + chance(100000) * (enabled != 0);
		to->enabled_ns = same ? t->count[i - 2].enabled_ns : from->enabled_ns + enabled;
		to->running_ns =
			same ? t->count[i - 2].running_ns
			     : from->running_ns + (chance(4) ? enabled : enabled * chance(3) / 4);
		if (!chance(40) && to->value > 5)
			to->value = 1;
	}
	t->count[INSTRUCTIONS_ATOM].enabled_ns = t->count[CYCLES_ATOM].enabled_ns;
	t->count[INSTRUCTIONS_ATOM].running_ns = t->count[CYCLES_ATOM].running_ns;
}

static struct task *read_of(uint64_t id, const struct sample *s, const struct sample_events *events,
			    const struct task *old)
{
	const enum count_state states[] = {COUNT_OK,        COUNT_OK,   COUNT_OK,
					   COUNT_INHERITED, COUNT_IDLE, COUNT_DENIED};
	const bool whole = !old && !chance(3), ends = old && !chance(8);
	const enum count_state state = whole ? COUNT_WHOLE
				       : old ? (enum count_state)old->counting
					     : states[chance(6)];
	const bool counted = state == COUNT_OK || state == COUNT_WHOLE;
	/* Its exit status is one more fact, so its last reading has another layout. */
	struct task *t = task_new(
		&kind_task, ends ? FACT_SET(FACT_CPU_NS, FACT_EXIT) : FACT_SET(FACT_CPU_NS),
		counted ? N_EVENTS : 0, &(struct task_texts){.user = "me", .name = "alpha"});

	t->id = id;
	t->owner = id - id % 3;
	t->start_ns = old ? old->start_ns : chance(2) ? s->boot_ns - 1000 : 0;
	t->counting = state;
	t->dead = t->lost = ends;
	t->state = 'R';
	t->facts_read = s->number;
	t->gap = !chance(20);
	t->unread = counted && !chance(10) ? 1u << chance(N_EVENTS) : 0;
	task_set_fact(t, FACT_CPU_NS,
		      ends ? task_fact(old, FACT_CPU_NS) : s->number * 1000000u * id);
	task_set_events(t, events);
	if (t->count)
		count(t, old);
	return t;
}

static struct sample *new_sample(uint32_t n)
{
	struct sample *s = sample_new();

	s->number = n;
	s->mono_ns = s->boot_ns = n * 1000000000ull;
	s->wall_ns = 1700000000000000000ull + s->mono_ns;
	s->generation = 1 + n / 50;
	return s;
}

static sqlite3 *db;

/* Returns the first number of the result; NAN if there is none or it is NULL. */
static double ask(const char *sql, unsigned sample, uint64_t id)
{
	sqlite3_stmt *stmt = NULL;
	double number = NAN;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
		tap_ok(false, "%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_bind_int64(stmt, 1, sample);
	sqlite3_bind_int64(stmt, 2, (sqlite3_int64)id);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		number = sqlite3_column_double(stmt, 0);
	sqlite3_finalize(stmt);
	return number;
}

/* Returns the number that a view should have for a value. Partial and stale values are NULL
 * there. */
static double whole(struct value v)
{
	return value_known(v) && v.quality != QUALITY_PARTIAL && v.quality != QUALITY_STALE
		       ? v.number
		       : NAN;
}

static bool same(double x, double y)
{
	return (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 * fabs(x);
}

static int compared, known;

static void check(double got, double want, const char *what, unsigned sample, uint64_t id)
{
	compared++;
	known += !isnan(want);
	if (!same(got, want))
		tap_ok(false, "%s of %u in sample %u: %.17g, and not %.17g", what, (unsigned)id,
		       sample, got, want);
}

static void check_rows(const struct delta *d, unsigned sample)
{
	static const struct {
		const char *sql;
		int event;
	} columns[] = {
		{"SELECT cycles FROM interval WHERE sample = ? AND tid = ?", CYCLES},
		{"SELECT instructions FROM interval WHERE sample = ? AND tid = ?", INSTRUCTIONS},
		{"SELECT cache_misses FROM interval WHERE sample = ? AND tid = ?", MISSES},
		{"SELECT branch_misses FROM interval WHERE sample = ? AND tid = ?", MISPREDICTED},
		{"SELECT \"a \"\"joule\"\"\" FROM interval_1 JOIN task ON id = task WHERE sample = "
		 "? "
		 "AND number = ?",
		 JOULES},
		{"SELECT \"Cycles_3\" FROM interval_1 JOIN task ON id = task WHERE sample = ? AND "
		 "number = ?",
		 AGAIN},
		{"SELECT none FROM interval_1 JOIN task ON id = task WHERE sample = ? AND number = "
		 "?",
		 NOTHING},
	};

	for (size_t i = 0; i < d->n; i++) {
		const struct delta_row *row = &d->row[i];
		const uint64_t id = row->task->id;

		/* Columns from the fifth on are those of the first layout's view, which lacks ended
		 * tasks. */
		for (size_t k = 0; k < (row->task->dead ? 4 : sizeof columns / sizeof *columns);
		     k++)
			check(ask(columns[k].sql, sample, id),
			      whole(row->increment[columns[k].event]), columns[k].sql, sample, id);
		check(ask("SELECT ipc FROM interval WHERE sample = ? AND tid = ?", sample, id),
		      whole(value_divide(row->increment[INSTRUCTIONS], row->increment[CYCLES])),
		      "ipc", sample, id);
		check(ask("SELECT cpu_s FROM interval WHERE sample = ? AND tid = ?", sample, id),
		      whole(row->cpu_ns) / 1e9, "cpu_s", sample, id);
	}
}

/* The view of processes has NULL if one of the process's threads has NULL. */
static void check_processes(const struct delta *d, unsigned sample)
{
	for (size_t i = 0; i < d->n; i++) {
		const uint64_t owner = d->row[i].task->owner;
		double sum = 0;

		for (size_t k = 0; k < d->n; k++)
			if (d->row[k].task->owner == owner)
				sum += whole(d->row[k].increment[INSTRUCTIONS]);
		check(ask("SELECT instructions FROM process WHERE sample = ? AND pid = ?", sample,
			  owner),
		      sum, "instructions of a process", sample, owner);
	}
}

static void write_and_check(void)
{
	struct sample_events *events = all_events();
	struct task *present[N_TASKS] = {NULL};
	struct delta delta[2];
	struct sample *old = NULL;
	struct record_writer *w;
	struct err err = ERR_INIT;

	delta_init(&delta[0]);
	delta_init(&delta[1]);
	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer %s", err.text);
	for (unsigned n = 1; n <= N_SAMPLES; n++) {
		struct sample *s = new_sample(n);

		for (uint64_t i = 0; i < N_TASKS; i++) {
			const unsigned fate = chance(10);
			struct task *before = present[i];

			if (before && before->dead)
				present[i] = NULL;
			else if (fate && (before || fate < 3) && !(before && fate > 7))
				present[i] = read_of(10 + i, s, events, before);
			else if (!fate)
				present[i] = NULL;
			if (present[i] != before)
				task_unref(before);
			if (present[i])
				sample_add(s, task_ref(present[i]));
		}
		sample_sort(s);
		if (record_writer_sample(w, s, &err))
			tap_ok(false, "a sample is written: %s", err.text);
		delta_compute(&delta[n % 2], old ? &delta[!(n % 2)] : NULL, old, s);
		if (n == 1)
			sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
		check_rows(&delta[n % 2], n);
		check_processes(&delta[n % 2], n);
		sample_unref(old);
		old = s;
	}
	tap_ok(known > compared / 4, "%d numbers were compared, of which %d are known", compared,
	       known);
	sqlite3_close(db);
	record_writer_close(w, NULL);
	delta_done(&delta[0]);
	delta_done(&delta[1]);
	sample_unref(old);
	for (size_t i = 0; i < N_TASKS; i++)
		task_unref(present[i]);
	sample_events_unref(events);
}

/* ---- samples by the range of their readings ---- */

#define N_PLAIN   10
#define N_REFRESH 200

/* Records tasks that run all the time, in one layout. */
static void write_plain(void)
{
	struct task *present[N_PLAIN] = {NULL};
	struct record_writer *w;

	record_writer_new(&w, path, &about, NULL);
	for (unsigned n = 1; n <= N_REFRESH; n++) {
		struct sample *s = new_sample(n);

		s->generation = 1;
		for (uint64_t i = 0; i < N_PLAIN; i++) {
			struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS), 0,
						  &(struct task_texts){.name = "plain"});

			t->id = t->owner = 10 + i;
			t->start_ns = 5;
			t->state = 'R';
			t->facts_read = n;
			task_set_fact(t, FACT_CPU_NS, n * 1000000u);
			task_unref(present[i]);
			present[i] = t;
			sample_add(s, task_ref(t));
		}
		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	record_writer_close(w, NULL);
	for (size_t i = 0; i < N_PLAIN; i++)
		task_unref(present[i]);
}

/* Returns how many steps SQLite takes for the rows of the view. */
static int count_steps(const char *view, const char *condition, int rows)
{
	char *sql = sqlite3_mprintf("SELECT count(*), sum(cpu_s) FROM %s %s", view, condition);
	sqlite3_stmt *stmt = NULL;
	int steps;

	tap_int(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s", sql);
	sqlite3_step(stmt);
	tap_int(sqlite3_column_int(stmt, 0), rows, "its rows");
	steps = sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 0);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return steps;
}

static void test_ranges(void)
{
	static const char *const views[] = {"interval", "process"};

	write_plain();
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	for (size_t i = 0; i < 2; i++) {
		const int all = count_steps(views[i], "", N_PLAIN * N_REFRESH);
		const int one = count_steps(views[i], "WHERE sample = 100", N_PLAIN);
		const int last = count_steps(views[i], "WHERE sample = 200", N_PLAIN);
		const int time = count_steps(
			views[i], "WHERE time BETWEEN 1700000100 AND 1700000101", 2 * N_PLAIN);

		tap_ok(one * 50 < all && last * 50 < all && time * 10 < all,
		       "%s: %d, %d and %d steps for a part, %d for all", views[i], one, last, time,
		       all);
	}
	sqlite3_close(db);
	unlink(path);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/views.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	write_and_check();
	unlink(path);
	test_ranges();
	rmdir(folder);
	return tap_done();
}
