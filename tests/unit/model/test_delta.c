/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The delta of two samples: scaling, new and ended tasks, facts, totals.
 */
#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/rows.h"

static void test_scaling(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		struct count from, to;
		enum quality quality;
		double number, share;
	} table[] = {
		{"on the PMU all the time", {100, 50, 50}, {350, 150, 150}, QUALITY_EXACT, 250, 1},
		{"half of the time", {100, 50, 50}, {350, 150, 100}, QUALITY_SCALED, 500, 0.5},
		{"scaled on the interval, not on totals", {1000, 1000, 100}, {1010, 1100, 200}, QUALITY_EXACT, 10, 1},
		{"never on the PMU", {100, 50, 50}, {100, 150, 50}, QUALITY_NOT_SCHEDULED, 0, 1},
		{"it did not run", {100, 50, 20}, {100, 50, 20}, QUALITY_EXACT, 0, 1},
		{"a value that went backwards", {100, 50, 50}, {99, 150, 150}, QUALITY_NOT_READ, 0, 1},
		{"a time that went backwards", {100, 50, 50}, {101, 49, 49}, QUALITY_NOT_READ, 0, 1},
		{"a running time that went backwards", {100, 50, 50}, {101, 60, 49}, QUALITY_NOT_READ, 0, 1},
		{"a little longer on the PMU than enabled", {0, 0, 0}, {100, 1000, 1001}, QUALITY_EXACT, 100, 1},
		{"on the PMU, but not enabled", {0, 10, 10}, {100, 10, 11}, QUALITY_EXACT, 100, 1},
		{"a count above 2^53", {0, 0, 0}, {1ull << 60, 4, 1}, QUALITY_SCALED, 0x1p62, 0.25},
		{"a sliver of the time", {0, 0, 0}, {1, 1000000000000, 1}, QUALITY_SCALED, 1e12, 1e-12},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct steps s;

		begin(&s, 2, 1);
		add_counted(&s.sample[0], 1, 5, table[i].from);
		add_counted(&s.sample[1], 1, 5, table[i].to);
		compute(&s);
		check(s.delta[1].row[0].increment[0], table[i].quality, table[i].number,
		      table[i].name);
		tap_ok(fabs(s.delta[1].row[0].increment[0].share - table[i].share) <=
			       1e-6 * table[i].share,
		       "%s: its share", table[i].name);
		done(&s);
	}
}

/* Totals are sums of the increments as they were shown. */
static void test_totals(void)
{
	struct steps s;

	begin(&s, 4, 1);
	add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10});
	add_counted(&s.sample[1], 1, 5, (struct count){200, 20, 15});
	add_counted(&s.sample[2], 1, 5, (struct count){200, 30, 15});
	add_counted(&s.sample[3], 1, 5, (struct count){250, 40, 25});
	compute(&s);
	check(s.delta[0].row[0].increment[0], QUALITY_FRESH, 0,
	      "the first reading has no increment");
	check(s.delta[0].row[0].total[0], QUALITY_EXACT, 100, "but a total since the opening");
	check(s.delta[1].row[0].increment[0], QUALITY_SCALED, 200, "scaled");
	check(s.delta[1].row[0].total[0], QUALITY_SCALED, 300, "the total grows by what was shown");
	check(s.delta[2].row[0].increment[0], QUALITY_NOT_SCHEDULED, 0, "not scheduled");
	check(s.delta[2].row[0].total[0], QUALITY_PARTIAL, 300, "the total is a lower bound then");
	check(s.delta[3].row[0].increment[0], QUALITY_EXACT, 50, "exact again");
	check(s.delta[3].row[0].total[0], QUALITY_PARTIAL, 350, "the total stays a lower bound");
	done(&s);
}

