/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A counter that the kernel multiplexes is not on the PMU during a region that is inside another
 * one. A reader of this test simulates it. */
#include <stdlib.h>
#include <unistd.h>

#include "inject/lib/figures.h"
#include "own_regions.h"
#include "played_regions.h"
#include "tap.h"

TT_REGION(outer, "outer");
TT_REGION(inner, "inner");

static struct tt_value now;

static bool read_now(struct tt *t, struct tt_value value[])
{
	value[0] = now;
	return !t;
}

/* Runs for a time in which the event occurs n times; they are counted if the counter is on. */
static void run(uint64_t n, bool on)
{
	now.enabled += n;
	now.running += on ? n : 0;
	now.count += on ? n : 0;
	usleep(1000);
}

/* All occurrences are in calls of `inner`, half of them while the counter is off: none are in
 * `outer` itself. */
static void check_self(void)
{
	struct tt_region *const all[] = {&outer, &inner};
	const struct table_quantity *time, *q;
	uint64_t first;
	double estimate;

	forget_calls(all, 2);
	tt_local.thread->read = read_now;
	now = (struct tt_value){.enabled = 1000, .running = 1000, .opening = 1};
	now.state = TT_SYSCALL;
	TT_BEGIN(outer);
	TT_BEGIN(inner);
	run(500, true);
	TT_END(inner);
	TT_BEGIN(inner);
	run(500, false);
	TT_END(inner);
	TT_END(outer);
	time = table_quantity(row(&inner), 0);
	q = table_quantity(row(&inner), 1);
	first = time->base;
	tap_int((long long)q->n_off, 1, "one call without its counter");
	tap_int(sum(&inner), 500, "the other call has its count");
	tap_int(sum(&outer), 1000, "that of the call around both is scaled");
	estimate = 500.0 * (double)(table_sum(row(&inner), time) - first) / (double)first;
	tap_num((double)table_quantity(row(&outer), 1)->inner, 500 + (uint64_t)estimate,
		"both calls are inside, one by an estimate");
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return own_regions_execute(argv);
	TT_BEGIN(outer);
	TT_END(outer);
	check_self();
	return tap_done();
}
