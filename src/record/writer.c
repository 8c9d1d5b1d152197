/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "record/file.h"
#include "record/writer_state.h"

/* ---- head ----
 * Writes the row of a sample, and the use of CPUs and memory. */

static int add_cpu_use(struct record_writer *w, const struct cpu_ticks *cpu, struct err *err)
{
	struct writer_row row = {w->cpu_use, 0};

	writer_put_number(&row, (uint64_t)w->next_sample);
	writer_put_number(&row, (uint64_t)cpu->cpu);
	for (int i = 0; i < N_CPU_STATES; i++)
		writer_put_number(&row, cpu->in[i]);
	return record_db_run(&w->db, w->cpu_use, err);
}

static void put_memory(struct writer_row *row, const struct machine_use *use)
{
	const struct memory_use *m = &use->memory;
	const uint64_t kb[] = {m->total, m->free, m->available, m->swap_total, m->swap_free};

	writer_put_number(row, (uint64_t)use->memory_error);
	for (size_t i = 0; i < sizeof kb / sizeof *kb; i++)
		writer_put_number(row, kb[i]);
}

/* Puts the columns about CPUs and memory; NULL if they were not wanted. */
static void put_use(struct writer_row *row, const struct machine_use *use)
{
	if (use->wanted) {
		writer_put_number(row, (uint64_t)use->cpu_error);
		put_memory(row, use);
	}
	while (row->column < SAMPLE_TICK_NS)
		writer_put_null(row);
}

/* Writes the row of the sample, and the rows of cpu_use. */
static int writer_add_head(struct record_writer *w, const struct sample *s,
			   const struct writer_begin *begin, struct err *err)
{
	const uint64_t numbers[] = {(uint64_t)w->next_sample,
				    (uint64_t)w->run,
				    s->wall_ns,
				    s->mono_ns,
				    s->boot_ns,
				    s->generation,
				    s->number,
				    s->last,
				    s->threads};
	const double loads[] = {s->host.uptime_s, s->host.load1, s->host.load5, s->host.load15};
	const uint64_t rest[] = {
		(uint64_t)s->host.n_cpus, s->host.mem_total_kb,  s->n_left_out,
		(uint64_t)begin->reading, (uint64_t)begin->task, (uint64_t)s->host.n_running};
	struct writer_row row = {w->sample, 0};
	int ret;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		writer_put_number(&row, numbers[i]);
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		writer_put_real(&row, loads[i]);
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		writer_put_number(&row, rest[i]);
	put_use(&row, &s->use);
	writer_put_number(&row, s->host.tick_ns);
	ret = record_db_run(&w->db, w->sample, err);
	for (size_t i = 0; s->use.wanted && i < s->use.n_cpus && !ret; i++)
		ret = add_cpu_use(w, &s->use.cpu[i], err);
	return ret;
}

/* ---- run ----
 * The writer_put_*() functions bind a value to the next parameter of the statement that inserts a
 * row. The others write what a recording has once per run: machine, options, screens. */

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

/* Copies a NULL-terminated list; NULL stays NULL. */
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

/* Copies the description, which is written with the first sample. */
static void writer_keep_about(struct record_writer *w, const struct record_about *about)
{
	w->about = (struct record_about){
		.kernel = arena_strdup(&w->arena, about->kernel),
		.version = arena_strdup(&w->arena, about->version),
		.report_wait = about->report_wait,
		.reports_late = about->reports_late,
		.stops = about->stops,
		.option = (const char *const *)copy_list(&w->arena, about->option),
		.command = copy_list(&w->arena, (const char *const *)about->command),
	};
}

/* Adds a row of machine_pmu for each name; n < 0: the list is NULL-terminated. */
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

/* Adds a row of machine_cpu for each CPU; n_cpus is 0 if all are of one kind. */
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

/* Adds a row of machine_place for each CPU; unknown places are NULL. */
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

/* Adds the words of this run's command. */
static int writer_add_command(struct record_writer *w, char *const *word, struct err *err)
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