static void test_new_and_gone(void)
{
	struct steps s;

	begin(&s, 3, 1);
	/* Unsorted, and with one id twice. */
	add_counted(&s.sample[0], 9, 5, (struct count){1, 1, 1});
	add_counted(&s.sample[0], 3, 5, (struct count){10, 1, 1});
	add_counted(&s.sample[1], 7, 5, (struct count){3, 1, 1});
	add_counted(&s.sample[1], 3, 8, (struct count){500, 1, 1});
	add_counted(&s.sample[1], 3, 5, (struct count){12, 2, 2})->dead = true;
	add_counted(&s.sample[1], 9, 5, (struct count){5, 2, 2});
	add_counted(&s.sample[2], 9, 5, (struct count){5, 2, 2});
	add_counted(&s.sample[2], 3, 8, (struct count){501, 2, 2});
	for (int k = 0; k < 3; k++)
		sample_sort(&s.sample[k]);
	compute(&s);
	tap_int(s.delta[0].interval_ns, 0, "a first sample has no interval");
	tap_int(s.delta[1].interval_ns, SECOND, "a second one has");
	tap_int(s.delta[1].n, 4, "a row for each task of the present sample");
	check(s.delta[1].row[0].increment[0], QUALITY_EXACT, 2,
	      "the old task of a pid that was used again");
	tap_ok(s.delta[1].row[0].task->dead && !s.delta[1].row[0].fresh, "it is dead, not fresh");
	check(s.delta[1].row[1].increment[0], QUALITY_FRESH, 0, "the new task of that pid");
	tap_ok(s.delta[1].row[1].fresh, "it is fresh");
	check(s.delta[1].row[2].increment[0], QUALITY_FRESH, 0, "a newcomer in the middle");
	check(s.delta[1].row[3].increment[0], QUALITY_EXACT, 4, "one that was there");
	tap_int(s.delta[2].n, 2, "who has gone has no row");
	check(s.delta[2].row[0].increment[0], QUALITY_EXACT, 1, "the new task goes on");
	check(s.delta[2].row[1].increment[0], QUALITY_EXACT, 0, "who did not run has exactly 0");
	done(&s);
}

static void test_generation(void)
{
	struct steps s;

	begin(&s, 2, 1);
	set_fact(add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10}), FACT_MINFLT, 10);
	set_fact(add_counted(&s.sample[1], 1, 5, (struct count){200, 20, 20}), FACT_MINFLT, 15);
	s.sample[1].generation = 2;
	compute(&s);
	tap_int(s.delta[1].interval_ns, 0, "another generation: no interval");
	check(s.delta[1].row[0].increment[0], QUALITY_FRESH, 0, "no increment");
	check(s.delta[1].row[0].total[0], QUALITY_EXACT, 200, "the total restarts");
	check(delta_fact(&s.delta[1].row[0], FACT_MINFLT), QUALITY_FRESH, 0,
	      "a fact is fresh, too");
	check(delta_fact_now(&s.delta[1].row[0], FACT_MINFLT), QUALITY_EXACT, 15,
	      "but has its present value");
	done(&s);
}

static void test_states(void)
{
	struct steps s;

	begin(&s, 3, 3);
	rig_events->event[2].quality = QUALITY_UNSUPPORTED;
	for (int k = 0; k < 3; k++)
		for (int state = 0; state < N_COUNT_STATES; state++)
			if (state == COUNT_OK)
				add_counted(&s.sample[k], state, 5, (struct count){1, 1, 1})
					->unread = k == 1 ? 1 : 0;
			else
				add(&s.sample[k], state, 5, (enum count_state)state);
	compute(&s);
	for (int state = 0; state < N_COUNT_STATES; state++)
		if (state != COUNT_OK) {
			check(s.delta[1].row[state].increment[0],
			      count_state_quality((enum count_state)state), 0,
			      "a task without counters");
			check(s.delta[1].row[state].total[0],
			      count_state_quality((enum count_state)state), 0, "and its total");
		}
	check(s.delta[1].row[COUNT_OK].increment[0], QUALITY_NOT_READ, 0,
	      "an event that could not be read");
	check(s.delta[1].row[COUNT_OK].increment[1], QUALITY_EXACT, 0, "another that could");
	check(s.delta[2].row[COUNT_OK].increment[0], QUALITY_EXACT, 0, "after that it goes on");
	check(s.delta[2].row[COUNT_OK].total[0], QUALITY_EXACT, 1,
	      "the total is what the counter says");
	check(s.delta[2].row[COUNT_OK].increment[2], QUALITY_UNSUPPORTED, 0,
	      "an event that no machine here has");
	done(&s);
}

