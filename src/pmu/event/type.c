/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/type.h"

#include <errno.h>
#include <string.h>

#include "pmu/perf/event.h"

struct constant {
	const char *name;
	uint64_t value;
};

/* Names as in linux/perf_event.h, without the prefix PERF_COUNT_HW_ and the like, as in tiptop
 * 2.3.1. */
static const struct constant hardware_constants[] = {
	{"CPU_CYCLES", PERF_COUNT_HW_CPU_CYCLES},
	{"INSTRUCTIONS", PERF_COUNT_HW_INSTRUCTIONS},
	{"CACHE_REFERENCES", PERF_COUNT_HW_CACHE_REFERENCES},
	{"CACHE_MISSES", PERF_COUNT_HW_CACHE_MISSES},
	{"BRANCH_INSTRUCTIONS", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"BRANCH_MISSES", PERF_COUNT_HW_BRANCH_MISSES},
	{"BUS_CYCLES", PERF_COUNT_HW_BUS_CYCLES},
	{"STALLED_CYCLES_FRONTEND", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"STALLED_CYCLES_BACKEND", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"REF_CPU_CYCLES", PERF_COUNT_HW_REF_CPU_CYCLES},
	{NULL, 0},
};

static const struct constant software_constants[] = {
	{"CPU_CLOCK", PERF_COUNT_SW_CPU_CLOCK},
	{"TASK_CLOCK", PERF_COUNT_SW_TASK_CLOCK},
	{"PAGE_FAULTS", PERF_COUNT_SW_PAGE_FAULTS},
	{"CONTEXT_SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"CPU_MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"PAGE_FAULTS_MIN", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"PAGE_FAULTS_MAJ", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"ALIGNMENT_FAULTS", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"EMULATION_FAULTS", PERF_COUNT_SW_EMULATION_FAULTS},
	{NULL, 0},
};

/* A cache event is cache | operation << 8 | result << 16. */
static const struct constant cache_constants[] = {
	{"L1D", PERF_COUNT_HW_CACHE_L1D},
	{"L1I", PERF_COUNT_HW_CACHE_L1I},
	{"LL", PERF_COUNT_HW_CACHE_LL},
	{"DTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"ITLB", PERF_COUNT_HW_CACHE_ITLB},
	{"BPU", PERF_COUNT_HW_CACHE_BPU},
	{"NODE", PERF_COUNT_HW_CACHE_NODE},
	{"OP_READ", PERF_COUNT_HW_CACHE_OP_READ},
	{"OP_WRITE", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"OP_PREFETCH", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"RESULT_ACCESS", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"RESULT_MISS", PERF_COUNT_HW_CACHE_RESULT_MISS},
	{NULL, 0},
};

static int find_constant(const struct constant *table, const char *name, size_t len,
			 uint64_t *value)
{
	for (; table->name; table++)
		if (strlen(table->name) == len && !memcmp(table->name, name, len)) {
			*value = table->value;
			return 0;
		}
	return -1;
}

static int hardware_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(hardware_constants, name, len, value);
}

static int software_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(software_constants, name, len, value);
}

static int cache_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(cache_constants, name, len, value);
}

static int no_constant(const char *name, size_t len, uint64_t *value)
{
	(void)name, (void)len, (void)value;
	return -1;
}

static const struct event_type type_table[] = {
	{"HARDWARE", PERF_TYPE_HARDWARE, hardware_constant},
	{"SOFTWARE", PERF_TYPE_SOFTWARE, software_constant},
	{"HW_CACHE", PERF_TYPE_HW_CACHE, cache_constant},
	{"RAW", PERF_TYPE_RAW, no_constant},
};

const struct event_type *event_type_find(const char *name, struct err *err)
{
	if (!name)
		return &type_table[0];
	for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
		if (!strcmp(type_table[i].name, name))
			return &type_table[i];
	err_set(err, EINVAL,
		"there is no type of counter '%s': there are HARDWARE, SOFTWARE, HW_CACHE and RAW",
		name);
	return NULL;
}
