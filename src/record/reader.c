/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "model/kinds.h"
#include "record/file.h"
#include "record/reader_state.h"

/* ---- open ----
 * Opens the file; answers questions about the whole file. */

#define SCREENS_MAX 1000

/* Statements for each version of the file; columns that an older version lacks are NULL. */
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

/* The statement for layouts; moved: the column of this name, or NULL in versions without it. */
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
		{&r->gone,
		 "SELECT reading FROM gone WHERE sample BETWEEN ? AND ? ORDER BY reading"},
		{&r->keyframe, "SELECT reading FROM keyframe WHERE sample = ? ORDER BY reading"},
		{&r->layouts, r->db.version < 6 ? LAYOUTS("NULL") : LAYOUTS("moved")},
		{&r->cpu_use, r->db.version < 2
				      ? NULL
				      : "SELECT cpu, user, nice, system, irq, stolen, idle "
					"FROM cpu_use WHERE sample = ? ORDER BY cpu"},
		{&r->minute, r->db.version < 8
				     ? NULL
				     : "SELECT first_sample, last_sample, list FROM minute WHERE "
				       "last_sample >= ? ORDER BY last_sample LIMIT 1"},
		{&r->process, "SELECT coalesce(process, name) FROM task WHERE id = ?"},
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
	int ret = record_file_open(&r->db, path, err);

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
	sqlite3_finalize(r->minute);
	sqlite3_finalize(r->process);
	minute_done(&r->list);
	for (size_t i = 0; i < r->n_layouts; i++) {
		sqlite3_finalize(r->layout[i].range);
		sqlite3_finalize(r->layout[i].scan);
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
	reader_moments_done(&r->moments);
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

char *record_reader_kernel(struct record_reader *r)
{
	sqlite3_stmt *stmt;
	char *kernel = NULL;

	if (record_db_prepare(&r->db, &stmt,
			      "SELECT kernel FROM run WHERE id >= ? ORDER BY id LIMIT 1", NULL))
		return NULL;
	sqlite3_bind_int64(stmt, 1, r->now.id ? r->now.run : INT64_MIN);
	if (reader_step(r, stmt, NULL) == 1)
		kernel = xstrdup_or_null(record_db_text(stmt, 0));
	sqlite3_finalize(stmt);
	return kernel;
}

/* A writer holds an exclusive flock() on the file. */
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

/* ---- seek ----
 * Goes from any sample to any other. */

int reader_add_reading(struct record_reader *r, int64_t reading, size_t *hint, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < r->n_layouts; i++) {
		const size_t at = (*hint + i) % r->n_layouts;
		sqlite3_stmt *stmt = r->layout[at].range;
		bool found;

		sqlite3_bind_int64(stmt, 1, reading);
		ret = reader_step(r, stmt, err);
		found = ret == 1 && sqlite3_column_int64(stmt, COLUMN_ID) == reading;
		if (found)
			ret = reader_add(r, &r->layout[at].layout, stmt, &r->read, err);
		sqlite3_reset(stmt);
		if (ret < 0)
			return ret;
		if (found) {
			*hint = at;
			return 0;
		}
	}
	reader_complain(r, "a reading is missing");
	return 0;
}

static int reader_begin_run(struct record_reader *r, int64_t run, struct err *err);

static void reader_order(struct record_reader *r, struct living_list *list);

/* Moves to a sample that has a keyframe, and loads all its tasks from the keyframe. */
static int reader_load_keyframe(struct record_reader *r, int64_t id, struct err *err)
{
	int ret = reader_find_head(r, id - 1, &r->now, err);
	size_t hint = 0;

	if (ret == 1)
		ret = reader_load_layouts(r, err);
	if (!ret)
		ret = reader_begin_run(r, r->now.run, err);
	reader_drop(&r->read);
	sqlite3_bind_int64(r->keyframe, 1, id);
	while (ret >= 0 && (ret = reader_step(r, r->keyframe, err)) == 1)
		ret = reader_add_reading(r, sqlite3_column_int64(r->keyframe, 0), &hint, err);
	sqlite3_reset(r->keyframe);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < r->read.n; i++) {
		r->read.v[i].fresh = true;
		r->read.v[i].time = (struct task_time){0, 0};
	}
	reader_order(r, &r->read);
	reader_merge(r, 0);
	return 0;
}

