/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings on file systems without shared memory, which the index of a write-ahead log needs.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/reader.h"
#include "record/writer.h"
#include "sql_number.h"
#include "tap.h"

static char folder[128], path[160];
static const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};

/* The default VFS of SQLite, and a copy of it without shared memory. */
static sqlite3_vfs *usual, without;
static sqlite3_io_methods methods;

static int map_none(sqlite3_file *file, int region, int bytes, int extend, void volatile **out)
{
	(void)file, (void)region, (void)bytes, (void)extend;
	*out = NULL;
	return SQLITE_IOERR_SHMMAP;
}

static int open_without(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	const int ret = usual->xOpen(vfs, name, file, flags, out);

	if (ret || !(flags & SQLITE_OPEN_MAIN_DB))
		return ret;
	methods = *file->pMethods;
	methods.xShmMap = map_none;
	file->pMethods = &methods;
	return 0;
}

static void begin_without(void)
{
	without = *usual;
	without.zName = "without";
	without.xOpen = open_without;
	sqlite3_vfs_register(&without, 1);
}

static void end_without(void)
{
	sqlite3_vfs_unregister(&without);
	sqlite3_vfs_register(usual, 1);
}

static bool is_there(const char *behind)
{
	char name[200];

	snprintf(name, sizeof name, "%s%s", path, behind);
	return !access(name, F_OK);
}

static void remove_all(void)
{
	static const char *const behind[] = {"", "-wal", "-shm", "-journal"};

	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		char name[200];

		snprintf(name, sizeof name, "%s%s", path, behind[i]);
		unlink(name);
	}
}

static struct record_writer *begin(void)
{
	struct record_writer *w;
	struct err err = ERR_INIT;

	tap_int(record_writer_new(&w, path, &about, &err), 0, "a writer %s", err.text);
	return w;
}

static void put(struct record_writer *w, uint32_t n)
{
	struct sample *s = sample_new();
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS), 0,
				  &(struct task_texts){.user = "me", .name = "alpha"});
	struct err err = ERR_INIT;

	s->number = t->facts_read = n;
	s->generation = 1;
	s->mono_ns = s->boot_ns = n * 1000000000ull;
	s->wall_ns = 1700000000000000000ull + s->mono_ns;
	t->id = t->owner = 7;
	task_set_fact(t, FACT_CPU_NS, n * 10ull);
	sample_add(s, t);
	tap_int(record_writer_sample(w, s, &err), 0, "sample %u %s", n, err.text);
	sample_unref(s);
}

/* Appends n samples to the file. */
static void record(uint32_t n)
{
	struct record_writer *w = begin();

	for (uint32_t i = 1; i <= n && w; i++)
		put(w, i);
	tap_int(record_writer_close(w, NULL), 0, "it is closed");
}

/* Returns the number of samples that can be read. */
static int read_all(void)
{
	struct record_reader *r;
	struct err err = ERR_INIT;
	int n = 0, ret = 0;

	if (record_reader_new(&r, path, &err))
		return -1;
	while (!ret) {
		struct sample *s = sample_new();

		ret = record_reader_next(r, s, &err);
		sample_unref(s);
		n += !ret;
	}
	record_reader_free(r);
	return n;
}

static void test_new(void)
{
	struct record_writer *w;
	const char *note;

	remove_all();
	begin_without();
	w = begin();
	note = w ? record_writer_note(w) : NULL;
	tap_ok(note && strstr(note, "no shared memory for a write-ahead log"), "is noted: %s",
	       note ? note : "nothing is");
	tap_ok(!is_there("-shm") && !is_there("-wal"), "neither log nor index is left");
	for (uint32_t n = 1; w && n <= 3; n++) {
		put(w, n);
		tap_int(read_all(), (int)n, "a reader sees it grow");
	}
	tap_int(record_writer_close(w, NULL), 0, "it is closed");
	record(2);
	tap_int(read_all(), 5, "it is continued");
	end_without();
	record(1);
	tap_int(read_all(), 6, "elsewhere, too");
}

