/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Core PMUs from sysfs, and how generic events become events of one of them.
 */
#include <errno.h>

#include "base/mem.h"
#include "fake_sysfs.h"
#include "pfm_tables.h"
#include "pmu/event/name.h"
#include "pmu/perf/group.h"
#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

static const struct fake_file intel_hybrid[] = {
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "4-7\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
	{"devices/cpu_atom/events/only_atom", "event=0x71\n"},
	{"devices/cpu_atom/events/slots", "event=0x77\n"},
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-3\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_core/format/umask", "config:8-15\n"},
	{"devices/cpu_core/events/slots", "event=0x00,umask=0x4\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/events/tsc", "config=0\n"},
};

/* The slow cores come first in the lists of CPUs and PMUs, as on many boards. */
static const struct fake_file arm_hybrid[] = {
	{"devices/armv8_cortex_a53/type", "8\n"}, {"devices/armv8_cortex_a53/cpus", "0-3\n"},
	{"devices/armv8_cortex_a72/type", "9\n"}, {"devices/armv8_cortex_a72/cpus", "4-5\n"},
	{"cpus/cpu0/cpu_capacity", "485\n"},      {"cpus/cpu4/cpu_capacity", "1024\n"},
};

static const struct fake_file one_kind[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/msr/type", "11\n"},
};

static void make(struct machine *m, struct fake_sysfs *f, const char *cpu,
		 const struct fake_file *file, size_t n)
{
	fake_sysfs_make(f, file, n);
	machine_init(m, &f->host);
	tap_ok(cpu_parse(&m->cpu, cpu), "%s", cpu);
}

#define MAKE(m, f, cpu, files) make(m, f, cpu, files, sizeof(files) / sizeof *(files))

/* Returns whether the PMU has the CPUs from first to last, and no others. */
static bool has_cpus(const struct core_pmu *core, int first, int last)
{
	for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (!CPU_ISSET_S((size_t)cpu, sizeof core->cpus.set, core->cpus.set) ==
		    (cpu >= first && cpu <= last))
			return false;
	return true;
}

static void test_cores(void)
{
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "x86:06_97", intel_hybrid);
	tap_ok(m.n_cores == 2 && machine_is_hybrid(&m) && machine_kinds(&m) == 2,
	       "two kinds of cores on Intel");
	tap_ok(!strcmp(m.core[0].name, "cpu_core") && m.core[0].type == 4, "the fast ones first");
	tap_ok(!strcmp(m.core[1].name, "cpu_atom") && m.core[1].type == 10, "then the others");
	tap_ok(has_cpus(&m.core[0], 0, 3) && has_cpus(&m.core[1], 4, 7), "each with its CPUs");
	fake_sysfs_remove(&f);
	MAKE(&m, &f, "arm64:41_D08", arm_hybrid);
	tap_ok(m.n_cores == 2 && !strcmp(m.core[0].name, "armv8_cortex_a72"),
	       "on Arm by their capacity");
	fake_sysfs_remove(&f);
	MAKE(&m, &f, "x86:06_9E", one_kind);
	tap_ok(m.n_cores == 1 && !machine_is_hybrid(&m) && machine_kinds(&m) == 1, "one kind");
	tap_ok(has_cpus(&m.core[0], 0, -1), "of which no CPUs are named");
	fake_sysfs_remove(&f);
	machine_init(&m, &(struct event_host){.devices = "/dev/null", .cpus = "/dev/null"});
	tap_ok(m.n_cores == 0 && machine_kinds(&m) == 1, "no PMU at all: names are still resolved");
}

struct row {
	const char *name;
	int core, ret;
	uint32_t type;
	uint64_t config;
	int8_t bound;
	uint8_t topdown;
};

static void check_rows(const struct machine *m, const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret = event_name_resolve(&e, m, row[i].core, row[i].name, &err);
		bool unknown = ret == -EOPNOTSUPP && strstr(err.text, PFM_ABSENT_REASON);
		bool good = ret == row[i].ret || (row[i].ret == -ENOENT && unknown);

		if (!ret)
			good = good && e.type == row[i].type && e.config == row[i].config &&
			       e.core == row[i].bound && e.topdown == row[i].topdown;
		else
			good = good && err.text[0];
		if (!tap_ok(good, "%s on core %d", row[i].name, row[i].core))
			printf("# %d type %u config %llx core %d topdown %d %s\n", ret, e.type,
			       (unsigned long long)e.config, e.core, e.topdown, err.text);
	}
}