static int reader_advance(struct record_reader *r, struct err *err);

static void reader_forget(struct record_reader *r);

/* Positions the reader so that this sample is the next one. */
static int go_to(struct record_reader *r, int64_t id, struct err *err)
{
	struct reader_head head;
	int64_t keyframe, before;
	int ret = record_db_numberf(&r->db, 0, &keyframe, err,
				    "SELECT max(sample) FROM keyframe WHERE sample <= %lld",
				    (long long)id);

	if (!ret)
		ret = record_db_numberf(
			&r->db, 0, &before, err,
			"SELECT id FROM sample WHERE id < %lld AND run <> (SELECT run FROM "
			"sample WHERE id = %lld) ORDER BY id DESC LIMIT 1",
			(long long)id, (long long)id);
	if (ret)
		return ret;
	reader_forget(r);
	r->ahead.sample = 0;
	r->now = (struct reader_head){.id = before, .run = -1};
	r->ready = false;
	if (keyframe > before) {
		ret = reader_load_keyframe(r, keyframe, err);
		r->ready = !ret && r->now.id == id;
	}
	while (ret >= 0 && !r->ready) {
		ret = reader_find_head(r, r->now.id, &head, err);
		if (ret != 1 || head.id >= id)
			break;
		ret = reader_advance(r, err);
	}
	return ret < 0 ? ret : 0;
}

int record_reader_spans(struct record_reader *r, const struct record_span **out, size_t *n,
			struct err *err)
{
	const int ret = timeline_update(&r->timeline, &r->db, err);

	*out = r->timeline.span;
	*n = r->timeline.n;
	return ret;
}

int record_reader_find_wall(struct record_reader *r, uint64_t wall_ns, int64_t after_ns,
			    int64_t *at_ns, struct err *err)
{
	return timeline_find_wall(&r->timeline, &r->db, wall_ns, after_ns, at_ns, err);
}

int64_t record_reader_at(const struct record_reader *r, uint64_t mono_ns)
{
	return timeline_at(&r->timeline, r->now.id, (int64_t)mono_ns);
}

static int seek(struct record_reader *r, int64_t at_ns, struct err *err)
{
	int64_t id;
	int ret = timeline_update(&r->timeline, &r->db, err);

	if (!ret)
		ret = timeline_find(&r->timeline, &r->db, at_ns, &id, err);
	return ret ? ret : go_to(r, id, err);
}

int record_reader_seek(struct record_reader *r, int64_t at_ns, struct err *err)
{
	reader_begin(r);
	return reader_end(r, seek(r, at_ns, err));
}

static int peek(struct record_reader *r, int64_t *at_ns, struct err *err)
{
	struct reader_head next = r->now;
	int ret = r->ready ? 1 : reader_find_head(r, r->now.id, &next, err);

	if (ret != 1)
		return ret ? ret : RECORD_END;
	ret = timeline_update(&r->timeline, &r->db, err);
	*at_ns = timeline_at(&r->timeline, next.id, (int64_t)next.head.mono_ns);
	return ret;
}

int record_reader_peek(struct record_reader *r, int64_t *at_ns, struct err *err)
{
	reader_begin(r);
	return reader_end(r, peek(r, at_ns, err));
}

static int skip(struct record_reader *r, long n, struct err *err)
{
	/* After a seek, the sample of a keyframe is loaded, but not read yet. */
	const long long before = (long long)r->now.id - r->ready;
	int64_t id;
	int ret;

	if (n > 0)
		ret = record_db_numberf(&r->db, 0, &id, err,
					"SELECT id FROM sample WHERE id > %lld ORDER BY id "
					"LIMIT 1 OFFSET %ld",
					before, n - 1);
	else
		ret = record_db_numberf(&r->db, 0, &id, err,
					"SELECT id FROM sample WHERE id <= %lld ORDER BY id DESC "
					"LIMIT 1 OFFSET %ld",
					before, -n);
	if (!ret && !id)
		ret = record_db_numberf(&r->db, 0, &id, err, "SELECT %s(id) FROM sample",
					n > 0 ? "max" : "min");
	return ret ? ret : go_to(r, id, err);
}

