/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "record/db.h"

/* The wall clock was set if its difference to CLOCK_MONOTONIC changes by more than this from one
 * sample to the next. Changes by slewing and by the duration of a sample are smaller. */
#define STEP_NS 1000000000

void timeline_done(struct timeline *t)
{
	free(t->v);
	free(t->span);
	*t = (struct timeline){.n = 0};
}

static int64_t add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static int64_t subtract(int64_t a, int64_t b)
{
	int64_t difference;

	return __builtin_sub_overflow(a, b, &difference) ? (b < 0 ? INT64_MAX : INT64_MIN)
							 : difference;
}

static int64_t at_least(int64_t a, int64_t least)
{
	return a < least ? least : a;
}

/* Returns the time from one moment to another; 0 if time runs backwards, as it may in a damaged
 * file. */
static int64_t elapsed_ns(int64_t from_ns, int64_t to_ns)
{
	return at_least(subtract(to_ns, from_ns), 0);
}

struct moment {
	int64_t sample, run, mono_ns, wall_ns;
};

static bool continues_span(const struct timeline_span *s, const struct moment *m)
{
	const int64_t wall_ns = subtract(m->wall_ns, (int64_t)s->span.end_wall_ns);
	const int64_t off_ns = subtract(wall_ns, subtract(m->mono_ns, s->last_ns));

	return m->run == s->run && off_ns <= STEP_NS && off_ns >= -STEP_NS;
}

static int64_t begin_of(const struct timeline_span *before, const struct moment *m)
{
	if (!before)
		return 0;
	return add(before->span.end_ns,
		   m->run == before->run ? elapsed_ns(before->last_ns, m->mono_ns) : 1);
}

static void add_moment(struct timeline *t, const struct moment *m)
{
	struct timeline_span *s = t->n ? &t->v[t->n - 1] : NULL;

	if (!s || !continues_span(s, m)) {
		const int64_t begin_ns = begin_of(s, m);

		t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
		t->span = xgrow(t->span, &t->cap_span, t->n + 1, sizeof *t->span);
		s = &t->v[t->n++];
		*s = (struct timeline_span){.run = m->run,
					    .first = m->sample,
					    .first_ns = m->mono_ns,
					    .last_ns = m->mono_ns,
					    .span = {.begin_ns = begin_ns,
						     .end_ns = begin_ns,
						     .begin_wall_ns = (uint64_t)m->wall_ns}};
	}
	s->span.end_ns = add(s->span.end_ns, elapsed_ns(s->last_ns, m->mono_ns));
	s->span.end_wall_ns = (uint64_t)m->wall_ns;
	s->last = m->sample;
	s->last_ns = m->mono_ns;
	t->span[t->n - 1] = s->span;
}

int timeline_update(struct timeline *t, struct record_db *db, struct err *err)
{
	const int64_t last = t->n ? t->v[t->n - 1].last : INT64_MIN;
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(
		db, &stmt, "SELECT id, run, mono_ns, wall_ns FROM sample WHERE id > ? ORDER BY id",
		err);

	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, last);
	while ((ret = record_db_step(db, stmt, err)) == 1)
		add_moment(t, &(struct moment){.sample = sqlite3_column_int64(stmt, 0),
					       .run = sqlite3_column_int64(stmt, 1),
					       .mono_ns = sqlite3_column_int64(stmt, 2),
					       .wall_ns = sqlite3_column_int64(stmt, 3)});
	sqlite3_finalize(stmt);
	return ret;
}

int64_t timeline_at(const struct timeline *t, int64_t sample, int64_t mono_ns)
{
	size_t low = 0, high = t->n;
	const struct timeline_span *s;

	/* Finds the last span whose first sample is not after `sample`. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (t->v[middle].first <= sample)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	s = &t->v[low - 1];
	return add(s->span.begin_ns, subtract(mono_ns, s->first_ns));
}

/* Returns in *out the id of the last sample of the span whose value in this column is at most
 * `limit`; 0: none. */
static int find_last(struct record_db *db, const struct timeline_span *s, const char *column,
		     int64_t limit, int64_t *out, struct err *err)
{
	return record_db_numberf(db, 0, out, err,
				 "SELECT id FROM sample WHERE id BETWEEN %" PRId64 " AND %" PRId64
				 " AND %s <= %" PRId64 " ORDER BY id DESC LIMIT 1",
				 s->first, s->last, column, limit);
}

int timeline_find(const struct timeline *t, struct record_db *db, int64_t at_ns, int64_t *out,
		  struct err *err)
{
	int ret = 0;

	*out = 0;
	for (size_t i = t->n; !ret && !*out && i-- > 0;) {
		const struct timeline_span *s = &t->v[i];

		if (s->span.begin_ns <= at_ns)
			ret = find_last(db, s, "mono_ns",
					add(s->first_ns, subtract(at_ns, s->span.begin_ns)), out,
					err);
	}
	if (!ret && !*out)
		ret = record_db_number(db, "SELECT min(id) FROM sample", 0, out, err);
	*out = at_least(*out, 0);
	return ret;
}

/* Returns in *out the recorded time of a wall time that lies between both ends of the span. */
static int find_in(const struct timeline_span *s, struct record_db *db, int64_t wall_ns,
		   int64_t *out, struct err *err)
{
	int ret = record_db_numberf(
		db, s->first_ns, out, err,
		"SELECT mono_ns + %" PRId64 " - wall_ns FROM sample WHERE id BETWEEN %" PRId64
		" AND %" PRId64 " AND wall_ns <= %" PRId64 " ORDER BY id DESC LIMIT 1",
		wall_ns, s->first, s->last, wall_ns);

	*out = add(s->span.begin_ns, subtract(*out, s->first_ns));
	return ret;
}

int timeline_find_wall(const struct timeline *t, struct record_db *db, uint64_t wall_ns,
		       int64_t after_ns, int64_t *out, struct err *err)
{
	const struct timeline_span *later = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct record_span *s = &t->v[i].span;
		int ret;

		if (s->end_ns < after_ns)
			continue;
		if (!later && s->begin_wall_ns > wall_ns)
			later = &t->v[i];
		if (wall_ns < s->begin_wall_ns || wall_ns > s->end_wall_ns)
			continue;
		ret = find_in(&t->v[i], db, (int64_t)wall_ns, out, err);
		if (ret || *out >= after_ns)
			return ret;
	}
	*out = later ? later->span.begin_ns - 1 : INT64_MAX;
	return 0;
}
