/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: sets of events, layouts, the descriptions of tasks, and the lists of minutes. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "record/views.h"
#include "record/writer_state.h"

/* ---- writer_layout ----
 *
 * Sets of events, layouts, and the descriptions of tasks.
 */

static int add_event(struct record_writer *w, int64_t set, int n, const struct sample_event *e,
		     struct err *err)
{
	struct writer_row row;
	int ret = writer_begin_row(
		w, &row, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)set);
	writer_put_number(&row, (uint64_t)n);
	writer_put_text(&row, e->given);
	writer_put_text(&row, e->resolved);
	writer_put_text(&row, e->pmu);
	writer_put_text(&row, e->format);
	writer_put_text(&row, e->unit);
	writer_put_number(&row, e->kind);
	writer_put_number(&row, e->config);
	writer_put_number(&row, e->config1);
	writer_put_number(&row, e->config2);
	writer_put_real(&row, e->scale);
	writer_put_number(&row, e->group);
	writer_put_number(&row, e->part_of);
	writer_put_number(&row, e->modes);
	writer_put_number(&row, (uint64_t)(int64_t)e->core);
	writer_put_number(&row, e->quality);
	writer_put_number(&row, (uint64_t)e->guests_too | (uint64_t)e->modes_too << 1);
	writer_put_number(&row, e->lacking);
	return writer_end_row(w, &row, err);
}

static int add_set(struct record_writer *w, const struct sample_events *events, int64_t *id,
		   struct err *err)
{
	struct writer_row row;
	int ret = writer_begin_row(w, &row, "INSERT INTO event_set VALUES(?,?)", err);

	if (ret)
		return ret;
	*id = w->next_set++;
	writer_put_number(&row, (uint64_t)*id);
	writer_put_number(&row, (uint64_t)events->n);
	ret = writer_end_row(w, &row, err);
	for (int i = 0; i < events->n && !ret; i++)
		ret = add_event(w, *id, i, &events->event[i], err);
	return ret;
}

static bool same_event(const struct sample_event *x, const struct sample_event *y)
{
	return sample_event_equal(x, y) && !strcmp(x->given, y->given) &&
	       !strcmp(x->resolved, y->resolved) && !strcmp(x->format, y->format) &&
	       !strcmp(x->unit, y->unit) && x->modes == y->modes && x->config == y->config &&
	       x->scale == y->scale && x->group == y->group && x->part_of == y->part_of &&
	       x->core == y->core && x->quality == y->quality && x->guests_too == y->guests_too &&
	       x->modes_too == y->modes_too && x->lacking == y->lacking;
}

/* Compares by value: when the same counters are opened again, their set is another object with
 * equal events. */
static bool same_set(const struct sample_events *x, const struct sample_events *y)
{
	bool same = x && y && x->n == y->n;

	if (x == y)
		return true;
	for (int i = 0; same && i < x->n; i++)
		same = same_event(&x->event[i], &y->event[i]);
	return same;
}

static int set_of(struct record_writer *w, const struct sample_events *events, int64_t *id,
		  struct err *err)
{
	*id = 0;
	if (!events)
		return 0;
	for (size_t i = 0; i < w->n_layouts; i++)
		if (same_set(w->layout[i].layout.events, events)) {
			*id = w->layout[i].layout.set;
			return 0;
		}
	return add_set(w, events, id, err);
}

static int make_layout_view(struct record_writer *w, int64_t layout, struct err *err)
{
	struct strbuf sql;
	int ret;

	strbuf_init(&sql);
	strbuf_addf(&sql, "DROP VIEW IF EXISTS interval_%lld; ", (long long)layout);
	ret = record_view_layout(&w->db, layout, RECORD_VIEW_NOW, &sql, err);
	ret = ret ? ret : record_db_exec(&w->db, sql.text, err);
	strbuf_done(&sql);
	return ret;
}

/* Recreates the views of the layouts that the query `which` selects, as views search previous
 * readings in each other's layouts. */
static int make_layout_views(struct record_writer *w, const char *which, struct err *err)
{
	sqlite3_stmt *stmt;
	int64_t *layout = NULL;
	size_t n = 0, cap = 0;
	int ret = record_db_prepare(&w->db, &stmt, which, err);

	if (ret)
		return ret;
	while ((ret = record_db_step(&w->db, stmt, err)) == 1) {
		layout = xgrow(layout, &cap, n + 1, sizeof *layout);
		layout[n++] = sqlite3_column_int64(stmt, 0);
	}
	sqlite3_finalize(stmt);
	for (size_t i = 0; i < n && !ret; i++)
		ret = make_layout_view(w, layout[i], err);
	free(layout);
	return ret;
}

