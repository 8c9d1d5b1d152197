/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of a recording have all that happened in their samples: sums over them are those over the
 * samples, whatever tasks do in between.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "record/minute.h"
#include "record/reader.h"
#include "record/writer.h"
#include "tap.h"

#define N_SLOTS   20
#define N_SAMPLES 400
#define SECOND_NS 1000000000ull

/* A slot of the simulated machine: it has one task after another. */
struct slot {
	struct task *task; /* its last reading; NULL: none lives */
	uint64_t id;       /* the first slot uses its id again */
};

/* Sums over the intervals of a recording. */
struct sums {
	double cpu_ns, count, rss;
	size_t intervals, tasks, dead, born, unknown;
	bool partial;
};

static char folder[128], path[160];
static struct slot slot[N_SLOTS];
static struct sample_events *events;
static uint64_t seed = 11;
static bool switching;    /* every third sample, the screen changes to another one: A, B, A */
static bool renaming;     /* tasks change their names */
static bool unique;       /* no id is used again, so steps have whole minutes */
static uint32_t crash_at; /* the file is copied after this sample; 0: it is not */
static bool setting;      /* the wall clock is set back and forward */
static struct record_limits keep; /* of the writer */

static void copy_unfinished(void);

static unsigned chance(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Returns a new reading of the task of the slot; old: the previous one, NULL: the task begins. */
static struct task *read_task(const struct slot *at, const struct sample *s, const struct task *old)
{
	static const struct fact_set facts = FACT_SET(FACT_CPU_NS, FACT_VCSW, FACT_RSS_KB),
				     more = FACT_SET(FACT_CPU_NS, FACT_VCSW, FACT_RSS_KB,
						     FACT_MINFLT);
	static const char *const names[] = {"alpha", "beta", "gamma"};
	struct task *t;

	t = task_new(&kind_task, switching && s->number / 3 % 2 ? more : facts, 1,
		     &(struct task_texts){.user = "me",
					  .name = old && (chance(10) || !renaming)
							  ? old->name
							  : names[chance(3)]});
	t->id = t->owner = at->id;
	t->start_ns = old ? old->start_ns : s->boot_ns - SECOND_NS / 2;
	t->state = 'R';
	t->counting = COUNT_OK;
	t->facts_read = s->number;
	task_set_events(t, events);
	task_set_fact(t, FACT_CPU_NS,
		      (old ? task_fact(old, FACT_CPU_NS) : 0) + 1000000 * chance(900));
	task_set_fact(t, FACT_VCSW, (old ? task_fact(old, FACT_VCSW) : 0) + chance(50));
	task_set_fact(t, FACT_RSS_KB, 4096);
	/* The counters of a new task are opened when it is found. */
	if (old) {
		t->count[0].value = old->count[0].value + 1000 * chance(900);
		t->count[0].enabled_ns = old->count[0].enabled_ns + 1000 + chance(900);
		t->count[0].running_ns = t->count[0].enabled_ns;
	}
	return t;
}

/* Ends a task: its counters are read once more, its facts maybe not. */
static struct task *end_task(const struct slot *at, const struct sample *s)
{
	struct task *t = read_task(at, s, at->task);

	t->dead = true;
	t->lost = chance(2);
	if (!t->lost)
		return t;
	task_set_fact(t, FACT_CPU_NS, task_fact(at->task, FACT_CPU_NS));
	task_set_fact(t, FACT_VCSW, task_fact(at->task, FACT_VCSW));
	t->facts_read = at->task->facts_read;
	return t;
}

/* Simulates one slot up to the sample: a task begins, runs, or ends. */
static void live(struct slot *at, struct sample *s)
{
	const unsigned fate = chance(20);
	struct task *next;

	if (!at->task && fate < 8) {
		at->id += at != slot || unique ? N_SLOTS : 0;
		at->task = read_task(at, s, NULL);
	} else if (at->task && fate == 0) { /* leaves, as with a filter */
		task_unref(at->task);
		at->task = NULL;
	} else if (at->task && fate < 14) {
		next = fate < 3 ? end_task(at, s) : read_task(at, s, at->task);
		task_unref(at->task);
		at->task = next;
	}
	if (at->task)
		sample_add(s, task_ref(at->task));
	if (at->task && at->task->dead) {
		task_unref(at->task);
		at->task = NULL;
	}
}

static void write_all(void)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	const struct sample_event event = {
		.given = "cycles", .pmu = "cpu", .kind = EVENT_HARDWARE, .modes = MODES_ALL};
	struct record_writer *w;
	struct sample *s;
	int failed = 0;

	events = sample_events_new(&event, 1);
	failed |= record_writer_new(&w, path, &about, NULL);
	failed |= record_writer_limit(w, &keep, NULL);
	for (size_t i = 0; i < N_SLOTS; i++)
		slot[i].id = 100 + i;
	for (uint32_t n = 1; n <= N_SAMPLES; n++) {
		s = sample_new();
		s->number = n;
		s->mono_ns = s->boot_ns = n * SECOND_NS;
		s->wall_ns = 1700000000 * SECOND_NS + s->mono_ns +
			     (setting ? n / 70 % 3 * 17 * SECOND_NS : 0);
		s->generation = n < 250 ? 1 : 2;
		for (size_t i = 0; i < N_SLOTS; i++)
			live(&slot[i], s);
		sample_sort(s);
		failed |= record_writer_sample(w, s, NULL);
		if (keep.marked_only && n % 150 == 0)
			record_writer_mark(w);
		sample_unref(s);
		if (n == crash_at)
			copy_unfinished();
	}
	failed |= record_writer_close(w, NULL);
	tap_int(failed, 0, "a recording");
	sample_events_unref(events);
	for (size_t i = 0; i < N_SLOTS; i++) {
		task_unref(slot[i].task);
		slot[i].task = NULL;
	}
}

