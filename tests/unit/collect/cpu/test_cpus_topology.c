/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket and core of each CPU, from a made-up sysfs. */
#include "collect/cpu/cpus.h"

#include "fake_sysfs.h"
#include "tap.h"

static const struct fake_file plain[] = {
	{"devices/cpu/type", "4\n"},
	{"cpus/cpu0/topology/thread_siblings_list", "0,4\n"},
	{"cpus/cpu0/topology/physical_package_id", "0\n"},
	{"cpus/cpu12/topology/thread_siblings_list", "8-12\n"},
	{"cpus/cpu12/topology/physical_package_id", "1\n"},
	{"cpus/cpu13/topology/physical_package_id", "-1\n"},
	{"cpus/cpu14/topology/thread_siblings_list", "14\n"},
};

static const struct fake_file hybrid[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-1\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "2-3\n"},
	{"cpus/cpu2/topology/thread_siblings_list", "2\n"},
	{"cpus/cpu2/topology/physical_package_id", "0\n"},
};

static void check(const struct machine *m, int cpu, const char *want, int kind)
{
	struct place place;
	struct strbuf text;

	strbuf_init(&text);
	place_find(&place, m, cpu);
	place_add(&text, m, &place);
	tap_str(text.text, want, "CPU %d", cpu);
	tap_int(place.kind, kind, "its kind of cores");
	strbuf_done(&text);
}

int main(void)
{
	struct fake_sysfs sysfs;
	struct machine m;

	fake_sysfs_make(&sysfs, plain, sizeof plain / sizeof *plain);
	machine_init(&m, &sysfs.host);
	check(&m, 0, "socket 0, core 0", 0);
	check(&m, 12, "socket 1, core 8", 0);
	check(&m, 13, "?", 0);
	check(&m, 14, "core 14", 0);
	check(&m, 15, "?", 0);
	fake_sysfs_remove(&sysfs);

	fake_sysfs_make(&sysfs, hybrid, sizeof hybrid / sizeof *hybrid);
	machine_init(&m, &sysfs.host);
	check(&m, 1, "? (cpu_core)", 0);
	check(&m, 2, "socket 0, core 2 (cpu_atom)", 1);
	check(&m, 9, "?", -1);
	fake_sysfs_remove(&sysfs);
	return tap_done();
}
