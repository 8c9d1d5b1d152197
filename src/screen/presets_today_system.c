/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of presets: a task and its kernel, the clock it runs at, the part of the kernel, and what the scheduler does
 * with it.
 */
#include "screen/preset.h"

/* clang-format off */
const struct preset preset_system = {
	.name = "system", .desc = "Clock rate, part of the kernel, and what the scheduler does",
	.counter = {
		/* The time on a CPU is that of user mode, kernel and guests, so all their cycles belong to it. Who
		 * may not count the kernel gets no clock rate rather than a wrong one */
		{"cycle_all", "cycles:ukGH", NULL, NULL},
		{"cycle_k", "cycles:kGH", NULL, NULL},
		/* Intel: CPU_CLK_UNHALTED.REF_TSC, at the rate of the TSC. AMD: ls_not_halted_p0_cyc, event 0x120,
		 * which the kernel has as generic one since 6.9. Arm's CNT_CYCLES has a rate of its own */
		{"cycle_u", "cycles:u", "x86", PRESET_INTEL ";" PRESET_ZEN_4 ";" PRESET_ZEN_5},
		{"ref_u", "ref-cycles:u", "x86", PRESET_INTEL},
		{"ref_u", "ref-cycles:u; r100000120:u", "x86", PRESET_ZEN_4 ";" PRESET_ZEN_5},
	},
	.column = {
		PRESET_CPU,
		/* 10^9 cycles / s on a CPU: cycles / ns */
		{" GHz", "%4.2f", "Clock rate while it ran; needs the right to count the kernel (GHz)",
		 "delta(cycle_all) / delta(CPU_NS)", false},
		/* cycles / reference cycles: pure number; Intel's Info_System_Turbo_Utilization */
		{"TURBO", "%5.2f", "Clock rate in user mode (per nominal clock rate)",
		 "delta(cycle_u) / delta(ref_u)", true},
		/* 100 x cycles in the kernel / cycles: % of the cycles; Intel's Info_System_Kernel_Utilization */
		{"%KERN", "%5.1f", "Spent in the kernel; needs the right to count it (% of the cycles)",
		 "100 * delta(cycle_k) / delta(cycle_all)", false},
		/* 100 x time on the P-cores / time on any: % of the time */
		{"%FAST", "%5.1f", "Time on the performance cores (% of the time on any)", "FAST_CORES", true},
		/* 1/s; voluntary_ctxt_switches and nonvoluntary_ctxt_switches, proc(5) */
		{"  CSW/s", "%7.1f", "Context switches, voluntary or not (per second)",
		 "rate(VCSW) + rate(NVCSW)", false},
		/* 1/s; se.nr_migrations in /proc/PID/sched */
		{"MIGR/s", "%6.1f", "Migrations to another CPU (per second)", "rate(MIGRATIONS)", false},
		/* 1/s; minflt and majflt, proc(5) */
		{" FAULT/s", "%8.1f", "Page faults, minor and major (per second)",
		 "rate(MINFLT) + rate(MAJFLT)", false},
		/* 10^-6 x ns waited / s: ms per s; field 2 of /proc/PID/schedstat */
		{"WAITms/s", "%8.1f", "Time ready to run but waiting for a CPU (ms per second)",
		 "rate(WAIT_NS) / 1e6", false},
	},
};
/* clang-format on */