static void add_row(struct sums *sums, const struct delta_row *row)
{
	const struct value cpu = delta_fact(row, FACT_CPU_NS);

	if (value_known(cpu) && cpu.quality != QUALITY_STALE)
		sums->cpu_ns += cpu.number;
	else
		sums->partial = true;
	sums->partial |= cpu.quality == QUALITY_PARTIAL;
	if (value_known(row->increment[0]))
		sums->count += row->increment[0].number;
	else
		sums->unknown++;
	sums->rss += row->task->dead ? 0 : delta_fact_now(row, FACT_RSS_KB).number;
	sums->born += row->born && !row->old;
	sums->dead += row->task->dead;
	sums->tasks++;
}

/* Sums up the recording from a sample on, up to a recorded time, in steps. */
static struct sums sum_up(int64_t from_ns, int64_t to_ns, uint64_t step_ns)
{
	struct sample *s[2] = {sample_new(), sample_new()};
	struct delta d[2], processes;
	struct record_reader *r;
	struct sums sums = {.cpu_ns = 0};
	int64_t at_ns;

	delta_init(&d[0]);
	delta_init(&d[1]);
	delta_init(&processes);
	tap_int(record_reader_new(&r, path, NULL), 0, "steps of %g s", (double)step_ns / SECOND_NS);
	record_reader_seek(r, from_ns, NULL);
	record_reader_set_step(r, step_ns, to_ns);
	for (int k = 0; !record_reader_peek(r, &at_ns, NULL) && at_ns <= to_ns; k = !k) {
		if (record_reader_next(r, s[k], NULL))
			break;
		delta_compute(&d[k], &d[!k], at_ns > from_ns ? s[!k] : NULL, s[k]);
		fold_processes(&processes, &d[k]);
		sums.intervals += d[k].interval_ns > 0;
		for (size_t i = 0; d[k].interval_ns && i < processes.n; i++)
			add_row(&sums, &processes.row[i]);
	}
	tap_ok(!record_reader_fault(r), "nothing is damaged");
	record_reader_free(r);
	delta_done(&processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&d[k]);
		sample_unref(s[k]);
	}
	return sums;
}

