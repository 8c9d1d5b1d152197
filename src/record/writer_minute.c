/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: makes the list of each minute (minute.h) while its samples are written. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "record/writer_state.h"

/* A list is written only if there are this many readings for each of its entries: else reading the
 * list would save nothing. */
#define READINGS_LEAST 3

/* A program of the minute. used: its tasks used CPU time in the current sample, `sum` in all. */
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

/* Returns whether the sample may be in a minute: readers in steps join it to the one before. */
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
	int ret = writer_begin_row(w, &row, "INSERT INTO minute VALUES(?,?,?)", err);

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

/* Adds the CPU usage of a reading to its task and to its program. */
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
