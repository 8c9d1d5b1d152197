/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names - the event attribute of a counter: one or several names with ';' between them, which
 * are alternatives.
 *
 * A name of the event table (table.h) stands for what that event is on the CPU and kind of cores at
 * hand: for the names of its choices, in their order. Modifiers behind it ("fp-assists:u") go to
 * each of these that has none. All other names stand for themselves; event_name_resolve() (name.h)
 * says what they are.
 */
#ifndef PMU_EVENT_NAMES_H
#define PMU_EVENT_NAMES_H

#include "pmu/event/table.h"

/* Returns the next name of a list, without the blanks around it, and moves *list behind it; NULL at
 * the end. The caller frees the name. */
char *event_name_next(const char **list);

/* How far a list of names has been given. */
struct event_names {
	const struct event_table *table;
	const struct cpu_id *cpu;
	const char *pmu;             /* that of the kind of cores, as in event_table_fits() */
	bool takes_codes;            /* of a choice that has a code, it is given, not its names */
	const char *list;            /* what is left of the list */
	const struct event_def *def; /* the event whose choices are being given; NULL: none */
	size_t n_given;              /* how many of its choices have been taken */
	const char *choice;          /* what is left of the last choice */
	/* Those that are given on to each choice, with their colon; "": none. */
	char *modifiers;
	/* The weight (table.h) of the choice of which the last name was; NULL: none. */
	const char *weight;
};

/* Begins with a list. The texts are borrowed until event_names_done(). takes_codes: as in struct
 * machine (machine.h). */
void event_names_init(struct event_names *n, const struct event_table *table,
		      const struct cpu_id *cpu, const char *pmu, bool takes_codes,
		      const char *list);
/* Returns the next name, which the caller frees; NULL at the end. */
char *event_names_next(struct event_names *n);
void event_names_done(struct event_names *n);

/* Finds the event of the table one of whose choices for this CPU and kind of cores has this name,
 * without its modifiers; *choice: that choice. NULL where there is none. */
const struct event_def *event_names_find(const struct event_table *table, const struct cpu_id *cpu,
					 const char *pmu, const char *name,
					 const struct event_choice **choice);

#endif
