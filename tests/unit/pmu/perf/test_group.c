/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups on the scripted PMU: opening, reading and closing, and the effect of each failure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/perf/group.h"
#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

#define TID 100

/* Makes n events of the PMU, with config 0, 1, ... */
static void make_set(struct event_set *set, int n)
{
	event_set_init(set);
	for (int i = 0; i < n; i++) {
		char name[16];
		struct event *e;

		snprintf(name, sizeof name, "e%d", i);
		e = event_set_add(set, name);
		e->type = PERF_TYPE_HARDWARE;
		e->config = (uint64_t)i;
	}
}

static void plan_on(struct event_set *set, struct perf_sys *sys)
{
	struct trial trial;

	trial_init(&trial, sys);
	plan_make(set, &trial);
	trial_done(&trial);
}

static void machine(struct pmu *pmu, struct event_set *set, int n)
{
	pmu_init(pmu);
	pmu_task_add(pmu, TID);
	make_set(set, n);
	plan_on(set, &pmu->sys);
	memset(&pmu->calls, 0, sizeof pmu->calls);
}

static void end(struct pmu *pmu, struct event_set *set, struct group *g)
{
	group_close(g, &pmu->sys);
	event_set_done(set);
	tap_int(pmu->n_open, 0, "nothing is left open");
	tap_int(pmu->bad_calls, 0, "every call made sense");
	tap_int(pmu->orphans, 0, "no member was left alone by its leader");
}

static bool counts_are(const struct count *count, int n, uint64_t ns)
{
	for (int i = 0; i < n; i++)
		if (count[i].value != ns * pmu_rate(PERF_TYPE_HARDWARE, (uint64_t)i) ||
		    count[i].enabled_ns != ns)
			return false;
	return true;
}

/* Reads a group. Returns the mask of unread events, and checks the error. */
static uint64_t read_group(const struct group *g, struct perf_sys *sys, struct count *count,
			   int error)
{
	int why;
	uint64_t missing = group_read(g, sys, count, &why);

	if (why != error)
		tap_int(why, error, "why a group was not read");
	return missing;
}

static void test_one_group(void)
{
	struct count count[4];
	struct event_set set;
	struct group *g = NULL;
	struct pmu pmu;

	machine(&pmu, &set, 4);
	tap_int(group_open(&g, &pmu.sys, &set, TID, false), 0, "four events open as one group");
	tap_int(group_n_fds(g), 4, "with a descriptor each");
	pmu_run(&pmu, TID, 1000);
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "all are read");
	tap_int(pmu.calls.read, 1, "by one call");
	tap_ok(counts_are(count, 4, 1000), "each has its own count");
	pmu.script.reversed = true;
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "values in another order are read");
	tap_ok(counts_are(count, 4, 1000), "and distinguished by their ids");
	pmu_exit(&pmu, TID);
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "a task that ended is read");
	tap_ok(counts_are(count, 4, 1000), "with its final counts");
	end(&pmu, &set, g);
}

static void test_multiplexing(void)
{
	struct count count[2];
	struct event_set set;
	struct group *g = NULL;
	struct pmu pmu;

	machine(&pmu, &set, 2);
	pmu.script.share_running = 1;
	pmu.script.share_of = 4;
	group_open(&g, &pmu.sys, &set, TID, false);
	pmu_run(&pmu, TID, 4000);
	read_group(g, &pmu.sys, count, 0);
	tap_int(count[1].enabled_ns, 4000, "enabled while it ran");
	tap_int(count[1].running_ns, 1000, "running while on the PMU");
	tap_int(count[1].value, 2000, "the value is raw");
	end(&pmu, &set, g);
}

/* The number of groups is that of the plan, and each group is read by one call. */
static void test_several_groups(void)
{
	struct count count[EVENT_SET_MAX];
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	machine(&pmu, &set, 5);
	pmu.script.max_hardware = 2;
	plan_on(&set, &pmu.sys);
	pmu.calls.open = pmu.calls.read = 0;
	tap_int(group_open(&g, &pmu.sys, &set, TID, false), 0, "five events, two at a time");
	tap_int(pmu.calls.open, 5, "by a call each");
	pmu_run(&pmu, TID, 500);
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "all are read");
	tap_int(pmu.calls.read, 3, "by one call a group");
	tap_ok(counts_are(count, 5, 500), "each has its own count");
	end(&pmu, &set, g);
}

static void check_refused(int error, int fds, const char *what)
{
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	machine(&pmu, &set, 4);
	pmu.script.max_fds = fds;
	pmu_task(&pmu, TID)->denied = error == EACCES;
	pmu_task(&pmu, TID)->dead = error == ESRCH;
	tap_int(group_open(&g, &pmu.sys, &set, TID, false), -error, "%s", what);
	tap_ok(!g, "%s: no group", what);
	tap_int(pmu.calls.open, error == EACCES ? 4 : fds + 1, "%s: tried as often as makes sense",
		what);
	end(&pmu, &set, NULL);
}