static void test_intel(void)
{
	static const struct row row[] = {
		{"cycles", 0, 0, PERF_TYPE_HARDWARE, 4ull << 32, 0, 0},
		{"instructions:u", 1, 0, PERF_TYPE_HARDWARE, 10ull << 32 | 1, 1, 0},
		{"L1-dcache-load-misses", 1, 0, PERF_TYPE_HW_CACHE, 10ull << 32 | 0x10000, 1, 0},
		{"r1c2", 0, 0, 4, 0x1c2, 0, 0},
		{"r1c2", 1, 0, 10, 0x1c2, 1, 0},
		{"page-faults", 0, 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, EVENT_NO_CORE,
		 0},
		{"page-faults", 1, 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, EVENT_NO_CORE,
		 0},
		{"msr/tsc/", 0, 0, 11, 0, EVENT_NO_CORE, 0},
		{"slots", 0, 0, 4, 0x400, 0, TOPDOWN_SLOTS},
		{"slots", 1, 0, 10, 0x77, 1, 0},
		{"only_atom", 0, -ENOENT, 0, 0, 0, 0},
		{"only_atom", 1, 0, 10, 0x71, 1, 0},
		{"cpu/event=0x3c/", 0, 0, 4, 0x3c, 0, 0},
		{"cpu/event=0x3c/u", 1, 0, 10, 0x3c, 1, 0},
		{"cpu_core/event=0,umask=0x80/", 0, 0, 4, 0x8000, 0, TOPDOWN_METRIC},
		{"cpu_core/event=0x3c/", 1, -ENOENT, 0, 0, 0, 0},
		{"cpu_atom/event=0x3c/", 0, -ENOENT, 0, 0, 0, 0},
		{"cpu_atom/event=0x3c/", 1, 0, 10, 0x3c, 1, 0},
	};
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "x86:06_97", intel_hybrid);
	check_rows(&m, row, sizeof row / sizeof *row);
	fake_sysfs_remove(&f);
}

static void test_arm(void)
{
	/* clang-format off */
	static const struct row row[] = {
		{"cycles", 0, 0, 9, 0x11, 0, 0},           {"instructions", 1, 0, 8, 0x08, 1, 0},
		{"cache-misses", 1, 0, 8, 0x03, 1, 0},     {"ref-cycles", 0, -ENOENT, 0, 0, 0, 0},
		{"r8000", 0, 0, 9, 0x8000, 0, 0},          {"L1-dcache-loads", 0, 0, 9, 0x04, 0, 0},
		{"dTLB-load-misses", 1, 0, 8, 0x05, 1, 0}, {"branch-load-misses", 0, 0, 9, 0x10, 0, 0},
		{"LLC-loads", 1, 0, 8, 0x36, 1, 0},        {"L1-dcache-stores", 0, -ENOENT, 0, 0, 0, 0},
	};
	/* clang-format on */
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "arm64:41_D08", arm_hybrid);
	check_rows(&m, row, sizeof row / sizeof *row);
	fake_sysfs_remove(&f);
}

static const struct fake_file apple[] = {
	{"devices/apple_icestorm_pmu/type", "8\n"},  {"devices/apple_icestorm_pmu/cpus", "0-3\n"},
	{"devices/apple_firestorm_pmu/type", "9\n"}, {"devices/apple_firestorm_pmu/cpus", "4-7\n"},
	{"cpus/cpu0/cpu_capacity", "485\n"},         {"cpus/cpu4/cpu_capacity", "1024\n"},
};

/* Apple's PMUs do not use the codes of the Arm architecture, so the kernel's generic events are
 * used. */
