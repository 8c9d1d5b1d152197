/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions with labels made at run time, and queries of a program about its own regions. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "fault_rig.h"
#include "own_regions.h"
#include "tap.h"
#include <tiptop.h>

#define N 5

TT_REGION(known, "step 1");

static struct tt_numbers numbers_of(const char *label, enum tt_whose whose)
{
	struct tt_numbers n = {.calls = 0};

	if (tt_get_numbers(label, whose, &n))
		n.calls = UINT64_MAX;
	return n;
}

static void step(int i)
{
	char label[32];

	snprintf(label, sizeof label, "step %d", i);
	tt_begin(label);
	fault(i + 1);
	/* Another buffer with the same text. */
	snprintf(label, sizeof label, "step %d", i);
	tt_end(label);
}

static void check_labels(void)
{
	struct tt_numbers n;

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < N; i++)
			step(i);
	for (int i = 0; i < N; i++) {
		char label[32];

		snprintf(label, sizeof label, "step %d", i);
		n = numbers_of(label, TT_PROCESS);
		tap_num((double)n.calls, 2, "%s: at the same address", label);
	}
	TT_BEGIN(known);
	TT_END(known);
	tap_num((double)numbers_of("step 1", TT_PROCESS).calls, 3,
		"a region that is declared has the same label");
	tap_ok(tt_region_of("step 3") == tt_region_of("step 3"), "a label has one region");
	tap_str(tt_region_of("step 4")->label, "step 4", "with the label");
	tt_begin(NULL);
	tt_end(NULL);
	tap_ok(!numbers_of("", TT_PROCESS).calls, "no label: no region");
}

/* More labels than the initial size of the hash table. */
static void check_many(void)
{
	char label[32];
	int n_right = 0;

	for (int i = 0; i < 2000; i++) {
		snprintf(label, sizeof label, "of many %d", i);
		tt_region_of(label)->flags = (uint32_t)i;
	}
	for (int i = 0; i < 2000; i++) {
		snprintf(label, sizeof label, "of many %d", i);
		n_right += tt_region_of(label)->flags == (uint32_t)i;
	}
	tap_int(n_right, 2000, "2000 labels: each has its own region");
}

static void check_numbers(void)
{
	struct tt_numbers n;

	fault(1);
	for (int i = 0; i < 3; i++) {
		TT_SCOPE(known);

		fault(10);
	}
	tt_begin("counted");
	fault(10);
	tt_end("counted");
	n = numbers_of("counted", TT_PROCESS);
	tap_int((int)n.n_events, 2, "the events");
	tap_str(n.event[0], "page-faults", "their names");
	tap_num((double)n.calls, 1, "calls that have ended");
	tap_ok(n.count[0] >= 10 && n.count[0] <= 12, "what they counted: %g", n.count[0]);
	tap_str(n.state[0], "exact", "exactly");
	tap_ok(n.time_ns > 0, "their time: %g ns", n.time_ns);
	tap_ok(isnan(n.count[1]), "no number of what no machine has");
	tap_str(n.state[1], "no-pmu", "and why");
	tt_begin("counted");
	tap_num((double)numbers_of("counted", TT_PROCESS).calls, 1,
		"a call that goes on is in none");
	tt_end("counted");
	n = numbers_of("never called", TT_PROCESS);
	tap_ok(!n.calls && isnan(n.count[0]) && isnan(n.time_ns), "never called: nothing is known");
	tap_str(n.event[0], "page-faults", "but the events");
}

static void check_work(void)
{
	struct tt_numbers n;

	for (int i = 0; i < 3; i++) {
		tt_begin("working");
		tt_work("working", "bytes", 1000);
		tt_region_work(tt_region_of("working"), "items", 2);
		tt_end("working");
	}
	tt_work("idle", "bytes", 5);
	tt_work("idle", "a unit of more than 31 characters", 5);
	tt_work("idle", "", 5);
	n = numbers_of("working", TT_PROCESS);
	tap_int((int)n.n_units, 2, "two units of work");
	tap_str(n.unit[1], "items", "their names");
	tap_num((double)n.work[0], 3000, "the work of a region");
	tap_num((double)n.work[1], 6, "in another unit");
	tap_num((double)numbers_of("idle", TT_PROCESS).work[0], 5, "before it is called, too");
	tt_reset("working");
	tap_num((double)numbers_of("working", TT_THREAD).work[0], 0, "a reset is of work, too");
}

static void *run_thread(void *arg)
{
	for (int i = 0; i < 7; i++) {
		tt_begin("shared");
		tt_end("shared");
	}
	*(struct tt_numbers *)arg = numbers_of("shared", TT_THREAD);
	return NULL;
}

static void check_threads(void)
{
	struct tt_numbers n;
	pthread_t thread;

	pthread_create(&thread, NULL, run_thread, &n);
	pthread_join(thread, NULL);
	tap_num((double)n.calls, 7, "a thread asks for its own");
	tap_num((double)numbers_of("shared", TT_THREAD).calls, 0, "another one has none");
	tap_num((double)numbers_of("shared", TT_PROCESS).calls, 7, "those of one that has ended");
}

static void check_child(void)
{
	int status = 1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		const bool none = !numbers_of("shared", TT_PROCESS).calls;

		tt_begin("shared");
		tt_end("shared");
		_exit(!none || numbers_of("shared", TT_PROCESS).calls != 1);
	}
	waitpid(pid, &status, 0);
	tap_int(status, 0, "a child has its own numbers");
}

static volatile sig_atomic_t n_signals;

static void on_signal(int signal)
{
	struct tt_numbers n;
	char label[16];

	(void)signal;
	snprintf(label, sizeof label, "handler %d", (int)n_signals % 40);
	tt_begin(label);
	tt_end(label);
	tt_get_numbers(label, TT_PROCESS, &n);
	n_signals++;
}

static void check_handler(void)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
	uint64_t calls = 0;

	signal(SIGVTALRM, on_signal);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	for (int i = 0; n_signals < 100; i++)
		step(i % 100);
	setitimer(ITIMER_VIRTUAL, &off, NULL);
	for (int i = 0; i < 40; i++) {
		char label[16];

		snprintf(label, sizeof label, "handler %d", i);
		calls += numbers_of(label, TT_PROCESS).calls;
	}
	tap_num((double)calls, n_signals, "labels of a handler, amid those of the program");
}

int main(int argc, char **argv)
{
	int status = 1;

	(void)argc;
	if (!own_regions_begin(argv, "page-faults,no-such-event", &status))
		return status != 0;
	check_labels();
	check_many();
	check_numbers();
	check_work();
	check_threads();
	check_child();
	check_handler();
	return tap_done();
}
