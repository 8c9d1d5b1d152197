/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks_rig - made-up tables of locks, in the format of the preloaded object. Thread t (0: ended
 * threads) acquired lock i from caller 0x1000 + c, i + c + t + 1 times. Each acquisition took 10
 * ticks, each hold 1000 and each release 20. A tick is 1 ns.
 */
#ifndef TESTS_LOCKS_RIG_H
#define TESTS_LOCKS_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container_rig.h"
#include "inject/preload/table.h"

#define RIG_THREADS 3
#define RIG_LOCKS   4
#define RIG_CALLERS 2
#define RIG_ROWS    (RIG_THREADS * RIG_LOCKS * RIG_CALLERS)
/* A row that no lock uses. */
#define RIG_FREE_ROW 5
/* Caller 1 of the last lock waited for RIG_WAITS - 1 other callers: k times for the k-th of them,
 * and longest for the second one. */
#define RIG_WAITS 4
/* Events added by rig_add_events(): the first one counts RIG_COUNT in each acquisition, twice as
 * much in each hold, and three times as much in each release. Thread 2 does not count the second
 * one. */
#define RIG_EVENTS 2
#define RIG_COUNT  7

static inline struct locks_header rig_header(void)
{
	struct container_place place[LOCKS_SECTIONS - 1];
	struct locks_header h = {
		.max_rows = locks_max_rows(LOCKS_SIZE_MAX, 0),
		.ns_per_tick = 1ull << 32,
		.overhead_ticks = 50,
		.begin = 1000000,
		.end = 3000000,
		.n_modules = 1,
		.n_instances = RIG_LOCKS,
		.n_rows = RIG_ROWS + 1,
		.n_waits = RIG_WAITS,
		.sample = 1,
		.n_threads = RIG_THREADS,
		.n_ended = 1,
	};

	locks_places(place, &h);
	rig_begin(&h.container, &locks_plan, place, 4711);
	return h;
}

static inline uint64_t rig_acquisitions(unsigned t, unsigned i, unsigned c)
{
	return i + c + t + 1;
}

/* Writes a header, and sections of the sizes in it. */
static inline void rig_put_header(int fd, const struct locks_header *h)
{
	struct container_place place[LOCKS_SECTIONS - 1];

	locks_places(place, h);
	rig_put(fd, h, sizeof *h, 0);
	rig_put_directory(fd, &locks_plan, place);
}

static inline void rig_fill_row(struct locks_row *row, unsigned t, unsigned i, unsigned c)
{
	*row = (struct locks_row){.sequence = 2,
				  .instance = i + 1,
				  .slot = t,
				  .caller = 0x1000 + c,
				  .contended = c,
				  .waited = 2 * c};
	for (uint64_t n = rig_acquisitions(t, i, c); n; n--) {
		locks_quantity_add(&row->phase[LOCKS_ACQUIRE], 10);
		locks_quantity_add(&row->phase[LOCKS_HOLD], 1000);
		locks_quantity_add(&row->phase[LOCKS_RELEASE], 20);
	}
}

/* Writes the threads: thread t runs from tick 1000000 + t on, and was last seen 1000 ticks
 * later. */
static inline void rig_write_threads(int fd)
{
	for (unsigned t = 0; t < RIG_THREADS; t++) {
		struct locks_thread thread = {
			.sequence = 2,
			.tid = t ? 4710 + t : 0,
			.number = t,
			.state = LOCKS_FREE,
			.begin = 1000000 + t,
			.since = 1001000 + t,
			.ticks = {100, 200, 690, 10},
			.n_pairs = 10,
			.sched = {.total = {1, t ? 1000000 : 600, t ? 200000 : 100, 10, 5},
				  .waited = {[LOCKS_MUTEX] = t ? 400000 : 100,
					     [LOCKS_COND] = t ? 150000 : 100},
				  .waited_run = {[LOCKS_MUTEX] = t * 100}},
		};

		rig_put(fd, &thread, sizeof thread, offsetof(struct locks_head, slot[t]));
	}
}