static void test_facts(void)
{
	struct steps s;
	struct task *t;

	begin(&s, 2, 0);
	t = add(&s.sample[0], 1, 5, COUNT_NONE);
	set_fact(t, FACT_MINFLT, 10);
	set_fact(t, FACT_NUM_THREADS, 3);
	set_fact(t, FACT_UTIME_NS, 1000);
	t = add(&s.sample[1], 1, 5, COUNT_NONE);
	set_fact(t, FACT_MINFLT, 25);
	set_fact(t, FACT_MAJFLT, 7);
	set_fact(t, FACT_NUM_THREADS, 2);
	set_fact(t, FACT_UTIME_NS, 400);
	/* Tasks that began after the first sample; within the clock tick of the first sample; and
	 * long before. */
	set_fact(add(&s.sample[1], 2, FIRST + 1, COUNT_NONE), FACT_MINFLT, 4);
	set_fact(add(&s.sample[1], 3, FIRST - 9999999, COUNT_NONE), FACT_MINFLT, 5);
	set_fact(add(&s.sample[1], 4, FIRST - 20000000, COUNT_NONE), FACT_MINFLT, 6);
	compute(&s);
	check(delta_fact(&s.delta[1].row[0], FACT_MINFLT), QUALITY_EXACT, 15, "a counter grows");
	check(delta_fact_now(&s.delta[1].row[0], FACT_MINFLT), QUALITY_EXACT, 25,
	      "and has a present value");
	check(delta_fact(&s.delta[1].row[0], FACT_NUM_THREADS), QUALITY_EXACT, 2,
	      "a gauge is as it is now");
	check(delta_fact(&s.delta[1].row[0], FACT_MAJFLT), QUALITY_NOT_READ, 0,
	      "not read the last time");
	check(delta_fact_now(&s.delta[1].row[0], FACT_MAJFLT), QUALITY_EXACT, 7, "but now");
	check(delta_fact(&s.delta[1].row[0], FACT_UTIME_NS), QUALITY_NOT_READ, 0,
	      "a fact that went backwards");
	check(delta_fact(&s.delta[1].row[0], FACT_VCSW), QUALITY_NOT_READ, 0,
	      "a fact that was never read");
	check(delta_fact(&s.delta[1].row[1], FACT_MINFLT), QUALITY_EXACT, 4,
	      "of a task born in the interval: all of it");
	check(delta_fact(&s.delta[1].row[2], FACT_MINFLT), QUALITY_EXACT, 5,
	      "starts are known to a tick only");
	check(delta_fact(&s.delta[1].row[3], FACT_MINFLT), QUALITY_FRESH, 0,
	      "of a task born before: unknown");
	check(delta_fact(&s.delta[0].row[0], FACT_MINFLT), QUALITY_FRESH, 0,
	      "of the first sample: unknown");
	done(&s);
}

static void test_cpu_time(void)
{
	struct steps s;
	struct task *t;

	begin(&s, 2, 2);
	for (uint64_t k = 0; k < 2; k++) {
		/* Tasks: with counters, the first of which cannot be read; with a CPU clock and
		 * counters; with times in ticks; without any of these. */
		t = add_counted(&s.sample[k], 1, 5, (struct count){5, 100 + 77 * k, 100 + 10 * k});
		t->unread = 1;
		t = add_counted(&s.sample[k], 2, 5, (struct count){5, 100 + 77 * k, 100 + 10 * k});
		set_fact(t, FACT_CPU_NS, 1000 + 500 * k);
		set_fact(t, FACT_UTIME_NS, 0);
		set_fact(t, FACT_STIME_NS, 0);
		t = add(&s.sample[k], 3, 5, COUNT_DENIED);
		set_fact(t, FACT_UTIME_NS, 20 * k);
		set_fact(t, FACT_STIME_NS, 30 * k);
		add(&s.sample[k], 4, 5, COUNT_DENIED);
	}
	compute(&s);
	check(s.delta[1].row[0].cpu_ns, QUALITY_EXACT, 77, "CPU time by a counter's time");
	check(s.delta[1].row[1].cpu_ns, QUALITY_EXACT, 500, "by the CPU clock");
	check(s.delta[1].row[2].cpu_ns, QUALITY_EXACT, 50, "by the ticks");
	check(s.delta[1].row[3].cpu_ns, QUALITY_NOT_READ, 0, "by nothing");
	done(&s);
}

