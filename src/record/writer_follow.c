/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: rows of tasks through fork, exec and exit. */
#include "record/follow.h"
#include "record/writer_part.h"

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

static void put_some(struct writer_row *row, int number)
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
	put_some(&row, from->task);
	writer_put_text(&row, from->event);
	if (from->value)
		writer_put_number(&row, (uint64_t)from->set);
	else
		writer_put_null(&row);
	put_some(&row, from->made);
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
