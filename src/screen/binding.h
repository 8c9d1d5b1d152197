/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * binding - finds, for each counter of a screen, the matching event in a reading, or the reason why
 * the reading has none.
 *
 * A screen names its counters by aliases; struct screen_numbers has their events on a machine. A
 * reading has a set of events, but no aliases. The binding compares the events of both with
 * sample_event_equal(), so any screen can be evaluated for any sample. It is pure. Its result is
 * cached for each set of events; most screens need one set per generation.
 *
 * The counters of one column are bound to events of the first group that has them all: a ratio is
 * only true if both of its counters were on the PMU at the same time. If no group has all, each
 * counter is bound to its first match; the quality of its values then says which share of the time
 * is missing. Only events of core PMUs need a common group: software events are never multiplexed.
 *
 * Ownership: the binding borrows screen and numbers, and holds a reference to each set in its
 * cache.
 */
#ifndef SCREEN_BINDING_H
#define SCREEN_BINDING_H

#include <stddef.h>

#include "model/sample_event.h"
#include "screen/column.h"

/* The events of a screen's counters on one machine. A counter has an event for each kind of cores;
 * the first of them is its head (model/sample_event.h). */
struct screen_numbers {
	struct sample_events *events;
	int n_counters;
	int *head; /* [n_counters] index of the counter's head in events */
};

/* The event to which a counter is bound in one column. */
struct bound {
	int event;       /* index of the head in the set of the reading; -1: none */
	uint8_t quality; /* enum quality: the reason if event is -1 */
};

struct binding {
	const struct screen *screen;
	const struct screen_numbers *numbers;
	struct shown shown;       /* the values that its columns show */
	struct binding_set **set; /* the cache: an entry for each set of events, the newest last */
	size_t n, cap;
};

/* Sets the numbers of a screen: the head of counter i is event head[i]. Copies head; takes over the
 * reference to `events`. */
void screen_numbers_init(struct screen_numbers *numbers, struct sample_events *events,
			 const int *head, int n_counters);
void screen_numbers_done(struct screen_numbers *numbers);

void binding_init(struct binding *b, const struct screen *screen,
		  const struct screen_numbers *numbers);
void binding_done(struct binding *b);

/* Returns the bound counters of all columns, [n_columns][n_counters]; valid until the next call
 * with another set. events: the set of the reading; NULL: it has no events. */
const struct bound *binding_columns(struct binding *b, const struct sample_events *events);
/* Returns the bound counters of one column, [n_counters]. */
const struct bound *binding_column(struct binding *b, const struct sample_events *events,
				   size_t column);

/* Returns whether all counters of each column are available, and those of core PMUs in one group.
 * Counters that the machine lacks are ignored. */
bool binding_is_whole(struct binding *b, const struct sample_events *events);

/* ---- origins ----
 *
 * The events of a screen's counters on this machine, as texts for the explanation of columns. They
 * are here for the layers above; origins_fill() (bind/encodings.h) fills them.
 *
 * Ownership: the list owns its strings; origins_done() frees them.
 */

/* One event; a counter on a hybrid machine has several. */
struct origin {
	char *counter; /* the alias in expressions */
	/* The next four are NULL if this machine has no event for the counter. modes: those in
	 * which the event is counted. */
	char *what;  /* the event as declared: "FP_ASSIST:ANY" */
	char *pmu;   /* "cpu", "cpu_atom", "software" */
	char *code;  /* "type 4, config 0x1eca" */
	char *modes; /* "user mode", "user mode and kernel" */
	/* What the event counts on this CPU: a sentence without a full stop; NULL: unknown. */
	char *meaning;
};

struct origins {
	struct origin *v;
	size_t n;
};

void origins_done(struct origins *e);

#endif