/* Deltas that are computed again must have no data from before. */
static void test_again(void)
{
	struct delta d;
	struct sample one, none;

	delta_init(&d);
	rig_events_make(3);
	make(&one, 0);
	make(&none, 1);
	for (int i = 1; i <= 100; i++)
		add_counted(&one, i, 5, (struct count){1, 1, 1});
	for (int round = 0; round < 3; round++) {
		delta_compute(&d, NULL, NULL, &one);
		tap_int(d.n, 100, "round %d: a hundred tasks", round);
		delta_compute(&d, NULL, NULL, &none);
		tap_int(d.n, 0, "round %d: none", round);
	}
	delta_done(&d);
	sample_done(&one);
	sample_done(&none);
	rig_events_free();
}

/* A counter on two kinds of cores: event 0 is its head, on the fast cores; event 1 is its part on
 * the slow cores. */
struct hybrid {
	const char *name;
	struct count fast, slow; /* increments in the interval */
	enum quality slow_quality, quality;
	double number, share;
};

/* clang-format off */
static const struct hybrid hybrid_table[] = {
	{"both kinds, no multiplexing", {300, 100, 75}, {100, 100, 25}, QUALITY_EXACT, QUALITY_EXACT, 400, 1},
	{"only the fast ones", {300, 100, 100}, {0, 100, 0}, QUALITY_EXACT, QUALITY_EXACT, 300, 1},
	{"only the slow ones", {0, 100, 0}, {50, 100, 100}, QUALITY_EXACT, QUALITY_EXACT, 50, 1},
	{"both multiplexed: one joint factor", {300, 100, 30}, {100, 100, 20}, QUALITY_EXACT, QUALITY_SCALED, 800, 0.5},
	{"neither got a turn", {0, 100, 0}, {0, 100, 0}, QUALITY_EXACT, QUALITY_NOT_SCHEDULED, 0, 1},
	{"it did not run", {0, 0, 0}, {0, 0, 0}, QUALITY_EXACT, QUALITY_EXACT, 0, 1},
	{"the slow ones lack it", {300, 100, 75}, {0, 0, 0}, QUALITY_UNSUPPORTED, QUALITY_PARTIAL, 300, 0.75},
	{"they lack it, and it ran only there", {0, 100, 0}, {0, 0, 0}, QUALITY_UNSUPPORTED, QUALITY_OTHER_CORE, 0, 1},
	{"they lack it, but it ran elsewhere", {300, 100, 100}, {0, 0, 0}, QUALITY_UNSUPPORTED, QUALITY_EXACT, 300, 1},
};
/* clang-format on */

static void add_hybrid(struct sample *s, struct count fast, struct count slow,
		       enum quality slow_quality)
{
	struct task *t = add_counted(s, 1, 5, fast);

	t->count[1] = slow;
	rig_events->event[1].part_of = rig_events->in_parts = true;
	rig_events->event[1].core = 1;
	rig_events->event[1].quality = (uint8_t)slow_quality;
}

static void test_hybrid(void)
{
	const struct count zero = {0, 0, 0};

	for (size_t i = 0; i < sizeof hybrid_table / sizeof *hybrid_table; i++) {
		const struct hybrid *h = &hybrid_table[i];
		const struct delta_row *row;
		struct steps s;

		begin(&s, 2, 2);
		add_hybrid(&s.sample[0], zero, zero, h->slow_quality);
		add_hybrid(&s.sample[1], h->fast, h->slow, h->slow_quality);
		compute(&s);
		row = &s.delta[1].row[0];
		check(row->increment[0], h->quality, h->number, h->name);
		tap_ok(fabs(row->increment[0].share - h->share) < 1e-6, "%s: its share", h->name);
		check(row->total[0],
		      h->quality == QUALITY_NOT_SCHEDULED || h->quality == QUALITY_OTHER_CORE
			      ? QUALITY_PARTIAL
			      : h->quality,
		      h->number, h->name);
		if (h->slow_quality == QUALITY_EXACT) {
			check(row->fast_ns, QUALITY_EXACT, (double)h->fast.running_ns, h->name);
			check(row->core_ns, QUALITY_EXACT,
			      (double)(h->fast.running_ns + h->slow.running_ns), h->name);
		} else {
			check(row->core_ns, QUALITY_UNSUPPORTED, 0, h->name);
		}
		done(&s);
	}
}

