/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings that keep only some of the samples: these are unchanged, and all data of dropped ones
 * are removed.
 */
#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "record_rig.h"

#define S_NS 1000000000ull

static const char *ask(const char *sql)
{
	static char text[4000];
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;

	text[0] = '\0';
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
		snprintf(text, sizeof text, "%s", sqlite3_errmsg(db));
	else if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		snprintf(text, sizeof text, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return text;
}

static struct record_writer *begin(const struct record_limits *keep)
{
	struct record_writer *w;
	struct err err = ERR_INIT;

	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer %s", err.text);
	tap_int(record_writer_limit(w, keep, &err), 0, "which does not keep all %s", err.text);
	return w;
}

static void write_one(struct record_writer *w, size_t i)
{
	struct err err = ERR_INIT;

	if (record_writer_sample(w, written[i], &err))
		tap_ok(false, "sample %zu is written: %s", i, err.text);
}

/* Returns a subquery of all readings, from all layouts. */
static char *readings(void)
{
	return xstrdup(
		ask("SELECT '(' || group_concat('SELECT id, sample, task FROM reading_' || id, "
		    "' UNION ALL ') || ')' FROM layout"));
}

/* No table may have rows that only dropped samples used. */
static void check_tables(const char *name)
{
	static const char *const left[] = {
		"task WHERE id NOT IN (SELECT task FROM reading)",
		("reading WHERE sample NOT IN (SELECT id FROM sample) AND id NOT IN "
		 "(SELECT reading FROM keyframe)"),
		"gone WHERE sample NOT IN (SELECT id FROM sample)",
		"keyframe WHERE sample NOT IN (SELECT id FROM sample)",
		"keyframe WHERE reading NOT IN (SELECT id FROM reading)",
		"cpu_use WHERE sample NOT IN (SELECT id FROM sample)",
		"event WHERE event_set NOT IN (SELECT id FROM event_set)",
	};
	char *all = readings();

	for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
		struct strbuf sql;

		strbuf_init(&sql);
		strbuf_addf(&sql, "WITH reading AS %s SELECT count(*) FROM %s", all, left[i]);
		tap_str(ask(sql.text), "0", "%s: of %s", name, left[i]);
		strbuf_done(&sql);
	}
	tap_str(ask("PRAGMA integrity_check"), "ok", "%s: the file is good", name);
	free(all);
}

static size_t first_kept(void)
{
	return (size_t)strtoul(ask("SELECT min(id) FROM sample"), NULL, 10) - 1;
}

/* Seeks to sample i. Recorded time begins at the first kept sample. */
static void seek(struct record_reader *r, size_t i)
{
	tap_int(record_reader_seek(r, at(i) - at(first_kept()), NULL), 0, "a jump");
}

static void check_kept(const char *name)
{
	struct record_reader *r = open_it();

	check_from(r, first_kept(), N_SAMPLES, name);
	tap_ok(!record_reader_fault(r), "%s: nothing is missing", name);
	seek(r, N_SAMPLES - 20);
	check_from(r, N_SAMPLES - 20, N_SAMPLES, name);
	record_reader_free(r);
}

static void test_time(void)
{
	struct record_writer *w = begin(&(struct record_limits){.ns = 64 * S_NS});
	size_t n;

	for (size_t i = 0; i < N_SAMPLES; i++)
		write_one(w, i);
	record_writer_close(w, NULL);
	n = N_SAMPLES - first_kept();
	tap_ok(n >= 65 && n <= 70, "of 64 seconds, %zu samples are there", n);
	check_kept("64 seconds");
	check_tables("64 seconds");
	unlink(path);
}

static uint64_t size_of(const char *name)
{
	struct stat st;

	return stat(name, &st) ? 0 : (uint64_t)st.st_size;
}