/* Each run has its own machine row, with the id of the run. */
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

/* ---- ending ----
 * Writes how the command ended. */

/* Adds, for each event, the count of all exited tasks. */
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

/* Adds the row of the table ending. about: ids of the command's row in the table task, and of its
 * first and last reading. */
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

/* Deletes the ending that this run may already have: while a replay of several runs is recorded,
 * each of them ends, and the last ending stays. */
static int delete_old_ending(struct record_writer *w, struct err *err)
{
	static const char *const tables[] = {"command", "ending", "ending_event", "ending_program"};
	int ret = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables && !ret; i++)
		ret = record_db_execf(&w->db, err, "DELETE FROM %s WHERE run = %lld", tables[i],
				      (long long)w->run);
	return ret;
}

static int writer_add_reading(struct record_writer *w, const struct task *t, int64_t task,
			      int64_t *reading, struct err *err);

static int add_all(struct record_writer *w, const struct ending *how, const struct sample *begin,
		   const struct sample *end, struct err *err)
{
	const struct task *t = end->task[0];
	int64_t about[3];
	int ret = delete_old_ending(w, err);

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

/* ---- writer ---- */

/* With these values, a keyframe costs less than a tenth of the readings since the last keyframe,
 * and restoring a sample reads at most about five rows per task. */
#define KEYFRAME_SHARE 4
#define KEYFRAME_LEAST 1000

/* Limit of ids in a file that is to be continued; no real recording reaches it. */
#define NUMBER_MAX (INT64_MAX / 2)

static void bind_number(sqlite3_stmt *stmt, int column, uint64_t number)
{
	sqlite3_bind_int64(stmt, column + 1, (sqlite3_int64)number);
}

/* A value of 0 is stored as NULL. */
static void bind_nonzero(sqlite3_stmt *stmt, int column, uint64_t number)
{
	if (number)
		bind_number(stmt, column, number);
}

static int64_t us_of(float us)
{
	return (int64_t)us;
}

/* A task's reading in a sample, and its reading in the previous sample. */
struct moment {
	const struct sample *sample, *previous; /* previous is NULL if nothing can be compared */
	size_t at, old; /* indexes of the task in `sample` and in `previous` */
};

/* Returns the length of the interval of the facts. */
static int64_t facts_interval(const struct moment *m)
{
	return (int64_t)(sample_facts_ns(m->sample, m->at) - sample_facts_ns(m->previous, m->old));
}

static void bind_moment(sqlite3_stmt *stmt, const struct moment *m)
{
	const struct task_time *time = &m->sample->time[m->at];

	if (m->previous) {
		bind_number(stmt, COLUMN_COUNTS_NS,
			    sample_counts_ns(m->sample, m->at) -
				    sample_counts_ns(m->previous, m->old));
		bind_number(stmt, COLUMN_FACTS_NS, (uint64_t)facts_interval(m));
	} else {
		bind_number(stmt, COLUMN_COUNTS_US, (uint64_t)us_of(time->counts_us));
		bind_number(stmt, COLUMN_FACTS_US, (uint64_t)us_of(time->facts_us));
	}
}

static void bind_state(sqlite3_stmt *stmt, const struct task *t, uint32_t number)
{
	unsigned flags = (t->dead ? RECORD_DEAD : 0) | (t->gap ? RECORD_GAP : 0) |
			 (t->lost ? RECORD_LOST : 0) | (t->ended ? RECORD_ENDED : 0) |
			 (t->count ? RECORD_COUNTED : 0) | (unsigned)t->counting << RECORD_COUNTING;

	bind_number(stmt, COLUMN_FLAGS, flags);
	if (t->facts_read != number)
		bind_number(stmt, COLUMN_FACTS_READ, t->facts_read);
	sqlite3_bind_text(stmt, COLUMN_STATE + 1, &t->state, 1, SQLITE_STATIC);
	bind_nonzero(stmt, COLUMN_UNREAD, t->unread);
}

static void bind_facts(sqlite3_stmt *stmt, const struct record_layout *l, const struct task *t)
{
	int column = record_layout_facts(l);

	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		if (!fact_in(l->facts, f))
			continue;
		if (fact_in(t->known, f))
			bind_number(stmt, column, task_fact(t, f));
		column++;
	}
}

