/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: deletes samples beyond the retention limits. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "record/writer_state.h"

/* ---- writer drop ----
 * Deletes samples, and all rows that no other sample needs. */

/* Returns in *out the first sample after this one that has a keyframe; 0: none. */
static int writer_next_keyframe(struct record_writer *w, int64_t sample, int64_t *out,
				struct err *err)
{
	return record_db_numberf(&w->db, 0, out, err,
				 "SELECT min(sample) FROM keyframe WHERE sample > %lld",
				 (long long)sample);
}

/* Returns in *out a column of the sample; -1: no such sample, or NULL. */
static int writer_sample_number(struct record_writer *w, const char *column, int64_t sample,
				int64_t *out, struct err *err)
{
	return record_db_numberf(&w->db, -1, out, err, "SELECT %s FROM sample WHERE id = %lld",
				 column, (long long)sample);
}

/* A range of samples to delete: from `from` on, before `to`. The readings in the keyframe of `to`
 * are kept. As ids grow with time in all tables, the rows to delete are ranges, too. */
struct span {
	int64_t from, to;
	int64_t last;                        /* the sample before `from`; 0: none */
	int64_t first_reading, next_reading; /* [first, next): range of readings */
	int64_t first_task, next_task;       /* [first, next): range of tasks; below 0: unknown */
};

static int find_span(struct record_writer *w, struct span *s, struct err *err)
{
	int ret =
		record_db_numberf(&w->db, 0, &s->last, err,
				  "SELECT max(id) FROM sample WHERE id < %lld", (long long)s->from);

	s->first_reading = s->first_task = 0;
	s->next_reading = w->next_reading;
	s->next_task = w->next_task;
	if (!ret && s->last)
		ret = writer_sample_number(w, "first_reading", s->last, &s->first_reading, err);
	if (!ret && s->last)
		ret = writer_sample_number(w, "first_task", s->last, &s->first_task, err);
	if (ret || s->to >= w->next_sample)
		return ret;
	ret = writer_sample_number(w, "first_reading", s->to, &s->next_reading, err);
	return ret ? ret : writer_sample_number(w, "first_task", s->to, &s->next_task, err);
}

/* Deletes the readings of one layout; adds the tasks of the readings that are kept to temp.kept. */
static int drop_readings(struct record_writer *w, const struct span *s, int64_t layout,
			 struct err *err)
{
	int ret = record_db_execf(
		&w->db, err,
		"INSERT OR IGNORE INTO temp.kept SELECT task FROM reading_%lld WHERE id IN "
		"(SELECT reading FROM keyframe WHERE sample = %lld)",
		(long long)layout, (long long)s->to);

	ret = ret ? ret
		  : record_db_execf(
			    &w->db, err,
			    "INSERT OR IGNORE INTO temp.kept SELECT task FROM reading_%lld WHERE "
			    "id >= %lld AND id < %lld AND sample = %lld",
			    (long long)layout, (long long)s->first_reading,
			    (long long)s->next_reading, (long long)s->last);
	return ret ? ret
		   : record_db_execf(
			     &w->db, err,
			     "DELETE FROM reading_%lld WHERE id >= %lld AND id < %lld AND sample > "
			     "%lld AND id NOT IN (SELECT reading FROM keyframe WHERE sample = "
			     "%lld)",
			     (long long)layout, (long long)s->first_reading,
			     (long long)s->next_reading, (long long)s->last, (long long)s->to);
}

static int drop_tasks(struct record_writer *w, const struct span *s, struct err *err)
{
	if (s->first_task < 0 || s->next_task < 0)
		return 0;
	return record_db_execf(&w->db, err,
			       "DELETE FROM task WHERE id >= %lld AND id < %lld AND id NOT IN "
			       "(SELECT id FROM temp.kept) AND id NOT IN (SELECT task FROM ending)",
			       (long long)s->first_task, (long long)s->next_task);
}

/* Calls act() for each layout with an id below `below`. */
static int each_layout(struct record_writer *w, int64_t below,
		       int (*act)(struct record_writer *, const struct span *, int64_t,
				  struct err *),
		       const struct span *s, struct err *err)
{
	int64_t id = 0;
	int ret = 0;

	while (!ret) {
		ret = record_db_numberf(&w->db, 0, &id, err,
					"SELECT min(id) FROM layout WHERE id > %lld AND id < %lld",
					(long long)id, (long long)below);
		if (ret || !id)
			break;
		ret = act(w, s, id, err);
	}
	return ret;
}

