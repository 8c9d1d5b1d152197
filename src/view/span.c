/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/span.h"

#include <string.h>

#include "view/work.h"

static void add_work(struct span *s, const struct work *w, uint32_t k)
{
	s->n++;
	s->cpu_share += w->cpu_share;
	s->instructions += w->instructions;
	s->cycles += w->cycles;
	s->misses += w->misses;
	s->mispredicted += w->mispredicted;
	s->cpu[k] = w->cpu;
}

void span_read(struct span *s, const struct history *history, const struct row_id *of, bool threads,
	       uint32_t from, uint32_t to)
{
	const struct task task = {.kind = of->kind, .id = of->id, .start_ns = of->start_ns};
	const struct history_track *track = history_find(history, &task, threads);
	struct work_events events = {.of = NULL};
	struct history_walk w = {.cap = 0};

	memset(s, 0, sizeof *s);
	for (int k = 0; k < SPAN; k++)
		s->cpu[k] = -1;
	for (uint32_t k = from; k < to; k++)
		s->seconds += (double)history_moment(history, k)->interval_ns / 1e9;
	history_walk_begin(&w, track, from, &task);
	while (history_walk_next(&w) && w.moment < to) {
		struct work work;

		if (w.fresh || w.moment < from)
			continue;
		work_read(&work, &events, &w.row);
		add_work(s, &work, w.moment - from);
	}
	history_walk_done(&w);
}

int span_usual_cpu(const struct span *s)
{
	int best = -1, best_n = 0;

	for (int i = 0; i < SPAN; i++) {
		int n = 0;

		for (int k = 0; k < SPAN; k++)
			n += s->cpu[k] == s->cpu[i];
		if (s->cpu[i] >= 0 && n > best_n) {
			best = s->cpu[i];
			best_n = n;
		}
	}
	return best;
}

double span_misses_second(const struct span *s)
{
	return s->n ? s->misses / s->seconds : 0;
}
