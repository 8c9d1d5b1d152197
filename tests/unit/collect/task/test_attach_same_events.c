/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A switch to a screen whose events are counted already: their counters stay open, and their
 * totals continue; other facts of the screen are read from the next refresh on.
 */
#include "live_rig.h"
#include "model/fact_list.h"

#define MORE FACT_SET(FACT_MINFLT, FACT_NICE)

/* Counts three events, for two refreshes. */
static void begin(struct rig *r, bool threads)
{
	rig_begin(r);
	rig_configure(r,
		      &(struct rig_want){.n_events = 3, .threads = threads, .filter = FILTER_ALL});
	rig_next(r);
	RUN(r, 10, 2);
	rig_next(r);
}

static const char *total_of(struct rig *r, int id, int counter)
{
	return rig_value(rig_row(r, id)->total[rig_event(r, counter)]);
}

static void test_counts(void)
{
	struct rig_want want = {.n_events = 2, .facts = MORE, .filter = FILTER_ALL};
	uint64_t generation;
	struct rig r;
	int opened;

	begin(&r, false);
	generation = rig_sample(&r)->generation;
	opened = r.pmu.calls.open;
	tap_str(total_of(&r, 10, 1), "exact 160000", "the total of an event");
	tap_ok(rig_reconfigure(&r, &want, 1), "two of three events are wanted: they go on");
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_int((int)rig_sample(&r)->generation, (int)generation, "in the same generation");
	tap_int(r.pmu.calls.open, opened, "with nothing opened");
	tap_str(rig_increment(&r, 10, 1), "exact 80000", "the interval is not cut");
	tap_str(total_of(&r, 10, 1), "exact 240000", "the total has all of it");
	tap_str(total_of(&r, 10, 2), "exact 360000", "so has the other one");
	rig_end(&r, "going on");
}

/* New facts of a screen are read also for tasks that did not run. */
static void test_facts(void)
{
	struct rig_want want = {.n_events = 1, .facts = MORE, .filter = FILTER_ALL};

	for (int threads = 0; threads < 2; threads++) {
		const struct delta_row *row;
		struct rig r;

		begin(&r, threads);
		want.threads = threads;
		tap_ok(rig_reconfigure(&r, &want, 0), "more facts are wanted");
		rig_next(&r);
		row = rig_row(&r, 20);
		tap_str(rig_value(delta_fact_now(row, FACT_NICE)), "exact 0",
			"a state is known of one that has not run");
		tap_str(rig_value(delta_fact(row, FACT_MINFLT)), "not-read",
			"what it did since the last refresh is not");
		if (threads)
			tap_str(rig_value(delta_fact_now(rig_row(&r, 22), FACT_NICE)), "exact 0",
				"of its threads, too");
		RUN(&r, 20, 1);
		rig_next(&r);
		row = rig_row(&r, 20);
		tap_ok(value_known(delta_fact(row, FACT_MINFLT)), "in the next one it is");
		rig_end(&r, threads ? "facts of threads" : "facts");
	}
}

static void test_refused(void)
{
	struct rig_want want = {.n_events = 3, .filter = FILTER_ALL};
	struct rig r;

	begin(&r, false);
	want.threads = true;
	tap_ok(!rig_reconfigure(&r, &want, 0), "threads have groups of their own");
	want.threads = false;
	want.facts = FACT_SET(FACT_VCSW);
	tap_ok(!rig_reconfigure(&r, &want, 0), "facts of threads that are not known one by one");
	want.facts = FACT_NONE;
	tap_ok(rig_reconfigure(&r, &want, 0), "the same once more");
	r.pmu.script.read_zero = true;
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_ok(!rig_reconfigure(&r, &want, 0), "counters in error state have to be reopened");
	r.pmu.script.read_zero = false;
	rig_configure(&r, &want);
	rig_next(&r);
	tap_ok(rig_reconfigure(&r, &want, 0), "which helps");
	rig_end(&r, "what cannot go on");
}

int main(void)
{
	test_counts();
	test_facts();
	test_refused();
	return tap_done();
}
