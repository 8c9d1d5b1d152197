/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table - the CPUs and events that tiptop itself knows: names of CPUs, for model="..." of a
 * counter, and events, each with its meaning and with what to count for it on each CPU.
 *
 * The built-in table is made from the XML in config/ when tiptop is built. Users' files add tables
 * above it: a name that a table lacks is looked up in the one below. A table is plain rows and
 * never changes.
 *
 * struct cpu_id identifies a CPU model. struct event_names iterates over the event attribute of a
 * counter, whose names may be names of the table. A choice of an event may have a weight, the
 * factor from its raw count.
 */
#ifndef PMU_EVENT_TABLE_H
#define PMU_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* ---- cpu ----
 *
 * Identifies a CPU model in the form that tiptoprc files use: arch="x86" model="06_2A".
 */

/* The vendor whose events the CPU has. For all Arm CPUs, of whatever company, this is CPU_ARM,
 * since the architecture defines the events. */
enum cpu_vendor { CPU_OTHER, CPU_INTEL, CPU_AMD, CPU_ARM };

struct cpu_id {
	char arch[16]; /* "x86", "arm64" */
	/* x86: DisplayFamily_DisplayModel, "06_2A". arm64: implementer and part number of MIDR,
	 * then R with variant and revision: "41_D49_R03" for r0p3. All hexadecimal; "": unknown. */
	char model[16];
	uint8_t vendor; /* enum cpu_vendor */
};

/* Identifies the CPU on which this thread runs; the vendor is from CPUID if the architecture has
 * it. */
void cpu_identify(struct cpu_id *id);
/* Returns the vendor with this name in CPUID: "GenuineIntel". */
enum cpu_vendor cpu_vendor_named(const char *name);
/* Parses "ARCH:MODEL" ("x86:06_2A", "arm64:41_D0C_R31"); sets the vendor by the family. Returns
 * false if the text has another form. */
bool cpu_parse(struct cpu_id *id, const char *text);

/* ---- table ---- */

/* A name that stands for models of CPUs. models: as for event_table_fits(). source: the document
 * that lists these models. */
struct cpu_name {
	const char *name, *models, *source;
	const char *place; /* file and line; NULL: built in */
};

/* How an event is counted on some CPUs. */
struct event_choice {
	const char *arch, *model; /* NULL: all; as for event_table_fits() */
	/* One or several names, separated as for event_names_init(), but not names of the table. */
	const char *event;
	const char *name;   /* the vendor's name; NULL: the same as `event` */
	const char *source; /* the document with the event; NULL: a user's file */
	/* The factor from the raw count, or "slots" (see below); NULL: 1. */
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
 * CPU. NULL does not restrict; ';' separates models. A model is a pattern ("06_2A", as in struct
 * cpu_id) or a CPU name of the table ("zen4"); either may be followed by '@' and the PMU of one
 * kind of cores ("alder-lake@cpu_core"), and then applies only to these cores. pmu: the PMU of the
 * kind of cores that is tested; NULL: any kind. Case and blanks around ';' do not matter, except in
 * CPU names and PMUs. table may be NULL.
 */
bool event_table_fits(const struct event_table *table, const struct cpu_id *cpu, const char *pmu,
		      const char *arch, const char *models);

/* Returns the CPU with this name; NULL: none. */
const struct cpu_name *event_table_find_cpu(const struct event_table *table, const char *name,
					    size_t len);

/* Returns the event with this name; NULL: none. */
const struct event_def *event_table_find(const struct event_table *table, const char *name,
					 size_t len);

/* ---- names ----
 *
 * Iterates over the event attribute of a counter: alternative names of an event, separated by ';'.
 *
 * A name of the event table is replaced by the names in the choices of that event for this CPU and
 * kind of cores, in their order. Modifiers of the name ("fp-assists:u") are added to each of these
 * names that has none. All other names are returned unchanged; event_name_resolve() (name.h)
 * resolves them.
 */

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
	/* The weight of the choice of the last name; NULL: none. */
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

/* ---- weight ----
 *
 * Parses the weight of an event, the factor from its raw count, from a choice of the table.
 *
 * A weight is a decimal number ("5"; "0": these CPUs never do what the event counts); or "slots":
 * the number of slots for operations per cycle, which the kernel provides (sysfs.h).
 */

/* Checks the form of a weight. Returns 0, or -EINVAL or -ERANGE with a sentence. */
int event_weight_check(const char *weight, struct err *err);

bool event_weight_is_slots(const char *weight);
/* Returns the scale of an event (event.scale) for a weight that is a number; 0 if the weight is
 * NULL. */
double event_weight_scale(const char *weight);

/* Returns whether an event that was recorded with this scale has this weight. */
bool event_weight_fits(const char *weight, double scale);

#endif
