/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of presets: floating point, how much, how wide, and what makes it slow.
 *
 * Intel counts instructions by precision and width, so that FLOPs are a sum with weights: the elements of a vector; a
 * multiply-add is counted twice by the CPU itself. Four events are all that Skylake counts at a time: hence a screen
 * for each precision. AMD counts FLOPs of all precisions in one event, which takes two counters; Arm in two.
 *
 * Sources as in presets_today.c; FP_ARITH_INST_RETIRED is 0xc7: scalar double 0x01, single 0x02; packed double of 128
 * bits 0x04, 256 0x10, 512 0x40, single 0x08, 0x20, 0x80. perfmon's skylakex_core.json of 8_FLOPS is not to be trusted.
 */
#include "screen/preset.h"

#define WITH_AVX512 PRESET_SKYLAKE_SERVER ";" PRESET_ICE_LAKE ";" PRESET_SAPPHIRE_RAPIDS
#define ALL_P_CORES PRESET_SKYLAKE_CLIENT ";" WITH_AVX512
#define KNOWN_INTEL PRESET_NEHALEM ";" PRESET_UP_TO_BROADWELL ";" ALL_P_CORES ";" PRESET_ALDER_LAKE ";" PRESET_GRACEMONT
#define NEEDS                                                                                                          \
	"its events are known for Intel from Broadwell to Emerald Rapids and Raptor Lake; "                            \
	"for AMD and Arm, FLOP/s are on the screen fp"

/* Sums of instructions x elements. */
#define FLOPS_DP(f)    f "(scalar) + 2 * " f "(p128) + 4 * " f "(p256)"
#define FLOPS_DP512(f) FLOPS_DP(f) " + 8 * " f "(p512)"
#define FLOPS_SP(f)    f "(scalar) + 4 * " f "(p128) + 8 * " f "(p256)"
#define FLOPS_SP512(f) FLOPS_SP(f) " + 16 * " f "(p512)"

/* clang-format off */
/* The columns of both screens, each with AVX-512 and without: 10^6 FLOP / s, as Intel's Info_System_GFLOPs; FLOP /
 * cycles, a pure number, as Info_Core_FLOPc; 100 x FLOP of packed instructions / FLOP, in %. */
#define FLOPS_COLUMNS(what, sum512, sum) \
	PRESET_CPU, \
	PRESET_IPC, \
	{"MFLOP/s", "%7.1f", what " operations (millions per second)", "(" sum512("rate") ") / 1e6", true}, \
	{"MFLOP/s", "%7.1f", what " operations (millions per second)", "(" sum("rate") ") / 1e6", false}, \
	{"FLOP/c", "%6.2f", what " operations (per cycle)", "(" sum512("delta") ") / delta(cycle)", true}, \
	{"FLOP/c", "%6.2f", what " operations (per cycle)", "(" sum("delta") ") / delta(cycle)", false}, \
	{" %VEC", "%5.1f", "Those by vector instructions (% of these operations)", \
	 "100 * (1 - delta(scalar) / (" sum512("delta") "))", true}, \
	{" %VEC", "%5.1f", "Those by vector instructions (% of these operations)", \
	 "100 * (1 - delta(scalar) / (" sum("delta") "))", false}

const struct preset preset_flops_dp = {
	.name = "flops_dp", .desc = "Floating-point operations of double precision",
	.needs = NEEDS,
	.counter = {
		{"cycle", "cycles", NULL, NULL},
		{"instr", "instructions", NULL, NULL},
		{"scalar", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "x86", NULL},
		{"scalar", "r1c7", "x86", ALL_P_CORES},
		{"scalar", "cpu_core/event=0xc7,umask=0x01/", "x86", PRESET_ALDER_LAKE},
		{"p128", "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", "x86", NULL},
		{"p128", "r4c7", "x86", ALL_P_CORES},
		{"p128", "cpu_core/event=0xc7,umask=0x04/", "x86", PRESET_ALDER_LAKE},
		{"p256", "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", "x86", NULL},
		{"p256", "r10c7", "x86", ALL_P_CORES},
		{"p256", "cpu_core/event=0xc7,umask=0x10/", "x86", PRESET_ALDER_LAKE},
		{"p512", "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE; r40c7", "x86", WITH_AVX512},
	},
	.column = {
		FLOPS_COLUMNS("Double-precision", FLOPS_DP512, FLOPS_DP),
	},
};

