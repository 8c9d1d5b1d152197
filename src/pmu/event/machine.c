/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/event/pmuv3.h"

void machine_init(struct machine *m, const struct event_host *host)
{
	memset(m, 0, sizeof *m);
	m->host = host;
	m->table = &event_table_built_in;
	cpu_identify(&m->cpu);
	m->n_cores = event_sysfs_cores(host, m->core, CORES_MAX);
}

void machine_init_as(struct machine *m, const char *cpu)
{
	struct cpu_id other;

	machine_init(m, &event_host_here);
	if (cpu && cpu_parse(&other, cpu))
		m->cpu = other;
}

void machine_init_here(struct machine *m)
{
	machine_init_as(m, getenv("TIPTOP_CPU"));
}

bool machine_is_hybrid(const struct machine *m)
{
	return m->n_cores > 1;
}

int machine_kinds(const struct machine *m)
{
	return m->n_cores > 1 ? m->n_cores : 1;
}

const char *machine_pmu(const struct machine *m, int core)
{
	return core < m->n_cores ? m->core[core].name : "";
}

bool machine_fits(const struct machine *m, int core, const char *arch, const char *models)
{
	return event_table_fits(m->table, &m->cpu, core < 0 ? NULL : machine_pmu(m, core), arch,
				models);
}

#define READS(cache)  (PERF_COUNT_HW_CACHE_##cache)
#define MISSES(cache) (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

/* The codes of the generic events on any Arm PMUv3: Arm ARM, "Common event numbers"; mapped as in
 * the kernel's armv8_pmuv3_perf_map and armv8_pmuv3_perf_cache_map. */
static const struct {
	uint8_t type, code;
	uint32_t generic;
} arm_table[] = {
	{PERF_TYPE_HARDWARE, 0x11, PERF_COUNT_HW_CPU_CYCLES},
	{PERF_TYPE_HARDWARE, 0x08, PERF_COUNT_HW_INSTRUCTIONS},
	{PERF_TYPE_HARDWARE, 0x04, PERF_COUNT_HW_CACHE_REFERENCES},
	{PERF_TYPE_HARDWARE, 0x03, PERF_COUNT_HW_CACHE_MISSES},
	{PERF_TYPE_HARDWARE, 0x21, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{PERF_TYPE_HARDWARE, 0x10, PERF_COUNT_HW_BRANCH_MISSES},
	{PERF_TYPE_HARDWARE, 0x1d, PERF_COUNT_HW_BUS_CYCLES},
	{PERF_TYPE_HARDWARE, 0x23, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{PERF_TYPE_HARDWARE, 0x24, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{PERF_TYPE_HW_CACHE, 0x04, READS(L1D)},
	{PERF_TYPE_HW_CACHE, 0x03, MISSES(L1D)},
	{PERF_TYPE_HW_CACHE, 0x14, READS(L1I)},
	{PERF_TYPE_HW_CACHE, 0x01, MISSES(L1I)},
	{PERF_TYPE_HW_CACHE, 0x25, READS(DTLB)},
	{PERF_TYPE_HW_CACHE, 0x05, MISSES(DTLB)},
	{PERF_TYPE_HW_CACHE, 0x26, READS(ITLB)},
	{PERF_TYPE_HW_CACHE, 0x02, MISSES(ITLB)},
	{PERF_TYPE_HW_CACHE, 0x36, READS(LL)},
	{PERF_TYPE_HW_CACHE, 0x37, MISSES(LL)},
	{PERF_TYPE_HW_CACHE, 0x12, READS(BPU)},
	{PERF_TYPE_HW_CACHE, 0x10, MISSES(BPU)},
};

static int bind_arm(struct event *e, const struct core_pmu *core, struct err *err)
{
	for (size_t i = 0; i < sizeof arm_table / sizeof *arm_table; i++)
		if (arm_table[i].type == e->type && arm_table[i].generic == e->config) {
			e->type = core->type;
			e->config = arm_table[i].code;
			return 0;
		}
	return err_set(err, ENOENT, "the cores of the PMU '%s' have no event for this generic name",
		       core->name);
}

/* Returns whether the PMU is Arm's own, PMUv3, by its name in drivers/perf/arm_pmuv3.c. PMUs of
 * Apple have other codes. */
static bool is_pmuv3(const struct core_pmu *core)
{
	return !strncmp(core->name, "armv8_", 6) || !strncmp(core->name, "armv9_", 6);
}

/* Binds a generic event to one kind of cores of a hybrid machine. The config may already contain
 * the type of a PMU. */
static int bind_generic(const struct machine *m, const struct core_pmu *core, struct event *e,
			struct err *err)
{
	uint64_t given = e->config >> PERF_PMU_TYPE_SHIFT;

	if (given)
		return given == core->type
			       ? 0
			       : err_set(err, ENOENT, "the event is not one of the PMU '%s'",
					 core->name);
	/* On Arm, codes are used instead of the PMU type in config, since before Linux 5.13, the
	 * first PMU counts all generic events, regardless of that type. */
	if (!strcmp(m->cpu.arch, "arm64") && is_pmuv3(core))
		return bind_arm(e, core, err);
	e->config |= (uint64_t)core->type << PERF_PMU_TYPE_SHIFT;
	return 0;
}

/* Intel's top-down metrics have event code 0 and umasks from 0x80 on, their leader SLOTS has umask
 * 4: Intel SDM, volume 3, "Performance Metrics". */
static enum event_topdown topdown_of(const struct machine *m, const struct event *e)
{
	if (m->cpu.vendor != CPU_INTEL || e->type == PERF_TYPE_HARDWARE ||
	    e->type == PERF_TYPE_HW_CACHE)
		return TOPDOWN_NONE;
	if (e->config == 0x400)
		return TOPDOWN_SLOTS;
	return !(e->config & ~0xff00ull) && e->config >= 0x8000 ? TOPDOWN_METRIC : TOPDOWN_NONE;
}

/* Returns the common event of Arm with this number if the PMU does not implement it; else NULL.
 * Generic events need no check, since the kernel itself refuses those that are not implemented. */
static const char *absent_of(const struct machine *m, const struct core_pmu *pmu,
			     const struct event *e)
{
	if (m->elsewhere || !m->n_cores || !is_pmuv3(pmu) ||
	    (e->type != PERF_TYPE_RAW && e->type != pmu->type))
		return NULL;
	return pmuv3_lacking(m->host, pmu->name, e->config);
}

uint32_t machine_raw_type(const struct machine *m, int core)
{
	return machine_is_hybrid(m) ? m->core[core].type : PERF_TYPE_RAW;
}

int machine_bind(const struct machine *m, int core, struct event *e, struct err *err)
{
	const struct core_pmu *pmu = &m->core[core];
	int ret = 0;

	e->core = EVENT_NO_CORE;
	if (!event_is_hardware(e))
		return 0;
	e->core = (int8_t)core;
	if (machine_is_hybrid(m)) {
		if (e->type == PERF_TYPE_HARDWARE || e->type == PERF_TYPE_HW_CACHE)
			ret = bind_generic(m, pmu, e, err);
		else if (e->type != pmu->type)
			ret = err_set(err, ENOENT, "the event is not one of the PMU '%s'",
				      pmu->name);
	}
	if (ret)
		return ret;
	e->topdown = topdown_of(m, e);
	e->absent = absent_of(m, pmu, e);
	return 0;
}
