/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: rows, and the tables that a run fills at its begin. */
#include "base/mem.h"
#include "record/writer_part.h"

void writer_put_text(struct writer_row *row, const char *text)
{
	if (text)
		sqlite3_bind_text(row->stmt, ++row->column, text, -1, SQLITE_STATIC);
	else
		writer_put_null(row);
}

void writer_put_number(struct writer_row *row, uint64_t number)
{
	sqlite3_bind_int64(row->stmt, ++row->column, (sqlite3_int64)number);
}

void writer_put_real(struct writer_row *row, double number)
{
	sqlite3_bind_double(row->stmt, ++row->column, number);
}

void writer_put_null(struct writer_row *row)
{
	sqlite3_bind_null(row->stmt, ++row->column);
}

void writer_put_value(struct writer_row *row, struct value v)
{
	uint64_t count;

	if (!value_known(v))
		writer_put_null(row);
	else if (value_is_count(v, &count))
		writer_put_number(row, count);
	else
		writer_put_real(row, v.number);
	writer_put_real(row, (double)v.share);
	writer_put_number(row, v.quality);
}

int writer_begin_row(struct record_writer *w, struct writer_row *row, const char *sql,
		     struct err *err)
{
	row->column = 0;
	return record_db_prepare(&w->db, &row->stmt, sql, err);
}

int writer_end_row(struct record_writer *w, struct writer_row *row, struct err *err)
{
	int ret = record_db_run(&w->db, row->stmt, err);

	sqlite3_finalize(row->stmt);
	return ret;
}

/* A copy of a list that NULL ends; NULL stays NULL. */
static char **copy_list(struct arena *arena, const char *const *list)
{
	char **copy;
	size_t n = 0;

	if (!list)
		return NULL;
	while (list[n])
		n++;
	copy = arena_calloc(arena, n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(arena, list[i]);
	return copy;
}

/* It is written with the first sample. */
void writer_keep_about(struct record_writer *w, const struct record_about *about)
{
	w->about = (struct record_about){
		.kernel = arena_strdup(&w->arena, about->kernel),
		.version = arena_strdup(&w->arena, about->version),
		.say_wait = about->say_wait,
		.says_late = about->says_late,
		.stops = about->stops,
		.option = (const char *const *)copy_list(&w->arena, about->option),
		.command = copy_list(&w->arena, (const char *const *)about->command),
	};
}

/* One row of machine_pmu for each. */
static int add_pmus(struct record_writer *w, const char *kind, const char *const *name, int n,
		    struct err *err)
{
	int ret = 0;

	for (int i = 0; !ret && (n < 0 ? name[i] != NULL : i < n); i++) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO machine_pmu VALUES(?,?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_text(&row, kind);
		writer_put_number(&row, (uint64_t)i);
		writer_put_text(&row, name[i]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

/* One row of machine_cpu for each; none where all are of one kind. */
static int add_cpus(struct record_writer *w, const struct sample_machine *m, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < m->n_cpus && !ret; i++) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO machine_cpu VALUES(?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_number(&row, (uint64_t)i);
		writer_put_number(&row, m->cpu_kind[i]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

/* One row of machine_place for each; what is not known is NULL. */
static int add_places(struct record_writer *w, const struct sample_machine *m, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < m->n_places && !ret; i++) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO machine_place VALUES(?,?,?,?,?,?)",
				       err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_number(&row, (uint64_t)i);
		for (int share = SHARE_NODE; share < SHARE_CPU; share++)
			if (m->place[i].first[share] < 0)
				writer_put_null(&row);
			else
				writer_put_number(&row, (uint64_t)m->place[i].first[share]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

static int add_machine(struct record_writer *w, const struct sample_machine *m, struct err *err)
{
	struct writer_row row;
	int ret = writer_begin_row(w, &row, "INSERT INTO machine VALUES(?,?,?,?,?,?)", err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)w->run);
	writer_put_text(&row, m->arch);
	writer_put_text(&row, m->model);
	writer_put_text(&row, m->boot_id);
	writer_put_text(&row, m->host);
	writer_put_number(&row, (uint64_t)m->ticks_per_s);
	ret = writer_end_row(w, &row, err);
	ret = ret ? ret : add_pmus(w, "core", m->core, m->n_cores, err);
	ret = ret ? ret : add_pmus(w, "pmu", m->pmu, -1, err);
	ret = ret ? ret : add_cpus(w, m, err);
	return ret ? ret : add_places(w, m, err);
}

static int add_options(struct record_writer *w, struct err *err)
{
	const char *const *option = w->about.option;
	int ret = 0;

	for (; option && *option && !ret; option += 2) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO option VALUES(?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_text(&row, option[0]);
		writer_put_text(&row, option[1]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

int writer_add_command(struct record_writer *w, char *const *word, struct err *err)
{
	int ret = 0;

	for (int i = 0; word && word[i] && !ret; i++) {
		struct writer_row row;

		ret = writer_begin_row(w, &row, "INSERT INTO command VALUES(?,?,?)", err);
		if (ret)
			break;
		writer_put_number(&row, (uint64_t)w->run);
		writer_put_number(&row, (uint64_t)i);
		writer_put_text(&row, word[i]);
		ret = writer_end_row(w, &row, err);
	}
	return ret;
}

/* A machine is of one run: it has the number of that. */
int writer_begin_run(struct record_writer *w, const struct sample *sample, struct err *err)
{
	struct writer_row row;
	int ret = sample->machine ? add_machine(w, sample->machine, err) : 0;

	if (!ret)
		ret = writer_begin_row(w, &row, "INSERT INTO run VALUES(?,?,?,?,?,NULL)", err);
	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)w->run);
	if (sample->machine)
		writer_put_number(&row, (uint64_t)w->run);
	else
		writer_put_null(&row);
	writer_put_text(&row, w->about.kernel);
	writer_put_text(&row, w->about.version);
	writer_put_number(&row, sample->wall_ns);
	ret = writer_end_row(w, &row, err);
	ret = ret ? ret : add_options(w, err);
	return ret ? ret : writer_add_command(w, w->about.command, err);
}

int writer_write_screen(struct record_writer *w, const char *name, const char *xml, struct err *err)
{
	struct writer_row row;
	int ret = writer_begin_row(
		w, &row,
		"INSERT INTO screen(run, name, xml) SELECT ?1, ?2, ?3 WHERE NOT EXISTS"
		"(SELECT 1 FROM screen WHERE run = ?1 AND name = ?2)",
		err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)w->run);
	writer_put_text(&row, name);
	writer_put_text(&row, xml);
	return writer_end_row(w, &row, err);
}
