/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * binding - maps each counter of a screen to a number of a reading, or to the reason why there is
 * none.
 *
 * A screen names its counters by aliases; struct screen_numbers has their events on a machine. A
 * reading has events, but knows no screen. The binding matches both by sample_event_equal(), so any
 * screen can be evaluated for any sample. It is pure, and is computed once per set of events and
 * cached: for most screens once per generation.
 *
 * The counters of one column come from the first group that has them all: a ratio is only true if
 * both were on the PMU at the same time. If no group has all, each counter is bound to its first
 * match; the quality of its values then says which share of the time is missing. This concerns only
 * events of core PMUs; software events never wait.
 *
 * Ownership: the binding borrows screen and numbers, and holds a reference to each set in its
 * cache.
 */
#ifndef SCREEN_BINDING_H
#define SCREEN_BINDING_H

#include "model/sample_event.h"
#include "screen/column_kind.h"

/* The numbers of the counters of a screen on one machine. */
struct screen_numbers {
	struct sample_events *events;
	int n_counters;
	int *head; /* [n_counters] in events */
};

/* The number of a counter in one column. */
struct bound {
	int event;       /* index in the set of the reading; -1: none */
	uint8_t quality; /* the reason if event is -1 */
};

struct binding {
	const struct screen *screen;
	const struct screen_numbers *numbers;
	struct shown shown;       /* the values that its columns show */
	struct binding_set **set; /* cache, one for each set, the newest last */
	size_t n, cap;
};

/* Sets the numbers of a screen: counter i is the number at head[i]; head is copied. Takes over the
 * reference to `events`. */
void screen_numbers_init(struct screen_numbers *numbers, struct sample_events *events,
			 const int *head, int n_counters);
void screen_numbers_done(struct screen_numbers *numbers);

void binding_init(struct binding *b, const struct screen *screen,
		  const struct screen_numbers *numbers);
void binding_done(struct binding *b);

/* Returns the numbers of the counters in each column, [n_columns][n_counters]; valid until the next
 * call with another set. events NULL: a reading without events. */
const struct bound *binding_columns(struct binding *b, const struct sample_events *events);
/* Returns the numbers of one column, [n_counters]. */
const struct bound *binding_column(struct binding *b, const struct sample_events *events,
				   size_t column);

/* Returns whether each column has all its counters, available and in one group. Counters that the
 * machine lacks are ignored. */
bool binding_is_whole(struct binding *b, const struct sample_events *events);

#endif
