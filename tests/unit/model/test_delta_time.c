/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates: each row has its own intervals, one for counts and one for facts.
 */
#include "delta_rig.h"
#include "model/fact_list.h"

/* Three samples of two tasks. Between samples, each counts 1000 and uses 0.1 s of CPU time. */
static void begin_rates(struct steps *s)
{
	begin(s, 3, 1);
	for (uint64_t k = 0; k < 3; k++)
		for (int id = 1; id <= 2; id++) {
			struct task *t =
				add_counted(&s->sample[k], id, 5, (struct count){1000 * k, k, k});

			set_fact(t, FACT_CPU_NS, k * SECOND / 10);
		}
}

static void test_own_interval(void)
{
	const struct delta_row *row;
	struct steps s;

	begin_rates(&s);
	/* The first sample took 0.6 s, when the counts of the second task were read. Its facts were
	 * read half a second before. */
	s.sample[0].time[1] = (struct task_time){600000, 100000};
	compute(&s);
	row = &s.delta[1].row[0];
	check(delta_count_rate(row, 0), QUALITY_EXACT, 1000, "read with the sample: a rate");
	check(delta_cpu_share(row), QUALITY_EXACT, 0.1, "and the share of a CPU");
	tap_ok(!row->unequal, "its intervals are one");
	row = &s.delta[1].row[1];
	check(row->increment[0], QUALITY_EXACT, 1000, "read later: the increment");
	check(delta_count_rate(row, 0), QUALITY_EXACT, 2500, "of 0.4 s");
	check(delta_cpu_share(row), QUALITY_EXACT, 0.1 / 0.9, "the time of 0.9 s");
	check(delta_fact_rate(row, FACT_CPU_NS), QUALITY_EXACT, 1e9 / 9, "like every fact");
	tap_ok(row->unequal, "its intervals differ");
	check(delta_count_rate(&s.delta[2].row[1], 0), QUALITY_EXACT, 1000,
	      "then all take the same time");
	done(&s);
}

static void test_unequal(void)
{
	static const struct {
		struct task_time time;
		bool unequal;
	} table[] = {
		{{0, 0}, false},           {{0, 9900}, false}, {{0, 10200}, true},
		{{9900, 0}, false},        {{10200, 0}, true}, {{-10200, 0}, true},
		{{500000, 500000}, false},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct steps s;

		begin_rates(&s);
		s.sample[1].time[0] = table[i].time;
		compute(&s);
		tap_int(s.delta[1].row[0].unequal, table[i].unequal, "%d and %d us later",
			(int)table[i].time.counts_us, (int)table[i].time.facts_us);
		done(&s);
	}
}

/* The interval of a task that was idle begins at the last look, not at its reading, which is
 * older. */
static void test_idle_before(void)
{
	struct steps s;

	begin(&s, 3, 1);
	sample_add(&s.sample[1],
		   task_ref(add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10})));
	add_counted(&s.sample[2], 1, 5, (struct count){600, 20, 20});
	s.sample[0].time[0] = (struct task_time){300000, 300000};
	s.sample[1].time[0] = (struct task_time){500000, 500000};
	compute(&s);
	check(delta_count_rate(&s.delta[2].row[0], 0), QUALITY_EXACT, 1000,
	      "500 counts in half a second");
	done(&s);
}

/* After a failed reading, the interval begins before the last sample. */
static void test_longer(void)
{
	struct steps s;

	begin_rates(&s);
	s.sample[0].time[0].counts_us = -1000000;
	compute(&s);
	check(delta_count_rate(&s.delta[1].row[0], 0), QUALITY_EXACT, 500,
	      "the interval is as long as it is");
	done(&s);
}

/* The interval of a new task begins when the last sample was begun, at which it did not exist
 * yet. */
static void test_newcomer(void)
{
	const struct delta_row *row;
	struct steps s;

	begin(&s, 2, 1);
	set_fact(add(&s.sample[1], 1, FIRST + SECOND / 2, COUNT_NONE), FACT_CPU_NS, SECOND / 4);
	s.sample[1].time[0].facts_us = 250000;
	compute(&s);
	row = &s.delta[1].row[0];
	check(delta_cpu_share(row), QUALITY_EXACT, 0.2, "born in the interval");
	check(delta_count_rate(row, 0), QUALITY_NOT_READ, 0, "without counters, no rate");
	check(delta_cpu_share(&s.delta[1].row[0]), QUALITY_EXACT, 0.2, "but a time");
	done(&s);
}

/* Sorting a sample moves the times with their tasks. */
static void test_order(void)
{
	struct sample s;

	make(&s, 0);
	for (int id = 5; id > 0; id--) {
		add(&s, id, 5, COUNT_NONE);
		s.time[s.n - 1] = (struct task_time){id * 10, id * 20};
	}
	sample_sort(&s);
	for (size_t i = 0; i < s.n; i++) {
		tap_int(s.task[i]->id, (int)i + 1, "in order");
		tap_int(sample_counts_ns(&s, i) - s.mono_ns, 10000 * ((int)i + 1),
			"with the time of its counts");
		tap_int(sample_facts_ns(&s, i) - s.mono_ns, 20000 * ((int)i + 1),
			"and of its facts");
	}
	sample_done(&s);
}

/* The kernel may account a tick late, so that a CPU has more time than the interval: its share is
 * limited to 100 %. */
