/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: taking samples out again, with all that only they need. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "record/writer_part.h"

static int run(struct record_writer *w, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static int ask(struct record_writer *w, int64_t none, int64_t *out, struct err *err,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static int run(struct record_writer *w, struct err *err, const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int ret;

	va_start(ap, fmt);
	sql = xvasprintf(fmt, ap);
	va_end(ap);
	ret = record_db_exec(&w->db, sql, err);
	free(sql);
	return ret;
}

static int ask(struct record_writer *w, int64_t none, int64_t *out, struct err *err,
	       const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int ret;

	va_start(ap, fmt);
	sql = xvasprintf(fmt, ap);
	va_end(ap);
	ret = record_db_number(&w->db, sql, none, out, err);
	free(sql);
	return ret;
}

int writer_next_keyframe(struct record_writer *w, int64_t sample, int64_t *out, struct err *err)
{
	return ask(w, 0, out, err, "SELECT min(sample) FROM keyframe WHERE sample > %lld",
		   (long long)sample);
}

int writer_sample_number(struct record_writer *w, const char *column, int64_t sample, int64_t *out,
			 struct err *err)
{
	return ask(w, -1, out, err, "SELECT %s FROM sample WHERE id = %lld", column,
		   (long long)sample);
}

/* What is dropped: of what comes behind the sample `last`, which stays, all before the sample `to`,
 * but for what that one's keyframe lists. Numbers grow with time in all tables. */
struct span {
	int64_t from, to;
	int64_t last;                        /* 0: there is none */
	int64_t first_reading, next_reading; /* readings from the one, and before the other */
	int64_t first_task, next_task;       /* and their tasks; below 0: not known */
};

static int find_span(struct record_writer *w, struct span *s, struct err *err)
{
	int ret = ask(w, 0, &s->last, err, "SELECT max(id) FROM sample WHERE id < %lld",
		      (long long)s->from);

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

/* The readings of one layout; the tasks of those that stay are noted. */
static int drop_readings(struct record_writer *w, const struct span *s, int64_t layout,
			 struct err *err)
{
	int ret = run(w, err,
		      "INSERT OR IGNORE INTO temp.kept SELECT task FROM reading_%lld WHERE id IN "
		      "(SELECT reading FROM keyframe WHERE sample = %lld)",
		      (long long)layout, (long long)s->to);

	ret = ret ? ret
		  : run(w, err,
			"INSERT OR IGNORE INTO temp.kept SELECT task FROM reading_%lld WHERE "
			"id >= %lld AND id < %lld AND sample = %lld",
			(long long)layout, (long long)s->first_reading, (long long)s->next_reading,
			(long long)s->last);
	return ret ? ret
		   : run(w, err,
			 "DELETE FROM reading_%lld WHERE id >= %lld AND id < %lld AND sample > "
			 "%lld AND id NOT IN (SELECT reading FROM keyframe WHERE sample = %lld)",
			 (long long)layout, (long long)s->first_reading, (long long)s->next_reading,
			 (long long)s->last, (long long)s->to);
}

static int drop_tasks(struct record_writer *w, const struct span *s, struct err *err)
{
	if (s->first_task < 0 || s->next_task < 0)
		return 0;
	return run(w, err,
		   "DELETE FROM task WHERE id >= %lld AND id < %lld AND id NOT IN "
		   "(SELECT id FROM temp.kept) AND id NOT IN (SELECT task FROM ending)",
		   (long long)s->first_task, (long long)s->next_task);
}

/* The numbers of layouts below `below`, each of which gets what is done with it. */
static int each_layout(struct record_writer *w, int64_t below,
		       int (*act)(struct record_writer *, const struct span *, int64_t,
				  struct err *),
		       const struct span *s, struct err *err)
{
	int64_t id = 0;
	int ret = 0;

	while (!ret) {
		ret = ask(w, 0, &id, err,
			  "SELECT min(id) FROM layout WHERE id > %lld AND id < %lld", (long long)id,
			  (long long)below);
		if (ret || !id)
			break;
		ret = act(w, s, id, err);
	}
	return ret;
}

#define ENDINGS_LEFT "FROM ending WHERE run NOT IN (SELECT id FROM run)"

/* The two readings that an ending has. */
static int drop_endings(struct record_writer *w, const struct span *s, int64_t layout,
			struct err *err)
{
	(void)s;
	return run(w, err,
		   "DELETE FROM reading_%lld WHERE id IN (SELECT begin_reading " ENDINGS_LEFT
		   " UNION SELECT end_reading " ENDINGS_LEFT ")",
		   (long long)layout);
}

/* An earlier run has left it, where nothing is in it any more. */
static int drop_layout(struct record_writer *w, const struct span *s, int64_t layout,
		       struct err *err)
{
	int64_t some;
	int ret = ask(w, 0, &some, err, "SELECT min(id) FROM reading_%lld", (long long)layout);

	(void)s;
	if (ret || some)
		return ret;
	return run(w, err,
		   "DROP VIEW IF EXISTS interval_%lld; DROP TABLE reading_%lld; "
		   "DELETE FROM layout WHERE id = %lld",
		   (long long)layout, (long long)layout, (long long)layout);
}

/* Of earlier runs of which no sample is left, nothing stays. */
static int drop_runs(struct record_writer *w, const struct span *s, struct err *err)
{
	static const char *const tables[] = {"option",        "screen",         "command",
					     "ending_event",  "ending_program", "follow_row",
					     "follow_counter"};
	int64_t oldest;
	int ret = ask(w, w->run, &oldest, err, "SELECT run FROM sample ORDER BY id LIMIT 1");

	if (ret || oldest <= w->oldest_run)
		return ret;
	w->oldest_run = oldest;
	ret = run(w, err,
		  "DELETE FROM follow_count WHERE row IN (SELECT id FROM follow_row WHERE run < "
		  "%lld)",
		  (long long)oldest);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++)
		ret = run(w, err, "DELETE FROM %s WHERE run < %lld", tables[i], (long long)oldest);
	if (!ret)
		ret = run(w, err,
			  "DELETE FROM run WHERE id < %lld; DELETE FROM machine WHERE id < %lld; "
			  "DELETE FROM machine_pmu WHERE machine < %lld; "
			  "DELETE FROM machine_cpu WHERE machine < %lld; "
			  "DELETE FROM machine_place WHERE machine < %lld",
			  (long long)oldest, (long long)oldest, (long long)oldest,
			  (long long)oldest, (long long)oldest);
	if (!ret)
		ret = each_layout(w, w->next_layout, drop_endings, s, err);
	if (!ret)
		ret = each_layout(w, w->own_layout, drop_layout, s, err);
	if (!ret)
		ret = run(w, err,
			  "DELETE FROM task WHERE id IN (SELECT task " ENDINGS_LEFT "); "
			  "DELETE " ENDINGS_LEFT);
	if (!ret)
		ret = run(w, err,
			  "DELETE FROM event WHERE event_set NOT IN (SELECT event_set FROM layout);"
			  "DELETE FROM event_set WHERE id NOT IN (SELECT event_set FROM layout)");
	return ret ? ret : writer_make_views(w, err);
}

static int drop_rows(struct record_writer *w, const struct span *s, struct err *err)
{
	static const char *const tables[] = {"gone", "keyframe", "cpu_use"};
	int ret = run(w, err,
		      "CREATE TEMP TABLE IF NOT EXISTS kept(id INTEGER PRIMARY KEY); "
		      "DELETE FROM temp.kept");

	if (!ret)
		ret = each_layout(w, w->next_layout, drop_readings, s, err);
	if (!ret)
		ret = drop_tasks(w, s, err);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++)
		ret = run(w, err, "DELETE FROM %s WHERE sample >= %lld AND sample < %lld",
			  tables[i], (long long)s->from, (long long)s->to);
	if (!ret)
		ret = run(w, err, "DELETE FROM sample WHERE id >= %lld AND id < %lld",
			  (long long)s->from, (long long)s->to);
	return ret ? ret : drop_runs(w, s, err);
}

int writer_drop(struct record_writer *w, int64_t from, int64_t to, struct err *err)
{
	struct span s = {.from = from, .to = to};
	int ret = record_db_run(&w->db, w->begin, err);

	if (!ret)
		ret = find_span(w, &s, err);
	if (!ret)
		ret = drop_rows(w, &s, err);
	return writer_commit(w, ret, err);
}
