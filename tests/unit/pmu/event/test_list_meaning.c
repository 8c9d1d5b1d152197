/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meaning shown for an event, on CPUs of each vendor.
 */
#include <stdlib.h>
#include <string.h>

#include "fake_sysfs.h"
#include "pfm_tables.h"
#include "pmu/event/list.h"
#include "pmu/event/pfm.h"
#include "tap.h"

#define CACHE(cache, operation, result)                                                            \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 |                   \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define HW PERF_TYPE_HARDWARE

/* For events on CPUs, the beginning of the text; NULL if the meaning is unknown. */
/* clang-format off */
static const struct {
	const char *cpu;
	uint32_t type;
	uint64_t config;
	const char *text;
} table[] = {
	{"x86:06_9E", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of the last-level cache (event 0x2e, umask 0x41)"},
	{"x86:06_97", HW, 4ull << 32 | PERF_COUNT_HW_CACHE_MISSES, "misses of the last-level cache"},
	{"x86:06_97", HW, 10ull << 32 | PERF_COUNT_HW_CPU_CYCLES, "cycles in which the CPU was not halted"},
	{"x86:17_01", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of L2, not of the last level"},
	{"x86:17_31", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of L2, not of the last level"},
	{"x86:19_61", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of L2, not of the last level"},
	{"x86:1A_02", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of L2, not of the last level"},
	{"arm64:41_D0C", HW, PERF_COUNT_HW_CACHE_MISSES, "lines brought into the L1 data cache"},
	{"arm64:61_022", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of a cache, mostly the last level"},
	{"x86:10_02", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of a cache, mostly the last level"},
	{"riscv:", HW, PERF_COUNT_HW_CACHE_MISSES, "misses of a cache, mostly the last level"},
	{"x86:06_9E", HW, PERF_COUNT_HW_CACHE_REFERENCES, "requests to the last-level cache"},
	{"x86:17_71", HW, PERF_COUNT_HW_CACHE_REFERENCES, "requests to L2"},
	{"arm64:41_D40", HW, PERF_COUNT_HW_CACHE_REFERENCES, "accesses to the L1 data cache, not the last level"},
	{"x86:06_9E", HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "retired branches (event 0xc4)"},
	{"x86:19_01", HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "retired branches (event 0xc2)"},
	{"arm64:41_D40", HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "retired branches (BR_RETIRED); on older kernels"},
	{"arm64:41_D40", HW, PERF_COUNT_HW_BRANCH_MISSES, "branches that were wrongly predicted, those on wrong paths"},
	{"x86:06_8F", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "cycles at the rate of the time stamp counter"},
	{"x86:19_11", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "cycles at the nominal rate (P0)"},
	{"x86:19_21", HW, PERF_COUNT_HW_REF_CPU_CYCLES, "this CPU has no such event"},
	{"x86:17_01", HW, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles in which instruction fetch stood still"},
	{"x86:17_31", HW, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles in which the front end had no operation"},
	{"x86:17_31", HW, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "this CPU has no such event"},
	{"arm64:41_D49", HW, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "cycles in which the back end took no operation"},
	{"x86:19_61", HW, PERF_COUNT_HW_BUS_CYCLES, "this CPU has no such event"},
	{"x86:06_9E", HW, PERF_COUNT_HW_BUS_CYCLES, "cycles of a constant clock"},
	{"arm64:41_D49", HW, PERF_COUNT_HW_BUS_CYCLES, "cycles of the bus between"},
	{"x86:06_9E", HW, PERF_COUNT_HW_INSTRUCTIONS, "retired instructions"},
	{"x86:06_9E", HW, PERF_COUNT_HW_MAX, NULL},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), "reads that missed the L1 data cache; which event"},
	{"x86:06_97", PERF_TYPE_HW_CACHE, 10ull << 32 | CACHE(L1D, READ, MISS), "reads that missed the L1 data cache"},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, CACHE(DTLB, WRITE, ACCESS), "writes of the TLB for data;"},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, CACHE(NODE, PREFETCH, MISS),
	 "prefetches that missed the memory of the node;"},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, 0xff, NULL},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, 0xff00, NULL},
	{"x86:06_9E", PERF_TYPE_HW_CACHE, 0xff0000, NULL},
	{"x86:06_9E", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, "time for which the task was on a CPU, in ns"},
	{"x86:06_9E", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "page faults that had to wait for I/O"},
	{"x86:06_9E", PERF_TYPE_SOFTWARE, 1000, NULL},
	{"x86:06_9E", PERF_TYPE_TRACEPOINT, 321, "times the kernel came past"},
	/* On a hybrid Arm machine, generic events are given by codes. */
	{"arm64:41_D4B", 8, 0x03, "lines brought into the L1 data cache"},
	{"arm64:41_D4B", 9, 0x4005, "cycles in which the back end took no operation, while"},
	{"arm64:41_D4B", 8, 0xffff, NULL},
	{"x86:19_61", PERF_TYPE_RAW, 0x03, NULL},
};
/* clang-format on */

static void test_table(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct machine m = {.n_cores = 0};
		struct event e = {
			.what = (char *)"what", .type = table[i].type, .config = table[i].config};
		struct strbuf text;
		bool known;

		strbuf_init(&text);
		strbuf_addstr(&text, "before: ");
		cpu_parse(&m.cpu, table[i].cpu);
		known = meaning_add(&text, &e, &m);
		if (!table[i].text)
			tap_ok(!known && !strcmp(text.text, "before: "), "%s %u:%#llx is not known",
			       table[i].cpu, e.type, (unsigned long long)e.config);
		else if (!tap_ok(known &&
					 !strncmp(text.text + 8, table[i].text,
						  strlen(table[i].text)) &&
					 text.text[text.len - 1] != '.',
				 "%s %u:%#llx: %s", table[i].cpu, e.type,
				 (unsigned long long)e.config, table[i].text))
			tap_show("got", text.text);
		strbuf_done(&text);
	}
}

/* On Zen 2 and later, the meaning of stalled cycles is taken from the event that the kernel lists
 * in sysfs. */
static void test_stalls(void)
{
	static const struct fake_file cpu[] = {{"devices/cpu/type", "4\n"},
					       {"devices/cpu/format/event", "config:0-7\n"},
					       {"devices/cpu/format/umask", "config:8-15\n"}};
	static const struct fake_file old = {"devices/cpu/events/stalled-cycles-backend",
					     "event=0x87,umask=0x01\n"};
	static const char *const cpus[] = {"x86:17_31", "x86:19_61", "x86:1A_02"};
	struct event e = {.what = (char *)"stalled-cycles-backend",
			  .type = HW,
			  .config = PERF_COUNT_HW_STALLED_CYCLES_BACKEND};
	struct fake_sysfs sysfs;
	struct machine m = {.host = &sysfs.host};
	struct strbuf text;

	fake_sysfs_make(&sysfs, cpu, sizeof cpu / sizeof *cpu);
	strbuf_init(&text);
	cpu_parse(&m.cpu, "x86:19_61");
	meaning_add(&text, &e, &m);
	tap_str(text.text, "this CPU has no such event", "a kernel that does not list it");
	fake_sysfs_add(&sysfs, &old);
	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
		cpu_parse(&m.cpu, cpus[i]);
		strbuf_reset(&text);
		meaning_add(&text, &e, &m);
		tap_ok(strstr(text.text, "(event 0x87, umask 1)"), "%s: one that does: %s", cpus[i],
		       text.text);
	}
	strbuf_done(&text);
	fake_sysfs_remove(&sysfs);
}

static void test_metrics(void)
{
	static const char *const want[] = {"slots for operations that retired",
					   "slots wasted on wrong guesses",
					   "slots for which the front end had no operation",
					   "slots that the back end could not take"};
	struct machine m = {.n_cores = 0};
	struct event e = {.what = (char *)"slots",
			  .type = PERF_TYPE_RAW,
			  .config = 0x400,
			  .topdown = TOPDOWN_SLOTS};
	struct strbuf text;

	cpu_parse(&m.cpu, "x86:06_7E");
	strbuf_init(&text);
	tap_ok(meaning_add(&text, &e, &m), "SLOTS");
	tap_str(text.text, "slots in which an operation could have been issued", "its sentence");
	e.topdown = TOPDOWN_METRIC;
	for (unsigned int i = 0; i < sizeof want / sizeof *want; i++) {
		strbuf_reset(&text);
		e.config = 0x8000 + (i << 8);
		tap_ok(meaning_add(&text, &e, &m), "metric %u", i);
		tap_str(text.text, want[i], "its sentence");
	}
	e.config = 0x8400;
	tap_ok(!meaning_add(&text, &e, &m), "one of level 2 has none");
	strbuf_done(&text);
}

static void test_others(void)
{
	struct machine m = {.n_cores = 0};
	struct event e = {.what = NULL, .type = HW};
	struct strbuf text;

	cpu_parse(&m.cpu, "x86:06_9E");
	strbuf_init(&text);
	tap_ok(!meaning_add(&text, &e, &m) && !text.len, "an event that there is not");
	e = (struct event){
		.what = (char *)"msr/tsc/", .type = 12, .config = 0x3, .all_modes = true};
	cpu_parse(&m.cpu, "arm64:41_D40");
	tap_ok(!meaning_add(&text, &e, &m) && !text.len,
	       "an event outside of the cores has no code of theirs");
	strbuf_done(&text);
}

/* For events by the vendor's name, the text is from libpfm4, once it is set to the CPU. */
static void test_vendor_names(void)
{
	struct machine m = {.n_cores = 0};
	struct event e = {
		.what = (char *)"FP_ASSIST:ANY", .type = PERF_TYPE_RAW, .config = 0x1001eca};
	const char *lacking = pfm_tables_lacking();
	struct strbuf text, other;

	if (lacking) {
		tap_skip("an event that libpfm4 describes", lacking);
		return;
	}
	cpu_parse(&m.cpu, "x86:06_9E");
	strbuf_init(&text);
	strbuf_init(&other);
	tap_ok(event_pfm_describe(&other, e.what) && meaning_add(&text, &e, &m),
	       "an event that libpfm4 describes");
	tap_str(text.text, other.text, "in its words");
	strbuf_done(&text);
	strbuf_done(&other);
}

/* Raw codes are described only if the event table has them for this CPU. */
static void test_codes(void)
{
	static const struct {
		const char *cpu, *what, *text;
	} row[] = {
		{"x86:19_61", "r4844", "lines of 64 bytes that a core asked for beyond its caches"},
		{"x86:19_61", "r4844:u",
		 "lines of 64 bytes that a core asked for beyond its caches"},
		{"x86:1A_02", "r1bd6",
		 "cycles in which nothing retired, for any reason (ex_no_retire.all)"},
		{"x86:17_31", "r1bd6", NULL},
		{"x86:06_9E", "r4844", NULL},
		{"x86:19_61", "r484", NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct machine m = {.table = &event_table_built_in};
		struct event e = {
			.what = (char *)row[i].what, .type = PERF_TYPE_RAW, .config = 0x4844};
		struct strbuf text;
		bool known;

		strbuf_init(&text);
		cpu_parse(&m.cpu, row[i].cpu);
		known = meaning_add(&text, &e, &m);
		tap_ok(row[i].text ? known && !strncmp(text.text, row[i].text, strlen(row[i].text))
				   : !known,
		       "%s on %s: %s", row[i].what, row[i].cpu,
		       row[i].text ? row[i].text : "nothing");
		strbuf_done(&text);
	}
}

int main(void)
{
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	test_table();
	test_codes();
	test_stalls();
	test_metrics();
	test_others();
	test_vendor_names();
	return tap_done();
}