static void test_refusals(void)
{
	check_refused(EACCES, 0, "a task that may not be counted");
	check_refused(ESRCH, 0, "a task that has gone");
	check_refused(EMFILE, 1, "one descriptor for four events");
	check_refused(EMFILE, 3, "three descriptors for four events");
}

static void end_task_at(struct pmu *pmu, void *context, int tid)
{
	if (pmu->calls.open == *(const int *)context)
		pmu_exit(pmu, tid);
}

/* If the task ends while its group is opened, nothing stays open. */
static void test_end_meanwhile(void)
{
	for (int opened = 1; opened < 4; opened++) {
		struct group *g = NULL;
		struct event_set set;
		struct pmu pmu;

		machine(&pmu, &set, 4);
		pmu.on_open = end_task_at;
		pmu.context = &opened;
		tap_int(group_open(&g, &pmu.sys, &set, TID, false), -ESRCH,
			"a task that ends after %d of 4 events", opened);
		tap_ok(!g, "no group");
		end(&pmu, &set, NULL);
	}
}

/* An event refused for this task does not affect the others. */
static void test_missing_event(void)
{
	struct count count[4];
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	for (int lost = 0; lost < 4; lost++) {
		machine(&pmu, &set, 4);
		pmu.script.missing = 1ull << lost;
		tap_int(group_open(&g, &pmu.sys, &set, TID, false), 0, "without event %d", lost);
		pmu_run(&pmu, TID, 10);
		tap_int(read_group(g, &pmu.sys, count, 0), 1 << lost,
			"exactly event %d is not read", lost);
		tap_int(count[lost].value + count[lost].enabled_ns, 0, "and is 0");
		tap_int(count[!lost].value, 10 * pmu_rate(PERF_TYPE_HARDWARE, !lost),
			"another one is right");
		end(&pmu, &set, g);
	}
	machine(&pmu, &set, 4);
	set.event[0].quality = set.event[2].quality = QUALITY_UNSUPPORTED;
	plan_on(&set, &pmu.sys);
	pmu.calls.open = 0;
	group_open(&g, &pmu.sys, &set, TID, false);
	tap_int(pmu.calls.open, 2, "what the machine lacks is not tried");
	tap_int(read_group(g, &pmu.sys, count, 0), 1 << 2 | 1 << 3, "and not read: it comes last");
	end(&pmu, &set, g);
}

static void test_bad_reads(void)
{
	struct count count[4];
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	machine(&pmu, &set, 4);
	group_open(&g, &pmu.sys, &set, TID, false);
	pmu_run(&pmu, TID, 10);
	pmu.script.read_zero = true;
	tap_int(read_group(g, &pmu.sys, count, -ENODATA), 15, "a read of 0 bytes gives no count");
	pmu.script.read_zero = false;
	for (int n = 1; n < 88; n++) {
		int whole = n < 24 ? 0 : (n - 24) / 16;

		pmu.script.read_short = n;
		if (read_group(g, &pmu.sys, count, whole < 4 ? -EIO : 0) !=
			    (15ull & (15ull << whole)) ||
		    (whole && !count[0].value))
			tap_ok(false, "a read of %d bytes gives %d counts", n, whole);
	}
	pmu.script.read_short = 0;
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "a whole read again gives all");
	end(&pmu, &set, g);
}

/* While threads exit, a group with inherit may be unreadable for a moment: reading is retried a
 * limited number of times. */
static void test_exiting_threads(void)
{
	struct count count[4];
	struct event_set set;
	struct group *g = NULL;
	struct err err = ERR_INIT;
	struct pmu pmu;
	int calls;

	machine(&pmu, &set, 4);
	group_open(&g, &pmu.sys, &set, TID, false);
	pmu_run(&pmu, TID, 10);
	pmu.script.exiting = 3;
	tap_int(read_group(g, &pmu.sys, count, 0), 0,
		"a few reads fail with ECHILD: it is read all the same");
	tap_ok(counts_are(count, 4, 10), "with all its counts");
	pmu.script.exiting = -1;
	calls = pmu.calls.read;
	tap_int(read_group(g, &pmu.sys, count, -ECHILD), 15,
		"all reads fail with ECHILD: nothing is read");
	tap_ok(pmu.calls.read - calls > 3 && pmu.calls.read - calls <= 20, "after a few tries");
	tap_int(group_explain_read(-ECHILD, TID, &err), -ECHILD, "which is an error");
	tap_ok(strstr(err.text, "threads") && strstr(err.text, "100"),
	       "with its own sentence, which names the task");
	pmu.script.exiting = 0;
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "later it is read again");
	end(&pmu, &set, g);
}