#define ENDINGS_LEFT "FROM ending WHERE run NOT IN (SELECT id FROM run)"

/* Deletes from one layout the readings of endings whose run was deleted. */
static int drop_endings(struct record_writer *w, const struct span *s, int64_t layout,
			struct err *err)
{
	(void)s;
	return record_db_execf(
		&w->db, err,
		"DELETE FROM reading_%lld WHERE id IN (SELECT begin_reading " ENDINGS_LEFT
		" UNION SELECT end_reading " ENDINGS_LEFT ")",
		(long long)layout);
}

/* Drops the table and the view of an earlier run's layout, and the layout itself, if the table is
 * empty. */
static int drop_layout(struct record_writer *w, const struct span *s, int64_t layout,
		       struct err *err)
{
	int64_t some;
	int ret = record_db_numberf(&w->db, 0, &some, err, "SELECT min(id) FROM reading_%lld",
				    (long long)layout);

	(void)s;
	if (ret || some)
		return ret;
	return record_db_execf(&w->db, err,
			       "DROP VIEW IF EXISTS interval_%lld; DROP TABLE reading_%lld; "
			       "DELETE FROM layout WHERE id = %lld",
			       (long long)layout, (long long)layout, (long long)layout);
}

/* Deletes all rows of runs that are older than the oldest run with samples. */
static int drop_runs(struct record_writer *w, const struct span *s, struct err *err)
{
	static const char *const tables[] = {"option",        "screen",         "command",
					     "ending_event",  "ending_program", "follow_row",
					     "follow_counter"};
	int64_t oldest;
	int ret = record_db_numberf(&w->db, w->run, &oldest, err,
				    "SELECT run FROM sample ORDER BY id LIMIT 1");

	if (ret || oldest <= w->oldest_run)
		return ret;
	w->oldest_run = oldest;
	ret = record_db_execf(
		&w->db, err,
		"DELETE FROM follow_count WHERE row IN (SELECT id FROM follow_row WHERE run < "
		"%lld)",
		(long long)oldest);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++)
		ret = record_db_execf(&w->db, err, "DELETE FROM %s WHERE run < %lld", tables[i],
				      (long long)oldest);
	if (!ret)
		ret = record_db_execf(
			&w->db, err,
			"DELETE FROM run WHERE id < %lld; DELETE FROM machine WHERE id < %lld; "
			"DELETE FROM machine_pmu WHERE machine < %lld; "
			"DELETE FROM machine_cpu WHERE machine < %lld; "
			"DELETE FROM machine_place WHERE machine < %lld",
			(long long)oldest, (long long)oldest, (long long)oldest, (long long)oldest,
			(long long)oldest);
	if (!ret)
		ret = each_layout(w, w->next_layout, drop_endings, s, err);
	if (!ret)
		ret = each_layout(w, w->own_layout, drop_layout, s, err);
	if (!ret)
		ret = record_db_execf(&w->db, err,
				      "DELETE FROM task WHERE id IN (SELECT task " ENDINGS_LEFT
				      "); "
				      "DELETE " ENDINGS_LEFT);
	if (!ret)
		ret = record_db_execf(
			&w->db, err,
			"DELETE FROM event WHERE event_set NOT IN (SELECT event_set FROM layout);"
			"DELETE FROM event_set WHERE id NOT IN (SELECT event_set FROM layout)");
	return ret ? ret : writer_make_views(w, err);
}

static int drop_rows(struct record_writer *w, const struct span *s, struct err *err)
{
	static const char *const tables[] = {"gone", "keyframe", "cpu_use"};
	int ret = record_db_execf(&w->db, err,
				  "CREATE TEMP TABLE IF NOT EXISTS kept(id INTEGER PRIMARY KEY); "
				  "DELETE FROM temp.kept");

	if (!ret)
		ret = each_layout(w, w->next_layout, drop_readings, s, err);
	if (!ret)
		ret = drop_tasks(w, s, err);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++)
		ret = record_db_execf(&w->db, err,
				      "DELETE FROM %s WHERE sample >= %lld AND sample < %lld",
				      tables[i], (long long)s->from, (long long)s->to);
	if (!ret)
		ret = record_db_execf(
			&w->db, err,
			"DELETE FROM minute WHERE last_sample >= %lld AND first_sample < %lld",
			(long long)s->from, (long long)s->to);
	if (!ret)
		ret = record_db_execf(&w->db, err,
				      "DELETE FROM sample WHERE id >= %lld AND id < %lld",
				      (long long)s->from, (long long)s->to);
	return ret ? ret : drop_runs(w, s, err);
}