static int make_common_views(struct record_writer *w, struct err *err)
{
	struct strbuf sql;
	int ret = record_db_exec(&w->db,
				 "DROP VIEW IF EXISTS process; DROP VIEW IF EXISTS interval", err);

	strbuf_init(&sql);
	if (!ret)
		ret = record_view_all(&w->db, RECORD_VIEW_NOW, &sql, err);
	/* Without a layout there is no view. */
	if (!ret && sql.len)
		ret = record_db_exec(&w->db, sql.text, err);
	if (!ret && sql.len)
		ret = record_db_exec(&w->db, record_view_processes[RECORD_VIEW_NOW], err);
	strbuf_done(&sql);
	return ret;
}

int writer_make_views(struct record_writer *w, struct err *err)
{
	const int ret = make_layout_views(
		w,
		"SELECT id FROM layout WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = "
		"'view' AND name = 'interval_' || layout.id)",
		err);

	return ret ? ret : make_common_views(w, err);
}

/* Creates the view of a layout, and recreates the views that search previous readings in this
 * layout. */
static int add_view(struct record_writer *w, const struct record_layout *l, struct err *err)
{
	char *which = xasprintf(
		"SELECT id FROM layout WHERE event_set = %lld AND (id = %lld OR EXISTS (SELECT 1 "
		"FROM sqlite_schema WHERE type = 'view' AND name = 'interval_' || layout.id))",
		(long long)l->set, (long long)l->id);
	const int ret = make_layout_views(w, which, err);

	free(which);
	return ret ? ret : make_common_views(w, err);
}

static int declare(struct record_writer *w, struct writer_layout *at, struct err *err)
{
	const struct record_layout *l = &at->layout;
	const int n = record_layout_n(l);
	struct strbuf sql;
	int ret;

	strbuf_init(&sql);
	record_layout_declare(l, &sql);
	ret = record_db_exec(&w->db, sql.text, err);
	strbuf_reset(&sql);
	strbuf_addf(&sql, "INSERT INTO reading_%lld VALUES(?", (long long)l->id);
	for (int i = 1; i < n; i++)
		strbuf_addstr(&sql, ",?");
	strbuf_addch(&sql, ')');
	if (!ret)
		ret = record_db_prepare(&w->db, &at->insert, sql.text, err);
	strbuf_done(&sql);
	return ret ? ret : add_view(w, l, err);
}

static void put_facts(struct fact_set facts, struct strbuf *out)
{
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_in(facts, f))
			strbuf_addf(out, "%s%s", out->len ? " " : "", fact_table[f].name);
}

static int add_layout(struct record_writer *w, struct writer_layout *at, struct err *err)
{
	struct record_layout *l = &at->layout;
	struct strbuf facts;
	struct writer_row row;
	int ret = set_of(w, l->events, &l->set, err);

	if (!ret)
		ret = writer_begin_row(w, &row, "INSERT INTO layout VALUES(?,?,?,?,?)", err);
	if (ret)
		return ret;
	l->id = w->next_layout++;
	strbuf_init(&facts);
	put_facts(l->facts, &facts);
	writer_put_number(&row, (uint64_t)l->id);
	writer_put_number(&row, (uint64_t)l->set);
	writer_put_text(&row, facts.text);
	writer_put_number(&row, l->single);
	writer_put_number(&row, l->moved);
	ret = writer_end_row(w, &row, err);
	strbuf_done(&facts);
	return ret ? ret : declare(w, at, err);
}

/* Returns whether, in this reading, all events of a slot have the same times. */
static bool has_slots(const struct record_layout *l, const struct task *t)
{
	const struct count *of_slot[SAMPLE_MAX_EVENTS] = {NULL};

	for (int i = 0; t->count && i < l->events->n; i++) {
		const struct count **first = &of_slot[l->slot[i]];

		if (!*first)
			*first = &t->count[i];
		if ((*first)->enabled_ns != t->count[i].enabled_ns ||
		    (*first)->running_ns != t->count[i].running_ns)
			return false;
	}
	return true;
}

int writer_find_layout(struct record_writer *w, struct writer_layout **out, const struct task *t,
		       struct err *err)
{
	const struct fact_set facts = fact_and(t->room, fact_numbers);
	struct writer_layout *at;
	bool single = false;
	int ret;

