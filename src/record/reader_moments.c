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
			const uint64_t *before, uint64_t cpu_ns)
{
	struct reader_moments *m = &r->moments;
	const uint64_t at = (uint64_t)sample - (uint64_t)m->first;
	struct found_moment *found;

	if (!at || at >= m->n_samples || (before && cpu_ns < *before))
		return;
	/* The first reading of a task has no interval in the file: takes that of the sample. */
	if (ns <= 0)
		ns = (int64_t)(m->sample[at]->mono_ns - m->sample[at - 1]->mono_ns);
	m->found = xgrow(m->found, &m->cap_found, m->n_found + 1, sizeof *m->found);
	found = &m->found[m->n_found++];
	*found = (struct found_moment){.entry = entry,
				       .sample = (uint32_t)at,
				       .first = !before,
				       .cpu_ns = cpu_ns,
				       .ns = ns};
	if (before)
		found->cpu = (float)((double)(cpu_ns - *before) / (double)ns);
}

/* Completes the moment of the first reading in the step. Returns false if its CPU time in it is
 * unknown: the task was found later than it began. */
static bool complete(const struct reader_moments *m, struct found_moment *found,
		     const struct task *t, const struct task *before)
{
	uint64_t from_ns = 0;

	if (before && !fact_in(before->known, FACT_CPU_NS))
		return false;
	if (before)
		from_ns = task_fact(before, FACT_CPU_NS);
	else if (t->start_ns < m->sample[found->sample - 1]->boot_ns)
		return false;
	if (found->cpu_ns < from_ns)
		return false;
	found->cpu = (float)((double)(found->cpu_ns - from_ns) / (double)found->ns);
	return true;
}

/* Completes all moments, and drops those whose CPU time is unknown. */
static void complete_all(struct reader_moments *m, struct task *const *task,
			 const struct task *const *before)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_found; i++) {
		struct found_moment *found = &m->found[i];
		const size_t entry = found->entry;

		if (task[entry] &&
		    (!found->first || complete(m, found, task[entry], before[entry])))
			m->found[n++] = *found;
	}
	m->n_found = n;
}

void reader_moments_end(struct reader_moments *m, struct task *const *task,
			const struct task *const *before)
{
	size_t *place = xcalloc(m->n_samples + 1, sizeof *place);

	complete_all(m, task, before);
	m->v = xgrow(m->v, &m->cap, m->n_found, sizeof *m->v);
	/* Orders by sample: counts first, then puts each at its place. */
	for (size_t i = 0; i < m->n_found; i++)
		place[m->found[i].sample + 1]++;
	for (size_t i = 1; i <= m->n_samples; i++)
		place[i] += place[i - 1];
	for (size_t i = 0; i < m->n_found; i++) {
		const struct found_moment *found = &m->found[i];

		m->v[place[found->sample]++] = (struct record_moment){task_ref(task[found->entry]),
								      found->sample, found->cpu};
	}
	m->n = m->n_found;
	m->out = (struct record_moments){(const struct sample *const *)m->sample, m->n_samples,
					 m->v, m->n};
	free(place);
}
