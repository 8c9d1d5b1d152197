/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Common events of Arm that a PMU does not implement, according to the kernel's list in sysfs.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fake_sysfs.h"
#include "pmu/event/machine.h"
#include "pmu/event/name.h"
#include "tap.h"

/* PMUs of two kinds of cores, each with its list; a PMU of another vendor; and one without a
 * list. */
static const struct fake_file files[] = {
	{"devices/armv8_cortex_a53/type", "8\n"},
	{"devices/armv8_cortex_a53/cpus", "0-3\n"},
	{"devices/armv8_cortex_a53/format/event", "config:0-15\n"},
	{"devices/armv8_cortex_a53/events/l1d_cache_refill", "event=0x003\n"},
	{"devices/armv8_cortex_a53/events/cpu_cycles", "event=0x011\n"},
	{"devices/armv8_cortex_a72/type", "9\n"},
	{"devices/armv8_cortex_a72/cpus", "4-5\n"},
	{"devices/armv8_cortex_a72/format/event", "config:0-15\n"},
	{"devices/armv8_cortex_a72/events/cpu_cycles", "event=0x011\n"},
	{"devices/armv8_cortex_a72/events/op_spec", "event=0x03b\n"},
	{"devices/armv8_silent/format/event", "config:0-15\n"},
	{"cpus/cpu0/cpu_capacity", "485\n"},
	{"cpus/cpu4/cpu_capacity", "1024\n"},
};

#define BIG    "armv8_cortex_a72"
#define LITTLE "armv8_cortex_a53"

struct row {
	const char *release, *pmu;
	uint64_t config;
	const char *want; /* NULL: not reported as missing */
};

static const struct row rows[] = {
	{"6.1.0-56-arm64", BIG, 0x03, "0x03 (L1D_CACHE_REFILL)"},
	{"6.1.0-56-arm64", LITTLE, 0x03, NULL},
	{"6.1.0-56-arm64", BIG, 0x11, NULL},
	{"6.1.0-56-arm64", BIG, 0x3b, NULL},
	{"6.1.0-56-arm64", LITTLE, 0x3b, "0x3b (OP_SPEC)"},
	{"6.1.0-56-arm64", BIG, 0x4005, "0x4005 (STALL_BACKEND_MEM)"},
	{"6.1.0-56-arm64", BIG, 0x401b, "0x401b (CTI_TRIGOUT7)"},
	/* Bits of config that are not part of the event number are ignored. */
	{"6.1.0-56-arm64", BIG, 0x100000003, "0x03 (L1D_CACHE_REFILL)"},
	/* The kernel never lists SW_INCR and CHAIN, and has no names for some other events. */
	{"6.1.0-56-arm64", BIG, 0x00, NULL},
	{"6.1.0-56-arm64", BIG, 0x1e, NULL},
	{"6.1.0-56-arm64", BIG, 0x4007, NULL},
	{"6.1.0-56-arm64", BIG, 0x403f, NULL},
	/* PMCEID registers tell only which of the events 0 to 0x3f and 0x4000 to 0x403f are
	 * implemented: nothing is known of others. */
	{"6.1.0-56-arm64", BIG, 0x40, NULL},
	{"6.1.0-56-arm64", BIG, 0x74, NULL},
	{"6.1.0-56-arm64", BIG, 0x3fff, NULL},
	{"6.1.0-56-arm64", BIG, 0x4040, NULL},
	{"6.1.0-56-arm64", BIG, 0x8006, NULL},
	/* If a PMU has no list, nothing is known. */
	{"6.1.0-56-arm64", "armv8_silent", 0x03, NULL},
	{"6.1.0-56-arm64", "armv8_none", 0x03, NULL},
	/* Older kernels have fewer names. */
	{"5.16.20", BIG, 0x401b, NULL},
	{"5.17.0-rc1", BIG, 0x401b, "0x401b (CTI_TRIGOUT7)"},
	{"5.8.18", LITTLE, 0x3b, NULL},
	{"5.9", LITTLE, 0x3b, "0x3b (OP_SPEC)"},
	{"5.8.18", BIG, 0x34, "0x34 (DTLB_WALK)"},
	{"4.19.112-perf+", BIG, 0x34, NULL},
	{"4.19.112-perf+", BIG, 0x30, "0x30 (L2I_TLB)"},
	{NULL, BIG, 0x34, NULL},
	{NULL, BIG, 0x03, "0x03 (L1D_CACHE_REFILL)"},
};