static void test_ticks(void)
{
	static const struct kind *const kinds[] = {&kind_cpu, &kind_task};

	for (size_t i = 0; i < 2; i++) {
		struct steps s;

		begin(&s, 2, 0);
		for (uint64_t k = 0; k < 2; k++) {
			struct task *t = add(&s.sample[k], 1, 5, COUNT_NONE);

			t->kind = kinds[i];
			set_fact(t, FACT_CPU_NS, k * (SECOND + SECOND / 100));
		}
		compute(&s);
		check(delta_cpu_share(&s.delta[1].row[0]), QUALITY_EXACT, i ? 1.01 : 1,
		      i ? "several threads have more than a CPU" : "a CPU has no more than itself");
		done(&s);
	}
}

/* A wait for a CPU is accounted when it ends. */
static void test_waits(void)
{
	static const struct {
		uint64_t threads, waited, cpu_ns; /* threads: 0: unknown */
		enum quality quality;
		double seconds, earlier;
		const char *what;
	} table[] = {
		{1, SECOND / 2, 0, QUALITY_EXACT, 0.5, 0, "a wait of this interval"},
		{1, 10 * SECOND, SECOND / 4, QUALITY_UNEQUAL, 0.75, 9.25,
		 "one that began before: what the time on a CPU leaves"},
		{0, 10 * SECOND, SECOND / 4, QUALITY_UNEQUAL, 1, 9, "of one thread of several"},
		{4, 10 * SECOND, 3 * SECOND, QUALITY_UNEQUAL, 1, 9, "whose clock is that of all"},
		{1, SECOND / 2 + SECOND / 100, SECOND / 2, QUALITY_EXACT, 0.51, 0,
		 "readings are not exact to 1 %"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct steps s;
		struct delta_row *row;

		begin(&s, 2, 0);
		for (uint64_t k = 0; k < 2; k++) {
			struct task *t = add(&s.sample[k], 1, 5, COUNT_NONE);

			set_fact(t, FACT_CPU_NS, k * table[i].cpu_ns);
			set_fact(t, FACT_WAIT_NS, k * table[i].waited);
			if (table[i].threads)
				set_fact(t, FACT_NUM_THREADS, table[i].threads);
		}
		compute(&s);
		row = &s.delta[1].row[0];
		check(delta_fact_rate(row, FACT_WAIT_NS), table[i].quality, table[i].seconds * 1e9,
		      table[i].what);
		check(delta_waited_earlier(row), QUALITY_EXACT, table[i].earlier * 1e9,
		      "and the rest");
		check(delta_fact_now(row, FACT_WAIT_NS), QUALITY_EXACT, (double)table[i].waited,
		      "the sum is that of the kernel");
		done(&s);
	}
}

/* Rows of CPUs have times of /proc/stat, which are not like the CPU clock of a task. */
static void test_cpu_clock(void)
{
	struct steps s;

	begin(&s, 2, 0);
	for (uint64_t k = 0; k < 2; k++) {
		struct task *t = add(&s.sample[k], 1, 5, COUNT_NONE);

		t->kind = &kind_cpu;
		s.sample[k].host.tick_ns = SECOND / 50;
		set_fact(t, FACT_CPU_NS, k * SECOND / 2);
	}
	compute(&s);
	check(s.delta[1].row[0].cpu_ns, QUALITY_EXACT, 5e8, "the time of a CPU is never late");
	done(&s);
}

/* The CPU clock of another task is updated at scheduler ticks, and when the task leaves the CPU.
 * The interval is 1 s. */
static void test_late_clock(void)
{
	static const struct {
		uint64_t tick_ns, threads;
		char state;
		bool counted;
		enum quality quality;
		double cpu_ns;
		const char *what;
	} table[] = {
		{SECOND / 250, 1, 'R', false, QUALITY_EXACT, 5e8, "a tick that is less than 1 %"},
		{SECOND / 50, 1, 'R', false, QUALITY_UNEQUAL, 5e8, "a task that runs"},
		{SECOND / 50, 1, 'S', false, QUALITY_EXACT, 5e8, "one that has left the CPU"},
		{SECOND / 50, 2, 'S', false, QUALITY_UNEQUAL, 5e8, "one of whose threads may run"},
		{SECOND / 50, 1, '?', false, QUALITY_UNEQUAL, 5e8, "one that may run"},
		{0, 1, 'R', false, QUALITY_EXACT, 5e8, "a tick that is not known"},
		{SECOND / 50, 1, 'R', true, QUALITY_EXACT, 6e8, "the time of its counters"},
		{SECOND / 250, 1, 'R', true, QUALITY_EXACT, 5e8, "which misses starts"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct steps s;

		begin(&s, 2, 1);
		for (uint64_t k = 0; k < 2; k++) {
			const struct count count = {k, k * SECOND * 6 / 10, k * SECOND * 6 / 10};
			struct task *t = table[i].counted ? add_counted(&s.sample[k], 1, 5, count)
							  : add(&s.sample[k], 1, 5, COUNT_DENIED);

			s.sample[k].host.tick_ns = table[i].tick_ns;
			t->state = table[i].state;
			set_fact(t, FACT_CPU_NS, k * SECOND / 2);
			set_fact(t, FACT_NUM_THREADS, table[i].threads);
		}
		compute(&s);
		check(s.delta[1].row[0].cpu_ns, table[i].quality, table[i].cpu_ns, table[i].what);
		done(&s);
	}
}

int main(void)
{
	test_late_clock();
	test_cpu_clock();
	test_waits();
	test_ticks();
	test_own_interval();
	test_unequal();
	test_idle_before();
	test_longer();
	test_newcomer();
	test_order();
	return tap_done();
}
