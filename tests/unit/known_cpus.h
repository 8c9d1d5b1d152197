/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_cpus - CPUs with what their kernel describes, the built-in screens that they are to show,
 * and the codes of the events that are to be opened: umask << 8 | event, cmask << 24, as the
 * vendors' manuals have them.
 */
#ifndef TESTS_KNOWN_CPUS_H
#define TESTS_KNOWN_CPUS_H

#include <linux/perf_event.h>
#include <stdint.h>

/* What libpfm4 is forced to where it has no tables of the CPU: the names of the
 * kernel's own events. */
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
	"events/l1d_cache_refill event=0x0003\n" \
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
static const struct pmu_files skymont_alone = {"cpu", X86_FILES SKYMONT_TOPDOWN};
static const struct pmu_files gracemont_alone = {"cpu", X86_FILES ATOM_TOPDOWN};
static const struct pmu_files zen = {"cpu",
	"type 4\n"
	"format/event config:0-7,32-35\n"
	"format/umask config:8-15\n"};
static const struct pmu_files neoverse_n1 = {"armv8_pmuv3_0", ARM_FILES};
static const struct pmu_files neoverse_v1 = {"armv8_pmuv3_0", ARM_FILES
	"events/op_retired event=0x003a\n"
	"events/op_spec event=0x003b\n"
	"events/stall_slot_backend event=0x003d\n"
	"events/stall_slot_frontend event=0x003e\n"
	"events/stall_slot event=0x003f\n"
	"events/stall_backend_mem event=0x4005\n"};

/* The screens that are shown, with their columns; those that are hidden are not among them. */
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
	"software: %CPU %SYS P VCSW/s NVCSW/s MIGR/s MINFL/s MAJFL/s WAITms/s\n" \
	"tasks: USER S %CPU RES %MEM TIME+"
#define SOFTWARE       UNCOUNTED " IPC\n"
#define INTEL_MEMOPS   "memops: %CPU SPLDPKI SPSTPKI LOCKPKI\n"
#define SERVER_MEMOPS  "memops: %CPU SPLDPKI SPSTPKI LOCKPKI FARPKI\n"
#define ZEN_4_MEMOPS   "memops: %CPU SPLDPKI PGLDPKI\n"
#define ZEN_5_MEMOPS   "memops: %CPU SPLDPKI PGLDPKI FARPKI\n"
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
#define ICE_LAKE_SCREENS \
	GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND TOPDOWN INTEL_FLOPS INTEL_FP INTEL_SYSTEM SOFTWARE
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

