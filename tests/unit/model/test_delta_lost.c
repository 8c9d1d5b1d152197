/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of a task that ended before they could be read: those of its last complete interval, or
 * in a recording, those that were read during the interval in which it ended.
 */
#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/rows.h"

/* Adds task 1, ended, to sample k. Its facts are those of the reading before. */
static struct task *add_ended(struct steps *s, int k, uint64_t start_ns, uint64_t faults)
{
	struct task *t = add_counted(&s->sample[k], 1, start_ns, (struct count){1000, 100, 100});

	set_fact(t, FACT_MINFLT, faults);
	set_fact(t, FACT_CPU_NS, faults * 1000);
	t->dead = t->lost = true;
	return t;
}

static struct task *add_alive(struct steps *s, int k, uint64_t start_ns, uint64_t faults)
{
	struct task *t =
		add_counted(&s->sample[k], 1, start_ns, (struct count){100 * (uint64_t)k, k, k});

	set_fact(t, FACT_MINFLT, faults);
	set_fact(t, FACT_CPU_NS, faults * 1000);
	return t;
}

static void test_ran(void)
{
	const struct delta_row *row;
	struct dead_list dead;
	struct steps s;

	begin(&s, 3, 1);
	add_alive(&s, 0, 5, 10);
	add_alive(&s, 1, 5, 25);
	/* The last complete interval was 1.5 s long for this task. */
	s.sample[1].time[0].facts_us = 500000;
	add_ended(&s, 2, 5, 25);
	compute(&s);
	row = &s.delta[2].row[0];
	check(row->increment[0], QUALITY_EXACT, 900, "what it counted until its end");
	check(delta_fact(row, FACT_MINFLT), QUALITY_STALE, 15, "a fact of the interval before");
	check(delta_fact_rate(row, FACT_MINFLT), QUALITY_STALE, 10, "its rate, by that interval");
	check(delta_fact_now(row, FACT_MINFLT), QUALITY_STALE, 25, "and its total");
	check(row->cpu_ns, QUALITY_EXACT, 99, "its counters tell its time");
	check(delta_fact(row, FACT_VCSW), QUALITY_NOT_READ, 0,
	      "what was not known is not known now");
	dead_init(&dead);
	dead_collect(&dead, &s.delta[2]);
	done(&s);
	tap_int(dead.n, 1, "it is kept");
	row = &dead.row[0]->row;
	check(delta_fact(row, FACT_MINFLT), QUALITY_STALE, 15, "with that fact");
	check(delta_fact_rate(row, FACT_MINFLT), QUALITY_STALE, 10, "and its rate");
	check(delta_count_rate(row, 0), QUALITY_EXACT, 900, "and that of its counts");
	dead_done(&dead);
}

/* A step of a recording: the facts are of this interval, but not of all of it. */
static void test_early(void)
{
	const struct delta_row *row;
	struct steps s;
	struct task *t;

	begin(&s, 2, 0);
	add_alive(&s, 0, 5, 10)->counting = COUNT_NONE;
	t = add_ended(&s, 1, 5, 25);
	t->counting = COUNT_NONE;
	t->lost = false;
	t->early_facts = true;
	compute(&s);
	row = &s.delta[1].row[0];
	check(delta_fact(row, FACT_MINFLT), QUALITY_PARTIAL, 15, "read before its end: at least");
	check(row->cpu_ns, QUALITY_PARTIAL, 15000, "so is its time");
	done(&s);
}

static void test_idle(void)
{
	const struct delta_row *row;
	struct steps s;

	begin(&s, 3, 0);
	sample_add(&s.sample[1], task_ref(add_alive(&s, 0, 5, 10)));
	s.sample[1].task[0]->counting = COUNT_NONE;
	add_ended(&s, 2, 5, 10)->counting = COUNT_NONE;
	compute(&s);
	row = &s.delta[2].row[0];
	check(delta_fact(row, FACT_MINFLT), QUALITY_STALE, 0,
	      "idle in the interval before: nothing");
	check(delta_cpu_share(row), QUALITY_STALE, 0, "no time");
	check(delta_fact_now(row, FACT_MINFLT), QUALITY_STALE, 10, "but a total");
	done(&s);
}

