/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: the CPU usage of tasks at each sample within a step, see struct record_moments.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "record/reader_state.h"

void record_reader_keep_moments(struct record_reader *r)
{
	r->moments.keep = true;
}

void record_reader_keep_ranges(struct record_reader *r)
{
	r->moments.keep = r->moments.ranges = true;
}

const struct record_moments *record_reader_moments(const struct record_reader *r)
{
	return r->moments.out.n_samples ? &r->moments.out : NULL;
}

void reader_moments_reset(struct reader_moments *m)
{
	for (size_t i = 0; i < m->n_samples; i++)
		sample_unref(m->sample[i]);
	for (size_t i = 0; i < m->n; i++)
		task_unref(m->v[i].task);
	for (size_t i = 0; i < m->n_ranges; i++)
		task_unref(m->range[i].task);
	hash_done(&m->programs);
	hash_done(&m->rows);
	m->programs = m->rows = (struct hash)HASH_INIT;
	arena_reset(&m->names);
	m->n_samples = m->n = m->n_found = m->n_listed = m->n_programs = m->n_ranges = 0;
	m->out = (struct record_moments){.n = 0};
}

void reader_moments_done(struct reader_moments *m)
{
	reader_moments_reset(m);
	free(m->sample);
	free(m->v);
	free(m->found);
	free(m->listed);
	free(m->program);
	free(m->range);
	arena_done(&m->names);
}

int reader_moments_add_head(struct record_reader *r, const struct reader_head *head,
			    struct err *err)
{
	struct reader_moments *m = &r->moments;
	struct sample *s;

	if (!m->keep)
		return 0;
	s = sample_new();
	s->mono_ns = head->head.mono_ns;
	s->boot_ns = head->head.boot_ns;
	s->wall_ns = head->head.wall_ns;
	s->host = head->head.host;
	s->use = head->head.use;
	m->sample = xgrow(m->sample, &m->cap_samples, m->n_samples + 1, sizeof(struct sample *));
	if (!m->n_samples)
		m->first = head->id;
	m->sample[m->n_samples++] = s;
	return s->use.wanted && !s->use.cpu_error ? reader_add_cpus(r, head->id, s, err) : 0;
}

void reader_moments_add(struct record_reader *r, const struct found_moment *moment, int64_t sample)
{
	struct reader_moments *m = &r->moments;
	const uint64_t at = (uint64_t)sample - (uint64_t)m->first;

	if (!at || at >= m->n_samples)
		return;
	m->found = xgrow(m->found, &m->cap_found, m->n_found + 1, sizeof *m->found);
	m->found[m->n_found] = *moment;
	m->found[m->n_found++].sample = (uint32_t)at;
}

/* Returns the indexes of the moments in the order of their samples, to be freed. Those of one
 * layout are in order already. */
static size_t *order_found(const struct reader_moments *m)
{
	size_t *order = xcalloc(m->n_found + 1, sizeof *order);
	size_t *place = xcalloc(m->n_samples + 1, sizeof *place);

	/* Counts first, then puts each at its place. */
	for (size_t i = 0; i < m->n_found; i++)
		place[m->found[i].sample + 1]++;
	for (size_t i = 1; i <= m->n_samples; i++)
		place[i] += place[i - 1];
	for (size_t i = 0; i < m->n_found; i++)
		order[place[m->found[i].sample]++] = i;
	free(place);
	return order;
}

/* The reading of a task before a moment. */
struct earlier {
	bool exists, known; /* known: cpu_ns is known */
	uint64_t cpu_ns;
	const struct found_moment *listed; /* the element whose CPU time has still to be read; NULL:
					      none */
};

static struct earlier earlier_of(const struct task *before)
{
	const bool known = before && fact_in(before->known, FACT_CPU_NS);

	return (struct earlier){before != NULL, known, known ? task_fact(before, FACT_CPU_NS) : 0,
				NULL};
}

static void read_earlier(struct record_reader *r, struct earlier *e)
{
	e->known = reader_read_cpu(r, e->listed->layout, e->listed->reading, &e->cpu_ns);
	e->cpu_ns = e->known ? e->cpu_ns : 0;
	e->listed = NULL;
}

