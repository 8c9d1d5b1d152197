/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: the rows of follow.h; and the reading of these rows. */
#include "record/follow.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/reader_state.h"
#include "record/writer_state.h"

/* ---- writing ---- */

static int add_counter(struct record_writer *w, int set, int n, const char *name, struct err *err)
{
	struct writer_row row;
	int ret = writer_begin_row(w, &row, "INSERT INTO follow_counter VALUES(?,?,?,?)", err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)w->run);
	writer_put_number(&row, (uint64_t)set);
	writer_put_number(&row, (uint64_t)n);
	writer_put_text(&row, name);
	return writer_end_row(w, &row, err);
}

static int begin_run(struct record_writer *w, const struct record_follow_set *set, int n_sets,
		     uint64_t wall_ns, struct err *err)
{
	const struct sample at = {.wall_ns = wall_ns};
	int ret = writer_begin_run(w, &at, err);

	for (int s = 0; s < n_sets; s++)
		for (int c = 0; c < set[s].n && !ret; c++)
			ret = add_counter(w, s, c, set[s].name[c], err);
	return ret;
}

int record_writer_follow(struct record_writer *w, const struct record_follow_set *set, int n_sets,
			 uint64_t wall_ns, struct err *err)
{
	int ret = record_db_prepare(&w->db, &w->follow,
				    "INSERT INTO follow_row VALUES(NULL,?,?,?,?,?,?,?,?,?)", err);

	if (!ret)
		ret = record_db_prepare(&w->db, &w->follow_count,
					"INSERT INTO follow_count VALUES(?,?,?,?,?)", err);
	if (!ret)
		ret = record_db_run(&w->db, w->begin, err);
	if (ret)
		return ret;
	w->begun = true;
	w->wall_ns = w->follow_ns = wall_ns;
	return writer_commit(w, begin_run(w, set, n_sets, wall_ns, err), err);
}

static void put_nonzero(struct writer_row *row, int number)
{
	if (number)
		writer_put_number(row, (uint64_t)number);
	else
		writer_put_null(row);
}

static int add_row(struct record_writer *w, const struct record_follow_row *from, struct err *err)
{
	struct writer_row row = {w->follow, 0};

	writer_put_number(&row, (uint64_t)w->run);
	writer_put_number(&row, from->time_ns);
	writer_put_number(&row, (uint64_t)from->process);
	put_nonzero(&row, from->task);
	writer_put_text(&row, from->event);
	if (from->value)
		writer_put_number(&row, (uint64_t)from->set);
	else
		writer_put_null(&row);
	put_nonzero(&row, from->made);
	writer_put_text(&row, from->image);
	if (from->ended)
		writer_put_number(&row, (uint64_t)from->how);
	else
		writer_put_null(&row);
	return record_db_run(&w->db, w->follow, err);
}

static int add_counts(struct record_writer *w, const struct record_follow_row *from, int n,
		      struct err *err)
{
	const sqlite3_int64 id = sqlite3_last_insert_rowid(w->db.sql);
	int ret = 0;

	for (int c = 0; from->value && c < n && !ret; c++) {
		struct writer_row row = {w->follow_count, 0};

		writer_put_number(&row, (uint64_t)id);
		writer_put_number(&row, (uint64_t)c);
		writer_put_value(&row, from->value[c]);
		ret = record_db_run(&w->db, w->follow_count, err);
	}
	return ret;
}

int writer_write_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			struct err *err)
{
	int ret = record_db_run(&w->db, w->begin, err);

	if (ret)
		return ret;
	w->wall_ns = w->follow_ns + row->time_ns;
	ret = add_row(w, row, err);
	if (!ret)
		ret = add_counts(w, row, n, err);
	return writer_commit(w, ret, err);
}

/* ---- reading ---- */

struct reader_follow {
	sqlite3_stmt *row, *count;
	int64_t id, run; /* of the row read last; 0: none */
	struct record_follow_set set[RECORD_FOLLOW_SETS];
	int n_sets;
	struct value value[RECORD_FOLLOW_COUNTERS];
	struct arena sets, texts;
};