static void check_steps(int64_t from_s, int64_t to_s, unsigned step_s)
{
	const int64_t from_ns = from_s * (int64_t)SECOND_NS, to_ns = to_s * (int64_t)SECOND_NS;
	const struct sums each = sum_up(from_ns, to_ns, 0),
			  steps = sum_up(from_ns, to_ns, step_s * SECOND_NS);
	/* No step is across the change of generations, which takes an interval away. */
	const int64_t before = from_s < 248 ? (to_s < 248 ? to_s : 248) - from_s : 0,
		      after = to_s > 249 ? to_s - (from_s < 249 ? 249 : from_s) : 0;

	tap_int((long long)each.intervals, before + after, "all samples");
	/* No step includes the reuse of an id. */
	tap_ok((int64_t)steps.intervals >=
			       (before + step_s - 1) / step_s + (after + step_s - 1) / step_s &&
		       (step_s == 1 || steps.intervals < each.intervals),
	       "few steps: %zu", steps.intervals);
	tap_num(steps.cpu_ns, each.cpu_ns, "the CPU time");
	tap_num(steps.count, each.count, "what was counted");
	tap_int((long long)steps.born, (long long)each.born, "the tasks that began");
	tap_int((long long)steps.dead, (long long)each.dead, "those that ended");
	tap_ok(steps.partial, "some of whose time is not known");
	tap_ok(step_s == 1 || (steps.tasks < each.tasks && steps.unknown < each.unknown),
	       "with fewer rows: %zu instead of %zu, %zu instead of %zu without counts",
	       steps.tasks, each.tasks, steps.unknown, each.unknown);
}

/* ---- lists of minutes ---- */

static void run_sql(const char *file, const char *sql)
{
	sqlite3 *db;

	sqlite3_open(file, &db);
	tap_int(sqlite3_exec(db, sql, NULL, NULL, NULL), 0, "%s", sql);
	sqlite3_close(db);
}

static void dump_task(struct strbuf *out, const struct sample *s, size_t i)
{
	const struct task *t = s->task[i];

	strbuf_addf(out, "%llu %s %llu %d%d%d%d %d %u %llx", (unsigned long long)t->id, t->name,
		    (unsigned long long)t->start_ns, t->dead, t->gap, t->lost, t->early_facts,
		    t->counting, t->facts_read, (unsigned long long)t->unread);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_in(t->known, f))
			strbuf_addf(out, " %llu", (unsigned long long)task_fact(t, f));
	for (int k = 0; t->count && k < sample_events_n(t->events); k++)
		strbuf_addf(out, " %llu/%llu", (unsigned long long)t->count[k].value,
			    (unsigned long long)t->count[k].enabled_ns);
	strbuf_addf(out, " %g %g\n", (double)s->time[i].counts_us, (double)s->time[i].facts_us);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends the ranges of a step, sorted by their text. */
