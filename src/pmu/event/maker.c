/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/maker.h"

#include <ctype.h>
#include <string.h>

/* Vendor names of events that count exactly what a generic event of the kernel counts. */
static const struct {
	uint8_t vendor; /* enum cpu_vendor */
	const char *name, *generic;
} generic_table[] = {
	{CPU_INTEL, "INST_RETIRED.ANY", "instructions"},
	{CPU_INTEL, "INST_RETIRED.ANY_P", "instructions"},
	{CPU_INTEL, "INSTR_RETIRED.ANY", "instructions"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.THREAD", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.THREAD_P", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.CORE", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.CORE_P", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.REF_TSC", "ref-cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.REF", "ref-cycles"},
	{CPU_INTEL, "BR_INST_RETIRED.ALL_BRANCHES", "branches"},
	{CPU_INTEL, "BR_MISP_RETIRED.ALL_BRANCHES", "branch-misses"},
	{CPU_AMD, "ex_ret_instr", "instructions"},
	{CPU_AMD, "RETIRED_INSTRUCTIONS", "instructions"},
	{CPU_AMD, "ls_not_halted_cyc", "cycles"},
	{CPU_AMD, "CPU_CLOCKS_UNHALTED", "cycles"},
	{CPU_ARM, "INST_RETIRED", "instructions"},
	{CPU_ARM, "CPU_CYCLES", "cycles"},
};

bool event_vendor_names_same(const char *x, const char *y)
{
	for (; *x && *y; x++, y++) {
		bool letters = isalnum((unsigned char)*x) && isalnum((unsigned char)*y);

		if (letters ? toupper((unsigned char)*x) != toupper((unsigned char)*y)
			    : isalnum((unsigned char)*x) || isalnum((unsigned char)*y))
			return false;
	}
	return !*x && !*y;
}

const char *event_vendor_generic(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < sizeof generic_table / sizeof *generic_table; i++)
		if (generic_table[i].vendor == m->cpu.vendor &&
		    event_vendor_names_same(generic_table[i].name, name))
			return generic_table[i].generic;
	return NULL;
}

/* Returns whether any choice of the event has the name, for whatever CPU: a quick test before
 * first_choice(), which is slow. */
static bool has_name(const struct event_def *def, const char *name)
{
	for (size_t i = 0; i < def->n_choices; i++)
		if (def->choice[i].name && event_vendor_names_same(def->choice[i].name, name))
			return true;
	return false;
}

/* Returns the choice that is used on this CPU; NULL: none. */
static const struct event_choice *first_choice(const struct machine *m, const char *pmu,
					       const struct event_def *def)
{
	for (size_t i = 0; i < def->n_choices; i++)
		if (event_table_fits(m->table, &m->cpu, pmu, def->choice[i].arch,
				     def->choice[i].model))
			return &def->choice[i];
	return NULL;
}

bool machine_is_core_pmu(const struct machine *m, const char *name, size_t len)
{
	for (int i = 0; i < m->n_cores; i++)
		if (!strncmp(m->core[i].name, name, len) && !m->core[i].name[len])
			return true;
	return len == 3 && !strncmp(name, "cpu", 3) && !machine_is_hybrid(m);
}

/* Returns whether a choice is an event of a PMU outside of the cores: "amd_df/event=0x07/". */
static bool is_outside(const struct machine *m, const struct event_choice *c)
{
	size_t len = strcspn(c->event, "/;");

	return c->event[len] == '/' && !machine_is_core_pmu(m, c->event, len);
}

const struct event_def *event_vendor_find(const struct machine *m, const char *pmu,
					  const char *name, bool *outside)
{
	for (const struct event_table *t = m->table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++) {
			const struct event_choice *c = has_name(&t->event[i], name)
							       ? first_choice(m, pmu, &t->event[i])
							       : NULL;

			if (!c || !c->name || !event_vendor_names_same(c->name, name))
				continue;
			*outside = is_outside(m, c);
			if (*outside || !c->weight)
				return &t->event[i];
		}
	*outside = false;
	return NULL;
}
