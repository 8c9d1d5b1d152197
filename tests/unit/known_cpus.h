/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_cpus - CPUs with the PMUs and events that their kernel describes, and the built-in screens
 * that must be shown on them.
 */
#ifndef TESTS_KNOWN_CPUS_H
#define TESTS_KNOWN_CPUS_H

#include <linux/perf_event.h>
#include <stdint.h>

/* The PMU to select in libpfm4 if it has no tables for the CPU: that of the kernel's own events. */
#define NO_TABLES "perf"

/* The files of a PMU in sysfs: lines of a path and its text. */
struct pmu_files {
	const char *name, *files;
};

/* clang-format off */
#define X86_FILES \
	"type 4\n" \
	"format/event config:0-7\n" \
	"format/umask config:8-15\n" \
	"format/cmask config:24-31\n"
#define METRICS \
	"events/slots event=0x00,umask=0x4\n" \
	"events/topdown-retiring event=0x00,umask=0x80\n" \
	"events/topdown-bad-spec event=0x00,umask=0x81\n" \
	"events/topdown-fe-bound event=0x00,umask=0x82\n" \
	"events/topdown-be-bound event=0x00,umask=0x83\n"
/* arch/x86/events/intel/core.c: tnt_events_attrs. */
#define TREMONT_TOPDOWN \
	"events/topdown-retiring event=0xc2,umask=0x0\n" \
	"events/topdown-bad-spec event=0x73,umask=0x6\n" \
	"events/topdown-fe-bound event=0x71,umask=0x0\n" \
	"events/topdown-be-bound event=0x74,umask=0x0\n"
#define ATOM_TOPDOWN \
	"events/topdown-retiring event=0xc2,umask=0x0\n" \
	"events/topdown-bad-spec event=0x73,umask=0x0\n" \
	"events/topdown-fe-bound event=0x71,umask=0x0\n" \
	"events/topdown-be-bound event=0x74,umask=0x0\n"
/* arch/x86/events/intel/core.c: cmt_events_attrs, skt_events_attrs. */
#define CRESTMONT_TOPDOWN \
	"events/topdown-retiring event=0x72,umask=0x0\n" \
	"events/topdown-bad-spec event=0x73,umask=0x0\n" \
	"events/topdown-fe-bound event=0x71,umask=0x0\n" \
	"events/topdown-be-bound event=0x74,umask=0x0\n"
#define SKYMONT_TOPDOWN \
	"events/topdown-retiring event=0xc2,umask=0x2\n" \
	"events/topdown-bad-spec event=0x73,umask=0x0\n" \
	"events/topdown-fe-bound event=0x9c,umask=0x1\n" \
	"events/topdown-be-bound event=0xa4,umask=0x2\n"
#define ARM_FILES \
	"type 8\n" \
	"cpus 0-3\n" \
	"format/event config:0-15\n" \
	"events/l1i_cache_refill event=0x0001\n" \
	"events/l1d_cache_refill event=0x0003\n" \
	"events/l1d_cache event=0x0004\n" \
	"events/l1i_cache event=0x0014\n" \
	"events/l2d_cache_refill event=0x0017\n" \
	"events/ll_cache_miss_rd event=0x0037\n" \
	"events/dtlb_walk event=0x0034\n" \
	"events/itlb_walk event=0x0035\n" \
	"events/br_retired event=0x0021\n" \
	"events/br_mis_pred_retired event=0x0022\n" \
	"events/stall_frontend event=0x0023\n" \
	"events/stall_backend event=0x0024\n"

static const struct pmu_files intel_old = {"cpu", X86_FILES};
static const struct pmu_files skylake = {"cpu", X86_FILES
	"events/topdown-total-slots event=0x3c,umask=0x0\n"
	"events/topdown-slots-retired event=0xc2,umask=0x2\n"};
