/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names - iterates over the event attribute of a counter: alternative names of an event, separated
 * by ';'.
 *
 * A name of the event table (table.h) is replaced by the names in the choices of that event for
 * this CPU and kind of cores, in their order. Modifiers of the name ("fp-assists:u") are added to
 * each of these names that has none. All other names are returned unchanged; event_name_resolve()
 * (name.h) resolves them.
 */
#ifndef PMU_EVENT_NAMES_H
#define PMU_EVENT_NAMES_H

#include "pmu/event/table.h"

/* Returns the next name of a list, without surrounding blanks, and advances *list; NULL: the end.
 * The caller frees the name. */
char *event_name_next(const char **list);

/* An iterator over the names of a list. */
struct event_names {
	const struct event_table *table;
	const struct cpu_id *cpu;
	const char *pmu;  /* PMU of the kind of cores, as for event_table_fits() */
	bool takes_codes; /* returns the code of a choice that has one, instead of its names */
	const char *list; /* the part of the list that was not read yet */
	const struct event_def *def; /* the event whose choices are being returned; NULL: none */
	size_t n_given;              /* how many choices of the event have been used */
	const char *choice;          /* the unread part of the current choice */
	/* Modifiers for each choice, with their colon; "": none. */
	char *modifiers;
	/* The weight (table.h) of the choice of the last name; NULL: none. */
	const char *weight;
};

/* Begins to iterate over a list of names. The texts are borrowed until event_names_done().
 * takes_codes: as in struct machine (machine.h). */
void event_names_init(struct event_names *n, const struct event_table *table,
		      const struct cpu_id *cpu, const char *pmu, bool takes_codes,
		      const char *list);
/* Returns the next name, which the caller frees; NULL: the end. */
char *event_names_next(struct event_names *n);
void event_names_done(struct event_names *n);

/* Finds the event of the table that has this name, regardless of modifiers, in one of its choices
 * for this CPU and kind of cores. *choice: that choice. NULL: there is no such event. */
const struct event_def *event_names_find(const struct event_table *table, const struct cpu_id *cpu,
					 const char *pmu, const char *name,
					 const struct event_choice **choice);

#endif
