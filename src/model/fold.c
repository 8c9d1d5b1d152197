/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/hash.h"
#include "model/delta.h"

static struct value *copy_values(struct arena *a, const struct value *from, int n)
{
	struct value *to = arena_calloc(a, (size_t)n, sizeof *to);

	if (n)
		memcpy(to, from, (size_t)n * sizeof *to);
	return to;
}

static void add_values(struct value *sum, const struct value *part, int n)
{
	for (int i = 0; i < n; i++)
		sum[i] = value_accumulate(sum[i], part[i]);
}

/* The sums of a process: increment and total are const in a finished row. */
struct sums {
	struct delta_row *row;
	struct value *increment, *total;
	struct value cpu_ns; /* of the threads that have counters */
	bool all_counted;    /* every thread so far has, so that their times add up to that of the process */
};

static struct sums *sums_new(struct delta *d, const struct delta_row *first)
{
	struct sums *s = arena_alloc(&d->arena, sizeof *s);

	s->row = &d->row[d->n++];
	*s->row = *first;
	s->row->n_threads = 0;
	s->row->increment = s->increment = copy_values(&d->arena, first->increment, d->n_events);
	s->row->total = s->total = copy_values(&d->arena, first->total, d->n_events);
	s->cpu_ns = value_none(QUALITY_FRESH);
	s->all_counted = true;
	return s;
}

/* A thread that the group of another one counts has no time of its own to add. */
static void add_cpu_time(struct sums *s, const struct delta_row *thread)
{
	if (thread->task->counting == COUNT_INHERITED)
		return;
	if (!thread->cpu_counted)
		s->all_counted = false;
	else
		s->cpu_ns = value_known(s->cpu_ns) ? value_accumulate(s->cpu_ns, thread->cpu_ns) : thread->cpu_ns;
}

static void add_thread(struct sums *s, const struct delta_row *thread, int n_events)
{
	add_cpu_time(s, thread);
	s->row->n_threads++;
	if (s->row->n_threads == 1)
		return;
	s->row->fast_ns = value_accumulate(s->row->fast_ns, thread->fast_ns);
	s->row->core_ns = value_accumulate(s->row->core_ns, thread->core_ns);
	add_values(s->increment, thread->increment, n_events);
	add_values(s->total, thread->total, n_events);
	for (int f = 0; f < N_FACTS; f++)
		if (fact_table[f].per_thread) {
			s->row->fact[f] = value_accumulate(s->row->fact[f], thread->fact[f]);
			s->row->fact_now[f] = value_accumulate(s->row->fact_now[f], thread->fact_now[f]);
		}
}

/* The clock of the process covers also the threads that have no counters. Where it was not read, the counted ones are a
 * lower bound. */
static struct value process_cpu_time(const struct sums *s)
{
	struct value clock = delta_clock_time(s->row);

	if (s->all_counted && value_known(s->cpu_ns))
		return s->cpu_ns;
	return value_known(clock) || !value_known(s->cpu_ns) ? clock : value_accumulate(s->cpu_ns, clock);
}

/* The leader speaks for the process: name, state, and the facts that the kernel keeps for the process as a whole. */
static void take_leader(struct sums *s, const struct delta_row *leader)
{
	s->row->task = leader->task;
	s->row->fresh = leader->fresh;
	for (int f = 0; f < N_FACTS; f++)
		if (!fact_table[f].per_thread) {
			s->row->fact[f] = leader->fact[f];
			s->row->fact_now[f] = leader->fact_now[f];
		}
}

void delta_fold_processes(struct delta *out, const struct delta *in)
{
	struct hash by_pid = HASH_INIT;

	arena_reset(&out->arena);
	out->sample = in->sample;
	out->interval_ns = in->interval_ns;
	out->n_events = in->n_events;
	out->n = 0;
	out->row = arena_calloc(&out->arena, in->n, sizeof *out->row);
	for (size_t i = 0; i < in->n; i++) {
		const struct delta_row *thread = &in->row[i];
		struct sums *s = hash_get(&by_pid, (uint32_t)thread->task->pid);

		if (!s) {
			s = sums_new(out, thread);
			hash_put(&by_pid, (uint32_t)thread->task->pid, s);
		}
		add_thread(s, thread, in->n_events);
		if (thread->task->id == thread->task->pid)
			take_leader(s, thread);
		s->row->cpu_ns = process_cpu_time(s);
	}
	hash_done(&by_pid);
}
