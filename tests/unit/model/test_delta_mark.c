/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums since a mark: of tasks that existed at the mark and of later ones, of idle, unread, reopened
 * and ended tasks; and of processes and groups with ended members.
 */
#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "model/rows.h"

/* Computes all deltas, and sets a mark at delta number `at`. */
static void compute_marked(struct steps *s, int at)
{
	for (int k = 0; k < s->n; k++) {
		delta_compute(&s->delta[k], k ? &s->delta[k - 1] : NULL,
			      k ? &s->sample[k - 1] : NULL, &s->sample[k]);
		if (k == at)
			delta_mark(&s->delta[k]);
	}
}

static void test_counts(void)
{
	static const struct count reading[] = {
		{100, 10, 10}, {150, 20, 20}, {250, 30, 30}, {330, 40, 40}};
	const struct delta_row *row;
	struct steps s;

	begin(&s, 4, 1);
	for (int k = 0; k < 4; k++)
		add_counted(&s.sample[k], 1, 5, reading[k]);
	add_counted(&s.sample[2], 2, FIRST + SECOND + 1, (struct count){70, 7, 7});
	add_counted(&s.sample[3], 2, FIRST + SECOND + 1, (struct count){90, 9, 9});
	compute_marked(&s, 1);
	tap_ok(!row_of(&s, 0, 1)->since, "before the mark there is nothing since");
	row = row_of(&s, 1, 1);
	check(delta_count_since(row, 0), QUALITY_EXACT, 0, "at the mark");
	check(row->total[0], QUALITY_EXACT, 150, "the total there stays");
	row = row_of(&s, 2, 1);
	check(delta_count_since(row, 0), QUALITY_EXACT, 100, "an interval later");
	row = row_of(&s, 3, 1);
	check(delta_count_since(row, 0), QUALITY_EXACT, 180, "two intervals later");
	check(row->total[0], QUALITY_EXACT, 330, "beside the total");
	check(delta_count_since(row_of(&s, 2, 2), 0), QUALITY_EXACT, 70,
	      "one that came later counts from its start");
	check(delta_count_since(row_of(&s, 3, 2), 0), QUALITY_EXACT, 90, "and goes on");
	tap_ok(delta_marked(&s.delta[3]) == &s.sample[1], "the mark goes with the deltas");
	delta_mark(&s.delta[3]);
	check(delta_count_since(row_of(&s, 3, 1), 0), QUALITY_EXACT, 0, "another mark");
	done(&s);
}

/* A gap after the mark makes the sum a lower bound; a gap before the mark does not. */
static void test_quality(void)
{
	static const struct count reading[] = {
		{1000, 100, 100}, {40, 4, 4}, {90, 9, 9}, {190, 29, 19}};
	const struct delta_row *row;
	struct steps s;

	for (int at = 0; at < 2; at++) {
		begin(&s, 4, 1);
		for (int k = 0; k < 4; k++)
			add_counted(&s.sample[k], 1, 5, reading[k])->gap = k == 1;
		compute_marked(&s, at);
		row = row_of(&s, 2, 1);
		check(delta_count_since(row, 0), at ? QUALITY_EXACT : QUALITY_PARTIAL, 50,
		      at ? "counters reopened before the mark" : "counters reopened after it");
		check(row->total[0], QUALITY_PARTIAL, 1050, "the total of both");
		row = row_of(&s, 3, 1);
		check(delta_count_since(row, 0), at ? QUALITY_SCALED : QUALITY_PARTIAL, 250,
		      "what was extrapolated");
		done(&s);
	}
}

static void test_unread(void)
{
	static const struct count reading[] = {
		{100, 10, 10}, {150, 20, 20}, {150, 20, 20}, {350, 40, 40}};
	struct steps s;

	begin(&s, 4, 1);
	for (int k = 0; k < 4; k++)
		add_counted(&s.sample[k], 1, 5, reading[k])->unread = k == 2;
	compute_marked(&s, 0);
	check(delta_count_since(row_of(&s, 2, 1), 0), QUALITY_NOT_READ, 0,
	      "what could not be read");
	check(delta_count_since(row_of(&s, 3, 1), 0), QUALITY_EXACT, 250, "misses nothing later");
	done(&s);
}

/* A task without counters has the reason instead of a sum. A task that gets counters when it first
 * runs has their counts. */
static void test_others(void)
{
	struct steps s;

	begin(&s, 3, 1);
	for (int k = 0; k < 3; k++)
		add(&s.sample[k], 1, 5, COUNT_DENIED);
	for (int k = 0; k < 2; k++)
		add(&s.sample[k], 2, 5, COUNT_IDLE);
	add_counted(&s.sample[2], 2, 5, (struct count){30, 3, 3});
	compute_marked(&s, 1);
	check(delta_count_since(row_of(&s, 1, 1), 0), QUALITY_DENIED, 0,
	      "one that may not be counted");
	check(delta_count_since(row_of(&s, 2, 1), 0), QUALITY_DENIED, 0, "later, too");
	check(delta_count_since(row_of(&s, 1, 2), 0), QUALITY_EXACT, 0, "one that has not run");
	check(delta_count_since(row_of(&s, 2, 2), 0), QUALITY_EXACT, 30, "and that has run since");
	done(&s);
}

