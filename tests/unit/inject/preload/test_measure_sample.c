/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only some acquisitions are timed, by a made-up clock: the estimates for all. */
#include <math.h>
#include <string.h>

#include "inject/preload/measure.h"
#include "profile/locks/report.h"
#include "tap.h"

#define LOCK   ((uintptr_t)0x1000)
#define CALLER ((uintptr_t)0x2000)

/* --- the functions that measure.h needs --- */

bool process_steady; /* false: measure.h reads the clock by process_slow_ticks() */
static uint64_t now = 1000;

uint64_t process_slow_ticks(void)
{
	return now;
}

static struct locks_wait waits;

struct locks_wait *contention_find(struct thread *t, const struct locks_instance *i, uintptr_t lock,
				   uintptr_t caller)
{
	(void)t, (void)i, (void)lock, (void)caller;
	return &waits;
}

uint32_t contention_number(const struct locks_wait *wait)
{
	return (uint32_t)(wait - &waits);
}

bool chain_wanted; /* false: chains are not tested here */

void chain_end_wait(struct thread *t, const struct locks_wait *wait, uintptr_t lock, uint64_t begin,
		    uint64_t end, bool got)
{
	(void)t, (void)wait, (void)lock, (void)begin, (void)end, (void)got;
}

void sched_begin_wait(struct thread *t)
{
	t->n_waits++;
}

void sched_end_wait(struct thread *t, enum locks_kind kind, uint64_t ticks)
{
	t->slot->sched.waited[kind] += ticks;
}

uint32_t rows_number_or_none(const struct locks_row *row)
{
	(void)row;
	return 0;
}

struct locks_instance *instance_find(uintptr_t lock)
{
	(void)lock;
	return NULL;
}

struct thread_entry *thread_add_lock(struct thread *t, uintptr_t lock, enum locks_kind kind,
				     uintptr_t caller)
{
	(void)t, (void)lock, (void)kind, (void)caller;
	return NULL;
}

void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to)
{
	(void)t, (void)counts, (void)phase, (void)from, (void)to;
}

void counts_add_state(struct thread *t, const struct moment *to)
{
	(void)t, (void)to;
}

void events_read(struct events *e, struct moment *m)
{
	(void)e, (void)m;
}

/* --- a thread, its lock, and the truth --- */

static struct locks_instance instance;
static struct locks_thread slot;
static struct thread_entry entry[2];
static struct thread thread;
static struct locks_row row, truth;

static void begin(uint32_t sample)
{
	row = truth = (struct locks_row){.instance = 1};
	slot = (struct locks_thread){.number = 1, .state = LOCKS_FREE, .begin = now, .since = now};
	waits = (struct locks_wait){.n = 0};
	thread = (struct thread){.ready = 1,
				 .measured = 1,
				 .own = 1,
				 .sample = sample,
				 .random = 88172645463325252u,
				 .slot = &slot,
				 .index = {.entry = entry, .places = 2}};
	memset(entry, 0, sizeof entry);
	entry[thread_place(&thread.index, LOCK, CALLER)] = (struct thread_entry){
		.lock = LOCK, .caller = CALLER, .instance = &instance, .row = &row};
}

/* wait: ticks until the lock is free; 0: it is free. */
static void acquire(uint64_t ticks, uint64_t wait)
{
	struct measure m = {.t = NULL};

	measure_init(&m, &thread, LOCK, CALLER, LOCKS_MUTEX);
	measure_begin(&m);
	now += wait ? 0 : ticks;
	if (wait) {
		measure_wait(&m);
		now += wait;
		truth.contended++;
		truth.waited += wait;
	}
	if (measure_is_timed(&m))
		events_read_after(NULL, &m.end);
	measure_acquired(&m);
	locks_quantity_add(&truth.phase[LOCKS_ACQUIRE], wait ? wait : ticks);
}

static void release(uint64_t ticks)
{
	const bool timed = measure_times_release(&thread, LOCK);
	struct moment from = {.ticks = 0}, to = {.ticks = 0};

	if (timed)
		events_read_before(NULL, &from);
	now += ticks;
	if (timed)
		events_read_after(NULL, &to);
	measure_released(&thread, LOCK, timed ? &from : NULL, &to);
	locks_quantity_add(&truth.phase[LOCKS_RELEASE], ticks);
}

static void pair(uint64_t acquired, uint64_t wait, uint64_t held, uint64_t released)
{
	acquire(acquired, wait);
	now += held;
	locks_quantity_add(&truth.phase[LOCKS_HOLD], held);
	release(released);
	now += 50;
}

static uint64_t sum_of(const struct locks_row *of, enum locks_phase phase)
{
	return locks_estimate(of, phase).sum;
}

static uint64_t time_of_states(void)
{
	uint64_t all = now - slot.since;

	for (int s = 0; s < LOCKS_STATES; s++)
		all += slot.ticks[s];
	return all;
}

/* --- tests --- */