	/* Searches backwards, as a reading often has the layout of recent readings. */
	for (size_t i = w->n_layouts; i-- > 0;) {
		at = &w->layout[i];
		if (fact_equal(at->layout.facts, facts) && at->layout.moved == (t->moved != NULL) &&
		    same_set(at->layout.events, t->events)) {
			*out = at;
			if (at->layout.single || has_slots(&at->layout, t))
				return 0;
			single = true;
		}
	}
	w->layout = xgrow(w->layout, &w->cap_layouts, w->n_layouts + 1, sizeof *w->layout);
	at = &w->layout[w->n_layouts];
	*at = (struct writer_layout){.insert = NULL};
	record_layout_init(&at->layout, t->events, facts, single);
	if (!single && !has_slots(&at->layout, t)) {
		record_layout_done(&at->layout);
		record_layout_init(&at->layout, t->events, facts, true);
	}
	at->layout.moved = t->moved != NULL;
	ret = add_layout(w, at, err);
	/* Counted also after a failure, so that writer_free() frees it. */
	w->n_layouts++;
	*out = at;
	return ret;
}

int writer_add_task(struct record_writer *w, const struct task *t, int64_t *id, struct err *err)
{
	struct writer_row row = {w->task, 0};

	*id = w->next_task++;
	writer_put_number(&row, (uint64_t)*id);
	writer_put_text(&row, t->kind->name);
	writer_put_number(&row, t->id);
	writer_put_number(&row, t->owner);
	writer_put_number(&row, t->start_ns);
	writer_put_number(&row, t->uid);
	writer_put_text(&row, t->user);
	writer_put_text(&row, t->name);
	writer_put_text(&row, t->process);
	writer_put_text(&row, t->cmdline);
	for (int f = FACT_FIRST_READ_TEXT; f < N_FACTS; f++)
		writer_put_text(&row, task_text(t, f));
	return record_db_run(&w->db, w->task, err);
}

/* ---- writer_minute ----
 *
 * Makes the list of each minute (minute.h) while its samples are written.
 */

/* A list is written only if it has this many readings per entry on average: else reading the list
 * would save nothing. */
#define READINGS_LEAST 3

/* A program of the minute. used: its tasks used CPU time in the current sample. sum: the sum of
 * their usages in it, in millionths of a CPU. */
struct minute_sum {
	char *name; /* in the arena of the minute */
	int64_t row;
	uint64_t sum;
	bool used;
	struct minute_range cpu;
};

void writer_minute_done(struct writer_minute *m)
{
	minute_done(&m->list);
	free(m->program_of);
	free(m->program);
	free(m->used);
	hash_done(&m->names);
	arena_done(&m->arena);
}

void writer_minute_drop(struct record_writer *w)
{
	w->minute.open = false;
}

/* Returns whether the sample may be in a list: whether readers in steps may join it to the sample
 * before. */
static bool may_join(const struct record_writer *w, const struct sample *s)
{
	const struct sample *before = w->previous;

	return before && s->generation == before->generation && s->threads == before->threads &&
	       s->mono_ns > before->mono_ns;
}

static void open_minute(struct record_writer *w, const struct sample *s)
{
	struct writer_minute *m = &w->minute;

	m->open = true;
	m->number = s->wall_ns / MINUTE_NS;
	minute_reset(&m->list);
	m->list.first_sample = w->next_sample;
	m->list.first_reading = w->next_reading;
	m->n_programs = m->n_used = 0;
	m->n_readings = 0;
	hash_done(&m->names);
	m->names = (struct hash)HASH_INIT;
	arena_reset(&m->arena);
	for (size_t i = 0; i < w->previous->n; i++)
		w->old[i].entry = 0;
}

static int write_list(struct record_writer *w, const struct strbuf *bytes, struct err *err)
{
	const struct minute_list *l = &w->minute.list;
	struct writer_row row;
	int ret = writer_begin_row(w, &row, "INSERT OR REPLACE INTO minute VALUES(?,?,?)", err);

	if (ret)
		return ret;
	writer_put_number(&row, (uint64_t)l->last_sample);
	writer_put_number(&row, (uint64_t)l->first_sample);
	sqlite3_bind_blob(row.stmt, ++row.column, bytes->text, (int)bytes->len, SQLITE_STATIC);
	return writer_end_row(w, &row, err);
}

int writer_minute_close(struct record_writer *w, struct err *err)
{
	struct writer_minute *m = &w->minute;
	struct strbuf bytes;
	int ret = 0;

	if (!m->open)
		return 0;
	m->open = false;
	if (m->n_readings < READINGS_LEAST * m->list.n)
		return 0;
	m->list.last_sample = w->next_sample - 1;
	m->list.next_reading = w->next_reading;
	for (size_t i = 0; i < m->n_programs; i++)
		if (m->program[i].cpu.known)
			*minute_add_program(&m->list) =
				(struct minute_program){m->program[i].row, m->program[i].cpu};
	minute_sort(&m->list);
	strbuf_init(&bytes);
	minute_format(&m->list, &bytes);
	if (bytes.len <= MINUTE_BYTES_MAX)
		ret = write_list(w, &bytes, err);
	strbuf_done(&bytes);
	return ret;
}

