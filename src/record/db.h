/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db - the database behind a recording: opening it to write and to read, statements, and its errors
 * as sentences.
 *
 * Writing. The journal is a write-ahead log, so that others can read while it grows. Some file
 * systems have no shared memory for its index: there it is a rollback journal, which is said, and a
 * log that an earlier writer has left is first written into the file. Nothing waits for the
 * disk (synchronous=OFF): a process that is killed at any moment leaves a good file, a machine that
 * loses its power may not. One process writes a file at a time.
 *
 * Nothing in a file is trusted, by a reader or a writer: both have what it declares checked first
 * (schema_check.h), neither triggers nor views of it run, no other file can be attached, values are
 * not longer than RECORD_TEXT_MAX, and a statement that does not end is ended. A reader opens it
 * read only.
 *
 * Errors: -errno with a sentence that names the file.
 */
#ifndef RECORD_DB_H
#define RECORD_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define RECORD_TEXT_MAX 4000000

struct record_db {
	sqlite3 *sql; /* NULL: not open */
	char *path;
	int lock_fd;        /* holds the lock of the writer; -1: none */
	bool alone;         /* no other program can read it at the same time */
	const char *no_log; /* why a rollback journal is in use; NULL: a write-ahead log is */
	bool skips_sync;    /* its end does not wait for the disk either */
	bool writes;        /* it has been checked, and is written */
	int version;        /* of what is in the file, see record_schema; 0: it was empty */
	uint64_t steps; /* of the statement that is read, in thousands; see record_db_restart() */
};

/* Opens or makes the file for writing. -EEXIST: there is a file that is no recording, or one of
 * another version. -EBUSY: somebody else is writing it. */
int record_db_create(struct record_db *db, const char *path, struct err *err);
int record_db_open(struct record_db *db, const char *path, struct err *err);
/* Opens an empty database in memory; path: what its errors name. */
int record_db_open_memory(struct record_db *db, const char *path, struct err *err);
/* Makes one file of it that needs no other beside it, where nobody reads it; closes it. */
void record_db_finish(struct record_db *db);
void record_db_close(struct record_db *db);

int record_db_exec(struct record_db *db, const char *sql, struct err *err);
/* The same with a statement that is formatted. */
int record_db_execf(struct record_db *db, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int record_db_prepare(struct record_db *db, sqlite3_stmt **out, const char *sql, struct err *err);
/* Runs a statement to its next row. 1: there is one; 0: there is none; or -errno. A value that is
 * wrong is no failure of the statement. */
int record_db_step(struct record_db *db, sqlite3_stmt *stmt, struct err *err);
const char *record_db_text(sqlite3_stmt *stmt, int column); /* NULL stays NULL */
/* Runs a statement that gives no rows, and makes it ready for the next time. */
int record_db_run(struct record_db *db, sqlite3_stmt *stmt, struct err *err);
/* The first number of the answer; `none` where there is no row, or no number in it. */
int record_db_number(struct record_db *db, const char *sql, int64_t none, int64_t *out,
		     struct err *err);
int record_db_numberf(struct record_db *db, int64_t none, int64_t *out, struct err *err,
		      const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* The sentence for what has just failed. */
int record_db_fault(struct record_db *db, struct err *err);
/* Begins to count anew how long a statement goes on. */
void record_db_restart(struct record_db *db);

#endif