static void test_equal(void)
{
	static const uint32_t sample[] = {1, 2, 7, 100, 1000};
	const uint64_t blocks = 5;

	for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
		const uint64_t n = sample[i] * blocks, start = now;

		begin(sample[i]);
		for (uint64_t k = 0; k < n; k++)
			pair(10, 0, 1000, 20);
		for (int p = 0; p < LOCKS_PHASES; p++) {
			tap_int((long long)row.phase[p].n, sample[i] == 1 ? (long long)n : 5,
				"1 in %u: the number that are timed", sample[i]);
			tap_int((long long)locks_n(&row, (enum locks_phase)p), (long long)n,
				"1 in %u: and all are counted", sample[i]);
			tap_int((long long)sum_of(&row, (enum locks_phase)p),
				(long long)sum_of(&truth, (enum locks_phase)p),
				"1 in %u: those that are alike are known by some", sample[i]);
		}
		tap_int((long long)time_of_states(), (long long)(now - start),
			"1 in %u: all states are the time", sample[i]);
		tap_int((long long)(slot.n_pairs - slot.n_untimed),
			sample[i] == 1 ? (long long)n : 5, "1 in %u: pairs", sample[i]);
	}
}

/* Acquisitions that wait are always timed, and are not extrapolated to others. */
static void test_waits(void)
{
	const uint64_t start = now;

	begin(100);
	for (int i = 0; i < 10000; i++)
		pair(10, i % 10 ? 0 : 5000, 30, 20);
	tap_int((long long)row.contended, 1000, "each wait is counted");
	tap_int((long long)row.waited, 5000000, "with its time");
	tap_ok(thread.n_waits == 1000 && slot.sched.waited[LOCKS_MUTEX] == 5000000,
	       "and that the thread may have been blocked");
	tap_ok(waits.n == 1000 && waits.ticks == 5000000, "and on which thread");
	tap_int((long long)sum_of(&row, LOCKS_ACQUIRE), (long long)sum_of(&truth, LOCKS_ACQUIRE),
		"the others took what those of them took that were drawn");
	tap_int((long long)slot.ticks[LOCKS_WAITING], 5000000, "who waits is in that state");
	tap_int((long long)slot.ticks[LOCKS_HOLDING], 0, "the holder is unknown");
	tap_int((long long)time_of_states(), (long long)(now - start), "all states are the time");
	tap_ok(isnan(locks_estimate(&row, LOCKS_ACQUIRE).stddev), "nor how acquisitions differ");
	tap_ok(!isnan(locks_estimate(&row, LOCKS_HOLD).stddev), "but holds");
}

/* Estimates are unbiased for any pattern of the program, even one as long as a block of
 * acquisitions, or half of it. */
static void test_patterns(void)
{
	static const int period[] = {2, 50, 100, 200};

	for (size_t i = 0; i < sizeof period / sizeof *period; i++) {
		double off;

		begin(100);
		for (int k = 0; k < 200000; k++)
			pair(10, 0, k % period[i] < period[i] / 2 ? 100 : 900, 20);
		off = (double)sum_of(&row, LOCKS_HOLD) / (double)sum_of(&truth, LOCKS_HOLD) - 1;
		/* 2,000 draws from 100 and 900, with mean 500 and deviation 400: six standard
		 * errors. */
		tap_ok(fabs(off) < 6 * 400 / sqrt(2000) / 500, "period %d: %.1f %% off", period[i],
		       100 * off);
	}
}

static void test_draws(void)
{
	unsigned hit[10] = {0}, least = 10000, most = 0;

	begin(10);
	for (int block = 0; block < 10000; block++) {
		int drawn = 0;

		for (int i = 0; i < 10; i++)
			if (measure_draw(&thread)) {
				hit[i]++;
				drawn++;
			}
		if (drawn != 1)
			tap_int(drawn, 1, "one of each block");
	}
	for (int i = 0; i < 10; i++) {
		least = hit[i] < least ? hit[i] : least;
		most = hit[i] > most ? hit[i] : most;
	}
	tap_ok(least > 800 && most < 1200, "each place of a block: %u to %u of 10000 times", least,
	       most);
}

static void test_nested(void)
{
	begin(2);
	for (int i = 0; i < 100; i++) {
		acquire(10, 0);
		acquire(10, 0);
		release(20);
		now += 500;
		release(20);
	}
	tap_int((long long)row.nested, 100, "for one more time is no other hold");
	tap_int((long long)locks_n(&row, LOCKS_ACQUIRE), 200, "each is counted");
	tap_int((long long)locks_n(&row, LOCKS_RELEASE), 200, "and each release");
	tap_int((long long)locks_n(&row, LOCKS_HOLD), 100, "and holds");
	tap_int(slot.n_held, 0, "nothing is held");
}

