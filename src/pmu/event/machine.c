/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/machine.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "pmu/event/sysfs.h"

/* ---- pmuv3 ---- */

/* A kernel release as a number, for comparisons. */
#define LINUX(major, minor) ((major) << 16 | (minor))
/* In place of a release: every kernel that lists events has a name for the event. */
#define ALWAYS 0

#define EVENT(number, name, since)                                                                 \
	{                                                                                          \
		number, since, #name, #number " (" #name ")"                                       \
	}

/* The common events for which the kernel has names (in lower case), and the kernel release that
 * added each name: Linux 6.8, drivers/perf/arm_pmuv3.c (armv8_pmuv3_event_attrs), with the numbers
 * of its header. */
static const struct common_event {
	int number, since;
	const char *name, *text;
} common_table[] = {
	EVENT(0x01, L1I_CACHE_REFILL, ALWAYS),
	EVENT(0x02, L1I_TLB_REFILL, ALWAYS),
	EVENT(0x03, L1D_CACHE_REFILL, ALWAYS),
	EVENT(0x04, L1D_CACHE, ALWAYS),
	EVENT(0x05, L1D_TLB_REFILL, ALWAYS),
	EVENT(0x06, LD_RETIRED, ALWAYS),
	EVENT(0x07, ST_RETIRED, ALWAYS),
	EVENT(0x08, INST_RETIRED, ALWAYS),
	EVENT(0x09, EXC_TAKEN, ALWAYS),
	EVENT(0x0a, EXC_RETURN, ALWAYS),
	EVENT(0x0b, CID_WRITE_RETIRED, ALWAYS),
	EVENT(0x0c, PC_WRITE_RETIRED, ALWAYS),
	EVENT(0x0d, BR_IMMED_RETIRED, ALWAYS),
	EVENT(0x0e, BR_RETURN_RETIRED, ALWAYS),
	EVENT(0x0f, UNALIGNED_LDST_RETIRED, ALWAYS),
	EVENT(0x10, BR_MIS_PRED, ALWAYS),
	EVENT(0x11, CPU_CYCLES, ALWAYS),
	EVENT(0x12, BR_PRED, ALWAYS),
	EVENT(0x13, MEM_ACCESS, ALWAYS),
	EVENT(0x14, L1I_CACHE, ALWAYS),
	EVENT(0x15, L1D_CACHE_WB, ALWAYS),
	EVENT(0x16, L2D_CACHE, ALWAYS),
	EVENT(0x17, L2D_CACHE_REFILL, ALWAYS),
	EVENT(0x18, L2D_CACHE_WB, ALWAYS),
	EVENT(0x19, BUS_ACCESS, ALWAYS),
	EVENT(0x1a, MEMORY_ERROR, ALWAYS),
	EVENT(0x1b, INST_SPEC, ALWAYS),
	EVENT(0x1c, TTBR_WRITE_RETIRED, ALWAYS),
	EVENT(0x1d, BUS_CYCLES, ALWAYS),
	EVENT(0x1f, L1D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x20, L2D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x21, BR_RETIRED, ALWAYS),
	EVENT(0x22, BR_MIS_PRED_RETIRED, ALWAYS),
	EVENT(0x23, STALL_FRONTEND, ALWAYS),
	EVENT(0x24, STALL_BACKEND, ALWAYS),
	EVENT(0x25, L1D_TLB, ALWAYS),
	EVENT(0x26, L1I_TLB, ALWAYS),
	EVENT(0x27, L2I_CACHE, ALWAYS),
	EVENT(0x28, L2I_CACHE_REFILL, ALWAYS),
	EVENT(0x29, L3D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x2a, L3D_CACHE_REFILL, ALWAYS),
	EVENT(0x2b, L3D_CACHE, ALWAYS),
	EVENT(0x2c, L3D_CACHE_WB, ALWAYS),
	EVENT(0x2d, L2D_TLB_REFILL, ALWAYS),
	EVENT(0x2e, L2I_TLB_REFILL, ALWAYS),
	EVENT(0x2f, L2D_TLB, ALWAYS),
	EVENT(0x30, L2I_TLB, ALWAYS),
	EVENT(0x31, REMOTE_ACCESS, LINUX(5, 0)),
	EVENT(0x32, LL_CACHE, LINUX(5, 0)),
	EVENT(0x33, LL_CACHE_MISS, LINUX(5, 0)),
	EVENT(0x34, DTLB_WALK, LINUX(5, 0)),
	EVENT(0x35, ITLB_WALK, LINUX(5, 0)),
	EVENT(0x36, LL_CACHE_RD, LINUX(5, 0)),
	EVENT(0x37, LL_CACHE_MISS_RD, LINUX(5, 0)),
	EVENT(0x38, REMOTE_ACCESS_RD, LINUX(5, 0)),
	EVENT(0x39, L1D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x3a, OP_RETIRED, LINUX(5, 9)),
	EVENT(0x3b, OP_SPEC, LINUX(5, 9)),
	EVENT(0x3c, STALL, LINUX(5, 9)),
	EVENT(0x3d, STALL_SLOT_BACKEND, LINUX(5, 9)),
	EVENT(0x3e, STALL_SLOT_FRONTEND, LINUX(5, 9)),
	EVENT(0x3f, STALL_SLOT, LINUX(5, 9)),
	EVENT(0x4000, SAMPLE_POP, LINUX(5, 0)),
	EVENT(0x4001, SAMPLE_FEED, LINUX(5, 0)),
	EVENT(0x4002, SAMPLE_FILTRATE, LINUX(5, 0)),
	EVENT(0x4003, SAMPLE_COLLISION, LINUX(5, 0)),
	EVENT(0x4004, CNT_CYCLES, LINUX(5, 9)),
	EVENT(0x4005, STALL_BACKEND_MEM, LINUX(5, 9)),
	EVENT(0x4006, L1I_CACHE_LMISS, LINUX(5, 9)),
	EVENT(0x4009, L2D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x400a, L2I_CACHE_LMISS, LINUX(5, 9)),
	EVENT(0x400b, L3D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x400c, TRB_WRAP, LINUX(5, 17)),
	EVENT(0x400e, TRB_TRIG, LINUX(5, 17)),
	EVENT(0x4010, TRCEXTOUT0, LINUX(5, 17)),
	EVENT(0x4011, TRCEXTOUT1, LINUX(5, 17)),
	EVENT(0x4012, TRCEXTOUT2, LINUX(5, 17)),
	EVENT(0x4013, TRCEXTOUT3, LINUX(5, 17)),
	EVENT(0x4018, CTI_TRIGOUT4, LINUX(5, 17)),
	EVENT(0x4019, CTI_TRIGOUT5, LINUX(5, 17)),
	EVENT(0x401a, CTI_TRIGOUT6, LINUX(5, 17)),
	EVENT(0x401b, CTI_TRIGOUT7, LINUX(5, 17)),
	EVENT(0x4020, LDST_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4021, LD_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4022, ST_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4024, MEM_ACCESS_CHECKED, LINUX(5, 9)),
	EVENT(0x4025, MEM_ACCESS_CHECKED_RD, LINUX(5, 9)),
	EVENT(0x4026, MEM_ACCESS_CHECKED_WR, LINUX(5, 9)),
};

