/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts that the kernel has per thread only: those of ended threads remain in the process's sums.
 */
#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"

/* Adds process 5 to sample k: a leader, and a thread with this tid, if not 0; and the number of
 * voluntary switches (VCSW) of each. */
static void add_process(struct steps *s, int k, uint64_t start_ns, uint64_t waits, int tid,
			uint64_t its_waits)
{
	set_fact(add(&s->sample[k], 5, start_ns, COUNT_NONE), FACT_VCSW, waits);
	if (tid) {
		struct task *t = add(&s->sample[k], tid, start_ns + (uint64_t)tid, COUNT_NONE);

		t->owner = 5;
		set_fact(t, FACT_VCSW, its_waits);
	}
}

/* Returns the row of the process in delta k; it is owned by *processes. */
static const struct delta_row *fold(struct steps *s, int k, struct delta *processes)
{
	struct rows_item item = {.n = 0};

	fold_processes(processes, &s->delta[k]);
	if (!rows_next(processes, &item))
		return NULL;
	return item.row ? item.row : rows_idle(processes, &item, &processes->arena);
}

/* The thread ends in sample 1, where its reading is marked as ended. In sample 3, the process is
 * idle. */
static void test_marked(void)
{
	const struct delta_row *row;
	struct delta processes;
	struct steps s;

	begin(&s, 4, 0);
	delta_init(&processes);
	add_process(&s, 0, 3, 10, 6, 100);
	add_process(&s, 1, 3, 12, 6, 100);
	s.sample[1].task[1]->ended = true;
	add_process(&s, 2, 3, 15, 0, 0);
	sample_add(&s.sample[3], task_ref(s.sample[2].task[0]));
	compute(&s);
	row = fold(&s, 1, &processes);
	check(delta_fact(row, FACT_VCSW), QUALITY_PARTIAL, 2, "the interval in which it ended");
	check(delta_fact_rate(row, FACT_VCSW), QUALITY_PARTIAL, 2, "the rate there");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 112, "the total there");
	check(delta_fact(row, FACT_NVCSW), QUALITY_NOT_READ, 0, "what was not read is no part");
	row = fold(&s, 2, &processes);
	check(delta_fact(row, FACT_VCSW), QUALITY_EXACT, 3, "the next interval");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 115, "its total");
	check(delta_fact_now(row, FACT_NVCSW), QUALITY_NOT_READ, 0,
	      "what was never read has no total");
	tap_int(row->n_members, 1, "one thread is left");
	row = fold(&s, 3, &processes);
	check(delta_fact(row, FACT_VCSW), QUALITY_EXACT, 0, "an idle interval");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 115, "and its total");
	delta_done(&processes);
	done(&s);
}

/* Threads disappear between samples, without a reading that is marked as ended. */
static void test_gone(void)
{
	const struct delta_row *row;
	struct delta processes;
	struct steps s;

	begin(&s, 4, 0);
	delta_init(&processes);
	add_process(&s, 0, 3, 10, 6, 100);
	add_process(&s, 1, 3, 11, 7, 200);
	add_process(&s, 2, 3, 12, 4, 400);
	sample_sort(&s.sample[2]);
	add_process(&s, 3, 3, 13, 0, 0);
	compute(&s);
	row = fold(&s, 1, &processes);
	check(delta_fact(row, FACT_VCSW), QUALITY_PARTIAL, 1, "one ended, another one came");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 11 + 100 + 200,
	      "the total of all three");
	row = fold(&s, 3, &processes);
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 13 + 100 + 200 + 400,
	      "the total of all that were");
	delta_done(&processes);
	done(&s);
}

/* The process ends with its last readings lost: its facts are those of the interval before, in
 * which a thread ended. */
static void test_end_of_process(void)
{
	const struct delta_row *row;
	struct delta processes;
	struct steps s;

	begin(&s, 3, 0);
	delta_init(&processes);
	add_process(&s, 0, 3, 10, 6, 100);
	add_process(&s, 1, 3, 14, 0, 0);
	add_process(&s, 2, 3, 14, 0, 0);
	s.sample[2].task[0]->dead = s.sample[2].task[0]->lost = true;
	compute(&s);
	row = fold(&s, 2, &processes);
	check(delta_fact(row, FACT_VCSW), QUALITY_PARTIAL, 4, "the last interval that was read");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_PARTIAL, 114, "the total");
	delta_done(&processes);
	done(&s);
}

