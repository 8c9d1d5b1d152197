/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted and damaged recordings: an error message is given, and readable parts are used. No
 * contents may crash the program, block it for ever, or make it write.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "record/reader.h"
#include "record/writer.h"
#include "tap.h"

#define N_TASKS   30
#define N_SAMPLES 200

static char folder[128], good[160], bad[160];
static uint64_t seed = 7;

static unsigned chance(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static void make_good(void)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	const struct sample_event event[] = {
		{.given = "cycles", .pmu = "cpu_core", .kind = EVENT_HARDWARE},
		{.given = "cycles",
		 .pmu = "cpu_atom",
		 .kind = EVENT_HARDWARE,
		 .core = 1,
		 .part_of = 1},
		{.given = "branches", .pmu = "cpu_core", .kind = EVENT_HARDWARE, .config = 4},
	};
	static const char *const core[] = {"cpu_core", "cpu_atom", NULL};
	const struct sample_machine reported = {.arch = "x86",
						.model = "06_97",
						.boot_id = "1",
						.host = "node1",
						.n_cores = 2,
						.core = core,
						.pmu = core};
	struct sample_machine *machine = sample_machine_new(&reported);
	struct sample_events *events = sample_events_new(event, 3);
	struct record_writer *w;

	record_writer_new(&w, good, &about, NULL);
	record_writer_screen(w, "default", "<tiptop/>", NULL);
	for (uint32_t n = 1; n <= N_SAMPLES; n++) {
		struct sample *s = sample_new();

		s->number = n;
		s->mono_ns = s->boot_ns = n * 1000000000ull;
		s->wall_ns = 1700000000000000000ull + s->mono_ns;
		s->generation = 1;
		sample_set_machine(s, machine);
		for (uint64_t id = 1; id <= N_TASKS; id++) {
			struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS), 3,
						  &(struct task_texts){.user = "me", .name = "a"});

			t->id = t->owner = id;
			t->counting = COUNT_OK;
			task_set_events(t, events);
			task_set_fact(t, FACT_CPU_NS, n * id);
			for (uint64_t i = 0; i < 3; i++)
				t->count[i] = (struct count){n * 1000 + i, n, n};
			sample_add(s, t);
		}
		record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	record_writer_close(w, NULL);
	sample_events_unref(events);
	sample_machine_unref(machine);
}

static void write_file(const char *path, const char *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		tap_ok(false, "a file is written");
	close(fd);
}

/* The outcome of reading a file. */
struct result {
	int samples;
	bool opened, said, failed; /* failed: with an error message */
	bool mute;                 /* failed without a message */
};

/* Reads the samples in steps, and computes deltas. */
static void read_steps(struct record_reader *r)
{
	struct sample *sample[2] = {sample_new(), sample_new()};
	struct record_extent extent;
	struct delta delta[2];

	delta_init(&delta[0]);
	delta_init(&delta[1]);
	record_reader_seek(r, -1, NULL);
	if (!record_reader_extent(r, INT64_MAX, &extent, NULL) && extent.samples < 0)
		tap_ok(false, "less than no samples");
	record_reader_set_step(r, 13000000000, INT64_MAX);
	for (int i = 0; i <= 2 * N_SAMPLES && !record_reader_next(r, sample[i % 2], NULL); i++)
		delta_compute(&delta[i % 2], i ? &delta[!(i % 2)] : NULL,
			      i ? sample[!(i % 2)] : NULL, sample[i % 2]);
	for (int i = 0; i < 2; i++) {
		delta_done(&delta[i]);
		sample_unref(sample[i]);
	}
	record_reader_set_step(r, 0, INT64_MAX);
}

/* Reads all samples, seeks, and computes deltas. */
static struct result read_bad(void)
{
	struct result result = {.samples = 0};
	struct record_reader *r;
	struct delta delta[2], processes;
	struct sample *sample[2] = {sample_new(), sample_new()};
	struct err err = ERR_INIT;
	int ret = record_reader_new(&r, bad, &err), now = 0;