static void test_short(void)
{
	struct steps s;

	begin(&s, 3, 0);
	add_alive(&s, 1, FIRST + SECOND / 2, 10)->counting = COUNT_NONE;
	add_ended(&s, 2, FIRST + SECOND / 2, 10)->counting = COUNT_NONE;
	compute(&s);
	check(delta_fact(&s.delta[2].row[0], FACT_MINFLT), QUALITY_STALE, 10,
	      "born in the interval before");
	check(s.delta[2].row[0].cpu_ns, QUALITY_STALE, 10000, "its time");
	done(&s);
	begin(&s, 3, 0);
	add_alive(&s, 1, 5, 10)->counting = COUNT_NONE;
	add_ended(&s, 2, 5, 10)->counting = COUNT_NONE;
	compute(&s);
	check(delta_fact(&s.delta[2].row[0], FACT_MINFLT), QUALITY_FRESH, 0,
	      "first seen in the interval before");
	check(delta_fact_now(&s.delta[2].row[0], FACT_MINFLT), QUALITY_STALE, 10, "its total");
	done(&s);
	begin(&s, 2, 0);
	add_ended(&s, 1, FIRST + SECOND / 2, 10)->counting = COUNT_NONE;
	compute(&s);
	check(delta_fact(&s.delta[1].row[0], FACT_MINFLT), QUALITY_STALE, 10,
	      "born and ended in one interval");
	done(&s);
}

/* A task that was taken for ended appears again: its increment is unknown, as it spans several
 * intervals. */
static void test_back(void)
{
	struct steps s;

	begin(&s, 4, 0);
	add_alive(&s, 0, 5, 10)->counting = COUNT_NONE;
	add_alive(&s, 1, 5, 20)->counting = COUNT_NONE;
	add_ended(&s, 2, 5, 20)->counting = COUNT_NONE;
	add_alive(&s, 3, 5, 40)->counting = COUNT_NONE;
	compute(&s);
	check(delta_fact(&s.delta[3].row[0], FACT_MINFLT), QUALITY_FRESH, 0,
	      "one that comes back is fresh");
	check(delta_fact_now(&s.delta[3].row[0], FACT_MINFLT), QUALITY_EXACT, 40, "with its total");
	done(&s);
}

/* Adds a thread of process 1 to sample k; in sample 2, it is lost. */
static struct task *add_thread(struct steps *s, uint64_t k, int tid)
{
	struct task *t = add(&s->sample[k], tid, 5, COUNT_NONE);

	t->owner = 1;
	t->dead = t->lost = k == 2;
	return t;
}

/* All threads of a process end in the same interval. */
static void test_threads(void)
{
	const struct delta_row *row;
	struct delta processes;
	struct steps s;

	begin(&s, 3, 0);
	for (uint64_t k = 0; k < 3; k++)
		for (int tid = 1; tid <= 2; tid++) {
			struct task *t = add_thread(&s, k, tid);

			set_fact(t, FACT_VCSW, (k < 2 ? k : 1) * (uint64_t)tid * 100);
			set_fact(t, FACT_MINFLT, (k < 2 ? k : 1) * 7);
		}
	compute(&s);
	delta_init(&processes);
	fold_processes(&processes, &s.delta[2]);
	row = &processes.row[0];
	check(delta_fact(row, FACT_VCSW), QUALITY_STALE, 300, "a sum over threads");
	check(delta_fact_rate(row, FACT_VCSW), QUALITY_STALE, 300, "its rate");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_STALE, 300, "its total");
	check(delta_fact(row, FACT_MINFLT), QUALITY_STALE, 7, "a fact of the process");
	delta_done(&processes);
	done(&s);
}

