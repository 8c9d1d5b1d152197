/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: from any sample to any other. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "record/reader_part.h"

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

int reader_load_keyframe(struct record_reader *r, int64_t id, struct err *err)
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

static int ask(struct record_reader *r, int64_t *out, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A number; 0 where there is none. */
static int ask(struct record_reader *r, int64_t *out, struct err *err, const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int ret;

	va_start(ap, fmt);
	sql = xvasprintf(fmt, ap);
	va_end(ap);
	ret = record_db_number(&r->db, sql, 0, out, err);
	free(sql);
	return ret;
}

/* The next sample is this one. */
static int go_to(struct record_reader *r, int64_t id, struct err *err)
{
	struct reader_head head;
	int64_t keyframe, before;
	int ret = ask(r, &keyframe, err, "SELECT max(sample) FROM keyframe WHERE sample <= %lld",
		      (long long)id);

	if (!ret)
		ret = ask(r, &before, err,
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
	int64_t id;
	int ret;

	if (n > 0)
		ret = ask(r, &id, err,
			  "SELECT id FROM sample WHERE id > %lld ORDER BY id "
			  "LIMIT 1 OFFSET %ld",
			  (long long)r->now.id, n - 1);
	else
		ret = ask(r, &id, err,
			  "SELECT id FROM sample WHERE id <= %lld ORDER BY id DESC "
			  "LIMIT 1 OFFSET %ld",
			  (long long)r->now.id, -n);
	if (!ret && !id)
		ret = ask(r, &id, err, "SELECT %s(id) FROM sample", n > 0 ? "max" : "min");
	return ret ? ret : go_to(r, id, err);
}

int record_reader_skip(struct record_reader *r, long n, struct err *err)
{
	if (n == 1)
		return 0;
	reader_begin(r);
	return reader_end(r, skip(r, n, err));
}

static int lead(struct record_reader *r, struct err *err)
{
	struct reader_head next = r->now;
	int64_t id;
	int ret = r->ready ? 1 : reader_find_head(r, r->now.id, &next, err);

	if (ret != 1)
		return ret;
	/* Across a hole there is nothing to compare. */
	ret = ask(r, &id, err, "SELECT id FROM sample WHERE id = %lld AND run = %lld",
		  (long long)next.id - 1, (long long)next.run);
	if (ret || !id)
		return ret;
	ret = go_to(r, id, err);
	return ret ? ret : 1;
}

int record_reader_lead(struct record_reader *r, struct err *err)
{
	reader_begin(r);
	return reader_end(r, lead(r, err));
}
