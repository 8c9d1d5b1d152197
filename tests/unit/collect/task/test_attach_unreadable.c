/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source while open counters cannot be read: briefly, in one refresh, permanently, or at
 * the last reading.
 */
#include <errno.h>
#include <string.h>

#include "live_rig.h"

static void begin(struct rig *r, struct log *log, bool threads)
{
	rig_begin(r);
	rig_configure(r,
		      &(struct rig_want){
			      .n_events = 2, .threads = threads, .filter = FILTER_ALL, .log = log});
	rig_next(r);
	RUN(r, 10, 1);
	RUN(r, 20, 1);
	rig_next(r);
}

static const char *total_of(struct rig *r, int id)
{
	return rig_value(rig_row(r, id)->total[0]);
}

/* Threads that exit make two reads fail. The source retries at once, so no number is lost. */
static void test_moment(void)
{
	static struct rig r;

	begin(&r, NULL, false);
	r.pmu.script.exiting = 2;
	RUN(&r, 10, 2);
	rig_next(&r);
	tap_int(r.pmu.script.exiting, 0, "two reads have failed");
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "which no reading sees");
	rig_end(&r, "a moment");
}

/* All reads of one refresh fail: its interval is unknown, and the next interval includes its
 * counts. */
static void test_refresh(bool threads)
{
	const char *what = threads ? "a refresh, threads" : "a refresh";
	struct log log = LOG_INIT;
	static struct rig r;

	begin(&r, &log, threads);
	r.pmu.script.exiting = -1;
	RUN(&r, 10, 2);
	RUN(&r, 20, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "not-read", "%s that cannot be read is unknown", what);
	tap_str(total_of(&r, 10), "not-read", "%s: and so is the total", what);
	tap_num(rig_row(&r, 10)->cpu_ns.number, 80000, "%s: but not the time", what);
	r.pmu.script.exiting = 0;
	RUN(&r, 10, 4);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 240000",
		"%s: the next interval begins where it was read last", what);
	tap_num(delta_count_rate(rig_row(&r, 10), 0).number, 240000 / 2,
		"%s: the rate is of both seconds", what);
	tap_num(delta_count_rate(rig_row(&r, 20), 0).number, 120000 / 2,
		"%s: also where nothing ran in one", what);
	tap_num(delta_cpu_share(rig_row(&r, 10)).number, 160000 / 1e9,
		"%s: that of the time is of one", what);
	tap_str(total_of(&r, 10), "exact 280000", "%s: nothing is missing in the total", what);
	tap_num(rig_row(&r, 10)->cpu_ns.number, 160000, "%s: its time has its own interval", what);
	tap_str(rig_increment(&r, 20, 0), "exact 120000",
		"%s: one that has not run since is read again, too", what);
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 40000", "%s: then all is as before", what);
	tap_int((long)log.n, 0, "%s: what has passed by itself is not worth a sentence", what);
	log_done(&log);
	rig_end(&r, what);
}

/* All reads fail from now on: one log line gives the cause, and the attempts are limited. */
static void test_for_ever(void)
{
	struct log log = LOG_INIT;
	static struct rig r;
	int calls;

	begin(&r, &log, false);
	r.pmu.script.exiting = -1;
	for (int i = 0; i < 4; i++) {
		RUN(&r, 10, 1);
		calls = r.pmu.calls.read;
		rig_next(&r);
		tap_str(rig_increment(&r, 10, 0), "not-read", "refresh %d without a read", i);
		tap_ok(r.pmu.calls.read - calls <= 20, "after a few tries");
	}
	tap_int((long)log.n, 1, "that it lasts is said, once");
	tap_ok(log.n && strstr(log.line[0].text, "task 10") && strstr(log.line[0].text, "threads"),
	       "with the true cause");
	r.pmu.script.exiting = 0;
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 200000", "when it is over, nothing is lost");
	log_done(&log);
	rig_end(&r, "for ever");
}

