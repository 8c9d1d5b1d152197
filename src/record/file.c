/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/schema.h"
#include "record/views.h"

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

/* Takes the lock of a writer. Readers share a lock for a moment, to see whether the file is written
 * (record_reader_is_open()): such a lock is waited for. Returns whether another writer has it. */
static bool is_locked_by_writer(int fd)
{
	int tries = 0;

	while (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		if (flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK)
			return true;
		flock(fd, LOCK_UN);
		if (!backoff(tries++))
			return true;
	}
	return false;
}

/* Locks the file against other writers: the rows of two writers would mix. */
static int take_lock(struct record_db *db, struct err *err)
{
	db->lock_fd = open(db->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (db->lock_fd < 0)
		return err_set(err, errno, "cannot record into '%s': %s", db->path,
			       strerror(errno));
	if (is_locked_by_writer(db->lock_fd))
		return err_set(err, EBUSY, "another tiptop records into '%s': name another file",
			       db->path);
	return 0;
}

/* The byte of the index of a write-ahead log (-shm) that each program that uses the log has locked;
 * fixed by SQLite's file format. */
#define SHM_USED_BYTE 128

/* If the file is new, checks that the log beside it is not in use: if a file is moved while it is
 * written, its log keeps the old name, and a log of two files would damage both. */
static int check_log(const struct record_db *db, struct err *err)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = SHM_USED_BYTE, .l_len = 1};
	struct stat st;
	bool is_used;
	char *path;
	int fd;

	if (fstat(db->lock_fd, &st) || st.st_size)
		return 0;
	path = xasprintf("%s-shm", db->path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	free(path);
	is_used = fd >= 0 && !fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	return is_used ? err_set(err, EBUSY,
				 "cannot record into '%s': a file of this name was moved, but is "
				 "still in use: name another file",
				 db->path)
		       : 0;
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
	struct stat st;

	/* SQLite takes a file of one byte for an empty one, and would overwrite it. */
	if (!stat(db->path, &st) && st.st_size == 1)
		return err_set(err, EBADMSG, "'%s' is not a recording of tiptop", db->path);
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
	if (!ret)
		ret = check_log(db, &why);
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

int record_file_check_place(struct record_db *db, struct err *err)
{
	struct stat own, found;

	if (fstat(db->lock_fd, &own))
		return 0;
	if (stat(db->path, &found) ? errno == ENOENT || errno == ENOTDIR
				   : found.st_dev != own.st_dev || found.st_ino != own.st_ino)
		return err_set(err, ESTALE,
			       own.st_nlink ? "the recording '%s' was moved while it was written: "
					      "it has ended"
					    : "the recording '%s' was deleted or replaced while it "
					      "was written: it is lost",
			       db->path);
	if (own.st_size < db->size)
		return err_set(err, ESTALE,
			       "another program has cut off the recording '%s': it is damaged, and "
			       "has ended",
			       db->path);
	db->size = own.st_size;
	return 0;
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
 * changes that are not in the file. A log or journal that is empty or begins with a zero byte holds
 * none. */
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

/* Sets the error for a file without tables: a new file that is in its log, or no recording. */
static int refuse_empty(const char *path, struct err *err)
{
	struct stat st;

	if (!stat(path, &st) && st.st_size)
		return err_set(err, EBADMSG,
			       "the recording '%s' has no data: if it was copied while it was "
			       "written, copy '%s-wal', too",
			       path, path);
	return err_set(err, EBADMSG, "'%s' is empty: it is not a recording", path);
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
		ret = refuse_empty(path, err);
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

/* ---- schema_check ---- */

struct check {
	struct record_db *db;
	enum schema_use use;
	struct record_db model; /* in memory, without rows: the schema of the file's version */
	int64_t n_readings;     /* number of tables of readings */
};

/* A row of sqlite_schema. */
struct object {
	const char *type, *name;
	const char *sql; /* NULL: an object that SQLite created by itself */
};

#define SQL_OBJECTS "SELECT type, name, sql FROM sqlite_schema"

/* Reads the current row. A text with a NUL byte inside counts as missing, as tiptop writes none. */
static struct object object_at(sqlite3_stmt *stmt)
{
	const struct object o = {record_db_text(stmt, 0), record_db_text(stmt, 1),
				 record_db_text(stmt, 2)};

	return (struct object){
		o.type ? o.type : "", o.name ? o.name : "",
		o.sql && strlen(o.sql) == (size_t)sqlite3_column_bytes(stmt, 2) ? o.sql : NULL};
}

static bool begins_with(const char *text, const char *with)
{
	return text && !strncmp(text, with, strlen(with));
}

/* Creates the model: the tables of the file's version. */
static int make_model(struct check *c, struct err *err)
{
	int ret = record_db_open_memory(&c->model, c->db->path, err);

	for (int i = 0; i < c->db->version && !ret; i++)
		ret = record_db_exec(&c->model, record_schema[i], err);
	return ret;
}

/* --- tables of tiptop --- */

static int check_tiptop_table(struct check *c, const struct object *own, struct err *err)
{
	sqlite3_stmt *stmt;
	bool same = false;
	int ret = record_db_prepare(c->db, &stmt, SQL_OBJECTS " WHERE type = 'table' AND name = ?",
				    err);

	if (ret)
		return ret;
	sqlite3_bind_text(stmt, 1, own->name, -1, SQLITE_STATIC);
	ret = record_db_step(c->db, stmt, err);
	if (ret == 1) {
		const struct object found = object_at(stmt);

		same = found.sql && !strcmp(found.sql, own->sql);
	}
	sqlite3_finalize(stmt);
	if (ret < 0 || same)
		return ret < 0 ? ret : 0;
	if (!ret)
		return err_set(err, EBADMSG, "the recording '%s' is damaged: it has no table '%s'",
			       c->db->path, own->name);
	return err_set(err, EBADMSG,
		       "the recording '%s' is damaged: its table '%s' is not that of version %d",
		       c->db->path, own->name, c->db->version);
}

static int check_tiptop_tables(struct check *c, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&c->model, &stmt, SQL_OBJECTS " WHERE type = 'table'", err);

	if (ret)
		return ret;
	while ((ret = record_db_step(&c->model, stmt, err)) == 1) {
		const struct object own = object_at(stmt);

		ret = check_tiptop_table(c, &own, err);
		if (ret)
			break;
	}
	sqlite3_finalize(stmt);
	return ret;
}

/* Returns 1 if the model has a table of this name; 0: it has none; or -errno. */
static int is_tiptop_table(struct check *c, const char *name, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&c->model, &stmt,
				    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?",
				    err);

	if (ret)
		return ret;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	ret = record_db_step(&c->model, stmt, err);
	sqlite3_finalize(stmt);
	return ret;
}

/* --- tables of readings --- */

/* Returns N if the name is the prefix followed by N without leading zeros; 0: the name has another
 * form. */
static int64_t number_of(const char *name, const char *prefix)
{
	char again[64];
	int64_t number;

	if (!begins_with(name, prefix))
		return 0;
	number = strtoll(name + strlen(prefix), NULL, 10);
	snprintf(again, sizeof again, "%s%" PRId64, prefix, number);
	return number > 0 && !strcmp(again, name) ? number : 0;
}

/* Returns whether `text` is the end of a CREATE TABLE statement with columns like those of facts
 * and counts: ", NAME INTEGER" any number of times, then ")". */
static bool are_columns(const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	while (begins_with(text, ", ")) {
		const size_t len = strspn(text + 2, letters);

		text += 2 + len;
		if (!len || !begins_with(text, " INTEGER"))
			return false;
		text += strlen(" INTEGER");
	}
	return !strcmp(text, ")");
}

/* Returns whether the statement creates the table of readings of layout `id`, with any facts and
 * events. */
static bool is_readings(const char *sql, int64_t id)
{
	struct record_layout layout;
	struct strbuf begin;
	bool is;

	record_layout_init(&layout, NULL, FACT_NONE, false);
	layout.id = id;
	strbuf_init(&begin);
	record_layout_declare(&layout, &begin);
	/* Compares without the closing bracket, as the columns of facts and counts follow. */
	is = sql && !strncmp(sql, begin.text, begin.len - 1) && are_columns(sql + begin.len - 1);
	strbuf_done(&begin);
	record_layout_done(&layout);
	return is;
}

bool schema_has_readings(struct record_db *db, int64_t layout)
{
	char name[40];
	sqlite3_stmt *stmt;
	bool has = false;

	snprintf(name, sizeof name, "reading_%" PRId64, layout);
	if (record_db_prepare(db, &stmt, SQL_OBJECTS " WHERE type = 'table' AND name = ?", NULL))
		return false;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (record_db_step(db, stmt, NULL) == 1)
		has = is_readings(object_at(stmt).sql, layout);
	sqlite3_finalize(stmt);
	return has;
}

/* --- views --- */

/* Appends the CREATE VIEW statement of the view of this name; nothing if tiptop has none. */
static int add_view(struct check *c, const char *name, enum record_view_form form,
		    struct strbuf *out, struct err *err)
{
	const int64_t layout = number_of(name, "interval_");

	if (layout)
		return record_view_layout(c->db, layout, form, out, err);
	if (!strcmp(name, "interval"))
		return record_view_all(c->db, form, out, err);
	if (!strcmp(name, "process"))
		strbuf_addstr(out, record_view_processes[form]);
	return 0;
}

static int check_view(struct check *c, const struct object *o, struct err *err)
{
	struct strbuf own;
	bool same = false;
	int ret = 0;

	strbuf_init(&own);
	for (int form = N_RECORD_VIEW_FORMS; form-- > 0 && !ret && !same;) {
		strbuf_reset(&own);
		ret = add_view(c, o->name, (enum record_view_form)form, &own, err);
		same = o->sql && own.len && !strcmp(o->sql, own.text);
	}
	strbuf_done(&own);
	if (ret || same)
		return ret;
	return err_set(err, EBADMSG,
		       "the recording '%s' has a view '%.100s' that tiptop does not make: drop the "
		       "view with sqlite3",
		       c->db->path, o->name);
}

/* --- other objects --- */

static int refuse(const struct check *c, const char *what, const struct object *o, struct err *err)
{
	return err_set(err, EBADMSG,
		       "the recording '%s' has %s '%.100s', which tiptop does not make: drop it "
		       "with sqlite3",
		       c->db->path, what, o->name);
}

/* Returns 1 if a column of the table is generated; 0: none; or -errno. */
static int has_generated(struct check *c, const char *table, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(
		c->db, &stmt, "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden LIMIT 1", err);

	if (ret)
		return ret;
	sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	ret = record_db_step(c->db, stmt, err);
	sqlite3_finalize(stmt);
	return ret;
}

static int check_table(struct check *c, const struct object *o, struct err *err)
{
	const int64_t layout = number_of(o->name, "reading_");
	int ret = is_tiptop_table(c, o->name, err);

	if (ret)
		return ret < 0 ? ret : 0;
	if (begins_with(o->sql, "CREATE VIRTUAL TABLE"))
		return refuse(c, "a virtual table", o, err);
	if (!begins_with(o->sql, "CREATE TABLE"))
		return refuse(c, "a thing", o, err);
	if (layout && is_readings(o->sql, layout)) {
		c->n_readings++;
		return 0;
	}
	ret = has_generated(c, o->name, err);
	if (ret)
		return ret < 0 ? ret : refuse(c, "a table with a generated column", o, err);
	return c->use == SCHEMA_WRITE ? refuse(c, "a table", o, err) : 0;
}

static int check_index(struct check *c, const struct object *o, struct err *err)
{
	if (!o->sql && begins_with(o->name, "sqlite_autoindex_"))
		return 0;
	if (!begins_with(o->sql, "CREATE INDEX") && !begins_with(o->sql, "CREATE UNIQUE INDEX"))
		return refuse(c, "a thing", o, err);
	return c->use == SCHEMA_WRITE ? refuse(c, "an index", o, err) : 0;
}

static int check_object(struct check *c, const struct object *o, struct err *err)
{
	if (!strcmp(o->type, "table"))
		return check_table(c, o, err);
	if (!strcmp(o->type, "index"))
		return check_index(c, o, err);
	if (!strcmp(o->type, "view"))
		return check_view(c, o, err);
	return refuse(c, !strcmp(o->type, "trigger") ? "a trigger" : "a thing", o, err);
}

static int check_objects(struct check *c, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(c->db, &stmt, SQL_OBJECTS, err);

	if (ret)
		return ret;
	while ((ret = record_db_step(c->db, stmt, err)) == 1) {
		const struct object o = object_at(stmt);

		ret = check_object(c, &o, err);
		if (ret)
			break;
	}
	sqlite3_finalize(stmt);
	return ret;
}

/* Checks that each layout has its table of readings, and each such table its layout: a writer adds
 * layouts, and takes the next id of a reading from the tables of all layouts. */
static int check_layouts(struct check *c, struct err *err)
{
	int64_t with, all;
	int ret = record_db_number(c->db,
				   "SELECT count(*) FROM layout WHERE EXISTS (SELECT 1 FROM "
				   "sqlite_schema WHERE name = 'reading_' || layout.id)",
				   0, &with, err);

	if (!ret)
		ret = record_db_number(c->db, "SELECT count(*) FROM layout", 0, &all, err);
	if (ret || (with == all && all == c->n_readings))
		return ret;
	return err_set(err, EBADMSG,
		       "the recording '%s' is damaged: its tables of readings are not those of its "
		       "layouts",
		       c->db->path);
}

int schema_check(struct record_db *db, enum schema_use use, struct err *err)
{
	struct check c = {.db = db, .use = use};
	int ret;

	if (!db->version)
		return 0;
	ret = make_model(&c, err);
	if (!ret)
		ret = check_tiptop_tables(&c, err);
	if (!ret)
		ret = check_objects(&c, err);
	if (!ret && use == SCHEMA_WRITE)
		ret = check_layouts(&c, err);
	record_db_close(&c.model);
	return ret;
}