static inline void rig_write_rows(int fd)
{
	uint32_t at = 0;

	for (unsigned t = 0; t < RIG_THREADS; t++)
		for (unsigned i = 0; i < RIG_LOCKS; i++)
			for (unsigned c = 0; c < RIG_CALLERS; c++) {
				struct locks_row row = {.slot = LOCKS_NO_SLOT, .sequence = 2};

				if (at == RIG_FREE_ROW)
					rig_put(fd, &row, sizeof row, locks_row_offset(at++));
				rig_fill_row(&row, t, i, c);
				rig_put(fd, &row, sizeof row, locks_row_offset(at++));
			}
}

static inline void rig_write_waits(int fd)
{
	for (unsigned k = 1; k < RIG_WAITS; k++) {
		struct locks_wait w = {.instance = RIG_LOCKS,
				       .n_frames = 2,
				       .holder = 0x1000 + k,
				       .frame = {0x1001, 0x1100},
				       .n = k,
				       .ticks = k == 2 ? 3 : 1};

		rig_put(fd, &w, sizeof w, offsetof(struct locks_head, wait[k]));
	}
}

/* Writes the whole table of a process into the file. */
static inline void rig_write(int fd)
{
	struct locks_header h = rig_header();
	struct locks_module m = {.begin = 0x1000, .end = 0x2000, .path = "/no/such/\033program"};

	if (ftruncate(fd, 0) || ftruncate(fd, LOCKS_SIZE_MAX))
		abort();
	rig_put_header(fd, &h);
	rig_put(fd, &m, sizeof m, offsetof(struct locks_head, module));
	for (unsigned i = 0; i < RIG_LOCKS; i++) {
		struct locks_instance lock = {.address = 0x5000 + 0x40 * i,
					      .first_caller = 0x1011,
					      .owner_changes = i,
					      .generation = 1};

		rig_put(fd, &lock, sizeof lock,
			offsetof(struct locks_head, instance) + i * sizeof lock);
	}
	rig_write_threads(fd);
	rig_write_waits(fd);
	rig_write_rows(fd);
}

static inline void rig_put_counts(int fd, uint32_t row, const struct locks_row *of)
{
	const uint32_t max = locks_max_rows(LOCKS_SIZE_MAX, RIG_EVENTS);
	struct locks_quantity q[RIG_EVENTS * LOCKS_PHASES] = {{.n = 0}};

	for (uint32_t e = 0; e < RIG_EVENTS; e++)
		for (uint32_t p = 0; p < LOCKS_PHASES && (!e || of->slot != 2); p++)
			for (uint64_t n = of->phase[p].n; n; n--)
				locks_quantity_add(&q[e * LOCKS_PHASES + p],
						   (e + 1) * (p + 1) * RIG_COUNT);
	rig_put(fd, q, sizeof q, locks_counts_offset(RIG_EVENTS, max, row));
}

/* Adds events to a table that was written. */
static inline void rig_add_events(int fd)
{
	struct locks_header h = rig_header();
	struct locks_thread thread;
	struct locks_row row;

	h.n_events = RIG_EVENTS;
	h.max_rows = locks_max_rows(LOCKS_SIZE_MAX, RIG_EVENTS);
	h.event[0] = (struct event_note){
		.name = "cycles", .n_threads = {RIG_THREADS, 0, 0}, .overhead = 30};
	h.event[1] = (struct event_note){
		.name = "a,b", .n_threads = {1, 1, 1}, .error = 24, .all_modes = 2};
	rig_put_header(fd, &h);
	for (uint32_t i = 0; i < h.n_rows; i++) {
		if (pread(fd, &row, sizeof row, (off_t)locks_row_offset(i)) != sizeof row)
			abort();
		if (row.slot != LOCKS_NO_SLOT)
			rig_put_counts(fd, i, &row);
	}
	for (unsigned t = 0; t < RIG_THREADS; t++) {
		const off_t at = (off_t)offsetof(struct locks_head, slot[t]);

		if (pread(fd, &thread, sizeof thread, at) != sizeof thread)
			abort();
		for (int s = 0; s < LOCKS_STATES; s++)
			thread.count[0][s] = thread.count[1][s] = 100 * (uint64_t)(s + 1);
		thread.lacking[1] = t == 2;
		rig_put(fd, &thread, sizeof thread, (size_t)at);
	}
}

#endif
