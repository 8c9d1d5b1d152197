/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of a recording, read with plain SQLite.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/writer.h"
#include "tap.h"

static char folder[128], path[160];

static char *words[] = {(char *)"make", (char *)"-j2", NULL};
static const struct record_about about = {.kernel = "6.1.0",
					  .version = "3.0.0",
					  .option = (const char *const[]){"delay", "1", NULL},
					  .command = words};

/* Returns the result of a query as text: columns separated by '|', rows by ' '. */
static const char *ask(const char *sql)
{
	static char text[1024];
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	size_t len = 0;

	text[0] = '\0';
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
		snprintf(text, sizeof text, "%s", sqlite3_errmsg(db));
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const char *cell = (const char *)sqlite3_column_text(stmt, i);

			len += (size_t)snprintf(text + len, sizeof text - len, "%s%s",
						len ? i ? "|" : " " : "", cell ? cell : "-");
		}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return text;
}

static struct sample_events *two_events(int group_of_second)
{
	const struct sample_event event[] = {
		{.given = "cycles", .pmu = "cpu", .kind = EVENT_HARDWARE, .group = 0},
		{.given = "instructions",
		 .pmu = "cpu",
		 .kind = EVENT_HARDWARE,
		 .config = 1,
		 .group = (uint16_t)group_of_second},
	};

	return sample_events_new(event, 2);
}

static struct sample *new_sample(uint32_t number)
{
	struct sample *s = sample_new();

	s->number = number;
	s->mono_ns = s->boot_ns = number * 1000000000ull + 17;
	s->wall_ns = 1700000000000000000ull + s->mono_ns;
	s->generation = 1;
	return s;
}

static struct task *add(struct sample *s, const struct sample_events *events, uint64_t id,
			uint64_t value)
{
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS, FACT_NICE), 2,
				  &(struct task_texts){.user = "me", .name = "alpha"});

	t->id = t->owner = id;
	t->state = 'R';
	t->counting = COUNT_OK;
	t->facts_read = s->number;
	task_set_events(t, events);
	task_set_fact(t, FACT_CPU_NS, value * 10);
	t->count[0] = (struct count){value, 1000, 1000};
	t->count[1] = (struct count){2 * value, 1000, 1000};
	return sample_add(s, t);
}

static struct record_writer *begin(void)
{
	struct record_writer *w;
	struct err err = ERR_INIT;

	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer %s", err.text);
	return w;
}

static void write_sample(struct record_writer *w, struct sample *s)
{
	struct err err = ERR_INIT;

	tap_int(record_writer_sample(w, s, &err), 0, "sample %u is written %s", s->number,
		err.text);
}

static void end(struct record_writer *w)
{
	tap_int(record_writer_close(w, NULL), 0, "it is closed");
}

static void test_only_what_is_new(void)
{
	struct sample_events *events = two_events(0);
	struct sample *a = new_sample(1), *b = new_sample(2), *c = new_sample(3);
	struct record_writer *w = begin();

	add(a, events, 10, 100);
	add(a, events, 20, 200);
	sample_add(b, task_ref(a->task[0]));
	add(b, events, 20, 250);
	b->time[1] = (struct task_time){30, 40};
	sample_add(c, task_ref(b->task[1]));
	write_sample(w, a);
	write_sample(w, b);
	tap_str(ask("SELECT count(*) FROM sample"), "2", "it can be read while it grows");
	write_sample(w, c);
	end(w);
	tap_str(ask("SELECT sample, number, previous, count_0, count_1, CPU_NS, NICE FROM "
		    "reading_1 JOIN task ON task.id = task ORDER BY reading_1.id"),
		"1|10|-|100|200|1000|- 1|20|-|200|400|2000|- 2|20|2|250|500|2500|-",
		"what was read again, and nothing else");
	tap_str(ask("SELECT enabled_0, running_0 FROM reading_1 WHERE id = 3"), "1000|-",
		"one pair of times for a group, and of those one where they are the same");
	tap_str(ask("SELECT counts_ns, facts_ns, counts_us FROM reading_1 WHERE id = 3"),
		"1000030000|1000040000|-", "the intervals");
	tap_str(ask("SELECT sample, reading FROM gone"), "3|1", "who is not there any more");
	tap_str(ask("SELECT count(*) FROM task"), "2", "a task is described once");
	tap_str(ask("SELECT kernel, version, ended_ns - began_ns FROM run"),
		"6.1.0|3.0.0|2000000000", "the run");
	tap_str(ask("SELECT name, value FROM option"), "delay|1", "its options");
	tap_str(ask("SELECT n, word FROM command"), "0|make 1|-j2",
		"the command that was followed");
	tap_str(ask("SELECT given, kind FROM event"), "cycles|1 instructions|1", "the events");
	tap_str(ask("PRAGMA journal_mode"), "delete", "the end is one file");
	sample_unref(a);
	sample_unref(b);
	sample_unref(c);
	sample_events_unref(events);
}