int record_reader_skip(struct record_reader *r, long n, struct err *err)
{
	if (n == 1)
		return 0;
	reader_begin(r);
	return reader_end(r, skip(r, n, err));
}

static int step_back(struct record_reader *r, struct err *err)
{
	struct reader_head next = r->now;
	int64_t id;
	int ret = r->ready ? 1 : reader_find_head(r, r->now.id, &next, err);

	if (ret != 1)
		return ret;
	/* Samples are not compared across a hole, so only the directly preceding id will do. */
	ret = record_db_numberf(&r->db, 0, &id, err,
				"SELECT id FROM sample WHERE id = %lld AND run = %lld",
				(long long)next.id - 1, (long long)next.run);
	if (ret || !id)
		return ret;
	ret = go_to(r, id, err);
	return ret ? ret : 1;
}

int record_reader_step_back(struct record_reader *r, struct err *err)
{
	reader_begin(r);
	return reader_end(r, step_back(r, err));
}

/* ---- reader ---- */

/* The largest distance of a moment from the begin of its sample, in µs; larger ones are limited to
 * this. */
#define US_MAX ((int64_t)1 << 50)

/* The largest plausible values of struct host. A larger uptime is read as 0, a larger load as
 * unknown. */
#define UPTIME_MAX_S 1e10
#define LOAD_MAX     1e9

/* The bit of generations that is inverted at each hole. */
#define HOLE_BIT ((uint64_t)1 << 31)

void reader_complain(struct record_reader *r, const char *fmt, ...)
{
	struct strbuf what;
	char text[128];
	va_list ap;

	if (r->fault[0])
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	strbuf_init(&what);
	text_add(&what, text);
	snprintf(r->fault, sizeof r->fault, "the recording '%.200s' is damaged: %s", r->db.path,
		 what.text);
	strbuf_done(&what);
}

int reader_step(struct record_reader *r, sqlite3_stmt *stmt, struct err *err)
{
	return record_db_step(&r->db, stmt, err);
}

int reader_pass_over(struct record_reader *r, int ret, const struct err *why, struct err *err)
{
	if (ret != -EBADMSG) {
		if (err)
			*err = *why;
		return ret;
	}
	if (!r->fault[0])
		memcpy(r->fault, why->text, sizeof r->fault);
	return 0;
}

float reader_us(int64_t us)
{
	return (float)(us > US_MAX ? US_MAX : us < -US_MAX ? -US_MAX : us);
}

void reader_drop(struct living_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		task_unref(list->v[i].task);
	list->n = 0;
}

/* Drops all living tasks. */
static void reader_forget(struct record_reader *r)
{
	reader_drop(&r->living);
	hash_done(&r->described);
	r->described = (struct hash)HASH_INIT;
}

/* Drops a living task, and its entry in `described` unless the entry has another reading. */
static void drop_one(struct record_reader *r, const struct living *l)
{
	if (hash_get(&r->described, (uint64_t)l->row) == l->task)
		hash_remove(&r->described, (uint64_t)l->row);
	task_unref(l->task);
}

static double limit_double(double number, double max)
{
	return isfinite(number) && number >= 0 && number <= max ? number : 0;
}

/* Returns a load average; NAN: unknown. */
static double load_at(sqlite3_stmt *stmt, int column)
{
	const double load = sqlite3_column_double(stmt, column);
	const bool known = sqlite3_column_type(stmt, column) != SQLITE_NULL;

	return known && load >= 0 && load <= LOAD_MAX ? load : (double)NAN;
}

static int limit_int(int64_t number)
{
	return number > 0 && number < INT32_MAX ? (int)number : 0;
}

/* Larger ids of readings are limited to this, so that two ids can be added and subtracted. */
#define READING_MAX (INT64_MAX / 2)

static int64_t limit_reading(int64_t id)
{
	return id < 0 ? 0 : id < READING_MAX ? id : READING_MAX;
}

