/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * binding - which number of a reading each counter of a screen is; or why none.
 *
 * A screen knows its counters by aliases; what these are on a machine, the struct screen_numbers
 * says. A reading knows its events, and no screen. The binding puts the two together by what the
 * events are (sample_event.h), so that any screen can be asked of any sample. It is pure, made when
 * a set of events is met for the first time, and kept: once a generation for most.
 *
 * The counters of one column come from one group, the first one that has them all: a ratio is only
 * true where both were on the PMU at the same time. Where none has them all, each counter is the
 * first number that it can be; the quality of the values then says how much of the time is missing.
 * Only what the PMUs of the cores count has to share them; the kernel's own events never wait.
 *
 * Ownership: the binding borrows screen and numbers, and holds a reference to each set that it met.
 */
#ifndef SCREEN_BINDING_H
#define SCREEN_BINDING_H

#include "model/sample_event.h"
#include "screen/column_kind.h"

/* What the counters of a screen are on the machine that is asked. */
struct screen_numbers {
	struct sample_events *events;
	int n_counters;
	int *head; /* [n_counters] in events */
};

/* What a counter is where a column uses it. */
struct bound {
	int event;       /* in the set of the reading; -1: none */
	uint8_t quality; /* where event is -1: the reason */
};

struct binding {
	const struct screen *screen;
	const struct screen_numbers *numbers;
	struct shown shown;       /* what its columns show */
	struct binding_set **set; /* one for each set that was met, the latest last */
	size_t n, cap;
};

/* Sets the numbers of a screen: counter i is the number at head[i], which is copied. The reference
 * to `events` is taken over. */
void screen_numbers_init(struct screen_numbers *numbers, struct sample_events *events,
			 const int *head, int n_counters);
void screen_numbers_done(struct screen_numbers *numbers);

void binding_init(struct binding *b, const struct screen *screen,
		  const struct screen_numbers *numbers);
void binding_done(struct binding *b);

/* Returns what the counters are where columns use them, [n_columns][n_counters]; valid until the
 * next call for another set. events NULL: a reading of which nothing was wanted. */
const struct bound *binding_columns(struct binding *b, const struct sample_events *events);
/* The same of one column, [n_counters]. */
const struct bound *binding_column(struct binding *b, const struct sample_events *events,
				   size_t column);

/* Whether all counters of all columns are numbers of the set that can be had, those of each column
 * in one group; what the machine does not have is not asked for. */
bool binding_is_whole(struct binding *b, const struct sample_events *events);

#endif
