/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up files of likwid and perf, converted to screens on simulated CPUs. */
#include "screen/import/import.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_child.h"
#include "pfm_tables.h"
#include "pmu/event/foreign_cpu.h"
#include "tap.h"

/* clang-format off */
static const char group[] =
	"SHORT Double Precision MFLOP/s\n"
	"\n"
	"EVENTSET\n"
	"FIXC0 INSTR_RETIRED_ANY\n"
	"FIXC1 CPU_CLK_UNHALTED_CORE\n"
	"PMC0  FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE\n"
	"PMC1\tFP_ARITH_INST_RETIRED_SCALAR_DOUBLE\n"
	"PMC2:EDGEDETECT:THRESHOLD=0x2 UOPS_EXECUTED_THREAD\n"
	"PMC3:ANYTHREAD UOPS_ISSUED_ANY\n"
	"MBOX0C0 CAS_COUNT_RD\n"
	"\n"
	"METRICS\n"
	"Runtime (RDTSC) [s] time\n"
	"Clock [MHz]  1.E-06*(FIXC1/FIXC0)/inverseClock\n"
	"CPI  FIXC1/FIXC0\n"
	"DP [MFLOP/s]  1.0E-06*((PMC0*2.0)+PMC1)/time\n"
	"Starts [%] 100*(PMC2/FIXC1)\n"
	"Any PMC3\n"
	"Bandwidth [MBytes/s] 1.0E-06*MBOX0C0*64.0/time\n"
	"Wrong PMC9\n"
	"\n"
	"LONG\n"
	"METRICS are told here\n";

static const char metrics[] = "["
	"{\"MetricName\": \"ret\", \"ScaleUnit\": \"100%\", \"BriefDescription\": "
	 "\"Retiring\", \"MetricThreshold\": \"ret > 0.7\","
	" \"MetricExpr\": \"topdown\\\\-retiring / (topdown\\\\-retiring + topdown\\\\-fe\\\\-bound) + 0 * slots\"},"
	"{\"MetricName\": \"fe\", \"ScaleUnit\": \"100%\", \"MetricExpr\": \"(topdown\\\\-fe\\\\-bound - "
	 "INT_MISC.UOP_DROPPING) / slots\"},"
	"{\"MetricName\": \"rest\", \"MetricExpr\": \"max(1 - (fe + ret), 0)\"},"
	"{\"MetricName\": \"threads\", \"MetricExpr\": \"slots / (cycles if #smt_on else cycles / 2)\"},"
	"{\"MetricName\": \"own\", \"MetricExpr\": \"cycles if #core_wide < 1 else cycles / #num_cpus\"},"
	"{\"MetricName\": \"many\", \"MetricExpr\": \"cycles / #num_cpus\"},"
	"{\"MetricName\": \"slotted\", \"MetricExpr\": \"1 - OP_RETIRED / (CPU_CYCLES * #slots)\"},"
	"{\"MetricName\": \"gips\", \"MetricExpr\": \"INST_RETIRED.ANY / 1e9 / "
	 "duration_time\", \"ScaleUnit\": \"1GIPS\", \"MetricThreshold\": \"(gips < 0.25)\"},"
	"{\"MetricName\": \"busy\", \"MetricThreshold\": \"busy > 0.1 & ret > 0.7\","
	 " \"MetricExpr\": \"cpu@UOPS_EXECUTED.THREAD\\\\,cmask\\\\=1\\\\,inv@ / "
	 "CPU_CLK_UNHALTED.THREAD:k\"},"
	"{\"MetricName\": \"imc\", \"MetricExpr\": \"uncore_imc@cas_count_read@ * 64\"},"
	"{\"MetricName\": \"bits\", \"MetricExpr\": \"cycles ^ 3\"},"
	"{\"MetricName\": \"elsewhere\", \"ArchStdEvent\": \"X\"},"
	"{\"EventName\": \"X\", \"EventCode\": \"0x1\"}]";