static const struct common_event *find_common(uint64_t number)
{
	for (size_t i = 0; i < sizeof common_table / sizeof *common_table; i++)
		if ((uint64_t)common_table[i].number == number)
			return &common_table[i];
	return NULL;
}

static bool lists(const struct event_host *host, const char *pmu, const char *name)
{
	char *path = xasprintf("%s/%s/events/%s", host->devices, pmu, name);
	bool listed;

	for (char *p = path + strlen(path) - strlen(name); *p; p++)
		*p = (char)tolower((unsigned char)*p);
	listed = !access(path, F_OK);
	free(path);
	return listed;
}

static bool lists_any(const struct event_host *host, const char *pmu)
{
	struct folder events;
	bool any = false;

	folder_open(&events, "%s/%s/events", host->devices, pmu);
	while (folder_next(&events))
		any = true;
	return any;
}

/* Returns whether the kernel is at least this release; false also if its release is unknown. */
static bool is_since(const struct event_host *host, int since)
{
	char text[64];
	int major, minor;

	if (since == ALWAYS)
		return true;
	return host->release && sysfs_read_line(text, sizeof text, "%s", host->release) > 0 &&
	       sscanf(text, "%d.%d", &major, &minor) == 2 && LINUX(major, minor) >= since;
}

const char *pmuv3_lacking(const struct event_host *host, const char *pmu, uint64_t config)
{
	/* The number is PMEVTYPER.evtCount; the other bits of config do not belong to it. */
	const struct common_event *common = find_common(config & 0xffff);

	if (!common || lists(host, pmu, common->name) || !is_since(host, common->since) ||
	    !lists_any(host, pmu))
		return NULL;
	return common->text;
}

int pmuv3_refuse(const char *lacking, const char *name, struct err *err)
{
	if (!lacking)
		return 0;
	return err_set(err, ENOENT, "'%s' cannot be counted: this PMU does not implement event %s",
		       name, lacking);
}

/* ---- machine ---- */

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
	/* On Arm, codes are used instead of the PMU type in config, which kernels before 6.6 do not
	 * support there. */
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