	result.opened = !ret;
	delta_init(&delta[0]);
	delta_init(&delta[1]);
	delta_init(&processes);
	while (!ret && result.samples <= 2 * N_SAMPLES) {
		ret = record_reader_next(r, sample[now], &err);
		if (ret)
			break;
		delta_compute(&delta[now], result.samples ? &delta[!now] : NULL,
			      result.samples ? sample[!now] : NULL, sample[now]);
		fold_processes(&processes, &delta[now]);
		result.samples++;
		now = !now;
	}
	result.failed = ret < 0;
	result.mute = ret < 0 && !err.text[0];
	if (r) {
		read_steps(r);
		record_reader_seek(r, 150000000000, NULL);
		record_reader_next(r, sample[now], NULL);
		record_reader_skip(r, -3, NULL);
		result.said = record_reader_fault(r);
	}
	delta_done(&processes);
	delta_done(&delta[0]);
	delta_done(&delta[1]);
	sample_unref(sample[0]);
	sample_unref(sample[1]);
	record_reader_free(r);
	return result;
}

/* A few bytes of the file are changed at random. */
static void test_bytes(void)
{
	struct strbuf file, copy;
	int mute = 0, endless = 0, reported = 0, samples = 0;

	strbuf_init(&file);
	strbuf_init(&copy);
	file_read_all(AT_FDCWD, good, 1 << 24, &file);
	for (int i = 0; i < 200; i++) {
		struct result result;

		strbuf_reset(&copy);
		strbuf_add(&copy, file.text, file.len);
		for (unsigned k = 1 + chance(1u << chance(9)); k; k--)
			copy.text[chance((unsigned)copy.len)] = (char)chance(256);
		write_file(bad, copy.text, i % 10 ? copy.len : chance((unsigned)copy.len));
		result = read_bad();
		mute += result.mute;
		endless += result.samples > N_SAMPLES;
		reported += result.failed || result.said;
		samples += result.samples;
	}
	tap_int(mute, 0, "200 files with wrong bytes: each failure has its sentence");
	tap_int(endless, 0, "and none gives more than there was");
	tap_ok(reported > 20, "%d are known to be damaged", reported);
	tap_ok(samples > 20 * N_SAMPLES, "%d samples are read all the same", samples);
	strbuf_done(&file);
	strbuf_done(&copy);
}

/* Removes the views first: a file whose views differ from those that its events require is
 * refused. */
#define NO_VIEWS "DROP VIEW process; DROP VIEW interval; DROP VIEW interval_1; "