static const char hybrid[] = "["
	"{\"MetricName\": \"ret\", \"Unit\": \"cpu_core\", \"MetricExpr\": \"topdown\\\\-retiring / slots\"},"
	"{\"MetricName\": \"ret\", \"Unit\": \"cpu_atom\", \"MetricExpr\": \"topdown\\\\-retiring / (5 * "
	 "CPU_CLK_UNHALTED.CORE)\"},"
	"{\"MetricName\": \"twice\", \"Unit\": \"cpu_atom\", \"MetricExpr\": \"ret * 2\"},"
	"{\"MetricName\": \"there\", \"MetricExpr\": \"cpu_atom@event\\\\=0xc2\\\\,umask\\\\=0x1@ / "
	 "cpu_core@MEM_LOAD_RETIRED.L1_MISS@\"},"
	"{\"MetricName\": \"guess\", \"MetricExpr\": \"cpu_atom@BR_MISP_RETIRED.ALL_BRANCHES@ / "
	 "cpu_atom@branches@\"},"
	"{\"MetricName\": \"latency\", \"MetricExpr\": \"cpu_core@MEM_LOAD_RETIRED.L1_MISS@R\"},"
	"{\"MetricName\": \"none\", \"Unit\": \"cpu_lowpower\", \"MetricExpr\": \"cycles\"}]";

static const char of_arm[] = "[{\"MetricName\": \"spec\", \"MetricExpr\": \"OP_RETIRED / OP_SPEC\"},"
	"{\"MetricName\": \"stalled\", \"MetricExpr\": \"STALL_BACKEND / CPU_CYCLES\"},"
	"{\"MetricName\": \"edge\", \"MetricExpr\": \"armv8_pmuv3_0@STALL_BACKEND\\\\,edge\\\\=1@\"}]";

static const char slots_of_likwid[] = "SHORT Top\nEVENTSET\nFIXC3 TOPDOWN_SLOTS\nTMA0 RETIRING\nTMA7 MEM_BOUND\n"
	"PMC1 ITLB_MISSES_WALK_COMPLETED\nPMC3:EDGEDETECT ITLB_MISSES_WALK_COMPLETED\nMETRICS\n"
	"Retiring TMA0/FIXC3\nMemory TMA7/FIXC3\nLength PMC1/PMC3:EDGEDETECT\n";

static const char twice[] = "[{\"MetricName\": \"rate\", \"MetricExpr\": \"branch\\\\-misses / instructions\"},"
	"{\"MetricName\": \"rate\", \"MetricExpr\": \"1000 * branch\\\\-misses / instructions\"},"
	"{\"MetricName\": \"cpi\", \"MetricExpr\": \"cycles / instructions\"}]";

static const char of_sockets[] = "[{\"MetricName\": \"dram\", \"MetricExpr\": "
	"\"dram_channel_data_controller_0 * 64\"}]";

static const char slotless[] = "[{\"MetricName\": \"share\", \"MetricExpr\": "
	"\"topdown\\\\-retiring / (topdown\\\\-retiring + topdown\\\\-bad\\\\-spec)\"}]";

static const char without_slots[] = "[{\"MetricName\": \"share\", \"Unit\": \"cpu_core\", \"MetricExpr\": "
	"\"topdown\\\\-retiring / (topdown\\\\-retiring + topdown\\\\-bad\\\\-spec)\"},"
	"{\"MetricName\": \"plain\", \"Unit\": \"cpu_core\", \"MetricExpr\": \"INST_RETIRED.ANY / slots\"}]";

static const char perhaps[] = "[{\"MetricName\": \"perhaps\", \"MetricExpr\": \"(instructions if has_event(NO.SUCH) "
	"else cycles)\"},"
	"{\"MetricName\": \"sure\", \"MetricExpr\": \"instructions if has_event(BR_INST_RETIRED.ALL_BRANCHES) else "
	"cycles\"}]";

/* tell: the output, with a line for each counter, column, note and message; then the error, if
 * any. */