/* Each call of open, read and close fails once: no descriptor leaks, and no number is wrong. */
static void test_faults(void)
{
	static const int errors[] = {EINVAL, EACCES, EMFILE, ENOMEM, ESRCH, EIO, EINTR};
	bool reached = true;

	for (size_t e = 0; e < sizeof errors / sizeof *errors; e++, reached = true)
		for (long n = 1; reached; n++) {
			struct fault_plan plan = {.fail_at = n, .error = errors[e]};
			struct faulty_sys faulty;
			struct group *g = NULL;
			struct event_set set;
			struct count count[4];
			struct pmu pmu;
			uint64_t missing = 15;
			int error;

			machine(&pmu, &set, 4);
			pmu.script.max_hardware = 3;
			faulty_sys_init(&faulty, &pmu.sys, &plan);
			if (!group_open(&g, &faulty.sys, &set, TID, false)) {
				pmu_run(&pmu, TID, 10);
				missing = group_read(g, &faulty.sys, count, &error);
			}
			for (int i = 0; i < 4; i++)
				if (!(missing & (1u << i)) &&
				    count[i].value != 10u * (unsigned)(i + 1))
					tap_ok(false,
					       "call %ld fails with %d: the count of event %d is "
					       "right",
					       n, errors[e], i);
			group_close(g, &faulty.sys);
			event_set_done(&set);
			reached = plan.reached;
			if (pmu.n_open || pmu.bad_calls)
				tap_ok(false, "call %ld fails with %d: nothing is left open", n,
				       errors[e]);
		}
	tap_ok(true, "each call has failed with each error");
}

static void test_inherit(void)
{
	struct count count[2];
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	machine(&pmu, &set, 2);
	set.inherit = true;
	group_open(&g, &pmu.sys, &set, TID, false);
	pmu_thread_add(&pmu, TID + 1, TID);
	pmu_thread_add(&pmu, TID + 2, TID + 1);
	pmu_run(&pmu, TID, 10);
	pmu_run(&pmu, TID + 1, 20);
	pmu_run(&pmu, TID + 2, 40);
	pmu_exit(&pmu, TID + 1);
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "an inheriting group is read");
	tap_int(count[1].value, 140, "and is the sum over all threads");
	tap_int(count[1].enabled_ns, 70, "so is its time");
	tap_int(group_n_fds(g), 2, "for two descriptors");
	end(&pmu, &set, g);
}

static void test_on_exec(void)
{
	struct count count[3];
	struct group *g = NULL;
	struct event_set set;
	struct pmu pmu;

	machine(&pmu, &set, 3);
	pmu.script.max_hardware = 2;
	plan_on(&set, &pmu.sys);
	group_open(&g, &pmu.sys, &set, TID, true);
	for (int i = 0; i < 3; i++) {
		const struct pmu_event *e = &pmu.event[i];

		tap_int(e->attr.enable_on_exec, e->leader == e,
			"event %d waits for execve if it leads", i);
		tap_int(e->attr.disabled, e->leader == e, "event %d is disabled if it leads", i);
	}
	pmu_run(&pmu, TID, 1000);
	pmu_exec(&pmu, TID);
	pmu_run(&pmu, TID, 10);
	tap_int(read_group(g, &pmu.sys, count, 0), 0, "all are read");
	tap_ok(counts_are(count, 3, 10), "and have counted since the execve only");
	end(&pmu, &set, g);
}

static void test_probe_guest(void)
{
	static const int errors[] = {EINVAL, EOPNOTSUPP};
	struct event_set set;
	struct pmu pmu;
	int fd;

	for (int i = 0; i < 2; i++) {
		machine(&pmu, &set, 2);
		pmu.script.refuse_exclude_guest = errors[i];
		fd = event_probe(&pmu.sys, &set, 1);
		tap_ok(fd >= 0, "exclude_guest refused with %d: opened without it", errors[i]);
		tap_ok(set.event[1].guest_too && !set.event[0].guest_too,
		       "which is learned for this event");
		tap_int(pmu.calls.open, 2, "by two calls");
		pmu.sys.close(&pmu.sys, fd);
		end(&pmu, &set, NULL);
	}
	machine(&pmu, &set, 2);
	pmu.script.missing = 2;
	tap_int(event_probe(&pmu.sys, &set, 1), -ENOENT, "an event that does not exist");
	tap_ok(!set.event[1].guest_too, "teaches nothing about guests");
	end(&pmu, &set, NULL);
}

/* Shared and missing events are refused before the kernel is called, which would count something
 * else. */
static void test_shared(void)
{
	struct event_set set;
	struct group *g = NULL;
	struct pmu pmu;

	machine(&pmu, &set, 1);
	set.event[0].shared = true;
	tap_int(group_open_cpu(&g, &pmu.sys, &set, 0, -1), -EXDEV, "no CPU gets what all share");
	tap_int(group_open(&g, &pmu.sys, &set, TID, false), -EXDEV, "nor does a task");
	set.event[0].shared = false;
	set.event[0].absent = "0x03 (L1D_CACHE_REFILL)";
	tap_int(group_open(&g, &pmu.sys, &set, TID, false), -ENOENT, "nor what is not implemented");
	tap_int(pmu.calls.open, 0, "and the kernel is not asked");
	end(&pmu, &set, NULL);
}

int main(void)
{
	test_one_group();
	test_multiplexing();
	test_several_groups();
	test_refusals();
	test_shared();
	test_end_meanwhile();
	test_missing_event();
	test_bad_reads();
	test_exiting_threads();
	test_faults();
	test_inherit();
	test_on_exec();
	test_probe_guest();
	return tap_done();
}
