/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_events - what a process says that it has counted, as the events of readings: it tells their
 * names alone, and this machine knows what they are.
 */
#ifndef COLLECT_TABLE_TABLE_EVENTS_H
#define COLLECT_TABLE_TABLE_EVENTS_H

#include "inject/preload/event_note.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

struct tables_event {
	const char *name;
	enum quality quality;   /* QUALITY_EXACT, or why the process does not have it */
	char mode;              /* the modifier that it had beside its name, 'u' or 'k'; 0: none */
	enum event_phase phase; /* of a lock */
};

/* A part for each kind of cores, all read at one moment. Returns a new reference. */
struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n);
/* Why no thread has the event, by the notes of its table; QUALITY_EXACT: some have. */
enum quality tables_event_quality(const struct event_note *note);
/* Sets the counts of a reading that has these events: of each number, in their order. unread: bit
 * i: nobody knows number i. ns: the time in which that was counted. */
void tables_set_counts(struct task *t, const uint64_t count[], uint64_t unread, uint64_t ns);

#endif
