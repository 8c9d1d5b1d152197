/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series_rig - frames of one second each, written by hand, row by row.
 */
#ifndef TESTS_SERIES_RIG_H
#define TESTS_SERIES_RIG_H

#include "model/group_key.h"
#include "model/kinds.h"
#include "series/series.h"
#include "tap.h"

#define RIG_COLUMNS 2
#define RIG_BEGIN   1700000000000000000u

struct rig_row {
	const char *name; /* of a program; with a number, of that process */
	int pid;
	double cpu;               /* 1: one CPU */
	double cell[RIG_COLUMNS]; /* NAN: denied */
	bool dead;
};

static inline struct value rig_value(double number)
{
	return isnan(number) ? value_none(QUALITY_DENIED) : value_exact(number);
}

static inline void rig_add_row(struct series_list *l, const struct rig_row *from, uint64_t end_ns,
			       uint64_t interval_ns)
{
	const struct task task = {.kind = from->pid ? &kind_task
						    : group_key_table[GROUP_PROGRAM].kind,
				  .id = (uint64_t)from->pid,
				  .owner = (uint64_t)from->pid,
				  .dead = from->dead,
				  .name = from->name};
	const struct delta_row delta = {
		.task = &task, .cpu_ns = value_exact(from->cpu * 1e9), .facts_ns = 1000000000};
	struct value cell[RIG_COLUMNS];
	struct frame_row row = {.task = &task, .from = &delta, .cell = cell};
	const struct frame frame = {
		.row = &row, .n = 1, .wall_ns = end_ns, .interval_ns = interval_ns};

	for (int i = 0; i < RIG_COLUMNS; i++)
		cell[i] = rig_value(from->cell[i]);
	series_list_add(l, &frame);
}

/* The interval that ends at this second. */
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