/* The last reading of a task that has ended fails: its total is a lower bound. */
static void test_end(void)
{
	static struct rig r;

	begin(&r, NULL, false);
	RUN(&r, 10, 2);
	RUN(&r, 20, 2);
	world_reap(&r.world, 10);
	r.pmu.script.exiting = -1;
	rig_next(&r);
	tap_ok(rig_task(&r, 10)->dead, "a task has ended");
	tap_str(rig_increment(&r, 10, 0), "not-read", "its last interval is unknown");
	tap_str(total_of(&r, 10), "partial 40000", "its total a lower bound");
	rig_end(&r, "the end");
}

/* Other errors of reads: one log line gives the cause. error 0: the counter is in error state, so
 * that read(2) returns 0. */
static void test_errors(int error, const char *text)
{
	struct log log = LOG_INIT;
	static struct rig r;

	begin(&r, &log, false);
	if (error)
		r.plan = (struct fault_plan){
			.kind = "read", .fail_at = 1, .from_then_on = true, .error = error};
	else
		r.pmu.script.read_zero = true;
	for (int i = 0; i < 3; i++) {
		RUN(&r, 10, 1);
		rig_next(&r);
		tap_str(rig_increment(&r, 10, 0), "not-read", "%s: refresh %d is unknown", text, i);
	}
	tap_int((long)log.n, 1, "%s: one sentence", text);
	tap_ok(log.n && strstr(log.line[0].text, text) && strstr(log.line[0].text, "task 10"),
	       "%s: it tells what and where", text);
	r.plan = (struct fault_plan){.fail_at = 0};
	r.pmu.script.read_zero = false;
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 120000",
		"%s: when it can be read again, nothing is lost", text);
	log_done(&log);
	rig_end(&r, text);
}

/* On a hybrid machine, a counter has a part for each kind of cores. If one part cannot be read, the
 * whole number is unknown. */
static void test_parts(void)
{
	static struct rig r;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .hybrid = true));
	rig_next(&r);
	/* The read of the second part fails. */
	r.plan = (struct fault_plan){.kind = "read", .fail_at = 2, .error = EIO};
	for (int i = 0; i < 2; i++) {
		RUN(&r, 10, 10);
		pmu_task(&r.pmu, 10)->core = 1;
		RUN(&r, 10, 30);
		pmu_task(&r.pmu, 10)->core = 0;
		rig_next(&r);
		tap_str(rig_increment(&r, 10, 0), i ? "exact 3200000" : "not-read",
			"parts of a number, refresh %d", i);
	}
	rig_end(&r, "parts");
}

/* The kernel has closed the counters, they are reopened, and their first reading fails. */
static void test_reopened(void)
{
	static struct rig r;

	begin(&r, NULL, false);
	pmu_exec_protected(&r.pmu, 10);
	RUN(&r, 10, 100);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "not-read", "counters that the kernel has closed");
	r.pmu.script.exiting = -1;
	RUN(&r, 10, 1);
	rig_next(&r);
	r.pmu.script.exiting = 0;
	RUN(&r, 10, 4);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 160000", "what was counted since the opening");
	tap_num(delta_count_rate(rig_row(&r, 10), 0).number, 160000,
		"the rate is of the second since then");
	rig_end(&r, "opened again");
}

/* The counts of two samples a day apart, the longest delay, with a failed reading in between: no
 * number overflows. */
static void test_long(void)
{
	static struct rig r;

	begin(&r, NULL, false);
	r.pmu.script.exiting = -1;
	RUN(&r, 10, 2);
	world_wait(&r.world, 86399 * 1000000000ull);
	rig_next(&r);
	r.pmu.script.exiting = 0;
	RUN(&r, 10, 4);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 240000", "an interval of more than a day");
	tap_num(delta_count_rate(rig_row(&r, 10), 0).number, 240000 / 86401.0, "its rate");
	rig_end(&r, "a day");
}

int main(void)
{
	test_moment();
	test_refresh(false);
	test_refresh(true);
	test_for_ever();
	test_end();
	test_errors(0, "error state");
	test_errors(EIO, "Input/output error");
	test_parts();
	test_reopened();
	test_long();
	return tap_done();
}