static void test_listing(struct fake_sysfs *f)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		const char *lacking;

		fake_sysfs_add(f, &(struct fake_file){"release", r->release ? r->release : ""});
		lacking = pmuv3_lacking(&f->host, r->pmu, r->config);
		tap_ok(r->want ? lacking && !strcmp(lacking, r->want) : !lacking,
		       "%s on Linux %s: 0x%llx is %s", r->pmu, r->release ? r->release : "?",
		       (unsigned long long)r->config, r->want ? "lacking" : "not");
	}
}

/* An event is detected as missing in any spelling. Core 0 is the fast kind, BIG. */
static void test_spellings(const struct machine *m)
{
	static const struct {
		const char *name;
		int core;
		bool lacking;
	} row[] = {
		{"r3", 0, true},
		{"r3", 1, false},
		{"0x03", 0, true},
		{"r3:u", 0, true},
		{"cpu/event=3/", 0, true},
		{"cpu/event=3/", 1, false},
		{BIG "/event=3/", 0, true},
		{BIG "/config=0x3/u", 0, true},
		{LITTLE "/event=3/", 1, false},
		{"cache-misses", 0, true},
		{"cache-misses", 1, false},
		{"L1-dcache-load-misses", 0, true},
		{"cycles", 0, false},
		{"r40", 0, false},
		{"page-faults", 0, false},
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		const int ret = event_name_resolve(&e, m, row[i].core, row[i].name, &err);

		if (!tap_ok(!ret && !e.absent == !row[i].lacking, "%s on %s", row[i].name,
			    machine_pmu(m, row[i].core)))
			printf("# %d %s %s\n", ret, err.text, e.absent ? e.absent : "");
	}
}

/* On PMUs of other vendors, the numbers have other meanings. */
static void test_others(void)
{
	static const struct fake_file apple[] = {
		{"devices/apple_icestorm_pmu/type", "9\n"},
		{"devices/apple_icestorm_pmu/cpus", "0-3\n"},
		{"devices/apple_icestorm_pmu/events/cycles", "event=0x2\n"},
	};
	struct event e = {.name = NULL};
	struct fake_sysfs f;
	struct machine m;

	fake_sysfs_make(&f, apple, sizeof apple / sizeof *apple);
	machine_init(&m, &f.host);
	tap_ok(!event_name_resolve(&e, &m, 0, "r3", NULL) && !e.absent,
	       "Apple's numbers are its own");
	fake_sysfs_remove(&f);
}

static void test_sentence(void)
{
	struct err err = ERR_INIT;

	tap_int(pmuv3_refuse(NULL, "r3", &err), 0, "nothing to refuse");
	tap_int(pmuv3_refuse("0x03 (L1D_CACHE_REFILL)", "r3", &err), -ENOENT, "refused");
	tap_str(err.text,
		"'r3' cannot be counted: this PMU does not implement event 0x03 (L1D_CACHE_REFILL)",
		"the sentence");
}

int main(void)
{
	struct fake_sysfs f;
	struct machine m;
	char *release;

	fake_sysfs_make(&f, files, sizeof files / sizeof *files);
	release = xasprintf("%s/release", f.root);
	f.host.release = release;
	test_listing(&f);
	machine_init(&m, &f.host);
	tap_ok(cpu_parse(&m.cpu, "arm64:41_D08"), "a CPU of Arm");
	test_spellings(&m);
	test_others();
	test_sentence();
	fake_sysfs_remove(&f);
	free(release);
	return tap_done();
}
