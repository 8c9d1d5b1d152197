/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/schema.h"
#include "record/schema_check.h"

/* Maximal number of virtual-machine steps, in thousands, after which SQLite is interrupted, as a
 * damaged file may make a statement run for ever. record_db_step() counts the steps of a statement
 * to its next row or its end, and limits those of all its rows, too; record_db_exec() counts those
 * of all statements of its text together. Statements on a sound recording take far fewer. A writer
 * has a higher limit once the file is checked, as deleting a part of the recording takes steps for
 * each row of that part. */
#define STEPS_MAX       20000
#define STEPS_MAX_WRITE 2000000

/* Checks the application id and the version in the file, and sets db->version. An empty file
 * passes. */
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
		return err_set(err, EEXIST, "'%s' is not a recording of tiptop", db->path);
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

/* Locks the file against other writers: the rows of two writers would mix. */
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

static void harden_database(struct record_db *db)
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

/* Checks the version and the schema of the file. */
static int check_file(struct record_db *db, enum schema_use use, struct err *err)
{
	int ret = check_version(db, err);

	return ret ? ret : schema_check(db, use, err);
}

/* Opens the file and checks it. */
static int open_checked(struct record_db *db, const char *name, int flags, enum schema_use use,
			struct err *err)
{
	int ret = 0;

	sqlite3_close(db->sql);
	if (sqlite3_open_v2(name, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL))
		return record_db_fault(db, err);
	harden_database(db);
	if (db->alone)
		ret = record_db_exec(db, "PRAGMA locking_mode=EXCLUSIVE", err);
	return ret ? ret : check_file(db, use, err);
}

/* Sets the error for an existing file that cannot be continued; the file is left unchanged. why:
 * the reason. */
static int refuse_file(const struct record_db *db, const char *path, int ret, const struct err *why,
		       struct err *err)
{
	if (ret == -EBADMSG && !db->version)
		return err_set(err, EEXIST,
			       "cannot record into '%s', which is not a recording of tiptop: name "
			       "another file",
			       path);
	return err_set(err, EEXIST, "%s; name another file to record into", why->text);
}

/* Opens the file for writing and checks it. alone: in exclusive mode, in which the index of a
 * write-ahead log is in the memory of this process and needs no shared memory. */
static int open_to_write(struct record_db *db, bool alone, struct err *err)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	db->alone = alone;
	return open_checked(db, db->path, flags, SCHEMA_WRITE, err);
}

/* Sets the journal mode. Returns 1: set; 0: the file cannot have this mode; or -errno. */
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

/* Switches to a write-ahead log. On some file systems this fails only at the first read, hence the
 * query. */
static int begin_log(struct record_db *db, struct err *err)
{
	int64_t n;
	int ret = set_mode(db, "wal", err);

	if (ret != 1)
		return ret;
	ret = record_db_number(db, "SELECT count(*) FROM sqlite_schema", 0, &n, err);
	return ret ? ret : 1;
}

/* Removes the index file (-shm) that SQLite left when it tried to share memory. */
static void remove_index(const struct record_db *db)
{
	char *path = xasprintf("%s-shm", db->path);

	unlink(path);
	free(path);
}

/* Converts the file from a write-ahead log back to a rollback journal. */
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
		db->no_log = RECORD_DB_NO_SHARED_MEMORY;
	if (ret == -ENODEV || ret == -EACCES)
		ret = leave_log(db, &why);
	if (ret < 0 && ret != -EBUSY) {
		if (err)
			*err = why;
		return ret;
	}
	return record_db_exec(db, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=1000", err);
}

int record_file_create(struct record_db *db, const char *path, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = check_kind(path, &why);

	record_db_init(db, path);
	if (!ret)
		ret = take_lock(db, &why);
	if (!ret) {
		ret = open_to_write(db, false, &why);
		if (ret == -ENODEV)
			ret = open_to_write(db, true, &why);
	}
	if (ret == -EBADMSG || ret == -EEXIST)
		ret = refuse_file(db, path, ret, &why, err);
	else if (ret && err)
		*err = why;
	db->writes = !ret;
	if (!ret)
		ret = set_journal(db, err);
	if (ret)
		record_db_close(db);
	return ret;
}

/* Returns the path as a URI for SQLite, with %, ? and # escaped; the caller frees it. */
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

/* Returns whether the write-ahead log ("-wal") or the journal ("-journal") beside the file may hold
 * changes that are not in the file. A file that is empty
 * or begins with a zero byte holds none. */
static bool has_changes(const struct record_db *db, const char *ending)
{
	char *path = xasprintf("%s%s", db->path, ending);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	/* A file that cannot be read may hold changes. */
	bool has = fd < 0 && errno != ENOENT;
	char first;

	if (fd >= 0) {
		has = read(fd, &first, 1) == 1 && first;
		close(fd);
	}
	free(path);
	return has;
}

/* Opens the file as immutable, without a log or a journal. Needed if its folder is not writable, so
 * that SQLite can neither create the index of a write-ahead log nor roll back a journal, or if its
 * file system has no shared memory. Fails if a log or a journal beside the file holds changes. why:
 * the reason, for the error. */
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

int record_file_open(struct record_db *db, const char *path, struct err *err)
{
	int ret = check_kind(path, err);

	record_db_init(db, path);
	if (!ret && access(path, R_OK))
		ret = err_set(err, errno, "cannot read the recording '%s': %s", path,
			      strerror(errno));
	if (!ret)
		ret = open_checked(db, db->path, SQLITE_OPEN_READONLY, SCHEMA_READ, err);
	if ((ret == -EACCES || ret == -EROFS) && db->sql)
		ret = open_alone(db, "its folder cannot be written", err);
	else if (ret == -ENODEV)
		ret = open_alone(db, RECORD_DB_NO_SHARED_MEMORY, err);
	if (!ret && !db->version)
		ret = err_set(err, EBADMSG, "'%s' is empty: it is not a recording", path);
	if (ret)
		record_db_close(db);
	return ret;
}

void record_file_finish(struct record_db *db)
{
	/* While another program reads the file, the journal mode cannot change, and the log stays
	 * until the next writer ends. */
	sqlite3_busy_timeout(db->sql, 0);
	if (!db->skips_sync)
		sqlite3_exec(db->sql, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
	sqlite3_exec(db->sql, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
	record_db_close(db);
}