static void dump_ranges(struct strbuf *out, const struct record_moments *m)
{
	char **line = xcalloc(m->n_ranges + 1, sizeof *line);

	for (size_t i = 0; i < m->n_ranges; i++) {
		const struct record_range *r = &m->range[i];

		line[i] = xasprintf("%s %llu %.6f..%.6f", r->task ? r->task->name : r->program,
				    r->task ? (unsigned long long)r->task->id : 0ull, r->least,
				    r->most);
	}
	array_sort(line, m->n_ranges, sizeof *line, compare_lines);
	for (size_t i = 0; i < m->n_ranges; i++) {
		strbuf_addf(out, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
}

/* Appends all that steps of a file have. Returns whether the file is damaged. */
static bool dump_steps(struct strbuf *out, const char *file, int64_t from_ns, uint64_t step_ns)
{
	struct sample *s = sample_new();
	struct record_reader *r;
	bool damaged;

	record_reader_new(&r, file, NULL);
	record_reader_seek(r, from_ns, NULL);
	record_reader_keep_ranges(r);
	record_reader_set_step(r, step_ns, INT64_MAX);
	while (!record_reader_next(r, s, NULL)) {
		const struct record_moments *m = record_reader_moments(r);

		strbuf_addf(out, "sample %u\n", s->number);
		for (size_t i = 0; i < s->n; i++)
			dump_task(out, s, i);
		if (m)
			dump_ranges(out, m);
	}
	damaged = record_reader_fault(r) != NULL;
	record_reader_free(r);
	sample_unref(s);
	return damaged;
}

static long long count_rows(const char *file, const char *sql)
{
	sqlite3_stmt *stmt;
	sqlite3 *db;
	long long n = -1;

	sqlite3_open(file, &db);
	if (!sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) && sqlite3_step(stmt) == SQLITE_ROW)
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return n;
}

/* Compares what steps of a file have with its lists and without them. damaged: what the reader has
 * to say of the lists. */
static void check_lists(const char *file, bool damaged)
{
	static const unsigned step_s[] = {60, 120, 90, 600};
	static const unsigned from_s[] = {0, 37};
	struct strbuf with[8], without;
	bool said = false;
	size_t n = 0;

	tap_ok(count_rows(file, "SELECT count(*) FROM minute") > 1, "there are lists");
	for (size_t i = 0; i < 8; i++) {
		strbuf_init(&with[i]);
		said |= dump_steps(&with[i], file, from_s[i / 4] * (int64_t)SECOND_NS,
				   step_s[i % 4] * SECOND_NS);
	}
	tap_int(said, damaged, "whether a list is wrong is told");
	run_sql(file, "DELETE FROM minute");
	for (; n < 8; n++) {
		strbuf_init(&without);
		dump_steps(&without, file, from_s[n / 4] * (int64_t)SECOND_NS,
			   step_s[n % 4] * SECOND_NS);
		tap_ok(without.len > 100 && !strcmp(with[n].text, without.text),
		       "steps of %u s from %u s on are those without lists", step_s[n % 4],
		       from_s[n / 4]);
		strbuf_done(&without);
		strbuf_done(&with[n]);
	}
}

/* Copies the recording while it is written, with its log: a crash leaves this. */
static void copy_unfinished(void)
{
	static const char *const ending[] = {"", "-wal"};

	for (size_t i = 0; i < 2; i++) {
		char *from = xasprintf("%s%s", path, ending[i]),
		     *to = xasprintf("%s.crash%s", path, ending[i]);
		struct strbuf text;
		FILE *file;

		strbuf_init(&text);
		file_read_all(AT_FDCWD, from, (size_t)64 << 20, &text);
		file = fopen(to, "w");
		tap_ok(file && text.len && fwrite(text.text, 1, text.len, file) == text.len,
		       "a copy while it is written");
		if (file)
			fclose(file);
		strbuf_done(&text);
		free(from);
		free(to);
	}
}

static void test_crash(void)
{
	char *copy = xasprintf("%s.crash", path);

	crash_at = 333;
	write_all();
	crash_at = 0;
	unlink(path);
	check_lists(copy, false);
	unlink(copy);
	free(copy);
	for (size_t i = 0; i < 2; i++) {
		copy = xasprintf("%s.crash%s", path, i ? "-shm" : "-wal");
		unlink(copy);
		free(copy);
	}
}

/* The oldest samples are deleted while others are written, then the file is continued. */
static void test_dropped(void)
{
	keep.ns = 130 * SECOND_NS;
	write_all();
	keep.ns = 0;
	tap_ok(count_rows(path, "SELECT min(id) FROM sample") > 100, "the oldest are deleted");
	tap_int(count_rows(path, "SELECT count(*) FROM minute WHERE first_sample < (SELECT min(id) "
				 "FROM sample)"),
		0, "with their lists");
	write_all();
	tap_int(count_rows(path, "SELECT count(DISTINCT run) FROM sample"), 2, "and it goes on");
	check_lists(path, false);
	unlink(path);
}

/* Samples between others are deleted, or the oldest as the file is too large. */
static void test_limits(void)
{
	static const struct record_limits limit[] = {
		{.marked_only = true, .before_ns = 80 * SECOND_NS, .after_ns = 30 * SECOND_NS},
		{.bytes = 500000}};

	for (size_t i = 0; i < 2; i++) {
		keep = limit[i];
		write_all();
		tap_ok(count_rows(path, "SELECT count(*) FROM sample") < N_SAMPLES,
		       "samples are deleted");
		keep = (struct record_limits){.ns = 0};
		check_lists(path, false);
		unlink(path);
	}
}

/* There are lists of samples that are written later. */
static void test_early(void)
{
	write_all();
	run_sql(path,
		"INSERT INTO minute WITH RECURSIVE n(id) AS (SELECT 401 UNION ALL SELECT id + "
		"1 FROM n WHERE id < 800) SELECT id, id, x'00' FROM n");
	write_all();
	check_lists(path, true);
	unlink(path);
}

/* The wall clock is set forward, and back to a minute that was before. */
static void test_clock(void)
{
	setting = true;
	write_all();
	setting = false;
	check_lists(path, false);
	unlink(path);
}

/* Changes the list of the minute with this number in the file, from 0. */
static void change_list(unsigned number, void (*change)(struct minute_list *))
{
	struct minute_list list = {.n = 0};
	struct strbuf bytes;
	sqlite3_stmt *stmt;
	sqlite3 *db;
	int64_t last;

	strbuf_init(&bytes);
	sqlite3_open(path, &db);
	sqlite3_prepare_v2(db, "SELECT last_sample, list FROM minute ORDER BY 1 LIMIT 1 OFFSET ?",
			   -1, &stmt, NULL);
	sqlite3_bind_int(stmt, 1, (int)number);
	sqlite3_step(stmt);
	last = sqlite3_column_int64(stmt, 0);
	tap_ok(minute_parse(&list, sqlite3_column_blob(stmt, 1),
			    (size_t)sqlite3_column_bytes(stmt, 1)) &&
		       list.n > 3 && list.last_sample == last,
	       "a list");
	sqlite3_finalize(stmt);
	change(&list);
	minute_format(&list, &bytes);
	sqlite3_prepare_v2(db, "UPDATE minute SET list = ? WHERE last_sample = ?", -1, &stmt, NULL);
	sqlite3_bind_blob(stmt, 1, bytes.text, (int)bytes.len, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 2, last);
	tap_int(sqlite3_step(stmt), SQLITE_DONE, "is changed");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	strbuf_done(&bytes);
	minute_done(&list);
}

static void name_later(struct minute_list *l)
{
	/* Its last reading is one of another task. */
	for (size_t i = 0; i + 1 < l->n; i++)
		if (l->v[i].reading + 1 < l->v[i + 1].reading) {
			l->v[i].reading++;
			return;
		}
}

static void take_row(struct minute_list *l)
{
	l->v[0].row = l->v[0].first_row = l->v[1].row;
}

static void omit_last(struct minute_list *l)
{
	l->v[l->n - 2].n += l->v[l->n - 1].n;
	l->n--;
}

static void omit_middle(struct minute_list *l)
{
	const size_t i = l->n / 2;

	l->v[i + 1].n += l->v[i].n;
	memmove(&l->v[i], &l->v[i + 1], (--l->n - i) * sizeof *l->v);
}

static void name_earlier(struct minute_list *l)
{
	size_t i = 0;
	char *sql;

	while (l->v[i].n < 2)
		i++;
	sql = xasprintf("SELECT previous FROM reading_1 WHERE id = %lld",
			(long long)l->v[i].reading);
	l->v[i].reading = count_rows(path, sql);
	free(sql);
	minute_sort(l);
}

static void take_layout(struct minute_list *l)
{
	l->v[1].layout = 77;
}

static void lose_reading(struct minute_list *l)
{
	l->v[1].n++;
}

static void read_no_event(struct minute_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->v[i].unread = 1;
}

static void shift(struct minute_list *l)
{
	l->first_reading--;
	l->v[0].n++;
}

static void raise_peak(struct minute_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->v[i].cpu.most += l->v[i].cpu.known ? 5000000 : 0;
}

static void claim_many(struct minute_list *l)
{
	l->next_reading += (int64_t)1 << 60;
	l->v[0].n += (uint64_t)1 << 60;
}

/* A list with more readings than there is memory for, and a sample that agrees with it. */
static void test_many(void)
{
	write_all();
	change_list(0, claim_many);
	run_sql(path, "UPDATE sample SET first_reading = first_reading + (1 << 60) "
		      "WHERE id > (SELECT min(last_sample) FROM minute)");
	check_lists(path, true);
	unlink(path);
}

/* Lists that contradict the readings. */
static void test_contradictions(void)
{
	static void (*const change[])(struct minute_list *) = {
		name_later, take_row, take_layout, lose_reading, shift, read_no_event};
	/* These are noticed when the task runs again or ends. */
	static void (*const late[])(struct minute_list *) = {omit_last, omit_middle, name_earlier};
	struct strbuf with, without;

	for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
		write_all();
		change_list(1, change[i]);
		check_lists(path, true);
		unlink(path);
	}
	for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
		write_all();
		change_list(1, late[i]);
		strbuf_init(&with);
		tap_ok(dump_steps(&with, path, 0, MINUTE_NS), "it is told that a list is wrong");
		strbuf_done(&with);
		unlink(path);
	}
	write_all();
	run_sql(path, "UPDATE minute SET list = x'0102030405060708090a' WHERE last_sample > 100");
	check_lists(path, true);
	unlink(path);
	write_all();
	run_sql(path, "UPDATE minute SET first_sample = first_sample + 1");
	check_lists(path, true);
	unlink(path);
	/* The readings say that counters were closed after the first list, and the lists do not say
	 * it. This is noticed, although only the first list is compared with all of its readings.
	 */
	write_all();
	run_sql(path, "UPDATE reading_1 SET flags = flags | 2 WHERE sample > (SELECT "
		      "min(last_sample) FROM minute)");
	check_lists(path, true);
	unlink(path);
	/* The list is used: facts that only the list has are in the result. */
	strbuf_init(&with);
	strbuf_init(&without);
	write_all();
	dump_steps(&without, path, 0, MINUTE_NS);
	change_list(1, raise_peak);
	tap_ok(!dump_steps(&with, path, 0, MINUTE_NS), "other peaks");
	tap_ok(strcmp(with.text, without.text) != 0, "come from the list");
	unlink(path);
	strbuf_done(&with);
	strbuf_done(&without);
}