/* Computes the CPU usage at a moment; see minute_usage(). */
static bool find_usage(const struct reader_moments *m, const struct found_moment *found,
		       const struct task *t, const struct earlier *earlier, double *usage)
{
	const struct sample *from = m->sample[found->sample - 1], *to = m->sample[found->sample];
	const struct minute_use use = {
		.old = earlier->exists,
		.old_known = earlier->known,
		.known = found->known,
		.old_cpu_ns = earlier->cpu_ns,
		.cpu_ns = found->cpu_ns,
		.interval_ns = found->ns,
		.start_ns = t->start_ns,
		.sample_boot_ns = from->boot_ns,
		.sample_mono_ns = {from->mono_ns, to->mono_ns},
	};

	return minute_usage(&use, usage);
}

/* ---- ranges ---- */

void reader_moments_add_listed(struct record_reader *r, size_t entry, const struct minute_entry *e,
			       size_t layout)
{
	struct reader_moments *m = &r->moments;

	if (!m->ranges)
		return;
	m->listed = xgrow(m->listed, &m->cap_listed, entry + 1, sizeof *m->listed);
	while (m->n_listed <= entry)
		m->listed[m->n_listed++] = (struct minute_range){.known = false};
	minute_widen(&m->listed[entry], &e->cpu);
	reader_moments_add(
		r, &(struct found_moment){.entry = entry, .layout = layout, .reading = e->reading},
		r->list.last_sample);
}

/* Returns the index of the program with this name; adds it on first use. */
static size_t name_program(struct reader_moments *m, const char *name)
{
	uint64_t key = hash_text(name, strlen(name));
	uintptr_t at;

	while ((at = (uintptr_t)hash_get(&m->programs, key)) &&
	       strcmp(m->program[at - 1].name, name) != 0)
		key++;
	if (at)
		return at - 1;
	m->program = xgrow(m->program, &m->cap_programs, m->n_programs + 1, sizeof *m->program);
	m->program[m->n_programs] = (struct reader_program){.name = arena_strdup(&m->names, name)};
	hash_put(&m->programs, key, (void *)(uintptr_t)(m->n_programs + 1));
	return m->n_programs++;
}

/* Returns in *out the index of the program of a description. t: a task with this description; NULL:
 * its name is read. Returns 1: found; 0: there is no such description; or -errno. */
static int find_program(struct record_reader *r, int64_t row, const struct task *t, size_t *out,
			struct err *err)
{
	struct reader_moments *m = &r->moments;
	const uintptr_t known = (uintptr_t)hash_get(&m->rows, (uint64_t)row);
	int ret = 1;

	if (known) {
		*out = known - 1;
		return 1;
	}
	if (t) {
		*out = name_program(m, t->process);
	} else {
		sqlite3_bind_int64(r->process, 1, row);
		ret = reader_step(r, r->process, err);
		if (ret == 1 && !record_db_text(r->process, 0))
			ret = 0;
		if (ret == 1)
			*out = name_program(m, record_db_text(r->process, 0));
		sqlite3_reset(r->process);
	}
	if (ret == 1)
		hash_put(&m->rows, (uint64_t)row, (void *)(uintptr_t)(*out + 1));
	return ret;
}

int reader_moments_add_program(struct record_reader *r, const struct minute_program *program,
			       struct err *err)
{
	size_t at;
	int ret = r->moments.ranges ? find_program(r, program->row, NULL, &at, err) : 0;

	if (ret == 1)
		minute_widen(&r->moments.program[at].cpu, &program->cpu);
	return ret < 0 ? ret : 0;
}

/* Extends the ranges of programs to their usage in a sample, which is complete. */
static void end_sample(struct reader_moments *m)
{
	for (size_t i = 0; i < m->n_programs; i++) {
		struct reader_program *p = &m->program[i];

		if (p->used)
			minute_widen_to(&p->cpu, p->sum);
		p->used = false;
		p->sum = 0;
	}
}

