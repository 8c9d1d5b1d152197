/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resources that CPUs share (cores, caches, nodes), from made-up sysfs of several machines. */
#include "pmu/event/describe.h"

#include <stdlib.h>

#include "fake_sysfs.h"
#include "tap.h"

/* Two cores of two threads with an L2 each, and two small cores that share an L2; all share the
 * L3. */
static const struct fake_file hybrid[] = {
	{"cpus/online", "0-5\n"},
	{"cpus/cpu0/topology/thread_siblings_list", "0-1\n"},
	{"cpus/cpu0/cache/index0/level", "1\n"},
	{"cpus/cpu0/cache/index0/shared_cpu_list", "0-1\n"},
	{"cpus/cpu0/cache/index1/level", "2\n"},
	{"cpus/cpu0/cache/index1/shared_cpu_list", "0-1\n"},
	{"cpus/cpu0/cache/index2/level", "3\n"},
	{"cpus/cpu0/cache/index2/shared_cpu_list", "0-5\n"},
	{"cpus/cpu2/topology/thread_siblings_list", "2-3\n"},
	{"cpus/cpu2/cache/index0/level", "2\n"},
	{"cpus/cpu2/cache/index0/shared_cpu_list", "2-3\n"},
	{"cpus/cpu4/topology/thread_siblings_list", "4\n"},
	{"cpus/cpu4/cache/index0/level", "2\n"},
	{"cpus/cpu4/cache/index0/shared_cpu_list", "4-5\n"},
	{"cpus/cpu5/topology/thread_siblings_list", "5\n"},
	{"node/node0/cpulist", "0-5\n"},
	{"node/possible", "0\n"},
};

/* Two sockets of two CPUs each; one CPU is offline, and sysfs has no caches. */
static const struct fake_file sockets[] = {
	{"cpus/online", "0,2-3\n"},
	{"cpus/cpu0/topology/thread_siblings_list", "0\n"},
	{"cpus/cpu2/topology/thread_siblings_list", "2\n"},
	{"cpus/cpu3/topology/thread_siblings_list", "3\n"},
	{"node/node0/cpulist", "0-1\n"},
	{"node/node1/cpulist", "2-3\n"},
};

/* Online CPUs are unknown, as on a system without sysfs. */
static const struct fake_file none[] = {{"devices/cpu/type", "4\n"}};

static void check(const struct sample_place *place, int n, int a, int b, enum sample_share want)
{
	const struct sample_machine m = {.place = place, .n_places = n};

	tap_int((int)sample_machine_share(&m, a, b), (int)want, "CPUs %d and %d", a, b);
	tap_int((int)sample_machine_share(&m, b, a), (int)want, "and the other way round");
}

static void test_hybrid(void)
{
	struct sample_place *p;
	struct fake_sysfs f;
	int n;

	fake_sysfs_make(&f, hybrid, sizeof hybrid / sizeof *hybrid);
	n = places_read(&f.host, &p);
	tap_int(n, 6, "six CPUs");
	check(p, n, 3, 3, SHARE_CPU);
	check(p, n, 0, 1, SHARE_CORE);
	check(p, n, 4, 5, SHARE_L2);
	check(p, n, 1, 4, SHARE_L3);
	check(p, n, 0, 6, SHARE_NOTHING);
	check(p, n, -1, -1, SHARE_NOTHING);
	free(p);
	fake_sysfs_remove(&f);
}

static void test_sockets(void)
{
	struct sample_place *p;
	struct fake_sysfs f;
	int n;

	fake_sysfs_make(&f, sockets, sizeof sockets / sizeof *sockets);
	n = places_read(&f.host, &p);
	tap_int(n, 4, "up to the last CPU that is online");
	check(p, n, 2, 3, SHARE_NODE);
	check(p, n, 0, 2, SHARE_NOTHING);
	free(p);
	fake_sysfs_remove(&f);
	fake_sysfs_make(&f, none, sizeof none / sizeof *none);
	tap_int(places_read(&f.host, &p), 0, "nothing is known");
	tap_ok(!p, "and nothing is to be freed");
	fake_sysfs_remove(&f);
	tap_int((int)sample_machine_share(NULL, 0, 1), SHARE_NOTHING, "of no machine, too");
	tap_int((int)sample_machine_share(NULL, 1, 1), SHARE_CPU, "a CPU is itself");
}

int main(void)
{
	test_hybrid();
	test_sockets();
	return tap_done();
}
