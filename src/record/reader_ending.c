/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: what command was followed, and how it has ended. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "model/kinds.h"
#include "record/reader_part.h"

/* More than a command can have, and than anybody reads. */
#define WORDS_MAX    "100000"
#define PROGRAMS_MAX "10000"

/* The columns of the table ending behind the clocks, which are those of two samples. */
enum {
	ENDING_BEGIN,
	ENDING_END,
	ENDING_CLOCKS,
	ENDING_STATUS = ENDING_CLOCKS + 6,
	ENDING_FROM_NS,
	ENDING_LEFT_OUT,
	ENDING_EACH,
	ENDING_ENDED,
	ENDING_LOST,
	ENDING_REOPENED,
	ENDING_DAMAGED,
	ENDING_NAMES_LOST,
	ENDING_ALONE
};

static uint64_t number_at(sqlite3_stmt *stmt, int column)
{
	return (uint64_t)sqlite3_column_int64(stmt, column);
}

/* What no version has written is what the kernel told. */
static enum ending_each each_of(uint64_t number)
{
	return number > ENDING_TRACED ? ENDING_TOLD : (enum ending_each)number;
}

struct value reader_value(sqlite3_stmt *stmt, int column)
{
	const int type = sqlite3_column_type(stmt, column);
	const double number = sqlite3_column_double(stmt, column),
		     share = sqlite3_column_double(stmt, column + 1);
	const int64_t quality = sqlite3_column_int64(stmt, column + 2);

	if (quality < 0 || quality >= N_QUALITIES)
		return value_none(QUALITY_NOT_READ);
	if (quality >= QUALITY_FIRST_NONE)
		return value_none((enum quality)quality);
	if (type == SQLITE_INTEGER && quality == QUALITY_EXACT)
		return value_count(number_at(stmt, column));
	if (type == SQLITE_NULL || !isfinite(number) || number < 0 || !(share > 0 && share <= 1))
		return value_none(QUALITY_NOT_READ);
	return (struct value){number, (float)share, (uint8_t)quality, 0};
}

/* Begins a statement of the run whose sample was read last; the caller finalizes it. */
static int ask(struct record_reader *r, sqlite3_stmt **out, const char *sql, struct err *err)
{
	int ret = record_db_prepare(&r->db, out, sql, err);

	if (!ret)
		sqlite3_bind_int64(*out, 1, r->now.run);
	return ret;
}

static int read_command(struct record_reader *r, char ***out, struct err *err)
{
	size_t n = 0, cap = 0;
	char **word = NULL;
	sqlite3_stmt *stmt;
	int ret = ask(r, &stmt,
		      "SELECT word FROM command WHERE run = ? AND word IS NOT NULL "
		      "ORDER BY n LIMIT " WORDS_MAX,
		      err);

	*out = NULL;
	if (ret)
		return ret;
	while ((ret = reader_step(r, stmt, err)) == 1) {
		word = xgrow(word, &cap, n + 2, sizeof *word);
		word[n++] = arena_strdup(&r->ending, record_db_text(stmt, 0));
		word[n] = NULL;
	}
	sqlite3_finalize(stmt);
	if (n && ret >= 0)
		*out = arena_copy(&r->ending, word, (n + 1) * sizeof *word);
	free(word);
	return ret < 0 ? ret : 0;
}

int record_reader_command(struct record_reader *r, char *const **out, struct err *err)
{
	char **word = NULL;
	int ret;

	*out = NULL;
	if (r->db.version < 4)
		return 0;
	arena_reset(&r->ending);
	ret = read_command(r, &word, err);
	*out = word;
	return ret;
}

static int read_events(struct record_reader *r, struct ending *out, int n, struct err *err)
{
	struct value *count = arena_calloc(&r->ending, (size_t)n + 1, sizeof *count);
	sqlite3_stmt *stmt;
	int ret = ask(r, &stmt,
		      "SELECT n, count, share, quality FROM ending_event WHERE run = ? "
		      "ORDER BY n",
		      err);

	if (ret)
		return ret;
	for (int i = 0; i < n; i++)
		count[i] = value_none(QUALITY_NOT_READ);
	while ((ret = reader_step(r, stmt, err)) == 1) {
		const int64_t i = sqlite3_column_int64(stmt, 0);

		if (i >= 0 && i < n)
			count[i] = reader_value(stmt, 1);
	}
	sqlite3_finalize(stmt);
	out->count = count;
	return ret < 0 ? ret : 0;
}

/* What an older file has not is unknown. */
#define SQL_PROGRAMS(failed)                                                                       \
	"SELECT name, processes, cpu_ns, share, quality, " failed " FROM ending_program WHERE "    \
	"run = ? AND name IS NOT NULL ORDER BY n LIMIT " PROGRAMS_MAX

