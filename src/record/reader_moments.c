/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: the CPU usage of tasks at each sample within a step, see struct record_moments.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "record/reader_part.h"

void record_reader_keep_moments(struct record_reader *r)
{
	r->moments.keep = true;
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
	m->n_samples = m->n = m->n_found = 0;
	m->out = (struct record_moments){.n = 0};
}

void reader_moments_done(struct reader_moments *m)
{
	reader_moments_reset(m);
	free(m->sample);
	free(m->v);
	free(m->found);
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

void reader_moments_add(struct record_reader *r, size_t entry, int64_t sample, int64_t ns,
			const uint64_t *cpu_ns)
{
	struct reader_moments *m = &r->moments;
	const uint64_t at = (uint64_t)sample - (uint64_t)m->first;

	if (!at || at >= m->n_samples)
		return;
	m->found = xgrow(m->found, &m->cap_found, m->n_found + 1, sizeof *m->found);
	m->found[m->n_found++] = (struct found_moment){.entry = entry,
						       .sample = (uint32_t)at,
						       .known = cpu_ns != NULL,
						       .cpu_ns = cpu_ns ? *cpu_ns : 0,
						       .ns = ns};
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
	bool exists, known; /* known: its CPU time is */
	uint64_t cpu_ns;
};

static struct earlier earlier_of(const struct task *before)
{
	const bool known = before && fact_in(before->known, FACT_CPU_NS);

	return (struct earlier){before != NULL, known, known ? task_fact(before, FACT_CPU_NS) : 0};
}

/* Computes the CPU usage at a moment. Returns false if it is unknown: the CPU time was not read, or
 * it is that of more than the interval, as the task was found later than it began, or was away. */
static bool find_usage(const struct reader_moments *m, const struct found_moment *found,
		       const struct task *t, const struct earlier *earlier, float *cpu)
{
	const struct sample *from = m->sample[found->sample - 1];
	int64_t ns = found->ns;

	if (!found->known || found->cpu_ns < earlier->cpu_ns)
		return false;
	if (earlier->exists ? !earlier->known : t->start_ns < from->boot_ns)
		return false;
	/* The first reading of a task has no interval in the file: takes that of the sample. */
	if (ns <= 0 && earlier->exists && found->cpu_ns > earlier->cpu_ns)
		return false;
	if (ns <= 0)
		ns = (int64_t)(m->sample[found->sample]->mono_ns - from->mono_ns);
	*cpu = (float)((double)(found->cpu_ns - earlier->cpu_ns) / (double)ns);
	return true;
}

void reader_moments_end(struct reader_moments *m, const size_t *of_entry, size_t n,
			struct task *const *task, const struct task *const *before)
{
	struct earlier *earlier = xcalloc(n + 1, sizeof *earlier);
	size_t *order = order_found(m);

	for (size_t i = 0; i < n; i++)
		earlier[i] = earlier_of(before[i]);
	m->v = xgrow(m->v, &m->cap, m->n_found, sizeof *m->v);
	for (size_t i = 0; i < m->n_found; i++) {
		const struct found_moment *found = &m->found[order[i]];
		const size_t at = of_entry[found->entry];
		float cpu;

		if (at >= n)
			continue;
		if (find_usage(m, found, task[at], &earlier[at], &cpu))
			m->v[m->n++] =
				(struct record_moment){task_ref(task[at]), found->sample, cpu};
		earlier[at] = (struct earlier){true, found->known, found->cpu_ns};
	}
	m->out = (struct record_moments){(const struct sample *const *)m->sample, m->n_samples,
					 m->v, m->n};
	free(order);
	free(earlier);
}
