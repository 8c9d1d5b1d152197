/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rig - made-up tables of regions, in the format of libtiptop. Region i of thread t has been
 * called i + t + 1 times, for 1000 ticks of 1 ns each; event e counted 10 (e + 1) in each call.
 * Slot 0, to which ending threads add their rows, has no sequence counters.
 */
#ifndef TESTS_REGION_RIG_H
#define TESTS_REGION_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container_rig.h"
#include "inject/lib/table.h"

#define RIG_THREADS 3 /* slot 0 is of ended threads */
#define RIG_REGIONS 4
#define RIG_EVENTS  2

static inline struct table_header rig_header(uint32_t pid)
{
	struct container_place place[TABLE_SECTIONS - 1];
	struct table_header h = {
		.row_size = (uint32_t)table_row_size(RIG_EVENTS),
		.n_events = RIG_EVENTS,
		.ns_per_tick = 1ull << 32,
		.n_regions = RIG_REGIONS,
		.event = {{.name = "instructions"}, {.name = "cycles"}},
	};

	tt_table_places(place, RIG_EVENTS, (size_t)sysconf(_SC_PAGESIZE));
	rig_begin(&h.container, &tt_table_plan, place, pid);
	return h;
}

static inline size_t rig_slot(unsigned slot)
{
	return table_slot_offset((uint32_t)table_row_size(RIG_EVENTS),
				 (size_t)sysconf(_SC_PAGESIZE), slot);
}

/* Returns the index of the row of a region. */
static inline size_t rig_row(unsigned slot, unsigned region)
{
	return rig_slot(slot) + sizeof(struct table_slot) + region * table_row_size(RIG_EVENTS);
}

static inline uint64_t rig_calls(unsigned slot, unsigned region)
{
	return slot + region + 1;
}

/* Returns the calls of a region in all threads. */
static inline uint64_t rig_all_calls(unsigned region)
{
	uint64_t n = 0;

	for (unsigned slot = 0; slot < RIG_THREADS; slot++)
		n += rig_calls(slot, region);
	return n;
}

static inline void rig_fill_row(struct table_row *row, uint64_t calls)
{
	memset(row, 0, table_row_size(RIG_EVENTS));
	row->sequence = 2 * (uint32_t)calls;
	row->calls = calls;
	row->epoch = 1;
	for (uint32_t i = 0; i <= RIG_EVENTS; i++) {
		uint64_t x = i ? 10 * i : 1000;
		struct table_quantity *q = table_quantity(row, i);

		q->min = q->max = x;
		q->base = x;
		q->bucket[i ? 4 : 10] = (uint32_t)calls;
	}
}

/* Writes the whole table of a process into the file. */
static inline void rig_write(int fd, uint32_t pid)
{
	struct table_header h = rig_header(pid);
	struct container_place place[TABLE_SECTIONS - 1];
	uint64_t row[512];

	tt_table_places(place, RIG_EVENTS, (size_t)sysconf(_SC_PAGESIZE));
	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)rig_slot(TABLE_SLOTS)))
		abort();
	rig_put(fd, &h, sizeof h, 0);
	rig_put_directory(fd, &tt_table_plan, place);
	for (unsigned i = 0; i < RIG_REGIONS; i++) {
		struct table_region region = {.epoch = 1};

		snprintf(region.label, sizeof region.label, "region %u", i);
		rig_put(fd, &region, sizeof region, table_region_offset() + i * sizeof region);
	}
	for (unsigned slot = 0; slot < RIG_THREADS; slot++) {
		struct table_slot s = {.tid = slot};

		rig_put(fd, &s, sizeof s, rig_slot(slot));
		for (unsigned i = 0; i < RIG_REGIONS; i++) {
			rig_fill_row((void *)row, rig_calls(slot, i));
			((struct table_row *)(void *)row)->sequence *= slot > 0;
			rig_put(fd, row, table_row_size(RIG_EVENTS), rig_row(slot, i));
		}
	}
}

#endif