static const struct pmu_files ice_lake = {"cpu", X86_FILES METRICS};
static const struct pmu_files golden_cove = {"cpu_core", "cpus 0-15\n" X86_FILES METRICS};
static const struct pmu_files gracemont = {"cpu_atom",
	"type 10\n"
	"cpus 16-23\n"
	"format/event config:0-7\n"
	"format/umask config:8-15\n" ATOM_TOPDOWN};
static const struct pmu_files crestmont = {"cpu_atom",
	"type 10\n"
	"cpus 16-23\n"
	"format/event config:0-7\n"
	"format/umask config:8-15\n" CRESTMONT_TOPDOWN};
static const struct pmu_files crestmont_alone = {"cpu", X86_FILES CRESTMONT_TOPDOWN};
static const struct pmu_files skymont = {"cpu_atom",
	"type 10\n"
	"cpus 16-23\n"
	"format/event config:0-7\n"
	"format/umask config:8-15\n" SKYMONT_TOPDOWN};
static const struct pmu_files lowpower = {"cpu_lowpower",
	"type 11\n"
	"cpus 24-25\n"
	"format/event config:0-7\n"
	"format/umask config:8-15\n" CRESTMONT_TOPDOWN};
static const struct pmu_files skymont_alone = {"cpu", X86_FILES SKYMONT_TOPDOWN};
static const struct pmu_files tremont = {"cpu", X86_FILES TREMONT_TOPDOWN};
static const struct pmu_files gracemont_alone = {"cpu", X86_FILES ATOM_TOPDOWN};
static const struct pmu_files zen = {"cpu",
	"type 4\n"
	"format/event config:0-7,32-35\n"
	"format/umask config:8-15\n"};
/* drivers/perf/apple_m1_cpu_pmu.c: events of PMUv3 do not exist. */
static const struct pmu_files icestorm = {"apple_icestorm_pmu",
	"type 9\n"
	"cpus 0-3\n"
	"format/event config:0-7\n"
	"events/cycles event=0x2\n"
	"events/instructions event=0x8c\n"};
static const struct pmu_files firestorm = {"apple_firestorm_pmu",
	"type 10\n"
	"cpus 4-7\n"
	"format/event config:0-7\n"
	"events/cycles event=0x2\n"
	"events/instructions event=0x8c\n"};
static const struct pmu_files neoverse_n1 = {"armv8_pmuv3_0", ARM_FILES};
static const struct pmu_files ampereone = {"armv8_pmuv3_0", ARM_FILES
	"caps/slots 0x00000004\n"
	"events/op_retired event=0x003a\n"
	"events/op_spec event=0x003b\n"
	"events/stall_slot_backend event=0x003d\n"};
static const struct pmu_files neoverse_v1 = {"armv8_pmuv3_0", ARM_FILES
	"events/op_retired event=0x003a\n"
	"events/op_spec event=0x003b\n"
	"events/stall_slot_backend event=0x003d\n"
	"events/stall_slot_frontend event=0x003e\n"
	"events/stall_slot event=0x003f\n"
	"events/stall_backend_mem event=0x4005\n"};

/* The screens that must be shown, with their columns. Hidden screens are left out. */
#define GENERIC \
	"default: %CPU %SYS P Mcycle Minstr IPC %MISS %BMIS %BUS\n" \
	"branch: %CPU %MIS/I %MISP %BR/I\n"
#define NEHALEM_SCREENS(fp, uops) \
	"imix: %CPU Mcycle Minstr IPC %LD %ST %x87 %BR\n" \
	"FP: %CPU Mcycle Minstr IPC " fp " %assist\n" \
	"mem: %CPU Mcycle Minstr IPC L2hit L3hit L3miss\n" \
	"uOps: %CPU %SYS Mcycle Minstr IPC Muops " uops "\n"