static void bind_counts(sqlite3_stmt *stmt, const struct record_layout *l, const struct task *t)
{
	const int counts = record_layout_counts(l), slots = record_layout_slots(l);
	int n = 0;

	for (int i = 0; t->count && i < l->events->n; i++) {
		const struct count *count = &t->count[i];

		bind_nonzero(stmt, counts + i, count->value);
		if (l->slot[i] < n)
			continue;
		n = l->slot[i] + 1;
		bind_nonzero(stmt, slots + 2 * l->slot[i], count->enabled_ns);
		if (count->running_ns != count->enabled_ns)
			bind_number(stmt, slots + 2 * l->slot[i] + 1, count->running_ns);
	}
}

static void bind_moved(sqlite3_stmt *stmt, const struct record_layout *l, const struct task *t)
{
	for (int i = 0; l->moved && i < l->events->n; i++)
		bind_nonzero(stmt, record_layout_moved(l) + i, (uint64_t)t->moved[i]);
}

static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && !strcmp(x, y));
}

static bool same_description(const struct task *x, const struct task *y)
{
	bool same = x->uid == y->uid && same_text(x->user, y->user) &&
		    same_text(x->name, y->name) && same_text(x->process, y->process) &&
		    same_text(x->cmdline, y->cmdline);

	for (int f = FACT_FIRST_READ_TEXT; f < N_FACTS && same; f++)
		same = same_text(task_text(x, f), task_text(y, f));
	return same;
}

/* Binds all columns except those of the sample, the previous reading and the times. number: the
 * number of the sample of the reading. */
static void bind_reading(const struct writer_layout *at, const struct task *t,
			 const struct writer_entry *entry, uint32_t number)
{
	sqlite3_clear_bindings(at->insert);
	bind_number(at->insert, COLUMN_ID, (uint64_t)entry->reading);
	bind_number(at->insert, COLUMN_TASK, (uint64_t)entry->task);
	bind_state(at->insert, t, number);
	bind_facts(at->insert, &at->layout, t);
	bind_counts(at->insert, &at->layout, t);
	bind_moved(at->insert, &at->layout, t);
}

/* Writes a reading that belongs to no sample; task: its id in the table task. */
static int writer_add_reading(struct record_writer *w, const struct task *t, int64_t task,
			      int64_t *reading, struct err *err)
{
	const struct writer_entry entry = {.task = task, .reading = w->next_reading};
	struct writer_layout *at;
	int ret = writer_find_layout(w, &at, t, err);

	if (ret)
		return ret;
	writer_minute_drop(w);
	*reading = w->next_reading++;
	bind_reading(at, t, &entry, 0);
	return record_db_run(&w->db, at->insert, err);
}

/* Adds a reading to the list of the minute; see write_reading(). */
static void list_reading(struct record_writer *w, const struct task *t, const struct task *old,
			 const struct writer_entry *before, const struct moment *m, int64_t layout,
			 struct writer_entry *entry)
{
	const bool compared = m->previous && old->events == t->events;
	const struct minute_reading reading = {
		.layout = layout,
		.sample = w->next_sample,
		.previous = compared ? before->reading : 0,
		.joined = before && (compared || before->task == entry->task),
		.interval_ns = m->previous ? facts_interval(m) : 0,
		.mono_ns = m->sample->mono_ns,
	};

	entry->entry = before ? before->entry : 0;
	writer_minute_add(w, t, old, &reading, entry);
}

/* Writes one reading. old, before: the task's reading in the previous sample, and its ids; NULL:
 * the task was not in it. */