enum {
	ROW_ID,
	ROW_RUN,
	ROW_TIME_NS,
	ROW_PID,
	ROW_LWP,
	ROW_EVENT,
	ROW_TURN,
	ROW_MADE,
	ROW_IMAGE,
	ROW_HOW
};

void reader_follow_free(struct reader_follow *f)
{
	if (!f)
		return;
	sqlite3_finalize(f->row);
	sqlite3_finalize(f->count);
	arena_done(&f->sets);
	arena_done(&f->texts);
	free(f);
}

/* The statement for rows; how: the column of this name, or NULL in versions without it. */
#define SQL_ROW(how)                                                                               \
	"SELECT id, run, time_ns, pid, lwp, event, turn, made, image, " how " FROM follow_row "    \
	"WHERE id > ? ORDER BY id LIMIT 1"

static int begin(struct record_reader *r, struct err *err)
{
	int ret;

	r->follow = xcalloc(1, sizeof *r->follow);
	ret = record_db_prepare(&r->db, &r->follow->row,
				r->db.version < 5 ? SQL_ROW("NULL") : SQL_ROW("how"), err);
	return ret ? ret
		   : record_db_prepare(&r->db, &r->follow->count,
				       "SELECT n, count, share, quality FROM follow_count WHERE "
				       "row = ? ORDER BY n",
				       err);
}

static bool read_counter(struct reader_follow *f, sqlite3_stmt *stmt)
{
	const int64_t s = sqlite3_column_int64(stmt, 0), n = sqlite3_column_int64(stmt, 1);
	const char *name = record_db_text(stmt, 2);

	if (s < 0 || s >= RECORD_FOLLOW_SETS || s > f->n_sets || n >= RECORD_FOLLOW_COUNTERS ||
	    !name || n != (s < f->n_sets ? f->set[s].n : 0))
		return false;
	f->n_sets = (int)s + 1;
	f->set[s].name[f->set[s].n++] = arena_strdup(&f->sets, name);
	return true;
}

/* Loads the counter names of a run; sets and counters must be numbered in order, without gaps. */
static int load_sets(struct record_reader *r, int64_t run, struct err *err)
{
	struct reader_follow *f = r->follow;
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&r->db, &stmt,
				    "SELECT turn, n, name FROM follow_counter WHERE run = ? "
				    "ORDER BY turn, n",
				    err);

	if (ret)
		return ret;
	f->run = run;
	f->n_sets = 0;
	memset(f->set, 0, sizeof f->set);
	arena_reset(&f->sets);
	sqlite3_bind_int64(stmt, 1, run);
	while ((ret = reader_step(r, stmt, err)) == 1)
		if (!read_counter(f, stmt)) {
			reader_complain(r, "a list of counters makes no sense");
			break;
		}
	sqlite3_finalize(stmt);
	if (!ret && !f->n_sets)
		reader_complain(r, "a run has no list of counters");
	return ret < 0 ? ret : 0;
}

static int load_counts(struct record_reader *r, int n, struct err *err)
{
	struct reader_follow *f = r->follow;
	int ret;

	for (int c = 0; c < n; c++)
		f->value[c] = value_none(QUALITY_NOT_READ);
	sqlite3_bind_int64(f->count, 1, f->id);
	while ((ret = reader_step(r, f->count, err)) == 1) {
		const int64_t c = sqlite3_column_int64(f->count, 0);

		if (c >= 0 && c < n)
			f->value[c] = reader_value(f->count, 1);
	}
	sqlite3_reset(f->count);
	return ret < 0 ? ret : 0;
}

/* Reads an integer; NULL becomes 0. Returns false if the integer is below 0 or too large. */
static bool read_number(sqlite3_stmt *stmt, int column, int *out)
{
	const int64_t number = sqlite3_column_int64(stmt, column);

	*out = (int)number;
	return number >= 0 && number <= INT_MAX;
}