/* Changes that an attacker may make. */
static const struct {
	const char *sql;
	bool opens; /* it can be opened nevertheless */
	int least;  /* least number of samples read */
} tricks[] = {
	{"DROP TABLE sample", false, 0},
	{"DROP TABLE reading_1", true, N_SAMPLES},
	{"ALTER TABLE sample RENAME TO s; CREATE VIEW sample AS SELECT * FROM s", false, 0},
	{"ALTER TABLE reading_1 RENAME TO r; CREATE VIEW reading_1 AS SELECT * FROM r", false, 0},
	{"DROP TABLE task; CREATE TABLE task(id, kind AS (hex(randomblob(100000000))))", false, 0},
	{"CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM sample; END", false, 0},
	{NO_VIEWS "UPDATE event SET part_of = 4 - n", true, N_SAMPLES},
	{NO_VIEWS "UPDATE event SET part_of = 3 WHERE n = 0", true, N_SAMPLES},
	{NO_VIEWS "UPDATE event SET kind = 1e9, quality = -5, core = 1000", true, N_SAMPLES},
	{NO_VIEWS "UPDATE event SET scale = 9e999", true, N_SAMPLES},
	{NO_VIEWS "UPDATE event_set SET n = 1000000000", true, N_SAMPLES},
	{NO_VIEWS "UPDATE layout SET facts = 'NO_SUCH_FACT'", true, N_SAMPLES},
	{NO_VIEWS "UPDATE layout SET facts = x'00ff', event_set = -1, single = 'x'", true,
	 N_SAMPLES},
	{"UPDATE reading_1 SET count_0 = 9223372036854775807, enabled_0 = -1, running_0 = 'a'",
	 true, N_SAMPLES},
	{"UPDATE reading_1 SET counts_ns = -9223372036854775807, facts_ns = 9223372036854775807",
	 true, N_SAMPLES},
	{"UPDATE reading_1 SET flags = -1, state = 'a long text', unread = -1", true, N_SAMPLES},
	{"UPDATE reading_1 SET task = 1", true, N_SAMPLES},
	{"UPDATE reading_1 SET task = 10000", true, N_SAMPLES},
	{"UPDATE reading_1 SET count_0 = zeroblob(10000000), CPU_NS = NULL, flags = NULL WHERE id "
	 "= 500",
	 true, 10},
	{"UPDATE task SET kind = NULL", true, N_SAMPLES},
	{"UPDATE task SET kind = 'dragon'", true, N_SAMPLES},
	{"UPDATE task SET name = NULL, user = NULL, owner = -1, number = -1", true, N_SAMPLES},
	{"UPDATE task SET name = hex(zeroblob(3000000)) WHERE id = 3", true, N_SAMPLES},
	{"UPDATE sample SET mono_ns = 5", true, 1},
	{"UPDATE sample SET mono_ns = NULL, wall_ns = 'x', run = NULL, generation = -1", true, 0},
	{"UPDATE sample SET uptime_s = 9e999, load1 = -9e999, n_cpus = 1e18, number = -1", true,
	 N_SAMPLES},
	{"UPDATE sample SET first_reading = 1", true, N_SAMPLES},
	{"UPDATE sample SET first_reading = 9223372036854775807", true, N_SAMPLES},
	{"UPDATE sample SET first_reading = 9223372036854775807 - (id = 1)", true, N_SAMPLES},
	{"UPDATE sample SET first_reading = -9223372036854775807 - 1 WHERE id = 1; "
	 "UPDATE sample SET first_reading = 9223372036854775807 WHERE id > 1",
	 true, N_SAMPLES},
	{"UPDATE sample SET id = 9223372036854775807 WHERE id = 200", true, N_SAMPLES},
	{"UPDATE sample SET id = -9223372036854775807 - 1 WHERE id = 1", true, N_SAMPLES - 1},
	{"UPDATE sample SET mono_ns = -9223372036854775807 WHERE id = 1; "
	 "UPDATE sample SET mono_ns = 9223372036854775807 WHERE id > 1",
	 true, 1},
	{"UPDATE sample SET run = id", true, N_SAMPLES},
	{"DELETE FROM keyframe; INSERT INTO keyframe SELECT 100, value FROM "
	 "generate_series(1, 3) WHERE 0; INSERT INTO keyframe VALUES(100, -1), (100, 5)",
	 true, N_SAMPLES},
	{"INSERT INTO gone SELECT sample, id FROM reading_1", true, N_SAMPLES},
	{"UPDATE machine SET arch = NULL, ticks_per_s = 9223372036854775807", true, N_SAMPLES},
	{"INSERT INTO machine_pmu SELECT 1, 'core', id, 'core' || id FROM sample", true, N_SAMPLES},
	{"DROP TABLE cpu_use", false, 0},
	{"INSERT INTO cpu_use SELECT id % 7, id - 5, -1, 'x', NULL, 9e18, 1, 2 FROM sample; "
	 "UPDATE sample SET cpu_error = 0, memory_error = 0, memory_kb = -1, swap_kb = 'x'",
	 true, N_SAMPLES},
	{"UPDATE sample SET cpu_error = -1, memory_error = 1e15, n_running = -3", true, N_SAMPLES},
	{"INSERT INTO machine_cpu SELECT 1, id - 1, -id FROM sample", true, N_SAMPLES},
	{"INSERT INTO machine_place SELECT 1, id + 2, -id, id * 1e9, 'x', NULL FROM sample", true,
	 N_SAMPLES},
	{"UPDATE machine_place SET l3 = 9e18, core = -1, node = x'00', l2 = 5000000000", true,
	 N_SAMPLES},
	{"UPDATE layout SET moved = 1 - moved", true, N_SAMPLES},
	{"DROP TABLE machine_place", false, 0},
	{"DROP TABLE command", false, 0},
	{"DROP TABLE ending_program", false, 0},
	{"DROP TABLE follow_count", false, 0},
	{"PRAGMA user_version = 3; DROP TABLE ending", false, 0},
	{"DELETE FROM sample WHERE id BETWEEN 50 AND 60", true, N_SAMPLES - 11},
	{"DELETE FROM sample WHERE id % 2", true, N_SAMPLES / 2},
	{"UPDATE sample SET id = id - 100", true, N_SAMPLES / 2},
	{"DROP VIEW interval; CREATE VIEW interval AS SELECT * FROM interval; DROP VIEW process; "
	 "CREATE TABLE process(x)",
	 false, 0},
	{"PRAGMA user_version = 1", false, 0},
	{"PRAGMA user_version = 2; DROP TABLE machine_place", false, 0},
	{"PRAGMA user_version = 3", false, 0},
	{"PRAGMA user_version = 4", false, 0},
	{"PRAGMA user_version = 0", false, 0},
	{"PRAGMA user_version = 5", false, 0},
	{"PRAGMA user_version = 9", false, 0},
	{"PRAGMA application_id = 0", false, 0},
	{"DELETE FROM sample", true, 0},
	{"UPDATE event SET given = 'other' WHERE n = 0", false, 0},
	{"CREATE VIEW marker AS SELECT 1", false, 0},
	{"DROP VIEW process; CREATE VIEW process AS SELECT 1 AS marker", false, 0},
	{"DROP VIEW interval_1; CREATE VIEW interval_1 AS SELECT 1 AS marker", false, 0},
	{"CREATE VIEW interval_01 AS SELECT 1 AS marker", false, 0},
	{"DROP VIEW process; DROP VIEW interval", true, N_SAMPLES},
	{"CREATE VIRTUAL TABLE marker USING fts5(x)", false, 0},
	{"CREATE TABLE marker(x, y AS (x + 1))", false, 0},
	{"CREATE TABLE marker(x, y AS (x + 1) STORED)", false, 0},
	{"CREATE TABLE marker(x); CREATE INDEX marker_x ON marker(x); CREATE INDEX s ON "
	 "sample(run); "
	 "ANALYZE",
	 true, N_SAMPLES},
	{"ALTER TABLE sample ADD COLUMN marker INTEGER", false, 0},
	{"ALTER TABLE follow_row ADD COLUMN marker AS (1)", false, 0},
	{"ALTER TABLE reading_1 ADD COLUMN marker INTEGER", true, N_SAMPLES},
	{"ALTER TABLE reading_1 ADD COLUMN marker INTEGER AS (1)", false, 0},
	{"ALTER TABLE reading_1 ADD COLUMN marker INTEGER CHECK (id > 0)", true, N_SAMPLES},
	{"CREATE TABLE reading_01(id INTEGER)", true, N_SAMPLES},
	{"PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'thing' WHERE name = "
	 "'process'",
	 false, 0},
};