/* If one part cannot be read, the number is unknown, not smaller. */
static void test_hybrid_unread(void)
{
	const struct count zero = {0, 0, 0}, grown = {10, 100, 50};
	struct steps s;

	for (int when = 0; when < 2; when++) {
		begin(&s, 2, 2);
		add_hybrid(&s.sample[0], zero, zero, QUALITY_EXACT);
		add_hybrid(&s.sample[1], grown, grown, QUALITY_EXACT);
		s.sample[when].task[0]->unread = 2;
		compute(&s);
		check(s.delta[1].row[0].increment[0], when ? QUALITY_NOT_READ : QUALITY_EXACT, 20,
		      "a part not read");
		check(s.delta[1].row[0].fast_ns, when ? QUALITY_NOT_READ : QUALITY_EXACT, 50,
		      "nor are its times");
		done(&s);
	}
}

/* If the times of a part went backwards, the times of cores are unknown. */
static void test_hybrid_backwards(void)
{
	const struct count zero = {0, 0, 0}, grown = {10, 100, 50}, less = {10, 100, 40};
	struct steps s;

	begin(&s, 2, 2);
	add_hybrid(&s.sample[0], zero, grown, QUALITY_EXACT);
	add_hybrid(&s.sample[1], grown, less, QUALITY_EXACT);
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_NOT_READ, 0, "a part that went backwards");
	check(s.delta[1].row[0].fast_ns, QUALITY_NOT_READ, 0, "then its times are unknown");
	check(s.delta[1].row[0].core_ns, QUALITY_NOT_READ, 0, "and their sum");
	done(&s);
}

/* If the kernel gives a scale of an event, numbers are in its unit. */
static void test_scale(void)
{
	struct steps s;

	begin(&s, 2, 1);
	rig_events->event[0].scale = 0.5;
	for (int k = 0; k < 2; k++)
		add_counted(&s.sample[k], 1, 5,
			    k ? (struct count){30, 100, 50} : (struct count){10, 0, 0});
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_SCALED, 20, "half counts, half of the time");
	done(&s);
}

/* The scales of both parts, and the unit of the second one. */
static const struct {
	const char *name;
	double fast_scale, slow_scale;
	const char *slow_unit;
	enum quality quality;
	int number;
} steps_table[] = {
	{"parts in steps of their own", 0, 5, "", QUALITY_EXACT, 40 + 5 * 30},
	{"a part that never does it", 0, SCALE_NOTHING, "", QUALITY_EXACT, 40},
	{"the first one never does it", SCALE_NOTHING, 0, "", QUALITY_EXACT, 30},
	{"a part in another unit", 0, 5, "Joules", QUALITY_PARTIAL, 40},
};

static void test_steps(void)
{
	const struct count zero = {0, 0, 0}, fast = {40, 100, 60}, slow = {30, 100, 40};

	for (size_t i = 0; i < sizeof steps_table / sizeof *steps_table; i++) {
		struct steps s;

		begin(&s, 2, 2);
		rig_events->event[0].scale = steps_table[i].fast_scale;
		rig_events->event[1].scale = steps_table[i].slow_scale;
		rig_events->event[1].unit = steps_table[i].slow_unit;
		add_hybrid(&s.sample[0], zero, zero, QUALITY_EXACT);
		add_hybrid(&s.sample[1], fast, slow, QUALITY_EXACT);
		compute(&s);
		check(s.delta[1].row[0].increment[0], steps_table[i].quality, steps_table[i].number,
		      steps_table[i].name);
		done(&s);
	}
}

/* When the set of events changes, the counters have just been opened. */
static void test_other_events(void)
{
	struct steps s;

	begin(&s, 4, 1);
	add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10});
	add_counted(&s.sample[1], 1, 5, (struct count){130, 20, 20});
	rig_events_make(2);
	add_counted(&s.sample[2], 1, 5, (struct count){7, 5, 5});
	add_counted(&s.sample[3], 1, 5, (struct count){9, 15, 15});
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_EXACT, 30, "the same events");
	check(s.delta[2].row[0].increment[0], QUALITY_FRESH, 0, "other events");
	check(s.delta[2].row[0].total[1], QUALITY_EXACT, 7, "whose totals restart");
	tap_ok(!s.delta[2].row[0].fresh, "of a task that is known");
	check(s.delta[3].row[0].increment[1], QUALITY_EXACT, 2, "and go on from there");
	check(s.delta[3].row[0].total[1], QUALITY_EXACT, 9, "with their total");
	check(s.delta[2].row[0].cpu_ns, QUALITY_NOT_READ, 0,
	      "their times are not compared, either");
	done(&s);
}