enum other { OTHER_PROCESS, OTHER_GENERATION, ROWS_OF_THREADS, N_OTHERS };

static void test_others(enum other other)
{
	static const char *const name[N_OTHERS] = {"another process with that pid",
						   "another generation", "rows of threads"};
	struct delta processes;
	struct steps s;

	begin(&s, 3, 0);
	delta_init(&processes);
	add_process(&s, 0, 3, 10, 6, 100);
	add_process(&s, 1, 3, 11, 0, 0);
	add_process(&s, 2, other == OTHER_PROCESS ? 9 : 3, 12, 0, 0);
	s.sample[2].generation += other == OTHER_GENERATION;
	for (int k = 0; k < 3; k++)
		s.sample[k].threads = other == ROWS_OF_THREADS;
	compute(&s);
	if (other == ROWS_OF_THREADS)
		check(delta_fact_now(&s.delta[2].row[0], FACT_VCSW), QUALITY_EXACT, 12,
		      name[other]);
	else
		check(delta_fact_now(fold(&s, 2, &processes), FACT_VCSW), QUALITY_EXACT, 12,
		      name[other]);
	delta_done(&processes);
	done(&s);
}

/* Facts that are not wanted are not kept of ended threads. */
static void test_unwanted(void)
{
	struct steps s;

	begin(&s, 2, 0);
	for (int tid = 5; tid <= 6; tid++) {
		struct task *t =
			sample_add(&s.sample[0], task_new(&kind_task, FACT_SET(FACT_MINFLT), 0,
							  &(struct task_texts){0}));

		t->id = (uint64_t)tid;
		t->owner = 5;
		set_fact(t, FACT_MINFLT, 7);
	}
	sample_add(&s.sample[1], task_ref(s.sample[0].task[0]));
	compute(&s);
	tap_int(s.delta[1].n_ended, 0, "nothing is kept of what is not wanted");
	done(&s);
}

/* Several threads with the same tid, as a recording may have them: those that are in both samples
 * have not ended. */
static void test_one_number(void)
{
	struct steps s;

	begin(&s, 2, 0);
	for (int k = 0; k < 2; k++)
		for (uint64_t start_ns = 1; start_ns < 4; start_ns++) {
			struct task *t = add(&s.sample[k], 7, start_ns, COUNT_NONE);

			t->owner = 5;
			set_fact(t, FACT_VCSW, 1);
		}
	compute(&s);
	tap_int(s.delta[1].n_ended, 0, "threads of one number: none of them has ended");
	done(&s);
}

/* Tasks that were counted from their first instruction on (COUNT_WHOLE) and are first seen after
 * their end. */
static void test_whole(void)
{
	struct steps s;
	struct task *t;

	begin(&s, 2, 1);
	add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10});
	add_counted(&s.sample[1], 1, 5, (struct count){130, 20, 20});
	for (int id = 2; id <= 4; id++) {
		t = add_counted(&s.sample[1], id, id == 4 ? 5 : FIRST + SECOND / 2,
				(struct count){70, 10, 5});
		t->counting = id == 3 ? COUNT_OK : COUNT_WHOLE;
		t->dead = true;
		set_fact(t, FACT_CPU_NS, 9);
	}
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_EXACT, 30, "one that was there before");
	check(s.delta[1].row[1].increment[0], QUALITY_SCALED, 140,
	      "one that came and went: all that it did");
	check(s.delta[1].row[1].total[0], QUALITY_SCALED, 140, "which is its total");
	check(s.delta[1].row[2].increment[0], QUALITY_FRESH, 0,
	      "one whose counters were opened later: unknown");
	check(s.delta[1].row[3].increment[0], QUALITY_SCALED, 140,
	      "one that was reported late: no earlier count is known");
	check(s.delta[1].row[3].cpu_ns, QUALITY_EXACT, 9, "nor its time");
	done(&s);
}

int main(void)
{
	test_marked();
	test_gone();
	test_end_of_process();
	for (int other = 0; other < N_OTHERS; other++)
		test_others((enum other)other);
	test_unwanted();
	test_one_number();
	test_whole();
	return tap_done();
}
