/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/db.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define ENDLESS "a statement on it does not end"

static const struct {
	int sql; /* a primary or extended result code */
	int code;
	const char *text; /* NULL: the text of the failed system call, or SQLite's text */
} faults[] = {
	{SQLITE_FULL, ENOSPC, "the disk is full"},
	{SQLITE_NOTADB, EBADMSG, "it is not a recording"},
	{SQLITE_CORRUPT, EBADMSG, "it is damaged"},
	{SQLITE_BUSY, EBUSY, "another program has locked it"},
	{SQLITE_LOCKED, EBUSY, "another program has locked it"},
	{SQLITE_READONLY, EROFS, "it cannot be written"},
	{SQLITE_NOMEM, ENOMEM, "there is no memory left"},
	{SQLITE_TOOBIG, EBADMSG, "a text in it is too long"},
	{SQLITE_INTERRUPT, ELOOP, ENDLESS},
	{SQLITE_CANTOPEN, EACCES, NULL},
	{SQLITE_PROTOCOL, ENODEV, RECORD_DB_NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMOPEN, ENODEV, RECORD_DB_NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMSIZE, ENODEV, RECORD_DB_NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMLOCK, ENODEV, RECORD_DB_NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMMAP, ENODEV, RECORD_DB_NO_SHARED_MEMORY},
};

/* Returns the error text of the failed system call, which is more precise than SQLite's; NULL: no
 * system call failed, or it failed with ENOENT. */
static const char *system_text(const struct record_db *db)
{
	int system = db->sql ? sqlite3_system_errno(db->sql) : 0;

	return system && system != ENOENT ? strerror(system) : NULL;
}

int record_db_fault(struct record_db *db, struct err *err)
{
	const int ret = db->sql ? sqlite3_extended_errcode(db->sql) : SQLITE_NOMEM;
	const char *text = NULL;
	int code = EIO;

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (faults[i].sql == ret || faults[i].sql == (ret & 0xff)) {
			code = faults[i].code;
			text = faults[i].text;
		}
	if (!text)
		text = system_text(db);
	if (!text)
		text = db->sql ? sqlite3_errmsg(db->sql) : "there is no memory left";
	return err_set(err, code, "the recording '%s': %s", db->path, text);
}

int record_db_exec(struct record_db *db, const char *sql, struct err *err)
{
	db->steps = 0;
	return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) ? record_db_fault(db, err) : 0;
}

int record_db_execf(struct record_db *db, struct err *err, const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int ret;

	va_start(ap, fmt);
	sql = xvasprintf(fmt, ap);
	va_end(ap);
	ret = record_db_exec(db, sql, err);
	free(sql);
	return ret;
}

int record_db_prepare(struct record_db *db, sqlite3_stmt **out, const char *sql, struct err *err)
{
	return sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL)
		       ? record_db_fault(db, err)
		       : 0;
}

/* The steps that a statement may take from its start to its end, for all its rows: some, and more
 * for each byte of the file, since each row takes bytes there. Pages of a made-up file may refer to
 * each other so that a table has rows without end. */
#define STEPS_LEAST    20000000u
#define STEPS_PER_BYTE 32
/* SQLite counts the steps of a statement in 32 bits. */
#define STEPS_MOST 0xf0000000u

static uint64_t file_bytes(const char *path, const char *ending)
{
	char *name = xasprintf("%s%s", path, ending);
	struct stat st;
	const int ret = stat(name, &st);

	free(name);
	return ret || st.st_size < 0 ? 0 : (uint64_t)st.st_size;
}

/* Returns whether the statement has taken more steps than any on a sound recording. */
static bool is_endless(const struct record_db *db, sqlite3_stmt *stmt)
{
	const uint32_t steps =
		(uint32_t)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, false);
	uint64_t most;

	if (steps <= STEPS_LEAST)
		return false;
	most = STEPS_LEAST +
	       STEPS_PER_BYTE * (file_bytes(db->path, "") + file_bytes(db->path, "-wal"));
	return steps > (most < STEPS_MOST ? most : STEPS_MOST);
}

static int refuse_endless(const struct record_db *db, struct err *err)
{
	return err_set(err, ELOOP, "the recording '%s': %s", db->path, ENDLESS);
}

int record_db_step(struct record_db *db, sqlite3_stmt *stmt, struct err *err)
{
	int ret;

	db->steps = 0;
	/* The statement starts: SQLite's own count of its steps starts at 0, too. */
	if (!sqlite3_stmt_busy(stmt))
		sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, true);
	ret = sqlite3_step(stmt);
	if (ret == SQLITE_ROW)
		return is_endless(db, stmt) ? refuse_endless(db, err) : 1;
	return ret == SQLITE_DONE ? 0 : record_db_fault(db, err);
}

const char *record_db_text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column);
}

int record_db_run(struct record_db *db, sqlite3_stmt *stmt, struct err *err)
{
	const int ret = record_db_step(db, stmt, err);

	sqlite3_reset(stmt);
	return ret < 0 ? ret : 0;
}

int record_db_number(struct record_db *db, const char *sql, int64_t none, int64_t *out,
		     struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(db, &stmt, sql, err);

	if (ret)
		return ret;
	*out = none;
	ret = record_db_step(db, stmt, err);
	if (ret == 1 && sqlite3_column_type(stmt, 0) == SQLITE_INTEGER)
		*out = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

int record_db_numberf(struct record_db *db, int64_t none, int64_t *out, struct err *err,
		      const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int ret;

	va_start(ap, fmt);
	sql = xvasprintf(fmt, ap);
	va_end(ap);
	ret = record_db_number(db, sql, none, out, err);
	free(sql);
	return ret;
}

void record_db_init(struct record_db *db, const char *path)
{
	/* SQLite reserves names that begin with ":", such as ":memory:"; "./" makes such a name an
	 * ordinary path. */
	*db = (struct record_db){.path = xasprintf("%s%s", *path == ':' ? "./" : "", path),
				 .lock_fd = -1};
}

int record_db_open_memory(struct record_db *db, const char *path, struct err *err)
{
	record_db_init(db, path);
	return sqlite3_open(":memory:", &db->sql) ? record_db_fault(db, err) : 0;
}

/* Closes lock_fd last: closing any descriptor of a file releases all POSIX locks that the process
 * has on that file, including SQLite's. */
void record_db_close(struct record_db *db)
{
	sqlite3_close(db->sql);
	if (db->lock_fd >= 0)
		close(db->lock_fd);
	free(db->path);
	*db = (struct record_db){.lock_fd = -1};
}