static const struct machine_case {
	const char *name, *cpu;
	const char *tables; /* of libpfm4 */
	const struct pmu_files *pmu[2]; /* none: the CPU is known, but has no counters at all */
	/* Counters that a task can have at a time, beside those for instructions and reference cycles and the slots; on
	 * Skylake servers one more than there are where the watchdog is on. */
	int room;
	const char *screens;
} case_table[] = {
	{"nhm", "x86:06_1A", "nhm", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSES %SSED", "uPI macrof")
	 INTEL_FRONTEND ASSISTS INTEL_SYSTEM SOFTWARE},
	{"snb", "x86:06_2A", "snb", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSED", "uPI") INTEL_FRONTEND
	 ASSISTS INTEL_SYSTEM SOFTWARE},
	{"snb-ep", "x86:06_2D", "snb_ep", {&intel_old}, 4, GENERIC NEHALEM_SCREENS("%x87 %SSED", "uPI") INTEL_FRONTEND
	 ASSISTS INTEL_SYSTEM SOFTWARE},
	{"hsw", "x86:06_3C", "hsw", {&skylake}, 4, GENERIC INTEL_MEMORY INTEL_FRONTEND ASSISTS INTEL_SYSTEM SOFTWARE},
	{"ivb", "x86:06_3A", "ivb", {&skylake}, 4, GENERIC INTEL_MEMORY L2_STALLS INTEL_FRONTEND ASSISTS INTEL_SYSTEM
	 SOFTWARE},
	{"bdw", "x86:06_3D", "bdw", {&skylake}, 4, GENERIC INTEL_MEMORY L2_STALLS INTEL_FRONTEND INTEL_FLOPS INTEL_FP
	 INTEL_SYSTEM SOFTWARE},
	{"skl", "x86:06_9E", "skl", {&skylake}, 4, SKYLAKE_SCREENS INTEL_MEMOPS},
	{"skx", "x86:06_55", "skx", {&skylake}, 5, SKYLAKE_SCREENS SERVER_MEMOPS},
	{"icl", "x86:06_7E", "icl", {&ice_lake}, 5,
	 ICE_LAKE_SCREENS FETCH(" INDMPKI %OPCACHE") INTEL_MEMOPS},
	{"rkl, unknown to libpfm4", "x86:06_A7", NO_TABLES, {&ice_lake}, 5,
	 ICE_LAKE_SCREENS FETCH(" INDMPKI %OPCACHE") INTEL_MEMOPS},
	{"spr", "x86:06_8F", "spr", {&ice_lake}, 5,
	 ICE_LAKE_SCREENS OPCACHE_FETCH SERVER_MEMOPS},
	{"emr, unknown to libpfm4", "x86:06_CF", NO_TABLES, {&ice_lake}, 5,
	 ICE_LAKE_SCREENS OPCACHE_FETCH SERVER_MEMOPS},
	{"gnr", "x86:06_AD", NO_TABLES, {&ice_lake}, 5, ICE_LAKE_SCREENS PLAIN_FETCH SERVER_MEMOPS},
	{"adl", "x86:06_97", NO_TABLES, {&gracemont, &golden_cove}, 5, GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE},
	{"mtl", "x86:06_AA", NO_TABLES, {&crestmont, &golden_cove}, 5, GENERIC INTEL_MEMORY P_CORE_STALLS INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE},
	/* A Lion Cove has ten counters. */
	{"lnl", "x86:06_BD", NO_TABLES, {&skymont, &golden_cove}, 8, GENERIC INTEL_MEMORY
	 "stalls: %CPU IPC %NOEX %INL1 %L1 %L3\n" INTEL_FRONTEND
	 TOPDOWN INTEL_FLOPS INTEL_FP "system: %CPU GHz TURBO %KERN %FAST" SCHEDULER SOFTWARE
	 INTEL_MEMOPS},
	{"adl-n", "x86:06_BE", NO_TABLES, {&gracemont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN ASSISTS
	 INTEL_SYSTEM SOFTWARE},
	{"tmt", "x86:06_9C", NO_TABLES, {&gracemont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN ASSISTS
	 INTEL_SYSTEM SOFTWARE},
	{"srf", "x86:06_AF", NO_TABLES, {&crestmont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN E_CORE_FLOPS
	 INTEL_SYSTEM SOFTWARE},
	{"cwf", "x86:06_DD", NO_TABLES, {&skymont_alone}, 5, GENERIC INTEL_MEMORY INTEL_FRONTEND TOPDOWN E_CORE_FLOPS
	 INTEL_SYSTEM SOFTWARE},
	{"an Intel to come", "x86:06_FE", NO_TABLES, {&ice_lake}, 4, GENERIC "frontend: %CPU IPC BRMPKI %MISP\n" TOPDOWN
	 INTEL_SYSTEM SOFTWARE},
	{"zen1", "x86:17_01", "amd64_fam17h_zen1", {&zen}, 5, GENERIC "memory: %CPU L1MPKI L2MPKI dTLBPKI\n"
	 "frontend: %CPU IPC BRMPKI iTLBPKI\n" "flops_dp: %CPU IPC MFLOP/s FLOP/c\n"
	 "flops_sp: %CPU IPC MFLOP/s FLOP/c\n" "fp: %CPU Minstr IPC MFLOP/s\n" PLAIN_SYSTEM SOFTWARE
	 PLAIN_FETCH},
	{"zen2", "x86:17_31", "amd64_fam17h_zen2", {&zen}, 5, ZEN_2_SCREENS OPCACHE_FETCH},
	{"zen3", "x86:19_01", "amd64_fam19h_zen3", {&zen}, 5, ZEN_2_SCREENS PLAIN_FETCH},
	{"zen4", "x86:19_11", "amd64_fam19h_zen4", {&zen}, 5, ZEN_4_SCREENS ZEN_4_MEMOPS},
	{"zen4, another model", "x86:19_61", NO_TABLES, {&zen}, 5, ZEN_4_SCREENS ZEN_4_MEMOPS},
	{"zen5", "x86:1A_02", NO_TABLES, {&zen}, 5, ZEN_5_SCREENS ZEN_5_MEMOPS},
	{"zen6", "x86:1A_50", NO_TABLES, {&zen}, 5, ZEN_4_SCREENS ZEN_5_MEMOPS},
	{"n1", "arm64:41_D0C", NO_TABLES, {&neoverse_n1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n" ARM_FRONTEND
	 "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE},
	{"v1", "arm64:41_D40", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"n2", "arm64:41_D49_R02", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"n2 r0p3", "arm64:41_D49_R03", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"v2", "arm64:41_D4F", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"v3", "arm64:41_D84", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"n3", "arm64:41_D8E", NO_TABLES, {&neoverse_v1}, 6, NEOVERSE_V_SCREENS},
	{"ampereone", "arm64:C0_AC3", NO_TABLES, {&neoverse_n1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n"
	 ARM_FRONTEND "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE},
	{"a76", "arm64:41_D0B", NO_TABLES, {&neoverse_n1}, 6, GENERIC ARM_MEMORY "stalls: %CPU IPC %BE\n" ARM_FRONTEND
	 "fp: %CPU Minstr %VFP %ASE\n" PLAIN_SYSTEM SOFTWARE},
	{"skx without counters", "x86:06_55", "skx", {NULL}, 5,
	 VIRTUAL "flops_dp: %CPU MFLOP/s FLOP/c\n" "flops_sp: %CPU MFLOP/s FLOP/c\n"
	 "fp: %CPU Minstr\n" PLAIN_SYSTEM UNCOUNTED "\n" FETCH("") "memops: %CPU SPLDPKI\n"},
	{"zen4 without counters", "x86:19_11", "amd64_fam19h_zen4", {NULL}, 5,
	 VIRTUAL "topdown: %CPU %RET %BAD %FE %BE\n" "fp: %CPU Minstr\n" PLAIN_SYSTEM UNCOUNTED "\n"
	 FETCH("") "memops: %CPU SPLDPKI\n"},
	{"no CPU that is known", "other:", NO_TABLES, {&intel_old}, 4, GENERIC PLAIN_FRONTEND PLAIN_SYSTEM SOFTWARE},
};

/* The codes of the vendors: of a hybrid machine behind '@' the PMU. */
static const struct {
	const char *cpu, *event;
	uint32_t type;
	uint64_t config;
} code_table[] = {
	{"nhm", "fp.assist", 4, 0x1f7},
	{"nhm", "frontend.itlb", 4, 0x285},
	{"nhm", "mem.l3_miss", 4, 0x10cb},
	{"nhm", "default.cycle", 0, 0},
	{"snb", "fp.assist", 4, 0x1001eca},
	{"snb", "uOps.uop", 4, 0x1c2},
	{"snb", "mem.l3_miss", 4, 0x2d4},
	{"snb-ep", "mem.l3_miss", 4, 0x20d1},
	{"hsw", "memory.l1", 4, 0x8d1},
	{"hsw", "memory.dtlb", 4, 0xe08},
	{"ivb", "stalls.exec", 4, 0x40004a3},
	{"ivb", "stalls.l2", 4, 0x50005a3},
	{"bdw", "stalls.l2", 4, 0x50005a3},
	{"bdw", "fp.scalar", 4, 0x3c7},
	{"bdw", "fp.vector", 4, 0x3cc7},
	{"bdw", "fp.assist", 4, 0x1001eca},
	{"bdw", "flops_dp.p256", 4, 0x10c7},
	{"skl", "memory.l1", 4, 0x8d1},
	{"skl", "memory.l2", 4, 0x10d1},
	{"skl", "memory.l3", 4, 0x20d1},
	{"skl", "memory.dtlb", 4, 0xe08},
	{"skl", "stalls.exec", 4, 0x40004a3},
	{"skl", "stalls.l1", 4, 0xc000ca3},
	{"skl", "stalls.l3", 4, 0x60006a3},
	{"skl", "frontend.itlb", 4, 0xe85},
	{"skl", "frontend.branch", 0, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"skl", "flops_dp.scalar", 4, 0x1c7},
	{"skl", "flops_dp.p128", 4, 0x4c7},
	{"skl", "flops_dp.p256", 4, 0x10c7},
	{"skl", "flops_sp.scalar", 4, 0x2c7},
	{"skl", "flops_sp.p128", 4, 0x8c7},
	{"skl", "flops_sp.p256", 4, 0x20c7},
	{"skl", "fp.scalar", 4, 0x3c7},
	{"skl", "fp.vector", 4, 0x3cc7},
	{"skl", "fp.assist", 4, 0x1001eca},
	{"skl", "system.ref_u", 0, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"skx", "flops_dp.p512", 4, 0x40c7},
	{"skx", "flops_sp.p512", 4, 0x80c7},
	{"skx", "fp.vector", 4, 0xfcc7},
	{"icl", "fp.assist", 4, 0x2c1},
	{"icl", "fp.vector", 4, 0xfcc7},
	{"icl", "stalls.l3", 4, 0x60006a3},
	{"icl", "memory.dtlb", 4, 0xe08},
	{"icl", "topdown.slots", 4, 0x400},
	{"icl", "topdown.ret", 4, 0x8000},
	{"icl", "topdown.bad", 4, 0x8100},
	{"icl", "topdown.fe", 4, 0x8200},
	{"icl", "topdown.be", 4, 0x8300},
	{"icl", "topdown.clears", 4, 0x104010d},
	{"icl", "topdown.dropped", 4, 0x100d},
	{"spr", "topdown.dropped", 4, 0x10ad},
	{"skl", "fetch.op_cache", 4, 0x879},
	{"skl", "memops.split_ld", 4, 0x41d0},
	{"spr", "memops.split_st", 4, 0x42d0},
	{"icl", "memops.lock", 4, 0x21d0},
	{"gnr", "memops.far", 4, 0x2d3},
	{"zen4", "memops.split_ld", 4, 0x147},
	{"zen4", "memops.page_ld", 4, 0x247},
	{"zen5", "memops.far", 4, 0x5044},
	{"skl", "fetch.decoder", 4, 0x479},
	{"icl", "fetch.ind_miss", 4, 0x80c5},
	{"gnr", "fetch.ret_miss", 4, 0x8c5},
	{"zen1", "fetch.ret_miss", 4, 0xc9},
	{"zen3", "fetch.ind_miss", 4, 0xca},
	{"zen2", "fetch.op_cache", 4, 0x2aa},
	{"zen5", "fetch.decoder", 4, 0x1aa},
	{"rkl, unknown to libpfm4", "fp.assist", 4, 0x2c1},
	{"rkl, unknown to libpfm4", "memory.l3", 4, 0x20d1},
	{"rkl, unknown to libpfm4", "flops_dp.p512", 4, 0x40c7},
	{"spr", "fp.assist", 4, 0x2c1},
	{"spr", "memory.dtlb", 4, 0xe12},
	{"spr", "frontend.itlb", 4, 0xe11},
	{"spr", "stalls.l1", 4, 0x3000347},
	{"spr", "stalls.l3", 4, 0x9000947},
	{"emr, unknown to libpfm4", "memory.dtlb", 4, 0xe12},
	{"emr, unknown to libpfm4", "frontend.itlb", 4, 0xe11},
	{"emr, unknown to libpfm4", "stalls.l3", 4, 0x9000947},
	{"gnr", "memory.l3", 4, 0x20d1},
	{"gnr", "memory.dtlb", 4, 0xe12},
	{"gnr", "frontend.itlb", 4, 0xe11},
	{"gnr", "stalls.l3", 4, 0x9000947},
	{"gnr", "flops_dp.p512", 4, 0x40c7},
	{"gnr", "fp.vector", 4, 0xfcc7},
	{"gnr", "topdown.dropped", 4, 0x10ad},
	{"mtl", "memory.l3@cpu_core", 4, 0x20d1},
	{"mtl", "memory.dtlb@cpu_core", 4, 0xe12},
	{"mtl", "fp.vector@cpu_core", 4, 0x3cc7},
	{"adl", "memory.l1@cpu_core", 4, 0x8d1},
	{"adl", "memory.l1@cpu_atom", 10, 0x8d1},
	{"adl", "memory.l3@cpu_core", 4, 0x20d1},
	{"adl", "memory.l3@cpu_atom", 10, 0x80d1},
	{"adl", "memory.dtlb@cpu_core", 4, 0xe12},
	{"adl", "memory.dtlb@cpu_atom", 10, 0xe08},
	{"adl", "memory.instr@cpu_core", 0, 4ull << 32 | 1},
	{"adl", "memory.instr@cpu_atom", 0, 10ull << 32 | 1},
	{"adl", "frontend.itlb@cpu_core", 4, 0xe11},
	{"adl", "frontend.itlb@cpu_atom", 10, 0xe85},
	{"adl", "stalls.l3@cpu_core", 4, 0x9000947},
	{"adl", "fp.assist@cpu_core", 4, 0x2c1},
	{"adl", "fp.assist@cpu_atom", 10, 0x4c3},
	{"adl", "topdown.slots@cpu_core", 4, 0x400},
	{"adl", "topdown.slots@cpu_atom", 10, 0x3c},
	{"adl", "topdown.ret@cpu_core", 4, 0x8000},
	{"adl", "topdown.ret@cpu_atom", 10, 0xc2},
	{"adl", "topdown.bad@cpu_atom", 10, 0x73},
	{"adl", "topdown.fe@cpu_atom", 10, 0x71},
	{"adl", "topdown.be@cpu_atom", 10, 0x74},
	{"adl-n", "memory.l3", 4, 0x80d1},
	{"adl-n", "fp.assist", 4, 0x4c3},
	{"mtl", "memory.l1@cpu_atom", 10, 0x40d1},
	{"mtl", "memory.l2@cpu_atom", 10, 0x80d1},
	{"mtl", "memory.dtlb@cpu_atom", 10, 0xe08},
	{"mtl", "frontend.itlb@cpu_atom", 10, 0xe85},
	{"mtl", "fp.assist@cpu_atom", 10, 0x4c3},
	{"mtl", "topdown.ret@cpu_atom", 10, 0x72},
	{"lnl", "memory.l1@cpu_core", 4, 0x8d1},
	{"lnl", "memory.l3@cpu_core", 4, 0x20d1},
	{"lnl", "memory.l3@cpu_atom", 10, 0x1d3},
	{"lnl", "memory.dtlb@cpu_core", 4, 0xe12},
	{"lnl", "frontend.itlb@cpu_core", 4, 0xe11},
	{"lnl", "stalls.exec@cpu_core", 4, 0x40004a3},
	{"lnl", "stalls.wait_l1@cpu_core", 4, 0x146},
	{"lnl", "stalls.wait_l2@cpu_core", 4, 0x246},
	{"lnl", "stalls.wait_l3@cpu_core", 4, 0x446},
	{"lnl", "stalls.l3@cpu_core", 4, 0x846},
	{"lnl", "fp.assist@cpu_core", 4, 0x2c1},
	{"lnl", "fp.assist@cpu_atom", 10, 0x4c3},
	{"lnl", "fp.vector@cpu_core", 4, 0x3cc7},
	{"lnl", "flops_sp.p256@cpu_core", 4, 0x20c7},
	{"tmt", "memory.l1", 4, 0x8d1},
	{"tmt", "memory.l3", 4, 0x80d1},
	{"tmt", "memory.dtlb", 4, 0xe08},
	{"tmt", "frontend.itlb", 4, 0xe85},
	{"tmt", "fp.assist", 4, 0x4c3},
	{"srf", "memory.l1", 4, 0x40d1},
	{"srf", "memory.l2", 4, 0x80d1},
	{"srf", "memory.l3", 4, 0x1d3},
	{"srf", "flops_dp.flop", 4, 0x1c8},
	{"srf", "flops_sp.flop", 4, 0x2c8},
	{"srf", "fp.flop_e", 4, 0x3c8},
	{"srf", "topdown.cycle_6", 0, 0},
	{"cwf", "memory.l3", 4, 0x1d3},
	{"cwf", "topdown.fe", 4, 0x19c},
	{"cwf", "topdown.ret", 4, 0x2c2},
	{"cwf", "topdown.be", 4, 0x2a4},
	{"cwf", "topdown.cycle_8", 0, 0},
	{"zen1", "memory.l1", 4, 0xc860},
	{"zen1", "memory.l2", 4, 0x964},
	{"zen1", "memory.dtlb", 4, 0xf045},
	{"zen1", "frontend.itlb", 4, 0x785},
	{"zen1", "flops_dp.flop", 4, 0xf003},
	{"zen1", "flops_sp.flop", 4, 0xf03},
	{"zen1", "fp.flop", 4, 0xff03},
	{"zen2", "memory.l1", 4, 0xc860},
	{"zen2", "memory.l2", 4, 0x964},
	{"zen2", "memory.dram", 4, 0x4843},
	{"zen2", "memory.dtlb", 4, 0xf045},
	{"zen2", "frontend.itlb", 4, 0x785},
	{"zen2", "frontend.fe", 4, 0xa9},
	{"zen2", "fp.flop", 4, 0xf03},
	{"zen3", "memory.l1", 4, 0xff44},
	{"zen3", "memory.l2", 4, 0x964},
	{"zen3", "memory.dram", 4, 0x4844},
	{"zen3", "frontend.itlb", 4, 0xf85},
	{"zen3", "fp.flop", 4, 0xf03},
	{"zen4", "memory.l1", 4, 0xff44},
	{"zen4", "memory.l2", 4, 0x964},
	{"zen4", "memory.dram", 4, 0x4844},
	{"zen4", "stalls.noret", 4, 0x1bd6},
	{"zen4", "stalls.load", 4, 0xa2d6},
	{"zen4", "frontend.fe", 4, 0xa9},
	{"zen4", "topdown.idle_fe", 4, 0x1000001a0},
	{"zen4", "topdown.idle_be", 4, 0x100001ea0},
	{"zen4", "topdown.issued", 4, 0x7aa},
	{"zen4", "topdown.retired", 4, 0xc1},
	{"zen4", "topdown.cycle_zen4", 0, 0},
	{"zen4", "fp.flop", 4, 0x1f03},
	{"zen4", "fp.scalar", 4, 0x408},
	{"zen4", "fp.vector", 4, 0x3808},
	{"zen4, another model", "fp.flop", 4, 0x1f03},
	{"zen4, another model", "topdown.idle_be", 4, 0x100001ea0},
	{"zen5", "memory.dram", 4, 0x4844},
	{"zen5", "stalls.load", 4, 0xa2d6},
	{"zen5", "memory.dtlb", 4, 0xf045},
	{"zen5", "flops_dp.flop_scalar", 4, 0x8003},
	{"zen5", "flops_dp.flop_packed", 4, 0xa003},
	{"zen5", "flops_sp.flop_scalar", 4, 0x4003},
	{"zen5", "flops_sp.flop_packed", 4, 0x6003},
	{"zen5", "topdown.idle_fe", 4, 0x1000001a0},
	{"zen5", "topdown.retired", 4, 0xc1},
	{"zen5", "topdown.cycle_zen5", 0, 0},
	{"zen5", "fp.flop", 4, 0xf03},
	{"zen6", "memory.l1", 4, 0xff44},
	{"zen6", "memory.l2", 4, 0x964},
	{"zen6", "memory.dram", 4, 0x4844},
	{"zen6", "memory.dtlb", 4, 0xf045},
	{"zen6", "frontend.itlb", 4, 0xf85},
	{"zen6", "stalls.load", 4, 0xa2d6},
	{"zen6", "topdown.idle_be", 4, 0x100001ea0},
	{"zen6", "topdown.issued", 4, 0x7aa},
	{"zen6", "topdown.cycle_zen5", 0, 0},
	{"zen6", "fp.flop", 4, 0xf03},
	{"zen6", "fp.vector", 4, 0x3808},
	{"n1", "memory.l1", 8, 0x3},
	{"n1", "memory.l2", 8, 0x17},
	{"n1", "memory.ll", 8, 0x37},
	{"n1", "memory.dtlb", 8, 0x34},
	{"n1", "frontend.branch", 8, 0x21},
	{"n1", "frontend.br_miss", 8, 0x22},
	{"n1", "frontend.itlb", 8, 0x35},
	{"n1", "frontend.fe", 8, 0x23},
	{"n1", "stalls.be", 8, 0x24},
	{"n1", "fp.vfp", 4, 0x75},
	{"n1", "fp.ase", 4, 0x74},
	{"v1", "stalls.mem", 8, 0x4005},
	{"v1", "fp.scale256", 4, 0x80c0},
	{"v1", "fp.fixed", 4, 0x80c1},
	{"v1", "fp.sve", 4, 0x8006},
	{"v1", "topdown.slot", 8, 0x3f},
	{"v1", "topdown.slot_fe", 8, 0x3e},
	{"v1", "topdown.slot_be", 8, 0x3d},
	{"v1", "topdown.op_retired", 8, 0x3a},
	{"v1", "topdown.op_spec", 8, 0x3b},
	{"n2", "fp.scale128", 4, 0x80c0},
	{"v1", "topdown.cycle_v1", 0, 0},
	{"v1", "topdown.mispredicted", 4, 0x10},
	{"n2", "topdown.cycle_n2r0p2", 0, 0},
	{"n2 r0p3", "topdown.cycle_n2", 0, 0},
	{"n2 r0p3", "topdown.mispredicted", 4, 0x10},
	{"v2", "topdown.cycle_v2", 0, 0},
	{"v3", "topdown.cycle_v3", 0, 0},
	{"v3", "topdown.flush", 4, 0x8162},
	{"v3", "fp.scale128", 4, 0x80c0},
	{"n3", "topdown.cycle_n3", 0, 0},
	{"ampereone", "fp.vfp", 4, 0x75},
	{"a76", "fp.ase", 4, 0x74},
};

/* clang-format on */

#endif
