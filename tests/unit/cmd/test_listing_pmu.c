/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The descriptions of PMUs in a few words.
 */
#include "cmd/listing.h"
#include "tap.h"

static const struct pmu_counters none = {.scheme = SCHEME_NONE};
static struct strbuf text;

static void add(const char *name, const char *caps, const struct pmu_counters *c)
{
	struct pmu_info pmu = {.type = 4};

	snprintf(pmu.name, sizeof pmu.name, "%s", name);
	snprintf(pmu.caps, sizeof pmu.caps, "%s", caps);
	pmu_text_add(&text, &pmu, c);
}

int main(void)
{
	const struct pmu_counters intel = {
		.scheme = SCHEME_ARCHITECTURAL, .n_general = 4, .n_fixed = 3};
	const struct pmu_counters amd = {.scheme = SCHEME_AMD_EXTENDED, .n_general = 6};
	const struct pmu_counters atom = {
		.scheme = SCHEME_ARCHITECTURAL, .n_general = 6, .n_fixed = 3};

	strbuf_init(&text);
	add("cpu", "branches=32 pmu_name=skylake max_precise=3", &intel);
	tap_str(text.text, "skylake 4+3", "the name that the PMU gives itself, and its counters");
	strbuf_reset(&text);
	add("cpu", "max_precise=0", &amd);
	tap_str(text.text, "cpu 6", "the kernel's name, where there is no other");
	strbuf_reset(&text);
	add("armv8_pmuv3_0", "slots=8", &none);
	tap_str(text.text, "armv8_pmuv3_0", "counters that are not known are left out");
	strbuf_reset(&text);
	add("cpu_core", "pmu_name=alderlake_hybrid", &intel);
	add("cpu_atom", "pmu_name=alderlake_hybrid", &atom);
	tap_str(text.text, "cpu_core 4+3, cpu_atom 6+3", "kinds of cores");
	strbuf_done(&text);
	return tap_done();
}
