/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processors for which a counter is declared: lists of models.
 */
#include <strings.h>

#include "pmu/event/table.h"
#include "tap.h"

/* The name of a vendor selects only CPUs of this vendor, whatever their family number. */
static void test_makers(void)
{
	const struct cpu_id nova_lake = {"x86", "12_01", CPU_INTEL},
			    llano = {"x86", "12_01", CPU_AMD}, via = {"x86", "06_0F", CPU_OTHER};

	tap_ok(event_table_fits(&event_table_built_in, &nova_lake, NULL, NULL, "intel"),
	       "Intel is the maker, not a family");
	tap_ok(!event_table_fits(&event_table_built_in, &llano, NULL, NULL, "intel") &&
		       event_table_fits(NULL, &llano, NULL, NULL, "12_01"),
	       "AMD's old CPU of the same family is none of Intel's, but has its model");
	tap_ok(!event_table_fits(&event_table_built_in, &via, NULL, NULL, "intel"),
	       "nor is one of family 6 that another maker has made");
	tap_ok(cpu_vendor_named("GenuineIntel") == CPU_INTEL &&
		       cpu_vendor_named("AuthenticAMD") == CPU_AMD &&
		       cpu_vendor_named("CentaurHauls") == CPU_OTHER,
	       "makers by the names that CPUs have for them");
}

int main(void)
{
	static const struct {
		const char *arch, *models;
		bool want;
	} table[] = {
		{NULL, NULL, true},
		{"x86", NULL, true},
		{"X86", NULL, true},
		{"arm64", NULL, false},
		{NULL, "06_2A", true},
		{"x86", "06_2a", true},
		{"arm64", "06_2A", false},
		{"x86", "06_1A;06_2A", true},
		{"x86", "06_1A ; 06_2A ;06_1E", true},
		{"x86", ";;06_2A;", true},
		{"x86", "06_1A;\n\t06_2A", true},
		{"x86", "06_1A;06_1E", false},
		{"x86", "06_2?", true},
		{"x86", "06_1A;06_??", true},
		{"x86", "06_?B", false},
		{"x86", "06_2??", false},
		{"x86", "06_2", false},
		{"x86", "06_2AB", false},
		{"x86", "6_2A", false},
		{"x86", "106_2A", false},
		{"x86", "", false},
		{"x86", " ; ", false},
	};
	const struct cpu_id id = {"x86", "06_2A", CPU_INTEL}, unknown = {"x86", "", CPU_OTHER};
	const struct cpu_id n2 = {"arm64", "41_D49_R02", CPU_ARM};
	struct cpu_id here;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_ok(event_table_fits(NULL, &id, NULL, table[i].arch, table[i].models) ==
			       table[i].want,
		       "arch %s, model '%s': %s", table[i].arch ? table[i].arch : "any",
		       table[i].models ? table[i].models : "any",
		       table[i].want ? "fits" : "does not fit");
	tap_ok(!event_table_fits(NULL, &unknown, NULL, "x86", "06_2A"),
	       "a CPU whose model is unknown fits no list");
	tap_ok(!event_table_fits(NULL, &unknown, NULL, "x86", ";;"), "not even an empty one");
	tap_ok(event_table_fits(NULL, &unknown, NULL, "x86", NULL), "but where no list is");
	tap_ok(event_table_fits(NULL, &n2, NULL, "arm64", "41_D49") &&
		       event_table_fits(NULL, &n2, NULL, "arm64", "41_D40;41_D49_R02"),
	       "with or without");
	tap_ok(!event_table_fits(NULL, &n2, NULL, "arm64", "41_D49_R03") &&
		       !event_table_fits(NULL, &n2, NULL, "arm64", "41_D4") &&
		       !event_table_fits(NULL, &n2, NULL, "arm64", "41"),
	       "but not another revision, and no part of a name");
	test_makers();
	cpu_identify(&here);
	tap_ok(here.arch[0], "this machine has an architecture");
	tap_ok(!here.model[0] || (strchr(here.model, '_') &&
				  event_table_fits(NULL, &here, NULL, here.arch, here.model)),
	       "and fits itself");
	return tap_done();
}
