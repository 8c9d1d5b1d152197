/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source with descriptors for only some of the running tasks: each task has its turn, at a
 * bounded cost.
 */
#include "live_rig.h"

/* Six tasks run all the time, with descriptors for two of them. */
static void test_turns(bool threads)
{
	const char *what = threads ? "turns of threads" : "turns";
	int tid[6], counted[6] = {0}, waited[6] = {0}, longest = 0;
	static struct rig r;

	rig_init(&r);
	rig_limit(&r, 1 + 2);
	for (int i = 0; i < 6; i++) {
		tid[i] = threads ? 10 + i : 10 * (i + 1);
		if (threads && i)
			world_start_thread(&r.world, 10, tid[i], 10);
		else
			world_start(&r.world, tid[i], "task");
	}
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true, .threads = threads));
	for (int refresh = 0; refresh < 60; refresh++) {
		rig_next(&r);
		tap_ok(r.pmu.n_open <= 1 + 2, "%s: no more is opened than there is", what);
		for (int i = 0; i < 6; i++) {
			bool known = refresh && value_known(rig_row(&r, tid[i])->increment[0]);

			counted[i] += known;
			waited[i] = known ? 0 : waited[i] + 1;
			longest = waited[i] > longest ? waited[i] : longest;
			RUN(&r, tid[i], 1 + i);
		}
	}
	for (int i = 0; i < 6; i++)
		tap_ok(counted[i] >= 12,
		       "%s: each has its turns: %d was counted in %d of 60 refreshes", what, tid[i],
		       counted[i]);
	tap_ok(longest <= 16, "%s: and none waits for longer than the others need: %d", what,
	       longest);
	rig_end(&r, what);
}

/* One thread of 100 runs. Whether threads without counters run is unknown, so a few of them per
 * refresh get their turn, with descriptors of counted threads that did not run. */
static void test_cost(int room)
{
	bool counted[100] = {false};
	int opened, most = 0, n = 0, known = 0;
	static struct rig r;

	rig_init(&r);
	rig_limit(&r, 1 + room);
	world_start(&r.world, 10, "task");
	for (int i = 1; i < 100; i++)
		world_start_thread(&r.world, 10, 10 + i, 10);
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true, .threads = true));
	for (int refresh = 0; refresh < 40; refresh++) {
		RUN(&r, 10, 1);
		opened = r.pmu.calls.open;
		rig_next(&r);
		opened = r.pmu.calls.open - opened;
		if (refresh > 3 && opened > most)
			most = opened;
		known += refresh && value_known(rig_row(&r, 10)->increment[0]);
		for (int i = 0; i < 100; i++)
			counted[i] |= pmu_open_on(&r.pmu, 10 + i);
	}
	for (int i = 0; i < 100; i++)
		n += counted[i];
	tap_int(n, 100, "all threads had a turn");
	if (room == 90)
		tap_int(known, 38, "who runs is counted all the time where enough others do not");
	tap_ok(most > 0 && most <= 16, "no more than some are opened in a refresh: %d", most);
	rig_end(&r, "the cost of turns");
}

/* Processes of two threads, with descriptors for one and a half of them. A process that needs
 * descriptors must take those of others, not of its own leader. */
static void test_turns_whole(bool inherit)
{
	const char *what = inherit ? "turns of groups that inherit" : "turns of a group a thread";
	static struct rig r;
	int halves = 0;

	rig_init(&r);
	rig_limit(&r, 1 + 3);
	r.pmu.script.refuse_inherit_thread = !inherit;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .collect = true));
	for (int refresh = 0, last = 0; refresh < 40; refresh++) {
		/* One more process in every fifth refresh, up to three. */
		if (refresh % 5 == 0 && last < 30) {
			last += 10;
			world_start(&r.world, last, "task");
			world_start_thread(&r.world, last, last + 1, last);
		}
		for (int pid = 10; pid <= last; pid += 10) {
			RUN(&r, pid, 1);
			RUN(&r, pid + 1, 2);
		}
		rig_next(&r);
		for (int pid = 10; pid <= last; pid += 10)
			halves += !pmu_open_on(&r.pmu, pid) && pmu_open_on(&r.pmu, pid + 1) &&
				  rig_task(&r, pid)->counting == COUNT_OK;
	}
	tap_int(halves, 0, "%s: none is said to be counted without its leader", what);
	rig_end(&r, what);
}

int main(void)
{
	test_turns(false);
	test_turns(true);
	test_turns_whole(true);
	test_turns_whole(false);
	test_cost(50);
	test_cost(90);
	return tap_done();
}