static int write_reading(struct record_writer *w, const struct task *t, const struct task *old,
			 const struct writer_entry *before, const struct moment *m,
			 struct writer_entry *entry, struct err *err)
{
	struct writer_layout *at;
	sqlite3_stmt *stmt;
	int ret = writer_find_layout(w, &at, t, err);

	entry->reading = w->next_reading++;
	entry->task = before ? before->task : 0;
	if (!ret && (!before || !same_description(t, old)))
		ret = writer_add_task(w, t, &entry->task, err);
	if (ret)
		return ret;
	stmt = at->insert;
	bind_reading(at, t, entry, m->sample->number);
	bind_number(stmt, COLUMN_SAMPLE, (uint64_t)w->next_sample);
	if (m->previous && old->events == t->events)
		bind_number(stmt, COLUMN_PREVIOUS, (uint64_t)before->reading);
	bind_moment(stmt, m);
	list_reading(w, t, old, before, m, at->layout.id, entry);
	w->n_since_keyframe++;
	return record_db_run(&w->db, stmt, err);
}

static int write_gone(struct record_writer *w, int64_t reading, struct err *err)
{
	sqlite3_bind_int64(w->gone, 1, w->next_sample);
	sqlite3_bind_int64(w->gone, 2, reading);
	return record_db_run(&w->db, w->gone, err);
}

/* Compares the sample with the previous one; both are sorted. Writes the new readings, and the
 * tasks that are gone. */
static int write_tasks(struct record_writer *w, const struct sample *s, struct err *err)
{
	const struct sample *before = w->previous;
	const bool comparable = before && before->generation == s->generation;
	const size_t n_before = before ? before->n : 0;
	size_t k = 0;
	int ret = 0;

	w->new = xgrow(w->new, &w->cap_new, s->n + 1, sizeof *w->new);
	for (size_t i = 0; i < s->n && !ret; i++) {
		const struct task *t = s->task[i];
		struct moment m = {s, NULL, i, 0};
		int order = -1;

		for (; k < n_before && !ret; k++) {
			order = before->task[k] == t ? 0 : task_compare(before->task[k], t);
			if (order >= 0)
				break;
			ret = write_gone(w, w->old[k].reading, err);
		}
		if (ret || k == n_before || order > 0) {
			ret = ret ? ret : write_reading(w, t, NULL, NULL, &m, &w->new[i], err);
			continue;
		}
		m.previous = comparable ? before : NULL;
		m.old = k++;
		if (before->task[m.old] == t)
			w->new[i] = w->old[m.old];
		else
			ret = write_reading(w, t, before->task[m.old], &w->old[m.old], &m,
					    &w->new[i], err);
	}
	for (; k < n_before && !ret; k++)
		ret = write_gone(w, w->old[k].reading, err);
	return ret;
}

static int write_keyframe(struct record_writer *w, size_t n, uint64_t mono_ns, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		sqlite3_bind_int64(w->keyframe, 1, w->next_sample);
		sqlite3_bind_int64(w->keyframe, 2, w->new[i].reading);
		ret = record_db_run(&w->db, w->keyframe, err);
	}
	w->n_since_keyframe = 0;
	w->grown = 0;
	w->keyframe_ns = mono_ns;
	return ret;
}

static bool is_keyframe(const struct record_writer *w, const struct sample *s)
{
	/* After missing samples, only a keyframe can tell which tasks are living. */
	if (w->begun && !w->previous)
		return true;
	return w->n_since_keyframe > KEYFRAME_SHARE * s->n + KEYFRAME_LEAST ||
	       writer_wants_keyframe(w, s);
}

static void keep(struct record_writer *w, const struct sample *s)
{
	struct writer_entry *entry = w->old;
	size_t cap = w->cap_old;

	w->old = w->new;
	w->cap_old = w->cap_new;
	w->new = entry;
	w->cap_new = cap;
	sample_unref(w->previous);
	w->previous = sample_ref(s);
	w->wall_ns = s->wall_ns;
	w->mono_ns = s->mono_ns;
	w->next_sample++;
}

