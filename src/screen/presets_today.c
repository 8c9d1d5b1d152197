/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of presets: what a task waits for: data, instructions, and the right branch.
 *
 * Room. Each of these screens is to be one group. Up to Skylake, Intel has four counters a thread beside the one for
 * instructions; that for cycles is the watchdog's where it is on. AMD has six for all, of which the watchdog takes one.
 * So memory has no IPC, stalls no level between L1 and L3, and frontend on AMD no branches, which the screen branch
 * has.
 *
 * Sources of the codes, names as there: Intel perfmon, <CPU>/events; AMD PPR and tools/perf/pmu-events/arch/x86/
 * amdzen2..5 of the kernel; Arm, Technical Reference Manuals of the Neoverse cores. PKI and MPKI stand for something,
 * or misses, per 1000 instructions, as today's literature has it; 2.3.1 and its screens count per 100.
 */
#include "screen/preset.h"

#define SKYLAKE_TO_SAPPHIRE PRESET_SKYLAKE ";" PRESET_ICE_LAKE ";" PRESET_SAPPHIRE_RAPIDS
#define SKYLAKE_TO_ICE      PRESET_SKYLAKE ";" PRESET_ICE_LAKE

/* clang-format off */
const struct preset preset_memory = {
	.name = "memory", .desc = "Misses of the caches and of the TLB",
	.needs = "its events are known for Intel from Ivy Bridge to Emerald Rapids and Raptor Lake, AMD Zen 2 to 5 and "
		 "Arm; a newer libpfm4 may know more",
	.counter = {
		{"instr", "instructions", NULL, NULL},
		/* Intel: MEM_LOAD_RETIRED.L1_MISS, of an efficiency core MEM_LOAD_UOPS_RETIRED.L1_MISS */
		{"l1", "MEM_LOAD_RETIRED:L1_MISS; MEM_LOAD_UOPS_RETIRED:L1_MISS", "x86", NULL},
		{"l1", "r8d1", "x86", SKYLAKE_TO_SAPPHIRE ";" PRESET_GRACEMONT},
		{"l1", "cpu/event=0xd1,umask=0x08/", "x86", PRESET_ALDER_LAKE},
		/* AMD: l2_cache_accesses_from_dc_misses; from Zen 3 on ls_any_fills_from_sys.all */
		{"l1", "rc860", "x86", PRESET_ZEN_2},
		{"l1", "rff44", "x86", PRESET_ZEN_3 ";" PRESET_ZEN_4 ";" PRESET_ZEN_5},
		/* Arm: L1D_CACHE_REFILL */
		{"l1", "l1d_cache_refill", "arm64", NULL},
		{"l1", "r3", "arm64", PRESET_NEOVERSE},
		/* Intel: as above, L2_MISS */
		{"l2", "MEM_LOAD_RETIRED:L2_MISS; MEM_LOAD_UOPS_RETIRED:L2_MISS", "x86", NULL},
		{"l2", "r10d1", "x86", SKYLAKE_TO_SAPPHIRE ";" PRESET_GRACEMONT},
		{"l2", "cpu/event=0xd1,umask=0x10/", "x86", PRESET_ALDER_LAKE},
		/* AMD: l2_cache_req_stat.ic_dc_miss_in_l2, for data and instructions, without the prefetcher of L2 */
		{"l2", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C:IC_FILL_MISS", "x86",
		 PRESET_ZEN_2 ";" PRESET_ZEN_3 ";" PRESET_ZEN_4},
		{"l2", "r964", "x86", PRESET_ZEN_2_TO_5},
		/* Arm: L2D_CACHE_REFILL, for data and instructions */
		{"l2", "l2d_cache_refill", "arm64", NULL},
		{"l2", "r17", "arm64", PRESET_NEOVERSE},
		/* Intel: as above, L3_MISS; on efficiency cores DRAM_HIT, the loads that memory served */
		{"l3", "MEM_LOAD_RETIRED:L3_MISS; MEM_LOAD_UOPS_RETIRED:L3_MISS", "x86", NULL},
		{"l3", "r20d1", "x86", SKYLAKE_TO_SAPPHIRE},
		{"l3", "cpu_core/event=0xd1,umask=0x20/; cpu_atom/event=0xd1,umask=0x80/", "x86", PRESET_ALDER_LAKE},
		{"l3", "r80d1", "x86", PRESET_GRACEMONT},
		/* AMD: ls_refills_from_sys, demand only, of DRAM of this node and of others; from Zen 3 on
		 * ls_any_fills_from_sys.dram_io_all */
		{"dram", "r4843", "x86", PRESET_ZEN_2},
		{"dram", "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL:MEM_IO_RMT", "x86", PRESET_ZEN_3},
		{"dram", "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_NEAR:DRAM_IO_FAR", "x86", PRESET_ZEN_4},
		{"dram", "r4844", "x86", PRESET_ZEN_3 ";" PRESET_ZEN_4 ";" PRESET_ZEN_5},
		/* Arm: LL_CACHE_MISS_RD */
		{"ll", "ll_cache_miss_rd", "arm64", NULL},
		{"ll", "r37", "arm64", PRESET_NEOVERSE},
		/* Intel: DTLB_LOAD_MISSES.WALK_COMPLETED */
		{"dtlb", "DTLB_LOAD_MISSES:WALK_COMPLETED", "x86", NULL},
		{"dtlb", "re08", "x86", SKYLAKE_TO_ICE ";" PRESET_GRACEMONT},
		{"dtlb", "re12", "x86", PRESET_SAPPHIRE_RAPIDS},
		{"dtlb", "cpu_core/event=0x12,umask=0x0e/; cpu_atom/event=0x08,umask=0x0e/", "x86", PRESET_ALDER_LAKE},
		/* AMD: ls_l1_d_tlb_miss.all_l2_miss */
		{"dtlb", "rf045", "x86", PRESET_ZEN_2_TO_5},
		/* Arm: DTLB_WALK */
		{"dtlb", "dtlb_walk", "arm64", NULL},
		{"dtlb", "r34", "arm64", PRESET_NEOVERSE},
	},
	.column = {
		PRESET_CPU,
		/* 1000 x events / instructions. Intel's Info_Memory_L1MPKI; AMD's all_l1_data_cache_fills_pti; Arm's
		 * l1d_cache_mpki */
		{" L1MPKI", "%7.2f", "Misses of the L1 data cache (per 1000 instructions): retired loads on Intel, "
		 "lines fetched on AMD and Arm", "1000 * delta(l1) / delta(instr)", false},
		/* 1000 x events / instructions. Intel's Info_Memory_L2MPKI; Arm's l2_cache_mpki */
		{" L2MPKI", "%7.2f", "Misses of L2 (per 1000 instructions): retired loads on Intel, requests for data "
		 "and instructions on AMD and Arm", "1000 * delta(l2) / delta(instr)", true},
		/* 1000 x retired loads / instructions. Intel's Info_Memory_L3MPKI */
		{" L3MPKI", "%7.2f", "Retired loads that missed L3 (per 1000 instructions)",
		 "1000 * delta(l3) / delta(instr)", true},
		/* 1000 x lines / instructions. L3 belongs to a whole complex of cores, whose misses are no task's.
		 * AMD's l1_data_cache_fills_from_memory_pti */
		{"DRAMPKI", "%7.2f", "Lines that L1 got from memory, past L3 (per 1000 instructions)",
		 "1000 * delta(dram) / delta(instr)", true},
		/* 1000 x events / instructions. Arm's ll_cache_read_mpki: L3 or a system cache, as the machine is
		 * built */
		{" LLMPKI", "%7.2f", "Reads that missed the last-level cache (per 1000 instructions)",
		 "1000 * delta(ll) / delta(instr)", true},
		/* 1000 x walks / instructions. Intel's Info_Memory_TLB_Load_STLB_MPKI; AMD's l2_dtlb_misses_pti; Arm's
		 * dtlb_mpki */
		{"dTLBPKI", "%7.2f", "Page walks for data, on Intel for loads only (per 1000 instructions)",
		 "1000 * delta(dtlb) / delta(instr)", true},
	},
};