/* Deletes the samples [from, to), and all rows that no other sample needs. `to` has a keyframe, or
 * is the next sample to be written. */
static int writer_drop(struct record_writer *w, int64_t from, int64_t to, struct err *err)
{
	struct span s = {.from = from, .to = to};
	int ret = record_db_run(&w->db, w->begin, err);

	if (!ret)
		ret = find_span(w, &s, err);
	if (!ret)
		ret = drop_rows(w, &s, err);
	return writer_commit(w, ret, err);
}

/* ---- writer keep ---- */

/* Keyframes divide the file into parts of about 1/16 of the limit; a part is deleted as a whole. */
#define PARTS 16

/* The write-ahead log is checkpointed at 1/32 of the limit for the file, but not below 16 pages.
 * Unless a reader keeps the log in use, only the last transaction exceeds this size. */
#define LOG_PARTS 32
#define LOG_LEAST 16

bool writer_is_limited(const struct record_writer *w)
{
	return w->keep.bytes || w->keep.ns || w->keep.marked_only;
}

int record_writer_limit(struct record_writer *w, const struct record_limits *keep, struct err *err)
{
	int64_t pages;
	int ret;

	w->keep = *keep;
	w->undecided = w->next_sample;
	if (!keep->bytes)
		return 0;
	ret = record_db_number(&w->db, "PRAGMA page_size", 4096, &w->page_bytes, err);
	if (!ret) {
		pages = (int64_t)keep->bytes / w->page_bytes / LOG_PARTS;
		pages = pages > LOG_LEAST ? pages : LOG_LEAST;
		w->log_bytes = (uint64_t)(pages * w->page_bytes);
		ret = record_db_execf(&w->db, err, "PRAGMA wal_autocheckpoint=%" PRId64, pages);
	}
	return ret;
}

void writer_mark(struct record_writer *w)
{
	w->marked = true;
	w->marked_ns = w->mono_ns;
	w->undecided = w->next_sample;
}

