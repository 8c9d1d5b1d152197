/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded_events - the events for made-up recordings of bench/ and tests/: those of the screen
 * default, with the kernel's numbers, on a PMU "cpu".
 */
#ifndef TESTS_RECORDED_EVENTS_H
#define TESTS_RECORDED_EVENTS_H

#include "model/sample_event.h"

enum { RECORDED_EVENTS = 5 };

static inline struct sample_events *recorded_events_new(void)
{
	static const char *const name[RECORDED_EVENTS] = {"cycles", "instructions", "cache-misses",
							  "branch-misses", "bus-cycles"};
	static const uint64_t config[RECORDED_EVENTS] = {0, 1, 3, 5, 6};
	struct sample_event event[RECORDED_EVENTS];

	for (int i = 0; i < RECORDED_EVENTS; i++)
		event[i] = (struct sample_event){.given = name[i],
						 .resolved = name[i],
						 .pmu = "cpu",
						 .kind = EVENT_HARDWARE,
						 .config = config[i],
						 .modes = MODE_USER | MODE_HOST};
	return sample_events_new(event, RECORDED_EVENTS);
}

#endif