static void test_slots(void)
{
	struct sample_events *one = two_events(0), *two = two_events(1);
	struct sample *s = new_sample(1);
	struct record_writer *w;

	unlink(path);
	w = begin();
	add(s, one, 10, 1);
	add(s, two, 20, 1);
	add(s, one, 30, 1)->count[1].running_ns = 7;
	write_sample(w, s);
	end(w);
	tap_str(ask("SELECT id, event_set, single FROM layout"), "1|1|0 2|2|0 3|1|1",
		"a table for each set, and one for readings whose times differ in a group");
	tap_str(ask("SELECT running_0, enabled_1, running_1 FROM reading_3"), "-|1000|7",
		"which has the times of each event");
	sample_unref(s);
	sample_events_unref(one);
	sample_events_unref(two);
}

static void test_keyframes(void)
{
	struct sample_events *events = two_events(0);
	struct record_writer *w;
	char text[64];

	unlink(path);
	w = begin();
	for (uint32_t n = 1; n <= 3; n++) {
		struct sample *s = new_sample(n);

		for (uint64_t id = 1; id <= 600; id++)
			add(s, events, id, n);
		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	tap_str(ask("SELECT count(*) FROM keyframe"), "0", "no keyframe yet");
	for (uint32_t n = 4; n <= 6; n++) {
		struct sample *s = new_sample(n);

		for (uint64_t id = 1; id <= 600; id++)
			add(s, events, id, n);
		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	end(w);
	snprintf(text, sizeof text, "6|600|3001|3600");
	tap_str(ask("SELECT sample, count(*), min(reading), max(reading) FROM keyframe"), text,
		"one when enough was written: all that are there");
	sample_events_unref(events);
}

/* A reader holds its lock for a moment while a writer begins. */
static void test_reader_lock(void)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	struct err err = ERR_INIT;
	struct record_writer *w;
	int fd, ready[2];
	char byte;

	unlink(path);
	end(begin());
	if (pipe(ready))
		return;
	if (!fork()) {
		fd = open(path, O_RDONLY);
		if (flock(fd, LOCK_SH) || write(ready[1], "r", 1) != 1)
			_exit(1);
		nanosleep(&moment, NULL);
		_exit(0);
	}
	tap_int(read(ready[0], &byte, 1), 1, "a reader has locked the recording");
	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer waits for it: %s",
		err.text);
	if (w)
		end(w);
	wait(NULL);
	close(ready[0]);
	close(ready[1]);
}

static void test_other_files(void)
{
	struct record_writer *w, *other;
	struct err err = ERR_INIT;
	struct sample *s = new_sample(1);
	FILE *f;

	unlink(path);
	w = begin();
	write_sample(w, s);
	tap_int(record_writer_new(&other, path, &about, &err), -EBUSY, "one writes at a time");
	tap_ok(strstr(err.text, "another tiptop records into"), "which is said: %s", err.text);
	end(w);
	w = begin();
	write_sample(w, s);
	end(w);
	tap_str(ask("SELECT run, id FROM sample"), "1|1 2|2", "a recording is continued");
	f = fopen(path, "w");
	fputs("years of work, which are not to be lost: they have no other copy\n", f);
	fclose(f);
	tap_int(record_writer_new(&w, path, &about, &err), -EEXIST, "any other file is refused");
	tap_ok(strstr(err.text, "not a recording of tiptop"), "with a sentence: %s", err.text);
	tap_ok(!w, "there is no writer");
	f = fopen(path, "r");
	tap_ok(f && fgetc(f) == 'y', "and the file stays as it was");
	fclose(f);
	f = fopen(path, "w");
	fputs("y", f);
	fclose(f);
	tap_int(record_writer_new(&w, path, &about, &err), -EEXIST,
		"so is one byte, which SQLite takes for an empty file");
	tap_int(record_writer_new(&w, folder, &about, &err), -EINVAL, "a folder: %s", err.text);
	sample_unref(s);
}