static void test_tricks(void)
{
	struct strbuf file;

	strbuf_init(&file);
	file_read_all(AT_FDCWD, good, 1 << 24, &file);
	for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++) {
		struct result result;
		sqlite3 *db;

		unlink(bad);
		write_file(bad, file.text, file.len);
		sqlite3_open(bad, &db);
		sqlite3_exec(db, tricks[i].sql, NULL, NULL, NULL);
		sqlite3_close(db);
		result = read_bad();
		tap_ok(result.opened == tricks[i].opens && !result.mute &&
			       result.samples >= tricks[i].least && result.samples <= N_SAMPLES,
		       "%.60s: %d samples", tricks[i].sql, result.samples);
	}
	strbuf_done(&file);
}

/* ---- rows without end ---- */

#define PAGE   4096
#define CELLS  400
#define LEVELS 4

static void put_number(char *at, int bytes, uint32_t number)
{
	while (bytes--) {
		at[bytes] = (char)number;
		number >>= 8;
	}
}

/* Makes a page of an index whose cells are all one: (7, 1). child: the page below each cell; 0: a
 * leaf. */
static void make_page(char *page, uint32_t child)
{
	static const char cell[] = {5, 3, 1, 1, 7, 1};
	const int header = child ? 12 : 8, at = PAGE - 10;

	memset(page, 0, PAGE);
	page[0] = child ? 2 : 10;
	put_number(page + 3, 2, CELLS);
	put_number(page + 5, 2, (uint32_t)at);
	if (child)
		put_number(page + 8, 4, child);
	for (int i = 0; i < CELLS; i++)
		put_number(page + header + 2 * i, 2, (uint32_t)at);
	put_number(page + at, 4, child);
	memcpy(page + at + (child ? 4 : 0), cell, sizeof cell);
}

