/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_wait - moves waits for a CPU back to the intervals in which the task waited.
 *
 * The kernel adds a wait to a task's total only when the wait ends: the intervals before show no
 * wait, and the last one shows more than it can hold. What exceeds the longest possible wait of an
 * interval belongs to the intervals before it, the nearest first, each up to its own longest
 * possible wait. So the totals of earlier readings rise, the last one stays, and the sum over all
 * intervals is unchanged.
 *
 *   late_waits_add() for each reading ahead, sample by sample; late_stretch_at() for each task that
 *   is returned; late_waits_drop() for the samples returned
 *
 * Between two readings a task did not run: the samples in between share the first reading, and its
 * total rises with time. Nothing is moved before the first reading: its interval keeps the rest,
 * which the delta caps and marks.
 *
 * Readings are kept from one drop to the next, stretches until their last sample is dropped. Pure:
 * no file, no clock.
 */
#ifndef RECORD_LATE_WAIT_H
#define RECORD_LATE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATE_UNKNOWN (-1)

struct late_reading {
	int64_t id, previous; /* previous: the id of the task's reading before; 0: none */
	int64_t task, sample; /* their ids */
	bool first;           /* there is no interval before it */
	int64_t before_ns;    /* begin of its interval: a moment in the sample before */
	int64_t at_ns;        /* moment of the reading */
	int64_t waited_ns;    /* total; LATE_UNKNOWN */
	int64_t ran_ns;       /* total; LATE_UNKNOWN: the CPU time does not limit the wait */
	int64_t longest_ns;   /* longest possible wait in its interval; set by late_waits_add() */
};

/* Samples, up to the moment end_ns, in which the task waited all the time. */
struct late_stretch {
	int64_t task, first_sample, last_sample;
	int64_t end_ns, waited_ns; /* waited_ns: the task's total at end_ns */
};

struct late_waits {
	/* Indexed by id - first; id 0: not added. */
	struct late_reading *reading;
	size_t n, cap;
	int64_t first;
	struct late_stretch *stretch;
	size_t n_stretches, cap_stretches;
};

void late_waits_done(struct late_waits *w);
/* Drops everything; the next reading added has this id or a larger one. */
void late_waits_begin(struct late_waits *w, int64_t id);
/* Returns a reading that was added and not dropped; NULL: none. */
const struct late_reading *late_waits_find(const struct late_waits *w, int64_t id);
/* Adds a reading with an id not below `first`. old: the task's reading before it; NULL: nothing to
 * compare with. Returns false if the id makes no sense. */
bool late_waits_add(struct late_waits *w, const struct late_reading *reading,
		    const struct late_reading *old);
/* Drops readings and stretches up to this sample. */
void late_waits_drop(struct late_waits *w, int64_t sample);
/* Returns the task's total by the stretch at a moment in this sample; 0: outside the stretch. */
int64_t late_stretch_at(const struct late_stretch *s, int64_t sample, int64_t at_ns);

#endif
