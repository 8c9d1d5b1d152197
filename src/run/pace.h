/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace - decides when the next sample is taken: after each delay, as the user has set it, or at the
 * times that the source sets.
 *
 * With pace.whole, the first interval is as long as the others, for output that programs read.
 * Samples are then due at multiples of the delay since the start (collect/cpu/rotation.h): a late
 * sample does not delay the next one, and times that have passed meanwhile are skipped.
 *
 * The loop waits for pace.timer_fd and, unless it is -1, for the descriptor of the source.
 */
#ifndef RUN_PACE_H
#define RUN_PACE_H

#include <stdbool.h>

#include "collect/cpu/rotation.h"
#include "collect/source.h"

struct pace {
	const struct source *source; /* borrowed; NULL: a sample is due after each delay */
	int timer_fd;                /* readable when a sample is due; -1: not begun */
	bool whole;                  /* the first delay is as long as the others */
	struct rotation rotation;    /* the intervals; used if `whole` */
	uint64_t (*now)(void);       /* CLOCK_MONOTONIC; set by pace_begin() if NULL */
};

int pace_begin(struct pace *p, const struct source *source, struct err *err);
void pace_end(struct pace *p);

/* Arms the timer: a sample is due after each delay, the first one after min(delay_s, first_s), or
 * after delay_s if p->whole. If the source sets the times, arms the timer for the time of its next
 * sample instead. */
int pace_start(struct pace *p, double delay_s, double first_s, struct err *err);
/* Arms the timer for one sample at this moment of CLOCK_MONOTONIC; UINT64_MAX: never. */
int pace_at(struct pace *p, uint64_t mono_ns, struct err *err);
/* Arms the timer for the next sample if the source sets the times, else does nothing; call it after
 * each sample. */
int pace_next(struct pace *p, struct err *err);
/* Returns the descriptor of the source to wait for, or -1. */
int pace_source_fd(const struct pace *p);
/* Reads the timer; call it when timer_fd is readable. *due: a sample is due; false if the timer was
 * re-armed meanwhile. If a sample is due, p->whole is set and the source sets no times, arms the
 * timer for the end of the next interval. */
int pace_read_timer(struct pace *p, bool *due, struct err *err);

#endif
