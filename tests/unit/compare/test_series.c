/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series: merging, omissions, and unknown values.
 */
#include "series_rig.h"

static void test_gathering(void)
{
	struct series_list l;
	const struct series *a;

	rig_list(&l);
	rig_add_row(&l, &(struct rig_row){.name = "a"}, RIG_BEGIN, 0);
	tap_int(l.n + l.n_intervals, 0, "a frame without an interval has nothing");
	rig_add(&l, 1, &(struct rig_row){.name = "a", .cpu = 0.5, .cell = {1, NAN}});
	rig_add(&l, 1, &(struct rig_row){.name = "b", .cpu = 1, .cell = {9, 9}});
	rig_add(&l, 4, &(struct rig_row){.name = "a", .cpu = 1, .cell = {2, 3}});
	rig_add(&l, 5, &(struct rig_row){.name = "a", .cell = {7, 7}, .dead = true});
	tap_int(l.n, 2, "two programs");
	a = l.v[0];
	tap_str(a->name, "a", "in the order in which they came");
	tap_int(a->n, 2, "its intervals; that in which it ended is left out");
	tap_int(a->at[0].end_ns - RIG_BEGIN, 1000000000, "the end of the first one");
	tap_int(a->at[1].begin_ns - RIG_BEGIN, 3000000000, "and the begin of the second");
	tap_num(a->busy_s, 1.5, "its time on a CPU");
	tap_ok(a->number[0] == 1 && a->number[RIG_COLUMNS] == 2, "the numbers of the first column");
	tap_int(a->why[0], QUALITY_EXACT, "none is lacking");
	tap_ok(isnan(a->number[1]) && a->number[RIG_COLUMNS + 1] == 3,
	       "one of the second is known");
	tap_int(a->why[1], QUALITY_DENIED, "the other is not, for this reason");
	tap_int((l.span.end_ns - l.span.begin_ns) / 1000000000, 5, "all of it");
	tap_num(l.interval_s, 1, "in intervals of a second");
	rig_add(&l, 6, &(struct rig_row){.name = "c", .cpu = 3, .cell = {1, 1}});
	series_list_rank(&l);
	tap_ok(l.v[0]->name[0] == 'c' && l.v[2]->name[0] == 'b', "the busiest first");
	series_list_done(&l);
}

/* Processes are identified by their pid, and may change their names. */
static void test_processes(void)
{
	struct series_list l;

	rig_list(&l);
	rig_add(&l, 1, &(struct rig_row){.name = "sh", .pid = 7, .cell = {1, 1}});
	rig_add(&l, 1, &(struct rig_row){.name = "sh", .pid = 8, .cell = {1, 1}});
	rig_add(&l, 2, &(struct rig_row){.name = "make", .pid = 7, .cell = {1, 1}});
	tap_int(l.n, 2, "two processes of one name are two");
	tap_str(l.v[0]->name, "make", "one that changes its name is the same");
	tap_int(l.v[0]->n, 2, "with both intervals");
	series_list_done(&l);
}

/* If the wall clock is set back, the next interval still follows the last one. */
static void test_set_back(void)
{
	struct series_list l;
	const struct series_interval *at;

	rig_list(&l);
	for (int i = 0; i < 5; i++)
		rig_add(&l, i < 3 ? 10 + i : 2 + i, &(struct rig_row){.name = "a", .cell = {1, 1}});
	at = l.v[0]->at;
	tap_int(at[2].end_ns - RIG_BEGIN, 12000000000, "before the clock was set back");
	tap_ok(at[3].begin_ns == at[2].end_ns, "the next interval is behind the last one");
	tap_int(at[4].end_ns - RIG_BEGIN, 14000000000, "so is the next but one");
	tap_int(l.span.end_ns - RIG_BEGIN, 6000000000, "what the clock showed at the end");
	series_list_done(&l);
}

/* Two runs, each with one number for each program. */
static void test_runs(void)
{
	struct series_list run, l;

	rig_list(&l);
	for (int i = 0; i < 2; i++) {
		rig_list(&run);
		rig_add(&run, 10 * i + 1,
			&(struct rig_row){.name = "a", .cpu = 1, .cell = {1 + i, NAN}});
		rig_add(&run, 10 * i + 2,
			&(struct rig_row){.name = "a", .cpu = 1, .cell = {3 + i, 5}});
		rig_add(&run, 10 * i + 3,
			&(struct rig_row){.name = i ? "b" : "c", .cell = {NAN, 7}});
		series_list_add_run(&l, &run);
		series_list_done(&run);
	}
	tap_int(l.n, 3, "the programs of both runs");
	tap_str(l.v[0]->name, "a", "one is in both");
	tap_int(l.v[0]->n, 2, "and has two numbers");
	tap_ok(l.v[0]->number[0] == 2 && l.v[0]->number[RIG_COLUMNS] == 3, "the means");
	tap_num(l.v[0]->number[1], 5, "of what is known");
	tap_int(l.v[0]->why[1], QUALITY_EXACT, "so nothing is lacking");
	tap_ok(isnan(l.v[1]->number[0]) && l.v[1]->why[0] == QUALITY_DENIED,
	       "else there is a reason");
	tap_ok(l.v[2]->n == 2 && isnan(l.v[2]->number[1]) && l.v[2]->number[RIG_COLUMNS + 1] == 7,
	       "number i is that of run i, unknown in the first one: %s", l.v[2]->name);
	tap_num(l.v[0]->busy_s, 4, "the CPU time of both");
	tap_int(l.n_intervals, 6, "all intervals");
	tap_num(l.interval_s, 1, "of a second");
	tap_int((l.span.end_ns - l.span.begin_ns) / 1000000000, 13, "from the first to the last");
	rig_list(&run);
	series_list_add_run(&l, &run);
	series_list_done(&run);
	tap_ok(l.n_runs == 3 && l.n_intervals == 6 && l.interval_s == 1, "a run without intervals");
	series_list_done(&l);
}

int main(void)
{
	test_gathering();
	test_set_back();
	test_processes();
	test_runs();
	return tap_done();
}