static void test_generation(void)
{
	struct steps s;

	begin(&s, 3, 1);
	for (uint64_t k = 0; k < 3; k++)
		add_counted(&s.sample[k], 1, 5, (struct count){k * 10, k, k});
	s.sample[2].generation = 2;
	compute_marked(&s, 1);
	tap_ok(!delta_marked(&s.delta[2]), "where counting restarts, the mark is gone");
	tap_ok(!row_of(&s, 2, 1)->since, "and what came since");
	done(&s);
}

static void test_facts(void)
{
	struct steps s;
	struct arena arena = ARENA_INIT;
	struct rows_item item = {.n = 0};

	begin(&s, 3, 1);
	for (uint64_t k = 0; k < 3; k++) {
		set_fact(add(&s.sample[k], 1, 5, COUNT_NONE), FACT_MINFLT, 100 + 10 * k);
		if (k == 2)
			set_fact(s.sample[k].task[0], FACT_MAJFLT, 7);
	}
	set_fact(add(&s.sample[0], 2, 5, COUNT_NONE), FACT_MINFLT, 44);
	sample_add(&s.sample[1], task_ref(s.sample[0].task[1]));
	sample_add(&s.sample[2], task_ref(s.sample[0].task[1]));
	set_fact(add(&s.sample[2], 3, FIRST + 2 * SECOND - 1, COUNT_NONE), FACT_MINFLT, 9);
	set_fact(add(&s.sample[2], 4, 5, COUNT_NONE), FACT_MINFLT, 9);
	compute_marked(&s, 1);
	check(delta_fact_since(row_of(&s, 1, 1), FACT_MINFLT), QUALITY_EXACT, 0, "at the mark");
	check(delta_fact_since(row_of(&s, 2, 1), FACT_MINFLT), QUALITY_EXACT, 10, "a fact since");
	check(delta_fact_since(row_of(&s, 2, 1), FACT_MAJFLT), QUALITY_NOT_READ, 0,
	      "one that was not read then");
	check(delta_fact_since(row_of(&s, 2, 3), FACT_MINFLT), QUALITY_EXACT, 9,
	      "of one that came later");
	check(delta_fact_since(row_of(&s, 2, 4), FACT_MINFLT), QUALITY_NOT_READ, 0,
	      "of one that was there, but not seen");
	rows_next(&s.delta[2], &item);
	rows_next(&s.delta[2], &item);
	check(delta_fact_since(rows_idle(&s.delta[2], &item, &arena), FACT_MINFLT), QUALITY_EXACT,
	      0, "of an idle one");
	arena_done(&arena);
	done(&s);
}

/* A process of two threads, one of which ends after the mark: the sum has counts and facts of
 * both. */
static void test_process(void)
{
	const struct delta_row *row;
	struct delta processes;
	struct steps s;

	begin(&s, 4, 1);
	delta_init(&processes);
	for (uint64_t k = 0; k < 4; k++) {
		set_fact(add_counted(&s.sample[k], 7, 5, (struct count){k * 100, k, k}), FACT_VCSW,
			 10 * k);
		if (k < 3) {
			struct task *t =
				add_counted(&s.sample[k], 9, 6, (struct count){k * 50, k, k});

			t->owner = 7;
			set_fact(t, FACT_VCSW, 1000 + k);
		}
	}
	compute_marked(&s, 1);
	fold_processes(&processes, &s.delta[2]);
	row = &processes.row[0];
	check(delta_count_since(row, 0), QUALITY_EXACT, 150, "both threads");
	check(delta_fact_since(row, FACT_VCSW), QUALITY_EXACT, 11, "a fact of both");
	tap_ok(delta_marked(&processes) == &s.sample[1],
	       "processes have the mark of their threads");
	fold_processes(&processes, &s.delta[3]);
	row = &processes.row[0];
	check(delta_count_since(row, 0), QUALITY_EXACT, 250,
	      "what the one that ended had counted stays");
	check(row->total[0], QUALITY_EXACT, 400, "as in the total");
	check(delta_fact_since(row, FACT_VCSW), QUALITY_PARTIAL, 21, "and what was read of it");
	delta_mark(&s.delta[3]);
	fold_processes(&processes, &s.delta[3]);
	check(delta_fact_since(&processes.row[0], FACT_VCSW), QUALITY_EXACT, 0,
	      "at another mark nothing has ended since");
	delta_done(&processes);
	done(&s);
}