int writer_commit(struct record_writer *w, int ret, struct err *err)
{
	if (!ret)
		ret = record_db_run(&w->db, w->commit, err);
	if (ret)
		sqlite3_exec(w->db.sql, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}

int writer_write_sample(struct record_writer *w, const struct sample *s, struct err *err)
{
	const struct writer_begin begin = {w->next_reading, w->next_task};
	int ret = record_db_run(&w->db, w->begin, err);

	if (ret)
		return writer_commit(w, ret, err);
	if (!w->begun)
		ret = writer_begin_run(w, s, err);
	if (!ret)
		ret = writer_minute_begin(w, s, err);
	if (!ret)
		ret = write_tasks(w, s, err);
	if (!ret)
		ret = writer_add_head(w, s, &begin, err);
	if (!ret && is_keyframe(w, s))
		ret = write_keyframe(w, s->n, s->mono_ns, err);
	ret = writer_commit(w, ret, err);
	if (ret) {
		writer_minute_drop(w);
		return ret;
	}
	writer_minute_end_sample(w);
	w->begun = true;
	keep(w, s);
	ret = writer_is_limited(w) ? writer_keep(w, err) : 0;
	/* If the file was locked, the deletion is tried again after the next sample. */
	return ret == -EBUSY ? 0 : ret;
}

const char *record_writer_note(const struct record_writer *w)
{
	return w->note[0] ? w->note : NULL;
}

/* Returns in *out the next free id of a table, at least 1. */
static int next_number(struct record_writer *w, const char *table, int64_t *out, struct err *err)
{
	int64_t last = 0;
	int ret = 0;

	if (w->db.version)
		ret = record_db_numberf(&w->db, 0, &last, err, "SELECT max(id) FROM %s", table);
	*out = last < 0 ? 1 : last < NUMBER_MAX ? last + 1 : last;
	if (ret || last < NUMBER_MAX)
		return ret;
	return err_set(err, EEXIST,
		       "the recording '%s' has no numbers left in its table '%s': name another "
		       "file to record into",
		       w->db.path, table);
}

/* Sets the next id of readings, which is common to all layouts. */
static int next_reading(struct record_writer *w, struct err *err)
{
	sqlite3_stmt *stmt;
	int64_t next;
	char table[32];
	int ret;

	w->next_reading = 1;
	if (!w->db.version)
		return 0;
	ret = record_db_prepare(&w->db, &stmt, "SELECT id FROM layout", err);
	if (ret)
		return ret;
	while ((ret = record_db_step(&w->db, stmt, err)) == 1) {
		snprintf(table, sizeof table, "reading_%lld",
			 (long long)sqlite3_column_int64(stmt, 0));
		ret = next_number(w, table, &next, err);
		if (ret)
			break;
		w->next_reading = next > w->next_reading ? next : w->next_reading;
	}
	sqlite3_finalize(stmt);
	return ret;
}

static int continue_file(struct record_writer *w, struct err *err)
{
	int ret = next_number(w, "run", &w->run, err);

	ret = ret ? ret : next_number(w, "sample", &w->next_sample, err);
	ret = ret ? ret : next_number(w, "task", &w->next_task, err);
	ret = ret ? ret : next_number(w, "layout", &w->next_layout, err);
	ret = ret ? ret : next_number(w, "event_set", &w->next_set, err);
	w->own_layout = w->next_layout;
	return ret ? ret : next_reading(w, err);
}

static int prepare_all(struct record_writer *w, struct err *err)
{
	struct {
		sqlite3_stmt **stmt;
		const char *sql;
	} rows[] = {
		/* Without a write-ahead log, readers block a COMMIT: wait for them at the BEGIN. */
		{&w->begin, w->db.no_log ? "BEGIN EXCLUSIVE" : "BEGIN IMMEDIATE"},
		{&w->commit, "COMMIT"},
		{&w->sample, "INSERT INTO sample VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
			     "?,?,?,?,?,?,?,?,?,?)"},
		{&w->cpu_use, "INSERT INTO cpu_use VALUES(?,?,?,?,?,?,?,?)"},
		{&w->task, "INSERT INTO task VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
		{&w->gone, "INSERT INTO gone VALUES(?,?)"},
		{&w->keyframe, "INSERT INTO keyframe VALUES(?,?)"},
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows && !ret; i++)
		ret = record_db_prepare(&w->db, rows[i].stmt, rows[i].sql, err);
	return ret;
}

/* Upgrades an empty or older file to RECORD_VERSION. */
static int make_tables(struct record_writer *w, struct err *err)
{
	char version[64];
	int ret = record_db_exec(&w->db, "BEGIN IMMEDIATE", err);

	for (int i = w->db.version; i < RECORD_VERSION && !ret; i++)
		ret = record_db_exec(&w->db, record_schema[i], err);
	snprintf(version, sizeof version, "PRAGMA user_version=%d; COMMIT", RECORD_VERSION);
	return ret ? ret : record_db_exec(&w->db, version, err);
}

static void writer_free(struct record_writer *w)
{
	sqlite3_stmt *const all[] = {w->begin, w->commit,   w->sample, w->cpu_use,     w->task,
				     w->gone,  w->keyframe, w->follow, w->follow_count};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sqlite3_finalize(all[i]);
	for (size_t i = 0; i < w->n_layouts; i++) {
		sqlite3_finalize(w->layout[i].insert);
		record_layout_done(&w->layout[i].layout);
	}
	free(w->layout);
	free(w->old);
	free(w->new);
	sample_unref(w->previous);
	writer_wait_done(w);
	writer_minute_done(&w->minute);
	timeline_done(&w->timeline);
	arena_done(&w->arena);
	if (w->db.sql)
		record_file_finish(&w->db);
	free(w);
}

int record_writer_new(struct record_writer **out, const char *path,
		      const struct record_about *about, struct err *err)
{
	struct record_writer *w = xcalloc(1, sizeof *w);
	int ret = record_file_create(&w->db, path, err);

	*out = NULL;
	writer_keep_about(w, about);
	if (!ret)
		ret = continue_file(w, err);
	if (!ret && w->db.version < RECORD_VERSION)
		ret = make_tables(w, err);
	if (!ret)
		ret = prepare_all(w, err);
	if (ret) {
		writer_free(w);
		return ret;
	}
	if (w->db.no_log)
		snprintf(
			w->note, sizeof w->note,
			"the recording '%s' has a rollback journal, since %s: a program that reads "
			"it while it grows can delay it",
			path, w->db.no_log);
	*out = w;
	return 0;
}

void record_writer_hurry(struct record_writer *w)
{
	w->db.skips_sync = true;
}

static int write_end(struct record_writer *w, bool last, struct err *err)
{
	int ret = writer_settle(w, last, err);

	if (!ret)
		ret = record_file_check_place(&w->db, err);
	if (!ret)
		ret = writer_minute_close(w, err);
	if (!ret && w->begun)
		ret = writer_end_limits(w, err);
	if (ret || !w->begun)
		return ret;
	return record_db_execf(&w->db, err, "UPDATE run SET ended_ns=%lld WHERE id=%lld",
			       (long long)w->wall_ns, (long long)w->run);
}

static int end_run(struct record_writer *w, bool last, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = w->gave_up ? 0 : write_end(w, last, &why);

	if (ret == -EBUSY)
		return writer_give_up(w, "when the run ended", err);
	if (ret && err)
		*err = why;
	return ret;
}

int record_writer_next_run(struct record_writer *w, struct err *err)
{
	int ret = end_run(w, false, err);

	if (ret || !w->begun)
		return ret;
	w->run++;
	w->begun = w->marked = false;
	w->undecided = w->next_sample;
	sample_unref(w->previous);
	w->previous = NULL;
	return 0;
}

int record_writer_close(struct record_writer *w, struct err *err)
{
	int ret = w ? end_run(w, true, err) : 0;

	if (w)
		writer_free(w);
	return ret;
}
