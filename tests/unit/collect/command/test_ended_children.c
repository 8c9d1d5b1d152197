/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of children that exited before a sample saw them, and the row of the rest: counts of the
 * command total that no row has. */
#include "collect/command/ended_children.h"

#include <signal.h>

#include "base/clock.h"
#include "ended_rig.h"
#include "exit_rig.h"
#include "model/fact_list.h"

static void test_children(void)
{
	const struct delta_row *row;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 1, "no child: no row but that of the command");
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, false);
	step(&s, 15);
	sum(&s, 1015);
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_ok(row && row->task->dead, "a child that has come and gone has a row");
	tap_num(increment(row), 300, "with all that it has counted");
	tap_num(row->total[0].number, 300, "in total, too");
	tap_num(row->cpu_ns.number, 300, "the task clock is its CPU time");
	tap_str(row->task->name, "cc1", "its name");
	tap_str(row->task->user, "me", "its user");
	tap_int(row->task->uid, 7, "by number");
	tap_int((int)task_fact(row->task, FACT_PPID), TID, "who made it");
	tap_ok(!s.sample[1]->one_set && s.sample[1]->task[0]->id == TID, "the sample is in order");
	tap_ok(!row_of(&s, &kind_task, 51), "of one whose counts have not come, it waits");
	tap_ok(!row_of(&s, &kind_rest, 0), "and so does the rest, which may be its counts");
	step(&s, 15);
	add_rows(&s, true);
	tap_num(increment(row_of(&s, &kind_rest, 0)), 700, "what no row has is the rest");
	row = row_of(&s, &kind_task, 51);
	tap_ok(row && row->task->counting == COUNT_GONE, "but only for one sample");
	tap_num(increment(row), -1, "what it has counted is unknown, not 0");
	tap_ok(!row_of(&s, &kind_task, 50), "a row comes once");
	step(&s, 15);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_rest, 0), "a rest that has not grown did nothing");
	end(&s);
}

/* A filter has left out the command: the user of its child is not known, and is not root. */
static void test_no_user(void)
{
	const struct filter root = {.uid = 0};
	const struct delta_row *row;
	struct scene s;

	begin(&s, false);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	step(&s, 15)->task[0]->id = TID + 1;
	sum(&s, 315);
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_str(row ? row->task->user : "", "?", "a child of a command without a row has no user");
	tap_ok(row && !filter_match(&root, row->task, false), "not even root");
	end(&s);
}

/* Counts of a thread that no sample saw: with rows of processes, the process's row has them; with
 * rows of threads, the rest has them. */
static void test_threads(void)
{
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_FORK, TID, TID, 60, SECOND + 10);
	put_task(&s.kernel, 0, PERF_RECORD_EXIT, TID, TID, 60, SECOND + 20);
	descendants_read(s.kin);
	step(&s, 10);
	sum(&s, 17);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_rest, 0), "the row of the process has them");
	step(&s, 10)->threads = true;
	add_rows(&s, true);
	tap_num(increment(row_of(&s, &kind_rest, 0)), 7, "that of its first thread has not");
	end(&s);
}

/* A child that has exited, but whose exit status has not arrived, has no row yet. Its counts are in
 * the command total, but not in the rest. */
static void test_waiting(void)
{
	struct fake_exits says = fake_exits(0);
	struct scene s;

	begin(&s, true);
	descendants_set_exits(s.kin, exits_open(&says.sys));
	put_exit(&says, PROC_EVENT_EXIT, 99, 99, 0);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 51, 51, 0);
	descendants_read(s.kin);
	step(&s, 10);
	sum(&s, 357);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50) && !row_of(&s, &kind_task, 51),
	       "the first one waits, and what is behind it");
	tap_num(increment(row_of(&s, &kind_rest, 0)), 7, "the rest is without both");
	step(&s, 10);
	add_rows(&s, true);
	tap_num(increment(row_of(&s, &kind_task, 50)) + increment(row_of(&s, &kind_task, 51)), 340,
		"which then have their rows");
	tap_num(row_of(&s, &kind_rest, 0) ? 1 : 0, 0, "so all together are the whole");
	end(&s);
}

/* Several children whose final counts never arrive wait for one sample, all of them together. */
static void test_waiting_together(void)
{
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	for (int i = 0; i < 3; i++)
		child(&s, 50 + i, SECOND + (uint64_t)(10 * i), 40, false);
	step(&s, 10);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50), "three whose counts have not come wait");
	step(&s, 10);
	add_rows(&s, true);
	tap_ok(row_of(&s, &kind_task, 50) && row_of(&s, &kind_task, 51) &&
		       row_of(&s, &kind_task, 52),
	       "for one sample, not for three");
	end(&s);
}

static double fact_of(const struct delta_row *row, int f)
{
	const struct value v = delta_fact(row, f);

	return v.quality == QUALITY_EXACT ? v.number : 1e9;
}

/* Rows of exited processes get the exit status and lifetime, both those of children and that of the
 * command. */
