/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/generic.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/perf/sys.h"

struct generic {
	const char *name;
	uint32_t type;
	uint64_t config;
};

static const struct generic generic_table[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

#define READ     (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITE    (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCH (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* The caches. The name of a cache event is a name of this table and a name of access_table;
 * `operations` has the operations that the cache supports. */
static const struct {
	const char *name;
	unsigned int cache, operations;
} cache_table[] = {
	{"L1-dcache-", PERF_COUNT_HW_CACHE_L1D, READ | WRITE | PREFETCH},
	{"L1-icache-", PERF_COUNT_HW_CACHE_L1I, READ | PREFETCH},
	{"LLC-", PERF_COUNT_HW_CACHE_LL, READ | WRITE | PREFETCH},
	{"dTLB-", PERF_COUNT_HW_CACHE_DTLB, READ | WRITE | PREFETCH},
	{"iTLB-", PERF_COUNT_HW_CACHE_ITLB, READ},
	{"branch-", PERF_COUNT_HW_CACHE_BPU, READ},
	{"node-", PERF_COUNT_HW_CACHE_NODE, READ | WRITE | PREFETCH},
};

static const struct {
	const char *name;
	unsigned int operation, result;
} access_table[] = {
	{"loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS},
};

#define N_ROWS(table) (sizeof(table) / sizeof *(table))

static bool find_named(const char *base, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < N_ROWS(generic_table); i++)
		if (!strcmp(generic_table[i].name, base)) {
			*type = generic_table[i].type;
			*config = generic_table[i].config;
			return true;
		}
	return false;
}

static bool find_cache(const char *base, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < N_ROWS(cache_table); i++) {
		size_t len = strlen(cache_table[i].name);

		if (strncmp(base, cache_table[i].name, len))
			continue;
		for (size_t k = 0; k < N_ROWS(access_table); k++)
			if (!strcmp(base + len, access_table[k].name) &&
			    (cache_table[i].operations >> access_table[k].operation & 1)) {
				*type = PERF_TYPE_HW_CACHE;
				*config = cache_table[i].cache | access_table[k].operation << 8 |
					  access_table[k].result << 16;
				return true;
			}
	}
	return false;
}

bool generic_find(const char *name, uint32_t *type, uint64_t *config)
{
	return find_named(name, type, config) || find_cache(name, type, config);
}

/* Returns whether two rows are names of one event; such rows are adjacent. */
static bool is_same(size_t a, size_t b)
{
	return a < N_ROWS(generic_table) && b < N_ROWS(generic_table) &&
	       generic_table[a].type == generic_table[b].type &&
	       generic_table[a].config == generic_table[b].config;
}

void generic_each(void (*visit)(void *context, const char *name, const char *also), void *context)
{
	for (size_t i = 0; i < N_ROWS(generic_table); i++)
		if (!is_same(i, i - 1))
			visit(context, generic_table[i].name,
			      is_same(i, i + 1) ? generic_table[i + 1].name : NULL);
	for (size_t i = 0; i < N_ROWS(cache_table); i++)
		for (size_t k = 0; k < N_ROWS(access_table); k++) {
			char *name = xasprintf("%s%s", cache_table[i].name, access_table[k].name);

			if (cache_table[i].operations >> access_table[k].operation & 1)
				visit(context, name, NULL);
			free(name);
		}
}
