/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of counters reported by CPUID, and the PMUs of a made-up sysfs. */
#include <sched.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fake_sysfs.h"
#include "pmu/check/pmu_info.h"
#include "tap.h"

#define INTEL                                                                                      \
	{                                                                                          \
		0x16, 0x756e6547, 0x6c65746e, 0x49656e69                                           \
	}
#define AMD                                                                                        \
	{                                                                                          \
		0x10, 0x68747541, 0x444d4163, 0x69746e65                                           \
	}
#define ALL_EIGHT 0xff

struct expected {
	const char *name;
	struct pmu_cpuid raw;
	struct pmu_counters want;
};

/* Registers in the layout of the manuals, with the values of these processors. */
static const struct expected table[] = {
	{"Skylake, two threads a core",
	 {.leaf_0 = INTEL, .leaf_a = {0x07300404, 0, 0, 0x603}},
	 {SCHEME_ARCHITECTURAL, false, 4, 4, 48, 3, 48, 0x7f}},
	{"Skylake, one thread a core",
	 {.leaf_0 = INTEL, .leaf_a = {0x07300804, 0, 0, 0x603}},
	 {SCHEME_ARCHITECTURAL, false, 4, 8, 48, 3, 48, 0x7f}},
	{"Icelake",
	 {.leaf_0 = INTEL, .leaf_a = {0x08300805, 0, 0xf, 0x8604}},
	 {SCHEME_ARCHITECTURAL, false, 5, 8, 48, 4, 48, ALL_EIGHT}},
	{"fixed counters with a gap, which only the mask of version 5 can tell",
	 {.leaf_0 = INTEL, .leaf_a = {0x08300805, 0, 0x17, 0x8603}},
	 {SCHEME_ARCHITECTURAL, false, 5, 8, 48, 4, 48, ALL_EIGHT}},
	{"a virtual CPU of version 2 without the two events of the cache",
	 {.leaf_0 = INTEL, .leaf_1 = {0, 0, 0x80000000, 0}, .leaf_a = {0x07300402, 0x18, 0, 0x603}},
	 {SCHEME_ARCHITECTURAL, true, 2, 4, 48, 3, 48, 0x67}},
	{"version 1 has no fixed counters, whatever else is there",
	 {.leaf_0 = INTEL, .leaf_a = {0x07280201, 0, 0, 0x603}},
	 {SCHEME_ARCHITECTURAL, false, 1, 2, 40, 0, 0, 0x7f}},
	{"a virtual Intel CPU without a PMU",
	 {.leaf_0 = INTEL, .leaf_1 = {0, 0, 0x80000000, 0}},
	 {SCHEME_NONE, true, 0, 0, 0, 0, 0, 0}},
	{"Zen 3",
	 {.leaf_0 = AMD, .leaf_80000001 = {0, 0, 0x75c237ff, 0}},
	 {SCHEME_AMD_EXTENDED, false, 0, 6, 48, 0, 0, 0}},
	{"Zen 4",
	 {.leaf_0 = AMD,
	  .leaf_80000001 = {0, 0, 0x75c237ff, 0},
	  .leaf_80000022 = {7, 0x4106, 0, 0}},
	 {SCHEME_AMD_V2, false, 0, 6, 48, 0, 0, 0}},
	{"a leaf 0x80000022 without PerfMonV2 does not count",
	 {.leaf_0 = AMD,
	  .leaf_80000001 = {0, 0, 0x75c237ff, 0},
	  .leaf_80000022 = {2, 0x4108, 0, 0}},
	 {SCHEME_AMD_EXTENDED, false, 0, 6, 48, 0, 0, 0}},
	{"a virtual CPU of AMD without PerfCtrExtCore",
	 {.leaf_0 = AMD, .leaf_1 = {0, 0, 0xfffa3203, 0}, .leaf_80000001 = {0, 0, 0x4003f3, 0}},
	 {SCHEME_AMD_LEGACY, true, 0, 4, 48, 0, 0, 0}},
	{"another vendor, whose leaf 0x80000001 means nothing here",
	 {.leaf_0 = {1, 1, 2, 3}, .leaf_80000001 = {0, 0, 0x75c237ff, 0}},
	 {SCHEME_NONE, false, 0, 0, 0, 0, 0, 0}},
};