/* All cells of a page refer to one page below: the table has 400 to the fifth rows, all of sample
 * 7, in five pages. */
static void test_endless(const char *table)
{
	struct record_reader *r = NULL;
	struct sample *s = sample_new();
	struct err err = ERR_INIT;
	struct strbuf file;
	sqlite3_stmt *stmt;
	size_t root, n;
	sqlite3 *db;
	int ret, samples = 0;

	strbuf_init(&file);
	file_read_all(AT_FDCWD, good, 1 << 24, &file);
	sqlite3_open(good, &db);
	sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", -1, &stmt,
			   NULL);
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	sqlite3_step(stmt);
	root = (size_t)sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	n = file.len / PAGE;
	for (uint32_t level = 0; level < LEVELS; level++) {
		char page[PAGE];

		make_page(page, level + 1 < LEVELS ? (uint32_t)n + level + 2 : 0);
		strbuf_add(&file, page, PAGE);
	}
	make_page(file.text + (root - 1) * PAGE, (uint32_t)n + 1);
	put_number(file.text + 28, 4, (uint32_t)n + LEVELS);
	unlink(bad);
	write_file(bad, file.text, file.len);
	ret = record_reader_new(&r, bad, &err);
	while (!ret && !(ret = record_reader_next(r, s, &err)))
		samples++;
	tap_ok(ret == -ELOOP && samples == 6, "%s without end: %d samples, %s", table, samples,
	       err.text);
	record_reader_free(r);
	sample_unref(s);
	strbuf_done(&file);
}

static void test_untouched(void)
{
	struct stat before, after;

	rename(good, bad);
	stat(bad, &before);
	tap_int(read_bad().samples, N_SAMPLES, "a good one");
	stat(bad, &after);
	tap_ok(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_size == after.st_size,
	       "is not written");
	chmod(bad, 0444);
	chmod(folder, 0555);
	tap_int(read_bad().samples, N_SAMPLES, "nor is its folder");
	chmod(folder, 0755);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/damage.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder))
		return 1;
	snprintf(good, sizeof good, "%s/good.db", folder);
	snprintf(bad, sizeof bad, "%s/bad.db", folder);
	make_good();
	test_bytes();
	test_tricks();
	test_endless("gone");
	test_untouched();
	unlink(bad);
	rmdir(folder);
	return tap_done();
}
