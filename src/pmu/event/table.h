/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - what tiptop itself knows of CPUs and events: names of CPUs, as a counter's model="..."
 * may have them, and events with their meaning and what to count for them on each CPU.
 *
 * The built-in table is made from the XML in config/ when tiptop is built; users' files add
 * tables, which lie above it: what one does not have is asked of the one below. A table is plain
 * rows and never changes.
 */
#ifndef PMU_EVENT_TABLE_H
#define PMU_EVENT_TABLE_H

#include <stddef.h>

#include "pmu/event/cpu.h"

/* A name that stands for models of CPUs. models: as event_table_fits() takes them. source: where
 * they are listed. */
struct cpu_name {
	const char *name, *models, *source;
	const char *place; /* file and line; NULL: built in */
};

/* What an event is on some CPUs. */
struct event_choice {
	const char *arch, *model; /* NULL: on all */
	/* One or several names, as pmu/event/names.h has them, but none of a table. */
	const char *event;
	const char *name;   /* what the maker of the CPU calls it; NULL: the same as `event` */
	const char *source; /* where that is said; NULL: in the user's file */
	/* What one count of it stands for (weight.h); NULL: 1. */
	const char *weight;
	/* Its number where only the kernel of such a machine has the name: what --for-cpu shows;
	 * NULL: none is needed. */
	const char *code;
};

struct event_def {
	const char *name; /* small letters, digits and '-' */
	const char *unit; /* what one count is, in the plural: "cycles" */
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
 * Whether what is restricted to this arch and list of models may be used on this CPU. NULL
 * restricts nothing; between models stands ';'. A model is a pattern ("06_2A", see cpu.h) or
 * a CPU name of the table ("zen4"), and behind '@' of either the PMU of one kind of cores
 * ("alder-lake@cpu_core"): then only on these. pmu: that of the kind of cores at hand; NULL:
 * any kind will do. Case and blanks around ';' do not matter, but in CPU names and PMUs.
 * table may be NULL.
 */
bool event_table_fits(const struct event_table *table, const struct cpu_id *cpu, const char *pmu,
		      const char *arch, const char *models);

/* The CPU of this name, or NULL. */
const struct cpu_name *event_table_find_cpu(const struct event_table *table, const char *name,
					    size_t len);

/* The event of this name, or NULL. */
const struct event_def *event_table_find(const struct event_table *table, const char *name,
					 size_t len);

#endif
