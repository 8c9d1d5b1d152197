/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series_rig - made-up frames of one second each, row by row.
 */
#ifndef TESTS_SERIES_RIG_H
#define TESTS_SERIES_RIG_H

#include "compare/series.h"
#include "model/fact_list.h"
#include "model/group_key.h"
#include "model/kinds.h"
#include "tap.h"

#define RIG_COLUMNS 2
#define RIG_CELLS   4 /* of a row of a frame */
#define RIG_BEGIN   1700000000000000000u

struct rig_row {
	const char *name; /* of a program; if pid is set, of that process */
	int pid;
	double cpu;             /* 1: a whole CPU */
	double cell[RIG_CELLS]; /* NAN: denied */
	bool dead;
	const char *program; /* if set, the row is a region of this program */
	double calls, call_ms;
};

static inline const struct kind *rig_kind(const struct rig_row *row)
{
	if (row->pid)
		return row->program ? &kind_region : &kind_task;
	return group_key_table[row->program ? GROUP_REGION : GROUP_PROGRAM].kind;
}

static inline uint64_t rig_id(const struct rig_row *row)
{
	if (row->pid)
		return row->program ? kind_region_id(row->pid, 0, 1) : (uint64_t)row->pid;
	return row->program ? hash_text(row->program, strlen(row->program)) : 0;
}

static inline struct value rig_value(double number)
{
	return isnan(number) ? value_none(QUALITY_DENIED) : value_exact(number);
}

static inline void rig_add_row(struct series_list *l, const struct rig_row *from, uint64_t end_ns,
			       uint64_t interval_ns)
{
	const uint64_t id = rig_id(from);
	const struct task task = {.kind = rig_kind(from),
				  .id = id,
				  .owner = id,
				  .dead = from->dead,
				  .name = from->name,
				  .process = from->program};
	struct fact_sum fact[N_NUMBER_FACTS] = {
		[FACT_CALLS].interval = value_exact(from->calls),
		[FACT_SELF_NS].interval = value_exact(from->calls * from->call_ms * 1e6)};
	const struct delta_sums sums = {.facts = FACT_SET(FACT_CALLS, FACT_SELF_NS), .fact = fact};
	const struct delta_row delta = {.task = &task,
					.cpu_ns = value_exact(from->cpu * 1e9),
					.facts_ns = 1000000000,
					.sums = from->program ? &sums : NULL};
	struct value cell[RIG_CELLS];
	struct frame_row row = {.task = &task, .from = &delta, .cell = cell};
	const struct frame frame = {
		.row = &row, .n = 1, .wall_ns = end_ns, .interval_ns = interval_ns};

	for (int i = 0; i < RIG_CELLS; i++)
		cell[i] = rig_value(from->cell[i]);
	series_list_add(l, &frame);
}

/* Adds the rows of the interval that ends at this second. */
static inline void rig_add(struct series_list *l, int second, const struct rig_row *from)
{
	rig_add_row(l, from, RIG_BEGIN + (uint64_t)second * 1000000000u, 1000000000);
}

static inline void rig_list(struct series_list *l)
{
	const size_t column[RIG_COLUMNS] = {0, 1};

	series_list_init(l, column, RIG_COLUMNS);
}

#endif
