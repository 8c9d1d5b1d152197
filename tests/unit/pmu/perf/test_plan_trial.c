/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trials whether groups fit onto the PMU: counters in use by others, kinds of cores, events that
 * leave only two counters; and the time for which a verdict is kept.
 */
#include <errno.h>

#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

#define CORE 4
#define ATOM 10

struct bed {
	struct pmu pmu;
	struct trial trial;
	struct event_set set;
};

/* Adds n counters of the PMU, with config first, first + 1, ... */
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

/* Returns the sizes of the plan's groups, as text ("6 1"). */
static const char *sizes(const struct event_set *set)
{
	static char text[256];
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0, n = 0; i < set->plan.n; i++) {
		n++;
		if (i + 1 < set->plan.n &&
		    set->plan.member[i + 1].group == set->plan.member[i].group)
			continue;
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", len ? " " : "", n);
		n = 0;
	}
	return text;
}

static const char *plan(struct bed *b)
{
	plan_make(&b->set, &b->trial);
	return sizes(&b->set);
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

static void test_held(void)
{
	static const char *const want[] = {NULL,  "1 1 1 1 1 1 1", "2 2 2 1", "3 3 1",
					   "4 3", "5 2",           "6 1",     "7"};
	struct bed b;

	for (int most = 1; most <= 7; most++) {
		begin(&b, 7);
		b.pmu.script.never_above = most;
		tap_str(plan(&b), want[most], "%d counters are free: 7 events", most);
		end(&b, "held");
	}
	begin(&b, 7);
	tap_str(plan(&b), "7", "no process holds any");
	tap_int(b.pmu.calls.open, 7, "one group is opened");
	tap_int(b.pmu.calls.ioctl + b.pmu.calls.read, 2, "enabled and read");
	tap_int((int)b.set.plan.again, 0, "and not asked for again");
	end(&b, "free");
}

/* A verdict that events do not fit is remembered: they are not tried again, neither alone nor with
 * others. */
static void test_memory(void)
{
	struct bed b;
	int opened;

	begin(&b, 7);
	b.pmu.script.never_above = 6;
	plan(&b);
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

/* The same event twice needs two counters. */
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

static void later(struct bed *b, uint32_t moments)
{
	b->trial.moment += moments;
}

static void test_again(void)
{
	struct bed b;
	uint32_t first;

	begin(&b, 7);
	b.pmu.script.never_above = 6;
	tap_str(plan(&b), "6 1", "a counter is held");
	first = b.set.plan.again - b.trial.moment;
	tap_ok(first > 0 && first <= 30, "it will be asked again soon");
	later(&b, first);
	tap_ok(!plan_renew(&b.set, &b.trial, false), "it is still held: the plan stays");
	tap_int(b.set.plan.again - b.trial.moment, 2 * first, "and is asked later");
	b.pmu.script.never_above = 0;
	tap_ok(!plan_renew(&b.set, &b.trial, false), "given back, but the time has not come");
	later(&b, 2 * first);
	tap_ok(plan_renew(&b.set, &b.trial, false), "then there is a new plan");
	tap_str(sizes(&b.set), "7", "of one group");
	tap_int((int)b.set.plan.again, 0, "for good");
	b.pmu.script.never_above = 6;
	tap_ok(!plan_renew(&b.set, &b.trial, false), "a plan of more groups is no gain");
	tap_str(sizes(&b.set), "7", "the old one stays");
	end(&b, "again");
}

/* With hyper-threading, events 0xd0 to 0xd3 of Sandy Bridge to Haswell leave two counters for the
 * whole group. */
static void test_exclusive(void)
{
	struct bed b;

	begin(&b, 4);
	b.pmu.script.exclusive = 1;
	tap_str(plan(&b), "2 2", "a group with such an event has two");
	take_events(&b, 1, 4);
	tap_str(plan(&b), "4", "one without has all");
	end(&b, "exclusive");
}

static void make_hybrid(struct bed *b, int n)
{
	event_set_done(&b->set);
	for (int i = 0; i < n; i++) {
		event_set_add(&b->set, "event")->config = (uint64_t)i | (uint64_t)CORE << 32;
		event_set_add_part(&b->set, "event")->config = (uint64_t)i | (uint64_t)ATOM << 32;
		b->set.event[b->set.n - 1].core = 1;
	}
	b->pmu.script.core_type[0] = CORE;
	b->pmu.script.core_type[1] = ATOM;
}

static void test_kinds(void)
{
	struct bed b;

	begin(&b, 0);
	make_hybrid(&b, 4);
	tap_str(plan(&b), "4 4", "two kinds of cores, nothing held");
	tap_int(b.pmu.calls.visit, 3, "each is visited once, then there is the way back");
	b.pmu.script.core_never_above[1] = 3;
	tap_str(plan(&b), "3 3 1 1", "held on the slow ones: cut on both");
	b.pmu.script.core_never_above[1] = 0;
	b.pmu.script.core_never_above[0] = 2;
	b.set.event[7].quality = QUALITY_UNSUPPORTED;
	later(&b, 1000);
	tap_str(plan(&b), "2 2 2 1 1", "held on the fast ones");
	end(&b, "kinds");
}

/* tiptop may not run on a kind of cores: only the success of opening is tested there, and a message
 * says so. */
static void test_no_visit(void)
{
	struct bed b;

	begin(&b, 0);
	make_hybrid(&b, 4);
	b.pmu.script.core_never_above[1] = 3;
	b.pmu.script.no_visit[1] = ENODEV;
	tap_int(b.trial.untried.code, 0, "nothing to say yet");
	tap_str(plan(&b), "4 4", "what is held there cannot be seen");
	tap_int(b.trial.untried.code, ENODEV, "which is said");
	tap_str(b.trial.untried.text, "core 1 cannot be visited", "with the reason");
	b.pmu.script.core_max[1] = 2;
	tap_str(plan(&b), "2 2 2 2", "what the kernel refuses can");
	end(&b, "no visit");
}

/* Errors about descriptors, memory or another user of the PMU do not show that a group does not
 * fit. */
static void test_elsewhere(void)
{
	static const int errors[] = {EMFILE, ENFILE, ENOMEM, EBUSY, EINTR};
	struct faulty_sys faulty;

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		struct fault_plan fault = {
			.fail_at = 3, .kind = "open", .from_then_on = true, .error = errors[i]};
		struct bed b;

		begin(&b, 4);
		faulty_sys_init(&faulty, &b.pmu.sys, &fault);
		b.trial.sys = &faulty.sys;
		b.pmu.script.max_hardware = 3;
		tap_str(plan(&b), "4", "%s: one group, as far as is known",
			strerrorname_np(errors[i]));
		tap_ok(b.set.plan.unsure && b.set.plan.again > b.trial.moment,
		       "which is to be asked again");
		fault.from_then_on = false;
		later(&b, b.set.plan.again - b.trial.moment);
		tap_ok(plan_renew(&b.set, &b.trial, false), "later it can be known");
		tap_str(sizes(&b.set), "3 1", "and is");
		tap_ok(!b.set.plan.unsure, "for sure");
		end(&b, "elsewhere");
	}
}

/* Another program's events are pinned on the watched tasks, which a trial on tiptop itself cannot
 * detect: groups that are seen to starve twice are made smaller. */
static void test_doubt(void)
{
	const int event[] = {0, 1, 2, 3, 4, 5};
	struct bed b;
	uint32_t pause;

	begin(&b, 6);
	tap_str(plan(&b), "6", "it seems to fit");
	tap_ok(!trial_retry(&b.trial, &b.set, event, 6, false),
	       "seen to wait once: the trial is believed");
	tap_ok(trial_retry(&b.trial, &b.set, event, 6, true), "twice: it is not");
	tap_str(plan(&b), "3 3", "half of them at most");
	pause = b.set.plan.again - b.trial.moment;
	tap_ok(trial_retry(&b.trial, &b.set, event, 3, false),
	       "when these wait, too, once is enough");
	tap_str(plan(&b), "1 1 1 1 1 1", "then none with another");
	later(&b, pause);
	tap_str(plan(&b), "6", "after a while they may be together");
	trial_retry(&b.trial, &b.set, event, 6, true);
	plan(&b);
	tap_int(b.set.plan.again - b.trial.moment, 2 * pause,
		"if they wait again, that while is longer");
	end(&b, "doubt");

	begin(&b, 6);
	plan(&b);
	b.pmu.script.never_above = 5;
	tap_ok(trial_retry(&b.trial, &b.set, event, 6, false),
	       "what the trial confirms is believed at once");
	tap_str(plan(&b), "5 1", "and exactly that");
	end(&b, "confirmed");
}

int main(void)
{
	test_held();
	test_memory();
	test_twice();
	test_again();
	test_exclusive();
	test_kinds();
	test_no_visit();
	test_elsewhere();
	test_doubt();
	return tap_done();
}
