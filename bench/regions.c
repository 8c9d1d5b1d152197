/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regions - the cost of begin and end of a region of libtiptop with four counters and their
 * statistics, and of a region that is not measured. In ticks of the time stamp counter, which are
 * cycles at the nominal clock rate, and in ns.
 *
 *   regions [RUNS]
 *
 * It needs no PMU: the kernel's pages are made up, and a memory load replaces the instruction that
 * reads a counter. So the cost of eight such instructions, four each for begin and end, has to be
 * added. It is compiled from the library's own code: make check builds it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tiptop.h>
#include <unistd.h>

#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/thread.h"

#define N        4
#define PAIRS    100000
#define RUNS_MAX 101

TT_REGION(measured, "measured");

static struct perf_event_mmap_page made_up[N];
static volatile uint64_t counter;

static uint64_t play_pmc(uint32_t index)
{
	return counter + index;
}

static const struct page_hardware played = {play_pmc, arch_read_time, true, UINT32_MAX};

static bool read_four(struct tt *t, struct tt_value value[])
{
	return page_read_counts(t->page, N, &played, value);
}

/* Replaces the counters of this thread by made-up ones. */
static void make_up(void)
{
	TT_BEGIN(measured);
	TT_END(measured);
	for (int i = 0; i < N; i++) {
		made_up[i].index = (uint32_t)i + 1;
		made_up[i].cap_user_rdpmc = 1;
		made_up[i].pmc_width = 48;
		tt_local.thread->counters->page[i] = &made_up[i];
	}
	tt_local.thread->read = read_four;
}

static int compare(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the ticks of a round. region: the round has a region; else it is empty. */
static double time_rounds(bool region)
{
	const uint64_t start = arch_read_time();

	for (int i = 0; i < PAIRS; i++) {
		__asm__ volatile("" ::: "memory");
		if (!region)
			continue;
		TT_BEGIN(measured);
		TT_END(measured);
	}
	return (double)(arch_read_time() - start) / PAIRS;
}

static void print(const char *what, int runs)
{
	const double ns = (double)tt_clock_speed() / 4294967296.0;
	double all[RUNS_MAX], loop[RUNS_MAX], least, median;

	for (int k = 0; k < runs; k++) {
		all[k] = time_rounds(true);
		loop[k] = time_rounds(false);
	}
	/* Other programs disturb some runs, so the minimum and the median of each are used. */
	qsort(all, (size_t)runs, sizeof *all, compare);
	qsort(loop, (size_t)runs, sizeof *loop, compare);
	least = all[0] - loop[0];
	median = all[runs / 2] - loop[runs / 2];
	printf("%-34s %8.1f %8.1f %8.2f\n", what, least, median, least * ns);
}

int main(int argc, char **argv)
{
	const int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 21;

	if (runs < 1 || runs > RUNS_MAX || argc > 2) {
		fprintf(stderr, "usage: regions [runs, up to %d]\n", RUNS_MAX);
		return 2;
	}
	/* The library reads the environment before main(). */
	if (!getenv("TIPTOP_REGIONS")) {
		setenv("TIPTOP_REGIONS", "page-faults,context-switches,cpu-migrations,major-faults",
		       1);
		setenv("TIPTOP_REPORT", "/dev/null", 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	if (!tt_clock_speed()) {
		fprintf(stderr, "regions: the time stamp counter does not run evenly here\n");
		return 1;
	}
	printf("%-34s %8s %8s %8s\n", "# begin and end", "least", "median", "least ns");
	make_up();
	print("4 counters, without reading them", runs);
	tt_enabled = 0;
	print("not measured", runs);
	return 0;
}
