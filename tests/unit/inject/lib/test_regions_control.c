/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program resets the numbers of its regions, and stops and restarts measuring. */
#include <pthread.h>
#include <semaphore.h>

#include "fault_rig.h"
#include "own_regions.h"
#include "tap.h"
#include <tiptop.h>

TT_REGION(work, "work");
TT_REGION(other, "other");
TT_REGION(around, "around");

static double calls(const char *label)
{
	struct tt_numbers n;

	return tt_get_numbers(label, TT_PROCESS, &n) ? NAN : (double)n.calls;
}

static double faults(const char *label)
{
	struct tt_numbers n;

	return tt_get_numbers(label, TT_PROCESS, &n) ? NAN : n.count[0];
}

/* Returns whether the next report has this text. */
static bool reports(const char *text)
{
	static char report[65536];
	const char *path = getenv("TIPTOP_REPORT");
	size_t n = 0;
	FILE *f;

	if (truncate(path, 0) || tt_report())
		return false;
	f = fopen(path, "r");
	if (f) {
		n = fread(report, 1, sizeof report - 1, f);
		fclose(f);
	}
	report[n] = '\0';
	return strstr(report, text);
}

static const char *state(const char *label)
{
	static struct tt_numbers n;

	return tt_get_numbers(label, TT_PROCESS, &n) ? "" : n.state[0];
}

static void run(struct tt_region *region, int n, int pages)
{
	for (int i = 0; i < n; i++) {
		TT_BEGIN(*region);
		fault(pages);
		TT_END(*region);
	}
}

static void check_reset(void)
{
	run(&work, 5, 100);
	run(&other, 2, 1);
	tap_int(tt_reset("work"), 0, "a region is reset");
	tap_num(calls("work"), 0, "it has no calls then");
	tap_num(calls("other"), 3, "another one still has its own");
	run(&work, 3, 2);
	tap_num(calls("work"), 3, "its calls since");
	tap_num(faults("work"), 6, "and what they counted");
	tt_reset("never called");
	tt_reset(NULL);
	tap_num(calls("work") + calls("other"), 0, "all are reset");
	run(&work, 1, 2);
	run(&other, 1, 2);
	tap_num(faults("work") + faults("other"), 4, "and count again");
}

static void recurse(int n)
{
	TT_SCOPE(work);

	fault(1);
	if (n > 1)
		recurse(n - 1);
}

/* At the reset, a call has not ended. Neither that call nor calls of its region within it are
 * counted. */
static void check_going_on(void)
{
	TT_BEGIN(work);
	tt_reset(NULL);
	recurse(3);
	tap_str(state("work"), "unread", "no call has ended: the counter is not the reason");
	run(&other, 2, 1);
	tap_ok(reports("\"going_on\",\"n\":1,"), "it goes on");
	tap_num(calls("work"), 0, "calls in one that went on at the reset are left out");
	tap_num(calls("other"), 2, "those of another region are not");
	TT_END(work);
	tap_num(calls("work"), 0, "nor is the one that went on counted when it ends");
	tap_ok(reports("\"label\":\"other\"") && !reports("going_on"),
	       "and it does not go on then");
	recurse(3);
	tap_num(calls("work"), 3, "those behind it are");
	tap_num(faults("work"), 3, "with what they count, nothing twice");
}

static sem_t ran, go;

static void *run_thread(void *arg)
{
	run(&work, 10, 1);
	sem_post(&ran);
	sem_wait(&go);
	run(&work, 4, 1);
	return arg;
}

static void check_threads(void)
{
	pthread_t thread;

	sem_init(&ran, 0, 0);
	sem_init(&go, 0, 0);
	pthread_create(&thread, NULL, run_thread, NULL);
	sem_wait(&ran);
	tt_reset(NULL);
	tap_num(calls("work"), 0, "another thread is reset, too");
	sem_post(&go);
	pthread_join(thread, NULL);
	tap_num(calls("work"), 4, "and what it did before is not added when it ends");
	tap_num(faults("work"), 4, "nor what that counted");
}

static volatile bool stop;

static void *run_on(void *arg)
{
	while (!stop)
		run(&work, 100, 0);
	return arg;
}

/* Regions are reset while another thread runs them: numbers must be consistent, and of calls since
 * the last reset only. */
static void check_racing(void)
{
	struct tt_numbers n;
	bool whole = true;
	pthread_t thread;

	pthread_create(&thread, NULL, run_on, NULL);
	for (int i = 0; i < 300; i++) {
		tt_reset(NULL);
		tt_get_numbers("work", TT_PROCESS, &n);
		whole &= !n.calls || n.time_ns > 0;
		usleep(50);
	}
	stop = true;
	pthread_join(thread, NULL);
	tap_ok(whole, "resets beside a thread that runs regions");
	tt_reset(NULL);
	run(&work, 2, 0);
	tap_num(calls("work"), 2, "the last one holds");
}

static void check_stop(void)
{
	tt_reset(NULL);
	tap_int(tt_stop(), 0, "measuring ends");
	run(&work, 5, 1);
	tt_begin("work");
	tt_end("work");
	tap_num(calls("work"), 0, "nothing is measured then");
	tap_ok(!tt_async_begin(&work), "nor is a call that may wait");
	tap_int(tt_start(), 0, "and begins again");
	run(&work, 2, 1);
	tap_num(calls("work"), 2, "calls since");
	TT_BEGIN(around);
	run(&work, 1, 1);
	tt_stop();
	run(&work, 1, 1);
	tt_start();
	run(&work, 1, 1);
	TT_END(around);
	tap_num(calls("around"), 0, "a call that went on at the end has no numbers");
	tap_num(calls("work"), 4, "regions in it have, but for the time between");
	run(&around, 1, 3);
	tap_num(calls("around"), 1, "the next call has");
	tap_num(faults("around"), 3, "of its own");
}

static void run_deeper(int n)
{
	if (n)
		run_deeper(n - 1);
	else
		run(&work, 2, 3);
	fault(0);
}

/* A call whose end is skipped, as measuring is stopped then: later calls are not inside it. */
static void check_skipped_end(void)
{
	tt_reset(NULL);
	TT_BEGIN(work);
	tt_stop();
	TT_END(work);
	tt_start();
	run_deeper(3);
	tap_num(calls("work"), 2, "calls after one whose end was skipped");
	tap_num(faults("work"), 6, "are not inside it");
	tap_ok(reports("\"abandoned\",\"n\":"), "it is abandoned");
}

/* Without TIPTOP_REGIONS, calls of the functions behind the macros make no table either. */
static bool is_unmeasured(void)
{
	tt_region_begin(&work);
	tt_region_work(&work, "bytes", 1);
	tt_region_end(&work);
	return !work.id;
}

int main(int argc, char **argv)
{
	int status = 1;

	(void)argc;
	if (!own_regions_begin(argv, "page-faults", &status)) {
		tt_stop();
		if (tt_async_begin(&work) || !is_unmeasured())
			return 1;
		return status != 0 || tt_start() != -1 || tt_reset(NULL) != -1;
	}
	run(&work, 1, 1);
	run(&other, 1, 1);
	run(&around, 1, 1);
	recurse(3);
	check_reset();
	check_going_on();
	check_threads();
	check_racing();
	check_stop();
	check_skipped_end();
	return tap_done();
}
