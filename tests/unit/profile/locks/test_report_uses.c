/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The uses of objects, from rows of living threads and from lines, which are set here. */
#include <string.h>

#include "profile/locks/report.h"
#include "tap.h"

/* Returns a row of the thread in a slot. */
static struct locks_row row_of(uint32_t slot, uint64_t waits, uint64_t wakes)
{
	struct locks_row row = {.instance = 1, .slot = slot, .futex = {.woken = wakes}};

	row.untimed[LOCKS_ACQUIRE] = waits;
	row.untimed[LOCKS_RELEASE] = wakes;
	return row;
}

static void test_handed(void)
{
	struct locks_row row[] = {row_of(1, 5, 0), row_of(1, 0, 3), row_of(2, 0, 7),
				  row_of(3, 2, 9), row_of(0, 4, 4), row_of(1, 0, 1)};

	row[4].futex.handed = 1;
	row[4].futex.use[LOCKS_BALANCED] = 2;
	uses_add_handed(row, sizeof row / sizeof *row);
	tap_ok(row[1].futex.handed == 3 && row[5].futex.handed == 1, "by a thread that waits, too");
	tap_int(row[2].futex.handed, 0, "by one that does not");
	tap_int(row[0].futex.use[LOCKS_BALANCED] + row[1].futex.use[LOCKS_BALANCED] +
			row[5].futex.use[LOCKS_BALANCED],
		4, "the wakes of a thread, once");
	tap_int(row[3].futex.use[LOCKS_BALANCED], 2, "or its waits, which are fewer");
	tap_ok(row[4].futex.handed == 1 && row[4].futex.use[LOCKS_BALANCED] == 2,
	       "exited threads have theirs");
}

static struct locks_instance futex[3] = {
	{.kind = LOCKS_FUTEX}, {.kind = LOCKS_FUTEX}, {.kind = LOCKS_FUTEX}};

/* Returns a line of the i-th futex. both: the threads that woke have waited, too. */
static struct locks_line line_of(int i, uint64_t caller, uint64_t waits, uint64_t wakes, bool both)
{
	struct locks_line line = {.instance = &futex[i], .sum = row_of(0, waits, wakes)};

	line.sum.caller = caller;
	line.sum.futex.handed = both ? wakes : 0;
	line.sum.futex.use[LOCKS_BALANCED] = both ? wakes : 0;
	return line;
}

static void test_lines(void)
{
	struct wait_rules *rules = wait_rules_new();
	struct locks_line line[] = {line_of(0, 1, 100, 0, true), line_of(0, 2, 0, 100, true),
				    line_of(1, 1, 2, 0, false),  line_of(1, 2, 0, 2, false),
				    line_of(2, 3, 40, 0, false), line_of(2, 4, 0, 40, false)};

	uses_find(line, sizeof line / sizeof *line, rules);
	tap_ok(!line[0].idle && !line[1].idle && line[0].certainty == WAIT_LIKELY, "a lock");
	tap_ok(!line[2].idle, "one of few wakes, by the place that wakes for the lock, too");
	tap_ok(line[4].idle && line[5].idle && line[4].certainty == WAIT_SURE, "a queue");
	futex[0].kind = LOCKS_MUTEX;
	uses_find(line, 2, rules);
	tap_ok(!line[0].idle && line[0].certainty == WAIT_SURE, "what is held is a lock");
	line[0].instance = NULL;
	uses_find(line, 1, rules);
	tap_ok(!line[0].idle, "so is what had no room");
	wait_rules_free(rules);
}

int main(void)
{
	test_handed();
	test_lines();
	return tap_done();
}