#define INTEL_MEMORY   "memory: %CPU L1MPKI L2MPKI L3MPKI dTLBPKI\n"
#define P_CORE_STALLS  "stalls: %CPU IPC %NOEX %L1 %L3\n"
#define L2_STALLS      "stalls: %CPU IPC %NOEX %L2\n"
#define INTEL_FRONTEND "frontend: %CPU IPC BRMPKI %MISP iTLBPKI\n"
#define TOPDOWN        "topdown: %CPU %RET %BAD %FE %BE\n"
#define INTEL_FLOPS \
	"flops_dp: %CPU IPC MFLOP/s FLOP/c %VEC\n" \
	"flops_sp: %CPU IPC MFLOP/s FLOP/c %VEC\n"
#define INTEL_FP       "fp: %CPU Minstr IPC %FP %VEC %assist\n"
#define AMX_FP         "fp: %CPU Minstr IPC %FP %VEC %AMX %assist\n"
#define ASSISTS        "fp: %CPU Minstr IPC %assist\n"
#define E_CORE_FLOPS \
	"flops_dp: %CPU IPC MFLOP/s FLOP/c\n" \
	"flops_sp: %CPU IPC MFLOP/s FLOP/c\n" \
	"fp: %CPU Minstr IPC MFLOP/s %assist\n"
#define SCHEDULER      " CSW/s MIGR/s FAULT/s WAITms/s\n"
#define INTEL_SYSTEM   "system: %CPU GHz TURBO %KERN" SCHEDULER
#define PLAIN_SYSTEM   "system: %CPU GHz %KERN" SCHEDULER
#define PLAIN_FRONTEND "frontend: %CPU IPC BRMPKI\n"
#define UNCOUNTED \
	"software: %CPU %SYS %CHLD P VCSW/s NVCSW/s MIGR/s MINFL/s MAJFL/s WAITms/s\n" \
	"tasks: USER S %CPU NI RES %MEM TIME+"
#define SOFTWARE       UNCOUNTED " IPC\n"
#define INTEL_MEMOPS   "memops: %CPU SPLDPKI SPSTPKI LOCKPKI\n"
#define SERVER_MEMOPS  "memops: %CPU SPLDPKI SPSTPKI LOCKPKI FARPKI\n"
#define NUMA           "numa: %CPU MEMPKI %FAR\n"
#define STORE_WALKS    "walks: %CPU IPC %STORE\n"
#define ZEN_MEMOPS     "memops: %CPU SPLDPKI PGLDPKI FARPKI\n"
#define WALKS          "walks: %CPU IPC %STORE %LDWALK %STWALK %IWALK\n"
#define E_CORE_WALKS   "walks: %CPU IPC %STORE DWALKS IWALKS\n"
#define HYBRID_WALKS   "walks: %CPU IPC %STORE %LDWALK %STWALK %IWALK DWALKS IWALKS\n"
#define WHY(columns)   "why: VERDICT %CPU %SYS %QUEUE" columns "\n"
#define SIMD(columns)  "simd: %CPU MFP/s %SCAL %128 %256" columns "\n"
#define FETCH(columns) "fetch: %CPU Minstr" columns "\n"
#define OPCACHE_FETCH  FETCH(" RETMPKI INDMPKI %OPCACHE")
#define PLAIN_FETCH    FETCH(" RETMPKI INDMPKI")
#define AMD_MEMORY     "memory: %CPU L1MPKI L2MPKI DRAMPKI dTLBPKI\n"
#define AMD_FRONTEND   "frontend: %CPU IPC BRMPKI iTLBPKI %FE\n"
#define ARM_MEMORY     "memory: %CPU L1MPKI L2MPKI LLMPKI dTLBPKI\n"
#define ARM_FRONTEND   "frontend: %CPU IPC BRMPKI %MISP iTLBPKI %FE\n"

#define VIRTUAL \
	"default: %CPU %SYS P Mcycle Minstr IPC %MISS %BMIS\n" \
	"branch: %CPU %MIS/I %MISP %BR/I\n" \
	"memory: %CPU L1MPKI\n" \
	"stalls: %CPU IPC\n" \
	"frontend: %CPU IPC BRMPKI\n"
#define SKYLAKE_SCREENS \
	GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND INTEL_FLOPS INTEL_FP INTEL_SYSTEM SOFTWARE \
	FETCH(" %OPCACHE")
