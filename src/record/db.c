/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/schema.h"
#include "record/schema_check.h"

/* A statement may take so many thousands of steps: those of a recording take far less. Once the
 * file is checked, one that drops a part of it takes as many as it has rows. */
#define STEPS_MAX       20000
#define STEPS_MAX_WRITE 2000000

#define NO_SHARED_MEMORY "its file system has no shared memory for a write-ahead log"

static const struct {
	int sql; /* a primary or extended result code */
	int code;
	const char *text; /* NULL: the text of the system or of SQLite */
} faults[] = {
	{SQLITE_FULL, ENOSPC, "the disk is full"},
	{SQLITE_NOTADB, EBADMSG, "it is no recording"},
	{SQLITE_CORRUPT, EBADMSG, "it is damaged"},
	{SQLITE_BUSY, EBUSY, "another program has locked it"},
	{SQLITE_LOCKED, EBUSY, "another program has locked it"},
	{SQLITE_READONLY, EROFS, "it cannot be written"},
	{SQLITE_NOMEM, ENOMEM, "there is no memory left"},
	{SQLITE_TOOBIG, EBADMSG, "a text in it is too long"},
	{SQLITE_INTERRUPT, ELOOP, "a statement on it does not end"},
	{SQLITE_CANTOPEN, EACCES, NULL},
	{SQLITE_PROTOCOL, ENODEV, NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMOPEN, ENODEV, NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMSIZE, ENODEV, NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMLOCK, ENODEV, NO_SHARED_MEMORY},
	{SQLITE_IOERR_SHMMAP, ENODEV, NO_SHARED_MEMORY},
};

/* Returns the text of the system call that failed, which says more than SQLite's; NULL: none. */
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
	record_db_restart(db);
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