/* Checks that the moments of a step sum up to its CPU time; raises *most to the largest CPU usage.
 */
static void check_moments(const struct record_moments *m, const struct delta *d, double *most)
{
	struct sums sums = {.cpu_ns = 0};
	uint32_t last = 0;
	bool ordered = true;
	double cpu_ns = 0;

	for (size_t i = 0; i < d->n; i++)
		add_row(&sums, &d->row[i]);
	for (size_t i = 0; i < m->n; i++) {
		cpu_ns += (double)m->v[i].cpu * (double)SECOND_NS;
		*most = (double)m->v[i].cpu > *most ? (double)m->v[i].cpu : *most;
		ordered &= m->v[i].sample >= last && m->v[i].sample < m->n_samples;
		last = m->v[i].sample;
	}
	tap_ok(ordered, "%zu moments in the order of %zu samples", m->n, m->n_samples);
	tap_ok(cpu_ns > sums.cpu_ns - 1e3 && cpu_ns < sums.cpu_ns + 1e3,
	       "have all of the CPU time: %g, %g", cpu_ns, sums.cpu_ns);
}

static void test_moments(void)
{
	struct sample *s[2] = {sample_new(), sample_new()};
	struct record_reader *r;
	struct delta d[2];
	double most = 0;

	delta_init(&d[0]);
	delta_init(&d[1]);
	record_reader_new(&r, path, NULL);
	record_reader_keep_moments(r);
	record_reader_set_step(r, 20 * SECOND_NS, INT64_MAX);
	for (int i = 0; !record_reader_next(r, s[i % 2], NULL); i++) {
		const struct record_moments *m = record_reader_moments(r);

		delta_compute(&d[i % 2], i ? &d[!(i % 2)] : NULL, i ? s[!(i % 2)] : NULL, s[i % 2]);
		if (m)
			check_moments(m, &d[i % 2], &most);
		else
			tap_ok(!i || s[i % 2]->mono_ns - s[!(i % 2)]->mono_ns == SECOND_NS,
			       "a sample alone has no moments");
	}
	tap_ok(most > 0.89 && most < 0.9, "the most CPU time of a second: %g", most);
	record_reader_free(r);
	for (int k = 0; k < 2; k++) {
		delta_done(&d[k]);
		sample_unref(s[k]);
	}
}