static const struct {
	const char *name;
	struct played_cpu cpu;
	const char *path, *text, *metrics, *want;
	enum { ANYWHERE, WITH_TABLES, WITHOUT_PFM, ELSEWHERE } where;
} table[] = {
	{"a group of likwid", {"x86:06_9E", "skl", {&skylake}}, "groups/skylake/FLOPS_DP.txt", group, NULL,
	 "13 metric 'Runtime (RDTSC)': column 1: the time of the interval can only be used to "
	  "divide counts: it is left out\n"
	 "14 metric 'Clock': column 22: 'inverseClock' has no counterpart: the rate of the time stamp "
	  "counter is not known to screens: it is left out\n"
	 "18 metric 'Any': column 1: the option 'ANYTHREAD' of the counter 'PMC3' has no counterpart: it is "
	  "left out\n"
	 "19 metric 'Bandwidth': column 9: the counter 'MBOX0C0' (CAS_COUNT_RD) is outside of the cores, "
	  "and so not counted per task: it is left out\n"
	 "20 metric 'Wrong': column 1: there is no counter 'PMC9' in this group: it is left out\n"
	 "FLOPS_DP, Double Precision MFLOP/s\n"
	 "cpu_clk_unhalted_core: cycles\n"
	 "instr_retired_any: instructions\n"
	 "fp_arith_inst_retired_128b_packed_double: fp-128-double\n"
	 "fp_arith_inst_retired_scalar_double: fp-scalar-double\n"
	 "uops_executed_thread: r20401b1\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'     CPI' '%8.2f' delta(cpu_clk_unhalted_core) / delta(instr_retired_any) (CPI)\n"
	 "'      DP' '%8.2f' 1e-06 * (rate(fp_arith_inst_retired_128b_packed_double) * 2 + "
	  "rate(fp_arith_inst_retired_scalar_double)) (DP (MFLOP/s))\n"
	 "'  Starts' '%8.2f' 100 * (delta(uops_executed_thread) / delta(cpu_clk_unhalted_core)) (Starts (%))\n",
	 WITH_TABLES},
	{"one metric of it", {"x86:06_9E", "skl", {&skylake}}, "FLOPS_DP.txt", group, "CPI",
	 "FLOPS_DP, Double Precision MFLOP/s\n"
	 "cpu_clk_unhalted_core: cycles\n"
	 "instr_retired_any: instructions\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'     CPI' '%8.2f' delta(cpu_clk_unhalted_core) / delta(instr_retired_any) (CPI)\n", ANYWHERE},
	{"a CPU without its events", {"x86:19_11", "amd64_fam19h_zen4", {&zen}}, "g", group, "DP",
	 "16 metric 'DP': column 11: the event 'FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE' has no counterpart: "
	 "neither the tables of tiptop, nor the kernel, nor libpfm4 have it for this CPU: it is left out\n"
	 "g: none of its metrics has a counterpart\n", WITH_TABLES},
	{"a CPU without its events, and no libpfm4", {"x86:19_11", "amd64_fam19h_zen4", {&zen}}, "g", group, "DP",
	 "16 metric 'DP': column 11: the event 'FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE' has no counterpart: "
	 "neither the tables of tiptop nor the kernel have it for this CPU, and " PFM_ABSENT_REASON ": it is left out\n"
	 "g: none of its metrics has a counterpart\n", WITHOUT_PFM},
	{"a metric that is not there", {"x86:06_9E", "skl", {&skylake}}, "g", group, "CPI,CP", "g: it has no "
	 "metric 'CP'\n", ANYWHERE},
	{"metrics of perf", {"x86:06_8F", "spr", {&ice_lake}}, "m.json", metrics, NULL,
	 "0 metric 'threads': column 20: '#smt_on' has no counterpart: screens do not know whether the cores "
	  "have several threads: it is left out\n"
	 "0 metric 'many': column 10: '#num_cpus' has no counterpart: a screen has no such number of the machine: "
	  "it is left out\n"
	 "0 metric 'slotted': column 5: the event 'OP_RETIRED' has no counterpart: neither the tables of "
	  "tiptop, nor the kernel, nor libpfm4 have it for this CPU: it is left out\n"
	 "0 metric 'imc': column 1: the PMU 'uncore_imc' has no counterpart: this CPU has no cores with "
	  "it, so that its events would not be those of a task: it is left out\n"
	 "0 metric 'bits': column 8: an operator is expected, not '^ 3': it is left out\n"
	 "0 metric 'elsewhere': it has no MetricExpr: that stands in another file: it is left out\n"
	 "m, Imported metrics\n"
	 "topdown_retiring: topdown-retiring\n"
	 "topdown_fe_bound: topdown-fe-bound\n"
	 "slots: slots\n"
	 "int_misc_uop_dropping: dropped-slots\n"
	 "cycles: cycles\n"
	 "inst_retired_any: instructions\n"
	 "cpu_uops_executed_thread_cmask_1_inv: r18001b1\n"
	 "cpu_clk_unhalted_thread_k: cycles:k\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'     ret' '%8.2f' (delta(topdown_retiring) / (delta(topdown_retiring) + delta(topdown_fe_bound)) "
	  "+ 0 * delta(slots)) * 100 (Retiring (%)) warn > 70\n"
	 "'      fe' '%8.2f' (delta(topdown_fe_bound) - delta(int_misc_uop_dropping)) / delta(slots) * 100 (fe (%))\n"
	 "'    rest' '%8.2f' max(1 - ((delta(topdown_fe_bound) - delta(int_misc_uop_dropping)) / delta(slots) + "
	 "(delta(topdown_retiring) / (delta(topdown_retiring) + delta(topdown_fe_bound)) + 0 * "
	  "delta(slots))), 0) (rest)\n"
	 "'     own' '%8.2f' delta(cycles) (own)\n"
	 "'    gips' '%8.2f' rate(inst_retired_any) / 1e+09 (gips (GIPS)) warn < 0.25\n"
	 "'    busy' '%8.2f' delta(cpu_uops_executed_thread_cmask_1_inv) / delta(cpu_clk_unhalted_thread_k) (busy)\n"
	 "note busy: the vendor's threshold is busy > 0.1 & ret > 0.7\n", WITH_TABLES},
	{"metrics of kinds of cores", {"x86:06_97", NO_TABLES, {&gracemont, &golden_cove}}, "h.json", hybrid, NULL,
	 "0 metric 'latency': column 1: the modifier 'R' has no counterpart: it asks for the latency of an "
	  "instruction's retirement, which perf samples: it is left out\n"
	 "0 metric 'none': column 1: the PMU 'cpu_lowpower' has no counterpart: this CPU has no cores with "
	  "it, so that its events would not be those of a task: it is left out\n"
	 "h, Imported metrics\n"
	 "topdown_retiring: cpu_core/config=0x8000/\n"
	 "slots: cpu_core/config=0x400/\n"
	 "topdown_retiring_2: cpu_atom/config=0xc2/\n"
	 "cpu_clk_unhalted_core: cpu_atom/config=0x3c/\n"
	 "cpu_atom_event_0xc2_umask_0x1: cpu_atom/event=0xc2,umask=0x1/\n"
	 "cpu_core_mem_load_retired_l1_miss: cpu_core/config=0x8d1/\n"
	 "cpu_atom_br_misp_retired_all_branches: cpu_atom/config=0xc5/\n"
	 "cpu_atom_branches: cpu_atom/config=0xc4/\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "' ret_core' '%9.2f' delta(topdown_retiring) / delta(slots) (ret)\n"
	 "' ret_atom' '%9.2f' delta(topdown_retiring_2) / (5 * delta(cpu_clk_unhalted_core)) (ret)\n"
	 "'   twice' '%8.2f' delta(topdown_retiring_2) / (5 * delta(cpu_clk_unhalted_core)) * 2 (twice)\n"
	 "'   there' '%8.2f' delta(cpu_atom_event_0xc2_umask_0x1) / delta(cpu_core_mem_load_retired_l1_miss) "
	  "(there)\n"
	 "'   guess' '%8.2f' delta(cpu_atom_br_misp_retired_all_branches) / delta(cpu_atom_branches) "
	  "(guess)\n", ANYWHERE},
	/* likwid's counters TMA0 to TMA7 are core counters. A formula names a counter with its
	 * options: PMC3:EDGEDETECT. */
	{"metrics of slots of likwid", {"x86:06_8F", NO_TABLES, {&ice_lake}}, "T.txt", slots_of_likwid, NULL,
	 "T, Top\n"
	 "retiring: retiring-slots\n"
	 "topdown_slots: issue-slots\n"
	 "mem_bound: memory-bound-slots\n"
	 "itlb_misses_walk_completed: itlb-walks\n"
	 "itlb_misses_walk_completed_2: r40e11\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "' Retiring' '%9.2f' delta(retiring) / delta(topdown_slots) (Retiring)\n"
	 "'  Memory' '%8.2f' delta(mem_bound) / delta(topdown_slots) (Memory)\n"
	 "'  Length' '%8.2f' delta(itlb_misses_walk_completed) / delta(itlb_misses_walk_completed_2) (Length)\n",
	 ELSEWHERE},
	{"metrics of Arm", {"arm64:41_D40", NO_TABLES, {&neoverse_v1}}, "a.json", of_arm, NULL,
	 "0 metric 'edge': column 1: the terms 'edge=1' have a counterpart on x86 only: it is left out\n"
	 "a, Imported metrics\n"
	 "op_retired: retired-ops\n"
	 "op_spec: issued-ops\n"
	 "stall_backend: stall_backend\n"
	 "cpu_cycles: cycles\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'    spec' '%8.2f' delta(op_retired) / delta(op_spec) (spec)\n"
	 "' stalled' '%8.2f' delta(stall_backend) / delta(cpu_cycles) (stalled)\n", ANYWHERE},
	/* Headers are unique. Counts per instruction have enough digits even if they are small. */
	{"headers and digits", {"x86:06_9E", "skl", {&skylake}}, "d.json", twice, NULL,
	 "d, Imported metrics\n"
	 "branch_misses: branch-misses\n"
	 "instructions: instructions\n"
	 "cycles: cycles\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'     rate' '%9.3g' delta(branch_misses) / delta(instructions) (rate)\n"
	 "'  rate_2' '%8.2f' 1000 * delta(branch_misses) / delta(instructions) (rate)\n"
	 "'     cpi' '%8.2f' delta(cycles) / delta(instructions) (cpi)\n", ANYWHERE},
	/* The kernel counts topdown metrics only with slots as the leader of their group. */
	{"metrics of slots without the leader", {"x86:06_8F", NO_TABLES, {&ice_lake}}, "s.json", slotless, NULL,
	 "s, Imported metrics\n"
	 "topdown_retiring: topdown-retiring\n"
	 "topdown_bad_spec: topdown-bad-spec\n"
	 "slots: slots\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'   share' '%8.2f' delta(topdown_retiring) / (delta(topdown_retiring) + delta(topdown_bad_spec)) + 0 * "
	  "delta(slots) (share)\n", ANYWHERE},
	{"metrics of slots of fast cores", {"x86:06_BD", NO_TABLES, {&skymont, &golden_cove}}, "s.json", without_slots,
	 NULL,
	 "s, Imported metrics\n"
	 "topdown_retiring: cpu_core/config=0x8000/\n"
	 "topdown_bad_spec: cpu_core/config=0x8100/\n"
	 "cpu_core_slots: cpu_core/config=0x400/\n"
	 "inst_retired_any: cpu_core/config=0xc0/\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'   share' '%8.2f' delta(topdown_retiring) / (delta(topdown_retiring) + delta(topdown_bad_spec)) + 0 * "
	  "delta(cpu_core_slots) (share)\n"
	 "'   plain' '%8.2f' delta(inst_retired_any) / delta(cpu_core_slots) (plain)\n", ELSEWHERE},
	/* The tables have this event, for sockets only. */
	{"an event outside of the cores", {"x86:17_31", NO_TABLES, {&zen}}, "z.json", of_sockets, NULL,
	 "0 metric 'dram': column 1: the event 'dram_channel_data_controller_0' has no counterpart: it is counted "
	  "outside of the cores, and so not per task: it is left out\n"
	 "z.json: none of its metrics has a counterpart\n", ANYWHERE},
	/* The features of a CPU other than this machine's are unknown: the condition is not
	 * constant. */
	{"an event that another CPU may have", {"x86:06_8F", NO_TABLES, {&ice_lake}}, "o.json", perhaps, NULL,
	 "o, Imported metrics\n"
	 "cycles: cycles\n"
	 "instructions: instructions\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "' perhaps' '%8.2f' delta(cycles) (perhaps)\n"
	 "'    sure' '%8.2f' delta(instructions) (sure)\n", ANYWHERE},
	{"an event that another CPU may have, elsewhere", {"x86:06_8F", NO_TABLES, {&ice_lake}}, "o.json", perhaps,
	 NULL,
	 "0 metric 'perhaps': column 18: whether that CPU has the event 'NO.SUCH' is not known here: the tables of "
	  "tiptop do not have it: it is left out\n"
	 "o, Imported metrics\n"
	 "instructions: instructions\n"
	 "' %CPU' '%5.1f' CPU_TOT (CPU usage (% of one CPU))\n"
	 "'    sure' '%8.2f' delta(instructions) (sure)\n", ELSEWHERE},
	/* Files that cannot be read. */
	{"no file of metrics", {"x86:06_9E", "skl", {&skylake}}, "x", "hello\n", NULL,
	 "x:1: 'hello' stands before EVENTSET: this is not a group of likwid\n", ANYWHERE},
	{"an empty file", {"x86:06_9E", "skl", {&skylake}}, "x", "", NULL,
	 "x: there is no metric after a line METRICS\n", ANYWHERE},
	{"a counter without an event", {"x86:06_9E", "skl", {&skylake}}, "x", "EVENTSET\nPMC0\n", NULL,
	 "x:2: a counter and its event are expected, not 'PMC0'\n", ANYWHERE},
	{"a metric without a formula", {"x86:06_9E", "skl", {&skylake}}, "x", "METRICS\nCPI\n", NULL,
	 "x:2: a metric is a name and a formula without blanks, not 'CPI'\n", ANYWHERE},
	{"bad JSON", {"x86:06_9E", "skl", {&skylake}}, "x", "[\n{\"MetricName\": }]", NULL,
	 "x:2: bad JSON: unexpected character\n", ANYWHERE},
	{"cut off JSON", {"x86:06_9E", "skl", {&skylake}}, "x", "[\n{\"MetricName\": \"a\",\n", NULL,
	 "x:3: bad JSON: unexpected end of data\n", ANYWHERE},
	{"JSON without metrics", {"x86:06_9E", "skl", {&skylake}}, "x", "{}", NULL,
	 "x: there is no metric in it: an array of objects with MetricName and MetricExpr is expected, as "
	  "perf has them\n", ANYWHERE},
	{"something behind the JSON", {"x86:06_9E", "skl", {&skylake}}, "x", "[]\n[]", NULL,
	 "x:2: bad JSON: there is text after its end\n", ANYWHERE},
};
/* clang-format on */

