/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: opening, and what is asked of the whole file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/kinds.h"
#include "record/reader_part.h"

#define SCREENS_MAX 1000

/* What an older file has not is unknown. */
static const char sample_1[] =
	"SELECT id, run, wall_ns, mono_ns, boot_ns, generation, number, last, threads, uptime_s, "
	"load1, load5, load15, n_cpus, mem_total_kb, n_left_out, first_reading, NULL, NULL, NULL, "
	"NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM sample WHERE id > ? ORDER BY id LIMIT 1";
static const char sample_2[] =
	"SELECT id, run, wall_ns, mono_ns, boot_ns, generation, number, last, threads, uptime_s, "
	"load1, load5, load15, n_cpus, mem_total_kb, n_left_out, first_reading, first_task, "
	"n_running, cpu_error, memory_error, memory_kb, memory_free_kb, memory_available_kb, "
	"swap_kb, swap_free_kb, NULL FROM sample WHERE id > ? ORDER BY id LIMIT 1";
static const char sample_7[] =
	"SELECT id, run, wall_ns, mono_ns, boot_ns, generation, number, last, threads, uptime_s, "
	"load1, load5, load15, n_cpus, mem_total_kb, n_left_out, first_reading, first_task, "
	"n_running, cpu_error, memory_error, memory_kb, memory_free_kb, memory_available_kb, "
	"swap_kb, swap_free_kb, tick_ns FROM sample WHERE id > ? ORDER BY id LIMIT 1";

static const char task_1[] =
	"SELECT id, kind, number, owner, start_ns, uid, user, name, process, cmdline, cgroup, "
	"container, executable, NULL, NULL, NULL FROM task WHERE id = ?";
static const char task_2[] =
	"SELECT id, kind, number, owner, start_ns, uid, user, name, process, cmdline, cgroup, "
	"container, executable, histogram, NULL, NULL FROM task WHERE id = ?";
static const char task_4[] =
	"SELECT id, kind, number, owner, start_ns, uid, user, name, process, cmdline, cgroup, "
	"container, executable, histogram, lock_kind, caller FROM task WHERE id = ?";

/* moved: a column that there was not always. */
#define LAYOUTS(moved)                                                                             \
	"SELECT id, event_set, facts, single, " moved " FROM layout WHERE id > ? ORDER BY id"

static int prepare_all(struct record_reader *r, struct err *err)
{
	const struct {
		sqlite3_stmt **stmt;
		const char *sql;
	} rows[] = {
		{&r->sample, r->db.version < 2   ? sample_1
			     : r->db.version < 7 ? sample_2
						 : sample_7},
		{&r->task, r->db.version < 2   ? task_1
			   : r->db.version < 4 ? task_2
					       : task_4},
		{&r->gone, "SELECT reading FROM gone WHERE sample = ? ORDER BY reading"},
		{&r->keyframe, "SELECT reading FROM keyframe WHERE sample = ? ORDER BY reading"},
		{&r->layouts, r->db.version < 6 ? LAYOUTS("NULL") : LAYOUTS("moved")},
		{&r->cpu_use, r->db.version < 2
				      ? NULL
				      : "SELECT cpu, user, nice, system, irq, stolen, idle "
					"FROM cpu_use WHERE sample = ? ORDER BY cpu"},
		{&r->end, r->db.version < 4   ? NULL
			  : r->db.version < 5 ? reader_sql_ending_4
					      : reader_sql_ending},
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows && !ret; i++)
		if (rows[i].sql)
			ret = record_db_prepare(&r->db, rows[i].stmt, rows[i].sql, err);
	return ret;
}

static int load_screens(struct record_reader *r, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&r->db, &stmt,
				    "SELECT name, xml FROM screen WHERE name IS NOT NULL AND xml "
				    "IS NOT NULL ORDER BY id",
				    err);

	if (ret)
		return ret;
	while (r->n_screens < SCREENS_MAX && (ret = reader_step(r, stmt, err)) == 1) {
		r->screen = xgrow(r->screen, &r->cap_screens, r->n_screens + 1, sizeof *r->screen);
		r->screen[r->n_screens++] = (struct reader_screen){
			xstrdup(record_db_text(stmt, 0)), xstrdup(record_db_text(stmt, 1))};
	}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

static int load_first_machine(struct record_reader *r, struct err *err)
{
	int64_t run;
	int ret = record_db_number(&r->db, "SELECT run FROM sample ORDER BY id LIMIT 1", 0, &run,
				   err);

	return ret ? ret : reader_load_machine(r, run, err);
}

