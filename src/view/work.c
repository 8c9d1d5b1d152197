/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/work.h"

#include <math.h>

#include "model/fact_list.h"

/* Generic events, with the same numbers on all kernels: PERF_COUNT_HW_*. */
enum { CYCLES = 0, INSTRUCTIONS = 1, CACHE_MISSES = 3, BRANCH_MISSES = 5 };

static bool is_event(const struct sample_event *e, uint64_t config)
{
	return e->kind == EVENT_HARDWARE && e->config == config && !e->part_of &&
	       e->quality == QUALITY_EXACT;
}

/* Returns the index of an event: in the group of the event `with`, if there is one, else the first;
 * -1: none. */
static int find_event(const struct sample_events *set, uint64_t config, int with)
{
	int found = -1;

	for (int i = 0; i < sample_events_n(set); i++) {
		if (!is_event(&set->event[i], config))
			continue;
		if (with < 0 || set->event[i].group == set->event[with].group)
			return i;
		found = found < 0 ? i : found;
	}
	return found;
}

static void find_events(struct work_events *e, const struct sample_events *set)
{
	e->of = set;
	e->instructions = find_event(set, INSTRUCTIONS, -1);
	e->cycles = find_event(set, CYCLES, e->instructions);
	e->misses = find_event(set, CACHE_MISSES, e->instructions);
	e->mispredicted = find_event(set, BRANCH_MISSES, e->instructions);
}

static bool is_whole(struct value v)
{
	return v.quality == QUALITY_EXACT || v.quality == QUALITY_SCALED;
}

/* Returns the increment of an event; NaN if it is multiplexed and not in the group of the
 * instructions, as then its ratio to the instructions is not true. */
static double read_event(const struct work_events *e, const struct delta_row *row, int i)
{
	struct value v;
	bool together;

	if (i < 0)
		return NAN;
	v = row->increment[i];
	together = e->instructions >= 0 &&
		   e->of->event[i].group == e->of->event[e->instructions].group;
	return is_whole(v) && (together || v.quality == QUALITY_EXACT) ? v.number : NAN;
}

static double number_of(struct value v)
{
	return value_known(v) ? v.number : NAN;
}

void work_read(struct work *w, struct work_events *e, const struct delta_row *row)
{
	const struct value cpu = delta_fact_now(row, FACT_PROC_ID);

	if (!e->of || e->of != row->events)
		find_events(e, row->events);
	*w = (struct work){
		.cpu_share = number_of(delta_cpu_share(row)),
		.seconds = (double)row->counts_ns / 1e9,
		.instructions = read_event(e, row, e->instructions),
		.cycles = read_event(e, row, e->cycles),
		.misses = read_event(e, row, e->misses),
		.mispredicted = read_event(e, row, e->mispredicted),
		.cpu = value_known(cpu) ? (int)cpu.number : -1,
	};
}

struct value work_instructions(const struct delta_row *row)
{
	const int i = find_event(row->events, INSTRUCTIONS, -1);

	return i < 0 ? value_none(QUALITY_NOT_COUNTED) : row->increment[i];
}