static void report(void *context, int line, const struct err *fault)
{
	strbuf_addf(context, "%d %s\n", line, fault->text);
}

static void tell_screen(struct strbuf *out, const struct import *made)
{
	const struct screen *s = made->screen;

	strbuf_addf(out, "%s, %s\n", s->name, s->desc);
	for (size_t i = 0; i < s->n_counters; i++)
		strbuf_addf(out, "%s: %s\n", s->counter[i].alias, s->counter[i].event);
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, "'%s' '%s' %s (%s)%s%s\n", s->column[i].header,
			    s->column[i].format, s->column[i].text, s->column[i].desc,
			    s->column[i].warn.text ? " warn " : "",
			    s->column[i].warn.text ? s->column[i].warn.text : "");
	for (const char *n = made->notes.text; *n; n += strcspn(n, "\n") + 1)
		if (strncmp(n, "metric ", 7) != 0)
			strbuf_addf(out, "note %.*s\n", (int)strcspn(n, "\n"), n);
}

static void tell(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	size_t i = *(const size_t *)context;
	struct machine other = {.table = &event_table_built_in};
	const struct import_request request = {table[i].path, table[i].text, table[i].metrics,
					       table[i].where == ELSEWHERE ? &other : m, NULL};
	struct err err = ERR_INIT;
	struct import made;

	(void)sys;
	machine_set_foreign(&other, table[i].cpu.cpu, NULL);
	if (import_read(&made, &request, report, out, &err))
		strbuf_addf(out, "%s\n", err.text);
	else
		tell_screen(out, &made);
	import_done(&made);
}

int main(void)
{
	const char *why[] = {[WITH_TABLES] = pfm_tables_lacking(),
			     [WITHOUT_PFM] = pfm_is_there() ? "libpfm4 is there" : NULL,
			     [ELSEWHERE] = NULL};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct strbuf reported;

		if (why[table[i].where]) {
			tap_skip(table[i].name, why[table[i].where]);
			continue;
		}
		strbuf_init(&reported);
		cpu_child_ask(&reported, &table[i].cpu, tell, &i);
		if (!tap_ok(!strcmp(reported.text, table[i].want), "%s", table[i].name))
			printf("# got\n%s# want\n%s", reported.text, table[i].want);
		strbuf_done(&reported);
	}
	return tap_done();
}
