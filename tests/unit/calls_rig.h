/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls_rig - a made-up table of library calls, in the format of the preloaded object. Slot 0 is of
 * ended threads; the slots 1 and 2 are of running threads, one of which has been in the program
 * since tick 2000, the other one in read(). Slot s has s + 1 calls of read() of 300 ticks each, ten
 * times as many calls of malloc() of 20 ticks each, and s + 1 more calls of malloc() without a
 * time. The times vary by 2 ticks. A tick is 2 ns.
 */
#ifndef TESTS_CALLS_RIG_H
#define TESTS_CALLS_RIG_H

#include <stdlib.h>
#include <unistd.h>

#include "container_rig.h"
#include "inject/preload/calls_table.h"

enum { RIG_READ, RIG_MALLOC, RIG_FREE, RIG_FUNCTIONS };

static inline void rig_write_slot(int fd, uint32_t place, uint64_t factor)
{
	const struct calls_thread thread = {
		.sequence = 2,
		.tid = place ? 4710 + place : 0,
		.function = place == 2 ? RIG_READ + 1 : 0,
		.begin = 1000,
		.since = 2000,
		.program = 500 * factor,
	};
	const struct calls_row row[RIG_FUNCTIONS] = {
		[RIG_READ] = {.calls = factor,
			      .self = 300 * factor,
			      .total = 300 * factor,
			      .max = 300,
			      .depth = place == 2},
		[RIG_MALLOC] = {.calls = 10 * factor,
				.amid = factor,
				.nested = factor,
				.self = 200 * factor,
				.total = 200 * factor,
				.max = 20 * factor,
				.squares = 4000.0 * (double)factor + (place == 2 ? 236 : 0)},
	};
	const size_t at = calls_slot_offset(RIG_FUNCTIONS, place);

	rig_put(fd, &thread, sizeof thread, at);
	rig_put(fd, row, sizeof row, at + sizeof thread);
}

static inline struct calls_header rig_header(void)
{
	struct container_place place[CALLS_SECTIONS - 1];
	struct calls_header h = {
		.n_functions = RIG_FUNCTIONS,
		.n_slots = 4,
		.ns_per_tick = 2ull << 32,
		.overhead = 10 * CALLS_OVERHEAD_UNIT,
		.inside = 4 * CALLS_OVERHEAD_UNIT,
		.begin = 1000,
		.n_threads = 5,
	};

	calls_places(place, &h);
	rig_begin(&h.container, &calls_plan, place, 4711);
	return h;
}

/* Writes a header, and sections of the sizes in it. */
static inline void rig_put_header(int fd, const struct calls_header *h)
{
	struct container_place place[CALLS_SECTIONS - 1];

	calls_places(place, h);
	rig_put(fd, h, sizeof *h, 0);
	rig_put_directory(fd, &calls_plan, place);
}

static inline void rig_write(int fd)
{
	static const struct calls_function functions[RIG_FUNCTIONS] = {
		{"read", "io"}, {"malloc", "memory"}, {"fr\033e", "memory"}};
	const struct calls_header h = rig_header();

	if (ftruncate(fd, 0) || ftruncate(fd, CALLS_SIZE_MAX))
		abort();
	rig_put_header(fd, &h);
	rig_put(fd, functions, sizeof functions, calls_functions_offset());
	for (uint32_t place = 0; place < 3; place++)
		rig_write_slot(fd, place, place + 1);
}

#endif