static void test_size(void)
{
	const uint64_t limit = 700000;
	struct record_writer *w = begin(&(struct record_limits){.bytes = limit});
	uint64_t most = 0;
	char log[200];

	snprintf(log, sizeof log, "%s-wal", path);
	for (size_t i = 0; i < N_SAMPLES; i++) {
		uint64_t size;

		write_one(w, i);
		size = size_of(path) + size_of(log);
		most = size > most ? size : most;
	}
	record_writer_close(w, NULL);
	tap_ok(most <= limit + limit / 10, "the file and its log never had more than %llu bytes",
	       (unsigned long long)most);
	tap_ok(first_kept() > 20, "sample %zu is the first that is left", first_kept());
	tap_ok(size_of(path) > limit / 2, "no more was dropped than had to be: %llu bytes",
	       (unsigned long long)size_of(path));
	check_kept("700 kB");
	unlink(path);
}

static void test_too_small(void)
{
	struct record_writer *w = begin(&(struct record_limits){.bytes = 20000});
	struct err err = ERR_INIT;
	int ret = 0;

	for (size_t i = 0; i < 50 && !ret; i++)
		ret = record_writer_sample(w, written[i], &err);
	tap_int(ret, -EFBIG, "where not one sample has room: %s", err.text);
	record_writer_close(w, NULL);
	unlink(path);
}

/* Only the samples around marks are kept: two spans. */
static void test_marks(void)
{
	struct record_writer *w = begin(&(struct record_limits){
		.marked_only = true, .before_ns = 32 * S_NS, .after_ns = 10 * S_NS + S_NS / 2});
	struct record_reader *r;
	struct sample *s = sample_new(), *next = sample_new();
	size_t first, again;

	for (size_t i = 0; i < N_SAMPLES; i++) {
		write_one(w, i);
		if (i == 100 || i == 104 || i == 300)
			record_writer_mark(w);
	}
	tap_ok(strtoul(ask("SELECT count(*) FROM sample"), NULL, 10) < 150,
	       "while it is written, only what may be wanted is there");
	record_writer_close(w, NULL);
	first = first_kept();
	again = (size_t)strtoul(ask("SELECT min(id) FROM sample WHERE id > 200"), NULL, 10) - 1;
	tap_ok(first >= 100 - 36 && first <= 100 - 32, "it begins %zu s before the first mark",
	       100 - first);
	tap_ok(again >= 300 - 36 && again <= 300 - 32, "and again %zu s before the next",
	       300 - again);
	tap_str(ask("SELECT max(id) - 1 FROM sample WHERE id < 200"), "114",
		"and goes on for ten more");
	tap_str(ask("SELECT max(id) - 1 FROM sample"), "310", "each time");
	check_tables("around marks");
	r = open_it();
	check_from(r, first, 115, "the first span");
	check_from(r, again, 311, "the second one behind it");
	seek(r, 305);
	check_from(r, 305, 311, "a jump into it");
	seek(r, 200);
	tap_int(record_reader_next(r, s, NULL), 0, "a jump between them");
	tap_ok(s->number == written[114]->number && s->last, "is to the end of the first");
	tap_int(record_reader_next(r, next, NULL), 0, "behind which comes the second");
	tap_ok(next->number == written[again]->number && next->generation != s->generation,
	       "whose begin is compared with nothing");
	seek(r, again);
	tap_int(record_reader_step_back(r, NULL), 0,
		"there is no sample before it to compare with");
	check_from(r, again, 311, "it itself comes next");
	record_reader_free(r);
	sample_unref(s);
	sample_unref(next);
	unlink(path);
}

/* A mark after the last sample keeps it, although no later sample triggers the check for marks. */
static void test_last_mark(void)
{
	struct record_writer *w = begin(&(struct record_limits){
		.marked_only = true, .before_ns = 5 * S_NS, .after_ns = 5 * S_NS});

	for (size_t i = 0; i < 60; i++)
		write_one(w, i);
	record_writer_mark(w);
	record_writer_close(w, NULL);
	tap_str(ask("SELECT max(id) - 1 FROM sample"), "59", "a mark at the end keeps the last");
	unlink(path);
}

