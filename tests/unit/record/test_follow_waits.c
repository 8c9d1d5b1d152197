/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another program locks the recording: samples, screens and rows wait in memory.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/follow.h"
#include "record/writer.h"
#include "record/writer_state.h"
#include "sql_number.h"
#include "tap.h"

#define TEXT_BYTES 1000000

static char folder[128], path[160];
static const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
static sqlite3 *other;

static struct record_writer *begin(void)
{
	struct record_writer *w;
	struct err err = ERR_INIT;

	unlink(path);
	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer %s", err.text);
	return w;
}

static void lock(void)
{
	sqlite3_open(path, &other);
	tap_int(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK,
		"another program locks it");
}

static void release(void)
{
	tap_int(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK, "and releases it");
	sqlite3_close(other);
}

/* Writes a sample with one task, whose reading has changed. */
static void put(struct record_writer *w, uint32_t n, const char *cmdline)
{
	struct sample *s = sample_new();
	struct task *t =
		task_new(&kind_task, FACT_SET(FACT_CPU_NS), 0,
			 &(struct task_texts){.user = "me", .name = "alpha", .cmdline = cmdline});
	struct err err = ERR_INIT;
	int ret;

	s->number = n;
	s->generation = 1;
	s->mono_ns = s->boot_ns = n * 1000000000ull;
	s->wall_ns = 1700000000000000000ull + s->mono_ns;
	t->id = t->owner = 7;
	t->facts_read = n;
	task_set_fact(t, FACT_CPU_NS, n * 10ull);
	sample_add(s, t);
	ret = record_writer_sample(w, s, &err);
	if (ret)
		tap_int(ret, 0, "sample %u: %s", n, err.text);
	sample_unref(s);
}

static void close_writer(struct record_writer *w)
{
	struct err err = ERR_INIT;

	tap_int(record_writer_close(w, &err), 0, "it is closed %s", err.text);
}

static void test_released(void)
{
	struct record_writer *w = begin();

	put(w, 1, NULL);
	lock();
	for (uint32_t n = 2; n <= 20; n++)
		put(w, n, NULL);
	for (int i = 0; i < 2; i++)
		tap_int(record_writer_screen(w, "mine", "<screen/>", NULL), 0, "a screen waits");
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 1, "nothing is written meanwhile");
	release();
	put(w, 21, NULL);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 21, "then all is");
	close_writer(w);
	tap_int(sql_number(path, "SELECT max(id) FROM sample"), 21, "without a hole");
	tap_int(sql_number(path, "SELECT count(*) FROM reading_1 WHERE previous = id - 1"), 20,
		"each reading has the one before it");
	tap_int(sql_number(path, "SELECT count(*) FROM screen"), 1, "the screen once");
}

static void test_released_at_the_end(void)
{
	struct record_writer *w = begin();

	lock();
	put(w, 1, NULL);
	put(w, 2, NULL);
	release();
	close_writer(w);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 2,
		"what waits is written at the end");
	tap_int(sql_number(path, "SELECT ended_ns IS NOT NULL FROM run"), 1, "the run has ended");
}

static void test_full(void)
{
	struct record_writer *w = begin();
	char *text = xmalloc(TEXT_BYTES + 1);
	int64_t kept;

	memset(text, 'x', TEXT_BYTES);
	text[TEXT_BYTES] = '\0';
	put(w, 1, text);
	lock();
	for (uint32_t n = 2; n <= 60; n++) {
		text[0] = (char)('A' + n % 26);
		put(w, n, text);
	}
	release();
	put(w, 61, text);
	put(w, 62, text);
	close_writer(w);
	free(text);
	kept = sql_number(path, "SELECT count(*) FROM sample");
	tap_ok(kept > 25 && kept < 40, "not all is kept in memory: %d of 62", (int)kept);
	tap_int(sql_number(path, "SELECT max(id) FROM sample"), 62, "numbers are those of all");
	tap_int(sql_number(path, "SELECT max(number) FROM sample"), 62,
		"what comes then is written");
	tap_int(sql_number(path, "SELECT min(id) FROM sample s WHERE id > 1 AND NOT EXISTS "
				 "(SELECT 1 FROM sample WHERE id = s.id - 1)"),
		61, "behind a hole");
	tap_int(sql_number(path, "SELECT previous IS NULL FROM reading_1 WHERE sample = 61"), 1,
		"no interval goes across it");
	tap_int(sql_number(path, "SELECT count(*) FROM keyframe WHERE sample = 61"), 1,
		"what is there is known again");
	tap_int(sql_number(path, "SELECT previous IS NULL FROM reading_1 WHERE sample = 62"), 0,
		"from there on there are intervals");
}