/* Reads the current row into *out. Returns 1: valid; 0: invalid values; or -errno. */
static int read_row(struct record_reader *r, struct record_follow_row *out, struct err *err)
{
	struct reader_follow *f = r->follow;
	const char *event = record_db_text(f->row, ROW_EVENT),
		   *image = record_db_text(f->row, ROW_IMAGE);
	const bool counted = sqlite3_column_type(f->row, ROW_TURN) != SQLITE_NULL;
	const int64_t turn = sqlite3_column_int64(f->row, ROW_TURN);
	const int64_t time_ns = sqlite3_column_int64(f->row, ROW_TIME_NS);
	int ret = 0;

	arena_reset(&f->texts);
	*out = (struct record_follow_row){
		.run = sqlite3_column_int64(f->row, ROW_RUN),
		.time_ns = (uint64_t)time_ns,
		.event = event ? arena_strdup(&f->texts, event) : "",
		.image = image ? arena_strdup(&f->texts, image) : NULL,
	};
	if (time_ns < 0 || !read_number(f->row, ROW_PID, &out->process) ||
	    !read_number(f->row, ROW_LWP, &out->task) ||
	    !read_number(f->row, ROW_MADE, &out->made) || !read_number(f->row, ROW_HOW, &out->how))
		return 0;
	out->ended = sqlite3_column_type(f->row, ROW_HOW) != SQLITE_NULL;
	if (out->run != f->run)
		ret = load_sets(r, out->run, err);
	if (ret || !counted)
		return ret ? ret : 1;
	if (turn < 0 || turn >= f->n_sets)
		return 0;
	out->set = (int)turn;
	out->value = f->value;
	ret = load_counts(r, f->set[turn].n, err);
	return ret ? ret : 1;
}

/* Reads the next row. *good: set if the row is valid and in *out. Returns 1: read; 0: no more; or
 * -errno. */
static int step(struct record_reader *r, struct record_follow_row *out, bool *good, struct err *err)
{
	struct reader_follow *f = r->follow;
	const int64_t before = f->id;
	int ret;

	sqlite3_bind_int64(f->row, 1, before);
	ret = reader_step(r, f->row, err);
	if (ret == 1)
		f->id = sqlite3_column_int64(f->row, ROW_ID);
	/* Damaged pages of the database may form a cycle. */
	if (ret == 1 && f->id <= before)
		ret = err_set(err, EBADMSG,
			      "the recording '%s' is damaged: its rows are out of order",
			      r->db.path);
	if (ret == 1) {
		const int row = read_row(r, out, err);

		*good = row == 1;
		ret = row < 0 ? row : 1;
	}
	sqlite3_reset(f->row);
	return ret;
}

static int next(struct record_reader *r, struct record_follow_row *out, struct err *err)
{
	bool good = false;
	int ret = 1;

	while (ret == 1 && !good) {
		ret = step(r, out, &good, err);
		if (ret == 1 && !good)
			reader_complain(r, "a row makes no sense");
	}
	return ret;
}

int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err)
{
	int ret = 0;

	/* Files of versions before 4 have no rows of follow.h. */
	if (r->db.version < 4)
		return 0;
	if (!r->follow)
		ret = begin(r, err);
	if (ret)
		return ret;
	reader_begin(r);
	return reader_end(r, next(r, out, err));
}

int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out)
{
	*out = r->follow ? r->follow->set : NULL;
	return r->follow ? r->follow->n_sets : 0;
}

bool record_reader_follow_is_cut(struct record_reader *r)
{
	int64_t n;

	return !record_reader_is_open(r) &&
	       !record_db_number(&r->db,
				 "SELECT ended_ns IS NULL FROM run WHERE id = (SELECT run FROM "
				 "follow_row ORDER BY id DESC LIMIT 1)",
				 0, &n, NULL) &&
	       n;
}