const struct preset preset_stalls = {
	.name = "stalls", .desc = "Cycles without progress, for want of data",
	.needs = "its events are known for Intel from Skylake to Emerald Rapids and Raptor Lake, AMD Zen 4 and 5 and "
		 "Arm",
	.counter = {
		{"cycle", "cycles", "x86", SKYLAKE_TO_SAPPHIRE ";" PRESET_ALDER_LAKE ";" PRESET_ZEN_4 ";" PRESET_ZEN_5},
		{"cycle", "cycles", "arm64", NULL},
		{"instr", "instructions", NULL, NULL},
		/* Intel: CYCLE_ACTIVITY.STALLS_*, each with its event code 0xa3 and a counter mask as large as the
		 * umask; from Golden Cove on MEMORY_ACTIVITY.STALLS_*, 0x47 */
		{"exec", "CYCLE_ACTIVITY:STALLS_TOTAL; r40004a3", "x86", SKYLAKE_TO_SAPPHIRE},
		{"exec", "cpu_core/event=0xa3,umask=0x04,cmask=0x04/", "x86", PRESET_ALDER_LAKE},
		{"l1", "CYCLE_ACTIVITY:STALLS_L1D_MISS; rc000ca3", "x86", SKYLAKE_TO_ICE},
		{"l1", "MEMORY_ACTIVITY:STALLS_L1D_MISS; r3000347", "x86", PRESET_SAPPHIRE_RAPIDS},
		{"l1", "cpu_core/event=0x47,umask=0x03,cmask=0x03/", "x86", PRESET_ALDER_LAKE},
		{"l3", "CYCLE_ACTIVITY:STALLS_L3_MISS; r60006a3", "x86", SKYLAKE_TO_ICE},
		{"l3", "MEMORY_ACTIVITY:STALLS_L3_MISS; r9000947", "x86", PRESET_SAPPHIRE_RAPIDS},
		{"l3", "cpu_core/event=0x47,umask=0x09,cmask=0x09/", "x86", PRESET_ALDER_LAKE},
		/* AMD: ex_no_retire.all and ex_no_retire.load_not_complete */
		{"noret", "r1bd6", "x86", PRESET_ZEN_4 ";" PRESET_ZEN_5},
		{"load", "CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD", "x86", PRESET_ZEN_4},
		{"load", "ra2d6", "x86", PRESET_ZEN_4 ";" PRESET_ZEN_5},
		/* Arm: STALL_BACKEND; STALL_BACKEND_MEM, which Neoverse N1 does not have */
		{"be", "stall_backend", "arm64", NULL},
		{"be", "r24", "arm64", PRESET_NEOVERSE},
		{"mem", "stall_backend_mem", "arm64", NULL},
		{"mem", "r4005", "arm64", PRESET_NEOVERSE_V1 ";" PRESET_NEOVERSE_N2 ";" PRESET_NEOVERSE_V2},
	},
	.column = {
		PRESET_CPU,
		PRESET_IPC,
		/* 100 x cycles / cycles: % of the cycles, in all columns. Those of Intel contain each other: in a
		 * cycle of %L3 nothing was executed, and a load that missed all caches was under way */
		{"%NOEX", "%5.1f", "No micro-op was executed (% of the cycles)",
		 "100 * delta(exec) / delta(cycle)", true},
		{"  %L1", "%5.1f", "Nor that, while a load that missed L1 was under way (% of the cycles)",
		 "100 * delta(l1) / delta(cycle)", true},
		{"  %L3", "%5.1f", "Nor that, while a load that missed L3 was under way (% of the cycles)",
		 "100 * delta(l3) / delta(cycle)", true},
		{"%NORET", "%6.1f", "Nothing retired, for any reason (% of the cycles)",
		 "100 * delta(noret) / delta(cycle)", true},
		{"%LOAD", "%5.1f", "Nothing retired, as the oldest operation waited for data (% of the cycles)",
		 "100 * delta(load) / delta(cycle)", true},
		/* Arm's backend_stalled_cycles */
		{"  %BE", "%5.1f", "The back end took no operation (% of the cycles)",
		 "100 * delta(be) / delta(cycle)", true},
		{" %MEM", "%5.1f", "The same, while a load that missed the last cache of the core was under way (% of "
		 "the cycles)", "100 * delta(mem) / delta(cycle)", true},
	},
};