int record_reader_new(struct record_reader **out, const char *path, struct err *err)
{
	struct record_reader *r = xcalloc(1, sizeof *r);
	int ret = record_db_open(&r->db, path, err);

	*out = NULL;
	r->machine_run = -1;
	r->events = sample_events_new(NULL, 0);
	if (!ret)
		ret = prepare_all(r, err);
	if (!ret)
		ret = reader_load_layouts(r, err);
	if (!ret)
		ret = load_screens(r, err);
	if (!ret)
		ret = load_first_machine(r, err);
	if (!ret)
		ret = record_reader_seek(r, -1, err);
	if (ret) {
		record_reader_free(r);
		return ret;
	}
	*out = r;
	return 0;
}

const struct kind *record_reader_kind(struct record_reader *r)
{
	const struct kind *kind = NULL;
	struct err why = ERR_INIT;
	sqlite3_stmt *stmt;

	if (record_db_prepare(&r->db, &stmt, "SELECT kind FROM task ORDER BY id LIMIT 1", &why))
		return NULL;
	if (reader_step(r, stmt, &why) == 1 && record_db_text(stmt, 0))
		kind = kinds_find(record_db_text(stmt, 0));
	sqlite3_finalize(stmt);
	return kind;
}

static void free_list(struct living_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		task_unref(list->v[i].task);
	free(list->v);
}

void record_reader_free(struct record_reader *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->sample);
	sqlite3_finalize(r->task);
	sqlite3_finalize(r->gone);
	sqlite3_finalize(r->keyframe);
	sqlite3_finalize(r->layouts);
	sqlite3_finalize(r->cpu_use);
	sqlite3_finalize(r->end);
	for (size_t i = 0; i < r->n_layouts; i++) {
		sqlite3_finalize(r->layout[i].range);
		sqlite3_finalize(r->layout[i].waits);
		record_layout_done(&r->layout[i].layout);
	}
	for (size_t i = 0; i < r->n_sets; i++)
		sample_events_unref(r->set[i].events);
	for (size_t i = 0; i < r->n_screens; i++) {
		free(r->screen[i].name);
		free(r->screen[i].xml);
	}
	free(r->screen);
	free(r->layout);
	free(r->set);
	free_list(&r->living);
	free_list(&r->read);
	free(r->merged.v);
	arena_done(&r->ending);
	timeline_done(&r->timeline);
	late_waits_done(&r->ahead.waits);
	reader_follow_free(r->follow);
	hash_done(&r->described);
	sample_events_unref(r->events);
	sample_machine_unref(r->machine);
	record_db_close(&r->db);
	free(r);
}

const struct sample_machine *record_reader_machine(const struct record_reader *r)
{
	return r->machine;
}

const struct sample_events *record_reader_events(const struct record_reader *r)
{
	return r->events;
}

const char *record_reader_fault(const struct record_reader *r)
{
	return r->fault[0] ? r->fault : NULL;
}

const char *record_reader_screen(const struct record_reader *r, size_t i, const char **name)
{
	if (i >= r->n_screens)
		return NULL;
	*name = r->screen[i].name;
	return r->screen[i].xml;
}

long record_reader_user(struct record_reader *r, const char *name)
{
	sqlite3_stmt *stmt;
	long uid = -1;

	if (record_db_prepare(&r->db, &stmt, "SELECT uid FROM task WHERE user = ? LIMIT 1", NULL))
		return -1;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (reader_step(r, stmt, NULL) == 1)
		uid = (long)(uint32_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return uid;
}

char *record_reader_option(struct record_reader *r, const char *name)
{
	sqlite3_stmt *stmt;
	char *value = NULL;

	if (record_db_prepare(&r->db, &stmt,
			      "SELECT value FROM option WHERE name = ? AND run = (SELECT min(id) "
			      "FROM run)",
			      NULL))
		return NULL;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (reader_step(r, stmt, NULL) == 1)
		value = xstrdup_or_null(record_db_text(stmt, 0));
	sqlite3_finalize(stmt);
	return value;
}

/* Who writes holds the lock of the file. */
bool record_reader_is_open(struct record_reader *r)
{
	if (r->db.lock_fd < 0)
		r->db.lock_fd = open(r->db.path, O_RDONLY | O_CLOEXEC);
	if (r->db.lock_fd < 0 || !flock(r->db.lock_fd, LOCK_SH | LOCK_NB)) {
		if (r->db.lock_fd >= 0)
			flock(r->db.lock_fd, LOCK_UN);
		return false;
	}
	return errno == EWOULDBLOCK;
}
