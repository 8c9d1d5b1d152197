/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/schema_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/schema.h"
#include "record/views.h"

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