static int read_programs(struct record_reader *r, struct ending *out, struct err *err)
{
	struct ending_program *list = NULL;
	size_t n = 0, cap = 0;
	sqlite3_stmt *stmt;
	int ret = ask(r, &stmt,
		      r->db.version < 5 ? SQL_PROGRAMS("NULL, NULL, -1")
					: SQL_PROGRAMS("failed, failed_share, failed_quality"),
		      err);

	if (ret)
		return ret;
	while ((ret = reader_step(r, stmt, err)) == 1) {
		list = xgrow(list, &cap, n + 1, sizeof *list);
		list[n++] = (struct ending_program){
			arena_strdup(&r->ending, record_db_text(stmt, 0)), number_at(stmt, 1),
			reader_value(stmt, 2), reader_value(stmt, 5)};
	}
	sqlite3_finalize(stmt);
	if (n && ret >= 0)
		out->program = arena_copy(&r->ending, list, n * sizeof *list);
	out->n_programs = out->program ? n : 0;
	free(list);
	return ret < 0 ? ret : 0;
}

/* One of the two samples between which all was done; false: no such reading is there. */
static bool read_sample(struct record_reader *r, sqlite3_stmt *stmt, int which, struct sample *out)
{
	const int clock = ENDING_CLOCKS + 3 * which;
	size_t hint = 0;

	reader_drop(&r->read);
	sample_reset(out);
	if (reader_add_reading(r, sqlite3_column_int64(stmt, ENDING_BEGIN + which), &hint, NULL) ||
	    r->read.n != 1 || r->read.v[0].task->kind != &kind_command)
		return false;
	out->wall_ns = number_at(stmt, clock);
	out->mono_ns = number_at(stmt, clock + 1);
	out->boot_ns = number_at(stmt, clock + 2);
	out->number = r->read.v[0].task->facts_read;
	out->threads = out->one_set = true;
	out->kind = &kind_command;
	sample_set_machine(out, r->machine);
	sample_add(out, task_ref(r->read.v[0].task));
	reader_drop(&r->read);
	return true;
}

static bool read_samples(struct record_reader *r, sqlite3_stmt *stmt, struct sample *begin,
			 struct sample *end)
{
	return read_sample(r, stmt, 0, begin) && read_sample(r, stmt, 1, end) &&
	       begin->mono_ns < end->mono_ns && !task_compare(begin->task[0], end->task[0]);
}

static void read_row(struct record_reader *r, sqlite3_stmt *stmt, struct ending *out)
{
	const char *left_out = record_db_text(stmt, ENDING_LEFT_OUT);
	const int64_t status = sqlite3_column_int64(stmt, ENDING_STATUS);

	*out = (struct ending){
		.unknown = sqlite3_column_type(stmt, ENDING_STATUS) != SQLITE_INTEGER ||
			   status < 0 || status > INT_MAX,
		.from_ns = number_at(stmt, ENDING_FROM_NS),
		.left_out = left_out ? arena_strdup(&r->ending, left_out) : NULL,
		.each = each_of(number_at(stmt, ENDING_EACH)),
		.ended = number_at(stmt, ENDING_ENDED),
		.lost = number_at(stmt, ENDING_LOST),
		.reopened = number_at(stmt, ENDING_REOPENED),
		.damaged = number_at(stmt, ENDING_DAMAGED) != 0,
		.names_lost = number_at(stmt, ENDING_NAMES_LOST),
		.alone = number_at(stmt, ENDING_ALONE) != 0,
	};
	out->status = out->unknown ? 0 : (int)status;
}

/* Only where the sample that was read last is the last of its run. */
#define SQL_ENDING(alone)                                                                          \
	"SELECT begin_reading, end_reading, begin_wall_ns, begin_mono_ns, begin_boot_ns, "         \
	"wall_ns, "                                                                                \
	"mono_ns, boot_ns, status, from_ns, left_out, each, ended, lost, reopened, damaged, "      \
	"names_lost, " alone " FROM ending WHERE run = ?1 AND "                                    \
	"(SELECT run FROM sample WHERE id > ?2 ORDER BY id LIMIT 1) IS NOT ?1"

const char reader_sql_ending_4[] = SQL_ENDING("NULL");
const char reader_sql_ending[] = SQL_ENDING("alone");

static int read_ending(struct record_reader *r, struct ending *out, struct sample *begin,
		       struct sample *end, struct err *err)
{
	char **word;
	int ret;

	sqlite3_bind_int64(r->end, 1, r->now.run);
	sqlite3_bind_int64(r->end, 2, r->now.id);
	ret = reader_step(r, r->end, err);
	if (ret != 1)
		return ret;
	ret = reader_load_layouts(r, err);
	if (ret)
		return ret;
	arena_reset(&r->ending);
	read_row(r, r->end, out);
	ret = read_command(r, &word, err);
	if (!ret && (!word || !read_samples(r, r->end, begin, end))) {
		reader_complain(r, "what it says of the end of the command makes no sense");
		return 0;
	}
	out->command = word;
	if (!ret)
		ret = read_events(r, out, sample_events_n(end->task[0]->events), err);
	if (!ret)
		ret = read_programs(r, out, err);
	return ret ? ret : 1;
}

int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err)
{
	struct err why = ERR_INIT;
	int ret;

	/* What comes next has been read ahead, and is not what was given. */
	if (!r->end || r->ready)
		return 0;
	reader_begin(r);
	ret = read_ending(r, out, begin, end, &why);
	sqlite3_reset(r->end);
	reader_end(r, ret);
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : ret;
}