static void test_extent(void)
{
	struct record_extent extent;
	struct record_reader *r;

	record_reader_new(&r, path, NULL);
	tap_int(record_reader_extent(r, INT64_MAX, &extent, NULL), 0, "how long it is");
	tap_int(extent.samples, N_SAMPLES - 1, "samples");
	tap_ok(extent.ns == (N_SAMPLES - 1) * (int64_t)SECOND_NS, "time");
	tap_ok(extent.readings > 2 * N_SAMPLES, "readings");
	record_reader_seek(r, 100 * (int64_t)SECOND_NS, NULL);
	record_reader_extent(r, 110 * (int64_t)SECOND_NS, &extent, NULL);
	tap_int(extent.samples, 10, "a part of it");
	record_reader_extent(r, 50 * (int64_t)SECOND_NS, &extent, NULL);
	tap_int(extent.samples, 0, "none before its begin");
	record_reader_free(r);
}

/* Compares steps of the same tasks with and without lists. */
static void test_lists(void)
{
	unique = true;
	for (int i = 0; i < 4; i++) {
		switching = i & 1;
		renaming = i & 2;
		write_all();
		check_lists(path, false);
		unlink(path);
	}
	switching = false;
	test_crash();
	test_dropped();
	test_limits();
	test_clock();
	test_early();
	test_contradictions();
	test_many();
	unique = false;
}

/* A task has readings in two tables, whose order is not that of the samples. */
static void test_switching(void)
{
	write_all();
	check_steps(0, N_SAMPLES - 1, 7);
	check_steps(0, N_SAMPLES - 1, 60);
	test_moments();
	check_lists(path, false);
	unlink(path);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/steps.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	renaming = true;
	write_all();
	check_steps(0, N_SAMPLES - 1, 1);
	check_steps(0, N_SAMPLES - 1, 2);
	check_steps(0, N_SAMPLES - 1, 7);
	check_steps(0, N_SAMPLES - 1, 60);
	check_steps(0, N_SAMPLES - 1, 1000);
	check_steps(13, 201, 60);
	check_steps(260, 300, 9);
	test_moments();
	test_extent();
	check_lists(path, false);
	unlink(path);
	test_lists();
	switching = true;
	test_switching();
	renaming = false;
	test_switching();
	rmdir(folder);
	return tap_done();
}