static uint64_t smaller_limit(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

bool writer_wants_keyframe(const struct record_writer *w, const struct sample *s)
{
	const struct record_limits *keep = &w->keep;
	const uint64_t ns = smaller_limit(keep->ns / PARTS,
					  keep->marked_only ? keep->before_ns / PARTS + 1 : 0);

	if (!writer_is_limited(w))
		return false;
	return !w->previous || w->request_keyframe || (ns && s->mono_ns - w->keyframe_ns >= ns) ||
	       (keep->bytes && w->grown >= keep->bytes / PARTS);
}

/* Sizes in bytes of the file, of its free pages, and of the write-ahead log. The size of the log is
 * at least that at which it is checkpointed. */
struct disk_usage {
	uint64_t file, free, log;
};

static uint64_t log_bytes(const struct record_writer *w)
{
	char *path = xasprintf("%s-wal", w->db.path);
	struct stat st = {.st_size = 0};
	uint64_t bytes;

	stat(path, &st);
	free(path);
	bytes = (uint64_t)st.st_size;
	return bytes > w->log_bytes ? bytes : w->log_bytes;
}

static int measure(struct record_writer *w, struct disk_usage *out, struct err *err)
{
	int64_t pages = 0, unused = 0;
	int ret = record_db_number(&w->db, "PRAGMA page_count", 0, &pages, err);

	if (!ret)
		ret = record_db_number(&w->db, "PRAGMA freelist_count", 0, &unused, err);
	out->file = (uint64_t)(pages * w->page_bytes);
	out->free = (uint64_t)(unused * w->page_bytes);
	out->log = log_bytes(w);
	w->used = out->file - out->free;
	return ret;
}

/* Returns in *out the first sample of the file; 0: none. */
static int first_sample(struct record_writer *w, int64_t *out, struct err *err)
{
	return record_db_number(&w->db, "SELECT min(id) FROM sample", 0, out, err);
}

/* Deletes the oldest part, up to the next keyframe. Returns 1: deleted; 0: there is no next
 * keyframe; or -errno. */
static int drop_oldest(struct record_writer *w, struct err *err)
{
	int64_t first, to = 0;
	int ret = first_sample(w, &first, err);

	if (!ret)
		ret = writer_next_keyframe(w, first, &to, err);
	if (ret || !to)
		return ret;
	ret = writer_drop(w, first, to, err);
	return ret ? ret : 1;
}

/* Requests a keyframe with the next sample, as without one no part can be deleted. Fails if the
 * file has a single sample, which is larger than the limit. */
static int request_keyframe(struct record_writer *w, struct err *err)
{
	int64_t first;
	int ret = first_sample(w, &first, err);

	w->request_keyframe = true;
	if (ret || first + 1 < w->next_sample)
		return ret;
	return err_set(
		err, EFBIG,
		"the recording '%s' cannot be kept below %" PRIu64
		" bytes: one sample of these tasks needs more: raise the limit (--record-max)",
		w->db.path, w->keep.bytes);
}

/* Deletes the oldest parts until the next sample fits into the size limit. */
static int apply_size_limit(struct record_writer *w, struct err *err)
{
	const uint64_t used = w->used;
	struct disk_usage disk_usage;
	uint64_t more, wanted;
	int ret = measure(w, &disk_usage, err);

	if (ret)
		return ret;
	more = w->used > used ? w->used - used : 0;
	w->grown += more;
	w->request_keyframe = false;
	wanted = 2 * more > w->keep.bytes / LOG_PARTS ? 2 * more : w->keep.bytes / LOG_PARTS;
	while (disk_usage.file + disk_usage.log + more > w->keep.bytes &&
	       disk_usage.free < wanted) {
		ret = drop_oldest(w, err);
		if (ret != 1)
			return ret ? ret : request_keyframe(w, err);
		ret = measure(w, &disk_usage, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Returns in *at_ns the recorded time of a sample. */
static int find_time(struct record_writer *w, int64_t sample, int64_t *at_ns, struct err *err)
{
	int64_t mono_ns;
	const int ret = writer_sample_number(w, "mono_ns", sample, &mono_ns, err);

	*at_ns = timeline_at(&w->timeline, sample, mono_ns);
	return ret;
}

/* Deletes the parts that are wholly older than the limit, in recorded time. */
static int apply_time_limit(struct record_writer *w, struct err *err)
{
	int64_t first, to, now_ns = 0, at_ns;
	int ret = timeline_update(&w->timeline, &w->db, err);

	if (!ret)
		ret = find_time(w, w->next_sample - 1, &now_ns, err);
	if (!ret)
		ret = first_sample(w, &first, err);
	while (!ret) {
		ret = writer_next_keyframe(w, first, &to, err);
		if (!ret && to)
			ret = find_time(w, to, &at_ns, err);
		if (ret || !to || now_ns - at_ns < (int64_t)w->keep.ns)
			break;
		ret = writer_drop(w, first, to, err);
		first = to;
	}
	return ret;
}

/* Deletes parts that lie outside before_ns and after_ns of every mark. */
static int apply_mark_limit(struct record_writer *w, struct err *err)
{
	int64_t to, mono_ns;
	int ret = 0;

	if (w->marked && w->mono_ns - w->marked_ns <= w->keep.after_ns) {
		w->undecided = w->next_sample;
		return 0;
	}
	while (!ret) {
		ret = writer_next_keyframe(w, w->undecided, &to, err);
		if (!ret && to)
			ret = writer_sample_number(w, "mono_ns", to, &mono_ns, err);
		if (ret || !to || (uint64_t)mono_ns + w->keep.before_ns > w->mono_ns)
			break;
		ret = writer_drop(w, w->undecided, to, err);
		if (!ret)
			w->undecided = to;
	}
	return ret;
}

int writer_keep(struct record_writer *w, struct err *err)
{
	int ret = w->keep.marked_only ? apply_mark_limit(w, err) : 0;

	if (!ret && w->keep.ns)
		ret = apply_time_limit(w, err);
	if (!ret && w->keep.bytes)
		ret = apply_size_limit(w, err);
	return ret;
}

int writer_end_limits(struct record_writer *w, struct err *err)
{
	if (!w->keep.marked_only || w->undecided >= w->next_sample)
		return 0;
	return writer_drop(w, w->undecided, w->next_sample, err);
}