const struct preset preset_frontend = {
	.name = "frontend", .desc = "Branches, and how instructions get to the core",
	.counter = {
		{"cycle", "cycles", NULL, NULL},
		{"instr", "instructions", NULL, NULL},
		/* Retired ones, where the kernel's generic event may be another: Arm, BR_RETIRED and
		 * BR_MIS_PRED_RETIRED */
		{"branch", "br_retired; branches", "arm64", NULL},
		{"branch", "branches", "x86", PRESET_INTEL},
		{"br_miss", "br_mis_pred_retired; branch-misses", "arm64", NULL},
		{"br_miss", "branch-misses", NULL, NULL},
		/* Intel: ITLB_MISSES.WALK_COMPLETED */
		{"itlb", "ITLB_MISSES:WALK_COMPLETED", "x86", NULL},
		{"itlb", "re85", "x86", SKYLAKE_TO_ICE ";" PRESET_GRACEMONT},
		{"itlb", "re11", "x86", PRESET_SAPPHIRE_RAPIDS},
		{"itlb", "cpu_core/event=0x11,umask=0x0e/; cpu_atom/event=0x85,umask=0x0e/", "x86", PRESET_ALDER_LAKE},
		/* AMD: bp_l1_tlb_miss_l2_tlb_miss, of pages of 4K, 2M and 1G; from Zen 3 on of coalesced ones, too */
		{"itlb", "r785", "x86", PRESET_ZEN_2},
		{"itlb", "rf85", "x86", PRESET_ZEN_3 ";" PRESET_ZEN_4 ";" PRESET_ZEN_5},
		/* Arm: ITLB_WALK */
		{"itlb", "itlb_walk", "arm64", NULL},
		{"itlb", "r35", "arm64", PRESET_NEOVERSE},
		/* AMD: de_op_queue_empty */
		{"fe", "OPS_QUEUE_EMPTY; UOPS_QUEUE_EMPTY; ra9", "x86", PRESET_ZEN_2_TO_5},
		/* Arm: STALL_FRONTEND */
		{"fe", "stall_frontend", "arm64", NULL},
		{"fe", "r23", "arm64", PRESET_NEOVERSE},
	},
	.column = {
		PRESET_CPU,
		PRESET_IPC,
		/* 1000 x mispredicted branches / instructions: ten times %MIS/I of the screen branch */
		{"BRMPKI", "%6.2f", "Wrongly predicted branches (per 1000 instructions)",
		 "1000 * delta(br_miss) / delta(instr)", false},
		/* 100 x mispredicted branches / branches: % of the branches */
		{" %MISP", "%6.2f", "Wrongly predicted branches (per 100 branches)",
		 "100 * delta(br_miss) / delta(branch)", true},
		/* 1000 x walks / instructions. Intel's Info_Memory_TLB_Code_STLB_MPKI; AMD's l2_itlb_misses_pti;
		 * Arm's itlb_mpki */
		{"iTLBPKI", "%7.3f", "Page walks for instructions (per 1000 instructions)",
		 "1000 * delta(itlb) / delta(instr)", true},
		/* 100 x cycles / cycles: % of the cycles. Arm's frontend_stalled_cycles. What Intel has counts
		 * slots: see topdown */
		{"  %FE", "%5.1f", "The front end had no operation to give (% of the cycles)",
		 "100 * delta(fe) / delta(cycle)", true},
	},
};
/* clang-format on */
