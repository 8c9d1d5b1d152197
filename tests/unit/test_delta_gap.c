/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deltas of tasks that were not counted, or not read, for a while.
 */
#include "delta_rig.h"

/* Counters that were closed and opened again count from 0: the total goes on without what was missed. */
static void test_gap(void)
{
	static const struct count reading[] = {{1000, 100, 100}, {40, 4, 4}, {90, 9, 9}};
	struct steps s;

	begin(&s, 3, 1);
	for (int k = 0; k < 3; k++)
		add_counted(&s.sample[k], 1, 5, reading[k])->gap = k == 1;
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_FRESH, 0, "an interval with a gap");
	check(s.delta[1].row[0].total[0], QUALITY_PARTIAL, 1000, "what was counted before it");
	check(s.delta[2].row[0].increment[0], QUALITY_EXACT, 50, "the interval behind a gap");
	check(s.delta[2].row[0].total[0], QUALITY_PARTIAL, 1050, "the total on both sides of it");
	done(&s);
}

int main(void)
{
	test_gap();
	return tap_done();
}
