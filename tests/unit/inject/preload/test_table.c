/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The row of a lock's calls, number by number, and the sum of rows. */
#include "inject/preload/table.h"
#include "tap.h"

/* Large numbers close to each other: a double cannot hold their squares. */
static const uint64_t times[] = {1000000000007, 1000000000001, 1000000000004, 1000000000008};
#define N_TIMES (sizeof times / sizeof *times)

static void check_quantity(const struct locks_quantity *q, const char *what)
{
	tap_int(q->n, N_TIMES, "%s: calls", what);
	tap_int(locks_sum(q), 4000000000020, "their sum");
	tap_int(q->max, 1000000000008, "the longest one");
	tap_num(locks_variance(q), 10, "their variance, though the squares have 24 digits");
}

static void check_adding(void)
{
	for (size_t cut = 0; cut <= N_TIMES; cut++) {
		struct locks_row one = {.instance = 7, .caller = 8}, other = {.instance = 9};

		for (size_t i = 0; i < N_TIMES; i++)
			locks_quantity_add(&(i < cut ? &one : &other)->phase[LOCKS_HOLD], times[i]);
		locks_row_add(&one, &other);
		check_quantity(&one.phase[LOCKS_HOLD], "cut into two rows");
		tap_ok(one.instance == 7 && one.caller == 8, "whose row it is stays");
		tap_int(one.phase[LOCKS_HOLD].bucket[LOCKS_BUCKETS - 1], N_TIMES,
			"and what is too large is in the last bucket");
		tap_int(one.phase[LOCKS_ACQUIRE].n, 0, "of another phase nothing");
	}
}

static void check_buckets(void)
{
	const uint64_t x[] = {0, 1, 2, 3, 4, 1ull << 38, 1ull << 39, UINT64_MAX};
	const unsigned bucket[] = {0, 1, 2, 2, 3, 39, 39, 39};

	for (size_t i = 0; i < sizeof x / sizeof *x; i++)
		tap_int(locks_bucket(x[i]), bucket[i], "the bucket of %llu",
			(unsigned long long)x[i]);
}

static void check_counts(void)
{
	struct locks_thread sum = {.tid = 5, .ticks = {1, 2, 3}}, add = {.tid = 6};

	add.ticks[LOCKS_WAITING] = 10;
	add.ticks[LOCKS_HOLDING] = 20;
	add.ticks[LOCKS_FREE] = 30;
	add.n_pairs = 4;
	add.n_unmeasured = 5;
	add.n_too_deep = 6;
	add.n_unmatched = 7;
	add.n_futex = 8;
	add.n_futex_left_out = 9;
	add.other = (struct locks_row){.contended = 1,
				       .waited = 2,
				       .nested = 3,
				       .failed = 4,
				       .lost = 5,
				       .futex = {.timeouts = 1,
						 .changed = 2,
						 .interrupted = 3,
						 .woken = 4,
						 .handed = 5,
						 .inheriting = 6}};
	locks_thread_add(&sum, &add);
	locks_thread_add(&sum, &add);
	tap_ok(sum.ticks[0] == 21 && sum.ticks[1] == 42 && sum.ticks[2] == 63, "times are added");
	tap_ok(sum.n_pairs == 8 && sum.n_unmeasured == 10 && sum.n_too_deep == 12 &&
		       sum.n_unmatched == 14 && sum.n_futex == 16 && sum.n_futex_left_out == 18,
	       "numbers, too");
	tap_ok(sum.other.contended == 2 && sum.other.waited == 4 && sum.other.nested == 6 &&
		       sum.other.failed == 8 && sum.other.lost == 10,
	       "and the row of all that had no room");
	tap_ok(sum.other.futex.timeouts == 2 && sum.other.futex.changed == 4 &&
		       sum.other.futex.interrupted == 6 && sum.other.futex.woken == 8 &&
		       sum.other.futex.handed == 10 && sum.other.futex.inheriting == 12,
	       "with its futexes");
	tap_int(sum.tid, 5, "who it is stays");
}

/* Of two threads that have ended, one could not read the second event. */
static void check_events(void)
{
	struct locks_thread sum = {.tid = 0},
			    add = {.tid = 6, .count = {{1, 2, 3, 4}, {5, 6, 7, 8}}};
	struct locks_quantity one[2 * LOCKS_PHASES] = {{.n = 0}},
				      other[2 * LOCKS_PHASES] = {{.n = 0}};

	locks_thread_add(&sum, &add);
	add.lacking[1] = 1;
	locks_thread_add(&sum, &add);
	tap_ok(sum.count[0][LOCKS_WAITING] == 2 && sum.count[0][LOCKS_OWN] == 8,
	       "counts of states are added");
	tap_ok(sum.count[1][LOCKS_HOLDING] == 6 && !sum.lacking[0] && sum.lacking[1] == 1,
	       "but those of a thread that lacks some");
	for (size_t i = 0; i < N_TIMES; i++)
		locks_quantity_add(&(i % 2 ? one : other)[LOCKS_PHASES + LOCKS_HOLD], times[i]);
	locks_counts_add(one, other, 1);
	tap_int(one[LOCKS_PHASES + LOCKS_HOLD].n, N_TIMES / 2, "of one event, not the second one");
	locks_counts_add(one, other, 2);
	check_quantity(&one[LOCKS_PHASES + LOCKS_HOLD], "counts of two rows");
}

static void check_room(uint32_t n_events)
{
	const uint32_t rows = locks_max_rows(LOCKS_SIZE_MAX, n_events);

	tap_ok(locks_counts_offset(n_events, rows, rows + LOCKS_SLOTS) <= LOCKS_SIZE_MAX &&
		       locks_counts_offset(n_events, rows + 1, rows + 1 + LOCKS_SLOTS) >
			       LOCKS_SIZE_MAX,
	       "the table has as many rows as have room");
	tap_ok(rows > 30000 / (n_events + 1), "which are many: %u", rows);
}

static void check_layout(void)
{
	check_room(0);
	check_room(LOCKS_EVENTS);
	tap_int(sizeof(struct locks_instance) % 64, 0, "no two locks are in one cache line");
	tap_int(offsetof(struct locks_head, instance) % 64, 0, "nor are their first");
	tap_int(sizeof(struct locks_row) % 64, 0, "nor two rows");
	tap_int(sizeof(struct locks_thread) % 64, 0, "nor two threads");
	tap_int(offsetof(struct locks_head, slot[0]) % 64 + locks_row_offset(0) % 64, 0,
		"nor their first");
}

int main(void)
{
	check_adding();
	check_buckets();
	check_counts();
	check_events();
	check_layout();
	return tap_done();
}
