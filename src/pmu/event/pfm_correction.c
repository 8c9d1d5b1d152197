/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/pfm_correction.h"

#include <string.h>
#include <strings.h>

#define PERFMON(file) "Intel perfmon, " file

#define HASWELL   "hsw hsw_ep"
#define BROADWELL "bdw bdw_ep"
#define SKYLAKE   "skl skx clx"

/* Intel's files are as of August 2026. On Sapphire Rapids, libpfm4 puts the value of the MSR
 * FRONTEND, which belongs in config1, in the place of the umask; if config1 is 0, the event counts
 * nothing: arch/x86/events/intel/core.c, intel_glc_extra_regs. */
const struct pfm_correction pfm_correction_table[] = {
	{HASWELL, "L2_RQSTS", "DEMAND_DATA_RD_HIT", 0x4124, 0xc124, 0,
	 PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "DEMAND_RFO_HIT", 0x4224, 0xc224, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "CODE_RD_HIT", 0x4424, 0xc424, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "L2_PF_HIT", 0xd824, 0xd024, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "L2_PF_MISS", 0x3824, 0x3024, 0, PERFMON("haswell_core.json")},
	{BROADWELL, "L2_RQSTS", "DEMAND_DATA_RD_HIT", 0x4124, 0xc124, 0,
	 PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "DEMAND_RFO_HIT", 0x4224, 0xc224, 0,
	 PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "CODE_RD_HIT", 0x4424, 0xc424, 0, PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "L2_PF_HIT", 0xd824, 0xd024, 0, PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "L2_PF_MISS", 0x3824, 0x3024, 0, PERFMON("broadwell_core.json")},
	{SKYLAKE, "UOPS_RETIRED", "STALL_CYCLES", 0x01c2, 0x02c2, 0, PERFMON("skylake_core.json")},
	{SKYLAKE, "UOPS_RETIRED", "TOTAL_CYCLES", 0x01c2, 0x02c2, 0, PERFMON("skylake_core.json")},
	{"icl icx", "MEM_LOAD_MISC_RETIRED", "UC", 0x04c4, 0x04d4, 0, PERFMON("icelake_core.json")},
	{"spr", "INT_MISC", "UNKNOWN_BRANCH_CYCLES", 0x07ad, 0x40ad, 7,
	 PERFMON("sapphirerapids_core.json")},
	{"spr", "UOPS_RETIRED", "MS", 0x08c2, 0x04c2, 8, PERFMON("sapphirerapids_core.json")},
};
const size_t pfm_correction_n = sizeof pfm_correction_table / sizeof *pfm_correction_table;

static bool is_code(const struct pfm_correction *c, uint64_t config)
{
	return c->wrong == (config & 0xffff);
}

bool pfm_correction_concerns(uint64_t config)
{
	for (size_t i = 0; i < pfm_correction_n; i++)
		if (is_code(&pfm_correction_table[i], config))
			return true;
	return false;
}

/* Returns whether the text, split at these separators, contains the word, regardless of case. */
static bool has_word(const char *text, const char *separators, const char *word)
{
	const size_t len = strlen(word);
	size_t n;

	for (; *text; text += n + (text[n] != '\0')) {
		n = strcspn(text, separators);
		if (n == len && !strncasecmp(text, word, n))
			return true;
	}
	return false;
}

/* Returns whether `full`, a name that libpfm4 has expanded, is the row's event on one of the row's
 * PMUs. */
static bool is_event(const struct pfm_correction *c, const char *full)
{
	const char *colons = strstr(full, "::"), *event = colons ? colons + 2 : NULL;
	const size_t len = strlen(c->event);
	char pmu[32];

	if (!colons || (size_t)(colons - full) >= sizeof pmu)
		return false;
	memcpy(pmu, full, (size_t)(colons - full));
	pmu[colons - full] = '\0';
	return has_word(c->pmus, " ", pmu) && !strncmp(event, c->event, len) &&
	       (event[len] == ':' || !event[len]);
}

const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config)
{
	for (size_t i = 0; i < pfm_correction_n; i++) {
		const struct pfm_correction *c = &pfm_correction_table[i];

		/* Some umasks are only aliases in libpfm4: `full` then has another umask with
		 * modifiers, but `name` has the alias. */
		if (is_code(c, config) && is_event(c, full) &&
		    (has_word(full, ":", c->umask) || has_word(name, ":.", c->umask)))
			return c;
	}
	return NULL;
}
