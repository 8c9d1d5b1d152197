/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formulas of the built-in screens, compared with those published by CPU vendors: for given
 * counts, both must yield the same numbers. Each CPU is simulated with its own columns.
 */
#include "cpu_child.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

/* The interval: rate() is the increment divided by this. */
#define SECONDS 2.0

#define N_COUNTS  9
#define N_COLUMNS 6

/* clang-format off */
static const struct formula {
	const char *cpu; /* a name in case_table */
	const char *screen;
	struct {
		const char *alias;
		double count;
	} count[N_COUNTS];
	struct {
		const char *id; /* of the column */
		double want;
	} column[N_COLUMNS];
} table[] = {
	/* Intel perfmon, icelake and icelakex: tma_retiring, the remainder, tma_frontend_bound,
	 * tma_backend_bound. */
	{"icl", "topdown",
	 {{"slots", 1009}, {"ret", 397}, {"bad", 89}, {"fe", 211}, {"be", 307}, {"dropped", 11}, {"clears", 7}},
	 {{"ret", 100 * 397.0 / 1004}, {"bad", 100 * ((1004 - 397 - 211 - 307) / 1004.0 + (11 - 35) / 1009.0)},
	  {"fe", 100 * (211.0 / 1004 - 11.0 / 1009)}, {"be", 100 * (307.0 / 1004 + 5 * 7.0 / 1009)}}},
	/* The remainder (bad speculation) is never negative. */
	{"rkl, unknown to libpfm4", "topdown",
	 {{"slots", 1000}, {"ret", 600}, {"bad", 0}, {"fe", 200}, {"be", 200}, {"dropped", 0}, {"clears", 10}},
	 {{"ret", 60}, {"bad", 0}, {"fe", 20}, {"be", 25}}},
	/* Intel perfmon: sapphirerapids, emeraldrapids, graniterapids. */
	{"spr", "topdown",
	 {{"slots", 1009}, {"ret", 397}, {"bad", 89}, {"fe", 211}, {"be", 307}, {"dropped", 11}},
	 {{"ret", 100 * 397.0 / 1004}, {"bad", 100 * (1 - 397.0 / 1004 - 307.0 / 1004 - (211.0 / 1004 - 11.0 / 1009))},
	  {"fe", 100 * (211.0 / 1004 - 11.0 / 1009)}, {"be", 100 * 307.0 / 1004}}},
	{"gnr", "topdown",
	 {{"slots", 1000}, {"ret", 400}, {"bad", 90}, {"fe", 210}, {"be", 300}, {"dropped", 20}},
	 {{"ret", 40}, {"bad", 11}, {"fe", 19}, {"be", 30}}},
	/* Intel perfmon, alderlake: the slots of both kinds of cores together; UOP_DROPPING of
	 * P-cores. tests/unit/screen/bind/test_counters_hybrid.c tests what is added. */
	{"adl", "topdown", {{"all_slots", 1009}, {"ret", 397}, {"fe", 211}, {"be", 307}, {"dropped", 11}},
	 {{"ret", 100 * 397.0 / 1009}, {"bad", 100 * (1009 - 397 - 211 - 307 + 11) / 1009.0},
	  {"fe", 100 * 200.0 / 1009}, {"be", 100 * 307.0 / 1009}}},
	/* Intel perfmon, arrowlake: Lion Cove has no dropped slots. */
	{"lnl", "topdown", {{"all_slots", 990}, {"ret", 396}, {"wrong", 89}, {"fe", 207}, {"be", 298}},
	 {{"ret", 40}, {"bad", 100 * 89.0 / 990}, {"fe", 100 * 207.0 / 990}, {"be", 100 * 298.0 / 990}}},
	/* Intel perfmon, alderlaken: TOPDOWN_*.ALL / (5 * CPU_CLK_UNHALTED.CORE); sierraforest: 6;
	 * clearwaterforest: 8. From Crestmont on, bad speculation is an event of its own, not the
	 * remainder. */
	{"adl-n", "topdown", {{"all_slots", 5045}, {"ret", 2003}, {"fe", 1511}, {"be", 997}},
	 {{"ret", 100 * 2003.0 / 5045}, {"bad", 100 * (5045 - 2003 - 1511 - 997) / 5045.0}, {"fe", 100 * 1511.0 / 5045},
	  {"be", 100 * 997.0 / 5045}}},
	{"srf", "topdown", {{"all_slots", 6000}, {"ret", 2400}, {"wrong", 540}, {"fe", 1800}, {"be", 1200}},
	 {{"ret", 40}, {"bad", 9}, {"fe", 30}, {"be", 20}}},
	{"cwf", "topdown", {{"all_slots", 8000}, {"ret", 3200}, {"wrong", 800}, {"fe", 2400}, {"be", 1600}},
	 {{"ret", 40}, {"bad", 10}, {"fe", 30}, {"be", 20}}},
	/* Linux pmu-events amdzen4 and amdzen5, pipeline.json: 6 and 8 slots per cycle. */
	{"zen4", "topdown", {{"cycle_zen4", 1000}, {"retired", 3001}, {"issued", 3600}, {"idle_fe", 1200},
	  {"idle_be", 900}},
	 {{"ret", 100 * 3001.0 / 6000}, {"bad", 100 * 599.0 / 6000}, {"fe", 20}, {"be", 15}, {"smt", 5}}},
	{"zen4, another model", "topdown",
	 {{"cycle_zen4", 1000}, {"retired", 3003}, {"issued", 3000}, {"idle_fe", 1200}, {"idle_be", 1797}},
	 {{"ret", 50.05}, {"bad", 0}, {"fe", 20}, {"be", 29.95}, {"smt", 0}}},
	{"zen5", "topdown", {{"cycle_zen5", 1000}, {"retired", 4000}, {"issued", 4800}, {"idle_fe", 1601},
	  {"idle_be", 1200}},
	 {{"ret", 50}, {"bad", 10}, {"fe", 100 * 1601.0 / 8000}, {"be", 15}, {"smt", 100 * 399.0 / 8000}}},
	{"zen6", "topdown",
	 {{"cycle_zen5", 1000}, {"retired", 4000}, {"issued", 4800}, {"idle_fe", 1600}, {"idle_be", 1200}},
	 {{"ret", 50}, {"bad", 10}, {"fe", 20}, {"be", 15}, {"smt", 5}}},
	/* Linux pmu-events neoverse-v1, -n2r0p0, -n2r0p3-v2. */
	{"v1", "topdown",
	 {{"cycle_v1", 1000}, {"op_retired", 4500}, {"op_spec", 5000}, {"slot", 3000}, {"slot_fe", 1000},
	  {"slot_be", 2000},
	  {"mispredicted", 10}},
	 {{"ret", 56.25}, {"bad", 6.25 + 4}, {"fe", 12.5 - 4}, {"be", 25}}},
	{"v2", "topdown",
	 {{"cycle_v2", 1000}, {"op_retired", 4500}, {"op_spec", 5000}, {"slot", 3000}, {"slot_fe", 1000},
	  {"slot_be", 2000},
	  {"mispredicted", 10}},
	 {{"ret", 56.25}, {"bad", 6.25 + 4}, {"fe", 12.5 - 1}, {"be", 25 - 3}}},
	{"n2", "topdown",
	 {{"cycle_n2r0p2", 1000}, {"op_retired", 2250}, {"op_spec", 2500}, {"slot", 3500}, {"slot_fe", 2000},
	  {"slot_be", 1500}, {"mispredicted", 10}},
	 {{"ret", 45}, {"bad", 5 + 4}, {"fe", 20 - 1}, {"be", 30 - 3}}},
	{"n2 r0p3", "topdown",
	 {{"cycle_n2", 1000}, {"op_retired", 2250}, {"op_spec", 2500}, {"slot", 2500}, {"slot_fe", 1000},
	  {"slot_be", 1500},
	  {"mispredicted", 10}},
	 {{"ret", 45}, {"bad", 5 + 4}, {"fe", 20 - 1}, {"be", 30 - 3}}},
	/* neoverse-v3: 10 slots, neoverse-n3: 5; STALL_FRONTEND_FLUSH / CPU_CYCLES is moved from
	 * the front end to bad speculation. */
	{"v3", "topdown",
	 {{"cycle_v3", 1000}, {"op_retired", 4500}, {"op_spec", 5000}, {"slot", 4000}, {"slot_fe", 1500},
	  {"slot_be", 2500},
	  {"flush", 30}},
	 {{"ret", 54}, {"bad", 6 + 3}, {"fe", 15 - 3}, {"be", 25}}},
	{"n3", "topdown",
	 {{"cycle_n3", 1000}, {"op_retired", 2250}, {"op_spec", 2500}, {"slot", 2500}, {"slot_fe", 1000},
	  {"slot_be", 1500},
	  {"flush", 30}},
	 {{"ret", 45}, {"bad", 5 + 3}, {"fe", 20 - 3}, {"be", 30}}},

	/* ampereone: retired_fraction, slots_lost_misspeculation_fraction, the remainder,
	 * backend_bound, with all_slots = #slots * CPU_CYCLES. */
	{"ampereone", "topdown", {{"all_slots", 4036}, {"op_retired", 2003}, {"op_spec", 2204}, {"slot_be", 1009}},
	 {{"ret", 100 * 2003.0 / 4036}, {"bad", 100 * 201.0 / 4036}, {"fe", 100 * (4036 - 2204 - 1009) / 4036.0},
	  {"be", 100 * 1009.0 / 4036}}},

	/* Cycles of each kind, divided by all cycles. */
	{"skl", "stalls", {{"cycle", 4001}, {"instr", 5003}, {"exec", 1009}, {"l1", 701}, {"l3", 307}},
	 {{"ipc", 5003.0 / 4001}, {"noex", 100 * 1009.0 / 4001}, {"l1", 100 * 701.0 / 4001},
	  {"l3", 100 * 307.0 / 4001}}},
	{"spr", "stalls", {{"cycle", 4001}, {"instr", 5003}, {"exec", 1009}, {"l1", 701}, {"l3", 307}},
	 {{"noex", 100 * 1009.0 / 4001}, {"l1", 100 * 701.0 / 4001}, {"l3", 100 * 307.0 / 4001}}},
	{"bdw", "stalls", {{"cycle", 4001}, {"instr", 5003}, {"exec", 1009}, {"l2", 701}},
	 {{"noex", 100 * 1009.0 / 4001}, {"l2", 100 * 701.0 / 4001}}},
	/* The stall events of Lion Cove exclude each other. */
	{"lnl", "stalls",
	 {{"cycle", 4001}, {"instr", 5003}, {"exec", 1009}, {"wait_l1", 83}, {"wait_l2", 97}, {"wait_l3", 101},
	  {"l3", 307}},
	 {{"noex", 100 * 1009.0 / 4001}, {"inl1", 100 * 83.0 / 4001}, {"l1", 100 * (97 + 101 + 307) / 4001.0},
	  {"l3", 100 * 307.0 / 4001}}},
	{"zen4", "stalls", {{"cycle", 4001}, {"instr", 5003}, {"noret", 2003}, {"load", 1601}},
	 {{"noret", 100 * 2003.0 / 4001}, {"load", 100 * 1601.0 / 4001}}},
	{"v1", "stalls", {{"cycle", 4001}, {"instr", 5003}, {"be", 2003}, {"mem", 1601}},
	 {{"be", 100 * 2003.0 / 4001}, {"bem", 100 * 1601.0 / 4001}}},

	/* Mispredictions per 1000 instructions; operations of each source, divided by those of
	 * both. */
	{"spr", "fetch", {{"instr", 8009}, {"ret_miss", 3}, {"ind_miss", 7}, {"op_cache", 5003}, {"decoder", 1999}},
	 {{"retmpki", 3000.0 / 8009}, {"indmpki", 7000.0 / 8009}, {"opcache", 100 * 5003.0 / 7002}}},
	{"gnr", "fetch", {{"instr", 8009}, {"op_cache", 5003}, {"decoder", 1999}}, {{"opcache", 100 * 5003.0 / 7002}}},
	{"zen2", "fetch", {{"instr", 8000}, {"ret_miss", 2}, {"ind_miss", 6}, {"op_cache", 3000}, {"decoder", 1000}},
	 {{"retmpki", 0.25}, {"indmpki", 0.75}, {"opcache", 75}}},
	{"skl", "fetch", {{"instr", 8009}, {"op_cache", 0}, {"decoder", 1999}}, {{"opcache", 0}}},

	/* Cycles of each kind, divided by all cycles. */
	{"skl", "walks",
	 {{"cycle", 4001}, {"instr", 5003}, {"store", 1009}, {"load_walk", 701}, {"store_walk", 307}},
	 {{"ipc", 5003.0 / 4001}, {"store", 100 * 1009.0 / 4001}, {"ldwalk", 100 * 701.0 / 4001},
	  {"stwalk", 100 * 307.0 / 4001}}},
	{"icl", "walks", {{"cycle", 4001}, {"store", 1009}, {"fetch_walk", 97}}, {{"iwalk", 100 * 97.0 / 4001}}},
	{"srf", "walks",
	 {{"cycle", 4001}, {"instr", 5003}, {"store", 1009}, {"data_pending", 5009}, {"fetch_pending", 97}},
	 {{"store", 100 * 1009.0 / 4001}, {"dwalks", 5009.0 / 4001}, {"iwalks", 97.0 / 4001}}},
	/* Operations of each vector width, divided by those of all widths that the CPU has. */
	{"adl", "simd", {{"scalar", 3e6}, {"v128", 5e6}, {"v256", 7e6}},
	 {{"mfp_s", 15 / SECONDS}, {"scal", 20}, {"128", 100 / 3.0}, {"256", 100 * 7 / 15.0}}},
	{"spr", "simd", {{"scalar", 1e6}, {"v128", 2e6}, {"v256", 3e6}, {"v512", 4e6}},
	 {{"mfp_s", 10 / SECONDS}, {"scal", 10}, {"128", 20}, {"256", 30}, {"512", 40}}},
	{"spr", "fp", {{"cycle", 4e6}, {"amx", 1e6}}, {{"amx", 25}}},

	/* The line of the machine: misses per reference, stalled cycles per cycle, counts per
	 * instruction, counts per second. */
	{"skl", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"lines", 5e6}, {"d_ref", 7e5}, {"d_miss", 7e4}, {"i_ref", 8e5},
	  {"i_miss", 2e4}, {"e_ref", 9e4}, {"e_miss", 3e4}},
	 {{"mips", 3 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"cpi", 4 / 3.0}, {"dcm", 10}, {"icm", 2.5},
	  {"ecm", 100 / 3.0}}},
	{"skl", "har", {{"cycle", 4e6}, {"d_ref", 7e5}, {"dtlb", 7e3}, {"i_ref", 8e5}, {"itlb", 4e3}, {"data", 1e6},
	  {"fetch", 3e5}, {"tag", 1e5}, {"fp", 6e5}},
	 {{"dtm", 1}, {"itm", 0.5}, {"dsr", 25}, {"isr", 10}, {"fsr", 15}}},
	{"skl", "har", {{"cycle", 4e6}, {"recover", 1e5}, {"resteer", 3e5}}, {{"bsr", 10}}},
	{"icl", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"lines", 5e6}, {"d_ref", 7e5}, {"d_miss", 7e4}, {"e_ref", 9e4},
	  {"e_miss", 3e4}, {"dtlb", 7e3}},
	 {{"mips", 3 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"cpi", 4 / 3.0}, {"dcm", 10}, {"ecm", 100 / 3.0},
	  {"dtm", 1}}},
	{"icl", "har", {{"cycle", 4e6}, {"data", 1e6}, {"fetch", 3e5}, {"tag", 1e5}, {"fp", 6e5}, {"recover", 1e5},
	  {"resteer", 3e5}}, {{"dsr", 25}, {"isr", 10}, {"fsr", 15}, {"bsr", 10}}},
	{"icl", "har", {{"i_ref", 8e5}, {"i_miss", 2e4}, {"itlb", 4e3}}, {{"icm", 2.5}, {"itm", 0.5}}},
	{"spr", "har", {{"cycle", 4e6}, {"instr", 2e6}, {"data", 1e6}, {"fetch", 1e5}, {"tag", 3e5}},
	 {{"cpi", 2}, {"icm", NAN}, {"itm", NAN}, {"dsr", 25}, {"isr", 10}}},
	{"adl", "har", {{"cycle", 4e6}, {"instr", 2e6}, {"e_ref", 8e4}, {"e_miss", 2e4}, {"lines", 5e6}},
	 {{"mips", 2 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"cpi", 2}, {"ecm", 25}}},
	{"adl", "har", {{"cycle", 4e6}, {"d_ref", 7e5}, {"d_miss", 7e4}, {"i_ref", 8e5}, {"i_miss", 2e4}, {"dtlb", 7e3},
	  {"itlb", 4e3}}, {{"dcm", 10}, {"icm", NAN}, {"dtm", 1}, {"itm", NAN}}},
	{"adl", "har", {{"cycle", 4e6}, {"data", 1e6}, {"fetch", 3e5}, {"tag", 1e5}, {"fp", 6e5}, {"recover", 1e5},
	  {"resteer", 3e5}}, {{"dsr", 25}, {"isr", 10}, {"fsr", 15}, {"bsr", 10}}},
	{"zen3", "har", {{"cycle", 4e6}, {"d_ref", 7e5}, {"d_miss", 7e4}, {"lines", 5e6}, {"empty", 1e6},
	  {"fp", 6e5}, {"queue", 1e6}, {"wrong_zen3", 4e4}},
	 {{"dcm", 10}, {"bus", 64 * 5 / SECONDS}, {"dsr", 25}, {"isr", 25}, {"fsr", 15}, {"bsr", 13}}},
	{"zen3", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"d_ref", 7e5}, {"dtlb", 7e3}, {"i_ref", 8e5}, {"i_miss", 2e4},
	  {"e_ref", 9e4}, {"e_miss", 3e4}, {"itlb", 4e3}},
	 {{"mips", 3 / SECONDS}, {"cpi", 4 / 3.0}, {"icm", 2.5}, {"ecm", 100 / 3.0}, {"dtm", 1}, {"itm", 0.5}}},
	{"zen2", "har", {{"cycle", 4e6}, {"queue", 1e6}, {"wrong_zen2", 25e3}}, {{"dsr", 25}, {"bsr", 10}}},
	{"zen3", "har-i", {{"cycle", 4e6}, {"instr", 2e6}, {"queue", 1e6}, {"wrong_zen3", 4e4}},
	 {{"dsr", 0.5}, {"bsr", 0.26}}},
	{"zen3", "har-s", {{"queue", 1e6}, {"wrong_zen3", 2e6}}, {{"dsr", 1 / SECONDS}, {"bsr", 26 / SECONDS}}},
	{"zen4", "har", {{"cycle", 4e6}, {"i_ref", 8e5}, {"i_miss", 2e4}, {"data", 1e6}}, {{"icm", 2.5}, {"dsr", 25}}},
	{"zen4", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"lines", 5e6}, {"d_ref", 7e5}, {"d_miss", 7e4},
	  {"e_ref", 9e4}, {"e_miss", 3e4}, {"dtlb", 7e3}, {"wrong_zen3", 4e4}},
	 {{"mips", 3 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"dcm", 10}, {"ecm", 100 / 3.0}, {"dtm", 1},
	  {"bsr", 13}}},
	{"zen4", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"i_ref", 8e5}, {"itlb", 4e3}, {"empty", 1e6}},
	 {{"cpi", 4 / 3.0}, {"itm", 0.5}, {"isr", 25}, {"fsr", NAN}}},
	{"n1", "har", {{"cycle", 4e6}, {"instr", 3e6}}, {{"cpi", 4 / 3.0}, {"fsr", NAN}}},
	{"n1", "har", {{"cycle", 4e6}, {"instr", 3e6}, {"d_ref", 7e5}, {"d_miss", 7e4}, {"i_ref", 8e5}, {"i_miss", 2e4},
	  {"itlb", 4e3}, {"backend", 1e6}, {"lines", 5e6}},
	 {{"mips", 3 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"dcm", 10}, {"icm", 2.5}, {"itm", 0.5}, {"dsr", 25}}},
	{"n1", "har", {{"cycle", 4e6}, {"d_ref", 8e5}, {"dtlb", 4e3}, {"e_ref", 9e4}, {"e_miss", 3e4}, {"empty", 1e6}},
	 {{"dtm", 0.5}, {"ecm", 100 / 3.0}, {"dsr", NAN}, {"isr", 25}, {"bsr", NAN}}},
	{"v1", "har", {{"cycle", 4e6}, {"data", 1e6}}, {{"dsr", 25}}},
	{"skl", "har-i", {{"cycle", 4e6}, {"instr", 2e6}, {"d_miss", 7e4}, {"dtlb", 4e3}, {"fetch", 3e5}, {"tag", 1e5},
	  {"data", 1e6}},
	 {{"cpi", 2}, {"dcm", 35}, {"dtm", 2}, {"isr", 0.2}, {"dsr", 0.5}}},
	{"skl", "har-i", {{"instr", 2e6}, {"lines", 5e6}, {"i_miss", 8e4}, {"e_miss", 6e4}, {"itlb", 2e3}, {"fp", 4e5},
	  {"recover", 1e5}, {"resteer", 3e5}},
	 {{"mips", 2 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"icm", 40}, {"ecm", 30}, {"itm", 1}, {"fsr", 0.2}}},
	{"skl", "har-i", {{"instr", 2e6}, {"recover", 1e5}, {"resteer", 3e5}}, {{"bsr", 0.2}}},
	{"skl", "har-s", {{"instr", 2e6}, {"lines", 5e6}, {"i_miss", 8e6}, {"e_miss", 6e6}, {"dtlb", 4e6},
	  {"itlb", 2e6}},
	 {{"mips", 2 / SECONDS}, {"bus", 64 * 5 / SECONDS}, {"icm", 8 / SECONDS}, {"ecm", 6 / SECONDS},
	  {"dtm", 4 / SECONDS}, {"itm", 2 / SECONDS}}},
	{"skl", "har-s", {{"data", 5e6}, {"fetch", 3e6}, {"tag", 1e6}, {"fp", 7e6}},
	 {{"dsr", 5 / SECONDS}, {"isr", 4 / SECONDS}, {"fsr", 7 / SECONDS}}},
	{"skl", "har-s", {{"cycle", 4e6}, {"instr", 2e6}, {"d_miss", 7e6}, {"recover", 1e6}, {"resteer", 3e6}},
	 {{"cpi", 2}, {"dcm", 7 / SECONDS}, {"bsr", 4 / SECONDS}}},

	/* Table 3 of the article, original code: of the cpi of 2.5, 1.4 (56 %) is data and 0.5 (21
	 * %) floating point. */
	{"skl", "har-cpi", {{"cycle", 2500}, {"instr", 1000}, {"data", 1400}, {"fp", 525}},
	 {{"cpi", 2.5}, {"exe", 0.575}, {"dsr", 1.4}, {"fsr", 0.525}, {"dsr_pct", 56}, {"fsr_pct", 21}}},
	{"icl", "har-cpi", {{"cycle", 2500}, {"instr", 1000}, {"data", 1400}, {"fp", 525}}, {{"exe_pct", 23}}},
	{"zen3", "har-cpi", {{"cycle", 2500}, {"instr", 1000}, {"queue", 1400}, {"fp", 525}},
	 {{"cpi", 2.5}, {"exe", 0.575}, {"dsr", 1.4}, {"fsr", 0.525}, {"exe_pct", 23}, {"dsr_pct", 56}}},
	{"n1", "har-cpi", {{"cycle", 2500}, {"instr", 1000}}, {{"cpi", 2.5}, {"exe", NAN}, {"dsr", NAN}, {"fsr", NAN}}},
	/* Elements of vectors of both precisions. */
	{"skl", "har-more", {{"d", 1e6}, {"s", 2e6}, {"d128", 3e6}, {"s128", 4e6}, {"d256", 5e6}, {"s256", 6e6}},
	 {{"flops", (1 + 2 + 6 + 16 + 20 + 48) / SECONDS}}},
	{"skx", "har-more", {{"d", 1e6}, {"s", 2e6}, {"d128", 3e6}, {"s128", 4e6}, {"d256", 5e6}, {"s256", 6e6},
	  {"d512", 7e6}, {"s512", 8e6}},
	 {{"flops", (1 + 2 + 6 + 16 + 20 + 48 + 56 + 128) / SECONDS}}},
	{"zen3", "har-more", {{"cycle", 4e6}, {"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}, {"flop", 8e6}},
	 {{"cpi", 2}, {"branch", 20}, {"brm", 2.5}, {"flops", 8 / SECONDS}}},
	{"v1", "har-more", {{"scale256", 3e6}, {"fixed", 5e6}}, {{"flops", 11 / SECONDS}}},
	{"skl", "har-more", {{"cycle", 4e6}, {"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}},
	 {{"mips", 2 / SECONDS}, {"cpi", 2}, {"branch", 20}, {"brm", 2.5}}},
	{"icl", "har-more", {{"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}, {"d", 1e6}, {"s", 2e6}, {"d128", 3e6},
	  {"s128", 4e6}, {"d256", 5e6}, {"s256", 6e6}},
	 {{"branch", 20}, {"brm", 2.5}}},
	{"zen4", "har-more", {{"cycle", 4e6}, {"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}, {"flop", 8e6}},
	 {{"cpi", 2}, {"branch", 20}, {"brm", 2.5}, {"flops", 8 / SECONDS}}},
	{"adl", "har-more", {{"cycle", 4e6}, {"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}},
	 {{"cpi", 2}, {"branch", 20}, {"brm", 2.5}}},
	{"n1", "har-more", {{"instr", 2e6}, {"branch", 4e5}, {"wrong", 1e4}},
	 {{"branch", 20}, {"brm", 2.5}, {"flops", NAN}}},

	/* Counts per 1000 instructions. */
	{"skx", "memops", {{"instr", 8009}, {"split_ld", 3}, {"split_st", 7}, {"lock", 11}, {"far", 13}},
	 {{"spldpki", 3000.0 / 8009}, {"spstpki", 7000.0 / 8009}, {"lockpki", 11000.0 / 8009},
	  {"farpki", 13000.0 / 8009}}},
	{"zen5", "memops", {{"instr", 8000}, {"split_ld", 8}, {"page_ld", 4}, {"far", 2}},
	 {{"spldpki", 1}, {"pgldpki", 0.5}, {"farpki", 0.25}}},

	/* MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM divided by its sum with LOCAL_DRAM; dram_io_far
	 * divided by its sum with dram_io_near. */
	{"spr", "numa", {{"instr", 8009}, {"near", 13}, {"far", 7}},
	 {{"mempki", 20000.0 / 8009}, {"far", 35}}},
	{"zen3", "numa", {{"instr", 8000}, {"near", 997}, {"far", 3}}, {{"mempki", 125}, {"far", 0.3}}},
	{"adl-n", "walks", {{"cycle", 4001}, {"instr", 5003}, {"store", 1009}},
	 {{"ipc", 5003.0 / 4001}, {"store", 100 * 1009.0 / 4001}}},
	{"zen4", "walks", {{"cycle", 4001}, {"store", 1009}}, {{"store", 100 * 1009.0 / 4001}}},

	/* Elements of vectors: 128 bits are two doubles or four singles, and so on. */
	{"skl", "flops_dp", {{"cycle", 1e6}, {"instr", 2e6}, {"scalar", 3e6}, {"p128", 5e6}, {"p256", 7e6}},
	 {{"mflop_s", (3 + 2 * 5 + 4 * 7) / SECONDS}, {"flop_c", 41}, {"vec", 100 * 38.0 / 41}}},
	{"skl", "flops_sp", {{"cycle", 1e6}, {"instr", 2e6}, {"scalar", 3e6}, {"p128", 5e6}, {"p256", 7e6}},
	 {{"mflop_s", (3 + 4 * 5 + 8 * 7) / SECONDS}, {"flop_c", 79}, {"vec", 100 * 76.0 / 79}}},
	{"skx", "flops_dp", {{"cycle", 1e6}, {"instr", 2e6}, {"scalar", 3e6}, {"p128", 5e6}, {"p256", 7e6},
	  {"p512", 11e6}},
	 {{"mflop_s", (3 + 2 * 5 + 4 * 7 + 8 * 11) / SECONDS}, {"flop_c", 129}, {"vec", 100 * 126.0 / 129}}},
	{"gnr", "flops_sp", {{"cycle", 1e6}, {"instr", 2e6}, {"scalar", 3e6}, {"p128", 5e6}, {"p256", 7e6},
	  {"p512", 11e6}},
	 {{"mflop_s", (3 + 4 * 5 + 8 * 7 + 16 * 11) / SECONDS}, {"flop_c", 255}, {"vec", 100 * 252.0 / 255}}},
	{"srf", "flops_dp", {{"cycle", 1e6}, {"instr", 2e6}, {"flop", 13e6}}, {{"mflop_s", 13 / SECONDS},
	  {"flop_c", 13}}},
	{"zen1", "flops_sp", {{"cycle", 1e6}, {"instr", 2e6}, {"flop", 13e6}}, {{"mflop_s", 13 / SECONDS},
	  {"flop_c", 13}}},
	{"zen5", "flops_dp", {{"cycle", 1e6}, {"flop_scalar", 3e6}, {"flop_packed", 5e6}},
	 {{"mflop_s", 8 / SECONDS}, {"flop_c", 8}, {"vec", 62.5}}},
	{"zen6", "flops_sp", {{"cycle", 1e6}, {"flop_scalar", 3e6}, {"flop_packed", 5e6}},
	 {{"mflop_s", 8 / SECONDS}, {"flop_c", 8}, {"vec", 62.5}}},
	{"cwf", "fp", {{"cycle", 1e6}, {"instr", 2e6}, {"flop_e", 13e6}, {"assist", 3}},
	 {{"mflop_s", 13 / SECONDS}, {"assist", 100 * 3 / 2e6}}},
	{"skl", "fp", {{"cycle", 1e6}, {"instr", 2e6}, {"scalar", 3e5}, {"vector", 5e5}, {"assist", 3}},
	 {{"fp", 40}, {"vec", 62.5}, {"assist", 100 * 3 / 2e6}}},
	{"zen2", "fp", {{"cycle", 1e6}, {"instr", 2e6}, {"flop", 13e6}}, {{"mflop_s", 13 / SECONDS}}},
	{"zen4", "fp", {{"instr", 2e6}, {"flop", 13e6}, {"scalar", 3e5}, {"vector", 5e5}},
	 {{"mflop_s", 13 / SECONDS}, {"fp", 40}, {"vec", 62.5}}},
	/* fp_ops_per_cycle, here per second: FP_SCALE_OPS_SPEC counts per 128 bits of the vector;
	 * V1 has 256. */
	{"v1", "fp", {{"instr", 2e6}, {"scale256", 3e6}, {"fixed", 5e6}, {"vfp", 7e4}, {"ase", 11e4}, {"sve", 13e4}},
	 {{"mflop_s", (2 * 3 + 5) / SECONDS}, {"vfp", 3.5}, {"ase", 5.5}, {"sve", 6.5}}},
	{"v2", "fp", {{"instr", 2e6}, {"scale128", 3e6}, {"fixed", 5e6}, {"vfp", 7e4}, {"ase", 11e4}, {"sve", 13e4}},
	 {{"mflop_s", (3 + 5) / SECONDS}}},
};
/* clang-format on */

struct counts {
	const struct screen *screen;
	const struct formula *formula;
};

static struct value load(const void *row, struct expr_ref ref)
{
	const struct counts *c = row;
	const char *alias =
		(size_t)ref.symbol < c->screen->n_aliases ? c->screen->alias[ref.symbol] : NULL;

	for (size_t i = 0; alias && i < N_COUNTS && c->formula->count[i].alias; i++)
		if (!strcmp(c->formula->count[i].alias, alias))
			return value_exact(c->formula->count[i].count /
					   (ref.mode == EXPR_RATE ? SECONDS : 1));
	return value_none(QUALITY_UNSUPPORTED);
}

static void ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static double number(struct value v)
{
	return value_known(v) ? v.number : (double)NAN;
}

/* Adds the columns of the screen on this CPU, and their numbers for the given counts: "ret
 * 40\n". */
static void tell(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	const struct formula *f = context;
	struct screen_list list = SCREEN_LIST_INIT;
	struct err err = ERR_INIT;
	struct screen *s;
	struct counts counts;

	screen_list_add_built_in(&list, 0, screen_built_in_n);
	s = list.v[screen_list_find(&list, f->screen, &err)];
	screen_compile(s, ignore, NULL, NULL);
	fit_screen(s, &offer);
	counts = (struct counts){s, f};
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, "%s %.17g\n", s->column[i].id,
			    number(expr_eval(s->column[i].expr, load, NULL, &counts)));
	screen_list_done(&list);
}

/* Returns the number of a column in the output, NAN if there is none. */
static double find(const char *reported, const char *id)
{
	size_t len = strlen(id);

	for (; *reported; reported += strcspn(reported, "\n") + 1)
		if (!strncmp(reported, id, len) && reported[len] == ' ')
			return strtod(reported + len, NULL);
	return (double)NAN;
}

static void test_formula(const struct formula *f, const struct machine_case *c)
{
	const struct played_cpu cpu = {c->cpu, c->tables, {c->pmu[0], c->pmu[1], c->pmu[2]}};
	struct strbuf reported;

	strbuf_init(&reported);
	cpu_child_ask(&reported, &cpu, tell, f);
	for (size_t i = 0; i < N_COLUMNS && f->column[i].id; i++) {
		double want = f->column[i].want, got = find(reported.text, f->column[i].id);

		/* NAN: the CPU has no event for it, or 0 is divided by 0. */
		bool same =
			isnan(want) ? isnan(got) : fabs(got - want) <= 1e-9 * fmax(fabs(want), 1);

		if (!tap_ok(same, "%s: %s of %s", f->cpu, f->column[i].id, f->screen))
			printf("# got %.17g, want %.17g\n", got, want);
	}
	strbuf_done(&reported);
}

int main(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct machine_case *found = NULL;

		for (size_t k = 0; k < sizeof case_table / sizeof *case_table; k++)
			if (!strcmp(case_table[k].name, table[i].cpu))
				found = &case_table[k];
		if (tap_ok(found, "%s is a CPU of the tests", table[i].cpu))
			test_formula(&table[i], found);
	}
	return tap_done();
}