#define ICE_LAKE_SCREENS(fp) \
	GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND TOPDOWN INTEL_FLOPS fp INTEL_SYSTEM SOFTWARE
#define ZEN_2_SCREENS GENERIC AMD_MEMORY AMD_FRONTEND "fp: %CPU Minstr IPC MFLOP/s\n" PLAIN_SYSTEM SOFTWARE
#define ZEN_4_SCREENS \
	GENERIC AMD_MEMORY "stalls: %CPU IPC %NORET %LOAD\n" AMD_FRONTEND "topdown: %CPU %RET %BAD %FE %BE %SMT\n" \
	"fp: %CPU Minstr MFLOP/s %FP %VEC\n" INTEL_SYSTEM SOFTWARE OPCACHE_FETCH
#define ZEN_5_SCREENS \
	GENERIC AMD_MEMORY "stalls: %CPU IPC %NORET %LOAD\n" AMD_FRONTEND "topdown: %CPU %RET %BAD %FE %BE %SMT\n" \
	"flops_dp: %CPU MFLOP/s FLOP/c %VEC\n" "flops_sp: %CPU MFLOP/s FLOP/c %VEC\n" \
	"fp: %CPU Minstr MFLOP/s %FP %VEC\n" INTEL_SYSTEM SOFTWARE OPCACHE_FETCH
#define NEOVERSE_V_FP "fp: %CPU Minstr MFLOP/s %VFP %ASE %SVE\n"
#define NEOVERSE_V_SCREENS \
	GENERIC ARM_MEMORY "stalls: %CPU IPC %BE %BEM\n" ARM_FRONTEND TOPDOWN NEOVERSE_V_FP PLAIN_SYSTEM SOFTWARE
#define ARM_MEMOPS "memops: %CPU SPLDPKI SPSTPKI FARPKI\n"