/* The sum over an interval does not include the numbers of lost tasks, which are of the interval
 * before. */
static void test_sum(void)
{
	struct arena arena = ARENA_INIT;
	struct delta_row total;
	struct fold_sum sum;
	struct steps s;

	begin(&s, 3, 1);
	add_alive(&s, 0, 5, 10);
	add_alive(&s, 1, 5, 25);
	add_ended(&s, 2, 5, 25);
	for (int k = 0; k < 3; k++)
		set_fact(add(&s.sample[k], 2, 5, COUNT_NONE), FACT_MINFLT, 7 * (uint64_t)k);
	compute(&s);

	struct folding f = {.arena = &arena,
			    .joins = fold_joins(&s.delta[2]),
			    .interval_ns = SECOND,
			    .facts = FACT_SET(FACT_MINFLT),
			    .keeps_ended = true};

	for (size_t n = 1; n <= 2; n++) {
		fold_sum_begin(&sum, &f, &total, &kind_task, (struct fold_id){0, "all"});
		for (size_t i = 0; i < n; i++)
			fold_sum_add(&sum, &s.delta[2].row[i]);
		fold_sum_end(&sum);
		check(delta_fact(&total, FACT_MINFLT), n == 1 ? QUALITY_GONE : QUALITY_PARTIAL, 7,
		      "its growth is not added");
		check(delta_fact_rate(&total, FACT_MINFLT), n == 1 ? QUALITY_GONE : QUALITY_PARTIAL,
		      7, "nor is its rate");
	}
	check(delta_fact_now(&total, FACT_MINFLT), QUALITY_STALE, 39, "what it had in all is");
	folding_done(&f);
	arena_done(&arena);
	done(&s);
}

/* A fact of one thread only, in a process that was lost with its threads, is not in the sum
 * either. */
static void test_sum_of_parts(void)
{
	static const int fact[] = {FACT_VCSW, FACT_CPU_NS};
	struct arena arena = ARENA_INIT;
	struct delta processes;
	struct delta_row total;
	struct fold_sum sum;
	struct steps s;

	begin(&s, 3, 0);
	for (uint64_t k = 0; k < 3; k++)
		for (int tid = 1; tid <= 2; tid++) {
			struct task *t = add_thread(&s, k, tid);

			for (size_t f = 0; f < 2 && tid == 1; f++)
				set_fact(t, fact[f], (k < 2 ? k : 1) * 100);
		}
	compute(&s);
	delta_init(&processes);

	struct folding f = {.arena = &arena,
			    .joins = fold_joins(&s.delta[2]),
			    .interval_ns = SECOND,
			    .facts = FACT_SET(FACT_VCSW, FACT_CPU_NS),
			    .keeps_ended = true};

	fold_processes(&processes, &s.delta[2]);
	for (int k = 0; k < 2; k++) {
		const struct delta *d = k ? &s.delta[2] : &processes;
		const char *of = k ? "threads" : "a process";

		fold_sum_begin(&sum, &f, &total, &kind_task, (struct fold_id){0, "all"});
		for (size_t i = 0; i < d->n; i++)
			fold_sum_add(&sum, &d->row[i]);
		fold_sum_end(&sum);
		tap_ok(!value_known(delta_fact(&total, FACT_VCSW)), "%s: no growth", of);
		tap_ok(!value_known(delta_fact_rate(&total, FACT_VCSW)), "%s: no rate", of);
		tap_ok(!value_known(total.cpu_ns), "%s: no CPU time", of);
		tap_ok(!value_known(delta_cpu_share(&total)), "%s: no share of a CPU", of);
		tap_num(delta_fact_now(&total, FACT_VCSW).number, 100, "%s: all in all", of);
	}
	folding_done(&f);
	arena_done(&arena);
	delta_done(&processes);
	done(&s);
}

int main(void)
{
	test_ran();
	test_early();
	test_idle();
	test_short();
	test_back();
	test_threads();
	test_sum();
	test_sum_of_parts();
	return tap_done();
}