static void test_never_released(void)
{
	struct record_writer *w = begin();
	struct err err = ERR_INIT;

	put(w, 1, NULL);
	record_writer_hurry(w);
	lock();
	put(w, 2, NULL);
	put(w, 3, NULL);
	tap_int(record_writer_close(w, &err), -EBUSY, "the end does not wait for ever");
	tap_ok(strstr(err.text, "lacks the last 2 samples and when the run ended: "
				"another program has it locked") != NULL,
	       "which is said");
	release();
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 1, "what was written stays");
}

static void test_ending(void)
{
	struct record_writer *w = begin();
	struct ending how = {.status = 3};
	struct err err = ERR_INIT;
	struct sample *at[2];

	lock();
	put(w, 1, NULL);
	release();
	for (int i = 0; i < 2; i++) {
		struct task *t = task_new(&kind_command, FACT_SET(FACT_CPU_NS), 0,
					  &(struct task_texts){.name = "make"});

		at[i] = sample_new();
		at[i]->number = t->facts_read = (uint32_t)i + 1;
		sample_add(at[i], t);
	}
	tap_int(record_writer_ending(w, &how, at[0], at[1], &err), 0, "an ending %s", err.text);
	close_writer(w);
	tap_int(sql_number(path, "SELECT status FROM ending WHERE run IN (SELECT run FROM sample)"),
		3, "is behind the samples that waited");
	sample_unref(at[0]);
	sample_unref(at[1]);
}

/* If waiting data are given up at the end of the command, the ending is lost, too. Closing does not
 * wait again, and writes nothing that was reported missing. */
static void test_given_up(void)
{
	struct record_writer *w = begin();
	struct ending how = {.status = 3};
	struct err err = ERR_INIT;
	struct sample *at = sample_new();

	put(w, 1, NULL);
	record_writer_hurry(w);
	lock();
	put(w, 2, NULL);
	tap_int(record_writer_ending(w, &how, at, at, &err), -EBUSY, "an ending is not written");
	tap_ok(strstr(err.text, "lacks the last sample and how the command ended: ") != NULL,
	       "which is said: %s", err.text);
	release();
	close_writer(w);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 1,
		"what is said to be missing is");
	sample_unref(at);
}

static int n_said, n_asked, stop_at;

static void say(const char *name)
{
	tap_str(name, path, "it is said which file the end waits for");
	n_said++;
}

/* Returns true at call stop_at, or if stop_at is 0, once say() was called. */
static bool stops(void)
{
	n_asked++;
	return stop_at ? n_asked >= stop_at : n_said > 0;
}

/* When the command ends, no data wait in memory, but the file is locked. */
static void end_locked(int at, const struct record_about *with)
{
	struct ending how = {.status = 3};
	struct err err = ERR_INIT;
	struct sample *s = sample_new();
	struct record_writer *w;

	unlink(path);
	tap_int(record_writer_new(&w, path, with, &err), 0, "a writer %s", err.text);
	put(w, 1, NULL);
	lock();
	n_said = n_asked = 0;
	stop_at = at;
	tap_int(record_writer_ending(w, &how, s, s, &err), -EBUSY, "an ending is not written");
	tap_ok(strstr(err.text, "lacks how the command ended: another program has it locked"),
	       "which is said: %s", err.text);
	tap_int(record_writer_close(w, &err), 0, "the end does not wait once more");
	release();
	sample_unref(s);
}

