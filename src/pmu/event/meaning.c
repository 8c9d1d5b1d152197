/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources. The kernel's mapping of its generic events: arch/x86/events/intel/core.c
 * (intel_perfmon_event_map), arch/x86/events/amd/core.c (amd_perfmon_event_map and those of
 * families 17h and 19h) and drivers/perf/arm_pmuv3.c (armv8_pmuv3_perf_map). The meaning of these
 * events: Intel SDM volume 3, AMD PPR, Arm ARM.
 */
#include "pmu/event/meaning.h"

#include <string.h>

#include "pmu/event/pfm.h"
#include "pmu/event/table.h"

/* Groups of CPUs; within each, the generic events mean the same. */
enum kind { KIND_OTHER, KIND_INTEL, KIND_ZEN_1, KIND_ZEN_2_3, KIND_ZEN_4_5, KIND_ARM, N_KINDS };

static enum kind kind_of(const struct cpu_id *cpu)
{
	static const struct {
		enum kind kind;
		const char *models; /* the first match counts, so 17_?? is Zen 1 */
	} zen[] = {
		{KIND_ZEN_2_3, "zen2;zen3"},
		{KIND_ZEN_1, "17_??"},
		{KIND_ZEN_4_5, "19_??;1A_??"},
	};

	if (cpu->vendor == CPU_INTEL)
		return KIND_INTEL;
	/* Apple's cores have their own events. */
	if (cpu->vendor == CPU_ARM)
		return strncmp(cpu->model, "61_", 3) ? KIND_ARM : KIND_OTHER;
	for (size_t i = 0; i < sizeof zen / sizeof *zen; i++)
		if (cpu->vendor == CPU_AMD &&
		    event_table_fits(&event_table_built_in, cpu, NULL, NULL, zen[i].models))
			return zen[i].kind;
	return KIND_OTHER;
}

#define L2_REQUESTS "requests to L2, from the L1 caches and the prefetchers (event 0x60)"
#define L2_MISSES                                                                                  \
	"misses of L2, not of the last level: requests for data and instructions, without the "    \
	"prefetcher of L2 "                                                                        \
	"(event 0x64, umask 9)"
#define AMD_BRANCHES   "retired branches (event 0xc2)"
#define AMD_MISPREDICT "retired branches that were wrongly predicted (event 0xc3)"
#define OP_QUEUE_EMPTY                                                                             \
	"cycles in which the front end had no operation to give: the queue was empty (event 0xa9)"
#define NOT_HERE "this CPU has no such event"

/* The meaning by kind of CPU; NULL: the same as KIND_OTHER. */
static const char *const hardware_table[PERF_COUNT_HW_MAX][N_KINDS] = {
	[PERF_COUNT_HW_CPU_CYCLES] = {"cycles in which the CPU was not halted; how many there are "
				      "in a second varies with its clock rate"},
	[PERF_COUNT_HW_INSTRUCTIONS] =
		{"retired instructions: those that were executed to their end"},
	[PERF_COUNT_HW_CACHE_REFERENCES] =
		{
			"accesses to a cache, mostly the last level: which one is the kernel's "
			"choice",
			[KIND_INTEL] = "requests to the last-level cache (event 0x2e, umask 0x4f), "
				       "some prefetches included",
			[KIND_ZEN_1] = L2_REQUESTS,
			[KIND_ZEN_2_3] = L2_REQUESTS,
			[KIND_ZEN_4_5] = L2_REQUESTS,
			[KIND_ARM] =
				"accesses to the L1 data cache, not the last level (L1D_CACHE)",
		},
	[PERF_COUNT_HW_CACHE_MISSES] =
		{
			"misses of a cache, mostly the last level: which one is the kernel's "
			"choice",
			[KIND_INTEL] = "misses of the last-level cache (event 0x2e, umask 0x41), "
				       "some prefetches included",
			[KIND_ZEN_1] = L2_MISSES,
			[KIND_ZEN_2_3] = L2_MISSES,
			[KIND_ZEN_4_5] = L2_MISSES,
			[KIND_ARM] = "lines brought into the L1 data cache: its misses, not those "
				     "of the last level (L1D_CACHE_REFILL)",
		},
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] =
		{
			"retired branches",
			[KIND_INTEL] = "retired branches (event 0xc4)",
			[KIND_ZEN_1] = AMD_BRANCHES,
			[KIND_ZEN_2_3] = AMD_BRANCHES,
			[KIND_ZEN_4_5] = AMD_BRANCHES,
			[KIND_ARM] = "retired branches (BR_RETIRED); on older kernels only those "
				     "that were taken (PC_WRITE_RETIRED)",
		},
	[PERF_COUNT_HW_BRANCH_MISSES] =
		{
			"branches that were wrongly predicted",
			[KIND_INTEL] = "retired branches that were wrongly predicted (event 0xc5)",
			[KIND_ZEN_1] = AMD_MISPREDICT,
			[KIND_ZEN_2_3] = AMD_MISPREDICT,
			[KIND_ZEN_4_5] = AMD_MISPREDICT,
			[KIND_ARM] = "branches that were wrongly predicted, those on wrong paths "
				     "included (BR_MIS_PRED)",
		},
	[PERF_COUNT_HW_BUS_CYCLES] =
		{
			"cycles of a bus",
			[KIND_INTEL] =
				"cycles of a constant clock while the CPU was not halted (event "
				"0x3c, umask 1); its rate is not the same on all models",
			[KIND_ZEN_1] = NOT_HERE,
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = NOT_HERE,
			[KIND_ARM] = "cycles of the bus between the core and the memory system "
				     "(BUS_CYCLES)",
		},
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] =
		{
			"cycles in which the front end gave no operation",
			[KIND_INTEL] = "cycles in which no micro-op was issued, for any reason; "
				       "only Nehalem to Ivy Bridge have it",
			[KIND_ZEN_1] = "cycles in which instruction fetch stood still with an "
				       "empty queue behind it (event 0x87, umask 2)",
			[KIND_ZEN_2_3] = OP_QUEUE_EMPTY,
			[KIND_ZEN_4_5] = OP_QUEUE_EMPTY,
			[KIND_ARM] = "cycles in which the front end had no operation to give "
				     "(STALL_FRONTEND)",
		},
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] =
		{
			"cycles in which the back end took no operation",
			[KIND_INTEL] = "cycles in which no micro-op was executed; only Nehalem to "
				       "Sandy Bridge have it",
			[KIND_ZEN_1] = "cycles in which instruction fetch stood still, as nothing "
				       "was taken from it (event 0x87, umask 1)",
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = NOT_HERE,
			[KIND_ARM] =
				"cycles in which the back end took no operation (STALL_BACKEND)",
		},
	[PERF_COUNT_HW_REF_CPU_CYCLES] =
		{
			"cycles of a clock of constant rate, while the CPU was not halted",
			[KIND_INTEL] = "cycles at the rate of the time stamp counter, while the "
				       "CPU was not halted",
			[KIND_ZEN_1] = NOT_HERE,
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = "cycles at the nominal rate (P0), while the CPU was not "
					 "halted (event 0x120, umask 1)",
			[KIND_ARM] = NOT_HERE,
		},
};