static void test_stale(void)
{
	struct steps s;
	struct task *t;

	begin(&s, 1, 0);
	t = add(&s.sample[0], 1, 5, COUNT_NONE);
	set_fact(t, FACT_RSS_KB, 100);
	set_fact(t, FACT_NICE, (uint64_t)-5);
	t->facts_read = 1;
	s.sample[0].number = 2;
	compute(&s);
	check(delta_fact_now(&s.delta[0].row[0], FACT_RSS_KB), QUALITY_STALE, 100,
	      "memory, read some refreshes ago");
	check(delta_fact_now(&s.delta[0].row[0], FACT_NICE), QUALITY_STALE, -5, "a state below 0");
	done(&s);
}

/* Both samples share the reading of a task: it did nothing. */
static void test_idle(void)
{
	struct rows_item item = {.n = 0};
	const struct delta_row *row;
	struct task *t;
	struct steps s;

	begin(&s, 4, 1);
	t = add_counted(&s.sample[0], 1, 5, (struct count){100, 10, 10});
	set_fact(t, FACT_MINFLT, 7);
	t = add_counted(&s.sample[1], 1, 5, (struct count){300, 30, 20});
	set_fact(t, FACT_MINFLT, 9);
	t->gap = true;
	for (int k = 2; k < 4; k++)
		sample_add(&s.sample[k], task_ref(t));
	add(&s.sample[3], 2, 5, COUNT_IDLE);
	compute(&s);
	tap_int(s.delta[1].n, 1, "a new reading has a row");
	tap_int(s.delta[2].n, 0, "the same reading again has none");
	tap_int(s.delta[3].n, 1, "others have");
	tap_ok(rows_next(&s.delta[3], &item) && item.task == t && !item.row,
	       "but it is among the tasks");
	row = rows_idle(&s.delta[3], &item, &s.delta[3].arena);
	check(row->increment[0], QUALITY_EXACT, 0,
	      "it counted nothing, though its counters were once closed");
	check(row->total[0], QUALITY_PARTIAL, s.delta[1].row[0].total[0].number,
	      "its total is what it was");
	check(row->cpu_ns, QUALITY_EXACT, 0, "its time");
	check(delta_fact(row, FACT_MINFLT), QUALITY_EXACT, 0, "the increment of a fact");
	check(delta_fact_now(row, FACT_MINFLT), QUALITY_EXACT, 9, "and the fact");
	tap_ok(rows_next(&s.delta[3], &item) && item.row, "then comes the one that has a row");
	check(item.row->increment[0], QUALITY_FRESH, 0,
	      "what has never run has no increment at first");
	check(item.row->total[0], QUALITY_EXACT, 0, "but has counted nothing");
	tap_ok(!rows_next(&s.delta[3], &item), "and no more");
	done(&s);
}

/* The older sample may be reused when the delta has been computed. */
static void test_previous_gone(void)
{
	struct steps s;

	begin(&s, 2, 0);
	set_fact(add(&s.sample[0], 1, 5, COUNT_NONE), FACT_MINFLT, 10);
	set_fact(add(&s.sample[1], 1, 5, COUNT_NONE), FACT_MINFLT, 25);
	compute(&s);
	sample_reset(&s.sample[0]);
	check(delta_fact(&s.delta[1].row[0], FACT_MINFLT), QUALITY_EXACT, 15,
	      "without the sample before");
	done(&s);
}

int main(void)
{
	test_scaling();
	test_totals();
	test_new_and_gone();
	test_generation();
	test_states();
	test_facts();
	test_cpu_time();
	test_again();
	test_hybrid();
	test_hybrid_unread();
	test_hybrid_backwards();
	test_scale();
	test_steps();
	test_other_events();
	test_stale();
	test_idle();
	test_previous_gone();
	return tap_done();
}