static void test_apple(void)
{
	/* clang-format off */
	static const struct row row[] = {
		{"cycles", 0, 0, 0, 9ull << 32, 0, 0},
		{"instructions", 1, 0, 0, (8ull << 32) + 1, 1, 0},
	};
	/* clang-format on */
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "arm64:61_022", apple);
	check_rows(&m, row, sizeof row / sizeof *row);
	fake_sysfs_remove(&f);
}

/* A task on the slow cores, and a kernel that does not support a PMU type in config: the enabled
 * time of the event on each kind. */
static void test_arm_old(void)
{
	static const char *const name[] = {"cycles", "L1-dcache-load-misses", "iTLB-loads",
					   "LLC-load-misses"};
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "arm64:41_D08", arm_hybrid);
	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct count count[2] = {{0, 0, 0}};
		struct group *g = NULL;
		struct event_set set;
		struct trial trial;
		struct pmu pmu;
		int error;

		pmu_init(&pmu);
		pmu.script.core_type[0] = 9;
		pmu.script.core_type[1] = 8;
		pmu.script.no_extended = true;
		pmu_task_add(&pmu, 10);
		pmu_task(&pmu, 10)->core = 1;
		event_set_init(&set);
		for (int core = 0; core < 2; core++) {
			struct event *e = core ? event_set_add_part(&set, name[i])
					       : event_set_add(&set, name[i]);

			tap_int(event_name_resolve(e, &m, core, name[i], NULL), 0, "%s on core %d",
				name[i], core);
		}
		trial_init(&trial, &pmu.sys);
		plan_make(&set, &trial);
		tap_int(group_open(&g, &pmu.sys, &set, 10, false), 0,
			"%s: is opened for both kinds", name[i]);
		pmu_run(&pmu, 10, 1000);
		group_read(g, &pmu.sys, count, &error);
		tap_int((long)count[0].running_ns, 0, "%s: the fast cores did not run it", name[i]);
		tap_int((long)count[1].running_ns, 1000, "%s: the slow ones did", name[i]);
		group_close(g, &pmu.sys);
		trial_done(&trial);
		event_set_done(&set);
	}
	fake_sysfs_remove(&f);
}

/* With one kind of cores, events are those of the kernel's generic interface. */
static void test_one_kind(void)
{
	static const struct row row[] = {
		{"cycles", 0, 0, PERF_TYPE_HARDWARE, 0, 0, 0},
		{"r1c2", 0, 0, PERF_TYPE_RAW, 0x1c2, 0, 0},
		{"r8000", 0, 0, PERF_TYPE_RAW, 0x8000, 0, TOPDOWN_METRIC},
		{"r400", 0, 0, PERF_TYPE_RAW, 0x400, 0, TOPDOWN_SLOTS},
		{"cpu/event=0x3c/", 0, 0, 4, 0x3c, 0, 0},
		{"cs", 0, 0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, EVENT_NO_CORE, 0},
	};
	static const struct row amd[] = {
		{"r8000", 0, 0, PERF_TYPE_RAW, 0x8000, 0, TOPDOWN_NONE},
		{"r400", 0, 0, PERF_TYPE_RAW, 0x400, 0, TOPDOWN_NONE},
	};
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "x86:06_9E", one_kind);
	check_rows(&m, row, sizeof row / sizeof *row);
	tap_ok(cpu_parse(&m.cpu, "x86:19_11") && m.cpu.vendor == CPU_AMD,
	       "AMD has no top-down metrics");
	check_rows(&m, amd, sizeof amd / sizeof *amd);
	fake_sysfs_remove(&f);
}

/* A config that names its PMU already. */
static void test_extended(void)
{
	struct event e = {.type = PERF_TYPE_HARDWARE, .config = 10ull << 32 | 1};
	struct fake_sysfs f;
	struct machine m;

	MAKE(&m, &f, "x86:06_97", intel_hybrid);
	tap_int(machine_bind(&m, 0, &e, NULL), -ENOENT, "is of no other");
	tap_ok(!machine_bind(&m, 1, &e, NULL) && e.config == (10ull << 32 | 1),
	       "and stays as it is");
	fake_sysfs_remove(&f);
}

int main(void)
{
	test_cores();
	test_intel();
	test_arm();
	test_apple();
	test_arm_old();
	test_one_kind();
	test_extended();
	return tap_done();
}