static void test_no_mark(void)
{
	struct record_writer *w = begin(&(struct record_limits){
		.marked_only = true, .before_ns = 5 * S_NS, .after_ns = 5 * S_NS});

	for (size_t i = 0; i < 60; i++)
		write_one(w, i);
	record_writer_close(w, NULL);
	tap_str(ask("SELECT count(*) FROM sample"), "0", "without a mark nothing is kept");
	tap_str(ask("SELECT count(*) FROM reading_1"), "0", "of no task");
	tap_str(ask("SELECT count(*) FROM task"), "0", "nor its name");
	unlink(path);
}

/* All data of a run are removed when none of its samples is left. */
static void test_runs(void)
{
	struct record_writer *w = begin(&(struct record_limits){.ns = 1000 * S_NS});

	record_writer_screen(w, "old", "<tiptop/>", NULL);
	for (size_t i = 0; i < 30; i++)
		write_one(w, i);
	record_writer_close(w, NULL);
	w = begin(&(struct record_limits){.ns = 20 * S_NS});
	record_writer_screen(w, "new", "<tiptop/>", NULL);
	for (size_t i = 200; i < 290; i++)
		write_one(w, i);
	record_writer_close(w, NULL);
	tap_str(ask("SELECT group_concat(id) FROM run"), "2", "the run before is gone");
	tap_str(ask("SELECT group_concat(name) FROM screen"), "new", "with its screens");
	tap_str(ask("SELECT group_concat(id) FROM machine"), "2", "its machine");
	tap_str(ask("SELECT DISTINCT machine FROM machine_place"), "2", "where its CPUs were");
	tap_str(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'reading_1'"), "0",
		"and its tables");
	check_tables("two runs");
	unlink(path);
}

static struct sample *sample_at(uint64_t mono_s, int64_t wall_s)
{
	struct sample *s = sample_new();

	s->number = (uint32_t)mono_s;
	s->generation = 1;
	s->mono_ns = s->boot_ns = mono_s * S_NS;
	s->wall_ns = (uint64_t)wall_s * S_NS;
	/* A sample without tasks would have no keyframe. */
	sample_add(s, task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "alpha"}));
	return s;
}

/* The wall clock is set back by a day, then forward by a month; a second run begins in 1970. */
static void test_clock_set(void)
{
	struct record_writer *w = begin(&(struct record_limits){.ns = 32 * S_NS});

	for (uint64_t i = 1; i <= 200; i++) {
		const int64_t off_s = i > 150 ? 2600000 : i > 100 ? -86400 : 0;
		struct sample *s = sample_at(i, 1700000000 + (int64_t)i + off_s);

		record_writer_sample(w, s, NULL);
		sample_unref(s);
		if (i == 120)
			tap_int((long long)first_kept(), 120 - 34,
				"what is old goes though the clock was set back");
	}
	record_writer_close(w, NULL);
	tap_int((long long)first_kept(), 200 - 34, "and no more of it though it was set on");
	w = begin(&(struct record_limits){.ns = 32 * S_NS});
	for (uint64_t i = 1; i <= 20; i++) {
		struct sample *s = sample_at(i, (int64_t)i);

		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	tap_str(ask("SELECT count(*) FROM sample WHERE run = 1"), "14",
		"of the run before, as much is kept as belongs to the time");
	for (uint64_t i = 21; i <= 60; i++) {
		struct sample *s = sample_at(i, (int64_t)i);

		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	record_writer_close(w, NULL);
	tap_str(ask("SELECT count(*) FROM sample WHERE run = 1"), "0", "then it goes");
	unlink(path);
}

int main(void)
{
	rig_begin("drop");
	test_time();
	test_clock_set();
	test_size();
	test_too_small();
	test_marks();
	test_last_mark();
	test_no_mark();
	test_runs();
	rig_end();
	return tap_done();
}
