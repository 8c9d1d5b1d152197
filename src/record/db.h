/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db - the SQLite database of a recording: runs statements and turns SQLite's errors into
 * sentences. file.h opens the database file.
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

/* Why a file cannot have a write-ahead log (-ENODEV). */
#define RECORD_DB_NO_SHARED_MEMORY "its file system has no shared memory for a write-ahead log"

struct record_db {
	sqlite3 *sql; /* NULL: not open */
	char *path;
	int lock_fd;  /* holds the writer's lock; -1: none */
	int64_t size; /* of the file, in bytes, when record_file_check_place() looked last */
	bool alone;   /* in exclusive mode: while it is open, no other program can read the file */
	const char
		*no_log; /* why the file has a rollback journal; NULL: it has a write-ahead log */
	bool skips_sync; /* closing does not wait for the disk */
	bool writes;     /* open for writing, and the file has passed its checks */
	int version;     /* schema version of the file, see record_schema; 0: the file was empty */
	/* Virtual-machine steps since the last call of record_db_step() or record_db_exec() began,
	 * in thousands; each such call may take as many as file.c allows. */
	uint64_t steps;
};

/* Sets the path of a database that is opened later. */
void record_db_init(struct record_db *db, const char *path);
/* Opens an empty database in memory; error sentences name `path`. */
int record_db_open_memory(struct record_db *db, const char *path, struct err *err);
void record_db_close(struct record_db *db);

/* Runs the statements of a text, separated by ';', and ignores their rows. */
int record_db_exec(struct record_db *db, const char *sql, struct err *err);
/* record_db_exec() with a formatted statement. */
int record_db_execf(struct record_db *db, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int record_db_prepare(struct record_db *db, sqlite3_stmt **out, const char *sql, struct err *err);
/* Runs a statement to its next row. Returns 1: a row; 0: no more rows; or -errno: -ELOOP if it has
 * taken more steps, for all rows since its start, than a sound file of this size can need. The
 * values of the row are not checked. */
int record_db_step(struct record_db *db, sqlite3_stmt *stmt, struct err *err);
/* Returns a text of the current row, valid until the next step; NULL for an SQL NULL. */
const char *record_db_text(sqlite3_stmt *stmt, int column);
/* Runs a statement that returns no rows, and resets it for the next use. */
int record_db_run(struct record_db *db, sqlite3_stmt *stmt, struct err *err);
/* Sets *out to the integer in the first column of the first row; to `none` if there is no row or
 * the value is not an integer. */
int record_db_number(struct record_db *db, const char *sql, int64_t none, int64_t *out,
		     struct err *err);
int record_db_numberf(struct record_db *db, int64_t none, int64_t *out, struct err *err,
		      const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Sets *err for the SQLite call that failed last. Returns -errno. */
int record_db_fault(struct record_db *db, struct err *err);

#endif
