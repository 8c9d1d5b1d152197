/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of measuring is subtracted if requested: for a region, and for nested ones. Each reading
 * of the event costs STEP counts, simulated by a reader of this test. */
#include "inject/lib/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "tap.h"
#include <tiptop.h>

#define STEP 3
#define WORK 1000

TT_REGION(outer, "outer");
TT_REGION(middle, "middle");
TT_REGION(inner, "inner");
TT_REGION(recursive, "recursive");

static uint64_t counter;

static bool play(struct tt *t, struct tt_value value[])
{
	counter += STEP;
	value[0].count = value[0].enabled = counter;
	return t != NULL;
}

static void run_nested(void)
{
	TT_BEGIN(outer);
	for (int i = 0; i < 10; i++) {
		TT_BEGIN(middle);
		TT_BEGIN(inner);
		counter += WORK;
		TT_END(inner);
		TT_END(middle);
	}
	TT_END(outer);
}

static void recurse(int n)
{
	TT_BEGIN(recursive);
	counter += WORK;
	if (n > 1)
		recurse(n - 1);
	TT_END(recursive);
}

/* Returns a number of the event from the report; part: "sum" or "self". */
static double find_number(const char *label, const char *part)
{
	char line[8192], name[80];
	FILE *f = fopen(getenv("TIPTOP_REPORT"), "r");
	const char *at = NULL;

	snprintf(name, sizeof name, "\"label\":\"%s\"", label);
	while (f && fgets(line, sizeof line, f) && !(at = strstr(line, name)))
		;
	if (f)
		fclose(f);
	at = at ? strstr(at, "\"page-faults\":{") : NULL;
	snprintf(name, sizeof name, "\"%s\":", part);
	at = at ? strstr(at, name) : NULL;
	return at ? strtod(at + strlen(name), NULL) : -1;
}

static void check_report(void)
{
	tt_report();
	tap_num(find_number("inner", "sum"), 10 * WORK, "a region has what it does alone");
	tap_num(find_number("middle", "sum"), 10 * WORK, "the one around it has no more");
	tap_num(find_number("middle", "self"), 0, "and nothing by itself");
	tap_num(find_number("outer", "sum"), 10 * WORK, "nor has one around both");
	tap_num(find_number("outer", "self"), 0, "by itself, too");
	tap_num(find_number("recursive", "sum"), 5 * WORK, "a region in itself: each once");
	tap_num(find_number("recursive", "self"), 5 * WORK, "by its calls");
}

/* The library reads the environment before main(), so the program executes itself with another one.
 * The report is removed after that, since it is written once more at exit. */
static int run_again(char **argv)
{
	char report[] = "overhead-XXXXXX";
	int status = 1;
	pid_t pid;

	close(mkstemp(report));
	setenv("TIPTOP_REGIONS", "page-faults", 1);
	setenv("TIPTOP_REPORT", report, 1);
	setenv("TIPTOP_FORMAT", "json", 1);
	setenv("TIPTOP_SUBTRACT", "yes", 1);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	unlink(report);
	return status != 0;
}

int main(int argc, char **argv)
{
	const struct table_event *event;

	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return run_again(argv);
	tt_region_begin(&inner);
	tt_local.thread->read = play;
	tt_region_end(&inner);
	memset(tt_local.thread->row[inner.id], 0, tt_regions.header->row_size);
	tt_overhead_measure(tt_local.thread);
	event = &tt_regions.header->event[0];
	tap_int((long long)event->overhead, STEP, "an empty region counts one reading");
	tap_int((long long)event->inner_overhead, 2 * STEP, "and adds two to the one around it");
	run_nested();
	recurse(5);
	check_report();
	return tap_done();
}
