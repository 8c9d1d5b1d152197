/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Screens of tiptop 2.3.1 for Nehalem, Westmere and Sandy Bridge. Events by their codes (umask << 8 | event), from the
 * Intel SDM, volume 3, "Performance Monitoring Events"; each agrees with libpfm4's tables (nhm, wsm, snb).
 */
#include "screen/preset.h"

#define NEHALEM      "06_1A;06_1E;06_1F;06_2E;06_25;06_2C;06_2F" /* and Westmere, which has the same events */
#define SANDY_BRIDGE "06_2A;06_2D"
#define BOTH         NEHALEM ";" SANDY_BRIDGE

/* clang-format off */
const struct preset preset_table_intel[] = {
	{
		.name = "imix", .desc = "Instruction mix",
		.counter = {
			{"cycle", "CPU_CYCLES", NULL, NULL},
			{"instr", "INSTRUCTIONS", NULL, NULL},
			{"load", "0x010b", "RAW", NEHALEM},       /* MEM_INST_RETIRED.LOADS */
			{"load", "0x81d0", "RAW", SANDY_BRIDGE},  /* MEM_UOPS_RETIRED.ALL_LOADS */
			{"store", "0x020b", "RAW", NEHALEM},      /* MEM_INST_RETIRED.STORES */
			{"store", "0x82d0", "RAW", SANDY_BRIDGE}, /* MEM_UOPS_RETIRED.ALL_STORES */
			{"x87", "0x02c0", "RAW", NEHALEM},        /* INST_RETIRED.X87 */
			{"x87", "0x0110", "RAW", SANDY_BRIDGE},   /* FP_COMP_OPS_EXE.X87 */
			{"branch", "0x00c4", "RAW", BOTH},        /* BR_INST_RETIRED.ALL_BRANCHES */
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
		.name = "FP", .desc = "Floating point, and the assists that make it slow",
		.counter = {
			{"cycle", "CPU_CYCLES", NULL, NULL},
			{"instr", "INSTRUCTIONS", NULL, NULL},
			{"x87", "0x0110", "RAW", BOTH},                 /* FP_COMP_OPS_EXE.X87 */
			{"single", "0x4010", "RAW", NEHALEM},           /* FP_COMP_OPS_EXE.SSE_SINGLE_PRECISION */
			{"double", "0x8010", "RAW", NEHALEM},           /* FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION */
			{"packed_double", "0x1010", "RAW", SANDY_BRIDGE}, /* FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE */
			{"scalar_double", "0x8010", "RAW", SANDY_BRIDGE}, /* FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE */
			{"assist", "0x01f7", "RAW", NEHALEM},           /* FP_ASSIST.ALL */
			{"assist", "0x1001eca", "RAW", SANDY_BRIDGE},   /* FP_ASSIST.ANY, which needs a counter mask of 1 */
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
		.name = "mem", .desc = "Where loads that missed L1 found their data",
		.counter = {
			{"cycle", "CPU_CYCLES", NULL, NULL},
			{"instr", "INSTRUCTIONS", NULL, NULL},
			{"l2_hit", "0x02cb", "RAW", NEHALEM},       /* MEM_LOAD_RETIRED.L2_HIT */
			{"l2_hit", "0x02d1", "RAW", SANDY_BRIDGE},  /* MEM_LOAD_UOPS_RETIRED.L2_HIT */
			{"l3_hit", "0x04cb", "RAW", NEHALEM},       /* MEM_LOAD_RETIRED.L3_UNSHARED_HIT */
			{"l3_hit", "0x04d1", "RAW", SANDY_BRIDGE},  /* MEM_LOAD_UOPS_RETIRED.LLC_HIT */
			{"l3_miss", "0x10cb", "RAW", NEHALEM},      /* MEM_LOAD_RETIRED.L3_MISS */
			{"l3_miss", "0x02d4", "RAW", SANDY_BRIDGE}, /* MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS */
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
		.name = "uOps", .desc = "Micro-operations",
		.counter = {
			{"cycle", "CPU_CYCLES", NULL, NULL},
			{"instr", "INSTRUCTIONS", NULL, NULL},
			{"uop", "0x01c2", "RAW", BOTH},       /* UOPS_RETIRED.ANY; on Sandy Bridge UOPS_RETIRED.ALL */
			{"fused", "0x04c2", "RAW", NEHALEM},  /* UOPS_RETIRED.MACRO_FUSED */
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
