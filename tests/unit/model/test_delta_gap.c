/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deltas of tasks that were not counted, or not read, for some time.
 */
#include "delta_rig.h"

/* Counters that were closed and reopened count from 0. The total continues, without the counts of
 * the gap. */
static void test_gap(void)
{
	static const struct count reading[] = {{1000, 100, 100}, {40, 4, 4}, {90, 9, 9}};
	struct steps s;

	begin(&s, 3, 1);
	for (int k = 0; k < 3; k++)
		add_counted(&s.sample[k], 1, 5, reading[k])->gap = k == 1;
	compute(&s);
	check(s.delta[1].row[0].increment[0], QUALITY_FRESH, 0, "an interval with a gap");
	check(s.delta[1].row[0].total[0], QUALITY_PARTIAL, 1000, "what was counted before it");
	check(s.delta[2].row[0].increment[0], QUALITY_EXACT, 50, "the interval behind a gap");
	check(s.delta[2].row[0].total[0], QUALITY_PARTIAL, 1050, "the total on both sides of it");
	done(&s);
}

/* A failed reading has the counts of the reading before. Its interval is unknown, and its counts
 * are in the next interval. */
static void test_failed(void)
{
	static const struct count reading[] = {
		{100, 10, 10}, {150, 20, 20}, {150, 20, 20}, {350, 40, 30}};
	struct steps s;

	begin(&s, 4, 1);
	for (int k = 0; k < 4; k++)
		add_counted(&s.sample[k], 1, 5, reading[k])->unread = k == 2;
	compute(&s);
	check(s.delta[2].row[0].increment[0], QUALITY_NOT_READ, 0,
	      "an interval at whose end the reading failed");
	check(s.delta[2].row[0].total[0], QUALITY_NOT_READ, 0, "and the total");
	check(s.delta[3].row[0].increment[0], QUALITY_SCALED, 400,
	      "the next one begins where it was read last");
	check(s.delta[3].row[0].total[0], QUALITY_SCALED, 550, "and the total misses nothing");
	done(&s);
}

/* If the last reading of an ended task failed, the total of the reading before is a lower bound. */
static void test_failed_at_the_end(void)
{
	static const struct count reading[] = {{0, 0, 0}, {150, 20, 20}, {150, 20, 20}};
	struct steps s;

	for (int first = 1; first < 3; first++) {
		begin(&s, 3, 1);
		for (int k = 0; k < 3; k++) {
			struct task *t =
				add_counted(&s.sample[k], 1, 5, reading[k < first ? 0 : k]);

			t->unread = k == 2;
			t->dead = k == 2;
		}
		if (first == 2)
			s.sample[2].task[0]->count[0] = reading[0];
		compute(&s);
		check(s.delta[2].row[0].increment[0], QUALITY_NOT_READ, 0,
		      "the end could not be read: the interval");
		check(s.delta[2].row[0].total[0], first == 1 ? QUALITY_PARTIAL : QUALITY_NOT_READ,
		      150,
		      first == 1 ? "the total is a lower bound"
				 : "the total of one that had counted nothing");
		done(&s);
	}
}

/* The total of a process includes the counts of its threads that have ended. */
static void test_ended_threads(void)
{
	static const struct {
		const char *name;
		enum count_state counting;
		bool unread, other;
		enum quality quality;
		double total;
	} table[] = {
		{"one that was counted", COUNT_OK, false, false, QUALITY_EXACT, 350},
		{"one whose last reading failed", COUNT_OK, true, false, QUALITY_PARTIAL, 350},
		{"one that was not allowed", COUNT_DENIED, false, false, QUALITY_PARTIAL, 300},
		{"one that another one counted", COUNT_INHERITED, false, false, QUALITY_EXACT, 300},
		{"one of another process with that pid", COUNT_OK, false, true, QUALITY_EXACT, 300},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct steps s;
		struct task *t;

		begin(&s, 4, 1);
		for (uint64_t k = 0; k < 4; k++) {
			/* the other process with this pid begins in sample 2 */
			t = add_counted(&s.sample[k], 7, table[i].other && k >= 2 ? 6 : 5,
					(struct count){k * 100, k, k});
			if (k >= 2)
				continue;
			if (table[i].counting == COUNT_OK)
				t = add_counted(&s.sample[k], 9, 5, (struct count){k * 50, k, k});
			else
				t = add(&s.sample[k], 9, 5, table[i].counting);
			t->owner = 7;
			t->unread = k && table[i].unread;
		}
		compute(&s);
		check(s.delta[2].row[0].increment[0],
		      table[i].other ? QUALITY_FRESH : QUALITY_EXACT, 100, table[i].name);
		check(s.delta[3].row[0].increment[0], QUALITY_EXACT, 100, table[i].name);
		check(s.delta[3].row[0].total[0], table[i].quality, table[i].total, table[i].name);
		done(&s);
	}
}

int main(void)
{
	test_ended_threads();
	test_gap();
	test_failed();
	test_failed_at_the_end();
	return tap_done();
}