/* The meaning of software events: perf_event_open(2). */
static const char *const software_table[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "the kernel's clock of the CPU, in ns",
	[PERF_COUNT_SW_TASK_CLOCK] = "time for which the task was on a CPU, in ns",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page faults, minor and major",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] =
		"context switches, voluntary or not; they happen in the kernel",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "moves to another CPU; they happen in the kernel",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "page faults that needed no I/O",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "page faults that had to wait for I/O",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] =
		"unaligned accesses that the kernel had to mend; never on x86",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "instructions that the kernel had to emulate",
};

/* The meaning of the architectural events that the kernel lists for Arm: Arm ARM, "Common event
 * numbers". */
static const struct {
	uint16_t code;
	const char *text;
} arm_table[] = {
	{0x03, "lines brought into the L1 data cache: its misses"},
	{0x04, "accesses to the L1 data cache"},
	{0x08, "retired instructions: those that were executed to their end"},
	{0x10, "branches that were wrongly predicted, those on wrong paths included"},
	{0x11, "cycles in which the CPU was not halted; how many there are in a second varies with "
	       "its clock rate"},
	{0x17, "lines brought into L2, for data and instructions: its misses"},
	{0x1d, "cycles of the bus between the core and the memory system"},
	{0x21, "retired branches"},
	{0x22, "retired branches that were wrongly predicted"},
	{0x23, "cycles in which the front end had no operation to give"},
	{0x24, "cycles in which the back end took no operation"},
	{0x34, "page walks for data"},
	{0x35, "page walks for instructions"},
	{0x37, "reads that missed the last-level cache"},
	{0x3a, "operations that retired"},
	{0x3b, "operations that were executed, on wrong paths, too"},
	{0x3d, "slots for operations that the back end could not take"},
	{0x3e, "slots for operations for which the front end had none"},
	{0x3f, "slots for operations that stayed empty"},
	{0x74, "Advanced SIMD operations, on wrong paths, too"},
	{0x75, "scalar floating-point operations, on wrong paths, too"},
	{0x4005, "cycles in which the back end took no operation, while data from beyond the "
		 "core's caches was awaited"},
	{0x8006, "SVE instructions, on wrong paths, too"},
	{0x80c0,
	 "floating-point operations of SVE, for each 128 bits of a vector, on wrong paths, too"},
	{0x80c1, "floating-point operations other than of SVE, on wrong paths, too"},
};

static const char *const cache_words[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "the L1 data cache",
	[PERF_COUNT_HW_CACHE_L1I] = "the L1 instruction cache",
	[PERF_COUNT_HW_CACHE_LL] = "the last-level cache",
	[PERF_COUNT_HW_CACHE_DTLB] = "the TLB for data",
	[PERF_COUNT_HW_CACHE_ITLB] = "the TLB for instructions",
	[PERF_COUNT_HW_CACHE_BPU] = "the branch predictor",
	[PERF_COUNT_HW_CACHE_NODE] = "the memory of the node",
};