const struct preset preset_flops_sp = {
	.name = "flops_sp", .desc = "Floating-point operations of single precision",
	.needs = NEEDS,
	.counter = {
		{"cycle", "cycles", NULL, NULL},
		{"instr", "instructions", NULL, NULL},
		{"scalar", "FP_ARITH_INST_RETIRED:SCALAR_SINGLE", "x86", NULL},
		{"scalar", "r2c7", "x86", ALL_P_CORES},
		{"scalar", "cpu_core/event=0xc7,umask=0x02/", "x86", PRESET_ALDER_LAKE},
		{"p128", "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", "x86", NULL},
		{"p128", "r8c7", "x86", ALL_P_CORES},
		{"p128", "cpu_core/event=0xc7,umask=0x08/", "x86", PRESET_ALDER_LAKE},
		{"p256", "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", "x86", NULL},
		{"p256", "r20c7", "x86", ALL_P_CORES},
		{"p256", "cpu_core/event=0xc7,umask=0x20/", "x86", PRESET_ALDER_LAKE},
		{"p512", "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE; r80c7", "x86", WITH_AVX512},
	},
	.column = {
		FLOPS_COLUMNS("Single-precision", FLOPS_SP512, FLOPS_SP),
	},
};

const struct preset preset_fp = {
	.name = "fp", .desc = "Floating point: operations, vectors, and the assists that make it slow",
	.needs = "its events are known for Intel from Nehalem to Emerald Rapids and Raptor Lake, AMD Zen 2 to 5 and "
		 "Arm Neoverse",
	.counter = {
		{"instr", "instructions", "x86", KNOWN_INTEL ";" PRESET_ZEN_2_TO_5},
		{"instr", "instructions", "arm64", PRESET_NEOVERSE},
		/* AMD from Zen 4 on and Arm have no counter left for it */
		{"cycle", "cycles", "x86", PRESET_INTEL ";" PRESET_ZEN_2 ";" PRESET_ZEN_3},
		/* AMD: fp_ret_sse_avx_ops.all */
		{"flop", "RETIRED_SSE_AVX_FLOPS:ANY", "x86", PRESET_ZEN_2 ";" PRESET_ZEN_3 ";" PRESET_ZEN_4},
		{"flop", "rf03", "x86", PRESET_ZEN_2 ";" PRESET_ZEN_3 ";" PRESET_ZEN_5},
		{"flop", "r1f03", "x86", PRESET_ZEN_4},
		/* Arm: FP_FIXED_OPS_SPEC, and FP_SCALE_OPS_SPEC for each 128 bits of an SVE vector, which has 256 on
		 * V1 */
		{"fixed", "r80c1", "arm64", PRESET_NEOVERSE_V1 ";" PRESET_NEOVERSE_N2 ";" PRESET_NEOVERSE_V2},
		{"scale256", "r80c0", "arm64", PRESET_NEOVERSE_V1},
		{"scale128", "r80c0", "arm64", PRESET_NEOVERSE_N2 ";" PRESET_NEOVERSE_V2},
		/* Intel: FP_ARITH_INST_RETIRED.SCALAR and .VECTOR, the sums of the umasks above */
		{"scalar", "FP_ARITH_INST_RETIRED:SCALAR",
		 "x86", PRESET_SKYLAKE ";" PRESET_ICE_LAKE ";" PRESET_SAPPHIRE_RAPIDS},
		{"scalar", "r3c7", "x86", ALL_P_CORES},
		{"scalar", "cpu_core/event=0xc7,umask=0x03/", "x86", PRESET_ALDER_LAKE},
		{"vector", "FP_ARITH_INST_RETIRED:VECTOR", "x86", PRESET_ICE_LAKE ";" PRESET_SAPPHIRE_RAPIDS},
		{"vector", "r3cc7", "x86", PRESET_SKYLAKE_CLIENT},
		{"vector", "rfcc7", "x86", WITH_AVX512},
		{"vector", "cpu_core/event=0xc7,umask=0x3c/", "x86", PRESET_ALDER_LAKE},
		/* AMD: fp_ops_retired_by_width, of scalars, and of vectors of 128, 256 and 512 bits */
		{"scalar", "r408", "x86", PRESET_ZEN_4 ";" PRESET_ZEN_5},
		{"vector", "r3808", "x86", PRESET_ZEN_4 ";" PRESET_ZEN_5},
		/* Arm: VFP_SPEC, ASE_SPEC and SVE_INST_SPEC */
		{"vfp", "r75", "arm64", PRESET_NEOVERSE},
		{"ase", "r74", "arm64", PRESET_NEOVERSE},
		{"sve", "r8006", "arm64", PRESET_NEOVERSE_V1 ";" PRESET_NEOVERSE_N2 ";" PRESET_NEOVERSE_V2},
		/* Intel: ASSISTS.FP from Ice Lake on; FP_ASSIST.ANY from Sandy Bridge to Skylake, which needs a
		 * counter mask of 1 and so counts cycles with assists; FP_ASSIST.ALL on Nehalem;
		 * MACHINE_CLEARS.FP_ASSIST on efficiency cores */
		{"assist", "ASSISTS:FP; FP_ASSIST:ANY; FP_ASSIST:ALL", "x86", PRESET_INTEL},
		{"assist", "r2c1", "x86", PRESET_ICE_LAKE ";" PRESET_SAPPHIRE_RAPIDS},
		{"assist", "r1001eca", "x86", PRESET_SANDY_BRIDGE ";" PRESET_SKYLAKE},
		{"assist", "r1f7", "x86", PRESET_NEHALEM},
		{"assist", "cpu_core/event=0xc1,umask=0x02/; cpu_atom/event=0xc3,umask=0x04/",
		 "x86", PRESET_ALDER_LAKE},
		{"assist", "r4c3", "x86", PRESET_GRACEMONT},
	},
	.column = {
		PRESET_CPU,
		PRESET_MINSTR,
		PRESET_IPC_WHERE(true),
		/* 10^6 FLOP / s. AMD: of SSE and AVX, a multiply-add is two. Arm's fp_ops_per_cycle, per second */
		{"MFLOP/s", "%7.1f", "Floating-point operations of all precisions (millions per second)",
		 "rate(flop) / 1e6", true},
		{"MFLOP/s", "%7.1f", "Floating-point operations of all precisions, on wrong paths, too (millions per "
		 "second)",
		 "(2 * rate(scale256) + rate(fixed)) / 1e6", true},
		{"MFLOP/s", "%7.1f", "Floating-point operations of all precisions, on wrong paths, too (millions per "
		 "second)",
		 "(rate(scale128) + rate(fixed)) / 1e6", true},
		/* 100 x instructions / instructions; AMD counts operations, of which an instruction may have several */
		{"  %FP", "%5.1f", "Floating-point arithmetic, scalar and vector (per 100 instructions)",
		 "100 * (delta(scalar) + delta(vector)) / delta(instr)", true},
		/* 100 x vector instructions / floating-point instructions: % */
		{" %VEC", "%5.1f", "The part of it that works on vectors (% of the floating-point arithmetic)",
		 "100 * delta(vector) / (delta(scalar) + delta(vector))", true},
		/* 100 x operations / instructions. Arm's scalar_fp_percentage and the like, which divide by
		 * INST_SPEC */
		{" %VFP", "%5.1f", "Scalar floating point, on wrong paths, too (per 100 instructions)",
		 "100 * delta(vfp) / delta(instr)", true},
		{" %ASE", "%5.1f", "Advanced SIMD, integers, too, and on wrong paths (per 100 instructions)",
		 "100 * delta(ase) / delta(instr)", true},
		{" %SVE", "%5.1f", "SVE, integers, too, and on wrong paths (per 100 instructions)",
		 "100 * delta(sve) / delta(instr)", true},
		/* 100 x assists / instructions: see the screen FP */
		{" %assist", "%8.2f", "Operations that needed microcode, from Sandy Bridge to Skylake cycles with such "
		 "(per 100 instructions)", "100 * delta(assist) / delta(instr)", true},
	},
};
/* clang-format on */
