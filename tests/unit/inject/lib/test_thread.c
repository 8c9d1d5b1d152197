/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions with counters that the kernel multiplexes or removes, simulated by a reader of this test
 * that replaces the library's. */
#include "inject/lib/thread.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/lib/counters.h"
#include "tap.h"
#include <tiptop.h>

TT_REGION(region, "region");
TT_REGION(other, "other");

/* The values of both events at the next reading. */
static struct tt_value next[2];
static bool plain;

static bool play(struct tt *t, struct tt_value value[])
{
	(void)t;
	memcpy(value, next, sizeof next);
	return plain;
}

static void set(int i, uint64_t count, uint64_t enabled, uint64_t running, enum tt_state state)
{
	next[i] = (struct tt_value){count, enabled, running,
				    tt_local.thread->counters->mark.opening, state};
}

/* Makes a call of the region in which the events count a and b, with these times. */
static void call(uint64_t a, uint64_t b, uint64_t enabled, uint64_t running)
{
	const struct tt_value before[2] = {next[0], next[1]};
	const enum tt_state state = enabled == running ? TT_OK : TT_SCALED;

	plain = state == TT_OK && before[0].state == TT_OK;
	TT_BEGIN(region);
	set(0, before[0].count + a, before[0].enabled + enabled, before[0].running + running,
	    state);
	set(1, before[1].count + b, before[1].enabled + enabled, before[1].running + enabled,
	    TT_OK);
	TT_END(region);
}

static struct table_row *row(const struct tt_region *of)
{
	const struct tt_thread *t = tt_local.thread;

	return t->row[of->id];
}

static const struct table_quantity *quantity(uint32_t i)
{
	return table_quantity(row(&region), i);
}

static void check_usual(void)
{
	call(100, 7, 1000, 1000);
	call(300, 9, 1000, 1000);
	tap_int(row(&region)->calls, 2, "two calls");
	tap_int(table_sum(row(&region), quantity(1)), 400, "what they counted");
	tap_int(table_sum(row(&region), quantity(2)), 16, "and of the other event");
	tap_int(quantity(1)->min, 100, "the least");
	tap_int(quantity(1)->max, 300, "the most");
	tap_int(quantity(1)->n_scaled, 0, "all is exact");
}

/* The event counts 0 in a quarter of the enabled time: this is an estimate, and the other three
 * quarters are in `missed`. */
static void check_scaled_nothing(void)
{
	const uint64_t before = quantity(1)->n_scaled, missed = quantity(1)->missed;

	call(0, 1, 1000, 250);
	tap_int(quantity(1)->n_scaled - before, 1, "a count of 0 is an estimate, too");
	tap_ok(quantity(1)->missed > missed, "with its time without the counter");
	set(0, 0, 0, 0, TT_OK);
	call(0, 0, 1000, 1000);
}

/* 50 counts in a quarter of the enabled time are scaled to 200. */
static void check_scaled(void)
{
	call(50, 1, 1000, 250);
	tap_int(table_sum(row(&region), quantity(1)), 600, "an estimate is in the sum");
	tap_int(quantity(1)->n_scaled, 1, "and marked as such");
	tap_int(quantity(1)->estimated, 150, "three quarters of it were not counted");
	tap_int(quantity(2)->n_scaled, 0, "the other event was counted all the time");
	tap_int(table_sum(row(&region), quantity(2)), 17, "to the last one");
	set(0, 0, 0, 0, TT_OK);
	call(0, 0, 1000, 1000);
	tap_int(quantity(1)->n_scaled, 1, "another call may be exact again");
}

static void check_unknown(void)
{
	const uint64_t before = table_sum(row(&region), quantity(1));

	call(0, 4, 1000, 0);
	tap_int(quantity(1)->n_off, 1, "a call in which others had the counter has no number");
	tap_int(table_sum(row(&region), quantity(1)), (long long)before, "and adds nothing");
	tap_ok(table_scale(row(&region), quantity(0), quantity(1)) > 1, "the others stand for it");
	plain = false;
	TT_BEGIN(region);
	next[0].opening++;
	next[1].count += 3;
	TT_END(region);
	next[0].opening--;
	tap_int(quantity(1)->n_unknown, 2, "a counter that was reopened has no number");
	tap_int(table_sum(row(&region), quantity(1)), (long long)before, "and adds nothing");
	tap_int(quantity(2)->n_unknown, 0, "the other event has one");
	next[0].count += 100;
	plain = false;
	TT_BEGIN(region);
	next[0].count -= 1;
	TT_END(region);
	tap_int(quantity(1)->n_unknown, 3, "nor has one that goes back");
}

static void check_inner(void)
{
	plain = true;
	TT_BEGIN(other);
	call(10, 2, 1000, 1000);
	next[0].count += 5;
	call(20, 2, 1000, 1000);
	TT_END(other);
	tap_int(table_sum(row(&other), table_quantity(row(&other), 1)), 35, "a region with others");
	tap_int(table_self(row(&other), table_quantity(row(&other), 1)), 5, "by itself");
}

/* The library reads the environment before main(), so the program executes itself with another
 * one. */
static int run_again(char **argv)
{
	setenv("TIPTOP_REGIONS", "page-faults,major-faults", 1);
	static char report[] = "thread-XXXXXX";

	close(mkstemp(report));
	setenv("TIPTOP_REPORT", report, 1);
	setenv("TIPTOP_IN_ORDER", "yes", 1);
	execv("/proc/self/exe", argv);
	return 1;
}

/* Writes a report. Returns whether one of its lines contains this sentence. */
static bool reports(const char *sentence)
{
	char line[4096];
	bool found = false;
	FILE *f;

	tt_report();
	f = fopen(getenv("TIPTOP_REPORT"), "r");
	while (f && fgets(line, sizeof line, f))
		found |= strstr(line, sentence) != NULL;
	if (f)
		fclose(f);
	return found;
}

/* Calls from handlers while the thread writes a row: they must not write, and wait instead. */
static void check_handlers(void)
{
	struct tt_thread *t = tt_local.thread;
	const uint64_t calls = row(&region)->calls;

	t->writing = true;
	for (int i = 0; i < THREAD_WAITING + 3; i++)
		call(1, 1, 1000, 1000);
	t->writing = false;
	tap_int(row(&region)->calls, calls, "calls in handlers wait while a row is written");
	tap_int(t->slot->n_too_deep, 3, "those without room to wait are counted");
	call(1, 1, 1000, 1000);
	tap_int(row(&region)->calls, calls + THREAD_WAITING + 1,
		"the others are written behind that");
	tap_int(row(&region)->depth, 0, "none goes on");
	tap_ok(reports("3 calls had no room, inside 512 others of their thread, or after 8 that "
		       "signal handlers ended while a call was being written: they are in no "
		       "number"),
	       "the report says how many, and why");
}

int main(int argc, char **argv)
{
	int status;

	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return run_again(argv);
	TT_BEGIN(other);
	TT_END(other);
	tap_ok(tt_local.thread->counters->in_order &&
		       tt_local.thread->read == tt_local.thread->counters->read,
	       "counters are read in order where that is wanted");
	memset(row(&other), 0, tt_regions.header->row_size);
	set(0, 1000, 5000, 5000, TT_OK);
	set(1, 1000, 5000, 5000, TT_OK);
	tt_local.thread->read = play;
	check_usual();
	check_scaled();
	check_unknown();
	check_scaled_nothing();
	check_inner();
	check_handlers();
	unlink(getenv("TIPTOP_REPORT"));
	status = tap_done();
	fflush(stdout);
	/* _exit(2): a report at exit would create the removed file again. */
	_exit(status);
}