static const char *const operation_words[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = "reads",
	[PERF_COUNT_HW_CACHE_OP_WRITE] = "writes",
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = "prefetches",
};

#define N_ROWS(table) (sizeof(table) / sizeof *(table))

static bool add_cache(struct strbuf *out, uint64_t config, enum kind kind)
{
	size_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= N_ROWS(cache_words) || operation >= N_ROWS(operation_words) ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return false;
	strbuf_addf(out, "%s %s %s; which event that is on this CPU is the kernel's choice",
		    operation_words[operation],
		    result == PERF_COUNT_HW_CACHE_RESULT_MISS ? "that missed" : "of",
		    cache_words[cache]);
	if (cache == PERF_COUNT_HW_CACHE_LL && kind >= KIND_ZEN_1 && kind <= KIND_ZEN_4_5)
		strbuf_addstr(out, "; AMD counts its last level for all tasks of a group of cores, "
				   "not for one");
	return true;
}

/* Returns the meaning of SLOTS or of one of Intel's top-down metrics; NULL: another event. Intel
 * SDM, volume 3, "Performance Metrics". */
static const char *topdown_text(const struct event *e)
{
	static const char *const metric[] = {
		"slots for operations that retired",
		"slots wasted on wrong guesses",
		"slots for which the front end had no operation",
		"slots that the back end could not take",
	};
	uint64_t i = (e->config >> 8) - 0x80;

	if (e->topdown == TOPDOWN_SLOTS)
		return "slots in which an operation could have been issued";
	return e->topdown == TOPDOWN_METRIC && i < N_ROWS(metric) ? metric[i] : NULL;
}

static const char *arm_text(uint64_t config)
{
	for (size_t i = 0; i < N_ROWS(arm_table); i++)
		if (arm_table[i].code == config)
			return arm_table[i].text;
	return NULL;
}

/* Returns the kind of CPU whose event for stalled cycles the kernel uses. Kernels without the table
 * for Zen 2 use the event of Zen 1 on every Zen; sysfs shows which event this kernel uses. */
static enum kind kind_of_stalls(const struct event *e, enum kind kind, const struct machine *m)
{
	uint64_t generic = (uint32_t)e->config;
	const char *name =
		generic == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND  ? "stalled-cycles-frontend"
		: generic == PERF_COUNT_HW_STALLED_CYCLES_BACKEND ? "stalled-cycles-backend"
								  : NULL;
	struct event listed = {.name = NULL};

	if (!name || !m->host || (kind != KIND_ZEN_2_3 && kind != KIND_ZEN_4_5) ||
	    event_sysfs_find(&listed, m->host, NULL, name, NULL) != 1)
		return kind;
	return (listed.config & 0xff) == 0x87 ? KIND_ZEN_1 : kind;
}

/* Finds the sentence for the event in the tables, or NULL. */
static const char *find_text(const struct event *e, enum kind kind)
{
	uint64_t generic = (uint32_t)e->config; /* the upper half may be the type of a PMU */

	switch (e->type) {
	case PERF_TYPE_HARDWARE:
		if (generic >= PERF_COUNT_HW_MAX)
			return NULL;
		return hardware_table[generic][kind] ? hardware_table[generic][kind]
						     : hardware_table[generic][KIND_OTHER];
	case PERF_TYPE_SOFTWARE:
		return generic < N_ROWS(software_table) ? software_table[generic] : NULL;
	case PERF_TYPE_TRACEPOINT:
		return "times the kernel came past this place of its code";
	default:
		if (!event_is_hardware(e))
			return NULL;
		return kind == KIND_ARM ? arm_text(e->config) : topdown_text(e);
	}
}

/* Appends the description from the event table, with the vendor's name of the event: the event
 * itself may be just a number. */
static bool add_table_meaning(struct strbuf *out, const struct event *e, const struct machine *m)
{
	const struct event_choice *choice;
	const char *pmu = e->core == EVENT_NO_CORE ? NULL : machine_pmu(m, e->core);
	const struct event_def *def = event_names_find(m->table, &m->cpu, pmu, e->what, &choice);

	if (!def)
		return false;
	strbuf_addstr(out, def->desc);
	if (choice->name)
		strbuf_addf(out, " (%s)", choice->name);
	return true;
}

bool meaning_add(struct strbuf *out, const struct event *e, const struct machine *m)
{
	enum kind kind = kind_of(&m->cpu);
	const char *text;

	if (!e->what)
		return false;
	if (e->type == PERF_TYPE_HW_CACHE)
		return add_cache(out, (uint32_t)e->config, kind);
	if (e->type == PERF_TYPE_HARDWARE)
		kind = kind_of_stalls(e, kind, m);
	text = find_text(e, kind);
	if (!text)
		return (!m->elsewhere && event_pfm_describe(out, e->what)) ||
		       add_table_meaning(out, e, m);
	strbuf_addstr(out, text);
	return true;
}
