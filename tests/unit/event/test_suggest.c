/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a name may have been meant to be, on a made-up machine with a CPU that libpfm4 knows.
 */
#include "event/suggest.h"

#include <stdlib.h>

#include "fake_sysfs.h"
#include "tap.h"

static const struct fake_file files[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/events/mem-loads", "event=0xcd\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/format/event", "config:0-63\n"},
	{"devices/msr/events/tsc", "event=0x00\n"},
};

static const struct {
	const char *name, *want; /* want NULL: none */
} table[] = {
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
	{"tcs", "cs"}, /* not tsc, whose PMU has to be named */
	{"UOPS_ISUED:ANY", "UOPS_ISSUED:ANY"},
	{"uops-issued:any", "UOPS_ISSUED:ANY"},
	{"cx", NULL},
	{"", NULL},
	{"no-such-event-at-all", NULL},
	{"c", NULL},
};

int main(void)
{
	char name[1000];
	struct fake_sysfs sysfs;
	struct machine machine;
	char *got;

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	fake_sysfs_make(&sysfs, files, sizeof files / sizeof *files);
	machine_init(&machine, &sysfs.host);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		got = event_suggest(&machine, table[i].name);
		tap_str(got ? got : "none", table[i].want ? table[i].want : "none", "'%s'",
			table[i].name);
		free(got);
	}
	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	got = event_suggest(&machine, name);
	tap_ok(!got, "a name of 999 characters");
	free(got);
	fake_sysfs_remove(&sysfs);
	return tap_done();
}