static void test_dead(void)
{
	struct dead_list dead, copy;
	struct steps s;

	begin(&s, 3, 1);
	for (uint64_t k = 0; k < 3; k++)
		set_fact(add_counted(&s.sample[k], 1, 5, (struct count){k * 10, k, k}), FACT_MINFLT,
			 k);
	s.sample[2].task[0]->dead = true;
	compute_marked(&s, 1);
	dead_init(&dead);
	dead_collect(&dead, &s.delta[2]);
	check(delta_count_since(&dead.row[0]->row, 0), QUALITY_EXACT, 10,
	      "one that ended after the mark");
	check(delta_fact_since(&dead.row[0]->row, FACT_MINFLT), QUALITY_EXACT, 1, "its facts");
	dead_init(&copy);
	dead_copy(&copy, &dead);
	dead_mark(&dead);
	check(delta_count_since(&copy.row[0]->row, 0), QUALITY_EXACT, 10, "a copy is its own");
	dead_done(&copy);
	check(delta_count_since(&dead.row[0]->row, 0), QUALITY_EXACT, 0, "one that ended before");
	check(delta_fact_since(&dead.row[0]->row, FACT_MINFLT), QUALITY_EXACT, 0, "its facts");
	check(delta_count_since(&dead.row[0]->row, 0), QUALITY_EXACT, 0, "stays at nothing");
	dead_done(&dead);
	done(&s);
}

/* A user with two tasks, one of which ends after the mark, and one that ended before it. */
static void test_groups(void)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_USER, .filter = &all};
	struct delta processes, groups;
	struct retired_groups retired, copy;
	struct steps s;

	begin(&s, 4, 1);
	for (uint64_t k = 0; k < 4; k++) {
		set_fact(add_counted(&s.sample[k], 1, 5, (struct count){k * 100, k, k}),
			 FACT_MINFLT, k);
		if (k < 2)
			add_counted(&s.sample[k], 2, 5, (struct count){k * 30, k, k})->dead =
				k == 1;
		if (k < 3)
			set_fact(add_counted(&s.sample[k], 3, 5, (struct count){k * 7, k, k}),
				 FACT_MINFLT, 10 * k);
	}
	s.sample[2].task[1]->dead = true;
	delta_init(&processes);
	delta_init(&groups);
	retired_groups_init(&retired);
	for (int k = 0; k < 4; k++) {
		delta_compute(&s.delta[k], k ? &s.delta[k - 1] : NULL, k ? &s.sample[k - 1] : NULL,
			      &s.sample[k]);
		fold_processes(&processes, &s.delta[k]);
		retired_groups_update(&retired, &processes, &all, false, NULL);
		if (k == 1) {
			delta_mark(&s.delta[k]);
			retired_groups_mark(&retired);
		}
	}
	retired_groups_init(&copy);
	retired_groups_copy(&copy, &retired);
	retired_groups_mark(&retired);
	fold_groups(&groups, &processes, &by, &copy);
	tap_int(groups.n, 1, "one group, by a copy of what was left");
	check(groups.row[0].total[0], QUALITY_EXACT, 300 + 30 + 14, "its total");
	check(delta_count_since(&groups.row[0], 0), QUALITY_EXACT, 200 + 7,
	      "since the mark: of the one that lives, and of the one that ended since");
	check(delta_fact_since(&groups.row[0], FACT_MINFLT), QUALITY_EXACT, 2 + 10,
	      "a fact of them");
	retired_groups_done(&copy);
	delta_mark(&s.delta[3]);
	s.sample[3].task[0]->dead = true;
	fold_processes(&processes, &s.delta[3]);
	fold_groups(&groups, &processes, &by, &retired);
	check(delta_count_since(&groups.row[0], 0), QUALITY_EXACT, 0,
	      "at another mark: of those that have all ended");
	check(delta_fact_since(&groups.row[0], FACT_MINFLT), QUALITY_EXACT, 0, "their facts");
	retired_groups_done(&retired);
	delta_done(&groups);
	delta_done(&processes);
	done(&s);
}

/* A mark can be set without any events. */
static void test_without_events(void)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_USER, .filter = &all};
	struct delta groups;
	struct retired_groups retired;
	struct steps s;

	begin(&s, 2, 0);
	for (uint64_t k = 0; k < 2; k++)
		for (int id = 1; id < 3; id++)
			set_fact(add(&s.sample[k], id, 5, COUNT_NONE), FACT_MINFLT, 10 * k);
	delta_init(&groups);
	retired_groups_init(&retired);
	compute_marked(&s, 0);
	fold_groups(&groups, &s.delta[1], &by, &retired);
	check(delta_fact_since(&groups.row[0], FACT_MINFLT), QUALITY_EXACT, 20,
	      "facts of a group that counts nothing");
	retired_groups_done(&retired);
	delta_done(&groups);
	done(&s);
}

int main(void)
{
	test_counts();
	test_quality();
	test_unread();
	test_others();
	test_generation();
	test_facts();
	test_process();
	test_dead();
	test_groups();
	test_without_events();
	return tap_done();
}
