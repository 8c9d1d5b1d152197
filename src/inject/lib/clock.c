/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

/* The duration of the first measurement of the time stamp counter's speed. */
#define FIRST_MEASURE_NS 1000000

/* The tries to read both clocks for an anchor (clock.h), so that no interrupt disturbs at least one
 * try. */
#define ANCHOR_TRIES 3

/* The speed of the time stamp counter, the same on all CPUs. ns_per_tick is in units of 2^-32 ns; a
 * longer measurement makes it more precise. */
static struct {
	pthread_once_t once;
	bool steady;
	uint64_t ticks, ns; /* at the start of the measurement */
	atomic_uint_least64_t ns_per_tick, measured_ns;
} speed = {.once = PTHREAD_ONCE_INIT};

/* Reads both clocks at one moment. Of some tries, takes the shortest one, which no interrupt has
 * lengthened. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
	uint64_t shortest = UINT64_MAX;

	*ns = *ticks = 0;
	for (int try = 0; try < ANCHOR_TRIES; try++) {
		uint64_t before = arch_read_time(), now = clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t took = arch_read_time() - before;

		if (took < shortest) {
			shortest = took;
			*ns = now;
			*ticks = before + took / 2;
		}
	}
}

/* Measures the speed over the time since the first measurement began, if that time is at least
 * twice as long as at the last measurement. */
static void measure_speed(void)
{
	uint64_t ns, ticks;

	read_both(&ns, &ticks);
	ns -= speed.ns;
	ticks -= speed.ticks;
	if (ns < 2 * atomic_load_explicit(&speed.measured_ns, memory_order_relaxed) || !ticks)
		return;
	/* ns and ticks are halved until ns << 32 below cannot overflow. */
	while (ns >> 32 || ticks >> 32) {
		ns >>= 1;
		ticks >>= 1;
	}
	atomic_store_explicit(&speed.ns_per_tick, (ns << 32) / ticks, memory_order_relaxed);
	atomic_store_explicit(&speed.measured_ns, clock_ns(CLOCK_MONOTONIC_RAW) - speed.ns,
			      memory_order_relaxed);
}

static void begin_speed(void)
{
	speed.steady = arch_time_is_steady();
	if (!speed.steady)
		return;
	read_both(&speed.ns, &speed.ticks);
	while (clock_ns(CLOCK_MONOTONIC_RAW) - speed.ns < FIRST_MEASURE_NS)
		;
	measure_speed();
}

uint64_t tt_clock_speed(void)
{
	pthread_once(&speed.once, begin_speed);
	if (speed.steady)
		measure_speed();
	return atomic_load_explicit(&speed.ns_per_tick, memory_order_relaxed);
}

static int open_dummy(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Maps the page of a software event. The event stays open without a descriptor as long as its page
 * is mapped. Returns NULL if the event cannot be opened or mapped. */
static page_t *map_dummy(void)
{
	const int fd = open_dummy();
	page_t *page = MAP_FAILED;

	if (fd < 0)
		return NULL;
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return page == MAP_FAILED ? NULL : page;
}

void tt_clock_open(struct tt_clock *c)
{
	*c = (struct tt_clock){.page = NULL};
	pthread_once(&speed.once, begin_speed);
	if (speed.steady)
		c->page = map_dummy();
	/* With a lock that differs from the page's, the first reading sets an anchor. */
	if (c->page)
		c->lock = c->page->lock - 1;
}

void tt_clock_close(struct tt_clock *c)
{
	if (c->page)
		munmap((void *)(uintptr_t)c->page, (size_t)sysconf(_SC_PAGESIZE));
	*c = (struct tt_clock){.page = NULL};
}

/* Sets a new anchor: reads both clocks at one moment, without a context switch in between. An
 * interrupt does not change the lock, so of several tries the one that took the shortest time is
 * used. Returns false if a context switch disturbed every try. */
static bool set_anchor(struct tt_clock *c)
{
	uint64_t shortest = UINT64_MAX;

	for (int try = 0, good = 0; try < PAGE_TRIES && good < ANCHOR_TRIES; try++) {
		uint32_t lock = c->page->lock;
		uint64_t before, after, ns;

		ARCH_BARRIER();
		before = arch_read_time();
		ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		after = arch_read_time();
		ARCH_BARRIER();
		if (c->page->lock != lock)
			continue;
		good++;
		/* A context switch since the last good try makes that try void. */
		if (lock != c->lock || after - before < shortest) {
			shortest = after - before;
			c->lock = lock;
			c->anchor_ns = ns;
			c->anchor_ticks = before + shortest / 2;
		}
	}
	return shortest != UINT64_MAX;
}

/* Reads the time from the time stamp counter. Returns false if the thread has lost its CPU since
 * the anchor was set. */
static bool read_since_anchor(const struct tt_clock *c, uint64_t *ns)
{
	uint64_t ticks;

	if (c->page->lock != c->lock)
		return false;
	ARCH_BARRIER();
	ticks = arch_read_time();
	ARCH_BARRIER();
	*ns = c->anchor_ns +
	      tt_multiply(ticks - c->anchor_ticks,
			  atomic_load_explicit(&speed.ns_per_tick, memory_order_relaxed));
	return c->page->lock == c->lock;
}

uint64_t tt_clock_read(struct tt_clock *c, enum tt_state *state)
{
	uint64_t ns;

	*state = c->page ? TT_TSC : TT_SYSCALL;
	if (!c->page) {
		ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	} else if (!read_since_anchor(c, &ns)) {
		measure_speed();
		if (!set_anchor(c))
			*state = TT_SYSCALL;
		ns = *state == TT_TSC ? c->anchor_ns : clock_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	/* A new anchor may lie before the last time returned, as the measured speed is not exact.
	 */
	if (ns < c->last_ns)
		ns = c->last_ns;
	c->last_ns = ns;
	return ns;
}