int writer_minute_begin(struct record_writer *w, const struct sample *s, struct err *err)
{
	const bool joins = may_join(w, s);
	int ret = 0;

	if (!joins || w->minute.number != s->wall_ns / MINUTE_NS)
		ret = writer_minute_close(w, err);
	if (joins && !w->minute.open)
		open_minute(w, s);
	return ret;
}

/* Returns the index of the program of a task; row: id of the task's description. */
static size_t find_program(struct writer_minute *m, const struct task *t, int64_t row)
{
	uint64_t key = hash_text(t->process, strlen(t->process));
	uintptr_t at;

	while ((at = (uintptr_t)hash_get(&m->names, key)) &&
	       strcmp(m->program[at - 1].name, t->process) != 0)
		key++;
	if (at)
		return at - 1;
	m->program = xgrow(m->program, &m->cap_programs, m->n_programs + 1, sizeof *m->program);
	m->program[m->n_programs] =
		(struct minute_sum){.name = arena_strdup(&m->arena, t->process), .row = row};
	hash_put(&m->names, key, (void *)(uintptr_t)(m->n_programs + 1));
	return m->n_programs++;
}

/* Extends the range of CPU usages of the task to that of a reading, and adds it to the sum of its
 * program. */
static void add_usage(struct writer_minute *m, struct minute_entry *e, size_t program, double usage)
{
	const uint64_t millionths = minute_millionths(usage);
	struct minute_sum *sum = &m->program[program];

	minute_widen_to(&e->cpu, millionths);
	if (!millionths)
		return;
	if (!sum->used) {
		m->used = xgrow(m->used, &m->cap_used, m->n_used + 1, sizeof *m->used);
		m->used[m->n_used++] = program;
		sum->used = true;
	}
	sum->sum += millionths;
}

/* Returns the entry of the reading; adds one for the first reading of a task. */
static struct minute_entry *find_entry(struct writer_minute *m, const struct task *t,
				       const struct minute_reading *reading,
				       struct writer_entry *entry)
{
	struct minute_entry *e;

	if (entry->entry) {
		e = &m->list.v[entry->entry - 1];
	} else {
		e = minute_add(&m->list);
		e->first_row = entry->task;
		e->previous = reading->previous;
		e->begins = reading->sample;
		e->unread = t->unread;
		entry->entry = m->list.n;
	}
	m->program_of =
		xgrow(m->program_of, &m->cap_program_of, entry->entry, sizeof *m->program_of);
	if (e->row != entry->task)
		m->program_of[entry->entry - 1] = find_program(m, t, entry->task);
	return e;
}

void writer_minute_add(struct record_writer *w, const struct task *t, const struct task *old,
		       const struct minute_reading *reading, struct writer_entry *entry)
{
	struct writer_minute *m = &w->minute;
	const bool old_known = old && fact_in(old->known, FACT_CPU_NS),
		   known = fact_in(t->known, FACT_CPU_NS);
	struct minute_entry *e;
	struct minute_use use;
	double usage;

	entry->entry = reading->joined ? entry->entry : 0;
	if (!m->open)
		return;
	e = find_entry(m, t, reading, entry);
	e->reading = entry->reading;
	e->layout = reading->layout;
	e->row = entry->task;
	e->unread &= t->unread;
	e->gap |= t->gap;
	e->n++;
	m->n_readings++;
	use = (struct minute_use){
		.old = old != NULL,
		.old_known = old_known,
		.known = known,
		.old_cpu_ns = old_known ? task_fact(old, FACT_CPU_NS) : 0,
		.cpu_ns = known ? task_fact(t, FACT_CPU_NS) : 0,
		.interval_ns = reading->interval_ns,
		.start_ns = t->start_ns,
		.sample_boot_ns = w->previous->boot_ns,
		.sample_mono_ns = {w->previous->mono_ns, reading->mono_ns},
	};
	if (minute_usage(&use, &usage))
		add_usage(m, e, m->program_of[entry->entry - 1], usage);
}

void writer_minute_end_sample(struct record_writer *w)
{
	struct writer_minute *m = &w->minute;

	for (size_t i = 0; i < m->n_used; i++) {
		struct minute_sum *sum = &m->program[m->used[i]];

		minute_widen_to(&sum->cpu, sum->sum);
		sum->sum = 0;
		sum->used = false;
	}
	m->n_used = 0;
}
