/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU time that no row has: the times of the CPUs less those of the tasks, and when that
 * difference is unknown.
 */
#include <errno.h>

#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/rows.h"

/* Two samples, one second apart, of two CPUs: CPU 0 ran user code for 80 ticks of 100, CPU 1 system
 * code for 50 and interrupts for 20. Task 1 ran for 0.1 s, task 2 for 0.4 s. */
static const struct cpu_ticks first[] = {{.cpu = 0, .in = {[CPU_IDLE] = 500}},
					 {.cpu = 1, .in = {[CPU_IDLE] = 600}}},
			      second[] = {
				      {.cpu = 0, .in = {[CPU_USER] = 80, [CPU_IDLE] = 520}},
				      {.cpu = 1,
				       .in = {[CPU_SYSTEM] = 50, [CPU_IRQ] = 20, [CPU_IDLE] = 630}},
};

static void begin_use(struct steps *s, int n)
{
	begin(s, n, 0);
	for (uint64_t k = 0; k < (uint64_t)n; k++) {
		s->sample[k].use = (struct machine_use){
			.wanted = true, .cpu = k ? second : first, .n_cpus = 2};
		set_fact(add(&s->sample[k], 1, 5, COUNT_NONE), FACT_CPU_NS, k * SECOND / 10);
		set_fact(add(&s->sample[k], 2, 5, COUNT_NONE), FACT_CPU_NS, k * SECOND / 10 * 4);
	}
}

static struct unseen unseen_of(struct steps *s)
{
	compute(s);
	return unseen_compute(&s->delta[1]);
}

static void test_difference(void)
{
	struct unseen u;
	struct steps s;

	begin_use(&s, 2);
	u = unseen_of(&s);
	check(u.busy, QUALITY_EXACT, 130, "user and system time of both CPUs, no interrupts");
	check(u.unseen, QUALITY_EXACT, 80, "without the 50 % of the two tasks");
	tap_ok(unseen_matters(&u), "more than half of it has no row");
	done(&s);
}

/* Folded to processes, the sum is the same. */
static void test_processes(void)
{
	struct delta processes;
	struct unseen u;
	struct steps s;

	begin_use(&s, 2);
	compute(&s);
	delta_init(&processes);
	fold_processes(&processes, &s.delta[1]);
	u = unseen_compute(&processes);
	check(u.unseen, QUALITY_EXACT, 80, "the rows are processes");
	delta_done(&processes);
	done(&s);
}

/* Each case makes the difference unknown. */
static void test_unknown(void)
{
	enum { LEFT_OUT, CONTAINED, OTHERS_HIDDEN, UNREADABLE, UNWANTED, FIRST_SAMPLE, N };
	static const char *const what[N] = {"tasks were left out",  "in a container",
					    "the task 1 is hidden", "no times of the CPUs",
					    "they are not wanted",  "there is no interval"};

	for (int i = 0; i < N; i++) {
		struct unseen u;
		struct steps s;

		begin_use(&s, 2);
		s.sample[1].n_left_out = i == LEFT_OUT;
		s.sample[1].host.contained = i == CONTAINED;
		if (i == OTHERS_HIDDEN)
			s.sample[0].task[0]->id = s.sample[1].task[0]->id = 3;
		if (i == UNREADABLE)
			s.sample[1].use = (struct machine_use){.wanted = true, .cpu_error = EACCES};
		if (i == UNWANTED)
			s.sample[1].use = (struct machine_use){.wanted = false};
		u = unseen_of(&s);
		if (i == FIRST_SAMPLE)
			u = unseen_compute(&s.delta[0]);
		tap_ok(!value_known(u.unseen) && !value_known(u.busy), "unknown: %s", what[i]);
		tap_ok(!unseen_matters(&u), "and it does not matter");
		done(&s);
	}
}

/* The shares of the CPUs are those of an earlier interval if this one is too short. */
static void test_short(void)
{
	struct unseen u;
	struct steps s;

	begin_use(&s, 2);
	s.sample[1].mono_ns = s.sample[0].mono_ns + USE_INTERVAL_MIN_NS / 2;
	u = unseen_of(&s);
	tap_ok(!value_known(u.unseen), "a short interval has no shares of its own");
	done(&s);
}

/* After a short interval, the shares of the CPUs are those of both: the last one was idle here. */
static void test_after_short(void)
{
	struct unseen u;
	struct steps s;

	begin_use(&s, 3);
	s.sample[1].mono_ns = s.sample[0].mono_ns + USE_INTERVAL_MIN_NS / 2;
	s.sample[2].mono_ns = s.sample[1].mono_ns + 2 * (uint64_t)USE_INTERVAL_MIN_NS;
	compute(&s);
	u = unseen_compute(&s.delta[2]);
	tap_ok(!value_known(u.unseen), "the rows lack the time of a short interval before");
	done(&s);
}

static void test_matters(void)
{
	static const struct {
		double busy, unseen;
		bool matters;
	} table[] = {
		{100, 25, true},  {30, 24.9, false}, {400, 99, false},
		{400, 100, true}, {50, -10, false},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct unseen u = {value_exact(table[i].busy), value_exact(table[i].unseen)};

		tap_int(unseen_matters(&u), table[i].matters, "%g of %g %%", table[i].unseen,
			table[i].busy);
	}
}

int main(void)
{
	test_difference();
	test_processes();
	test_unknown();
	test_short();
	test_after_short();
	test_matters();
	return tap_done();
}
