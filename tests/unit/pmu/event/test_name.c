/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events by name: generic ones, modifiers, numbers, and the order in which sources are searched.
 */
#include <errno.h>
#include <stdlib.h>

#include "pfm_tables.h"
#include "pmu/event/name.h"
#include "pmu/event/table.h"
#include "tap.h"

/* A machine without PMUs and tracepoints. */
static const struct event_host bare = {.devices = "/dev/null",
				       .tracing = {"/dev/null", "/dev/null"}};
static const struct machine bare_x86 = {.cpu = {.arch = "x86"}, .host = &bare};
static const struct machine bare_arm = {.cpu = {.arch = "arm64"}, .host = &bare};

#define CACHE(cache, op, result)                                                                   \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* The six names of a cache, and the codes for which they stand. A cache without an operation has no
 * name for it. */
#define CACHE_ROWS(name, cache)                                                                    \
	{name "-loads", PERF_TYPE_HW_CACHE, CACHE(cache, READ, ACCESS)},                           \
	{                                                                                          \
		name "-load-misses", PERF_TYPE_HW_CACHE, CACHE(cache, READ, MISS)                  \
	}
#define CACHE_WRITE_ROWS(name, cache)                                                              \
	{name "-stores", PERF_TYPE_HW_CACHE, CACHE(cache, WRITE, ACCESS)},                         \
	{                                                                                          \
		name "-store-misses", PERF_TYPE_HW_CACHE, CACHE(cache, WRITE, MISS)                \
	}
#define CACHE_PREFETCH_ROWS(name, cache)                                                           \
	{name "-prefetches", PERF_TYPE_HW_CACHE, CACHE(cache, PREFETCH, ACCESS)},                  \
	{                                                                                          \
		name "-prefetch-misses", PERF_TYPE_HW_CACHE, CACHE(cache, PREFETCH, MISS)          \
	}

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} generic_table[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
	CACHE_ROWS("L1-dcache", L1D),
	CACHE_WRITE_ROWS("L1-dcache", L1D),
	CACHE_PREFETCH_ROWS("L1-dcache", L1D),
	CACHE_ROWS("L1-icache", L1I),
	CACHE_PREFETCH_ROWS("L1-icache", L1I),
	CACHE_ROWS("LLC", LL),
	CACHE_WRITE_ROWS("LLC", LL),
	CACHE_PREFETCH_ROWS("LLC", LL),
	CACHE_ROWS("dTLB", DTLB),
	CACHE_WRITE_ROWS("dTLB", DTLB),
	CACHE_PREFETCH_ROWS("dTLB", DTLB),
	CACHE_ROWS("iTLB", ITLB),
	CACHE_ROWS("branch", BPU),
	CACHE_ROWS("node", NODE),
	CACHE_WRITE_ROWS("node", NODE),
	CACHE_PREFETCH_ROWS("node", NODE),
};

static void test_generic(void)
{
	for (size_t i = 0; i < sizeof generic_table / sizeof *generic_table; i++) {
		struct event e = {.name = NULL};

		tap_ok(!event_name_resolve(&e, &bare_x86, 0, generic_table[i].name, NULL) &&
			       e.type == generic_table[i].type &&
			       e.config == generic_table[i].config && !e.no_user && !e.no_kernel &&
			       !e.no_hv && !e.no_host && !e.guest_too && !e.all_modes,
		       "%s", generic_table[i].name);
	}
}

static bool resolve_own_modes(const char *name)
{
	struct event e = {.name = NULL};

	return !event_name_resolve(&e, &bare_x86, 0, name, NULL) && e.own_modes;
}

