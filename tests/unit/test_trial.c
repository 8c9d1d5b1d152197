/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fits onto the PMU as things are: counters that others hold, kinds of cores, events that leave two counters; and
 * how long that is remembered.
 */
#include "perf/trial.h"
#include "scripted_pmu.h"
#include "tap.h"

struct bed {
	struct pmu pmu;
	struct trial trial;
	struct event_set set;
};

/* n counters of the PMU, config first, first + 1, ... */
static void take_events(struct bed *b, int first, int n)
{
	event_set_done(&b->set);
	for (int i = 0; i < n; i++)
		event_set_add(&b->set, "event")->config = (uint64_t)(first + i);
}

static void begin(struct bed *b, int n)
{
	pmu_init(&b->pmu);
	event_set_init(&b->set);
	take_events(b, 0, n);
	trial_init(&b->trial, &b->pmu.sys);
}

static void end(struct bed *b, const char *what)
{
	trial_done(&b->trial);
	event_set_done(&b->set);
	tap_int(b->pmu.n_open, 0, "%s: nothing is left open", what);
	tap_int(b->pmu.bad_calls, 0, "%s: every call made sense", what);
	tap_ok(!b->pmu.away, "%s: tiptop is where it was", what);
}

static bool fits(struct bed *b, int n)
{
	int event[EVENT_SET_MAX];
	struct trial_answer answer = {.again = 0};
	bool yes;

	for (int i = 0; i < n; i++)
		event[i] = i;
	yes = trial_fits(&b->trial, &b->set, event, n, &answer);
	trial_end(&b->trial);
	return yes;
}

/* What does not fit is not tried again: not for the set, not for one that has all of it. */
static void test_memory(void)
{
	struct bed b;
	int opened;

	begin(&b, 7);
	b.pmu.script.never_above = 6;
	tap_ok(!fits(&b, 7), "7 events do not fit");
	opened = b.pmu.calls.open;
	tap_ok(!fits(&b, 7), "remembered");
	tap_int(b.pmu.calls.open, opened, "without a trial");
	take_events(&b, 0, 9);
	tap_ok(!fits(&b, 9), "and with two more");
	tap_int(b.pmu.calls.open, opened, "without a trial, too");
	b.set.kernel = true;
	tap_ok(!fits(&b, 7), "whatever modes are counted");
	tap_int(b.pmu.calls.open, opened, "it takes the same counters");
	take_events(&b, 7, 7);
	tap_ok(!fits(&b, 7), "other events are tried");
	tap_ok(b.pmu.calls.open > opened, "by opening them");
	b.pmu.script.never_above = 0;
	take_events(&b, 1, 6);
	tap_ok(fits(&b, 6), "a part of them may fit");
	end(&b, "memory");
}

/* The same event twice takes two counters. */
static void test_twice(void)
{
	struct bed b;

	begin(&b, 3);
	for (int i = 0; i < 3; i++)
		b.set.event[i].config = 8;
	b.pmu.script.never_above = 2;
	tap_ok(!fits(&b, 3), "three times the same do not fit");
	tap_ok(fits(&b, 2), "twice do");
	take_events(&b, 8, 3);
	tap_ok(!fits(&b, 3), "three others are tried");
	b.pmu.script.never_above = 0;
	b.set.event[2].config = 11;
	tap_ok(fits(&b, 3), "and one that is there once only");
	end(&b, "twice");
}

int main(void)
{
	test_memory();
	test_twice();
	return tap_done();
}