static void test_how(void)
{
	struct fake_exits says = fake_exits(0);
	const struct delta_row *row;
	struct sample *sample;
	struct scene s;

	begin(&s, true);
	descendants_set_exits(s.kin, exits_open(&says.sys));
	step(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 50, 50, 3 << 8);
	descendants_read(s.kin);
	sample = step(&s, 10);
	add_dead(sample, seen(&s, 51));
	add_rows(&s, true);
	row = row_of(&s, &kind_task, 50);
	tap_num(fact_of(row, FACT_EXIT), 3, "one that was never seen: its status");
	tap_num(fact_of(row, FACT_LIFE_NS), 5, "and how long it lived");
	row = row_of(&s, &kind_task, 51);
	tap_num(fact_of(row, FACT_EXIT), 1e9, "one whose end was not heard has no status");
	tap_num(fact_of(row, FACT_LIFE_NS), 5, "but lived so long");
	tap_ok(!fact_in(row_of(&s, &kind_task, TID)->task->room, FACT_EXIT), "the command lives");
	child(&s, 52, SECOND + 30, 40, true);
	put_exit(&says, PROC_EVENT_EXIT, 52, 52, SIGSEGV | 0x80);
	child(&s, 53, SECOND + 40, 40, true);
	sample = step(&s, 10);
	add_dead(sample, seen(&s, 52));
	sample->task[0]->dead = true;
	put_task(&s.kernel, 0, PERF_RECORD_EXIT, TID, 1, TID, clock_ns(CLOCK_BOOTTIME));
	descendants_read(s.kin);
	s.whole.how_known = true;
	s.whole.how = SIGTERM;
	add_rows(&s, true);
	tap_num(fact_of(row_of(&s, &kind_task, 52), FACT_EXIT), -SIGSEGV, "by a signal");
	row = row_of(&s, &kind_task, TID);
	tap_num(fact_of(row, FACT_EXIT), -SIGTERM, "the command");
	tap_ok(fact_of(row, FACT_LIFE_NS) > 0 && fact_of(row, FACT_LIFE_NS) < 1e9 * 1e9,
	       "since it was followed");
	tap_ok(row_of(&s, &kind_task, 53), "behind its end nothing is waited for");
	end(&s);
}

/* A child that a sample has shown gets no second row when it exits: the live source makes its last
 * row. */
static void test_seen(void)
{
	struct sample *sample;
	struct scene s;

	begin(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_FORK, 50, TID, 50, 10);
	descendants_read(s.kin);
	sample = step(&s, 10);
	sample_add(sample, seen(&s, 50));
	sum(&s, 150);
	add_rows(&s, true);
	put_task(&s.kernel, 0, PERF_RECORD_EXIT, 50, TID, 50, SECOND + 5);
	descendants_read(s.kin);
	step(&s, 10);
	sum(&s, 170);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50), "no second row");
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 60,
		"what it did before it was seen, and after, is in the rest");
	end(&s);
}

/* The live source sees children that exited before their counters were opened (COUNT_GONE). A row
 * with known counts replaces such a row of unknown counts. */
static void test_gone(void)
{
	struct sample *sample;
	struct task *t;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	child(&s, 50, SECOND + 10, 300, true);
	child(&s, 51, SECOND + 20, 0, false);
	sample = step(&s, 10);
	for (uint64_t id = 50; id <= 51; id++) {
		t = task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "cc1"});
		t->id = t->owner = id;
		t->start_ns = SECOND;
		t->counting = COUNT_GONE;
		t->dead = true;
		task_set_events(t, s.events);
		sample_add(sample, t);
	}
	sum(&s, 400);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 4, "the command, two children and the rest");
	tap_num(increment(row_of(&s, &kind_task, 50)), 300, "what is known better takes its place");
	tap_num(increment(row_of(&s, &kind_task, 51)), -1, "what is not stays");
	step(&s, 10);
	add_rows(&s, true);
	tap_int((int)s.sample[1]->n, 2, "none comes twice");
	end(&s);
}

/* The sum over all rows is the command total, also after counters were reopened. It exceeds the
 * total only while a row was read later than the total. */
static void test_sum(void)
{
	double all = 0;
	struct scene s;

	begin(&s, true);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, true);
	all += s.delta[~s.n & 1].row[0].total[0].number;
	child(&s, 50, SECOND + 10, 300, true);
	/* The row of the command is read after the total, and has counted more by then. */
	step(&s, 20);
	sum(&s, 315);
	add_rows(&s, true);
	all += increment(row_of(&s, &kind_task, TID)) + increment(row_of(&s, &kind_task, 50));
	tap_ok(!row_of(&s, &kind_rest, 0), "a row that is ahead makes no rest below 0");
	step(&s, 25);
	sum(&s, 425);
	add_rows(&s, true);
	all += increment(row_of(&s, &kind_task, TID)) + increment(row_of(&s, &kind_rest, 0));
	tap_num(all, 425, "the rows are the whole");
	/* A new generation: the same events with reopened counters. */
	step(&s, 5);
	s.sample[1]->generation = 2;
	sum(&s, 530);
	add_rows(&s, true);
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 200,
		"counters that are reopened have not counted before");
	end(&s);
}

static void test_unwanted(void)
{
	struct scene s;

	begin(&s, false);
	step(&s, 10);
	sum(&s, 10);
	add_rows(&s, false);
	child(&s, 50, SECOND + 10, 0, false);
	step(&s, 10);
	sum(&s, 110);
	add_rows(&s, false);
	tap_int((int)s.sample[1]->n, 1, "no rows are wanted: there are none");
	child(&s, 51, 2 * SECOND + 10, 0, false);
	step(&s, 10);
	sum(&s, 210);
	add_rows(&s, true);
	tap_ok(!row_of(&s, &kind_task, 50), "one that ended before they were wanted has none");
	tap_ok(row_of(&s, &kind_task, 51),
	       "a kernel that tells no counts: it is not waited for them");
	tap_num(row_of(&s, &kind_rest, 0)->total[0].number, 200, "the rest is that of all");
	tap_num(increment(row_of(&s, &kind_rest, 0)), -1,
		"the count of this interval alone is unknown");
	end(&s);
}

int main(void)
{
	test_children();
	test_no_user();
	test_threads();
	test_waiting();
	test_waiting_together();
	test_how();
	test_seen();
	test_gone();
	test_sum();
	test_unwanted();
	return tap_done();
}