static void test_decode(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct pmu_counters *want = &table[i].want;
		struct pmu_counters got;

		pmu_counters_decode(&got, &table[i].raw);
		tap_int(got.scheme, want->scheme, "%s: scheme", table[i].name);
		tap_int(got.hypervisor, want->hypervisor, "%s: virtual", table[i].name);
		tap_int(got.version, want->version, "%s: version", table[i].name);
		tap_int(got.n_general, want->n_general, "%s: counters", table[i].name);
		tap_int(got.general_bits, want->general_bits, "%s: their bits", table[i].name);
		tap_int(got.n_fixed, want->n_fixed, "%s: fixed counters", table[i].name);
		tap_int(got.fixed_bits, want->fixed_bits, "%s: their bits", table[i].name);
		tap_int(got.events, want->events, "%s: architectural events", table[i].name);
	}
	tap_str(pmu_event_name(0), "cycles", "the first architectural event");
	tap_str(pmu_event_name(PMU_N_EVENTS - 1), "slots", "the last one");
}

static void test_list(void)
{
	static const struct fake_file file[] = {
		{"devices/cpu_atom/type", "10\n"},
		{"devices/cpu_atom/cpus", "16-23\n"},
		{"devices/cpu_core/type", "4\n"},
		{"devices/cpu_core/cpus", "0-15\n"},
		{"devices/cpu_core/perf_event_mux_interval_ms", "4\n"},
		{"devices/cpu_core/caps/pmu_name", "alderlake_hybrid\n"},
		{"devices/cpu_core/caps/branches", "32\n"},
		{"devices/amd_l3/type", "12\n"},
		{"devices/amd_l3/cpumask", "0,8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,"
					   "136,144,152,160,168,176,184,192,200,208,216,224,"
					   "232,240,248,256,264,272,280\n"},
		{"devices/uncore_imc_10/type", "30\n"},
		{"devices/uncore_imc_10/cpumask", "0\n"},
		{"devices/uncore_imc_2/type", "22\n"},
		{"devices/uncore_imc_2/cpumask", "0\n"},
		{"devices/software/type", "1\n"},
		{"devices/msr/type", "9x\n"},
		{"devices/uprobe/type", "8\n"},
	};
	struct pmu_info_list list;
	struct fake_sysfs sysfs;
	struct machine m;
	struct strbuf got;

	fake_sysfs_make(&sysfs, file, sizeof file / sizeof *file);
	machine_init(&m, &sysfs.host);
	pmu_info_read(&list, &m);
	strbuf_init(&got);
	for (size_t i = 0; i < list.n; i++) {
		const struct pmu_info *p = &list.v[i];

		strbuf_addf(&got, "%s %s %ld [%s] [%s] %ld\n", p->name, pmu_kind_name(p->kind),
			    p->type, p->cpus, p->caps, p->mux_ms);
	}
	tap_str(got.text,
		"cpu_core core 4 [0-15] [branches=32 pmu_name=alderlake_hybrid] 4\n"
		"cpu_atom core 10 [16-23] [] -1\n"
		"software software 1 [] [] -1\n"
		"uprobe software 8 [] [] -1\n"
		"amd_l3 uncore 12 "
		"[0,8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136,144,152,160,168,176,184,"
		"192,200,208,216,224,232,240,248,256,264,...] [] -1\n"
		"uncore_imc_2 uncore 22 [0] [] -1\n"
		"uncore_imc_10 uncore 30 [0] [] -1\n"
		"msr other -1 [] [] -1\n",
		"the PMUs: by kind, the fast cores first, then by name and number");
	strbuf_done(&got);
	pmu_info_done(&list);

	fake_sysfs_remove(&sysfs);
}

static void test_no_list(void)
{
	static const struct event_host host = {.devices = "/nonexistent", .cpus = "/nonexistent"};
	struct pmu_info_list list;
	struct machine m;

	machine_init(&m, &host);
	pmu_info_read(&list, &m);
	tap_int(list.n, 0, "no sysfs: no PMU");
	pmu_info_done(&list);
}

/* The running machine: if it has the CPUID instruction, an online CPU can be queried, a missing one
 * cannot. */
static void test_read(void)
{
	struct pmu_counters here, there;
	cpu_set_t before, after;
	struct arch_cpuid leaf;

	if (!arch_read_cpuid(0, &leaf)) {
		tap_ok(!pmu_counters_read(&here, ""), "no CPUID: nothing is known");
		return;
	}
	tap_ok(pmu_counters_read(&here, ""), "CPUID here");
	sched_getaffinity(0, sizeof before, &before);
	if (pmu_counters_read(&there, "0-3"))
		tap_int(there.hypervisor, here.hypervisor, "CPUID on CPU 0");
	sched_getaffinity(0, sizeof after, &after);
	tap_ok(CPU_EQUAL(&before, &after), "then the process may run where it might before");
	tap_ok(!pmu_counters_read(&there, "99999"), "a CPU that is not there");
	if (sysconf(_SC_NPROCESSORS_CONF) < 1024)
		tap_ok(!pmu_counters_read(&there, "1023"), "another one");
}

int main(void)
{
	test_decode();
	test_read();
	test_list();
	test_no_list();
	return tap_done();
}