/* Versions before left a file in WAL mode without any table. */
static void test_begun(void)
{
	sqlite3 *db;

	remove_all();
	begin_without();
	sqlite3_open(path, &db);
	sqlite3_exec(db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	tap_int(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_IOERR,
		"a file that was only begun");
	sqlite3_close(db);
	record(2);
	tap_int(read_all(), 2, "is recorded into");
	end_without();
}

/* Moves the file and its log away: their state is as after a writer was killed. */
static void copy_unfinished(void)
{
	char command[700];

	snprintf(command, sizeof command,
		 "cd '%s' && mv r.db r && mv r.db-wal r-wal && rm -f r.db-shm", folder);
	tap_int(system(command), 0, "a recording that was not finished");
}

static void rename_back(void)
{
	char command[700];

	snprintf(command, sizeof command, "cd '%s' && mv r r.db && mv r-wal r.db-wal", folder);
	tap_int(system(command), 0, "under its name");
}

static void test_unfinished(void)
{
	struct record_writer *w;
	struct record_reader *r;
	struct err err = ERR_INIT;

	remove_all();
	w = begin();
	put(w, 1);
	put(w, 2);
	copy_unfinished();
	record_writer_close(w, NULL);
	remove_all();
	rename_back();
	begin_without();
	tap_int(record_reader_new(&r, path, &err), -EROFS, "is not read");
	tap_ok(strstr(err.text, "was not finished, and its file system has no shared memory for a "
				"write-ahead log: copy it and '") != NULL,
	       "since its log cannot be: %s", err.text);
	record(1);
	tap_int(read_all(), 3, "is continued, with what its log had");
	end_without();
}

/* A file that was closed while another program read it is still in WAL mode. Its empty log is not
 * needed. */
static void test_empty_log(void)
{
	sqlite3 *db;

	remove_all();
	record(2);
	sqlite3_open(path, &db);
	sqlite3_exec(db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	sqlite3_close(db);
	begin_without();
	tap_int(read_all(), 2, "an empty log is not needed");
	end_without();
}

/* Without a write-ahead log, a reader's transaction blocks the writer, so samples wait in
 * memory. */
static void test_reader(void)
{
	struct record_writer *w;
	sqlite3 *db;

	remove_all();
	begin_without();
	w = begin();
	put(w, 1);
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	tap_int(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM sample", NULL, NULL, NULL), SQLITE_OK,
		"a program reads it");
	for (uint32_t n = 2; n <= 5; n++)
		put(w, n);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 1, "samples wait");
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	put(w, 6);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 6, "then all are written");
	tap_int(record_writer_close(w, NULL), 0, "it is closed");
	end_without();
}

/* With locks by lock files, as some network file systems need, there is no shared memory for a
 * write-ahead log. */
static void test_locks_by_files(void)
{
	struct record_writer *w;

	remove_all();
	sqlite3_vfs_register(sqlite3_vfs_find("unix-dotfile"), 1);
	w = begin();
	tap_ok(w && record_writer_note(w), "without a log, which is noted");
	put(w, 1);
	tap_int(record_writer_close(w, NULL), 0, "it is closed");
	sqlite3_vfs_register(usual, 1);
	tap_int(read_all(), 1, "it is recorded all the same");
	w = begin();
	tap_ok(!record_writer_note(w), "with one, nothing is to be noted");
	record_writer_close(w, NULL);
}

/* If the mode of the journal cannot be changed because the file is locked, the note says so. */
static void test_locked(void)
{
	struct record_writer *w;
	const char *note;
	sqlite3 *db;

	remove_all();
	record(1);
	sqlite3_open(path, &db);
	tap_int(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK,
		"another program has it locked");
	w = begin();
	note = w ? record_writer_note(w) : NULL;
	tap_ok(note && strstr(note, "another program has it locked"), "is noted: %s",
	       note ? note : "nothing is");
	sqlite3_close(db);
	put(w, 1);
	record_writer_close(w, NULL);
	tap_int(read_all(), 2, "and it is recorded");
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	usual = sqlite3_vfs_find(NULL);
	snprintf(folder, sizeof folder, "%s/systems.XXXXXX", parent ? parent : "/var/tmp");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	test_new();
	test_begun();
	test_unfinished();
	test_empty_log();
	test_reader();
	test_locks_by_files();
	test_locked();
	remove_all();
	rmdir(folder);
	return tap_done();
}