static const struct machine_case {
	const char *name, *cpu;
	const char *tables; /* of libpfm4 */
	const struct pmu_files *pmu[3]; /* no files: the CPU is known, but has no counters at all */
	/* Counters that a task can have at a time, in addition to those for instructions, reference
	 * cycles and slots. For Skylake servers, one more than is available while the watchdog is
	 * on. */
	int room;
	const char *screens;
} case_table[] = {
	{"nhm", "x86:06_1A", "nhm", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSES %SSED", "uPI macrof")
	 INTEL_FRONTEND ASSISTS INTEL_SYSTEM SOFTWARE WHY(" IPC L3MPKI BRMPKI %assist")},
	{"snb", "x86:06_2A", "snb", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSED", "uPI") INTEL_FRONTEND
	 ASSISTS INTEL_SYSTEM SOFTWARE WHY(" IPC L3MPKI BRMPKI %assist")},
	{"snb-ep", "x86:06_2D", "snb_ep", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSED", "uPI") INTEL_FRONTEND
	 ASSISTS INTEL_SYSTEM SOFTWARE WHY(" IPC L3MPKI BRMPKI %assist")},
	{"hsw", "x86:06_3C", "hsw", {&skylake}, 4, GENERIC INTEL_MEMORY INTEL_FRONTEND ASSISTS INTEL_SYSTEM SOFTWARE
	 WHY(" IPC L3MPKI BRMPKI %assist")},
	{"ivb", "x86:06_3A", "ivb", {&skylake}, 4, GENERIC INTEL_MEMORY L2_STALLS INTEL_FRONTEND ASSISTS INTEL_SYSTEM
	 SOFTWARE WHY(" IPC L3MPKI BRMPKI %assist")},
	{"bdw", "x86:06_3D", "bdw", {&skylake}, 4, GENERIC INTEL_MEMORY L2_STALLS INTEL_FRONTEND INTEL_FLOPS INTEL_FP
	 INTEL_SYSTEM SOFTWARE SIMD("") WHY(" IPC L3MPKI BRMPKI %assist")},
	{"skl", "x86:06_9E", "skl", {&skylake}, 4, SKYLAKE_SCREENS INTEL_MEMOPS
	 "walks: %CPU IPC %STORE %LDWALK %STWALK\n" SIMD("") WHY(" IPC BRMPKI %STALL %assist")},
	{"skx", "x86:06_55", "skx", {&skylake}, 5, SKYLAKE_SCREENS SERVER_MEMOPS WALKS SIMD(" %512")
	 WHY(" IPC BRMPKI %STALL %assist") NUMA},
	{"icl", "x86:06_7E", "icl", {&ice_lake}, 5,
	 ICE_LAKE_SCREENS(INTEL_FP) FETCH(" INDMPKI %OPCACHE") INTEL_MEMOPS WALKS SIMD(" %512")
	 WHY(" IPC BRMPKI %STALL %assist")},
	{"rkl, unknown to libpfm4", "x86:06_A7", NO_TABLES, {&ice_lake}, 5,
	 ICE_LAKE_SCREENS(INTEL_FP) FETCH(" INDMPKI %OPCACHE") INTEL_MEMOPS WALKS SIMD(" %512")
	 WHY(" IPC BRMPKI %STALL %assist")},
	{"spr", "x86:06_8F", "spr", {&ice_lake}, 5,
	 ICE_LAKE_SCREENS(AMX_FP) OPCACHE_FETCH SERVER_MEMOPS WALKS
	 SIMD(" %512") WHY(" IPC BRMPKI %STALL %assist") NUMA},
	{"emr, unknown to libpfm4", "x86:06_CF", NO_TABLES, {&ice_lake}, 5,
	 ICE_LAKE_SCREENS(AMX_FP) OPCACHE_FETCH SERVER_MEMOPS WALKS
	 SIMD(" %512") WHY(" IPC BRMPKI %STALL %assist") NUMA},
	{"gnr", "x86:06_AD", NO_TABLES, {&ice_lake}, 5, ICE_LAKE_SCREENS(AMX_FP) OPCACHE_FETCH SERVER_MEMOPS WALKS
	 SIMD(" %512") WHY(" IPC BRMPKI %STALL %assist") NUMA},
	{"adl", "x86:06_97", NO_TABLES, {&gracemont, &golden_cove}, 5, GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE OPCACHE_FETCH
	 INTEL_MEMOPS WALKS SIMD("") WHY(" IPC BRMPKI %STALL %assist")},
	/* A Crestmont has eight counters, six of which topdown needs. */
	{"mtl", "x86:06_AA", NO_TABLES, {&crestmont, &golden_cove}, 6, GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE OPCACHE_FETCH
	 INTEL_MEMOPS HYBRID_WALKS SIMD("") WHY(" IPC BRMPKI %STALL %assist")},
	/* A Lion Cove has ten counters. */
	{"lnl", "x86:06_BD", NO_TABLES, {&skymont, &golden_cove}, 8, GENERIC INTEL_MEMORY
	 "stalls: %CPU IPC %NOEX %INL1 %L1 %L3\n" INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE
	 OPCACHE_FETCH INTEL_MEMOPS HYBRID_WALKS SIMD("") WHY(" IPC BRMPKI %STALL %assist")},
	{"arl", "x86:06_C5", NO_TABLES, {&skymont, &golden_cove, &lowpower}, 8, GENERIC INTEL_MEMORY
	 "stalls: %CPU IPC %NOEX %INL1 %L1 %L3\n" INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE OPCACHE_FETCH
	 INTEL_MEMOPS HYBRID_WALKS SIMD("") WHY(" IPC BRMPKI %STALL %assist")},
	{"ptl", "x86:06_CC", NO_TABLES, {&skymont, &golden_cove}, 8, GENERIC INTEL_MEMORY
	 "stalls: %CPU IPC %NOEX %INL1 %L1 %L3\n" INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE OPCACHE_FETCH
	 INTEL_MEMOPS "walks: %CPU IPC %STORE %LDWALK %STWALK %IWALK IWALKS\n" SIMD("")
	 WHY(" IPC BRMPKI %STALL %assist")},
	{"adl-n", "x86:06_BE", NO_TABLES, {&gracemont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN ASSISTS
	 INTEL_SYSTEM SOFTWARE PLAIN_FETCH "memops: %CPU SPLDPKI LOCKPKI\n" STORE_WALKS
	 WHY(" IPC L3MPKI BRMPKI %assist")},
	{"tmt", "x86:06_9C", NO_TABLES, {&tremont}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN ASSISTS
	 INTEL_SYSTEM SOFTWARE WHY(" IPC L3MPKI BRMPKI %assist")},
	{"srf", "x86:06_AF", NO_TABLES, {&crestmont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN E_CORE_FLOPS
	 INTEL_SYSTEM SOFTWARE PLAIN_FETCH INTEL_MEMOPS E_CORE_WALKS WHY(" IPC L3MPKI BRMPKI %assist")},
	{"cwf", "x86:06_DD", NO_TABLES, {&skymont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN E_CORE_FLOPS
	 INTEL_SYSTEM SOFTWARE PLAIN_FETCH INTEL_MEMOPS "walks: %CPU IPC %STORE IWALKS\n"
	 WHY(" IPC L3MPKI BRMPKI %assist")},
	{"an Intel to come", "x86:06_FE", NO_TABLES, {&ice_lake}, 4, GENERIC "frontend: %CPU IPC BRMPKI %MISP\n" TOPDOWN
	 INTEL_SYSTEM SOFTWARE WHY(" IPC BRMPKI")},
	/* Family 18 is not in the tables: the kernel's own events only. */
	{"nvl", "x86:12_01", NO_TABLES, {&skymont, &golden_cove}, 4, GENERIC "frontend: %CPU IPC BRMPKI %MISP\n"
	 TOPDOWN "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE WHY(" IPC BRMPKI")},
	{"zen1", "x86:17_01", "amd64_fam17h_zen1", {&zen}, 5, GENERIC "memory: %CPU L1MPKI L2MPKI dTLBPKI\n"
	 "frontend: %CPU IPC BRMPKI iTLBPKI\n" "flops_dp: %CPU IPC MFLOP/s FLOP/c\n"
	 "flops_sp: %CPU IPC MFLOP/s FLOP/c\n" "fp: %CPU Minstr IPC MFLOP/s\n" PLAIN_SYSTEM SOFTWARE
	 PLAIN_FETCH WHY(" IPC BRMPKI")},
	{"zen2", "x86:17_31", "amd64_fam17h_zen2", {&zen}, 5, ZEN_2_SCREENS OPCACHE_FETCH STORE_WALKS
	 WHY(" IPC DRAMPKI BRMPKI") NUMA},
	{"zen3", "x86:19_01", "amd64_fam19h_zen3", {&zen}, 5, ZEN_2_SCREENS PLAIN_FETCH ZEN_MEMOPS STORE_WALKS
	 WHY(" IPC DRAMPKI BRMPKI") NUMA},
	{"zen4", "x86:19_11", "amd64_fam19h_zen4", {&zen}, 5, ZEN_4_SCREENS ZEN_MEMOPS STORE_WALKS SIMD(" %512")
	 WHY(" IPC DRAMPKI BRMPKI %STALL") NUMA},
	{"zen4, another model", "x86:19_61", NO_TABLES, {&zen}, 5, ZEN_4_SCREENS ZEN_MEMOPS STORE_WALKS SIMD(" %512")
	 WHY(" IPC DRAMPKI BRMPKI %STALL") NUMA},
	{"zen5", "x86:1A_02", NO_TABLES, {&zen}, 5, ZEN_5_SCREENS ZEN_MEMOPS STORE_WALKS SIMD(" %512")
	 WHY(" IPC DRAMPKI BRMPKI %STALL") NUMA},
	{"zen6", "x86:1A_50", NO_TABLES, {&zen}, 5, ZEN_5_SCREENS ZEN_MEMOPS STORE_WALKS SIMD(" %512")
	 WHY(" IPC DRAMPKI BRMPKI %STALL") NUMA},
	{"n1", "arm64:41_D0C", NO_TABLES, {&neoverse_n1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n" ARM_FRONTEND
	 "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE WHY(" IPC LLMPKI BRMPKI")},
	{"v1", "arm64:41_D40", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"n2", "arm64:41_D49_R02", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS ARM_MEMOPS
	 WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"n2 r0p3", "arm64:41_D49_R03", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS ARM_MEMOPS
	 WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"v2", "arm64:41_D4F", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS ARM_MEMOPS
	 WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"v3", "arm64:41_D84", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS PLAIN_FETCH ARM_MEMOPS E_CORE_WALKS
	 WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"n3", "arm64:41_D8E", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS PLAIN_FETCH ARM_MEMOPS E_CORE_WALKS
	 WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"ampereone", "arm64:C0_AC3", NO_TABLES, {&ampereone}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n"
	 ARM_FRONTEND TOPDOWN "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE WHY(" IPC LLMPKI BRMPKI")},
	/* An older kernel does not have the number of slots in sysfs. */
	{"ampereone, an older kernel", "arm64:C0_AC3", NO_TABLES, {&neoverse_n1}, 6,
	 GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n"
	 ARM_FRONTEND "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE WHY(" IPC LLMPKI BRMPKI")},
	{"a76", "arm64:41_D0B", NO_TABLES, {&neoverse_n1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n" ARM_FRONTEND
	 "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE WHY(" IPC LLMPKI BRMPKI")},
	{"a710", "arm64:41_D47", NO_TABLES, {&neoverse_v1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE %BEM\n"
	 ARM_FRONTEND NEOVERSE_V_FP PLAIN_SYSTEM SOFTWARE WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"x4", "arm64:41_D82", NO_TABLES, {&neoverse_v1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE %BEM\n"
	 ARM_FRONTEND NEOVERSE_V_FP PLAIN_SYSTEM SOFTWARE PLAIN_FETCH WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"a725", "arm64:41_D87", NO_TABLES, {&neoverse_v1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE %BEM\n"
	 ARM_FRONTEND NEOVERSE_V_FP PLAIN_SYSTEM SOFTWARE PLAIN_FETCH WHY(" IPC LLMPKI BRMPKI %STALL")},
	{"m1", "arm64:61_022", NO_TABLES, {&icestorm, &firestorm}, 8, GENERIC "stalls: %CPU IPC\n"
	 "frontend: %CPU IPC BRMPKI %MISP\n" "system: %CPU GHz %KERN %FAST" SCHEDULER SOFTWARE WHY(" IPC BRMPKI")},
	{"skx without counters", "x86:06_55", "skx", {NULL}, 5,
	 VIRTUAL "flops_dp: %CPU MFLOP/s FLOP/c\n" "flops_sp: %CPU MFLOP/s FLOP/c\n"
	 "fp: %CPU Minstr\n" PLAIN_SYSTEM UNCOUNTED "\n" FETCH("") "memops: %CPU SPLDPKI\n"
	 "walks: %CPU IPC %STORE\n" SIMD("") WHY("") NUMA},
	{"zen4 without counters", "x86:19_11", "amd64_fam19h_zen4", {NULL}, 5,
	 VIRTUAL "topdown: %CPU %RET %BAD %FE %BE\n" "fp: %CPU Minstr\n" PLAIN_SYSTEM UNCOUNTED "\n"
	 FETCH("") "memops: %CPU SPLDPKI\n" STORE_WALKS SIMD("") WHY("") NUMA},
	{"no CPU that is known", "other:", NO_TABLES, {&intel_old}, 4, GENERIC PLAIN_FRONTEND PLAIN_SYSTEM SOFTWARE
	 WHY(" IPC BRMPKI")},
};
/* clang-format on */

#endif
