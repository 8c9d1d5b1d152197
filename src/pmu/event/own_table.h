/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_table - a table of CPUs and events to which the rows of users' files are added.
 *
 * Ownership: the table owns its strings and rows; texts are copied, and NULL stays NULL. Rows move
 * while the table grows, so pointers to rows are valid until the next add.
 */
#ifndef PMU_EVENT_OWN_TABLE_H
#define PMU_EVENT_OWN_TABLE_H

#include "pmu/event/table.h"

struct own_table {
	struct event_table table; /* the table for lookups */
	struct cpu_name *cpu;
	struct event_def *event;
	size_t cap_cpus, cap_events, cap_choices; /* cap_choices: of the last event */
};

void own_table_init(struct own_table *t, const struct event_table *below);
void own_table_done(struct own_table *t);

/* Adds a CPU name; replaces a row of this name in the same table. */
void own_table_add_cpu(struct own_table *t, const struct cpu_name *row);
/* Adds an event without choices, which own_table_add_choice() adds; replaces a row of this name in
 * the same table. */
void own_table_add_event(struct own_table *t, const struct event_def *row);
/* Adds a choice to the event that was added last. */
void own_table_add_choice(struct own_table *t, const struct event_choice *row);

#endif
