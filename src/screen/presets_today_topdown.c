/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of presets: top-down analysis, level 1, what became of each slot in which an operation could have been issued.
 * The shares add up to 100 %.
 *
 * Before Ice Lake, Intel's counters give the slots of a core with all its threads, while those of a task are not known
 * where two threads share the core: there the screen is hidden.
 */
#include "screen/preset.h"

#define ZEN_4_5    PRESET_ZEN_4 ";" PRESET_ZEN_5
#define N2_OLD     "41_D49_R00;41_D49_R01;41_D49_R02"
#define V1_N2_V2   PRESET_NEOVERSE_V1 ";" N2_OLD ";" PRESET_NEOVERSE_V2
#define ATOM_ALONE PRESET_GRACEMONT ";06_86;06_96;06_9C;06_AF;06_B6" /* and Tremont, Sierra Forest, Grand Ridge */

/* Intel: slots of one kind / slots of all kinds. The metrics of the P-cores are only counted behind SLOTS, which must
 * be in the same column to be in the same group: that is what 0 * slots is for. */
#define INTEL(part) "100 * delta(" part ") / (delta(ret) + delta(bad) + delta(fe) + delta(be)) + 0 * delta(slots)"

/* clang-format off */
const struct preset preset_topdown = {
	.name = "topdown", .desc = "Where the slots for operations went: top-down analysis, level 1",
	.needs = "it needs Intel Ice Lake or later, whose kernel describes the events topdown-retiring and so on "
		 "(before, the slots are those of a whole core, not of a task), AMD Zen 4 or 5, or Arm Neoverse V1, "
		 "N2 (until r0p2, whose counters are known to need a correction) or V2",
	.counter = {
		/* Intel: the kernel's own events. On P-cores SLOTS and metrics, which the kernel gives in slots; on
		 * E-cores TOPDOWN_*.ALL, plain events that count slots, too, and need no leader: there, SLOTS is the
		 * fixed counter of the cycles, which costs nothing */
		{"slots", "slots; cpu_atom/event=0x3c/", "x86", PRESET_INTEL},
		{"slots", "cpu/event=0x3c/", "x86", ATOM_ALONE},
		{"ret", "topdown-retiring", "x86", PRESET_INTEL},
		{"bad", "topdown-bad-spec", "x86", PRESET_INTEL},
		{"fe", "topdown-fe-bound", "x86", PRESET_INTEL},
		{"be", "topdown-be-bound", "x86", PRESET_INTEL},
		/* AMD: ls_not_halted_cyc, of whose cycles each has 6 or 8 slots; ex_ret_ops, de_src_op_disp.all,
		 * de_no_dispatch_per_slot.no_ops_from_frontend and .backend_stalls (event 0x1a0) */
		{"cycle_zen4", "cycles", "x86", PRESET_ZEN_4},
		{"cycle_zen5", "cycles", "x86", PRESET_ZEN_5},
		{"retired", "RETIRED_OPS; rc1", "x86", ZEN_4_5},
		{"issued", "r7aa", "x86", ZEN_4_5},
		{"idle_fe", "DISPATCH_STALLS_1:FE_NO_OPS; r1000001a0", "x86", ZEN_4_5},
		{"idle_be", "DISPATCH_STALLS_1:BE_STALLS; r100001ea0", "x86", ZEN_4_5},
		/* Arm: CPU_CYCLES, of which each has 8 slots on V1 and V2 and 5 on N2; OP_RETIRED, OP_SPEC,
		 * STALL_SLOT_FRONTEND, STALL_SLOT_BACKEND and STALL_SLOT */
		{"cycle_v", "cycles", "arm64", PRESET_NEOVERSE_V1 ";" PRESET_NEOVERSE_V2},
		{"cycle_n2", "cycles", "arm64", N2_OLD},
		{"op_retired", "op_retired; r3a", "arm64", V1_N2_V2},
		{"op_spec", "op_spec; r3b", "arm64", V1_N2_V2},
		{"slot_fe", "stall_slot_frontend; r3e", "arm64", V1_N2_V2},
		{"slot_be", "stall_slot_backend; r3d", "arm64", V1_N2_V2},
		{"slot", "stall_slot; r3f", "arm64", V1_N2_V2},
	},
	.column = {
		PRESET_CPU,
		/* 100 x slots / slots: % of the slots, in all columns. */
		/* Intel's tma_retiring; AMD's retiring; Arm's retiring, in sbsa.json. Before r0p3, N2 counts one slot
		 * too many in each cycle as STALL_SLOT and STALL_SLOT_FRONTEND: neoverse-n2-v2/metrics.json; how
		 * later revisions count is not known here, so they have no such screen */
		{" %RET", "%5.1f", "Slots whose operation retired (% of the slots)", INTEL("ret"), true},
		{" %RET", "%5.1f", "Slots whose operation retired (% of the slots)",
		 "100 * delta(retired) / (6 * delta(cycle_zen4))", true},
		{" %RET", "%5.1f", "Slots whose operation retired (% of the slots)",
		 "100 * delta(retired) / (8 * delta(cycle_zen5))", true},
		{" %RET", "%5.1f", "Slots whose operation retired (% of the slots)",
		 "100 * delta(op_retired) / delta(op_spec) * (1 - delta(slot) / (8 * delta(cycle_v)))", true},
		{" %RET", "%5.1f", "Slots whose operation retired (% of the slots)",
		 "100 * delta(op_retired) / delta(op_spec) * "
		 "(1 - (delta(slot) - delta(cycle_n2)) / (5 * delta(cycle_n2)))",
		 false},
		/* Intel's tma_bad_speculation; AMD's and Arm's bad_speculation. What is in flight at the ends of an
		 * interval may make AMD's difference negative: that is none */
		{" %BAD", "%5.1f", "Slots wasted on wrong guesses (% of the slots)", INTEL("bad"), true},
		{" %BAD", "%5.1f", "Slots whose operation did not retire (% of the slots)",
		 "100 * max(delta(issued) - delta(retired), 0) / (6 * delta(cycle_zen4))", true},
		{" %BAD", "%5.1f", "Slots whose operation did not retire (% of the slots)",
		 "100 * max(delta(issued) - delta(retired), 0) / (8 * delta(cycle_zen5))", true},
		{" %BAD", "%5.1f", "Slots whose operation did not retire (% of the slots)",
		 "100 * (1 - delta(op_retired) / delta(op_spec)) * (1 - delta(slot) / (8 * delta(cycle_v)))", true},
		{" %BAD", "%5.1f", "Slots whose operation did not retire (% of the slots)",
		 "100 * (1 - delta(op_retired) / delta(op_spec)) * "
		 "(1 - (delta(slot) - delta(cycle_n2)) / (5 * delta(cycle_n2)))", false},
		/* Intel's tma_frontend_bound; AMD's and Arm's frontend_bound */
		{"  %FE", "%5.1f", "Slots for which the front end had no operation (% of the slots)",
		 INTEL("fe"), true},
		{"  %FE", "%5.1f", "Slots for which the front end had no operation (% of the slots)",
		 "100 * delta(idle_fe) / (6 * delta(cycle_zen4))", true},
		{"  %FE", "%5.1f", "Slots for which the front end had no operation (% of the slots)",
		 "100 * delta(idle_fe) / (8 * delta(cycle_zen5))", true},
		{"  %FE", "%5.1f", "Slots for which the front end had no operation (% of the slots)",
		 "100 * delta(slot_fe) / (8 * delta(cycle_v))", true},
		{"  %FE", "%5.1f", "Slots for which the front end had no operation (% of the slots)",
		 "100 * (delta(slot_fe) - delta(cycle_n2)) / (5 * delta(cycle_n2))", false},
		/* Intel's tma_backend_bound; AMD's and Arm's backend_bound */
		{"  %BE", "%5.1f", "Slots that the back end could not take: data or units missing (% of the slots)",
		 INTEL("be"), true},
		{"  %BE", "%5.1f", "Slots that the back end could not take: data or units missing (% of the slots)",
		 "100 * delta(idle_be) / (6 * delta(cycle_zen4))", true},
		{"  %BE", "%5.1f", "Slots that the back end could not take: data or units missing (% of the slots)",
		 "100 * delta(idle_be) / (8 * delta(cycle_zen5))", true},
		{"  %BE", "%5.1f", "Slots that the back end could not take: data or units missing (% of the slots)",
		 "100 * delta(slot_be) / (8 * delta(cycle_v))", true},
		{"  %BE", "%5.1f", "Slots that the back end could not take: data or units missing (% of the slots)",
		 "100 * delta(slot_be) / (5 * delta(cycle_n2))", false},
		/* AMD's smt_contention, as what is left: its own event would be one too many */
		{" %SMT", "%5.1f", "The rest: slots given to the other thread of the core (% of the slots)",
		 "100 * max(1 - (max(delta(issued), delta(retired)) + delta(idle_fe) + delta(idle_be)) / "
		 "(6 * delta(cycle_zen4)), 0)", true},
		{" %SMT", "%5.1f", "The rest: slots given to the other thread of the core (% of the slots)",
		 "100 * max(1 - (max(delta(issued), delta(retired)) + delta(idle_fe) + delta(idle_be)) / "
		 "(8 * delta(cycle_zen5)), 0)", true},
	},
};
/* clang-format on */