static void read_head(const struct record_reader *r, struct reader_head *out)
{
	sqlite3_stmt *stmt = r->sample;
	struct sample *head = &out->head;

	*out = (struct reader_head){
		.id = sqlite3_column_int64(stmt, SAMPLE_ID),
		.run = sqlite3_column_int64(stmt, SAMPLE_RUN),
		.first_reading = limit_reading(sqlite3_column_int64(stmt, SAMPLE_FIRST_READING))};
	head->wall_ns = (uint64_t)sqlite3_column_int64(stmt, SAMPLE_WALL_NS);
	head->mono_ns = (uint64_t)sqlite3_column_int64(stmt, SAMPLE_MONO_NS);
	head->boot_ns = (uint64_t)sqlite3_column_int64(stmt, SAMPLE_BOOT_NS);
	head->generation = ((uint64_t)out->run << 32 |
			    (uint32_t)sqlite3_column_int64(stmt, SAMPLE_GENERATION)) ^
			   r->hole;
	head->number = (uint32_t)sqlite3_column_int64(stmt, SAMPLE_NUMBER);
	head->last = sqlite3_column_int(stmt, SAMPLE_LAST) != 0;
	head->threads = sqlite3_column_int(stmt, SAMPLE_THREADS) != 0;
	head->host = (struct host){
		.uptime_s =
			limit_double(sqlite3_column_double(stmt, SAMPLE_UPTIME_S), UPTIME_MAX_S),
		.load1 = load_at(stmt, SAMPLE_LOAD1),
		.load5 = load_at(stmt, SAMPLE_LOAD5),
		.load15 = load_at(stmt, SAMPLE_LOAD15),
		.n_cpus = limit_int(sqlite3_column_int64(stmt, SAMPLE_N_CPUS)),
		.mem_total_kb = (uint64_t)sqlite3_column_int64(stmt, SAMPLE_MEM_TOTAL_KB),
		.n_running = limit_int(sqlite3_column_int64(stmt, SAMPLE_N_RUNNING)),
		.tick_ns = (uint64_t)limit_int(sqlite3_column_int64(stmt, SAMPLE_TICK_NS)),
	};
	head->n_left_out = (size_t)sqlite3_column_int64(stmt, SAMPLE_N_LEFT_OUT);
	reader_set_use(r, &head->use);
}

/* Reads the head of the first sample with an id above `after`; ids are positive. Returns 1: read;
 * 0: no such sample; or -errno. */
int reader_find_head(struct record_reader *r, int64_t after, struct reader_head *out,
		     struct err *err)
{
	int ret;

	after = after < 0 ? 0 : after;
	sqlite3_bind_int64(r->sample, 1, after);
	ret = reader_step(r, r->sample, err);
	if (ret == 1)
		read_head(r, out);
	sqlite3_reset(r->sample);
	/* Damaged pages of the database may form a cycle. */
	if (ret == 1 && out->id <= after)
		return err_set(err, EBADMSG,
			       "the recording '%s' is damaged: its samples are out of order",
			       r->db.path);
	return ret;
}

static int compare_readings(const void *a, const void *b)
{
	const struct living *x = a, *y = b;

	return x->reading < y->reading ? -1 : x->reading > y->reading;
}

static int compare_tasks(const void *a, const void *b)
{
	return task_compare(((const struct living *)a)->task, ((const struct living *)b)->task);
}

/* Sorts the list like the tasks of a sample (task_compare()), and drops duplicates. */
static void reader_order(struct record_reader *r, struct living_list *list)
{
	size_t n = 0;

	for (size_t i = 1; i < list->n; i++)
		if (compare_tasks(&list->v[i - 1], &list->v[i]) >= 0) {
			array_sort(list->v, list->n, sizeof *list->v, compare_tasks);
			break;
		}
	for (size_t i = 0; i < list->n; i++) {
		if (n && !compare_tasks(&list->v[n - 1], &list->v[i])) {
			reader_complain(r, "a task is twice in one sample");
			task_unref(list->v[i].task);
			continue;
		}
		list->v[n++] = list->v[i];
	}
	list->n = n;
}

/* Adds to r->read those readings of the current sample that are in this layout. */
static int read_layout(struct record_reader *r, struct reader_layout *at, struct err *err)
{
	sqlite3_stmt *stmt = at->range;
	struct err why = ERR_INIT;
	int ret;

	sqlite3_bind_int64(stmt, 1, r->now.first_reading);
	while ((ret = reader_step(r, stmt, &why)) == 1 &&
	       sqlite3_column_int64(stmt, COLUMN_SAMPLE) == r->now.id) {
		ret = reader_add(r, &at->layout, stmt, &r->read, &why);
		if (ret < 0)
			break;
	}
	sqlite3_reset(stmt);
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : 0;
}