static void test_newer(void)
{
	struct record_writer *w;
	struct err err = ERR_INIT;
	sqlite3 *db;

	unlink(path);
	end(begin());
	sqlite3_open(path, &db);
	sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL);
	sqlite3_close(db);
	tap_int(record_writer_new(&w, path, &about, &err), -EEXIST, "a newer one: %s", err.text);
	tap_ok(strstr(err.text, "newer tiptop"), "the sentence says why");
}

/* Makes a valid recording, and changes it by SQL. */
static void make_foreign(const char *sql)
{
	struct sample_events *events = two_events(0);
	struct sample *s = new_sample(1);
	struct record_writer *w;
	sqlite3 *db;

	unlink(path);
	record_writer_new(&w, path, &about, NULL);
	add(s, events, 10, 100);
	record_writer_sample(w, s, NULL);
	record_writer_close(w, NULL);
	sample_unref(s);
	sample_events_unref(events);
	sqlite3_open(path, &db);
	tap_int(sqlite3_exec(db, sql, NULL, NULL, NULL), 0, "a file with: %.70s", sql);
	sqlite3_close(db);
}

/* Ids of layouts that are text: if pasted into SQL, they would create a table. */
#define GLUED                                                                                      \
	"DROP TABLE layout; CREATE TABLE layout(id, event_set INTEGER, facts TEXT, single "        \
	"INTEGER, moved INTEGER); INSERT INTO layout VALUES('1; CREATE TABLE marker(x); --', 1, "  \
	"'', 0, 0); CREATE VIEW \"interval_1; CREATE TABLE marker(x); --\" AS SELECT 1"

/* Changes of the schema or the ids; and the words by which the error message names them. */
static const struct {
	const char *sql, *named;
} foreign[] = {
	{GLUED, "table 'layout' is not that of version 8"},
	{"CREATE TRIGGER marker AFTER INSERT ON sample BEGIN DELETE FROM sample; END",
	 "trigger 'marker'"},
	{"ALTER TABLE run RENAME TO marker; CREATE VIEW run AS WITH RECURSIVE n(id) AS (SELECT 1 "
	 "UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
	 "no table 'run'"},
	{"CREATE VIEW marker AS SELECT 1", "view 'marker'"},
	{"DROP VIEW interval; CREATE VIEW interval AS SELECT 1 AS marker", "view 'interval'"},
	{"CREATE VIRTUAL TABLE marker USING fts5(x)", "virtual table 'marker'"},
	{"CREATE TABLE marker(x, y AS (x + 1))", "table with a generated column 'marker'"},
	{"CREATE TABLE marker(x)", "table 'marker'"},
	{"CREATE INDEX marker ON sample(run)", "index 'marker'"},
	{"CREATE TABLE reading_2(id INTEGER PRIMARY KEY)", "table 'reading_2'"},
	{"INSERT INTO layout VALUES(9223372036854775807, 1, '', 0, 0)", "those of its layouts"},
	{"DROP TABLE reading_1", "those of its layouts"},
	{"INSERT INTO run(id) VALUES(9223372036854775807)", "numbers"},
	{"INSERT INTO task(id) VALUES(9223372036854775807)", "numbers"},
	{"INSERT INTO reading_1(id) VALUES(9223372036854775807)", "numbers"},
	{"INSERT INTO event_set(id) VALUES(9223372036854775806)", "numbers"},
};

/* A file with foreign contents is refused and remains unchanged. */
static void test_foreign(void)
{
	char before[1024];

	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
		static const char state[] =
			"SELECT (SELECT count(*) FROM sqlite_schema), (SELECT count(*) FROM "
			"sample), (SELECT user_version FROM pragma_user_version), (SELECT "
			"journal_mode FROM pragma_journal_mode)";
		struct record_writer *w;
		struct err err = ERR_INIT;

		make_foreign(foreign[i].sql);
		snprintf(before, sizeof before, "%s", ask(state));
		tap_int(record_writer_new(&w, path, &about, &err), -EEXIST, "is refused: %s",
			err.text);
		tap_ok(strstr(err.text, foreign[i].named), "its sentence names: %s",
		       foreign[i].named);
		tap_str(ask(state), before, "the file stays as it was");
	}
}

