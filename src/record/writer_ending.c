/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: how the command has ended. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "record/writer_part.h"

/* What those that have ended have counted of each event. */
static int add_events(struct record_writer *w, const struct ending *how, int n, struct err *err)
{
	int ret = 0;

	for (int i = 0; how->count && i < n && !ret; i++) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO ending_event VALUES(?,?,?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_number(&row, (uint64_t)i);
		writer_put_value(&row, how->count[i]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

static int add_programs(struct record_writer *w, const struct ending *how, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < how->n_programs && !ret; i++) {
		const struct ending_program *p = &how->program[i];
		struct writer_row row;

		ret = writer_begin_row(
			w, &row, "INSERT INTO ending_program VALUES(?,?,?,?,?,?,?,?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_number(&row, i);
		writer_put_text(&row, p->name);
		writer_put_number(&row, p->processes);
		writer_put_value(&row, p->cpu_ns);
		writer_put_value(&row, p->failed);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

static void put_clocks(struct writer_row *row, const struct sample *s)
{
	writer_put_number(row, s->wall_ns);
	writer_put_number(row, s->mono_ns);
	writer_put_number(row, s->boot_ns);
}

/* Of the three rows that it is about: the description of the command's row, and two readings. */
static int add_ending(struct record_writer *w, const struct ending *how, const int64_t *about,
		      const struct sample *begin, const struct sample *end, struct err *err)
{
	const uint64_t ends[] = {how->each,    how->ended,      how->lost, how->reopened,
				 how->damaged, how->names_lost, how->alone};
	struct writer_row row;
	int ret = writer_begin_row(
		w, &row, "INSERT INTO ending VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)w->run);
	for (int i = 0; i < 3; i++)
		writer_put_number(&row, (uint64_t)about[i]);
	put_clocks(&row, begin);
	put_clocks(&row, end);
	if (how->unknown)
		writer_put_null(&row);
	else
		writer_put_number(&row, (uint64_t)how->status);
	writer_put_number(&row, how->from_ns);
	writer_put_text(&row, how->left_out);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		writer_put_number(&row, ends[i]);
	return writer_end_row(w, &row, err);
}

/* What is recorded may be a replay of several runs: the last one of them stays. */
static int forget_others(struct record_writer *w, struct err *err)
{
	static const char *const tables[] = {"command", "ending", "ending_event", "ending_program"};
	int ret = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++) {
		char *sql =
			xasprintf("DELETE FROM %s WHERE run = %lld", tables[i], (long long)w->run);

		ret = record_db_exec(&w->db, sql, err);
		free(sql);
	}
	return ret;
}

static int add_all(struct record_writer *w, const struct ending *how, const struct sample *begin,
		   const struct sample *end, struct err *err)
{
	const struct task *t = end->task[0];
	int64_t about[3];
	int ret = forget_others(w, err);

	if (!ret)
		ret = writer_add_command(w, how->command, err);
	if (!ret)
		ret = writer_add_task(w, t, &about[0], err);
	if (!ret)
		ret = writer_add_reading(w, begin->task[0], about[0], &about[1], err);
	if (!ret)
		ret = writer_add_reading(w, t, about[0], &about[2], err);
	if (!ret)
		ret = add_ending(w, how, about, begin, end, err);
	if (!ret)
		ret = add_events(w, how, sample_events_n(t->events), err);
	return ret ? ret : add_programs(w, how, err);
}

int record_writer_ending(struct record_writer *w, const struct ending *how,
			 const struct sample *begin, const struct sample *end, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = writer_settle(w, false, &why);

	if (!ret && w->begun)
		ret = record_db_run(&w->db, w->begin, &why);
	if (ret == -EBUSY)
		return writer_give_up(w, "how the command ended", err);
	if (ret && err)
		*err = why;
	if (ret || !w->begun)
		return ret;
	return writer_commit(w, add_all(w, how, begin, end, err), err);
}