/* Reads the readings of the current sample into r->read. */
static int read_new(struct record_reader *r, struct err *err)
{
	int ret = 0;

	reader_drop(&r->read);
	for (size_t i = 0; i < r->n_layouts && !ret; i++)
		ret = read_layout(r, &r->layout[i], err);
	/* Ids are in the order of writing, which is the order of the tasks in a sample. */
	if (r->n_layouts > 1)
		array_sort(r->read.v, r->read.n, sizeof *r->read.v, compare_readings);
	reader_order(r, &r->read);
	return ret;
}

static int compare_numbers(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

int reader_read_gone(struct record_reader *r, int64_t first, int64_t last, struct reader_gone *out,
		     struct err *err)
{
	int ret;

	sqlite3_bind_int64(r->gone, 1, first);
	sqlite3_bind_int64(r->gone, 2, last);
	while ((ret = reader_step(r, r->gone, err)) == 1) {
		out->v = xgrow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = sqlite3_column_int64(r->gone, 0);
	}
	sqlite3_reset(r->gone);
	return ret < 0 ? ret : 0;
}

void reader_mark_gone(struct record_reader *r, const struct reader_gone *gone)
{
	for (size_t i = 0; gone->n && i < r->living.n; i++) {
		struct living *l = &r->living.v[i];

		if (array_find(&l->reading, gone->v, gone->n, sizeof *gone->v, compare_numbers))
			l->reading = 0;
	}
}

/* Sets the reading to 0 of each living task that the table gone lists for the current sample. */
static int mark_gone(struct record_reader *r, struct err *err)
{
	struct reader_gone gone = {.n = 0};
	int ret = reader_read_gone(r, r->now.id, r->now.id, &gone, err);

	reader_mark_gone(r, &gone);
	free(gone.v);
	return ret;
}

/* Returns the microseconds between two moments; limited on overflow, as values in a file are
 * arbitrary. */
static int64_t us_between(int64_t from_ns, int64_t to_ns)
{
	int64_t ns;

	if (__builtin_sub_overflow(to_ns, from_ns, &ns))
		ns = to_ns < from_ns ? INT64_MIN : INT64_MAX;
	return ns / 1000;
}

/* Sets the moments of a new reading from those of the task's old reading, since the file has only
 * intervals. mono_ns: time between the two samples. */
static void set_time(struct living *new, const struct living *old, int64_t mono_ns)
{
	if (new->fresh)
		return;
	new->time = old ? old->time : (struct task_time){0, 0};
	if (!old)
		return;
	new->time.counts_us =
		reader_us((int64_t)old->time.counts_us + us_between(mono_ns, new->counts_ns));
	new->time.facts_us =
		reader_us((int64_t)old->time.facts_us + us_between(mono_ns, new->facts_ns));
}

static void add_living(struct record_reader *r, const struct living *l)
{
	struct living_list *list = &r->merged;

	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = *l;
}

void reader_merge(struct record_reader *r, int64_t mono_ns)
{
	struct living_list *old = &r->living, *new = &r->read, swap;
	size_t i = 0, k = 0;

	r->merged.n = 0;
	while (i < old->n || k < new->n) {
		int order = i == old->n   ? 1
			    : k == new->n ? -1
					  : compare_tasks(&old->v[i], &new->v[k]);

		if (order < 0 && old->v[i].reading) {
			old->v[i].time = (struct task_time){0, 0};
			add_living(r, &old->v[i++]);
			continue;
		}
		if (order >= 0)
			set_time(&new->v[k], order ? NULL : &old->v[i], mono_ns);
		if (order <= 0)
			drop_one(r, &old->v[i++]);
		if (order >= 0) {
			hash_put(&r->described, (uint64_t) new->v[k].row, new->v[k].task);
			add_living(r, &new->v[k++]);
		}
	}
	swap = r->living;
	r->living = r->merged;
	r->merged = swap;
	r->read.n = 0;
}

/* Begins another run: drops the tasks of the previous run and loads the machine of this one. */
static int reader_begin_run(struct record_reader *r, int64_t run, struct err *err)
{
	reader_forget(r);
	return r->machine_run == run ? 0 : reader_load_machine(r, run, err);
}

/* Returns whether samples between these two are missing, as shown by a gap in their ids. */
static bool is_hole(const struct reader_head *before, const struct reader_head *next)
{
	return (uint64_t)next->id - (uint64_t)before->id != 1;
}

/* Continues after a hole, where only the keyframe lists the living tasks. Returns 1: read; or
 * -errno. */
static int cross_hole(struct record_reader *r, struct err *err)
{
	int ret;

	r->hole ^= HOLE_BIT;
	ret = reader_load_keyframe(r, r->now.id, err);
	if (ret || r->living.n)
		return ret ? ret : 1;
	/* No keyframe: the first sample of a run has none, as all its readings are new. */
	ret = read_new(r, err);
	if (!ret)
		reader_merge(r, 0);
	return ret ? ret : 1;
}

/* Advances to the next sample and updates the living tasks. Returns 1: a sample; 0: none; or
 * -errno. */
static int reader_advance(struct record_reader *r, struct err *err)
{
	const struct reader_head before = r->now;
	int ret = reader_find_head(r, before.id, &r->now, err);

	if (ret != 1) {
		r->now = before;
		return ret;
	}
	if (is_hole(&before, &r->now))
		return cross_hole(r, err);
	ret = reader_load_layouts(r, err);
	if (!ret && r->now.run != before.run)
		ret = reader_begin_run(r, r->now.run, err);
	if (!ret)
		ret = read_new(r, err);
	if (!ret)
		ret = mark_gone(r, err);
	if (ret)
		return ret;
	reader_merge(r, (int64_t)(r->now.head.mono_ns - before.head.mono_ns));
	return 1;
}

/* A transaction: all statements of one call see the same state, and the file is locked only
 * once. */
void reader_begin(struct record_reader *r)
{
	sqlite3_exec(r->db.sql, "BEGIN", NULL, NULL, NULL);
}

int reader_end(struct record_reader *r, int ret)
{
	sqlite3_exec(r->db.sql, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}

/* Returns whether a hole follows the current sample, so that the next one begins a new
 * generation. */
static bool is_last(struct record_reader *r)
{
	struct reader_head next;

	return reader_find_head(r, r->now.id, &next, NULL) == 1 && is_hole(&r->now, &next);
}

static int fill_sample(struct record_reader *r, struct sample *out, struct err *err)
{
	const struct sample *head = &r->now.head;
	int ret;

	sample_reset(out);
	out->mono_ns = head->mono_ns;
	out->boot_ns = head->boot_ns;
	out->wall_ns = head->wall_ns;
	out->generation = head->generation;
	out->number = head->number;
	out->last = head->last || is_last(r);
	out->threads = head->threads;
	out->host = head->host;
	out->use = head->use;
	out->n_left_out = head->n_left_out;
	sample_set_machine(out, r->machine);
	for (size_t i = 0; i < r->living.n; i++) {
		sample_add(out, task_ref(r->living.v[i].task));
		out->time[out->n - 1] = r->living.v[i].time;
	}
	ret = r->step_ns ? 0 : reader_place_waits(r, out, err);
	return !ret && out->use.wanted && !out->use.cpu_error
		       ? reader_add_cpus(r, r->now.id, out, err)
		       : ret;
}

/* Advances to the next sample whose time is after that of the sample before; skips others as
 * damaged. */
static int advance_to_valid(struct record_reader *r, struct err *err)
{
	const struct reader_head before = r->now;

	while (!r->ready) {
		int ret = reader_advance_step(r, err);

		if (!ret)
			ret = reader_advance(r, err);
		if (ret != 1)
			return ret < 0 ? ret : RECORD_END;
		r->ready = r->now.run != before.run || r->now.head.mono_ns > before.head.mono_ns;
		if (!r->ready)
			reader_complain(r, "its time runs backwards");
	}
	r->ready = false;
	r->in_steps = true;
	return 0;
}

int record_reader_next(struct record_reader *r, struct sample *out, struct err *err)
{
	int ret;

	reader_begin(r);
	ret = advance_to_valid(r, err);
	if (!ret)
		ret = fill_sample(r, out, err);
	return reader_end(r, ret);
}
