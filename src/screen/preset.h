/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preset - the declaration of a built-in screen, for the files presets*.c only.
 *
 * The counters are those of perf_event_open(2): what CACHE_MISSES and the like count is the kernel's choice for each
 * CPU. In user mode only, unless the kernel is counted too. delta() is over one refresh.
 */
#ifndef SCREEN_PRESET_H
#define SCREEN_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#define PRESET_COUNTERS_MAX 12
#define PRESET_COLUMNS_MAX  11

struct preset_counter {
	const char *alias, *config;
	const char *type;   /* NULL: HARDWARE */
	const char *models; /* of x86; NULL: every CPU */
};

struct preset_column {
	const char *header, *format, *desc, *text;
	bool optional; /* left out where the CPU lacks the event */
};

struct preset {
	const char *name, *desc;
	struct preset_counter counter[PRESET_COUNTERS_MAX]; /* the last one stays empty */
	struct preset_column column[PRESET_COLUMNS_MAX];    /* the last one stays empty */
};

extern const struct preset preset_table_intel[];
extern const size_t preset_table_intel_n;

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
#define PRESET_IPC                                                                                                     \
	{                                                                                                              \
		"  IPC", " %4.2f", "Retired instructions (per cycle)", "delta(instr) / delta(cycle)", false            \
	}

#endif
