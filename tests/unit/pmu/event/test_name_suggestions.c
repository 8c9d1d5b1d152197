/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suggestions for mistyped names of events, on a made-up machine with a CPU that libpfm4 knows.
 */
#include "pmu/event/name.h"

#include <stdlib.h>

#include "fake_sysfs.h"
#include "pfm_tables.h"
#include "tap.h"

static const struct fake_file files[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/events/mem-loads", "event=0xcd\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/format/event", "config:0-63\n"},
	{"devices/msr/events/tsc", "event=0x00\n"},
};

struct row {
	const char *name, *want; /* NULL: no suggestion */
};

static const struct row table[] = {
	{"minor-fault", "minor-faults"},
	{"pagefaults", "page-faults"},
	{"Cylces", "cycles"},
	{"cycels:u", "cycles"},
	{"LLC-loadmisses", "LLC-load-misses"},
	{"faluts", "faults"},
	{"instruction", "instructions"},
	{"mem-load", "mem-loads"},
	{"cpu/mem-load/", "cpu/mem-loads/"},
	{"msr/tcs/", "msr/tsc/"},
	{"tcs", "cs"}, /* not tsc, whose PMU must be given */
	{"cx", NULL},
	{"", NULL},
	{"no-such-event-at-all", NULL},
	{"c", NULL},
};

/* Names that only libpfm4 has. */
static const struct row vendor_table[] = {
	{"UOPS_ISUED:ANY", "UOPS_ISSUED:ANY"},
	{"uops-issued:any", "UOPS_ISSUED:ANY"},
};

static void check(const struct machine *m, const struct row *row)
{
	char *got = event_suggest(m, row->name);

	tap_str(got ? got : "none", row->want ? row->want : "none", "'%s'", row->name);
	free(got);
}

/* The event table has lock-loads for Intel only. */
static void check_other_cpus(const struct event_host *host)
{
	static const struct {
		const char *cpu;
		struct row row;
	} cpus[] = {
		{"x86:06_5E", {"lock-load", "lock-loads"}},
		{"x86:19_11", {"lock-load", "LLC-loads"}},
		{"x86:19_11", {"lock-loads", "LLC-loads"}},
		{"x86:19_11", {"far-fill", "far-fills"}},
	};

	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
		struct machine m;

		machine_init(&m, host);
		machine_init_as(&m, cpus[i].cpu);
		check(&m, &cpus[i].row);
	}
}

int main(void)
{
	const char *lacking = pfm_tables_lacking();
	char name[1000];
	struct fake_sysfs sysfs;
	struct machine machine;
	char *got;

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	fake_sysfs_make(&sysfs, files, sizeof files / sizeof *files);
	machine_init(&machine, &sysfs.host);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		check(&machine, &table[i]);
	for (size_t i = 0; i < sizeof vendor_table / sizeof *vendor_table; i++)
		if (lacking)
			tap_skip(vendor_table[i].name, lacking);
		else
			check(&machine, &vendor_table[i]);
	check_other_cpus(&sysfs.host);
	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	got = event_suggest(&machine, name);
	tap_ok(!got, "a name of 999 characters");
	free(got);
	fake_sysfs_remove(&sysfs);
	return tap_done();
}