int record_db_step(struct record_db *db, sqlite3_stmt *stmt, struct err *err)
{
	int ret;

	record_db_restart(db);
	ret = sqlite3_step(stmt);
	if (ret == SQLITE_ROW)
		return 1;
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

void record_db_restart(struct record_db *db)
{
	db->steps = 0;
}

/* What the file says that it is. A new one is empty. */
static int check_version(struct record_db *db, struct err *err)
{
	int64_t application, version, n;
	int ret = record_db_number(db, "PRAGMA application_id", 0, &application, err);

	if (!ret)
		ret = record_db_number(db, "PRAGMA user_version", 0, &version, err);
	if (!ret)
		ret = record_db_number(db, "SELECT count(*) FROM sqlite_schema", 0, &n, err);
	if (ret)
		return ret;
	db->version = 0;
	if (!application && !n)
		return 0;
	if (application != RECORD_APPLICATION)
		return err_set(err, EEXIST, "'%s' is no recording of tiptop", db->path);
	if (version < 1)
		return err_set(err, EEXIST,
			       "the recording '%s' has no version (%lld): it is damaged", db->path,
			       (long long)version);
	if (version > RECORD_VERSION)
		return err_set(err, EEXIST,
			       "the recording '%s' was made by a newer tiptop (version %lld of the "
			       "file, this one knows %d): use that one",
			       db->path, (long long)version, RECORD_VERSION);
	db->version = (int)version;
	return 0;
}

static void init(struct record_db *db, const char *path)
{
	/* Else the library would take it for a database in memory. */
	*db = (struct record_db){.path = xasprintf("%s%s", *path == ':' ? "./" : "", path),
				 .lock_fd = -1};
}

int record_db_open_memory(struct record_db *db, const char *path, struct err *err)
{
	init(db, path);
	return sqlite3_open(":memory:", &db->sql) ? record_db_fault(db, err) : 0;
}

/* Others may not write it at the same time: their rows would come in between. */
static int take_lock(struct record_db *db, struct err *err)
{
	db->lock_fd = open(db->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (db->lock_fd < 0)
		return err_set(err, errno, "cannot record into '%s': %s", db->path,
			       strerror(errno));
	if (flock(db->lock_fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return err_set(err, EBUSY, "another tiptop records into '%s': name another file",
			       db->path);
	return 0;
}

static int check_kind(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) || S_ISREG(st.st_mode))
		return 0;
	return err_set(err, EINVAL, "a recording has to be a regular file, and '%s' is none", path);
}

static int count_steps(void *context)
{
	struct record_db *db = context;

	return ++db->steps > (db->writes ? STEPS_MAX_WRITE : STEPS_MAX);
}

static void distrust(struct record_db *db)
{
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, RECORD_TEXT_MAX);
	sqlite3_limit(db->sql, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_progress_handler(db->sql, 1000, count_steps, db);
	sqlite3_busy_timeout(db->sql, 1000);
}

/* Whether it is a recording, and nothing but that. */
static int check_file(struct record_db *db, enum schema_use use, struct err *err)
{
	int ret = check_version(db, err);

	return ret ? ret : schema_check(db, use, err);
}

/* Opens the file, and checks it. */
static int open_checked(struct record_db *db, const char *name, int flags, enum schema_use use,
			struct err *err)
{
	int ret = 0;

	sqlite3_close(db->sql);
	if (sqlite3_open_v2(name, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL))
		return record_db_fault(db, err);
	distrust(db);
	if (db->alone)
		ret = record_db_exec(db, "PRAGMA locking_mode=EXCLUSIVE", err);
	return ret ? ret : check_file(db, use, err);
}

/* What is there already stays as it is. */
static int refuse(const struct record_db *db, const char *path, int ret, const struct err *why,
		  struct err *err)
{
	if (ret == -EBADMSG && !db->version)
		return err_set(err, EEXIST,
			       "cannot record into '%s', which is no recording of tiptop: name "
			       "another file",
			       path);
	return err_set(err, EEXIST, "%s; name another file to record into", why->text);
}

/* Opens the file to write, and checks it. alone: it excludes all other programs; the index of a
 * write-ahead log then lies in the memory of this one. */
static int open_to_write(struct record_db *db, bool alone, struct err *err)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	db->alone = alone;
	return open_checked(db, db->path, flags, SCHEMA_WRITE, err);
}

/* Sets the mode of the journal. 1: it is set; 0: this file cannot have it. */
static int set_mode(struct record_db *db, const char *mode, struct err *err)
{
	char *sql = xasprintf("PRAGMA journal_mode=%s", mode);
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(db, &stmt, sql, err);

	free(sql);
	if (ret)
		return ret;
	ret = record_db_step(db, stmt, err);
	if (ret == 1)
		ret = !strcmp(record_db_text(stmt, 0), mode);
	sqlite3_finalize(stmt);
	return ret;
}

/* Some file systems find out at the first reading only that they cannot have the log. */
static int begin_log(struct record_db *db, struct err *err)
{
	int64_t n;
	int ret = set_mode(db, "wal", err);

	if (ret != 1)
		return ret;
	ret = record_db_number(db, "SELECT count(*) FROM sqlite_schema", 0, &n, err);
	return ret ? ret : 1;
}

/* What the library has left while it tried to share memory. */
static void remove_index(const struct record_db *db)
{
	char *path = xasprintf("%s-shm", db->path);

	unlink(path);
	free(path);
}

/* A file that has a write-ahead log loses it again. */
static int leave_log(struct record_db *db, struct err *err)
{
	int ret = db->alone ? 0 : open_to_write(db, true, err);

	if (!ret)
		ret = set_mode(db, "delete", err);
	if (ret == 1)
		remove_index(db);
	return ret < 0 ? ret : open_to_write(db, false, err);
}

static int set_journal(struct record_db *db, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = db->alone ? -ENODEV : begin_log(db, &why);

	if (ret == -EBUSY)
		db->no_log = "another program has it locked";
	else if (ret != 1)
		db->no_log = NO_SHARED_MEMORY;
	if (ret == -ENODEV || ret == -EACCES)
		ret = leave_log(db, &why);
	if (ret < 0 && ret != -EBUSY) {
		if (err)
			*err = why;
		return ret;
	}
	return record_db_exec(db, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=1000", err);
}

int record_db_create(struct record_db *db, const char *path, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = check_kind(path, &why);

	init(db, path);
	if (!ret)
		ret = take_lock(db, &why);
	if (!ret) {
		ret = open_to_write(db, false, &why);
		if (ret == -ENODEV)
			ret = open_to_write(db, true, &why);
	}
	if (ret == -EBADMSG || ret == -EEXIST)
		ret = refuse(db, path, ret, &why, err);
	else if (ret && err)
		*err = why;
	db->writes = !ret;
	if (!ret)
		ret = set_journal(db, err);
	if (ret)
		record_db_close(db);
	return ret;
}

/* The path as a URI, as the library reads it. */
static char *uri_of(const char *path, const char *query)
{
	char *uri = xmalloc(strlen(path) * 3 + strlen(query) + 8), *at = uri;

	at = stpcpy(at, "file:");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			at += snprintf(at, 4, "%%%02X", (unsigned)(unsigned char)*path);
		else
			*at++ = *path;
	}
	stpcpy(at, query);
	return uri;
}

/* Returns whether changes stand beside the file that are not in it: a log, or a journal that has
 * not been cleared. */
static bool has_changes(const struct record_db *db, const char *ending)
{
	char *path = xasprintf("%s%s", db->path, ending);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	/* What cannot be read may have some. */
	bool has = fd < 0 && errno != ENOENT;
	char first;

	if (fd >= 0) {
		has = read(fd, &first, 1) == 1 && first;
		close(fd);
	}
	free(path);
	return has;
}

/* In a folder that cannot be written there is no place for the shared memory of a write-ahead log,
 * and no journal can be rolled back; a file system may have no shared memory at all. Without either
 * log or journal, none is needed. */
static int open_alone(struct record_db *db, const char *why, struct err *err)
{
	static const char *const beside[] = {"-wal", "-journal"};
	char *uri;
	int ret;

	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		if (has_changes(db, beside[i]))
			return err_set(err, EROFS,
				       "the recording '%s' was not finished, and %s: copy it and "
				       "'%s%s' to another one",
				       db->path, why, db->path, beside[i]);
	uri = uri_of(db->path, "?immutable=1");
	ret = open_checked(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, SCHEMA_READ, err);
	free(uri);
	return ret;
}

int record_db_open(struct record_db *db, const char *path, struct err *err)
{
	int ret = check_kind(path, err);

	init(db, path);
	if (!ret && access(path, R_OK))
		ret = err_set(err, errno, "cannot read the recording '%s': %s", path,
			      strerror(errno));
	if (!ret)
		ret = open_checked(db, db->path, SQLITE_OPEN_READONLY, SCHEMA_READ, err);
	if ((ret == -EACCES || ret == -EROFS) && db->sql)
		ret = open_alone(db, "its folder cannot be written", err);
	else if (ret == -ENODEV)
		ret = open_alone(db, NO_SHARED_MEMORY, err);
	if (!ret && !db->version)
		ret = err_set(err, EBADMSG, "'%s' is empty: it is no recording", path);
	if (ret)
		record_db_close(db);
	return ret;
}

void record_db_finish(struct record_db *db)
{
	/* Where somebody reads it, the log stays until the next time. */
	sqlite3_busy_timeout(db->sql, 0);
	if (!db->skips_sync)
		sqlite3_exec(db->sql, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
	sqlite3_exec(db->sql, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
	record_db_close(db);
}

/* The lock comes last: closing any descriptor of the file gives up those that the library has. */
void record_db_close(struct record_db *db)
{
	sqlite3_close(db->sql);
	if (db->lock_fd >= 0)
		close(db->lock_fd);
	free(db->path);
	*db = (struct record_db){.lock_fd = -1};
}
