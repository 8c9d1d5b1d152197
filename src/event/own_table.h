/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_table - a table of CPUs and events that grows: what users' files add.
 *
 * Ownership: the table owns its strings and rows. Rows move while it grows: who keeps none may add.
 * Texts are copied; NULL stays NULL.
 */
#ifndef EVENT_OWN_TABLE_H
#define EVENT_OWN_TABLE_H

#include "event/table.h"

struct own_table {
	struct event_table table; /* to be asked */
	struct cpu_name *cpu;
	struct event_def *event;
	size_t cap_cpus, cap_events, cap_choices; /* cap_choices: of the last event */
};

void own_table_init(struct own_table *t, const struct event_table *below);
void own_table_done(struct own_table *t);

/* A row of a name that the table itself has takes the place of the old one. */
void own_table_add_cpu(struct own_table *t, const struct cpu_name *row);
/* Its choices are left out: they are added one by one. */
void own_table_add_event(struct own_table *t, const struct event_def *row);
/* To the event added last. */
void own_table_add_choice(struct own_table *t, const struct event_choice *row);

#endif