static void test_unknown(void)
{
	struct locks_estimate e;

	begin(1000000);
	thread.left = 2000000; /* more than the number of calls, so none is drawn */
	pair(10, 0, 100, 20);
	e = locks_estimate(&row, LOCKS_HOLD);
	tap_ok(e.n == 1 && !e.known && !e.exact, "none was drawn: nothing is known");
	pair(10, 70, 100, 20);
	e = locks_estimate(&row, LOCKS_ACQUIRE);
	tap_ok(e.n == 2 && !e.known, "who waited tells nothing of the others");
	tap_int((long long)e.max, 70, "but the longest that is known");
	begin(1000000);
	thread.left = 2000000;
	pair(10, 70, 100, 20);
	e = locks_estimate(&row, LOCKS_ACQUIRE);
	tap_ok(e.known && e.sum == 70, "where all waited, all is known");
	e = locks_estimate(&(struct locks_row){.instance = 1}, LOCKS_HOLD);
	tap_ok(!e.known && !e.n, "what never was");
	row = (struct locks_row){.contended = ~0ull, .waited = ~0ull, .untimed = {~0ull, 1, 1}};
	row.phase[LOCKS_ACQUIRE].n = 2;
	tap_int(locks_estimate(&row, LOCKS_ACQUIRE).exact, 0, "a damaged table does no harm");
}

/* --- plain threads --- */

/* Locks in the order of their use: acquired, or, negative, released; one is acquired twice. */
static const int uses[] = {1, -1, 1, 2, -2, -1, 1, 2, 3, -1, -3, -2, 2, 2, -2, -2, 3, -3};

static void use_plain(uintptr_t lock, bool acquires)
{
	struct measure_plain p;

	if (!acquires) {
		const uint64_t begun = now;

		now += 7;
		if (!measure_released_plain(&thread, lock, begun, now))
			measure_released(&thread, lock, &(struct moment){.ticks = begun},
					 &(struct moment){.ticks = now});
		return;
	}
	if (!measure_begin_plain(&p, &thread, LOCK, CALLER))
		return;
	p.begin = now;
	now += 5;
	if (!measure_acquired_plain(&thread, &p, lock, CALLER, now)) {
		struct measure m = {.end.ticks = now};

		measure_init(&m, &thread, lock, CALLER, LOCKS_MUTEX);
		measure_continue(&m, &p);
		measure_acquired(&m);
	}
}

static void use_all(uintptr_t lock, bool acquires)
{
	struct measure m = {.t = NULL};

	if (!acquires) {
		const struct moment begun = {.ticks = now};

		now += 7;
		measure_released(&thread, lock, &begun, &(struct moment){.ticks = now});
		return;
	}
	measure_init(&m, &thread, LOCK, CALLER, LOCKS_MUTEX);
	measure_begin(&m);
	m.lock = lock;
	now += 5;
	measure_end(&m, true);
}

/* Uses the locks, from the time 1000 on, and copies what was written. */
static void use(void (*by)(uintptr_t lock, bool acquires), struct locks_thread *to_slot,
		struct locks_row *to_row)
{
	now = 1000;
	instance = (struct locks_instance){.kind = LOCKS_MUTEX};
	begin(1);
	thread.ready = thread.measured = THREAD_PLAIN;
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		now += 100 * i;
		by(LOCK + 64 * (uintptr_t)(uses[i] < 0 ? -uses[i] : uses[i]), uses[i] > 0);
	}
	*to_slot = slot;
	*to_row = row;
}

static void test_plain(void)
{
	static struct locks_thread plain, all;
	static struct locks_row plain_row, all_row;
	struct measure_plain p = {.begin = 0};

	use(use_plain, &plain, &plain_row);
	use(use_all, &all, &all_row);
	tap_ok(!memcmp(plain.ticks, all.ticks, sizeof all.ticks) && plain.state == all.state &&
		       plain.since == all.since && plain.n_pairs == all.n_pairs &&
		       plain.n_held == all.n_held,
	       "plain: the thread is as by the other functions");
	tap_ok(!memcmp(plain_row.phase, all_row.phase, sizeof all_row.phase) &&
		       plain_row.nested == all_row.nested,
	       "plain: so is the row");
	tap_int((long long)plain.n_pairs, 8, "plain: all outer pairs");
	tap_ok(!(plain.sequence & 1) && !(plain_row.sequence & 1) && thread.ready == THREAD_PLAIN,
	       "plain: all changes are closed");
	slot.since = now + 9;
	p = (struct measure_plain){.instance = &instance, .row = &row, .begin = now};
	tap_ok(!measure_acquired_plain(&thread, &p, LOCK, CALLER, now + 5),
	       "plain: not after a signal handler");
	tap_ok(!measure_released_plain(&thread, LOCK, now, now), "plain: nor what is not held");
}

static __attribute__((noinline)) uintptr_t find_caller(void)
{
	return FIND_CALLER;
}

/* The instruction before a caller is the call, in Thumb code of 32-bit Arm, too. */
static void test_caller(void)
{
	const uintptr_t caller = find_caller();

	tap_ok(caller && !(caller & ARCH_RETURN_FLAGS), "a caller is an address without flags");
}

int main(void)
{
	test_caller();
	test_plain();
	test_equal();
	test_waits();
	test_patterns();
	test_draws();
	test_nested();
	test_unknown();
	return tap_done();
}
