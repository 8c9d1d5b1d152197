/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parking over the real kernel: the events of a group without descriptors count on and are read by their leader.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "perf/group.h"
#include "perf/plan.h"
#include "tap.h"

#define N_GROUPS 40

static int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = -3; /* ".", "..", and that of the folder itself */

	while (dir && readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void make_set(struct event_set *set, struct perf_sys *sys)
{
	static const uint64_t config[] = {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
					  PERF_COUNT_SW_PAGE_FAULTS_MIN};

	event_set_init(set);
	for (int i = 0; i < 3; i++) {
		struct event *e = event_set_add(set, "event");

		e->type = PERF_TYPE_SOFTWARE;
		e->config = config[i];
		e->core = EVENT_NO_CORE;
	}
	plan_make(set, sys);
}

/* So many page faults. */
static void fault(size_t n)
{
	char *p = aligned_alloc(4096, n * 4096);

	for (size_t i = 0; i < n; i++)
		((volatile char *)p)[i * 4096] = 1;
	free(p);
}

static void test_groups(struct perf_kernel *k, struct event_set *set)
{
	struct group *g[N_GROUPS];
	struct count before[3], after[3];
	int fds = count_fds(), bad = 0;

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < N_GROUPS; i++)
			bad += group_open(&g[i], &k->sys, set, 0, false, true) != 0;
		tap_int(bad, 0, "all groups are opened");
		/* The leaders, and at first the ring. */
		tap_int(count_fds() - fds, N_GROUPS + (round == 0), "with one descriptor each");
		for (int i = 0; i < N_GROUPS; i++) {
			bad += group_read(g[i], &k->sys, before) != 0;
			if (i % 10 == 0)
				fault(50);
			bad += group_read(g[i], &k->sys, after) != 0;
			bad += after[0].value <= before[0].value;
			bad += i % 10 == 0 &&
			       (after[1].value - before[1].value < 50 || after[2].value - before[2].value < 50);
		}
		tap_int(bad, 0, "parked events are read with their leaders, and count");
		for (int i = 0; i < N_GROUPS; i++)
			group_close(g[i], &k->sys);
		fds = count_fds();
	}
	tap_int(k->park.ring[0].used + k->park.n_held, 0, "when all are gone, the table is empty");
	tap_int(k->park.n_rings, 1, "places were used again");
}

static void test_broken(void)
{
	struct park park;
	int fd = -1;

	park_init(&park);
	park.broken = true;
	tap_int(park_files(&park, &fd, 1), -ENOSYS, "where there is no io_uring, nothing is parked");
	park_done(&park);
}

int main(void)
{
	struct perf_kernel k;
	struct event_set set;
	struct group *g = NULL;

	perf_kernel_init(&k);
	make_set(&set, &k.sys);
	test_broken();
	if (group_open(&g, &k.sys, &set, 0, false, true)) {
		tap_ok(true, "parking # SKIP this kernel does not let us count ourselves");
	} else if (group_n_fds(g) > 1) {
		tap_ok(true, "parking # SKIP there is no io_uring here");
	} else {
		group_close(g, &k.sys);
		g = NULL;
		perf_kernel_done(&k);
		perf_kernel_init(&k);
		test_groups(&k, &set);
	}
	group_close(g, &k.sys);
	event_set_done(&set);
	perf_kernel_done(&k);
	return tap_done();
}