static void test_modifiers(void)
{
	/* The modes in which each event counts, as letters u k h G H. The first time, the set
	 * excludes the kernel; the second time it does not. Events with a modifier of their own do
	 * not depend on this. */
	/* clang-format off */
	static const struct {
		const char *name, *counted;
	} row[] = {
		{"cycles", "ukhH"},        {"cycles:u", "uH"},     {"cycles:k", "kH"},     {"cycles:h", "hH"},
		{"cycles:uk", "ukH"},      {"cycles:ku", "ukH"},   {"cycles:kh", "khH"},   {"cycles:ukh", "ukhH"},
		{"cycles:G", "ukhG"},      {"cycles:H", "ukhH"},   {"cycles:GH", "ukhGH"}, {"cycles:uG", "uG"},
		{"cycles:ukhGH", "ukhGH"}, {"iTLB-loads:u", "uH"}, {"r1c2:k", "kH"},       {"0x01c2:u", "uH"},
		{"0x5101c2", "uH"},        {"0x5201c2", "khH"},    {"0x5301c2", "ukhH"},   {"0x4001c2:kG", "kG"},
		{"page-faults:u", "uH"},   {"cs:k", "kH"},         {"cs:uk", "ukH"},
	};
	/* clang-format on */

	for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
		const char *name = row[i / 2].name, *want = row[i / 2].counted;
		struct event e = {.name = NULL};
		struct event_set set = {.event = &e, .n = 1, .kernel = i % 2};
		struct perf_event_attr attr;
		char counted[8];

		tap_int(event_name_resolve(&e, &bare_x86, 0, name, NULL), 0, "%s is an event",
			name);
		if (!set.kernel && !e.own_modes)
			continue;
		event_attr(&set, 0, true, false, &attr);
		snprintf(counted, sizeof counted, "%s%s%s%s%s", attr.exclude_user ? "" : "u",
			 attr.exclude_kernel ? "" : "k", attr.exclude_hv ? "" : "h",
			 attr.exclude_guest ? "" : "G", attr.exclude_host ? "" : "H");
		tap_str(counted, want, "%s counts in %s", name, want);
	}
	tap_ok(resolve_own_modes("cycles:ukh") && resolve_own_modes("cycles:u") &&
		       !resolve_own_modes("cycles:G") && !resolve_own_modes("0x5301c2"),
	       "modes of its own: where modifiers tell some");
}

static void test_phases(void)
{
	static const struct {
		const char *name;
		enum event_phase phase;
		size_t len;
	} row[] = {
		{"cycles", EVENT_ANY_PHASE, 6},          {"cycles@acquire", EVENT_ACQUIRE, 6},
		{"cycles:u@hold", EVENT_HOLD, 8},        {"cycles@release", EVENT_RELEASE, 6},
		{"cycles@holding", EVENT_ANY_PHASE, 14}, {"cycles@", EVENT_ANY_PHASE, 7},
	};
	struct event e = {.name = NULL};
	enum event_phase phase;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		tap_int((long long)event_name_phase(row[i].name, &phase), (long long)row[i].len,
			"%s: without its phase", row[i].name);
		tap_int(phase, row[i].phase, "%s: which is this", row[i].name);
	}
	tap_int(event_name_resolve(&e, &bare_x86, 0, "cycles:u@hold", NULL), 0, "it is an event");
	tap_ok(e.phase == EVENT_HOLD && e.own_modes && e.no_kernel, "in a phase and a mode");
	tap_ok(event_name_resolve(&e, &bare_x86, 0, "no such event@hold", NULL) < 0,
	       "what is none is none with a phase, too");
}

