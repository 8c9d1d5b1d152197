/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of presets: screens of tiptop 2.3.1 for Nehalem, Westmere and Sandy Bridge. Events by their codes (umask << 8 |
 * event), from the Intel SDM, volume 3, "Performance Monitoring Events"; each agrees with libpfm4's tables (nhm, wsm,
 * snb).
 */
#include "screen/preset.h"

#define NEHALEM      "x86", PRESET_NEHALEM
#define SANDY_BRIDGE "x86", PRESET_SANDY_BRIDGE
#define BOTH         "x86", PRESET_NEHALEM ";" PRESET_SANDY_BRIDGE
#define NEEDS        "it is for Intel Nehalem, Westmere and Sandy Bridge only"

/* clang-format off */
const struct preset preset_table_intel[] = {
	{
		.name = "imix", .desc = "Instruction mix", .needs = NEEDS,
		.counter = {
			{"cycle", "cycles", NULL, NULL},
			{"instr", "instructions", NULL, NULL},
			{"load", "r10b", NEHALEM},        /* MEM_INST_RETIRED.LOADS */
			{"load", "r81d0", SANDY_BRIDGE},  /* MEM_UOPS_RETIRED.ALL_LOADS */
			{"store", "r20b", NEHALEM},       /* MEM_INST_RETIRED.STORES */
			{"store", "r82d0", SANDY_BRIDGE}, /* MEM_UOPS_RETIRED.ALL_STORES */
			{"x87", "r2c0", NEHALEM},         /* INST_RETIRED.X87 */
			{"x87", "r110", SANDY_BRIDGE},    /* FP_COMP_OPS_EXE.X87 */
			{"branch", "rc4", BOTH},          /* BR_INST_RETIRED.ALL_BRANCHES */
		},
		.column = {
			PRESET_CPU,
			PRESET_MCYCLE,
			PRESET_MINSTR,
			PRESET_IPC,
			/* 100 x events / instructions: % of the instructions; on Sandy Bridge micro-ops, of which an
			 * instruction may have several */
			{"   %LD", "%6.1f", "Loads (per 100 instructions)", "100 * delta(load) / delta(instr)", false},
			{"   %ST", "%6.1f", "Stores (per 100 instructions)", "100 * delta(store) / delta(instr)", false},
			{"  %x87", "%6.1f", "x87 floating point (per 100 instructions)", "100 * delta(x87) / delta(instr)", false},
			{"   %BR", "%6.1f", "Branches (per 100 instructions)", "100 * delta(branch) / delta(instr)", false},
		},
	},
	{
		.name = "FP", .desc = "Floating point, and the assists that make it slow", .needs = NEEDS,
		.counter = {
			{"cycle", "cycles", NULL, NULL},
			{"instr", "instructions", NULL, NULL},
			{"x87", "r110", BOTH},                    /* FP_COMP_OPS_EXE.X87 */
			{"single", "r4010", NEHALEM},             /* FP_COMP_OPS_EXE.SSE_SINGLE_PRECISION */
			{"double", "r8010", NEHALEM},             /* FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION */
			{"packed_double", "r1010", SANDY_BRIDGE}, /* FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE */
			{"scalar_double", "r8010", SANDY_BRIDGE}, /* FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE */
			{"assist", "r1f7", NEHALEM},              /* FP_ASSIST.ALL */
			{"assist", "r1001eca", SANDY_BRIDGE},     /* FP_ASSIST.ANY, which needs a counter mask of 1 */
		},
		.column = {
			PRESET_CPU,
			PRESET_MCYCLE,
			PRESET_MINSTR,
			PRESET_IPC,
			/* 100 x micro-ops / instructions */
			{"  %x87", "%6.1f", "x87 micro-ops (per 100 instructions)", "100 * delta(x87) / delta(instr)", false},
			{" %SSES", "%6.1f", "Single-precision SSE micro-ops (per 100 instructions)",
			 "100 * delta(single) / delta(instr)", true},
			{" %SSED", "%6.1f", "Double-precision SSE micro-ops (per 100 instructions)",
			 "100 * delta(double) / delta(instr)", true},
			{" %SSED", "%6.1f", "Double-precision SSE micro-ops, scalar and packed (per 100 instructions)",
			 "100 * (delta(packed_double) + delta(scalar_double)) / delta(instr)", true},
			/* 100 x assists / instructions: 25 for a loop of 4 instructions with one x87 addition of
			 * infinities, which runs 87 times slower than with finite numbers (Inria RR-7789, section 3.1) */
			{" %assist", "%8.2f", "Floating-point operations that needed microcode (per 100 instructions)",
			 "100 * delta(assist) / delta(instr)", false},
		},
	},
	{
		.name = "mem", .desc = "Where loads that missed L1 found their data", .needs = NEEDS,
		.counter = {
			{"cycle", "cycles", NULL, NULL},
			{"instr", "instructions", NULL, NULL},
			{"l2_hit", "r2cb", NEHALEM},       /* MEM_LOAD_RETIRED.L2_HIT */
			{"l2_hit", "r2d1", SANDY_BRIDGE},  /* MEM_LOAD_UOPS_RETIRED.L2_HIT */
			{"l3_hit", "r4cb", NEHALEM},       /* MEM_LOAD_RETIRED.L3_UNSHARED_HIT */
			{"l3_hit", "r4d1", SANDY_BRIDGE},  /* MEM_LOAD_UOPS_RETIRED.LLC_HIT */
			{"l3_miss", "r10cb", NEHALEM},     /* MEM_LOAD_RETIRED.L3_MISS */
			{"l3_miss", "r2d4", SANDY_BRIDGE}, /* MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS */
		},
		.column = {
			PRESET_CPU,
			PRESET_MCYCLE,
			PRESET_MINSTR,
			PRESET_IPC,
			/* 1000 x retired loads / instructions */
			{" L2hit", "%6.2f", "Loads served by L2 (per 1000 instructions)", "1000 * delta(l2_hit) / delta(instr)", false},
			{" L3hit", "%6.2f", "Loads served by L3, of lines no other core holds (per 1000 instructions)",
			 "1000 * delta(l3_hit) / delta(instr)", false},
			{"L3miss", "%6.2f", "Loads that missed L3 (per 1000 instructions)", "1000 * delta(l3_miss) / delta(instr)", false},
		},
	},
	{
		.name = "uOps", .desc = "Micro-operations", .needs = NEEDS,
		.counter = {
			{"cycle", "cycles", NULL, NULL},
			{"instr", "instructions", NULL, NULL},
			{"uop", "r1c2", BOTH},      /* UOPS_RETIRED.ANY; on Sandy Bridge UOPS_RETIRED.ALL */
			{"fused", "r4c2", NEHALEM}, /* UOPS_RETIRED.MACRO_FUSED */
		},
		.column = {
			PRESET_CPU,
			PRESET_SYS,
			PRESET_MCYCLE,
			PRESET_MINSTR,
			PRESET_IPC,
			/* 10^6 micro-ops */
			{"   Muops", "%8.2f", "Retired micro-ops since the last refresh (millions)", "delta(uop) / 1e6", false},
			/* pure numbers */
			{"  uPI", " %4.2f", "Retired micro-ops (per instruction)", "delta(uop) / delta(instr)", false},
			{" macrof", "%7.2f", "Macro-fused micro-ops (per instruction)", "delta(fused) / delta(instr)", true},
		},
	},
};
/* clang-format on */

const size_t preset_table_intel_n = sizeof preset_table_intel / sizeof *preset_table_intel;
