/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace - when the next sample is taken: after the delay of the user, or where the source has its
 * own times, at those.
 *
 * Where the first interval is a whole one, as of lines for programs, the times are reckoned from
 * the begin (collect/cpu/rotation.h): one that comes late makes the next one no later, and those
 * that have passed meanwhile are passed over.
 *
 * The loop waits for pace.timer_fd and, where it is not -1, for the descriptor of the source.
 */
#ifndef RUN_PACE_H
#define RUN_PACE_H

#include <stdbool.h>

#include "collect/cpu/rotation.h"
#include "collect/source.h"

struct pace {
	const struct source *source; /* borrowed; NULL: only the delay counts */
	int timer_fd;                /* readable when it is time; -1: not begun */
	bool whole;                  /* the first delay is as long as all others */
	struct rotation rotation;    /* where it is: the intervals */
	uint64_t (*now)(void);       /* CLOCK_MONOTONIC; pace_begin() sets it where it is NULL */
};

int pace_begin(struct pace *p, const struct source *source, struct err *err);
void pace_end(struct pace *p);

/* Begins: a sample is due after each delay, the first one after first_s at most. */
int pace_start(struct pace *p, double delay_s, double first_s, struct err *err);
/* A sample is due once, at this moment of CLOCK_MONOTONIC; UINT64_MAX: never. */
int pace_at(struct pace *p, uint64_t mono_ns, struct err *err);
/* Sets the time of the next sample, where the source has its own times; to be called after each
 * sample. */
int pace_next(struct pace *p, struct err *err);
/* The descriptor of the source, or -1. */
int pace_source_fd(const struct pace *p);
/* To be called once timer_fd is readable. Sets *due where it is time for a sample: it is not where
 * the timer has been set anew meanwhile. */
int pace_read_timer(struct pace *p, bool *due, struct err *err);

#endif
