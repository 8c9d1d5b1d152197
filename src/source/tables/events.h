/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events - what a process says that it has counted, as the events of readings: it tells their names
 * alone, and this machine knows what they are.
 */
#ifndef SOURCE_TABLES_EVENTS_H
#define SOURCE_TABLES_EVENTS_H

#include "event/machine.h"
#include "model/sample_event.h"

struct tables_event {
	const char *name;
	enum quality quality; /* QUALITY_EXACT, or why the process does not have it */
};

/* A part for each kind of cores, all read at one moment. Returns a new reference. */
struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n);

#endif
