/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names - the event attribute of a counter: one or several names with ';' between them, which
 * are alternatives.
 *
 * A name of the event table (table.h) stands for what that event is on the CPU and kind of cores at
 * hand: for the names of its choices, in their order. Modifiers behind it ("fp-assists:u") go to
 * each of these that has none. All other names stand for themselves; event_name_resolve() (name.h)
 * says what they are.
 */
#ifndef EVENT_NAMES_H
#define EVENT_NAMES_H

#include "event/table.h"

/* The next name of a list, without the blanks around it; NULL at the end. Moves *list. The
 * caller frees the name. */
char *event_name_next(const char **list);

/* Which of a list of names have been given. */
struct event_names {
	const struct event_table *table;
	const struct cpu_id *cpu;
	const char *pmu;             /* of the kind of cores, as in event_table_fits() */
	const char *list;            /* what is left of it */
	const struct event_def *def; /* whose choices are given; NULL: none */
	size_t n_given;              /* choices of it that have been taken */
	const char *choice;          /* what is left of the last one */
	char *modifiers;             /* with their colon, to be given on; "" none */
};

/* The texts are borrowed until event_names_done(). */
void event_names_init(struct event_names *n, const struct event_table *table,
		      const struct cpu_id *cpu, const char *pmu, const char *list);
/* The next name, freed by the caller; NULL at the end. */
char *event_names_next(struct event_names *n);
void event_names_done(struct event_names *n);

/* The event of the table that has this name, without its modifiers, among its choices for this CPU
 * and kind of cores, and the choice; NULL where there is none. */
const struct event_def *event_names_find(const struct event_table *table, const struct cpu_id *cpu,
					 const char *pmu, const char *name,
					 const struct event_choice **choice);

#endif
