/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past - keeps the history of made-up tasks, as the live screen does, and measures the cost.
 *
 *   past TASKS BUSY REFRESHES
 *
 * BUSY of the tasks run in each refresh; each of the other tasks runs in one refresh. Each has
 * eight events, and the facts that the screen "default" reads. Prints lines of a name and a number:
 * the CPU time of a refresh for the history and for the log of changes, and of a row for both; the
 * size of the history, and the least number of increments that the history has of a busy task.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "session/loop.h"
#include "view/interference.h"

#define N_EVENTS  8
#define CPU_CLOCK CLOCK_PROCESS_CPUTIME_ID
#define DELAY_NS  2000000000ull

enum argument { TASKS = 1, BUSY, REFRESHES, N_ARGUMENTS };

/* One task, and its activity in a refresh. */
struct made {
	struct task task;
	struct delta_sums sums;
	struct fact_sum fact[N_NUMBER_FACTS];
	struct value count[N_EVENTS];
};

struct past {
	long tasks, busy, refreshes;
	struct history *history;
	struct changes *changes;
	struct sample sample;
	struct sample_events *events;
	struct made *made;
	struct delta_row *row;
	uint64_t history_ns, changes_ns, rows;
};

/* Returns a random number around the mean: numbers of a realistic size that vary. */
static double some(double mean)
{
	static uint64_t seed = 7;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return mean * (0.9 + 0.2 * (double)(seed >> 11) / 9007199254740992.0);
}

static void make_row(struct past *p, struct delta_row *row, long i)
{
	static const double per_s[N_EVENTS] = {1.5e9, 1e9, 3e8, 1e6, 1e8, 2e6, 4e5, 1e3};
	struct made *m = &p->made[i];

	/* Enough references that the history never drops the last one. */
	m->task = (struct task){.refs = 1000000,
				.kind = &kind_task,
				.id = (uint64_t)i + 1,
				.owner = (uint64_t)i + 1,
				.name = "task"};
	m->sums.facts = FACT_SET(FACT_CPU_NS, FACT_STIME_NS, FACT_PROC_ID);
	m->sums.fact = m->fact;
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		m->fact[f].interval = m->fact[f].now = value_exact(floor(some(1e8)));
	m->sums.cpu_share = value_exact(some(0.5));
	for (int k = 0; k < N_EVENTS; k++)
		m->count[k] = value_exact(floor(some(per_s[k])));
	*row = (struct delta_row){.task = &m->task,
				  .old = &m->task,
				  .n_members = 1,
				  .counts_ns = DELAY_NS,
				  .facts_ns = DELAY_NS,
				  .cpu_ns = value_exact(floor(some(1e9))),
				  .fast_ns = value_none(QUALITY_UNSUPPORTED),
				  .core_ns = value_none(QUALITY_UNSUPPORTED),
				  .events = p->events,
				  .increment = m->count,
				  .sums = &m->sums};
}

static struct sample_events *make_events(void)
{
	static const uint64_t config[N_EVENTS] = {1, 0, 2, 3, 4, 5, 6, 7};
	struct sample_event event[N_EVENTS];

	for (int i = 0; i < N_EVENTS; i++)
		event[i] = (struct sample_event){.kind = EVENT_HARDWARE, .config = config[i]};
	return sample_events_new(event, N_EVENTS);
}

/* Makes the k-th refresh. Some of the other tasks run in each refresh, so that all tasks have run
 * at the end. */
static void refresh(struct past *p, long k)
{
	const long others = p->tasks - p->busy, step = others / p->refreshes + 1;
	struct delta delta = {.sample = &p->sample, .interval_ns = DELAY_NS, .row = p->row};
	uint64_t begin, between;

	p->sample.mono_ns += DELAY_NS;
	p->sample.wall_ns += DELAY_NS;
	for (long i = 0; i < p->busy; i++)
		make_row(p, &p->row[delta.n++], i);
	for (long i = k * step; i < (k + 1) * step && i < others; i++)
		make_row(p, &p->row[delta.n++], p->busy + i);
	begin = clock_ns(CPU_CLOCK);
	history_add(p->history, &delta);
	between = clock_ns(CPU_CLOCK);
	changes_add(p->changes, &delta, history_last(p->history));
	p->changes_ns += clock_ns(CPU_CLOCK) - between;
	p->history_ns += between - begin;
	p->rows += delta.n;
}

static long count_increments(const struct past *p, long i)
{
	const struct history_track *track =
		history_find(p->history, &p->made[i].task, p->sample.threads);
	struct history_walk w = {.cap = 0};
	long n = 0;

	history_walk_begin(&w, track, history_first(p->history), &p->made[i].task);
	while (history_walk_next(&w))
		n++;
	history_walk_done(&w);
	return n;
}

static void report(const struct past *p)
{
	const double n = (double)p->refreshes;
	long fewest = p->refreshes;

	for (long i = 0; i < p->busy; i++)
		if (count_increments(p, i) < fewest)
			fewest = count_increments(p, i);
	printf("history_us %.1f\n", (double)p->history_ns / n / 1e3);
	printf("changes_us %.1f\n", (double)p->changes_ns / n / 1e3);
	printf("past_us %.1f\n", (double)(p->history_ns + p->changes_ns) / n / 1e3);
	printf("row_ns %.0f\n", (double)(p->history_ns + p->changes_ns) / (double)p->rows);
	printf("changes_row_ns %.0f\n", (double)p->changes_ns / (double)p->rows);
	printf("history_kib %.0f\n", (double)history_size(p->history) / 1024);
	printf("increments %ld\n", fewest);
}

int main(int argc, char **argv)
{
	struct past p = {.history = history_new(LOOP_HISTORY_BYTES)};

	if (argc != N_ARGUMENTS ||
	    num_parse_int(argv[TASKS], "tasks", 1, 1000000, &p.tasks, NULL) ||
	    num_parse_int(argv[BUSY], "busy", 1, p.tasks, &p.busy, NULL) ||
	    num_parse_int(argv[REFRESHES], "refreshes", 1, 1000000, &p.refreshes, NULL)) {
		fprintf(stderr, "past: use: past TASKS BUSY REFRESHES\n");
		return 2;
	}
	p.changes = changes_new();
	p.events = make_events();
	p.made = xcalloc((size_t)p.tasks, sizeof *p.made);
	p.row = xcalloc((size_t)p.tasks, sizeof *p.row);
	for (long k = 0; k < p.refreshes; k++)
		refresh(&p, k);
	report(&p);
	changes_free(p.changes);
	history_free(p.history);
	sample_events_unref(p.events);
	free(p.made);
	free(p.row);
	return 0;
}