static void test_raw(void)
{
	static const struct {
		const char *name;
		uint64_t x86, arm;
	} row[] = {
		{"r1c2", 0x1c2, 0x1c2},           {"rFF", 0xff, 0xff},
		{"r5301c2", 0x5301c2, 0x5301c2},  {"0x1c2", 0x1c2, 0x1c2},
		{"0x5301C2", 0x1c2, 0x5301c2},    {"0x1531eca", 0x1001eca, 0x1531eca},
		{"0xd301c2", 0x8001c2, 0xd301c2}, {"0x1000000c2", 0x1000000c2, 0x1000000c2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event x86 = {.name = NULL}, arm = {.name = NULL};

		tap_ok(!event_name_resolve(&x86, &bare_x86, 0, row[i].name, NULL) &&
			       x86.type == PERF_TYPE_RAW && x86.config == row[i].x86,
		       "%s on x86", row[i].name);
		tap_ok(!event_name_resolve(&arm, &bare_arm, 0, row[i].name, NULL) &&
			       arm.type == PERF_TYPE_RAW && arm.config == row[i].arm &&
			       !arm.no_user && !arm.no_kernel,
		       "%s elsewhere", row[i].name);
	}
}

static void test_faults(void)
{
	static const struct {
		const char *name;
		int code;
		const char *sentence;
	} row[] = {
		{"cycles:", EINVAL, "'' is not a modifier of the event 'cycles:'"},
		{"cycles:q", EINVAL,
		 "'q' is not a modifier of the event 'cycles:q': use u, k, h, G or H"},
		{"cycles:u:k", EINVAL, "'u:k' is not a modifier"},
		{"cycles:period=1000", EINVAL, "is not a modifier"},
		{"L1-dcache-loads:I", EINVAL,
		 "the modifier 'I' of the event 'L1-dcache-loads:I' is not supported"},
		{"cs:u", EINVAL, "is not counted by modes"},
		{"migrations:h", EINVAL, "is not counted by modes"},
		{"0x5101c2:k", EINVAL, "number select the modes"},
		{"0x1c2:x", EINVAL, "is not a modifier"},
		{"r1ffffffffffffffff", EINVAL, "64 bits"},
		{"no-cycles", ENOENT, PFM_UNKNOWN},
		{"L1-icache-stores", ENOENT, PFM_UNKNOWN},
		{"iTLB-prefetches", ENOENT, PFM_UNKNOWN},
		{"branch-stores", ENOENT, PFM_UNKNOWN},
		{"L1-dcache-", ENOENT, PFM_UNKNOWN},
		{"0x", ENOENT, PFM_UNKNOWN "'0x'"},
		{"r", ENOENT, PFM_UNKNOWN "'r'"},
		{"r1g", ENOENT, PFM_UNKNOWN},
		{"NO_SUCH_EVENT:ANY", ENOENT, PFM_UNKNOWN "'NO_SUCH_EVENT:ANY' for this CPU"},
		{"sched:no_such_event", ENOENT, "there is no tracepoint"},
		{"cpu/event=1", EINVAL, "write PMU/"},
		{"cpu/event=1/u", ENOENT, "no PMU 'cpu'"},
		{"/", EINVAL, "write PMU/"},
		{"", ENOENT, PFM_UNKNOWN "''"},
	};
	const bool there = pfm_is_there();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret = event_name_resolve(&e, &bare_x86, 0, row[i].name, &err);
		bool absent = !there && strstr(row[i].sentence, PFM_UNKNOWN);

		if (!tap_ok(ret == -(absent ? EOPNOTSUPP : row[i].code) && err.code == -ret &&
				    strstr(err.text, absent ? PFM_ABSENT_REASON : row[i].sentence),
			    "'%s' is refused, with the reason", row[i].name))
			printf("# %d, %s\n", ret, err.text);
	}
}

/* The message mentions libpfm4 only if libpfm4 is available. */
static void test_tracepoint(void)
{
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;

	event_name_resolve(&e, &bare_x86, 0, "sched:no_such_event", &err);
	tap_ok(pfm_is_there() == !!strstr(err.text, ", which libpfm4 does not know:"),
	       "a tracepoint that is not there");
}

static void test_list(void)
{
	static const char *const row[][4] = {
		{"a", "a"},
		{"a;b", "a", "b"},
		{" a ; b:u;\tc ", "a", "b:u", "c"},
		{";;a;", "a"},
		{"cpu/event=1,umask=2/u;r1", "cpu/event=1,umask=2/u", "r1"},
		{"a b", "a b"},
		{""},
		{" ; ;"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *list = row[i][0];
		bool good = true;
		char *name;
		int n = 1;

		while ((name = event_name_next(&list))) {
			good = good && n < 4 && row[i][n] && !strcmp(name, row[i][n]);
			free(name);
			n++;
		}
		good = good && (n == 4 || !row[i][n]) && !event_name_next(&list);
		tap_ok(good, "the list '%s'", row[i][0]);
	}
}

/* Random texts: each is resolved, or refused with a message. */
static void test_random_names(void)
{
	static const char chars[] = "ukhGH:/,=;0x1fr-_.cyles \x80";
	static const char *const start[] = {"cycles:",    "cpu/", "r",      "0x",
					    "L1-dcache-", "",     "sched:", "FP_ASSIST:"};
	uint32_t seed = 1234;
	int bad = 0, good = 0;

	for (int i = 0; i < 20000; i++) {
		char name[32];
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret;
		size_t n = (size_t)snprintf(name, sizeof name, "%s", start[i % 8]);

		for (uint32_t more = seed >> 16 & 7; more--;
		     name[n++] = chars[(seed >> 16) % (sizeof chars - 1)])
			seed = seed * 1664525 + 1013904223;
		seed = seed * 1664525 + 1013904223;
		name[n] = '\0';
		ret = event_name_resolve(&e, &bare_x86, 0, name, &err);
		good += !ret;
		bad += ret ? ret != -err.code || !err.text[0] : err.code;
	}
	tap_ok(!bad && good, "20000 random names: each error has its sentence");
}

int main(void)
{
	test_generic();
	test_modifiers();
	test_phases();
	test_raw();
	test_faults();
	test_tracepoint();
	test_list();
	test_random_names();
	return tap_done();
}