static void test_end_waits(void)
{
	struct record_about with = about;

	with.report_wait = say;
	with.stops = stops;
	end_locked(3, &with);
	tap_int(n_asked, 3, "it waits until it is to stop");
	tap_int(n_said, 0, "and says nothing before a second");
	end_locked(0, &with);
	tap_int(n_said, 1, "then it says once that it waits");
	with.reports_late = true;
	end_locked(100, &with);
	tap_int(n_said, 0, "but not on a screen");
}

/* After the end of a run, a sample of the next run does not wait as long as an end. */
static void test_next_run(void)
{
	struct record_about with = about;
	struct record_writer *w;

	with.report_wait = say;
	with.stops = stops;
	unlink(path);
	tap_int(record_writer_new(&w, path, &with, NULL), 0, "a writer");
	put(w, 1, NULL);
	tap_int(record_writer_next_run(w, NULL), 0, "a run ends");
	lock();
	n_said = n_asked = 0;
	stop_at = 1;
	put(w, 2, NULL);
	tap_int(n_asked, 0, "the first sample of the next one does not wait like an end");
	release();
	close_writer(w);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 2, "and is written");
}

/* Locks the file once a transaction of the writer has ended. */
static int lock_again(void *writer, sqlite3 *db, const char *name, int n_pages)
{
	(void)writer;
	(void)name;
	(void)n_pages;
	sqlite3_wal_hook(db, NULL, NULL);
	lock();
	return SQLITE_OK;
}

/* At the end, another program locks the file just when the data that waited have been written. */
static void test_locked_again(void)
{
	struct record_about with = about;
	struct record_writer *w;
	struct err err = ERR_INIT;

	with.stops = stops;
	unlink(path);
	tap_int(record_writer_new(&w, path, &with, NULL), 0, "a writer");
	lock();
	put(w, 1, NULL);
	release();
	sqlite3_wal_hook(w->db.sql, lock_again, NULL);
	n_asked = 0;
	stop_at = 1;
	tap_int(record_writer_close(w, &err), -EBUSY, "the end of the run is not written");
	tap_ok(strstr(err.text, "lacks when the run ended: ") != NULL, "which is said: %s",
	       err.text);
	tap_int(n_asked, 1, "it waits until it is to stop, here, too");
	release();
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 1, "what waited is written");
}

static void test_follow(void)
{
	const struct record_follow_set set = {.name = {"cycles"}, .n = 1};
	struct record_writer *w = begin();
	struct err err = ERR_INIT;
	char image[] = "sh";

	tap_int(record_writer_follow(w, &set, 1, 1700000000000000000ull, &err), 0, "rows %s",
		err.text);
	lock();
	for (int i = 0; i < 3; i++) {
		const struct value value = {.number = i};
		const struct record_follow_row row = {.time_ns = (uint64_t)i,
						      .event = "tick",
						      .process = 7,
						      .image = image,
						      .value = &value};

		image[0] = (char)('a' + i);
		tap_int(record_writer_add_follow(w, &row, 1, &err), 0, "a row waits %s", err.text);
	}
	release();
	close_writer(w);
	tap_int(sql_number(
			path,
			"SELECT count(*) FROM follow_row r JOIN follow_count c ON c.row = r.id "
			"WHERE c.count = r.time_ns AND substr(image, 1, 1) = char(97 + time_ns)"),
		3, "all are there, with their counts");
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/wait.XXXXXX", parent ? parent : "/var/tmp");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	test_released();
	test_released_at_the_end();
	test_full();
	test_never_released();
	test_ending();
	test_given_up();
	test_end_waits();
	test_next_run();
	test_locked_again();
	test_follow();
	unlink(path);
	rmdir(folder);
	return tap_done();
}