static void add_range(struct reader_moments *m, struct task *t, const char *program,
		      const struct minute_range *cpu)
{
	if (!cpu->known)
		return;
	m->range = xgrow(m->range, &m->cap_ranges, m->n_ranges + 1, sizeof *m->range);
	m->range[m->n_ranges++] = (struct record_range){
		t ? task_ref(t) : NULL, program, (double)cpu->least / 1e6, (double)cpu->most / 1e6};
}

/* Sets the ranges of the tasks and of the programs. */
static void set_ranges(struct reader_moments *m, const struct moment_tasks *tasks,
		       struct minute_range *of_task)
{
	for (size_t i = 0; i < m->n_listed && i < tasks->n_entries; i++)
		if (tasks->of_entry[i] < tasks->n)
			minute_widen(&of_task[tasks->of_entry[i]], &m->listed[i]);
	for (size_t i = 0; i < tasks->n; i++)
		add_range(m, tasks->task[i], NULL, &of_task[i]);
	for (size_t i = 0; i < m->n_programs; i++)
		add_range(m, NULL, m->program[i].name, &m->program[i].cpu);
}

/* Adds the usage of a task at a moment to the sum of its program. */
static int widen(struct record_reader *r, const struct found_moment *found,
		 const struct moment_tasks *tasks, size_t at, uint64_t millionths, struct err *err)
{
	const bool same = found->row == tasks->row[at];
	size_t program;
	int ret = millionths ? find_program(r, found->row, same ? tasks->task[at] : NULL, &program,
					    err)
			     : 0;

	if (ret == 1) {
		r->moments.program[program].sum += millionths;
		r->moments.program[program].used = true;
	}
	return ret < 0 ? ret : 0;
}

/* Adds the usage of a task at a moment. */
static int add_usage(struct record_reader *r, const struct found_moment *found,
		     const struct moment_tasks *tasks, double usage, struct minute_range *of_task,
		     struct err *err)
{
	struct reader_moments *m = &r->moments;
	const size_t at = tasks->of_entry[found->entry];

	if (m->ranges) {
		minute_widen_to(&of_task[at], minute_millionths(usage));
		return widen(r, found, tasks, at, minute_millionths(usage), err);
	}
	m->v = xgrow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] =
		(struct record_moment){task_ref(tasks->task[at]), found->sample, (float)usage};
	return 0;
}

int reader_moments_end(struct record_reader *r, const struct moment_tasks *tasks, struct err *err)
{
	struct reader_moments *m = &r->moments;
	struct earlier *earlier = xcalloc(tasks->n + 1, sizeof *earlier);
	struct minute_range *of_task = xcalloc(tasks->n + 1, sizeof *of_task);
	size_t *order = order_found(m);
	uint32_t sample = 0;
	int ret = 0;

	for (size_t i = 0; i < tasks->n; i++)
		earlier[i] = earlier_of(tasks->before[i]);
	for (size_t i = 0; i < m->n_found && !ret; i++) {
		const struct found_moment *found = &m->found[order[i]];
		const size_t at = tasks->of_entry[found->entry];
		double usage;

		if (found->sample != sample)
			end_sample(m);
		sample = found->sample;
		if (at >= tasks->n)
			continue;
		if (found->reading) {
			earlier[at] = (struct earlier){.exists = true, .listed = found};
			continue;
		}
		if (earlier[at].listed)
			read_earlier(r, &earlier[at]);
		if (find_usage(m, found, tasks->task[at], &earlier[at], &usage))
			ret = add_usage(r, found, tasks, usage, of_task, err);
		earlier[at] = (struct earlier){true, found->known, found->cpu_ns, NULL};
	}
	end_sample(m);
	if (m->ranges)
		set_ranges(m, tasks, of_task);
	m->out = (struct record_moments){(const struct sample *const *)m->sample,
					 m->n_samples,
					 m->v,
					 m->n,
					 m->range,
					 m->n_ranges};
	free(order);
	free(earlier);
	free(of_task);
	return ret;
}
