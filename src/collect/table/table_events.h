/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_events - converts the events of a table, which has only their names, into the events of
 * readings, as resolved for this machine.
 */
#ifndef COLLECT_TABLE_TABLE_EVENTS_H
#define COLLECT_TABLE_TABLE_EVENTS_H

#include "inject/preload/table_note.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

struct tables_event {
	const char *name;
	enum quality quality;   /* QUALITY_EXACT, or why the process does not have the event */
	char mode;              /* modifier that its name had, 'u' or 'k'; 0: none */
	enum event_phase phase; /* phase of a lock in which it is counted */
};

/* Resolves the n events, with a part for each kind of cores. All of them are in one group, as they
 * are read at the same time. The caller owns the reference. */
struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n);
/* Returns the reason why no thread has the event, from the note in its table; QUALITY_EXACT: some
 * threads have it. */
enum quality tables_event_quality(const struct event_note *note);
/* Sets the counts of a reading, whose events are those of tables_events_new(). count: a count for
 * each event, in order, not for each part; unread: bit i: count[i] is unknown; ns: the time in
 * which they were counted. */
void tables_set_counts(struct task *t, const uint64_t count[], uint64_t unread, uint64_t ns);

#endif