/* Negative ids in a file: new ones still begin at 1. */
static void test_numbers(void)
{
	struct sample_events *events = two_events(0);
	struct sample *s = new_sample(1);
	struct record_writer *w;

	make_foreign("DELETE FROM command; DELETE FROM option; UPDATE sample SET id = -5; UPDATE "
		     "run SET id = -1; UPDATE task SET id = -3; "
		     "UPDATE reading_1 SET id = -4, task = -3, sample = -5");
	w = begin();
	add(s, events, 10, 100);
	write_sample(w, s);
	end(w);
	tap_str(ask("SELECT id, run FROM sample ORDER BY id"), "-5|1 1|1", "a sample");
	tap_str(ask("SELECT id FROM run ORDER BY id"), "-1 1", "a run");
	tap_str(ask("SELECT id FROM task ORDER BY id"), "-3 1", "a task");
	sample_unref(s);
	sample_events_unref(events);
}

static int syncs;

/* Replaces fsync(2) of the C library, to count the calls by SQLite. */
int fsync(int fd)
{
	(void)fd;
	syncs++;
	return 0;
}

int fdatasync(int fd)
{
	return fsync(fd);
}

static void test_no_wait(void)
{
	struct sample_events *events = two_events(0);
	struct record_writer *w;

	for (int skips_sync = 0; skips_sync < 2; skips_sync++) {
		unlink(path);
		w = begin();
		syncs = 0;
		for (uint32_t n = 1; n <= 50; n++) {
			struct sample *s = new_sample(n);

			for (uint64_t id = 1; id <= 500; id++)
				add(s, events, id, n);
			record_writer_sample(w, s, NULL);
			sample_unref(s);
		}
		tap_int(syncs, 0, "no sample waits for the disk");
		if (skips_sync)
			record_writer_hurry(w);
		end(w);
		tap_ok(skips_sync ? syncs == 0 : syncs > 0, "the end does where it may: %d times",
		       syncs);
		tap_str(ask("PRAGMA journal_mode"), "delete", "it is one file");
		tap_str(ask("SELECT count(*) FROM sample"), "50", "which has all samples");
	}
	sample_events_unref(events);
}

static int replace(const char *from, const char *to)
{
	FILE *f = fopen(to, "w");

	return !f || fclose(f) || rename(to, from);
}

static int cut(const char *from, const char *to)
{
	(void)to;
	return truncate(from, 0);
}

/* What other programs do to the file while it is written. */
static const struct {
	const char *name, *sentence;
	int (*act)(const char *from, const char *to);
} moves[] = {
	{"moved", "was moved while it was written: it has ended", rename},
	{"replaced", "was deleted or replaced while it was written: it is lost", replace},
	{"cut off", "another program has cut off", cut},
};

static int write_one(struct record_writer *w, uint32_t number, struct err *err)
{
	struct sample *s = new_sample(number);
	const int ret = record_writer_sample(w, s, err);

	sample_unref(s);
	return ret;
}

static void test_moved(void)
{
	char other[180];

	snprintf(other, sizeof other, "%s.1", path);
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		struct record_writer *w;
		struct err err = ERR_INIT;

		unlink(path);
		w = begin();
		tap_int(write_one(w, 1, &err), 0, "%s: before", moves[i].name);
		tap_int(write_one(w, 2, &err), 0, "%s: twice", moves[i].name);
		tap_int(moves[i].act(path, other), 0, "the file is %s", moves[i].name);
		tap_int(write_one(w, 3, &err), -ESTALE, "%s: that is an error", moves[i].name);
		tap_ok(strstr(err.text, moves[i].sentence) != NULL, "%s", err.text);
		tap_int(record_writer_close(w, NULL), -ESTALE, "%s: at the end, too",
			moves[i].name);
		if (moves[i].act == rename) {
			tap_int(rename(other, path), 0, "it is moved back");
			tap_str(ask("SELECT count(*), max(id) FROM sample"), "2|2",
				"it has its samples");
		}
	}
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/writer.XXXXXX", parent ? parent : "/var/tmp");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	test_only_what_is_new();
	test_slots();
	test_keyframes();
	test_reader_lock();
	test_other_files();
	test_newer();
	test_no_wait();
	test_foreign();
	test_numbers();
	test_moved();
	unlink(path);
	rmdir(folder);
	return tap_done();
}
