/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - the CPUs and events that tiptop itself knows: names of CPUs, for model="..." of a
 * counter, and events, each with its meaning and with what to count for it on each CPU.
 *
 * The built-in table is made from the XML in config/ when tiptop is built. Users' files add tables
 * above it: a name that a table lacks is looked up in the one below. A table is plain rows and
 * never changes.
 */
#ifndef PMU_EVENT_TABLE_H
#define PMU_EVENT_TABLE_H

#include <stddef.h>

#include "pmu/event/cpu.h"

/* A name that stands for models of CPUs. models: as for event_table_fits(). source: the document
 * that lists these models. */
struct cpu_name {
	const char *name, *models, *source;
	const char *place; /* file and line; NULL: built in */
};

/* How an event is counted on some CPUs. */
struct event_choice {
	const char *arch, *model; /* NULL: all; as for event_table_fits() */
	/* One or several names, separated as in pmu/event/names.h, but not names of the table. */
	const char *event;
	const char *name;   /* the vendor's name; NULL: the same as `event` */
	const char *source; /* the document with the event; NULL: a user's file */
	/* The factor from the raw count, or "slots" (weight.h); NULL: 1. */
	const char *weight;
	/* The raw event ("r1c2"), if `event` is a name that only the kernel of a machine with such
	 * a CPU knows: needed for --for-cpu. NULL: not needed. */
	const char *code;
};

struct event_def {
	const char *name; /* small letters, digits and '-' */
	const char *unit; /* the unit of a count, in the plural: "cycles" */
	const char *desc; /* a sentence without a full stop */
	const struct event_choice *choice;
	size_t n_choices;
	const char *place; /* file and line; NULL: built in */
};

struct event_table {
	const struct cpu_name *cpu;
	size_t n_cpus;
	const struct event_def *event;
	size_t n_events;
	const struct event_table *below; /* NULL: this is the last */
};

extern const struct event_table event_table_built_in;

/*
 * Returns whether a declaration that is restricted to this arch and list of models applies to this
 * CPU. NULL does not restrict; ';' separates models. A model is a pattern ("06_2A", see cpu.h) or a
 * CPU name of the table ("zen4"); either may be followed by '@' and the PMU of one kind of cores
 * ("alder-lake@cpu_core"), and then applies only to these cores. pmu: the PMU of the kind of cores
 * that is tested; NULL: any kind. Case and blanks around ';' do not matter, except in CPU names and
 * PMUs. table may be NULL.
 */
bool event_table_fits(const struct event_table *table, const struct cpu_id *cpu, const char *pmu,
		      const char *arch, const char *models);

/* Returns the CPU with this name; NULL: none. */
const struct cpu_name *event_table_find_cpu(const struct event_table *table, const char *name,
					    size_t len);

/* Returns the event with this name; NULL: none. */
const struct event_def *event_table_find(const struct event_table *table, const char *name,
					 size_t len);

#endif
