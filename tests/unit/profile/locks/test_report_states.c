/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of threads, from times that are set here. A tick is 2 ns. */
#include "profile/locks/report.h"
#include "tap.h"

#define SCALE (2ull << 32)
/* Times in states, in none of the calls of the C library. */
#define OF(running, runnable, lock, work, other)                                                   \
	(uint64_t[STATES_N])                                                                       \
	{                                                                                          \
		running, runnable, lock, work, [STATES_OTHER] = other                              \
	}

static const struct states_shares shares = {
	.lock = {[LOCKS_MUTEX] = 1, [LOCKS_RWLOCK] = 1, [LOCKS_SPIN] = 1, [LOCKS_FUTEX] = 0.25}};

static void check(const struct locks_sched *s, uint64_t ticks, const uint64_t ns[STATES_N],
		  const char *what)
{
	struct states states;

	states_make(&states, s, 1, ticks, SCALE, &shares);
	for (int i = 0; i < STATES_N; i++)
		tap_int((long long)states.ns[i], (long long)ns[i], "%s: state %d", what, i);
	tap_int((long long)states_sum(&states), 2 * (long long)ticks, "%s: all of its life", what);
}

static void test_division(void)
{
	check(&(struct locks_sched){.total = {1, 300, 0}, .waited = {[LOCKS_MUTEX] = 200}}, 500,
	      OF(300, 0, 400, 0, 300), "a lock");
	check(&(struct locks_sched){.total = {1, 300, 0},
				    .waited = {[LOCKS_MUTEX] = 100, [LOCKS_COND] = 200},
				    .waited_run = {[LOCKS_MUTEX] = 20, [LOCKS_COND] = 50}},
	      500, OF(300, 0, 180, 350, 170), "without the CPU time of the waits");
	check(&(struct locks_sched){.total = {1, 100, 0}, .waited = {[LOCKS_FUTEX] = 200}}, 500,
	      OF(100, 0, 100, 300, 500), "a futex as its lines are");
	check(&(struct locks_sched){.total = {1, 900, 0}, .waited = {[LOCKS_SPIN] = 400}}, 500,
	      OF(900, 0, 0, 0, 100), "a spin lock runs");
	/* The thread did not run for 800 ns, 600 of these in waits. */
	check(&(struct locks_sched){.total = {1, 200, 80, 8, 6}, .waited = {[LOCKS_BARRIER] = 300}},
	      500, OF(200, 80, 0, 540, 180), "a delay after each time off the CPU");
	check(&(struct locks_sched){.total = {1, 200, 280, 100, 0}, .waited = {[LOCKS_COND] = 300}},
	      500, OF(200, 280, 0, 520, 0), "what is too long for the other times");
	check(&(struct locks_sched){.total = {1, 200, 400, 10, 10}, .waited = {[LOCKS_COND] = 100}},
	      500, OF(200, 400, 0, 0, 400), "or for the waits");
	check(&(struct locks_sched){.total = {1, 200, 80}, .waited = {[LOCKS_COND] = 400}}, 500,
	      OF(200, 80, 0, 720, 0), "nothing but waits: all of the delay");
}

static void test_calls(void)
{
	const struct locks_sched half = {.total = {1, 200, 0},
					 .waited = {[LOCKS_COND] = 50},
					 .blocked = {40, 60, 80, 100},
					 .sampled = {[LOCKS_DEVICE] = 10},
					 .sampled_run = {[LOCKS_DEVICE] = 5}};
	const struct locks_sched ran = {.total = {1, 900, 0},
					.blocked = {[LOCKS_DEVICE] = 400},
					.sampled = {[LOCKS_DEVICE] = 40},
					.sampled_run = {[LOCKS_DEVICE] = 81}};

	check(&half, 500, (uint64_t[STATES_N]){200, 0, 0, 100, 80, 120, 160, 150, 190},
	      "calls: the sampled ones ran for a quarter");
	check(&ran, 500, OF(900, 0, 0, 0, 100), "calls that only ran");
}

/* Times may exceed the life of the thread: clocks differ by some ns, and a damaged table may
 * contain any number. */
static void test_excess(void)
{
	struct states states;

	check(&(struct locks_sched){.total = {1, 300, 0}, .waited = {[LOCKS_MUTEX] = 500}}, 500,
	      OF(300, 0, 700, 0, 0), "waits longer than what is left");
	check(&(struct locks_sched){.total = {1, 2000, 7}, .waited = {[LOCKS_COND] = 1}}, 500,
	      OF(1000, 0, 0, 0, 0), "more CPU time than life");
	check(&(struct locks_sched){.total = {1, 100, 2000}}, 500, OF(100, 900, 0, 0, 0),
	      "a longer delay");
	states_make(&states,
		    &(struct locks_sched){.total = {UINT64_MAX, UINT64_MAX, UINT64_MAX},
					  .waited = {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
		    1, UINT64_MAX, SCALE, &shares);
	tap_int((long long)states.n_known, 1, "no more are known than there are");
}

static void test_unknown(void)
{
	const struct locks_sched s = {.total = {0, 70, 80}, .waited = {[LOCKS_COND] = 400}};
	struct states one, all = {.n_threads = 0}, rest;

	check(&s, 500, OF(0, 0, 0, 0, 1000), "no totals");
	states_make(&one, &s, 1, 500, SCALE, &shares);
	tap_ok(one.n_threads == 1 && !one.n_known, "of one thread");
	states_add(&all, &one);
	states_add(&all, &one);
	rest = states_minus(&all, &one);
	tap_ok(rest.n_threads == 1 && rest.ns[STATES_OTHER] == 1000, "one of two is left");
}

static void test_shares(void)
{
	struct locks_instance futex = {.kind = LOCKS_FUTEX}, mutex = {.kind = LOCKS_MUTEX};
	const struct locks_line line[] = {
		{.instance = &futex, .sum = {.lost = 300}},
		{.instance = &futex, .sum = {.lost = 100}, .idle = true},
		{.instance = &mutex, .sum = {.lost = 5}},
		{.instance = NULL, .sum = {.lost = 5}},
	};
	struct states_shares found;

	states_find_shares(&found, line, sizeof line / sizeof *line);
	tap_ok(found.lock[LOCKS_FUTEX] == 0.75, "of futexes, the time of those that are locks");
	tap_ok(found.lock[LOCKS_MUTEX] == 1 && found.lock[LOCKS_SPIN] == 1, "a lock is one");
	tap_ok(found.lock[LOCKS_COND] == 0, "none is not");
}

int main(void)
{
	test_division();
	test_calls();
	test_excess();
	test_unknown();
	test_shares();
	return tap_done();
}
