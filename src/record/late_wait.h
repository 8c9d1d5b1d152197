/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_wait - waits for a CPU, put back to where they were.
 *
 * The kernel adds a wait to the total of a task when it ends: the intervals before show none, and
 * the last one more than it can hold. What a reading has beyond the longest wait of its interval
 * belongs to the intervals before it, the nearest first, each up to its own longest wait. So the
 * totals of earlier readings rise, and the last one stays: the sum over all intervals is the same.
 *
 *   late_waits_add() each reading ahead, sample by sample; late_stretch_at() for each task that is
 *   given; late_waits_drop() what was given
 *
 * Between two readings, a task did not run: in the samples there it has the first of them, and its
 * total rises with the time. Before its first reading, nothing is put: that interval keeps the
 * rest, which its delta caps and marks.
 *
 * Readings are kept from one drop to the next, and the stretches of late waits until they are past.
 * Pure: no file, no clock.
 */
#ifndef RECORD_LATE_WAIT_H
#define RECORD_LATE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATE_UNKNOWN (-1)

struct late_reading {
	int64_t id, previous; /* the id of the reading before; 0: none */
	int64_t task, sample; /* by number */
	bool first;           /* no interval ends with it */
	int64_t before_ns;    /* when its interval began: in the sample before */
	int64_t at_ns;        /* when it was read */
	int64_t waited_ns;    /* in total; LATE_UNKNOWN */
	int64_t ran_ns;       /* in total; LATE_UNKNOWN: it does not bound a wait */
	int64_t longest_ns;   /* a wait in its interval; set by late_waits_add() */
};

/* In these samples, and up to this moment, the task waited all the time. */
struct late_stretch {
	int64_t task, first_sample, last_sample;
	int64_t end_ns, waited_ns; /* its total at the end */
};

struct late_waits {
	/* By id, without gaps, from `first` on; of one that was not added, the id is 0. */
	struct late_reading *reading;
	size_t n, cap;
	int64_t first;
	struct late_stretch *stretch;
	size_t n_stretches, cap_stretches;
};

void late_waits_done(struct late_waits *w);
/* Forgets all; the next reading is this one, or a later one. */
void late_waits_begin(struct late_waits *w, int64_t id);
/* Finds a reading that was added and not dropped, or NULL. */
const struct late_reading *late_waits_find(const struct late_waits *w, int64_t id);
/* Adds a reading, which is not older than the first one; old: the one before it, or NULL: nothing
 * to compare with. false: its id makes no sense. */
bool late_waits_add(struct late_waits *w, const struct late_reading *reading,
		    const struct late_reading *old);
/* Forgets readings and stretches up to this sample. */
void late_waits_drop(struct late_waits *w, int64_t sample);
/* Returns the total that the stretch gives a task at a moment in this sample; 0: none. */
int64_t late_stretch_at(const struct late_stretch *s, int64_t sample, int64_t at_ns);

#endif
