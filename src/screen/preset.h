/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preset - the declaration of a built-in screen, for the files presets*.c only.
 *
 * Counters. A row gives an alias one or several events, see event/name.h; rows of the same alias are alternatives,
 * each for its CPUs. Vendors' names come first, which libpfm4 finds where it knows the CPU; then the code, for the
 * models whose manual was read. On x86 a code is umask << 8 | event; on AMD bits 8 to 11 of the event are bits 32 to
 * 35. On a hybrid machine a code must name its kind of cores, "cpu_core/event=../", since the model is that of both.
 * All is counted in user mode only, unless the kernel is counted too. delta() is over one refresh.
 *
 * Columns. An optional one is left out where the CPU lacks one of its counters. Columns that share a header say the
 * same for different CPUs: one is kept, see bind/fit.h. A screen is hidden, and `needs` says why, where a counter of a
 * column that is kept has no row for this CPU; so the rows of a counter that all columns use say where the screen is
 * shown. A counter that only some columns use must have no rows for CPUs where these are left out: it is opened
 * wherever it can be.
 */
#ifndef SCREEN_PRESET_H
#define SCREEN_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#define PRESET_COUNTERS_MAX 48
#define PRESET_COLUMNS_MAX  32

struct preset_counter {
	const char *alias, *event;
	const char *arch, *models; /* as in struct counter_decl; NULL: all */
};

struct preset_column {
	const char *header, *format, *desc, *text;
	bool optional;
};

struct preset {
	const char *name, *desc;
	const char *needs; /* the end of the sentence "the screen cannot be shown here: "; NULL: it is never hidden */
	struct preset_counter counter[PRESET_COUNTERS_MAX]; /* the last one stays empty */
	struct preset_column column[PRESET_COLUMNS_MAX];    /* the last one stays empty */
};

extern const struct preset preset_table_intel[];
extern const size_t preset_table_intel_n;

/* Those for today's CPUs. */
extern const struct preset preset_memory, preset_stalls, preset_frontend; /* presets_today.c */
extern const struct preset preset_topdown;                                /* presets_today_topdown.c */
extern const struct preset preset_flops_dp, preset_flops_sp, preset_fp;   /* presets_today_fp.c */
extern const struct preset preset_system;                                 /* presets_today_system.c */

/*
 * Architecture and models of a row. Intel: perfmon's mapfile.csv; hybrid machines have one model for both kinds of
 * cores. AMD: the ranges of models that the kernel's arch/x86/kernel/cpu/amd.c gives each generation. Arm: the parts of
 * the Technical Reference Manuals.
 */
#define PRESET_NEHALEM         "06_1A;06_1E;06_1F;06_2E;06_25;06_2C;06_2F" /* and Westmere, which has the same events */
#define PRESET_SANDY_BRIDGE    "06_2A;06_2D"
#define PRESET_UP_TO_BROADWELL "06_2A;06_2D;06_3A;06_3E;06_3C;06_3F;06_45;06_46;06_3D;06_47;06_4F;06_56"
#define PRESET_SKYLAKE_CLIENT  "06_4E;06_5E;06_8E;06_9E;06_A5;06_A6" /* up to Comet Lake */
#define PRESET_SKYLAKE_SERVER  "06_55"                               /* and Cascade Lake, Cooper Lake */
#define PRESET_SKYLAKE         PRESET_SKYLAKE_CLIENT ";" PRESET_SKYLAKE_SERVER
#define PRESET_ICE_LAKE        "06_7D;06_7E;06_6A;06_6C;06_8C;06_8D;06_A7" /* and Tiger Lake, Rocket Lake */
#define PRESET_SAPPHIRE_RAPIDS "06_8F;06_CF"                               /* and Emerald Rapids */
#define PRESET_ALDER_LAKE      "06_97;06_9A;06_B7;06_BA;06_BF"             /* and Raptor Lake */
#define PRESET_GRACEMONT       "06_BE"                                     /* Alder Lake N: efficiency cores only */
#define PRESET_INTEL           "06_??"                                     /* of any kind */
#define PRESET_ZEN_2           "17_3?;17_4?;17_6?;17_7?;17_90;17_91;17_A?"
#define PRESET_ZEN_3           "19_0?;19_2?;19_3?;19_4?;19_5?"
#define PRESET_ZEN_4           "19_1?;19_6?;19_7?;19_8?;19_9?;19_A?"
#define PRESET_ZEN_5           "1A_0?;1A_1?;1A_2?;1A_4?;1A_6?;1A_7?"
#define PRESET_ZEN_2_TO_5      PRESET_ZEN_2 ";" PRESET_ZEN_3 ";" PRESET_ZEN_4 ";" PRESET_ZEN_5
#define PRESET_NEOVERSE_N1     "41_D0C"
#define PRESET_NEOVERSE_V1     "41_D40"
#define PRESET_NEOVERSE_N2     "41_D49"
#define PRESET_NEOVERSE_V2     "41_D4F"
#define PRESET_NEOVERSE        PRESET_NEOVERSE_N1 ";" PRESET_NEOVERSE_V1 ";" PRESET_NEOVERSE_N2 ";" PRESET_NEOVERSE_V2

/* Columns that several screens have. */

/* 100 x ns on a CPU / ns of the interval: % of one CPU */
#define PRESET_CPU                                                                                                     \
	{                                                                                                              \
		" %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT", false                                         \
	}
/* 100 x ns in the kernel / ns of the interval: % of one CPU; stime, proc(5), in ticks */
#define PRESET_SYS                                                                                                     \
	{                                                                                                              \
		" %SYS", "%5.1f", "CPU usage in the kernel (% of one CPU)", "CPU_SYS", false                           \
	}
/* a number of a CPU; processor, proc(5) */
#define PRESET_P                                                                                                       \
	{                                                                                                              \
		"   P", " %3.0f", "CPU on which it ran last (number)", "PROC_ID", false                                \
	}
/* 10^6 cycles; CPU_CYCLES: varies with the frequency */
#define PRESET_MCYCLE                                                                                                  \
	{                                                                                                              \
		"  Mcycle", "%8.2f", "CPU cycles since the last refresh (millions)", "delta(cycle) / 1e6", false       \
	}
/* 10^6 instructions; INSTRUCTIONS: retired ones */
#define PRESET_MINSTR                                                                                                  \
	{                                                                                                              \
		"  Minstr", "%8.2f", "Retired instructions since the last refresh (millions)", "delta(instr) / 1e6",   \
			false                                                                                          \
	}
/* IPC = instructions / cycles: pure number */
#define PRESET_IPC_WHERE(optional)                                                                                     \
	{                                                                                                              \
		"  IPC", " %4.2f", "Retired instructions (per cycle)", "delta(instr) / delta(cycle)", optional         \
	}
#define PRESET_IPC PRESET_IPC_WHERE(false)

#endif
